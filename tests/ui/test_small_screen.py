"""1366 x 768 at 150 % leaves a window of about 911 x 480: everything can be reached, and totals are whole."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication, QScrollArea, QToolButton, QWidget

from caucus_desk.desk.looking import look
from caucus_desk.ui import fonts
from caucus_desk.ui.widgets.basics import Choices, Toolbar
from caucus_desk.ui.widgets.table import ColumnSpec, TableModel, TableView


def settle():
    for _ in range(6):
        QApplication.processEvents()


def top_of(part, page):
    return part.mapTo(page, part.rect().topLeft()).y()


@pytest.fixture
def small(window, desk, report, good):
    report(desk, "A-1", good, 100, "phone", "clerk 01")
    report(desk, "A-1", {**good, "Biden": (14, 17, 1)}, 100, "paper", "clerk 02")
    look(desk, "A-1", "clerk 07")  # else the figures would be covered
    window.shell.context.after_change()
    window.resize(911, 480)
    settle()
    assert (window.width(), window.height()) == (911, 480)
    return window


def seen_by_scrolling(page, part):
    frame = page.parentWidget().parentWidget()
    assert isinstance(frame, QScrollArea)
    frame.ensureWidgetVisible(part, 0, 0)
    settle()
    whole = part.rect()
    corner = part.mapTo(frame.viewport(), whole.topLeft())
    return frame.viewport().rect().contains(whole.translated(corner))


def test_the_rail_gives_its_room_to_the_page_and_names_itself_in_tool_tips(small):
    rail = small.shell.rail
    assert rail.narrow
    assert rail.width() < 60
    assert all(made.width() <= rail.width() for made in rail.buttons.values())
    place = list(rail.buttons).index("results") + 1
    assert rail.buttons["results"].toolTip() == f"Results (Ctrl+{place})"
    small.resize(1280, 720)
    settle()
    assert not rail.narrow
    assert rail.width() > 150


@pytest.mark.parametrize("page", ["results", "releases", "precincts", "help"])
def test_no_page_but_a_case_scrolls_sideways(small, page):
    small.shell.show_page(page)
    settle()
    frame = small.shell.pages[page].parentWidget().parentWidget()
    assert not frame.horizontalScrollBar().isVisible()


def test_results_can_be_reached_whole(small):
    small.shell.show_page("results")
    settle()
    page = small.shell.pages["results"]
    for part in (page.export_button, page.copy_button, page.counting, page.remark):
        assert seen_by_scrolling(page, part), part
    assert top_of(page._beside, page) > top_of(page.table, page), "the chart stands below the table"
    page.by.choose("county")
    settle()
    assert top_of(page.areas, page) < top_of(page.table, page), "what is chosen from first"
    small.resize(1280, 720)
    settle()
    assert page._beside.x() > page.table.x() + page.table.width() - 1


def test_the_export_stays_within_the_page(small):
    small.shell.show_page("results")
    page = small.shell.pages["results"]
    page.export_button.click()
    settle()
    assert seen_by_scrolling(page, page.export.write)


def test_the_list_of_precincts_scrolls_sideways_within_the_screen(small):
    small.shell.show_page("precincts")
    settle()
    page = small.shell.pages["precincts"]
    bar = page.table.horizontalScrollBar()
    assert bar.isVisible()
    frame = page.parentWidget().parentWidget()
    corner = bar.mapTo(frame.viewport(), bar.rect().bottomLeft())
    assert corner.y() <= frame.viewport().height(), "the bar is seen without scrolling the page"


def test_a_ruling_can_be_recorded(small):
    small.shell.show_page("review", "A-1")
    settle()
    page = small.shell.pages["review"]
    assert page.view.isVisible()
    assert seen_by_scrolling(page, page.view.record)
    assert seen_by_scrolling(page, page.view.reason)
    assert page.view.table.width() <= 911
    frame = page.parentWidget().parentWidget()
    assert frame.widget().height() <= frame.viewport().height() + 120


def test_a_line_of_controls_becomes_two_where_there_is_no_room(qtbot):
    left, right = Choices([("a", "one"), ("b", "two")], "L"), Choices([("a", "three"), ("b", "four")], "R")
    holder = QWidget()
    qtbot.addWidget(holder)
    bar = Toolbar([left], [right])
    bar.setParent(holder)
    bar.resize(600, 40)
    holder.resize(600, 100)
    holder.show()
    settle()
    assert left.mapTo(bar, left.rect().topLeft()).y() == right.mapTo(bar, right.rect().topLeft()).y()
    bar.resize(bar.minimumSizeHint().width(), 80)
    settle()
    assert right.mapTo(bar, right.rect().topLeft()).y() > left.mapTo(bar, left.rect().bottomLeft()).y() - 1


@pytest.mark.parametrize("width", [300, 420, 900])
def test_totals_in_bold_are_never_cut(qtbot, width):
    """Columns asked for less than their totals need: '134,9…' is no number."""
    spec = ColumnSpec[int]("n", 40, lambda n: f"{n:,}", number=True)
    model = TableModel[int]((ColumnSpec("name", 90, lambda n: "x"), *(spec,) * 4), str)
    view = TableView(model, "Sums")
    qtbot.addWidget(view)
    view.resize(width, 200)
    view.show()
    model.set_rows([1, 2], [134_968])
    settle()
    need = QFontMetrics(fonts.body(bold=True)).horizontalAdvance("134,968")
    for column in range(1, 5):
        assert view.columnWidth(column) >= need + 13
    assert view.horizontalScrollBar().isVisible() == (view.least_width > width)


def test_where_rows_are_few_and_the_screen_is_large_they_stand_further_apart(window, desk, report, good):
    report(desk, "A-1", good, 100, "phone", "clerk 01")
    report(desk, "A-1", good, 100, "paper", "clerk 02")
    window.shell.context.after_change()
    window.shell.show_page("results")
    page = window.shell.pages["results"]
    settle()
    usual = page.table.verticalHeader().defaultSectionSize()
    window.resize(1920, 1080)
    settle()
    assert page.table.verticalHeader().defaultSectionSize() > usual
    assert not page.table.verticalScrollBar().isVisible()
    window.resize(1280, 720)
    settle()
    assert page.table.verticalHeader().defaultSectionSize() == usual


def test_the_clear_sign_of_a_search_box_is_in_the_middle(qtbot, window):
    window.shell.show_page("precincts")
    field = window.shell.pages["precincts"].filter
    qtbot.keyClicks(field, "ward")
    settle()
    sign = field.findChild(QToolButton)
    assert sign.isVisible()
    middle = sign.geometry().center().y()
    assert abs(middle - field.rect().center().y()) <= 1
    assert sign.geometry().right() <= field.width() - 3
    qtbot.wait(400)  # it fades in
    painted = sign.grab().toImage()
    background = painted.pixelColor(0, 0)
    rows = [
        y
        for y in range(painted.height())
        if any(painted.pixelColor(x, y) != background for x in range(painted.width()))
    ]
    assert rows, "the sign is drawn"
    assert abs((rows[0] + rows[-1]) / 2 - (painted.height() - 1) / 2) <= 1.5
    qtbot.mouseClick(sign, Qt.MouseButton.LeftButton)
    assert field.text() == ""


def test_a_new_caucus_can_be_made_on_a_small_screen(qtbot, welcome, roster, tmp_path):
    welcome.resize(903, 468)
    welcome.welcome.new_button.click()
    form = welcome.welcome.new
    form.roster.setText(str(roster))
    form.look.click()
    qtbot.waitUntil(lambda: not welcome.jobs.busy, timeout=30_000)
    settle()
    assert (welcome.width(), welcome.height()) == (903, 468)
    frame = next(area for area in welcome.findChildren(QScrollArea) if area.isAncestorOf(form))
    assert not frame.horizontalScrollBar().isVisible()
    for part in (form.make, form.back, form.outcome, form.preview.horizontalHeader()):
        frame.ensureWidgetVisible(part, 0, 0)
        settle()
        corner = part.mapTo(frame.viewport(), part.rect().topLeft())
        assert frame.viewport().rect().contains(part.rect().translated(corner)), part
    assert form.preview.height() >= 70
