"""Whatever stores say of a night, in whatever order and however often: the same stands in the end."""

import random
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from caucus_desk.desk.creating import create_caucus
from caucus_desk.desk.integrity import check_store
from caucus_desk.desk.kits import begin_county, make_kit
from caucus_desk.desk.packets import export_packet
from caucus_desk.desk.session import Desk, open_desk
from caucus_desk.desk.taking import merge_store, take_packet
from caucus_desk.tally.report import Channel, Report
from tests.packets import acknowledge, between_copies, report, standing, withdraw

ROSTER = """county,precinct,precinct_id,county_delegates,kind,district,county_state_delegates,\
county_total_delegates
Alpha,North Ward,A-1,6,precinct,1,4,11
Alpha,South Ward,A-2,5,precinct,1,4,11
Polk,DES MOINES-42,P-1,6,precinct,3,3,6
"""
PLACES = {"hq": ("A-1", "A-2", "P-1"), "copy": ("A-1", "P-1"), "alpha": ("A-1", "A-2"), "polk": ("P-1",)}
LAPTOP = "alpha 2"
"""A second laptop begun from Alpha's kit."""


@dataclass(frozen=True)
class Step:
    store: str
    what: str
    place: int
    channel: Channel
    by: str
    base: int
    minute: int


steps = st.builds(
    Step,
    store=st.sampled_from(["hq", "copy", "alpha", "alpha", "polk", LAPTOP]),
    what=st.sampled_from(["report", "report", "report", "withdraw", "acknowledge", "send", "merge"]),
    place=st.integers(0, 2),
    channel=st.sampled_from([Channel.PHONE, Channel.PAPER]),
    by=st.sampled_from(["Ann", "Bob", "Cleo"]),
    base=st.sampled_from([10, 11]),
    minute=st.integers(0, 3),  # few, so that two reports are often of the same time
)


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The stores as they are begun: headquarters, a copy of it, and the counties'."""
    folder = tmp_path_factory.mktemp("begun")
    (folder / "roster.csv").write_text(ROSTER, encoding="utf-8")
    with create_caucus(str(folder / "hq"), "iowa-2020", folder / "roster.csv", by="Lead").desk as hq:
        report(hq, "A-1", Channel.PHONE, "Ann", 10, minute=0)
        kits = {county: make_kit(hq, county, folder, by="Lead") for county in ("Alpha", "Polk")}
    for name, county in (("alpha", "Alpha"), (LAPTOP, "Alpha"), ("polk", "Polk")):
        begin_county(kits[county].path, str(folder / name), kits[county].code, by="Carol").desk.close()
    shutil.copy(folder / "hq", folder / "copy")
    return folder


def played(night: Sequence[Step], begun: Path, folder: Path) -> list[Path]:
    """Plays the steps in their stores; the packets that were written, and the copy."""
    stores = {name: open_desk(shutil.copy(begun / name, folder / name)) for name in (*PLACES, LAPTOP)}
    made: dict[str, list[Report]] = {name: [] for name in stores}
    packets: list[Path] = []

    def send(name: str) -> None:
        path = folder / f"{len(packets)}.cdpacket"
        packets.append(export_packet(stores[name], path, by="Carol").path)

    for step in night:
        desk, known = stores[step.store], made[step.store]
        places = PLACES["alpha" if step.store == LAPTOP else step.store]
        where = places[step.place % len(places)]
        if step.what == "report":
            known.append(report(desk, where, step.channel, step.by, step.base, minute=step.minute))
        elif step.what == "withdraw" and known:
            withdraw(desk, known.pop(), step.by)
        elif step.what == "acknowledge" and known:
            acknowledge(desk, known[-1], "C07", step.by)
        elif step.what == "send" and step.store not in ("hq", "copy"):
            send(step.store)
        elif step.what == "merge" and step.store in ("alpha", LAPTOP):
            other = LAPTOP if step.store == "alpha" else "alpha"
            merge_store(desk, stores[other].location, by="Carol")
    for name in ("alpha", LAPTOP, "polk"):
        send(name)
    for desk in stores.values():
        desk.close()
    return [*packets, folder / "copy"]


def taken(hq: Path, out: Path, sources: Sequence[Path]) -> Desk:
    desk = open_desk(shutil.copy(hq, out))
    for source in sources:
        if source.suffix:
            take_packet(desk, source, by="Lead")
        else:
            merge_store(desk, str(source), by="Lead")
    return desk


@settings(max_examples=25)
@given(night=st.lists(steps, min_size=4, max_size=16), seed=st.integers(0, 2**32))
def test_any_order_and_repetition_gives_the_same(begun: Path, night: list[Step], seed: int) -> None:
    luck = random.Random(seed)
    with TemporaryDirectory() as name:
        folder = Path(name)
        sources = played(night, begun, folder)
        with taken(folder / "hq", folder / "in order", sources) as desk:
            expected = standing(desk)
            assert [line for line in check_store(desk) if not line.ok] == []
        for go in range(2):
            order = luck.sample(sources, len(sources)) + luck.choices(sources, k=2)
            luck.shuffle(order)
            with taken(folder / "hq", folder / f"order {go}", order) as desk:
                assert standing(desk) == expected
                uids = [uid for uid, *_ in expected["reports"]]  # type: ignore[attr-defined]
                assert len(uids) == len(set(uids))
                if go:
                    assert [line for line in check_store(desk) if not line.ok] == []


@settings(max_examples=15)
@given(night=st.lists(steps, min_size=4, max_size=14))
def test_copies_that_take_each_other_are_the_same(begun: Path, night: list[Step]) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        played(night, begun, folder)
        with open_desk(str(folder / "hq")) as one, open_desk(str(folder / "copy")) as other:
            merge_store(one, other.location, by="Lead")
            merge_store(other, one.location, by="Lead")
            merge_store(one, other.location, by="Lead")
            assert between_copies(one) == between_copies(other)
