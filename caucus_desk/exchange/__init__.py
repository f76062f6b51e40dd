"""Files in and out: roster, results, candidates. Imports tally."""
