"""Claims of the review queue: who has a case open now. They say nothing lasting and leave no event."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, delete, select

from caucus_desk.store.schema import case_claim
from caucus_desk.store.statements import Prepared, putting
from caucus_desk.store.times import from_text, to_text
from caucus_desk.store.work import Row, Work

_ALL = Prepared(select(case_claim).order_by(case_claim.c.precinct_id))
_OF = Prepared(select(case_claim).where(case_claim.c.precinct_id == bindparam("precinct")))
_SET = putting(case_claim)
_DROP = Prepared(delete(case_claim).where(case_claim.c.precinct_id == bindparam("precinct")))


@dataclass(frozen=True, slots=True)
class CaseClaim:
    """Times are UTC; `touched` is the last key."""

    precinct_id: str
    by: str
    since: datetime
    touched: datetime


class ClaimReading(Work):
    def case_claims(self) -> dict[str, CaseClaim]:
        """By precinct, also those without a key for long."""
        return {row[0]: _claim(row) for row in self._rows(_ALL)}

    def case_claim(self, precinct_id: str) -> CaseClaim | None:
        row = self._one(_OF, precinct_id)
        return None if row is None else _claim(row)


class ClaimWriting(ClaimReading):
    def set_case_claim(self, precinct_id: str, by: str, since: datetime | None = None) -> CaseClaim:
        """`by` has the case, since now or since what is given, and touched it now."""
        begun = since or self.now
        self._run(_SET, precinct_id, by, to_text(begun), self._now_text)
        return CaseClaim(precinct_id, by, begun, self.now)

    def drop_case_claim(self, precinct_id: str) -> None:
        self._run(_DROP, precinct_id)


def _claim(row: Row) -> CaseClaim:
    precinct_id, by, since, touched = row
    return CaseClaim(precinct_id, by, from_text(since), from_text(touched))
