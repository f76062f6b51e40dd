"""Text that people wrote, made safe for cells, headings and print headers, still saying the same."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

CELL_LIMIT = 32_767
"""Characters that a cell holds."""
HEADER_LIMIT = 255
"""Characters that a print header or footer holds, its codes included (Excel)."""

# XML can't carry these; control characters other than tab and line feed have no place in a cell.
_UNFIT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_LINE_ENDS = re.compile("\r\n?|\x85")
# Excel reads _x0041_ in a cell as the letter A; an escaped underscore keeps it as typed.
_LOOKS_ESCAPED = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")


@dataclass
class Cleaner:
    """Makes text fit for cells, and keeps account of what it had to take away."""

    removed: int = 0
    """Characters removed in all."""
    places: list[str] = field(default_factory=list)
    """The first cells where something was removed or cut: `Precincts C17`."""
    cut: int = 0
    """Cells cut at the length that a cell can hold."""

    def cell(self, text: str, place: str) -> str:
        """`text` as a cell can hold it. `place` names the cell, for the account."""
        if text.isprintable() and len(text) < CELL_LIMIT and "_x" not in text:
            return text
        text = _LINE_ENDS.sub("\n", text)
        text, removed = _UNFIT.subn("", text)
        kept = _LOOKS_ESCAPED.sub("_x005F_", text)
        if len(kept) > CELL_LIMIT:
            kept = kept[: CELL_LIMIT - 10] + "… (cut)"
            self.cut += 1
        if removed or kept.endswith("… (cut)"):
            self.removed += removed
            if len(self.places) < 20 and place not in self.places:
                self.places.append(place)
        return kept

    def account(self) -> tuple[str, ...]:
        """Sentences on what was taken away; empty where nothing was."""
        where = ", ".join(self.places) + (" and more" if len(self.places) == 20 else "")
        sentences = []
        if self.removed:
            were = "character was" if self.removed == 1 else "characters were"
            sentences.append(f"{self.removed:,} control {were} removed, which a cell can't hold: {where}.")
        if self.cut:
            sentences.append(f"{self.cut:,} text{'' if self.cut == 1 else 's'} longer than a cell: {where}.")
        return tuple(sentences)


def one_line(text: str) -> str:
    """For headers and properties: no line ends, no control characters."""
    return " ".join(_UNFIT.sub("", _LINE_ENDS.sub(" ", text)).split())


def print_header(left: str, center: str, right: str) -> tuple[str, str, str]:
    """The three parts of a print header, `&` doubled, together short enough; the center is never cut
    before the others."""
    parts = {"left": one_line(left), "center": one_line(center), "right": one_line(right)}
    codes = len("&L&C&R")
    for name, least in (("left", 12), ("right", 12), ("center", 1)):
        over = codes + sum(len(_doubled(part)) for part in parts.values()) - HEADER_LIMIT + 1
        if over > 0:
            parts[name] = _shortened(parts[name], max(least, len(_doubled(parts[name])) - over))
    return _doubled(parts["left"]), _doubled(parts["center"]), _doubled(parts["right"])


def _doubled(text: str) -> str:
    return text.replace("&", "&&")


def _shortened(text: str, limit: int) -> str:
    """At most `limit` characters once doubled, and an ellipsis where something is missing."""
    if len(_doubled(text)) <= limit:
        return text
    kept = ""
    for character in text:
        if len(_doubled(kept + character)) + 1 > limit:
            break
        kept += character
    return f"{kept.rstrip()}…"


def shortened(text: str, limit: int) -> str:
    """At most `limit` characters, with an ellipsis where something is missing."""
    return text if len(text) <= limit else f"{text[: limit - 1].rstrip()}…"


_NOT_IN_SHEET_NAMES = re.compile(r"[\[\]:*?/\\]")
SHEET_NAME_LIMIT = 31


def sheet_name(name: str, taken: Iterable[str] = ()) -> str:
    r"""A name that a sheet can have: 31 characters, without `[ ] : * ? / \`, not that of another sheet."""
    plain = _NOT_IN_SHEET_NAMES.sub(" ", one_line(name))
    plain = " ".join(plain.split()).strip("'") or "Sheet"
    if plain.casefold() == "history":  # Excel keeps that name for itself
        plain = "History_"
    known = {each.casefold() for each in taken}
    candidate, number = shortened(plain, SHEET_NAME_LIMIT).strip("'"), 2
    while candidate.casefold() in known:
        ending = f" ({number})"
        candidate, number = f"{shortened(plain, SHEET_NAME_LIMIT - len(ending))}{ending}", number + 1
    return candidate


def distinct(names: Iterable[str]) -> tuple[str, ...]:
    """The names, told apart where they differ at most in case or spaces: `Other`, `other (2)`."""
    taken: set[str] = set()
    result = []
    for name in names:
        plain = one_line(name) or "unnamed"
        candidate, number = plain, 2
        while candidate.casefold() in taken:
            candidate, number = f"{plain} ({number})", number + 1
        taken.add(candidate.casefold())
        result.append(candidate)
    return tuple(result)
