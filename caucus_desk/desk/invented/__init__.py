"""The invented caucus: a roster and a night of our own making, the same at every run. Used by desk.sample."""
