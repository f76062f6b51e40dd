"""County packets: each report arrives exactly once, with its own people and times, over nothing."""

import json
import shutil
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from types import ModuleType

import pytest

from caucus_desk.desk import kits
from caucus_desk.desk.attachments import attach, attachments, bytes_of, withdraw_attachment
from caucus_desk.desk.callbacks import confirm_report
from caucus_desk.desk.casequeue import queue
from caucus_desk.desk.creating import create_caucus
from caucus_desk.desk.integrity import check_store
from caucus_desk.desk.keeping import backup
from caucus_desk.desk.kits import begin_county, county_keys, county_of, make_kit, revoke_key
from caucus_desk.desk.packets import (
    export_packet,
    looks_like_code,
    packet_of_code,
    receipt,
    said_code,
    sent_packets,
)
from caucus_desk.desk.packing import packed
from caucus_desk.desk.receipts import write_receipt
from caucus_desk.desk.releases import compare, whole
from caucus_desk.desk.releasing import gate, make_release
from caucus_desk.desk.session import Desk, open_desk
from caucus_desk.desk.taking import Refusal, Taken, merge_store, packets_taken, take_packet, take_packets
from caucus_desk.desk.trail import audit_trail
from caucus_desk.exchange.packetfile import BadPacket
from caucus_desk.exchange.packetjson import Unreadable
from caucus_desk.exchange.packetkeys import new_pair
from caucus_desk.rules.errors import Refused
from caucus_desk.store.records import NewReport
from caucus_desk.tally.call import Call, CallEnd, CheckKind, Outcome
from caucus_desk.tally.report import Channel
from caucus_desk.tally.results import Counting
from caucus_desk.tally.sheet import ChanceRecord, GroupCounts, ResultSheet
from caucus_desk.tally.state import State
from tests.packets import (
    NIGHT,
    acknowledge,
    between_copies,
    changed_reports,
    county_store,
    report,
    rewritten,
    sheet_of,
    standing,
    withdraw,
)
from tests.scans import plain_pdf

PAPER, PHONE = Channel.PAPER, Channel.PHONE


_begun: dict[str, Path] = {}
"""Headquarters and Alpha as they are begun, made once and copied: a kit and a store take a while."""


@pytest.fixture
def begun(small_roster: Path, tmp_path_factory: pytest.TempPathFactory, made_once: ModuleType) -> Path:
    if not _begun:
        folder = tmp_path_factory.mktemp("begun")
        with made_once.create(folder / "hq", "iowa-2020", small_roster, by="maker", name="Small") as hq:
            county_store(hq, "Alpha", folder).close()
        _begun["folder"] = folder
    return _begun["folder"]


@pytest.fixture
def desk(
    request: pytest.FixtureRequest,
    small_roster: Path,
    tmp_path: Path,
    made_once: ModuleType,
    place_for: Callable[[Path], str],
) -> Iterator[Desk]:
    """Headquarters'; in a file it has made Alpha's kit already."""
    place = place_for(tmp_path / "small.sqlite")
    if "://" in place:
        with made_once.create(place, "iowa-2020", small_roster, by="maker", name="Small") as made:
            yield made
    else:
        shutil.copy(request.getfixturevalue("begun") / "hq", place)
        with open_desk(place) as opened:
            yield opened


@pytest.fixture
def alpha(request: pytest.FixtureRequest, desk: Desk, tmp_path: Path) -> Iterator[Desk]:
    """Alpha's own store."""
    if desk.store.is_shared:
        with county_store(desk, "Alpha", tmp_path) as county:
            yield county
    else:
        shutil.copy(request.getfixturevalue("begun") / "Alpha.caucus", tmp_path)
        with open_desk(str(tmp_path / "Alpha.caucus")) as county:
            yield county


def private_of(county: Desk) -> str:
    with county.store.read() as unit:
        own = unit.own_key()
    assert own is not None
    return own.private


def all_is_well(desk: Desk) -> None:
    assert [line for line in check_store(desk) if not line.ok] == []


