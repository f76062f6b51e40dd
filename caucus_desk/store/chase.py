"""Steps of the paper chase: only ever added to."""

from datetime import datetime

from sqlalchemy import bindparam, func, select

from caucus_desk.store.actions import Action
from caucus_desk.store.schema import call, chase_step, report
from caucus_desk.store.statements import Prepared
from caucus_desk.store.times import from_text
from caucus_desk.store.told import ToldReading, ToldWriting
from caucus_desk.store.work import Row
from caucus_desk.tally.chase import ChaseStep, StepKind

_ALL = Prepared(select(chase_step).order_by(chase_step.c.seq))
_OF = Prepared(
    select(chase_step).where(chase_step.c.precinct_id == bindparam("precinct")).order_by(chase_step.c.seq)
)
_FIRST_REPORT = Prepared(select(func.min(report.c.at)))
_FIRST_CALL = Prepared(select(func.min(call.c.at)))


class ChaseReading(ToldReading):
    def chase_steps(self, precinct_id: str | None = None) -> dict[str, list[ChaseStep]]:
        """By precinct, oldest first; of one precinct or of all."""
        rows = self._rows(_ALL) if precinct_id is None else self._rows(_OF, precinct_id)
        found: dict[str, list[ChaseStep]] = {}
        for row in rows:
            step = _step(row)
            found.setdefault(step.precinct_id, []).append(step)
        return found

    def night_began(self) -> datetime | None:
        """The first call or report; None before anything came in."""
        times = [row[0] for statement in (_FIRST_REPORT, _FIRST_CALL) for row in self._rows(statement)]
        return min((from_text(at) for at in times if at is not None), default=None)


class ChaseWriting(ChaseReading, ToldWriting):
    def add_chase_step(
        self,
        precinct_id: str,
        kind: StepKind,
        *,
        runner: str = "",
        note: str = "",
        by: str,
        sentence: str,
    ) -> ChaseStep:
        columns = {
            "precinct_id": precinct_id,
            "kind": str(kind),
            "runner": runner,
            "note": note,
            "by_name": by,
            "at": self._now_text,
        }
        seq = self._tell(Action.CHASE, sentence, by, columns, precinct_id=precinct_id)
        return ChaseStep(seq, precinct_id, kind, runner, note, by, self.now)


def _step(row: Row) -> ChaseStep:
    seq, precinct_id, kind, runner, note, by, at = row
    return ChaseStep(seq, precinct_id, StepKind(kind), runner, note, by, from_text(at))
