"""Shared stores on the command line: moving, rights, and passwords that are seen nowhere."""

import json
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from keyring.backends import fail

from caucus_desk.commands import addresses, person, window
from caucus_desk.desk.places import forget_password
from tests.keyrings import LockedKeyring, MemoryKeyring, using
from tests.postgres import PASSWORD, as_account, at, database, server
from tests.postgres import run as as_administrator

ROOT = Path(__file__).parents[2]


def plain(address: str) -> str:
    front, place = address.rsplit("@", 1)
    return f"{front.rsplit(':', 1)[0]}@{place}"


@pytest.fixture(autouse=True)
def no_help(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing else on this computer knows a password."""
    monkeypatch.delenv("PGPASSWORD", raising=False)
    monkeypatch.setenv("PGPASSFILE", "/nowhere/pgpass")
    with using(fail.Keyring()):
        yield


@pytest.fixture
def empty() -> Iterator[str]:
    with database() as address:
        yield address
        forget_password(address)


@pytest.fixture
def moved(run, store, empty) -> str:
    assert run("load", store, "results.csv", "--channel", "paper", "--by", "Bo").code == 0
    assert run("move", store, empty, "--by", "Lead").code == 0
    return empty


@pytest.fixture
def lead(moved) -> Iterator[str]:
    address = as_account(moved, "lead")
    forget_password(address)
    yield address
    forget_password(address)


def test_move_says_what_came_over_and_where_to_go_on(run, store, empty):
    run("load", store, "results.csv", "--channel", "paper", "--by", "Bo")
    ran = run("move", store, empty, "--by", "Lead")
    assert ran.code == 0
    first, second, third, fourth = ran.out.splitlines()
    assert first.startswith(f"Moved {Path(store).resolve()} to {plain(empty)}: ")
    assert "events among them" in first
    assert "reads back with the digest that it had" in second
    assert plain(empty) in third
    assert "What is saved there from now on is not in the new one" in fourth
    assert run("status", plain(empty)).out == run("status", store).out
    again = run("move", store, empty, "--by", "Lead", "--json")
    assert (again.code, again.json["exit_code"]) == (3, 3)
    assert "holds a caucus already" in again.json["error"]


def test_move_as_json(run, store, empty):
    told = run("move", store, empty, "--by", "Lead", "--json").json
    assert told["from"] == str(Path(store).absolute())
    assert told["to"] == plain(empty)
    assert {"name", "rows", "digest"} == set(told["tables"][0])
    assert told["rows"] == sum(table["rows"] for table in told["tables"])


def test_backup_check_and_restore(run, moved, tmp_path):
    assert run("backup", moved, "b.caucus").out.startswith(f"Copied {plain(moved)} to ")
    checked = run("check", moved)
    assert checked.code == 0
    assert "SQLite" not in checked.out
    assert checked.out.startswith("ok  database: every guard and rule of the database is on")
    with database() as other:
        restored = run("restore", "b.caucus", other)
        assert restored.code == 0
        assert restored.out == f"Restored b.caucus as {plain(other)} and checked it.\n"
        assert run("status", other).out == run("status", moved).out
    refused = run("backup", "b.caucus", moved)
    assert refused.code == 3
    assert "use `move`" in refused.err


def test_grants_are_made_and_printed(run, moved):
    name = moved.rsplit("/", 1)[1]
    words = ("users", "grants", moved, "--clerks", f"{name}_c", "--viewers", f"{name}_v")
    shown = run(*words, "--print")
    assert f'CREATE ROLE "{name}_c" NOLOGIN;' in shown.out
    assert "-- Nothing was done" in shown.out
    try:
        done = run(*words, "--by", "Ada")
        assert done.code == 0
        assert done.out.startswith(shown.out.split("-- Nothing")[0])
        assert f"CREATE ROLE ann LOGIN IN ROLE {name}_c" in done.out
        assert "gave rights in the database" in run("audit", moved, "--limit", "1").out
        assert json.loads(run(*words, "--print", "--json").out)["done"] is False
    finally:
        for role in (f"{name}_c", f"{name}_v"):
            as_administrator(at(server(), name), f"DROP OWNED BY {role}", f"DROP ROLE {role}")


# ---- passwords ----


def test_a_password_in_an_argument_is_used_and_told_off_and_never_shown(run, lead, tmp_path):
    for words in (
        ("status", lead),
        ("status", lead, "--json"),
        ("check", lead),
        ("audit", lead),
        ("load", lead, "results.csv", "--channel", "phone", "--by", "Bo"),
        ("backup", lead, "out.caucus"),
        ("backup", lead, "out.caucus", "--json"),
        ("move", lead, lead, "--by", "x"),
        ("frobnicate", lead),
        ("status", lead, lead),
        ("packet", "merge", lead, lead, "--by", "x"),
        ("release", "verify", "out.caucus", f"--store={lead}"),
        ("status", lead.replace(PASSWORD, PASSWORD + "x")),
        ("status", lead.replace("caucus_test_lead:", "nobody:")),
        ("status", lead.replace("@127.0.0.1", "@127.0.0.1:1x")),
        ("status", lead.replace(PASSWORD, "a@" + PASSWORD)),
        ("status", lead.rsplit(":", 1)[0] + ":9/" + lead.rsplit("/", 1)[1]),
        ("status", plain(lead) + f"?password={PASSWORD}"),
        ("status", lead.replace("postgresql+psycopg", "mysql")),
        ("status", lead.rsplit("/", 1)[0] + "/nowhere"),
        ("new", lead, "--rules", "iowa-2020", "--roster", "roster.csv"),
        ("--debug", "status", lead + "?nonsense=1"),
    ):
        ran = run(*words)
        assert PASSWORD not in ran.out + ran.err, words
        forget_password(plain(lead))
    assert "can be read by everybody on this computer" in run("status", lead).err
    for file in tmp_path.rglob("*"):
        assert not file.is_file() or PASSWORD.encode() not in file.read_bytes(), file


def test_a_password_in_the_address_of_a_parameter_works(run, lead):
    assert run("status", plain(lead) + f"?password={PASSWORD}").code == 0


ASKS = (
    "The server of {0} asks for a password. Put it into PGPASSWORD or into ~/.pgpass, or type it where it is "
    "asked for.\n"
)


def test_without_a_terminal_the_window_asks_for_the_password(run, lead, monkeypatch):
    from caucus_desk.ui import app

    opened: list[str | None] = []
    monkeypatch.setattr(window, "why_no_window", lambda: None)
    monkeypatch.setattr(app, "run", lambda location: opened.append(location) or 0)
    assert run("open", plain(lead)).code == 0
    assert opened == [plain(lead)]
    monkeypatch.setattr(window, "at_a_terminal", lambda: True)
    assert run("open", plain(lead)).code == 4, "it was asked for at the terminal"
    assert len(opened) == 1


def test_without_any_password_it_is_said_that_one_is_needed(run, lead):
    assert "is not right" in run("status", lead.replace(PASSWORD, "wrong")).err  # and is not tried again
    ran = run("status", plain(lead))
    assert ran.code == 4
    assert ran.err == ASKS.format(plain(lead))


def test_the_usual_places_of_postgresql_are_known(run, lead, tmp_path, monkeypatch):
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    ran = run("status", plain(lead))
    assert (ran.code, ran.err) == (0, "")
    monkeypatch.delenv("PGPASSWORD")
    place = tmp_path / "pgpass"
    place.write_text(f"*:*:*:caucus_test_lead:{PASSWORD}\n")
    place.chmod(stat.S_IRUSR | stat.S_IWUSR)
    monkeypatch.setenv("PGPASSFILE", str(place))
    assert run("status", plain(lead)).code == 0


def test_the_keyring_is_asked_last_and_silently(run, lead):
    kept = MemoryKeyring()
    kept.set_password("Caucus Desk", plain(lead), PASSWORD)
    with using(kept):
        assert run("status", plain(lead)).code == 0
    forget_password(plain(lead))
    kept.set_password("Caucus Desk", plain(lead), "an old one")
    with using(kept):
        assert "is not right" in run("status", plain(lead)).err
    with using(LockedKeyring()):
        ran = run("status", plain(lead))
    assert (ran.code, ran.err) == (4, ASKS.format(plain(lead)))


def test_at_a_terminal_it_is_asked_for_once(run, lead, monkeypatch):
    asked: list[str] = []

    def ask(prompt: str) -> str:
        asked.append(prompt)
        return PASSWORD

    monkeypatch.setattr(addresses, "at_a_terminal", lambda: True)
    monkeypatch.setattr(addresses, "ask_secretly", ask)
    assert run("status", plain(lead)).code == 0
    assert asked == [f"Password for {plain(lead)}: "]
    assert run("check", plain(lead)).code == 0
    assert len(asked) == 1
    forget_password(plain(lead))
    monkeypatch.setattr(addresses, "ask_secretly", lambda prompt: asked.append(prompt) or "wrong")
    ran = run("status", plain(lead))
    assert ran.code == 4
    assert "is not right" in ran.err
    assert len(asked) == 2, "not again and again"
    assert person.PIN == "CAUCUS_DESK_PIN"


def test_a_process_of_its_own_shows_and_writes_no_password(lead, tmp_path):
    """As a person starts it: everything that it prints, and every file that it leaves."""
    environment = {**os.environ, "CAUCUS_DESK_DATA": str(tmp_path / "data"), "PYTHONPATH": str(ROOT)}
    for words in (["status", lead], ["--debug", "status", lead.replace(PASSWORD, PASSWORD + "x")]):
        done = subprocess.run(
            [sys.executable, "-X", "dev", "-m", "caucus_desk", *words],
            capture_output=True,
            text=True,
            env=environment,
            cwd=tmp_path,
            check=False,
        )
        assert PASSWORD not in done.stdout + done.stderr
    for file in tmp_path.rglob("*"):
        assert not file.is_file() or PASSWORD.encode() not in file.read_bytes(), file
