"""Finding a precinct while a caller spells it."""

import random
import time

import pytest

from caucus_desk.desk.find import exact_precinct, find_precincts
from caucus_desk.desk.invented.roster import make_roster
from caucus_desk.tally.roster import Precinct

PRECINCTS = (
    Precinct("77-DM04", "Polk", "DES MOINES-04"),
    Precinct("77-DM40", "Polk", "DES MOINES-40"),
    Precinct("77-DM42", "Polk", "DES MOINES-42"),
    Precinct("77-DM43", "Polk", "DES MOINES-43"),
    Precinct("29-BU42", "Des Moines", "BURLINGTON-42"),
    Precinct("01-T01", "Adair", "Walnut Township"),
    Precinct("77-T01", "Polk", "Walnut Township"),
    Precinct("71-OB1", "O'Brien", "Zoë's Landing/Peña"),
    Precinct("010000001", "Lee", "Keokuk  1st"),
    Precinct("56-L2", "Lee", "Leighton"),
)


def found(text: str, limit: int = 30) -> list[str]:
    return [precinct.id for precinct in find_precincts(PRECINCTS, text, limit)]


@pytest.mark.parametrize(
    "text", ["dsm 42", "des moines 42", "polk dm42", "DM42", "77-dm42", "moines-42 polk", "dm 42", "d m 42"]
)
def test_what_a_caller_says_finds_the_precinct(text: str) -> None:
    assert "77-DM42" in found(text)[:3]


def test_an_exact_id_comes_first() -> None:
    assert found("77-DM42")[0] == "77-DM42"
    assert found("010000001") == ["010000001"]


def test_a_whole_id_lists_that_precinct_only_and_its_beginning_lists_it_first() -> None:
    precincts = [
        Precinct(id_, "Allamakee", f"Township {id_}") for id_ in ("30-T05", "31-T05", "05-T30", "05-T03")
    ]
    assert [one.id for one in find_precincts(precincts, "05-t03")] == ["05-T03"]
    assert {one.id for one in find_precincts(precincts, "05-T")[:2]} == {"05-T30", "05-T03"}


def test_every_word_must_be_found() -> None:
    assert found("polk keokuk") == []
    assert found("xyzzy") == []


def test_accents_case_apostrophes_and_spaces_do_not_matter() -> None:
    for text in ("obrien", "O’BRIEN", "o'brien", "zoes landing", "PENA", "zoë"):
        assert found(text)[0] == "71-OB1"
    assert found("keokuk 1")[0] == "010000001"
    assert found("  keokuk   1st ")[0] == "010000001"


def test_a_number_is_meant_whole() -> None:
    assert found("des moines 4")[0] == "77-DM04"
    assert set(found("des moines 4")) >= {"77-DM04", "77-DM40", "77-DM42"}


def test_no_text_shows_the_roster_and_the_limit_holds() -> None:
    assert found("", limit=3) == ["77-DM04", "77-DM40", "77-DM42"]
    assert len(found("e", limit=2)) == 2


def test_enter_takes_only_what_is_named_in_full() -> None:
    def exact(text: str) -> str | None:
        precinct = exact_precinct(PRECINCTS, text)
        return None if precinct is None else precinct.id

    assert exact("77-dm42") == "77-DM42"
    assert exact("des moines-42") == "77-DM42"
    assert exact("polk walnut township") == "77-T01"
    assert exact("walnut township") is None, "two counties have one"
    assert exact("Le") is None
    assert exact("") is None


def test_each_precinct_of_a_state_is_found_by_its_id_and_by_county_and_name() -> None:
    roster = make_roster(random.Random(7))
    for precinct in roster[::25]:
        assert find_precincts(roster, precinct.id, 3)[0] is precinct
        assert precinct in find_precincts(roster, f"{precinct.county} {precinct.name}", 3)


def test_a_key_press_over_a_whole_state_is_not_felt() -> None:
    roster = make_roster(random.Random(7))
    find_precincts(roster, "a")
    took = []
    for text in ("d", "ds", "dsm", "dsm 4", "dsm 42"):
        begun = time.perf_counter()
        find_precincts(roster, text)
        took.append(time.perf_counter() - begun)
    assert sorted(took)[2] < 0.1
