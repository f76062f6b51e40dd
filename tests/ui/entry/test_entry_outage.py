"""The server goes away in mid-sheet: it is said at once, nothing that was typed is lost, and what was
submitted meanwhile is submitted once."""

import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest

from caucus_desk.desk import entry
from caucus_desk.desk.creating import create_caucus
from caucus_desk.desk.people import make_account, make_first_administrator, sign_in
from caucus_desk.desk.roles import Role
from caucus_desk.desk.session import open_desk
from caucus_desk.store.submissions import SubmissionWriting
from caucus_desk.tally.report import Channel
from caucus_desk.tally.sheet import GroupCounts, ResultSheet

ROOT = Path(__file__).parents[3]


def kb():
    return sys.modules["caucus_tests_keyboard"]


@pytest.fixture
def address(postgres, tmp_path):
    """A caucus on the tests' server, by the straight way."""
    roster = tmp_path / "roster.csv"
    roster.write_text(kb().ROSTER, encoding="utf-8")

    def make(place):
        create_caucus(place, "iowa-2020", roster, by="lead", name="A night").desk.close()

    with postgres.database(postgres.model("a night of the keyboard", make)) as place:
        yield place


@pytest.fixture
def cable(outage, address):
    """The way of the window to the server: an address, and the line that can be cut."""
    with outage.line(address) as made:
        yield made


@pytest.fixture
def headquarters(address):
    """Another desk, whose network is all right."""
    with open_desk(address) as desk:
        yield desk


@pytest.fixture
def clerk(qapp, cable):
    made = kb().Clerk(open_desk(cable[0]), "clerk 07")
    made.open("77-DM14", Channel.PAPER)
    yield made
    kb().Clerk.hasty = False
    cable[1].mend()
    if made.window.shell is not None:
        made.wait_until(lambda: made.window.shell.context.reachable)
    made.leave()


@pytest.fixture
def hasty():
    """People who type on, whatever the store does."""
    kb().Clerk.hasty = True
    yield
    kb().Clerk.hasty = False


def page_of(clerk):
    return clerk.window.shell.pages["entry"]


def foot(clerk):
    return page_of(clerk)._sheet.foot._saved.text()


def files(tmp_path):
    """What is kept on this computer; the folder goes with the last of it, also while it is looked at."""
    try:
        return sorted((tmp_path / "data" / "drafts").rglob("*.json"))
    except FileNotFoundError:
        return []


def kept(tmp_path):
    return json.loads(files(tmp_path)[0].read_text(encoding="utf-8"))


def stored(desk):
    draft = entry.draft_at(desk, "77-DM14", Channel.PAPER)
    return {} if draft is None else dict(draft.fields)


def gone(clerk):
    return not clerk.window.shell.context.reachable


def says_gone(clerk):
    return "does not answer since" in clerk.window.shell.status.text


def longest_pause(work):
    """The longest time for which the window did not answer while `work` went on."""
    ticks = []
    clock = QTimer()
    clock.timeout.connect(lambda: ticks.append(time.monotonic()))
    clock.start(20)
    ticks.append(time.monotonic())
    work()
    clock.stop()
    ticks.append(time.monotonic())
    return max(after - before for before, after in pairwise(ticks))


CUTS = {"stopped": ("hang_up", 1.0), "cut": ("cut", 6.0)}
"""What happens to the line, and within how many seconds the page says so."""


@pytest.mark.parametrize("how", CUTS)
def test_it_is_said_typing_goes_on_and_all_of_it_is_on_the_disk(clerk, cable, headquarters, tmp_path, how):
    what, within = CUTS[how]
    clerk.keys("161")
    clerk.wait_until(lambda: stored(headquarters).get("attendance") == "161")
    getattr(cable[1], what)()
    begun = time.monotonic()
    clerk.wait_until(lambda: says_gone(clerk))
    assert time.monotonic() - begun < within
    assert "saved" not in foot(clerk)
    assert not clerk.window.shell.status.saved.isVisible(), "nothing is shown as saved"

    def type_on():
        clerk.enter()
        for group in clerk.desk.rules.keys:
            for count in kb().DM14.get(group, (None, None, None)):
                clerk._count(count)
            QTest.qWait(5)

    assert longest_pause(type_on) < 1.0
    typed = time.monotonic()
    clerk.wait_until(lambda: files(tmp_path) and kept(tmp_path)["texts"].get("Yang.final") == "0")
    assert time.monotonic() - typed < 2
    clerk.wait_until(lambda: foot(clerk).startswith("kept on this computer "))
    (file,) = files(tmp_path)
    if os.name == "posix":
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert stored(headquarters) == {"attendance": "161"}
    cable[1].mend()
    clerk.wait_until(lambda: stored(headquarters).get("Sanders.final") == "50")
    clerk.wait_until(lambda: foot(clerk).startswith("draft saved "))
    clerk.wait_until(lambda: not files(tmp_path))
    clerk.wait_until(lambda: "answers again" in clerk.window.shell.status.text)


