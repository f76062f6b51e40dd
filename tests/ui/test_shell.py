"""The frame: who sits there, the pages, what was saved, other people's changes, and how it closes."""

import logging
import sys
import threading

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QComboBox

from caucus_desk.desk.entry import claim
from caucus_desk.desk.session import open_desk
from caucus_desk.rules.errors import Refused
from caucus_desk.tally.report import Channel
from caucus_desk.ui import failures
from caucus_desk.ui.app import build_window
from caucus_desk.ui.pages import PAGES

CTRL = Qt.KeyboardModifier.ControlModifier


def test_the_pages_stand_in_their_order():
    assert [page.name for page in PAGES] == [
        "entry", "review", "paper", "calls", "progress", "results", "releases", "precincts", "people", "help",
    ]  # fmt: skip


def test_before_any_work_it_asks_who_is_at_the_desk(qtbot, desk):
    window = build_window(desk)
    qtbot.addWidget(window)
    window.show()
    shell = window.shell
    asked = shell.person_page
    assert asked.isVisible()
    qtbot.waitUntil(asked.name_field.hasFocus)
    qtbot.keyClick(asked.name_field, Qt.Key.Key_Return)
    assert asked.refusal.isVisible()
    assert not shell.context.person
    qtbot.keyClick(asked.name_field, Qt.Key.Key_2, CTRL)
    assert asked.isVisible(), "no page before a name"
    asked.name_field.clear()
    qtbot.keyClicks(asked.name_field, "  Ana   Ruiz ")
    qtbot.keyClick(asked.name_field, Qt.Key.Key_Return)
    assert shell.context.person == "Ana Ruiz"
    assert shell.header.person_text == "Ana Ruiz"
    assert not asked.isVisible()


def test_people_change_places_in_the_page(qtbot, window):
    shell = window.shell
    shell.show_page("results")
    shell.header.person_clicked.emit()
    asked = shell.person_page
    assert asked.isVisible()
    assert asked.stay.text() == "Go on as clerk 07"
    asked.stay.click()
    assert shell.pages["results"].isVisible()
    assert shell.context.person == "clerk 07"
    shell.header.person_clicked.emit()
    qtbot.keyClicks(asked.name_field, "clerk 12")
    qtbot.keyClick(asked.name_field, Qt.Key.Key_Return)
    assert shell.context.person == "clerk 12"
    assert shell.pages["results"].isVisible()


@pytest.mark.parametrize(("key", "page"), list(enumerate([page.name for page in PAGES], 1)))
def test_ctrl_and_a_figure_jump_to_a_page(qtbot, window, key, page):
    window.shell.show_page("help" if page != "help" else "entry")
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key(Qt.Key.Key_0 + key % 10), CTRL)
    assert window.shell.pages[page].isVisible()
    assert window.shell.rail.buttons[page].isChecked()


def test_every_page_puts_the_focus_somewhere_inside_itself(window):
    for name, page in window.shell.pages.items():
        window.shell.show_page(name)
        focus = QApplication.focusWidget()
        assert focus is not None, name
        assert page.isAncestorOf(focus) or focus is page, name


def test_a_page_is_made_when_it_is_first_wanted_and_its_count_stands_before(qtbot, desk, report, good):
    report(desk, "A-1", good, 100, "phone", "clerk 07")
    report(desk, "A-1", good | {"Biden": (14, 15, 1)}, 100, "paper", "clerk 12")
    window = build_window(desk, person="reviewer 3")
    qtbot.addWidget(window)
    window.show()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is not None)
    shell = window.shell
    assert [page.name for page in shell.pages.standing] == ["entry"]
    assert shell.rail.buttons["review"].count_text == "1", "a precinct whose reports differ"
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_2, CTRL)
    assert [page.name for page in shell.pages.standing] == ["entry", "review"]
    assert shell.pages["review"].isVisible()
    assert shell.pages["review"] is shell.pages["review"]
    assert shell.rail.buttons["review"].count_text == "1"


