"""Checks of the head counts as sums: C01 to C05, C26, C28, C39, C46, C51."""

from caucus_desk.tally.checks.check import HIT, Check, Told
from caucus_desk.tally.checks.facts import Facts, Places
from caucus_desk.tally.checks.wording import delegates, listing, people, was
from caucus_desk.tally.form import field_label
from caucus_desk.tally.sheet import ATTENDANCE, Column


def _first_over(facts: Facts) -> Places | None:
    counted, total = facts.on_sheet, facts.first_total
    return HIT if counted is not None and total is not None and total > counted else None


def _tell_first_over(facts: Facts, hit: Places) -> Told:
    return _tell_over(facts, Column.FIRST, "first", facts.first_total or 0)


def _final_over(facts: Facts) -> Places | None:
    counted, total = facts.on_sheet, facts.final_total
    return HIT if counted is not None and total is not None and total > counted else None


def _tell_final_over(facts: Facts, hit: Places) -> Told:
    return _tell_over(facts, Column.FINAL, "final", facts.final_total or 0)


def _tell_over(facts: Facts, column: Column, name: str, total: int) -> Told:
    counted = facts.on_sheet or 0
    return Told(
        (ATTENDANCE, *facts.filled(column)),
        f"The groups of the {name} alignment add to {people(total)}, {total - counted:,} more than the"
        f" attendance of {counted:,}.",
        f"The {name} alignment adds to {total:,}, but {people(counted)} {was(counted)} counted. Please read"
        " me the attendance and each group again.",
    )


def _moved(facts: Facts, gained: bool) -> Places:
    """Groups that gained (or lost) people between the alignments."""
    return tuple(
        place
        for place, (first, final) in enumerate(zip(facts.first, facts.final, strict=True))
        if first is not None and final is not None and (final > first if gained else final < first)
    )


def _more_in_final(facts: Facts) -> Places | None:
    first, final = facts.first_total, facts.final_total
    if not facts.first_complete or first is None or final is None or final <= first:
        return None
    if facts.on_sheet is not None and (final > facts.on_sheet or facts.whole_room):
        return None  # that is C02's to say; in a room that elects one delegate nothing else is compared
    return _moved(facts, gained=True)


def _tell_more_in_final(facts: Facts, hit: Places) -> Told:
    first, final = facts.first_total or 0, facts.final_total or 0
    more = final - first
    return Told(
        facts.fields(hit, Column.FINAL),
        f"Final alignment counts {people(final)}, {more:,} more than the first alignment's {first:,}.",
        f"The final column adds to {final:,}, the first to {first:,}. Did {people(more)} line up late? Else"
        " please read me both columns again.",
    )


def _fewer_in_final(facts: Facts) -> Places | None:
    first, final = facts.first_total, facts.final_total
    if not facts.final_complete or first is None or final is None or final >= first:
        return None
    return _moved(facts, gained=False)


def _tell_fewer_in_final(facts: Facts, hit: Places) -> Told:
    first, final = facts.first_total or 0, facts.final_total or 0
    gone = first - final
    return Told(
        facts.fields(hit, Column.FINAL),
        f"Final alignment counts {people(final)}, {gone:,} fewer than the first alignment's {first:,}."
        f" That is fine if {'someone' if gone == 1 else 'they'} left before the final count.",
        f"The final column adds to {final:,}, the first to {first:,}. Did {people(gone)} leave before the"
        " final count?",
    )


def _many_gone(facts: Facts) -> Places | None:
    first, final = facts.first_total, facts.final_total
    if not facts.final_complete or first is None or final is None or 20 * final >= 17 * first:
        return None
    return _moved(facts, gained=False)


def _tell_many_gone(facts: Facts, hit: Places) -> Told:
    first, final = facts.first_total or 0, facts.final_total or 0
    return Told(
        facts.fields(hit, Column.FINAL),
        f"Only {final:,} of the {people(first)} of the first alignment {was(final)} there for the final one:"
        " more than 15 in 100 left.",
        f"The final column adds to {final:,} of {first:,}. Did {people(first - final)} leave, or is a row"
        " missing?",
    )


def _nobody_came(facts: Facts) -> Places | None:
    if not facts.elects and not facts.precinct.is_satellite:
        return None
    if facts.first_total or facts.final_total or facts.delegates_total or facts.attendance:
        return None
    stated = facts.sheet.attendance == 0 or (facts.states_first and facts.states_final)
    return HIT if stated and not facts.blank_fields else None


def _tell_nobody_came(facts: Facts, hit: Places) -> Told:
    return Told(
        (ATTENDANCE,),
        "Every count is zero: nobody attended.",
        "Do I have it right that nobody attended? Please say so in words.",
    )


