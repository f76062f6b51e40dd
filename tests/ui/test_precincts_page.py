"""The Precincts page: every precinct, found at each key; its sheets; results loaded from files."""

import re
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from caucus_desk.desk import entry
from caucus_desk.desk.looking import eyes, look
from caucus_desk.desk.trail import audit_trail
from caucus_desk.tally.report import Channel
from caucus_desk.ui.precincts.rows import rows_of


@pytest.fixture
def page(window):
    window.shell.show_page("precincts")
    return window.shell.pages["precincts"]


def ids(page):
    return [row.id for row in page.model.shown]


def column(page, title):
    place = [spec.title for spec in page.model.columns].index(title)
    return {row.id: page.model.data(page.model.index(at, place)) for at, row in enumerate(page.model.shown)}


def bring(window, desk, report, *sheets):
    for sheet in sheets:
        report(desk, *sheet)
    window.shell.context.after_change()


def test_every_precinct_of_the_roster_with_its_state(window, desk, report, good, page):
    wrong = {**good, "Biden": (14, 17, 1)}
    bring(
        window,
        desk,
        report,
        ("A-1", good, 100, "phone", "clerk 01"),
        ("A-1", wrong, 101, "paper", "clerk 02"),
    )
    assert ids(page) == ["A-1", "A-2", "A-3", "77-DM42", "77-T01"]
    assert column(page, "State") == {
        "A-1": "mismatched", "A-2": "awaiting", "A-3": "merged", "77-DM42": "awaiting", "77-T01": "awaiting",
    }  # fmt: skip
    assert column(page, "Came in by")["A-1"] == "phone · paper"
    assert column(page, "Elects")["A-3"] == "0"
    assert page.states.text_of("mismatched") == "mismatched 1"


def test_the_models_keep_qts_rules(qtmodeltester, window, desk, report, good, page):
    qtmodeltester.check(page.model)
    bring(window, desk, report, ("A-1", {**good, "Biden": (14, 30, 1)}, 100, "phone", "clerk 01"))
    qtmodeltester.check(page.model)
    page.open_precinct("A-1")
    qtmodeltester.check(page.detail.sheet_model)
    qtmodeltester.check(page.detail.findings.model)


def test_each_key_narrows_the_list(qtbot, page):
    seen = []
    for letter in "42 ob":
        qtbot.keyClicks(page.filter, letter)
        seen.append(ids(page))
    assert seen[1] == ["77-DM42"]
    assert seen[-1] == ["77-DM42"]
    qtbot.keyClick(page.filter, Qt.Key.Key_Escape)
    assert len(ids(page)) == 5


def test_nothing_found_says_so_and_what_to_do(qtbot, page):
    qtbot.keyClicks(page.filter, "zzz")
    assert page.nothing.isVisible()
    assert not page.table.isVisible()
    qtbot.keyClick(page.filter, Qt.Key.Key_Escape)
    assert page.table.isVisible()


def test_enter_opens_only_what_is_alone_or_chosen(qtbot, page):
    qtbot.keyClicks(page.filter, "ward")
    qtbot.keyClick(page.filter, Qt.Key.Key_Return)
    assert not page.detail.isVisible(), "two fit: nothing is taken unseen"
    qtbot.keyClick(page.table, Qt.Key.Key_Down)
    qtbot.keyClick(page.table, Qt.Key.Key_Return)
    assert page.detail.isVisible()
    assert page.detail.precinct_id == "A-2"
    qtbot.keyClick(page.detail, Qt.Key.Key_Escape)
    assert page.table.isVisible()


def test_a_state_and_words_narrow_together(qtbot, window, desk, report, good, page):
    bring(window, desk, report, ("A-1", good, 100, "phone", "clerk 01"))
    page.states.choose("single")
    assert ids(page) == ["A-1"]
    page.states.choose("awaiting")
    qtbot.keyClicks(page.filter, "ward")
    assert ids(page) == ["A-2"]


