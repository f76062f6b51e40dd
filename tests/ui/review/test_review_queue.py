"""The queue: worst first, narrowed by words and by kind, channel and age, with how many of how many."""

from datetime import UTC, datetime, timedelta

import pytest
from PySide6.QtCore import Qt

from caucus_desk.desk import cases, review
from caucus_desk.tally.report import Channel
from caucus_desk.ui.review.queue_rows import age_text, rows_of


@pytest.fixture
def night(put, desk):
    """One that moves delegates, one that moves none and has three channels, one with an error that nobody
    accepted, and one that was ruled on."""
    put("77-DM14", "phone", "clerk 07")
    put("77-DM14", "paper", "clerk 12", Sanders_delegates=1, Warren_delegates=2)
    put("77-DM42", "phone", "clerk 07", Biden_first=19)
    put("77-DM42", "paper", "clerk 12", Biden_first=18)
    put("77-DM42", "app", "app feed", Biden_first=18)
    put("57-CR01", "phone", "clerk 07", Yang_first=4)
    put("57-CR01", "paper", "clerk 12", Yang_first=4)
    put("77-CL1", "phone", "clerk 07", Yang_first=4)  # the same figures again (C35)
    put("56-K1", "phone", "clerk 07", Biden_first=21)
    put("56-K1", "paper", "clerk 12", Biden_first=22)
    case = review.case(desk, "56-K1")
    review.rule(
        desk,
        "56-K1",
        cases.take(case, Channel.PHONE),
        seen_report=case.seen_report,
        reason="the sheet says so",
        by="reviewer 1",
    )
    return desk


@pytest.fixture
def page(night, sit):
    made = sit("reviewer 3")
    made.page("review")
    page = made.window.shell.pages["review"]
    page.clerk = made
    return page


def ids(page):
    return [row.id for row in page.side.shown]


def test_the_worst_comes_first_and_what_is_ruled_waits_for_nobody(page, night):
    waiting = [item.precinct.id for item in cases.queue(night, night.overview())]
    assert ids(page) == waiting
    assert waiting[0] == "77-DM14"
    assert "77-DM42" in waiting[1:]
    stakes = [row.stake for row in page.side.shown]
    assert stakes == sorted(stakes, reverse=True)


def test_the_count_stands_on_the_rail_and_in_the_head(page, night):
    waiting = len(cases.queue(night, night.overview()))
    assert page.clerk.window.shell.rail.buttons["review"].count_text == str(waiting)
    assert page.side.count_text == f"{waiting} precincts"


def test_words_narrow_the_queue(page):
    clerk, every = page.clerk, len(ids(page))
    clerk.keys("/")
    assert clerk.where == "Filter the queue"
    clerk.keys("42")
    assert ids(page) == ["77-DM42"]
    assert page.side.count_text == f"1 of {every}"
    clerk.key(Qt.Key.Key_Escape)
    assert len(ids(page)) == every
    clerk.keys("linn")
    assert ids(page) == ["57-CR01"]
    clerk.key(Qt.Key.Key_Down)
    assert page.side.table.current_key == "57-CR01"
    assert page.side.table.rowHeight(0) >= 40, "two lines a precinct"


@pytest.mark.parametrize(
    ("word", "found"), [("error", "57-CR01"), ("polk app", "77-DM42"), ("warren", "77-DM14")]
)
def test_kind_channel_and_field_are_words_of_the_filter_too(page, word, found):
    page.clerk.keys("/")
    page.clerk.keys(word)
    assert found in ids(page)
    assert len(ids(page)) < 3


def test_nothing_that_fits_is_said(page):
    page.clerk.keys("/")
    page.clerk.keys("zzz")
    assert page.side.no_fit.isVisible()
    assert page.clerk.sees("No precinct fits")
    page.clerk.key(Qt.Key.Key_Escape)
    assert not page.side.no_fit.isVisible()


def test_k_goes_round_the_kinds(page):
    clerk, every = page.clerk, ids(page)
    clerk.keys("k")
    assert page.side.filter.kind.key == "mismatch"
    assert set(ids(page)) == {"77-DM14", "77-DM42"}
    clerk.keys("k")
    assert "57-CR01" in ids(page)
    assert "77-DM14" not in ids(page)
    clerk.keys("k")
    assert (page.side.filter.kind.key, ids(page)) == ("approval", [])
    clerk.keys("kkk")  # the hand stays where K works, also while nothing fits
    assert ids(page) == ["56-K1"]
    assert clerk.sees("reviewer 1 ruled at")
    clerk.keys("k")
    assert ids(page) == every


def test_c_keeps_one_channel(page):
    for channel, kept in (("phone", True), ("paper", True), ("app", False)):
        page.clerk.keys("c")
        assert page.side.filter.channel.key == channel
        assert ("77-DM14" in ids(page)) is kept
        assert "77-DM42" in ids(page)


def test_t_keeps_what_waits_long_and_the_wait_is_said(page, night):
    later = datetime.now(UTC) + timedelta(minutes=65)
    rows = rows_of(cases.queue(night, night.overview()), "reviewer 3", now=later)
    assert all(row.minutes >= 60 for row in rows)
    page.side.model.set_rows(rows)
    page.clerk.keys("t")
    assert page.side.filter.age.key == "late"
    assert len(ids(page)) == len(rows)
    waits = [row[3] for row in page.clerk.listed() if len(row) == 4 and "\n" in row[0]]
    assert all(wait.startswith("1\u00a0h") for wait in waits)
    page.side.model.set_rows(rows_of(cases.queue(night, night.overview()), "reviewer 3"))
    assert ids(page) == [], "nothing waits for half an hour now"


@pytest.mark.parametrize(
    ("minutes", "said"), [(0, "now"), (7, "7 min"), (65, "1 h 05"), (1500, "1 d"), (3_538_080, "2,457 d")]
)
def test_ages_are_said_short(minutes, said):
    assert age_text(minutes) == said


def test_a_precinct_opened_from_another_page_is_not_hidden_by_the_filter(page):
    page.clerk.keys("/")
    page.clerk.keys("42")
    page.context.show_page("review", "77-DM14")
    assert page.view.isVisible()
    assert page.side.table.current_key == "77-DM14"
