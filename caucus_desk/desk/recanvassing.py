"""What a recanvass found: compared with what was released, taken where somebody decides so, and told of in
the next release."""

from collections.abc import Iterable

from caucus_desk.desk.again import again
from caucus_desk.desk.claiming import not_another_s
from caucus_desk.desk.guards import WORDLESS, electing, in_words, remember
from caucus_desk.desk.naming import clean_name, clean_text, same_person
from caucus_desk.desk.people import allow
from caucus_desk.desk.recanvass import of_number
from caucus_desk.desk.releases import overview_of, record_of
from caucus_desk.desk.roles import Job
from caucus_desk.desk.session import Desk
from caucus_desk.desk.settling import derive, settle
from caucus_desk.desk.two_people import not_both, not_their_own
from caucus_desk.desk.wording import clock, place
from caucus_desk.rules.errors import Refused
from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.store.records import NewReport
from caucus_desk.store.units import ReadUnit
from caucus_desk.tally.heads import beside, leading, led
from caucus_desk.tally.mismatch import differing_fields
from caucus_desk.tally.overview import Overview
from caucus_desk.tally.recanvass import (
    Account,
    ChosenPrecinct,
    Recanvass,
    RecanvassSheet,
    Taken,
    as_paper,
    compare_sheets,
)
from caucus_desk.tally.receipt import receipt_code
from caucus_desk.tally.report import Channel
from caucus_desk.tally.results import Counting
from caucus_desk.tally.sheet import ResultSheet
from caucus_desk.tally.state import standing

__all__ = ["account", "accounts_now", "accounts_of_release", "take_as_correction", "told_in"]


def account(desk: Desk, number: int) -> Account:
    """The recanvass with everything that is keyed, compared. On a whole state it takes a second, so it is
    not for the window's own thread."""
    with desk.store.read() as unit:
        one = of_number(unit, number)
    return _accounts(desk, (one,))[0]


def accounts_now(desk: Desk) -> tuple[Account, ...]:
    """Every recanvass and recount, oldest first."""
    with desk.store.read() as unit:
        every = unit.recanvasses()
    return _accounts(desk, every)


def told_in(desk: Desk, number: int) -> tuple[Recanvass, ...]:
    """Those that ended since the release before, or were still open when release `number` was made, as
    they stood then. What is said of a release never changes."""
    with desk.store.read() as unit:
        made = record_of(unit, number)
        before = max((one.seq for one in unit.releases() if one.seq < made.seq), default=0)
        every = unit.recanvasses()
    return tuple(
        one.as_of(made.seq)
        for one in every
        if one.seq < made.seq and (one.end is None or one.end.seq > before)
    )


def accounts_of_release(desk: Desk, number: int) -> tuple[Account, ...]:
    """The same with what they found: for the release's workbook."""
    told = told_in(desk, number)
    if not told:
        return ()
    with desk.store.read() as unit:
        made = record_of(unit, number)
    return _accounts(desk, told, made.seq)


def _accounts(desk: Desk, every: Iterable[Recanvass], until: int | None = None) -> tuple[Account, ...]:
    found = []
    bases: dict[int | None, tuple[Overview, Counting]] = {}
    for one in every:
        if one.release not in bases:
            bases[one.release] = _basis(desk, one.release)
        overview, counting = bases[one.release]
        with desk.store.read() as unit:
            keyed = _keyed(desk.rules, unit, one, overview)
            taken = {id: done for id, done in _taken(unit, one).items() if until is None or done.seq <= until}
        places = {id: desk.precinct(id) for id in one.ids}
        found.append(Account(one, compare_sheets(overview, counting, one.kind, keyed), taken, places))
    return tuple(found)


def _basis(desk: Desk, release: int | None) -> tuple[Overview, Counting]:
    if release is None:
        return desk.overview(), Counting.REPORTED
    with desk.store.read() as unit:
        counting = Counting(record_of(unit, release).counting)
        overview, _ = overview_of(unit, unit.frozen(release))
    return overview, counting


def _keyed(
    rules: RuleSet, unit: ReadUnit, one: Recanvass, overview: Overview
) -> list[tuple[RecanvassSheet, ResultSheet]]:
    """What is keyed, with what it is compared with, in the order in which the precincts were chosen."""
    done = one.standing()
    pairs = []
    for chosen in one.chosen:
        sheet = done.get(chosen.id)
        if sheet is None:
            continue
        before = (
            overview.results[chosen.id].standing.sheet if chosen.released else _stood(rules, unit, chosen)
        )
        assert before is not None, "a precinct without a sheet is not chosen"
        pairs.append((sheet, before))
    return pairs


