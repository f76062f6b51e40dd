"""A release as a CSV or JSON file. Both carry its digest, and enough to work it out again."""

import csv
import json
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from caucus_desk.reports.saving import replacing
from caucus_desk.reports.stamp import ReleaseStamp
from caucus_desk.tally.digest import DigestRow, DigestSheet, made_text, plain, sheets_of
from caucus_desk.tally.overview import Overview
from caucus_desk.tally.results import Counting

COLUMNS = (
    "precinct_id", "county", "precinct", "candidate", "first_alignment", "final_alignment",
    "county_delegates", "sde", "attendance",
)  # fmt: skip
"""As analysts of the results of 2020 have them; then the rule set's own fields, `release` and `stamp`."""
STAMP_PARTS = ("counting", "made", "totals", "basis", "digest")
_RISKY = re.compile(r"'*[=+\-@]")


def write_csv(
    path: Path,
    overview: Overview,
    counting: Counting,
    stamp: ReleaseStamp,
    before_placing: Callable[[Path], None],
) -> int:
    """A row a precinct and group of what counts, in roster and ballot order; how many rows.

    UTF-8 with a byte-order mark, for spreadsheets. Text that a spreadsheet would take for a formula has
    an apostrophe before it; `load` takes it off again. Attendance stands in a precinct's first row; the
    stamp, `counting=... made=... totals=... basis=... digest=...`, in the first row of the file.
    """
    extra = [field.key for field in overview.rules.fields]
    rows = 0
    with replacing(path, ".csv") as temporary, temporary.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*COLUMNS, *map(guarded, extra), "release", "stamp"])
        for sheet in sheets_of(overview, counting):
            fields = dict(sheet.fields)
            place = [guarded(plain(part)) for part in (sheet.id, sheet.county, sheet.name)]
            for at, row in enumerate(sheet.rows):
                once = [sheet.attendance, *(fields.get(key) for key in extra)] if at == 0 else [None]
                once += [None] * (1 + len(extra) - len(once))
                writer.writerow(
                    [
                        *place,
                        guarded(row.group),
                        row.first,
                        row.final,
                        row.delegates,
                        row.units,
                        *once,
                        stamp.number,
                        "" if rows else _stamp_text(stamp, counting),
                    ]
                )
                rows += 1
        file.flush()
        before_placing(temporary)
    return rows


def _stamp_text(stamp: ReleaseStamp, counting: Counting) -> str:
    values = (str(counting), made_text(stamp.made_at), stamp.totals, stamp.basis, stamp.digest)
    return " ".join(f"{name}={value}" for name, value in zip(STAMP_PARTS, values, strict=True))


def guarded(text: str) -> str:
    """Never a formula, whatever opens the file (U-45)."""
    return f"'{text}" if _RISKY.match(text) else text


def unguarded(text: str) -> str:
    return text[1:] if text.startswith("'") and _RISKY.match(text) else text


def write_json(
    path: Path,
    document: Mapping[str, Any],
    overview: Overview,
    counting: Counting,
    stamp: ReleaseStamp,
    before_placing: Callable[[Path], None],
) -> None:
    """`document`, which is what `results --json` prints, with the release, its digest and every sheet."""
    whole = {
        **document,
        "release": {
            "number": stamp.number,
            "made": made_text(stamp.made_at),
            "counting": str(counting),
            "note": stamp.note,
            "decimals": overview.rules.rounding.digits,
            "totals": stamp.totals,
            "basis": stamp.basis,
            "digest_short": stamp.digest_short,
        },
        "digest": stamp.digest,
        "sheets": [_sheet(sheet) for sheet in sheets_of(overview, counting)],
    }
    text = json.dumps(whole, indent=1, ensure_ascii=True)
    with replacing(path, ".json") as temporary:
        temporary.write_text(f"{text}\n", encoding="ascii", newline="\n")
        before_placing(temporary)


def _sheet(sheet: DigestSheet) -> Mapping[str, Any]:
    return {
        "precinct_id": sheet.id,
        "county": sheet.county,
        "precinct": sheet.name,
        "attendance": sheet.attendance,
        "fields": dict(sheet.fields),
        "groups": list(_groups(sheet.rows)),
    }


def _groups(rows: Iterable[DigestRow]) -> Iterable[Mapping[str, Any]]:
    for row in rows:
        if not row.blank:
            yield {
                "group": row.group,
                "first": row.first,
                "final": row.final,
                "delegates": row.delegates,
                "sde": row.units or None,
            }
