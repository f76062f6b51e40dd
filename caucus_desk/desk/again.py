"""Making a step again that another desk's writing undid.

Writers take turns, so this happens only where somebody writes past the program, or two rows are locked
crosswise: the database then undoes one of the two.
"""

import random
import time
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from caucus_desk.store.errors import Again
from caucus_desk.store.saves import saves_of_this_thread

TRIES = 3
_PAUSE = 0.03
"""Seconds at most after the first try, twice as long after the second."""

P = ParamSpec("P")
T = TypeVar("T")


def again(step: Callable[P, T]) -> Callable[P, T]:
    """For each function of the desk that writes: made whole up to three times, then Again is raised.

    Only while it has saved nothing: what is in the store is never written a second time. A step inside
    another one is made again by itself, and not by both.
    """

    @wraps(step)
    def tried(*args: P.args, **kwargs: P.kwargs) -> T:
        before = saves_of_this_thread()
        for left in reversed(range(TRIES)):
            try:
                return step(*args, **kwargs)
            except Again as error:
                if not left or error.given_up or saves_of_this_thread() != before:
                    error.given_up = True
                    raise
            time.sleep(random.random() * _PAUSE * (TRIES - left))
        raise AssertionError("the last try answers or raises")

    return tried
