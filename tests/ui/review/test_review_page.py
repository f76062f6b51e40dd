"""A case by keyboard: what differs, what each choice does, and a reviewer's ruling."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from caucus_desk.desk import entry, review
from caucus_desk.rules.errors import Refused
from caucus_desk.tally.catalogue import FINDINGS
from caucus_desk.tally.report import Channel
from caucus_desk.tally.state import State

SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def reviewer(differing, sit):
    return at_review(sit("reviewer 3"))


def at_review(clerk):
    clerk.page("review")
    return clerk


def open_case(clerk, precinct_id="77-DM14"):
    """Down the queue to that row, and into it."""
    page = clerk.window.shell.pages["review"]
    for _ in range(len(page.side.shown)):
        if page.side.table.current_key == precinct_id:
            break
        clerk.key(Qt.Key.Key_Down)
    assert page.side.table.current_key == precinct_id
    clerk.enter()
    return clerk


def figures(clerk):
    """The rows of the case: group, field, phone, paper, rules, ruling."""
    return [row for row in clerk.listed() if len(row) == 6]


def queued(clerk):
    return {row[0]: row for row in clerk.listed() if len(row) == 4 and "\n" in row[0]}


def state(desk, precinct_id="77-DM14"):
    return desk.overview().results[precinct_id].standing


def rulings(desk, precinct_id="77-DM14"):
    with desk.store.read() as unit:
        return unit.ruling_history(precinct_id)


def test_channels_stand_beside_each_other_and_what_differs_is_marked_in_words(reviewer):
    open_case(reviewer)
    assert reviewer.sees("clerk 07")
    assert reviewer.sees("clerk 12")
    assert [row[2:4] for row in figures(reviewer) if row[-1] == "differs"] == [["20", "19"], ["31", "30"]]


def test_d_shows_the_whole_sheet_in_its_order_or_only_what_differs(reviewer):
    open_case(reviewer)
    assert [row[0] for row in figures(reviewer) if row[0]] == ["Biden", "Warren"]
    reviewer.keys("d")
    order = [row[0] for row in figures(reviewer) if row[0]]
    assert order == ["Biden", "Buttigieg", "Klobuchar", "Sanders", "Warren", "Yang"]
    reviewer.keys("d")
    assert [row[0] for row in figures(reviewer) if row[0]] == ["Biden", "Warren"]


def test_take_phone_for_every_field_with_one_key(reviewer, differing):
    open_case(reviewer)
    reviewer.keys("p")
    reviewer.enter()
    assert reviewer.where == "Reason"
    reviewer.keys("the chair read it again")
    reviewer.ctrl_enter()
    sheet = state(differing).sheet
    assert (sheet.row("Biden").first, sheet.row("Warren").final) == (20, 31)


def test_take_paper_for_every_field_with_one_key(reviewer, differing):
    open_case(reviewer)
    reviewer.keys("a")
    reviewer.enter()
    reviewer.keys("the paper is signed")
    reviewer.ctrl_enter()
    sheet = state(differing).sheet
    assert (sheet.row("Biden").first, sheet.row("Warren").final) == (19, 30)
    assert reviewer.sees("Ruled on Des Moines-14, Polk.")


def test_field_by_field_with_a_reason(reviewer, differing):
    open_case(reviewer)
    reviewer.enter()
    assert reviewer.sees("Biden first: a letter, or digits")
    reviewer.keys("p")  # and on to the next field that is open
    reviewer.keys("a")
    reviewer.enter()
    assert reviewer.where == "Reason"
    reviewer.keys("saw the sheet")
    reviewer.enter(2)
    assert state(differing).state is State.RULED
    sheet = state(differing).sheet
    assert (sheet.row("Biden").first, sheet.row("Warren").final) == (20, 30)
    (stored,) = rulings(differing)
    assert (stored.ruling.by, stored.ruling.reason) == ("reviewer 3", "saw the sheet")
    with differing.store.read() as unit:
        assert set(unit.standing_reports(["77-DM14"])["77-DM14"]) == {Channel.PHONE, Channel.PAPER}, "stay"


def test_an_arrow_goes_to_a_field_and_esc_back_to_whole_sheets(reviewer):
    page = open_case(reviewer).window.shell.pages["review"]
    assert page.view.foot.takes[Channel.PHONE].text().strip() == "P  take phone"
    reviewer.key(Qt.Key.Key_Down)
    reviewer.key(Qt.Key.Key_Up)
    assert page.view.foot.takes[Channel.PHONE].text().strip() == "P  phone 20"
    assert page.view.foot.takes[Channel.PAPER].text().strip() == "A  paper 19"
    reviewer.key(Qt.Key.Key_Escape)
    assert page.view.foot.takes[Channel.PHONE].text().strip() == "P  take phone"
    reviewer.key(Qt.Key.Key_Down)
    reviewer.key(Qt.Key.Key_A, SHIFT)
    assert not [row for row in figures(reviewer) if row[-1] == "differs"], "Shift is always the whole sheet"


def test_a_value_that_neither_has_can_be_typed(reviewer, differing):
    open_case(reviewer)
    reviewer.keys("18")
    reviewer.key(Qt.Key.Key_Backspace)
    reviewer.keys("7")
    reviewer.enter()
    reviewer.keys("p")
    reviewer.enter()
    reviewer.keys("chair called back")
    reviewer.ctrl_enter()
    assert state(differing).sheet.row("Biden").first == 17


def test_a_typed_value_over_the_limit_is_not_taken(reviewer, differing):
    open_case(reviewer)
    reviewer.keys("123456")
    reviewer.enter()
    reviewer.keys("p")
    reviewer.enter()
    reviewer.keys("so it is")
    reviewer.ctrl_enter()
    assert state(differing).sheet.row("Biden").first == 12_345


@pytest.mark.parametrize("keys", ["", "\rp"])
def test_nothing_is_ruled_while_a_field_is_open(reviewer, differing, keys):
    open_case(reviewer)
    for one in keys:
        reviewer.enter() if one == "\r" else reviewer.keys(one)
    reviewer.ctrl_enter()
    reviewer.ctrl_enter()
    assert rulings(differing) == ()
    assert state(differing).state is State.MISMATCHED


def test_nothing_is_ruled_without_a_reason(reviewer, differing):
    open_case(reviewer)
    reviewer.keys("p")
    reviewer.enter()
    reviewer.keys("   ")
    reviewer.ctrl_enter()
    reviewer.enter(3)
    assert rulings(differing) == ()
    assert reviewer.where == "Reason"


def test_a_usual_reason_is_picked_by_its_digit(reviewer, differing):
    open_case(reviewer)
    reviewer.keys("a")
    reviewer.enter()
    assert reviewer.sees("1 The signed sheet says so")
    reviewer.keys("1")
    assert reviewer.text == "The signed sheet says so"
    reviewer.enter(2)
    (stored,) = rulings(differing)
    assert stored.ruling.reason == "The signed sheet says so"


def test_figures_that_ran_on_are_no_reason(reviewer, differing):
    open_case(reviewer)
    reviewer.keys("p")
    reviewer.enter()
    for _ in range(3):
        reviewer.keys("50")
        reviewer.enter()
    assert (reviewer.where, reviewer.text) == ("Reason", "")
    reviewer.keys("12")
    assert (reviewer.where, reviewer.text) == ("Reason", ""), "the second digit takes the pick back"
    reviewer.ctrl_enter()
    assert rulings(differing) == ()
    assert reviewer.sees("Give the reason in a few words")
    with pytest.raises(Refused, match="in a few words"):
        review.rule(
            differing,
            "77-DM42",
            {"attendance": 161},
            seen_report=review.case(differing, "77-DM42").seen_report,
            reason="50",
            by="reviewer 3",
        )


def test_who_keyed_a_report_can_only_compare(differing, sit):
    clerk = at_review(sit("Clerk 12"))
    open_case(clerk)
    assert clerk.sees("another person decides")
    assert any(row[-1] == "differs" for row in figures(clerk))
    clerk.key(Qt.Key.Key_P, SHIFT)
    clerk.ctrl_enter()
    clerk.keys("pabcsyxw")
    clerk.enter(3)
    assert rulings(differing) == ()
    with differing.store.read() as unit:
        assert unit.errands() == ()
        assert unit.case_claims() == {}, "and nobody is kept out by a case that they cannot decide"


def test_a_newer_report_ends_the_case_on_the_screen(reviewer, differing, put):
    open_case(reviewer)
    reviewer.keys("p")
    put("77-DM14", "paper", "clerk 12", Warren_final=29)
    reviewer.enter()
    reviewer.keys("not seen yet")
    reviewer.ctrl_enter()
    assert rulings(differing) == ()
    assert reviewer.sees("newer")
    assert state(differing).state is State.MISMATCHED


def test_who_keys_a_precinct_does_not_see_the_others_numbers_here(differing, sit):
    clerk = sit("clerk 30")
    clerk.open("77-DM14", Channel.PAPER)
    clerk.keys("1")
    clerk.page("review")
    open_case(clerk)
    assert clerk.sees("You are keying this precinct")
    assert not figures(clerk)


def test_an_empty_queue_says_so(sit):
    assert at_review(sit("reviewer 3")).sees("Nothing needs a person")


def test_whose_findings_are_shown_and_what_clerks_said(put, sit):
    put("77-DM14", "phone", "clerk 07")
    put("77-DM14", "paper", "clerk 12", Sanders_final=5)
    reviewer = at_review(sit("reviewer 3"))
    reviewer.enter()
    reviewer.wait_until(lambda: reviewer.sees("clerk 12 submitted with the reason “asked”"))
    assert reviewer.sees(FINDINGS["C06"].title)
    reviewer.keys("a")
    reviewer.wait_until(
        lambda: reviewer.sees("Findings of the sheet as it would stand, with what is chosen above")
    )
    assert reviewer.sees("Ctrl+Enter")


def test_what_is_blank_in_both_is_to_be_asked(put, sit):
    put("77-DM14", "phone", "clerk 07", Yang_final=None)
    put("77-DM14", "paper", "clerk 12", Yang_final=None)
    reviewer = at_review(sit("reviewer 3"))
    reviewer.enter()
    assert [row[-1] for row in reviewer.listed() if row[-1].startswith("blank")] == ["blank in both: ask"]


def looked(desk):
    with desk.store.read() as unit:
        return [(look.precinct_id, look.by) for look in unit.looks()]


def test_walking_through_the_queue_shows_no_figures_and_is_no_look(reviewer, differing):
    assert reviewer.sees("The figures are covered")
    reviewer.key(Qt.Key.Key_Down)
    reviewer.key(Qt.Key.Key_Up)
    assert not figures(reviewer)
    assert looked(differing) == []
    open_case(reviewer)
    assert figures(reviewer)
    assert looked(differing) == [("77-DM14", "reviewer 3")]
    with pytest.raises(Refused, match="has looked at the figures"):
        entry.claim(differing, "77-DM14", Channel.APP, "reviewer 3")


def test_a_case_in_hand_stays_open_when_a_newer_report_comes_in(reviewer, differing, put):
    open_case(reviewer)
    put("77-DM14", "paper", "clerk 12", Warren_final=29, Biden_first=19)
    reviewer.window.shell.context.look()
    assert figures(reviewer)
    assert reviewer.sees("A newer report of")
    assert len(looked(differing)) == 2, "the trail knows that the newer one was seen too"


@pytest.mark.parametrize("page", ["review", "precincts", "results"])
def test_no_page_shows_the_other_clerks_figures_while_the_sheet_is_keyed(desk, put, sit, page):
    put("57-CR01", "phone", "clerk 07", people=38_260, Biden_first=24_681)
    late = sit("clerk 12")
    # Going into a case on the Review page is looking: then there would be no keying.
    late.window.shell.show_page(page, "57-CR01" if page != "review" else "")
    late.page("entry")
    late.window.shell.current.finder.begin()
    late.open("57-CR01", Channel.PAPER)
    late.keys("5")
    late.window.shell.show_page(page, "57-CR01")
    late.key(Qt.Key.Key_S)
    assert not late.sees("24681")
    assert not late.sees("24,681")
    assert late.sees("You are keying this precinct")
    assert looked(desk) == []


def test_swapped_rows_are_said(swapped, sit):
    reviewer = at_review(sit("reviewer 3"))
    reviewer.enter()
    assert reviewer.sees("Looks like: rows Sanders and Warren exchanged")


def test_each_choice_says_what_it_does_before_it_is_made(swapped, sit):
    """Polk gives 392 state delegates to 1,401 of its own: one is worth 0.2798. Paper stands until then."""
    reviewer = at_review(sit("reviewer 3"))
    reviewer.enter()
    foot = reviewer.window.shell.pages["review"].view.foot
    phone = "Sanders 1 → 2, Warren 2 → 1; state: Sanders +0.2798, Warren −0.2798 SDE"
    assert foot.effect_text("phone").startswith(phone)
    assert foot.effect_text("paper") == "the precinct's delegates stay; so do the state's sums"
    assert foot.effect_text("choices") == "nothing chosen yet"
    assert reviewer.sees(phone)
    reviewer.keys("2")  # Sanders first, of no effect on delegates as reported
    assert "the precinct's delegates stay" in foot.effect_text("choices")
    reviewer.key(Qt.Key.Key_Down)
    reviewer.key(Qt.Key.Key_Down)
    reviewer.keys("p")
    assert foot.effect_text("choices").startswith("Sanders 1 → 2; state: Sanders +0.2798 SDE")
    assert rulings(swapped) == ()


def test_the_next_case_is_one_key_away_and_the_place_is_kept(reviewer, differing):
    page = open_case(reviewer).window.shell.pages["review"]
    reviewer.keys("p")
    reviewer.enter()
    reviewer.keys("1")
    reviewer.ctrl_enter()
    assert reviewer.sees("Enter or N opens the next")
    assert page.side.table.hasFocus()
    reviewer.keys("n")
    assert figures(reviewer)
    assert reviewer.sees("Des Moines-42  ·  Polk")
    assert page.view.table.hasFocus()


def test_forty_at_midnight_are_done_by_keys_alone(put, desk, sit):
    """Enter, a letter, Enter, a digit, Ctrl+Enter: five keys for each of them, one after the other."""
    for first, precinct_id in enumerate(("77-DM14", "77-DM42", "57-CR01", "56-K1")):
        put(precinct_id, "phone", "clerk 07", Biden_first=first)
        put(precinct_id, "paper", "clerk 12", Biden_first=first, Warren_final=30)
    reviewer = at_review(sit("reviewer 3"))
    for left in (3, 2, 1, 0):
        reviewer.enter()
        reviewer.keys("p")
        reviewer.enter()
        reviewer.keys("1")
        reviewer.ctrl_enter()
        states = [result.standing.state for result in desk.overview().results.values()]
        assert states.count(State.MISMATCHED) == left


def test_the_history_tells_of_every_report(reviewer, differing, put):
    put("77-DM14", "paper", "clerk 12", Warren_final=29, Biden_first=19)
    reviewer.window.shell.context.look()
    open_case(reviewer)
    reviewer.keys("h")
    lines = {row[1]: row for row in reviewer.listed() if len(row) == 4 and "report" in row[1]}
    assert set(lines) == {"phone report, stands", "paper report, superseded", "paper report, stands"}
    assert "Warren final 30, then 29" in lines["paper report, superseded"][3]
    assert any(row[1].startswith("call: results taken") for row in reviewer.listed() if len(row) == 4)
    reviewer.keys("p")
    assert not [row for row in figures(reviewer) if row[-1] == "differs"], "letters are the case's here too"
    reviewer.key(Qt.Key.Key_Escape)
    assert reviewer.where == "Fields of this precinct"


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
def test_the_picture_stands_beside_the_figures(reviewer, differing, sit, scans, tmp_path, size):
    from caucus_desk.desk.attachments import attach

    attach(differing, "77-DM14", scans.png(tmp_path / "sheet.png"), by="clerk 12")
    reviewer = at_review(sit("reviewer 3", size=size))
    open_case(reviewer)
    page = reviewer.window.shell.pages["review"]
    reviewer.keys("i")
    QTest.qWait(20)
    viewer = page.view.panel.picture.viewer
    assert viewer.isVisible()
    assert viewer.pages == 1
    reviewer.wait_until(
        lambda: viewer.mapTo(page, viewer.rect().topLeft()).x() > page.view.table.geometry().right()
    )
    assert page.view.table.hasFocus(), "the hand stays in the figures"
    before = viewer.zoom
    reviewer.keys("+")
    assert viewer.zoom > before
    reviewer.keys("r")
    assert viewer.turned == 90
    reviewer.keys("p")
    assert not [row for row in figures(reviewer) if row[-1] == "differs"]
    reviewer.key(Qt.Key.Key_Escape)
    assert page.side.isVisible()
    assert not viewer.isVisible()
