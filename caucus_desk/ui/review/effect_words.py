"""What a choice does, in one line beside its key."""

from fractions import Fraction

from caucus_desk.desk.cases import Effect
from caucus_desk.rules.ruleset import RuleSet, Unit
from caucus_desk.ui.words import decimal, tr

_NAMED = 4


def effect_line(rules: RuleSet, effect: Effect) -> str:
    """`Sanders 2 → 1, Warren 1 → 2; state: Sanders −0.2798, Warren +0.2798 SDE`: delegates of the precinct
    before and after, then by how much the state's sums move."""
    moved = [(group, pair) for group, pair in effect.delegates.items() if pair[0] != pair[1]]
    parts = []
    if moved:
        named = [tr("{0} {1} → {2}").format(rules.label(group), *pair) for group, pair in moved[:_NAMED]]
        parts.append(_some(named, len(moved)))
    else:
        parts.append(tr("the precinct's delegates stay"))
    order = {key: place for place, key in enumerate(rules.keys)}
    sdes = sorted(effect.sdes.items(), key=lambda pair: (-abs(pair[1]), order[pair[0]]))
    if sdes:
        unit = {Unit.SDE: tr("SDE"), Unit.CCD: tr("county delegates"), Unit.VOTES: tr("votes")}[rules.unit]
        digits = rules.rounding.digits if rules.unit is Unit.SDE else 0
        named = [f"{rules.label(group)} {signed(value, digits)}" for group, value in sdes[:_NAMED]]
        parts.append(tr("state: {0} {1}").format(_some(named, len(sdes)), unit))
    elif moved:
        parts.append(tr("the state's sums stay"))
    else:
        parts.append(tr("so do the state's sums"))
    if effect.new_leader:
        leaders = [rules.label(group) for group in effect.leaders[1]]
        leads = tr("then {0} leads the state") if len(leaders) < 2 else tr("then {0} lead the state alike")
        parts.append(leads.format(tr(" and ").join(leaders) or tr("nobody")))
    return "; ".join(parts)


def _some(named: list[str], of: int) -> str:
    return ", ".join(named) + (tr(" and {0} more").format(of - _NAMED) if of > _NAMED else "")


def signed(value: Fraction, digits: int) -> str:
    """With its sign: `+0.2798`, `−0.2798`."""
    text = decimal(value, digits)
    return text if text.startswith("−") or not value else f"+{text}"
