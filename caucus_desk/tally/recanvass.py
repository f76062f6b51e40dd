"""A recanvass or a recount: chosen precincts counted again, compared with what was released.

A recanvass keys the worksheets again; a recount counts the preference cards again, on a form of its own.
Neither changes the tally: it says where the paper, or the cards, say something else, and what that would
move. Times are UTC.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from fractions import Fraction

from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.tally.assess import Awards
from caucus_desk.tally.comparison import Comparison, FieldChange, PrecinctChange, compare
from caucus_desk.tally.form import Form, FormField, form_of
from caucus_desk.tally.frozen import FrozenList, FrozenPrecinct
from caucus_desk.tally.overview import Overview
from caucus_desk.tally.report import Channel
from caucus_desk.tally.results import Counting
from caucus_desk.tally.roster import Precinct
from caucus_desk.tally.sheet import Column, ResultSheet, completed

CARDS, CARDS_MISSING = "cards", "cards_missing"
CARD_FIELDS: Mapping[str, str] = {
    CARDS: "Cards counted",
    CARDS_MISSING: "Cards missing",
}
"""What the form of a recount has in place of the attendance: cards are numbered, people are not."""


class RecanvassKind(StrEnum):
    RECANVASS = "recanvass"
    """The worksheets are read again."""
    RECOUNT = "recount"
    """The presidential preference cards are counted again."""

    @property
    def source(self) -> str:
        return "worksheet" if self is RecanvassKind.RECANVASS else "cards"


@dataclass(frozen=True, slots=True)
class ChosenPrecinct:
    """`reports` and `ruling` say what stood when it was opened; only where no release has a sheet of it."""

    id: str
    reports: tuple[int, ...] = ()
    ruling: int | None = None

    @property
    def released(self) -> bool:
        """Compared with the release that the recanvass names."""
        return not self.reports and self.ruling is None


@dataclass(frozen=True, slots=True)
class RecanvassSheet:
    """One precinct keyed again. A later one of the same precinct stands in its place."""

    id: int
    seq: int
    precinct_id: str
    sheet: ResultSheet
    by: str
    at: datetime
    note: str = ""


@dataclass(frozen=True, slots=True)
class RecanvassEnd:
    seq: int
    by: str
    at: datetime
    outcome: str


class Progress(StrEnum):
    OPEN = "open"
    OVERDUE = "overdue"
    """The deadline has passed and something is not keyed yet, or nobody said how it ended."""
    KEYED = "keyed"
    """Everything is keyed; the outcome is still to be said."""
    ENDED = "ended"


@dataclass(frozen=True)
class Recanvass:
    """`number` counts recanvasses and recounts from 1; `seq` is the audit event that opened it."""

    number: int
    seq: int
    kind: RecanvassKind
    release: int | None
    """The release that it is compared with; None: there was none when it was opened."""
    requested_by: str
    reason: str
    deadline: datetime
    by: str
    at: datetime
    chosen: tuple[ChosenPrecinct, ...]
    sheets: tuple[RecanvassSheet, ...] = ()
    """Everything that was keyed, oldest first."""
    end: RecanvassEnd | None = None

    @property
    def name(self) -> str:
        """`Recanvass 3`."""
        return f"{self.kind.capitalize()} {self.number}"

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(one.id for one in self.chosen)

    def standing(self) -> Mapping[str, RecanvassSheet]:
        """The newest sheet of each precinct that has one."""
        return {sheet.precinct_id: sheet for sheet in self.sheets}

    @property
    def left(self) -> tuple[str, ...]:
        """Precincts that nobody has keyed yet, as they were chosen."""
        done = self.standing()
        return tuple(id for id in self.ids if id not in done)

    def progress(self, now: datetime) -> Progress:
        if self.end is not None:
            return Progress.ENDED
        if now > self.deadline:
            return Progress.OVERDUE
        return Progress.OPEN if self.left else Progress.KEYED

    def as_of(self, seq: int) -> "Recanvass":
        """What was known of it at an audit event."""
        return replace(
            self,
            sheets=tuple(sheet for sheet in self.sheets if sheet.seq <= seq),
            end=self.end if self.end is not None and self.end.seq <= seq else None,
        )


def recount_form(rules: RuleSet, kind: RecanvassKind) -> Form:
    """What is keyed: the whole worksheet, or what the cards say and the delegates that follow from them."""
    if kind is RecanvassKind.RECANVASS:
        return form_of(rules, Channel.PAPER)
    whole = form_of(rules)
    fields = (
        FormField(CARDS, CARD_FIELDS[CARDS], required=True),
        FormField(CARDS_MISSING, CARD_FIELDS[CARDS_MISSING]),
    )
    return replace(whole, sheet_fields=fields)


def cards_of(sheet: ResultSheet) -> tuple[int | None, int | None]:
    """Cards counted and cards missing."""
    extras = dict(sheet.extras)
    return extras.get(CARDS), extras.get(CARDS_MISSING)


def as_paper(kind: RecanvassKind, sheet: ResultSheet, before: ResultSheet) -> ResultSheet:
    """The worksheet that would stand: what was not counted again is as it was. Cards say nothing of the
    attendance, of signatures and of other counts."""
    if kind is RecanvassKind.RECOUNT:
        sheet = replace(
            sheet, extras=tuple((key, value) for key, value in sheet.extras if key not in CARD_FIELDS)
        )
    return completed(sheet, (before,))


def card_remarks(sheet: ResultSheet, precinct: Precinct) -> tuple[str, ...]:
    """What cannot be right on the form of a recount, by itself."""
    said = []
    cards, _ = cards_of(sheet)
    for column, name in ((Column.FIRST, "First choices"), (Column.FINAL, "Final alignments")):
        total = sheet.total(column)
        if cards is not None and total is not None and total > cards:
            said.append(f"{name} add up to {total:,}, but {cards:,} cards were counted.")
    total = sheet.total(Column.DELEGATES)
    if total is not None and precinct.delegates is not None and total != precinct.delegates:
        said.append(f"The delegates add up to {total:,}; the precinct elects {precinct.delegates:,}.")
    return tuple(said)


@dataclass(frozen=True, slots=True)
class Difference:
    """One precinct keyed again, beside what was released. Groups that do not move are left out."""

    precinct: Precinct
    sheet: RecanvassSheet
    before: ResultSheet
    after: ResultSheet
    """The worksheet that would stand."""
    fields: tuple[FieldChange, ...]
    """In worksheet order; empty where it says the same."""
    delegates: Mapping[str, tuple[int, int]]
    """Delegates before and after, of groups whose delegates differ."""
    sdes: Mapping[str, Fraction]
    """SDEs after less before, by group."""
    computed: Mapping[str, int]
    """Delegates that the rules give for what was keyed again."""
    by_the_rules: bool
    """Its delegates are those that the rules give (or nothing can be computed)."""

    @property
    def same(self) -> bool:
        return not self.fields


@dataclass(frozen=True)
class Comparing:
    """All that was keyed again, precinct by precinct and together."""

    differences: tuple[Difference, ...]
    """Every precinct that is keyed, in the order in which they were chosen; also those that are the same."""
    together: Comparison
    """The whole tally with the precincts as they were, and as they would be."""

    @property
    def differing(self) -> tuple[Difference, ...]:
        return tuple(one for one in self.differences if not one.same)


def compare_sheets(
    overview: Overview,
    counting: Counting,
    kind: RecanvassKind,
    keyed: Sequence[tuple[RecanvassSheet, ResultSheet]],
) -> Comparing:
    """Each sheet beside the one that it is compared with, in the tally of `overview`.

    The precincts count on both sides, also where `counting` left them out: else their effect would be
    nothing.
    """
    rules = overview.rules
    held = FrozenList.of(overview, counting)
    pairs = {one.precinct_id: (one, before, as_paper(kind, one.sheet, before)) for one, before in keyed}
    was = _with(held, {id: before for id, (_, before, _) in pairs.items()})
    then = _with(held, {id: after for id, (_, _, after) in pairs.items()})
    together = compare(was, then)
    changes = {change.precinct.id: change for change in together.changes}
    return Comparing(
        tuple(_difference(rules, overview, *pair, changes.get(id)) for id, pair in pairs.items()), together
    )


def _with(held: FrozenList, sheets: Mapping[str, ResultSheet]) -> FrozenList:
    return FrozenList(held.rules, _replaced(held.precincts.values(), sheets))


def _replaced(
    entries: Iterable[FrozenPrecinct], sheets: Mapping[str, ResultSheet]
) -> Iterable[FrozenPrecinct]:
    for entry in entries:
        sheet = sheets.get(entry.precinct.id)
        yield entry if sheet is None else replace(entry, sheet=sheet, counted=True)


def _difference(
    rules: RuleSet,
    overview: Overview,
    sheet: RecanvassSheet,
    before: ResultSheet,
    after: ResultSheet,
    change: PrecinctChange | None,
) -> Difference:
    precinct = overview.results[sheet.precinct_id].precinct
    fields = () if change is None else change.fields
    old = {row.group: row.delegates or 0 for row in before.groups}
    new = {row.group: row.delegates or 0 for row in after.groups}
    awards = Awards.of(rules, precinct, after)
    computed = {group: count for group, count in awards.computed.items() if count}
    reported = {group: count for group, count in awards.reported.items() if count}
    return Difference(
        precinct,
        sheet,
        before,
        after,
        fields,
        {
            group: (old.get(group, 0), new.get(group, 0))
            for group in rules.keys
            if old.get(group, 0) != new.get(group, 0)
        },
        {} if change is None or not fields else change.sdes,
        computed,
        awards.not_computed or computed == reported,
    )


@dataclass(frozen=True, slots=True)
class Taken:
    """A sheet that became the paper report of its precinct, openly. `seq`: the event of the correction."""

    report_id: int
    seq: int
    by: str
    at: datetime
    reason: str


@dataclass(frozen=True)
class Account:
    """A recanvass with all that it found: what is shown, listed and written down."""

    recanvass: Recanvass
    comparing: Comparing
    taken: Mapping[str, Taken]
    """By precinct: what was done about it by a correction."""
    places: Mapping[str, Precinct]
    """Every chosen precinct."""
