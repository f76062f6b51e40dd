"""How a case ends by keyboard: sent back three ways, approved, refused, withdrawn, accepted."""

import sys

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication

from caucus_desk.desk import approving, cases, entry, errands, review
from caucus_desk.desk.attachments import attach, attachments
from caucus_desk.desk.settings import change_setting
from caucus_desk.tally.report import Channel
from caucus_desk.tally.sheet import GroupCounts, ResultSheet
from caucus_desk.tally.state import State


def kb():
    return sys.modules["caucus_tests_keyboard"]


def open_case(clerk, precinct_id="77-DM14"):
    clerk.page("review")
    clerk.window.shell.context.show_page("review", precinct_id)
    clerk.rest()
    return clerk.window.shell.pages["review"]


def rulings(desk, precinct_id="77-DM14"):
    with desk.store.read() as unit:
        return unit.ruling_history(precinct_id)


def state(desk, precinct_id="77-DM14"):
    return desk.overview().results[precinct_id].standing.state


# --- sending back -----------------------------------------------------------------------------


def test_back_to_a_clerk(differing, sit):
    reviewer = sit("reviewer 3")
    open_case(reviewer)
    reviewer.keys("b")
    assert reviewer.sees("Which sheet is keyed again in: Biden first, Warren final?")
    reviewer.keys("a")
    reviewer.keys("the eights look like threes")
    reviewer.enter(2)
    (errand,) = errands.errands(differing)
    assert (errand.kind, errand.channel, errand.by) == ("rekey", Channel.PAPER, "reviewer 3")
    assert errand.fields == ("Biden.first", "Warren.final")
    assert errand.note == "the eights look like threes"
    assert reviewer.sees("is sent back")
    assert reviewer.window.shell.pages["review"].side.table.hasFocus()


@pytest.mark.parametrize(("letter", "kind"), [("c", "call back"), ("s", "fetch")])
def test_to_the_call_back_list_and_to_the_paper_chase(differing, sit, letter, kind):
    reviewer = sit("reviewer 3")
    open_case(reviewer)
    reviewer.keys(letter)
    reviewer.enter(2)  # a note need not be given
    (errand,) = errands.errands(differing)
    assert (errand.kind, errand.channel, errand.note) == (kind, None, "")
    open_case(reviewer)
    assert reviewer.sees("by reviewer 3 at"), "the case says that somebody is at it"


def test_esc_leaves_a_question_and_nothing_is_sent(differing, sit):
    reviewer = sit("reviewer 3")
    page = open_case(reviewer)
    reviewer.keys("b")
    reviewer.key(Qt.Key.Key_Escape)
    reviewer.keys("c")
    reviewer.keys("pay")
    reviewer.key(Qt.Key.Key_Escape)
    assert errands.errands(differing) == ()
    assert page.view.table.hasFocus()
    assert page.view.foot.choosing
    assert rulings(differing) == ()


def test_a_note_that_tells_the_others_number_is_refused_and_the_case_stays(differing, sit):
    reviewer = sit("reviewer 3")
    page = open_case(reviewer)
    reviewer.keys("ba")
    reviewer.keys("phone says 31")
    reviewer.enter(2)
    assert errands.errands(differing) == ()
    assert reviewer.sees("must not know it")
    assert page.view.foot.choosing


# --- approving --------------------------------------------------------------------------------


@pytest.fixture
def waiting(swapped):
    """A ruling of reviewer 1 that moves more than one person may decide."""
    change_setting(swapped, "approval_stake", "0.1", by="lead")
    case = review.case(swapped, "77-DM14")
    return review.rule(
        swapped,
        "77-DM14",
        cases.take(case, Channel.PHONE),
        seen_report=case.seen_report,
        reason="the chair was called back",
        by="reviewer 1",
    )


def test_a_ruling_above_the_stake_waits_and_says_so(swapped, sit):
    change_setting(swapped, "approval_stake", "0.1", by="lead")
    reviewer = sit("reviewer 1")
    open_case(reviewer)
    reviewer.keys("p")
    reviewer.enter()
    reviewer.keys("2")
    reviewer.ctrl_enter()
    assert reviewer.sees("has force when another person has approved it")
    assert state(swapped) is State.MISMATCHED
    assert len(approving.pending(swapped)) == 1


