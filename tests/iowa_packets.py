"""The published night of 2020, split into counties' own stores and put together again from their packets."""

import csv
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

from caucus_desk.desk.creating import create_caucus
from caucus_desk.desk.integrity import check_store
from caucus_desk.desk.kits import begin_county, make_kit
from caucus_desk.desk.loading import load_results
from caucus_desk.desk.packets import export_packet
from caucus_desk.desk.session import Desk, open_desk
from caucus_desk.desk.taking import Taken, take_packets
from caucus_desk.tally.report import Channel
from caucus_desk.tally.results import By, Counting


def rows_of(file: Path, counties: set[str], out: Path) -> None:
    with file.open(newline="", encoding="utf-8") as read, out.open("w", newline="", encoding="utf-8") as made:
        reader = csv.DictReader(read)
        writer = csv.DictWriter(made, reader.fieldnames or ())
        writer.writeheader()
        writer.writerows(row for row in reader if row["county"] in counties)


def packets_of(hq: Desk, results: Path, counties: list[str], folder: Path) -> Iterator[Path]:
    """One packet of each county, whose chair keyed its paper sheets on a laptop of their own."""
    for place, county in enumerate(counties):
        kit = make_kit(hq, county, folder / f"{place}.cdkit", by="Lead")
        with begin_county(
            kit.path, str(folder / f"{place}.caucus"), kit.code, by=f"Chair {county}"
        ).desk as desk:
            rows_of(results, {county}, folder / f"{place}.csv")
            load_results(desk, folder / f"{place}.csv", channel=Channel.PAPER, by=f"Chair {county}")
            yield export_packet(desk, folder / f"{place}.cdpacket", by=f"Chair {county}").path


def figures(desk: Desk) -> list[object]:
    overview = desk.overview()
    tallies = [overview.tally(by, counting) for by in By for counting in Counting]
    states = {id: (one.standing.state, one.standing.sheet) for id, one in overview.results.items()}
    return [*tallies, states, overview.national(), overview.coverage()]


def put_together(iowa2020: Path, folder: Path, counties: list[str] | None) -> str:
    """What it took, in a line. Fails where the two orders differ from loading at headquarters."""
    hq = create_caucus(str(folder / "hq"), "iowa-2020", iowa2020 / "precincts.csv", by="Lead").desk
    counties = counties or list(dict.fromkeys(one.county for one in hq.precincts.values()))
    results = iowa2020 / "results_final.csv"
    began = time.perf_counter()
    packets = list(packets_of(hq, results, counties, folder))
    made = time.perf_counter() - began
    hq.close()
    rows_of(results, set(counties), folder / "all.csv")
    with open_desk(shutil.copy(folder / "hq", folder / "loaded")) as desk:
        load_results(desk, folder / "all.csv", channel=Channel.PAPER, by="Ann")
        expected = figures(desk)
    for name, order in (("forth", packets), ("back", packets[::-1])):
        with open_desk(shutil.copy(folder / "hq", folder / name)) as desk:
            began = time.perf_counter()
            taken = take_packets(desk, order, by="Lead")
            took = time.perf_counter() - began
            assert all(isinstance(one, Taken) and not one.collisions for one in taken)
            assert figures(desk) == expected
            assert [line for line in check_store(desk) if not line.ok] == []
    sizes = sorted(path.stat().st_size for path in packets)
    return (
        f"{len(packets)} counties: kits, stores and packets {made:.1f} s; taken {took:.1f} s; packets "
        f"{sizes[0]:,} to {sizes[-1]:,} bytes, {sum(sizes):,} in all"
    )
