"""Steps from each schema to the next. A step that has been released is never edited."""
