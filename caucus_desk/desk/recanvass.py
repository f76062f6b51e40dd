"""Recanvasses and recounts: opened for a stated reason, keyed again by fresh eyes, ended with an outcome.

Whoever keys again has keyed, typed in, ruled on or looked at nothing of that precinct, and is shown none of
its figures. What is keyed here changes no tally; `recanvassing` compares it, and takes it where somebody
decides so.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from caucus_desk.desk.again import again
from caucus_desk.desk.guards import WORDLESS, EmptyBoxes, electing, filled, in_words, remember
from caucus_desk.desk.naming import clean_name, clean_text, folded, same_person
from caucus_desk.desk.people import allow, require
from caucus_desk.desk.roles import Job
from caucus_desk.desk.session import Desk
from caucus_desk.desk.settling import derive
from caucus_desk.desk.sheetcheck import findings_of
from caucus_desk.desk.two_people import Barred, not_looked
from caucus_desk.desk.wording import clock, place
from caucus_desk.exchange.problems import BadInput
from caucus_desk.exchange.results import read_results
from caucus_desk.rules.errors import Refused
from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.store.units import ReadUnit, WriteUnit
from caucus_desk.tally.bounds import outlook
from caucus_desk.tally.finding import Severity
from caucus_desk.tally.progress import Progress as Tell
from caucus_desk.tally.recanvass import (
    CARDS,
    ChosenPrecinct,
    Recanvass,
    RecanvassKind,
    RecanvassSheet,
    card_remarks,
    cards_of,
)
from caucus_desk.tally.results import Counting
from caucus_desk.tally.roster import Precinct
from caucus_desk.tally.sheet import Column, ResultSheet

__all__ = [
    "NeedsNote",
    "Recanvass",
    "RecanvassKind",
    "RecanvassSheet",
    "cautions",
    "deadline_of",
    "end_recanvass",
    "key_again",
    "load_again",
    "of_county",
    "open_recanvass",
    "recanvass",
    "recanvasses",
    "ten_that_matter",
    "who_may_not",
]

TEN = 10


class NeedsNote(Refused):
    """The sheet cannot be right as it is keyed, or another one stands already: a note in words is needed.
    `remarks` are the sentences."""

    def __init__(self, sentence: str, remarks: tuple[str, ...]) -> None:
        super().__init__(sentence)
        self.remarks = remarks


def recanvasses(desk: Desk) -> tuple[Recanvass, ...]:
    """Every recanvass and recount, oldest first."""
    with desk.store.read() as unit:
        return unit.recanvasses()


def recanvass(desk: Desk, number: int) -> Recanvass:
    """Refused where there is none of this number."""
    with desk.store.read() as unit:
        return of_number(unit, number)


def of_number(unit: ReadUnit, number: int) -> Recanvass:
    made = unit.recanvasses()
    if 1 <= number <= len(made):
        return made[number - 1]
    if not made:
        raise Refused(
            "No recanvass was opened yet. A lead opens one.",
            typed="No recanvass was opened yet. A lead opens one with `recanvass open`.",
        )
    raise Refused(f"There is no recanvass {number}. The newest is {made[-1].number}.")


def of_county(desk: Desk, county: str) -> tuple[str, ...]:
    """Every precinct of a county that elects. Refused where there is no such county."""
    found = tuple(
        id for id, one in desk.precincts.items() if folded(one.county) == folded(county) and not one.merged
    )
    if not found:
        raise Refused(f"There is no county {county.strip() or 'without a name'} in this caucus.")
    return found


def ten_that_matter(desk: Desk, counting: Counting = Counting.REPORTED) -> tuple[str, ...]:
    """Of what is in, the precincts that could take most from the leader's lead, the most first."""
    overview = desk.overview()
    reporting = {id for id, result in overview.results.items() if result.reporting}
    found = outlook(overview, counting, chosen=reporting).swings()
    return tuple(one.open.precinct.id for one in found if one.open.precinct.id in reporting)[:TEN]


