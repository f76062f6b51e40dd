"""What the store keeps of county keys, of packets and of where reports came from; told, and checked."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from caucus_desk.store.countykeys import OwnKey
from caucus_desk.store.origins import COPY, Origin
from caucus_desk.store.packets import Confirmation, TakenPacket
from caucus_desk.store.records import NewReport
from caucus_desk.store.store import Store
from caucus_desk.store.verifying import check_chain, check_figures
from caucus_desk.tally.call import Call, CallEnd, CheckKind, Outcome
from tests.tampering import tamper

NIGHT = datetime(2020, 2, 4, 2, 0, tzinfo=UTC)


@pytest.fixture
def full(store: Store, new_report: Callable[..., NewReport]) -> Store:
    """A key, a revoked one, a packet with two reports of which one came by a call, and a merged copy's."""
    with store.write() as unit:
        unit.add_county_key("k1", "Polk", "aa", by="Lead", sentence="s")
        unit.add_county_key("k2", "Polk", "bb", by="Lead", sentence="s")
        unit.end_county_key(unit.county_keys()[1], by="Lead", reason="stolen", sentence="s")
        unit.add_own_key(OwnKey("Polk", "k1", "secret", "cc"))
        unit.add_headquarters_key("secret", "cc")
        ours, first, second, third = unit.add_reports(
            [
                new_report(by="Ann"),
                *(replace(new_report(by="Cy", base=base), at=NIGHT) for base in (11, 12, 13)),
            ]
        )
        unit.tell_origin(first, Origin(first.id, "u1", "k1", "d", frozenset(), ""), by="Lead", sentence="s")
        unit.tell_origin(
            second, Origin(second.id, "u2", "k1", "d", frozenset({first.id}), ""), by="Lead", sentence="s"
        )
        unit.tell_origin(third, Origin(third.id, "u3", COPY, "e", frozenset(), ""), by="Lead", sentence="s")
        call = Call(0, NIGHT, NIGHT, "Cy", "77-DM42", "Ben", "1", CheckKind.NONE, Outcome.NOT_ASKED,
                    CallEnd.RESULTS, second.id, None, "")  # fmt: skip
        seq = unit.add_taken_call(call, "s")
        unit.tie_report(replace(call, seq=seq), second, confirmed=False, sentence="s")
        unit.add_packet_taken(TakenPacket(0, "d", "k1", "Polk", 1, 2, 2, "Lead", NIGHT), "s")
    assert ours.at != NIGHT
    return store


def test_reports_know_where_they_came_from(full: Store) -> None:
    with full.read() as unit:
        ours, first, second, third = unit.reports()["77-DM42"]
        assert (ours.over, ours.origin) == (None, "")
        assert (first.at, first.over, first.origin) == (NIGHT, frozenset(), "Polk packet")
        assert (second.over, second.confirmed) == (frozenset({first.id}), False)
        assert third.origin == "merged copy"
        assert unit.reports(["77-DM42"])["77-DM42"] == [ours, first, second, third]
        assert unit.origins().keys() == {first.id, second.id, third.id}
        assert unit.calls_of_reports() == unit.calls_of_reports(["77-DM42"])
        assert set(unit.calls_of_reports()) == {second.id}


def test_what_was_written_in_the_same_unit_is_read_with_its_origin(
    store: Store, new_report: Callable[..., NewReport]
) -> None:
    with store.write() as unit:
        made = unit.add_report(replace(new_report(), at=NIGHT))
        unit.tell_origin(made, Origin(made.id, "u", COPY, "e", frozenset(), ""), by="Lead", sentence="s")
        read = unit.report(made.id)
    assert read is not None
    assert (read.over, read.at) == (frozenset(), NIGHT)


def test_keys_and_packets(full: Store) -> None:
    with full.read() as unit:
        holds, ended = unit.county_keys()
        assert (holds.id, holds.revoked, ended.revoked, ended.reason) == ("k1", False, True, "stolen")
        assert unit.county_key("k2") == ended
        assert unit.county_key("k3") is None
        own = unit.own_key()
        assert own is not None
        assert (own.county, own.headquarters) == ("Polk", "cc")
        assert "secret" not in repr(own)
        assert unit.headquarters_key() == ("secret", "cc")
        taken = unit.packet_taken("d")
        assert taken is not None
        assert unit.packets_taken() == (taken,)
        assert (taken.county, taken.new_reports, taken.by) == ("Polk", 2, "Lead")
        assert unit.packet_taken("x") is None


def test_a_report_is_confirmed_in_another_store(full: Store) -> None:
    with full.write() as unit:
        second = unit.reports()["77-DM42"][2]
        unit.confirm_taken(second, Confirmation("Di", NIGHT, "rang back"), "s")
    with full.read() as unit:
        assert unit.confirmations() == {second.id: Confirmation("Di", NIGHT, "rang back")}
        assert unit.reports()["77-DM42"][2].confirmed


def test_no_digest_and_no_report_comes_in_twice(full: Store) -> None:
    with pytest.raises(Exception, match=r"(?i)unique"), full.write() as unit:
        unit.add_packet_taken(TakenPacket(0, "d", "k1", "Polk", 1, 2, 2, "Lead", NIGHT), "s")
    with full.read() as unit:
        ours = unit.reports()["77-DM42"][0]
    with pytest.raises(Exception, match=r"(?i)unique"), full.write() as unit:
        unit.tell_origin(ours, Origin(ours.id, "u1", "k1", "d", frozenset(), ""), by="Lead", sentence="s")


def test_an_honest_store_has_no_fault(full: Store) -> None:
    with full.read() as unit:
        assert (check_chain(unit), check_figures(unit)) == ((), ())


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE county_key SET county = 'Linn' WHERE key_id = 'k1'",
        "UPDATE county_key SET public = 'dd' WHERE key_id = 'k1'",
        "DELETE FROM county_key_end",
        "UPDATE county_key_end SET reason = 'none'",
        "UPDATE packet_taken SET new_reports = 3",
        "DELETE FROM packet_taken",
        "UPDATE report_origin SET \"over\" = '' WHERE uid = 'u2'",
        "UPDATE report_origin SET origin = 'copy' WHERE uid = 'u1'",
        "DELETE FROM report_origin WHERE uid = 'u1'",
    ],
)
def test_what_is_altered_is_found(full: Store, change: str) -> None:
    tamper(full, change)
    with full.read() as unit:
        assert check_figures(unit)
