"""Looking at figures: nobody sees what another keyed for a precinct and then keys that precinct.

Figures of a precinct that has another person's report and is not verified stay covered until a person
looks on purpose. The look is in the trail, and bars them from keying that precinct.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from caucus_desk.desk.again import again
from caucus_desk.desk.naming import clean_name, same_person
from caucus_desk.desk.people import allow
from caucus_desk.desk.roles import Job
from caucus_desk.desk.session import Desk
from caucus_desk.desk.settling import derive
from caucus_desk.desk.wording import place
from caucus_desk.rules.errors import Refused
from caucus_desk.store.actions import Action
from caucus_desk.tally.results import PrecinctResult


@dataclass(frozen=True, slots=True)
class Eyes:
    """What a person may see at one moment; to be asked for again after each change."""

    by: str
    looked: Mapping[str, int]
    """By precinct: the newest report that this person has looked at."""
    keying: frozenset[str]
    """Precincts whose sheet this person is keying now: what others keyed there stays covered."""

    def may_see(self, result: PrecinctResult) -> bool:
        """Whether the figures of a precinct may be shown; where not, `look` uncovers them."""
        newest = _others(result, self.by)
        if not newest:
            return True
        if result.precinct.id in self.keying:
            return False
        return result.verified or self.looked.get(result.precinct.id, 0) >= newest

    def may_see_sum(self, results: Iterable[PrecinctResult]) -> bool:
        """Whether a sum over these precincts may be shown: not where it is one covered precinct's own."""
        reporting = [result for result in results if result.reporting]
        return len(reporting) != 1 or self.may_see(reporting[0])


def eyes(desk: Desk, by: str) -> Eyes:
    """What `by` may see now. An empty name, while nobody is at the desk, sees verified figures only."""
    with desk.store.read() as unit:
        looked: dict[str, int] = {}
        for look in unit.looks():
            if same_person(look.by, by) and not look.channel:
                looked[look.precinct_id] = max(look.report_id, looked.get(look.precinct_id, 0))
        keying = frozenset(draft.precinct_id for draft in unit.drafts(by) if not draft.free)
    return Eyes(by, looked, keying)


@again
def look(desk: Desk, precinct_id: str, by: str) -> None:
    """A person opens the figures of a precinct: said in the trail, once for each newest report.

    Nothing is said of a verified precinct, or where only their own reports stand. Refused while this
    person holds a sheet of the precinct.
    """
    by = clean_name(by)
    precinct = desk.precinct(precinct_id)
    if desk.read_only:
        return  # nobody can key there either
    now = eyes(desk, by)
    result = desk.overview().results[precinct_id]
    if now.may_see(result):
        return
    with desk.store.write() as unit:
        allow(desk, unit, by, Job.LOOK)
        for draft in unit.drafts(by):
            if draft.precinct_id == precinct_id and not draft.free:
                raise Refused(
                    f"You are keying the {draft.channel} sheet of {place(precinct)}, so what others keyed "
                    "stays covered. Finish or leave the sheet first: submit it, or discard it."
                )
        result = derive(unit, desk.rules, [precinct_id], desk.precincts)[precinct_id]
        newest = _others(result, by)
        seen = (
            one.report_id for one in unit.looks(precinct_id) if same_person(one.by, by) and not one.channel
        )
        # Not asked again whether it is verified: an error that only the whole caucus shows is not seen here.
        if not newest or max(seen, default=0) >= newest:
            return
        unit.log(
            Action.LOOKED,
            f"{by} looked at the figures of {place(precinct)}",
            actor=by,
            precinct_id=precinct_id,
            report_id=newest,
        )


def _others(result: PrecinctResult, by: str) -> int:
    """The newest standing report where another person's is among them; 0 where none is."""
    reports = result.heads.values()
    if all(same_person(report.by, by) for report in reports):
        return 0
    return max(report.id for report in reports)
