"""Checks of what else the sheet shows: stated numbers, signatures, SDEs, satellites.

C23, C40 to C45, C47, C53, and C32 by the rule set's own list. Each is silent where its input is absent.
"""

from caucus_desk.rules.ruleset import GroupKind, Unit
from caucus_desk.rules.satellite import band
from caucus_desk.rules.sde import county_ratio, decimal_text, rounded
from caucus_desk.tally.checks.check import HIT, Check, Told
from caucus_desk.tally.checks.facts import Facts, Places
from caucus_desk.tally.checks.wording import delegates, listing, people, was
from caucus_desk.tally.sheet import ATTENDANCE, Column, field_path


def _other_threshold(facts: Facts) -> Places | None:
    stated, needed = facts.sheet.threshold, facts.threshold
    return HIT if stated is not None and needed is not None and stated != needed else None


def _tell_other_threshold(facts: Facts, hit: Places) -> Told:
    return Told(
        ("threshold",),
        f"{facts.threshold:,} {was(facts.threshold or 0)} needed to be viable, the sheet says"
        f" {facts.sheet.threshold:,}.{facts.basis_note}",
        f"A group needed {facts.threshold:,} to be viable; does the sheet say {facts.sheet.threshold:,}?",
    )


def _minor_viable(facts: Facts) -> Places | None:
    groups = facts.rules.by_key
    places = tuple(
        p
        for p in sorted({*facts.viable_first, *facts.viable_final})
        if facts.keys[p] in groups and groups[facts.keys[p]].minor
    )
    return places or None


def _tell_minor_viable(facts: Facts, hit: Places) -> Told:
    said = [f"{facts.label(p)} ({facts.first[p] or 0:,} first, {facts.final[p] or 0:,} final)" for p in hit]
    one = len(hit) == 1
    return Told(
        facts.fields(hit, Column.FIRST, Column.FINAL),
        f"{listing(said)} {'is' if one else 'are'} viable here, though only a handful of people statewide are"
        f" expected to choose {'this group' if one else 'these groups'}.{facts.basis_note}",
        f"I have {listing(said)}. Please read me that row again, and the rows beside it.",
    )


def _other_allotment(facts: Facts) -> Places | None:
    stated, ours = facts.sheet.delegates_to_elect, facts.precinct.delegates
    return HIT if stated is not None and ours is not None and stated != ours else None


def _tell_other_allotment(facts: Facts, hit: Places) -> Told:
    stated, ours = facts.sheet.delegates_to_elect, facts.precinct.delegates
    return Told(
        ("delegates_to_elect",),
        f"The sheet says that {stated:,} {'is' if stated == 1 else 'are'} to elect, our list says {ours:,}.",
        f"The sheet says {stated:,} to elect, our list says {ours:,}. Is it the right precinct?",
    )


def _site_elects(facts: Facts) -> tuple[int, int] | None:
    """What a satellite is said to elect, and what the band of its attendance gives."""
    if not facts.precinct.is_satellite or facts.rules.satellites is None or facts.attendance is None:
        return None
    said = facts.precinct.delegates
    if said is None:
        said = facts.sheet.delegates_to_elect
    return None if said is None else (said, band(facts.rules, facts.attendance))


def _other_band(facts: Facts) -> Places | None:
    pair = _site_elects(facts)
    return HIT if pair is not None and pair[0] != pair[1] else None


def _tell_other_band(facts: Facts, hit: Places) -> Told:
    said, due = _site_elects(facts) or (0, 0)
    count = facts.attendance or 0
    elect = "elects" if count == 1 else "elect"
    return Told(
        (ATTENDANCE, "delegates_to_elect") if facts.precinct.delegates is None else (ATTENDANCE,),
        f"{people(count)} at a satellite site {elect} {delegates(due)}, not {said:,}.{facts.basis_note}",
        f"With {people(count)} the site elects {delegates(due)}, not {said:,}. Is the attendance right?",
    )


def _site_attendance(facts: Facts) -> Places | None:
    if not facts.precinct.is_satellite:
        return None
    stated, signed = facts.sheet.attendance, facts.precinct.attendance
    if stated is not None and signed is not None and facts.attendance != signed:
        return HIT
    counted, first = facts.counted, facts.first_total
    return HIT if counted is not None and first is not None and counted < first else None


def _tell_site_attendance(facts: Facts, hit: Places) -> Told:
    signed, first, counted = facts.precinct.attendance, facts.first_total, facts.attendance
    said = []
    if signed is not None and counted is not None and counted != signed:
        said.append(f"{people(signed)} signed in")
    if first is not None and counted is not None and counted < first:
        said.append(f"the first alignment adds to {first:,}")
    return Told(
        (ATTENDANCE,),
        f"Attendance is {counted:,}, but {listing(said)}. The site's share depends on its attendance.",
        f"I have an attendance of {counted:,}, but {listing(said)}. Which is right?",
    )


