"""Who has a case of the review queue open: two reviewers do not decide the same case at once."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from caucus_desk.desk.again import again
from caucus_desk.desk.naming import clean_name, same_person
from caucus_desk.desk.people import allow
from caucus_desk.desk.roles import Job
from caucus_desk.desk.session import Desk
from caucus_desk.desk.wording import clock, place
from caucus_desk.rules.errors import Refused
from caucus_desk.store.claims import CaseClaim
from caucus_desk.store.units import ReadUnit, WriteUnit
from caucus_desk.tally.roster import Precinct

CASE_IDLE = timedelta(minutes=5)
"""After this long without a key a case is free again."""


class CaseTaken(Refused):
    """Another reviewer has the case: `claim` says who and since when."""

    def __init__(self, sentence: str, claim: CaseClaim) -> None:
        super().__init__(sentence)
        self.claim = claim


def claim_case(desk: Desk, precinct_id: str, by: str) -> CaseClaim:
    """The case is `by`'s while it is open; again for who has it already. `CaseTaken` where another reviewer
    has it and touched a key in the last five minutes."""
    return _hold(desk, precinct_id, by)


def touch_case(desk: Desk, precinct_id: str, by: str) -> CaseClaim:
    """A key was pressed in the case. `CaseTaken` where it was lost to another reviewer meanwhile."""
    return _hold(desk, precinct_id, by)


@again
def _hold(desk: Desk, precinct_id: str, by: str) -> CaseClaim:
    by = clean_name(by)
    precinct = desk.precinct(precinct_id)
    with desk.store.write() as unit:
        allow(desk, unit, by, Job.REVIEW)
        not_another_s(unit, precinct, by)
        held = unit.case_claim(precinct_id)
        mine = held is not None and same_person(held.by, by) and not case_idle(held, unit.now)
        return unit.set_case_claim(precinct_id, by, held.since if held is not None and mine else None)


@again
def release_case(desk: Desk, precinct_id: str, by: str) -> None:
    """The case was left. Nothing happens where another person has it by now."""
    by = clean_name(by)
    with desk.store.write() as unit:
        released(unit, precinct_id, by)


def claims(desk: Desk, now: datetime | None = None) -> Mapping[str, CaseClaim]:
    """Who has which case open, by precinct; cases without a key for five minutes are free and left out."""
    with desk.store.read() as unit:
        return open_claims(unit, now or unit.now)


def open_claims(unit: ReadUnit, now: datetime) -> dict[str, CaseClaim]:
    return {one: claim for one, claim in unit.case_claims().items() if not case_idle(claim, now)}


def case_idle(claim: CaseClaim, now: datetime | None = None) -> bool:
    """Whether nobody touched a key for so long that the case is free."""
    return (now or datetime.now(UTC)) - claim.touched >= CASE_IDLE


def not_another_s(unit: ReadUnit, precinct: Precinct, by: str) -> None:
    """Raises CaseTaken while another reviewer has the case."""
    held = unit.case_claim(precinct.id)
    if held is None or same_person(held.by, by) or case_idle(held, unit.now):
        return
    raise CaseTaken(
        f"{held.by} has the case of {place(precinct)} open since {clock(held.since)} (last key "
        f"{clock(held.touched)}). Take another one; after 5 minutes without a key it is free.",
        held,
    )


def released(unit: WriteUnit, precinct_id: str, by: str) -> None:
    """Gives the case back in the caller's own transaction, if it is `by`'s."""
    held = unit.case_claim(precinct_id)
    if held is not None and same_person(held.by, by):
        unit.drop_case_claim(precinct_id)