def test_a_sheet_that_was_submitted_meanwhile_is_submitted_when_the_server_is_back(
    clerk, cable, headquarters, tmp_path, hasty
):
    clerk.fill(161, kb().DM14)
    clerk.wait_until(lambda: stored(headquarters).get("Yang.delegates") == "0")
    cable[1].hang_up()
    clerk.wait_until(lambda: gone(clerk))
    clerk.enter()
    assert clerk.sees("Nothing is submitted yet: the store does not answer.")
    assert foot(clerk) == "not submitted yet"
    assert kept(tmp_path)["submitting"] is True
    assert kb().reports(headquarters, "77-DM14") == {}
    cable[1].mend()
    clerk.wait_until(lambda: clerk.sees("Next precinct"))
    report = kb().reports(headquarters, "77-DM14")[Channel.PAPER]
    assert report.sheet.row("Yang").delegates == 0
    assert page_of(clerk).receipt.code.text().replace(" ", "") == report.receipt
    clerk.wait_until(lambda: not files(tmp_path))


def test_closing_meanwhile_says_where_it_is_kept_and_it_is_offered_at_the_next_start(
    clerk, cable, headquarters, tmp_path, hasty
):
    clerk.keys("161")
    clerk.wait_until(lambda: stored(headquarters).get("attendance") == "161")
    cable[1].hang_up()
    clerk.wait_until(lambda: gone(clerk))
    clerk.enter()
    clerk.keys("44")
    begun = time.monotonic()
    assert not clerk.window.close()
    assert time.monotonic() - begun < 2
    assert clerk.sees("The store does not answer. What you typed last is kept on this computer")
    assert clerk.window.close()
    assert len(files(tmp_path)) == 1
    cable[1].mend()
    again = kb().Clerk(open_desk(cable[0]), "clerk 07")
    assert again.sees("paper: kept here ")
    again.key(Qt.Key.Key_Down)
    again.enter()
    again.wait_until(lambda: stored(headquarters).get("Bennet.first") == "44")
    again.leave()


def test_leaving_a_sheet_meanwhile_does_not_wait(clerk, cable, headquarters, hasty):
    cable[1].hang_up()
    clerk.wait_until(lambda: gone(clerk))
    clerk.keys("161")
    clerk.key(Qt.Key.Key_Escape)
    begun = time.monotonic()
    clerk.keys("k")
    clerk.wait_until(lambda: clerk.sees("could not be saved yet: the sheet stays open"))
    assert time.monotonic() - begun < 3
    cable[1].mend()
    clerk.wait_until(lambda: stored(headquarters).get("attendance") == "161")


def test_a_changed_box_stops_the_submit_that_waits(clerk, cable, headquarters, hasty):
    clerk.fill(161, kb().DM14)
    clerk.wait_until(lambda: stored(headquarters).get("Yang.delegates") == "0")
    cable[1].hang_up()
    clerk.wait_until(lambda: gone(clerk))
    clerk.enter()
    clerk.key(Qt.Key.Key_Up)
    clerk.keys("1")
    assert clerk.sees("press Submit again")
    cable[1].mend()
    clerk.wait_until(lambda: stored(headquarters).get("Uncommitted.delegates") == "1")
    assert kb().reports(headquarters, "77-DM14") == {}


