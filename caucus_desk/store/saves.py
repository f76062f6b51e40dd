"""How often this thread has saved, in any store: so that a step that saved is never made twice."""

import threading

_own = threading.local()


def saves_of_this_thread() -> int:
    return getattr(_own, "saves", 0)


def count_save() -> None:
    _own.saves = saves_of_this_thread() + 1
