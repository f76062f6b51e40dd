"""The calls of the store, by the name that the steps of Entry know them by."""

from caucus_desk.ui.store_calls import AT_ONCE_SECONDS, StoreCalls

__all__ = ["AT_ONCE_SECONDS", "StoreCalls"]
