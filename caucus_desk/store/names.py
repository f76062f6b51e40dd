"""Names of people in the store: the one comparison that all layers use."""

from caucus_desk.tally.people import folded, same_person

__all__ = ["folded", "same_person"]