def test_what_needs_a_person_comes_first_when_sorted_by_findings(window, desk, report, good, south, page):
    bring(
        window,
        desk,
        report,
        ("A-1", good, 100, "phone", "clerk 01"),
        ("A-2", {**south, "Sanders": (25, 20, 2)}, 60, "phone", "clerk 01"),
    )
    rows = {row.id: row for row in rows_of(desk.overview(), eyes(desk, "reviewer"))}
    assert rows["A-2"].errors > 0
    place = [spec.title for spec in page.model.columns].index("Findings open")
    page.table.sortByColumn(place, Qt.SortOrder.AscendingOrder)
    assert ids(page)[0] == "A-2"
    assert "error" in column(page, "Findings open")["A-2"]


def test_ids_sort_as_text_and_figures_as_figures(page):
    titles = [spec.title for spec in page.model.columns]
    page.table.sortByColumn(titles.index("Elects"), Qt.SortOrder.AscendingOrder)
    assert ids(page) == ["A-3", "77-T01", "77-DM42", "A-2", "A-1"]


# ---- one precinct ----


def show_figures(qtbot, page, precinct_id):
    """Opens a precinct and, where its figures are covered, looks at them on purpose."""
    page.open_precinct(precinct_id)
    if page.detail.cover.isVisible():
        qtbot.keyClick(page.detail.cover.show_figures, Qt.Key.Key_S)


def cell(page, row, column):
    model = page.detail.sheet_model
    titles = [spec.title.replace("\n", " ") for spec in model.columns]
    keys = [entry.label for entry in model.shown]
    return model.data(model.index(keys.index(row), titles.index(column)))


def test_sheets_stand_side_by_side_and_differences_are_marked(qtbot, window, desk, report, good, page):
    wrong = {**good, "Biden": (14, 17, 1)}
    bring(
        window,
        desk,
        report,
        ("A-1", good, 100, "phone", "clerk 01"),
        ("A-1", wrong, 100, "paper", "clerk 02"),
    )
    show_figures(qtbot, page, "A-1")
    assert cell(page, "Biden", "phone final") == "16"
    assert cell(page, "Biden", "paper final") == "17"
    assert cell(page, "Attendance", "phone first") == "100"
    assert cell(page, "Biden", "rules give") == "1"
    assert cell(page, "Bennet", "phone first") == "–", "blank is not zero"
    biden = next(row for row in page.detail.sheet_model.shown if row.label == "Biden")
    assert biden.cell("phone", "final").differs
    assert not biden.cell("phone", "first").differs
    assert "clerk 01" in page.detail.facts.text()
    assert "paper sheet" in page.detail.facts.text()
    assert page.detail.to_mismatch.isVisible()
    page.detail.to_mismatch.click()
    assert window.shell.pages["review"].isVisible()


def test_a_second_report_of_a_channel_stands_beside_the_first(
    qtbot, window, desk, report, good, page, elsewhere
):
    bring(
        window,
        desk,
        report,
        ("A-1", good, 100, "phone", "clerk 01"),
        ("A-1", good, 100, "paper", "clerk 02"),
    )
    reports = desk.overview().results["A-1"].reports
    rows = tuple(
        replace(row, final=17) if row.group == "Biden" else row for row in reports[Channel.PAPER].sheet.groups
    )
    other = replace(reports[Channel.PAPER].sheet, groups=rows)
    elsewhere.bring(desk, "A-1", "paper", other, "Bob Halloway-Smith")
    window.shell.context.after_change()
    show_figures(qtbot, page, "A-1")
    titles = [spec.title.replace("\n", " ") for spec in page.detail.sheet_model.columns]
    assert titles[1:10:3] == ["phone first", "paper first", "paper Bob Hallo… first"]
    assert cell(page, "Biden", "paper final") == "16"
    assert cell(page, "Biden", "paper Bob Hallo… final") == "17"
    biden = next(row for row in page.detail.sheet_model.shown if row.label == "Biden")
    assert [biden.cell(name, "final").differs for name in ("phone", "paper", "3")] == [True, True, True]
    assert "Beside it paper: Bob Halloway-Smith, Polk packet, " in page.detail.facts.text()
    assert page.detail.to_mismatch.isVisible()