def _unsigned(facts: Facts) -> Places | None:
    return HIT if facts.sheet.chair_signed is False or facts.sheet.secretary_signed is False else None


def _tell_unsigned(facts: Facts, hit: Places) -> Told:
    missing = [
        (path, who)
        for path, who, signed in (
            ("chair_signed", "the chair", facts.sheet.chair_signed),
            ("secretary_signed", "the secretary", facts.sheet.secretary_signed),
        )
        if signed is False
    ]
    return Told(
        tuple(path for path, _ in missing),
        f"Not signed by {listing([who for _, who in missing], 'or')}.",
        f"The sheet is not signed by {listing([who for _, who in missing], 'or')}. Can it still be signed?",
    )


def _captain_missing(facts: Facts) -> Places | None:
    groups, rows = facts.rules.by_key, facts.sheet.by_group
    viable = set(facts.viable_final)
    places = tuple(
        p
        for p, key in enumerate(facts.keys)
        if (row := rows.get(key)) is not None
        and row.signed is False
        and (p in viable or row.delegates)
        and key in groups
        and groups[key].kind is GroupKind.CANDIDATE
    )
    return places or None


def _tell_captain_missing(facts: Facts, hit: Places) -> Told:
    names = listing(facts.labels(hit), "or")
    return Told(
        tuple(field_path(facts.keys[p], "signed") for p in hit),
        f"Nobody signed for {names}, with delegates at stake.",
        f"Was a captain of {names} in the room?",
    )


def _overwritten(facts: Facts) -> Places | None:
    return HIT if facts.sheet.overwritten else None


def _tell_overwritten(facts: Facts, hit: Places) -> Told:
    return Told(
        ("overwritten",),
        "Figures on the sheet are crossed out or overwritten.",
        "Some figures are overwritten. Which ones stand?",
    )


def _other_sde(facts: Facts) -> Places | None:
    state, total = facts.precinct.county_state_delegates, facts.precinct.county_total_delegates
    if facts.precinct.is_satellite or facts.rules.unit is not Unit.SDE or state is None or not total:
        return None
    stated = [row for row in facts.sheet.groups if row.sde is not None and row.delegates is not None]
    if not stated:
        return None
    ratio, rounding = county_ratio(state, total), facts.rules.rounding
    order = {key: place for place, key in enumerate(facts.keys)}
    places = tuple(
        sorted(
            order[row.group]
            for row in stated
            if (row.sde or row.delegates)
            and rounded(row.sde or ratio * 0, rounding) != rounded((row.delegates or 0) * ratio, rounding)
        )
    )
    return places or None


def _tell_other_sde(facts: Facts, hit: Places) -> Told:
    state, total = facts.precinct.county_state_delegates or 0, facts.precinct.county_total_delegates or 1
    ratio, rounding = county_ratio(state, total), facts.rules.rounding
    said = []
    for p in hit:
        row = facts.sheet.row(facts.keys[p])
        due = decimal_text(rounded((row.delegates or 0) * ratio, rounding), rounding.digits)
        stated = decimal_text(rounded(row.sde or ratio * 0, rounding), rounding.digits)
        said.append(
            f"{facts.label(p)} has {delegates(row.delegates or 0)}, worth {due} SDEs, but the file says"
            f" {stated}"
        )
    return Told(facts.fields(hit, Column.DELEGATES), f"{'; '.join(said)}.")


def _two_attendances(facts: Facts) -> Places | None:
    stated, second = facts.sheet.attendance, facts.sheet.second_attendance
    return HIT if stated is not None and second is not None and stated != second else None


def _tell_two_attendances(facts: Facts, hit: Places) -> Told:
    stated, second = facts.sheet.attendance or 0, facts.sheet.second_attendance or 0
    return Told(
        (ATTENDANCE, "second_attendance"),
        f"The sheet shows two attendances, {stated:,} and {second:,}. One count holds for both alignments.",
        f"Two attendances, {stated:,} and {second:,}: which was counted before the first alignment?",
    )


CHECKS = (
    Check("C23", _other_threshold, _tell_other_threshold),
    Check("C32", _minor_viable, _tell_minor_viable),
    Check("C40", _other_allotment, _tell_other_allotment),
    Check("C41", _other_band, _tell_other_band),
    Check("C42", _site_attendance, _tell_site_attendance),
    Check("C43", _unsigned, _tell_unsigned),
    Check("C44", _captain_missing, _tell_captain_missing),
    Check("C45", _overwritten, _tell_overwritten),
    Check("C47", _other_sde, _tell_other_sde),
    Check("C53", _two_attendances, _tell_two_attendances),
)
