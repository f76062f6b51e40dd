"""A pool's seats in words: the arithmetic, the threshold, and the seat next to move."""

from collections.abc import Iterable

from caucus_desk.rules.ruleset import RuleSet, Unit
from caucus_desk.rules.sde import decimal_text
from caucus_desk.tally.seats import Cause, Edge, PoolOutlook, SeatMove

UNITS = {Unit.SDE: "SDEs", Unit.CCD: "county delegates", Unit.VOTES: "votes"}


def pool_lines(outlook: PoolOutlook) -> tuple[str, ...]:
    """The allocation as it is checked on paper, how far each group is from the threshold, and the least
    changes that move a seat."""
    rules = outlook.allocation.rules
    return (
        *outlook.allocation.steps,
        *(edge_sentence(rules, edge) for edge in outlook.edges),
        *(move_sentence(rules, m) for m in (outlook.gain, outlook.loss, outlook.shift) if m is not None),
    )


def edge_sentence(rules: RuleSet, edge: Edge) -> str:
    """`Warren is 2.1415 below the threshold: with 2.5195 more SDEs of its own it reaches it.`"""
    digits, name = rules.rounding.digits, rules.name_of(edge.group)
    apart, alone = decimal_text(abs(edge.above), digits), decimal_text(edge.alone, digits)
    if edge.above < 0:
        return f"{name} is {apart} below the threshold: with {alone} more of its own it reaches it."
    if not edge.above:
        return f"{name} is exactly on the threshold: with anything less it falls below."
    return f"{name} is {apart} above the threshold: with more than {alone} less of its own it falls below."


def move_sentence(rules: RuleSet, move: SeatMove) -> str:
    """`District 4: with 2.5195 more SDEs for Warren, a seat goes from Buttigieg to Warren ...`."""
    amount = decimal_text(move.amount, rules.rounding.digits)
    least = amount if move.reached else "any" if not move.amount else f"more than {amount}"
    units = UNITS[rules.unit]
    if move.gains is not None and move.loses is not None:
        change = (
            f"if {least} of the {units} go from {rules.name_of(move.loses)} to {rules.name_of(move.gains)}"
        )
    elif move.gains is not None:
        change = f"with {least} {units} on top for {rules.name_of(move.gains)}"
    else:
        change = f"with {least} {units} less for {rules.name_of(move.loses or '')}"
    why = "somebody crosses the threshold" if move.cause is Cause.THRESHOLD else "the fractions change places"
    return f"{move.pool.label}: {change}, {_moved(rules, move)} ({why})."


def _moved(rules: RuleSet, move: SeatMove) -> str:
    gone = sum(move.before.get(g, 0) - move.after.get(g, 0) for g in move.seat_from)
    if move.tie_after is not None:
        return f"the last seats are tied between {_names(rules, move.tie_after.groups)}"
    if not move.seat_from:
        return f"{_names(rules, move.seat_to)} gets a seat that was open"
    if not move.seat_to:
        return f"{_names(rules, move.seat_from)} has a seat less, and nobody gets it"
    seats = "a seat goes" if gone == 1 else f"{gone} seats go"
    return f"{seats} from {_names(rules, move.seat_from)} to {_names(rules, move.seat_to)}"


def _names(rules: RuleSet, groups: Iterable[str]) -> str:
    names = [rules.name_of(group) for group in groups]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
