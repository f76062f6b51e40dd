"""Stores in PostgreSQL, for many desks at once."""