def test_another_person_approves(waiting, swapped, sit):
    lead = sit("lead 2")
    page = open_case(lead)
    assert lead.sees("reviewer 1 ruled at")
    assert lead.sees("the chair was called back")
    assert lead.sees("With it: Sanders 1 → 2, Warren 2 → 1")
    values = [row[-1] for row in lead.listed() if len(row) == 6]
    assert values == ["45", "50", "2", "28", "31", "1"], "what would stand is seen before it is approved"
    assert not page.view.foot.choosing
    lead.keys("p2")
    lead.keys("y")
    assert state(swapped) is State.RULED
    (stored,) = rulings(swapped)
    assert stored.ruling.approved_by == "lead 2"


def test_another_person_refuses_with_a_reason(waiting, swapped, sit):
    lead = sit("lead 2")
    open_case(lead)
    lead.keys("x")
    assert lead.where == "Why it is refused"
    lead.enter(2)
    assert not rulings(swapped)[0].withdrawn, "without a reason nothing is refused"
    lead.keys("1")
    lead.enter(2)
    (stored,) = rulings(swapped)
    assert (stored.withdrawn_by, stored.withdrawn_reason) == ("lead 2", "The sheet says otherwise")
    assert state(swapped) is State.MISMATCHED
    assert approving.pending(swapped) == ()


@pytest.mark.parametrize(
    ("person", "said"), [("reviewer 1", "You ruled here"), ("clerk 07", "You keyed the phone report")]
)
def test_nobody_approves_their_own_ruling_or_entry(waiting, swapped, sit, person, said):
    clerk = sit(person)
    open_case(clerk)
    assert clerk.sees(said)
    clerk.keys("yx")
    clerk.ctrl_enter()
    assert len(approving.pending(swapped)) == 1


def test_the_ruler_can_withdraw_while_it_waits(waiting, swapped, sit):
    clerk = sit("Reviewer 1")
    open_case(clerk)
    clerk.keys("w")
    clerk.keys("2")
    clerk.enter(2)
    (stored,) = rulings(swapped)
    assert stored.withdrawn_reason == "It was decided too early"


# --- withdrawing ------------------------------------------------------------------------------


@pytest.fixture
def ruled(swapped):
    case = review.case(swapped, "77-DM14")
    review.rule(
        swapped,
        "77-DM14",
        cases.take(case, Channel.PAPER),
        seen_report=case.seen_report,
        reason="the paper is signed",
        by="reviewer 1",
    )
    return swapped


def test_a_ruling_is_found_and_withdrawn_with_a_reason(ruled, sit):
    reviewer = sit("reviewer 3")
    reviewer.page("review")
    page = reviewer.window.shell.pages["review"]
    page.side.filter.kind.choose("ruled")
    reviewer.enter()
    assert reviewer.sees("reviewer 1 ruled at")
    reviewer.keys("h")
    assert any("ruling, stands" in row[1] for row in reviewer.listed() if len(row) == 4)
    reviewer.keys("w")
    assert reviewer.where == "Why it is withdrawn"
    reviewer.keys("wrong precinct")
    reviewer.enter(2)
    (stored,) = rulings(ruled)
    assert (stored.withdrawn_by, stored.withdrawn_reason) == ("reviewer 3", "wrong precinct")
    assert state(ruled) is State.MISMATCHED
    open_case(reviewer)
    assert any("ruling, withdrawn" in row[1] for row in reviewer.listed() if len(row) == 4)


# --- errors of figures that agree -------------------------------------------------------------


def test_an_error_of_figures_that_agree_is_accepted_here_with_a_reason(put, desk, sit):
    put("77-DM14", "phone", "clerk 07")
    put("77-DM14", "paper", "clerk 12")
    put("77-CL1", "phone", "clerk 07")  # the same figures in two precincts
    assert desk.overview().results["77-DM14"].open_errors == ("C35",)
    reviewer = sit("reviewer 3")
    page = open_case(reviewer)
    assert reviewer.sees("The figures that count break the rules: C35")
    reviewer.keys("k")
    assert page.view.panel.findings.panel.reason.hasFocus()
    reviewer.keys("both chairs were asked")
    reviewer.enter()
    assert desk.overview().results["77-DM14"].verified
    assert reviewer.sees("C35 is acknowledged")


