"""What the tables show of recanvasses and of their precincts, and the sentences beside them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction

from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.tally.form import field_label
from caucus_desk.tally.recanvass import Account, Difference, Progress, Recanvass, RecanvassSheet, Taken
from caucus_desk.tally.roster import Precinct
from caucus_desk.ui.widgets.table import ColumnSpec
from caucus_desk.ui.words import BLANK, Sign, clock, day_clock, decimal, number, tr


@dataclass(frozen=True, slots=True)
class RecanvassRow:
    one: Recanvass
    now: datetime

    @property
    def progress(self) -> Progress:
        return self.one.progress(self.now)


@dataclass(frozen=True, slots=True)
class PrecinctRow:
    """`found` is None while nothing is keyed, or while it is not compared yet. `covered`: the person at the
    desk must not see its figures."""

    precinct: Precinct
    sheet: RecanvassSheet | None
    found: Difference | None
    taken: Taken | None
    covered: bool
    barred: str

    @property
    def shown(self) -> Difference | None:
        return None if self.covered else self.found


def progress_sign(progress: Progress) -> Sign:
    signs: Mapping[Progress, Sign] = {
        Progress.OPEN: Sign(tr("open"), "awaiting", "muted"),
        Progress.OVERDUE: Sign(tr("overdue"), "bad", "bad"),
        Progress.KEYED: Sign(tr("all keyed"), "good", "good"),
        Progress.ENDED: Sign(tr("ended"), "ruled", "muted"),
    }
    return signs[progress]


def row_sign(row: PrecinctRow) -> Sign:
    if row.sheet is None:
        if row.barred:
            return Sign(tr("not for you"), "person", "muted")
        return Sign(tr("to key"), "entry", "accent")
    if row.taken is not None:
        return Sign(tr("corrected"), "ruled", "muted")
    if row.shown is None:
        return Sign(tr("keyed"), "good", "muted")
    if row.shown.same:
        return Sign(tr("the same"), "good", "good")
    return Sign(tr("differs"), "warn", "warn")


def recanvass_columns() -> tuple[ColumnSpec[RecanvassRow], ...]:
    return (
        ColumnSpec(tr("Name"), 104, lambda row: row.one.name, lambda row: row.one.number, bold=True),
        ColumnSpec(
            tr("State"),
            96,
            lambda row: progress_sign(row.progress).word,
            icon=lambda row: (progress_sign(row.progress).icon, progress_sign(row.progress).role),
        ),
        ColumnSpec(
            tr("Keyed"),
            76,
            lambda row: f"{number(len(row.one.ids) - len(row.one.left))} / {number(len(row.one.ids))}",
            lambda row: len(row.one.left),
            number=True,
        ),
        ColumnSpec(
            tr("Due"), 140, lambda row: day_clock(row.one.deadline), lambda row: row.one.deadline, least=120
        ),
        ColumnSpec(
            tr("Asked for by"),
            150,
            lambda row: row.one.requested_by,
            tip=lambda row: row.one.requested_by,
            least=90,
        ),
        ColumnSpec(tr("Reason"), 300, lambda row: row.one.reason, tip=lambda row: row.one.reason, least=120),
    )


def precinct_columns(rules: RuleSet) -> tuple[ColumnSpec[PrecinctRow], ...]:
    return (
        ColumnSpec(
            tr("It says"),
            108,
            lambda row: row_sign(row).word,
            icon=lambda row: (row_sign(row).icon, row_sign(row).role),
        ),
        ColumnSpec(
            tr("County"),
            110,
            lambda row: row.precinct.county,
            tip=lambda row: row.precinct.county,
            least=76,
        ),
        ColumnSpec(
            tr("Precinct"),
            190,
            lambda row: row.precinct.name,
            tip=lambda row: row.precinct.name,
            bold=True,
            least=120,
        ),
        ColumnSpec(
            tr("Keyed by"),
            130,
            lambda row: BLANK if row.sheet is None else f"{row.sheet.by} {clock(row.sheet.at)[:5]}",
            least=90,
        ),
        ColumnSpec(
            tr("Fields"),
            60,
            lambda row: BLANK if row.shown is None else number(len(row.shown.fields)),
            lambda row: 0 if row.shown is None else -len(row.shown.fields),
            number=True,
        ),
        ColumnSpec(
            tr("Would move"),
            250,
            lambda row: BLANK if row.shown is None else moved_text(rules, row.shown.sdes),
            tip=lambda row: "" if row.shown is None else moved_text(rules, row.shown.sdes),
            least=120,
        ),
    )


def moved_text(rules: RuleSet, sdes: Mapping[str, Fraction]) -> str:
    """`Sanders +0.3636, Warren −0.3636`; a dash where nothing moves."""
    told = [f"{rules.label(key)} {signed(rules, sdes[key])}" for key in rules.keys if key in sdes]
    return ", ".join(told) or BLANK


def signed(rules: RuleSet, value: Fraction) -> str:
    return f"{'+' if value > 0 else '−'}{decimal(abs(value), rules.rounding.digits)}"


def row_text(rules: RuleSet, row: PrecinctRow) -> str:
    """Everything about one precinct, in a few sentences."""
    where = f"{row.precinct.name}, {row.precinct.county} ({row.precinct.id})"
    if row.sheet is None:
        if row.barred:
            return f"{where}: {row.barred}"
        return tr("{0}: not keyed yet. Enter keys it.").format(where)
    if row.covered:
        return tr(
            "{0}: keyed by {1}. The precinct is not verified, so its figures are covered: look at them on "
            "purpose under Precincts."
        ).format(where, row.sheet.by)
    if row.found is None:
        return tr("{0}: keyed by {1}; it is being compared.").format(where, row.sheet.by)
    parts = [_fields_text(rules, row.found, where)]
    if row.found.sdes:
        parts.append(tr("Alone it would move {0}.").format(moved_text(rules, row.found.sdes)))
    if not row.found.by_the_rules:
        parts.append(tr("Its delegates are not those that the rules give."))
    if row.sheet.note:
        parts.append(tr("Note: {0}.").format(row.sheet.note.rstrip(".")))
    if row.taken is not None:
        parts.append(tr("{0} took it as the paper report: {1}.").format(row.taken.by, row.taken.reason))
    elif not row.found.same:
        parts.append(tr("T takes it as the paper report; review then decides."))
    return " ".join(parts)


def _fields_text(rules: RuleSet, found: Difference, where: str) -> str:
    if found.same:
        return tr("{0}: the same as released.").format(where)
    fields = "; ".join(
        tr("{0} {1} released, {2} keyed").format(
            field_label(rules, change.field), _count(change.before), _count(change.after)
        )
        for change in found.fields
    )
    return f"{where}: {fields}."


def _place(rank: int | None) -> str:
    return tr("none") if rank is None else number(rank)


def _count(count: int | None) -> str:
    return BLANK if count is None else number(count)


def whole_text(rules: RuleSet, one: Recanvass, found: Account | None) -> str:
    """What it is compared with, what all its differences move, and how it ended."""
    against = (
        tr("Compared with what stood when it was opened.")
        if one.release is None
        else tr("Compared with release {0}.").format(one.release)
    )
    parts = [tr("{0} opened it at {1}.").format(one.by, day_clock(one.at)), against]
    if found is not None and found.comparing.differences:
        moved = {move.group: move.sde for move in found.comparing.together.groups if move.sde}
        differing = len(found.comparing.differing)
        if not differing:
            parts.append(tr("Nothing that is keyed differs."))
        elif moved:
            together = (
                tr("What differs in one precinct")
                if differing == 1
                else tr("What differs in {0} precincts, together").format(number(differing))
            )
            parts.append(tr("{0}: {1} statewide.").format(together, moved_text(rules, moved)))
        else:
            parts.append(tr("What differs moves nothing statewide."))
        places = [
            tr("{0} from {1} to {2}").format(
                rules.label(move.group), _place(move.before.rank), _place(move.after.rank)
            )
            for move in found.comparing.together.rank_changes
        ]
        if places:
            parts.append(tr("Places would change: {0}.").format(", ".join(places)))
    if one.end is not None:
        parts.append(
            tr("Ended by {0} at {1}: {2}").format(one.end.by, day_clock(one.end.at), one.end.outcome)
        )
    return " ".join(parts)
