"""While another program holds the store the Review page goes on answering, and no key does a second thing."""

import sys
import time

import pytest
from PySide6.QtCore import QCoreApplication, Qt, QTimer

from caucus_desk.desk import approving, cases, errands
from caucus_desk.desk import review as deciding
from caucus_desk.desk.looking import eyes
from caucus_desk.desk.settings import change_setting
from caucus_desk.tally.report import Channel
from caucus_desk.tally.state import State

WAITS = "Waiting for the store, which another program holds"


def kb():
    return sys.modules["caucus_tests_keyboard"]


def review(clerk):
    return clerk.window.shell.pages["review"]


def open_case(clerk, precinct_id="77-DM14"):
    """Down the queue to that row, and into it."""
    page = review(clerk)
    clerk.page("review")
    page.side.table.select_key(precinct_id)
    clerk.enter()
    return page


def holders(desk):
    return {one: claim.by for one, claim in cases.claims(desk).items()}


def state(desk, precinct_id="77-DM14"):
    return desk.overview().results[precinct_id].standing.state


def rulings(desk, precinct_id="77-DM14"):
    with desk.store.read() as unit:
        return unit.ruling_history(precinct_id)


@pytest.fixture
def reviewer(differing, sit):
    return sit("reviewer 3")


def to_the_ruling(clerk, reason="the paper is signed"):
    """Up to the key that rules."""
    page = open_case(clerk)
    clerk.keys("a")
    clerk.enter()
    clerk.keys(reason)
    return page


def test_a_ruling_waits_without_the_window_standing_still(reviewer, differing):
    page = to_the_ruling(reviewer)
    alive = []
    timer = QTimer(interval=20)
    timer.timeout.connect(lambda: alive.append(time.monotonic()))
    with kb().held(differing):
        reviewer.ctrl_enter()
        timer.start()
        assert reviewer.sees(WAITS)
        reviewer.wait_until(lambda: len(alive) > 5)
        assert state(differing) is State.MISMATCHED
        assert page.view.isVisible()
    reviewer.wait_until(lambda: state(differing) is State.RULED)
    reviewer.wait_until(lambda: reviewer.sees("Ruled on Des Moines-14, Polk."))
    assert not reviewer.sees(WAITS)
    assert page.side.table.hasFocus(), "the hand is in the queue, as ever"
    assert holders(differing) == {}


def test_no_key_does_a_second_thing_while_a_ruling_waits(reviewer, differing):
    page = to_the_ruling(reviewer)
    with kb().held(differing):
        reviewer.ctrl_enter()
        assert reviewer.sees(WAITS)
        chosen = page.view.choices.values()
        reviewer.ctrl_enter()
        reviewer.enter(3)
        reviewer.keys("p")
        reviewer.keys("n")
        reviewer.key(Qt.Key.Key_Escape)
        reviewer.keys("and more")
        assert page.view.case.precinct.id == "77-DM14", "the case stays"
        assert page.view.choices.values() == chosen
        assert page.view.reason.text() == "the paper is signed"
    reviewer.wait_until(lambda: state(differing) is State.RULED)
    (stored,) = rulings(differing)
    assert stored.ruling.reason == "the paper is signed"
    assert stored.ruling.sheet.row("Biden").first == 19
    reviewer.wait_until(lambda: page.side.table.hasFocus())
    reviewer.enter()
    assert page.view.case.precinct.id == "77-DM42", "afterwards keys are taken again"


def test_on_another_page_the_keys_go_on_and_the_ruling_is_told_there(reviewer, differing):
    to_the_ruling(reviewer)
    with kb().held(differing):
        reviewer.ctrl_enter()
        reviewer.page("entry")
        reviewer.keys("dm42")
        assert reviewer.text == "dm42"
    reviewer.wait_until(lambda: state(differing) is State.RULED)
    reviewer.wait_until(lambda: reviewer.sees("Ruled on Des Moines-14, Polk."))
    assert reviewer.text == "dm42", "the hand stays where it is"


def test_another_person_sits_down_while_a_ruling_waits(reviewer, differing):
    page = to_the_ruling(reviewer)
    with kb().held(differing):
        reviewer.ctrl_enter()
        reviewer.key(Qt.Key.Key_F8)
        reviewer.keys("clerk 12")
        reviewer.enter()
    reviewer.wait_until(lambda: state(differing) is State.RULED)
    reviewer.wait_until(lambda: not page.ends.busy)
    assert rulings(differing)[0].ruling.by == "reviewer 3", "whoever ruled"
    assert not reviewer.sees("Ruled on"), "it is not told to the next person"


def test_a_store_that_stays_held_is_said_and_the_case_is_there_again(reviewer, differing):
    page = to_the_ruling(reviewer)
    with kb().held(differing):
        reviewer.ctrl_enter()
        reviewer.wait_until(lambda: not page.ends.busy, 20_000)
        assert not rulings(differing)
        assert "Nothing was saved; try again" in reviewer.window.notices.text
        assert page.view.reason.text() == "the paper is signed"
    reviewer.wait_until(lambda: page.hold.precinct_id == "77-DM14")
    reviewer.ctrl_enter()
    reviewer.wait_until(lambda: state(differing) is State.RULED)


