"""The People page: accounts, their roles, and the settings of the caucus."""