def test_a_packet_goes_there_and_the_receipt_comes_back(desk: Desk, alpha: Desk, tmp_path: Path) -> None:
    made = report(alpha, "A-1", PAPER, "Carol", typists=("Cleo",))
    sent = export_packet(alpha, tmp_path, by="Carol")
    assert (sent.path.name, sent.number, sent.reports, sent.precincts) == ("Alpha packet 1.cdpacket", 1, 1, 1)
    taken = take_packet(desk, sent.path, by="Lead")
    assert (taken.county, taken.number, taken.new_reports, taken.collisions) == ("Alpha", 1, 1, ())
    assert taken.code == sent.code
    there = desk.overview().results["A-1"].reports[PAPER]
    assert (there.by, there.at, there.sheet, there.receipt) == ("Carol", made.at, made.sheet, made.receipt)
    assert there.origin == "Alpha packet"
    with desk.store.read() as unit:
        assert unit.typists(["A-1"])[there.id] == ("Cleo",)
        assert unit.origins()[there.id].over == frozenset()
    told = audit_trail(desk, "A-1").events
    assert {event.action for event in told} >= {"reported", "report taken"}
    assert any(event.actor == "Lead" and "packet 1 of Alpha" in event.sentence for event in told)

    report(alpha, "A-2", PAPER, "Carol")
    back = write_receipt(desk, taken.digest, tmp_path, by="Lead")
    assert back.code == sent.code
    read = receipt(alpha, back.path)
    assert (read.newest, read.code, read.receipt.by) == (True, sent.code, "Lead")
    lines = {one.precinct.id: one for one in read.precincts}
    assert lines.keys() == {"A-1", "A-2"}, "a merged precinct has no report"
    assert lines["A-1"].complete
    assert lines["A-1"].words == "at headquarters, one source so far"
    assert lines["A-2"].lacking == ("paper",)
    assert [one.precinct.id for one in read.lacking] == ["A-2"]
    assert packet_of_code(alpha, sent.code.lower().replace("-", " ")) == sent_packets(alpha)[0]
    assert packet_of_code(alpha, "AAAA-AAAA") is None
    all_is_well(desk)
    all_is_well(alpha)


def test_taking_it_twice_changes_nothing(desk: Desk, alpha: Desk, tmp_path: Path) -> None:
    report(alpha, "A-1", PAPER, "Carol")
    sent = export_packet(alpha, tmp_path, by="Carol")
    again = export_packet(alpha, tmp_path, by="Carol")
    first, second, third = take_packets(desk, [sent.path, sent.path, again.path], by="Lead")
    assert isinstance(first, Taken)
    assert isinstance(second, Taken)
    assert isinstance(third, Taken)
    assert (first.new_reports, second.new_reports, third.new_reports) == (1, 0, 0)
    assert second.before is not None
    assert second.before.by == "Lead"
    assert third.before is None
    with desk.store.read() as unit:
        assert len(unit.history("A-1")) == 1
    assert [(one.number, one.new_reports) for one in packets_taken(desk)] == [(1, 1), (2, 0)]


def test_all_that_was_said_of_a_report_comes_along(desk: Desk, alpha: Desk, tmp_path: Path) -> None:
    old = report(alpha, "A-1", PAPER, "Carol", 10)
    new = report(alpha, "A-1", PAPER, "Carol", 11)
    gone = report(alpha, "A-2", PAPER, "Carol")
    withdraw(alpha, gone, "Carol")
    acknowledge(alpha, new, "C07", "Carol")
    scan = plain_pdf(tmp_path / "sheet.pdf") or tmp_path / "sheet.pdf"
    first = attach(alpha, "A-1", scan, by="Carol")
    withdraw_attachment(alpha, first.id, reason="the wrong sheet", by="Carol")
    attach(alpha, "A-1", scan, by="Carol")
    phoned = report(alpha, "A-2", PHONE, "Carol", 9)
    with alpha.store.write() as unit:
        call = unit.add_call(
            Call(0, NIGHT, NIGHT, "Carol", "A-2", "Ben", "0102", CheckKind.NUMBER, Outcome.FAILED,
                 CallEnd.RESULTS, phoned.id, None, "in a hurry"), "a call",
        )  # fmt: skip
        unit.tie_report(call, phoned, confirmed=False, sentence="tied")
        unit.add_correction(
            new.id, old.id, "miskeyed", False, by="Carol", precinct_id="A-1", sentence="corrected"
        )
    take_packet(desk, export_packet(alpha, tmp_path, by="Carol").path, by="Lead")
    with desk.store.read() as unit, alpha.store.read() as there:
        ours, theirs = packed(unit).contents, packed(there).contents
        history = unit.history("A-2")
        assert history[0].withdrawn_reason == "of another caucus"
        assert unit.correction_records()[0].reason == "miskeyed"
        assert unit.call_of_report(history[1].report.id) is not None
    assert {one.uid for one in ours.reports} == {one.uid for one in theirs.reports}
    assert set(ours.acknowledgements) == set(theirs.acknowledgements)
    assert set(ours.attachments) == set(theirs.attachments)
    assert desk.overview().results["A-1"].reports[PAPER].sheet == sheet_of(11)
    assert desk.overview().results["A-2"].reports[PHONE].confirmed is False
    kept = attachments(desk, "A-1")
    assert len(kept) == 1
    assert bytes_of(desk, kept[0]) == scan.read_bytes()

    confirm_report(alpha, phoned.id, by="Carol", how="rang Ben at home")
    taken = take_packet(desk, export_packet(alpha, tmp_path, by="Carol").path, by="Lead")
    assert (taken.new_reports, taken.came.confirmations) == (0, 1)
    assert desk.overview().results["A-2"].reports[PHONE].confirmed is True
    all_is_well(desk)


