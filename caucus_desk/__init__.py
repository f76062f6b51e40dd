"""Caucus Desk: two people, two sources, and results that can be defended."""

__version__ = "0.1.0"
