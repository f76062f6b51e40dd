"""Accounts at the desk: who may sign in, how wrong tries are slowed, and what never leaves the trail."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from caucus_desk.desk import signing
from caucus_desk.desk.acknowledge import acknowledge
from caucus_desk.desk.creating import FirstAdministrator, create_caucus
from caucus_desk.desk.integrity import check_store, rebuild_states
from caucus_desk.desk.keeping import backup
from caucus_desk.desk.loading import load_results
from caucus_desk.desk.looking import look
from caucus_desk.desk.people import (
    SignIn,
    TooSoon,
    WrongPin,
    account_of_name,
    accounts,
    allow,
    allowed,
    change_pin,
    change_role,
    close_account,
    make_account,
    make_first_administrator,
    mark_own_laptop,
    owner,
    reopen_account,
    sign_in,
    sign_in_kind,
    sign_out,
    why_not,
)
from caucus_desk.desk.roles import Job, Role
from caucus_desk.desk.session import Desk, open_desk
from caucus_desk.desk.settings import change_setting, setting_text, settings
from caucus_desk.desk.trail import audit_trail
from caucus_desk.desk.workbook import write_workbook
from caucus_desk.rules.errors import Refused
from caucus_desk.tally.report import Channel

RESULTS = """precinct_id,candidate,first_alignment,final_alignment,county_delegates,attendance
A-1,Biden,14,16,1,100
A-1,Buttigieg,36,38,2,
A-1,Sanders,24,24,2,
A-1,Warren,22,22,1,
A-1,Yang,4,0,0,
"""


class Clock:
    """Both clocks of the sign-in, moved by hand."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.wall = datetime.now(UTC)
        self.steady = 1000.0
        monkeypatch.setattr(signing, "_now", lambda: self.wall)
        monkeypatch.setattr(signing, "_monotonic", lambda: self.steady)

    def wait(self, seconds: float) -> None:
        self.wall += timedelta(seconds=seconds)
        self.steady += seconds

    def set(self, seconds: float) -> None:
        """Somebody sets the machine's clock; the steady one does not heed it."""
        self.wall += timedelta(seconds=seconds)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


@pytest.fixture(autouse=True)
def _no_tries() -> Iterator[None]:
    signing._tries.clear()
    yield
    signing._tries.clear()


@pytest.fixture
def staffed(desk: Desk) -> Desk:
    """Ada administers and is signed in; Cleo is a clerk, who is not."""
    make_first_administrator(desk, "Ada", "1111")
    make_account(desk, "Cleo", Role.CLERK, "2222", by="Ada")
    return desk


def said(desk: Desk) -> list[tuple[str, str, str]]:
    """Who, what kind, in which words; newest first."""
    return [(event.actor, str(event.action), event.sentence) for event in audit_trail(desk)]


def wrong(desk: Desk, name: str, times: int, clock: Clock | None = None) -> None:
    """So many wrong tries; with `clock` each wait between them is waited out."""
    for _ in range(times):
        if clock is not None:
            clock.wait(60)
        with pytest.raises(WrongPin):
            sign_in(desk, name, "9999")


# --- stores of names --------------------------------------------------------------------------


def test_a_store_made_without_more_asks_for_a_name_only(desk: Desk) -> None:
    assert sign_in_kind(desk) is SignIn.NAMES
    assert all(allowed(desk, "anybody", job) for job in Job)
    with desk.store.write() as unit:
        allow(desk, unit, "anybody", Job.APPROVE)
    with pytest.raises(Refused, match="no accounts"):
        sign_in(desk, "anybody", "1234")


def test_a_store_of_names_can_be_given_its_first_administrator_later(desk: Desk) -> None:
    make_first_administrator(desk, "Ada", "1111")
    assert sign_in_kind(desk) is SignIn.ACCOUNTS
    assert [(one.name, one.role) for one in accounts(desk)] == [("Ada", Role.ADMINISTRATOR)]
    assert allowed(desk, "Ada", Job.MANAGE_PEOPLE)
    assert not allowed(desk, "anybody", Job.KEY)
    with pytest.raises(Refused, match="accounts already"):
        make_first_administrator(desk, "Eve", "6666")


def test_without_an_administrator_there_are_no_other_accounts(desk: Desk) -> None:
    with pytest.raises(Refused, match="first administrator"):
        make_account(desk, "Cleo", Role.CLERK, "2222", by="Ada")