def test_after_a_ruling_it_still_shows_where_the_reports_differed(window, desk, report, good, page):
    from caucus_desk.desk.review import rule

    wrong = {**good, "Biden": (14, 17, 1)}
    bring(
        window,
        desk,
        report,
        ("A-1", good, 100, "phone", "clerk 01"),
        ("A-1", wrong, 100, "paper", "clerk 02"),
    )
    seen = max(found.id for found in desk.overview().results["A-1"].reports.values())
    rule(desk, "A-1", {"Biden.final": 16}, seen_report=seen, reason="the photo shows 16", by="reviewer")
    window.shell.context.after_change()
    page.open_precinct("A-1")
    biden = next(row for row in page.detail.sheet_model.shown if row.label == "Biden")
    assert biden.cell("paper", "final").differs
    assert cell(page, "Biden", "ruling final") == "16"
    assert not biden.cell("stands", "final").differs
    assert "the photo shows 16" in page.detail.facts.text()


def test_the_detail_follows_a_change(qtbot, window, desk, report, good, page):
    bring(window, desk, report, ("A-1", good, 100, "phone", "clerk 01"))
    show_figures(qtbot, page, "A-1")
    bring(window, desk, report, ("A-1", {**good, "Yang": (5, 0, 0)}, 101, "phone", "clerk 01"))
    assert cell(page, "Yang", "phone first") == "5"


def test_a_precinct_without_reports_says_what_to_do(page):
    page.open_precinct("A-2")
    assert page.detail.empty.isVisible()
    assert not page.detail.sheet_table.isVisible()
    page.open_precinct("A-3")
    assert "merged" in page.detail.state_label.text()


def test_who_is_keying_a_precinct_does_not_see_the_other_sheet(qtbot, window, desk, report, good, page):
    bring(window, desk, report, ("A-1", good, 100, "phone", "clerk 01"))
    entry.claim(desk, "A-1", Channel.PAPER, "clerk 07")
    page.open_precinct("A-1")
    assert not page.detail.sheet_table.isVisible()
    assert page.detail.cover.isVisible()
    assert not page.detail.cover.show_figures.isVisible()
    qtbot.keyClick(page.detail.back, Qt.Key.Key_S)
    assert page.detail.cover.isVisible(), "while the sheet is open there is no looking"
    facts = re.sub(r"\d\d:\d\d(:\d\d)?", "", page.detail.facts.text())  # the clock may say 38
    assert "38" not in facts
    window.shell.context.set_person("clerk 12")
    window.shell.show_page("precincts", "A-1")
    qtbot.keyClick(page.detail.cover.show_figures, Qt.Key.Key_S)
    assert page.detail.sheet_table.isVisible()


def looks(desk):
    return [event.sentence for event in audit_trail(desk) if event.action == "looked"]


def test_figures_are_covered_until_somebody_looks_on_purpose(qtbot, window, desk, report, good, page):
    bring(window, desk, report, ("A-1", good, 100, "phone", "clerk 01"))
    page.open_precinct("A-1")
    assert not page.detail.sheet_table.isVisible()
    assert not page.detail.findings.isVisible()
    assert not looks(desk), "opening the row is not looking"
    said = " ".join(words.text() for words in page.detail.cover.findChildren(QLabel))
    assert "you can no longer key this precinct" in said
    assert page.detail.cover.show_figures.hasFocus()
    qtbot.keyClick(page.detail.cover.show_figures, Qt.Key.Key_S)
    assert cell(page, "Biden", "phone final") == "16"
    assert looks(desk) == ["clerk 07 looked at the figures of North Ward, Alpha"]
    with pytest.raises(entry.Barred):
        entry.claim(desk, "A-1", Channel.PAPER, "clerk 07")


def test_a_letter_typed_in_the_filter_uncovers_nothing(qtbot, window, desk, report, good, page):
    bring(window, desk, report, ("A-1", good, 100, "phone", "clerk 01"))
    page.open_precinct("A-1")
    qtbot.keyClick(page.detail.cover.show_figures, Qt.Key.Key_Escape)
    qtbot.keyClicks(page.filter, "s")
    assert not looks(desk)


