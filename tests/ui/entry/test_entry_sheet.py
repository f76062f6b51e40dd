"""The sheet while it is keyed: empty boxes, findings, leaving, submitting once."""

import sys

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFontMetrics, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from caucus_desk.tally.form import form_of
from caucus_desk.tally.report import Channel
from caucus_desk.tally.state import State
from caucus_desk.ui.entry.notes import NoteView
from caucus_desk.ui.entry.receipt_step import ReceiptStep
from caucus_desk.ui.theme import ThemeName, theme


def kb():
    return sys.modules["caucus_tests_keyboard"]


@pytest.fixture
def clerk(sit):
    """With the hand on Attendance of an empty paper sheet."""
    made = sit("clerk 07")
    made.open("77-DM14", Channel.PAPER)
    return made


def paper(clerk, precinct_id="77-DM14"):
    return kb().reports(clerk.desk, precinct_id).get(Channel.PAPER)


def history(desk, precinct_id="77-DM14"):
    with desk.store.read() as unit:
        return unit.history(precinct_id)


def changed(**fields):
    """DM14 with some fields changed: `Warren_final=13`; None leaves the box empty."""
    rows = {group: list(counts) for group, counts in kb().DM14.items()}
    for name, count in fields.items():
        group, column = name.split("_")
        rows.setdefault(group, [None] * 3)[("first", "final", "delegates").index(column)] = count
    return {group: tuple(counts) for group, counts in rows.items()}


# --- submitting -----------------------------------------------------------------------------------


def test_enter_twice_submits_once(clerk):
    clerk.fill(161, kb().DM14)
    clerk.enter()
    clerk.enter()
    clerk.enter()
    assert len(history(clerk.desk)) == 1


def test_ctrl_enter_submits_from_anywhere_and_only_once(clerk):
    clerk.fill(161, kb().DM14)
    for _ in range(20):
        clerk.key(Qt.Key.Key_Up)
    clerk.ctrl_enter()
    clerk.ctrl_enter()
    clerk.ctrl_enter()
    assert len(history(clerk.desk)) == 1
    assert paper(clerk).sheet.row("Sanders").final == 50


def test_a_nervous_enter_does_not_take_the_receipt_away_unseen(clerk):
    receipt = clerk.window.shell.pages["entry"].receipt
    assert ReceiptStep().nervous_seconds == 0.6
    receipt.nervous_seconds = 60.0  # so that a slow machine is still within it
    clerk.fill(161, kb().DM14)
    for _ in range(4):
        QTest.keyClick(clerk.focus, Qt.Key.Key_Return)
    assert receipt.isVisible(), "it was not even painted yet"
    for _ in range(4):
        QTest.qWait(20)
        QTest.keyClick(clerk.focus, Qt.Key.Key_Return)
    assert receipt.isVisible(), "each of these Enters came before it could be read"
    receipt.nervous_seconds = 0.0
    assert receipt.seen
    assert clerk.sees(" ".join(paper(clerk).receipt))
    held = QKeyEvent(
        QEvent.Type.KeyPress, Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier, "\r", autorep=True
    )
    QApplication.sendEvent(clerk.focus, held)
    clerk.ctrl_enter()
    assert receipt.isVisible(), "a key that is held down, or another submit, answers nothing"
    clerk.enter()
    assert not receipt.isVisible()
    assert clerk.where == "Find a precinct"
    assert len(history(clerk.desk)) == 1


def test_each_receipt_must_be_seen_anew(clerk):
    receipt = clerk.window.shell.pages["entry"].receipt
    clerk.fill(161, kb().DM14)
    clerk.enter(2)
    assert not receipt.isVisible()
    clerk.key_sheet("57-CR01", Channel.PAPER, 40, {"Sanders": (20, 20, 2), "Warren": (20, 20, 2)})
    QTest.keyClick(clerk.focus, Qt.Key.Key_Return)
    assert receipt.isVisible()
    QTest.keyClick(clerk.focus, Qt.Key.Key_Return)
    assert receipt.isVisible(), "the time of the last receipt does not count for this one"


def test_after_the_receipt_enter_leads_to_the_next_precinct(clerk):
    clerk.fill(161, kb().DM14)
    clerk.enter(2)
    assert clerk.where == "Find a precinct"
    clerk.keys("57-CR01")
    clerk.enter()
    clerk.answer("a")
    assert (clerk.where, clerk.text) == ("Attendance", "")
    assert not clerk.sees("Des Moines-14")


# --- empty is not zero ----------------------------------------------------------------------------