@pytest.mark.parametrize("name", ["entry", "review", "paper", "calls", "releases"])
def test_the_count_of_a_page_is_the_same_before_and_after_it_is_made(qtbot, desk, report, good, name):
    report(desk, "A-1", good, 100, "phone", "clerk 07")
    report(desk, "A-1", good | {"Biden": (14, 15, 1)}, 100, "paper", "clerk 12")
    report(desk, "A-2", good, 100, "phone", "clerk 07")
    claim(desk, "77-DM42", Channel.PHONE, "reviewer 3")
    window = build_window(desk, person="reviewer 3")
    qtbot.addWidget(window)
    pages = window.shell.pages
    kind = next(one for one in PAGES if one.name == name)
    before = kind.waiting(window.shell.context)
    window.shell.show_page(name)
    assert pages[name].count() == before == pages.count(name)


def test_a_store_that_does_not_answer_is_said_and_the_last_count_stays(qtbot, window, monkeypatch):
    def silent(context):
        raise Refused("The store does not answer.")

    shell = window.shell
    before = shell.rail.buttons["paper"].count_text
    assert before == "4"
    monkeypatch.setattr(shell.pages.kinds[2], "waiting", silent)
    shell.context.changed.emit()
    assert shell.notices.text == "The store does not answer."
    assert before == shell.rail.buttons["paper"].count_text


def test_the_banner_says_what_is_in(window, desk, report, good):
    assert "UNOFFICIAL, PARTIAL: 0 of 4 precincts" in window.shell.header.banner_text
    report(desk, "A-1", good, 100, "phone", "clerk 01")
    window.shell.context.after_change()
    assert "1 of 4 precincts (25.0%), 1 of 2 counties" in window.shell.header.banner_text


def test_saved_is_said_with_its_time_and_only_after_a_change(qtbot, window):
    assert "nothing saved" in window.shell.status.saved.text()
    window.shell.context.after_change()
    assert window.shell.status.saved.text().startswith("saved ")
    assert len(window.shell.status.saved.text()) == len("saved 21:04:12")


def test_what_another_process_saves_appears_by_itself(qtbot, window, store, report, good):
    window.shell.show_page("results")
    page = window.shell.pages["results"]
    other = open_desk(str(store))
    report(other, "A-1", good, 100, "phone", "somebody else")
    report(other, "A-1", good, 100, "paper", "another one")
    other.close()
    qtbot.waitUntil(lambda: page.model.data(page.model.index(1, 1)) == "14", timeout=8_000)
    assert "1 of 4" in window.shell.header.banner_text


def test_looking_again_without_a_change_refreshes_nothing(qtbot, window, monkeypatch):
    refreshed = []
    monkeypatch.setattr(type(window.shell.current), "refresh", lambda self: refreshed.append(1))
    for _ in range(3):
        window.shell.context.look()
    assert not refreshed


def test_only_the_visible_page_is_refreshed_and_the_others_when_they_are_shown(
    window, desk, report, monkeypatch, south
):
    pages = window.shell.pages
    for page in pages.values():
        window.shell.show_page(page.name)
    window.shell.show_page("results")
    refreshed = []
    for page in pages.values():
        monkeypatch.setattr(page, "refresh", lambda name=page.name: refreshed.append(name))
    report(desk, "A-2", south, 60, "paper", "clerk 01")
    window.shell.context.after_change()
    assert refreshed == ["results"]
    window.shell.show_page("precincts")
    assert refreshed == ["results", "precincts"]


def test_trouble_with_the_store_is_said_once_and_its_end_too(window, monkeypatch):
    said = []
    window.notices.said.connect(lambda kind, text: said.append((kind, text)))
    real = window.shell.context.desk.overview

    def broken():
        raise Refused("The store is not there any more.")

    monkeypatch.setattr(window.shell.context.desk, "overview", broken)
    for _ in range(3):
        window.shell.context.look()
    assert said == [("bad", "The store is not there any more.")]
    monkeypatch.setattr(window.shell.context.desk, "overview", real)
    window.shell.context.look()
    assert said[-1] == ("good", "The store answers again.")


