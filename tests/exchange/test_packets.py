"""Files of packets, kits and receipts are opened with distrust, and say again just what was put into them."""

import io
import warnings
import zipfile
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caucus_desk.exchange.packet import KIND, PacketHead, open_packet, rules_digest, short_code, write_packet
from caucus_desk.exchange.packetfile import BadPacket, open_archive, write_archive
from caucus_desk.exchange.packetjson import Unreadable, as_bytes, parsed
from caucus_desk.exchange.packetkeys import new_code, new_pair, pair_of, sealed, signed_by, unsealed
from caucus_desk.exchange.packetreading import read_contents
from caucus_desk.exchange.packetreports import (
    Contents,
    PacketReport,
    Said,
    contents_bytes,
)
from caucus_desk.rules.ruleset import Group
from caucus_desk.tally.receipt import ALPHABET
from caucus_desk.tally.report import Channel
from caucus_desk.tally.sheet import ChanceRecord, GroupCounts, ResultSheet

NIGHT = datetime(2020, 2, 4, 2, 0, tzinfo=UTC)
PAIR = new_pair()
HEAD = PacketHead("a" * 32, "b" * 64, "Polk", PAIR.id, 3, NIGHT, "Carol")

counts = st.none() | st.integers(0, 99_999)
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=20)
fractions = st.builds(Fraction, st.integers(0, 10**6), st.integers(1, 10**6))
rows = st.builds(
    GroupCounts,
    st.sampled_from("ABCDE"),
    counts,
    counts,
    counts,
    st.none() | fractions,
    st.none() | st.booleans(),
)
sheets = st.builds(
    ResultSheet,
    attendance=counts,
    groups=st.lists(rows, unique_by=lambda row: row.group).map(tuple),
    extras=st.dictionaries(st.sampled_from(["x", "y"]), counts).map(lambda found: tuple(found.items())),
    threshold=counts,
    chance=st.lists(st.just(ChanceRecord(("A", "B"), ("A",))), max_size=2).map(tuple),
    chair_signed=st.none() | st.booleans(),
)
reports = st.builds(
    PacketReport,
    precinct_id=st.sampled_from(["P1", "P2"]),
    channel=st.sampled_from(Channel),
    sheet=sheets,
    by=texts,
    at=st.integers(0, 10**9).map(lambda micro: NIGHT + timedelta(microseconds=micro)),
    typists=st.sets(texts, max_size=2).map(lambda names: tuple(sorted(names))),
    receipt=texts,
    source=texts,
    caller=st.tuples(texts, texts, texts),
    withdrawal=st.none() | st.builds(Said, texts, st.just(NIGHT), texts),
)


@given(st.lists(reports, max_size=5, unique_by=lambda one: one.uid))
def test_what_is_written_is_read(given_reports: list[PacketReport]) -> None:
    contents = Contents(tuple(given_reports))
    assert read_contents(contents_bytes(contents), "x") == contents
    assert len({one.uid for one in given_reports}) == len(given_reports)


@given(sheets, sheets)
def test_the_uid_says_all_that_the_report_says(one: ResultSheet, other: ResultSheet) -> None:
    first, second = (PacketReport("P1", Channel.PAPER, sheet, "Carol", NIGHT) for sheet in (one, other))
    assert (first.uid == second.uid) == (one == other)


def packet(path: Path, contents: Contents = Contents(())) -> Path:
    with path.open("w+b") as handle:
        write_packet(handle, HEAD, PAIR.private, contents, [], lambda one: b"")
    return path


