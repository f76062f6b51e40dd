"""Errands, case claims and rulings that wait for approval, as the store keeps them."""

from collections.abc import Callable
from datetime import timedelta
from fractions import Fraction

import pytest

from caucus_desk.store.actions import Action
from caucus_desk.store.records import NewReport
from caucus_desk.store.store import Store
from caucus_desk.store.units import WriteUnit
from caucus_desk.store.verifying import check_chain, check_figures
from caucus_desk.tally.errand import Errand, ErrandKind
from caucus_desk.tally.report import Channel, Ruling
from caucus_desk.tally.sheet import ResultSheet
from tests.tampering import refuses, tamper

HERE = "77-DM42"
SheetOf = Callable[..., ResultSheet]


def sent(unit: WriteUnit, kind: ErrandKind = ErrandKind.REKEY, precinct_id: str = HERE) -> Errand:
    rekey = kind is ErrandKind.REKEY
    return unit.add_errand(
        precinct_id,
        kind,
        channel=Channel.PAPER if rekey else None,
        fields=("attendance", "Warren.final") if rekey else (),
        note="page 2",
        by="Cy",
        sentence="s",
    )


def ruled(unit: WriteUnit, sheet: ResultSheet, stake: Fraction | None, precinct_id: str = HERE) -> Ruling:
    return unit.add_ruling(
        precinct_id, sheet, seen_report=1, by="Cy", reason="seen", stake=stake, sentence="s"
    )


@pytest.fixture
def full(store: Store, new_report: Callable[..., NewReport], sheet_of: SheetOf) -> Store:
    """One of each row, with its end or its approval."""
    with store.write() as unit:
        unit.add_report(new_report(HERE))
        unit.end_errand(sent(unit), outcome="keyed again", by="Dot", sentence="s")
        unit.approve_ruling(ruled(unit, sheet_of(), Fraction(4, 51)), by="Lee", sentence="s")
    return store


# ---- errands ----


def test_an_errand_comes_back_as_it_was_given(store: Store) -> None:
    with store.write() as unit:
        made = sent(unit)
        other = sent(unit, ErrandKind.FETCH, "007")
    with store.read() as unit:
        assert unit.errands() == (made, other)
        assert unit.errands(HERE) == (made,)
        assert unit.errand(made.id) == made
        assert unit.open_errands(["007"]) == (other,)
        assert unit.errand(99) is None
    assert made.open
    assert other.fields == ()


def test_what_has_ended_is_not_open(full: Store) -> None:
    with full.read() as unit:
        assert unit.open_errands() == ()
        (errand,) = unit.errands()
    assert errand.ended is not None
    assert (errand.ended.by, errand.ended.outcome) == ("Dot", "keyed again")


def test_an_errand_ends_once(full: Store) -> None:
    with full.read() as unit:
        (errand,) = unit.errands()
    with pytest.raises(Exception, match=r"UNIQUE|constraint"), full.write() as unit:
        unit.end_errand(errand, outcome="again", by="Eve", sentence="s")
    with full.read() as unit:
        assert check_figures(unit) == ()


# ---- rulings that wait ----


def test_a_ruling_with_a_stake_is_pending_until_it_is_approved(store: Store, sheet_of: SheetOf) -> None:
    with store.write() as unit:
        ruling = ruled(unit, sheet_of(), Fraction(4, 51))
        plain = ruled(unit, sheet_of(), None, "007")
    assert (ruling.pending, plain.pending) == (True, False)
    with store.read() as unit:
        assert unit.rulings() == {HERE: ruling, "007": plain}
        assert [stored.ruling for stored in unit.unapproved()] == [ruling]
        (stored,) = unit.ruling_history(HERE)
        assert (stored.stake, stored.approved_at) == (Fraction(4, 51), None)
    with store.write() as unit:
        unit.approve_ruling(ruling, by="Lee", sentence="s")
    with store.read() as unit:
        now = unit.rulings([HERE])[HERE]
        assert (now.pending, now.approved_by) == (False, "Lee")
        assert unit.unapproved() == ()
        (stored,) = unit.ruling_history(HERE)
        assert stored.approved_at is not None


