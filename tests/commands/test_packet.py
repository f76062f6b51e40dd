"""`packet`: from the kit to the receipt, as it is typed."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from caucus_desk.commands.person import KIT_CODE
from caucus_desk.desk.integrity import check_store
from caucus_desk.desk.session import open_desk

Run = Any


@pytest.fixture
def begun(store: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Alpha's own store with a paper report of A-1, begun from the kit of `store`."""
    kit = run("packet", "kit", store, "Alpha", tmp_path / "a.cdkit", "--by", "Lead", "--json")
    assert kit.code == 0
    monkeypatch.setenv(KIT_CODE, kit.json["code"])
    made = run("packet", "begin", "a.cdkit", "alpha.caucus", "--by", "Carol")
    assert made.code == 0
    assert "Began the own store of Alpha, 3 precincts" in made.out
    rows = (tmp_path / "results.csv").read_text().splitlines()
    (tmp_path / "alpha.csv").write_text(
        "\n".join(line for line in rows if not line.startswith(("77", "SAT")))
    )
    assert run("load", "alpha.caucus", "alpha.csv", "--channel", "paper", "--by", "Carol").code == 0
    return tmp_path / "alpha.caucus"


def test_from_the_kit_to_the_receipt(store: Path, begun: Path, run: Run, tmp_path: Path) -> None:
    sent = run("packet", "export", begun, tmp_path)
    assert sent.code == 0
    code = sent.out.strip().rpartition(" ")[2]
    assert f"Once headquarters has taken it, it says: {code}" in sent.out
    taken = run("packet", "take", store, "Alpha packet 1.cdpacket", "--by", "Lead")
    assert taken.code == 0
    assert f"took packet 1 of Alpha, 1 new report of 1. Code: {code}" in taken.out
    assert (tmp_path / "Alpha packet 1 receipt.cdreceipt").is_file()
    again = run("packet", "take", store, "Alpha packet 1.cdpacket", "--by", "Lead", "--json")
    assert again.json["packets"][0]["new_reports"] == 0
    assert again.json["packets"][0]["taken_before"]
    read = run("packet", "receipt", begun, "Alpha packet 1 receipt.cdreceipt")
    assert read.code == 0
    assert "at headquarters, one source so far" in read.out
    said = run("packet", "receipt", begun, code.lower())
    assert (said.code, said.out) == (0, f"{code} is packet 1: headquarters has all of it.\n")
    keys = run("packet", "keys", store, "--json")
    assert [one["county"] for one in keys.json["keys"]] == ["Alpha"]
    assert keys.json["packets"][0]["number"] == 1
    assert "Alpha" in run("packet", "keys", store).out
    trail = run("audit", store).out
    assert "Lead took the paper report of North Ward, Alpha by Carol from packet 1 of Alpha" in trail
    assert run("check", store).code == 0
    assert run("check", begun).code == 0


def test_a_collision_needs_a_person(store: Path, begun: Path, run: Run, tmp_path: Path) -> None:
    other = (tmp_path / "alpha.csv").read_text().replace("A-1,Biden,14,", "A-1,Biden,15,")
    other = other.replace("A-1,Yang,4,", "A-1,Yang,3,")
    (tmp_path / "other.csv").write_text(other)
    assert run("load", store, "other.csv", "--channel", "paper", "--by", "Ann").code == 0
    assert run("load", store, "other.csv", "--channel", "phone", "--by", "Bob").code == 0
    before = run("results", store, "--json").json
    run("packet", "export", begun, "one.cdpacket")
    taken = run("packet", "take", store, "one.cdpacket", "--by", "Lead")
    assert taken.code == 1
    said = "Reports differ in 1 precinct, of which 1 was verified: A-1. For a reviewer: North Ward (A-1)."
    assert said in taken.out
    assert run("results", store, "--json").json["rows"] == before["rows"]
    found = run("mismatches", store, "--json").json["mismatches"]
    assert "Biden.first" in [one["field"] for one in found]
    assert "A-1" in run("queue", store).out


def test_refusals_say_why_and_take_nothing(store: Path, begun: Path, run: Run, tmp_path: Path) -> None:
    run("packet", "export", begun, "one.cdpacket")
    (tmp_path / "short.cdpacket").write_bytes((tmp_path / "one.cdpacket").read_bytes()[:-5])
    short = run("packet", "take", store, "short.cdpacket", "--by", "Lead")
    assert (short.code, short.out) == (3, "")
    assert "short.cdpacket is not whole: it was cut short or altered on its way" in short.err
    both = run("packet", "take", store, "short.cdpacket", "one.cdpacket", "--by", "Lead")
    assert both.code == 1
    key = run("packet", "keys", store, "--json").json["keys"][0]["key"]
    assert run("packet", "revoke", store, key, "--reason", "no", "--by", "Lead").code == 3
    gone = run("packet", "revoke", store, key, "--reason", "stolen from the car", "--by", "Lead")
    assert gone.code == 0
    assert f"No more packets are taken under the key {key} of Alpha" in gone.out
    run("packet", "export", begun, "two.cdpacket")
    late = run("packet", "take", store, "two.cdpacket", "--by", "Lead")
    assert late.code == 3
    assert "stolen from the car" in late.err
    assert run("packet", "export", store, "no.cdpacket").code == 3
    assert run("packet", "take", begun, "two.cdpacket", "--by", "Carol").code == 3
    assert run("packet", "merge", store, begun, "--by", "Lead").code == 3
    assert run("packet", "take", store, "one.cdpacket", "--receipts", "nowhere", "--by", "Lead").code == 3
    assert run("packet", "export", begun, "one.cdpacket").code == 3
    assert run("packet").code == 2


