"""The sheet of recanvasses as it is planned: a line for each, its moves, its precincts."""

from datetime import UTC, datetime, timedelta

from caucus_desk.paths import resources
from caucus_desk.reports.book import Book
from caucus_desk.reports.plan import Page
from caucus_desk.reports.recanvass import recanvass_pages
from caucus_desk.rules.loading import parse_rule_set
from caucus_desk.tally.assess import assess
from caucus_desk.tally.editions import Edition
from caucus_desk.tally.overview import Overview
from caucus_desk.tally.recanvass import (
    Account,
    ChosenPrecinct,
    Recanvass,
    RecanvassKind,
    RecanvassSheet,
    compare_sheets,
)
from caucus_desk.tally.report import Channel, Report
from caucus_desk.tally.results import Counting
from caucus_desk.tally.roster import Precinct
from caucus_desk.tally.sheet import GroupCounts, ResultSheet

AT = datetime(2020, 2, 10, 18, tzinfo=UTC)
FILE = resources() / "rules" / "iowa-2020.toml"
RULES = parse_rule_set(FILE.read_text(encoding="utf-8"), FILE.name)


def sheet(sanders: int, warren: int) -> ResultSheet:
    return ResultSheet(100, (GroupCounts("Sanders", 60, 60, sanders), GroupCounts("Warren", 40, 40, warren)))


def planned(edition: Edition = Edition.LEADERSHIP, *, late: bool = False) -> list[Page]:
    places = [Precinct(str(n), "Adair", f"Adair {n}", district="3", delegates=5, county_state_delegates=5,
                       county_total_delegates=10) for n in (1, 2)]  # fmt: skip
    before = sheet(3, 2)
    results = [
        assess(RULES, one, [Report(n, one.id, Channel.PAPER, before, "Pat", AT)], None, ())
        for n, one in enumerate(places, start=1)
    ]
    overview = Overview(RULES, "A caucus", results)
    keyed = RecanvassSheet(1, 9, "1", sheet(2, 3), "Fay", AT, "so it stands there")
    about = Recanvass(
        1, 5, RecanvassKind.RECANVASS, None,
        "a campaign", "it looks wrong", AT + timedelta(hours=1), "Lea", AT,
        (ChosenPrecinct("1", (1,)), ChosenPrecinct("2", (2,))), (keyed,),
    )  # fmt: skip
    comparing = compare_sheets(overview, Counting.REPORTED, about.kind, [(keyed, before)])
    told = Account(about, comparing, {}, {one.id: one for one in places})
    as_of = AT + timedelta(hours=2) if late else AT
    return recanvass_pages(Book.of(overview, as_of, Counting.REPORTED, None, edition), [told])


def texts(page: Page) -> str:
    return "\n".join("|".join(map(str, row)) for block in page.blocks for row in block.rows)


def test_it_says_what_differs_and_what_that_moves() -> None:
    (page,) = planned()
    said = texts(page)
    assert "Recanvass 1|what stood then|2|1|1|" in said
    assert "Sanders delegates 3 to 2; Warren delegates 2 to 3" in said
    assert "Recanvass 1|Sanders|3.0|2.5|-0.5|1|1|-1|0|0" in said
    assert "Recanvass 1|2|Adair|Adair 2|not keyed" in said
    assert "so it stands there" in said


def test_overdue_is_by_the_time_of_the_workbook() -> None:
    assert "|open|" in texts(planned()[0])
    assert "|overdue|" in texts(planned(late=True)[0])


def test_the_press_gets_no_names_and_a_county_no_sheet() -> None:
    said = texts(planned(Edition.PRESS)[0])
    assert not [word for word in ("Fay", "campaign", "wrong", "stands there") if word in said]
    assert planned(Edition.COUNTY) == []


def test_without_one_there_is_no_sheet() -> None:
    book = Book.of(Overview(RULES, "A caucus", []), AT, Counting.REPORTED)
    assert recanvass_pages(book, []) == []
