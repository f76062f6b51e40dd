"""Sending a case back: to a clerk who keys some fields again, to a call-back list, to the paper chase."""

import re
from collections.abc import Collection, Iterable, Mapping

from caucus_desk.desk.again import again
from caucus_desk.desk.claiming import not_another_s, released
from caucus_desk.desk.guards import electing, remember
from caucus_desk.desk.naming import clean_name, clean_text
from caucus_desk.desk.people import allow
from caucus_desk.desk.roles import Job
from caucus_desk.desk.session import Desk
from caucus_desk.desk.settling import derive
from caucus_desk.desk.two_people import not_their_own
from caucus_desk.desk.wording import clock, listed, place
from caucus_desk.rules.errors import Refused
from caucus_desk.store.units import ReadUnit, WriteUnit
from caucus_desk.tally.errand import Errand, ErrandEnd, ErrandKind
from caucus_desk.tally.form import field_label, form_of
from caucus_desk.tally.report import Channel, HeadKey, Report
from caucus_desk.tally.results import PrecinctResult
from caucus_desk.tally.state import State

__all__ = ["Errand", "ErrandEnd", "ErrandKind", "end_errand", "end_errands", "errands", "send_back"]

_WHAT: Mapping[ErrandKind, str] = {
    ErrandKind.REKEY: "to a clerk",
    ErrandKind.CALL_BACK: "to the call-back list",
    ErrandKind.FETCH: "to the paper chase",
}

_SEPARATORS = re.compile(r"(?<=\d)[,.'\u2019\u00a0\u202f ](?=\d{3}(?!\d))")
"""Between the thousands of a figure."""

_KEYED_THEN: Mapping[ErrandKind, Channel] = {
    ErrandKind.REKEY: Channel.PAPER,
    ErrandKind.CALL_BACK: Channel.PHONE,
    ErrandKind.FETCH: Channel.PAPER,
}
"""Whose sheet is keyed when the errand is done, by somebody who has read its note."""


def errands(
    desk: Desk,
    *,
    open_only: bool = True,
    kind: ErrandKind | str | None = None,
    precinct_id: str | None = None,
) -> tuple[Errand, ...]:
    """Errands, oldest first; those that are still to be done unless `open_only` is False."""
    with desk.store.read() as unit:
        found = unit.open_errands() if open_only else unit.errands()
    return tuple(
        one
        for one in found
        if (kind is None or one.kind == kind) and (precinct_id is None or one.precinct_id == precinct_id)
    )


@again
def send_back(
    desk: Desk,
    precinct_id: str,
    kind: ErrandKind | str,
    *,
    channel: Channel | str | None = None,
    fields: Collection[str] = (),
    note: str = "",
    by: str,
) -> Errand:
    """Sends a precinct back, so that something is done before it is decided; saved when this returns.

    `rekey` needs the `channel` whose sheet is keyed again; without `fields` every field that differs is
    asked for. The clerk sees which fields, with `note`, and not what another channel says: a note that
    tells one of those numbers is refused. Refused also for whoever keyed a report of the precinct, while
    another reviewer has the case, where the same errand is open already, while the sheet is being keyed,
    and for a precinct that is verified or ruled on.
    """
    by = clean_name(by)
    note = clean_text(note, "note")
    what = _kind(kind)
    precinct = electing(desk, precinct_id)
    try:
        with desk.store.write() as unit:
            allow(desk, unit, by, Job.REVIEW)
            result = derive(unit, desk.rules, [precinct_id], desk.precincts)[precinct_id]
            not_their_own(unit, precinct, by)
            not_another_s(unit, precinct, by)
            _undecided(result)
            whose = Channel(channel) if channel is not None and what is ErrandKind.REKEY else None
            paths = _asked(desk, result, whose, fields) if what is ErrandKind.REKEY else ()
            _not_open_already(unit, result, what, whose)
            if whose is not None:
                _not_being_keyed(unit, result, whose)
            _tells_nothing(desk, result, whose or _KEYED_THEN[what], paths, note)
            sentence = f"{by} sent {place(precinct)} back {_WHAT[what]}"
            if whose is not None:
                names = listed([field_label(desk.rules, path) for path in paths])
                sentence += f": {names} of the {whose} sheet to be keyed again"
            errand = unit.add_errand(
                precinct_id,
                what,
                channel=whose,
                fields=paths,
                note=note,
                by=by,
                sentence=sentence + (f" ({note})" if note else ""),
            )
            released(unit, precinct_id, by)
            return errand
    except Refused as refusal:
        remember(desk, refusal, by, precinct_id)
        raise


