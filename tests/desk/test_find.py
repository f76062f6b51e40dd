"""Finding a precinct while a caller spells it."""

import random
import time

import pytest

from caucus_desk.desk.find import exact_precinct, find_precincts
from caucus_desk.desk.invented.roster import make_roster
from caucus_desk.tally.roster import Precinct, PrecinctKind

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
    assert len(found("es", limit=2)) == 2


CALLED = (
    *PRECINCTS,
    Precinct("57-CR12", "Linn", "Cedar Rapids 12"),
    Precinct("57-CR02", "Linn", "Cedar Rapids 02"),
    Precinct("94-FD5", "Webster", "Fort Dodge 05"),
    Precinct("17-W2P4", "Cerro Gordo", "Mason City W-2 P-4"),
    Precinct("17-W4P2", "Cerro Gordo", "Mason City W-4 P-2"),
    Precinct("07-CF23", "Black Hawk", "CF W2 P3"),
    Precinct("09-WV3", "Bremer", "WAVERLY WARD III"),
    Precinct("77-WDM116", "Polk", "WDM-116"),
    Precinct("SAT-1", "CD3 Satellite", "Des Moines, IA - Drake University Hall", PrecinctKind.SATELLITE),
    Precinct("SAT-2", "CD4 Satellite", "Storm Lake, IA - Better Day Cafe", PrecinctKind.SATELLITE),
)


@pytest.mark.parametrize(
    ("text", "precinct_id"),
    [
        ("cr 12", "57-CR12"),
        ("linn cr12", "57-CR12"),
        ("12 rapids cedar", "57-CR12"),
        ("cedar rapids twelve", "57-CR12"),
        ("cedarrapids 2", "57-CR02"),
        ("cedar rpaids 2", "57-CR02"),
        ("cedar rapds 2", "57-CR02"),
        ("ceddar rapids 2", "57-CR02"),
        ("vedar rapids 2", "57-CR02"),
        ("ced rap 2", "57-CR02"),
        ("ft dodge 5", "94-FD5"),
        ("webster precinct five", "94-FD5"),
        ("mason city ward 2 precinct 4", "17-W2P4"),
        ("mason city ward four precinct two", "17-W4P2"),
        ("mc w2p4", "17-W2P4"),
        ("cedar falls ward 2 precinct 3", "07-CF23"),
        ("waverly third ward", "09-WV3"),
        ("waverly 3", "09-WV3"),
        ("w des moines 116", "77-WDM116"),
        ("walnut twp adair", "01-T01"),
        ("polk county walnut", "77-T01"),
        ("drake", "SAT-1"),
        ("drake universty", "SAT-1"),
        ("better day", "SAT-2"),
        ("satellite cafe", "SAT-2"),
    ],
)
def test_what_is_shortened_misspelt_or_said_in_words_is_found_first(text: str, precinct_id: str) -> None:
    assert find_precincts(CALLED, text)[0].id == precinct_id


def test_a_slip_is_no_guess_where_something_fits_as_it_stands() -> None:
    assert [one.id for one in find_precincts(CALLED, "leighton")] == ["56-L2"]
    assert [one.id for one in find_precincts(CALLED, "cedar rapids 12")] == ["57-CR12"]


def test_a_number_is_never_taken_for_another() -> None:
    assert find_precincts(CALLED, "cedar rapids 21") == ()
    assert find_precincts(CALLED, "wdm 117") == ()


def test_a_roster_that_was_loaded_again_is_searched_anew() -> None:
    assert find_precincts(CALLED, "newton") == ()
    assert find_precincts((*CALLED, Precinct("50-N1", "Jasper", "Newton 1")), "newton 1")[0].id == "50-N1"
    assert find_precincts(CALLED, "newton") == ()


def test_enter_takes_only_what_is_named_in_full() -> None:
    def exact(text: str) -> str | None:
        precinct = exact_precinct(PRECINCTS, text)
        return None if precinct is None else precinct.id

    assert exact("77-dm42") == "77-DM42"
    assert exact("des moines-42") == "77-DM42"
    assert exact("polk walnut township") == "77-T01"
    assert exact("DES MOINES 42") == "77-DM42"
    assert exact("des moines 4") == "77-DM04"
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