def test_an_empty_sheet_is_refused_and_leads_to_attendance(clerk):
    clerk.ctrl_enter()
    assert clerk.where == "Attendance"
    assert clerk.sees("Attendance is empty")
    assert paper(clerk) is None


def test_a_total_left_blank_is_named_and_the_hand_is_led_there(clerk):
    clerk.fill(None, kb().DM14)
    clerk.enter()
    assert clerk.where == "Attendance"
    assert clerk.sees("Attendance is empty")
    clerk.keys("161")
    clerk.ctrl_enter()
    assert paper(clerk).sheet.attendance == 161


def test_one_empty_box_is_named(clerk):
    clerk.fill(161, changed(Klobuchar_first=None))
    clerk.enter()
    assert clerk.where == "Klobuchar first"
    assert clerk.sees("Empty: Klobuchar first.")
    assert paper(clerk) is None
    clerk.keys("17")
    clerk.ctrl_enter()
    assert paper(clerk).sheet.row("Klobuchar").first == 17


def test_no_group_counted_at_all_is_refused(clerk):
    clerk.keys("161")
    clerk.ctrl_enter()
    assert clerk.sees("no group has a count")
    assert paper(clerk) is None


def test_all_remaining_are_zero_only_after_a_yes(clerk):
    clerk.fill(161, changed(Klobuchar_final=None, Klobuchar_delegates=None))
    clerk.enter()
    clerk.key(Qt.Key.Key_F4)
    assert clerk.sees("26 empty boxes")
    clerk.keys("n")
    clerk.key(Qt.Key.Key_F4)
    clerk.enter()
    assert paper(clerk) is None
    clerk.keys("y")
    clerk.enter()
    sheet = paper(clerk).sheet
    assert sheet.row("Klobuchar").final == 0
    assert (sheet.row("Bennet").first, sheet.row("Bennet").delegates) == (0, 0)


def test_a_group_left_blank_stays_blank(clerk):
    clerk.fill(161, kb().DM14)
    clerk.enter()
    assert paper(clerk).sheet.row("Bennet").blank
    assert paper(clerk).sheet.row("Yang").final == 0


def test_nobody_came_is_a_valid_sheet_said_once(clerk):
    clerk.keys("0")
    clerk.key(Qt.Key.Key_F4)
    clerk.keys("y")
    clerk.enter()
    sheet = paper(clerk).sheet
    assert sheet.attendance == 0
    assert clerk.desk.overview().results["77-DM14"].reporting


# --- findings -------------------------------------------------------------------------------------


def test_an_untouched_sheet_has_nothing_to_say(clerk):
    assert clerk.marked() == {}
    clerk.enter(10)
    assert clerk.marked() == {}
    assert not clerk.sees("Error")
    assert not clerk.sees("Warning")


def test_a_slip_is_flagged_beside_its_field_before_the_next_group(clerk):
    clerk.keys("161")
    clerk.keys("s")
    for count in ("45", "5"):
        clerk.keys(count)
        clerk.enter()
    clerk.keys("2")
    assert "error" in clerk.marked()["Sanders final"]
    assert clerk.sees("Sanders had 45")
    clerk.key(Qt.Key.Key_Up)
    clerk.keys("50")
    assert clerk.marked() == {}


def test_nothing_is_flagged_on_a_right_sheet_at_any_key(clerk):
    flagged = []
    clerk.keys("161")
    clerk.enter()
    for group in clerk.desk.rules.keys:
        for count in kb().DM14.get(group, (None, None, None)):
            if count is not None:
                clerk.keys(str(count))
            flagged += [(group, count, name) for name, words in clerk.marked().items() if "error" in words]
            clerk.enter()
    assert flagged == []


def test_more_people_in_the_groups_than_in_the_room_is_said_with_both_numbers(clerk):
    clerk.keys("100")
    clerk.keys("b")
    clerk.keys("b")
    clerk.keys("60")
    clerk.enter(2)
    clerk.keys("0")
    clerk.keys("s")
    clerk.key(Qt.Key.Key_Up)
    clerk.key(Qt.Key.Key_Up)
    clerk.keys("60")
    clerk.enter(2)
    clerk.keys("0")
    assert clerk.sees("120")
    assert clerk.sees("20 too many")


def test_viable_and_delegates_by_the_rules_stand_beside(clerk):
    clerk.fill(161, kb().DM14)
    text = clerk.screen()
    assert "viable with 25" in text
    assert text.count("viable") > 6
    assert "too few" in text
    assert "of 6" in text


