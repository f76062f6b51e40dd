"""County kits, packets and receipts in the window: what a county sends, and what headquarters takes."""
