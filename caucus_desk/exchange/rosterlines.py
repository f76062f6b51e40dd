"""Rows of a roster: as they are read, and as they are handed on."""

from dataclasses import dataclass

from caucus_desk.exchange.tables import Table
from caucus_desk.tally.roster import Precinct


@dataclass(frozen=True, slots=True)
class RosterRow:
    """One precinct, its PIN ("" if none) and the row of the file on which it stands."""

    precinct: Precinct
    pin: str
    row: int


@dataclass(frozen=True)
class RosterFile:
    """Rows in the order of the file, and what a person should know of how they were read."""

    rows: tuple[RosterRow, ...]
    warnings: tuple[str, ...]

    @property
    def precincts(self) -> tuple[Precinct, ...]:
        return tuple(row.precinct for row in self.rows)


@dataclass(frozen=True, slots=True)
class RosterLine:
    """A row before names and ids are settled. The precinct's id is "" where none is given."""

    table: Table
    row: int
    precinct: Precinct
    pin: str

    @property
    def where(self) -> str:
        return f"row {self.row} of sheet {self.table.sheet}" if self.table.sheet else f"row {self.row}"
