"""Windows: one folder a page, widgets/ for what pages share. Imports desk, tally and rules."""
