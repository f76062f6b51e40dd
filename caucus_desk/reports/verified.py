"""Whether a file's numbers are those released: from the file alone, or against a release.

From the file alone its digest is worked out again from its rows; a file that was altered, digest and all,
still fits itself, so that the digest must also be the one that was announced.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from caucus_desk.reports.errors import NotOurWorkbook
from caucus_desk.reports.ownsums import own_sums
from caucus_desk.reports.readreleased import ReadRelease, read_csv, read_json
from caucus_desk.tally.digest import (
    DigestHead,
    DigestSheet,
    TotalsLine,
    by_kind,
    digest,
    plain,
    short,
    totals_digest,
)

_TOLD = 20


@dataclass(frozen=True, slots=True)
class Verified:
    """What a file says of itself, and whether that holds."""

    file: str
    kind: str
    """workbook, CSV or JSON."""
    number: int
    made: str
    counting: str
    counted: int
    stated: str
    """The digest that stands in it."""
    found: str
    """The digest that its rows give."""
    differences: tuple[str, ...]
    """In sentences, cells first; empty where its numbers are those released."""

    @property
    def ok(self) -> bool:
        return not self.differences

    @property
    def digest_short(self) -> str:
        return short(self.stated)


@dataclass(frozen=True)
class Due:
    """What a release holds, to be compared with a file."""

    head: DigestHead
    digest: str
    sheets: Sequence[DigestSheet]
    totals: Sequence[TotalsLine]


def verify(path: Path, due: Callable[[int], Due] | None = None, ending: str = "") -> Verified:
    """`due` gives the release of a number, to compare with; `ending` is the file's kind where its name does
    not say it. Raises NotOurWorkbook where the file is no
    release's."""
    read = read_released(path, ending or path.suffix.lower())
    head = read.head
    totals = read.totals_stated if read.totals is None else totals_digest(read.totals)
    found = digest(head, read.totals_stated, read.sheets)
    said = list(read.faults)
    if due is not None:
        said += _against(read, due(head.number))
    if not said:
        said += own_sums(read)
    if found != read.stated:
        said.append(
            f"The rows give the digest {short(found)} …, and the file states {short(read.stated)} …: its "
            "rows or its head are not those released."
        )
    if totals != read.totals_stated:
        said.append("The totals of its own sheets are not those that its digest was made with.")
    return Verified(
        path.name, read.kind, head.number, head.made, head.counting, len(read.sheets), read.stated, found,
        tuple(said[:_TOLD]) + ((f"And {len(said) - _TOLD:,} more.",) if len(said) > _TOLD else ()),
    )  # fmt: skip


def read_released(path: Path, ending: str) -> ReadRelease:
    try:
        if ending == ".csv":
            return read_csv(path)
        if ending == ".json":
            return read_json(path)
        from caucus_desk.reports.readworkbook import read_workbook

        return read_workbook(path)
    except OSError as error:
        raise NotOurWorkbook(f"{path} can't be read: {error.strerror or error}.") from error


def _against(read: ReadRelease, due: Due) -> Iterator[str]:
    if read.stated != due.digest:
        yield (
            f"The file states the digest {short(read.stated)} …; that of release {due.head.number} is "
            f"{short(due.digest)} …."
        )
    for name in ("made", "counting", "basis"):
        stated, right = getattr(read.head, name), getattr(due.head, name)
        if stated != right:
            yield f"The release's {name} is stated as {stated}, not {right}."
    there = {sheet.id: sheet for sheet in read.sheets}
    for sheet in due.sheets:
        other = there.pop(plain(sheet.id), None)
        if other is None:
            where = f"{sheet.id} ({plain(sheet.name)}, {plain(sheet.county)})"
            yield f"{where} is counted in the release and not in the file."
        else:
            yield from _sheet(read, sheet, other)
    for id in there:
        yield f"{id} is counted in the file and not in the release."
    if read.totals is not None:
        yield from _totals(read, read.totals, due.totals)


def _sheet(read: ReadRelease, due: DigestSheet, found: DigestSheet) -> Iterator[str]:
    for name in ("county", "name"):
        if plain(getattr(due, name)) != plain(getattr(found, name)):
            yield f"{due.id} has the {name} {getattr(found, name)}; it was released as {getattr(due, name)}."
    if due.attendance != found.attendance:
        yield _told(read, due.id, "", "attendance", found.attendance, due.attendance)
    ours, theirs = dict(due.fields), dict(found.fields)
    for key, count in ours.items():
        if count != theirs.get(key):
            yield _told(read, due.id, "", key, theirs.get(key), count)
    rows = {row.group: row for row in found.rows}
    for row in due.rows:
        other = rows.get(row.group)
        for name in ("first", "final", "delegates", "units"):
            was, now = getattr(row, name), getattr(other, name) if other is not None else None
            if (was or None if name == "units" else was) != (now or None if name == "units" else now):
                yield _told(read, due.id, row.group, name, now, was)


def _told(
    read: ReadRelease, id: str, group: str, name: str, now: int | str | None, was: int | str | None
) -> str:
    cell = read.cells.get((id, group, name), "")
    what = f"{group} {'SDE' if name == 'units' else name}".strip()
    return f"{f'{cell}: ' if cell else ''}{what} of {id} is {_shown(now)}; {_shown(was)} was released."


def _totals(read: ReadRelease, found: Sequence[TotalsLine], due: Sequence[TotalsLine]) -> Iterator[str]:
    there: Mapping[tuple[str, str, str], TotalsLine] = by_kind(found)
    for line in due:
        other = there.get((line.kind, plain(line.name), line.group))
        where = line.name or "the state"
        if other is None:
            yield f"The total of {line.group} for {where} is not in the file."
            continue
        for name in ("first", "final", "delegates", "computed", "units", "units_computed"):
            if getattr(line, name) != getattr(other, name):
                cell = read.cells.get((f"{line.kind} {plain(line.name)}", line.group, name), "")
                told = f"{line.group} {name.replace('units', 'SDE').replace('_', ' ')} of {where}"
                yield (
                    f"{f'{cell}: ' if cell else ''}{told} is {_shown(getattr(other, name))}; "
                    f"{_shown(getattr(line, name))} was released."
                )


def _shown(value: int | str | None) -> str:
    if value is None or value == "":
        return "blank"
    return f"{value:,}" if isinstance(value, int) else value