def test_own_laptop_needs_no_sign_in_and_knows_its_person(desk: Desk) -> None:
    mark_own_laptop(desk, "Chair of Alpha")
    assert sign_in_kind(desk) is SignIn.OWN_LAPTOP
    assert owner(desk) == "Chair of Alpha"
    assert allowed(desk, "Chair of Alpha", Job.KEY)


def test_accounts_are_not_given_up_for_an_own_laptop(staffed: Desk) -> None:
    with pytest.raises(Refused, match="has accounts"):
        mark_own_laptop(staffed, "Ada")


def test_a_new_caucus_can_begin_with_its_administrator(small_roster: Path, tmp_path: Path) -> None:
    made = create_caucus(
        str(tmp_path / "new.sqlite"), "iowa-2020", small_roster, by="Ada",
        administrator=FirstAdministrator("Ada", "1111"),
    )  # fmt: skip
    with made.desk as desk:
        assert sign_in_kind(desk) is SignIn.ACCOUNTS
        assert allowed(desk, "Ada", Job.MANAGE_PEOPLE)
        assert all(line.ok for line in check_store(desk))
    with open_desk(str(tmp_path / "new.sqlite")) as again:
        assert not allowed(again, "Ada", Job.MANAGE_PEOPLE)
        sign_in(again, "ada", "1111")
        assert allowed(again, "Ada", Job.MANAGE_PEOPLE)


def test_a_pin_too_short_leaves_no_new_caucus(small_roster: Path, tmp_path: Path) -> None:
    with pytest.raises(Refused, match="4 digits"):
        create_caucus(
            str(tmp_path / "new.sqlite"), "iowa-2020", small_roster, by="Ada",
            administrator=FirstAdministrator("Ada", "123"),
        )  # fmt: skip
    assert not (tmp_path / "new.sqlite").exists()


# --- accounts ---------------------------------------------------------------------------------


@pytest.mark.parametrize("spelling", ["cleo", "CLEO", " Cléo ", "C l e o"])
def test_a_name_is_one_account_whatever_case_spaces_and_accents(staffed: Desk, spelling: str) -> None:
    with pytest.raises(Refused, match="Cleo has an account already"):
        make_account(staffed, spelling, Role.LEAD, "3333", by="Ada")
    assert len(accounts(staffed)) == 2


def test_a_closed_name_is_nobody_elses_and_stays_in_the_trail(staffed: Desk) -> None:
    sign_in(staffed, "Cleo", "2222")
    close_account(staffed, "Cleo", by="Ada")
    assert not allowed(staffed, "Cleo", Job.KEY)
    with pytest.raises(Refused, match="had an account, which was closed"):
        make_account(staffed, "cleo", Role.CLERK, "3333", by="Ada")
    assert "Cleo" in [who for who, _, _ in said(staffed)]
    with pytest.raises(WrongPin):
        sign_in(staffed, "Cleo", "2222")
    reopen_account(staffed, "Cleo", by="Ada")
    assert sign_in(staffed, "Cleo", "2222").role is Role.CLERK


def test_the_last_administrator_stays(staffed: Desk) -> None:
    with pytest.raises(Refused, match="last administrator"):
        change_role(staffed, "Ada", Role.LEAD, by="Ada")
    with pytest.raises(Refused, match="own account"):
        close_account(staffed, "ADA", by="Ada")
    make_account(staffed, "Bea", Role.ADMINISTRATOR, "3333", by="Ada")
    with pytest.raises(Refused, match="own account"):
        close_account(staffed, "Ada", by="ada")
    change_role(staffed, "Ada", Role.LEAD, by="Ada")
    sign_in(staffed, "Bea", "3333")
    with pytest.raises(Refused, match="last administrator"):
        change_role(staffed, "Bea", Role.VIEWER, by="Bea")


def test_a_closed_administrator_is_none_that_counts(staffed: Desk) -> None:
    make_account(staffed, "Bea", Role.ADMINISTRATOR, "3333", by="Ada")
    close_account(staffed, "Bea", by="Ada")
    with pytest.raises(Refused, match="last administrator"):
        change_role(staffed, "Ada", Role.LEAD, by="Ada")


def test_only_an_administrator_keeps_the_accounts(staffed: Desk) -> None:
    sign_in(staffed, "Cleo", "2222")
    for refused in (
        lambda: make_account(staffed, "Eve", Role.ADMINISTRATOR, "6666", by="Cleo"),
        lambda: change_role(staffed, "Cleo", Role.ADMINISTRATOR, by="Cleo"),
        lambda: change_pin(staffed, "Ada", "6666", by="Cleo"),
        lambda: close_account(staffed, "Ada", by="Cleo"),
        lambda: reopen_account(staffed, "Ada", by="Cleo"),
    ):
        with pytest.raises(Refused, match="Only an administrator may manage accounts; Cleo is a clerk"):
            refused()


