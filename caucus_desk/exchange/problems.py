"""What is wrong with a file: where it stands, what was read, and what was expected instead."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from caucus_desk.rules.errors import CaucusError

_LISTED = 200
"""So many problems stand in the sentence; `BadInput.problems` always holds all of them."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that cannot be read as what it should be.

    `file` is the file's name, `sheet` the worksheet's (None for text files), `row` the number that a
    spreadsheet or an editor shows (None: the whole file), `column` the heading as it stands in the
    file, `value` the cell as it was read, `expected` a phrase for what should be there.
    """

    file: str
    sheet: str | None
    row: int | None
    column: str | None
    value: str
    expected: str
    letter: str = field(default="", compare=False)
    """The column's letter, as a spreadsheet names it."""

    @property
    def where(self) -> str:
        parts = [f"sheet {self.sheet}"] if self.sheet else []
        if self.row is not None:
            parts.append(f"row {self.row}")
        if self.column is not None:
            name = self.column or "(no heading)"
            parts.append(f"column {name} ({self.letter})" if self.letter else f"column {name}")
        return ", ".join(parts)

    @property
    def sentence(self) -> str:
        """For people, without the file's name."""
        found = f"“{shortened(self.value)}”" if self.value else ""
        if self.column is not None and not self.value:
            found = "blank"
        told = f"{found}; expected {self.expected}" if found else self.expected
        return f"{self.where}: {told}" if self.where else told

    def __str__(self) -> str:
        return f"{self.file}: {self.sentence}"


class BadInput(CaucusError):
    """A file that cannot be read, with every problem that was found in it."""

    def __init__(self, file: str, problems: Iterable[Problem]) -> None:
        self.file = file
        self.problems: tuple[Problem, ...] = tuple(problems)
        super().__init__(self._sentence())

    @classmethod
    def whole_file(cls, file: str, reason: str, sheet: str | None = None) -> "BadInput":
        """For a file that cannot be opened or understood at all; `reason` says what to do."""
        return cls(file, (Problem(file, sheet, None, None, "", reason),))

    def _sentence(self) -> str:
        if len(self.problems) == 1:
            return str(self.problems[0])
        lines = [f"{self.file}: {len(self.problems):,} problems, so nothing was read from it."]
        lines += [problem.sentence for problem in self.problems[:_LISTED]]
        if len(self.problems) > _LISTED:
            lines.append(f"… and {len(self.problems) - _LISTED:,} more.")
        return "\n".join(lines)


def shortened(text: str, length: int = 60) -> str:
    """A value for showing in a sentence."""
    return text if len(text) <= length else text[: length - 1] + "…"


def row_list(rows: Iterable[int], limit: int = 12) -> str:
    """`row 5`, `rows 5, 9 to 12 and 20`: runs drawn together, long lists cut with a count."""
    numbers = sorted(set(rows))
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    texts = [str(a) if a == b else f"{a} to {b}" for a, b in runs]
    more = len(texts) - limit
    word = "row" if len(numbers) == 1 else "rows"
    if more > 0:
        return f"{word} {', '.join(texts[:limit])} and more ({len(numbers):,} in all)"
    if len(texts) == 1:
        return f"{word} {texts[0]}"
    return f"{word} {', '.join(texts[:-1])} and {texts[-1]}"