@again
def end_errand(desk: Desk, errand_id: int, *, outcome: str, by: str) -> Errand:
    """Somebody did it, or gave it up: `outcome` says which, in words. Refused where it has ended already."""
    by = clean_name(by)
    outcome = clean_text(outcome, "outcome")
    if not outcome:
        raise Refused("Say how the errand ended.")
    with desk.store.write() as unit:
        allow(desk, unit, by, Job.CHASE)
        errand = unit.errand(errand_id)
        if errand is None:
            raise Refused(f"There is no errand {errand_id}.")
        if errand.ended is not None:
            ended = errand.ended
            raise Refused(f"This errand ended at {clock(ended.at)}, by {ended.by}: {ended.outcome}.")
        _end(desk, unit, errand, outcome, by)
        found = unit.errand(errand_id)
    assert found is not None
    return found


def end_errands(
    desk: Desk, unit: WriteUnit, precinct_id: str, kind: ErrandKind, *, outcome: str, by: str
) -> None:
    """Ends every open errand of one kind in the caller's own transaction: what it asked for has come."""
    for errand in unit.open_errands([precinct_id]):
        if errand.kind is kind:
            _end(desk, unit, errand, outcome, by)


def _end(desk: Desk, unit: WriteUnit, errand: Errand, outcome: str, by: str) -> None:
    where = place(desk.precinct(errand.precinct_id))
    unit.end_errand(
        errand, outcome=outcome, by=by, sentence=f"{by} ended the errand about {where}: {outcome}"
    )


def _kind(kind: ErrandKind | str) -> ErrandKind:
    try:
        return ErrandKind(kind)
    except ValueError:
        known = ", ".join(ErrandKind)
        raise Refused(f"{kind!r} is no errand. There are: {known}.") from None


def _undecided(result: PrecinctResult) -> None:
    where = place(result.precinct)
    ruling = result.standing.ruling
    if ruling is not None:
        raise Refused(
            f"{ruling.by} ruled on {where} at {clock(ruling.at)}. Withdraw that ruling first, with a reason."
        )
    if result.verified:
        raise Refused(f"{where} is verified: there is nothing to send back.")
    if result.standing.state is State.AWAITING:
        raise Refused(f"{where} has no report yet: there is nothing to send back.")


def _asked(
    desk: Desk, result: PrecinctResult, channel: Channel | None, fields: Iterable[str]
) -> tuple[str, ...]:
    if channel is None:
        raise Refused("Say which sheet is to be keyed again: phone, paper or app.")
    where = place(result.precinct)
    report = result.reports.get(channel)
    if report is None:
        raise Refused(f"There is no {channel} report of {where}, so it cannot be keyed again.")
    wanted = set(fields)
    order = [entry.path for entry in form_of(desk.rules).counts]
    strange = sorted(wanted - set(order))
    if strange:
        raise Refused(f"{strange[0]} is no field of this caucus's sheet.")
    wanted = wanted or {mismatch.field for mismatch in result.mismatches if channel in mismatch.values}
    if not wanted:
        raise Refused(f"Nothing differs in {where}: name the fields that are to be keyed again.")
    return tuple(path for path in order if path in wanted)


def _not_open_already(
    unit: ReadUnit, result: PrecinctResult, kind: ErrandKind, channel: Channel | None
) -> None:
    for errand in unit.open_errands([result.precinct.id]):
        if errand.kind is kind and errand.channel is channel:
            raise Refused(
                f"{errand.by} sent {place(result.precinct)} back {_WHAT[kind]} at {clock(errand.at)} already."
            )


def _not_being_keyed(unit: ReadUnit, result: PrecinctResult, channel: Channel) -> None:
    draft = unit.draft_of(result.precinct.id, channel)
    if draft is not None:
        raise Refused(
            f"{draft.by} has the {channel} sheet of {place(result.precinct)} open since "
            f"{clock(draft.since)}. Wait for that report."
        )


def _tells_nothing(
    desk: Desk, result: PrecinctResult, channel: Channel, paths: Collection[str], note: str
) -> None:
    """The note must not tell what another channel says: whoever keys then has to read the sheet.

    `paths` are the fields to be keyed again; without any, those that differ.
    """
    told = {int(number) for number in re.findall(r"\d{1,6}", _SEPARATORS.sub("", note))}
    fields = paths or {mismatch.field for mismatch in result.mismatches}
    own = result.reports.get(channel)
    mine = set() if own is None else {own.sheet.count(path) for path in fields}
    for key, report in result.heads.items():
        if key == channel:
            continue
        for entry in form_of(desk.rules).counts:
            count = report.sheet.count(entry.path) if entry.path in fields else None
            if count in told and count not in mine:
                raise Refused(
                    f"The note tells {count:,}, which the {_named(key, report)} says in "
                    f"{field_label(desk.rules, entry.path)}. Whoever keys then must not know it: leave "
                    "it out."
                )


def _named(key: HeadKey, report: Report) -> str:
    return f"{report.channel} report" if isinstance(key, Channel) else f"other {report.channel} report"
