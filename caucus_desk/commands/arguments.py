"""The command line as it is typed: every command, option and help text."""

import argparse
from collections.abc import Callable
from typing import Any

from caucus_desk import __version__, paths
from caucus_desk.commands import (
    calls,
    chase,
    demo,
    forms,
    packet,
    progress,
    recanvass,
    records,
    releases,
    ruling,
    showing,
    stores,
    users,
    window,
    worksheet,
)
from caucus_desk.commands.calling import as_called
from caucus_desk.commands.person import NEW_PIN, PIN
from caucus_desk.commands.running import Handler
from caucus_desk.tally.editions import Edition
from caucus_desk.tally.finding import Severity
from caucus_desk.tally.report import CHANNELS
from caucus_desk.tally.results import By, Counting

ITEMS = ", ".join(releases.ITEMS)
"""Of the gate."""

Add = Callable[[argparse.ArgumentParser], None]

_EPILOG = """\
exit codes: 0 done; 1 done, and something needs a person (findings, mismatches, a failed check);
2 wrong use; 3 refused, nothing changed; 4 the store cannot be used, nothing lost
"""


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=as_called(),
        description="The desk for the night of a party caucus: two people, two sources, one tally.",
        epilog=f"{_EPILOG}\n{_where_files_lie()}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"Caucus Desk {__version__}")
    _common(parser, top=True)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")

    def add(name: str, handler: Handler, help: str, *parts: Add) -> None:
        one = commands.add_parser(
            name, help=help, description=help[0].upper() + help[1:] + ".", allow_abbrev=False
        )
        for part in parts:
            part(one)
        _common(one, top=False)
        one.set_defaults(handler=handler)

    add("open", window.run_open, "open the window, on the store used last unless one is named", _store("?"))
    add("demo", demo.run_demo, "make the sample caucus and open it", _demo)
    add("new", stores.run_new, "make a store for one caucus from its roster", _store(), _new)
    add("load", stores.run_load, "load a results file, a report for each precinct in it", _store(), _load)
    add("status", showing.run_status, "show precincts by state and county, and what is missing", _store())
    add("results", showing.run_results, "show the tally", _store(), _results)
    add("findings", showing.run_findings, "list what the rule checks find", _store(), _findings)
    add("ack", records.run_ack, "acknowledge a finding of the standing sheet", _store(), _ack)
    add("mismatches", showing.run_mismatches, "list the fields in which reports differ", _store())
    add("queue", ruling.run_queue, "list every precinct that needs a person, the worst first", _store())
    add("rule", ruling.run_rule, "rule on a mismatch: which values stand, and why", _store(), _rule)
    add("approve", ruling.run_approve, "approve a ruling that waits for a second person", _store(), _approve)
    add(
        "chase",
        chase.run_chase,
        "list the missing worksheets, or say what was done about one",
        _store(),
        chase.chase_arguments,
        _by,
    )
    add(
        "attach",
        chase.run_attach,
        "attach an image or a PDF of a precinct's worksheet",
        _store(),
        chase.attach_arguments,
        _by,
    )
    add(
        "progress",
        progress.run_progress,
        "show how the night goes: curve, calls, waits, corrections",
        _store(),
    )
    add("calls", calls.run_calls, "list the calls, or who is to be called back", _store(), _calls)
    add("report", records.run_report, "write the leadership workbook", _store(), _report)
    add(
        "forms",
        forms.run_forms,
        "write a county's worksheet form: print or fill it, then load it as paper",
        _store(),
        _plain("county", "COUNTY", "a county, or pool of satellite sites"),
        _plain("out", "OUT.xlsx", "the file, or a folder in which it gets a name of its own"),
        _by,
    )
    add("check", stores.run_check, "check that a store is sound", _store(), _rebuild)
    add(
        "backup",
        stores.run_backup,
        "copy a store while others use it",
        _store(),
        _plain("out", "OUT", "a new file"),
        _by,
    )
    add(
        "restore",
        stores.run_restore,
        "make a store again from a backup",
        _plain("backup", "BACKUP"),
        _store(),
    )
    add(
        "move",
        stores.run_move,
        "copy a whole store from a file to an empty shared store, or back, and compare it",
        _store(),
        _plain("to", "TO", "the address of an empty database, or the name of a new file"),
        _by,
    )
    add("audit", records.run_audit, "show who did what when, newest first", _store(), _audit)
    _add_releases(commands)
    _add_recanvass(commands)
    _add_packet(commands)
    _add_users(commands)
    add("math", worksheet.run_math, "work out one precinct's delegates, step by step", _math)
    return parser


