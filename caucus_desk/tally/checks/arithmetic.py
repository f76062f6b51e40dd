"""Checks of the sheet against what the rules compute: C18 to C22 (rules.md 5)."""

from caucus_desk.rules.apportion import apportion, plain_rounding
from caucus_desk.tally.checks import delegates as column
from caucus_desk.tally.checks.check import HIT, Check, Told
from caucus_desk.tally.checks.facts import Facts, Places
from caucus_desk.tally.checks.wording import delegates, listing, was
from caucus_desk.tally.sheet import ChanceRecord, Column

_FIRST_TO_SPEAK = (column.C14, column.C15, column.C11, column.C12, column.C13, column.C16)
"""Where one of these is broken, C20 would only repeat it."""


def _untossed(facts: Facts) -> Places | None:
    if facts.computed is None or facts.computed.tie is None or facts.whole_room:
        return None
    tied = set(facts.computed.tie.groups)
    if any(len(tied & {*record.groups, *record.winners}) > 1 for record in facts.sheet.chance):
        return None
    return tuple(p for p, key in enumerate(facts.keys) if key in tied)


def _tell_untossed(facts: Facts, hit: Places) -> Told:
    assert facts.computed is not None
    assert facts.computed.tie is not None
    tie = facts.computed.tie
    names = facts.labels(hit)
    what = f"which {'one' if tie.k == 1 else f'{tie.k:,}'} of {listing(names)} "
    what += "gets one more delegate" if tie.kind == "gain" else "gives up a delegate"
    if tie.k > 1:
        what = what.replace("gets one more delegate", "get one more delegate each")
        what = what.replace("gives up a delegate", "give up a delegate each")
    return Told(
        facts.fields(hit, Column.DELEGATES),
        f"Only a game of chance can decide {what}; none is noted.{facts.basis_note}",
        f"This needed a game of chance between {listing(names)}. Who won?",
    )


def _legal_first_toss(facts: Facts, record: ChanceRecord) -> bool:
    """Groups of one size, of which not all had to realign: chance decided which of them went (5.2)."""
    elects = facts.elects or 0
    if facts.expands or len(facts.viable_first) <= elects:
        return False
    sizes = sorted(facts.first[p] or 0 for p in facts.viable_first)
    largest_to_go = sizes[len(sizes) - elects - 1]
    if sizes[len(sizes) - elects] != largest_to_go:
        return False
    equal = {facts.keys[p] for p in facts.viable_first if facts.first[p] == largest_to_go}
    return len(equal & {*record.groups, *record.winners}) > 1


def _needless_toss(facts: Facts) -> Places | None:
    if not facts.sheet.chance or facts.computed is None or facts.computed.tie is not None:
        return None
    played = {
        key
        for record in facts.sheet.chance
        if not _legal_first_toss(facts, record)
        for key in (*record.groups, *record.winners)
    }
    return tuple(p for p, key in enumerate(facts.keys) if key in played) or None


def _tell_needless_toss(facts: Facts, hit: Places) -> Told:
    return Told(
        facts.fields(hit, Column.DELEGATES),
        f"A game of chance between {listing(facts.labels(hit))} is noted, but the numbers leave nothing to"
        f" toss for.{facts.basis_note}",
        f"A game of chance between {listing(facts.labels(hit))} is noted. What was it about?",
    )


def _differs(facts: Facts) -> Places | None:
    if facts.agrees or facts.whole_room or any(check.find(facts) is not None for check in _FIRST_TO_SPEAK):
        return None
    assert facts.computed is not None
    due = facts.computed.awards
    tied = set(facts.computed.tie.groups) if facts.computed.tie is not None else set[str]()
    places = tuple(
        p for p, key in enumerate(facts.keys) if (facts.delegates[p] or 0) != due.get(key, 0) or key in tied
    )
    return places or None


def _other_is_viable(facts: Facts, hit: Places) -> bool:
    """A bucket of several groups is apportioned as one, so the rules' own answer is in doubt."""
    return any(p in facts.other for p in facts.viable_final)


def _tell_differs(facts: Facts, hit: Places) -> Told:
    assert facts.computed is not None
    due, tie = facts.computed.awards, facts.computed.tie
    shown = [p for p, key in enumerate(facts.keys) if due.get(key) or facts.delegates[p]]
    should = listing([f"{facts.label(p)} {due.get(facts.keys[p], 0):,}" for p in shown])
    says = listing([f"{facts.label(p)} {facts.delegates[p] or 0:,}" for p in shown])
    toss = ""
    if tie is not None:
        names = [facts.label(facts.keys.index(key)) for key in tie.groups]
        more = "one more" if tie.kind == "gain" else "one fewer"
        toss = f", with {more} for {tie.k:,} of {listing(names)} by chance"
    return Told(
        facts.fields(hit, Column.DELEGATES),
        f"By the counts the delegates should be {should}{toss}; the sheet says {says}.{facts.basis_note}",
        f"I have {says}; by the counts it should be {should}{toss}. Please read me the delegate column"
        " again.",
    )


def _divided_by_final_total(facts: Facts) -> Places | None:
    total = facts.final_total
    if facts.agrees or facts.whole_room or not total or not facts.elects or total == facts.attendance:
        return None
    return HIT if apportion(facts.rules, facts.elects, total, facts.finals).agrees(facts.awarded) else None


def _tell_divided_by_final_total(facts: Facts, hit: Places) -> Told:
    base = "first alignment's sum" if facts.inferred else "attendance"
    return Told(
        facts.filled(Column.DELEGATES),
        f"The delegates work out with the final total of {facts.final_total:,} instead of the {base} of"
        f" {facts.attendance:,}: the wrong number seems to be divided by.{facts.basis_note}",
        f"Were the delegates worked out with {facts.final_total:,} or with {facts.attendance:,} people?",
    )


def _uncorrected(facts: Facts) -> Places | None:
    """Plain rounding, or plain rounding with the largest group taking what is left."""
    if facts.agrees or facts.whole_room or not facts.elects or not facts.attendance or not facts.awarded:
        return None
    rounded = plain_rounding(facts.rules, facts.elects, facts.attendance, facts.finals)
    if {key: given for key, given in rounded.items() if given} == facts.awarded:
        return HIT
    most = max(facts.finals.values())
    rest = facts.elects - sum(rounded.values())
    for key, count in facts.finals.items():
        if count == most and rest:
            taken = {**rounded, key: rounded[key] + rest}
            if {key: given for key, given in taken.items() if given} == facts.awarded:
                return HIT
    return None


def _tell_uncorrected(facts: Facts, hit: Places) -> Told:
    given, elects = facts.delegates_total or 0, facts.elects or 0
    if given == elects:
        text = "The shares are rounded and the largest group takes what is left; it is the fractions that"
        text += " decide who gains or loses after rounding."
    else:
        text = f"The shares are rounded and left at that: {delegates(given)} where {elects:,} are to elect."
    return Told(
        facts.filled(Column.DELEGATES),
        text + facts.basis_note,
        f"The sheet gives {delegates(given)} where {elects:,} {was(elects)} to elect, rounded and not"
        " corrected by the fractions. How did the chair work it out?",
    )


CHECKS = (
    Check("C18", _untossed, _tell_untossed),
    Check("C19", _needless_toss, _tell_needless_toss),
    Check("C20", _differs, _tell_differs, _other_is_viable),
    Check("C21", _divided_by_final_total, _tell_divided_by_final_total),
    Check("C22", _uncorrected, _tell_uncorrected),
)
