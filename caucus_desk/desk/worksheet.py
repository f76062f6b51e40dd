"""One precinct's delegates by the rules, without a store: what the `math` command prints."""

from collections.abc import Mapping
from dataclasses import replace

from caucus_desk.rules.apportion import Apportionment, apportion
from caucus_desk.rules.errors import Refused
from caucus_desk.rules.ruleset import Group, RuleSet
from caucus_desk.tally.sheet import MAX_COUNT


def work_out(rules: RuleSet, delegates: int, attendance: int, finals: Mapping[str, int]) -> Apportionment:
    """The county delegates of a precinct that elects `delegates`, with the steps a chair would take.

    `finals` maps a group to its people after the final alignment. A group may be named by its key or
    its label, in any case; a name that is not on the ballot is reckoned like a candidate, so that an
    example with groups A, B and C can be checked too. Counts are taken as they are, also where they
    add up to more than the attendance (rules.md 5.4, example 9). Refused for a count that no sheet
    can hold and for a group named twice.
    """
    _check("The number of delegates", delegates)
    _check("The attendance", attendance)
    named: dict[str, int] = {}
    for name, count in finals.items():
        _check(f"The final count of {name}", count)
        key = group_key(rules, name) or name.strip()
        if key in named:
            raise Refused(f"{key} is named twice: give each group one final count.")
        named[key] = count
    return apportion(_with_unknown(rules, named), delegates, attendance, named)


def remarks(worked: Apportionment, rules: RuleSet) -> tuple[str, ...]:
    """What a chair should look at again: counts that cannot be, and names that are not on the ballot.

    Names are free where none of them is on the ballot of `rules`; beside others that are, one that is not
    is likely mistyped.
    """
    said = []
    total = sum(share.final for share in worked.groups)
    if total > worked.attendance:
        said.append(
            f"Final groups add to {total:,} of {worked.attendance:,} people: the final alignment exceeds the "
            "attendance (C02)."
        )
    names = [share.group for share in worked.groups]
    unknown = [name for name in names if name not in rules.by_key]
    if unknown and len(unknown) < len(names):
        verb = "are" if len(unknown) > 1 else "is"
        said.append(
            f"{', '.join(unknown)} {verb} not on the ballot of {rules.name} and counted like a candidate. "
            f"On it are: {', '.join(rules.keys)}."
        )
    return tuple(said)


def group_key(rules: RuleSet, name: str) -> str | None:
    """The key of the group with this key or label, read without regard to case; None if there is none."""
    wanted = " ".join(name.split()).casefold()
    for group in rules.groups:
        if wanted in (group.key.casefold(), group.label.casefold()):
            return group.key
    return None


def _with_unknown(rules: RuleSet, named: Mapping[str, int]) -> RuleSet:
    unknown = tuple(Group(name, name) for name in named if name not in rules.by_key)
    return replace(rules, groups=rules.groups + unknown) if unknown else rules


def _check(what: str, count: int) -> None:
    if not 0 <= count <= MAX_COUNT:
        raise Refused(f"{what} must be a whole number from 0 to {MAX_COUNT:,}, not {count}.")
