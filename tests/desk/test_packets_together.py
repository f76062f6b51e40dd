"""What packets bring is judged together: by how it ended, and each thing once."""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from caucus_desk.commands.output import Output
from caucus_desk.desk.calls import calls
from caucus_desk.desk.corrections import corrections
from caucus_desk.desk.creating import create_caucus
from caucus_desk.desk.entry import Caller, check, claim, submit
from caucus_desk.desk.errands import send_back
from caucus_desk.desk.evening import evening, people_figures, stories
from caucus_desk.desk.integrity import check_store
from caucus_desk.desk.keeping import backup
from caucus_desk.desk.loading import load_results
from caucus_desk.desk.packets import export_packet
from caucus_desk.desk.session import Desk, open_desk
from caucus_desk.desk.settings import change_setting, settings, taken_over
from caucus_desk.desk.settling import settle
from caucus_desk.desk.taking import merge_store, take_packet
from caucus_desk.desk.trail import audit_trail
from caucus_desk.exchange.packetfile import BadPacket
from caucus_desk.exchange.packetjson import as_bytes
from caucus_desk.rules.errors import Refused
from caucus_desk.store.records import NewReport
from caucus_desk.tally.report import Channel
from caucus_desk.tally.sheet import GroupCounts, ResultSheet
from tests.packets import changed_reports, county_store, rewritten

HEADING = "county,precinct,precinct_id,county_delegates,kind,district,county_state_delegates,"
PAPER, PHONE = Channel.PAPER, Channel.PHONE


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """Headquarters' store: Alpha with two precincts."""
    roster = tmp_path / "roster.csv"
    rows = (HEADING + "county_total_delegates", *(f"Alpha,{p},A-{p},6,precinct,1,4,12" for p in (1, 2)))
    roster.write_text("\n".join(rows) + "\n", encoding="utf-8")
    with create_caucus(str(tmp_path / "hq"), "iowa-2020", roster, by="Lead").desk as made:
        yield made


def good(base: int = 14) -> ResultSheet:
    """A hundred people and no error, where `base` is 14."""
    return ResultSheet(
        100,
        (
            GroupCounts("Biden", base, 16, 1),
            GroupCounts("Buttigieg", 36, 38, 2),
            GroupCounts("Sanders", 24, 24, 2),
            GroupCounts("Warren", 22, 22, 1),
            GroupCounts("Yang", 18 - base, 0, 0),
        ),
    )


def report(desk: Desk, precinct_id: str, channel: Channel, by: str, base: int = 14) -> None:
    with desk.store.write() as unit:
        unit.add_report(NewReport(precinct_id, channel, good(base), by, "R"))
        settle(unit, desk.rules, [precinct_id], desk.precincts)


def carry(county: Desk, hq: Desk, folder: Path, number: int = 1) -> None:
    take_packet(hq, export_packet(county, folder / f"{number}.cdpacket", by="Carol").path, by="Lead")


def test_what_was_put_right_before_the_packet_came_disturbs_nothing(desk: Desk, tmp_path: Path) -> None:
    report(desk, "A-1", PHONE, "Ann")
    report(desk, "A-1", PAPER, "Bob")
    with county_store(desk, "Alpha", tmp_path) as county:
        report(county, "A-1", PAPER, "Di", 12)
        report(county, "A-1", PAPER, "Di", 14)
        carry(county, desk, tmp_path)
    assert desk.overview().results["A-1"].verified
    assert [(step.reporting, step.verified) for step in stories(desk)["A-1"].steps] == [
        (True, False),
        (True, True),
    ]
    assert stories(desk)["A-1"].waits == ()
    assert (evening(desk).curve[-1].reporting, evening(desk).curve[-1].verified) == (1, 1)
    assert corrections(desk) == ()
    assert {one.name: one.differed for one in people_figures(desk, "Lead")} == {"Ann": 0, "Bob": 0, "Di": 0}


