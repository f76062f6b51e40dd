"""What goes in comes out again, in one transaction each, and the trail says so."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from caucus_desk.store.actions import Action
from caucus_desk.store.errors import StoreUnsupported
from caucus_desk.store.names import same_person
from caucus_desk.store.records import CachedState, Caller, Claimed, NewReport
from caucus_desk.store.rosters import hash_pin
from caucus_desk.store.store import Store
from caucus_desk.store.times import from_text, to_text
from caucus_desk.store.verifying import check_figures
from caucus_desk.tally.report import Channel
from caucus_desk.tally.results import ControlTotal
from caucus_desk.tally.sheet import ChanceRecord, GroupCounts, ResultSheet
from caucus_desk.tally.state import State
from tests.tampering import refuses, tamper

KEYS = ("Biden", "Sanders", "Warren", "Uncommitted")
count = st.none() | st.integers(0, 99_999)
flag = st.none() | st.booleans()
sheets = st.builds(
    ResultSheet,
    attendance=count,
    groups=st.lists(st.sampled_from(range(4)), unique=True).flatmap(
        lambda places: st.tuples(
            *(
                st.builds(
                    GroupCounts,
                    group=st.just(KEYS[place]),
                    first=count,
                    final=count,
                    delegates=count,
                    sde=st.none() | st.fractions(0, 1000, max_denominator=10_000),
                    signed=flag,
                )
                for place in sorted(places)
            )
        )
    ),
    extras=st.dictionaries(st.sampled_from(["early_votes", "other"]), count).map(
        lambda d: tuple(sorted(d.items()))
    ),
    threshold=count,
    delegates_to_elect=count,
    second_attendance=count,
    chance=st.lists(
        st.just(ChanceRecord(("Warren", "Biden"), ("Biden",)))
        | st.just(ChanceRecord(("Biden", "Sanders", "Warren"), ("Biden", "Warren"))),
        max_size=2,
    ).map(tuple),
    chair_signed=flag,
    secretary_signed=flag,
    overwritten=flag,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(sheet=sheets)
def test_a_sheet_comes_back_as_it_was(store: Store, sheet: ResultSheet) -> None:
    with store.write() as unit:
        added = unit.add_report(NewReport("007", Channel.APP, sheet, "feed", receipt="ABC"))
        ruled = unit.add_ruling("007", sheet, seen_report=added.id, by="Cy", reason="r", sentence="s")
    with store.read() as unit:
        assert unit.standing_reports(["007"])["007"][Channel.APP] == added
        stored = unit.ruling(ruled.id)
        assert stored is not None
        assert stored.ruling == ruled
        assert unit.report_digests()[added.id] == unit.audit_trail(limit=2)[1].content


def test_the_roster_comes_back_in_its_order(store: Store) -> None:
    with store.read() as unit:
        precincts = unit.precincts()
        assert [one.id for one in precincts] == ["77-DM42", "007", "SAT-1-01", "P4"]
        assert precincts[0].chair == "Ann O'Brien"
        assert precincts[2].is_satellite
        assert (precincts[2].attendance, precincts[2].registered) == (41, 900)
        assert precincts[3].merged
        assert unit.precinct("007") == precincts[1]
        assert unit.precinct("7") is None
        assert unit.groups()[2].minor
        record = unit.caucus()
        assert (record.name, record.created_by) == ("Test 2020", "Lead")


def test_a_pin_is_kept_as_a_salted_hash(store: Store) -> None:
    with store.read() as unit:
        assert unit.check_pin("77-DM42", "1234") is True
        assert unit.check_pin("77-DM42", "1235") is False
        assert unit.check_pin("007", "1234") is None
        kept = [row[-1] for row in unit._cursor.execute("SELECT pin FROM precinct ORDER BY position")]
    assert kept[0].startswith("scrypt$")
    assert kept[1:] == ["", "", ""]
    assert hash_pin("1234") != hash_pin("1234")


def test_nothing_is_saved_when_the_block_fails(store: Store, new_report: Callable[..., NewReport]) -> None:
    def fails() -> None:
        with store.write() as unit:
            unit.add_report(new_report())
            unit.claim_draft("007", Channel.PHONE, "Ann")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fails()
    with store.read() as unit:
        assert unit.reports() == {}
        assert unit.drafts() == ()
        assert unit.last_seq() == 1


def test_a_reader_sees_one_moment(store: Store, new_report: Callable[..., NewReport]) -> None:
    with store.read() as before:
        assert before.last_seq() == 1
        with store.write() as unit:
            unit.add_report(new_report())
        assert before.last_seq() == 1
    with store.read() as after:
        assert after.last_seq() == 2


def test_a_unit_inside_another_is_a_fault_of_the_program(store: Store) -> None:
    with store.write(), pytest.raises(RuntimeError, match="inside another"), store.write():
        pass
    with store.write() as unit:  # and the lock is free again
        assert unit.last_seq() == 1


def test_newest_report_of_each_channel_stands_and_withdrawn_ones_do_not(
    store: Store, new_report: Callable[..., NewReport]
) -> None:
    with store.write() as unit:
        first = unit.add_report(new_report(base=10))
        second = unit.add_report(new_report(base=20))
        paper = unit.add_report(new_report(channel=Channel.PAPER, by="Bo"))
        assert (first.id, second.id, paper.id) == (1, 2, 3)
        unit.withdraw_report(second, by="Cy", reason="wrong precinct", sentence="Cy withdrew report 2")
    with store.read() as unit:
        assert unit.standing_reports()["77-DM42"] == {Channel.PHONE: first, Channel.PAPER: paper}
        history = unit.history("77-DM42")
        assert [one.withdrawn for one in history] == [False, True, False]
        assert history[1].withdrawn_reason == "wrong precinct"
        assert history[1].withdrawn_at is not None


def test_who_rang_and_where_it_came_from_are_kept(store: Store, sheet_of: Callable[..., ResultSheet]) -> None:
    caller = Caller("Pat Doe", "515-555-0101", "PIN")
    with store.write() as unit:
        unit.add_report(NewReport("007", Channel.PHONE, sheet_of(), "Ann", caller=caller, source="night.csv"))
    with store.read() as unit:
        stored = unit.history("007")[0]
        assert (stored.caller, stored.source) == (caller, "night.csv")


def test_rulings_and_acknowledgements(store: Store, sheet_of: Callable[..., ResultSheet]) -> None:
    with store.write() as unit:
        one = unit.add_ruling("007", sheet_of(), seen_report=4, by="Cy", reason="call-back", sentence="s")
        two = unit.add_ruling(
            "007", sheet_of(9), seen_report=5, by="Cy", reason="paper", approved_by="Lead", sentence="s"
        )
        assert unit.rulings()["007"] == two
        unit.withdraw_ruling(two, by="Di", reason="misread", sentence="s")
        assert unit.rulings(["007"])["007"] == one
        given = unit.acknowledge("007", "C06", "ff", by="Di", reason="asked", at_desk=False, sentence="s")
    with store.read() as unit:
        assert unit.acknowledgements(["007"])["007"] == [given]
        assert unit.acknowledgements(["77-DM42"]) == {}
        assert [stored.withdrawn for stored in unit.ruling_history("007")] == [False, True]
        assert unit.ruling(99) is None


def test_a_newer_control_total_takes_the_countys_place(store: Store) -> None:
    with store.write() as unit:
        both = [ControlTotal("Polk", "Biden", 1, 2, 3), ControlTotal("Adair", "Biden", 4, 5, None)]
        unit.set_control_totals(both, by="Lead", sentence="s")
        unit.set_control_totals([ControlTotal("Polk", "Warren", 7, 8, 9)], by="Lead", sentence="s")
        assert set(unit.control_totals()) == {both[1], ControlTotal("Polk", "Warren", 7, 8, 9)}


def test_a_draft_knows_everyone_who_typed_in_it(store: Store, new_report: Callable[..., NewReport]) -> None:
    with store.write() as unit:
        report = unit.add_report(new_report())
        draft = unit.claim_draft("007", Channel.PHONE, "Zoë")
        assert (draft.typists, draft.begun_after) == ((), report.id)
        unit.save_draft_fields(draft.id, {"attendance": "21"})
        unit.hand_over_draft(draft.id, "Bo")
        handed = unit.draft(draft.id)
        assert handed is not None
        assert (handed.by, handed.typists) == ("Bo", ("Zoë",))
        unit.save_draft_fields(draft.id, {"attendance": "22"})
        both = unit.draft(draft.id)
        assert both is not None
        assert both.typists == ("Bo", "Zoë")
        unit.empty_draft(draft.id)
        empty = unit.draft(draft.id)
        assert empty is not None
        assert (empty.fields, empty.typists) == ({}, ())


def test_who_typed_in_a_report_stays_with_it_and_cannot_be_altered(
    store: Store, new_report: Callable[..., NewReport]
) -> None:
    with store.write() as unit:
        one = unit.add_report(replace(new_report(), typists=("Zoë", "Al", "Al")))
        other = unit.add_report(new_report("007"))
    with store.read() as unit:
        assert unit.typists() == {one.id: ("Al", "Zoë")}
        assert unit.typists([other.precinct_id]) == {}
        assert check_figures(unit) == ()
    refuses(store, "DELETE FROM report_typist", "only ever added to")
    tamper(store, "DELETE FROM report_typist WHERE name = 'Al'")
    with store.read() as unit:
        assert any(f"report {one.id} is not as event" in fault for fault in check_figures(unit))


def test_a_draft_holds_what_was_typed_letter_by_letter(store: Store) -> None:
    with store.write() as unit:
        draft = unit.claim_draft("007", Channel.PHONE, "Zoë")
        saved = unit.save_draft_fields(draft.id, {"attendance": "21", "caller.name": "Pat"})
        assert saved is not None
        assert saved > draft.updated, "also within one tick of the clock"
        unit.save_draft_fields(draft.id, {"attendance": "215", "Warren.first": "3"})
        unit.save_draft_fields(draft.id, {"Warren.first": ""})
    with store.read() as unit:
        kept = unit.draft(draft.id)
        assert kept is not None
        assert kept.fields == {"attendance": "215", "caller.name": "Pat"}
        assert kept == unit.draft_of("007", Channel.PHONE)
        assert unit.drafts("zoe") == (kept,)
        assert unit.drafts("Bo") == ()
        assert unit.last_seq() == 1  # keys are no events
    with store.write() as unit:
        with pytest.raises(Claimed) as held:
            unit.claim_draft("007", Channel.PHONE, "Bo")
        assert held.value.draft.by == "Zoë"
        unit.hand_over_draft(draft.id, "Bo")
        handed = unit.draft(draft.id)
        assert handed is not None
        assert (handed.by, handed.fields) == ("Bo", kept.fields)
        unit.delete_draft(draft.id)
        assert unit.save_draft_fields(draft.id, {"attendance": "2"}) is None
        assert unit.draft_of("007", Channel.PHONE) is None
        assert unit.claim_draft("007", Channel.PHONE, "Bo").id != draft.id


def test_cached_states(store: Store) -> None:
    state = CachedState("007", State.SINGLE, False, None, None, "f", 2, True, "like")
    with store.write() as unit:
        unit.save_states([state])
        assert unit.states(["007", "77-DM42"]) == {"007": state}
        later = CachedState("007", State.AWAITING, False, None, None, "", 0, False)
        unit.save_states([later])
        assert unit.states() == {"007": later}
        assert unit.alike(["like"]) == {"like": {}}


def test_the_trail_pages_and_tells_what_changed(store: Store, new_report: Callable[..., NewReport]) -> None:
    with store.write() as unit:
        unit.add_reports([new_report(base=base) for base in (10, 11, 12)])
        unit.log(Action.REFUSED, "Bo was refused", actor="Bo", precinct_id="007")
    with store.read() as unit:
        assert [one.seq for one in unit.audit_trail(limit=2)] == [5, 4]
        assert [one.seq for one in unit.audit_trail(limit=2, before=4)] == [3, 2]
        assert [one.seq for one in unit.audit_trail("007")] == [5]
        assert unit.audit_trail(limit=1)[0].known_action is Action.REFUSED
        changes = unit.changes_since(3)
        assert (changes.last_seq, changes.precinct_ids, changes.everything) == (5, {"77-DM42", "007"}, False)
        assert unit.changes_since(5).precinct_ids == frozenset()
        assert unit.changes_since(0).everything
    with store.write() as unit:
        unit.set_control_totals([ControlTotal("Polk", "Biden", 1, 2, 3)], by="Lead", sentence="s")
        assert unit.changes_since(5).everything


def test_times_are_utc_whatever_the_zone() -> None:
    night = datetime(2020, 2, 3, 20, 0, tzinfo=timezone(timedelta(hours=-6)))
    assert to_text(night) == "2020-02-04T02:00:00.000000+00:00"
    assert from_text(to_text(night)) == night
    assert from_text(to_text(night)).utcoffset() == timedelta(0)
    with pytest.raises(ValueError, match="without a zone"):
        to_text(datetime(2020, 2, 3, 20, 0))  # noqa: DTZ001


def test_an_invented_night_has_its_own_times(store: Store, new_report: Callable[..., NewReport]) -> None:
    night = datetime(2020, 2, 4, 2, tzinfo=UTC)
    with store.write() as unit:
        unit.set_clock(night)
        assert unit.add_report(new_report()).at == night
        assert unit.audit_trail(limit=1)[0].at == night


def test_an_sde_that_no_column_can_hold_is_a_fault_of_the_caller(store: Store) -> None:
    sheet = ResultSheet(1, (GroupCounts("Biden", 1, 1, 1, Fraction(1, 2**70)),))
    with pytest.raises(ValueError, match="too many digits"), store.write() as unit:
        unit.add_report(NewReport("007", Channel.APP, sheet, "feed"))


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Zoë  Café", "zoe cafe", True),
        ("ANNA", "anna", True),
        ("Straße", "STRASSE", True),
        ("Ann", "Anna", False),
    ],
)
def test_names_are_compared_folded(one: str, other: str, same: bool) -> None:
    assert same_person(one, other) is same


def test_what_a_database_cannot_keep_is_no_crash(store: Store, new_report: Callable[..., NewReport]) -> None:
    with store.write() as unit:
        draft = unit.claim_draft("007", Channel.PHONE, "Zoë")
        unit.save_draft_fields(draft.id, {"caller.name": "P\0at"})
    with store.read() as unit:
        assert dict(unit.drafts()[0].fields) == {"caller.name": "Pat"}
    if store.is_shared:
        with pytest.raises(StoreUnsupported, match="cannot keep a character"), store.write() as unit:
            unit.add_report(replace(new_report(), source="a\0b"))
    with store.write() as unit:
        unit.add_report(new_report())