def test_an_unconfirmed_report_points_to_the_call_back(desk, sit):
    """A caller who failed the check: the report verifies nothing until somebody has rung the chair."""
    clerk = sit("clerk 07")
    sheet = ResultSheet(161, tuple(GroupCounts(group, *three) for group, three in kb().DM14.items()))
    reasons = {finding.id: "asked" for finding in entry.check(desk, "77-DM14", sheet).findings}
    for channel, by in ((Channel.PHONE, "clerk 07"), (Channel.PAPER, "clerk 12")):
        draft = entry.claim(desk, "77-DM14", channel, by)
        who = entry.Caller("Jane Doe", "515 555 0142", "pin failed") if channel is Channel.PHONE else None
        entry.submit(desk, draft.id, sheet, by, reasons=reasons, caller=who)
    assert desk.overview().results["77-DM14"].standing.state is State.SINGLE
    clerk = sit("reviewer 3")
    open_case(clerk)
    assert clerk.sees("The phone report is not confirmed")
    clerk.keys("c")
    clerk.enter(2)
    (errand,) = errands.errands(desk)
    assert errand.kind == "call back"


# --- corrections ------------------------------------------------------------------------------


def test_a_correction_says_what_moved_and_is_noted_as_seen(put, desk, sit):
    put("77-DM14", "phone", "clerk 07")
    put("77-DM14", "paper", "clerk 12")
    assert desk.overview().results["77-DM14"].verified
    for channel, by in (("phone", "clerk 07"), ("paper", "clerk 12")):
        put("77-DM14", channel, by, Sanders_final=51, Warren_final=30)
    assert desk.overview().results["77-DM14"].changed_after_verified
    reviewer = sit("reviewer 3")
    page = open_case(reviewer)
    assert reviewer.sees("It was verified and has changed since")
    assert any("Des Moines-14" in text for text in page.view._lines.texts)
    reviewer.keys("h")
    assert any("Sanders final 50, then 51" in row[3] for row in reviewer.listed() if len(row) == 4)
    reviewer.keys("k")
    reviewer.enter()
    assert not [item for item in cases.queue(desk, desk.overview()) if "correction" in item.kinds]


# --- pictures ---------------------------------------------------------------------------------


def drop(page, *paths):
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    place = QPointF(page.view.rect().center())
    copy, left = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    none = Qt.KeyboardModifier.NoModifier
    entering = QDragEnterEvent(place.toPoint(), copy, mime, left, none)
    QApplication.sendEvent(page.view, entering)
    if entering.isAccepted():
        QApplication.sendEvent(page.view, QDropEvent(place, copy, mime, left, none))
    return entering.isAccepted()


def test_a_picture_is_dropped_onto_the_case(differing, sit, scans, tmp_path):
    reviewer = sit("reviewer 3")
    page = open_case(reviewer)
    assert drop(page, scans.png(tmp_path / "sheet.png"))
    reviewer.wait_until(lambda: reviewer.sees("I  picture 1"))
    (one,) = attachments(differing, "77-DM14")
    assert (one.name, one.by) == ("sheet.png", "reviewer 3")
    reviewer.keys("i")
    assert page.view.panel.picture.viewer.name == "sheet.png"


def test_what_is_no_picture_is_refused_in_a_sentence(differing, sit, tmp_path):
    notes = tmp_path / "notes.txt"
    notes.write_text("no picture", encoding="utf-8")
    reviewer = sit("reviewer 3")
    page = open_case(reviewer)
    assert drop(page, notes)
    reviewer.wait_until(lambda: bool(page.context.notices.text))
    assert attachments(differing, "77-DM14") == ()
    assert "PDF" in page.context.notices.text


def test_several_pictures_are_gone_through(differing, sit, scans, tmp_path):
    for name in ("front.png", "back.pdf"):
        make = scans.png if name.endswith("png") else scans.pdf
        attach(differing, "77-DM14", make(tmp_path / name), by="clerk 12")
    reviewer = sit("reviewer 3")
    viewer = open_case(reviewer).view.panel.picture.viewer
    reviewer.keys("i")
    assert viewer.name == "back.pdf"
    reviewer.key(Qt.Key.Key_I, Qt.KeyboardModifier.ShiftModifier)
    assert viewer.name == "front.png"
