"""Looking at a roster before a store is made from it."""

from dataclasses import dataclass
from pathlib import Path

from caucus_desk.desk.creating import rule_set
from caucus_desk.exchange.roster import read_roster
from caucus_desk.tally.progress import Progress
from caucus_desk.tally.roster import Precinct


@dataclass(frozen=True, slots=True)
class RosterPreview:
    """What a roster holds. `delegates` are county delegates of its precincts, satellites left out."""

    precincts: int
    satellites: int
    merged: int
    counties: int
    delegates: int
    first: tuple[Precinct, ...]
    """The first few, to see whether the columns were understood."""
    warnings: tuple[str, ...]


def preview_roster(
    roster: Path, rules_name: str, progress: Progress | None = None, rows: int = 50
) -> RosterPreview:
    """Reads a roster and changes nothing. Raises BadInput with every problem, as making the store would."""
    read = read_roster(roster, rule_set(rules_name), progress)
    precincts = [row.precinct for row in read.rows]
    plain = [precinct for precinct in precincts if not precinct.is_satellite]
    return RosterPreview(
        precincts=len(plain),
        satellites=len(precincts) - len(plain),
        merged=sum(precinct.merged for precinct in plain),
        counties=len({precinct.county for precinct in plain}),
        delegates=sum(precinct.delegates or 0 for precinct in plain),
        first=tuple(precincts[:rows]),
        warnings=read.warnings,
    )
