"""The Releases page by keys alone: the gate, making, approving, writing, comparing, and who may not."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from caucus_desk.desk import entry, people
from caucus_desk.desk.people import make_account, make_first_administrator
from caucus_desk.desk.releasefiles import verify_file
from caucus_desk.desk.releases import compare, release, releases
from caucus_desk.desk.releasing import gate, make_release
from caucus_desk.desk.roles import Role
from caucus_desk.desk.session import Desk
from caucus_desk.desk.settings import change_setting
from caucus_desk.tally.comparison import Kind
from caucus_desk.tally.report import Channel
from caucus_desk.tally.results import Counting
from caucus_desk.tally.sheet import GroupCounts, ResultSheet
from caucus_desk.ui.releases.page import ReleasesPage
from tests.keyboard import DM14, DM14_PEOPLE, Clerk, Counts, small_caucus

CTRL = Qt.KeyboardModifier.ControlModifier
CR01: Counts = {"Biden": (30, 30, 2), "Sanders": (30, 30, 2)}


def keyed(desk: Desk, precinct: str, rows: Counts, people_there: int, *, by: tuple[str, str]) -> None:
    """By two people, from two sources."""
    for channel, name in zip((Channel.PHONE, Channel.PAPER), by, strict=True):
        draft = entry.claim(desk, precinct, channel, name)
        counts = tuple(
            GroupCounts(group, *rows[group]) if group in rows else GroupCounts(group, None, None, None)
            for group in desk.rules.keys
        )
        sheet = ResultSheet(people_there, counts)
        found = entry.check(desk, precinct, sheet).findings
        reasons = {finding.id: "read twice" for finding in found}
        entry.submit(desk, draft.id, sheet, name, reasons=reasons)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = small_caucus(tmp_path)
    keyed(made, "77-DM14", DM14, DM14_PEOPLE, by=("clerk 01", "clerk 02"))
    yield made
    made.close()


@pytest.fixture
def lea(desk: Desk) -> Iterator[Clerk]:
    made = Clerk(desk, "Lea")
    made.page("releases")
    yield made
    made.leave()


def page(clerk: Clerk) -> ReleasesPage:
    found = clerk.window.shell.pages["releases"]
    assert isinstance(found, ReleasesPage)
    return found


def thought(clerk: Clerk, topic: str) -> None:
    clerk.wait_until(lambda: not clerk.window.shell.context.thinker.asked(topic))


def worked(clerk: Clerk) -> None:
    clerk.wait_until(lambda: not clerk.window.jobs.busy)


def at_the_gate(clerk: Clerk) -> None:
    clerk.keys("2")
    thought(clerk, "gate")


def give_reasons(clerk: Clerk, reason: str = "the rest comes in tonight") -> int:
    """Enter leads from what is held to what is held."""
    given = 0
    while clerk.where.startswith("Reason: "):
        clerk.keys(reason)
        clerk.enter()
        given += 1
    return given


def make(clerk: Clerk) -> None:
    at_the_gate(clerk)
    give_reasons(clerk)
    clerk.ctrl_enter()
    worked(clerk)


def earlier(desk: Desk, by: str = "Lea") -> None:
    """A release made before the window was opened."""
    found = gate(desk, Counting.REPORTED)
    passes = {item.id: "the rest comes in tonight" for item in found.held}
    make_release(desk, Counting.REPORTED, passes=passes, by=by)


def test_the_tenth_page_has_a_key(lea: Clerk) -> None:
    names = list(lea.window.shell.pages)
    assert names.index("releases") == names.index("results") + 1
    lea.page("help")
    assert lea.window.shell.current is lea.window.shell.pages["help"]
    lea.page("releases")
    assert lea.window.shell.current is page(lea)
    assert lea.sees("Nothing has been released yet")


def test_the_gate_says_of_each_item_ok_or_held_with_its_figures(lea: Clerk, desk: Desk) -> None:
    at_the_gate(lea)
    section, found = page(lea).gate, gate(desk, Counting.REPORTED)
    assert found.held, "counties with nothing"
    for item in found.items:
        frame = section._frames[item.id]
        assert (
            frame.accessibleName()
            == f"{item.title}: {'held' if item.holds else 'ok' if item.ok else 'to know'}"
        )
        assert item.detail in lea.screen()
        assert frame.reason.isVisible() is item.holds
    assert section.state.text() == f"Held: {len(found.held)} of {len(found.items)}."
    assert lea.where == f"Reason: {found.held[0].title}"
    assert [list(row) for row in section.beside.figure_model.rows] == [
        list(one) for one in found.held[0].figures
    ]
    assert not section.make.isEnabled()


def test_a_lead_makes_a_release_by_keys_alone(lea: Clerk, desk: Desk) -> None:
    at_the_gate(lea)
    held = [item.id for item in gate(desk, Counting.REPORTED).held]
    lea.ctrl_enter()
    assert releases(desk) == (), "a reason is missing"
    assert lea.where.startswith("Reason: ")
    assert give_reasons(lea) == len(held)
    assert lea.where == "Note for the release"
    lea.keys("first part")
    lea.ctrl_enter()
    worked(lea)
    made = release(desk, 1)
    assert (made.by, made.note, made.counting) == ("Lea", "first part", Counting.REPORTED)
    assert [one.item for one in made.passes] == sorted(held)
    assert {one.reason for one in made.passes} == {"the rest comes in tonight"}
    assert page(lea).sections.key == "list"
    assert made.digest_short in lea.window.notices.text
    thought(lea, "coverage of releases")
    row = lea.listed()[0]
    assert row[0] == "1"
    assert row[2:5] == ["Lea", "reported", "1 of 5 (20.0%)"]
    assert row[6] == made.digest_short
    assert lea.sees(f"Digest {made.digest}")


def test_what_was_typed_stays_when_the_gate_looks_again(lea: Clerk, desk: Desk) -> None:
    at_the_gate(lea)
    lea.keys("because of the snow")
    keyed(desk, "57-CR01", CR01, 60, by=("clerk 03", "clerk 04"))
    lea.window.shell.context.after_change()
    assert "Figures have changed since it looked" in page(lea).gate.state.text()
    assert lea.text == "because of the snow"
    page(lea).gate.look.click()
    thought(lea, "gate")
    assert "because of the snow" in [frame.reason.text() for frame in page(lea).gate._frames.values()]


def test_digits_and_letters_in_a_reason_are_text(lea: Clerk) -> None:
    at_the_gate(lea)
    lea.keys("3 Lee precincts, 1 p.m.")
    assert page(lea).sections.key == "gate"
    assert lea.text == "3 Lee precincts, 1 p.m."
    lea.key(Qt.Key.Key_Escape)
    lea.keys("3")
    assert page(lea).sections.key == "compare"


def test_the_workbook_csv_and_json_carry_its_digest(lea: Clerk, desk: Desk, tmp_path: Path) -> None:
    make(lea)
    made = release(desk, 1)
    for place, ending in enumerate(("xlsx", "csv", "json")):
        lea.keys("w")
        panel = page(lea).files
        assert panel.isVisible()
        assert f"release 1 {made.at.astimezone():%Y%m%d %H%M}" in lea.text, "number and time of the release"
        if place:
            panel.kind.turn()
        assert lea.text.endswith(f".{ending}")
        out = tmp_path / f"out of it.{ending}"
        lea.key(Qt.Key.Key_A, CTRL)
        lea.keys(str(out))
        lea.enter()
        worked(lea)
        assert "its digest is the release's" in lea.window.notices.text
        assert not panel.isVisible()
        assert verify_file(out, desk).ok
    assert json.loads((tmp_path / "out of it.json").read_text(encoding="utf-8"))
    with (tmp_path / "out of it.csv").open(encoding="utf-8-sig", newline="") as file:
        assert any("77-DM14" in row for row in csv.reader(file))


def test_two_releases_compare_with_precincts_groups_places_and_why(desk: Desk) -> None:
    earlier(desk)
    keyed(desk, "57-CR01", CR01, 60, by=("clerk 03", "clerk 04"))
    earlier(desk)
    lea = Clerk(desk, "Lea")
    try:
        lea.page("releases")
        lea.enter()
        thought(lea, "comparison")
        section, found = page(lea).comparing, compare(desk, 1, 2)
        assert section.pair == (1, 2)
        lines = list(section.model.rows)
        assert [(line.key, line.change.kind) for line in lines] == [("57-CR01", Kind.NEW)]
        assert section.summary.text().startswith("Counted: 1, then 2. Precincts that moved: new 1.")
        rows = {row[0]: row for row in lea.listed() if len(row) == 6}
        biden = next(move for move in found.groups if move.group == "Biden")
        assert rows["Biden"][3].startswith("+")
        assert rows["Biden"][5] == f"{biden.before.rank} → {biden.after.rank}"
        assert "Cedar Rapids-01, Linn: new." in section.told.text()
        lea.enter()
        assert lea.window.shell.current is lea.window.shell.pages["precincts"]
    finally:
        lea.leave()


def test_with_what_stands_now_a_covered_precinct_shows_no_figures(desk: Desk) -> None:
    earlier(desk)
    draft = entry.claim(desk, "57-CR01", Channel.PHONE, "clerk 03")
    counts = tuple(GroupCounts(group, *CR01.get(group, (0, 0, 0))) for group in desk.rules.keys)
    sheet = ResultSheet(60, counts)
    reasons = {finding.id: "read twice" for finding in entry.check(desk, "57-CR01", sheet).findings}
    entry.submit(desk, draft.id, sheet, "clerk 03", reasons=reasons)
    lea = Clerk(desk, "Lea")
    try:
        lea.page("releases")
        lea.keys("3")
        thought(lea, "comparison")
        section = page(lea).comparing
        assert section.pair == (1, 0)
        assert [line.covered for line in section.model.rows] == [True]
        assert "figures are covered" in section.told.text()
        assert not section.groups.isVisible(), "the sums would tell it"
    finally:
        lea.leave()


@pytest.fixture
def staffed(desk: Desk) -> Desk:
    make_first_administrator(desk, "Ada", "4711")
    for name, role in (("Lea", Role.LEAD), ("Liv", Role.LEAD), ("Cleo", Role.CLERK)):
        make_account(desk, name, role, "4711", by="Ada")
        people.sign_in(desk, name, "4711")
    return desk


def test_a_clerk_sees_why_it_is_not_theirs(staffed: Desk) -> None:
    cleo = Clerk(staffed, "Cleo")
    try:
        cleo.page("releases")
        at_the_gate(cleo)
        section = page(cleo).gate
        assert "Only a lead may make or approve a release" in section.why.text()
        assert not section.make.isEnabled()
        assert not any(frame.reason.isEnabled() for frame in section._frames.values())
        cleo.ctrl_enter()
        assert "Only a lead" in cleo.window.notices.text
        assert releases(staffed) == ()
    finally:
        cleo.leave()


def test_a_second_lead_approves_and_only_then_anything_goes_out(staffed: Desk) -> None:
    change_setting(staffed, "release_approval", "on", by="Ada")
    earlier(staffed)
    lea = Clerk(staffed, "Lea")
    try:
        lea.page("releases")
        assert page(lea).count() == 1
        assert lea.sees("waits for a second person")
        lea.keys("w")
        assert not page(lea).files.isVisible()
        lea.keys("a")
        worked(lea)
        assert release(staffed, 1).waiting, "nobody approves their own"
        assert lea.window.notices.text
    finally:
        lea.leave()
    liv = Clerk(staffed, "Liv")
    try:
        liv.page("releases")
        liv.keys("a")
        worked(liv)
        assert release(staffed, 1).approved_by == "Liv"
        assert liv.sees("approved by Liv")
        assert page(liv).count() is None
        liv.keys("w")
        assert page(liv).files.isVisible()
        liv.key(Qt.Key.Key_Escape)
        assert not page(liv).files.isVisible()
        assert QApplication.focusWidget() is page(liv).list.table
    finally:
        liv.leave()


def test_another_person_finds_nothing_that_was_typed(lea: Clerk) -> None:
    at_the_gate(lea)
    lea.keys("because of the snow")
    lea.window.shell.context.set_person("Liv")
    assert page(lea).sections.key == "list"
    at_the_gate(lea)
    assert lea.text == ""
