"""The Help page: keys, states, findings, and where the data lies."""
