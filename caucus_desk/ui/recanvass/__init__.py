"""Recanvasses and recounts in the window: opened, keyed, compared, taken, ended."""