def members(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def sealed_again(path: Path, parts: list[tuple[str, bytes]], *, packed: int = zipfile.ZIP_DEFLATED) -> Path:
    """Any members, under a checksum that is right."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", packed) as archive:
        for name, data in parts:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # zipfile warns of a name that is there already
                archive.writestr(name, data)
        archive.comment = b"0" * 64
    data = buffer.getvalue()[:-64]
    path.write_bytes(data + sha256(data).hexdigest().encode())
    return path


def opened(path: Path) -> object:
    with open_packet(path) as found:
        return found.verified(PAIR.public)


def test_a_packet_is_a_zip_archive_and_reads_back(tmp_path: Path) -> None:
    path = packet(tmp_path / "p")
    assert members(path).keys() == {"manifest.json", "signature", "reports.json", "trail.json"}
    with open_packet(path) as found:
        assert found.head == HEAD
        read = found.verified(PAIR.public)
    assert read.contents == Contents(())
    assert read.digest == sha256(members(path)["manifest.json"]).hexdigest()


@pytest.mark.parametrize(
    "change",
    [
        lambda parts: parts.append(("more.txt", b"x")),
        lambda parts: parts.append(("attachments/" + "0" * 64 + ".png", b"x")),
        lambda parts: parts.append(parts[0]),
        lambda parts: parts.append(("../../evil", b"x")),
        lambda parts: parts.append(("/etc/passwd", b"x")),
        lambda parts: parts.pop(0),
        lambda parts: parts.pop(1),
        lambda parts: parts.pop(2),
        lambda parts: parts.pop(3),
        lambda parts: parts.__setitem__(0, (parts[0][0], parts[0][1] + b" ")),
        lambda parts: parts.__setitem__(0, (parts[0][0], parts[0][1].replace(b"[]", b"{}"))),
        lambda parts: parts.__setitem__(2, (parts[2][0], parts[2][1].replace(b"Polk", b"Pulk"))),
    ],
)
def test_members_that_are_missing_double_unknown_or_altered(tmp_path: Path, change: object) -> None:
    parts = list(members(packet(tmp_path / "p")).items())
    change(parts)  # type: ignore[operator]
    with pytest.raises((BadPacket, Unreadable), match="Nothing was taken from it"):
        opened(sealed_again(tmp_path / "q", parts))


def test_bombs(tmp_path: Path) -> None:
    parts = list(members(packet(tmp_path / "p")).items())
    whole = sealed_again(tmp_path / "q", [("reports.json", bytes(100 << 20)), *parts[1:]])
    assert whole.stat().st_size < 1 << 20
    with pytest.raises((BadPacket, Unreadable), match="Nothing was taken from it"):
        opened(whole)
    whole = sealed_again(tmp_path / "r", [*parts[:2], ("manifest.json", b" " * (17 << 20)), parts[3]])
    with pytest.raises(BadPacket, match="unpacks to far more"):
        opened(whole)
    nested = b'{"kind":' + b"[" * 200_000
    with pytest.raises(Unreadable):
        opened(sealed_again(tmp_path / "s", [*parts[:2], ("manifest.json", nested), parts[3]]))


def test_a_member_that_states_too_much_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "p"
    with path.open("w+b") as handle:
        write_archive(
            handle, {"kind": KIND, "format": 1}, [("reports.json", bytes(65 << 20))], lambda message: ""
        )
    with open_archive(path) as archive:
        member = archive.check_members(archive.fields())["reports.json"]
        with pytest.raises(BadPacket, match="unpacks to far more"):
            archive.read(member)


@pytest.mark.parametrize("data", [b"", b"PK", b"hello", b"PK\x03\x04" + bytes(100), b"%PDF-1.4" + bytes(200)])
def test_files_of_another_kind(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "letter.cdpacket"
    path.write_bytes(data)
    with pytest.raises(BadPacket, match=r"letter\.cdpacket is n"), open_packet(path):
        pass


def test_the_order_and_the_time_of_writing_change_nothing(tmp_path: Path) -> None:
    one, other = packet(tmp_path / "p"), packet(tmp_path / "q")
    assert one.read_bytes() == other.read_bytes()


@pytest.mark.parametrize(
    "text",
    [
        b"[]",
        b'{"a":1,"a":2}',
        b'{"a":NaN}',
        b'{"a":1e999}',
        b"{",
        b'{"a":"\xff"}',
        b'{"a":' + b"9" * 5000 + b"}",
    ],
)
def test_json_that_is_none_of_ours(text: bytes) -> None:
    with pytest.raises(Unreadable):
        parsed(text, "file").number("a")


@pytest.mark.parametrize("value", [-1, 1.0, True, "1", None, 2**60])
def test_a_number_is_a_whole_number(value: object) -> None:
    with pytest.raises(Unreadable):
        parsed(as_bytes({"a": value}), "file").number("a")


@pytest.mark.parametrize("value", ["2020-02-04", "2020-02-04T02:00:00", "2020-02-04T02:00:00+00:00", "x", 5])
def test_a_time_is_written_in_one_way(value: object) -> None:
    with pytest.raises(Unreadable):
        parsed(as_bytes({"a": value}), "file").time("a")
    assert parsed(as_bytes({"a": "2020-02-04T02:00:00.000000+00:00"}), "file").time("a") == NIGHT


def test_half_a_character_and_nothing_at_all_are_no_text() -> None:
    for text in (b'{"a":"\\ud800"}', b'{"a":"\\u0000"}'):
        with pytest.raises(Unreadable):
            parsed(text, "file").text("a")


def test_only_the_code_opens_what_it_seals() -> None:
    code = new_code()
    assert len(code) == 19
    assert set(code) <= {*ALPHABET, "-"}
    locked = sealed(code, b"secret", b"beside")
    assert b"secret" not in locked
    assert unsealed(code.lower().replace("-", " "), locked, b"beside") == b"secret"
    assert unsealed(new_code(), locked, b"beside") is None
    assert unsealed(code, locked, b"besides") is None
    assert unsealed("", locked, b"beside") is None
    for place in range(len(locked)):
        bad = locked[:place] + bytes([locked[place] ^ 1]) + locked[place + 1 :]
        if place % 12 == 0:
            assert unsealed(code, bad, b"beside") is None
    assert unsealed(code, locked[:10], b"beside") is None


def test_signatures() -> None:
    assert pair_of(PAIR.private) == PAIR
    assert not signed_by("00", "zz", b"")
    assert not signed_by(PAIR.public, "00" * 64, b"")
    assert PAIR.private not in repr(PAIR)


def test_short_codes_can_be_said() -> None:
    codes = {short_code(sha256(bytes([number])).hexdigest()) for number in range(200)}
    assert len(codes) == 200
    assert all(len(code) == 9 and code[4] == "-" and set(code) <= {*ALPHABET, "-"} for code in codes)


def test_the_ballot_is_a_part_of_the_rules() -> None:
    assert rules_digest("x", [Group("A", "A")]) != rules_digest("x", [Group("A", "B")])
    assert rules_digest("x", [Group("A", "A")]) != rules_digest("x", [Group("A", "A"), Group("B", "B")])
