"""Checks of the delegate column, group by group and as a sum: C11 to C17, C24, C25, C27, C34."""

from collections.abc import Iterator

from caucus_desk.tally.checks.check import HIT, Check, Told
from caucus_desk.tally.checks.facts import Facts, Places
from caucus_desk.tally.checks.wording import delegates, listing, people, was
from caucus_desk.tally.sheet import Column


def _below_threshold(facts: Facts) -> Places | None:
    needed = facts.threshold
    if needed is None or facts.whole_room or not facts.states_delegates or not facts.states_final:
        return None
    barred = facts.rules.never_viable
    places = tuple(
        p
        for p, given in enumerate(facts.delegates)
        if given and (count := facts.final[p]) is not None and (count < needed or facts.keys[p] in barred)
    )
    return places or None


def _tell_below_threshold(facts: Facts, hit: Places) -> Told:
    needed = facts.threshold or 0
    said, rows = [], []
    for p in hit:
        given, count = facts.delegates[p] or 0, facts.final[p] or 0
        rows.append(f"{facts.label(p)} with {people(count)} and {delegates(given)}")
        if count < needed:
            said.append(
                f"{facts.label(p)} has {count:,} of the {needed:,} needed but is given {delegates(given)}"
            )
        else:
            said.append(f"{facts.label(p)} can never be viable but is given {delegates(given)}")
    return Told(
        facts.fields(hit, Column.FINAL, Column.DELEGATES),
        f"{'; '.join(said)}.{facts.basis_note}",
        f"I have {listing(rows)}; {needed:,} {was(needed)} needed. Please read me that row again.",
    )


def _nobody_there(facts: Facts) -> Places | None:
    if not facts.elects or facts.whole_room or not facts.states_delegates:
        return None
    places = tuple(p for p, given in enumerate(facts.delegates) if given and facts.final[p] == 0)
    return places or None


def _tell_nobody_there(facts: Facts, hit: Places) -> Told:
    said = [f"{facts.label(p)} has {delegates(facts.delegates[p] or 0)} and no people" for p in hit]
    return Told(
        facts.fields(hit, Column.FINAL, Column.DELEGATES),
        f"{listing(said)} in the final alignment.",
        f"{listing(said)}. Which row is meant?",
    )


def _left_out(facts: Facts) -> Places | None:
    if not facts.elects or not facts.states_delegates:
        return None
    if len(facts.viable_final) > facts.elects and not facts.expands:
        return None
    places = tuple(p for p in facts.viable_final if facts.delegates[p] == 0)
    return places or None


def _tell_left_out(facts: Facts, hit: Places) -> Told:
    said = [f"{facts.label(p)} with {facts.final[p]:,}" for p in hit]
    one = len(hit) == 1
    return Told(
        facts.fields(hit, Column.DELEGATES),
        f"{listing(said)} {'is' if one else 'are'} viable ({facts.threshold:,} needed) and cannot be left"
        f" without a delegate.{facts.basis_note}",
        f"I have no delegate for {listing(said)}, and {facts.threshold:,} {was(facts.threshold or 0)} needed."
        " How many delegates are on the sheet?",
    )


def _only_other(facts: Facts, hit: Places) -> bool:
    return facts.only_other(hit)


def _too_many(facts: Facts) -> Places | None:
    seats, given = facts.seats, facts.delegates_total
    return HIT if seats is not None and given is not None and given > seats else None


def _tell_too_many(facts: Facts, hit: Places) -> Told:
    given, seats = facts.delegates_total or 0, facts.seats or 0
    return Told(
        facts.filled(Column.DELEGATES),
        f"{delegates(given)} given, {given - seats:,} more than the {seats:,} that this precinct elects.",
        f"The delegates add to {given:,}, but this precinct elects {seats:,}. Please read the column again.",
    )


def _too_few(facts: Facts) -> Places | None:
    seats, given = facts.seats, facts.delegates_total
    if seats is None or given is None or given >= seats or not facts.delegates_complete:
        return None
    return HIT if facts.viable_final else None