def test_a_collision_is_a_mismatch_in_the_queue_and_overwrites_nothing(
    desk: Desk, alpha: Desk, tmp_path: Path
) -> None:
    ours = report(desk, "A-1", PAPER, "Ann", 10)
    report(desk, "A-2", PHONE, "Ann", 14)
    report(alpha, "A-1", PAPER, "Carol", 12)
    report(alpha, "A-2", PAPER, "Carol", 14)
    counted = desk.overview().tally()
    taken = take_packet(desk, export_packet(alpha, tmp_path, by="Carol").path, by="Lead")
    assert [one.id for one in taken.collisions] == ["A-1"]
    assert (taken.were_verified, taken.were_released) == (frozenset(), frozenset())
    results = desk.overview().results
    assert results["A-1"].standing.report == ours, "the later one of the county counts only once it is ruled"
    assert desk.overview().tally().rows == counted.rows
    assert results["A-1"].standing.state is State.MISMATCHED
    assert {one.by for one in results["A-1"].heads.values()} == {"Ann", "Carol"}
    assert "Biden.first" in [one.field for one in results["A-1"].mismatches]
    assert "A-1" in {item.precinct.id for item in queue(desk, desk.overview())}
    assert results["A-2"].standing.state is State.MATCHED, "two people, two channels, the same figures"
    with desk.store.read() as unit:
        assert unit.report(ours.id) is not None


def test_a_collision_says_what_was_verified_and_what_was_released(
    desk: Desk, alpha: Desk, tmp_path: Path
) -> None:
    report(desk, "A-1", PHONE, "Ann")
    verified = report(desk, "A-1", PAPER, "Bob")
    for finding in desk.overview().results["A-1"].open_errors:
        acknowledge(desk, verified, finding, "Di")
    assert desk.overview().results["A-1"].verified
    report(desk, "A-2", PAPER, "Bob", 11)
    passes = {item.id: "known and said so" for item in gate(desk, Counting.VERIFIED).held}
    released = make_release(desk, Counting.VERIFIED, by="Lead", passes=passes)
    report(alpha, "A-1", PAPER, "Carol", 12)
    report(alpha, "A-2", PAPER, "Carol", 12)
    taken = take_packet(desk, export_packet(alpha, tmp_path, by="Carol").path, by="Lead")
    assert [one.id for one in taken.collisions] == ["A-1", "A-2"]
    assert (taken.were_verified, taken.were_released) == ({"A-1"}, {"A-1"})
    assert taken.release == released.number
    assert taken.of_weight == ", of which 1 was verified: A-1; 1 is in release 1, the newest: A-1"
    assert not desk.overview().results["A-1"].verified


def test_a_collision_moves_nothing_since_the_release(desk: Desk, alpha: Desk, tmp_path: Path) -> None:
    report(desk, "A-1", PHONE, "Ann")
    report(desk, "A-1", PAPER, "Bob")
    passes = {item.id: "known and said so" for item in gate(desk, Counting.REPORTED).held}
    released = make_release(desk, Counting.REPORTED, by="Lead", passes=passes)
    report(alpha, "A-1", PAPER, "Carol", 12)
    take_packet(desk, export_packet(alpha, tmp_path, by="Carol").path, by="Lead")
    assert compare(desk, released.number).largest == ()
    assert all(move.before == move.after for move in compare(desk, released.number).groups)
    assert whole(desk, released.number).overview.results["A-1"].rivals == ()


def test_what_one_person_keyed_in_two_stores_verifies_nothing(
    desk: Desk, alpha: Desk, tmp_path: Path
) -> None:
    report(desk, "A-1", PHONE, "Ann")
    report(alpha, "A-1", PAPER, "Carol", typists=("ann",))
    take_packet(desk, export_packet(alpha, tmp_path, by="Carol").path, by="Lead")
    assert desk.overview().results["A-1"].standing.state is State.SINGLE


# ---- what is refused, whole ----


def refused(desk: Desk, path: Path, *, saying: str) -> None:
    before = standing(desk)
    seq = desk.saved_seq()
    with pytest.raises((BadPacket, Unreadable)) as refusal:
        take_packet(desk, path, by="Lead")
    assert saying in refusal.value.sentence
    assert refusal.value.exit_code == 3
    assert (desk.saved_seq(), standing(desk)) == (seq, before)


@pytest.fixture
def packet(alpha: Desk, tmp_path: Path) -> Path:
    report(alpha, "A-1", PAPER, "Carol")
    attach(alpha, "A-1", plain_pdf(tmp_path / "sheet.pdf") or tmp_path / "sheet.pdf", by="Carol")
    return export_packet(alpha, tmp_path / "one.cdpacket", by="Carol").path