def test_an_error_needs_a_reason_which_is_kept_with_the_report(clerk):
    clerk.fill(161, changed(Sanders_delegates=1, Warren_delegates=2))
    clerk.enter()
    assert paper(clerk) is None
    assert clerk.where.startswith("Reason for")
    clerk.give_reasons("The chair read it twice")
    clerk.enter()
    assert paper(clerk) is not None
    with clerk.desk.store.read() as unit:
        given = unit.acknowledgements(["77-DM14"])["77-DM14"]
    assert {(one.by, one.reason, one.at_desk) for one in given} == {
        ("clerk 07", "The chair read it twice", True)
    }


def test_a_reason_can_be_picked_with_one_key(clerk):
    clerk.fill(161, changed(Sanders_delegates=1, Warren_delegates=2))
    clerk.enter()
    while clerk.where.startswith("Reason for"):
        clerk.key(Qt.Key.Key_Down)
        assert clerk.text
        clerk.enter()
    clerk.enter()
    assert paper(clerk) is not None


def test_an_accepted_error_falls_only_when_the_number_changes(clerk):
    clerk.fill(161, changed(Sanders_delegates=1, Warren_delegates=2))
    clerk.enter()
    clerk.give_reasons("asked")
    clerk.key(Qt.Key.Key_Up)
    for key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab, Qt.Key.Key_Left, Qt.Key.Key_Control):
        clerk.key(key)
    clerk.ctrl_enter()
    assert paper(clerk) is not None


def test_warnings_are_noted_with_one_key(clerk):
    rows = changed(Biden_final=0, Biden_delegates=0, Warren_delegates=2)
    clerk.fill(161, rows)
    assert clerk.sees("Warning")
    clerk.key(Qt.Key.Key_F7)
    assert clerk.sees("Noted")
    clerk.enter()
    clerk.give_reasons()
    clerk.enter()
    with clerk.desk.store.read() as unit:
        given = unit.acknowledgements(["77-DM14"])["77-DM14"]
    assert any(one.reason == "" for one in given)


# --- leaving --------------------------------------------------------------------------------------


def test_escape_asks_and_keeps_the_draft(clerk):
    clerk.keys("161")
    clerk.key(Qt.Key.Key_Escape)
    assert clerk.sees("Leave this sheet?")
    clerk.enter()
    assert clerk.sees("Leave this sheet?"), "Enter alone is no answer"
    clerk.keys("k")
    assert clerk.where == "Find a precinct"
    (draft,) = kb().drafts(clerk.desk)
    assert draft.fields["attendance"] == "161"
    assert paper(clerk) is None
    clerk.key(Qt.Key.Key_Down)
    clerk.enter()
    clerk.key(Qt.Key.Key_Up)
    assert (clerk.where, clerk.text) == ("Attendance", "161")


def test_escape_and_discard_drops_it(clerk):
    clerk.keys("161")
    clerk.key(Qt.Key.Key_Escape)
    clerk.keys("d")
    assert clerk.sees("Enter confirms")
    clerk.enter()
    assert kb().drafts(clerk.desk) == []
    assert clerk.where == "Find a precinct"


@pytest.mark.parametrize("stay", ["s", Qt.Key.Key_Escape])
def test_escape_and_stay_leaves_all_as_it_was(clerk, stay):
    clerk.keys("161")
    clerk.enter()
    clerk.keys("5")
    clerk.key(Qt.Key.Key_Escape)
    clerk.keys(stay) if isinstance(stay, str) else clerk.key(stay)
    if stay == "s":
        clerk.enter()
    assert (clerk.where, clerk.text) == ("Bennet first", "5")


def test_escape_from_an_untouched_sheet_gives_the_claim_back(clerk):
    clerk.key(Qt.Key.Key_Escape)
    assert kb().drafts(clerk.desk) == []
    assert clerk.where == "Find a precinct"


def test_keeping_on_the_last_step_keeps_a_draft_and_no_report(clerk):
    clerk.fill(161, kb().DM14)
    clerk.key(Qt.Key.Key_Escape)
    clerk.keys("k")
    assert paper(clerk) is None
    assert len(kb().drafts(clerk.desk)) == 1


# --- a verified precinct ----------------------------------------------------------------------------


