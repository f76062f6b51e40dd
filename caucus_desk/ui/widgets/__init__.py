"""What the pages share: tables, notices, background work, headings."""
