"""Two rosters side by side: what is new, changed and gone, to be shown before anything is saved."""

from collections.abc import Iterable
from dataclasses import dataclass, fields

from caucus_desk.exchange.folding import fold_id
from caucus_desk.tally.roster import Precinct


@dataclass(frozen=True, slots=True)
class ChangedPrecinct:
    """One precinct in two rosters, and the names of the facts in which they differ."""

    old: Precinct
    new: Precinct
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RosterChanges:
    """`new` and `changed` in the new roster's order, `gone` in the old one's. Matched by id, not by name."""

    new: tuple[Precinct, ...]
    changed: tuple[ChangedPrecinct, ...]
    gone: tuple[Precinct, ...]

    @property
    def none(self) -> bool:
        return not (self.new or self.changed or self.gone)


def compare_rosters(old: Iterable[Precinct], new: Iterable[Precinct]) -> RosterChanges:
    """What loading `new` over `old` would change. An id typed in other capitals is the same precinct."""
    before = {fold_id(precinct.id): precinct for precinct in old}
    after = {fold_id(precinct.id): precinct for precinct in new}
    added, changed = [], []
    for key, precinct in after.items():
        known = before.get(key)
        if known is None:
            added.append(precinct)
        elif differing := _differing(known, precinct):
            changed.append(ChangedPrecinct(known, precinct, differing))
    gone = tuple(precinct for key, precinct in before.items() if key not in after)
    return RosterChanges(tuple(added), tuple(changed), gone)


def _differing(old: Precinct, new: Precinct) -> tuple[str, ...]:
    return tuple(
        field.name for field in fields(Precinct) if getattr(old, field.name) != getattr(new, field.name)
    )
