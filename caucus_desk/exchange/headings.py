"""Finding the heading of a table: one row or two, below any title lines, by the names that it must hold."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from caucus_desk.exchange.folding import column_letter, fold, tidy

HEAD_ROWS = 40
"""The heading is looked for in so many rows."""


@dataclass(frozen=True)
class Vocabulary:
    """The columns that a kind of file may have.

    `fields` gives the field for each folded heading; `complete` says whether a set of fields is enough to
    read the file; `needed` says in words what it must have.
    """

    fields: Mapping[str, str]
    complete: Callable[[frozenset[str]], bool]
    needed: str


@dataclass(frozen=True, slots=True)
class Heading:
    """One column: `text` as it stands in the file, `field` what it is read as (None: not read)."""

    index: int
    text: str
    field: str | None

    @property
    def letter(self) -> str:
        return column_letter(self.index)


@dataclass(frozen=True)
class HeadingFound:
    """Where the heading stands: `first` and `last` are places in the rows that were looked at."""

    first: int
    last: int
    headings: tuple[Heading, ...]
    complete: bool

    @property
    def fields(self) -> frozenset[str]:
        return _fields(self.headings)

    @property
    def twice(self) -> tuple[tuple[Heading, Heading], ...]:
        """Pairs of columns that would be read as the same field."""
        seen: dict[str, Heading] = {}
        pairs = []
        for heading in self.headings:
            if heading.field is None:
                continue
            if heading.field in seen:
                pairs.append((seen[heading.field], heading))
            seen.setdefault(heading.field, heading)
        return tuple(pairs)


def find_heading(rows: Sequence[Sequence[str]], vocabulary: Vocabulary) -> HeadingFound | None:
    """The first row, or pair of rows, that has the needed columns; else the one that has most of them.

    Two rows are a heading where groups stand over their columns in merged cells: `Warren` over `first`,
    `final`, `delegates`. None if no row holds any known heading.
    """
    best: HeadingFound | None = None
    for place, row in enumerate(rows[:HEAD_ROWS]):
        headings = _single(row, vocabulary)
        found = HeadingFound(place, place, headings, vocabulary.complete(_fields(headings)))
        if found.complete:
            return found
        if found.fields and (best is None or len(found.fields) > len(best.fields)):
            best = found
    for place in range(min(len(rows), HEAD_ROWS) - 1):
        headings = _double(rows[place], rows[place + 1], vocabulary)
        if vocabulary.complete(_fields(headings)):
            return HeadingFound(place, place + 1, headings, True)
    return best


def _fields(headings: Iterable[Heading]) -> frozenset[str]:
    return frozenset(heading.field for heading in headings if heading.field is not None)


def _single(row: Iterable[str], vocabulary: Vocabulary) -> tuple[Heading, ...]:
    return tuple(
        Heading(index, tidy(text), vocabulary.fields.get(fold(text))) for index, text in enumerate(row)
    )


def _double(top: Sequence[str], bottom: Sequence[str], vocabulary: Vocabulary) -> tuple[Heading, ...]:
    """Each lower heading with the upper one above it, or, in a merged cell, to the left above it."""
    headings = []
    over = ""
    for index in range(max(len(top), len(bottom))):
        above = tidy(top[index]) if index < len(top) else ""
        below = tidy(bottom[index]) if index < len(bottom) else ""
        over = above or over
        text, field = _joined(over, above, below, vocabulary)
        headings.append(Heading(index, text, field))
    return tuple(headings)


def _joined(over: str, above: str, below: str, vocabulary: Vocabulary) -> tuple[str, str | None]:
    if not below:
        return above, vocabulary.fields.get(fold(above))
    joined = f"{over} {below}".strip()
    for text in (joined, below):
        field = vocabulary.fields.get(fold(text))
        if field is not None:
            return text, field
    return joined if over else below, None