def _tell_too_few(facts: Facts, hit: Places) -> Told:
    given, seats = facts.delegates_total or 0, facts.seats or 0
    fields = facts.filled(Column.DELEGATES) or facts.fields(facts.viable_final, Column.DELEGATES)
    return Told(
        fields,
        f"{delegates(given)} given, {seats - given:,} fewer than the {seats:,} that this precinct elects.",
        f"The delegates add to {given:,}, but this precinct elects {seats:,}. Who got the"
        f" {'last one' if seats - given == 1 else f'other {seats - given:,}'}?",
    )


def _only_other_viable(facts: Facts, hit: Places) -> bool:
    return facts.only_other(facts.viable_final)


def _inverted_pairs(facts: Facts) -> Iterator[tuple[int, int]]:
    """Pairs (g, h): g has more people than h, and fewer delegates."""
    barred = facts.rules.never_viable
    rows = [
        (count, given, p)
        for p, (count, given) in enumerate(zip(facts.final, facts.delegates, strict=True))
        if count is not None and given is not None and (count or given)
    ]
    for count, given, larger in rows:
        for less, more, smaller in rows:
            if count > less and given < more and facts.keys[larger] not in barred:
                yield larger, smaller


def _inverted(facts: Facts) -> Places | None:
    if not facts.elects or facts.whole_room or not facts.states_delegates or not facts.states_final:
        return None
    places = {place for pair in _inverted_pairs(facts) for place in pair}
    return tuple(sorted(places)) or None


def _tell_inverted(facts: Facts, hit: Places) -> Told:
    pairs = list(_inverted_pairs(facts))
    said = [
        f"{facts.label(g)} has more people than {facts.label(h)} ({facts.final[g]:,} and {facts.final[h]:,})"
        f" but fewer delegates ({facts.delegates[g]:,} and {facts.delegates[h]:,})"
        for g, h in pairs[:3]
    ]
    if len(pairs) > 3:
        said.append(f"so have {len(pairs) - 3:,} more pairs of groups")
    return Told(
        facts.fields(hit, Column.FINAL, Column.DELEGATES),
        f"{'; '.join(said)}.",
        f"{said[0]}. Is that what the sheet says?",
    )


def _other_is_larger(facts: Facts, hit: Places) -> bool:
    """Several small groups together may well have more people and fewer delegates than one."""
    return all(larger in facts.other for larger, _ in _inverted_pairs(facts))


def tossed(facts: Facts, one: int, other: int) -> bool:
    """A recorded game of chance names both groups."""
    pair = {facts.keys[one], facts.keys[other]}
    return any(pair <= {*record.groups, *record.winners} for record in facts.sheet.chance)


def _unequal(facts: Facts) -> Places | None:
    if not facts.elects or facts.whole_room or not facts.states_delegates or not facts.states_final:
        return None
    barred = facts.rules.never_viable
    by_size: dict[int, list[int]] = {}
    for place, (count, given) in enumerate(zip(facts.final, facts.delegates, strict=True)):
        if count is not None and given is not None and facts.keys[place] not in barred:
            by_size.setdefault(count, []).append(place)
    places: list[int] = []
    for count, equal in by_size.items():
        if len({facts.delegates[p] for p in equal}) == 1:
            continue
        open_pair = any(
            facts.delegates[a] != facts.delegates[b] and not (facts.sheet.chance and tossed(facts, a, b))
            for a in equal
            for b in equal
        )
        if open_pair:
            # Of groups without anybody only those that were given a delegate are worth naming.
            places += [p for p in equal if count or facts.delegates[p]]
    return tuple(sorted(places)) or None


def _tell_unequal(facts: Facts, hit: Places) -> Told:
    said = []
    for count in sorted({facts.final[p] or 0 for p in hit}, reverse=True):
        equal = [p for p in hit if facts.final[p] == count]
        given = listing([f"{facts.label(p)} {facts.delegates[p]:,}" for p in equal])
        if count:
            said.append(
                f"{listing(facts.labels(equal))} have {people(count)} each but unequal delegates: {given}"
            )
        else:
            said.append(f"{given} without anybody, as other groups have no delegates with nobody either")
    return Told(
        facts.fields(hit, Column.DELEGATES),
        f"{'; '.join(said)}. No game of chance is noted.",
        f"{'; '.join(said)}. Who won the toss?",
    )


