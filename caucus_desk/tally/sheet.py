"""A result sheet: the numbers of one precinct as one source states them.

Blank is not zero: a count is an integer from 0 to 99,999 or None. A group that is blank in all
three fields has nobody and equals 0, 0, 0 when compared; a column that is empty for every group,
or a blank attendance, is not stated (design.md, Words).
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import cached_property

MAX_COUNT = 99_999


class Column(StrEnum):
    FIRST = "first"
    FINAL = "final"
    DELEGATES = "delegates"


COLUMNS = (Column.FIRST, Column.FINAL, Column.DELEGATES)
ATTENDANCE = "attendance"


def field_path(group: str, column: str) -> str:
    """`Warren.final`: the one way to name a group's count."""
    return f"{group}.{column}"


@dataclass(frozen=True, slots=True)
class GroupCounts:
    group: str
    first: int | None = None
    final: int | None = None
    delegates: int | None = None
    sde: Fraction | None = None
    """As a published file states it; only compared (C47)."""
    signed: bool | None = None
    """The campaign's captain signed (C44); None where nobody looked."""

    def __post_init__(self) -> None:
        for column in COLUMNS:
            _check_count(getattr(self, column), field_path(self.group, column))

    def count(self, column: str) -> int | None:
        if column == "first":
            return self.first
        if column == "final":
            return self.final
        if column == "delegates":
            return self.delegates
        raise KeyError(column)

    @property
    def blank(self) -> bool:
        return self.first is None and self.final is None and self.delegates is None


@dataclass(frozen=True, slots=True)
class ChanceRecord:
    """A game of chance as the sheet records it: who played and who won."""

    groups: tuple[str, ...]
    winners: tuple[str, ...]


@dataclass(frozen=True)
class ResultSheet:
    """`groups` may name any subset of the ballot, in any order; a group not named is blank."""

    attendance: int | None
    groups: tuple[GroupCounts, ...]
    extras: tuple[tuple[str, int | None], ...] = ()
    """Counts of the rule set's own sheet fields, by key (RuleSet.fields)."""
    threshold: int | None = None
    """The viability threshold stated on the sheet (C23)."""
    delegates_to_elect: int | None = None
    """Stated on the sheet (C40)."""
    second_attendance: int | None = None
    """A second attendance that the sheet shows (C53)."""
    chance: tuple[ChanceRecord, ...] = ()
    chair_signed: bool | None = None
    secretary_signed: bool | None = None
    overwritten: bool | None = None

    def __post_init__(self) -> None:
        _check_count(self.attendance, ATTENDANCE)
        _check_count(self.threshold, "threshold")
        _check_count(self.delegates_to_elect, "delegates_to_elect")
        _check_count(self.second_attendance, "second_attendance")
        for key, value in self.extras:
            _check_count(value, key)
        if len(self.by_group) != len(self.groups):
            raise ValueError("a group stands twice in one sheet")

    @cached_property
    def by_group(self) -> Mapping[str, GroupCounts]:
        return {row.group: row for row in self.groups}

    def row(self, group: str) -> GroupCounts:
        return self.by_group.get(group) or GroupCounts(group)

    def count(self, path: str) -> int | None:
        """The count at a field path, None where blank."""
        group, dot, column = path.rpartition(".")
        if dot:
            return self.row(group).count(column)
        if path in (ATTENDANCE, "threshold", "delegates_to_elect", "second_attendance"):
            value: int | None = getattr(self, path)
            return value
        return dict(self.extras).get(path)

    @cached_property
    def stated_columns(self) -> frozenset[Column]:
        """Columns in which at least one group has a count."""
        return frozenset(
            column for column in COLUMNS if any(row.count(column) is not None for row in self.groups)
        )

    def states(self, column: Column) -> bool:
        return column in self.stated_columns

    def partly_blank(self) -> tuple[str, ...]:
        """Field paths that are blank in a row that has other counts, in stated columns only (C46)."""
        columns = [column for column in COLUMNS if column in self.stated_columns]
        return tuple(
            field_path(row.group, column)
            for row in self.groups
            if not row.blank
            for column in columns
            if row.count(column) is None
        )

    def values(self, column: Column) -> dict[str, int]:
        """The column as stated, blank rows as nobody there; partly blank fields are left out."""
        return {
            row.group: row.count(column) or 0
            for row in self.groups
            if row.count(column) is not None or row.blank
        }

    def total(self, column: Column) -> int | None:
        """Sum of a stated column; None where the column is not stated."""
        if column not in self.stated_columns:
            return None
        return sum(row.count(column) or 0 for row in self.groups)

    def bound_to(self, finding: str) -> str:
        """What an acknowledgement of this finding is bound to: the figures, and whatever else it reads."""
        beside = _READ_BESIDE_FIGURES.get(finding)
        if beside is None:
            return self.fingerprint
        read = "\n".join(f"{name}={getattr(self, name)!r}" for name in beside)
        return hashlib.sha256(f"{self.fingerprint}\n{read}".encode()).hexdigest()[:32]

    @cached_property
    def fingerprint(self) -> str:
        """The attendance and every group's counts: the same figures, the same text."""
        rows = [
            f"{row.group}={'|'.join(_text(row.count(column)) for column in COLUMNS)}"
            for row in sorted(self.groups, key=lambda row: row.group)
            if not row.blank and (row.first, row.final, row.delegates) != (0, 0, 0)
        ]
        stated = ",".join(sorted(self.stated_columns))
        extras = [f"{key}={_text(value)}" for key, value in sorted(self.extras)]
        text = "\n".join([f"attendance={_text(self.attendance)}", f"stated={stated}", *extras, *rows])
        return hashlib.sha256(text.encode()).hexdigest()[:32]

    def in_order(self, keys: Iterable[str]) -> "ResultSheet":
        """The same sheet with every group of the ballot named, in ballot order."""
        return replace(self, groups=tuple(self.row(key) for key in keys))


