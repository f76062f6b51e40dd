"""How long work tells how far it is."""

from collections.abc import Callable

Progress = Callable[[int, int, str], None]
"""Called with steps done, steps in all (0: not known) and what is being done. Raising
`rules.errors.Cancelled` from it cancels the work, which then leaves nothing behind."""


def no_progress(done: int, total: int, what: str) -> None:
    """For callers who do not look."""
