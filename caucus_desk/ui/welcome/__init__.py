"""Before a caucus is open: new, open, sample; and who sits at the desk."""
