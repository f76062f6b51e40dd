"""Who is viable (rules.md 3). Called thousands of times a minute by the checks: integers only."""

from caucus_desk.rules.ruleset import OneDelegate, RuleSet


def threshold(rules: RuleSet, delegates: int, attendance: int) -> int:
    """People that a group needs to be viable, always rounded up.

    `attendance` is the number of people counted before the first alignment. 0 where there is no
    threshold: no election (no delegates), a single delegate elected by the room, or nobody came.
    """
    if delegates <= 1 and (delegates <= 0 or rules.one_delegate is not OneDelegate.FORMULA):
        return 0
    if rules.per_delegate:
        return -(-attendance // delegates)
    for delegates_from, num, den in rules.threshold_steps:
        if delegates >= delegates_from:
            return -(-attendance * num // den)
    return 0


def is_viable(rules: RuleSet, delegates: int, attendance: int, count: int, group: str | None = None) -> bool:
    """Whether `count` people are viable; with `group`, also whether that group may be viable at all.

    Nobody is viable where nobody came or nothing is elected; a group without people never is.
    """
    return (
        count > 0
        and attendance > 0
        and delegates > 0
        and count >= threshold(rules, delegates, attendance)
        and (group is None or group not in rules.never_viable)
    )