def test_what_follows_from_a_covered_sheet_is_not_in_the_list(window, desk, report, good, page):
    bring(window, desk, report, ("A-1", {**good, "Biden": (14, 30, 1)}, 100, "phone", "clerk 01"))
    row = next(row for row in rows_of(desk.overview(), eyes(desk, "clerk 07")) if row.id == "A-1")
    assert row.errors > 0
    assert row.finding_ids == ""
    look(desk, "A-1", "clerk 07")
    row = next(row for row in rows_of(desk.overview(), eyes(desk, "clerk 07")) if row.id == "A-1")
    assert row.finding_ids
    entry.claim(desk, "A-1", Channel.PAPER, "clerk 12")
    row = next(row for row in rows_of(desk.overview(), eyes(desk, "clerk 12")) if row.id == "A-1")
    assert row.errors == 0


def test_an_error_is_acknowledged_by_another_person_with_a_reason(qtbot, window, desk, report, good, page):
    wrong = {**good, "Sanders": (24, 20, 2), "Biden": (14, 20, 1)}
    bring(
        window,
        desk,
        report,
        ("A-1", wrong, 100, "phone", "clerk 01"),
        ("A-1", wrong, 100, "paper", "clerk 02"),
    )
    assert desk.overview().results["A-1"].open_errors
    show_figures(qtbot, page, "A-1")
    panel = page.detail.findings
    panel.table.select_key(next(panel.model.key_at(panel.model.index(at, 0)) for at in range(9)))
    qtbot.keyClick(panel.table, Qt.Key.Key_Return)
    assert panel.reason.hasFocus()
    qtbot.keyClick(panel.reason, Qt.Key.Key_Return)
    assert "needs a reason" in panel.refusal.text()
    assert panel.refusal.isVisible()
    qtbot.keyClicks(panel.reason, "the chair says so")
    qtbot.keyClick(panel.reason, Qt.Key.Key_Return)
    assert "is acknowledged" in window.notices.text
    given = desk.overview().results["A-1"].acknowledgements
    assert [(a.by, a.reason) for a in given] == [("clerk 07", "the chair says so")]


def test_who_keyed_it_cannot_acknowledge_it(qtbot, window, desk, report, good, page):
    wrong = {**good, "Sanders": (24, 20, 2), "Biden": (14, 20, 1)}
    bring(window, desk, report, ("A-1", wrong, 100, "phone", "clerk 07"))
    page.open_precinct("A-1")
    panel = page.detail.findings
    panel.table.selectRow(0)
    panel.reason.setText("I say so")
    panel.acknowledge.click()
    assert "another person" in panel.refusal.text()
    assert not desk.overview().results["A-1"].acknowledgements


# ---- loading ----


def load(qtbot, window, page, file):
    page.load_button.click()
    page.load_panel.path_field.clear()
    qtbot.keyClicks(page.load_panel.path_field, str(file))
    qtbot.keyClick(page.load_panel.path_field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not window.jobs.busy, timeout=30_000)


def sheet(tmp_path, text):
    file = tmp_path / "results.csv"
    file.write_text("precinct_id,candidate,first_alignment,final_alignment,county_delegates\n" + text)
    return file


def test_a_file_of_results_is_loaded_and_shows_at_once(qtbot, window, desk, page, tmp_path):
    file = sheet(tmp_path, "A-1,Biden,40,60,6\nA-1,Yang,20,0,0\nA-2,Warren,50,50,5\n")
    load(qtbot, window, page, file)
    assert "New reports: 2;" in window.notices.text
    assert column(page, "State")["A-1"] == "single"
    assert column(page, "Came in by")["A-2"] == "app"
    assert window.shell.status.saved.text().startswith("saved ")
    assert desk.overview().results["A-1"].reports[Channel.APP].by == "clerk 07"


def test_the_page_never_checks_the_loaded_sheets_itself(qtbot, window, page, tmp_path, monkeypatch):
    """Checking 1,765 sheets takes seconds: it is done where the file is read."""
    import threading

    from caucus_desk.tally import overview

    threads = []
    real = overview.check_sheet

    def noted(*arguments):
        threads.append(threading.current_thread())
        return real(*arguments)

    monkeypatch.setattr(overview, "check_sheet", noted)
    load(qtbot, window, page, sheet(tmp_path, "A-1,Biden,40,60,6\nA-2,Warren,50,50,5\n"))
    assert column(page, "State")["A-1"] == "single"
    assert threads
    assert threading.main_thread() not in threads


