"""Checks of what may change between the alignments: C06 to C10, C29, C30, C33, C52 (rules.md 4)."""

from caucus_desk.tally.checks.check import Check, Told
from caucus_desk.tally.checks.facts import Facts, Places
from caucus_desk.tally.checks.wording import delegates, groups, listing, people, s, was
from caucus_desk.tally.sheet import Column


def _locked(facts: Facts) -> bool:
    return facts.rules.locked and facts.attendance is not None


def _shrank(facts: Facts) -> Places | None:
    if not _locked(facts):
        return None
    first, final = facts.first, facts.final
    places = tuple(p for p in facts.viable_first if final[p] and final[p] < first[p])  # type: ignore[operator]
    return places or None


def _tell_shrank(facts: Facts, hit: Places) -> Told:
    said = [f"{facts.label(p)} had {facts.first[p]:,} and cannot drop to {facts.final[p]:,}" for p in hit]
    both = [f"{facts.label(p)} first {facts.first[p]:,}, final {facts.final[p]:,}" for p in hit]
    return Told(
        facts.fields(hit, Column.FIRST, Column.FINAL),
        f"{'; '.join(said)}: members of a viable group stay with it"
        f" ({facts.threshold:,} needed).{facts.basis_note}",
        f"I have {listing(both)}, and nobody may leave a viable group. Could you read me both numbers again?",
    )


def _vanished(facts: Facts) -> Places | None:
    if not _locked(facts):
        return None
    places = tuple(p for p in facts.viable_first if facts.final[p] == 0 and p not in facts.sent_away)
    return places or None


def _tell_vanished(facts: Facts, hit: Places) -> Told:
    if len(hit) == 1:
        said = f"{facts.label(hit[0])} was viable with {facts.first[hit[0]]:,} and now has nobody"
    else:
        names = [f"{facts.label(p)} ({facts.first[p]:,})" for p in hit]
        said = f"{listing(names)} were viable and now have nobody"
    return Told(
        facts.fields(hit, Column.FIRST, Column.FINAL),
        f"{said}: members of a viable group stay with it ({facts.threshold:,} needed).{facts.basis_note}",
        f"{said}. Is the number in another row?",
    )


def _inferred_or_other(facts: Facts, hit: Places) -> bool:
    """An attendance that nobody counted proves no viability, and neither does a bucket."""
    return facts.inferred or facts.only_other(hit)


def _sent_away(facts: Facts) -> Places | None:
    return tuple(sorted(facts.sent_away)) or None if _locked(facts) else None


def _tell_sent_away(facts: Facts, hit: Places) -> Told:
    elects, viable = facts.elects or 0, len(facts.viable_first)
    names = [f"{facts.label(p)} with {facts.first[p]:,}" for p in hit]
    return Told(
        facts.fields(hit, Column.FIRST, Column.FINAL),
        f"{groups(viable)} were viable for {delegates(elects)}, so the smallest had to realign:"
        f" {listing(names)}.{facts.basis_note}",
        f"Did {listing(names)} have to realign because there {was(elects)} only {delegates(elects)}?",
    )


def _gains(facts: Facts) -> int:
    pairs = zip(facts.first, facts.final, strict=True)
    return sum(l - f for f, l in pairs if f is not None and l is not None and l > f)  # noqa: E741


def _free(facts: Facts, bound: frozenset[int]) -> int:
    """People who could join another group: those released, and those counted but not yet with any."""
    released = sum(
        f - l
        for place, (f, l) in enumerate(zip(facts.first, facts.final, strict=True))  # noqa: E741
        if place not in bound and f is not None and l is not None and f > l
    )
    return released + max(0, (facts.attendance or 0) - (facts.first_total or 0))


def _gained_too_much(facts: Facts) -> Places | None:
    if not _locked(facts) or not facts.first_complete or not facts.final_complete:
        return None
    gains = _gains(facts)
    if not gains or gains <= _free(facts, frozenset(facts.viable_first) - facts.sent_away):
        return None
    return tuple(p for p in range(len(facts.keys)) if (facts.final[p] or 0) > (facts.first[p] or 0))


def _free_if_other_was_not_viable(facts: Facts, hit: Places) -> bool:
    bound = frozenset(facts.viable_first) - facts.sent_away
    return bool(bound & facts.other) and _gains(facts) <= _free(facts, bound - facts.other)


def _tell_gained_too_much(facts: Facts, hit: Places) -> Told:
    gains = _gains(facts)
    free = _free(facts, frozenset(facts.viable_first) - facts.sent_away)
    only = f"only {free:,} {was(free)}" if free else "nobody was"
    gained = [f"{facts.label(p)} by {(facts.final[p] or 0) - (facts.first[p] or 0):,}" for p in hit]
    return Told(
        facts.fields(hit, Column.FINAL),
        f"{groups(len(hit))} gained {people(gains)} ({listing(gained)}), but {only} free to move."
        f"{facts.basis_note}",
        f"{listing(facts.labels(hit))} gained {people(gains)}, but {only} free to move. Please read both"
        " columns again.",
    )