def test_cut_short_anywhere(desk: Desk, packet: Path, tmp_path: Path) -> None:
    data = packet.read_bytes()
    short = tmp_path / "short.cdpacket"
    for length in {*range(0, len(data), 41), *range(len(data) - 80, len(data))}:
        short.write_bytes(data[:length])
        with pytest.raises((BadPacket, Unreadable)):
            take_packet(desk, short, by="Lead")
    short.write_bytes(data[:1000])
    refused(desk, short, saying="not whole")


def test_any_byte_altered(desk: Desk, packet: Path, tmp_path: Path) -> None:
    data = packet.read_bytes()
    bad = tmp_path / "bad.cdpacket"
    for place in {*range(0, len(data), 37), *range(len(data) - 90, len(data))}:
        bad.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        with pytest.raises((BadPacket, Unreadable)):
            take_packet(desk, bad, by="Lead")
    assert desk.overview().results["A-1"].standing.state is State.AWAITING
    assert take_packet(desk, packet, by="Lead").new_reports == 1


def test_a_bad_signature(desk: Desk, alpha: Desk, packet: Path, tmp_path: Path) -> None:
    forged = rewritten(packet, tmp_path / "forged.cdpacket", new_pair().private)
    refused(desk, forged, saying="was not signed with the key of Alpha that it names")


def test_another_caucus(desk: Desk, alpha: Desk, packet: Path, small_roster: Path, tmp_path: Path) -> None:
    with create_caucus(str(tmp_path / "other"), "iowa-2020", small_roster, by="Lead").desk as other:
        refused(other, packet, saying="a packet of another caucus")
    wrong = rewritten(packet, tmp_path / "w.cdpacket", private_of(alpha), head={"caucus": "0" * 32})
    refused(desk, wrong, saying="a packet of another caucus")


def test_another_rule_set(desk: Desk, alpha: Desk, packet: Path, tmp_path: Path) -> None:
    wrong = rewritten(packet, tmp_path / "w.cdpacket", private_of(alpha), head={"rules": "0" * 64})
    refused(desk, wrong, saying="another rule set or ballot")


def test_an_unknown_key(desk: Desk, packet: Path, tmp_path: Path) -> None:
    pair = new_pair()
    wrong = rewritten(packet, tmp_path / "w.cdpacket", pair.private, head={"key": pair.id})
    refused(desk, wrong, saying="a key that headquarters never gave out")


def test_a_revoked_key(desk: Desk, packet: Path) -> None:
    key = county_keys(desk)[0]
    with pytest.raises(Refused, match="Revoking a key needs a reason"):
        revoke_key(desk, key.id, reason="", by="Lead")
    revoke_key(desk, key.id, reason="the laptop was stolen", by="Lead")
    refused(desk, packet, saying="the laptop was stolen")
    with pytest.raises(Refused, match=f"Lead revoked the key {key.id} of Alpha"):
        revoke_key(desk, key.id, reason="stolen once more", by="Lead")
    assert county_keys(desk)[0].reason == "the laptop was stolen"
    all_is_well(desk)


def test_the_key_of_another_county(desk: Desk, alpha: Desk, packet: Path, tmp_path: Path) -> None:
    with county_store(desk, "Polk", tmp_path) as polk:
        theirs = private_of(polk)
    key = county_keys(desk)[1].id
    wrong = rewritten(packet, tmp_path / "w.cdpacket", theirs, head={"key": key})
    refused(desk, wrong, saying="says that it is from Alpha, but is signed with a key of Polk")


def test_precincts_of_another_county(desk: Desk, alpha: Desk, packet: Path, tmp_path: Path) -> None:
    with county_store(desk, "Polk", tmp_path) as polk:
        report(polk, "77-DM42", PAPER, "Dora")
        theirs = export_packet(polk, tmp_path, by="Dora").path
    key = county_keys(desk)[0].id
    head = {"county": "Alpha", "key": key}
    wrong = rewritten(theirs, tmp_path / "w.cdpacket", private_of(alpha), head=head)
    refused(
        desk, wrong, saying="is a packet of Alpha and speaks of DES MOINES-42 (77-DM42), which is in Polk"
    )


def test_a_newer_version(desk: Desk, alpha: Desk, packet: Path, tmp_path: Path) -> None:
    newer = rewritten(
        packet, tmp_path / "n.cdpacket", private_of(alpha), head={"format": 2, "more": "things"}
    )
    refused(desk, newer, saying="made by a newer Caucus Desk")


def altered(change: Callable[[dict], object]) -> Callable[[dict], None]:  # type: ignore[type-arg]
    def of(document: dict) -> None:  # type: ignore[type-arg]
        change(document)

    return of


