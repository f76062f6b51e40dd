"""A column or a block of counts as it is copied from a spreadsheet: read whole, or refused whole."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from caucus_desk.tally.form import Form
from caucus_desk.ui.entry import counts
from caucus_desk.ui.entry.wording import counted


@dataclass(frozen=True, slots=True)
class Pasted:
    """The texts for the boxes, in reading order, or why there are none."""

    texts: Mapping[str, str] = field(default_factory=dict)
    sentence: str = ""
    refused: bool = False


def is_block(text: str) -> bool:
    """Whether a copied text has more than one cell. The line end after the last row makes no cell."""
    return any(mark in _lines(text) for mark in "\n\t")


def read_block(form: Form, path: str, text: str) -> Pasted:
    """The block laid over the form, with its first cell on the box `path`. An empty cell is blank."""
    rows = [line.split("\t") for line in _lines(text).split("\n")]
    wide = len(rows[0])
    shape = f"{counted(len(rows), 'row', 'rows')} and {counted(wide, 'column', 'columns')}"
    label = next(one.label for one in (*form.counts, *form.paper_fields) if one.path == path)
    quoted = counts.quoted(text)

    def refuse(why: str) -> Pasted:
        return Pasted(sentence=f"{label}: “{quoted}” {why} Nothing was changed.", refused=True)

    if any(len(row) != wide for row in rows):
        return refuse(f"has {counted(len(rows), 'row', 'rows')} that are not equally long.")
    place = _place(form, path)
    if place is None:
        return refuse(f"has {shape}, and here goes one number. Begin in the box of a group.")
    row, column = place
    down, across = len(form.lines) - row, len(form.columns) - column
    if len(rows) > down or wide > across:
        there = f"{counted(down, 'row', 'rows')} and {counted(across, 'column', 'columns')}"
        return refuse(f"has {shape}; from here the sheet has {there}.")
    texts: dict[str, str] = {}
    for below, cells in enumerate(rows):
        for beside, cell in enumerate(cells):
            digits = ""
            if cell.strip():
                reading = counts.pasted(cell, label)
                if reading.refusal:
                    where = f"row {below + 1}, column {beside + 1}"
                    return refuse(
                        f"has “{counts.quoted(cell)}” in {where}, which is no whole number up to"
                        f" {counts.MOST:,}."
                    )
                digits = reading.digits
            texts[form.lines[row + below].fields[column + beside].path] = digits
    if not any(texts.values()):
        return refuse("has no number.")
    first, last = _ends(form, texts)
    return Pasted(texts, f"{shape} pasted, {first} to {last}. Ctrl+Z takes it back.")


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n")


def _place(form: Form, path: str) -> tuple[int, int] | None:
    """Row and column of a group's box."""
    for row, line in enumerate(form.lines):
        for column, one in enumerate(line.fields):
            if one.path == path:
                return row, column
    return None


def _ends(form: Form, texts: Mapping[str, str]) -> Sequence[str]:
    labels = {one.path: one.label for line in form.lines for one in line.fields}
    paths = list(texts)
    return labels[paths[0]], labels[paths[-1]]