def test_a_packet_that_differs_is_one_change_and_names_who_brought_it(desk: Desk, tmp_path: Path) -> None:
    report(desk, "A-1", PHONE, "Ann")
    report(desk, "A-1", PAPER, "Bob")
    with county_store(desk, "Alpha", tmp_path) as county:
        report(county, "A-1", PAPER, "Di", 12)
        report(county, "A-1", PHONE, "Eve", 14)
        carry(county, desk, tmp_path)
    (change,) = corrections(desk)
    assert (change.by, change.was_verified, change.verified_now) == ("Di", True, False)
    assert [(step.reporting, step.verified) for step in stories(desk)["A-1"].steps][-1] == (True, False)


def test_one_sheet_in_two_precincts_is_seen_however_much_a_packet_brings(tmp_path: Path) -> None:
    many = 70
    rows = [f"Polk,P{one},P-{one},6,precinct,3,30,480" for one in range(80)]
    rows += [f"Other,Q{one},Q-{one},6,precinct,3,30,1800" for one in range(300)]
    roster = tmp_path / "roster.csv"
    roster.write_text("\n".join((HEADING + "county_total_delegates", *rows)) + "\n", encoding="utf-8")
    names = [f"P-{one}" for one in range(many)]
    with (
        create_caucus(str(tmp_path / "hq"), "iowa-2020", roster, by="Lead").desk as hq,
        county_store(hq, "Polk", tmp_path) as county,
    ):
        with county.store.write() as unit:
            for place, one in enumerate(names):
                more = place % (many - 1)  # the last sheet is the first again
                counts = (
                    ("Biden", 60 + more, 2),
                    ("Buttigieg", 50, 2),
                    ("Sanders", 50, 1),
                    ("Warren", 40, 1),
                )
                rows_of = tuple(GroupCounts(key, count, count, won) for key, count, won in counts)
                for channel, by in ((PHONE, "Ann"), (PAPER, "Bob")):
                    unit.add_report(NewReport(one, channel, ResultSheet(200 + more, rows_of), by, "R"))
            settle(unit, county.rules, names, county.precincts)
        carry(county, hq, tmp_path)
        with hq.store.read() as unit:
            states, verified = unit.states(names), unit.verifications(names)
        for twin in (names[0], names[-1]):
            assert not states[twin].verified
            assert not verified.get(twin)
            assert hq.overview().results[twin].open_errors == ("C35",)
        assert sum(state.verified for state in states.values()) == len(verified) > 0


def test_one_call_counts_once_though_its_sheet_came_in_two_packets(desk: Desk, tmp_path: Path) -> None:
    with county_store(desk, "Alpha", tmp_path) as county:
        key(county, good(15), PHONE, "Ann", Caller(name="Ada"))
        key(county, good(14), PAPER, "Bob", Caller())
        carry(county, desk, tmp_path)
        send_back(county, "A-1", "rekey", channel="phone", by="Rita", note="read it again")
        key(county, good(14), PHONE, "Ann", Caller())
        assert len(calls(county)) == 1
        carry(county, desk, tmp_path, 2)
    assert len(calls(desk)) == evening(desk).calls == 1


def test_what_a_county_states_comes_along_whatever_the_order(desk: Desk, tmp_path: Path) -> None:
    other, copy = tmp_path / "other", tmp_path / "copy"
    paths = []
    with county_store(desk, "Alpha", tmp_path) as county:
        for place in (other, copy):
            backup(desk.location, str(place), by="Lead")
        for number, total in enumerate((59, 61, 59), start=1):
            file = tmp_path / f"{number}.csv"
            file.write_text(TOTALS.format(total), encoding="utf-8")
            load_results(county, file, channel=PAPER, by="Bob")
            paths.append(export_packet(county, tmp_path / f"{number}.cdpacket", by="Carol").path)
        stated = county.overview().control_totals
    taken = [take_packet(desk, path, by="Lead").came.control_totals for path in paths]
    assert taken == [1, 1, 1]
    assert desk.overview().control_totals == stated
    assert [one for one in check_store(desk) if not one.ok] == []
    assert "C48" in [one.finding.id for one in desk.overview().findings()]
    with open_desk(str(other)) as late:
        taken = [take_packet(late, path, by="Lead").came.control_totals for path in reversed(paths)]
        assert taken == [1, 0, 0]
        assert late.overview().control_totals == stated
    with open_desk(str(copy)) as merged:
        assert merge_store(merged, desk.location, by="Lead").came.control_totals == 1
        assert merged.overview().control_totals == stated
        assert merge_store(merged, str(other), by="Lead").came.control_totals == 0
        assert [one for one in check_store(merged) if not one.ok] == []