def test_the_usual_questions_come_when_the_server_is_back(clerk, cable, headquarters, hasty):
    draft = entry.claim(headquarters, "77-DM14", Channel.PHONE, "clerk 12")
    clerk.fill(161, kb().DM14)
    clerk.wait_until(lambda: stored(headquarters).get("Yang.delegates") == "0")
    other = dict(kb().DM14, Warren=(28, 32, 1), Biden=(20, 24, 1))
    page = page_of(clerk)
    sheet = page._sheet.sheet
    rows = tuple(GroupCounts(r.group, *other[r.group]) if r.group in other else r for r in sheet.groups)
    cable[1].hang_up()
    clerk.wait_until(lambda: gone(clerk))
    clerk.enter()
    entry.submit(
        headquarters, draft.id, replace(sheet, groups=rows), "clerk 12", reasons={"C11": "as it was read"}
    )
    cable[1].mend()
    clerk.wait_until(lambda: clerk.sees("Does not match in: Biden final and Warren final"))
    assert list(kb().reports(headquarters, "77-DM14")) == [Channel.PHONE]
    assert page._sheet.body.isEnabled()


def test_a_connection_that_broke_while_it_was_saving_submits_once(
    clerk, cable, headquarters, tmp_path, hasty, monkeypatch
):
    """The commit arrives, its answer does not: the desk cannot know, and asks again with the same token."""
    clerk.fill(161, kb().DM14)
    clerk.wait_until(lambda: stored(headquarters).get("Yang.delegates") == "0")
    add = SubmissionWriting.add_submission

    def cut_off(self, token, report_id, answer):
        add(self, token, report_id, answer)
        cable[1].swallow_answers()  # the very next word to the server is COMMIT

    monkeypatch.setattr(SubmissionWriting, "add_submission", cut_off)
    clerk.enter()
    clerk.wait_until(lambda: clerk.sees("whether it is in is not known yet"))
    assert not page_of(clerk)._sheet.body.isEnabled(), "nothing is typed into what may be in already"
    assert list(kb().reports(headquarters, "77-DM14")) == [Channel.PAPER]
    assert kept(tmp_path)["submitting"] is True
    monkeypatch.setattr(SubmissionWriting, "add_submission", add)
    cable[1].mend()
    clerk.wait_until(lambda: clerk.sees("Next precinct"))
    with headquarters.store.read() as unit:
        assert len(unit.history("77-DM14")) == 1, "once, not twice"
    clerk.wait_until(lambda: not files(tmp_path))


def test_a_lock_that_is_held_too_long_is_said_and_the_submit_comes_after_it(
    clerk, headquarters, tmp_path, hasty, monkeypatch
):
    monkeypatch.setattr(clerk.desk.store, "_busy_seconds", 0.5)
    clerk.fill(161, kb().DM14)
    clerk.wait_until(lambda: stored(headquarters).get("Yang.delegates") == "0")
    with headquarters.store.write():
        clerk.enter()
        clerk.wait_until(lambda: clerk.sees("Nothing is submitted yet: another program holds the store."))
        assert foot(clerk) == "not submitted yet"
        assert page_of(clerk)._sheet.body.isEnabled()
    clerk.wait_until(lambda: clerk.sees("Next precinct"))
    assert list(kb().reports(headquarters, "77-DM14")) == [Channel.PAPER]


def test_the_window_answers_while_the_line_is_dead(clerk, cable, headquarters, hasty):
    """Pages are gone through and nothing of it waits for the network."""
    cable[1].cut()
    clerk.wait_until(lambda: gone(clerk))

    def go_round():
        for name in ("results", "precincts", "paper", "calls", "entry"):
            clerk.page(name)
            QTest.qWait(50)

    assert longest_pause(go_round) < 1.5


def sit_down(clerk, name):
    clerk.key(Qt.Key.Key_F8)
    clerk.wait_until(lambda: clerk.window.shell.person_page.isVisible())
    said = clerk.screen()
    clerk.keys(name)
    clerk.enter()
    clerk.wait_until(lambda: clerk.window.shell.context.person == name)
    return said


