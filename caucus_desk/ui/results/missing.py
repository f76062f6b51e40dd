"""What the SDEs of a row of the tally can't be worked out from: said, never shown as 0."""

from collections.abc import Sequence
from dataclasses import dataclass

from caucus_desk.tally.overview import NO_DISTRICT, OUT_OF_STATE, Overview
from caucus_desk.tally.results import By
from caucus_desk.tally.roster import Precinct
from caucus_desk.ui.words import number, tr

_NAMED = 6


@dataclass(frozen=True, slots=True)
class Missing:
    """`places` are counties and pools without state delegates on the roster; `sites` satellite sites whose
    attendance nobody has stated."""

    places: tuple[str, ...] = ()
    sites: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.places or self.sites)


NOTHING = Missing()


def missing_in(overview: Overview, by: By, key: str) -> Missing:
    """What is missing for one row of the tally."""
    unscaled, unweighed = set(overview.unscaled_counties), {site.id for site in overview.unweighed_sites()}
    if not unscaled and not unweighed:
        return NOTHING
    inside = [
        result.precinct
        for result in overview.results.values()
        if not result.precinct.merged and area_key(result.precinct, by) == key
    ]
    counties = list(dict.fromkeys(precinct.county for precinct in inside))
    return Missing(
        tuple(county for county in counties if county in unscaled),
        tuple(f"{site.name} ({site.county})" for site in inside if site.id in unweighed),
    )


def sentences(missing: Missing, unit: str, *, known: bool) -> str:
    """`SDEs can't be worked out: the roster has no county_state_delegates for Polk, Linn.`

    With `known` a part of the sum is known, and the sentence says what the sum leaves out.
    """
    said = []
    if missing.places:
        start = (
            tr("{0} are those of the other counties only").format(unit)
            if known
            else tr("{0} can't be worked out").format(unit)
        )
        why = tr("the roster has no county_state_delegates for {0}").format(listed(missing.places))
        said.append(f"{start}: {why}.")
    if missing.sites:
        text = tr("Counted with no {0}, because nobody has stated the attendance there: {1}.")
        said.append(text.format(unit, listed(missing.sites)))
    return " ".join(said)


def listed(names: Sequence[str]) -> str:
    """`Polk, Linn and 3 more`."""
    more = len(names) - _NAMED
    first = ", ".join(names[:_NAMED])
    return tr("{0} and {1} more").format(first, number(more)) if more > 0 else first


def area_key(precinct: Precinct, by: By) -> str:
    """The key of the row of the tally in which the precinct is."""
    if by is By.PRECINCT:
        return precinct.id
    if by is By.COUNTY:
        return precinct.county
    if by is By.DISTRICT:
        return precinct.district or (OUT_OF_STATE if precinct.is_satellite else NO_DISTRICT)
    return "state"