def test_sending_back_waits_too(reviewer, differing):
    open_case(reviewer)
    reviewer.keys("c")
    with kb().held(differing):
        reviewer.enter(2)
        assert reviewer.sees(WAITS)
        reviewer.enter(2)
    reviewer.wait_until(lambda: reviewer.sees("is sent back"))
    assert len(errands.errands(differing)) == 1


def test_a_case_that_is_opened_waits_for_its_claim_and_can_be_read_meanwhile(reviewer, differing):
    open_case(reviewer)  # looked at once: what is left to be told is the claim
    reviewer.key(Qt.Key.Key_Escape)
    assert holders(differing) == {}
    with kb().held(differing):
        page = open_case(reviewer)
        assert reviewer.sees(WAITS)
        assert page.view.case.precinct.id == "77-DM14", "it can be read"
        reviewer.keys("a")
        assert page.view.choices.open(page.view.case), "and nothing can be chosen"
    reviewer.wait_until(lambda: holders(differing) == {"77-DM14": "reviewer 3"})
    reviewer.wait_until(lambda: page.view.can_choose)
    reviewer.keys("a")
    assert not page.view.choices.open(page.view.case)


def test_a_case_that_is_left_while_its_claim_waits_is_free_afterwards(reviewer, differing):
    for precinct_id in ("77-DM14", "77-DM42"):
        open_case(reviewer, precinct_id)
        reviewer.key(Qt.Key.Key_Escape)
    with kb().held(differing):
        page = open_case(reviewer)
        reviewer.key(Qt.Key.Key_Escape)
        assert page.side.table.hasFocus()
        open_case(reviewer, "77-DM42")
    reviewer.wait_until(lambda: holders(differing) == {"77-DM42": "reviewer 3"})
    reviewer.key(Qt.Key.Key_Escape)
    reviewer.wait_until(lambda: holders(differing) == {})


def test_leaving_a_case_is_at_once_and_it_is_given_back_later(reviewer, differing):
    page = open_case(reviewer)
    with kb().held(differing):
        began = time.monotonic()
        reviewer.key(Qt.Key.Key_Escape)
        assert time.monotonic() - began < 2, "nobody waits for it"
        assert page.side.table.hasFocus()
        assert holders(differing) == {"77-DM14": "reviewer 3"}
    reviewer.wait_until(lambda: holders(differing) == {})


def test_figures_that_are_looked_at_are_shown_when_the_trail_knows_of_it(reviewer, differing):
    with kb().held(differing):
        page = open_case(reviewer)
        assert reviewer.sees(WAITS)
        assert page.view.case is None, "covered until it is told"
        assert not page.view.isVisible()
        reviewer.enter()
        assert page.view.case is None
    reviewer.wait_until(lambda: page.view.case is not None)
    assert "77-DM14" in eyes(differing, "reviewer 3").looked
    assert reviewer.where == "Fields of this precinct"


def test_who_walks_on_while_a_look_waits_is_not_led_back(reviewer, differing):
    with kb().held(differing):
        page = open_case(reviewer)
        reviewer.key(Qt.Key.Key_Down)
        walked = page.side.table.current_key
        assert walked != "77-DM14"
    reviewer.wait_until(lambda: "77-DM14" in eyes(differing, "reviewer 3").looked)
    QCoreApplication.processEvents()
    assert page.view.case is None
    assert page.side.table.current_key == walked


def test_an_approval_waits_and_happens_once(swapped, sit):
    change_setting(swapped, "approval_stake", "0.1", by="lead")
    case = deciding.case(swapped, "77-DM14")
    deciding.rule(
        swapped,
        "77-DM14",
        cases.take(case, Channel.PHONE),
        seen_report=case.seen_report,
        reason="the chair was called back",
        by="reviewer 1",
    )
    lead = sit("lead 2")
    open_case(lead)
    with kb().held(swapped):
        lead.keys("y")
        assert lead.sees(WAITS)
        lead.keys("yx")
        assert not approving.pending(swapped)[0].ruling.approved_by
    lead.wait_until(lambda: state(swapped) is State.RULED)
    assert rulings(swapped)[0].ruling.approved_by == "lead 2"


def test_a_finding_is_acknowledged_when_the_store_answers(desk, put, sit):
    put("77-DM14", "phone", "clerk 07")
    put("77-DM14", "paper", "clerk 12")
    put("77-CL1", "phone", "clerk 07")  # the same figures in two precincts
    reviewer = sit("reviewer 3")
    page = open_case(reviewer)
    reviewer.keys("k")
    panel = page.view.panel.findings.panel
    assert panel.reason.hasFocus()
    reviewer.keys("the room insists")
    with kb().held(desk):
        reviewer.enter()
        assert reviewer.sees(WAITS)
        reviewer.keys(" and more")
        reviewer.enter(2)
        assert panel.reason.text() == "the room insists", "what is on its way stays as it is"
    reviewer.wait_until(lambda: reviewer.sees("is acknowledged."))
    with desk.store.read() as unit:
        given = [one for one in unit.acknowledgements(["77-DM14"])["77-DM14"] if one.by == "reviewer 3"]
    assert [(one.finding, one.reason) for one in given] == [("C35", "the room insists")]
