"""The sample caucus: a full-size night of our own making, half-way through, with every kind of trouble in it.

Numbers, precincts and people are invented and the same at every run; only the counties are Iowa's.
"""

import csv
import io
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from caucus_desk.desk.creating import new_caucus, rule_set, rule_set_text
from caucus_desk.desk.invented.night import Acked, Keyed, Night, OpenDraft, Ruled, make_night
from caucus_desk.desk.invented.roster import pin_of, roster_csv
from caucus_desk.desk.settling import settle
from caucus_desk.desk.wording import place
from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.store.records import Caller, NewReport
from caucus_desk.store.units import WriteUnit
from caucus_desk.tally.progress import Progress, no_progress
from caucus_desk.tally.receipt import receipt_code
from caucus_desk.tally.report import Channel, Report
from caucus_desk.tally.roster import Precinct
from caucus_desk.tally.sheet import COLUMNS

RULES = "iowa-2020"
NAME = "Sample caucus (invented numbers)"
STORE_NAME = "sample-caucus.sqlite"
ROSTER_NAME = "sample-roster.csv"
LATE_NAME = "sample-late-app-results.csv"
MADE_BY = "sample"
_SLOT = timedelta(minutes=10)
_SLOT_EVENTS = 60
Standing = dict[str, dict[Channel, Report]]
"""The newest report of each precinct and channel so far."""


def make_sample(folder: Path | str, progress: Progress = no_progress) -> Path:
    """Makes the sample in `folder` (made if need be); the path of its store.

    Beside the store lie the roster and a file of app results that are not loaded yet, to try `new` and
    `load` with. A store that is there already is left alone: the new one gets the next free name.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    progress(0, 0, "Inventing the night")
    rules = rule_set(RULES)
    night = make_night(rules)
    (folder / ROSTER_NAME).write_text(roster_csv(night.roster), encoding="utf-8")
    (folder / LATE_NAME).write_text(_late_csv(rules, night), encoding="utf-8")
    location = _free(folder / STORE_NAME)
    # Hiding a PIN takes a while on purpose, so only those are kept whose chair has still to ring.
    waiting = {precinct.id for precinct in night.roster} - {event.precinct_id for event in night.events}
    new_caucus(
        str(location),
        rules,
        rule_set_text(RULES),
        night.roster,
        by=MADE_BY,
        name=NAME,
        pins=[pin_of(precinct) if precinct.id in waiting else "" for precinct in night.roster],
        then=lambda unit, rules: _play(unit, rules, night, progress),
        progress=progress,
    ).close()
    return location


def _free(path: Path) -> Path:
    number = 1
    free = path
    while free.exists():
        number += 1
        free = path.with_name(f"{path.stem}-{number}{path.suffix}")
    return free


def _play(unit: WriteUnit, rules: RuleSet, night: Night, progress: Progress) -> None:
    """Writes the night some minutes at a time, so that states follow as they would have."""
    roster = {precinct.id: precinct for precinct in night.roster}
    standing: Standing = {}
    unit.tell_time(night.events[0].at.astimezone(UTC))
    county = night.control_totals[0].county
    unit.set_control_totals(
        night.control_totals, by=MADE_BY, sentence=f"Totals of {county} county, as its chair stated them"
    )
    done = 0
    for slot in _slots(night):
        progress(done, len(night.events), "Keying the reports")
        touched: dict[str, None] = {}
        for event in slot:
            unit.tell_time(event.at.astimezone(UTC))
            precinct = roster[event.precinct_id]
            if isinstance(event, OpenDraft):
                draft = unit.claim_draft(precinct.id, event.channel, event.by)
                unit.save_draft_fields(draft.id, event.fields)
                continue
            touched[precinct.id] = None
            if isinstance(event, Keyed):
                _key(unit, precinct, event, standing)
            elif isinstance(event, Ruled):
                _rule(unit, precinct, event, standing)
            else:
                _acknowledge(unit, precinct, event, standing)
        settle(unit, rules, touched, roster)
        done += len(slot)
    progress(done, len(night.events), "Keying the reports")


def _slots(night: Night) -> Iterable[list[Keyed | Ruled | Acked | OpenDraft]]:
    """Events of some minutes together; a decision comes only after what it decides on is settled."""
    slot: list[Keyed | Ruled | Acked | OpenDraft] = []
    begin: datetime | None = None
    seen: set[str] = set()
    for event in night.events:
        again = event.precinct_id in seen and not isinstance(event, Keyed)
        full = len(slot) == _SLOT_EVENTS or (begin is not None and event.at - begin > _SLOT)
        if slot and (full or again):
            yield slot
            slot, begin, seen = [], None, set()
        begin = begin or event.at
        slot.append(event)
        seen.add(event.precinct_id)
    if slot:
        yield slot


def _key(unit: WriteUnit, precinct: Precinct, event: Keyed, standing: Standing) -> None:
    old = standing.get(precinct.id, {}).get(event.channel)
    phone = event.channel is Channel.PHONE
    standing.setdefault(precinct.id, {})[event.channel] = unit.add_report(
        NewReport(
            precinct_id=precinct.id,
            channel=event.channel,
            sheet=event.sheet,
            by=event.by,
            receipt=receipt_code(precinct.id, event.sheet),
            source="app export" if event.channel is Channel.APP else "",
            caller=Caller(precinct.chair, precinct.phone, "PIN") if phone else Caller(),
            replaces=None if old is None else old.id,
            sentence=f"{event.by} keyed the {event.channel} report of {place(precinct)}",
        )
    )


def _rule(unit: WriteUnit, precinct: Precinct, event: Ruled, standing: Standing) -> None:
    reports = standing[precinct.id]
    unit.add_ruling(
        precinct.id,
        reports[event.takes].sheet,
        seen_report=max(report.id for report in reports.values()),
        by=event.by,
        reason=event.reason,
        sentence=f"{event.by} ruled on {place(precinct)}: {event.reason}",
    )


def _acknowledge(unit: WriteUnit, precinct: Precinct, event: Acked, standing: Standing) -> None:
    unit.acknowledge(
        precinct.id,
        event.finding,
        standing[precinct.id][Channel.PAPER].sheet.bound_to(event.finding),
        by=event.by,
        reason=event.reason,
        at_desk=False,
        sentence=f"{event.by} acknowledged {event.finding} of {place(precinct)}: {event.reason}",
    )


def _late_csv(rules: RuleSet, night: Night) -> str:
    """App results in long form, as `load` reads them."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(
        (
            "precinct_id",
            "candidate",
            "first_alignment",
            "final_alignment",
            "county_delegates",
            "attendance",
            "chance",
        )
    )
    for precinct_id, sheet in night.late.items():
        games = [f"{'|'.join(game.groups)}>{'|'.join(game.winners)}" for game in sheet.chance]
        for number, row in enumerate(sheet.in_order(rules.keys).groups):
            counts = [row.count(column) or 0 for column in COLUMNS]
            extra = [sheet.attendance, ";".join(games)] if number == 0 else ["", ""]
            writer.writerow([precinct_id, row.group, *counts, *extra])
    return text.getvalue()
