"""The sample caucus: a full-size night of our own making, half-way through, with every kind of trouble in it.

Numbers, precincts and people are invented and the same at every run; only the counties are Iowa's.
"""

import csv
import hashlib
import io
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from caucus_desk import paths
from caucus_desk.desk.creating import new_caucus, rule_set, rule_set_text
from caucus_desk.desk.invented.events import END, Chased, Happening, Keyed, Night, Rang
from caucus_desk.desk.invented.night import make_night
from caucus_desk.desk.invented.review import WEIGHTY
from caucus_desk.desk.invented.roster import pin_of, roster_csv
from caucus_desk.desk.playing import Player
from caucus_desk.desk.settings import APPROVAL_STAKE
from caucus_desk.desk.settling import settle
from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.store.attachments import Staged, folder_of, staged, take_away
from caucus_desk.store.units import WriteUnit
from caucus_desk.tally.progress import Progress, no_progress
from caucus_desk.tally.sheet import COLUMNS

RULES = "iowa-2020"
NAME = "Sample caucus (invented numbers)"
STORE_NAME = "sample-caucus.sqlite"
ROSTER_NAME = "sample-roster.csv"
LATE_NAME = "sample-late-app-results.csv"
MADE_BY = "sample"
PICTURE = "worksheet.png"
"""Of one mismatched precinct, drawn by tests/tools/draw_sample_worksheet.py."""
_SLOT = timedelta(minutes=3)
_SLOT_EVENTS = 60


def make_sample(
    folder: Path | str, progress: Progress = no_progress, *, ends: datetime | None = None
) -> Path:
    """Makes the sample in `folder` (made if need be); the path of its store.

    The night is the same at every run, and goes on until `ends` (UTC), this minute by default: so what waits
    in it has waited for minutes or hours, as on the night.

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
    ends = ends or datetime.now(UTC).replace(second=0, microsecond=0)
    later = ends - END
    # Hiding a PIN takes a while on purpose, so only those are kept whose chair has still to ring.
    waiting = {precinct.id for precinct in night.roster} - {
        event.precinct_id for event in night.events if isinstance(event, Keyed)
    }
    with _staged_picture(location) as picture:
        new_caucus(
            str(location),
            rules,
            rule_set_text(RULES),
            night.roster,
            by=MADE_BY,
            name=NAME,
            pins=[pin_of(precinct) if precinct.id in waiting else "" for precinct in night.roster],
            then=lambda unit, rules: _play(unit, rules, night, picture, later, progress),
            progress=progress,
        ).close()
    return location


@contextmanager
def _staged_picture(store: Path) -> Iterator[Staged]:
    """The picture's file, to be put in its place with its row; nothing of it stays where no store is made."""
    folder, data = folder_of(store), _picture()
    kept = folder / (hashlib.sha256(data).hexdigest() + Path(PICTURE).suffix)
    there = kept.exists()
    try:
        with staged(folder, data) as picture:
            yield picture
    except BaseException:
        take_away(() if there else (kept,), folder)
        raise


def _free(path: Path) -> Path:
    number = 1
    free = path
    while free.exists():
        number += 1
        free = path.with_name(f"{path.stem}-{number}{path.suffix}")
    return free


def _play(
    unit: WriteUnit, rules: RuleSet, night: Night, picture: Staged, later: timedelta, progress: Progress
) -> None:
    """Writes the night some minutes at a time, so that states follow as they would have."""
    roster = {precinct.id: precinct for precinct in night.roster}
    unit.tell_time(night.events[0].at + later - timedelta(hours=1))
    county = night.control_totals[0].county
    unit.set_control_totals(
        night.control_totals, by=MADE_BY, sentence=f"Totals of {county} county, as its chair stated them"
    )
    unit.set_setting(
        APPROVAL_STAKE,
        str(WEIGHTY),
        by=MADE_BY,
        sentence=f"{MADE_BY} set the stake above which a ruling needs a second person to {WEIGHTY}",
    )
    player = Player(unit, rules, roster, (PICTURE, _picture(), picture), later)
    done = 0
    for slot in _slots(night):
        progress(done, len(night.events), "Keying the reports")
        touched = [event.precinct_id for event in slot if player.play(event)]
        settle(unit, rules, [id for id in dict.fromkeys(touched) if id is not None], roster)
        done += len(slot)
    progress(done, len(night.events), "Keying the reports")


def _slots(night: Night) -> Iterable[list[Happening]]:
    """Events of some minutes together; a decision comes only after what it decides on is settled."""
    slot: list[Happening] = []
    begin: datetime | None = None
    seen: set[str | None] = set()
    for event in night.events:
        plain = isinstance(event, Keyed) and not event.correcting
        again = event.precinct_id in seen and not plain
        full = len(slot) == _SLOT_EVENTS or (begin is not None and event.at - begin > _SLOT)
        if slot and (full or again):
            yield slot
            slot, begin, seen = [], None, set()
        begin = begin or event.at
        slot.append(event)
        if not isinstance(event, Rang | Chased):
            seen.add(event.precinct_id)
    if slot:
        yield slot


def _picture() -> bytes:
    return (paths.resources() / "sample" / PICTURE).read_bytes()


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
