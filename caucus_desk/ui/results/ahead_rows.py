"""The lines and columns of the Outlook: what to check next, who can pass whom, and the projection."""

from dataclasses import dataclass
from fractions import Fraction

from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.tally.openness import Why
from caucus_desk.tally.outlook import Race
from caucus_desk.ui.widgets.table import ColumnSpec, room_for
from caucus_desk.ui.words import BLANK, decimal, number, percent, tr


@dataclass(frozen=True, slots=True)
class NextLine:
    """A precinct to check. `against` is None where that would tell covered figures."""

    key: str
    precinct: str
    county: str
    why: Why
    delegates: int | None
    against: Fraction | None
    place: int


@dataclass(frozen=True, slots=True)
class GuessLine:
    key: str
    label: str
    now: Fraction
    then: Fraction
    whole: Fraction


def next_columns(rules: RuleSet, unit: str) -> tuple[ColumnSpec[NextLine], ...]:
    digits = rules.rounding.digits
    return (
        ColumnSpec(tr("#"), 30, lambda line: number(line.place + 1), lambda line: line.place, number=True),
        ColumnSpec(
            tr("Precinct"),
            160,
            lambda line: line.precinct,
            tip=lambda line: line.precinct,
            bold=True,
            least=110,
        ),
        ColumnSpec(tr("County"), 96, lambda line: line.county, tip=lambda line: line.county, least=74),
        ColumnSpec(tr("It"), 150, lambda line: line.why, tip=lambda line: line.why, least=150),
        ColumnSpec(
            tr("{0}\nit can move").format(unit),
            room_for(tr("it can move"), "88.8888"),
            lambda line: tr("covered") if line.against is None else decimal(line.against, digits),
            lambda line: -line.place,
            number=True,
        ),
    )


def race_columns(rules: RuleSet, unit: str) -> tuple[ColumnSpec[Race], ...]:
    digits = rules.rounding.digits

    def end(race: Race) -> str:
        if race.can_pass:
            return tr("can end {0} ahead").format(decimal(race.most, digits))
        if race.can_draw_level:
            return tr("can draw level")
        return tr("ends at least {0} behind").format(decimal(-race.most, digits))

    return (
        ColumnSpec(
            tr("Group"), room_for("", *(g.label for g in rules.groups)), lambda race: rules.label(race.behind)
        ),
        ColumnSpec(
            tr("can pass"),
            room_for(tr("can pass"), "Uncommitted") + 20,
            lambda race: rules.label(race.ahead) if race.can_pass else tr("nobody"),
            icon=lambda race: ("warn", "warn") if race.can_pass else ("good", "good"),
            bold=True,
        ),
        ColumnSpec(
            tr("{0}\nbehind now").format(unit),
            room_for(tr("behind now"), "888.8888"),
            lambda race: decimal(race.lead, digits),
            lambda race: race.lead,
            number=True,
        ),
        ColumnSpec(tr("At the end"), 190, end, sort=lambda race: race.most, least=176),
    )


def guess_columns(rules: RuleSet, unit: str) -> tuple[ColumnSpec[GuessLine], ...]:
    digits = rules.rounding.digits
    return (
        ColumnSpec(tr("Group"), room_for("", *(g.label for g in rules.groups)), lambda line: line.label),
        ColumnSpec(
            tr("{0} now").format(unit),
            room_for(tr("{0} now").format(unit), "888.8888"),
            lambda line: decimal(line.now, digits),
            lambda line: line.now,
            number=True,
        ),
        ColumnSpec(
            tr("projected"),
            room_for(tr("projected"), "888.8888"),
            lambda line: decimal(line.then, digits),
            lambda line: line.then,
            number=True,
            bold=True,
        ),
        ColumnSpec(
            tr("share"),
            room_for(tr("share"), "88.8%"),
            lambda line: percent(line.then, line.whole) if line.whole else BLANK,
            lambda line: line.then,
            number=True,
        ),
    )
