"""A call at the desk: who rang, what they proved it with, and how it ended. Also those without results."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class CheckKind(StrEnum):
    """By what a caller was checked."""

    NONE = "none"
    PIN = "pin"
    """The PIN or worksheet id of the roster."""
    NUMBER = "number"
    """The caller's number is the one on file."""
    CALL_BACK = "call back"
    """The desk rings the number on file: `PASSED` once it has, `NOT_ASKED` while it is to."""


class Outcome(StrEnum):
    PASSED = "passed"
    FAILED = "failed"
    NOT_ASKED = "not asked"


class CallEnd(StrEnum):
    RESULTS = "results taken"
    WRONG_PIN = "wrong PIN"
    WRONG_NUMBER = "wrong number"
    NUISANCE = "nuisance"
    QUESTION = "question"
    CUT_OFF = "cut off"
    CALL_BACK = "call back"
    CONFIRMED = "confirmed"
    """The desk rang back, and it is settled."""
    NOT_REACHED = "not reached"
    """The desk rang back, and nobody answered."""


@dataclass(frozen=True, slots=True)
class Call:
    """Times are UTC: `at` is when it came. `about` is the call or errand that a call-back answers."""

    seq: int
    at: datetime
    ended_at: datetime
    by: str
    precinct_id: str | None
    caller_name: str
    caller_number: str
    check_kind: CheckKind
    outcome: Outcome
    ended: CallEnd
    report_id: int | None
    about: int | None
    notes: str


def same_number(one: str, other: str) -> bool:
    """Whether two telephone numbers are one, whatever stands between the digits; no digits are no number."""
    return bool(digits_of(one)) and digits_of(one) == digits_of(other)


def digits_of(number: str) -> str:
    """The digits that are dialled, without the country's own 1."""
    digits = "".join(str(int(letter)) for letter in number if letter.isdecimal())
    return digits[1:] if len(digits) == 11 and digits.startswith("1") else digits
