"""The receipt code that a caller writes on the paper, and the sheet as it is read back."""

import hashlib
from collections.abc import Sequence

from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.tally.form import form_of
from caucus_desk.tally.sheet import COLUMNS, Column, ResultSheet

ALPHABET = "347ACDEFHJKMNPQRTUVWXY9"
"""Nothing that is mistaken for another when said or written: no 0 O, 1 I L, 5 S, 8 B, 2 Z, 6 G."""
LENGTH = 5
"""23 letters give 6,436,343 codes: of so many changed sheets of a precinct one keeps its code."""

_WORDS = {
    "3": "Three", "4": "Four", "7": "Seven", "9": "Nine", "A": "Alfa", "C": "Charlie", "D": "Delta",
    "E": "Echo", "F": "Foxtrot", "H": "Hotel", "J": "Juliett", "K": "Kilo", "M": "Mike", "N": "November",
    "P": "Papa", "Q": "Quebec", "R": "Romeo", "T": "Tango", "U": "Uniform", "V": "Victor",
    "W": "Whiskey", "X": "X-ray", "Y": "Yankee",
}  # fmt: skip


def receipt_code(precinct_id: str, sheet: ResultSheet) -> str:
    """Five letters and digits made from the precinct and the figures: the same figures, the same code."""
    digest = hashlib.sha256(f"{precinct_id}\n{sheet.fingerprint}".encode()).digest()
    number = int.from_bytes(digest[:8], "big")
    letters = []
    for _ in range(LENGTH):
        number, place = divmod(number, len(ALPHABET))
        letters.append(ALPHABET[place])
    return "".join(letters)


def code_words(code: str) -> tuple[str, ...]:
    """A word for each letter and digit of a code, for a bad line: C, D, E, P and T sound alike."""
    return tuple(_WORDS.get(letter, letter) for letter in code)


def spoken_code(text: str) -> str:
    """A code as it was typed from what was said or written: small letters, spaces and dashes allowed."""
    return "".join(letter for letter in text.upper() if letter.isalnum())


def read_back(rules: RuleSet, sheet: ResultSheet) -> tuple[str, ...]:
    """The sheet in worksheet order, a sentence each, to be read aloud: first the number, then what it is.

    `Sanders: 61 first, 58 final, 3 delegates.` A partly filled group says what is blank; blank groups
    are one closing sentence.
    """
    form = form_of(rules)
    lines = []
    for field in form.sheet_fields:
        count = sheet.count(field.path)
        lines.append(f"{field.label}: {'not stated' if count is None else count}.")
    silent = []
    for line in form.lines:
        row = sheet.row(line.group)
        if row.blank:
            silent.append(line.label)
        else:
            parts = (spoken(column, row.count(column)) for column in COLUMNS)
            lines.append(f"{line.label}: {', '.join(parts)}.")
    if silent:
        lines.append(nobody_for(silent))
    return tuple(lines)


def spoken(column: Column, count: int | None) -> str:
    """`61 first`, `none final`, `1 delegate`, `final blank`."""
    if count is None:
        return f"{column} blank"
    if column is Column.DELEGATES:
        return f"{count or 'no'} {'delegate' if count == 1 else 'delegates'}"
    return f"{count or 'none'} {column}"


def nobody_for(labels: Sequence[str]) -> str:
    """`Nobody for Bennet, Bloomberg or Gabbard.`"""
    if len(labels) == 1:
        return f"Nobody for {labels[0]}."
    return f"Nobody for {', '.join(labels[:-1])} or {labels[-1]}."
