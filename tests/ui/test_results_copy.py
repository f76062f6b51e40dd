"""Copying a table, for a spreadsheet and for an e-mail, and printing what is shown."""

import re

import pypdfium2
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from caucus_desk.ui import paper
from caucus_desk.ui.widgets.copying import Grid, as_html, as_text, value_of
from caucus_desk.ui.widgets.table import ColumnSpec, TableModel, TableView


def press(key, modifier=Qt.KeyboardModifier.NoModifier):
    QTest.keyClick(QApplication.focusWidget(), key, modifier)


@pytest.fixture
def page(window, desk, report, good):
    report(desk, "A-1", good, 100, "phone", "clerk 01")
    report(desk, "A-1", good, 100, "paper", "clerk 02")
    window.shell.context.after_change()
    window.activateWindow()
    window.shell.show_page("results")
    return window.shell.pages["results"]


def cells(html):
    """Rows of cells with their attributes, as a spreadsheet reads them."""
    return [
        re.findall(r"<t[dh]([^>]*)>(.*?)</t[dh]>", row, re.S)
        for row in re.findall(r"<tr>(.*?)</tr>", html, re.S)
    ]


@pytest.mark.parametrize(
    ("shown", "value"),
    [
        ("1,502.0000", ("1502.0000", "#,##0.0000")),
        ("22.5%", ("0.225", "0.0%")),
        ("100%", ("1.00", "0%")),
        ("5%", ("0.05", "0%")),
        ("0.1%", ("0.001", "0.0%")),
        ("−0.3636", ("-0.3636", "#,##0.0000")),
        ("161", ("161", "#,##0")),
        ("–", None),
        ("", None),
        ("12 min", None),
        ("1,23", None),
    ],
)
def test_the_bare_number_of_what_is_shown(shown, value):
    assert value_of(shown) == value


def test_text_stays_text_and_markup_is_no_markup():
    grid = Grid(["Id", "Name", "n"], [False, False, True], [["0123", "=1+1", "1,000"], ["1-4", "<b>", "–"]])
    html = as_html([("", grid)])
    head, first, second = cells(html)
    assert all("text-align:right" in attributes for attributes, text in (head[2], first[2], second[2]))
    for attributes, _ in (first[0], first[1], second[0]):
        assert r"mso-number-format:'\@'" in attributes
        assert "x:num" not in attributes
    assert 'x:num="1000"' in first[2][0]
    assert 'sdval="1000"' in first[2][0]
    assert first[2][1] == "1,000"
    assert second[1][1] == "&lt;b&gt;"
    assert "x:num" not in second[2][0]
    assert as_text(grid).splitlines() == ["Id\tName\tn", "0123\t'=1+1\t1000", "1-4\t<b>\t"]


def test_ctrl_c_in_a_table_gives_both_kinds(qtbot):
    spec = ColumnSpec[int]("many\npeople", 60, lambda n: f"{n:,}", lambda n: n, number=True)
    model = TableModel[int]((ColumnSpec("name", 90, lambda n: f"row {n}"), spec), str)
    view = TableView(model, "Sums")
    qtbot.addWidget(view)
    model.set_rows([1200, 2], [1202])
    qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    held = QApplication.clipboard().mimeData()
    assert held.text() == "name\tmany people\nrow 1200\t1200\nrow 2\t2\nrow 1202\t1202\n"
    rows = cells(held.html())
    assert "many<br" in rows[0][1][1]
    assert 'x:num="1202"' in rows[3][1][0]
    assert "font-weight:bold" in rows[3][1][0], "the total as it looks"
    assert "font-weight:bold" not in rows[1][1][0]


def test_the_copied_tally_says_of_how_much_it_is(page, window):
    page.copy_button.click()
    held = QApplication.clipboard().mimeData()
    assert held.text().splitlines()[0].split("\t")[:3] == ["Group", "First", "share"]
    assert "Buttigieg\t36\t36.0%\t38\t38.0%\t2\t2\t0.7273" in held.text()
    assert "UNOFFICIAL, PARTIAL: 1 of 4 precincts" in held.html()
    assert "Statewide" in held.html()
    assert "in the clipboard" in window.notices.text


