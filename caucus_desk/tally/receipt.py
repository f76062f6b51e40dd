"""The receipt code that a caller writes on the paper, and the sheet as it is read back."""

import hashlib

from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.tally.form import column_label, form_of
from caucus_desk.tally.sheet import COLUMNS, ResultSheet

ALPHABET = "347ACDEFHJKMNPQRTUVWXY9"
"""Nothing that is mistaken for another when said or written: no 0 O, 1 I L, 5 S, 8 B, 2 Z, 6 G."""
LENGTH = 5


def receipt_code(precinct_id: str, sheet: ResultSheet) -> str:
    """Five letters and digits made from the precinct and the figures: the same figures, the same code."""
    digest = hashlib.sha256(f"{precinct_id}\n{sheet.fingerprint}".encode()).digest()
    number = int.from_bytes(digest[:8], "big")
    letters = []
    for _ in range(LENGTH):
        number, place = divmod(number, len(ALPHABET))
        letters.append(ALPHABET[place])
    return "".join(letters)


def read_back(rules: RuleSet, sheet: ResultSheet) -> tuple[str, ...]:
    """The sheet in worksheet order, a line each, to be read aloud; blank groups are one closing line."""
    form = form_of(rules)
    lines = []
    for field in form.sheet_fields:
        count = sheet.count(field.path)
        lines.append(f"{field.label}: {'not stated' if count is None else count}")
    silent = []
    for line in form.lines:
        row = sheet.row(line.group)
        if row.blank:
            silent.append(line.label)
            continue
        parts = []
        for column in COLUMNS:
            count = row.count(column)
            name = column_label(rules, column).lower()
            parts.append(f"{name} {'blank' if count is None else count}")
        lines.append(f"{line.label}: {', '.join(parts)}")
    if silent:
        lines.append(f"Nobody for {_and(silent)}")
    return tuple(lines)


def _and(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