def test_a_sheet_for_a_precinct_verified_meanwhile_says_who_and_asks_why(desk, sit):
    for name, channel in (("clerk 07", Channel.PHONE), ("clerk 12", Channel.PAPER)):
        clerk = sit(name)
        clerk.key_sheet("77-DM14", channel, 161, kb().DM14)
        clerk.enter()
    assert desk.overview().results["77-DM14"].verified
    late = sit("clerk 12")
    late.key_sheet("77-DM14", Channel.PAPER, 161, changed(Warren_final=30))
    late.enter()
    assert len(history(desk)) == 2
    assert late.sees("was verified")
    assert late.sees("clerk 07")
    late.keys("the chair called: miscounted")
    late.enter(2)
    assert late.where == "Warren final"
    assert late.sees("Does not match in: Warren final.")
    late.enter(2)
    assert len(history(desk)) == 3
    assert desk.overview().results["77-DM14"].standing.state is State.MISMATCHED


# --- other forms ------------------------------------------------------------------------------------


def test_what_only_the_paper_shows_is_kept(clerk):
    clerk.fill(161, kb().DM14)
    clerk.key(Qt.Key.Key_F6)
    for text in ("25", "6", ""):
        clerk.keys(text)
        clerk.enter()
    for letter in "yn":
        clerk.keys(letter)
        clerk.enter()
    clerk.enter()
    assert clerk.where == "Receipt on the paper", "optional, like the others"
    clerk.enter()
    assert clerk.focus.text() == "Submit"
    clerk.enter()
    clerk.give_reasons()
    if paper(clerk) is None:
        clerk.enter()
    sheet = paper(clerk).sheet
    assert (sheet.threshold, sheet.delegates_to_elect, sheet.second_attendance) == (25, 6, None)
    assert (sheet.chair_signed, sheet.secretary_signed, sheet.overwritten) == (True, False, None)


def test_another_states_sheet_shows_its_own_fields(tmp_path, sit):
    folder = tmp_path / "nevada"
    folder.mkdir()
    desk = kb().small_caucus(folder, "nevada-2020")
    clerk = sit("clerk 07", desk)
    clerk.open("57-CR01", Channel.PAPER)
    names = [clerk.where]
    for count in ("40", "60"):
        clerk.keys(count)
        clerk.enter()
        names.append(clerk.where)
    assert names[:2] == [field.label for field in form_of(desk.rules).sheet_fields]
    assert names[2].endswith("first")
    assert clerk.sees("viable with 15"), "early votes count in: 15 % of 100"
    for group, counts in {"Sanders": ("70", "70", "3"), "Biden": ("30", "30", "1")}.items():
        clerk.keys("s" if group == "Sanders" else "b")
        while not clerk.where.startswith(f"{group} "):
            clerk.keys(group[0].lower())
        while not clerk.where.endswith("first"):
            clerk.key(Qt.Key.Key_Up)
        for count in counts:
            clerk.keys(count)
            clerk.enter()
    clerk.ctrl_enter()
    sheet = kb().reports(desk, "57-CR01")[Channel.PAPER].sheet
    assert dict(sheet.extras)["early_votes"] == 60
    desk.close()


# --- the look ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("channel", [Channel.PHONE, Channel.PAPER])
def test_the_whole_sheet_fits_a_small_screen(sit, channel):
    clerk = sit("clerk 07", size=(1280, 720))
    clerk.key_sheet("77-DM14", channel, 161, changed(Warren_final=13))
    clerk.key(Qt.Key.Key_Up)
    kb().QApplication.processEvents()
    window = clerk.window.rect()
    boxes = [box for box in clerk.window.findChildren(kb().QLineEdit) if box.isVisible()]
    assert len(boxes) >= 43
    for box in boxes:
        area = box.rect().translated(box.mapTo(clerk.window, box.rect().topLeft()))
        assert window.contains(area), box.accessibleName()
        assert not box.visibleRegion().isEmpty()
        assert box.visibleRegion().boundingRect().height() == box.height(), box.accessibleName()


def places(clerk):
    """What must be seen of the sheet: every box, and the cells of the totals' row."""
    grid = clerk.window.shell.current._sheet.grid
    return [*grid.boxes.values(), *(cell for cell in grid.totals.values() if cell.text)]


@pytest.mark.parametrize("theme_name", list(ThemeName))
@pytest.mark.parametrize("channel", [Channel.PHONE, Channel.PAPER])
def test_boxes_and_totals_fit_a_small_screen_with_many_findings(sit, channel, theme_name):
    theme().apply(theme_name)
    clerk = sit("clerk 07", size=(1280, 720))
    slips = changed(Warren_final=13, Warren_delegates=1233, Biden_final=5, Buttigieg_final=40)
    clerk.key_sheet("77-DM14", channel, 150, slips)
    clerk.key(Qt.Key.Key_Up)
    clerk.window.shell.context.notices.refuse("A notice takes a line of the page, and the sheet still fits.")
    kb().QApplication.processEvents()
    body = clerk.window.shell.current._sheet.body
    assert len(body.notes.notes) >= 6
    for place in places(clerk):
        seen = place.visibleRegion().boundingRect()
        assert (seen.width(), seen.height()) == (place.width(), place.height()), place.accessibleName()
    assert body.horizontalScrollBar().maximum() == 0


