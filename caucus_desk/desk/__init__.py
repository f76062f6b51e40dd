"""The jobs at the desk, one module each: the only way in for every change."""