def deadline_of(text: str) -> datetime:
    """`2020-02-10 12:00`, or a date alone for its end, in local time; UTC where it says so. Refused else."""
    given = text.strip()
    try:
        at = datetime.fromisoformat(given)
    except ValueError:
        raise Refused(
            f"{given or 'Nothing'} is no deadline. Write the day and the time, such as 2020-02-10 12:00."
        ) from None
    if len(given) <= len("2020-02-10"):
        at = at.replace(hour=23, minute=59)
    return at.astimezone(UTC)


@again
def open_recanvass(
    desk: Desk,
    kind: RecanvassKind,
    precinct_ids: Iterable[str],
    *,
    requested_by: str,
    reason: str,
    deadline: datetime,
    by: str,
) -> Recanvass:
    """Opens it on the newest release; where that has no sheet of a precinct, on what stands there now.

    `requested_by` is the campaign that asked, `deadline` the time by which its result is due. Refused for a
    precinct of which nothing is in, or that another open one of the same kind has.
    """
    by = clean_name(by)
    asked, why = clean_text(requested_by, "name", 80), clean_text(reason)
    ids = tuple(dict.fromkeys(precinct_ids))
    for id in ids:
        electing(desk, id)
    try:
        with desk.store.write() as unit:
            allow(desk, unit, by, Job.RECANVASS)
            if not ids:
                raise Refused("Choose the precincts: by their ids, by a county, or the ten that matter most.")
            if not asked:
                raise Refused("Say which campaign asked for it.")
            if not in_words(why):
                raise Refused(WORDLESS)
            _not_open_already(unit, desk, kind, ids)
            made = unit.releases()
            release = made[-1].number if made else None
            chosen = _chosen(desk, unit, ids, release)
            what = f"{by} opened a {kind} of {_some(desk, ids)}, asked for by {asked}, "
            what += f"due {clock(deadline)}: {why}"
            number = unit.open_recanvass(
                kind,
                release=release,
                requested_by=asked,
                reason=why,
                deadline=deadline,
                chosen=chosen,
                by=by,
                sentence=what,
            )
    except Refused as refusal:
        remember(desk, refusal, by, None)
        raise
    return recanvass(desk, number)


def cautions(one: Recanvass, others: Iterable[Recanvass]) -> tuple[str, ...]:
    """What a party's rules may say against it; it is for the lead to decide."""
    said = []
    if one.kind is RecanvassKind.RECOUNT:
        before = {
            id
            for other in others
            if other.kind is RecanvassKind.RECANVASS and other.number < one.number
            for id in other.ids
        }
        outside = [id for id in one.ids if id not in before]
        if outside:
            are = "1 precinct was" if len(outside) == 1 else f"{len(outside):,} precincts were"
            said.append(
                f"{are} in no recanvass before. In Iowa a recount comes after a recanvass and stays within "
                "its precincts."
            )
    if one.release is None:
        said.append("There is no release yet: it is compared with what stood when it was opened.")
    if one.deadline <= one.at:
        said.append("Its deadline had passed already when it was opened.")
    return tuple(said)


def who_may_not(desk: Desk, number: int, by: str) -> dict[str, str]:
    """By precinct: why `by` must not key it; the others of the recanvass they may. Empty names none."""
    found = {}
    with desk.store.read() as unit:
        every = unit.recanvasses()
        for id in of_number(unit, number).ids:
            try:
                _fresh_eyes(unit, every, desk.precinct(id), by)
            except Barred as barred:
                found[id] = barred.sentence
    return found


@again
def key_again(
    desk: Desk, number: int, precinct_id: str, sheet: ResultSheet, *, by: str, note: str = ""
) -> RecanvassSheet:
    """Keeps what the worksheet or the cards say; saved when this returns. The tally stays as it is.

    `Barred` for whoever keyed, typed in, ruled on or looked at anything of the precinct, or keyed it again
    before. Refused after the end; `EmptyBoxes` for a box that must not be empty; `NeedsNote`, without a note
    in words, for a sheet that cannot be right or a precinct that is keyed already.
    """
    by = clean_name(by)
    note = clean_text(note, "note")
    try:
        with desk.store.write() as unit:
            allow(desk, unit, by, Job.KEY)
            one = of_number(unit, number)
            return _keep(desk, unit, one, precinct_id, sheet, by, note)
    except (EmptyBoxes, NeedsNote):
        raise  # said while the sheet is still being keyed; nothing to remember
    except Refused as refusal:
        remember(desk, refusal, by, precinct_id if precinct_id in desk.precincts else None)
        raise


