"""Mismatches: fields in which standing reports of one precinct differ."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

from caucus_desk.tally.report import CHANNELS, Channel, HeadKey, Report
from caucus_desk.tally.sheet import ATTENDANCE, COLUMNS, ResultSheet, field_path


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One field, and what each channel that reported says there (None: blank)."""

    precinct_id: str
    field: str
    values: Mapping[Channel, int | None]
    rivals: tuple[tuple[int, int | None], ...] = ()
    """Id and value of each report that stands beside its channel's leading one."""

    @property
    def by_key(self) -> Mapping[HeadKey, int | None]:
        """What every report that stands says."""
        found: dict[HeadKey, int | None] = dict(self.values.items())
        found.update(self.rivals)
        return found

    @property
    def group(self) -> str | None:
        """The preference group, or None for a field of the whole sheet."""
        group, dot, _ = self.field.rpartition(".")
        return group if dot else None


def differing_fields(one: ResultSheet, other: ResultSheet, groups: Iterable[str]) -> tuple[str, ...]:
    """Field paths in which two sheets differ, in worksheet order (design.md, blank).

    A group blank in all three fields equals 0, 0, 0. A partly blank row equals nothing, not even
    the same row blank in the same place. What one sheet does not state is no difference.
    """
    fields = []
    if None not in (one.attendance, other.attendance) and one.attendance != other.attendance:
        fields.append(ATTENDANCE)
    ours, theirs = dict(one.extras), dict(other.extras)
    for key in ours:
        if None not in (ours[key], theirs.get(key)) and ours[key] != theirs[key]:
            fields.append(key)
    columns = [column for column in COLUMNS if one.states(column) and other.states(column)]
    for group in groups:
        mine, yours = one.row(group), other.row(group)
        for column in columns:
            a = 0 if mine.blank else mine.count(column)
            b = 0 if yours.blank else yours.count(column)
            if a is None or b is None or a != b:
                fields.append(field_path(group, column))
    return tuple(fields)


def mismatches(
    standing: Mapping[Channel, Report], groups: Iterable[str], rivals: Iterable[Report] = ()
) -> tuple[Mismatch, ...]:
    """Every differing field among the standing reports of one precinct, with each one's value."""
    leading = [standing[channel] for channel in CHANNELS if channel in standing]
    others = tuple(rivals)
    reports = [*leading, *others]
    keys = tuple(groups)
    differing: dict[str, None] = {}
    for one, other in combinations(reports, 2):
        differing.update(dict.fromkeys(differing_fields(one.sheet, other.sheet, keys)))
    order = {path: place for place, path in enumerate(_worksheet_order(reports, keys))}
    return tuple(
        Mismatch(
            reports[0].precinct_id,
            path,
            {report.channel: _stated(report.sheet, path) for report in leading},
            tuple((report.id, _stated(report.sheet, path)) for report in others),
        )
        for path in sorted(differing, key=lambda path: order[path])
    )


def _worksheet_order(reports: Iterable[Report], groups: Iterable[str]) -> list[str]:
    extras = dict.fromkeys(key for report in reports for key, _ in report.sheet.extras)
    return [ATTENDANCE, *extras, *(field_path(group, column) for group in groups for column in COLUMNS)]


def _stated(sheet: ResultSheet, path: str) -> int | None:
    """A blank row in a stated column reads as 0, as it is compared."""
    group, dot, column = path.rpartition(".")
    if dot and sheet.row(group).blank and column in sheet.stated_columns:
        return 0
    return sheet.count(path)
