"""A release is kept whole, is only ever added to, and is found out when it is altered."""

from fractions import Fraction

import pytest

from caucus_desk.store.actions import Action
from caucus_desk.store.records import NewReport
from caucus_desk.store.releases import Frozen, ReleasedPrecinct, ReleasedRow, ReleaseRecord
from caucus_desk.store.store import Store
from caucus_desk.store.units import WriteUnit
from caucus_desk.store.verifying import check_chain, check_figures
from caucus_desk.tally.report import Channel
from caucus_desk.tally.sheet import GroupCounts, ResultSheet
from tests.tampering import first_column, refuses, tamper

SHEET = ResultSheet(100, (GroupCounts("Biden", 60, 60, 5), GroupCounts("Sanders", 40, 40, None)))


def frozen(report: int) -> Frozen:
    rows = (
        ReleasedRow("Biden", 60, 60, 5, Fraction(5, 3)),
        ReleasedRow("Sanders", 40, 40, None, Fraction(0)),
    )
    uncounted = (ReleasedRow("Biden", 9, 9, 1, None),)
    return Frozen(
        '{"caucus":"Test"}',
        {"77-DM42": "[1]", "007": "[2]", "P4": "[3]"},
        {
            "77-DM42": ReleasedPrecinct(
                "77-DM42", "single", False, True, report, None, (report,), SHEET.fingerprint, 100, rows
            ),
            "007": ReleasedPrecinct("007", "mismatched", False, False, None, None, (), "f", 9, uncounted),
        },
    )


def head(unit: WriteUnit, number: int = 1) -> ReleaseRecord:
    return ReleaseRecord(
        number, 0, "reported", "a note", "Lead", unit.now, True, unit.newest_report(), "d" * 64,
        (("findings", "two errors", "asked the chairs"),),
    )  # fmt: skip


@pytest.fixture
def released(store: Store) -> Store:
    with store.write() as unit:
        report = unit.add_report(NewReport("77-DM42", Channel.PAPER, SHEET, "Bo"))
        unit.add_release(head(unit), frozen(report.id), sentence="Lead made release 1")
    return store


def test_it_comes_out_as_it_went_in(released: Store) -> None:
    with released.read() as unit:
        (one,) = unit.releases()
        held = unit.frozen(1)
        assert unit.audit_trail(limit=1)[0].known_action is Action.RELEASED
    assert (one.number, one.note, one.by, one.newest_report) == (1, "a note", "Lead", 1)
    assert one.passes == (("findings", "two errors", "asked the chairs"),)
    assert one.approved_by is None
    assert held == frozen(1)
    assert list(held.lines) == ["77-DM42", "007", "P4"]


def test_the_database_adds_up_what_counts_and_only_that(released: Store) -> None:
    with released.read() as unit:
        sums = unit.released_sums(1)
    assert (sums["Biden"].final, sums["Biden"].delegates, sums["Biden"].sde) == (60, 5, Fraction(5, 3))
    assert (sums["Sanders"].first, sums["Sanders"].delegates) == (40, 0)


def test_approval_is_told(released: Store) -> None:
    with released.write() as unit:
        unit.approve_release(1, by="Second", sentence="Second approved release 1")
    with released.read() as unit:
        (one,) = unit.releases()
        assert one.approved_by == "Second"
        assert check_figures(unit) == ()
        assert check_chain(unit) == ()


TABLES = ("release", "release_pass", "release_precinct", "release_row", "release_basis", "release_line")


@pytest.mark.parametrize("table", TABLES)
def test_nothing_of_it_is_changed_or_taken_out(released: Store, table: str) -> None:
    column = first_column(released, table)
    for statement in (f"UPDATE {table} SET {column} = {column}", f"DELETE FROM {table}"):
        refuses(released, statement, "only ever added to")


def test_an_altered_head_no_longer_fits_its_event(released: Store) -> None:
    tamper(released, "UPDATE release SET digest = 'e'")
    with released.read() as unit:
        assert any("release is not as event" in fault for fault in check_figures(unit))
