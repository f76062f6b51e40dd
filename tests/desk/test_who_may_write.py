"""Every function of the desk that writes asks first whether the person may: found in the code, and tried."""

import ast
import importlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import caucus_desk.desk
from caucus_desk.desk.people import make_account, make_first_administrator
from caucus_desk.desk.roles import Role
from caucus_desk.desk.session import Desk
from caucus_desk.desk.signing import sign_in
from caucus_desk.rules.errors import Refused
from caucus_desk.tally.report import Channel
from caucus_desk.tally.results import Counting
from caucus_desk.tally.sheet import GroupCounts, ResultSheet
from tests.scans import plain_pdf

FOLDER = Path(caucus_desk.desk.__file__).parent

ASKS_OTHERWISE = {
    "people.make_first_administrator": "there is nobody yet who could allow it",
    "people.mark_own_laptop": "only where there are no accounts",
    "people.make_account": "_manage asks for the accounts and for the role",
    "people.change_role": "_manage",
    "people.change_pin": "_manage, or the owner's account",
    "people.close_account": "_manage",
    "people.reopen_account": "_manage",
    "signing.sign_in": "whoever is not signed in must be able to",
    "signing.sign_out": "as well as out",
    "signing.tell_locked": "says that the window was locked",
    "signing._not_too_soon": "tells of a try",
    "guards.remember": "tells of what was refused",
    "entry.save_draft": "what was typed is never lost; only whoever began the sheet, which was asked, has it",
    "claiming.release_case": "gives back; taking it was asked",
}
"""With the reason. Functions that call `allow` need not stand here."""


@dataclass(frozen=True)
class Writer:
    module: str
    name: str
    asks: bool

    @property
    def key(self) -> str:
        return f"{self.module}.{self.name}"


def writers() -> Iterator[Writer]:
    """Every function that opens a transaction of its own, and whether `allow` comes first in it."""
    for file in sorted(FOLDER.glob("*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        for function in tree.body:
            if not isinstance(function, ast.FunctionDef):
                continue
            for node in ast.walk(function):
                if isinstance(node, ast.With) and any(_writes(item.context_expr) for item in node.items):
                    yield Writer(file.stem, function.name, _is_allow(node.body[0]))


def _writes(call: ast.expr) -> bool:
    return isinstance(call, ast.Call) and ast.unparse(call.func).endswith(
        ("store.write", "store.write_aside")
    )


def _is_allow(statement: ast.stmt) -> bool:
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Call)
        and ast.unparse(statement.value.func) == "allow"
    )


FOUND = tuple(writers())
ASKING = sorted({one.key for one in FOUND if one.asks})


def test_the_writers_are_found() -> None:
    assert {"acknowledge.acknowledge", "entry.claim", "loading.load_results", "submitting.submit"} <= set(
        ASKING
    )


@pytest.mark.parametrize("writer", FOUND, ids=lambda one: one.key)
def test_each_transaction_begins_by_asking_who_may(writer: Writer) -> None:
    assert writer.asks or writer.key in ASKS_OTHERWISE, (
        f"{writer.key} writes without allow(desk, unit, by, job) as its first line"
    )


def test_no_exception_is_kept_that_is_none() -> None:
    assert set(ASKS_OTHERWISE) <= {one.key for one in FOUND if not one.asks}


# --- and tried: a viewer, and a clerk who did not sign in, are refused by each of them --------


RESULTS = """precinct_id,candidate,first_alignment,final_alignment,county_delegates,attendance
A-1,Biden,14,16,1,100
A-1,Buttigieg,36,38,2,
A-1,Sanders,24,24,2,
A-1,Warren,22,22,1,
A-1,Yang,4,0,0,
"""
Call = Callable[[Desk, str, Path], object]


def module(name: str) -> Any:
    return importlib.import_module(f"caucus_desk.desk.{name}")


def now() -> datetime:
    return datetime.now(UTC)


