"""The Review page: the precincts that differ, and the case in which a reviewer chooses each value."""
