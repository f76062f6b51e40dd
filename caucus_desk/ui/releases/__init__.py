"""The Releases page: what went out, the gate before the next one, and what moved between two."""