def test_bad_rows_are_listed_and_nothing_is_loaded(qtbot, window, desk, page, tmp_path):
    file = sheet(tmp_path, "A-1,Biden,40,sixty,6\nA-2,Warren,50,50,5\nX-9,Warren,50,50,5\n")
    load(qtbot, window, page, file)
    panel = page.load_panel
    assert panel.problems.isVisible()
    rows = {panel.problems.problems.data(panel.problems.problems.index(at, 0)) for at in range(2)}
    assert rows == {"2", "4"}
    assert "Nothing was loaded" in panel.outcome.text()
    assert not desk.overview().results["A-2"].reports


def test_good_rows_can_be_taken_and_the_rest_listed(qtbot, window, desk, page, tmp_path):
    file = sheet(tmp_path, "A-1,Biden,40,sixty,6\nA-2,Warren,50,50,5\n")
    page.load_panel.skip_bad.setChecked(True)
    load(qtbot, window, page, file)
    assert "Rows left out, listed here: 1." in page.load_panel.outcome.text()
    assert page.load_panel.problems.isVisible()
    assert desk.overview().results["A-2"].reports
    assert not desk.overview().results["A-1"].reports


def test_what_was_odd_in_the_file_is_shown(qtbot, window, page, tmp_path):
    file = tmp_path / "odd.csv"
    file.write_text(
        "precinct_id,candidate,first_alignment,final_alignment,county_delegates,mood\nA-2,Warren,50,50,5,fine\n"
    )
    load(qtbot, window, page, file)
    assert "New reports: 1;" in page.load_panel.outcome.text()
    assert "mood" in page.load_panel.outcome.text()


def test_a_file_that_is_not_there_is_refused_in_the_page(qtbot, window, page, tmp_path):
    load(qtbot, window, page, tmp_path / "nowhere.csv")
    assert page.load_panel.isVisible()
    assert page.load_panel.outcome.isVisible() or page.load_panel.problems.isVisible()
    assert page.load_panel.load.isEnabled()


def test_cancelling_a_load_changes_nothing(qtbot, window, desk, page, tmp_path):
    file = sheet(tmp_path, "A-2,Warren,50,50,5\n")
    window.jobs.started.connect(lambda job: job.cancel())
    load(qtbot, window, page, file)
    assert "Nothing was loaded" in page.load_panel.outcome.text()
    assert not desk.overview().results["A-2"].reports


def test_the_numbers_explain_why_the_header_counts_fewer(window, page):
    """The header says 4: a merged precinct has no report of its own, and stands in the list all the same."""
    assert "of 4 precincts" in window.shell.header.banner_text
    assert page.states.text_of("all") == "all 5"
    assert page.states.text_of("merged") == "merged 1"
    assert page.shown_label.text() == "5 shown · 1 merged"
    page.states.choose("merged")
    assert ids(page) == ["A-3"]
    assert page.shown_label.text() == "1 shown"
    page.states.choose("awaiting")
    assert page.shown_label.text() == "4 shown"


def test_without_merged_precincts_there_is_no_choice_of_them(qtbot, tmp_path):
    from caucus_desk.desk.creating import create_caucus
    from caucus_desk.ui.app import build_window

    roster = tmp_path / "plain.csv"
    roster.write_text("county,precinct,county_delegates\nLinn,CR-1,6\nLinn,CR-2,4\n", encoding="utf-8")
    window = build_window(
        create_caucus(str(tmp_path / "plain.sqlite"), "iowa-2020", roster, by="maker").desk, person="clerk 07"
    )
    qtbot.addWidget(window)
    window.show()
    window.shell.show_page("precincts")
    states = window.shell.pages["precincts"].states
    assert not states.is_offered("merged")
    assert states.is_offered("ruled")
    window.close()