def _add_releases(commands: Any) -> None:
    """`release make STORE`, `release verify FILE` and so on."""
    help = "make releases and their files: gate, make, list, show, approve, compare, export, verify"
    whole = commands.add_parser(
        "release", help=help, description=help[0].upper() + help[1:] + ".", allow_abbrev=False
    )
    _common(whole, top=False)
    does = whole.add_subparsers(dest="release_command", metavar="WHAT", title="what to do", required=True)

    def add(name: str, handler: Handler, help: str, *parts: Add) -> None:
        one = does.add_parser(
            name, help=help, description=help[0].upper() + help[1:] + ".", allow_abbrev=False
        )
        for part in parts:
            part(one)
        _common(one, top=False)
        one.set_defaults(handler=handler)

    number = _number("number", "N", "the release's number")
    says = f"show what a release made now would say of each item ({ITEMS})"
    add("gate", releases.run_gate, says, _store(), _counting)
    add("make", releases.run_make, "freeze what stands now as a release", _store(), _counting, _make, _by)
    add("list", releases.run_list, "list the releases", _store())
    add("show", releases.run_show, "show a release's tally", _store(), number)
    add("approve", releases.run_approve, "approve another person's release", _store(), number, _by)
    add(
        "compare",
        releases.run_compare,
        "show what moved between two releases, or since one",
        _store(),
        _number("older", "A", "a release's number"),
        lambda parser: _argument(
            parser, "newer", metavar="B", type=_whole, nargs="?", help="another's; as it stands without it"
        ),
    )
    add(
        "export",
        releases.run_export,
        "write a release as .xlsx, .csv or .json",
        _store(),
        number,
        _plain("out", "OUT", "its ending says which"),
        _by,
    )
    add(
        "verify",
        releases.run_verify,
        "tell whether a file's numbers are those released, from the file alone",
        _plain("file", "FILE", "a release's workbook, CSV or JSON"),
        lambda parser: _argument(
            parser, "--store", dest="against", metavar="STORE", help="compare with the release in this store"
        ),
    )


def _number(name: str, metavar: str, help: str) -> Add:
    return lambda parser: _argument(parser, name, metavar=metavar, type=_whole, help=help)


