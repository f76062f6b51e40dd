"""Making a release: the gate before it, and the second person after it.

What the gate holds back goes out only with a lead's reason for that very item, and the reason is kept
with the release. Nothing is held, or let through, in silence.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from caucus_desk.desk.releases import Release
from caucus_desk.desk.session import Desk
from caucus_desk.tally.comparison import Comparison
from caucus_desk.tally.outlook import Outlook
from caucus_desk.tally.results import Counting, Coverage


@dataclass(frozen=True, slots=True)
class GateItem:
    """One thing that the gate looks at. `id` is for `passes`; `detail` a sentence with the figures."""

    id: str
    """audit, totals, doubt, nothing, share, findings, rulings, unconfirmed, changes."""
    title: str
    ok: bool
    detail: str
    holds: bool
    """It must be passed with a reason. Not everything that is not ok holds."""
    figures: tuple[tuple[str, str], ...] = ()
    """Name and value, for a table."""
    precincts: tuple[str, ...] = ()
    """Ids of those it is about, in roster order."""


@dataclass(frozen=True)
class Gate:
    """What stands at one moment; `seq` is the audit event up to which it looked."""

    counting: Counting
    items: tuple[GateItem, ...]
    coverage: Coverage
    changed: Comparison | None
    """Since the last release; None before the first, or where the two cannot be compared."""
    since: int | None
    """Number of the last release."""
    outlook: Outlook
    seq: int

    @property
    def held(self) -> tuple[GateItem, ...]:
        """Items that need a reason."""
        return tuple(item for item in self.items if item.holds)

    @property
    def passable(self) -> bool:
        """Nothing is held: it can be released without a reason."""
        return not self.held

    def item(self, id: str) -> GateItem:
        return next(item for item in self.items if item.id == id)


def gate(desk: Desk, counting: Counting) -> Gate:
    """Looks at everything that a release made now would say. Takes a second or more on a whole state, so
    not for the window's own thread."""
    raise NotImplementedError


def make_release(
    desk: Desk,
    counting: Counting,
    *,
    note: str = "",
    passes: Mapping[str, str],
    by: str,
    seen: Gate | None = None,
) -> Release:
    """Freezes what stands now; saved when this returns.

    `passes`: a reason in words for each item of the gate that is held, by its id. With `seen`, the gate
    that the lead looked at, it is refused where the gate holds something else by now. For a lead only.
    """
    raise NotImplementedError


def approve_release(desk: Desk, number: int, *, by: str) -> Release:
    """The second person's yes, where the caucus asks for one. Refused for whoever made it."""
    raise NotImplementedError