def test_a_county_works_by_the_settings_of_headquarters(desk: Desk, tmp_path: Path) -> None:
    for one, text in (("caller_check", "none"), ("idle_minutes", "0"), ("approval_stake", "0.25")):
        change_setting(desk, one, text, by="Lead")
    with county_store(desk, "Alpha", tmp_path) as county:
        assert settings(county) == replace(settings(desk), sign_in=settings(county).sign_in)
        key(county, good(), PHONE, "Ann", Caller())
        key(county, good(), PAPER, "Bob", Caller())
        assert county.overview().results["A-1"].verified
        assert "caller check to none" in " ".join(one.sentence for one in audit_trail(county))
    for odd in (
        ("idle_minutes", "x"),
        ("approval_stake", "1/0"),
        ("approval_stake", "1/3"),
        ("caller_check", ""),
    ):
        with pytest.raises(Refused):
            tuple(taken_over([odd]))


TOTALS = """county,precinct,precinct_id,candidate,first_alignment,final_alignment,county_delegates
Alpha,1,A-1,Biden,60,60,3
Alpha,1,A-1,Sanders,40,40,3
Alpha,total,,Biden,60,{},3
Alpha,total,,Sanders,40,40,3
"""


def key(desk: Desk, sheet: ResultSheet, channel: Channel, by: str, caller: Caller) -> None:
    draft = claim(desk, "A-1", channel, by)
    reasons = {found.id: "asked twice" for found in check(desk, "A-1", sheet).findings}
    submit(desk, draft.id, sheet, by, reasons=reasons, confirmed=True, caller=caller)


ODD = {
    "by": ("name that is no line of text: “Carol D.”", {"by": "Carol\nD."}),
    "source": ("no line of text", {"source": "a\x1b[2Jb.csv"}),
    "caller": ("no line of text", {"caller": {"name": "Ada\u202e", "number": "", "check": ""}}),
    "early": ("made at 1999-12-31 23:59 UTC", {"at": "1999-12-31T23:59:59.000000+00:00"}),
    "late": ("see to the clock of its computer", {"at": "2199-01-01T00:00:00.000000+00:00"}),
}


@pytest.mark.parametrize("odd", [*ODD, "below nothing"])
def test_what_no_county_can_have_said_is_refused_in_a_sentence(desk: Desk, tmp_path: Path, odd: str) -> None:
    def change(document: dict[str, object]) -> None:
        said, (row, *_) = ODD.get(odd, ("", {}))[1], document["reports"]  # type: ignore[misc]
        if not said:
            row["sheet"]["groups"][0]["sde"] = "-1/4"
        row.update(said)
        kept = {key: value for key, value in row.items() if key in SAID}
        row["uid"] = hashlib.sha256(as_bytes(kept)).hexdigest()

    with county_store(desk, "Alpha", tmp_path) as county:
        report(county, "A-1", PAPER, "Carol")
        with county.store.read() as unit:
            own = unit.own_key()
        packet = export_packet(county, tmp_path / "1.cdpacket", by="Carol").path
    assert own is not None
    bad = rewritten(packet, tmp_path / "bad.cdpacket", own.private, change=changed_reports(change))
    said = ODD[odd][0] if odd in ODD else "states -1/4 state delegate equivalents for Biden"
    with pytest.raises(BadPacket, match=re.escape(said)) as refusal:
        take_packet(desk, bad, by="Lead")
    assert refusal.value.sentence.isprintable()
    assert desk.overview().coverage().reporting == 0


SAID = ["precinct", "channel", "by", "at", "typists", "caller", "receipt", "source", "sheet", "over"]
"""What a report's uid is made of."""


def test_a_name_moves_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    out = Output(as_json=False)
    out.table(("person", "entries"), [("An\x1b[2Jn\nB\u202e", "1")])
    out.line("two\x07\nlines")
    _, row, *lines = capsys.readouterr().out.splitlines()
    assert (row.split(), lines) == (["An", "[2Jn", "B", "1"], ["two ", "lines"])