@pytest.mark.parametrize(
    "change",
    [
        lambda doc: doc["reports"][0].update(by="Mallory"),
        lambda doc: doc["reports"][0]["sheet"].update(attendance=101),
        lambda doc: doc["reports"][0]["sheet"].update(attendance=-1),
        lambda doc: doc["reports"][0]["sheet"].update(attendance=True),
        lambda doc: doc["reports"][0]["sheet"].update(attendance="100"),
        lambda doc: doc["reports"].append(doc["reports"][0]),
        lambda doc: doc["reports"][0].update(over=["0" * 64]),
        lambda doc: doc["reports"][0].update(more=1),
        lambda doc: doc["reports"][0].pop("receipt"),
        lambda doc: doc.update(rulings=[]),
        lambda doc: doc["attachments"][0].update(sha256="0" * 64),
        lambda doc: doc["attachments"].clear(),
        lambda doc: doc["attachments"][0].update(name="sheet.exe"),
        lambda doc: doc["acknowledgements"].append({"finding": "C07"}),
    ],
)
def test_reports_that_are_not_as_the_program_writes_them(
    desk: Desk,
    alpha: Desk,
    packet: Path,
    tmp_path: Path,
    change: Callable[[dict], object],  # type: ignore[type-arg]
) -> None:
    """Signed by the county's own key all the same."""
    bad = rewritten(
        packet, tmp_path / "b.cdpacket", private_of(alpha), change=changed_reports(altered(change))
    )
    refused(desk, bad, saying="Nothing was taken from it")


def test_a_trail_that_was_altered(desk: Desk, alpha: Desk, packet: Path, tmp_path: Path) -> None:
    def change(name: str, data: bytes) -> list[tuple[str, bytes]]:
        return [(name, data.replace(b"Carol", b"Zarol") if name == "trail.json" else data)]

    bad = rewritten(packet, tmp_path / "b.cdpacket", private_of(alpha), change=change)
    refused(desk, bad, saying="the audit trail of Alpha was altered")

    def cut(name: str, data: bytes) -> list[tuple[str, bytes]]:
        if name == "trail.json":
            data = json.dumps({"events": json.loads(data)["events"][:2]}, separators=(",", ":")).encode()
        return [(name, data)]

    bad = rewritten(packet, tmp_path / "c.cdpacket", private_of(alpha), change=cut)
    refused(desk, bad, saying="tells of other reports than the packet")


