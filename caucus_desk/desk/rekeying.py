"""Keying again what a reviewer sent back: only the fields that differ, blank, the rest as it was keyed.

Whoever keys again is told which fields, and no other channel's numbers. Who typed the rest of the sheet
counts as having typed in it.
"""

from collections.abc import Mapping

from caucus_desk.desk.guards import EmptyBoxes
from caucus_desk.desk.heads import heads_of
from caucus_desk.desk.two_people import Barred, keyed
from caucus_desk.desk.wording import clock, listed, place
from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.store.records import DraftRecord
from caucus_desk.store.units import ReadUnit, WriteUnit
from caucus_desk.tally.errand import Errand, ErrandKind
from caucus_desk.tally.form import field_label, form_of, texts_of
from caucus_desk.tally.report import Channel, Report
from caucus_desk.tally.roster import Precinct
from caucus_desk.tally.sheet import ResultSheet


def asked_again(unit: ReadUnit, precinct_id: str, channel: Channel) -> Errand | None:
    """The open errand to key this channel's sheet again, if there is one."""
    for errand in unit.open_errands([precinct_id]):
        if errand.kind is ErrandKind.REKEY and errand.channel is channel:
            return errand
    return None


def start_fields(unit: ReadUnit, rules: RuleSet, draft: DraftRecord) -> Mapping[str, str]:
    """What the boxes hold at first: the sheet as it was keyed, but for what is asked for again. Empty where
    the draft answers no errand."""
    errand = _of(unit, draft)
    report = None if errand is None else _basis(unit, draft)
    return {} if errand is None or report is None else _kept(rules, errand, report)


def must_be_filled(unit: ReadUnit, draft: DraftRecord) -> tuple[str, ...]:
    """Paths of the fields without which a sheet that was sent back is not finished."""
    errand = _of(unit, draft)
    return () if errand is None else errand.fields


def begun(unit: WriteUnit, rules: RuleSet, draft: DraftRecord) -> DraftRecord:
    """A draft that has just been begun; where its sheet was sent back, tied to the errand and filled."""
    errand = asked_again(unit, draft.precinct_id, draft.channel)
    if errand is None or draft.channel not in heads_of(unit, draft.precinct_id):
        return draft
    report = _basis(unit, draft)
    if report is None:
        return unit.begin_rekeying(draft.id, errand.id, {}, (draft.by,))
    # Whoever begins it sees the rest of the sheet, so they too count as having typed in it.
    typists = (report.by, *unit.typists([draft.precinct_id]).get(report.id, ()), draft.by)
    return unit.begin_rekeying(draft.id, errand.id, _kept(rules, errand, report), typists)


def _kept(rules: RuleSet, errand: Errand, report: Report) -> dict[str, str]:
    texts = texts_of(form_of(rules, report.channel), report.sheet)
    return {path: text for path, text in texts.items() if path not in errand.fields}


def note_again(unit: ReadUnit, rules: RuleSet, draft: DraftRecord) -> str:
    """What whoever keys again must know; empty where the draft answers no open errand."""
    errand = _of(unit, draft)
    if errand is None or not errand.open:
        return ""
    names = listed([field_label(rules, path) for path in errand.fields])
    said = f": “{errand.note}”" if errand.note else ""
    told = (
        f"{errand.by} sent this {draft.channel} sheet back at {clock(errand.at)}{said}. Key again: {names}. "
    )
    if _basis(unit, draft) is None:
        return told + "Key the whole sheet: one person keyed it and another channel's too."
    return told + "The other boxes are as they were keyed."


def not_fallen(unit: ReadUnit, precinct: Precinct, draft: DraftRecord) -> None:
    """Raises Barred where the errand that a draft answers has ended meanwhile."""
    errand = _of(unit, draft)
    if errand is None or errand.ended is None:
        return
    raise Barred(
        f"Keying {place(precinct)} again is no longer needed: the errand ended at "
        f"{clock(errand.ended.at)} ({errand.ended.outcome}). Nothing was saved; discard this sheet."
    )


def all_filled(unit: ReadUnit, rules: RuleSet, draft: DraftRecord, sheet: ResultSheet) -> None:
    """Raises EmptyBoxes while a field that was asked for again is blank."""
    blank = {path for path in must_be_filled(unit, draft) if sheet.count(path) is None}
    if not blank:
        return
    paths = tuple(entry.path for entry in form_of(rules).counts if entry.path in blank)
    names = listed([field_label(rules, path) for path in paths])
    raise EmptyBoxes(
        f"{names} {'is' if len(paths) == 1 else 'are'} asked for again and still empty. Key what the sheet "
        "says; 0 where it says nobody.",
        paths,
    )


def reason_again(unit: ReadUnit, rules: RuleSet, draft: DraftRecord) -> str:
    """Why the new report takes the place of the old one; empty where the draft answers no errand."""
    errand = _of(unit, draft)
    if errand is None:
        return ""
    names = listed([field_label(rules, path) for path in errand.fields])
    said = errand.note or f"key {names} again"
    return f"sent back by {errand.by}: {said}"


def keyed_again(
    unit: WriteUnit, precinct: Precinct, draft: DraftRecord, old: Report | None, new: Report
) -> None:
    """Ends the errand that a submitted draft answers."""
    errand = _of(unit, draft)
    if errand is None or errand.ended is not None:
        return
    same = old is not None and all(old.sheet.count(p) == new.sheet.count(p) for p in errand.fields)
    outcome = "keyed again: the same figures" if same else "keyed again: other figures"
    sentence = f"{new.by} keyed the {draft.channel} sheet of {place(precinct)} again as {errand.by} asked: "
    sentence += outcome.partition(": ")[2]
    unit.end_errand(errand, outcome=outcome, by=new.by, sentence=sentence)


def _of(unit: ReadUnit, draft: DraftRecord) -> Errand | None:
    return None if draft.errand_id is None else unit.errand(draft.errand_id)


def _basis(unit: ReadUnit, draft: DraftRecord) -> Report | None:
    """The report whose sheet is keyed again. None where whoever had a hand in it keyed another channel's
    too, in another store: then nothing of it is kept, and the whole sheet is keyed."""
    typists = unit.typists([draft.precinct_id])
    for report in heads_of(unit, draft.precinct_id).get(draft.channel, ()):
        hands = (report.by, *typists.get(report.id, ()))
        if keyed(unit, draft.precinct_id, hands, but=draft.channel) is None:
            return report
    return None
