"""A case in which a channel has several reports that stand: each a column that can be taken by its letter."""

import pytest
from PySide6.QtCore import Qt

from caucus_desk.desk import review
from caucus_desk.tally.report import Channel
from caucus_desk.tally.state import State
from caucus_desk.ui.theme import ThemeName, theme


@pytest.fixture
def sheet_of(desk):
    """A paper sheet of Des Moines-14 with some counts changed."""
    from dataclasses import replace

    def make(**fields):
        (paper,) = [
            report
            for report in desk.overview().results["77-DM14"].reports.values()
            if report.channel is Channel.PHONE
        ]
        rows = []
        for row in paper.sheet.groups:
            changes = {name.split("_")[1]: v for name, v in fields.items() if name.split("_")[0] == row.group}
            rows.append(replace(row, **changes))
        return replace(paper.sheet, groups=tuple(rows))

    return make


@pytest.fixture
def rival(desk, put, elsewhere, sheet_of):
    """Phone and paper agree; a packet brought another paper sheet."""
    put("77-DM14", "phone", "clerk 07")
    put("77-DM14", "paper", "clerk 12")
    return elsewhere.bring(
        desk,
        "77-DM14",
        "paper",
        sheet_of(Warren_final=30, Sanders_delegates=1, Warren_delegates=2),
        "Bob",
    )


@pytest.fixture
def reviewer(rival, sit):
    return open_case(sit("reviewer 3"))


def open_case(clerk):
    clerk.page("review")
    clerk.enter()
    return clerk


def page_of(clerk):
    return clerk.window.shell.pages["review"]


def figures(clerk):
    """The rows of the case: group, field, phone, paper, the other paper, rules, ruling."""
    return [row for row in clerk.listed() if len(row) == 7]


def stands(desk):
    return desk.overview().results["77-DM14"].standing


def test_a_rival_has_a_column_that_says_whose_it_is_and_whence(reviewer):
    rows = {row[1]: row for row in figures(reviewer) if row[0] == "Warren" or row[1] == "final"}
    assert rows["final"][2:5] == ["31", "31", "30"]
    heads = [spec.title for spec in page_of(reviewer).view.model.columns]
    assert heads[2].startswith("phone ")
    assert heads[3].endswith("clerk 12")
    assert heads[4].split("\n")[1:] == ["Polk packet", "Bob"]
    assert heads[4].startswith("paper ")
    assert reviewer.sees(
        "2 paper reports stand beside each other: clerk 12 and Bob (Polk packet). None took another's place."
    )


def test_the_queue_says_that_two_stand(rival, sit):
    clerk = sit("reviewer 3")
    clerk.page("review")
    assert clerk.sees("2 paper reports stand")


def test_its_letter_takes_the_whole_sheet(reviewer, desk):
    foot = page_of(reviewer).view.foot
    assert foot.takes[Channel.PAPER].text().strip() == "A  take paper"
    assert foot.takes[3].text().strip() == "T  take paper, Bob"
    assert foot.takes[3].isVisible()
    assert foot.effect_text("3").startswith("Sanders 2 → 1, Warren 1 → 2; state: ")
    assert foot.effect_text("paper") == "the precinct's delegates stay; so do the state's sums"
    reviewer.keys("t")
    assert [row[-1] for row in figures(reviewer) if row[4] != row[3]] == ["1", "30", "2"]
    assert foot.effect_text("choices").startswith("Sanders 2 → 1")
    reviewer.enter()
    assert reviewer.where == "Reason"
    reviewer.keys("the packet has the signed sheet")
    reviewer.ctrl_enter()
    assert stands(desk).state is State.RULED
    assert stands(desk).sheet.count("Warren.final") == 30
    assert stands(desk).sheet.count("Sanders.delegates") == 1


def test_field_by_field_each_letter_takes_its_own_value(reviewer, desk):
    reviewer.enter()
    foot = page_of(reviewer).view.foot
    assert foot.takes[3].text().strip() == "T  paper, Bob 1"
    assert foot.takes[Channel.PAPER].text().strip() == "A  paper 2"
    reviewer.keys("a")
    assert foot.takes[3].text().strip() == "T  paper, Bob 30"
    reviewer.keys("t")
    reviewer.keys("p")
    reviewer.enter()
    reviewer.keys("saw the sheet")
    reviewer.enter(2)
    sheet = stands(desk).sheet
    assert [sheet.count(f"{group}.delegates") for group in ("Sanders", "Warren")] == [2, 1]
    assert sheet.count("Warren.final") == 30


def test_a_letter_that_no_report_has_does_nothing(reviewer):
    reviewer.keys("u")
    assert {row[-1] for row in figures(reviewer) if row[4] != row[3]} == {"differs"}


def test_a_case_with_one_report_a_channel_has_no_such_row(rival, desk, put, sit):
    put("77-DM42", "phone", "clerk 07")
    put("77-DM42", "paper", "clerk 12", people=162)
    clerk = sit("reviewer 3")
    clerk.page("review")
    page = page_of(clerk)
    for wanted, columns in (("77-DM14", 7), ("77-DM42", 6), ("77-DM14", 7)):
        for _ in range(2):
            if page.side.table.current_key == wanted:
                break
            clerk.key(Qt.Key.Key_Down if wanted == page.side.shown[-1].id else Qt.Key.Key_Up)
        clerk.enter()
        assert page.view.case.precinct.id == wanted
        assert page.view.model.columnCount() == columns
        assert page.view.foot._beside[0][0].isVisible() is (columns == 7) if page.view.foot._beside else True
        assert set(page.view.foot.takes) == {*Channel} | ({3} if columns == 7 else set())
        clerk.keys("t")
        assert bool(page.view.choices.made) is (columns == 7)
        clerk.key(Qt.Key.Key_Escape)
        clerk.key(Qt.Key.Key_Escape)