def _fewer_than_delegates(facts: Facts) -> Places | None:
    counted, elects = facts.counted, facts.elects
    return HIT if counted is not None and elects is not None and counted < elects else None


def _tell_fewer_than_delegates(facts: Facts, hit: Places) -> Told:
    counted, elects = facts.counted or 0, facts.elects or 0
    return Told(
        (ATTENDANCE,),
        f"{people(counted)} {was(counted)} counted for {delegates(elects)}: the room cannot send that many."
        f"{facts.basis_note}",
        f"Only {people(counted)} for {delegates(elects)}: is the attendance right?",
    )


def _unlikely_attendance(facts: Facts) -> Places | None:
    attendance = facts.attendance
    if attendance is None:
        return None
    last, registered = facts.precinct.last_attendance, facts.precinct.registered
    if last and (attendance >= 3 * last or 3 * attendance <= last):
        return HIT
    return HIT if registered is not None and attendance > registered else None


def _tell_unlikely_attendance(facts: Facts, hit: Places) -> Told:
    attendance = facts.attendance or 0
    last, registered = facts.precinct.last_attendance, facts.precinct.registered
    said = []
    if last and (attendance >= 3 * last or 3 * attendance <= last):
        said.append(f"the last caucus here had {last:,}")
    if registered is not None and attendance > registered:
        said.append(f"only {people(registered)} {was(registered)} registered here")
    return Told(
        (ATTENDANCE,),
        f"{people(attendance)} attended, but {listing(said)}.{facts.basis_note}",
        f"I have an attendance of {attendance:,}, but {listing(said)}. Is that right, and is it this"
        " precinct?",
    )


def _partly_blank(facts: Facts) -> Places | None:
    if not facts.blank_fields:
        return None
    columns = [
        counts
        for counts, stated in (
            (facts.first, facts.states_first),
            (facts.final, facts.states_final),
            (facts.delegates, facts.states_delegates),
        )
        if stated
    ]
    places = tuple(
        place for place in range(len(facts.keys)) if any(counts[place] is None for counts in columns)
    )
    return places or None


def _tell_partly_blank(facts: Facts, hit: Places) -> Told:
    fields = tuple(
        field
        for column, counts, stated in (
            (Column.FIRST, facts.first, facts.states_first),
            (Column.FINAL, facts.final, facts.states_final),
            (Column.DELEGATES, facts.delegates, facts.states_delegates),
        )
        if stated
        for field in facts.fields((place for place in hit if counts[place] is None), column)
    )
    order = {key: place for place, key in enumerate(facts.keys)}
    fields = tuple(sorted(fields, key=lambda field: order[field.rpartition(".")[0]]))
    names = [field_label(facts.rules, field) for field in fields]
    one = len(names) == 1
    return Told(
        fields,
        f"{listing(names)} {'is' if one else 'are'} blank, while other counts of the same group are there."
        " Blank is not zero.",
        f"I have no number for {listing(names)}. Is it zero, or was it not read out?",
    )


def _round_missing(facts: Facts) -> Places | None:
    return HIT if facts.round_missing else None


def _tell_round_missing(facts: Facts, hit: Places) -> Told:
    first, final = facts.first_total or 0, facts.final_total or 0
    column, missing, other, total = (
        (Column.FIRST, "first", "final", final) if not first else (Column.FINAL, "final", "first", first)
    )
    there = Column.FINAL if column is Column.FIRST else Column.FIRST
    places = [place for place, key in enumerate(facts.keys) if facts.sheet.row(key).count(there)]
    return Told(
        facts.fields(places, column),
        f"The {missing} alignment is missing: no group has anybody in it, while the {other} alignment"
        f" counts {people(total)}.",
        f"I have {people(total)} in the {other} alignment and nobody in the {missing} one. Please read me the"
        f" {missing} column.",
    )


CHECKS = (
    Check("C01", _first_over, _tell_first_over),
    Check("C02", _final_over, _tell_final_over),
    Check("C03", _more_in_final, _tell_more_in_final),
    Check("C04", _fewer_in_final, _tell_fewer_in_final),
    Check("C05", _many_gone, _tell_many_gone),
    Check("C26", _nobody_came, _tell_nobody_came),
    Check("C28", _fewer_than_delegates, _tell_fewer_than_delegates),
    Check("C39", _unlikely_attendance, _tell_unlikely_attendance),
    Check("C46", _partly_blank, _tell_partly_blank),
    Check("C51", _round_missing, _tell_round_missing),
)
