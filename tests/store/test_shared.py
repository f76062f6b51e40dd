"""A store in PostgreSQL: many writers, one chain; and a plain sentence where it cannot be used."""

import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from caucus_desk.store.errors import (
    NotAStore,
    StoreError,
    StoreExists,
    StoreLocked,
    StoreMissing,
    StoreReadOnly,
    StoreTooNew,
    StoreUncertain,
    StoreUnreachable,
    StoreUnsupported,
)
from caucus_desk.store.records import NewReport
from caucus_desk.store.shared import server
from caucus_desk.store.shared.address import parse_address, shown, shown_location
from caucus_desk.store.store import Store
from caucus_desk.store.verifying import check_chain, check_figures

ROOT = Path(__file__).parents[2]
CUT = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
    "WHERE datname = current_database() AND pid <> pg_backend_pid()"
)
FILL = {"caucus": "x", "rules_name": "y", "rules_text": "z", "by": "w"}


@pytest.fixture
def empty(postgres: ModuleType) -> Iterator[str]:
    with postgres.database() as address:
        yield address


@pytest.fixture
def shared(empty: str, create_at: Callable[[str], Store]) -> Iterator[Store]:
    with create_at(empty) as store:
        yield store


def refusal(location: str, kind: type[StoreError]) -> str:
    with pytest.raises(kind) as caught:
        Store.open(location, busy_seconds=0.3).close()
    assert "Traceback" not in caught.value.sentence
    password = parse_address(location).password
    assert not password or str(password) not in caught.value.sentence
    return caught.value.sentence


# ---- many writers ----

WRITER = """
import sys
from caucus_desk.store.records import NewReport
from caucus_desk.store.store import Store
from caucus_desk.tally.report import Channel
from caucus_desk.tally.sheet import GroupCounts, ResultSheet
location, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
with Store.open(location, busy_seconds=60) as store:
    for number in range(count):
        with store.write() as unit:
            before = len(unit.reports(["77-DM42"]).get("77-DM42", ()))
            sheet = ResultSheet(before, (GroupCounts("Biden", before, before, 1),))
            unit.add_report(NewReport("77-DM42", Channel.PHONE, sheet, name))
"""


def test_writers_of_several_processes_lose_nothing_and_the_chain_stays_one(shared: Store, empty: str) -> None:
    """Each writes down how many reports it saw; had two seen the same, one of them would have been lost."""
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, empty, f"clerk {number}", "12"], cwd=ROOT)
        for number in range(4)
    ]
    assert [one.wait(90) for one in writers] == [0] * 4
    with shared.read() as unit:
        reports = unit.reports(["77-DM42"])["77-DM42"]
        assert [one.sheet.attendance for one in reports] == list(range(48))
        assert sorted(one.id for one in reports) == list(range(1, 49))
        assert check_chain(unit) == ()
        assert check_figures(unit) == ()


def test_a_reader_sees_one_moment(shared: Store, new_report: Callable[..., NewReport]) -> None:
    with shared.read() as unit:
        before = unit.last_seq()
        with shared.write() as other:
            other.add_report(new_report())
        assert unit.last_seq() == before
        assert unit.reports() == {}
    with shared.read() as unit:
        assert len(unit.reports()) == 1


def test_who_waits_too_long_for_the_turn_is_told(shared: Store, empty: str) -> None:
    holding, done = threading.Event(), threading.Event()

    def hold() -> None:
        with shared.write():
            holding.set()
            done.wait(20)

    thread = threading.Thread(target=hold)
    thread.start()
    holding.wait(20)
    try:
        with Store.open(empty, busy_seconds=0.3) as other:
            with other.read() as unit:
                assert unit.caucus().name == "Test 2020"
            with pytest.raises(StoreLocked, match="Nothing was saved"), other.write():
                raise AssertionError("it has the turn")
    finally:
        done.set()
        thread.join()


def test_an_error_in_a_unit_undoes_all_of_it(shared: Store, new_report: Callable[..., NewReport]) -> None:
    def breaks() -> None:
        with shared.write() as unit:
            unit.add_report(new_report())
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        breaks()
    with shared.read() as unit:
        assert unit.reports() == {}
    with shared.write() as unit:
        unit.add_report(new_report())


def test_the_time_is_the_servers_own(
    shared: Store, new_report: Callable[..., NewReport], monkeypatch: pytest.MonkeyPatch
) -> None:
    from caucus_desk.store import work

    wrong = work.utc_now().replace(year=2001)
    monkeypatch.setattr(work, "utc_now", lambda: wrong)
    with shared.write() as unit:
        assert unit.add_report(new_report()).at.year > 2020


# ---- what cannot be used ----