CALLS: Mapping[str, Call] = {
    "acknowledge.acknowledge": lambda d, by, f: module("acknowledge").acknowledge(
        d, "A-1", "C01", reason="because of it", by=by
    ),
    "approving.approve": lambda d, by, f: module("approving").approve(d, 1, by=by),
    "attachments.attach": lambda d, by, f: module("attachments").attach(d, "A-1", f / "sheet.pdf", by=by),
    "attachments.withdraw_attachment": lambda d, by, f: module("attachments").withdraw_attachment(
        d, 1, reason="the wrong sheet", by=by
    ),
    "callbacks.confirm_report": lambda d, by, f: module("callbacks").confirm_report(
        d, 1, by=by, how="rang the chair"
    ),
    "calls.record_call": lambda d, by, f: module("calls").record_call(
        d, by=by, ended=module("calls").CallEnd.NUISANCE, at=now()
    ),
    "calls.end_call": lambda d, by, f: module("calls").end_call(
        d, 1, by, ended=module("calls").CallEnd.NUISANCE
    ),
    "calls.leave_for_anybody": lambda d, by, f: module("calls").leave_for_anybody(d, 1, by),
    "caller.check_caller": lambda d, by, f: module("caller").check_caller(d, "A-1", "1111", "", by),
    "chase.assign": lambda d, by, f: module("chase").assign(d, ["A-1"], "Rob", by=by),
    "chase.unassign": lambda d, by, f: module("chase").unassign(d, ["A-1"], by=by),
    "chase.attempt": lambda d, by, f: module("chase").attempt(
        d, "A-1", next(iter(module("chase").Outcome)), by=by
    ),
    "chase.received": lambda d, by, f: module("chase").received(d, ["A-1"], by=by),
    "chase.not_received": lambda d, by, f: module("chase").not_received(d, "A-1", note="not there", by=by),
    "chase.note": lambda d, by, f: module("chase").note(d, "A-1", "looked for it", by=by),
    "chase.tell_list": lambda d, by, f: module("chase").tell_list(d, "Alpha", "list.xlsx", by=by),
    "claiming.claim_case": lambda d, by, f: module("claiming").claim_case(d, "A-1", by),
    "claiming.touch_case": lambda d, by, f: module("claiming").touch_case(d, "A-1", by),
    "entry.claim": lambda d, by, f: module("entry").claim(d, "A-2", Channel.PAPER, by),
    "entry.discard": lambda d, by, f: module("entry").discard(d, 1, by),
    "entry.take_over": lambda d, by, f: module("entry").take_over(d, 1, by),
    "errands.send_back": lambda d, by, f: module("errands").send_back(d, "A-1", "fetch", note="lost", by=by),
    "errands.end_errand": lambda d, by, f: module("errands").end_errand(d, 1, outcome="found", by=by),
    "integrity.rebuild_states": lambda d, by, f: module("integrity").rebuild_states(d, by),
    "keeping.backup": lambda d, by, f: module("keeping").backup(d.location, f / "copy", desk=d, by=by),
    "loading.load_results": lambda d, by, f: module("loading").load_results(
        d, f / "results.csv", channel=Channel.PHONE, by=by
    ),
    "looking.look": lambda d, by, f: module("looking").look(d, "A-1", by),
    "people.make_account": lambda d, by, f: module("people").make_account(d, "X", Role.LEAD, "1234", by=by),
    "people.change_role": lambda d, by, f: module("people").change_role(d, "Ada", Role.VIEWER, by=by),
    "people.change_pin": lambda d, by, f: module("people").change_pin(d, "Ada", "1234", by=by),
    "people.close_account": lambda d, by, f: module("people").close_account(d, "Ada", by=by),
    "people.reopen_account": lambda d, by, f: module("people").reopen_account(d, "Ada", by=by),
    "releasing.make_release": lambda d, by, f: module("releasing").make_release(
        d, Counting.REPORTED, passes={}, by=by
    ),
    "releasing.approve_release": lambda d, by, f: module("releasing").approve_release(d, 1, by=by),
    "recanvass.open_recanvass": lambda d, by, f: module("recanvass").open_recanvass(
        d,
        module("recanvass").RecanvassKind.RECANVASS,
        ["A-1"],
        requested_by="a campaign",
        reason="the totals look wrong",
        deadline=now(),
        by=by,
    ),
    "recanvass.key_again": lambda d, by, f: module("recanvass").key_again(d, 1, "A-1", SHEET, by=by),
    "recanvass.load_again": lambda d, by, f: module("recanvass").load_again(d, 1, f / "results.csv", by=by),
    "recanvass.end_recanvass": lambda d, by, f: module("recanvass").end_recanvass(
        d, 1, outcome="nothing was found", by=by
    ),
    "recanvassing.take_as_correction": lambda d, by, f: module("recanvassing").take_as_correction(
        d, 1, "A-1", reason="the paper is plain", by=by
    ),
    "review.rule": lambda d, by, f: module("review").rule(
        d, "A-1", {"Biden.first": 14}, seen_report=1, reason="read it twice", by=by
    ),
    "review.withdraw_ruling": lambda d, by, f: module("review").withdraw_ruling(
        d, 1, reason="read it again", by=by
    ),
    "rights.give_rights": lambda d, by, f: module("rights").give_rights(
        d, module("rights").Rights("clerks", "viewers"), by=by
    ),
    "settings.change_setting": lambda d, by, f: module("settings").change_setting(
        d, "idle_minutes", "0", by=by
    ),
    "submitting.submit": lambda d, by, f: module("submitting").submit(d, 1, SHEET, by, reasons={}),
    "forms.write_form": lambda d, by, f: module("forms").write_form(d, "Alpha", f / "out.xlsx", by=by),
    "kits.make_kit": lambda d, by, f: module("kits").make_kit(d, "Alpha", f / "out.cdkit", by=by),
    "kits.revoke_key": lambda d, by, f: module("kits").revoke_key(d, "00", reason="it was lost", by=by),
    "noting.note_export": lambda d, by, f: module("noting").note_export(d, by, f"{by} wrote something"),
    "packets.export_packet": lambda d, by, f: module("packets").export_packet(d, f / "out.cdpacket", by=by),
    "receipts.write_receipt": lambda d, by, f: module("receipts").write_receipt(d, "00", f / "out", by=by),
    "taking.take_packet": lambda d, by, f: module("taking").take_packet(d, f / "in.cdpacket", by=by),
    "taking.merge_store": lambda d, by, f: module("taking").merge_store(d, d.location, by=by),
    "workbook.write_workbook": lambda d, by, f: module("workbook").write_workbook(d, f / "out.xlsx", by=by),
}
"""Each writing function, called so that nothing but the person stands in its way."""

