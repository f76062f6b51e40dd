"""Mismatches and rulings where a channel has several reports that stand."""

from collections.abc import Callable
from typing import Any

import pytest

from caucus_desk.desk.session import open_desk
from caucus_desk.tally.sheet import GroupCounts, ResultSheet

Run = Callable[..., Any]
OTHER = ResultSheet(
    100,
    (
        GroupCounts("Biden", 13, 16, 1),
        GroupCounts("Buttigieg", 36, 38, 2),
        GroupCounts("Sanders", 24, 24, 2),
        GroupCounts("Warren", 22, 22, 1),
        GroupCounts("Yang", 5, 0, 0),
    ),
)


@pytest.fixture
def rival(reported: str, elsewhere: Any) -> int:
    """A second paper report of A-1; its number."""
    with open_desk(reported) as desk:
        number: int = elsewhere.bring(desk, "A-1", "paper", OTHER, "Cy")
    return number


def test_mismatches_name_what_stands_beside_the_leading_report(run: Run, reported: str, rival: int) -> None:
    said = run("mismatches", reported, "--json")
    first, second = said.json["mismatches"]
    beside = {"report": rival, "channel": "paper", "by": "Cy", "origin": "Polk packet"}
    assert (first["field"], first["values"], first["rivals"]) == (
        "Biden.first",
        {"phone": 14, "paper": 13},
        [{**beside, "value": 13}],
    )
    assert (second["field"], second["values"]) == ("Yang.first", {"phone": 4, "paper": 4})
    assert second["rivals"] == [{**beside, "value": 5}]
    text = run("mismatches", reported).out
    assert "beside them" in text
    assert f"paper (Polk packet, Cy), report {rival}: 5" in text
    assert text.endswith("2 fields in 1 precinct do not match.\n")


@pytest.mark.parametrize(
    ("words", "biden", "yang"),
    [
        (["report:{0}"], 13, 5),
        (["paper"], 13, 4),
        (["phone", "Yang.first=report:{0}"], 14, 5),
        (["REPORT:{0}", "Biden.first=phone"], 14, 5),
    ],
)
def test_a_rival_can_be_taken_by_its_number(
    run: Run, reported: str, rival: int, words: list[str], biden: int, yang: int
) -> None:
    taken = [word.format(rival) for word in words]
    said = run("rule", reported, "A-1", "--take", *taken, "--reason", "the sheet", "--by", "Eve", "--json")
    assert said.code == 0, said.err
    assert said.json["values"] == {"Biden.first": biden, "Yang.first": yang}
    assert said.json["state"] == "ruled"


def test_a_number_that_does_not_stand_is_refused_with_those_that_do(
    run: Run, reported: str, rival: int
) -> None:
    said = run("rule", reported, "A-1", "--take", "report:99", "--reason", "the sheet", "--by", "Eve")
    assert said.code == 3
    assert f"report:{rival} (paper (Polk packet, Cy))" in said.err


def test_why_a_precinct_with_two_papers_is_not_verified(run: Run, reported: str, elsewhere: Any) -> None:
    with open_desk(reported) as desk:
        for name in ("Cy", "Di"):
            elsewhere.bring(desk, "A-2", "paper", ResultSheet(10, (GroupCounts("Biden", 9, 10, 5),)), name)
        finding = desk.overview().findings_of("A-2")[0].finding.id
    said = run("ack", reported, "A-2", finding, "--by", "Eve", "--reason", "they said so")
    assert "only paper reports are in" in said.out + said.err