def test_of_several_files_the_good_ones_are_taken(desk: Desk, packet: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.cdpacket"
    bad.write_bytes(packet.read_bytes()[:-1])
    results = take_packets(desk, [bad, packet, tmp_path / "none", tmp_path], by="Lead")
    assert [type(one) for one in results] == [Refusal, Taken, Refusal, Refusal]
    assert "There is no file" in results[2].sentence  # type: ignore[union-attr]
    assert "is a folder" in results[3].sentence  # type: ignore[union-attr]


def test_a_packet_never_overwrites_a_file(alpha: Desk, tmp_path: Path) -> None:
    there = tmp_path / "there.cdpacket"
    there.write_text("a letter")
    with pytest.raises(Refused, match="left as it is"):
        export_packet(alpha, there, by="Carol")
    assert there.read_text() == "a letter"
    assert sent_packets(alpha) == ()
    export_packet(alpha, tmp_path, by="Carol")
    (tmp_path / "Alpha packet 2.cdpacket").write_text("another letter")
    assert export_packet(alpha, tmp_path, by="Carol").path.name == "Alpha packet 2 2.cdpacket"


def test_an_attachment_that_is_lost_does_not_hold_up_the_results(
    desk: Desk, alpha: Desk, packet: Path, tmp_path: Path
) -> None:
    shutil.rmtree(alpha.location + ".attachments")
    sent = export_packet(alpha, tmp_path, by="Carol")
    assert sent.attachments == 0
    assert "sheet.pdf of North Ward, Alpha did not go along" in sent.remarks[0]
    assert take_packet(desk, sent.path, by="Lead").new_reports == 1


# ---- each in its own place ----


def test_what_looks_like_a_code_is_answered_as_one(desk: Desk, alpha: Desk, tmp_path: Path) -> None:
    with pytest.raises(Refused, match="no packet was written here yet"):
        said_code(alpha, "K7QX-94MT")
    sent = export_packet(alpha, tmp_path, by="Carol")
    assert said_code(alpha, f" {sent.code.lower()} ") == sent_packets(alpha)[0]
    other = "A" if sent.code[0] != "A" else "C"
    with pytest.raises(Refused, match=f"Packet 1 has {sent.code}: one letter is another"):
        said_code(alpha, other + sent.code[1:])
    with pytest.raises(Refused, match="No code has O or 0 in it"):
        said_code(alpha, "O0QX94MT" if not sent.code.endswith("94MT") else "O0QX94MM")
    with pytest.raises(Refused, match="A code has 8 letters and digits"):
        said_code(alpha, "K7")
    with pytest.raises(Refused, match="county's own store"):
        said_code(desk, sent.code)
    for text, is_code in (("K7QX-94MT", True), ("a b", True), ("a.cdreceipt", False), ("x/y", False)):
        assert looks_like_code(text, tmp_path / "x") is is_code
    assert not looks_like_code(sent.code, sent.path)


def test_a_packet_or_a_kit_is_named_where_a_receipt_is_wanted(
    desk: Desk, alpha: Desk, packet: Path, tmp_path: Path
) -> None:
    kit = make_kit(desk, "Alpha", tmp_path, by="Lead")
    (tmp_path / "plain").write_text("a letter")
    for path, saying in (
        (packet, "is a packet, not a receipt"),
        (kit.path, "is a county kit, not a receipt"),
        (tmp_path / "plain", "no file of Caucus Desk's"),
    ):
        with pytest.raises(BadPacket, match=saying):
            receipt(alpha, path)


def test_an_empty_packet_says_so(alpha: Desk, tmp_path: Path) -> None:
    assert "Nothing is in it yet" in export_packet(alpha, tmp_path, by="Carol").remarks[0]
    report(alpha, "A-1", PAPER, "Carol")
    assert export_packet(alpha, tmp_path, by="Carol").remarks == ()


def test_only_a_county_writes_packets_and_only_headquarters_takes_them(
    desk: Desk, alpha: Desk, packet: Path, tmp_path: Path
) -> None:
    with pytest.raises(Refused, match="no county's own store"):
        export_packet(desk, tmp_path, by="Lead")
    with pytest.raises(Refused, match="This is the own store of Alpha"):
        take_packet(alpha, packet, by="Carol")
    with pytest.raises(Refused, match="This is the own store of Alpha"):
        make_kit(alpha, "Alpha", tmp_path, by="Carol")
    with pytest.raises(Refused, match="read in the county's own store"):
        receipt(desk, packet)
    assert (county_of(desk), county_of(alpha)) == ("", "Alpha")


def test_a_receipt_that_is_altered_or_for_another(
    desk: Desk, alpha: Desk, packet: Path, small_roster: Path, tmp_path: Path
) -> None:
    taken = take_packet(desk, packet, by="Lead")
    path = write_receipt(desk, taken.digest, tmp_path / "r.cdreceipt", by="Lead").path
    data = path.read_bytes()
    bad = tmp_path / "bad.cdreceipt"
    for place in {*range(0, len(data), 11), *range(len(data) - 20, len(data))}:
        bad.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        with pytest.raises((BadPacket, Unreadable)):
            receipt(alpha, bad)
    for length in (0, 1, len(data) // 2, len(data) - 1):
        bad.write_bytes(data[:length])
        with pytest.raises((BadPacket, Unreadable)):
            receipt(alpha, bad)
    with county_store(desk, "Polk", tmp_path) as polk, pytest.raises(BadPacket, match="a receipt for Alpha"):
        receipt(polk, path)
    with create_caucus(str(tmp_path / "x"), "iowa-2020", small_roster, by="Lead").desk as other:
        stranger = county_store(other, "Alpha", tmp_path, name="alpha-x")
        with stranger, pytest.raises(BadPacket, match="not signed by the headquarters"):
            receipt(stranger, path)
    assert receipt(alpha, path).newest


def test_the_kit_and_its_code(desk: Desk, tmp_path: Path) -> None:
    kit = make_kit(desk, "alpha", tmp_path, by="Lead")
    with pytest.raises(BadPacket, match="This is not the code"):
        begin_county(kit.path, str(tmp_path / "no"), "AAAA-AAAA-AAAA-AAAA", by="Carol")
    with pytest.raises(BadPacket, match="This is not the code"):
        begin_county(kit.path, str(tmp_path / "no"), "", by="Carol")
    data = bytearray(kit.path.read_bytes())
    data[len(data) // 2] ^= 1
    (tmp_path / "bad").write_bytes(data)
    with pytest.raises(BadPacket, match="not whole"):
        begin_county(tmp_path / "bad", str(tmp_path / "no"), kit.code, by="Carol")
    assert not (tmp_path / "no").exists()
    begun = begin_county(kit.path, str(tmp_path / "a.caucus"), kit.code.lower().replace("-", " "), by="Carol")
    with begun.desk as county:
        assert list(county.precincts) == ["A-1", "A-2", "A-3"]
        assert county.rules == desk.rules
        assert county.caucus == desk.caucus
        with county.store.read() as unit, desk.store.read() as ours:
            assert unit.identity() == ours.identity()
            assert unit.check_pin("A-1", "123456") is True
        all_is_well(county)
    assert begun.form is not None
    assert begun.form.read_bytes()[:2] == b"PK"
    second = make_kit(desk, "Alpha", tmp_path, by="Lead")
    assert kit.key in [one.id for one in second.earlier]
    with pytest.raises(Refused, match="There is no county Nowhere"):
        make_kit(desk, "Nowhere", tmp_path, by="Lead")


def test_without_the_library_a_sentence_says_what_to_install(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = __import__("importlib.util").util.find_spec
    monkeypatch.setattr(
        "importlib.util.find_spec", lambda name, *rest: None if name == "cryptography" else real(name, *rest)
    )
    for call in (
        lambda: make_kit(desk, "Alpha", tmp_path, by="Lead"),
        lambda: begin_county("kit", str(tmp_path / "x"), "code", by="Carol"),
        lambda: export_packet(desk, tmp_path, by="Lead"),
        lambda: take_packet(desk, "packet", by="Lead"),
        lambda: receipt(desk, "receipt"),
    ):
        with pytest.raises(Refused, match=r'\.venv/bin/pip install "\.\[packets\]"'):
            call()


def test_secrets_are_in_no_packet_receipt_kit_or_trail(
    desk: Desk, alpha: Desk, packet: Path, tmp_path: Path
) -> None:
    taken = take_packet(desk, packet, by="Lead")
    back = write_receipt(desk, taken.digest, tmp_path, by="Lead").path
    kit = make_kit(desk, "Alpha", tmp_path, by="Lead")
    with desk.store.read() as unit:
        own = unit.headquarters_key()
        pins = [pin for pin in unit.kept_pins().values() if pin]
        events = unit.all_events()
    assert own is not None
    assert len(pins) == 1
    secrets = [own[0], private_of(alpha), kit.code, *pins]
    with alpha.store.read() as unit:
        events += unit.all_events()
        seen = [repr(unit.own_key()), repr(kit), str(packed(unit))]
    texts = [*seen, *map(str, events), repr(county_keys(desk)), repr(taken)]
    for path in (packet, back, kit.path):
        texts += _unpacked(path)
    for secret in secrets:
        assert not [text[:80] for text in texts if secret in text]
        assert not [text for text in texts if secret.encode().hex() in text]


def _unpacked(path: Path) -> list[str]:
    import zipfile

    if not zipfile.is_zipfile(path):
        return [path.read_text()]
    with zipfile.ZipFile(path) as archive:
        return [archive.read(name).decode("latin-1") for name in archive.namelist()]


# ---- copies ----


def copied(desk: Desk, tmp_path: Path) -> Desk:
    with desk.store.read() as unit:
        assert unit.identity()
    backup(desk.location, tmp_path / "copy.caucus", desk=desk, by="Lead")
    return open_desk(str(tmp_path / "copy.caucus"))


@pytest.mark.a_file
def test_two_copies_become_the_same_whichever_takes_the_other(desk: Desk, tmp_path: Path) -> None:
    report(desk, "A-1", PHONE, "Ann", 10)
    report(desk, "A-2", PAPER, "Ann", 10)
    with copied(desk, tmp_path) as copy:
        report(desk, "A-1", PAPER, "Bob", 10)
        report(desk, "A-2", PAPER, "Bob", 12)
        report(copy, "A-2", PAPER, "Cleo", 13)
        report(copy, "77-DM42", PAPER, "Cleo", 13)
        taken = merge_store(desk, copy.location, by="Lead")
        assert (taken.new_reports, [one.id for one in taken.collisions]) == (2, ["A-2"])
        again = merge_store(desk, copy.location, by="Lead")
        assert again.before is not None
        back = merge_store(copy, desk.location, by="Lead")
        assert back.new_reports == 2
        assert between_copies(copy) == between_copies(desk)
        heads = desk.overview().results["A-2"].heads.values()
        assert {one.by for one in heads} == {"Bob", "Cleo"}, "Ann's is superseded in both"
        assert merge_store(desk, copy.location, by="Lead").new_reports == 0
        all_is_well(desk)
        all_is_well(copy)


@pytest.mark.a_file
def test_rulings_of_a_copy_are_named_and_not_taken(desk: Desk, tmp_path: Path) -> None:
    with copied(desk, tmp_path) as copy:
        made = report(copy, "A-1", PAPER, "Cleo")
        with copy.store.write() as unit:
            unit.add_ruling(
                "A-1", made.sheet, seen_report=made.id, by="Rita", reason="plain", sentence="ruled"
            )
        taken = merge_store(desk, copy.location, by="Lead")
    assert "One ruling of it was not taken (A-1)" in taken.left[0]
    assert desk.overview().results["A-1"].standing.state is State.SINGLE


@pytest.mark.a_file
def test_what_stands_here_too_is_not_to_be_done_again(desk: Desk, tmp_path: Path) -> None:
    made = report(desk, "A-1", PAPER, "Cleo")
    for store, whose in ((desk, "Rita"), (desk, "Rolf")):
        with store.store.write() as unit:
            unit.add_ruling(
                "A-1", made.sheet, seen_report=made.id, by=whose, reason="plain", sentence="ruled"
            )
    passes = {item.id: "known and said so" for item in gate(desk, Counting.REPORTED).held}
    make_release(desk, Counting.REPORTED, by="Lead", passes=passes)
    with copied(desk, tmp_path) as copy:
        assert merge_store(desk, copy.location, by="Lead").left == ()
        again = {**passes, "changes": "known and said so"}
        make_release(copy, Counting.REPORTED, by="Lead", passes=again)
        report(copy, "A-2", PAPER, "Cleo")
        assert merge_store(desk, copy.location, by="Lead").left == (
            "One release of it was not taken: a release is made here.",
        )


@pytest.mark.a_file
def test_a_store_is_not_merged_with_itself(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "link.caucus").symlink_to(desk.location)
    for name in (desk.location, str(tmp_path / "link.caucus")):
        with pytest.raises(Refused, match="that is this store"):
            merge_store(desk, name, by="Lead")
    assert packets_taken(desk) == ()


@pytest.mark.a_file
def test_only_copies_of_this_caucus_are_merged(
    desk: Desk, alpha: Desk, small_roster: Path, tmp_path: Path
) -> None:
    other = create_caucus(str(tmp_path / "other"), "iowa-2020", small_roster, by="Lead").desk
    with other, pytest.raises(Refused, match="a store of another caucus"):
        merge_store(desk, other.location, by="Lead")
    with pytest.raises(Refused, match="let it write a packet"):
        merge_store(desk, alpha.location, by="Lead")
    with pytest.raises(Refused, match="is headquarters' store"):
        merge_store(alpha, desk.location, by="Carol")


def test_two_laptops_of_one_county_can_be_put_together(desk: Desk, tmp_path: Path) -> None:
    kit = kits.make_kit(desk, "Alpha", tmp_path, by="Lead")
    one = begin_county(kit.path, str(tmp_path / "one.caucus"), kit.code, by="Carol").desk
    two = begin_county(kit.path, str(tmp_path / "two.caucus"), kit.code, by="Dora").desk
    with one, two:
        report(one, "A-1", PAPER, "Carol")
        report(two, "A-2", PAPER, "Dora")
        assert merge_store(one, two.location, by="Carol").new_reports == 1
        first = export_packet(one, tmp_path, by="Carol")
        second = export_packet(two, tmp_path / "two.cdpacket", by="Dora")
        assert [
            one.new_reports if isinstance(one, Taken) else one.sentence
            for one in take_packets(desk, [second.path, first.path], by="Lead")
        ] == [1, 1]
    all_is_well(desk)


@pytest.mark.a_file
def test_every_kind_of_sheet_arrives_as_it_was(small_roster: Path, tmp_path: Path) -> None:
    """Nevada's early votes, a game of chance, signatures, what is stated beside the counts, and blanks."""
    sheet = ResultSheet(
        90,
        (
            GroupCounts("Biden", 10, 12, 1, Fraction(3, 7), True),
            GroupCounts("Sanders", 30, None, 2, signed=False),
            GroupCounts("Warren"),
        ),
        (("early_votes", 40),),
        threshold=14,
        delegates_to_elect=6,
        second_attendance=91,
        chance=(
            ChanceRecord(("Biden", "Sanders"), ("Sanders",)),
            ChanceRecord(("Warren", "Biden"), ("Warren",)),
        ),
        chair_signed=True,
        secretary_signed=False,
        overwritten=None,
    )
    lines = [line for line in small_roster.read_text().splitlines() if "satellite" not in line]
    small_roster.write_text("\n".join(lines))
    with create_caucus(str(tmp_path / "hq"), "nevada-2020", small_roster, by="Lead").desk as hq:
        with county_store(hq, "Alpha", tmp_path) as county:
            with county.store.write() as unit:
                unit.add_report(NewReport("A-1", PAPER, sheet, "Carol", source="a file.csv"))
            sent = export_packet(county, tmp_path, by="Carol")
        assert take_packet(hq, sent.path, by="Lead").new_reports == 1
        with hq.store.read() as unit:
            stored = unit.history("A-1")[0]
        assert (stored.report.sheet, stored.source) == (sheet, "a file.csv")
        assert take_packet(hq, sent.path, by="Lead").before is not None
        all_is_well(hq)
