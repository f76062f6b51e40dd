"""Finding what was altered behind the program's back: a figure, a row, an event."""

from collections import Counter
from collections.abc import Mapping, Sequence

from caucus_desk.store.actions import Action
from caucus_desk.store.chain import BEGINNING, event_hash
from caucus_desk.store.told import check_told
from caucus_desk.store.units import ReadUnit
from caucus_desk.store.work import Row


def check_chain(unit: ReadUnit) -> tuple[str, ...]:
    """What is wrong with the chain of events: altered, taken out, put in, or cut off at the end."""
    faults = []
    previous, expected = BEGINNING, 1
    for row in unit.all_events():
        seq = row[0]
        if seq != expected:
            faults.append(f"event {expected} is missing before event {seq}")
        if row[-2] != previous:
            faults.append(f"event {seq} does not follow from the one before it")
        if row[-1] != event_hash(row[-2], row[:-2]):
            faults.append(f"event {seq} was altered")
        previous, expected = row[-1], seq + 1
    counted = unit.event_counter()
    if expected == 1:
        faults.append("there is no event at all")
    elif counted != expected - 1:
        faults.append(f"events after number {expected - 1} are missing")
    return tuple(faults)


def check_figures(unit: ReadUnit) -> tuple[str, ...]:
    """Which rows are not as their events recorded them, or have no event, or are gone."""
    kinds: tuple[tuple[Action, str, int, Mapping[int, str]], ...] = (
        (Action.REPORTED, "report", 5, unit.report_digests()),
        (Action.REPORT_WITHDRAWN, "withdrawal of report", 5, unit.report_withdrawal_digests()),
        (Action.RULED, "ruling", 7, unit.ruling_digests()),
        (Action.RULING_WITHDRAWN, "withdrawal of ruling", 7, unit.ruling_withdrawal_digests()),
        (Action.ACKNOWLEDGED, "acknowledgement", 8, unit.acknowledgement_digests()),
        (Action.VERIFIED, "verification", 9, unit.verification_digests()),
        (Action.CONTROL_TOTALS, "batch of control totals", 10, unit.control_digests()),
    )
    by_action: dict[str, list[Row]] = {}
    for row in unit.all_events():
        by_action.setdefault(row[3], []).append(row)
    faults: list[str] = []
    for action, what, place, digests in kinds:
        faults += _compare(what, place, by_action.get(action, ()), digests)
    created = by_action.get(Action.CREATED, [])
    if len(created) != 1 or created[0][-3] != unit.roster_digest():
        faults.append("the roster, the ballot or the rule set is not as the store was made with")
    events = {row[0]: (row[3], row[-3]) for rows in by_action.values() for row in rows}
    faults += check_told(unit, events)
    faults += unit.recanvass_faults()
    return tuple(faults)


def _compare(what: str, place: int, events: Sequence[Row], digests: Mapping[int, str]) -> list[str]:
    faults = []
    told = Counter(row[place] for row in events)
    for row in events:
        number = row[place]
        if number not in digests:
            faults.append(f"{what} {number} of event {row[0]} is gone")
        elif digests[number] != row[-3]:
            faults.append(f"{what} {number} is not as event {row[0]} recorded it")
    for number in digests:
        if told[number] == 0:
            faults.append(f"{what} {number} has no event")
        elif told[number] > 1:
            faults.append(f"{what} {number} has {told[number]} events")
    return faults