def test_a_new_role_holds_at_once(staffed: Desk) -> None:
    sign_in(staffed, "Cleo", "2222")
    assert not allowed(staffed, "Cleo", Job.REVIEW)
    with open_desk(staffed.location) as other:
        sign_in(other, "Ada", "1111")
        change_role(other, "Cleo", Role.REVIEWER, by="Ada")
    assert allowed(staffed, "Cleo", Job.REVIEW)
    assert not allowed(staffed, "Cleo", Job.APPROVE)


def test_a_new_pin_is_asked_for_where_the_old_one_was_given(staffed: Desk) -> None:
    with open_desk(staffed.location) as other:
        sign_in(other, "Cleo", "2222")
        change_pin(staffed, "Cleo", "3333", by="Ada")
        with other.store.write() as unit, pytest.raises(Refused, match="not signed in here"):
            allow(other, unit, "Cleo", Job.KEY)
        with pytest.raises(WrongPin):
            sign_in(other, "Cleo", "2222")
        sign_in(other, "Cleo", "3333")
        change_pin(other, "Cleo", "4444", by="Cleo")  # their own, and they stay signed in
        with other.store.write() as unit:
            allow(other, unit, "Cleo", Job.KEY)


@pytest.mark.parametrize(
    ("pin", "why"),
    [
        ("", "empty"),
        ("   ", "empty"),
        ("123", "4 digits"),
        ("secret", "8 letters"),
        ("12a4", "8 letters"),
        ("x" * 201, "may have 200"),
        ("Margarethe Smith", "own name"),
        ("tab\tinside", "nobody can type"),
    ],
)
def test_a_pin_that_protects_nothing_is_refused(staffed: Desk, pin: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        make_account(staffed, "Margarethe Smith", Role.CLERK, pin, by="Ada")


def test_a_pin_is_the_same_from_any_keyboard(staffed: Desk) -> None:
    assert sign_in(staffed, "Cleo", " ２２２２ ").name == "Cleo"


def test_signing_out_ends_what_is_allowed(staffed: Desk) -> None:
    sign_in(staffed, "Cleo", "2222")
    sign_out(staffed, "cleo")
    assert not allowed(staffed, "Cleo", Job.KEY)
    assert allowed(staffed, "Ada", Job.MANAGE_PEOPLE)
    assert said(staffed)[0] == ("Cleo", "signed out", "Cleo signed out")


# --- wrong tries ------------------------------------------------------------------------------


def test_two_slips_cost_nothing_then_the_wait_doubles_up_to_a_minute(staffed: Desk, clock: Clock) -> None:
    wrong(staffed, "Cleo", 2)
    waits = []
    for _ in range(8):
        wrong(staffed, "Cleo", 1)
        with pytest.raises(TooSoon) as refusal:
            sign_in(staffed, "Cleo", "2222")
        waits.append(refusal.value.seconds)
        clock.wait(waits[-1])
    assert waits == [2, 4, 8, 16, 32, 60, 60, 60]
    assert sign_in(staffed, "Cleo", "2222").name == "Cleo"
    wrong(staffed, "Cleo", 2)  # forgotten once the right one came


def test_a_right_pin_inside_the_wait_is_not_looked_at(staffed: Desk, clock: Clock) -> None:
    wrong(staffed, "Cleo", 3)
    for _ in range(3):
        with pytest.raises(TooSoon, match="2 seconds"):
            sign_in(staffed, "Cleo", "2222")
    clock.wait(2)
    sign_in(staffed, "Cleo", "2222")


def test_a_restart_does_not_shorten_the_wait(staffed: Desk, clock: Clock) -> None:
    wrong(staffed, "Cleo", 4, clock)
    signing._tries.clear()  # what the process knew
    with open_desk(staffed.location) as again, pytest.raises(TooSoon, match="4 seconds"):
        sign_in(again, "Cleo", "2222")


def test_a_clock_set_back_or_forward_is_no_way_round_the_wait(staffed: Desk, clock: Clock) -> None:
    wrong(staffed, "Cleo", 5, clock)
    clock.set(3600)
    with pytest.raises(TooSoon):
        sign_in(staffed, "Cleo", "2222")
    clock.set(-7200)
    with pytest.raises(TooSoon):
        sign_in(staffed, "Cleo", "2222")
    signing._tries.clear()  # a restart, with the clock still behind
    with pytest.raises(TooSoon, match="8 seconds"):
        sign_in(staffed, "Cleo", "2222")
    clock.wait(8)  # and it does not last as long as the clock is behind
    sign_in(staffed, "Cleo", "2222")


def test_an_unknown_name_is_answered_as_a_wrong_pin(
    staffed: Desk, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    worked: list[str] = []
    really = signing.secret_fits
    monkeypatch.setattr(
        signing, "secret_fits", lambda typed, stored: worked.append(stored) or really(typed, stored)
    )
    answers: dict[str, list[str]] = {}
    for name in ("Cleo", "Nobody At All"):
        for _ in range(4):
            with pytest.raises(Refused) as refusal:
                sign_in(staffed, name, "9999")
            answers.setdefault(name, []).append(refusal.value.sentence)
    assert answers["Cleo"] == answers["Nobody At All"]
    # The same work too: as many hashes, of the same cost.
    costs = [stored.rsplit("$", 2)[0] for stored in worked]
    assert costs == ["scrypt$16384$8$1"] * 6


def test_every_try_is_in_the_trail_and_no_pin_is(staffed: Desk, clock: Clock, tmp_path: Path) -> None:
    wrong(staffed, "Cleo", 3)
    with pytest.raises(TooSoon):
        sign_in(staffed, "Cleo", "2222")
    with pytest.raises(WrongPin):
        sign_in(staffed, "8471920365", "9999")  # a PIN typed where the name goes
    clock.wait(2)
    sign_in(staffed, "Cleo", "2222")
    tries = [line for line in said(staffed) if line[1] in ("signed in", "sign-in refused")]
    assert [(who, action) for who, action, _ in reversed(tries)] == [
        *[("Cleo", "sign-in refused")] * 4,
        ("(no account)", "sign-in refused"),
        ("Cleo", "signed in"),
    ]
    assert "3 in a row" in tries[3][2]
    everything = " ".join(f"{who} {sentence}" for who, _, sentence in said(staffed))
    for pin in ("1111", "2222", "9999", "8471920365"):
        assert pin not in everything
    assert all(line.ok for line in check_store(staffed))


def test_two_tries_at_once_are_not_two_tries_for_one_wait(
    staffed: Desk, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong(staffed, "Cleo", 2)
    really = signing.secret_fits

    def while_another_tries(typed: str, stored: str) -> bool:
        monkeypatch.setattr(signing, "secret_fits", really)
        with open_desk(staffed.location) as other, pytest.raises(WrongPin):
            sign_in(other, "Cleo", "9998")
        return really(typed, stored)

    monkeypatch.setattr(signing, "secret_fits", while_another_tries)
    with pytest.raises(Refused, match="just now"):
        sign_in(staffed, "Cleo", "2222")


# --- what is refused, and by whom -------------------------------------------------------------


def test_what_a_role_may_not_do_the_desk_refuses(staffed: Desk, tmp_path: Path) -> None:
    make_account(staffed, "Vi", Role.VIEWER, "5555", by="Ada")
    file = tmp_path / "results.csv"
    file.write_text(RESULTS, encoding="utf-8")
    sign_in(staffed, "Vi", "5555")
    before = audit_trail(staffed).events[0].seq
    for refused in (
        lambda: load_results(staffed, file, channel=Channel.PAPER, by="Vi"),
        lambda: rebuild_states(staffed, "Vi"),
        lambda: backup(staffed.location, tmp_path / "b", desk=staffed, by="Vi"),
        lambda: change_setting(staffed, "idle_minutes", "1", by="Vi"),
    ):
        with pytest.raises(Refused, match=r"Only a lead or an administrator may .*; Vi is a viewer"):
            refused()
    assert audit_trail(staffed).events[0].seq == before
    assert not (tmp_path / "b").exists()


def test_an_acknowledgement_is_a_reviewers(staffed: Desk) -> None:
    sign_in(staffed, "Cleo", "2222")
    with pytest.raises(Refused, match="Only a reviewer or a lead may"):
        acknowledge(staffed, "A-1", "C01", reason="because", by="Cleo")
    assert said(staffed)[0][:2] == ("Cleo", "refused")  # the try is remembered


def test_whoever_is_not_signed_in_here_may_nothing(staffed: Desk, tmp_path: Path) -> None:
    file = tmp_path / "results.csv"
    file.write_text(RESULTS, encoding="utf-8")
    make_account(staffed, "Lea", Role.LEAD, "4444", by="Ada")
    with pytest.raises(Refused, match="Lea is not signed in here"):
        load_results(staffed, file, channel=Channel.PAPER, by="Lea")
    with pytest.raises(Refused, match="no open account of the name Mallory"):
        load_results(staffed, file, channel=Channel.PAPER, by="Mallory")
    with pytest.raises(Refused, match="of nobody"):
        write_workbook(staffed, tmp_path / "out.xlsx")
    sign_in(staffed, "Lea", "4444")
    assert load_results(staffed, file, channel=Channel.PAPER, by="LEA").new == 1
    with pytest.raises(Refused, match="Cleo is not signed in"):
        look(staffed, "A-1", "Cleo")
    sign_in(staffed, "Cleo", "2222")
    look(staffed, "A-1", "Cleo")
    assert write_workbook(staffed, tmp_path / "out.xlsx", by="Cleo").path.exists()


def test_an_administrator_loads_and_corrects_nothing(staffed: Desk, tmp_path: Path) -> None:
    file = tmp_path / "results.csv"
    file.write_text(RESULTS, encoding="utf-8")
    assert load_results(staffed, file, channel=Channel.PAPER, by="Ada").new == 1
    with pytest.raises(Refused, match="correct a verified precinct"):
        load_results(staffed, file, channel=Channel.PAPER, by="Ada", correct="the chair called again")


def test_a_store_with_accounts_is_not_copied_by_nobody(staffed: Desk, tmp_path: Path) -> None:
    with pytest.raises(Refused, match="has accounts: only a lead or an administrator may copy it"):
        backup(staffed.location, tmp_path / "copy.sqlite")
    assert not (tmp_path / "copy.sqlite").exists()
    backup(staffed.location, tmp_path / "copy.sqlite", desk=staffed, by="Ada")
    with open_desk(str(tmp_path / "copy.sqlite")) as copy:
        assert account_of_name(copy, "cleo") is not None
    assert said(staffed)[0] == ("Ada", "backed up", "Ada began a backup: copy.sqlite")


def test_why_not_says_what_to_do(staffed: Desk) -> None:
    sign_in(staffed, "Cleo", "2222")
    assert why_not(staffed, "Cleo", Job.KEY) == ""
    assert why_not(staffed, "Cleo", Job.APPROVE) == (
        "Only a lead may approve another person's ruling; Cleo is a clerk. Ask one of them, or let one sign "
        "in here (F8)."
    )
    assert "(F8)" in why_not(staffed, "", Job.KEY)


# --- settings ---------------------------------------------------------------------------------


def test_settings_begin_with_their_defaults_and_are_audited(staffed: Desk) -> None:
    assert (settings(staffed).idle_minutes, settings(staffed).approval_stake) == (10, None)
    change_setting(staffed, "idle_minutes", "3", by="Ada")
    change_setting(staffed, "approval_stake", "0.25", by="Ada")
    now = change_setting(staffed, "caller_check", "None", by="Ada")
    assert (now.idle_minutes, setting_text(now, "approval_stake"), now.caller_check) == (3, "0.25", "none")
    assert said(staffed)[1][2] == "Ada set approval stake to 0.25 (was none)"
    seq = audit_trail(staffed).events[0].seq
    change_setting(staffed, "idle_minutes", "03", by="Ada")  # what stands is not set again
    assert audit_trail(staffed).events[0].seq == seq
    assert setting_text(change_setting(staffed, "approval_stake", "", by="Ada"), "approval_stake") == ""


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("idle_minutes", "-1"),
        ("idle_minutes", "ten"),
        ("idle_minutes", "601"),
        ("idle_minutes", ""),
        ("approval_stake", "-0.1"),
        ("approval_stake", "1/4"),
        ("approval_stake", "0.12345"),
        ("approval_stake", "."),
        ("caller_check", "sometimes"),
        ("sign_in", "names"),
        ("owner", "Eve"),
    ],
)
def test_a_setting_that_makes_no_sense_is_refused(staffed: Desk, key: str, text: str) -> None:
    before = settings(staffed)
    with pytest.raises(Refused):
        change_setting(staffed, key, text, by="Ada")
    assert settings(staffed) == before


def test_a_store_of_names_has_settings_too(desk: Desk) -> None:
    assert change_setting(desk, "idle_minutes", "0", by="anybody").idle_minutes == 0
