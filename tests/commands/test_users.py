"""Accounts by command: the first administrator, the others, and the PIN that is never an argument."""

import json
from pathlib import Path

import pytest

from caucus_desk.desk import signing
from tests.commands.conftest import RESULTS, ROSTER, Run

ADMIN, CLERK = "4711", "2222"


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    signing._tries.clear()
    for name in ("CAUCUS_DESK_PIN", "CAUCUS_DESK_NEW_PIN"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def as_person(monkeypatch: pytest.MonkeyPatch) -> "As":
    return As(monkeypatch)


class As:
    """Sets the PINs in the environment, as a script would."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._patch = monkeypatch

    def __call__(self, pin: str, new: str = "") -> None:
        for name, value in (("CAUCUS_DESK_PIN", pin), ("CAUCUS_DESK_NEW_PIN", new)):
            if value:
                self._patch.setenv(name, value)
            else:
                self._patch.delenv(name, raising=False)


@pytest.fixture
def staffed(run: Run, tmp_path: Path, as_person: As) -> str:
    """A store whose administrator is Ada, with Lea as a lead and Cleo as a clerk."""
    (tmp_path / "roster.csv").write_text(ROSTER, encoding="utf-8")
    (tmp_path / "results.csv").write_text(RESULTS, encoding="utf-8")
    as_person(ADMIN)
    made = run("new", "s.sqlite", "--rules", "iowa-2020", "--roster", "roster.csv", "--administrator", "Ada")
    assert made.code == 0, made.err
    as_person(ADMIN, CLERK)
    for name, role in (("Lea", "lead"), ("Cleo", "clerk")):
        assert run("users", "add", "s.sqlite", name, role, "--by", "ada").code == 0
    as_person("")
    return "s.sqlite"


def test_a_new_store_with_an_administrator(run: Run, staffed: str) -> None:
    listed = run("users", "list", staffed, "--json").json
    assert listed["sign_in"] == "accounts"
    assert [(one["name"], one["role"], one["closed"]) for one in listed["users"]] == [
        ("Ada", "administrator", None),
        ("Lea", "lead", None),
        ("Cleo", "clerk", None),
    ]
    assert "Cleo" in run("users", "list", staffed).out


def test_new_without_more_is_a_store_of_names(run: Run, store: str, as_person: As) -> None:
    assert run("users", "list", store, "--json").json == {"sign_in": "names", "users": []}
    assert run("load", store, "results.csv", "--channel", "phone", "--by", "anybody").code == 0
    refused = run("users", "add", store, "Cleo", "clerk", "--by", "anybody")
    assert refused.code == 3
    assert "first one is an administrator's" in refused.err
    as_person(ADMIN)
    first = run("users", "add", store, "Ada", "administrator", "--json")
    assert first.code == 0
    assert first.json["user"]["role"] == "administrator"
    assert run("load", store, "results.csv", "--channel", "paper", "--by", "anybody").code == 3


def test_new_on_an_own_laptop(run: Run, tmp_path: Path) -> None:
    (tmp_path / "roster.csv").write_text(ROSTER, encoding="utf-8")
    words = ("new", "o.sqlite", "--rules", "iowa-2020", "--roster", "roster.csv", "--by", "Chair of Polk")
    assert run(*words, "--own-laptop", "--json").json["sign_in"] == "own laptop"
    assert run("users", "list", "o.sqlite", "--json").json["sign_in"] == "own laptop"
    assert run(*words, "--own-laptop", "--administrator", "Ada").code == 2


def test_new_with_an_administrator_and_no_pin_makes_nothing(run: Run, tmp_path: Path) -> None:
    (tmp_path / "roster.csv").write_text(ROSTER, encoding="utf-8")
    refused = run(
        "new", "s.sqlite", "--rules", "iowa-2020", "--roster", "roster.csv", "--administrator", "Ada"
    )
    assert refused.code == 3
    assert "CAUCUS_DESK_PIN" in refused.err
    assert not (tmp_path / "s.sqlite").exists()


@pytest.mark.parametrize(
    "words",
    [
        ("load", "s.sqlite", "results.csv", "--channel", "paper", "--by", "Lea"),
        ("ack", "s.sqlite", "A-1", "C01", "--reason", "because", "--by", "Lea"),
        ("report", "s.sqlite", "out.xlsx", "--by", "Lea"),
        ("backup", "s.sqlite", "copy.sqlite", "--by", "Lea"),
        ("check", "s.sqlite", "--rebuild", "--by", "Lea"),
        ("users", "add", "s.sqlite", "Eve", "clerk", "--by", "Ada"),
        ("users", "role", "s.sqlite", "Cleo", "lead", "--by", "Ada"),
        ("users", "pin", "s.sqlite", "Cleo", "--by", "Ada"),
        ("users", "close", "s.sqlite", "Cleo", "--by", "Ada"),
        ("users", "reopen", "s.sqlite", "Cleo", "--by", "Ada"),
    ],
)
def test_a_name_without_its_pin_is_refused(
    run: Run, staffed: str, as_person: As, words: tuple[str, ...]
) -> None:
    without = run(*words)
    assert without.code == 3
    assert "CAUCUS_DESK_PIN" in without.err
    as_person("9999", "5555")
    wrong = run(*words, "--json")
    assert (wrong.code, wrong.json["exit_code"]) == (3, 3)
    assert "do not belong together" in wrong.json["error"]
    assert not Path("out.xlsx").exists()
    assert not Path("copy.sqlite").exists()
    assert len(run("users", "list", staffed, "--json").json["users"]) == 3


@pytest.mark.parametrize("words", [("report", "s.sqlite", "out.xlsx"), ("check", "s.sqlite", "--rebuild")])
def test_where_there_are_accounts_somebody_must_be_named(
    run: Run, staffed: str, words: tuple[str, ...]
) -> None:
    refused = run(*words)
    assert refused.code == 3
    assert "--by NAME" in refused.err


def test_a_backup_of_a_store_with_accounts_is_somebodys(run: Run, staffed: str, as_person: As) -> None:
    refused = run("backup", staffed, "copy.sqlite")
    assert refused.code == 3
    assert "--by NAME" in refused.err
    as_person(CLERK)
    assert run("backup", staffed, "copy.sqlite", "--by", "Cleo").code == 3
    assert not Path("copy.sqlite").exists()
    assert run("backup", staffed, "copy.sqlite", "--by", "lea").code == 0
    assert run("check", "copy.sqlite").code == 0


def test_each_may_do_what_the_role_allows(run: Run, staffed: str, as_person: As) -> None:
    as_person(CLERK)
    refused = run("load", staffed, "results.csv", "--channel", "paper", "--by", "Cleo")
    assert refused.code == 3
    assert "Only a lead or an administrator may load a results file; Cleo is a clerk" in refused.err
    assert run("load", staffed, "results.csv", "--channel", "paper", "--by", "LEA").code == 0
    assert run("report", staffed, "out.xlsx", "--by", "Cleo").code == 0
    assert run("check", staffed, "--rebuild", "--by", "Lea").code == 0
    # Looking needs nobody: whoever has the file can read it.
    for words in (("status",), ("results",), ("check",), ("audit",)):
        assert run(words[0], staffed).code == 0
    who = {event["who"] for event in run("audit", staffed, "--json").json["events"]}
    assert "Lea" in who  # as the account is written
    assert "LEA" not in who


def test_roles_pins_and_closing(run: Run, staffed: str, as_person: As) -> None:
    as_person(ADMIN)
    assert run("users", "role", staffed, "cleo", "reviewer", "--by", "Ada", "--json").json["user"][
        "role"
    ] == ("reviewer")
    as_person(CLERK, "3333 and more")
    assert run("users", "pin", staffed, "Cleo").code == 0  # one's own
    as_person(CLERK)
    assert run("report", staffed, "out.xlsx", "--by", "Cleo").code == 3
    as_person("3333 and more")
    assert run("report", staffed, "out.xlsx", "--by", "Cleo").code == 0
    as_person(ADMIN)
    closed = run("users", "close", staffed, "Cleo", "--by", "Ada", "--json")
    assert closed.json["user"]["closed"]
    as_person("3333 and more")
    assert run("report", staffed, "out.xlsx", "--by", "Cleo").code == 3
    as_person(ADMIN, "5555")
    again = run("users", "add", staffed, "CLEO", "clerk", "--by", "Ada")
    assert again.code == 3
    assert "had an account, which was closed" in again.err
    assert run("users", "reopen", staffed, "Cleo", "--by", "Ada").code == 0
    for words in (("close", "Ada"), ("role", "Ada", "lead")):
        refused = run("users", words[0], staffed, *words[1:], "--by", "Ada")
        assert refused.code == 3


def test_wrong_use(run: Run, staffed: str) -> None:
    assert run("users").code == 2
    assert run("users", "add", staffed, "Eve", "boss", "--by", "Ada").code == 2
    assert run("users", "add", staffed, "Eve").code == 2
    assert run("users", "list", "nowhere.sqlite").code == 4


def test_a_pin_typed_at_a_terminal(run: Run, staffed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from caucus_desk.commands import person

    typed = iter([ADMIN, "5555", "5556", ADMIN, "5555", "5555"])
    asked: list[str] = []
    monkeypatch.setattr(person, "at_a_terminal", lambda: True)
    monkeypatch.setattr(person.getpass, "getpass", lambda prompt: asked.append(prompt) or next(typed))
    differ = run("users", "add", staffed, "Eve", "clerk", "--by", "Ada")
    assert differ.code == 3
    assert "not the same" in differ.err
    assert run("users", "add", staffed, "Eve", "clerk", "--by", "Ada").code == 0
    assert asked[3:] == [
        "PIN or password of Ada: ",
        "New PIN or password of Eve: ",
        "The same again: ",
    ]


def test_no_pin_is_in_what_is_said(run: Run, staffed: str, as_person: As) -> None:
    as_person("847192", "5555")
    said = run("users", "add", staffed, "Eve", "clerk", "--by", "Ada")
    as_person("")
    everything = (
        said.err + json.dumps(run("audit", staffed, "--json").json) + run("users", "list", staffed).out
    )
    for pin in ("847192", ADMIN, CLERK):
        assert pin not in everything


def test_the_help_names_where_pins_are_taken_from(run: Run) -> None:
    for words, names in (
        (("users", "add"), ("CAUCUS_DESK_NEW_PIN", "CAUCUS_DESK_PIN")),
        (("users", "pin"), ("CAUCUS_DESK_NEW_PIN", "CAUCUS_DESK_PIN")),
        (("new",), ("CAUCUS_DESK_NEW_PIN", "CAUCUS_DESK_PIN")),
        (("status",), ("the address of a shared store",)),
        (("packet", "kit"), ("as the roster names it",)),
        (("packet", "revoke"), ("`packet keys` lists it",)),
        (("backup",), ("a new file",)),
    ):
        said = " ".join(run(*words, "--help").out.split())
        for name in names:
            assert name in said, words


def test_an_existing_store_is_refused_before_a_pin_is_asked_for(run: Run, staffed: str) -> None:
    again = run("new", staffed, "--rules", "iowa-2020", "--roster", "roster.csv", "--administrator", "Ada")
    assert again.code == 3
    assert "already exists" in again.err


def test_a_refusal_speaks_of_commands_and_not_of_the_window(run: Run, staffed: str, as_person: As) -> None:
    assert "The PIN is then asked for, or taken from CAUCUS_DESK_PIN." in run("report", staffed, "x.xlsx").err
    as_person(CLERK)
    for words in (
        ("load", staffed, "results.csv", "--channel", "app"),
        ("ack", staffed, "A-1", "C14", "--reason", "the chair confirms"),
        ("backup", staffed, "copy.sqlite"),
        ("packet", "kit", staffed, "Alpha", "kit.cdkit"),
    ):
        refused = run(*words, "--by", "Cleo")
        assert refused.code == 3, words
        assert "let one of them give the command, with --by NAME" in refused.err, words
        assert "F8" not in refused.err
        assert "F8" not in run(*words, "--by", "Cleo", "--json").json["error"]
    assert "with `recanvass open`" in run("recanvass", "show", staffed, "1").err
    assert "with `release make`" in run("release", "show", staffed, "1").err
