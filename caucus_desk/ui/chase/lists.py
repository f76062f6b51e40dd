"""The three lists of the page: what is to be fetched, what lies here, and both."""

from collections.abc import Sequence
from datetime import UTC, datetime

from caucus_desk.ui.chase.rows import SheetRow
from caucus_desk.ui.words import number, tr

FETCH, HERE, ALL = "fetch", "here", "all"
_NAMED = 3


def in_order(rows: Sequence[SheetRow], which: str, county: str) -> list[SheetRow]:
    """Of one list and county: what lies here, then what waits longest; equals as in the roster."""
    kept = [
        row
        for row in rows
        if (not county or row.missing.precinct.county == county)
        and (which == ALL or row.missing.here is (which == HERE))
    ]
    last = datetime.max.replace(tzinfo=UTC)
    return sorted(
        kept, key=lambda row: (not row.missing.here, row.missing.due_since or row.missing.since or last)
    )


def late_text(late: Sequence[SheetRow]) -> str:
    """Names what lies at the desk too long; "" for nothing."""
    if not late:
        return ""
    names = ", ".join(row.missing.precinct.name for row in late[:_NAMED])
    more = tr(" and {0} more").format(number(len(late) - _NAMED)) if len(late) > _NAMED else ""
    return tr("▲ Here for more than 20 minutes and not keyed: {0}{1}. H shows them.").format(names, more)


def why_nothing(filtered: bool, which: str, county: str) -> tuple[str, str]:
    """What is said in the place of an empty list, and what to do."""
    where = county or tr("all counties")
    if filtered:
        return tr("No worksheet fits"), tr("Change what you typed, or press Esc.")
    if which == HERE:
        return tr("No sheet lies here unkeyed"), tr("H shows the other lists.")
    if which == FETCH:
        return tr("No worksheet is missing"), tr("Every sheet of {0} is here or keyed.").format(where)
    return tr("Every worksheet is in and keyed"), where
