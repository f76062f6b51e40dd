"""The catalogue holds every id once, and the checks keep to it."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caucus_desk.tally.catalogue import FINDINGS, severity_of
from caucus_desk.tally.checks import check_errors, check_sheet
from caucus_desk.tally.checks.plan import plan_of
from caucus_desk.tally.finding import Severity
from caucus_desk.tally.roster import Precinct, PrecinctKind
from caucus_desk.tally.sheet import ChanceRecord, GroupCounts, ResultSheet

ERRORS = "C01 C02 C06 C07 C09 C11 C12 C13 C14 C15 C16 C20 C34 C35 C40 C41 C46 C51 C53"
NOTES = "C04 C08 C10 C25 C28 C33 C38 C44"
BY_SLIPS_AND_WHOLE = {"C31", "C35", "C36", "C37", "C38", "C48", "C49", "C50"}


def test_every_id_is_there_in_order_with_its_words():
    assert list(FINDINGS) == [f"C{number:02}" for number in range(1, 54)]
    for kind in FINDINGS.values():
        assert kind.title
        assert kind.predicate.endswith(".")
        assert kind.rule.startswith("8")
        assert kind.mismatch is (kind.id == "C49")


def test_severities_are_those_of_the_rules():
    by_word = {word: [k.id for k in FINDINGS.values() if k.word == word] for word in ("error", "note")}
    assert by_word["error"] == ERRORS.split()
    assert by_word["note"] == NOTES.split()


def test_every_id_has_a_check(iowa):
    checked = {step.check.id for step in plan_of(iowa).full.steps}
    assert checked | BY_SLIPS_AND_WHOLE == set(FINDINGS)
    assert not checked & BY_SLIPS_AND_WHOLE


def test_a_rule_set_may_change_a_severity_or_switch_a_check_off(iowa, room):
    rows = {"Biden": (50, 51, 2), "Sanders": (50, 50, 2)}
    plain = room(101, 4, **rows)
    assert plain.findings["C03"].severity == "warning"
    harder = plain.under(C03="error")
    assert harder.findings["C03"].severity == "error"
    assert [f.id for f in check_errors(harder.rules, harder.precinct, harder.sheet)] == ["C03"]
    assert "C03" not in plain.under(C03="off").ids
    assert severity_of(replace(iowa, severities={"C03": "off"}), "C03") is None
    assert severity_of(iowa, "C49") is None


def test_a_severity_below_error_is_not_weakened_further(room):
    rows = {"Biden": (71, 72, 3), "Warren": (29, 28, 1)}
    assert room(None, 4, **rows).under(C06="note").findings["C06"].severity == "note"


GROUPS = ("Biden", "Buttigieg", "Klobuchar", "Patrick", "Sanders", "Warren", "Other", "Uncommitted")
counts = st.one_of(st.none(), st.integers(0, 40))


@st.composite
def sheets(draw: st.DrawFn) -> ResultSheet:
    names = draw(st.lists(st.sampled_from(GROUPS), unique=True, max_size=8))
    whole = draw(st.booleans())
    field = st.integers(0, 40) if whole else counts
    rows = tuple(GroupCounts(name, draw(field), draw(field), draw(st.integers(0, 6))) for name in names)
    attendance = draw(st.one_of(st.none(), st.integers(0, 200)))
    toss = draw(st.booleans()) and len(names) > 1
    chance = (ChanceRecord((names[0], names[1]), (names[0],)),) if toss else ()
    return ResultSheet(
        attendance, rows, chance=chance, chair_signed=draw(st.sampled_from([None, True, False]))
    )


@given(sheet=sheets(), elects=st.integers(0, 12), satellite=st.booleans(), data=st.data())
def test_any_sheet_is_answered_and_the_order_of_groups_never_matters(
    iowa, nevada, sheet, elects, satellite, data
):
    rules = data.draw(st.sampled_from([iowa, nevada, replace(iowa, locked=False)]))
    if satellite:
        precinct = Precinct("s", "CD1 Satellite", "S", PrecinctKind.SATELLITE, "1", None, attendance=elects)
    else:
        precinct = Precinct("p", "Polk", "P", delegates=elects)
    found = check_sheet(rules, precinct, sheet)
    ids = [finding.id for finding in found]
    assert ids == sorted(set(ids))
    for finding in found:
        assert finding.message.strip().endswith((".", "?", ".)"))
        assert "None" not in finding.message + finding.ask
        assert not re.search(r"\b(?<![,\d])1 (people|delegates|groups)\b", finding.message + finding.ask)
    errors = [finding for finding in found if finding.severity is Severity.ERROR]
    assert list(check_errors(rules, precinct, sheet)) == errors
    shuffled = replace(sheet, groups=tuple(data.draw(st.permutations(sheet.groups))))
    assert check_sheet(rules, precinct, shuffled) == found


@pytest.mark.parametrize("attendance", [None, 0, 5])
def test_an_empty_sheet_has_nothing_wrong_in_its_table(iowa, attendance):
    precinct = Precinct("p", "Polk", "P", delegates=4)
    found = {f.id for f in check_sheet(iowa, precinct, ResultSheet(attendance, ()))}
    assert found == ({"C26", "C28"} if attendance == 0 else set())
