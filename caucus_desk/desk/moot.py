"""Errands that are no longer needed end by themselves, in the transaction that made them so."""

from collections.abc import Iterable

from caucus_desk.desk.wording import place
from caucus_desk.store.units import WriteUnit
from caucus_desk.tally.results import PrecinctResult
from caucus_desk.tally.state import State


def end_moot_errands(unit: WriteUnit, results: Iterable[PrecinctResult]) -> None:
    """Ends what was sent back of precincts that are verified or ruled on now."""
    decided = {
        result.precinct.id: result
        for result in results
        if result.verified or result.standing.state is State.RULED
    }
    if not decided:
        return
    for errand in unit.open_errands(decided):
        result = decided[errand.precinct_id]
        by_ruling = result.standing.state is State.RULED
        outcome = f"fell: the precinct is {'ruled on' if by_ruling else 'verified'}"
        actor = unit.last_actor(errand.precinct_id) or errand.by
        sentence = f"The errand about {place(result.precinct)} that {errand.by} sent fell, because it is "
        sentence += "ruled on" if by_ruling else "verified"
        unit.end_errand(errand, outcome=outcome, by=actor, sentence=sentence)
