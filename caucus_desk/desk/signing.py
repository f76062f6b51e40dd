"""Signing in and out. Every try is in the trail, never what was typed.

Wrong tries make the next one wait: nothing for the first two, then 2, 4, 8 seconds and so on up to a
minute. The count is kept in the store, so that it outlasts a restart; a clock set back begins the wait
anew, and a clock set forward does not shorten it while the program runs.
"""

import time
from dataclasses import dataclass
from datetime import UTC, datetime

from caucus_desk.desk.accounts import SIGN_IN, Account, SignIn
from caucus_desk.desk.again import again
from caucus_desk.desk.known import account_of
from caucus_desk.desk.naming import clean_name, folded
from caucus_desk.desk.pins import tidy_pin
from caucus_desk.desk.session import Desk
from caucus_desk.rules.errors import Refused
from caucus_desk.store.actions import Action
from caucus_desk.store.people import PersonRecord
from caucus_desk.store.secret import COST, secret_fits
from caucus_desk.store.units import ReadUnit

FREE_TRIES = 2
LONGEST_WAIT = 60.0
"""Seconds."""

NOBODY = "(no account)"
"""Who tried, where the name is no account's. It is not kept: a PIN may have been typed in its place."""

_DECOY = f"scrypt${COST}$8$1${'00' * 16}${'00' * 32}"
"""Nobody's secret: an unknown name takes as long as a wrong PIN."""


class WrongPin(Refused):
    """In the same words whether the name, the PIN or a closed account is at fault."""


class AlteredAccounts(Refused):
    """Somebody may have set another's PIN past the program: nobody is let in by it."""

    def __init__(self) -> None:
        super().__init__(
            "The accounts of this store are not as its trail says: somebody changed them past the program, "
            "so nobody can sign in. Run `check`, and put the accounts back from a backup."
        )


class TooSoon(Refused):
    """The PIN was not looked at: the wait after wrong tries is not over. `seconds` are left."""

    def __init__(self, seconds: float) -> None:
        whole = max(1, -int(-seconds // 1))
        again = "1 second" if whole == 1 else f"{whole} seconds"
        super().__init__(f"Too many wrong tries. Try again in {again}; nothing was looked at before.")
        self.seconds = seconds


@dataclass(slots=True)
class _Tries:
    """Of one name in this process, by a clock that nobody can set."""

    failed: int
    at: float


_tries: dict[tuple[str, str], _Tries] = {}
"""By store and folded name. Names without an account are counted here only."""


def wait_after(failed: int) -> float:
    """Seconds to wait after so many wrong tries in a row."""
    if failed <= FREE_TRIES:
        return 0.0
    return min(2.0 ** min(failed - FREE_TRIES, 16), LONGEST_WAIT)


@again
def sign_in(desk: Desk, name: str, pin: str) -> Account:
    """Lets a person in on this desk. Raises WrongPin or TooSoon; both are in the trail."""
    name = clean_name(name)
    with desk.store.read() as unit:
        _needed(unit)
        record = unit.person_named(name)
        if not unit.as_told(Action.PERSON):
            raise AlteredAccounts
    _not_too_soon(desk, record, name)
    fits = secret_fits(tidy_pin(pin), _DECOY if record is None else record.secret)
    key = (desk.location, folded(name))
    if desk.read_only:
        # Nothing can be written here, so nothing is counted: whoever can read it all can try outside, too.
        if record is None or not fits or record.closed is not None:
            raise WrongPin("This name and this PIN do not belong together. Type both again.")
        desk.signed_in[folded(name)] = record.secret
        return account_of(record)
    with desk.store.write() as unit:
        if unit.person_named(name) != record:
            # Somebody tried this name at the same moment: a try that skipped the wait tells nothing.
            raise Refused("This account was used or changed just now. Try again.")
        if record is not None and fits and record.closed is None:
            unit.person_tried(record, 0, None)
            unit.log(Action.SIGNED_IN, f"{record.name} signed in", actor=record.name)
        else:
            failed = 1 + (record.failed if record is not None else _failed_here(key))
            if record is not None:
                unit.person_tried(record, failed, _now())
            unit.log(Action.SIGN_IN_REFUSED, _why(record, fits, failed), actor=_tried(record))
    if record is None or not fits or record.closed is not None:
        _tries[key] = _Tries(failed, _monotonic())
        raise WrongPin("This name and this PIN do not belong together. Type both again.")
    _tries.pop(key, None)
    desk.signed_in[folded(name)] = record.secret
    return account_of(record)


@again
def sign_out(desk: Desk, name: str | None = None) -> None:
    """Nobody is signed in here any more, or this person is not; also where it cannot be written down."""
    keys = list(desk.signed_in) if name is None else [folded(name)]
    gone = [key for key in keys if desk.signed_in.pop(key, None) is not None]
    if not gone or desk.read_only:
        return
    with desk.store.write() as unit:
        for record in unit.people():
            if folded(record.name) in gone:
                unit.log(Action.SIGNED_OUT, f"{record.name} signed out", actor=record.name)


@again
def tell_locked(desk: Desk, name: str) -> None:
    """Writes down that this person's window was locked; they stay signed in for what it still has to save."""
    if desk.read_only:
        return
    with desk.store.write() as unit:
        unit.log(Action.SIGNED_OUT, f"{name} locked the window, or was away from it", actor=name)


def _needed(unit: ReadUnit) -> None:
    if unit.setting_values().get(SIGN_IN, SignIn.NAMES) != SignIn.ACCOUNTS:
        raise Refused("This store has no accounts, so nobody signs in.")


@again
def _not_too_soon(desk: Desk, record: PersonRecord | None, name: str) -> None:
    key = (desk.location, folded(name))
    left = _left(record, key)
    if left <= 0:
        return
    if desk.read_only:
        raise TooSoon(left)
    with desk.store.write() as unit:
        if record is not None and record.failed_at is not None and record.failed_at > _now():
            unit.person_tried(record, record.failed, _now())
        unit.log(
            Action.SIGN_IN_REFUSED,
            f"{_tried(record)} tried to sign in {left:.0f} s too soon after wrong tries",
            actor=_tried(record),
        )
    raise TooSoon(left)


def _left(record: PersonRecord | None, key: tuple[str, str]) -> float:
    """Seconds still to wait."""
    here = _tries.get(key)
    failed = record.failed if record is not None else _failed_here(key)
    wait = wait_after(failed)
    if not wait:
        return 0.0
    passed = []
    if here is not None:
        passed.append(_monotonic() - here.at)
    if record is not None and record.failed_at is not None:
        passed.append((_now() - record.failed_at).total_seconds())
    since = min(passed, default=wait)
    return wait if since < 0 else wait - since


def _failed_here(key: tuple[str, str]) -> int:
    here = _tries.get(key)
    return 0 if here is None else here.failed


def _why(record: PersonRecord | None, fits: bool, failed: int) -> str:
    if record is None:
        return "A try to sign in with a name that has no account"
    if record.closed is not None and fits:
        return f"{record.name} tried to sign in; the account is closed"
    return f"A wrong PIN for {record.name}, {failed} in a row"


def _tried(record: PersonRecord | None) -> str:
    return NOBODY if record is None else record.name


def _now() -> datetime:
    return datetime.now(UTC)


def _monotonic() -> float:
    return time.monotonic()
