"""Accounts and settings in the store: unique names, hashed secrets, and rows that nobody alters unseen."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from caucus_desk.store.actions import Action
from caucus_desk.store.errors import StoreDamaged
from caucus_desk.store.secret import make_secret, secret_fits
from caucus_desk.store.store import Store
from caucus_desk.store.verifying import check_figures
from tests.tampering import tamper

CHEAP = 4


def add(store: Store, *names: str) -> None:
    with store.write() as unit:
        for name in names:
            unit.add_person(name, "clerk", make_secret("1234", CHEAP), by="Lead", sentence=f"made {name}")


def faults(store: Store) -> tuple[str, ...]:
    with store.read() as unit:
        return tuple(check_figures(unit))


def test_an_account_is_found_whatever_the_case_spaces_and_accents(store: Store) -> None:
    add(store, "Zoë O’Brien")
    with store.read() as unit:
        for spelling in ("Zoë O’Brien", "zoe obrien", "  ZOE  O'BRIEN "):
            found = unit.person_named(spelling)
            assert found is not None
            assert found.name == "Zoë O’Brien"
        assert unit.person_named("Zoe") is None


def test_accounts_keep_their_order_and_their_changes(store: Store) -> None:
    add(store, "Bo", "Al")
    with store.write() as unit:
        bo = unit.person_named("bo")
        assert bo is not None
        unit.change_person(replace(bo, role="lead", closed=unit.now), by="Lead", sentence="changed")
        unit.person_tried(replace(bo, role="lead"), 3, unit.now)
        at = unit.now
    with store.read() as unit:
        people = unit.people()
    assert [(one.name, one.role, one.closed, one.failed, one.failed_at) for one in people] == [
        ("Bo", "lead", at, 3, at),
        ("Al", "clerk", None, 0, None),
    ]


def test_each_change_has_its_event_and_the_check_is_content(store: Store) -> None:
    add(store, "Bo")
    with store.write() as unit:
        unit.set_setting("idle_minutes", "5", by="Lead", sentence="five minutes")
        unit.set_setting("idle_minutes", "7", by="Lead", sentence="seven minutes")
        unit.set_setting("caller_check", "none", by="Lead", sentence="no check")
        bo = unit.person_named("Bo")
        assert bo is not None
        unit.person_tried(bo, 1, unit.now)  # counts, and is no change of the account
    with store.read() as unit:
        assert unit.setting_values() == {"caller_check": "none", "idle_minutes": "7"}
        actions = [event.action for event in unit.audit_trail()]
    assert actions.count(Action.PERSON) == 1
    assert actions.count(Action.SETTING) == 3
    assert faults(store) == ()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE person SET role = 'administrator' WHERE name = 'Al'",
        "UPDATE person SET secret = (SELECT secret FROM person WHERE name = 'Bo') WHERE name = 'Al'",
        "UPDATE person SET closed = NULL WHERE name = 'Bo'",
        "DELETE FROM person WHERE name = 'Al'",
        "DELETE FROM person",
        "DELETE FROM setting WHERE key = 'sign_in'",
        "UPDATE setting SET value = 'names' WHERE key = 'sign_in'",
        "INSERT INTO setting VALUES ('more', 99999, 'x')",
    ],
)
def test_what_is_altered_behind_the_programs_back_is_found(store: Store, statement: str) -> None:
    add(store, "Bo", "Al")
    with store.write() as unit:
        unit.set_setting("sign_in", "accounts", by="Lead", sentence="accounts")
        bo = unit.person_named("Bo")
        assert bo is not None
        unit.change_person(replace(bo, closed=unit.now), by="Lead", sentence="closed")
    assert faults(store) == ()
    tamper(store, statement)
    assert len(faults(store)) == 1


def test_a_row_without_any_event_is_found(make_store: Callable[..., Store]) -> None:
    store = make_store("other.db")
    tamper(store, "INSERT INTO setting VALUES ('sign_in', 99999, 'names')")
    assert faults(store) == ("a row of setting has no event",)


def test_two_accounts_of_one_name_cannot_be(store: Store) -> None:
    add(store, "Bo")
    with pytest.raises(Exception, match=r"(?i)unique"):
        add(store, "BÓ")
    with store.read() as unit:
        assert len(unit.people()) == 1


def test_a_secret_is_salted_and_says_its_cost(store: Store) -> None:
    one, other = make_secret("1234"), make_secret("1234")
    assert one != other
    assert one.startswith("scrypt$16384$8$1$")
    assert "1234" not in one.split("$")
    assert secret_fits("1234", one)
    assert not secret_fits("1235", one)
    assert secret_fits("1234", make_secret("1234", CHEAP))  # made at another cost


@pytest.mark.parametrize(
    "stored", ["", "1234", "scrypt$16384$8$1$zz$00", "scrypt$1073741824$8$1$00$00", "md5$1$1$1$0$0"]
)
def test_a_secret_kept_in_no_known_way_lets_nobody_in(stored: str) -> None:
    with pytest.raises(StoreDamaged):
        secret_fits("1234", stored)


def test_the_secret_is_in_no_text_of_the_store(store: Store, tmp_path: Path) -> None:
    with store.write() as unit:
        unit.add_person("Bo", "clerk", make_secret("4715820936", CHEAP), by="Lead", sentence="made Bo")
    for file in tmp_path.iterdir():
        assert b"4715820936" not in file.read_bytes()