def test_who_sits_down_meanwhile_sees_nothing_of_the_last_persons_list(
    clerk, cable, headquarters, tmp_path, hasty
):
    clerk.keys("161")
    clerk.wait_until(lambda: stored(headquarters).get("attendance") == "161")
    entry.claim(headquarters, "57-CR01", Channel.PAPER, "zed")
    cable[1].hang_up()
    clerk.wait_until(lambda: gone(clerk))
    clerk.enter()
    clerk.keys("20")
    clerk.wait_until(lambda: files(tmp_path))
    sit_down(clerk, "zed")
    page = page_of(clerk)
    assert not page._drafts
    assert not page._files
    assert not page.finder._drafts
    assert page._kept_for("77-DM14", Channel.PAPER) is None
    cable[1].mend()
    clerk.wait_until(lambda: [draft.by for draft in page._drafts] == ["zed"])
    assert [offer.precinct_id for offer in page.finder._drafts] == ["57-CR01"]
    clerk.wait_until(lambda: stored(headquarters).get("Bennet.first") == "20")
    clerk.wait_until(lambda: not files(tmp_path))


def test_a_submit_that_waits_is_said_before_another_sits_down_and_is_offered_again(
    clerk, cable, headquarters, tmp_path, hasty
):
    clerk.fill(161, kb().DM14)
    clerk.wait_until(lambda: stored(headquarters).get("Yang.delegates") == "0")
    cable[1].hang_up()
    clerk.wait_until(lambda: gone(clerk))
    clerk.enter()
    clerk.wait_until(lambda: clerk.sees("Nothing is submitted yet"))
    said = sit_down(clerk, "zed")
    assert "A sheet that clerk 07 submitted waits for the store." in said
    assert "else it waits until clerk 07 is back" in said
    assert clerk.sees("The sheet that clerk 07 submitted last is not in.")
    cable[1].mend()
    clerk.wait_until(lambda: not gone(clerk))
    QTest.qWait(2500)
    assert not kb().reports(headquarters, "77-DM14"), "nobody submits in another's name"
    assert len(files(tmp_path)) == 1
    assert "submitted waits" not in sit_down(clerk, "clerk 07")
    assert clerk.sees("paper: kept here ")
    clerk.key(Qt.Key.Key_Down)
    clerk.enter()
    clerk.wait_until(lambda: page_of(clerk)._draft is not None)
    clerk.ctrl_enter()
    clerk.wait_until(lambda: clerk.sees("Next precinct"))
    assert list(kb().reports(headquarters, "77-DM14")) == [Channel.PAPER]
    clerk.wait_until(lambda: not files(tmp_path))


def test_two_windows_of_one_person_keep_each_what_was_typed_in_it(
    clerk, cable, address, outage, tmp_path, hasty
):
    clerk.keys("161")
    clerk.wait_until(lambda: not page_of(clerk).writer.owing)
    with outage.line(address) as (way, line):
        second = kb().Clerk(open_desk(way.replace("127.0.0.1", "localhost")), "clerk 07")
        second.open("77-DM14", Channel.PAPER)
        for each, cut, count in ((clerk, cable[1], "20"), (second, line, "30")):
            cut.hang_up()
            each.wait_until(lambda each=each: gone(each))
            each.window.activateWindow()
            page_of(each)._sheet.take_focus()
            each.enter()
            each.keys(count)
        clerk.wait_until(lambda: len(files(tmp_path)) == 2)
        typed = sorted(
            json.loads(one.read_text(encoding="utf-8"))["owed"].popitem()[1] for one in files(tmp_path)
        )
        assert typed == ["20", "30"]
        assert len({one.parent for one in files(tmp_path)}) == 1, "however the server is spelled"
        line.mend()
        second.wait_until(lambda: not page_of(second).writer.owing)
        second.wait_until(lambda: len(files(tmp_path)) == 1)
        assert kept(tmp_path)["window"] == clerk.window.shell.context.window, "the other's file stays"
        second.leave()


def test_a_disk_that_takes_nothing_is_not_called_keeping(clerk, cable, headquarters, tmp_path, hasty):
    clerk.keys("161")
    clerk.wait_until(lambda: not page_of(clerk).writer.owing)
    clerk.wait_until(lambda: not list((tmp_path / "data" / "drafts").rglob("*")))
    shutil.rmtree(tmp_path / "data" / "drafts", ignore_errors=True)
    (tmp_path / "data").mkdir(exist_ok=True)
    (tmp_path / "data" / "drafts").write_text("a file, where the folder should be", encoding="utf-8")
    status = clerk.window.shell.status
    cable[1].hang_up()
    clerk.wait_until(lambda: says_gone(clerk))
    assert "are kept on this computer" not in status.text
    assert "this computer cannot keep what is typed" in status.text
    (tmp_path / "data" / "drafts").unlink()
    clerk.enter()
    clerk.keys("20")
    clerk.wait_until(lambda: "sheets are kept on this computer" in status.text)


