"""`math`: the worked examples of the rules, as a chair would type them."""

from collections.abc import Callable
from typing import Any

import pytest

Run = Callable[..., Any]


def test_the_promised_keys(run: Run) -> None:
    said = run("math", "--delegates", 6, 100, "A=38", "B=24", "C=22", "D=16", "--json")
    assert said.code == 0
    document = said.json
    assert set(document) == {"viability", "delegates", "groups", "steps", "ties", "remarks"}
    assert document["remarks"] == []
    assert (document["viability"], document["delegates"], document["ties"]) == (15, 6, [])
    assert [group["delegates"] for group in document["groups"]] == [2, 2, 1, 1]
    assert document["groups"][1] == {
        "group": "B",
        "final": 24,
        "viable": True,
        "quotient": 1.44,
        "quotient_exact": "36/25",
        "rounded": 1,
        "delegates": 2,
    }
    assert all(isinstance(step, str) and step for step in document["steps"])


@pytest.mark.parametrize(
    ("delegates", "attendance", "finals", "awards"),
    [
        (7, 79, (14, 19, 18, 12, 16), (1, 2, 2, 1, 1)),
        (5, 73, (12, 14, 22, 25), (1, 1, 1, 2)),
        (10, 75, (23, 27), (5, 5)),
        (3, 5, (3, 1, 1), (1, 1, 1)),
        (7, 204, (46, 102, 49, 57), (1, 3, 1, 2)),
        (4, 20, (3, 3, 3, 11), (1, 1, 1, 1)),
        (1, 26, (10, 8, 8), (1, 0, 0)),
    ],
)
def test_worked_examples(
    run: Run, delegates: int, attendance: int, finals: tuple[int, ...], awards: tuple[int, ...]
) -> None:
    named = [f"{'ABCDE'[place]}={count}" for place, count in enumerate(finals)]
    groups = run("math", "--delegates", delegates, attendance, *named, "--json").json["groups"]
    assert tuple(group["delegates"] for group in groups) == awards


def test_a_tie_is_named_and_not_decided(run: Run) -> None:
    said = run("math", "--delegates", 6, 200, "Biden=100", "sanders=50", "WARREN=50", "--json")
    assert said.code == 0
    assert said.json["ties"] == [["Sanders", "Warren"]]
    assert said.json["tie"] == {"kind": "lose", "k": 1, "groups": ["Sanders", "Warren"]}
    assert [group["delegates"] for group in said.json["groups"]] == [3, 2, 2]
    plain = run("math", "--delegates", 6, 200, "Biden=100", "Sanders=50", "Warren=50")
    assert "Only a game of chance can decide: 1 of Sanders, Warren loses one delegate." in plain.out


def test_the_steps_are_printed_for_people(run: Run) -> None:
    said = run("math", "--delegates", 4, 40, "Sanders=22", "Warren=18")
    assert said.code == 0
    assert "so 6" in said.out.splitlines()[0]
    assert "Sanders" in said.out


def test_another_rule_set(run: Run) -> None:
    iowa = run("math", "--delegates", 4, 76, "A=13", "B=13", "C=13", "D=13", "E=24", "--json").json
    nevada = run(
        "math",
        "--rules",
        "nevada-2020",
        "--delegates",
        4,
        76,
        "A=13",
        "B=13",
        "C=13",
        "D=13",
        "E=24",
        "--json",
    ).json
    assert iowa["tie"]["groups"] == ["A", "B", "C", "D"]
    assert nevada["ties"] == []
    assert sum(group["delegates"] for group in nevada["groups"]) == 5


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (("--delegates", 6, 100, "Warren"), 2, "write GROUP=FINAL"),
        (("--delegates", 6, 100, "Warren=ten"), 2, "must be a whole number, not 'ten'"),
        (("--delegates", 6, 100, "Warren=-3"), 2, "must be a whole number"),
        (("--delegates", 6, 100, "Warren=1.5"), 2, "must be a whole number"),
        (("--delegates", 6, 100, "=5"), 2, "write GROUP=FINAL"),
        (("--delegates", 6, 100, "Warren=5", "Warren=6"), 2, "named twice"),
        (("--delegates", 6, 100, "Warren=5", "warren=6"), 3, "Warren is named twice"),
        (("--delegates", 6, 100, "Warren=100000"), 3, "0 to 99,999"),
        (("--delegates", 100_000, 100, "Warren=1"), 3, "0 to 99,999"),
        (("--rules", "ohio-1812", "--delegates", 6, 100), 3, "iowa-2020"),
        (("--delegates", "six", 100), 2, "argument --delegates: 'six' is no whole number; write digits"),
        (("--delegates", 6), 2, "ATTENDANCE"),
        ((100, "Warren=5"), 2, "--delegates"),
    ],
)
def test_what_cannot_be_read_is_said(run: Run, words: tuple[object, ...], code: int, sentence: str) -> None:
    said = run("math", *words)
    assert (said.code, said.out) == (code, "")
    assert sentence in said.err


def test_nothing_to_elect_and_nobody_there(run: Run) -> None:
    for delegates, attendance in ((0, 20), (5, 0), (0, 0)):
        said = run("math", "--delegates", delegates, attendance, "Warren=0", "--json")
        assert said.code == 0
        assert [group["delegates"] for group in said.json["groups"]] == [0]


def test_a_name_that_is_not_on_the_ballot_beside_names_that_are(run: Run) -> None:
    words = ("math", "--delegates", 6, 100, "Sanders=50", "Waren=30", "Biden=20")
    (remark,) = run(*words, "--json").json["remarks"]
    assert remark.startswith("Waren is not on the ballot of iowa-2020")
    assert "Warren" in remark
    assert f"Remark: {remark}\n" in run(*words).out
    assert run("math", "--delegates", 6, 100, "A=50", "B=50", "--json").json["remarks"] == []


def test_more_people_in_the_groups_than_in_the_room(run: Run) -> None:
    said = run("math", "--delegates", 6, 100, "Sanders=80", "Warren=62")
    assert said.code == 0
    assert "Remark: Final groups add to 142 of 100 people: the final alignment exceeds" in said.out
    assert "(C02)" in said.out
