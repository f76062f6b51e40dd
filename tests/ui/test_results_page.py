"""The Results page shows the tally as it stands and refreshes itself."""

from fractions import Fraction

import pytest
import python_calamine
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel

from caucus_desk.desk import entry
from caucus_desk.desk.creating import create_caucus
from caucus_desk.desk.looking import look
from caucus_desk.tally.report import Channel
from caucus_desk.ui.app import build_window
from caucus_desk.ui.results.figures import bars_of, lines_of
from caucus_desk.ui.widgets.barchart import BarChart


@pytest.fixture
def page(window, desk, report, good, south):
    report(desk, "A-1", good, 100, "phone", "clerk 01")
    report(desk, "A-1", good, 100, "paper", "clerk 02")
    report(desk, "A-2", south, 60, "phone", "clerk 01")
    window.shell.context.after_change()
    window.shell.show_page("results")
    return window.shell.pages["results"]


def shown(page):
    """The table by group, as its texts."""
    model = page.model
    return {
        str(model.data(model.index(row, 0))): [
            str(model.data(model.index(row, column))) for column in range(1, model.columnCount())
        ]
        for row in range(model.rowCount())
    }


def test_the_state_as_reported_and_as_the_rules_give(page):
    table = shown(page)
    # 4 state delegates over 11 county delegates: one delegate is 4/11 of an SDE.
    assert table["Buttigieg"] == ["36", "22.5%", "38", "23.8%", "2", "2", "0.7273", "0.7273", "18.2%"]
    assert table["Klobuchar"][:6] == ["30", "18.8%", "35", "21.9%", "3", "3"]
    assert table["Total"] == ["160", "", "160", "", "11", "11", "4.0000", "4.0000", ""]
    assert list(table)[:3] == ["Bennet", "Biden", "Bloomberg"]
    assert "2 of 4 precincts in" in page.coverage.text()
    assert page.name_label.whole == "Statewide"


def test_the_models_keep_qts_rules(qtmodeltester, page):
    qtmodeltester.check(page.model)
    qtmodeltester.check(page.seat_model)
    page.by.choose("county")
    qtmodeltester.check(page.areas.model)
    page.by.choose("precinct")
    qtmodeltester.check(page.areas.model)


def test_verified_only_counts_what_two_people_agreed_on(page):
    page.counting.choose("verified")
    table = shown(page)
    assert table["Klobuchar"][0] == "0"
    assert table["Total"][0] == "100"
    assert "1 counted here" in page.coverage.text()


def test_a_county_is_chosen_by_typing(qtbot, page):
    page.by.choose("county")
    assert page.areas.isVisible()
    qtbot.keyClicks(page.areas.filter, "alph")
    qtbot.keyClick(page.areas.filter, Qt.Key.Key_Down)
    assert page.name_label.whole == "Alpha"
    assert shown(page)["Total"][0] == "160"
    page.areas.filter.clear()
    page.areas.view.select_key("O'Brien")
    assert shown(page)["Total"][0] == "0"
    assert not page.chart.bars


def test_by_precinct_shows_one_precinct(qtbot, page):
    page.by.choose("precinct")
    page.areas.view.select_key("A-2")
    assert page.model.rowCount() == 0, "not verified, and keyed by another person"
    qtbot.keyClick(page.areas.view, Qt.Key.Key_S)
    assert page.name_label.whole == "Alpha · South Ward · A-2"
    assert shown(page)["Klobuchar"][4:6] == ["3", "3"]
    assert page.areas.model.rowCount() == 4, "the merged precinct is not in the tally"


def test_by_district(page):
    page.by.choose("district")
    page.areas.view.select_key("1")
    assert shown(page)["Total"][0] == "160"
    page.areas.view.select_key("3")
    assert shown(page)["Total"][0] == "0"


def test_a_precinct_that_the_person_is_keying_is_covered(window, desk, page):
    entry.claim(desk, "A-2", Channel.PAPER, "clerk 07")
    page.by.choose("precinct")
    page.areas.view.select_key("A-1")
    page.areas.view.select_key("A-2")
    assert page.model.rowCount() == 0
    assert "keying this precinct" in covered(page)


def covered(page):
    """What the cover says; "" where there is none."""
    words = (words.text() for words in page.cover.findChildren(QLabel))
    return " ".join(words) if page.cover.isVisible() else ""


def test_a_sum_of_one_precinct_that_the_person_is_keying_is_covered(qtbot, window, desk, report, page):
    report(desk, "77-DM42", {"Biden": (30, 30, 2), "Yang": (30, 30, 2)}, 60, "phone", "clerk 01")
    window.shell.context.after_change()
    entry.claim(desk, "77-DM42", Channel.PAPER, "clerk 07")
    for by, key in (("county", "O'Brien"), ("district", "3"), ("precinct", "77-DM42")):
        page.by.choose(by)
        page.areas.view.select_key(key)
        assert page.model.rowCount() == 0
        assert "keying this precinct" in covered(page)
        assert not page.chart.bars
        qtbot.keyClick(page.areas.view, Qt.Key.Key_S)
        assert page.model.rowCount() == 0
    page.by.choose("county")
    page.areas.view.select_key("Alpha")
    assert shown(page)["Total"][0] == "160"
    assert not covered(page)
    page.by.choose("state")
    assert shown(page)["Total"][0] == "220"
    assert not page.national.isVisible(), "the seats of district 3 follow from that one precinct"


