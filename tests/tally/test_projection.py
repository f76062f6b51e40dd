"""A projection says that it is one, and what stood in for what."""

from dataclasses import replace
from fractions import Fraction

from caucus_desk.tally.bounds import outlook
from caucus_desk.tally.overview import Overview
from caucus_desk.tally.projection import LABEL, Ground, projection

from .outlooks import FINAL, RELEASE_71, given, iowa, overview, pair, precinct, report, site


def night() -> Overview:
    return overview(
        report(precinct("1", 6, last_attendance=100), given(50, Sanders=4, Warren=2)),
        report(precinct("2", 3, last_attendance=40), None),
        report(precinct("3", 6, county="Polk"), None),
        report(precinct("4", 4, county="Linn", district="1"), given(20, Biden=4)),
        report(precinct("5", 2, county="Scott", district="2", last_attendance=10), None),
    )


def test_an_open_precinct_divides_as_its_county_did_or_its_district_or_the_state() -> None:
    base = night()
    got = projection(base, outlook(base))
    assert got.note.startswith(LABEL)
    by_county = {entry.county: entry for entry in got.counties}
    assert {name: entry.ground for name, entry in by_county.items()} == {
        "Adair": Ground.COUNTY, "Polk": Ground.DISTRICT, "Scott": Ground.STATE,
    }  # fmt: skip
    assert by_county["Adair"].sdes == {"Sanders": Fraction(2, 10), "Warren": Fraction(1, 10)}
    assert by_county["Scott"].sdes["Biden"] == Fraction(2, 10) * Fraction(4, 10)
    assert sum(got.sdes.values()) == Fraction(21, 10)


def test_turnout_moves_people_and_not_sdes() -> None:
    base = night()
    seen = outlook(base)
    got = projection(base, seen)
    by_county = {entry.county: entry for entry in got.counties}
    assert (by_county["Adair"].people, by_county["Scott"].people) == (20, 5)
    assert [entry.id for entry in got.without_turnout] == ["3"]
    assert got.people == 50 + 20 + 20 + 5
    expected = projection(base, seen, {"1": 100, "2": 80, "3": 60})
    assert expected.sdes == got.sdes
    assert {entry.county: entry.people for entry in expected.counties}["Adair"] == 40


def test_a_precinct_in_doubt_is_projected_in_place_of_what_it_says_today() -> None:
    doubtful = pair(precinct("2", 4), given(9, Biden=4), given(9, Warren=4))
    base = overview(report(precinct("1", 6), given(9, Sanders=6)), doubtful)
    got = projection(base, outlook(base))
    assert got.sdes["Sanders"] == 1
    assert got.sdes["Warren"] == 0


def test_an_open_site_divides_as_its_pool_did() -> None:
    base = overview(report(site("A", 30), given(Sanders=3, Warren=2)), report(site("B", 10), None))
    got = projection(base, outlook(base))
    assert (got.sdes["Sanders"], got.sdes["Warren"]) == (Fraction(18, 5), Fraction(12, 5))


def test_nothing_counted_projects_nothing() -> None:
    base = overview(report(precinct("1", 6), None))
    got = projection(base, outlook(base))
    assert [entry.id for entry in got.without_shares] == ["1"]
    assert not any(got.sdes.values())


def test_a_settled_night_is_its_own_projection() -> None:
    base = overview(report(replace(precinct("1", 6)), given(50, Sanders=4, Warren=2)))
    got = projection(base, outlook(base))
    assert (got.counties, got.people) == ((), 50)
    assert got.sdes["Sanders"] == Fraction(4, 10)


def test_a_projection_at_71_percent_was_near_and_its_lead_was_wrong() -> None:
    """Within 4 percent of each of the first two, and 33 SDEs too many between them: a guess, as it says."""
    base = iowa(RELEASE_71)
    got = projection(base, outlook(base))
    row = iowa(FINAL).tally().rows[0]
    for group, part in (("Buttigieg", Fraction(3, 100)), ("Sanders", Fraction(4, 100))):
        certified = row.group(group).sde
        assert abs(got.sdes[group] - certified) < part * certified
    assert got.sdes["Buttigieg"] - got.sdes["Sanders"] > 30
