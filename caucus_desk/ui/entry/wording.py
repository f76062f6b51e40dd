"""How counts of things are said."""


def counted(number: int, one: str, many: str) -> str:
    """`1 box`, `3 boxes`."""
    return f"{number:,} {one if number == 1 else many}"
