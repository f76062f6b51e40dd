"""SDEs that the roster does not let anyone work out are a dash and a sentence, never 0.0000."""

import pytest

from caucus_desk.desk.creating import create_caucus
from caucus_desk.desk.looking import look
from caucus_desk.ui.app import build_window

BARE = """county,precinct,precinct_id,county_delegates,kind,district
Alpha,North Ward,A-1,6,precinct,1
Alpha,South Ward,A-2,5,precinct,1
O'Brien,DES MOINES-42,77-DM42,4,precinct,3
"""
PART = """county,precinct,precinct_id,county_delegates,kind,district,county_state_delegates
Alpha,North Ward,A-1,6,precinct,1,4
Alpha,South Ward,A-2,5,precinct,1,4
O'Brien,DES MOINES-42,77-DM42,4,precinct,3,
"""
SITE = """county,precinct,precinct_id,county_delegates,kind,district,county_state_delegates
Alpha,North Ward,A-1,6,precinct,1,4
District 1 satellites,Library,S-1,,satellite,1,3
"""


@pytest.fixture
def results(qtbot, tmp_path, report, good):
    opened = []

    def of(roster_text, *sheets, rules="iowa-2020"):
        roster = tmp_path / "other roster.csv"
        roster.write_text(roster_text, encoding="utf-8")
        desk = create_caucus(str(tmp_path / "other.sqlite"), rules, roster, by="maker").desk
        for precinct_id, counts, people in sheets:
            report(desk, precinct_id, counts, people, "phone", "clerk 01")
            look(desk, precinct_id, "clerk 07")  # else the figures would be covered
        window = build_window(desk, person="clerk 07")
        qtbot.addWidget(window)
        window.resize(1280, 720)
        window.show()
        window.shell.show_page("results")
        opened.append(window)
        return window.shell.pages["results"]

    yield of
    for window in opened:
        window.close()


def shown(page):
    model = page.model
    return {
        str(model.data(model.index(row, 0))): [
            str(model.data(model.index(row, column))) for column in range(1, model.columnCount())
        ]
        for row in range(model.rowCount())
    }


def test_without_state_delegates_no_sde_is_known(results, good):
    page = results(BARE, ("A-1", good, 100))
    table = shown(page)
    assert table["Buttigieg"] == ["36", "36.0%", "38", "38.0%", "2", "2", "–", "–", "–"]
    assert table["Total"] == ["100", "", "100", "", "6", "6", "–", "–", "–"]
    assert page.missing.isVisible()
    assert page.missing.text() == (
        "SDEs can't be worked out: the roster has no county_state_delegates for Alpha, O'Brien."
    )
    assert page.chart_title.text() == "No SDEs known here"
    assert not page.chart.bars
    assert "Alpha" in page.seat_remark.text()
    page.by.choose("precinct")
    page.areas.view.select_key("A-1")
    assert shown(page)["Buttigieg"][6:] == ["–", "–", "–"]
    assert page.missing.text().endswith("for Alpha.")


def test_where_only_some_counties_lack_them_the_sum_is_shown_with_what_it_leaves_out(results, good):
    page = results(PART, ("A-1", good, 100), ("77-DM42", {"Biden": (40, 40, 4)}, 40))
    table = shown(page)
    assert table["Buttigieg"][6] == "0.7273"
    assert table["Total"][4] == "10"
    assert page.missing.text() == (
        "SDEs are those of the other counties only: the roster has no county_state_delegates for O'Brien."
    )
    page.by.choose("county")
    page.areas.view.select_key("Alpha")
    assert shown(page)["Buttigieg"][6] == "0.7273"
    assert not page.missing.isVisible()
    page.areas.view.select_key("O'Brien")
    assert shown(page)["Biden"][6:] == ["–", "–", "–"]
    assert page.missing.text().startswith("SDEs can't be worked out")
    page.by.choose("district")
    page.areas.view.select_key("3")
    assert shown(page)["Total"][6] == "–"
    page.areas.view.select_key("1")
    assert shown(page)["Total"][6] == "2.1818"
    assert not page.missing.isVisible()


def test_a_whole_roster_says_nothing(window, desk, report, good):
    report(desk, "A-1", good, 100, "phone", "clerk 01")
    look(desk, "A-1", "clerk 07")
    window.shell.context.after_change()
    window.shell.show_page("results")
    page = window.shell.pages["results"]
    assert not page.missing.isVisible()
    assert not page.missing_sign.isVisible()
    assert shown(page)["Bennet"][6] == "0.0000", "known, and nothing"


def test_many_counties_are_not_all_named():
    from caucus_desk.ui.results.missing import Missing, sentences

    text = sentences(Missing(tuple(f"C{n}" for n in range(9))), "SDEs", known=False)
    assert text.endswith("for C0, C1, C2, C3, C4, C5 and 3 more.")


def test_a_site_that_nobody_has_weighed_is_named(results, good, monkeypatch):
    from caucus_desk.tally.overview import Overview

    page = results(SITE, ("A-1", good, 100))
    site = page.context.overview.results["S-1"].precinct
    monkeypatch.setattr(Overview, "unweighed_sites", lambda self: (site,))
    page.refresh()
    assert shown(page)["Total"][6] == "4.0000"
    assert "nobody has stated the attendance there: Library" in page.missing.text()
    page.by.choose("county")
    page.areas.view.select_key("Alpha")
    assert not page.missing.isVisible()
