"""One case is one person's while it is open; and what a role may not do is said and cannot be done."""

from datetime import UTC, datetime, timedelta

import pytest
from PySide6.QtCore import Qt

from caucus_desk.desk import cases, claiming, people
from caucus_desk.desk.roles import Role
from caucus_desk.desk.session import open_desk
from caucus_desk.tally.state import State


def go(clerk, precinct_id="77-DM14"):
    clerk.page("review")
    clerk.window.shell.context.show_page("review", precinct_id)
    clerk.rest()
    return clerk.window.shell.pages["review"]


def held(desk):
    return {one: claim.by for one, claim in cases.claims(desk).items()}


@pytest.fixture
def beside(differing):
    """The same store, as another computer has it open."""
    other = open_desk(str(differing.location))
    yield other
    other.close()


def test_an_open_case_is_claimed_and_given_back_when_it_is_left(differing, sit):
    reviewer = sit("reviewer 3")
    go(reviewer)
    assert held(differing) == {"77-DM14": "reviewer 3"}
    reviewer.key(Qt.Key.Key_Escape)
    assert held(differing) == {}


@pytest.mark.parametrize("way", ["another page", "the next case", "another person", "the window is closed"])
def test_every_way_out_gives_it_back(differing, sit, way):
    reviewer = sit("reviewer 3")
    page = go(reviewer)
    if way == "another page":
        reviewer.page("results")
    elif way == "the next case":
        reviewer.keys("n")
        assert held(differing) == {"77-DM42": "reviewer 3"}
        reviewer.key(Qt.Key.Key_Escape)
    elif way == "another person":
        page.context.set_person("reviewer 4")
    else:
        reviewer.window.close()
    assert held(differing) == {}


def test_coming_back_to_the_page_takes_the_case_up_again(differing, sit):
    reviewer = sit("reviewer 3")
    go(reviewer)
    reviewer.keys("p")
    reviewer.page("results")
    reviewer.page("review")
    assert held(differing) == {"77-DM14": "reviewer 3"}
    page = reviewer.window.shell.pages["review"]
    assert not page.view.choices.open(page.view.case), "what was chosen is kept"


def test_a_second_window_sees_who_has_it_and_can_only_look(differing, beside, sit):
    first = sit("reviewer 3")
    go(first)
    second = sit("reviewer 4", beside, beside=True)
    page = go(second)
    assert second.sees("reviewer 3 has this case open since")
    (row,) = [row for row in page.side.shown if row.id == "77-DM14"]
    assert row.claimed_by == "reviewer 3"
    assert second.sees("with reviewer 3")
    second.keys("p")
    second.ctrl_enter()
    second.keys("bcs")
    assert not page.view.foot.asking
    with beside.store.read() as unit:
        assert unit.ruling_history("77-DM14") == ()
    assert held(beside) == {"77-DM14": "reviewer 3"}
    first.window.activateWindow()
    first.window.shell.pages["review"].view.left.emit()
    second.wait_until(lambda: page.view.foot.choosing)
    assert held(beside) == {"77-DM14": "reviewer 4"}, "free again, it is this window's"


def test_n_passes_by_what_another_has(differing, beside, sit):
    cases.claim_case(beside, "77-DM42", "reviewer 4")
    reviewer = sit("reviewer 3")
    page = go(reviewer)
    reviewer.keys("n")
    assert page.view.case is None or page.view.case.precinct.id != "77-DM42"


def test_after_five_minutes_without_a_key_it_is_free(differing, beside, sit, monkeypatch):
    cases.claim_case(beside, "77-DM14", "reviewer 4")
    later = datetime.now(UTC) + timedelta(minutes=6)
    monkeypatch.setattr(
        claiming, "case_idle", lambda claim, now=None: later - claim.touched >= cases.CASE_IDLE
    )
    reviewer = sit("reviewer 3")
    page = go(reviewer)
    assert page.view.foot.choosing


def test_a_case_that_was_lost_while_nobody_typed_says_so(differing, beside, sit):
    reviewer = sit("reviewer 3")
    page = go(reviewer)
    cases.release_case(beside, "77-DM14", "reviewer 3")
    cases.claim_case(beside, "77-DM14", "reviewer 4")
    reviewer.wait_until(lambda: not page.view.foot.choosing)
    assert reviewer.sees("reviewer 4 has this case open since")


# --- roles ------------------------------------------------------------------------------------


@pytest.fixture
def roles(differing):
    """The store has accounts now, and everybody is signed in."""
    people.make_first_administrator(differing, "Ada", "8204")
    for name, role, pin in (
        ("reviewer 3", Role.REVIEWER, "5713"),
        ("clerk 30", Role.CLERK, "9174"),
        ("lead 2", Role.LEAD, "6038"),
    ):
        people.make_account(differing, name, role, pin, by="Ada")
        people.sign_in(differing, name, pin)
    return differing


def test_a_clerk_can_look_and_is_told_who_may_decide(roles, sit):
    clerk = sit("clerk 30")
    page = go(clerk)
    assert [row for row in clerk.listed() if len(row) == 6], "the figures can be compared"
    assert not page.view.foot.choosing
    assert clerk.sees("reviewer")
    clerk.keys("pbcsyxwk")
    clerk.ctrl_enter()
    assert roles.overview().results["77-DM14"].standing.state is State.MISMATCHED
    assert held(roles) == {}


def test_a_reviewer_decides(roles, sit):
    reviewer = sit("reviewer 3")
    go(reviewer)
    reviewer.keys("p")
    reviewer.enter()
    reviewer.keys("1")
    reviewer.ctrl_enter()
    assert roles.overview().results["77-DM14"].standing.state is State.RULED