def long_work(window, *, cancellable=True):
    go, begun, left = threading.Event(), threading.Event(), []

    def work(progress):
        begun.set()
        for step in range(10_000):
            progress(step, 10_000, "step")
            if go.wait(0.01):
                return "whole"
        return "late"

    window.jobs.run("Working", work, left.append, failed=left.append, cancellable=cancellable)
    assert begun.wait(10)
    return go, left


def test_closing_during_work_waits_for_it(qtbot, window):
    go, left = long_work(window)
    window.close()
    assert window.isVisible()
    assert "closes when the work" in window.notices.text
    go.set()
    qtbot.waitUntil(lambda: not window.isVisible(), timeout=10_000)
    assert left == ["whole"]


def test_closing_during_work_and_cancelling_it_closes_at_once(qtbot, window):
    _, left = long_work(window)
    window.close()
    assert window.isVisible()
    window.jobs.current.cancel()
    qtbot.waitUntil(lambda: not window.isVisible(), timeout=10_000)
    assert not left


def test_work_in_hand_shows_how_far_it_is_and_can_be_stopped(qtbot, window):
    from caucus_desk.ui.status import JobStrip

    _, left = long_work(window)
    strip = next(strip for strip in window.findChildren(JobStrip) if strip.isVisible())
    qtbot.waitUntil(lambda: "of 10,000" in strip.count_text, timeout=5_000)
    qtbot.mouseClick(strip.cancel, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not strip.isVisible(), timeout=5_000)
    assert not left


def test_closing_while_the_store_refuses_what_was_typed_asks_first(window, monkeypatch):
    def refused():
        raise Refused("The disk is full.")

    monkeypatch.setattr(window.shell.pages["entry"], "leaving", refused)
    window.close()
    assert window.isVisible()
    assert "The disk is full." in window.notices.text
    assert "Close again" in window.notices.text
    window.close()
    assert not window.isVisible()


def test_another_caucus_waits_until_work_is_done(qtbot, window):
    go, _ = long_work(window)
    window.shell.other_wanted.emit()
    assert window.shell is not None
    assert "Wait" in window.notices.text
    go.set()
    qtbot.waitUntil(lambda: not window.jobs.busy, timeout=5_000)
    window.shell.other_wanted.emit()
    assert window.shell is None
    assert window.welcome.isVisible()


def test_a_fault_becomes_one_sentence_and_a_line_in_the_log(qtbot, window, monkeypatch, ui_data):
    monkeypatch.setattr(sys, "excepthook", sys.__excepthook__)
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    failures.start_log()
    failures.install(lambda sentence: window.notices.refuse(sentence))
    try:
        raise KeyError("the very detail")
    except KeyError as error:
        sys.excepthook(KeyError, error, error.__traceback__)
    assert "The program made a mistake (KeyError)" in window.notices.text
    assert "the very detail" not in window.notices.text
    assert "Traceback" not in window.notices.text
    for handler in list(logging.getLogger("caucus_desk").handlers):
        handler.flush()
        handler.close()
        logging.getLogger("caucus_desk").removeHandler(handler)
    assert "the very detail" in failures.log_file().read_text(encoding="utf-8")