ASKED_BY_ANOTHER = {
    "releasefiles.export_release": "needs a release: see test_releases",
    "claiming._hold": "claim_case and touch_case",
    "caller._failed": "check_caller",
    "callbacks.end_call_back": "takes a call-back, which only somebody who may take calls can get",
}
FOR_ALL = {
    "looking.look",
    "noting.note_export",
    "workbook.write_workbook",
    "forms.write_form",
    "chase.tell_list",
}
"""What a viewer may, too."""

SHEET = ResultSheet(100, (GroupCounts("Biden", 100, 100, 6),))


@pytest.fixture
def staffed(desk: Desk, tmp_path: Path) -> Desk:
    """Vi is a viewer and signed in, Cleo a clerk who is not; A-1 has a paper report."""
    (tmp_path / "results.csv").write_text(RESULTS, encoding="utf-8")
    plain_pdf(tmp_path / "sheet.pdf")
    make_first_administrator(desk, "Ada", "1111")
    make_account(desk, "Vi", Role.VIEWER, "2222", by="Ada")
    make_account(desk, "Cleo", Role.CLERK, "3333", by="Ada")
    module("loading").load_results(desk, tmp_path / "results.csv", channel=Channel.PAPER, by="Ada")
    sign_in(desk, "Vi", "2222")
    return desk


def test_every_writer_is_tried() -> None:
    missing = set(ASKING) - set(CALLS) - set(ASKED_BY_ANOTHER)
    assert not missing, f"add to CALLS how these are called: {', '.join(sorted(missing))}"


def test_who_did_not_sign_in_and_who_only_looks_are_refused_by_all(staffed: Desk, tmp_path: Path) -> None:
    counted = state_of(staffed)
    for key, call in CALLS.items():
        with pytest.raises(Refused) as refusal:
            call(staffed, "Cleo", tmp_path)
        assert "Cleo is not signed in here" in refusal.value.sentence, key
        if key not in FOR_ALL:
            with pytest.raises(Refused) as refusal:
                call(staffed, "Vi", tmp_path)
            assert "Vi is a viewer" in refusal.value.sentence, key
        with pytest.raises(Refused) as refusal:
            call(staffed, "Mallory", tmp_path)
        assert "no open account of the name Mallory" in refusal.value.sentence, key
    assert state_of(staffed) == counted
    assert not (tmp_path / "out.xlsx").exists()
    assert not (tmp_path / "copy").exists()


def state_of(desk: Desk) -> list[str]:
    """Everything in the trail but what was refused."""
    with desk.store.read() as unit:
        return [event.sentence for event in unit.audit_trail(limit=500) if event.action != "refused"]
