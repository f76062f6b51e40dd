"""The only code that knows SQL: schema, migrations, sessions, audit, backup. Imports tally."""
