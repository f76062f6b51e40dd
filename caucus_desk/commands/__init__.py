"""The command line: the same jobs without a window. `main` is the way in; exit codes as commands.md says."""

import os
import sys

__all__ = ["main", "main_window"]


def main(argv: list[str] | None = None) -> int:
    """Runs one command and answers with its exit code; what it says goes to standard output and error."""
    from caucus_desk.commands.addresses import Addresses
    from caucus_desk.commands.arguments import build_parser
    from caucus_desk.commands.running import WRONG_USE, run

    parser = build_parser()
    addresses = Addresses(sys.argv[1:] if argv is None else argv)
    try:
        arguments = parser.parse_args(addresses.argv)
    except SystemExit as stop:  # argparse has said what is wrong, or shown help or the version
        return stop.code if isinstance(stop.code, int) else WRONG_USE
    if arguments.data_dir:
        os.environ["CAUCUS_DESK_DATA"] = arguments.data_dir
    if arguments.command is None:
        parser.print_help(sys.stderr)
        return WRONG_USE
    return run(arguments.handler, arguments, addresses)


def main_window() -> int:
    """The window, as a desktop's menu starts it."""
    return main(["open", *sys.argv[1:]])