def test_paths_of_documents_are_whole(store: Path, run: Run, tmp_path: Path, monkeypatch: Any) -> None:
    kit = run("packet", "kit", store, "Alpha", "a.cdkit", "--by", "Lead", "--json").json
    monkeypatch.setenv(KIT_CODE, kit["code"])
    begun = run("packet", "begin", "a.cdkit", "alpha.caucus", "--by", "Carol", "--json").json
    sent = run("packet", "export", "alpha.caucus", "one.cdpacket", "--json")
    assert (sent.code, "Nothing is in it yet" in sent.err) == (1, True)
    taken = run("packet", "take", store, "one.cdpacket", "--by", "Lead", "--json").json["packets"][0]
    backup = run("backup", store, "copy.caucus", "--json").json
    said = [kit["path"], begun["store"], begun["form"], sent.json["path"], taken["file"], taken["receipt"]]
    for path in (*said, backup["store"], backup["backup"]):
        assert Path(path).is_absolute()
        assert Path(path).parent == tmp_path
        assert Path(path).is_file()


def test_a_county_is_told_what_its_own_store_can_do(
    store: Path, begun: Path, run: Run, tmp_path: Path
) -> None:
    said = run("packet", "keys", begun)
    assert said.code == 0
    assert "This is the own store of Alpha. It signs its packets with the key " in said.out
    assert "`packet export` writes a packet" in said.out
    key = run("packet", "keys", store, "--json").json["keys"][0]["key"]
    assert run("packet", "keys", begun, "--json").json["own_key"] == key
    sent = run("packet", "export", begun, "one.cdpacket", "--json").json
    misheard = ("A" if sent["code"][0] != "A" else "C") + sent["code"][1:]
    answer = run("packet", "receipt", begun, misheard)
    assert answer.code == 3
    assert f"Packet 1 has {sent['code']}: one letter is another" in answer.err
    assert "is a packet, not a receipt" in run("packet", "receipt", begun, "one.cdpacket").err
    run("packet", "take", store, "one.cdpacket", "--by", "Lead")
    table = run("packet", "receipt", begun, "Alpha packet 1 receipt.cdreceipt").out
    assert "of yours there" in table.splitlines()[0]
    for count, hold in ((1, "1 earlier key that still holds: "), (2, "2 earlier keys that still hold: ")):
        assert hold in run("packet", "kit", store, "Alpha", f"{count}.cdkit", "--by", "Lead").out


def test_the_code_is_asked_for_and_never_given_on_the_line(
    store: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("packet", "kit", store, "Alpha", "a.cdkit", "--by", "Lead")
    monkeypatch.delenv(KIT_CODE, raising=False)
    lacking = run("packet", "begin", "a.cdkit", "alpha.caucus", "--by", "Carol")
    assert lacking.code == 3
    assert KIT_CODE in lacking.err
    monkeypatch.setenv(KIT_CODE, "AAAA-AAAA-AAAA-AAAA")
    wrong = run("packet", "begin", "a.cdkit", "alpha.caucus", "--by", "Carol")
    assert wrong.code == 3
    assert "This is not the code of a.cdkit" in wrong.err
    assert not (tmp_path / "alpha.caucus").exists()


def test_copies_are_merged(store: Path, run: Run, tmp_path: Path) -> None:
    assert run("backup", store, "copy.caucus", "--by", "Lead").code == 0
    assert run("load", "copy.caucus", "results.csv", "--channel", "paper", "--by", "Cleo").code == 0
    merged = run("packet", "merge", store, "copy.caucus", "--by", "Lead", "--json")
    assert merged.code == 0
    said = merged.json["merged"]
    assert [said[one] for one in ("county", "number", "code")] == [None, None, None]
    assert said["file"] == str(tmp_path / "copy.caucus")
    itself = run("packet", "merge", store, f"./{store}", "--by", "Lead")
    assert (itself.code, "that is this store" in itself.err) == (3, True)
    assert merged.json["merged"]["new_reports"] == 3
    again = run("packet", "merge", store, "copy.caucus", "--by", "Lead")
    assert "was taken before" in again.out


_CHILD = """
import sys, time
from caucus_desk.desk import taking
from caucus_desk.desk.session import open_desk
at, store, packet = sys.argv[1:]
def stop(*_):
    print("here", flush=True)
    time.sleep(600)
if at == "before it is settled":
    taking.settle = stop
else:
    real = taking.WriteUnit.add_packet_taken
    taking.WriteUnit.add_packet_taken = lambda *given: (real(*given), stop())
taking.take_packet(open_desk(store), packet, by="Lead")
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no process can be killed at once here")
@pytest.mark.parametrize("at", ["before it is settled", "before it is saved"])
def test_a_packet_is_taken_whole_or_not_at_all(
    store: Path, begun: Path, run: Run, tmp_path: Path, at: str
) -> None:
    run("packet", "export", begun, "one.cdpacket")
    with subprocess.Popen(
        [sys.executable, "-c", _CHILD, at, str(store), str(tmp_path / "one.cdpacket")],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"here\n"
        child.kill()
    with open_desk(str(store)) as desk:
        assert [line for line in check_store(desk) if not line.ok] == []
        with desk.store.read() as unit:
            assert unit.packets_taken() == ()
            assert unit.history("A-1") == ()
    assert run("packet", "take", store, "one.cdpacket", "--by", "Lead").code == 0
    assert json.loads(run("packet", "keys", store, "--json").out)["packets"][0]["new_reports"] == 1
