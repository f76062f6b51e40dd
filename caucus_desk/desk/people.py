"""People at the desk: their accounts, and what each of them may do.

Every desk function that writes calls `allow` first, inside its own transaction: the rule holds whatever
a window or a script shows.
"""

from dataclasses import replace

from caucus_desk.desk.accounts import OWNER, SIGN_IN, Account, SignIn
from caucus_desk.desk.again import again
from caucus_desk.desk.known import account_of, known
from caucus_desk.desk.naming import clean_name, folded, same_person
from caucus_desk.desk.pins import clean_pin
from caucus_desk.desk.roles import Job, Role, may, roles_listed
from caucus_desk.desk.session import Desk
from caucus_desk.desk.signing import TooSoon, WrongPin, sign_in, sign_out, tell_locked
from caucus_desk.desk.wording import clock
from caucus_desk.rules.errors import Refused
from caucus_desk.store.people import PersonRecord
from caucus_desk.store.secret import make_secret
from caucus_desk.store.units import ReadUnit, WriteUnit

__all__ = [
    "Account",
    "SignIn",
    "TooSoon",
    "WrongPin",
    "account_of_name",
    "accounts",
    "allow",
    "allowed",
    "change_pin",
    "change_role",
    "close_account",
    "make_account",
    "make_first_administrator",
    "mark_own_laptop",
    "owner",
    "reopen_account",
    "require",
    "sign_in",
    "sign_in_kind",
    "sign_out",
    "signed_in_as",
    "tell_locked",
    "why_not",
]


def sign_in_kind(desk: Desk) -> SignIn:
    return known(desk).sign_in


def accounts(desk: Desk) -> tuple[Account, ...]:
    """Every account, closed ones too, in the order in which they were made."""
    return tuple(known(desk).accounts.values())


def account_of_name(desk: Desk, name: str) -> Account | None:
    """Whatever the case, spaces and accents of the name."""
    return known(desk).accounts.get(folded(name))


def signed_in_as(desk: Desk, name: str) -> bool:
    """Whether this person gave their PIN here, and it is still the one of the account."""
    return folded(name) in desk.signed_in


def allow(desk: Desk, unit: ReadUnit, by: str, job: Job) -> None:
    """Raises Refused where `by` may not do this. To be called first in every transaction that writes.

    Where a store has accounts, `by` has an open one with this job, and gave its PIN on this desk. In a
    store of names, and on a person's own laptop, everything is allowed.
    """
    if _kind_in(unit) is not SignIn.ACCOUNTS:
        return
    record = unit.person_named(by)
    if record is None or record.closed is not None:
        raise Refused(_no_account(by), typed=_no_account(by, typed=True))
    if desk.signed_in.get(folded(by)) != record.secret:
        raise Refused(_not_signed_in(record.name), typed=_not_signed_in(record.name, typed=True))
    _may(account_of(record), job)


def allowed(desk: Desk, by: str, job: Job) -> bool:
    """Whether a page may offer this to `by`. The desk itself asks again when it is done."""
    return not why_not(desk, by, job)


def require(desk: Desk, by: str, job: Job) -> None:
    """Raises Refused where `by` may not do this: before long work that would be refused at its end."""
    sentence = _why_not(desk, by, job)
    if sentence:
        raise Refused(sentence, typed=_why_not(desk, by, job, typed=True))


def why_not(desk: Desk, by: str, job: Job) -> str:
    """The sentence that stands beside what `by` may not do; empty where they may. On a store that can only be
    read nobody may do what would be written in it."""
    if desk.read_only and job not in _READS:
        return ONLY_READ
    return _why_not(desk, by, job)


_READS = frozenset({Job.LOOK, Job.EXPORT, Job.SEE_PEOPLE_FIGURES, Job.BACK_UP})
ONLY_READ = "This store can only be read from here, so nothing can be saved in it."