def test_a_fault_in_a_thread_is_in_the_log_and_shows_nothing_from_there(window, monkeypatch, ui_data):
    monkeypatch.setattr(sys, "excepthook", sys.__excepthook__)
    monkeypatch.setattr(threading, "excepthook", threading.__excepthook__)
    seen = []
    monkeypatch.setattr(failures.log, "error", lambda text, exc_info: seen.append(exc_info[1]))
    failures.install(lambda sentence: window.notices.refuse(sentence))
    thread = threading.Thread(target=lambda: 1 // 0)
    thread.start()
    thread.join()
    assert isinstance(seen[0], ZeroDivisionError)
    assert window.notices.text == ""


def test_what_a_person_can_act_on_is_shown_as_it_stands():
    assert (
        failures.sentence_for(Refused("The disk is full. Free some room."))
        == "The disk is full. Free some room."
    )


def test_without_a_place_for_the_log_the_program_still_starts(tmp_path, monkeypatch):
    file = tmp_path / "a file"
    file.write_text("")
    monkeypatch.setenv("CAUCUS_DESK_DATA", str(file))
    failures.start_log()


def wheel(widget):
    at = QPointF(widget.rect().center())
    event = QWheelEvent(
        at, QPointF(widget.mapToGlobal(at.toPoint())), QPoint(0, -120), QPoint(0, -120),
        Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(widget, event)


@pytest.mark.parametrize("focused", [True, False])
def test_the_wheel_changes_no_choice(qtbot, window, focused):
    box = QComboBox(window)
    box.addItems(["Linn", "Lee", "Polk"])
    box.show()
    if focused:
        box.setFocus()
    wheel(box)
    assert box.currentText() == "Linn"


def test_good_news_leaves_and_bad_news_stays(qtbot, window, monkeypatch):
    from caucus_desk.ui.widgets import notice

    monkeypatch.setattr(notice, "_GOOD_NEWS_STAYS", 50)
    window.notices.done("Written.")
    qtbot.waitUntil(lambda: window.notices.text == "", timeout=2_000)
    window.notices.refuse("No room.")
    qtbot.wait(150)
    assert window.notices.text == "No room."


def test_the_window_remembers_its_size_and_its_stores(qtbot, desk, store):
    window = build_window(desk, person="clerk 07")
    window.resize(770, 555)
    window.show()
    window.close()
    again = build_window()
    qtbot.addWidget(again)
    assert (again.width(), again.height()) == (770, 555)
    from caucus_desk.ui.settings import Settings

    assert Settings().recent == (str(store),)


def test_each_page_says_its_key_in_the_rail(window):
    keys = [made.key_text for made in window.shell.rail.buttons.values()]
    assert keys == [f"Ctrl+{place % 10}" for place in range(1, len(PAGES) + 1)], "Ctrl+0 is the tenth"


def test_f8_asks_who_is_at_the_desk_and_the_header_says_so(qtbot, window):
    assert "F8" in window.shell.header._person.text()
    assert "F8" in window.shell.header._person.toolTip()
    window.shell.show_page("results")
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_F8)
    assert window.shell.person_page.isVisible()
    qtbot.keyClicks(window.shell.person_page.name_field, "clerk 12")
    qtbot.keyClick(window.shell.person_page.name_field, Qt.Key.Key_Return)
    assert window.shell.header.person_text == "clerk 12"


def test_f1_opens_the_keys(qtbot, window):
    window.shell.show_page("precincts")
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_F1)
    page = window.shell.pages["help"]
    assert page.isVisible()
    assert page.topics.currentItem().text() == "Keys"


@pytest.mark.parametrize("say", ["done", "say"])
def test_news_of_one_page_stays_behind_when_it_is_left(window, say):
    window.shell.show_page("review")
    getattr(window.notices, say)("Ruled on South Ward, Alpha.")
    window.shell.show_page("review")
    assert window.notices.text
    window.shell.show_page("results")
    assert window.notices.text == ""
    assert not window.shell._notice_place.isVisible(), "nothing is pushed down by an empty bar"


def test_trouble_is_still_said_on_the_next_page(window):
    window.shell.show_page("review")
    window.notices.refuse("The disk is full.")
    window.shell.show_page("results")
    assert window.notices.text == "The disk is full."


def test_enter_presses_the_button_with_the_focus(qtbot, window):
    button = window.shell.rail.buttons["precincts"]
    button.setFocus()
    qtbot.keyClick(button, Qt.Key.Key_Return)
    assert window.shell.pages["precincts"].isVisible()
    load = window.shell.pages["precincts"].load_button
    load.setFocus()
    qtbot.keyClick(load, Qt.Key.Key_Enter, Qt.KeyboardModifier.KeypadModifier)
    assert window.shell.pages["precincts"].load_panel.isVisible()