PAGES = ("review", "calls", "results", "entry")


def test_a_cable_that_was_just_pulled_out_stops_neither_typing_nor_the_pages(clerk, cable, hasty):
    """Before anybody can know of it: what is read meanwhile gives up in good time."""
    shell = clerk.window.shell
    pauses = {}
    for name in PAGES:  # to make a page takes its own time
        clerk.page(name)

    def type_on():
        for key in "12" * 12:
            clerk.keys(key)
            QTest.qWait(100)
        shell.sitting.look()
        QTest.qWait(300)

    def go_to(name):
        clerk.page(name)
        QTest.qWait(1500)

    steps = {"typing": type_on, **{name: lambda name=name: go_to(name) for name in PAGES}}
    for what, work in steps.items():
        cable[1].cut()
        pauses[what] = longest_pause(work)
        cable[1].mend()
        clerk.wait_until(lambda: shell.context.reachable)
        QTest.qWait(700)
    assert max(pauses.values()) < 1.0, pauses


def test_what_is_covered_stays_so_while_the_cable_is_out(clerk, cable, headquarters, hasty):
    """Nothing is uncovered by not knowing what this person keys."""
    context = clerk.window.shell.context
    draft = entry.claim(headquarters, "57-CR01", Channel.PAPER, "Bo")
    sheet = ResultSheet(20, (GroupCounts("Biden", 20, 20, 4),))
    entry.submit(headquarters, draft.id, sheet, "Bo", reasons={})
    result = lambda: context.overview.results["57-CR01"]  # noqa: E731
    clerk.wait_until(lambda: result().reporting)
    assert not context.eyes.may_see(result())
    cable[1].cut()
    for name in ("results", "precincts"):
        clerk.page(name)
        assert not context.eyes.may_see(result())
    clerk.wait_until(lambda: gone(clerk))
    assert not context.eyes.may_see(result())


def test_a_server_that_is_started_again_is_found_by_itself(qapp, tmp_path, hasty):
    """The real thing: the server's power fails, and it comes up again."""
    script = ROOT / ".ci" / "cluster"
    if subprocess.run(["bash", str(script), "have"], check=False).returncode:
        pytest.skip("there is no PostgreSQL server on this computer")
    folder = Path(tempfile.mkdtemp())
    start = ["bash", str(script), "start", str(folder)]
    made = subprocess.run(start, stdout=subprocess.PIPE, text=True, check=True)
    try:
        roster = tmp_path / "roster.csv"
        roster.write_text(kb().ROSTER, encoding="utf-8")
        place = made.stdout.strip()
        clerk = kb().Clerk(create_caucus(place, "iowa-2020", roster, by="lead").desk, "clerk 07")
        clerk.open("77-DM14", Channel.PAPER)
        clerk.keys("161")
        clerk.enter()
        clerk.wait_until(lambda: not page_of(clerk).writer.owing)
        crash = subprocess.Popen(["bash", str(script), "crash", str(folder)])
        clerk.wait_until(lambda: gone(clerk))
        clerk.keys("44")
        assert crash.wait(60) == 0
        clerk.wait_until(lambda: not gone(clerk))
        clerk.wait_until(lambda: stored(clerk.desk).get("Bennet.first") == "44")
        clerk.wait_until(lambda: not files(tmp_path))
        clerk.leave()
    finally:
        subprocess.run(["bash", str(script), "stop", str(folder)], check=True)


# --- a window that is killed meanwhile ------------------------------------------------------------------