def _not_the_largest(facts: Facts) -> Places | None:
    if not facts.whole_room or not facts.final_complete or not facts.states_delegates:
        return None
    most = max((count or 0 for count in facts.final), default=0)
    winners = tuple(p for p, given in enumerate(facts.delegates) if given and (facts.final[p] or 0) < most)
    return winners or None


def _tell_not_the_largest(facts: Facts, hit: Places) -> Told:
    most = max(count or 0 for count in facts.final)
    largest = [p for p, count in enumerate(facts.final) if count == most]
    winners = listing([f"{facts.label(p)} with {people(facts.final[p] or 0)}" for p in hit])
    has = "has" if len(largest) == 1 else "have"
    each = "" if len(largest) == 1 else " each"
    return Told(
        facts.fields(sorted({*hit, *largest}), Column.DELEGATES),
        f"The only delegate goes to {winners}, although {listing(facts.labels(largest))} {has}"
        f" {most:,}{each}.",
        f"I have the only delegate for {winners}, although {listing(facts.labels(largest))} {has} {most:,}"
        f"{each}. Is that right?",
    )


def _tied_for_the_only(facts: Facts) -> Places | None:
    if not facts.whole_room or not facts.final_complete:
        return None
    most = max((count or 0 for count in facts.final), default=0)
    largest = tuple(p for p, count in enumerate(facts.final) if count == most)
    return largest if most and len(largest) > 1 else None


def _tell_tied_for_the_only(facts: Facts, hit: Places) -> Told:
    return Told(
        facts.fields(hit, Column.FINAL),
        f"{listing(facts.labels(hit))} tie for the only delegate with {people(facts.final[hit[0]] or 0)}"
        " each.",
        f"{listing(facts.labels(hit))} have {people(facts.final[hit[0]] or 0)} each. How was the tie for the"
        " only delegate settled?",
    )


def _nobody_viable(facts: Facts) -> Places | None:
    if not facts.attendance or facts.threshold is None or facts.whole_room or not facts.final_complete:
        return None
    return None if facts.viable_final else HIT


def _tell_nobody_viable(facts: Facts, hit: Places) -> Told:
    return Told(
        facts.filled(Column.FINAL),
        f"No group reaches the {facts.threshold:,} needed, so nobody gets a delegate.{facts.basis_note}",
        f"No group reached the {facts.threshold:,} needed. Is that how it ended?",
    )


def _head_counts_repeated(facts: Facts) -> Places | None:
    total, seats = facts.final_total, facts.seats
    if not total or total <= 10 or not seats or facts.whole_room or facts.delegates_total == seats:
        return None
    if not facts.delegates_complete:
        return None
    same = facts.delegates == facts.final or facts.delegates == facts.first
    return HIT if same else None


def _tell_head_counts_repeated(facts: Facts, hit: Places) -> Told:
    which = "final" if facts.delegates == facts.final else "first"
    given, seats = facts.delegates_total or 0, facts.seats or 0
    return Told(
        facts.filled(Column.DELEGATES),
        f"The delegates repeat the head counts of the {which} alignment, group by group:"
        f" {given:,} where {seats:,} are to elect.",
        f"I have the same numbers for people and delegates, {given:,} delegates where {seats:,}"
        f" {was(seats)} to elect. Please read me the delegate column.",
    )


C11 = Check("C11", _below_threshold, _tell_below_threshold)
C12 = Check("C12", _nobody_there, _tell_nobody_there)
C13 = Check("C13", _left_out, _tell_left_out, _only_other)
C14 = Check("C14", _too_many, _tell_too_many)
C15 = Check("C15", _too_few, _tell_too_few, _only_other_viable)
C16 = Check("C16", _inverted, _tell_inverted, _other_is_larger)

CHECKS = (
    C11,
    C12,
    C13,
    C14,
    C15,
    C16,
    Check("C17", _unequal, _tell_unequal),
    Check("C24", _not_the_largest, _tell_not_the_largest),
    Check("C25", _tied_for_the_only, _tell_tied_for_the_only),
    Check("C27", _nobody_viable, _tell_nobody_viable),
    Check("C34", _head_counts_repeated, _tell_head_counts_repeated),
)