def test_no_workbook_for_who_is_keying(qtbot, window, desk, page, tmp_path):
    draft = entry.claim(desk, "A-2", Channel.PAPER, "clerk 07")
    page.export_button.click()
    assert not page.export.isVisible()
    assert "Finish or leave the sheet first" in window.notices.text
    assert "South Ward" in window.notices.text
    entry.discard(desk, draft.id, "clerk 07")
    page.export_button.click()
    assert page.export.isVisible()
    entry.claim(desk, "A-2", Channel.PAPER, "clerk 07")
    qtbot.keyClick(page.export.path_field, Qt.Key.Key_Return)
    assert not window.jobs.busy
    assert not list(tmp_path.glob("*.xlsx"))


def test_it_refreshes_after_a_change_and_keeps_the_choice(window, desk, report, south, page):
    page.by.choose("county")
    page.areas.view.select_key("Alpha")
    south["Klobuchar"] = (31, 35, 3)
    report(desk, "A-2", south, 61, "phone", "clerk 01")
    window.shell.context.after_change()
    assert page.name_label.whole == "Alpha"
    assert shown(page)["Klobuchar"][0] == "31"


def test_national_delegates_by_pool(page):
    seats = {page.seat_model.data(page.seat_model.index(row, 0)) for row in range(page.seat_model.rowCount())}
    assert {"Buttigieg", "Klobuchar", "Sanders"} <= seats
    assert [spec.title for spec in page.seat_model.columns] == [
        "Group",
        "D1",
        "D2",
        "D3",
        "D4",
        "AL",
        "PLEO",
        "all",
    ]


def test_small_groups_are_one_bar_together_and_bars_add_up(page, desk):
    lines = lines_of(desk.rules, desk.overview().tally().rows[0])
    bars = bars_of(lines)
    assert sum((bar.share for bar in bars), Fraction(0)) == 1
    assert [bar.label for bar in bars] == ["Biden", "Buttigieg", "Klobuchar", "Sanders", "Warren"]
    assert page.chart.bars == bars


def test_the_chart_says_its_shares_to_a_screen_reader(qtbot, page):
    assert "Buttigieg 18.2%" in page.chart.accessibleDescription()
    empty = BarChart("nothing")
    qtbot.addWidget(empty)
    empty.set_bars(())
    assert not empty.grab().isNull()


def test_ctrl_c_copies_the_table(qtbot, page):
    page.table.setFocus()
    qtbot.keyClick(page.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = QApplication.clipboard().text().splitlines()
    assert lines[0].startswith("Group\tFirst\tshare\tFinal")
    assert lines[-1].split("\t") == ["Total", "160", "", "160", "", "11", "11", "4.0000", "4.0000", ""]


def test_sorting_moves_groups_and_leaves_the_total(page):
    page.table.sortByColumn(1, Qt.SortOrder.DescendingOrder)
    order = list(shown(page))
    assert order[:2] == ["Sanders", "Buttigieg"]
    assert order[-1] == "Total"


def test_a_state_that_reports_whole_delegates_shows_no_decimals(qtbot, roster, tmp_path, report):
    desk = create_caucus(str(tmp_path / "nevada.sqlite"), "nevada-2020", roster, by="maker").desk
    report(desk, "A-1", {"Biden": (40, 60, 6), "Sanders": (60, 40, 0)}, 100, "app", "app feed")
    look(desk, "A-1", "clerk 07")
    window = build_window(desk, person="clerk 07")
    qtbot.addWidget(window)
    window.show()
    window.shell.show_page("results")
    page = window.shell.pages["results"]
    assert [spec.title for spec in page.model.columns][7] == "CCDs\nreported"
    assert shown(page)["Biden"][6] == "6"
    assert list(shown(page)) == [*(group.label for group in desk.rules.groups), "Total"]
    window.close()


# ---- the workbook ----


def export_to(qtbot, page, path):
    page.export_button.click()
    assert page.export.isVisible()
    page.export.path_field.clear()
    qtbot.keyClicks(page.export.path_field, str(path))
    qtbot.keyClick(page.export.path_field, Qt.Key.Key_Return)


def test_the_workbook_is_written_and_said_to_be_written(qtbot, window, page, tmp_path):
    out = tmp_path / "results.xlsx"
    export_to(qtbot, page, out)
    qtbot.waitUntil(lambda: not window.jobs.busy, timeout=60_000)
    assert "The workbook is written" in window.notices.text
    book = python_calamine.CalamineWorkbook.from_path(out)
    assert len(book.sheet_names) >= 8
    assert not page.export.isVisible()


def test_a_workbook_that_cannot_be_written_is_refused_in_the_page(qtbot, window, page, tmp_path):
    export_to(qtbot, page, tmp_path / "no such folder" / "results.xlsx")
    qtbot.waitUntil(lambda: not window.jobs.busy, timeout=60_000)
    assert window.notices.text
    assert "written, and" not in window.notices.text
    assert page.export.isVisible()
    assert page.export.write.isEnabled()


def test_cancelling_the_workbook_leaves_no_file(qtbot, window, page, tmp_path, monkeypatch):
    out = tmp_path / "results.xlsx"
    window.jobs.started.connect(lambda job: job.cancel())
    export_to(qtbot, page, out)
    qtbot.waitUntil(lambda: not window.jobs.busy, timeout=60_000)
    assert "No workbook was written" in window.notices.text
    assert not out.exists()
    assert not list(tmp_path.glob("*.tmp"))


def test_a_file_that_is_there_is_named_before_it_is_replaced(qtbot, page, tmp_path):
    out = tmp_path / "there.xlsx"
    out.write_bytes(b"")
    page.export_button.click()
    page.export.path_field.setText(str(out))
    assert "will be replaced" in page.export.remark.text()