def _stood(rules: RuleSet, unit: ReadUnit, chosen: ChosenPrecinct) -> ResultSheet | None:
    if chosen.ruling is not None:
        stored = unit.ruling(chosen.ruling)
        return None if stored is None else stored.ruling.sheet
    known = led(stored.report for stored in unit.history(chosen.id) if stored.report.id in chosen.reports)
    return standing(leading(known), None, rules.keys, rules.verifying_pairs, beside(known)).sheet


def source_of(sheet: RecanvassSheet) -> str:
    """How a report names the recanvass sheet that it was taken from."""
    return f"recanvass sheet {sheet.id}"


def _taken(unit: ReadUnit, one: Recanvass) -> dict[str, Taken]:
    wanted = {source_of(sheet): sheet.precinct_id for sheet in one.sheets}
    if not wanted:
        return {}
    records = {record.report_id: record for record in unit.correction_records()}
    found = {}
    for id in one.standing():
        for stored in unit.history(id):
            record = records.get(stored.report.id)
            if stored.source in wanted and record is not None:
                report = stored.report
                found[id] = Taken(report.id, record.seq, report.by, report.at, record.reason)
    return found


@again
def take_as_correction(desk: Desk, number: int, precinct_id: str, *, reason: str, by: str) -> Taken:
    """Makes what was keyed again the precinct's paper report, as an open correction; saved when this returns.

    Whether it then counts is decided as for every report: where another channel says something else, review
    rules. Refused for whoever keyed it again, or keyed or is keying a report of the precinct; and where the
    paper report says the same already.
    """
    by = clean_name(by)
    reason = clean_text(reason)
    precinct = electing(desk, precinct_id)
    where = place(precinct)
    try:
        with desk.store.write() as unit:
            allow(desk, unit, by, Job.REVIEW)
            allow(desk, unit, by, Job.CORRECT)
            one = of_number(unit, number)
            keyed = one.standing().get(precinct_id)
            if keyed is None:
                raise Refused(
                    f"{where} is not keyed again in {one.name.lower()}, so there is nothing to take."
                )
            if not in_words(reason):
                raise Refused(WORDLESS)
            if same_person(keyed.by, by):
                raise Refused(f"{keyed.by} keyed {where} again: another person must decide that it is taken.")
            not_their_own(unit, precinct, by)
            not_another_s(unit, precinct, by)
            _not_taken(unit, precinct_id, keyed)
            result = derive(unit, desk.rules, [precinct_id], desk.precincts)[precinct_id]
            old = result.reports.get(Channel.PAPER)
            base = old.sheet if old is not None else result.standing.sheet
            sheet = keyed.sheet if base is None else as_paper(one.kind, keyed.sheet, base)
            papers = [report.sheet for report in result.heads.values() if report.channel is Channel.PAPER]
            if papers and not any(differing_fields(paper, sheet, desk.rules.keys) for paper in papers):
                raise Refused(
                    f"The paper report of {where} says the same already. If something else was released, it "
                    "came from another report or a ruling: look at it in review."
                )
            not_both(unit, precinct, Channel.PAPER, (by, keyed.by))
            because = f"{one.name}, asked for by {one.requested_by}: {reason}"
            told = (
                f"{by} took what {keyed.by} keyed again of {where} for {one.name.lower()} as its paper report"
            )
            if old is not None:
                told += f", in place of {old.by}'s of {clock(old.at)}"
            report = unit.add_report(
                NewReport(
                    precinct_id=precinct_id,
                    channel=Channel.PAPER,
                    sheet=sheet,
                    by=by,
                    receipt=receipt_code(precinct_id, sheet),
                    source=source_of(keyed),
                    typists=(keyed.by,),
                    replaces=None if old is None else old.id,
                    sentence=f"{told}: {reason}",
                )
            )
            unit.add_correction(
                report.id,
                None if old is None else old.id,
                because,
                result.verified,
                by=by,
                precinct_id=precinct_id,
                sentence=f"{by} corrected {where}: {because}",
            )
            settle(unit, desk.rules, [precinct_id])
            return _taken(unit, one)[precinct_id]
    except Refused as refusal:
        remember(desk, refusal, by, precinct_id)
        raise


def _not_taken(unit: ReadUnit, precinct_id: str, keyed: RecanvassSheet) -> None:
    for stored in unit.history(precinct_id):
        if stored.source == source_of(keyed) and not stored.withdrawn:
            raise Refused(
                f"{stored.report.by} took this sheet as paper report at {clock(stored.report.at)} already."
            )
