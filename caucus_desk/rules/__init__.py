"""The arithmetic of a caucus: pure functions on integers and fractions. Imports nothing of ours."""
