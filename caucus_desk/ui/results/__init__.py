"""The Results page: the tally as it stands."""
