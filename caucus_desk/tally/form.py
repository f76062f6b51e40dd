"""The one description of the form: its fields, labels and order.

It drives the entry form, the read-only view, the mismatch view and the read-back, so that a field
cannot be on one and missing from another.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.tally.report import Channel
from caucus_desk.tally.sheet import ATTENDANCE, COLUMNS, Column, ResultSheet, field_path

YES, NO = "yes", "no"
"""What the box of a tick holds; nothing where nobody looked."""

_DEFAULT_LABELS = {
    "attendance": "Attendance",
    "first": "First alignment",
    "final": "Final alignment",
    "delegates": "Delegates",
}


class Kind(StrEnum):
    COUNT = "count"
    TICK = "tick"
    """Yes, no, or not looked at."""


@dataclass(frozen=True, slots=True)
class FormField:
    """One box. `path` names it everywhere; `group` and `column` are set for a group's count."""

    path: str
    label: str
    kind: Kind = Kind.COUNT
    group: str | None = None
    column: Column | None = None
    required: bool = False


@dataclass(frozen=True, slots=True)
class GroupLine:
    """One preference group's row: a label and a box for each column."""

    group: str
    label: str
    fields: tuple[FormField, ...]


@dataclass(frozen=True, slots=True)
class Form:
    """In worksheet order: the sheet's own counts, then a line for each group, then what only paper shows."""

    sheet_fields: tuple[FormField, ...]
    columns: tuple[tuple[Column, str], ...]
    lines: tuple[GroupLine, ...]
    paper_fields: tuple[FormField, ...]

    @property
    def counts(self) -> tuple[FormField, ...]:
        """Every field that two reports are compared in, in worksheet order."""
        return (*self.sheet_fields, *(field for line in self.lines for field in line.fields))


def form_of(rules: RuleSet, channel: Channel | None = None) -> Form:
    """The form of a rule set; `channel` adds what only a paper worksheet shows."""
    sheet_fields = (
        FormField(ATTENDANCE, column_label(rules, ATTENDANCE), required=True),
        *(FormField(field.key, field.label, required=field.required) for field in rules.fields),
    )
    lines = tuple(
        GroupLine(
            group.key,
            group.label,
            tuple(
                FormField(
                    field_path(group.key, column),
                    f"{group.label} {_short(column)}",
                    group=group.key,
                    column=column,
                )
                for column in COLUMNS
            ),
        )
        for group in rules.groups
    )
    columns = tuple((column, column_label(rules, column)) for column in COLUMNS)
    return Form(sheet_fields, columns, lines, _PAPER_FIELDS if channel is Channel.PAPER else ())


def texts_of(form: Form, sheet: ResultSheet) -> Mapping[str, str]:
    """What the boxes hold for a sheet; empty boxes are left out."""
    texts = {field.path: sheet.count(field.path) for field in form.counts}
    made = {path: str(count) for path, count in texts.items() if count is not None}
    for field in form.paper_fields:
        stated = getattr(sheet, field.path)
        if stated is not None:
            made[field.path] = str(stated) if field.kind is Kind.COUNT else (YES if stated else NO)
    return made


def column_label(rules: RuleSet, key: str) -> str:
    return rules.column_labels.get(key) or _DEFAULT_LABELS[key]


def field_label(rules: RuleSet, path: str) -> str:
    """`Warren final` for `Warren.final`: how a field is named to a person, on every page and in files."""
    group, dot, column = path.rpartition(".")
    if dot:
        label = rules.label(group) if group in rules.by_key else group
        return f"{label} {_short(column)}"
    labels = {field.key: field.label for field in rules.fields}
    labels.update((field.path, field.label) for field in _PAPER_FIELDS)
    if path in labels:
        return labels[path]
    return column_label(rules, path) if path in _DEFAULT_LABELS else path.replace("_", " ")


def _short(column: str) -> str:
    return {"signed": "captain's signature"}.get(column, str(column))


_PAPER_FIELDS = (
    FormField("threshold", "Threshold on the sheet"),
    FormField("delegates_to_elect", "Delegates to elect on the sheet"),
    FormField("second_attendance", "Second attendance on the sheet"),
    FormField("chair_signed", "Chair signed", kind=Kind.TICK),
    FormField("secretary_signed", "Secretary signed", kind=Kind.TICK),
    FormField("overwritten", "Figures crossed out or overwritten", kind=Kind.TICK),
)