@again
def load_again(
    desk: Desk, number: int, path: Path, *, by: str, note: str = "", progress: Tell | None = None
) -> tuple[RecanvassSheet, ...]:
    """A results file with what was keyed again, all of it or nothing. In that of a recount the column
    `attendance` holds the cards counted."""
    by = clean_name(by)
    note = clean_text(note, "note")
    require(desk, by, Job.KEY)
    kind = recanvass(desk, number).kind
    read = read_results(path, desk.rules, desk.precincts, progress)
    if read.problems:
        raise BadInput(path.name, read.problems)
    if not read.sheets:
        raise Refused(f"{path.name} has no figures in it.")
    where: str | None = None
    try:
        with desk.store.write() as unit:
            allow(desk, unit, by, Job.KEY)
            kept = []
            for loaded in read.sheets:
                where = loaded.precinct_id
                one = of_number(unit, number)
                sheet = _from_file(kind, loaded.sheet)
                kept.append(_keep(desk, unit, one, where, sheet, by, note))
            return tuple(kept)
    except Refused as refusal:
        remember(desk, refusal, by, where)
        raise


@again
def end_recanvass(desk: Desk, number: int, *, outcome: str, by: str) -> Recanvass:
    """Says in words how it ended, also where not everything was keyed. Refused where it has ended."""
    by = clean_name(by)
    outcome = clean_text(outcome, "outcome")
    try:
        with desk.store.write() as unit:
            allow(desk, unit, by, Job.RECANVASS)
            one = of_number(unit, number)
            _not_ended(one)
            if not in_words(outcome):
                raise Refused("Say in words how it ended: what was found, and what follows.")
            left = f" ({len(one.left):,} of {len(one.ids):,} precincts not keyed)" if one.left else ""
            unit.end_recanvass(
                one, outcome=outcome, by=by, sentence=f"{by} ended {one.name.lower()}{left}: {outcome}"
            )
    except Refused as refusal:
        remember(desk, refusal, by, None)
        raise
    return recanvass(desk, number)


# ---- what must hold ----


def _keep(
    desk: Desk, unit: WriteUnit, one: Recanvass, precinct_id: str, sheet: ResultSheet, by: str, note: str
) -> RecanvassSheet:
    precinct = electing(desk, precinct_id)
    where = place(precinct)
    _not_ended(one)
    if precinct_id not in one.ids:
        raise Refused(f"{where} is not in {one.name.lower()}.")
    _fresh_eyes(unit, unit.recanvasses(), precinct, by)
    _whole(desk, one.kind, precinct, sheet)
    before = one.standing().get(precinct_id)
    remarks = remarks_on(desk.rules, one.kind, precinct, sheet)
    if before is not None:
        remarks = (f"{before.by} keyed {where} at {clock(before.at)} already.", *remarks)
    if remarks and not in_words(note):
        raise NeedsNote(
            f"{' '.join(remarks)} Look at the {one.kind.source} again; if it is so, say so in a note.",
            remarks,
        )
    told = f"{by} keyed {where} again for {one.name.lower()}"
    if before is not None:
        told += f", in place of {before.by}'s of {clock(before.at)}"
    return unit.add_recanvass_sheet(
        one, precinct_id, sheet, note=note, by=by, sentence=told + (f" ({note})" if note else "")
    )


def remarks_on(
    rules: RuleSet, kind: RecanvassKind, precinct: Precinct, sheet: ResultSheet
) -> tuple[str, ...]:
    """What cannot be right on this sheet by itself, in sentences."""
    if kind is RecanvassKind.RECOUNT:
        return card_remarks(sheet, precinct)
    found = findings_of(rules, precinct, sheet)
    return tuple(dict.fromkeys(finding.message for finding in found if finding.severity is Severity.ERROR))


