"""The list of what is wrong in a file: file, sheet, row, column, what stands there, what was expected."""

from typing import Protocol

from caucus_desk.ui.widgets.table import ColumnSpec, TableModel, TableView
from caucus_desk.ui.words import BLANK, tr


class FileProblem(Protocol):
    """One bad cell or row, as the desk hands it on (exchange.problems)."""

    @property
    def file(self) -> str: ...
    @property
    def sheet(self) -> str | None: ...
    @property
    def row(self) -> int | None: ...
    @property
    def column(self) -> str | None: ...
    @property
    def value(self) -> str: ...
    @property
    def expected(self) -> str: ...


def problems_of(error: BaseException) -> tuple[FileProblem, ...]:
    """What an error lists, nothing for errors that list nothing."""
    listed: tuple[FileProblem, ...] = getattr(error, "problems", ())
    return listed


def _columns() -> tuple[ColumnSpec[FileProblem], ...]:
    return (
        ColumnSpec(
            tr("Row"),
            64,
            lambda entry: BLANK if entry.row is None else str(entry.row),
            lambda entry: entry.row or 0,
            number=True,
        ),
        ColumnSpec(tr("Column"), 150, lambda entry: entry.column or BLANK),
        ColumnSpec(
            tr("Stands there"), 170, lambda entry: entry.value or tr("(blank)"), tip=lambda entry: entry.value
        ),
        ColumnSpec(tr("Expected"), 470, lambda entry: entry.expected, tip=lambda entry: entry.expected),
        ColumnSpec(
            tr("File"),
            150,
            lambda entry: f"{entry.file}, {entry.sheet}" if entry.sheet else entry.file,
        ),
    )


class ProblemTable(TableView):
    """Can be copied, so that whoever made the file gets the list."""

    def __init__(self) -> None:
        self.problems = TableModel[FileProblem](
            _columns(),
            lambda entry: f"{entry.file}|{entry.sheet}|{entry.row}|{entry.column}|{entry.expected}",
        )
        super().__init__(self.problems, tr("Problems in the file"))
        self.problems.setParent(self)

    def set_problems(self, found: tuple[FileProblem, ...]) -> None:
        self.problems.set_rows(found)