_READ_BESIDE_FIGURES = {
    "C17": ("chance",),
    "C18": ("chance",),
    "C19": ("chance",),
    "C23": ("threshold",),
    "C40": ("delegates_to_elect",),
    "C53": ("second_attendance", "threshold"),
}
"""Findings that read more of a sheet than its figures."""


def completed(sheet: ResultSheet, others: Iterable[ResultSheet]) -> ResultSheet:
    """`sheet` with what it does not state taken from the first of `others` that does.

    Blank is not zero: a source that leaves out the attendance, or a whole column, does not undo what
    another source stated. What `sheet` states itself is never touched.
    """
    full = sheet
    for other in others:
        full = _filled(full, other)
    return full


def _filled(sheet: ResultSheet, other: ResultSheet) -> ResultSheet:
    changes: dict[str, object] = {}
    for name in ("attendance", "threshold", "delegates_to_elect", "second_attendance", "chair_signed",
                 "secretary_signed", "overwritten"):  # fmt: skip
        if getattr(sheet, name) is None and getattr(other, name) is not None:
            changes[name] = getattr(other, name)
    if not sheet.chance and other.chance:
        changes["chance"] = other.chance
    ours, theirs = dict(sheet.extras), dict(other.extras)
    if any(value is not None and ours.get(key) is None for key, value in theirs.items()):
        stated = {key: value for key, value in ours.items() if value is not None}
        changes["extras"] = tuple({**theirs, **stated}.items())
    missing = other.stated_columns - sheet.stated_columns
    if missing:
        changes["groups"] = _with_columns(sheet, other, missing)
    return replace(sheet, **changes) if changes else sheet  # type: ignore[arg-type]


def _with_columns(
    sheet: ResultSheet, other: ResultSheet, missing: frozenset[Column]
) -> tuple[GroupCounts, ...]:
    """Both sheets' groups; a group that one of them leaves blank has nobody there, and so zero."""
    keys = dict.fromkeys((*(row.group for row in sheet.groups), *(row.group for row in other.groups)))
    rows = []
    for key in keys:
        mine, yours = sheet.row(key), other.row(key)
        if mine.blank and yours.blank:
            rows.append(mine)
            continue
        counts: dict[str, int | None] = {}
        for column in COLUMNS:
            row = yours if column in missing else mine
            states = (other if column in missing else sheet).stated_columns
            count = row.count(column)
            counts[column] = 0 if count is None and row.blank and column in states else count
        rows.append(
            GroupCounts(key, counts["first"], counts["final"], counts["delegates"], mine.sde, mine.signed)
        )
    return tuple(rows)


def _text(count: int | None) -> str:
    return "" if count is None else str(count)


def _check_count(value: object, where: str) -> None:
    if value is None:
        return
    if type(value) is not int or not 0 <= value <= MAX_COUNT:
        raise ValueError(f"{where}: a count is a whole number from 0 to {MAX_COUNT:,}, not {value!r}")
