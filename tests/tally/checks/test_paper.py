"""What else the sheet shows, and satellites. Each is silent where its input is absent."""

from dataclasses import replace
from fractions import Fraction

from caucus_desk.tally.sheet import GroupCounts, ResultSheet


def test_another_threshold_on_the_sheet(good, room):
    assert good.but(threshold=14).says("C23") == "15 were needed to be viable, the sheet says 14."
    assert "C23" not in good.but(threshold=15).ids
    one = room(20, 1, Biden=(20, 20, 1)).but(threshold=3)
    assert one.ids == set()


def test_a_minor_group_viable_here(room):
    found = room(100, 4, Biden=(59, 59, 2), Patrick=(41, 41, 2)).findings["C32"]
    assert found.fields == ("Patrick.first", "Patrick.final")
    assert found.severity == "warning"
    assert "C32" not in room(100, 4, Biden=(86, 86, 4), Patrick=(14, 14, 0)).ids
    assert "C32" not in room(100, 4, Biden=(59, 59, 2), Warren=(41, 41, 2)).ids


def test_another_number_to_elect(good):
    assert (
        good.but(delegates_to_elect=8).says("C40") == "The sheet says that 8 are to elect, our list says 4."
    )
    assert "C40" not in good.but(delegates_to_elect=4).ids


def test_a_satellite_elects_what_its_band_says(site):
    rows = {"Biden": (12, 12, 3), "Sanders": (12, 12, 2)}
    assert site(24, 24, 4, **rows).says("C41") == "24 people at a satellite site elect 5 delegates, not 4."
    assert "C41" not in site(24, 24, 5, **rows).ids
    assert "C41" not in site(24, 24, **rows).ids
    assert "C41" in site(24, 24, **rows).but(delegates_to_elect=4).ids
    edge = {"Biden": (10, 10, 2), "Sanders": (10, 10, 2)}
    assert "C41" not in site(20, 20, 4, **edge).ids
    assert "C41" in site(21, 21, 4, **edge).ids


def test_a_satellites_attendance_is_its_sign_in(site, room):
    rows = {"Biden": (12, 12, 3), "Sanders": (12, 12, 2)}
    assert "C42" not in site(24, 24, **rows).ids
    assert site(25, 24, **rows).says("C42") == (
        "Attendance is 25, but 24 people signed in. The site's share depends on its attendance."
    )
    assert "C42" not in site(None, 24, **rows).ids
    assert "the first alignment adds to 24" in site(None, 23, **rows).says("C42")
    assert "C42" not in site(None, None, **rows).ids
    assert "C42" not in room(23, 5, **rows).ids


def test_signatures(good):
    assert good.but(chair_signed=True, secretary_signed=False).says("C43") == "Not signed by the secretary."
    assert good.but(chair_signed=False, secretary_signed=False).findings["C43"].fields == (
        "chair_signed",
        "secretary_signed",
    )
    assert "C43" not in good.but(chair_signed=True, secretary_signed=True).ids
    assert "C43" not in good.but(chair_signed=True, secretary_signed=None).ids


def test_a_campaign_with_delegates_at_stake_that_did_not_sign(good):
    def signed(**by):
        rows = tuple(replace(row, signed=by.get(row.group)) for row in good.sheet.groups)
        return good.but(groups=rows)

    found = signed(Biden=False, Sanders=True, Yang=False).findings["C44"]
    assert found.fields == ("Biden.signed",)  # Yang has nothing at stake
    assert found.message == "Nobody signed for Biden, with delegates at stake."
    assert "C44" not in signed(Biden=True, Sanders=True).ids
    assert "C44" not in signed().ids


def test_overwritten_figures(good):
    assert "C45" in good.but(overwritten=True).ids
    assert "C45" not in good.but(overwritten=False).ids


def test_published_sdes(good):
    """Adair: 4 state delegates for 51 county delegates; 2 are worth .1569."""

    def stating(value: str):
        rows = tuple(
            replace(row, sde=Fraction(value)) if row.group == "Biden" else row for row in good.sheet.groups
        )
        return good.but(groups=rows).at(county_state_delegates=4, county_total_delegates=51)

    assert "C47" not in stating("0.1569").ids
    assert stating("0.1568").says("C47") == (
        "Biden has 2 delegates, worth 0.1569 SDEs, but the file says 0.1568."
    )
    assert "C47" in stating("0").ids
    assert "C47" not in stating("0").at(county_state_delegates=None).ids


def test_two_attendances(good):
    found = good.but(second_attendance=98).findings["C53"]
    assert found.fields == ("attendance", "second_attendance")
    assert "C53" not in good.but(second_attendance=100).ids


def test_a_group_that_is_not_on_the_ballot_is_still_added_up(iowa, good):
    sheet = ResultSheet(10, (GroupCounts("Nobody Known", 11, 11, 4),))
    assert "C01" in good.but(attendance=10, groups=sheet.groups).ids
