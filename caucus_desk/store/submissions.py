"""Submits that a desk may have to make again, because it never heard the answer: each is made once."""

from sqlalchemy import bindparam, select

from caucus_desk.store.schema import submission
from caucus_desk.store.statements import Prepared, adding
from caucus_desk.store.work import Work

_OF = Prepared(
    select(submission.c.report_id, submission.c.answer).where(submission.c.token == bindparam("token"))
)
_ADD = adding(submission)


class SubmissionReading(Work):
    def submission(self, token: str) -> tuple[int, str] | None:
        """The report that was made of it and what was answered; None where it was not made."""
        row = self._one(_OF, token)
        return None if row is None else (row[0], row[1])


class SubmissionWriting(SubmissionReading):
    def add_submission(self, token: str, report_id: int, answer: str) -> None:
        self._run(_ADD, token, report_id, answer)