def _stayed_below(facts: Facts) -> Places | None:
    needed = facts.threshold
    if not needed:
        return None
    barred = facts.rules.never_viable
    places = tuple(
        p for p, count in enumerate(facts.final) if count and count < needed and facts.keys[p] not in barred
    )
    return places or None


def _tell_stayed_below(facts: Facts, hit: Places) -> Told:
    said = [f"{facts.label(p)} with {facts.final[p]:,}" for p in hit]
    return Told(
        facts.fields(hit, Column.FINAL),
        f"{listing(said)} stay{s(len(hit))} below the {facts.threshold:,} needed and get{s(len(hit))} no"
        f" delegate.{facts.basis_note}",
        f"I have {listing(said)} in the final alignment, but {facts.threshold:,}"
        f" {was(facts.threshold or 0)} needed. Did they stay there to the end?",
    )


def _more_viable_than_delegates(facts: Facts) -> Places | None:
    if not facts.elects or facts.expands or len(facts.viable_final) <= facts.elects:
        return None
    return facts.viable_final


def _tell_more_viable_than_delegates(facts: Facts, hit: Places) -> Told:
    elects = facts.elects or 0
    return Told(
        facts.fields(hit, Column.FINAL),
        f"{groups(len(hit))} are viable in the final alignment for {delegates(elects)}:"
        f" {listing([f'{facts.label(p)} {facts.final[p]:,}' for p in hit])}.{facts.basis_note}",
        f"{groups(len(hit))} qualify for {delegates(elects)}. Who realigned or lost the toss?",
    )


def _out_of_nothing(facts: Facts) -> Places | None:
    places = tuple(p for p in facts.viable_final if facts.first[p] == 0)
    return places or None


def _tell_out_of_nothing(facts: Facts, hit: Places) -> Told:
    said = listing([f"{facts.label(p)} goes from 0 to {facts.final[p]:,}" for p in hit])
    return Told(
        facts.fields(hit, Column.FIRST, Column.FINAL),
        (
            f"{said} and is viable: a new group out of nothing, or a number in the wrong row."
            if len(hit) == 1
            else f"{said}, all viable: new groups out of nothing, or numbers in the wrong rows."
        )
        + facts.basis_note,
        f"{said}. Were rows shifted?",
    )


def _nobody_moved(facts: Facts) -> Places | None:
    if facts.final != facts.first or not facts.first_total or not facts.final_complete:
        return None
    if facts.threshold is None:
        return None
    viable = set(facts.viable_first)
    places = tuple(p for p, count in enumerate(facts.first) if count and p not in viable)
    return places or None


def _tell_nobody_moved(facts: Facts, hit: Places) -> Told:
    said = listing([f"{facts.label(p)} with {facts.first[p]:,}" for p in hit])
    return Told(
        facts.filled(Column.FINAL),
        f"Both alignments are the same, although {said} {was(len(hit))} not viable ({facts.threshold:,}"
        f" needed): nobody moved, or the first column was copied.{facts.basis_note}",
        f"I have the same numbers for first and final, also for {said}. Is the final column a copy of the"
        " first?",
    )


def _all_viable_yet_moved(facts: Facts) -> Places | None:
    if not _locked(facts) or not facts.first_total or not facts.first_complete:
        return None
    if sum(1 for count in facts.first if count) != len(facts.viable_first):
        return None
    places = tuple(p for p, (f, l) in enumerate(zip(facts.first, facts.final, strict=True)) if (l or 0) > f)  # type: ignore[operator]  # noqa: E741
    return places or None


def _tell_all_viable_yet_moved(facts: Facts, hit: Places) -> Told:
    gained = listing([f"{facts.label(p)} went from {facts.first[p]:,} to {facts.final[p]:,}" for p in hit])
    return Told(
        facts.fields(hit, Column.FIRST, Column.FINAL),
        "Everyone stood with a viable group in the first alignment, so nobody was free to move; yet"
        f" {gained}.{facts.basis_note}",
        f"{gained}, although everyone stood with a viable group. Did someone move who could not? Else please"
        " read me both columns again.",
    )


CHECKS = (
    Check("C06", _shrank, _tell_shrank, _inferred_or_other),
    Check("C07", _vanished, _tell_vanished, _inferred_or_other),
    Check("C08", _sent_away, _tell_sent_away),
    Check("C09", _gained_too_much, _tell_gained_too_much, _free_if_other_was_not_viable),
    Check("C10", _stayed_below, _tell_stayed_below),
    Check("C29", _more_viable_than_delegates, _tell_more_viable_than_delegates),
    Check("C30", _out_of_nothing, _tell_out_of_nothing),
    Check("C33", _nobody_moved, _tell_nobody_moved),
    Check("C52", _all_viable_yet_moved, _tell_all_viable_yet_moved),
)
