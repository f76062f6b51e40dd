"""Accounts and settings, read from the store only when something was saved since."""

from caucus_desk.desk.accounts import Account, Known
from caucus_desk.desk.naming import folded
from caucus_desk.desk.roles import Role
from caucus_desk.desk.session import Desk
from caucus_desk.rules.errors import CaucusError
from caucus_desk.store.people import PersonRecord


def known(desk: Desk) -> Known:
    """As they stand now. Where the store cannot be read, as they last stood."""
    kept = desk.known
    try:
        with desk.store.read() as unit:
            seq = unit.last_seq()
            if kept is not None and kept.seq == seq:
                return kept
            accounts = {folded(one.name): account_of(one) for one in unit.people()}
            fresh = Known(seq, accounts, unit.setting_values())
    except CaucusError:
        if kept is None:
            raise
        return kept
    desk.known = fresh
    return fresh


def account_of(record: PersonRecord) -> Account:
    return Account(record.name, Role(record.role), record.created, record.closed)
