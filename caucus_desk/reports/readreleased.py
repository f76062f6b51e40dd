"""Reads a release out of its CSV or JSON file, as the digest needs it."""

import csv
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from caucus_desk.reports.errors import NotOurWorkbook
from caucus_desk.reports.released import COLUMNS, unguarded
from caucus_desk.tally.digest import DigestHead, DigestRow, DigestSheet, TotalsLine

Where = dict[tuple[str, str, str], str]


@dataclass
class ReadRelease:
    """`cells`: where a figure stands, by precinct id (or `county Polk`), group and name. `totals` is None
    where the file has none; `faults` are cells that hold no count, in sentences."""

    kind: str
    head: DigestHead
    totals_stated: str
    stated: str
    sheets: list[DigestSheet]
    totals: list[TotalsLine] | None = None
    cells: Where = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    row_sums: dict[str, tuple[str, tuple[object, ...]]] = field(default_factory=dict)
    """By precinct id: the first cell and the values of its row's own sums, where the file has them."""
    computed: dict[tuple[str, str], int] = field(default_factory=dict)
    """Delegates that the rules give, by precinct id and group, where the file has them."""
    total_rows: list[tuple[str, str, str, int | str | None]] = field(default_factory=list)
    """Cell, group, measure (as in TotalsLine) and value of the rows that state a sheet's total."""
    digits: int = 4

    def whole(self, value: object, cell: str, what: str) -> int | None:
        """A count out of a cell; what is none is a fault."""
        if value is None or value == "":
            return None
        if isinstance(value, (int, float)) and not isinstance(value, bool) and value == int(value):
            return int(value)
        if isinstance(value, str) and value.strip().isascii() and value.strip().isdigit():
            return int(value)
        self.faults.append(f"{cell}: {what} is {value!s:.40}, which is no count.")
        return None


def not_ours(path: Path, why: str) -> NotOurWorkbook:
    return NotOurWorkbook(f"{path.name} is not a release of Caucus Desk: {why}.")


def read_csv(path: Path) -> ReadRelease:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    except (UnicodeDecodeError, csv.Error) as error:
        raise not_ours(path, "it cannot be read as CSV in UTF-8") from error
    stamp = next((row["stamp"] for row in rows if row.get("stamp")), "")
    parts = dict(part.split("=", 1) for part in stamp.split() if "=" in part)
    if not {"counting", "made", "totals", "basis", "digest"} <= parts.keys() or set(COLUMNS) - rows[0].keys():
        raise not_ours(path, "it has no stamp, or not the columns of one")
    extras = [name for name in rows[0] if name not in (*COLUMNS, "release", "stamp")]
    numbers = {row["release"] for row in rows}
    read = ReadRelease("CSV", _head(parts, numbers.pop() or "0"), parts["totals"], parts["digest"], [])
    if numbers:
        read.faults.append("The rows are of more than one release.")
    made: dict[str, list[DigestRow]] = {}
    heads: dict[str, tuple[str, str, dict[str, int | None]]] = {}
    for number, row in enumerate(rows, start=2):
        id = unguarded(row["precinct_id"] or "")
        where = f"row {number}"
        county, name = unguarded(row["county"]), unguarded(row["precinct"])
        known = heads.setdefault(id, (county, name, {}))
        if known[:2] != (county, name):
            read.faults.append(
                f"{where}: {id} is {name}, {county}, and in its first row {known[1]}, {known[0]}."
            )
        for field_name in ("attendance", *extras):
            count = read.whole(row[field_name], where, field_name)
            if count is not None:
                known[2][unguarded(field_name)] = count
                read.cells[id, "", unguarded(field_name)] = where
        group = unguarded(row["candidate"])
        counts = []
        for measure, column in (("first", COLUMNS[4]), ("final", COLUMNS[5]), ("delegates", COLUMNS[6])):
            counts.append(read.whole(row[column], where, column))
            read.cells[id, group, measure] = f"{where}, {column}"
        read.cells[id, group, "units"] = f"{where}, sde"
        made.setdefault(id, []).append(DigestRow(group, counts[0], counts[1], counts[2], row["sde"] or ""))
    for id, (county, name, counted) in heads.items():
        attendance = counted.pop("attendance", None)
        read.sheets.append(DigestSheet(id, county, name, attendance, tuple(counted.items()), tuple(made[id])))
    return read


def _head(parts: Mapping[str, str], number: str) -> DigestHead:
    return DigestHead(
        int(number) if number.isdigit() else 0, parts["made"], parts["counting"], parts["basis"]
    )


def read_json(path: Path) -> ReadRelease:
    try:
        document: Any = json.loads(path.read_text(encoding="utf-8"))
        release = document["release"]
        head = DigestHead(release["number"], release["made"], release["counting"], release["basis"])
        read = ReadRelease(
            "JSON", head, release["totals"], document["digest"], [], digits=release["decimals"]
        )
        for place, sheet in enumerate(document["sheets"]):
            read.sheets.append(_sheet(read, sheet, f"sheets[{place}]"))
        read.totals = [
            TotalsLine(
                kind,
                "" if kind == "state" else row["name"],
                one["group"], one["first"], one["final"], one["delegates"], one["delegates_computed"],
                *_units(row, one, release["decimals"]),
            )
            for kind, rows in (
                ("state", document["rows"]), ("district", document["districts"]),
                ("county", document["counties"]),
            )
            for row in rows
            for one in row["groups"]
        ]  # fmt: skip
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise not_ours(path, f"it lacks what a release's JSON has ({error})") from error
    return read


def _units(row: Any, one: Any, digits: int) -> tuple[str, str]:
    if not row["units_known"]:
        return "", ""
    return f"{one['sde']:.{digits}f}", f"{one['sde_computed']:.{digits}f}"


def _sheet(read: ReadRelease, sheet: Any, where: str) -> DigestSheet:
    id = sheet["precinct_id"]
    rows = []
    for one in sheet["groups"]:
        counts = [read.whole(one[name], where, name) for name in ("first", "final", "delegates")]
        for name in ("first", "final", "delegates", "units"):
            read.cells[id, one["group"], name] = where
        rows.append(DigestRow(one["group"], counts[0], counts[1], counts[2], one["sde"] or ""))
    attendance = read.whole(sheet["attendance"], where, "attendance")
    fields = tuple((key, read.whole(value, where, key)) for key, value in sheet["fields"].items())
    return DigestSheet(id, sheet["county"], sheet["precinct"], attendance, fields, tuple(rows))
