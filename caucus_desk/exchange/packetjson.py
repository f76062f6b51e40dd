"""JSON as packets, kits and receipts hold it: written the same way always, and read with nothing guessed."""

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from caucus_desk.rules.errors import CaucusError

_LONGEST = 20_000
"""Letters of one text; nobody types so many."""
_UNKEPT = re.compile("[\x00\ud800-\udfff]")


class Unreadable(CaucusError):
    """A document that is not as the program writes it."""


def as_bytes(content: Mapping[str, object]) -> bytes:
    """Plain ASCII, keys in the order given: the same content, the same bytes."""
    return json.dumps(content, ensure_ascii=True, separators=(",", ":"), allow_nan=False).encode("ascii")


def parsed(data: bytes, file: str) -> "Fields":
    """An object of JSON; Unreadable for anything else."""
    try:
        content = json.loads(data.decode("ascii"), object_pairs_hook=_once, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise _unreadable(file) from error
    if not isinstance(content, dict):
        raise _unreadable(file)
    return Fields(content, file)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found


def _no_number(text: str) -> float:
    raise ValueError(text)


def _unreadable(file: str) -> Unreadable:
    return Unreadable(
        f"{file} cannot be read: something in it is not as Caucus Desk writes it. Nothing was taken from it; "
        "ask for the file again."
    )


class Fields:
    """One object of a document. Each key is asked for once, as what it must be; `done` refuses the rest."""

    def __init__(self, content: dict[str, Any], file: str) -> None:
        self._content, self._file = dict(content), file

    def bad(self) -> Unreadable:
        return _unreadable(self._file)

    def done(self) -> None:
        if self._content:
            raise self.bad()

    def _take(self, key: str) -> Any:
        try:
            return self._content.pop(key)
        except KeyError:
            raise self.bad() from None

    def text(self, key: str, longest: int = _LONGEST) -> str:
        """Text that every store can keep: no NUL, no half characters."""
        value = self._take(key)
        if not isinstance(value, str) or len(value) > longest or _UNKEPT.search(value):
            raise self.bad()
        return value

    def optional_text(self, key: str) -> str | None:
        return self.text(key) if self._stated(key) else None

    def _stated(self, key: str) -> bool:
        """Whether there is more than null, which is taken off; the key itself must be there."""
        if self._content.get(key) is not None:
            return True
        self._take(key)
        return False

    def hex(self, key: str, length: int) -> str:
        value = self.text(key, length)
        if len(value) != length or not set(value) <= set("0123456789abcdef"):
            raise self.bad()
        return value

    def number(self, key: str, largest: int = 2**53) -> int:
        value = self._take(key)
        if type(value) is not int or not 0 <= value <= largest:
            raise self.bad()
        return value

    def optional_number(self, key: str, largest: int = 2**53) -> int | None:
        return self.number(key, largest) if self._stated(key) else None

    def flag(self, key: str) -> bool:
        value = self._take(key)
        if type(value) is not bool:
            raise self.bad()
        return value

    def optional_flag(self, key: str) -> bool | None:
        return self.flag(key) if self._stated(key) else None

    def time(self, key: str) -> datetime:
        """UTC, to the microsecond."""
        value = self.text(key, 40)
        try:
            at = datetime.fromisoformat(value)
        except ValueError:
            raise self.bad() from None
        if at.tzinfo is None or time_text(at) != value:
            raise self.bad()
        return at.astimezone(UTC)

    def texts(self, key: str, longest: int = _LONGEST) -> tuple[str, ...]:
        value = self._take(key)
        if not isinstance(value, list):
            raise self.bad()
        return tuple(Fields({"": one}, self._file).text("", longest) for one in value)

    def lists(self, key: str) -> tuple[tuple[Any, ...], ...]:
        """Plain lists of numbers, texts and nulls."""
        value = self._take(key)
        if not isinstance(value, list):
            raise self.bad()
        for row in value:
            if not isinstance(row, list) or any(type(one) not in (int, str, type(None)) for one in row):
                raise self.bad()
        return tuple(tuple(row) for row in value)

    def rows(self, key: str) -> tuple["Fields", ...]:
        value = self._take(key)
        if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
            raise self.bad()
        return tuple(Fields(one, self._file) for one in value)

    def inner(self, key: str) -> "Fields":
        value = self._take(key)
        if not isinstance(value, dict):
            raise self.bad()
        return Fields(value, self._file)

    def optional_inner(self, key: str) -> "Fields | None":
        return self.inner(key) if self._stated(key) else None


def time_text(at: datetime) -> str:
    """As the store writes it too: the text sorts."""
    return at.astimezone(UTC).isoformat(timespec="microseconds")
