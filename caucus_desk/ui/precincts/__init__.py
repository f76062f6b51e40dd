"""The Precincts page: every precinct with its state, and its sheets side by side."""