def test_a_rival_that_comes_in_while_the_case_is_open_makes_a_column_before_anything_is_ruled(
    desk, put, elsewhere, sheet_of, sit
):
    put("77-DM14", "phone", "clerk 07")
    put("77-DM14", "paper", "clerk 12", Warren_final=30)
    clerk = open_case(sit("reviewer 3"))
    view = page_of(clerk).view
    clerk.keys("a")
    assert view.model.columnCount() == 6
    elsewhere.bring(desk, "77-DM14", "paper", sheet_of(Warren_final=29), "Bob")
    clerk.enter()
    clerk.keys("the paper is signed")
    clerk.ctrl_enter()  # refused, or told of just before
    assert stands(desk).state is State.MISMATCHED
    assert clerk.sees("A newer ")
    assert view.model.columnCount() == 7
    assert view.choices.values() == {"Warren.final": 30}, "what was chosen says the same still"
    assert view.reason.text() == "the paper is signed"
    clerk.ctrl_enter()
    assert stands(desk).state is State.RULED


def test_whoever_keyed_the_rival_can_only_compare(rival, sit):
    clerk = open_case(sit("Bob"))
    assert clerk.sees("You keyed the paper report: another person decides. You can compare.")
    clerk.keys("t")
    assert not page_of(clerk).view.choices.made


def test_the_history_tells_that_it_stands_beside_and_not_superseded(reviewer, desk, elsewhere, sheet_of):
    reviewer.keys("h")

    def told():
        rows = [row for row in reviewer.listed() if len(row) == 4 and " report, " in row[1]]
        return sorted((row[1], row[2]) for row in rows)

    assert told() == [
        ("paper report, stands", "clerk 12"),
        ("paper report, stands beside", "Bob"),
        ("phone report, stands", "clerk 07"),
    ]
    elsewhere.bring(desk, "77-DM14", "paper", sheet_of(), "Bob", over=[3], minutes=30)
    reviewer.window.shell.context.look()
    assert told() == [
        ("paper report, stands", "clerk 12"),
        ("paper report, stands beside", "Bob"),
        ("paper report, superseded", "Bob"),
        ("phone report, stands", "clerk 07"),
    ]
    (row,) = [row for row in reviewer.listed() if len(row) == 4 and "superseded" in row[1]]
    assert "Warren final 30, then 31" in row[3]
    assert "Polk packet" in row[3]


def test_a_ruling_that_waits_shows_whose_value_was_taken(rival, desk, sit):
    from caucus_desk.desk.cases import take
    from caucus_desk.desk.settings import change_setting

    change_setting(desk, "approval_stake", "0.1", by="lead")
    seen = review.case(desk, "77-DM14")
    review.rule(
        desk, "77-DM14", take(seen, rival), seen_report=rival, reason="the sheet says so", by="reviewer 1"
    )
    clerk = open_case(sit("reviewer 3"))
    view = page_of(clerk).view
    assert {choice.channel for choice in view.choices.made.values()} == {rival}
    clerk.keys("y")
    assert stands(desk).state is State.RULED


def test_three_of_one_channel_have_three_columns_and_letters(rival, desk, elsewhere, sheet_of, sit):
    elsewhere.bring(desk, "77-DM14", "phone", sheet_of(Warren_final=29), "Cy", origin="")
    clerk = open_case(sit("reviewer 3", size=(1920, 1080)))
    view = page_of(clerk).view
    assert view.model.columnCount() == 8
    assert [(head.letter, head.key) for head in view._heads] == [
        ("P", Channel.PHONE),
        ("T", 4),
        ("A", Channel.PAPER),
        ("U", 3),
    ]
    clerk.keys("t")
    assert view.choices.values()["Warren.final"] == 29


def test_where_many_stand_the_queue_steps_aside_on_a_small_screen(rival, desk, elsewhere, sheet_of, sit):
    elsewhere.bring(desk, "77-DM14", "phone", sheet_of(Warren_final=29), "Cornelia Vanderbilt")
    clerk = sit("reviewer 3", size=(1280, 720))
    clerk.page("review")
    page = page_of(clerk)
    assert page.side.isVisible()
    for _ in range(2):
        clerk.enter()
        assert not page.side.isVisible()
        assert page.view.table.horizontalScrollBar().maximum() == 0
        assert clerk.where == "Fields of this precinct"
        clerk.key(Qt.Key.Key_Escape)
        assert page.side.isVisible()
        assert clerk.where == page.side.table.accessibleName()


@pytest.mark.parametrize("name", [ThemeName.LIGHT, ThemeName.DARK])
def test_the_head_of_a_rival_is_not_cut_on_a_small_screen(rival, sit, name):
    theme().apply(name)
    clerk = open_case(sit("reviewer 3", size=(1280, 720)))
    table = page_of(clerk).view.table
    header = table.horizontalHeader()
    metrics = header.fontMetrics()
    lines = page_of(clerk).view.model.columns[4].title.split("\n")
    assert header.height() >= metrics.height() * len(lines)
    assert max(metrics.horizontalAdvance(line) for line in lines) <= header.sectionSize(4)
    assert table.horizontalScrollBar().maximum() == 0
