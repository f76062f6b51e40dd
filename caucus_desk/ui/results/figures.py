"""From a row of the tally to what the Results page shows: lines, a total, bars."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from caucus_desk.rules.national import NationalDelegates
from caucus_desk.rules.ruleset import RuleSet, Unit
from caucus_desk.tally.counting import add_cell, row_of
from caucus_desk.tally.overview import Overview
from caucus_desk.tally.results import Counting, TallyRow
from caucus_desk.ui.widgets.barchart import Bar
from caucus_desk.ui.widgets.table import ColumnSpec, room_for
from caucus_desk.ui.words import BLANK, decimal, number, percent, tr

_SMALL = Fraction(1, 100)
"""Groups below this share are one bar together."""


@dataclass(frozen=True, slots=True)
class Line:
    """One group of the chosen row, or the total; shares are of the totals given with it."""

    key: str
    label: str
    first: int
    final: int
    delegates: int
    delegates_computed: int
    sde: Fraction
    sde_computed: Fraction
    first_total: int
    final_total: int
    sde_total: Fraction
    scaled: bool = True
    """The roster says what a delegate is worth here; without that no SDE is known, and 0 would be a lie."""

    @property
    def differs(self) -> bool:
        """The rules give this group something else than the sheets say."""
        return self.sde != self.sde_computed or self.delegates != self.delegates_computed


def lines_of(rules: RuleSet, row: TallyRow, *, scaled: bool = True) -> tuple[Line, ...]:
    """A line for each group in ballot order."""
    total = row.sde_total
    return tuple(
        Line(
            line.group,
            rules.label(line.group),
            line.first,
            line.final,
            line.delegates,
            line.delegates_computed,
            line.sde,
            line.sde_computed,
            row.first_total,
            row.final_total,
            total,
            scaled,
        )
        for line in row.groups
    )


def precinct_row(overview: Overview, precinct_id: str, counting: Counting) -> TallyRow:
    """The tally's row of one precinct, without making those of all the others."""
    result = overview.results[precinct_id]
    worth = {precinct_id: overview.delegate_worth(precinct_id)}
    cell = add_cell(overview.rules, [result], worth, counting, overview.rules.rounding.sum)
    return row_of(overview.rules, precinct_id, result.precinct.name, [cell])


def total_of(row: TallyRow, *, scaled: bool = True) -> Line:
    computed = sum((line.sde_computed for line in row.groups), Fraction(0))
    return Line(
        "",
        tr("Total"),
        row.first_total,
        row.final_total,
        row.delegates_total,
        sum(line.delegates_computed for line in row.groups),
        row.sde_total,
        computed,
        row.first_total,
        row.final_total,
        row.sde_total,
        scaled,
    )


def unit_word(rules: RuleSet) -> str:
    """What a state reports in, in the plural."""
    return {Unit.SDE: tr("SDEs"), Unit.CCD: tr("CCDs"), Unit.VOTES: tr("votes")}[rules.unit]


def columns_for(rules: RuleSet) -> tuple[ColumnSpec[Line], ...]:
    unit = unit_word(rules)
    # Only SDEs are scaled; other units are whole delegates or votes.
    digits = rules.rounding.digits if rules.unit is Unit.SDE else 0
    labels = (group.label for group in rules.groups)
    most = decimal(Fraction(9_999), digits)

    def count(title: str, value: Callable[[Line], int]) -> ColumnSpec[Line]:
        width = room_for(title, "888,888")
        return ColumnSpec(title, width, lambda line: number(value(line)), value, number=True)

    def share(
        title: str, value: Callable[[Line], Any], whole: Callable[[Line], Any], *, sde: bool = False
    ) -> ColumnSpec[Line]:
        def text(line: Line) -> str:
            return percent(value(line), whole(line)) if line.key else ""

        def known(line: Line) -> str:
            return text(line) if line.scaled or not sde else BLANK

        return ColumnSpec(title, room_for(title, "88.8%"), known, value, number=True, colour=_muted)

    def worth(title: str, value: Callable[[Line], Fraction], *, bold: bool) -> ColumnSpec[Line]:
        def text(line: Line) -> str:
            return decimal(value(line), digits) if line.scaled else BLANK

        return ColumnSpec(title, room_for(title, most), text, value, number=True, bold=bold)

    return (
        ColumnSpec(tr("Group"), room_for("", *labels), lambda line: line.label),
        count(tr("First"), lambda line: line.first),
        share(tr("share"), lambda line: line.first, lambda line: line.first_total),
        count(tr("Final"), lambda line: line.final),
        share(tr("share"), lambda line: line.final, lambda line: line.final_total),
        count(tr("Delegates\nreported"), lambda line: line.delegates),
        count(tr("rules\ngive"), lambda line: line.delegates_computed),
        worth(tr("{0}\nreported").format(unit), lambda line: line.sde, bold=True),
        worth(tr("{0}\nrules give").format(unit), lambda line: line.sde_computed, bold=False),
        share(tr("{0}\nshare").format(unit), lambda line: line.sde, lambda line: line.sde_total, sde=True),
    )


