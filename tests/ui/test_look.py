"""Nothing is cut, at any size that people have, in any theme."""

import pytest
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QScrollArea, QTableView

from caucus_desk.ui import fonts, icons
from caucus_desk.ui.rail import RailButton
from caucus_desk.ui.theme import ThemeName, theme
from caucus_desk.ui.widgets.basics import ElidedLabel

PAGES = ["entry", "review", "results", "releases", "precincts", "help"]
SLACK = 1
"""Pixels by which a size hint may be rounded."""


def cut(widget):
    """Labels and buttons below `widget` that have less room than their text needs."""
    found = []
    for part in widget.findChildren(QLabel) + widget.findChildren(QAbstractButton):
        if not part.isVisible() or not part.text() or isinstance(part, ElidedLabel):
            continue
        if isinstance(part, QLabel) and part.wordWrap():
            short = part.heightForWidth(part.width()) > part.height() + SLACK
        elif isinstance(part, RailButton):
            short = QFontMetrics(part.font()).horizontalAdvance(part.text()) > part.width() - 80
        else:
            need = part.sizeHint()
            short = need.width() > part.width() + SLACK or need.height() > part.height() + SLACK
        if short:
            found.append(f"{type(part).__name__} {part.text()!r}: {part.size()} < {part.sizeHint()}")
    return found


def settle():
    for _ in range(5):
        QApplication.processEvents()


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
@pytest.mark.parametrize("page", PAGES)
def test_no_page_cuts_a_text(window, desk, report, good, page, size):
    report(desk, "A-1", good, 100, "phone", "clerk 01")
    report(desk, "A-1", {**good, "Biden": (14, 17, 1)}, 100, "paper", "clerk 02")
    window.shell.context.after_change()
    window.resize(*size)
    window.shell.show_page(page)
    for name in ThemeName:
        theme().apply(name)
        settle()
        assert not cut(window)


@pytest.mark.parametrize("size", [(911, 512), (1280, 720), (1920, 1080)])
def test_no_section_of_results_and_releases_cuts_a_text(qtbot, window, desk, report, good, size):
    report(desk, "A-1", good, 100, "phone", "clerk 01")
    report(desk, "A-1", good, 100, "paper", "clerk 02")
    report(desk, "A-2", {"Sanders": (30, 30, 2), "Biden": (30, 30, 3)}, 60, "phone", "clerk 07")
    window.shell.context.after_change()
    window.resize(*size)
    thinker = window.shell.context.thinker
    for name in ("results", "releases"):
        page = window.shell.pages[name]
        window.shell.show_page(name)
        for key in list(page._sections):
            page.sections.choose(key)
            qtbot.waitUntil(lambda: not thinker._wanted, timeout=20_000)
            settle()
            assert not cut(page), key
            frame = page.parentWidget().parentWidget()
            if size[0] > 911:
                assert not frame.horizontalScrollBar().isVisible(), key


def test_no_page_needs_to_scroll_sideways_at_1280(window, desk, report, good):
    report(desk, "A-1", good, 100, "phone", "clerk 01")
    window.shell.context.after_change()
    for page in PAGES:
        window.shell.show_page(page)
        settle()
        for area in window.findChildren(QScrollArea):
            if area.isVisible():
                assert not area.horizontalScrollBar().isVisible(), page
        for table in window.findChildren(QTableView):
            if table.isVisible():
                assert not table.horizontalScrollBar().isVisible(), table.accessibleName()


def test_a_message_and_an_open_panel_leave_room_for_the_table(window, desk, report, good):
    report(desk, "A-1", good, 100, "phone", "clerk 01")
    window.shell.context.after_change()
    window.shell.show_page("results")
    page = window.shell.pages["results"]
    page.export_button.click()
    window.notices.warn("Something to read, in a bar of its own.")
    settle()
    frame = page.parentWidget().parentWidget()
    assert not frame.horizontalScrollBar().isVisible()
    assert not page.table.horizontalScrollBar().isVisible()
    assert not page.table.verticalScrollBar().isVisible(), "the page scrolls, not the table in it"
    assert not cut(window)


def test_the_opened_precinct_and_its_panels_cut_nothing(window, desk, report, good):
    report(desk, "A-1", {**good, "Sanders": (24, 20, 2)}, 100, "phone", "clerk 01")
    report(desk, "A-1", {**good, "Biden": (14, 17, 1)}, 100, "paper", "clerk 02")
    window.shell.context.after_change()
    window.shell.show_page("precincts", "A-1")
    page = window.shell.pages["precincts"]
    page.detail.findings.table.selectRow(0)
    settle()
    assert not cut(window)
    page.detail.back.click()
    page.load_button.click()
    settle()
    assert not cut(window)
    window.shell.show_page("results")
    window.shell.pages["results"].export_button.click()
    for by in ("district", "county", "precinct"):
        window.shell.pages["results"].by.choose(by)
        settle()
        assert not cut(window)


def test_the_welcome_page_cuts_nothing(welcome):
    settle()
    assert not cut(welcome)
    welcome.welcome.new_button.click()
    settle()
    assert not cut(welcome)


def test_the_question_who_is_there_cuts_nothing(window):
    window.shell.header.person_clicked.emit()
    settle()
    assert not cut(window)


def test_on_a_small_laptop_every_button_can_still_be_reached(window):
    """1366 x 768 at 150 %: 911 x 512 of our pixels."""
    window.resize(911, 512)
    settle()
    assert (window.width(), window.height()) == (911, 512)
    for name, page in window.shell.pages.items():
        window.shell.show_page(name)
        settle()
        frame = page.parentWidget().parentWidget()
        assert isinstance(frame, QScrollArea)
        for part in page.findChildren(QAbstractButton):
            if not part.isVisible():
                continue
            frame.ensureWidgetVisible(part)
            settle()
            middle = part.mapTo(frame.viewport(), part.rect().center())
            assert frame.viewport().rect().contains(middle), f"{name}: {part.text()}"
    assert not cut(window.shell.header)


def test_long_names_give_way_in_the_header(qtbot, window):
    window.shell.header.show_person("A person with a very long name indeed, and more")
    settle()
    assert not cut(window.shell.header)
    assert window.shell.header.width() == window.width()


def test_no_figure_is_cut_in_a_table(window, desk, report, good):
    from caucus_desk.ui.widgets.table import TableView

    big = {group: (9_000 + place, 9_100 + place, 0) for place, group in enumerate(desk.rules.keys)}
    report(desk, "A-1", {**big, "Biden": (90_000, 90_001, 6)}, 99_999, "phone", "clerk 01")
    report(desk, "A-1", {**big, "Biden": (90_000, 90_002, 6)}, 99_999, "paper", "clerk 02")
    window.shell.context.after_change()
    for page in ("results", "precincts"):
        window.shell.show_page(page, "A-1" if page == "precincts" else "")
        settle()
        for table in window.findChildren(TableView):
            if not table.isVisible():
                continue
            model = table.model()
            metrics = QFontMetrics(fonts.body(bold=True))
            for column, spec in enumerate(model.columns):
                if not spec.number:
                    continue
                room = table.columnWidth(column) - 10
                icon = icons.SMALL + 6 if spec.icon is not None else 0
                for row in range(model.rowCount()):
                    text = str(model.data(model.index(row, column)))
                    assert metrics.horizontalAdvance(text) + icon <= room, f"{spec.title!r}: {text}"
                for line in spec.title.split("\n"):
                    assert metrics.horizontalAdvance(line) <= room + 6, (
                        f"head {line!r} of {table.accessibleName()}"
                    )
