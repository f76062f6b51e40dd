"""The queue: every precinct that needs a person, worst first, with what is at stake and how long it waits."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction

from caucus_desk.desk.cases import QueueItem
from caucus_desk.desk.naming import same_person
from caucus_desk.tally.overview import Overview
from caucus_desk.tally.report import CHANNELS, Channel
from caucus_desk.tally.roster import Precinct
from caucus_desk.tally.state import State
from caucus_desk.ui.widgets.table import ColumnSpec, room_for
from caucus_desk.ui.words import BLANK, clock, decimal, tr

_NO_BREAK = "\u00a0"
RULED = "ruled"
"""A kind of row that waits for nobody: where a ruling stands, to be looked at or withdrawn."""
KINDS = ("mismatch", "error", "approval", "unconfirmed", "correction")
"""As the desk names them, in the order in which a row's drawing is chosen."""
LATE, VERY_LATE = 30, 60
"""Minutes of waiting that are marked."""


@dataclass(frozen=True, slots=True)
class QueueRow:
    """One precinct of the queue; times are UTC, `stake` is in SDEs."""

    id: str
    county: str
    name: str
    kinds: tuple[str, ...]
    what: str
    channels: tuple[Channel, ...]
    stake: Fraction | None
    closeness: int | None
    since: datetime
    minutes: int
    place: int
    """In the desk's own order; 0 is the worst."""
    sent: bool = False
    """It was sent back, and somebody is at it."""
    claimed_by: str = ""
    """Another person who has the case open now."""
    claimed_since: str = ""


def kind_word(kind: str) -> str:
    """What a kind is called in the filter, and what can be typed to find it."""
    return {
        "mismatch": tr("differs"),
        "error": tr("error"),
        "approval": tr("approval"),
        "unconfirmed": tr("call back"),
        "correction": tr("corrected"),
        RULED: tr("ruled"),
    }[kind]


def rows_of(items: Iterable[QueueItem], person: str, now: datetime | None = None) -> list[QueueRow]:
    """In the desk's order. `person` is who looks: their own claim is no mark."""
    now = now or datetime.now(UTC)
    rows = []
    for place, item in enumerate(items):
        claim = item.claimed
        other = claim is not None and not same_person(claim.by, person)
        rows.append(
            QueueRow(
                id=item.precinct.id,
                county=item.precinct.county,
                name=item.precinct.name,
                kinds=tuple(kind for kind in KINDS if kind in item.kinds),
                what=item.what.removeprefix("differs in "),  # the drawing says so
                channels=tuple(channel for channel in CHANNELS if channel in item.channels),
                stake=item.at_stake,
                closeness=item.closeness,
                since=item.waits_since,
                minutes=_minutes(item.waits_since, now),
                place=place,
                sent=bool(item.errands),
                claimed_by=claim.by if claim is not None and other else "",
                claimed_since=clock(claim.since)[:5] if claim is not None and other else "",
            )
        )
    return rows


def ruled_rows(overview: Overview, now: datetime | None = None) -> list[QueueRow]:
    """Precincts where a ruling stands, the newest first: only shown where they are asked for."""
    now = now or datetime.now(UTC)
    rulings = [
        (result.standing.ruling, result)
        for result in overview.results.values()
        if result.standing.state is State.RULED
    ]
    rows: list[QueueRow] = []
    for ruling, result in sorted(
        ((ruling, result) for ruling, result in rulings if ruling is not None),
        key=lambda pair: pair[0].id,
        reverse=True,
    ):
        precinct: Precinct = result.precinct
        rows.append(
            QueueRow(
                id=precinct.id,
                county=precinct.county,
                name=precinct.name,
                kinds=(RULED,),
                what=tr("{0} ruled at {1}").format(ruling.by, clock(ruling.at)[:5]),
                channels=tuple(channel for channel in CHANNELS if channel in result.reports),
                stake=None,
                closeness=None,
                since=ruling.at,
                minutes=_minutes(ruling.at, now),
                place=10_000_000 + len(rows),
            )
        )
    return rows