def test_the_table_with_the_hand_in_it_is_copied(page):
    page.seat_table.setFocus()
    page._copy()
    assert QApplication.clipboard().text().startswith("Group\tD1\t")


def test_a_pdf_is_letter_landscape_with_banner_and_page_numbers(qtbot, page, window, tmp_path):
    press(Qt.Key.Key_P)
    assert page.print_panel.isVisible()
    field = page.print_panel.path_field
    assert QApplication.focusWidget() is field
    name = field.text().replace("\\", "/").rsplit("/", 1)[-1]
    assert re.fullmatch(r"Small caucus Results Statewide \d{8} \d{4}\.pdf", name)
    out = tmp_path / "results"
    qtbot.keyClicks(field, str(out))
    press(Qt.Key.Key_Return)
    assert "The PDF is written, pages: 1." in window.notices.text
    assert not page.print_panel.isVisible()
    pdf = pypdfium2.PdfDocument(str(tmp_path / "results.pdf"))
    assert [round(side) for side in pdf[0].get_size()] == [792, 612]
    text = pdf[0].get_textpage().get_text_range()
    assert "UNOFFICIAL, PARTIAL: 1 of 4 precincts" in text
    assert "Page 1 of 1" in text
    assert "Buttigieg" in text
    assert "0.7273" in text
    pdf.close()


def test_a_long_list_goes_over_pages_and_heads_each(qtbot, page, tmp_path):
    rows = [
        [f"{number:04}", f"Precinct with a long name {number} " * 4, f"{number:,}"] for number in range(120)
    ]
    grid = Grid(["Id", "Name", "People"], [False, False, True], [*rows, ["", "Total", "7,140"]], 1)
    out = tmp_path / "long.pdf"
    from datetime import UTC, datetime

    document = paper.Document(
        "Iowa 2020", "A list", "UNOFFICIAL, COMPLETE", datetime(2020, 2, 4, tzinfo=UTC),
        [paper.Block("Precincts", "As they are.", grid)],
    )  # fmt: skip
    pages = paper.write_pdf(document, out)
    assert pages > 2
    pdf = pypdfium2.PdfDocument(str(out))
    assert len(pdf) == pages
    # Where words end is the reader's guess: compared without spaces.
    texts = ["".join(pdf[place].get_textpage().get_text_range().split()) for place in range(pages)]
    for place, text in enumerate(texts, start=1):
        assert f"Page{place}of{pages}" in text
        assert "UNOFFICIAL,COMPLETE" in text
        assert "People" in text
    assert all(sum(f"name{number}Precinct" in text for text in texts) == 1 for number in range(120))
    assert "7,140" in texts[-1]
    pdf.close()


def test_what_is_no_pdf_is_not_replaced(qtbot, page, window, tmp_path):
    there = tmp_path / "minutes.pdf"
    there.write_text("the minutes of a meeting", encoding="utf-8")
    press(Qt.Key.Key_P)
    qtbot.keyClicks(page.print_panel.path_field, str(there))
    assert "will be replaced" in page.print_panel.remark.text()
    press(Qt.Key.Key_Return)
    assert "is no PDF and is not replaced" in window.notices.text
    assert there.read_text(encoding="utf-8") == "the minutes of a meeting"
    assert page.print_panel.isVisible()
    press(Qt.Key.Key_Escape)
    assert not page.print_panel.isVisible()


def test_what_is_covered_is_neither_copied_nor_printed(page, window, desk, report):
    report(desk, "A-2", {"Sanders": (60, 60, 5)}, 60, "phone", "clerk 01")
    window.shell.context.after_change()
    page.by.choose("precinct")
    page.areas.view.select_key("A-2")
    QApplication.clipboard().setText("before")
    assert not page.copy_button.isEnabled()
    page.areas.view.setFocus()
    press(Qt.Key.Key_P)
    assert not page.print_panel.isVisible()
    assert "nothing to print" in window.notices.text
    assert QApplication.clipboard().text() == "before"