def test_the_totals_words_have_the_room_they_need(clerk):
    clerk.fill(150, changed(Warren_delegates=1233))
    grid = clerk.window.shell.current._sheet.grid
    assert grid.totals["rules"].text == "of 6, 1,232 over"
    for name in ("first side", "final side", "rules"):
        cell = grid.totals[name]
        assert QFontMetrics(cell._font).horizontalAdvance(cell.text) + 16 <= cell.width(), cell.text


LONG = """\
county,precinct,precinct_id,county_delegates,kind,district,county_state_delegates,county_total_delegates
Pottawattamie,Neola City and the Townships of Minden,78-NEOLA,6,precinct,4,392,1401
"""


def whole(widget):
    """Nothing of it is outside what can be seen."""
    return widget.visibleRegion().boundingRect().size() == widget.size()


def notes(step):
    return step.grid.findChildren(NoteView)


@pytest.mark.parametrize("channel", [Channel.PHONE, Channel.PAPER])
def test_on_a_screen_scaled_up_the_name_is_whole_and_findings_are_read_below(tmp_path, sit, channel):
    (tmp_path / "long").mkdir()
    desk = kb().small_caucus(tmp_path / "long", roster=LONG)
    clerk = sit("clerk 07", desk, size=(911, 480))
    clerk.open("78-NEOLA", channel)
    step = clerk.window.shell.current._sheet
    assert step.strip.name.text() == "Neola City and the Townships of Minden"
    clerk.fill(150, changed(Warren_final=13, Warren_delegates=3, Biden_final=5))
    clerk.wait_until(lambda: whole(step.foot.submit))
    assert clerk.focus.text() == "Submit"
    assert clerk.sees("Reason for") or step.body.reading
    clerk.wait_until(lambda: step.body.read_back.visibleRegion().boundingRect().height() > 150)  # led there
    clerk.key(Qt.Key.Key_Up)
    clerk.wait_until(lambda: whole(clerk.focus))
    for view in step.body.notes.findChildren(NoteView):
        assert view.width() > 500
    assert step.body.horizontalScrollBar().maximum() == 0
    clerk.enter()
    clerk.keys("4")
    clerk.wait_until(lambda: any("4 was not taken" in view.note.message for view in notes(step)))
    told = next(view for view in notes(step) if "4 was not taken" in view.note.message)
    clerk.wait_until(lambda: whole(told))  # said where the hand is
    clerk.ctrl_enter()
    clerk.wait_until(lambda: clerk.where.startswith("Reason for") and whole(clerk.focus))
    desk.close()


# --- again ------------------------------------------------------------------------------------------


def test_the_own_report_is_filled_in_to_be_corrected(clerk):
    clerk.fill(161, changed(Warren_final=30))
    clerk.enter()
    clerk.give_reasons()
    if paper(clerk) is None:
        clerk.enter()
    clerk.enter()
    clerk.find("77-DM14", Channel.PAPER)
    assert (clerk.where, clerk.text) == ("Attendance", "161")
    assert clerk.sees("Filled in from your own report of")
    clerk.keys("w")
    clerk.enter()
    assert (clerk.where, clerk.text) == ("Warren final", "30")
    clerk.keys("31")
    clerk.ctrl_enter()
    assert len(history(clerk.desk)) == 2
    assert paper(clerk).sheet.row("Warren").final == 31
    assert paper(clerk).sheet.row("Sanders").final == 50


def test_another_persons_report_is_never_filled_in(clerk, sit):
    clerk.fill(161, kb().DM14)
    clerk.enter()
    other = sit("clerk 12")
    other.find("77-DM14", Channel.PAPER)
    assert (other.where, other.text) == ("Attendance", "")
    assert not other.sees("Filled in")


def test_keys_are_shown_where_they_work(clerk):
    clerk.fill(161, changed(Biden_final=0, Biden_delegates=0, Warren_delegates=2))
    assert clerk.sees("Ctrl+Enter")
    assert clerk.sees("Compare with the paper, then Enter submits")
    assert not clerk.sees("Read it back")
    assert clerk.sees("F7 notes")