def _muted(line: Line) -> str:
    return "muted"


def bars_of(lines: Sequence[Line]) -> tuple[Bar, ...]:
    """Shares in ballot order; small groups together, so that no bar is too short to see."""
    total = sum((line.sde for line in lines), Fraction(0))
    computed = sum((line.sde_computed for line in lines), Fraction(0))
    if not total:
        return ()
    bars, rest, rest_mark = [], Fraction(0), Fraction(0)
    for line in lines:
        share = line.sde / total
        mark = line.sde_computed / computed if computed else Fraction(0)
        if share < _SMALL:
            rest, rest_mark = rest + share, rest_mark + mark
        else:
            bars.append(Bar(line.label, share, mark))
    if rest or rest_mark:
        bars.append(Bar(tr("all others"), rest, rest_mark))
    return tuple(bars)


@dataclass(frozen=True, slots=True)
class Seats:
    """National delegates of one group: by pool, in the pools' order, and in all."""

    key: str
    label: str
    pools: tuple[int, ...]
    total: int


def seats_of(rules: RuleSet, national: NationalDelegates) -> tuple[Seats, ...]:
    """Groups with at least one seat, in ballot order."""
    totals = national.total
    return tuple(
        Seats(
            group.key,
            group.label,
            tuple(pool.seats.get(group.key, 0) for pool in national.pools),
            totals[group.key],
        )
        for group in rules.groups
        if totals.get(group.key)
    )


def seat_columns(rules: RuleSet) -> tuple[ColumnSpec[Seats], ...]:
    """A narrow column for each pool, named as the rule set names it, the whole name as the tool tip."""

    def pool_column(place: int, title: str) -> ColumnSpec[Seats]:
        return ColumnSpec(
            title,
            room_for(title, "8"),
            lambda seats: number(seats.pools[place] or None),
            lambda seats: seats.pools[place],
            number=True,
        )

    return (
        ColumnSpec(tr("Group"), room_for("", "Klobuchar"), lambda seats: seats.label),
        *(pool_column(place, short_pool(pool.id, pool.district)) for place, pool in enumerate(rules.pools)),
        ColumnSpec(
            tr("all"),
            room_for(tr("all"), "88"),
            lambda seats: number(seats.total),
            lambda seats: seats.total,
            number=True,
            bold=True,
        ),
    )


def short_pool(pool_id: str, district: str | None) -> str:
    if district is not None:
        return tr("D{0}").format(district)
    words = pool_id.replace("-", "_").split("_")
    return "".join(word[0].upper() for word in words) if len(words) > 1 else pool_id.upper()[:4]


def reporting_text(row: TallyRow) -> str:
    """`177 of 177 precincts in, 120 verified`, or the one precinct's state in these words."""
    return tr("{0} of {1} precincts in · {2} verified · {3} counted here").format(
        number(row.reporting), number(row.precincts), number(row.verified), number(row.counted)
    )


def share_in(row: TallyRow) -> str:
    return percent(row.reporting, row.precincts, 0) if row.precincts else BLANK