def test_a_withdrawn_ruling_waits_for_nobody(store: Store, sheet_of: SheetOf) -> None:
    with store.write() as unit:
        ruling = ruled(unit, sheet_of(), Fraction(1))
        unit.withdraw_ruling(ruling, by="Di", reason="no", sentence="s")
    with store.read() as unit:
        assert unit.unapproved() == ()
        (stored,) = unit.ruling_history(HERE)
    assert (stored.ruling.pending, stored.withdrawn_by) == (True, "Di")


def test_a_ruling_is_approved_once(full: Store) -> None:
    with full.read() as unit:
        ruling = unit.rulings()[HERE]
    with pytest.raises(Exception, match=r"UNIQUE|constraint"), full.write() as unit:
        unit.approve_ruling(ruling, by="Eve", sentence="s")


# ---- what is altered is found ----


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("UPDATE errand SET fields = 'attendance'", "a row of errand is not as event"),
        ("UPDATE errand SET by_name = 'Eve'", "a row of errand is not as event"),
        ("DELETE FROM errand_end", "the row of errand_end that event"),
        ("UPDATE errand_end SET outcome = 'fell'", "a row of errand_end is not as event"),
        ("UPDATE ruling_pending SET stake = '1/51'", "a row of ruling_pending is not as event"),
        ("DELETE FROM ruling_pending", "the row of ruling_pending that event"),
        ("UPDATE ruling_approval SET by_name = 'Cy'", "a row of ruling_approval is not as event"),
        ("DELETE FROM ruling_approval", "the row of ruling_approval that event"),
    ],
)
def test_an_altered_row_is_found(full: Store, change: str, told: str) -> None:
    with full.read() as unit:
        assert (check_chain(unit), check_figures(unit)) == ((), ())
    tamper(full, change)
    with full.read() as unit:
        (fault,) = check_figures(unit)
    assert told in fault


@pytest.mark.parametrize("table", ["errand", "errand_end", "ruling_pending", "ruling_approval"])
def test_what_was_said_stays(full: Store, table: str) -> None:
    refuses(full, f"DELETE FROM {table}")


# ---- claims ----


def test_one_person_has_a_case(store: Store) -> None:
    with store.write() as unit:
        first = unit.set_case_claim(HERE, "Cy")
        unit.set_case_claim("007", "Di")
    with store.write() as unit:
        unit.set_clock(unit.now + timedelta(minutes=2))
        again = unit.set_case_claim(HERE, "Cy", first.since)
    with store.read() as unit:
        assert unit.case_claim(HERE) == again
        assert set(unit.case_claims()) == {HERE, "007"}
        assert unit.case_claim("P4") is None
    assert again.since == first.since
    assert again.touched > first.touched
    with store.write() as unit:
        unit.set_case_claim(HERE, "Di")
        unit.drop_case_claim("007")
    with store.read() as unit:
        held = unit.case_claim(HERE)
        assert held is not None
        assert (held.by, set(unit.case_claims())) == ("Di", {HERE})


# ---- keying again, and tries ----


def test_a_draft_that_answers_an_errand_holds_what_was_keyed_and_who_keyed_it(store: Store) -> None:
    with store.write() as unit:
        errand = sent(unit)
        draft = unit.claim_draft(HERE, Channel.PAPER, "Dot")
        draft = unit.begin_rekeying(draft.id, errand.id, {"attendance": "100"}, ("Bo", "Eve", "Bo"))
    assert (draft.errand_id, draft.typists) == (errand.id, ("Bo", "Eve"))
    assert draft.fields == {"attendance": "100"}


def test_tries_are_kept_with_the_sheet_that_was_tried(store: Store) -> None:
    with store.write() as unit:
        unit.log(Action.DOES_NOT_MATCH, "s", actor="Dot", precinct_id=HERE, content="f1")
        unit.log(Action.REFUSED, "s", actor="Dot", precinct_id=HERE)
        unit.log(Action.DOES_NOT_MATCH, "s", actor="Dot", precinct_id="007", content="f2")
    with store.read() as unit:
        assert unit.tries(HERE) == (("Dot", "f1"),)
        assert (check_chain(unit), check_figures(unit)) == ((), ())
