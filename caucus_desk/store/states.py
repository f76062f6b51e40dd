"""The cached state of each precinct, the times it became verified, and counties' control totals."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from sqlalchemy import bindparam, select

from caucus_desk.store.actions import Action
from caucus_desk.store.chain import content_digest
from caucus_desk.store.records import CachedState, Verification
from caucus_desk.store.schema import audit, control_total, precinct_state, verification
from caucus_desk.store.statements import Prepared, adding, highest, putting
from caucus_desk.store.times import from_text
from caucus_desk.store.trail import NewEvent, Points, TrailWriting
from caucus_desk.store.work import MANY, Row, Work
from caucus_desk.tally.results import ControlTotal
from caucus_desk.tally.state import State

_SET = putting(precinct_state)
_STATES = Prepared(select(precinct_state))
_STATE_OF = Prepared(select(precinct_state).where(precinct_state.c.precinct_id == bindparam("precinct")))
_LIKENESS = select(precinct_state.c.likeness, precinct_state.c.precinct_id, precinct_state.c.state)
_LIKENESSES = Prepared(_LIKENESS)
_ALIKE = Prepared(_LIKENESS.where(precinct_state.c.likeness == bindparam("likeness")))
_ADD_VERIFICATION = adding(verification)
_LAST_VERIFICATION = highest(verification.c.id)
_VERIFICATIONS = Prepared(select(verification).order_by(verification.c.id))
_VERIFICATIONS_OF = Prepared(
    select(verification)
    .where(verification.c.precinct_id == bindparam("precinct"))
    .order_by(verification.c.id)
)
_ADD_TOTAL = adding(control_total)
_LAST_BATCH = highest(control_total.c.batch)
_TOTALS = Prepared(
    select(control_total).order_by(control_total.c.batch, control_total.c.county, control_total.c.group_id)
)
_TOTALS_TOLD = Prepared(
    select(audit.c.control_batch, audit.c.at, audit.c.actor).where(audit.c.control_batch.is_not(None))
)


class StateReading(Work):
    def states(self, precinct_ids: Iterable[str] | None = None) -> dict[str, CachedState]:
        """The cache; a precinct that nothing happened to has no row and is awaiting."""
        return {row[0]: _state(row) for row in self._chosen(_STATES, _STATE_OF, precinct_ids)}

    def alike(self, likenesses: Iterable[str]) -> dict[str, dict[str, State]]:
        """The precincts, with their states, whose standing sheets have one of these likenesses."""
        asked = [one for one in dict.fromkeys(likenesses) if one]
        found: dict[str, dict[str, State]] = {one: {} for one in asked}
        if len(asked) > MANY:
            rows = self._rows(_LIKENESSES)
        else:
            rows = [row for one in asked for row in self._rows(_ALIKE, one)]
        for likeness, precinct_id, state in rows:
            if likeness in found:
                found[likeness][precinct_id] = State(state)
        return found

    def verifications(self, precinct_ids: Iterable[str] | None = None) -> dict[str, list[Verification]]:
        """Every time that a precinct became verified, oldest first."""
        found: dict[str, list[Verification]] = {}
        for row in self._chosen(_VERIFICATIONS, _VERIFICATIONS_OF, precinct_ids):
            _, precinct_id, state, fingerprint, newest, at = row
            found.setdefault(precinct_id, []).append(
                Verification(precinct_id, State(state), fingerprint, newest, from_text(at))
            )
        return found

    def control_totals(self) -> tuple[ControlTotal, ...]:
        """The newest batch of each county."""
        newest: dict[str, int] = {}
        rows = self._rows(_TOTALS)
        for batch, county, *_ in rows:
            newest[county] = batch
        keys = self._ballot.keys
        return tuple(
            ControlTotal(county, keys[group], first, final, delegates)
            for batch, county, group, first, final, delegates in rows
            if newest[county] == batch
        )

    def total_batches(self) -> dict[str, tuple[int, datetime, str]]:
        """By county that stated totals, the batch that holds, when it was written, and by whom."""
        told = {batch: (batch, from_text(at), by) for batch, at, by in self._rows(_TOTALS_TOLD)}
        rows = self._rows(_TOTALS)
        return {row[1]: told[row[0]] for row in rows if row[0] in told}

    def verification_digests(self) -> dict[int, str]:
        return {row[0]: content_digest("verification", row) for row in self._rows(_VERIFICATIONS)}

    def control_digests(self) -> dict[int, str]:
        batches: dict[int, list[Row]] = {}
        for row in self._rows(_TOTALS):
            batches.setdefault(row[0], []).append(row)
        return {batch: content_digest("control totals", rows) for batch, rows in batches.items()}


class StateWriting(StateReading, TrailWriting):
    def save_states(self, states: Iterable[CachedState]) -> None:
        self._many(
            _SET,
            [
                (
                    one.precinct_id, str(one.state), int(one.verified), one.report_id, one.ruling_id,
                    one.fingerprint, one.open_errors, int(one.changed_after_verified), one.likeness,
                )
                for one in states
            ],
        )  # fmt: skip

    def add_verifications(self, new: Iterable[tuple[Verification, str, str]]) -> None:
        """Each with who brought it about and the sentence for the trail; the time is the unit's."""
        given = list(new)
        if not given:
            return
        number: int = self._rows(_LAST_VERIFICATION)[0][0]
        rows: list[Row] = []
        events = []
        for one, by, sentence in given:
            number += 1
            row = (
                number,
                one.precinct_id,
                str(one.state),
                one.fingerprint,
                one.newest_report,
                self._now_text,
            )
            rows.append(row)
            points = Points(one.precinct_id, verification_id=number)
            content = content_digest("verification", row)
            events.append(NewEvent(Action.VERIFIED, by, sentence, points, content))
        self._many(_ADD_VERIFICATION, rows)
        self._append(events)

    def set_control_totals(self, totals: Sequence[ControlTotal], *, by: str, sentence: str) -> int:
        """A new batch: for the counties in it, it takes the place of the one before. Returns its number."""
        batch: int = self._rows(_LAST_BATCH)[0][0] + 1
        ids = self._ballot.ids
        rows: list[Row] = sorted(
            ((batch, one.county, ids[one.group], one.first, one.final, one.delegates) for one in totals),
            key=lambda row: row[:3],
        )
        self._many(_ADD_TOTAL, rows)
        content = content_digest("control totals", rows)
        points = Points(control_batch=batch)
        self._append([NewEvent(Action.CONTROL_TOTALS, by, sentence, points, content)])
        return batch


def _state(row: Row) -> CachedState:
    precinct_id, state, verified, report_id, ruling_id, fingerprint, open_errors, changed, likeness = row
    return CachedState(
        precinct_id,
        State(state),
        bool(verified),
        report_id,
        ruling_id,
        fingerprint,
        open_errors,
        bool(changed),
        likeness,
    )
