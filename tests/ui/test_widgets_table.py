"""The table of the house: models that Qt's own tester accepts, sorting, filtering, copying."""

import statistics
import time
from dataclasses import dataclass

import pytest
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QApplication

from caucus_desk.ui.widgets.table import ColumnSpec, TableModel, TableView, plain_cell


@dataclass(frozen=True)
class Place:
    id: str
    name: str
    people: int


COLUMNS = (
    ColumnSpec[Place]("Id", 60, lambda row: row.id),
    ColumnSpec[Place]("Name", 120, lambda row: row.name, bold=True, icon=lambda row: ("good", "good")),
    ColumnSpec[Place](
        "People",
        80,
        lambda row: f"{row.people:,}",
        lambda row: row.people,
        number=True,
        colour=lambda row: "muted",
    ),
)
PLACES = [
    Place("3", "Árbol", 1200),
    Place("1", "Elm", 30),
    Place("2", "birch", 400),
    Place("4", "O'Brien", 30),
]
TOTAL = Place("", "Total", 1660)


@pytest.fixture
def model(qtbot):
    made = TableModel[Place](COLUMNS, lambda row: row.id, lambda row: f"{row.id} {row.name}")
    made.set_rows(PLACES)
    return made


def names(model):
    return [model.data(model.index(row, 1)) for row in range(model.rowCount())]


def test_the_model_keeps_qts_rules(qtmodeltester, model):
    qtmodeltester.check(model)
    model.set_rows([*PLACES[:2], Place("2", "birch", 401), PLACES[3]])
    qtmodeltester.check(model)
    model.set_filter("o")
    model.sort(2, Qt.SortOrder.DescendingOrder)
    model.set_rows(PLACES, [TOTAL])
    qtmodeltester.check(model)
    model.set_rows([])
    qtmodeltester.check(model)
    model.set_columns(COLUMNS[:2])
    qtmodeltester.check(model)


def test_rows_below_a_row_there_are_none(model):
    assert model.rowCount(model.index(0, 0)) == 0
    assert model.data(QModelIndex()) is None


def test_figures_sort_as_figures_and_names_without_case_or_accents(model):
    model.sort(2)
    assert names(model) == ["Elm", "O'Brien", "birch", "Árbol"]
    model.sort(1)
    assert names(model) == ["Árbol", "birch", "Elm", "O'Brien"]
    model.sort(1, Qt.SortOrder.DescendingOrder)
    assert names(model) == ["O'Brien", "Elm", "birch", "Árbol"]
    model.sort(-1)
    assert names(model) == [place.name for place in PLACES]


def test_the_total_stays_last_whatever_the_sorting(model):
    model.set_rows(PLACES, [TOTAL])
    for order in Qt.SortOrder:
        model.sort(2, order)
        assert names(model)[-1] == "Total"
    model.set_filter("elm")
    assert names(model) == ["Elm", "Total"]


def test_a_persistent_index_follows_its_row_through_sorting(model):
    model.set_rows(PLACES, [TOTAL])
    elm = QPersistentModelIndex(model.index(1, 1))
    total = QPersistentModelIndex(model.index(4, 1))
    model.sort(2, Qt.SortOrder.DescendingOrder)
    assert elm.data() == "Elm"
    assert total.data() == "Total"


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("arbol", ["Árbol"]),
        ("BIRCH 2", ["birch"]),
        ("obrien", ["O'Brien"]),
        ("2 elm", []),
        ("", 4),
        ("  ", 4),
    ],
)
def test_each_typed_word_must_occur_letters_case_and_accents_aside(model, typed, found):
    model.set_filter(typed)
    assert names(model) == found if isinstance(found, list) else len(names(model)) == found


def test_new_content_keeps_filter_sorting_and_the_chosen_row(qtbot, model):
    view = TableView(model, "Places")
    qtbot.addWidget(view)
    model.sort(1)
    view.select_key("2")
    model.set_rows([Place("9", "Alder", 1), *PLACES])
    assert names(model) == ["Alder", "Árbol", "birch", "Elm", "O'Brien"]
    assert view.current_key == "2"
    model.set_rows([Place("9", "Alder", 1), *PLACES[:2], Place("2", "birch", 999), PLACES[3]])
    assert view.current_key == "2"
    assert model.data(model.index(2, 2)) == "999"


def test_ctrl_c_copies_the_shown_table_as_spreadsheets_take_it(qtbot, model):
    view = TableView(model, "Places")
    qtbot.addWidget(view)
    view.show()
    model.set_filter("rbol")
    qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text() == "Id\tName\tPeople\n3\tÁrbol\t1200\n"


@pytest.mark.parametrize(
    ("text", "number", "plain"),
    [
        ("1,234", True, "1234"),
        ("–", True, ""),
        ("−0.2500", True, "-0.2500"),
        ("=HYPERLINK(1)", False, "'=HYPERLINK(1)"),
        ("+1", False, "'+1"),
        ("@x", False, "'@x"),
        ("a\tb\nc", False, "a b c"),
        ("1,234", False, "1,234"),
    ],
)
def test_no_copied_name_becomes_a_formula(text, number, plain):
    assert plain_cell(text, number) == plain


def test_enter_opens_the_chosen_row(qtbot, model):
    view = TableView(model, "Places")
    qtbot.addWidget(view)
    view.show()
    view.select_key("1")
    with qtbot.waitSignal(view.opened) as opened:
        qtbot.keyClick(view, Qt.Key.Key_Return)
    assert opened.args == ["1"]


def test_columns_fill_the_room_and_hardly_shrink_below_what_they_ask(qtbot, model):
    view = TableView(model, "Places")
    qtbot.addWidget(view)
    view.resize(800, 200)
    view.show()
    widths = [view.columnWidth(column) for column in range(3)]
    assert sum(widths) == view.viewport().width()
    view.resize(100, 200)
    assert sum(view.columnWidth(column) for column in range(3)) >= 260 * 0.9 - 3


def test_a_width_set_by_hand_stays(qtbot, model):
    view = TableView(model, "Places")
    qtbot.addWidget(view)
    view.resize(800, 200)
    view.show()
    view.horizontalHeader().resizeSection(0, 77)
    view.resize(900, 200)
    assert view.columnWidth(0) == 77


def test_a_key_in_the_filter_of_1765_rows_shows_within_100_ms(qtbot, qapp):
    places = [Place(f"{number:05d}", f"Precinct {number} Township", number) for number in range(1765)]
    model = TableModel[Place](COLUMNS, lambda row: row.id, lambda row: f"{row.id} {row.name}")
    model.set_rows(places)
    view = TableView(model, "Places")
    qtbot.addWidget(view)
    view.resize(1000, 600)
    view.show()
    qtbot.waitExposed(view)
    took = []
    for typed in ("t", "to", "tow", "tow 1", "tow 17", "tow 176", ""):
        start = time.perf_counter()
        model.set_filter(typed)
        qapp.processEvents()
        took.append(time.perf_counter() - start)
    assert statistics.median(took) < 0.1
