"""Words and columns of the Releases page."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction

from caucus_desk.desk.releases import Pass, Release
from caucus_desk.desk.releasing import GateItem
from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.tally.comparison import Comparison, GroupMove, Kind, PrecinctChange
from caucus_desk.tally.form import field_label
from caucus_desk.tally.results import Counting
from caucus_desk.ui.results.realign import signed
from caucus_desk.ui.widgets.table import ColumnSpec, room_for
from caucus_desk.ui.words import BLANK, Sign, decimal, number, percent, tr

UNKNOWN = "…"
"""Still being worked out."""


def counting_words(counting: Counting) -> str:
    return {Counting.REPORTED: tr("reported"), Counting.VERIFIED: tr("verified only")}[counting]


def kind_words(kind: Kind) -> str:
    return {
        Kind.NEW: tr("new"),
        Kind.CORRECTED: tr("corrected"),
        Kind.RULED: tr("ruled"),
        Kind.COMPLETED: tr("completed"),
        Kind.WITHDRAWN: tr("withdrawn"),
        Kind.ADDED: tr("added to the roster"),
        Kind.GONE: tr("gone from the roster"),
        Kind.REWEIGHED: tr("reweighed"),
    }[kind]


def made_at(at: datetime) -> str:
    """Local time, with its day: releases are looked at weeks later."""
    return f"{at.astimezone():%Y-%m-%d %H:%M}"


def approval_sign(release: Release) -> Sign:
    if release.waiting:
        return Sign(tr("waits for a second person"), "awaiting", "warn")
    if release.needs_approval:
        return Sign(tr("approved by {0}").format(release.approved_by), "good", "good")
    return Sign(tr("none asked for"), "note", "muted")


def gate_sign(item: GateItem) -> Sign:
    if item.holds:
        return Sign(tr("held"), "bad", "bad")
    if not item.ok:
        return Sign(tr("to know"), "warn", "warn")
    return Sign(tr("ok"), "good", "good")


@dataclass(frozen=True, slots=True)
class ReleaseLine:
    """`counted` and `total` precincts, None while they are being counted."""

    release: Release
    counted: int | None
    total: int | None

    @property
    def key(self) -> str:
        return str(self.release.number)


def release_columns() -> tuple[ColumnSpec[ReleaseLine], ...]:
    def coverage(line: ReleaseLine) -> str:
        if line.counted is None or line.total is None:
            return UNKNOWN
        share = percent(line.counted, line.total)
        return tr("{0} of {1} ({2})").format(number(line.counted), number(line.total), share)

    return (
        ColumnSpec(
            tr("No."), 40, lambda line: number(line.release.number), lambda line: line.release.number,
            number=True, bold=True,
        ),
        ColumnSpec(
            tr("Made"), room_for(tr("Made"), "8888-88-88 88:88"), lambda line: made_at(line.release.at),
            lambda line: line.release.at, least=room_for(tr("Made"), "8888-88-88 88:88"),
        ),
        ColumnSpec(
            tr("By"), 72, lambda line: line.release.by, tip=lambda line: line.release.by, least=54
        ),
        ColumnSpec(
            tr("Counts"), room_for("", tr("verified only")),
            lambda line: counting_words(line.release.counting),
        ),
        ColumnSpec(
            tr("Precincts counted"), room_for("", "8,888 of 8,888 (88.8%)"), coverage,
            lambda line: line.counted or 0, number=True,
        ),
        ColumnSpec(
            tr("Approval"), 150, lambda line: approval_sign(line.release).word,
            icon=lambda line: (approval_sign(line.release).icon, approval_sign(line.release).role),
            tip=lambda line: approval_sign(line.release).word, least=96,
        ),
        ColumnSpec(
            tr("Digest"), room_for("", "8888 8888 8888 8888"), lambda line: line.release.digest_short,
            tip=lambda line: line.release.digest, least=room_for("", "8888 8888 8888 8888"),
        ),
    )  # fmt: skip


def pass_columns(title_of: Callable[[str], str]) -> tuple[ColumnSpec[Pass], ...]:
    def title(one: Pass) -> str:
        return title_of(one.item)

    return (
        ColumnSpec(tr("Held"), 120, title, tip=title, bold=True, least=90),
        ColumnSpec(tr("What it found"), 200, lambda one: one.found, tip=lambda one: one.found, least=120),
        ColumnSpec(tr("Passed because"), 160, lambda one: one.reason, tip=lambda one: one.reason, least=110),
    )


@dataclass(frozen=True, slots=True)
class ChangeLine:
    """One precinct that moved. `covered`: its figures must not be seen."""

    change: PrecinctChange
    why: str
    covered: bool

    @property
    def key(self) -> str:
        return self.change.precinct.id


def change_columns(rules: RuleSet, unit: str) -> tuple[ColumnSpec[ChangeLine], ...]:
    digits = rules.rounding.digits
    return (
        ColumnSpec(
            tr("County"), 92, lambda line: line.change.precinct.county,
            tip=lambda line: line.change.precinct.county, least=72,
        ),
        ColumnSpec(
            tr("Precinct"), 150, lambda line: line.change.precinct.name,
            tip=lambda line: line.change.precinct.name, bold=True, least=104,
        ),
        ColumnSpec(
            tr("What"), 110, lambda line: kind_words(line.change.kind),
            icon=lambda line: ("person", "muted") if line.covered else None, least=90,
        ),
        ColumnSpec(
            tr("{0}\nat most").format(unit), room_for(tr("at most"), "88.8888"),
            lambda line: BLANK if line.covered else decimal(line.change.size, digits),
            lambda line: Fraction(-1) if line.covered else line.change.size, number=True,
        ),
        ColumnSpec(tr("Why"), 170, lambda line: line.why, tip=lambda line: line.why, least=90),
    )  # fmt: skip


def group_columns(rules: RuleSet, unit: str) -> tuple[ColumnSpec[GroupMove], ...]:
    digits = rules.rounding.digits
    sample = decimal(Fraction(9_999), digits)

    def worth(title: str, value: str) -> ColumnSpec[GroupMove]:
        return ColumnSpec(
            title, room_for(title, sample), lambda move: decimal(getattr(move, value).sde, digits),
            lambda move: getattr(move, value).sde, number=True,
        )  # fmt: skip

    def moved(value: Fraction) -> str:
        return ("+" if value > 0 else "") + decimal(value, digits)

    return (
        ColumnSpec(
            tr("Group"), room_for("", *(group.label for group in rules.groups)),
            lambda move: rules.label(move.group),
        ),
        worth(tr("{0}\nbefore").format(unit), "before"),
        worth(tr("{0}\nafter").format(unit), "after"),
        ColumnSpec(
            tr("moved"), room_for(tr("moved"), "−888.8888"), lambda move: moved(move.sde),
            lambda move: move.sde, number=True, bold=True,
        ),
        ColumnSpec(
            tr("dele-\ngates"), room_for(tr("dele-"), "−8,888"),
            lambda move: signed(move.after.delegates - move.before.delegates),
            lambda move: move.after.delegates - move.before.delegates, number=True,
        ),
        ColumnSpec(
            tr("place"), room_for(tr("place"), "88 → 88") + 20, rank_text,
            lambda move: move.after.rank or 99, number=True,
            icon=lambda move: ("warn", "warn") if move.changed_place else None,
        ),
    )  # fmt: skip


def rank_text(move: GroupMove) -> str:
    before, after = number(move.before.rank), number(move.after.rank)
    return f"{before} → {after}" if move.changed_place else after


def summary(found: Comparison) -> str:
    """How many precincts of which kind, and who changed places."""
    kinds = [f"{kind_words(kind)} {number(len(found.of(kind)))}" for kind in Kind if found.of(kind)]
    counted = tr("Counted: {0}, then {1}.").format(number(found.counted[0]), number(found.counted[1]))
    if not kinds:
        return f"{counted} " + tr("No precinct moved.")
    said = f"{counted} " + tr("Precincts that moved: {0}.").format(", ".join(kinds))
    if found.rank_changes:
        places = (f"{found.rules.label(move.group)} {rank_text(move)}" for move in found.rank_changes)
        return f"{said} " + tr("Other places: {0}.").format(", ".join(places))
    return f"{said} " + tr("No group changed its place.")


def change_text(rules: RuleSet, unit: str, line: ChangeLine) -> str:
    """What differs on the sheets, what it moved, and why."""
    change, digits = line.change, rules.rounding.digits
    head = f"{change.precinct.name}, {change.precinct.county}: {kind_words(change.kind)}."
    if line.covered:
        return f"{head} " + tr("Its figures are covered: it is not verified, and you may still key it.")
    fields = [
        f"{field_label(rules, field.field)} {number(field.before)} → {number(field.after)}"
        for field in change.fields
    ]
    moves = [
        f"{rules.label(group)} {'+' if value > 0 else ''}{decimal(value, digits)}"
        for group, value in change.sdes.items()
    ]
    parts = [head]
    if fields:
        parts.append(tr("On the sheet: {0}.").format(", ".join(fields)))
    if moves:
        parts.append(tr("{0}: {1}.").format(unit, ", ".join(moves)))
    if line.why:
        parts.append(line.why if line.why.endswith(".") else f"{line.why}.")
    return " ".join(parts)


def kinds_text(rules: RuleSet, unit: str, move: GroupMove) -> str:
    """What moved one group: `Biden: new +1.2000, corrected −0.4000 SDEs`."""
    digits = rules.rounding.digits
    parts = [
        f"{kind_words(kind)} {'+' if value > 0 else ''}{decimal(value, digits)}"
        for kind, value in move.by_kind.items()
        if value
    ]
    people = tr("people {0} first, {1} final").format(
        signed(move.after.first - move.before.first), signed(move.after.final - move.before.final)
    )
    moved = f"{', '.join(parts)} {unit}" if parts else tr("no {0} moved").format(unit)
    return f"{rules.label(move.group)}: {moved}; {people}."
