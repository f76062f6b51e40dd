"""`users`: the accounts of a store, and rights in a shared store's database."""

import argparse
from contextlib import closing
from typing import TYPE_CHECKING

from caucus_desk.commands.looking import looking
from caucus_desk.commands.output import Output, absolute, many, utc
from caucus_desk.commands.person import new_pin, person_for
from caucus_desk.commands.running import DONE

if TYPE_CHECKING:
    from caucus_desk.desk.people import Account

ROLES = ("clerk", "reviewer", "lead", "viewer", "administrator")


def run_list(arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk.people import accounts, sign_in_kind

    with looking(arguments.store, out) as desk:
        kind, people = sign_in_kind(desk), accounts(desk)
    out.document({"sign_in": kind.value, "users": [_row(account) for account in people]})
    if not people:
        out.line(f"No accounts: sign-in is by {kind.value}.")
        return DONE
    out.table(
        ("name", "role", "since", "closed"),
        [
            (one.name, one.role.value, utc(one.created), "" if one.closed is None else utc(one.closed))
            for one in people
        ],
    )
    closed = sum(not one.open for one in people)
    out.line(f"{many(len(people), 'account')}, {closed:,} of them closed.")
    return DONE


def run_add(arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk.people import SignIn, make_account, make_first_administrator, sign_in_kind
    from caucus_desk.desk.roles import Role
    from caucus_desk.desk.session import open_desk
    from caucus_desk.rules.errors import Refused

    name, role = arguments.name, Role(arguments.role)
    with closing(open_desk(arguments.store)) as desk:
        if sign_in_kind(desk) is SignIn.ACCOUNTS:
            by = person_for(desk, arguments.by)
            made = make_account(desk, name, role, new_pin(name), by=by)
        elif role is Role.ADMINISTRATOR:
            made = make_first_administrator(desk, name, new_pin(name, own=True))
        else:
            raise Refused(
                f"{desk.location} has no accounts yet. The first one is an administrator's: "
                "users add STORE NAME administrator."
            )
    return _done(out, made, f"{made.name} has an account now, as {made.role.words}.")


def run_role(arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk.people import change_role
    from caucus_desk.desk.roles import Role
    from caucus_desk.desk.session import open_desk

    with closing(open_desk(arguments.store)) as desk:
        by = person_for(desk, arguments.by)
        changed = change_role(desk, arguments.name, Role(arguments.role), by=by)
    return _done(out, changed, f"{changed.name} is {changed.role.words} now.")


def run_pin(arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk.people import change_pin
    from caucus_desk.desk.session import open_desk

    with closing(open_desk(arguments.store)) as desk:
        by = person_for(desk, arguments.by or arguments.name)
        changed = change_pin(desk, arguments.name, new_pin(arguments.name), by=by)
    return _done(out, changed, f"{changed.name} has a new PIN.")


def run_close(arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk.people import close_account
    from caucus_desk.desk.session import open_desk

    with closing(open_desk(arguments.store)) as desk:
        by = person_for(desk, arguments.by)
        closed = close_account(desk, arguments.name, by=by)
    return _done(out, closed, f"The account of {closed.name} is closed; the name stays in the audit trail.")


def run_reopen(arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk.people import reopen_account
    from caucus_desk.desk.session import open_desk

    with closing(open_desk(arguments.store)) as desk:
        by = person_for(desk, arguments.by)
        opened = reopen_account(desk, arguments.name, by=by)
    return _done(out, opened, f"The account of {opened.name} is open again, as {opened.role.words}.")


def run_grants(arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk.rights import Rights, give_rights, statements_of
    from caucus_desk.desk.session import open_desk

    rights = Rights(arguments.clerks, arguments.viewers, arguments.leads)
    with closing(open_desk(arguments.store)) as desk:
        if arguments.only_print:
            statements = statements_of(desk, rights)
        else:
            statements = give_rights(desk, rights, by=person_for(desk, arguments.by))
        location = desk.location
    out.document(
        {"store": absolute(location), "done": not arguments.only_print, "statements": list(statements)}
    )
    for statement in statements:
        out.line(f"{statement};")
    if arguments.only_print:
        out.line("-- Nothing was done. Without --print these are made.")
        return DONE
    out.line(f"Done in {location}: {many(len(statements), 'statement')}.")
    out.line(
        f"Now make an account on the server for each person, in the group of what they do, such as: "
        f"CREATE ROLE ann LOGIN IN ROLE {rights.clerks}; then give it a password with \\password ann in psql."
    )
    out.line("Give these rights again after an update of the program: it may bring new tables.")
    return DONE


def _done(out: Output, account: "Account", sentence: str) -> int:
    out.document({"user": _row(account)})
    out.line(sentence)
    return DONE


def _row(account: "Account") -> dict[str, str | None]:
    return {
        "name": account.name,
        "role": account.role.value,
        "created": utc(account.created),
        "closed": None if account.closed is None else utc(account.closed),
    }