KILLED = """
import sys, time
sys.path.insert(0, {root!r})
import importlib.util
spec = importlib.util.spec_from_file_location("caucus_tests_keyboard", {root!r} + "/tests/keyboard.py")
kb = importlib.util.module_from_spec(spec)
sys.modules["caucus_tests_keyboard"] = kb
spec.loader.exec_module(kb)
from PySide6.QtWidgets import QApplication
from PySide6.QtTest import QTest
from caucus_desk.desk.people import make_account, make_first_administrator, sign_in
from caucus_desk.desk.roles import Role
from caucus_desk.desk.session import open_desk
from caucus_desk.tally.report import Channel
app = QApplication([])
clerk = kb.Clerk(open_desk(sys.argv[1]), "clerk 07")
clerk.open("77-DM14", Channel.PAPER)
clerk.keys("161")
clerk.enter()
page = clerk.window.shell.pages["entry"]
clerk.wait_until(lambda: not page.writer.owing)
print("typed", flush=True)
clerk.wait_until(lambda: not clerk.window.shell.context.reachable)
clerk.keys("44")
clerk.wait_until(lambda: "kept on this computer" in page._sheet.foot._saved.text())
print("kept", flush=True)
while True:
    QTest.qWait(50)
"""


@pytest.fixture
def killed(qapp, cable, tmp_path):
    """A window of another process that is killed while the server is away, with 44 typed that only this
    computer has."""
    child = subprocess.Popen(
        [sys.executable, "-c", KILLED.format(root=str(ROOT)), cable[0]],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "CAUCUS_DESK_DATA": str(tmp_path / "data")},
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "typed\n"
    cable[1].hang_up()
    assert child.stdout.readline() == "kept\n"
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    child.stdout.close()
    cable[1].mend()
    assert len(files(tmp_path)) == 1


needs_kill = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs a system with kill -9")


@needs_kill
def test_after_a_kill_the_sheet_is_offered_to_its_person_only_and_goes_into_the_draft(
    killed, cable, tmp_path
):
    other = kb().Clerk(open_desk(cable[0]), "clerk 12")
    assert not other.sees("kept here")
    other.leave()
    assert len(files(tmp_path)) == 1
    clerk = kb().Clerk(open_desk(cable[0]), "Clerk  07")
    assert clerk.sees("paper: kept here ")
    clerk.key(Qt.Key.Key_Down)
    clerk.enter()
    clerk.wait_until(lambda: page_of(clerk)._draft is not None)
    assert page_of(clerk)._sheet.sheet.row("Bennet").first == 44
    assert clerk.sees("What was kept on this computer at ")
    clerk.wait_until(lambda: stored(clerk.desk) == {"attendance": "161", "Bennet.first": "44"})
    clerk.wait_until(lambda: not files(tmp_path))
    clerk.leave()


@needs_kill
def test_what_another_window_saved_meanwhile_is_not_overwritten_unasked(killed, cable, tmp_path):
    with open_desk(cable[0]) as desk:
        draft = entry.draft_at(desk, "77-DM14", Channel.PAPER)
        entry.save_draft(desk, draft.id, {"Bennet.first": "5"}, "clerk 07", draft.updated)
    clerk = kb().Clerk(open_desk(cable[0]), "clerk 07")
    clerk.key(Qt.Key.Key_Down)
    clerk.enter()
    clerk.wait_until(lambda: clerk.sees("What stands?"))
    assert clerk.sees("Bennet first: 44 here, 5 saved by the other window at ")
    clerk.keys("m")
    clerk.enter()
    clerk.wait_until(lambda: stored(clerk.desk) == {"attendance": "161", "Bennet.first": "44"})
    clerk.wait_until(lambda: not files(tmp_path))
    clerk.leave()


def test_a_window_locks_also_while_the_server_is_away(qapp, cable, hasty):
    with open_desk(cable[0]) as desk:
        make_first_administrator(desk, "Ada", "246810")
        make_account(desk, "clerk 07", Role.CLERK, "135791", by="Ada")
    desk = open_desk(cable[0])
    sign_in(desk, "clerk 07", "135791")
    clerk = kb().Clerk(desk, "clerk 07")
    clerk.open("77-DM14", Channel.PAPER)
    clerk.keys("161")
    clerk.wait_until(lambda: not page_of(clerk).writer.owing)
    cable[1].hang_up()
    clerk.wait_until(lambda: gone(clerk))
    clerk.enter()
    clerk.keys("44")
    clerk.key(Qt.Key.Key_F8)
    assert clerk.window.shell.sitting.locked
    assert not page_of(clerk).isVisible()
    cable[1].mend()
    clerk.wait_until(lambda: not gone(clerk))
    clerk.wait_until(lambda: stored(clerk.desk).get("Bennet.first") == "44")
    clerk.leave()
