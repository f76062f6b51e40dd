"""What a sheet, a finding, a mismatch, a state and a tally are. Imports rules; never Qt, SQL or openpyxl."""