def _why_not(desk: Desk, by: str, job: Job, *, typed: bool = False) -> str:
    """`typed`: for whoever typed a command."""
    now = known(desk)
    if now.sign_in is not SignIn.ACCOUNTS:
        return ""
    account = now.accounts.get(folded(by))
    if account is None or not account.open:
        return _no_account(by, typed=typed)
    if not signed_in_as(desk, by):
        return _not_signed_in(account.name, typed=typed)
    return "" if may(account.role, job) else _only(account, job, typed=typed)


@again
def make_first_administrator(desk: Desk, name: str, pin: str) -> Account:
    """Gives a store its first account: from here on everybody signs in. They are signed in at once."""
    name = clean_name(name)
    secret = make_secret(clean_pin(pin, name))
    with desk.store.write() as unit:
        made = begin_accounts(unit, name, secret)
    desk.signed_in[folded(name)] = secret
    return made


def begin_accounts(unit: WriteUnit, name: str, secret: str) -> Account:
    """The first administrator, in the caller's own step: for a store that is being made."""
    if unit.people():
        raise Refused("This store has accounts already. An administrator can make another one.")
    record = unit.add_person(
        name, Role.ADMINISTRATOR, secret, by=name, sentence=f"{name} became the first administrator"
    )
    sentence = f"{name} made accounts needed: from here on everybody signs in with a PIN"
    unit.set_setting(SIGN_IN, SignIn.ACCOUNTS, by=name, sentence=sentence)
    return account_of(record)


@again
def mark_own_laptop(desk: Desk, by: str) -> None:
    """One person's own machine: no sign-in, and a second name is asked for where two people are needed."""
    by = clean_name(by)
    with desk.store.write() as unit:
        begin_own_laptop(unit, by)


def owner(desk: Desk) -> str:
    """Whose own laptop it is; empty where it is nobody's own."""
    return known(desk).values.get(OWNER, "")


def begin_own_laptop(unit: WriteUnit, by: str) -> None:
    """The same in the caller's own step: for a store that is being made."""
    if unit.people():
        raise Refused("This store has accounts, so it cannot become one person's own laptop.")
    if _kind_in(unit) is SignIn.OWN_LAPTOP:
        raise Refused("This store is one person's own laptop already.")
    sentence = f"{by} marked this store as one person's own laptop: no sign-in"
    unit.set_setting(SIGN_IN, SignIn.OWN_LAPTOP, by=by, sentence=sentence)
    unit.set_setting(OWNER, by, by=by, sentence=f"{by} is the person of this laptop")


@again
def make_account(desk: Desk, name: str, role: Role, pin: str, *, by: str) -> Account:
    """A new account. Refused where the name is anybody's, also a closed account's."""
    by, name = clean_name(by), clean_name(name)
    secret = make_secret(clean_pin(pin, name))
    with desk.store.write() as unit:
        _manage(desk, unit, by)
        taken = unit.person_named(name)
        if taken is not None:
            raise Refused(_taken(taken))
        record = unit.add_person(
            name, role, secret, by=by, sentence=f"{by} made the account of {name}, {role.words}"
        )
        return account_of(record)


@again
def change_role(desk: Desk, name: str, role: Role, *, by: str) -> Account:
    """Refused where nobody would be left to keep the accounts."""
    by = clean_name(by)
    with desk.store.write() as unit:
        _manage(desk, unit, by)
        record = _open_account(unit, name)
        if record.role == role:
            return account_of(record)
        if role is not Role.ADMINISTRATOR:
            _another_administrator(unit, record, "given another role")
        changed = replace(record, role=role)
        unit.change_person(changed, by=by, sentence=f"{by} made {record.name} {role.words}")
        return account_of(changed)


@again
def change_pin(desk: Desk, name: str, pin: str, *, by: str) -> Account:
    """A new PIN, by an administrator or by its owner. Whoever signed in with the old one must sign in anew,
    but for the owner who changes it here."""
    by = clean_name(by)
    secret = make_secret(clean_pin(pin, name))
    with desk.store.write() as unit:
        own = same_person(name, by)
        if own and _kind_in(unit) is SignIn.ACCOUNTS:
            allow(desk, unit, by, Job.LOOK)  # every role may, so this asks only for the account
        else:
            _manage(desk, unit, by)
        record = _open_account(unit, name)
        changed = replace(record, secret=secret, failed=0, failed_at=None)
        whose = "their own account" if own else f"the account of {record.name}"
        unit.change_person(changed, by=by, sentence=f"{by} set a new PIN for {whose}")
    if own:
        desk.signed_in[folded(name)] = secret
    else:
        desk.signed_in.pop(folded(name), None)
    return account_of(changed)


