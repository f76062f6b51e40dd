"""What a caller proved: the PIN or worksheet id of the roster, the number on file, or a call back.

Neither the PIN nor what was said in its place is ever kept or shown, only how it was asked and the outcome.
"""

from dataclasses import dataclass

from caucus_desk.desk.again import again
from caucus_desk.desk.naming import clean_name
from caucus_desk.desk.people import allow, require
from caucus_desk.desk.roles import Job
from caucus_desk.desk.session import Desk
from caucus_desk.desk.wording import place
from caucus_desk.store.actions import Action
from caucus_desk.store.units import ReadUnit
from caucus_desk.tally.call import CheckKind, Outcome, same_number
from caucus_desk.tally.roster import Precinct


@dataclass(frozen=True, slots=True)
class Checked:
    """How a caller was checked, as it is kept: two words."""

    kind: CheckKind = CheckKind.NONE
    outcome: Outcome = Outcome.NOT_ASKED

    @property
    def words(self) -> str:
        """`pin passed`, `call back not asked`; "" where nothing was asked at all."""
        if self.kind is CheckKind.NONE:
            return ""
        return f"{self.kind} {self.outcome}"

    @classmethod
    def of(cls, words: str) -> "Checked":
        """The check that these words say; any other text (of older stores) says of none."""
        return _BY_WORDS.get(words, cls())


_BY_WORDS = {
    one.words: one
    for one in (Checked(kind, outcome) for kind in CheckKind for outcome in Outcome)
    if one.words
}


@dataclass(frozen=True, slots=True)
class CheckResult:
    """`sentence` is for the person at the desk."""

    kind: CheckKind
    outcome: Outcome
    sentence: str

    @property
    def checked(self) -> Checked:
        return Checked(self.kind, self.outcome)


def check_caller(desk: Desk, precinct_id: str, said: str, number: str, by: str) -> CheckResult:
    """Compares what the caller says with the roster: the PIN or worksheet id `said`, or else `number`.

    A failed check is audited, without what was said. Nothing said, and another number than the one on
    file: the report stays unconfirmed until the desk has called back.
    """
    by = clean_name(by)
    require(desk, by, Job.TAKE_CALLS)
    precinct = desk.precinct(precinct_id)
    said = "".join(said.split())
    with desk.store.read() as unit:
        asked = unit.has_pin(precinct_id)
        right = bool(said) and asked and _fits(unit, precinct_id, said)
    if said and asked:
        if right:
            return CheckResult(CheckKind.PIN, Outcome.PASSED, "The PIN is right.")
        return _failed(
            desk,
            precinct,
            by,
            CheckResult(
                CheckKind.PIN,
                Outcome.FAILED,
                "The PIN is wrong. Ask for it again; else go on: the report is unconfirmed until somebody "
                "has called back.",
            ),
        )
    return _by_number(desk, precinct, number, by, pin_on_file=asked, said=bool(said))


def _fits(unit: ReadUnit, precinct_id: str, said: str) -> bool:
    tries = dict.fromkeys((said, said.upper(), said.lower()))
    return any(unit.check_pin(precinct_id, one) for one in tries)


def _by_number(
    desk: Desk, precinct: Precinct, number: str, by: str, *, pin_on_file: bool, said: bool
) -> CheckResult:
    none = "No PIN is on file. " if said and not pin_on_file else ""
    if same_number(number, precinct.phone):
        return CheckResult(CheckKind.NUMBER, Outcome.PASSED, f"{none}It is the number on file.")
    if not on_file(precinct):
        if pin_on_file:
            return CheckResult(CheckKind.PIN, Outcome.NOT_ASKED, "The PIN was not asked for.")
        return CheckResult(
            CheckKind.NONE,
            Outcome.NOT_ASKED,
            "Neither PIN nor number is on file: nothing can be asked.",
        )
    if not pin_on_file and any(letter.isdecimal() for letter in number):
        return _failed(
            desk,
            precinct,
            by,
            CheckResult(
                CheckKind.NUMBER,
                Outcome.FAILED,
                f"{none}It is not the number on file: the report is unconfirmed until somebody has called "
                "back there.",
            ),
        )
    return CheckResult(
        CheckKind.CALL_BACK,
        Outcome.NOT_ASKED,
        f"{none}Nothing was checked: call back on the number on file.",
    )


@again
def _failed(desk: Desk, precinct: Precinct, by: str, result: CheckResult) -> CheckResult:
    what = "PIN" if result.kind is CheckKind.PIN else "number"
    with desk.store.write() as unit:
        allow(desk, unit, by, Job.TAKE_CALLS)
        unit.log(
            Action.CALLER_REFUSED,
            f"A caller for {place(precinct)} failed the check of the {what}; {by} was on the line",
            actor=by,
            precinct_id=precinct.id,
        )
    return result


def on_file(precinct: Precinct) -> bool:
    """Whether the roster has a number that can be rung."""
    return any(letter.isdecimal() for letter in precinct.phone)


def proved(precinct: Precinct, number: str, checked: Checked) -> Checked:
    """The check as it stands for the number that was given in the end: a number proves only itself."""
    right = same_number(number, precinct.phone)
    if checked.kind is CheckKind.NUMBER and checked.outcome is Outcome.PASSED and not right:
        return Checked(CheckKind.CALL_BACK, Outcome.NOT_ASKED)
    if checked.outcome is Outcome.NOT_ASKED and right:
        return Checked(CheckKind.NUMBER, Outcome.PASSED)
    return checked


def confirmed_by(unit: ReadUnit, precinct: Precinct, checked: Checked, *, asks: bool) -> bool:
    """Whether a report of a caller so checked counts at once. `asks`: the caucus asks for a check.

    Where the roster has neither PIN nor number nothing can be asked, and it counts.
    """
    if checked.outcome is not Outcome.NOT_ASKED:
        return checked.outcome is Outcome.PASSED
    return not asks or not (on_file(precinct) or unit.has_pin(precinct.id))
