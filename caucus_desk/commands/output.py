"""What a command says: lines and tables for people, or one JSON document, never both."""

import json
import re
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.rules.sde import rounded
from caucus_desk.tally.progress import Progress, no_progress

Json = Mapping[str, Any]


_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
"""What would move a terminal's cursor or turn its writing round: in a name it says nothing."""


def _one_line(text: str) -> str:
    return _UNSEEN.sub(" ", text).replace("\n", " ").replace("\t", " ")


class Output:
    """Standard output for what was asked for, standard error for progress and refusals."""

    def __init__(self, as_json: bool) -> None:
        self.as_json = as_json
        self._meter: _Meter | None = None

    def line(self, text: str = "") -> None:
        """A line for a person; nothing under `--json`."""
        if not self.as_json:
            self._wipe()
            print(_UNSEEN.sub(" ", text))

    def document(self, content: Json) -> None:
        """The one JSON document; nothing without `--json`. Plain ASCII, so that no pipe can garble it."""
        if self.as_json:
            self._wipe()
            print(json.dumps(content, indent=2))

    def table(
        self, headers: Sequence[str], rows: Iterable[Sequence[str]], numbers: Iterable[int] = ()
    ) -> None:
        """Columns as wide as their content, those listed in `numbers` aligned right."""
        if self.as_json:
            return
        lines = [tuple(headers), *(tuple(map(_one_line, row)) for row in rows)]
        widths = [max(len(line[column]) for line in lines) for column in range(len(headers))]
        right = set(numbers)
        for line in lines:
            cells = [
                text.rjust(width) if column in right else text.ljust(width)
                for column, (text, width) in enumerate(zip(line, widths, strict=True))
            ]
            self.line("  ".join(cells).rstrip())

    def complain(self, text: str) -> None:
        """A line to standard error, also under `--json`."""
        self._wipe()
        print(text, file=sys.stderr)

    def progress(self) -> Progress:
        """Shows long work on standard error where that is a terminal; else says nothing."""
        if sys.stderr is None or not sys.stderr.isatty():
            return no_progress
        self._meter = _Meter()
        return self._meter

    def _wipe(self) -> None:
        if self._meter is not None:
            self._meter.wipe()


class _Meter:
    """One line on a terminal, rewritten at most ten times a second."""

    def __init__(self) -> None:
        self._shown = ""
        self._at = 0.0

    def __call__(self, done: int, total: int, what: str) -> None:
        now = time.monotonic()
        if now - self._at < 0.1 and done != total:
            return
        self._at = now
        share = f" {done:,} of {total:,}" if total else f" {done:,}"
        text = f"{what}{share}"[:78]
        print("\r" + text.ljust(len(self._shown)), end="", file=sys.stderr, flush=True)
        self._shown = text

    def wipe(self) -> None:
        if self._shown:
            print("\r" + " " * len(self._shown) + "\r", end="", file=sys.stderr, flush=True)
            self._shown = ""


def exact(value: Fraction) -> str:
    """`13/4`, and `3` for a whole number."""
    return str(value)


def decimal(rules: RuleSet, value: Fraction) -> float:
    """The value as it is published: rounded once, by the rule set's digits."""
    return float(rounded(value, rules.rounding))


def as_of() -> str:
    """Now, in UTC, as a file of results states it."""
    return utc(datetime.now(UTC))


def utc(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def absolute(location: object) -> str:
    """A file's whole path, or the address of a shared store as it may be shown, for a JSON document: it may
    be read in another folder than the command was typed in."""
    text = str(location)
    return text if "://" in text else str(Path(text).expanduser().absolute())


def many(count: int, one: str, more: str | None = None) -> str:
    """`1 precinct`, `1,678 precincts`."""
    return f"{count:,} {one if count == 1 else more or one + 's'}"
