"""Whether the outcome is settled, in a sentence that can be read out."""

from collections.abc import Iterable

from caucus_desk.rules.sde import decimal_text
from caucus_desk.tally.outlook import Outlook, Passing

_COUNTIES = 4


def settled_sentence(outlook: Outlook) -> str:
    """`Leader can still change: yes, through 14 precincts in Polk, Johnson and Linn ...`."""
    rules, digits = outlook.rules, outlook.rules.rounding.digits
    if not outlook.leaders:
        return "Leader can still change: nothing is counted yet, so nobody leads."
    unknown = len(outlook.unknown)
    but = ""
    if unknown:
        are = "precinct is" if unknown == 1 else "precincts are"
        but = f" {unknown:,} open {are} left out: the roster does not say what they can give."
    if len(outlook.leaders) > 1:
        names = _listed(rules.label(group) for group in outlook.leaders)
        return f"Nobody leads alone: {names} are level.{but}"
    leader = rules.label(outlook.leaders[0])
    change = outlook.leader_change()
    if change is None:
        closest = max(outlook.races(), key=lambda race: race.most, default=None)
        if closest is None:
            return f"Leader can still change: no, {leader} is the only group.{but}"
        behind = rules.label(closest.behind)
        if closest.can_draw_level:
            how = f"{behind} can draw level with {leader}, not pass"
        else:
            how = f"{behind} ends at least {decimal_text(-closest.most, digits)} behind {leader}"
        return f"Leader can still change: no, {how}{_whatever(len(outlook.open))}.{but}"
    return f"Leader can still change: yes, {_through(outlook, change)}.{but}"


def _through(outlook: Outlook, change: Passing) -> str:
    rules, digits = outlook.rules, outlook.rules.rounding.digits
    number, names = len(change.precincts), list(change.counties)
    if len(names) > _COUNTIES:
        more = len(names) - _COUNTIES + 1
        names = [*names[: _COUNTIES - 1], f"{more} other counties"]
    precincts = "1 precinct" if number == 1 else f"{number:,} precincts"
    behind, ahead = rules.label(change.behind), rules.label(change.ahead)
    return (
        f"through {precincts} in {_listed(names)}: {behind} is {decimal_text(change.lead, digits)} "
        f"behind {ahead}, and they can move {decimal_text(change.gain, digits)}"
    )


def _whatever(open_precincts: int) -> str:
    if not open_precincts:
        return ", and no precinct is open"
    if open_precincts == 1:
        return ", whatever the one open precinct says"
    return f", whatever the {open_precincts:,} open precincts say"


def _listed(names: Iterable[str]) -> str:
    given = list(names)
    return given[0] if len(given) == 1 else f"{', '.join(given[:-1])} and {given[-1]}"
