"""Workbooks for leadership. Imports tally."""
