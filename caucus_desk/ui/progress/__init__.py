"""The Progress page: how the night goes, and the wall screen."""
