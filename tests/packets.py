"""Stores of a headquarters and its counties, filled by hand, for the tests of packets."""

import zipfile
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

from caucus_desk.desk.kits import begin_county, make_kit
from caucus_desk.desk.packing import packed
from caucus_desk.desk.session import Desk
from caucus_desk.desk.settling import settle
from caucus_desk.exchange.packetfile import write_archive
from caucus_desk.exchange.packetjson import as_bytes, parsed
from caucus_desk.exchange.packetkeys import sign
from caucus_desk.store.records import NewReport
from caucus_desk.tally.receipt import receipt_code
from caucus_desk.tally.report import Channel, Report
from caucus_desk.tally.results import By, Counting
from caucus_desk.tally.sheet import GroupCounts, ResultSheet

NIGHT = datetime(2020, 2, 4, 2, 0, tzinfo=UTC)


def sheet_of(base: int = 14) -> ResultSheet:
    """A hundred people; Biden first and Warren first hang on `base`."""
    return ResultSheet(
        100,
        (
            GroupCounts("Biden", base, 16, 1),
            GroupCounts("Buttigieg", 36, 38, 2),
            GroupCounts("Sanders", 24, 24, 2),
            GroupCounts("Warren", 40 - base, 22, 1),
        ),
    )


def report(
    desk: Desk,
    precinct_id: str,
    channel: Channel,
    by: str,
    base: int = 14,
    *,
    minute: int | None = None,
    typists: tuple[str, ...] = (),
) -> Report:
    """A report as if it had been keyed, at that minute of the night or now."""
    sheet = sheet_of(base)
    with desk.store.write() as unit:
        if minute is not None:
            unit.set_clock(NIGHT + timedelta(minutes=minute))
        code = receipt_code(precinct_id, sheet)
        made = unit.add_report(NewReport(precinct_id, channel, sheet, by, code, typists=typists))
        settle(unit, desk.rules, [precinct_id], desk.precincts)
    return made


def withdraw(desk: Desk, given: Report, by: str) -> None:
    with desk.store.write() as unit:
        unit.withdraw_report(given, by=by, reason="of another caucus", sentence="withdrawn")
        settle(unit, desk.rules, [given.precinct_id], desk.precincts)


def acknowledge(desk: Desk, given: Report, finding: str, by: str) -> None:
    with desk.store.write() as unit:
        unit.acknowledge(
            given.precinct_id,
            finding,
            given.sheet.bound_to(finding),
            by=by,
            reason="so the paper says",
            at_desk=False,
            sentence="acknowledged",
        )
        settle(unit, desk.rules, [given.precinct_id], desk.precincts)


def county_store(hq: Desk, county: str, folder: Path, *, by: str = "Carol", name: str = "") -> Desk:
    """A county's own store, begun from a kit of headquarters'; open."""
    kit = make_kit(hq, county, folder, by="Lead")
    return begin_county(kit.path, str(folder / f"{name or county}.caucus"), kit.code, by=by).desk


def standing(desk: Desk) -> Mapping[str, object]:
    """All that must not hang on the order in which packets came: by what reports say, not by number."""
    overview = desk.overview()
    with desk.store.read() as unit:
        contents = packed(unit).contents
    found: dict[str, object] = {
        id: (
            result.standing.state,
            result.verified,
            result.standing.sheet,
            frozenset(map(_content, result.heads.values())),
            None if result.standing.report is None else _content(result.standing.report),
            frozenset(
                (one.field, *sorted((str(result.heads[key].at), value) for key, value in one.by_key.items()))
                for one in result.mismatches
            ),
            frozenset((one.finding, one.by, one.at) for one in result.acknowledgements),
            result.open_errors,
        )
        for id, result in overview.results.items()
    }
    found["reports"] = sorted((one.uid, one.over, one.withdrawal is None) for one in contents.reports)
    found["acknowledgements"] = frozenset(contents.acknowledgements)
    found["attachments"] = frozenset(contents.attachments)
    found["tally"] = [overview.tally(by, counting) for by in By for counting in Counting]
    return found


def between_copies(desk: Desk) -> Mapping[str, object]:
    """All of it that does not hang on where each report was made: each copy's own report leads there."""
    found = dict(standing(desk))
    del found["tally"]
    for id in desk.precincts:
        state, verified, _, heads, _, mismatches, *_ = found[id]  # type: ignore[misc]
        found[id] = (state, verified, heads, mismatches)
    return found


def _content(one: Report) -> tuple[object, ...]:
    return (one.channel, one.by, one.at, one.sheet, one.confirmed)


def rewritten(
    path: Path,
    out: Path,
    private: str,
    *,
    head: Mapping[str, object] | None = None,
    change: Callable[[str, bytes], Iterable[tuple[str, bytes]]] | None = None,
) -> Path:
    """A packet with another head or other members, signed and sealed as its maker would."""
    with zipfile.ZipFile(path) as archive:
        stated = dict(parsed(archive.read("manifest.json"), "")._content)
        members = [
            (name, archive.read(name))
            for name in archive.namelist()
            if name not in ("manifest.json", "signature")
        ]
    del stated["files"]
    stated.update(head or {})
    if change is not None:
        members = [pair for name, data in members for pair in change(name, data)]
    prefix = b"Caucus Desk packet, signed by a county\n"
    with out.open("w+b") as handle:
        write_archive(handle, stated, members, lambda message: sign(private, prefix + message))
    return out


def changed_reports(
    change: Callable[[dict[str, object]], None],
) -> Callable[[str, bytes], list[tuple[str, bytes]]]:
    """For `rewritten`: `change` is given the document reports.json."""

    def of(name: str, data: bytes) -> list[tuple[str, bytes]]:
        if name != "reports.json":
            return [(name, data)]
        document = dict(parsed(data, "")._content)
        change(document)
        return [(name, as_bytes(document))]

    return of