def _fresh_eyes(unit: ReadUnit, every: Iterable[Recanvass], precinct: Precinct, by: str) -> None:
    where = place(precinct)
    typists = unit.typists([precinct.id])
    for stored in unit.history(precinct.id):
        report = stored.report
        for name in (report.by, *typists.get(report.id, ())):
            if same_person(name, by):
                did = "keyed" if name == report.by else "typed in"
                raise Barred(
                    f"{name} {did} a {report.channel} report of {where}: someone who keyed neither report "
                    "must key it again."
                )
    not_looked(unit, precinct, by)
    for one in every:
        for sheet in one.sheets:
            if sheet.precinct_id == precinct.id and same_person(sheet.by, by):
                raise Barred(
                    f"{sheet.by} keyed {where} for {one.name.lower()} at {clock(sheet.at)}: another person "
                    "must key it."
                )


def _whole(desk: Desk, kind: RecanvassKind, precinct: Precinct, sheet: ResultSheet) -> None:
    if kind is RecanvassKind.RECANVASS:
        filled(desk, precinct, sheet)
        return
    cards, _ = cards_of(sheet)
    if cards is None:
        raise EmptyBoxes("How many cards were counted? Blank is not zero: type 0 only if it is 0.", (CARDS,))
    if not cards:
        return
    empty = [column for column in (Column.FINAL, Column.DELEGATES) if not sheet.states(column)]
    if empty:
        paths = tuple(f"{key}.{empty[0]}" for key in desk.rules.keys)
        what = "the final alignment" if empty[0] is Column.FINAL else "the delegates"
        raise EmptyBoxes(f"Nothing is typed of {what} by the cards. 0 for a group that has none.", paths)


def _from_file(kind: RecanvassKind, sheet: ResultSheet) -> ResultSheet:
    if kind is RecanvassKind.RECANVASS:
        return sheet
    return ResultSheet(None, sheet.groups, ((CARDS, sheet.attendance),))


def _not_ended(one: Recanvass) -> None:
    if one.end is not None:
        raise Refused(
            f"{one.name} ended at {clock(one.end.at)}, by {one.end.by}: {one.end.outcome}. Open another one "
            "if more is to be done."
        )


def _not_open_already(unit: ReadUnit, desk: Desk, kind: RecanvassKind, ids: Collection[str]) -> None:
    for other in unit.recanvasses():
        if other.kind is not kind or other.end is not None:
            continue
        both = [id for id in other.ids if id in ids]
        if both:
            raise Refused(
                f"{_some(desk, both)} {'is' if len(both) == 1 else 'are'} in {other.name.lower()} already, "
                f"which {other.requested_by} asked for and which is not ended."
            )


def _chosen(
    desk: Desk, unit: ReadUnit, ids: Sequence[str], release: int | None
) -> tuple[ChosenPrecinct, ...]:
    """What each precinct is compared with: what the release says, else what stands at this moment."""
    released = set()
    if release is not None:
        released = {id for id, one in unit.frozen(release).precincts.items() if one.fingerprint}
    stands = derive(unit, desk.rules, [id for id in ids if id not in released], desk.precincts)
    chosen = []
    for id in ids:
        if id in released:
            chosen.append(ChosenPrecinct(id))
            continue
        result = stands[id]
        if result.standing.sheet is None:
            raise Refused(
                f"Nothing is in of {place(desk.precinct(id))} ({id}), so there is nothing to compare it with."
            )
        ruling = result.standing.ruling
        chosen.append(
            ChosenPrecinct(id, ruling=ruling.id)
            if ruling is not None
            else ChosenPrecinct(id, tuple(sorted(one.id for one in result.heads.values())))
        )
    return tuple(chosen)


def _some(desk: Desk, ids: Sequence[str]) -> str:
    if len(ids) == 1:
        return f"{place(desk.precinct(ids[0]))} ({ids[0]})"
    return f"{len(ids):,} precincts ({', '.join(ids[:6])}{' ...' if len(ids) > 6 else ''})"