def _minutes(since: datetime, now: datetime) -> int:
    return max(0, int((now - since).total_seconds()) // 60)


def age_text(minutes: int) -> str:
    """`now`, `12 min`, `1 h 05`, `2 d`."""
    if minutes < 1:
        return tr("now")
    if minutes < 60:
        return tr("{0} min").format(minutes)
    if minutes < 24 * 60:
        return tr("{0} h {1:02}").format(minutes // 60, minutes % 60)
    return tr("{0:,} d").format(minutes // (24 * 60))


def queue_columns() -> Sequence[ColumnSpec[QueueRow]]:
    return (
        ColumnSpec(
            tr("Precinct"),
            156,
            _first_lines,
            sort=lambda row: (row.county, row.name),
            bold=True,
            icon=_sign,
            tip=_tip,
            least=146,
        ),
        ColumnSpec(tr("Needs"), 106, lambda row: row.what, tip=_tip, least=90),
        ColumnSpec(
            tr("SDEs"),
            46,
            lambda row: BLANK if row.stake is None else decimal(row.stake, 2),
            sort=lambda row: -1 if row.stake is None else row.stake,
            number=True,
            tip=_stake_tip,
        ),
        ColumnSpec(
            tr("Waits"),
            room_for(tr("Waits"), tr("{0} h {1:02}").format(23, 59)) + 16,
            lambda row: age_text(row.minutes).replace(" ", _NO_BREAK),
            sort=lambda row: row.minutes,
            number=True,
            icon=_age_sign,
            colour=_age_colour,
            tip=lambda row: tr("since {0}").format(clock(row.since)),
        ),
    )


def _first_lines(row: QueueRow) -> str:
    """The precinct; below it the county, or who has the case open."""
    return f"{row.name}\n{tr('with {0}').format(row.claimed_by) if row.claimed_by else row.county}"


def _sign(row: QueueRow) -> tuple[str, str] | None:
    if row.claimed_by:
        return ("person", "muted")
    if "approval" in row.kinds:
        return ("ruled", "warn")
    if row.sent:
        return ("back", "muted")
    signs = {
        "mismatch": ("mismatched", "bad"),
        "error": ("bad", "bad"),
        "unconfirmed": ("phone", "warn"),
        "correction": ("warn", "warn"),
        RULED: ("ruled", "good"),
    }
    return signs[row.kinds[0]] if row.kinds else None


def _late(row: QueueRow) -> int:
    """0, 1 or 2: how loudly its waiting is said. A ruling that stands waits for nobody."""
    if RULED in row.kinds:
        return 0
    return (row.minutes >= LATE) + (row.minutes >= VERY_LATE)


def _age_sign(row: QueueRow) -> tuple[str, str] | None:
    return (None, ("warn", "warn"), ("bad", "bad"))[_late(row)]


def _age_colour(row: QueueRow) -> str | None:
    return (None, "warn", "bad")[_late(row)]


def _tip(row: QueueRow) -> str:
    channels = ", ".join(channel.value for channel in row.channels)
    lines = [f"{row.county} · {row.name} · {row.id}", f"{row.what} ({channels})" if channels else row.what]
    if row.claimed_by:
        lines.append(tr("{0} has the case open since {1}").format(row.claimed_by, row.claimed_since))
    return "\n".join(lines)


def _stake_tip(row: QueueRow) -> str:
    text = tr("State delegate equivalents that what is decided here may move.")
    if row.closeness is not None:
        text += " " + tr("The next delegate here is {0} people away.").format(row.closeness)
    return text


def search_text(row: QueueRow) -> str:
    """What the filter looks in: every word that a reviewer would say of it."""
    words = [kind_word(kind) for kind in row.kinds]
    words += [channel.value for channel in row.channels]
    return " ".join([row.county, row.name, row.id, row.what, *words, row.claimed_by])


Keep = Callable[[QueueRow], bool]