@again
def close_account(desk: Desk, name: str, *, by: str) -> Account:
    """Its person cannot sign in any more; the name stays in the trail and is nobody else's."""
    by = clean_name(by)
    with desk.store.write() as unit:
        _manage(desk, unit, by)
        record = _open_account(unit, name)
        if same_person(record.name, by):
            raise Refused("Nobody closes their own account. Another administrator must do it.")
        _another_administrator(unit, record, "closed")
        changed = replace(record, closed=unit.now)
        unit.change_person(changed, by=by, sentence=f"{by} closed the account of {record.name}")
    desk.signed_in.pop(folded(name), None)
    return account_of(changed)


@again
def reopen_account(desk: Desk, name: str, *, by: str) -> Account:
    """With the role and the PIN that it had."""
    by = clean_name(by)
    with desk.store.write() as unit:
        _manage(desk, unit, by)
        record = _account(unit, name)
        if record.closed is None:
            raise Refused(f"The account of {record.name} is open.")
        changed = replace(record, closed=None)
        unit.change_person(changed, by=by, sentence=f"{by} opened the account of {record.name} again")
        return account_of(changed)


def _manage(desk: Desk, unit: ReadUnit, by: str) -> None:
    if _kind_in(unit) is not SignIn.ACCOUNTS:
        raise Refused("This store has no accounts yet. Make the first administrator before anybody else.")
    allow(desk, unit, by, Job.MANAGE_PEOPLE)


def _account(unit: ReadUnit, name: str) -> PersonRecord:
    record = unit.person_named(name)
    if record is None:
        raise Refused(f"There is no account of {clean_name(name)} in this store.")
    return record


def _open_account(unit: ReadUnit, name: str) -> PersonRecord:
    record = _account(unit, name)
    if record.closed is not None:
        raise Refused(
            f"The account of {record.name} was closed at {clock(record.closed)}. Open it again first."
        )
    return record


def _another_administrator(unit: ReadUnit, record: PersonRecord, what: str) -> None:
    keeping = [one for one in unit.people() if one.closed is None and one.role == Role.ADMINISTRATOR]
    if [one.id for one in keeping] == [record.id]:
        raise Refused(
            f"{record.name} is the last administrator, so the account cannot be {what}: nobody could keep "
            "the accounts. Make another administrator first."
        )


def _kind_in(unit: ReadUnit) -> SignIn:
    return SignIn(unit.setting_values().get(SIGN_IN, SignIn.NAMES))


def _may(account: Account, job: Job) -> None:
    if not may(account.role, job):
        raise Refused(_only(account, job), typed=_only(account, job, typed=True))


def _only(account: Account, job: Job, *, typed: bool = False) -> str:
    how = "or let one of them give the command, with --by NAME" if typed else "or let one sign in here (F8)"
    return (
        f"Only {roles_listed(job)} may {job.words}; {account.name} is {account.role.words}. Ask one of them, "
        f"{how}."
    )


def _no_account(by: str, *, typed: bool = False) -> str:
    who = f"of the name {by}" if by.strip() else "of nobody"
    how = "Name your own with --by NAME" if typed else "Sign in with your own (F8)"
    return f"There is no open account {who} in this store. {how}, or ask an administrator for one."


def _not_signed_in(name: str, *, typed: bool = False) -> str:
    how = f"Give the command with --by {name} and the PIN" if typed else "Give name and PIN (F8)"
    return f"{name} is not signed in here. {how}."


def _taken(record: PersonRecord) -> str:
    if record.closed is None:
        return f"{record.name} has an account already; case, spaces and accents make no other name."
    return (
        f"{record.name} had an account, which was closed at {clock(record.closed)}. The name stays with what "
        "that person did: open the account again if it is the same person, or take another name."
    )
