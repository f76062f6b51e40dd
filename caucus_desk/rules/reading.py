"""Reads tables of a TOML file strictly: every key has one type, and a key that nobody reads is an error."""

import tomllib
from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction
from typing import TypeVar

from caucus_desk.rules.errors import RuleSetError

E = TypeVar("E", bound=StrEnum)

_TYPES = {
    bool: "true or false",
    int: "a whole number",
    float: "a number with a decimal point",
    str: "text",
    list: "a list",
    dict: "a table",
}


class Table:
    """One table of the file. Values are taken by `text`, `integer` and so on; `done` refuses what is left."""

    def __init__(self, file: str, values: Mapping[str, object], where: str = "") -> None:
        self.file = file
        self._values = values
        self._where = where
        self._read: set[str] = set()

    def error(self, key: str, reason: str) -> RuleSetError:
        return RuleSetError(self.file, self._path(key), reason)

    def has(self, key: str) -> bool:
        return key in self._values

    def text(self, key: str, default: str | None = None) -> str:
        if default is not None and not self.has(key):
            return default
        value = self._take(key)
        if not isinstance(value, str):
            raise self._wrong(key, "text", value)
        if any(ord(character) < 32 for character in value):
            raise self.error(key, "holds a line break or another control character")
        if default is None and not value.strip():
            raise self.error(key, "is empty")
        return value.strip()

    def integer(self, key: str, low: int, high: int) -> int:
        value = self._take(key)
        if type(value) is not int:  # a bool is an int to Python, never to us
            raise self._wrong(key, f"a whole number from {low} to {high}", value)
        if not low <= value <= high:
            raise self.error(key, f"must be a whole number from {low} to {high}, not {value}")
        return value

    def flag(self, key: str, default: bool | None = None) -> bool:
        if default is not None and not self.has(key):
            return default
        value = self._take(key)
        if not isinstance(value, bool):
            raise self._wrong(key, "true or false", value)
        return value

    def word(self, key: str, words: type[E], default: E | None = None) -> E:
        if default is not None and not self.has(key):
            return default
        return words(self.one_of(key, tuple(words)))

    def one_of(self, key: str, words: tuple[str, ...]) -> str:
        value = self._take(key)
        if not isinstance(value, str):
            raise self._wrong(key, _either(words), value)
        if value not in words:
            raise self.error(key, f"must be {_either(words)}, not {value!r}")
        return value

    def share(self, key: str) -> Fraction:
        """A table `{ num, den }`: more than nothing and less than the whole."""
        table = self.table(key)
        share = table.own_share()
        table.done()
        return share

    def own_share(self) -> Fraction:
        """`num` and `den` of this very table."""
        num, den = self.integer("num", 1, 10_000), self.integer("den", 2, 10_000)
        if num >= den:
            raise self.error("num", f"{num}/{den} must be less than one")
        return Fraction(num, den)

    def texts(self, key: str) -> tuple[str, ...]:
        value = self._take(key)
        if not isinstance(value, list):
            raise self._wrong(key, "a list of texts", value)
        for position, item in enumerate(value, start=1):
            if not isinstance(item, str):
                raise self._wrong(f"{key}[{position}]", "text", item)
        return tuple(value)

    def text_lists(self, key: str) -> tuple[tuple[str, ...], ...]:
        value = self._take(key)
        if not isinstance(value, list):
            raise self._wrong(key, "a list of lists of texts", value)
        lists = []
        for position, item in enumerate(value, start=1):
            if not isinstance(item, list) or not all(isinstance(text, str) for text in item):
                raise self._wrong(f"{key}[{position}]", "a list of texts", item)
            lists.append(tuple(item))
        return tuple(lists)

    def table(self, key: str) -> "Table":
        value = self._take(key)
        if not isinstance(value, dict):
            raise self._wrong(key, "a table", value)
        return Table(self.file, value, self._path(key))

    def tables(self, key: str, optional: bool = False) -> list["Table"]:
        if optional and not self.has(key):
            return []
        value = self._take(key)
        if not isinstance(value, list):
            raise self._wrong(key, f"a list of tables ([[{self._path(key)}]])", value)
        found = []
        for position, item in enumerate(value, start=1):
            if not isinstance(item, dict):
                raise self._wrong(f"{key}[{position}]", "a table", item)
            found.append(Table(self.file, item, self._path(f"{key}[{position}]")))
        if not found and not optional:
            raise self.error(key, "is empty")
        return found

    def names(self) -> tuple[str, ...]:
        return tuple(self._values)

    def done(self) -> None:
        """Refuses keys that nothing has read: a misspelt key must not pass for a default."""
        for key in self._values:
            if key not in self._read:
                known = ", ".join(sorted(self._read))
                raise self.error(key, f"is not a key that is known here (known: {known})")

    def _take(self, key: str) -> object:
        self._read.add(key)
        if key not in self._values:
            raise self.error(key, "is missing")
        return self._values[key]

    def _path(self, key: str) -> str:
        return f"{self._where}.{key}" if self._where else key

    def _wrong(self, key: str, expected: str, value: object) -> RuleSetError:
        found = _TYPES.get(type(value), "a date or time")
        return self.error(key, f"must be {expected}, not {found} ({value!r})"[:300])


def read_toml(text: str, file: str) -> Table:
    """The top table of a TOML text. Raises RuleSetError with the line where it is not TOML."""
    try:
        return Table(file, tomllib.loads(text))
    except (ValueError, RecursionError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise RuleSetError(file, "TOML", f"cannot be read: {reason}") from error


def _either(words: tuple[str, ...]) -> str:
    quoted = [f"'{word}'" for word in words]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} or {quoted[-1]}"