def test_nothing_is_made_where_something_is(shared: Store, empty: str) -> None:
    with pytest.raises(StoreExists, match="holds a caucus already"):
        Store.create(empty, **FILL)
    with shared.read() as unit:
        assert unit.caucus().name == "Test 2020"


def test_another_programs_database_is_left_alone(postgres: ModuleType, empty: str) -> None:
    postgres.run(empty, "CREATE TABLE invoices (id integer)")
    with pytest.raises(StoreExists, match="another program"):
        Store.create(empty, **FILL)
    assert "no caucus" in refusal(empty, NotAStore)
    postgres.run(empty, "CREATE TABLE report (id integer)")
    refusal(empty, StoreError)


def test_an_empty_database_is_no_store(empty: str) -> None:
    assert "Make one in it with `new`" in refusal(empty, NotAStore)


def test_a_store_that_could_not_be_made_leaves_nothing(empty: str, create_at: Callable[[str], Store]) -> None:
    def breaks(_: object) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        Store.create(empty, **FILL, fill=breaks)
    create_at(empty).close()


def test_a_newer_store_is_refused(shared: Store, postgres: ModuleType, empty: str) -> None:
    postgres.run(empty, "UPDATE alembic_version SET version_num = '9999'")
    assert "Install the newer version" in refusal(empty, StoreTooNew)


def test_no_such_database_or_account(postgres: ModuleType, empty: str) -> None:
    assert "createdb" in refusal(postgres.at(empty, "nowhere"), StoreMissing)
    wrong = postgres.at(empty, "postgres", user="caucus", password="geheim")
    assert "name or the password" in refusal(wrong, StoreUnreachable)


def test_a_server_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"postgresql+psycopg://clerk:geheim@127.0.0.1:{port}/caucus"
    assert "does not answer" in refusal(address, StoreUnreachable)
    monkeypatch.setattr(server.importlib.util, "find_spec", lambda _: None)
    said = refusal(address, StoreUnsupported)
    assert 'in the folder of the program with: .venv/bin/pip install ".[shared]"' in said
    assert r'.venv\Scripts\pip install ".[shared]"' in said


def test_connections_that_are_cut_off(
    shared: Store, postgres: ModuleType, empty: str, new_report: Callable[..., NewReport]
) -> None:
    """In the middle of a unit, and in the pool between two."""

    def in_the_middle() -> None:
        with shared.write() as unit:
            unit.add_report(new_report())
            postgres.run(empty, CUT)
            unit.last_seq()

    with pytest.raises(StoreUnreachable, match="Nothing was saved"):
        in_the_middle()
    with shared.write() as unit:
        unit.add_report(new_report())
    postgres.run(empty, CUT)
    with shared.read() as unit:
        assert len(unit.reports()["77-DM42"]) == 1


def test_an_answer_that_never_came_is_said_to_be_uncertain(
    shared: Store, postgres: ModuleType, empty: str, new_report: Callable[..., NewReport]
) -> None:
    def at_the_end() -> None:
        with shared.write() as unit:
            unit.add_report(new_report())
            postgres.run(empty, CUT)

    with pytest.raises(StoreUncertain, match="Look before you do it again"):
        at_the_end()
    with shared.read() as unit:
        assert unit.reports() == {}


def test_an_older_store_is_brought_up_to_date_only_by_its_owner(
    shared: Store, postgres: ModuleType, empty: str
) -> None:
    postgres.run(
        empty,
        "UPDATE alembic_version SET version_num = '0006'",
        "ALTER DATABASE " + empty.rsplit("/", 1)[1] + " SET default_transaction_read_only = on",
    )
    with pytest.raises(StoreReadOnly, match="older version"):
        Store.open_to_look(empty)


# ---- addresses ----


@pytest.mark.parametrize(
    ("address", "kept"),
    [
        ("postgresql+psycopg://ann:geheim@db:5433/caucus", "postgresql+psycopg://ann@db:5433/caucus"),
        (
            "postgresql://ann:ge%2Fheim@db/caucus?sslmode=require",
            "postgresql+psycopg://ann@db/caucus?sslmode=require",
        ),
        ("postgres://db/caucus?password=geheim&user=ann", "postgresql+psycopg://db/caucus?user=ann"),
    ],
)
def test_a_password_is_never_shown(address: str, kept: str) -> None:
    assert shown(parse_address(address)) == kept
    assert "geheim" not in shown_location(address)


def test_text_that_only_looks_like_an_address_keeps_its_secret() -> None:
    assert "geheim" not in shown_location("postgresql://ann:geheim@db:many/caucus")
    with pytest.raises(StoreMissing, match="names no database"):
        parse_address("postgresql://ann@db")
    with pytest.raises(StoreUnsupported, match="looks like this"):
        parse_address("postgresql://ann:geheim@db:many/caucus")
