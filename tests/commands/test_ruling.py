"""queue, rule and approve, as they are typed."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from caucus_desk.desk.session import open_desk
from caucus_desk.desk.settings import change_setting

Run = Callable[..., Any]


@pytest.fixture
def stake(run: Run, reported: str) -> str:
    """One delegate of 77-DM42 changes hands, and a ruling on it needs a second person."""
    lines = Path("paper.csv").read_text(encoding="utf-8")
    lines = lines.replace("77-DM42,Sanders,20,22,2", "77-DM42,Sanders,20,22,3")
    lines = lines.replace("77-DM42,Warren,18,18,2", "77-DM42,Warren,18,18,1")
    Path("paper2.csv").write_text(lines, encoding="utf-8")
    assert (
        run("load", reported, "paper2.csv", "--channel", "paper", "--by", "Bo", "--correct", "again").code
        == 0
    )
    with open_desk(reported) as desk:
        change_setting(desk, "approval_stake", "0.5", by="Lee")
    return reported


def test_the_queue_tells_what_waits_and_ends_with_1(run: Run, reported: str) -> None:
    said = run("queue", reported)
    assert said.code == 1
    assert "differs in Biden first" in said.out
    assert said.out.splitlines()[-1] == "1 precinct waits for a person."
    (item,) = run("queue", reported, "--json").json["queue"]
    assert item["precinct_id"] == "A-1"
    assert (item["kinds"], item["channels"]) == (["mismatch"], ["phone", "paper"])
    assert (item["at_stake"], item["at_stake_exact"]) == (0.0, "0")
    assert item["claimed_by"] is None


def test_nothing_waits(run: Run, store: str) -> None:
    said = run("queue", store)
    assert (said.code, said.out) == (0, "Nothing waits for a person.\n")


def test_the_worst_stands_first(run: Run, stake: str) -> None:
    queue = run("queue", stake, "--json").json["queue"]
    assert [item["precinct_id"] for item in queue] == ["77-DM42", "A-1"]
    assert queue[0]["at_stake_exact"] == "3/5"


@pytest.mark.parametrize(
    ("words", "first"),
    [
        (["phone"], 14),
        (["paper"], 13),
        (["Biden.first=15"], 15),
        (["biden FIRST=15"], 15),
        (["Biden.first=phone"], 14),
        (["phone", "Biden.first=0"], 0),
    ],
)
def test_a_ruling_by_command(run: Run, reported: str, words: list[str], first: int) -> None:
    said = run(
        "rule", reported, "A-1", "--take", *words, "--reason", "the photo shows it", "--by", "Cy", "--json"
    )
    assert said.code == 0, said.err
    assert said.json["values"] == {"Biden.first": first}
    assert (said.json["state"], said.json["pending"], said.json["stake"]) == ("ruled", False, None)


def test_it_is_told_in_a_sentence(run: Run, reported: str) -> None:
    said = run("rule", reported, "A-1", "--take", "phone", "--reason", "the photo shows it", "--by", "Cy")
    assert said.out == "Cy ruled on North Ward, Alpha (A-1): it is verified.\n"
    again = run("rule", reported, "A-1", "--take", "phone", "--reason", "the photo shows it", "--by", "Di")
    assert again.code == 3
    assert "Cy ruled on North Ward, Alpha" in again.err


@pytest.mark.parametrize(
    ("words", "by", "code", "told"),
    [
        (["nowhere"], "Cy", 2, "'nowhere' is nothing to take"),
        (["app"], "Cy", 3, "no app report"),
        (["Biden.first=x1"], "Cy", 2, "'x1' is no count for Biden first"),
        (["Nobody.first=1"], "Cy", 2, "'Nobody.first' is no field"),
        (["attendance=100"], "Cy", 3, "still open: Biden first"),
        (["phone"], "anna", 3, "Anna keyed the phone report"),
        (["Biden.first=100000"], "Cy", 3, "This cannot stand"),
    ],
)
def test_what_is_refused(run: Run, reported: str, words: list[str], by: str, code: int, told: str) -> None:
    said = run("rule", reported, "A-1", "--take", *words, "--reason", "the photo shows it", "--by", by)
    assert (said.code, said.out) == (code, "")
    assert told in said.err
    assert run("queue", reported).code == 1, "nothing was decided"


def test_above_the_stake_a_second_person_approves(run: Run, stake: str) -> None:
    words = ("--take", "paper", "--reason", "the paper says so")
    said = run("rule", stake, "77-DM42", *words, "--by", "Cy")
    assert said.code == 0
    assert said.out == (
        "Cy ruled on DES MOINES-42, Polk (77-DM42): 0.6000 SDE are at stake, so it has no force before "
        "another person approves it.\n"
    )
    assert set(run("queue", stake, "--json").json["queue"][0]["kinds"]) >= {"approval", "mismatch"}
    own = run("approve", stake, "77-DM42", "--by", "cy")
    assert own.code == 3
    assert "another person must approve it" in own.err
    done = run("approve", stake, "77-DM42", "--by", "Lee", "--json")
    assert done.code == 0, done.err
    assert (done.json["approved_by"], done.json["state"]) == ("Lee", "ruled")
    assert done.json["stake_exact"] == "3/5"
    none = run("approve", stake, "77-DM42", "--by", "Lee")
    assert none.code == 3
    assert "No ruling on DES MOINES-42, Polk (77-DM42) waits" in none.err
    assert run("check", stake).code == 0


def test_what_is_not_approved_is_withdrawn(run: Run, stake: str) -> None:
    run("rule", stake, "77-DM42", "--take", "paper", "--reason", "the paper says so", "--by", "Cy")
    said = run("approve", stake, "77-DM42", "--refuse", "that is another precinct", "--by", "Lee")
    assert said.code == 0
    assert said.out.endswith("Cy's ruling on DES MOINES-42, Polk (77-DM42): it is withdrawn.\n")
    kinds = run("queue", stake, "--json").json["queue"][0]["kinds"]
    assert "mismatch" in kinds
    assert "approval" not in kinds
    assert run("check", stake).code == 0