def _make(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--note", metavar="TEXT", help="goes with the release")
    parser.add_argument(
        "--pass",
        dest="passes",
        metavar="ITEM=REASON",
        action="append",
        help=f"release in spite of what the gate holds; once for each item ({ITEMS})",
    )


def _add_recanvass(commands: Any) -> None:
    """`recanvass open STORE`, `recanvass show STORE N` and so on."""
    help = recanvass.HELP
    whole = commands.add_parser(
        "recanvass", help=help, description=help[0].upper() + help[1:] + ".", allow_abbrev=False
    )
    _common(whole, top=False)
    does = whole.add_subparsers(dest="recanvass_command", metavar="WHAT", title="what to do", required=True)

    def add(name: str, handler: Handler, help: str, *parts: Add) -> None:
        one = does.add_parser(
            name, help=help, description=help[0].upper() + help[1:] + ".", allow_abbrev=False
        )
        for part in parts:
            part(one)
        _common(one, top=False)
        one.set_defaults(handler=handler)

    recanvass.add_to(add, _store(), _by)


def _add_packet(commands: Any) -> None:
    """`packet kit STORE COUNTY OUT`, `packet take STORE FILE` and so on."""
    help = packet.HELP
    whole = commands.add_parser(
        "packet", help=help, description=help[0].upper() + help[1:] + ".", allow_abbrev=False
    )
    _common(whole, top=False)
    does = whole.add_subparsers(dest="packet_command", metavar="WHAT", title="what to do", required=True)

    def add(name: str, handler: Handler, help: str, *parts: Add) -> None:
        one = does.add_parser(
            name, help=help, description=help[0].upper() + help[1:] + ".", allow_abbrev=False
        )
        for part in parts:
            part(one)
        _common(one, top=False)
        one.set_defaults(handler=handler)

    packet.add_to(add, _store(), _by)


def _add_users(commands: Any) -> None:
    """`users list STORE`, `users add STORE NAME ROLE` and so on."""
    help = "keep the accounts of a store: list, add, role, pin, close, reopen, grants"
    whole = commands.add_parser(
        "users", help=help, description=help[0].upper() + help[1:] + ".", allow_abbrev=False
    )
    _common(whole, top=False)
    does = whole.add_subparsers(dest="users_command", metavar="WHAT", title="what to do", required=True)

    def add(name: str, handler: Handler, help: str, *parts: Add) -> None:
        one = does.add_parser(
            name, help=help, description=help[0].upper() + help[1:] + ".", allow_abbrev=False
        )
        for part in (_store(), *parts):
            part(one)
        _common(one, top=False)
        one.set_defaults(handler=handler)

    name = _plain("name", "NAME", "whose account")
    add("list", users.run_list, "list the accounts")
    new = f"the new PIN is in {NEW_PIN} or asked for"
    add(
        "add",
        users.run_add,
        f"make an account; a store's first one is an administrator's; {new}",
        *(name, _role, _by),
    )
    add("role", users.run_role, "give an account another role", name, _role, _by)
    add("pin", users.run_pin, f"give an account a new PIN; without --by one's own; {new}", name, _by)
    add("close", users.run_close, "close an account; its name stays in the audit trail", name, _by)
    add("reopen", users.run_reopen, "open a closed account again", name, _by)
    add(
        "grants",
        users.run_grants,
        "make roles in a shared store's database, so that no account can change what was said",
        _grants,
        _by,
    )


def _calls(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--open", action="store_true", help="only who is to be called back, oldest first")
    parser.add_argument("--precinct", metavar="ID", help="only this precinct's")
    parser.add_argument("--limit", metavar="N", type=_whole, default=200, help="at most so many calls (200)")


def _role(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("role", metavar="ROLE", choices=users.ROLES, help=", ".join(users.ROLES))


def _grants(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--clerks", metavar="ROLE", required=True, help="the database role of who works")
    parser.add_argument("--viewers", metavar="ROLE", required=True, help="of who only looks")
    parser.add_argument("--leads", metavar="ROLE", help="of leads; without it clerks' may do their work too")
    parser.add_argument(
        "--print", dest="only_print", action="store_true", help="only show the statements, do nothing"
    )


def _by(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--by",
        metavar="NAME",
        help=f"who does it; with accounts, the PIN is in {PIN} or asked for",
    )


def _where_files_lie() -> str:
    return (
        f"the program's own files (sample, log, window state) lie in\n  {paths.data_dir()}\n"
        "--data-dir DIR or the environment variable CAUCUS_DESK_DATA sets another folder\n"
    )


def _common(parser: argparse.ArgumentParser, top: bool) -> None:
    """Options that may stand before or after the command's name."""

    def default(value: Any) -> Any:
        return value if top else argparse.SUPPRESS

    flag = {"action": "store_true", "default": default(False)}
    parser.add_argument("--json", help="print one JSON document instead of text", **flag)
    parser.add_argument("--debug", help="show the program's own faults in full", **flag)
    parser.add_argument(
        "--data-dir", metavar="DIR", default=default(None), help="where the program keeps its own files"
    )


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number; write digits, such as 6") from None


def _plain(name: str, metavar: str, help: str | None = None) -> Add:
    return lambda parser: _argument(parser, name, metavar=metavar, help=help)


def _argument(parser: argparse.ArgumentParser, *names: str, **options: Any) -> None:
    parser.add_argument(*names, **options)


def _store(number: str | None = None) -> Add:
    return lambda parser: _argument(
        parser, "store", metavar="STORE", nargs=number, help="a file, or the address of a shared store"
    )


def _demo(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--dir", metavar="DIR", help="where to put it")
    parser.add_argument("--no-window", action="store_true", help="only make it, with its tally and workbook")


def _new(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--rules", metavar="NAME", required=True, help="a rule set, such as iowa-2020")
    parser.add_argument("--roster", metavar="FILE", required=True, help="the precincts, .csv or .xlsx")
    parser.add_argument("--name", metavar="TEXT", help="what the caucus is called")
    parser.add_argument("--candidates", metavar="FILE", help="other groups than the rule set's")
    parser.add_argument("--by", metavar="NAME", help="who makes it")
    who = parser.add_mutually_exclusive_group()
    who.add_argument(
        "--administrator",
        metavar="NAME",
        help=f"everybody signs in; this is the first account, its PIN in {PIN} or {NEW_PIN}, or asked for",
    )
    who.add_argument("--own-laptop", action="store_true", help="one person's own machine: nobody signs in")


def _load(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="results, .csv or .xlsx")
    parser.add_argument("--channel", required=True, choices=[channel.value for channel in CHANNELS])
    parser.add_argument("--by", metavar="NAME", required=True, help="who answers for these reports")
    parser.add_argument("--skip-bad", action="store_true", help="take the good rows and list the rest")
    parser.add_argument("--correct", metavar="REASON", help="change verified precincts, for this reason")


def _results(parser: argparse.ArgumentParser) -> None:
    _counting(parser)
    parser.add_argument("--by", choices=[by.value for by in By], default=By.STATE.value)


def _counting(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--counting",
        choices=[counting.value for counting in Counting],
        default=Counting.REPORTED.value,
        help="every standing sheet (the default), or verified precincts only",
    )


def _findings(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--severity", choices=[severity.value for severity in Severity])


def _rebuild(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--rebuild",
        action="store_true",
        help="first work the cached states out again from the reports and rulings",
    )
    _by(parser)


def _ack(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("precinct_id", metavar="PRECINCT_ID")
    parser.add_argument("finding", metavar="FINDING", help="such as C07")
    parser.add_argument("--by", metavar="NAME", required=True)
    parser.add_argument("--reason", metavar="TEXT", required=True)


def _rule(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("precinct_id", metavar="PRECINCT_ID")
    parser.add_argument(
        "--take",
        metavar="WHAT",
        nargs="+",
        required=True,
        help="phone, paper or app; report:NUMBER where a channel has several (mismatches names them); "
        "FIELD=VALUE for each field, such as Warren.final=31 or Warren.final=app",
    )
    parser.add_argument("--reason", metavar="TEXT", required=True, help="how you know which figure is right")
    parser.add_argument("--by", metavar="NAME", required=True)


def _approve(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("precinct_id", metavar="PRECINCT_ID")
    parser.add_argument("--refuse", metavar="REASON", help="do not approve it: withdraw it, for this reason")
    parser.add_argument("--by", metavar="NAME", required=True)


def _report(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "out", metavar="OUT.xlsx", help="the file, or a folder in which it gets a name of its own"
    )
    _counting(parser)
    parser.add_argument(
        "--release", metavar="N", type=_whole, help="of this release, which counts as it was made"
    )
    parser.add_argument(
        "--edition",
        choices=[edition.value for edition in Edition],
        default=Edition.LEADERSHIP.value,
        help="for leadership (the default), for the press without names, or of one county",
    )
    parser.add_argument("--county", metavar="NAME", help="whose county edition it is")
    parser.add_argument("--by", metavar="NAME", help="who writes it")


def _audit(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--precinct", metavar="ID", help="of one precinct only")
    parser.add_argument("--limit", metavar="N", type=_whole, default=200, help="so many events (200)")
    parser.add_argument("--before", metavar="EVENT", type=_whole, help="older than this event number")


def _math(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--rules", metavar="NAME", default="iowa-2020", help="a rule set (iowa-2020)")
    parser.add_argument("--delegates", metavar="D", type=_whole, required=True, help="delegates to elect")
    parser.add_argument(
        "attendance", metavar="ATTENDANCE", type=_whole, help="people before the first alignment"
    )
    parser.add_argument("finals", metavar="GROUP=FINAL", nargs="*", help="people after the final alignment")
