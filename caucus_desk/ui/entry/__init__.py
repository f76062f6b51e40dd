"""The Entry page: find a precinct, key its sheet, read it back, submit, give the receipt code."""
