"""Approving a ruling: above a stake one person's decision has no force before a second has looked."""

from caucus_desk.desk.again import again
from caucus_desk.desk.claiming import released
from caucus_desk.desk.guards import remember
from caucus_desk.desk.heads import all_heads, each, heads_of
from caucus_desk.desk.naming import clean_name, same_person
from caucus_desk.desk.people import allow
from caucus_desk.desk.review import withdraw_ruling
from caucus_desk.desk.roles import Job
from caucus_desk.desk.session import Desk
from caucus_desk.desk.settling import settle
from caucus_desk.desk.two_people import not_their_own
from caucus_desk.desk.wording import clock, place
from caucus_desk.rules.errors import Refused
from caucus_desk.store.records import StoredRuling
from caucus_desk.store.units import ReadUnit
from caucus_desk.tally.report import Ruling

__all__ = ["approve", "pending", "refuse_approval"]


def pending(desk: Desk) -> tuple[StoredRuling, ...]:
    """Rulings that wait for a second person, oldest first; not those that a newer report has overtaken."""
    with desk.store.read() as unit:
        return waiting_rulings(unit)


def waiting_rulings(unit: ReadUnit) -> tuple[StoredRuling, ...]:
    waiting = unit.unapproved()
    if not waiting:
        return ()
    places = [stored.ruling.precinct_id for stored in waiting]
    newest = unit.rulings(places)
    reports = all_heads(unit, places)
    return tuple(
        stored
        for stored in waiting
        if newest[stored.ruling.precinct_id].id == stored.ruling.id
        and all(
            report.id <= stored.ruling.seen_report
            for report in each(reports.get(stored.ruling.precinct_id, {}))
        )
    )


@again
def approve(desk: Desk, ruling_id: int, *, by: str) -> Ruling:
    """Gives a pending ruling its force; saved when this returns.

    Refused for whoever ruled, for whoever keyed or typed in a standing report of the precinct, where it
    needs no approval or has one, was withdrawn, and where a newer report has overtaken it.
    """
    by = clean_name(by)
    precinct_id: str | None = None
    try:
        with desk.store.write() as unit:
            allow(desk, unit, by, Job.APPROVE)
            ruling = _waiting(unit, ruling_id)
            precinct_id = ruling.precinct_id
            precinct = desk.precinct(precinct_id)
            where = place(precinct)
            if same_person(ruling.by, by):
                raise Refused(f"{ruling.by} ruled on {where}: another person must approve it.")
            not_their_own(unit, precinct, by)
            newer = [report for report in each(heads_of(unit, precinct_id)) if report.id > ruling.seen_report]
            if newer:
                report = max(newer, key=lambda entry: entry.id)
                raise Refused(
                    f"A newer {report.channel} report of {where} came in at {clock(report.at)}, by "
                    f"{report.by}: the ruling has no force any more. Look at the precinct again."
                )
            unit.approve_ruling(
                ruling, by=by, sentence=f"{by} approved {ruling.by}'s ruling on {where}: {ruling.reason}"
            )
            released(unit, precinct_id, by)
            settle(unit, desk.rules, [precinct_id], desk.precincts)
            approved = unit.ruling(ruling_id)
        assert approved is not None
        return approved.ruling
    except Refused as refusal:
        remember(desk, refusal, by, precinct_id)
        raise


def refuse_approval(desk: Desk, ruling_id: int, *, reason: str, by: str) -> None:
    """The second person does not agree: the ruling is withdrawn and stays on record."""
    with desk.store.read() as unit:
        _waiting(unit, ruling_id)
    withdraw_ruling(desk, ruling_id, reason, by)


def _waiting(unit: ReadUnit, ruling_id: int) -> Ruling:
    stored = unit.ruling(ruling_id)
    if stored is None:
        raise Refused(f"There is no ruling {ruling_id}.")
    if stored.withdrawn_at is not None:
        raise Refused(f"{stored.withdrawn_by} withdrew this ruling at {clock(stored.withdrawn_at)}.")
    ruling = stored.ruling
    if stored.stake is None:
        raise Refused(f"{ruling.by}'s ruling needs no approval: it has force since {clock(ruling.at)}.")
    if stored.approved_at is not None:
        raise Refused(f"{ruling.approved_by} approved this ruling at {clock(stored.approved_at)} already.")
    return ruling
