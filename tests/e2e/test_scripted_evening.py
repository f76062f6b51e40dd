"""The evening: five clerks on two shifts at three windows, and one at a computer that fails.

Forty precincts are called in and their paper is keyed by others; twelve do not match, each in another way;
callers are unproved, cut off, a nuisance; two chairs call again with other numbers. At the end the tally is
what the rooms add up to, which is worked out beside the program from what truly happened in them.
"""

import json
import os
import random
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from caucus_desk.desk import approving, calls, entry, errands, people
from caucus_desk.desk.corrections import corrections
from caucus_desk.desk.creating import create_caucus
from caucus_desk.desk.integrity import check_store
from caucus_desk.desk.roles import Role
from caucus_desk.desk.session import Desk, open_desk
from caucus_desk.desk.settings import change_setting
from caucus_desk.desk.trail import audit_trail
from caucus_desk.tally.report import Channel
from caucus_desk.tally.results import By, Counting
from caucus_desk.tally.state import State
from tests.e2e import iowa_night as iowa
from tests.e2e.hands import Saved, Seat
from tests.e2e.iowa_night import Place, Sheet

ROOT = Path(__file__).parents[2]
SEED = 20_200_203
PHONE, PAPER = Channel.PHONE, Channel.PAPER
Key = Qt.Key

ADMINISTRATOR = "Ada"
PINS = {
    ADMINISTRATOR: "90210",
    "Cleo": "11223", "Dan": "22334", "Eve": "33445", "Ike": "44556",  # phone
    "Fay": "55667", "Gil": "66778", "Hal": "77889",  # paper
    "Rita": "88990", "Lea": "99001",
}  # fmt: skip
ROLES = {**dict.fromkeys(PINS, Role.CLERK), "Rita": Role.REVIEWER, "Lea": Role.LEAD}

STAKE = "1"
"""SDEs above which a ruling needs a second person: one delegate of Sioux county is worth more."""


@dataclass(frozen=True)
class Wrong:
    """How one precinct's copies differ, and what the reviewer makes of it."""

    slip: iowa.Slip
    channel: Channel
    seen: str
    """What the case says of it."""
    fits: Callable[[Sheet], bool] = lambda sheet: True
    other: iowa.Slip = lambda sheet: sheet
    """What is wrong with the other copy."""


MISMATCHES = {
    2: Wrong(iowa.swapped_rows, PAPER, "exchanged"),
    5: Wrong(iowa.transposed, PHONE, "transposed", iowa.two_digits),
    8: Wrong(iowa.shifted_run, PHONE, "slipped", iowa.can_shift),
    10: Wrong(iowa.delegates_swapped, PAPER, "delegates of", iowa.uneven),
    13: Wrong(iowa.columns_exchanged, PHONE, "the first and final columns exchanged"),
    15: Wrong(iowa.one_more, PHONE, " first", other=iowa.one_fewer),
    18: Wrong(iowa.dropped_digit, PAPER, "digit"),
    20: Wrong(iowa.two_figures_misread, PAPER, " final"),
    24: Wrong(iowa.doubled_digit, PHONE, "digit"),
    27: Wrong(iowa.seven_more_came, PHONE, "Attendance"),
    32: Wrong(iowa.delegates_swapped, PHONE, "delegates of", iowa.uneven),
    36: Wrong(iowa.row_not_heard, PHONE, " first"),
}
NEITHER = 15
"""Both copies are wrong, and the reviewer types what the chair said."""
SENT_BACK = 20
"""The paper is keyed again by another clerk, and matches then."""
NEEDS_TWO = 32

NUMBER_ON_FILE = (3, 17)
WRONG_PIN, WRONG_PIN_TOO, NOTHING_SAID = 6, 21, 29
CUT_OFF, CRASH, CALL_LATER, NO_PROOF = 9, 16, 26, 38
CALLS_AGAIN, CALLS_AGAIN_VERIFIED = 14, 0
CHASED = {21: {}, 22: {"1": "rang twice"}, 23: {"2": "the chair brings it"}, 24: {}, 25: {"1": "voice mail"}}


@dataclass
class Night:
    """The store with its accounts, three windows on it, and what truly happened."""

    location: str
    roster: tuple[Place, ...]
    truth: dict[str, Sheet]
    called: list[str] = field(default_factory=list)
    """How each call ended, as it was taken."""
    saved: list[Saved] = field(default_factory=list)
    desks: list[Desk] = field(default_factory=list)
    seats: list[Seat] = field(default_factory=list)

    def seat(self) -> Seat:
        """One more window on the store, as another computer has it."""
        self.desks.append(open_desk(self.location))
        self.seats.append(Seat(self.desks[-1], self.saved))
        return self.seats[-1]

    def said(self, place: Place, channel: Channel) -> Sheet:
        """What this channel's copy says at first, slips included."""
        sheet, wrong = self.truth[place.id], MISMATCHES.get(self.roster.index(place))
        if wrong is None:
            return sheet
        return (wrong.slip if wrong.channel is channel else wrong.other)(sheet)


@pytest.fixture
def night(qapp: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Night]:
    monkeypatch.setenv("CAUCUS_DESK_DATA", str(tmp_path / "data"))
    roster = iowa.places()
    rng = random.Random(SEED)
    anything = Wrong(lambda sheet: sheet, PHONE, "")
    truth = {
        place.id: iowa.room(rng, place, MISMATCHES.get(number, anything).fits)
        for number, place in enumerate(roster)
    }
    file = tmp_path / "roster.csv"
    no_proof = frozenset({roster[NO_PROOF].id})
    file.write_text(iowa.roster_csv(roster, no_proof=no_proof), encoding="utf-8")
    location = str(tmp_path / "evening.caucus")
    with create_caucus(location, "iowa-2020", file, by="setup", name="An evening").desk as desk:
        people.make_first_administrator(desk, ADMINISTRATOR, PINS[ADMINISTRATOR])
        for name, pin in PINS.items():
            if name != ADMINISTRATOR:
                people.make_account(desk, name, ROLES[name], pin, by=ADMINISTRATOR)
        change_setting(desk, "approval_stake", STAKE, by=ADMINISTRATOR)
    made = Night(location, roster, truth)
    yield made
    for seat in made.seats:
        seat.leave()
    for desk in made.desks:
        desk.close()


@pytest.mark.timeout(600)
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs a system with kill -9")
def test_a_scripted_evening(night: Night) -> None:
    phones, papers, review = night.seat(), night.seat(), night.seat()
    first, second, third = night.roster[:14], night.roster[14:27], night.roster[27:]

    phones.sit("Cleo", PINS["Cleo"])
    papers.sit("Fay", PINS["Fay"])
    nuisance_before_anything(night, phones)
    side_by_side(
        (lambda place=place: take_call(night, phones, place) for place in first),
        (lambda place=place: papers.paper(place, night.said(place, PAPER)) for place in third),
    )

    phones.sit("Dan", PINS["Dan"])
    papers.sit("Gil", PINS["Gil"])
    goes_on_where_the_line_was_cut(night, phones)
    calls_back_and_hears_the_code(night, phones)
    nuisance_after_the_precinct(night, phones)
    side_by_side(
        (
            lambda place=place: take_call(night, phones, place)
            for place in second
            if place is not night.roster[CRASH]
        ),
        (lambda place=place: papers.paper(place, night.said(place, PAPER)) for place in first),
    )
    crash_in_the_middle_of_a_sheet(night, phones)

    review.sit("Rita", PINS["Rita"])
    for number in (2, 5, 8, 10, 13):
        decide(night, review, number)

    phones.sit("Eve", PINS["Eve"])
    papers.sit("Hal", PINS["Hal"])
    not_reached_then_read_again(night, phones)
    rings_who_asked_for_it(night, phones)
    nuisance_with_counts(night, phones)
    asks_where_the_caucus_is(night, phones)
    calls_again_before_the_paper(night, phones)
    side_by_side(
        (lambda place=place: take_call(night, phones, place) for place in third),
        (lambda place=place: chase_and_key(night, papers, place) for place in second),
    )
    calls_again_when_it_was_verified(night, phones, papers)
    phones.sit("Cleo", PINS["Cleo"])
    calls_back_without_a_code(night, phones)

    for number in (15, 18, 24, 27, 32, 36):
        decide(night, review, number)
    send_back(night, review)
    papers.sit("Gil", PINS["Gil"])
    key_again(night, papers)
    review.sit("Lea", PINS["Lea"])
    approve(night, review)
    see_what_was_corrected(night, review)

    nothing_is_left_to_do(review)
    every_save_is_there_once(night, review.desk)
    every_call_is_there(night, review.desk)
    the_tally_is_what_the_rooms_add_up_to(night, review)
    the_trail_holds(night, review.desk)


def side_by_side(one: Iterator[Callable[[], object]], other: Iterator[Callable[[], object]]) -> None:
    """Two people at two windows, a sheet each in turn."""
    works = [iter(one), iter(other)]
    while works:
        for work in tuple(works):
            job = next(work, None)
            if job is None:
                works.remove(work)
            else:
                job()


# ---- calls ----


def take_call(night: Night, seat: Seat, place: Place) -> None:
    """One call as it went on the night."""
    number, sheet = night.roster.index(place), night.said(place, PHONE)
    if number in NUMBER_ON_FILE:
        seat.ring(place, place.phone, "")
        assert seat.sees("number passed")
    elif number in (WRONG_PIN, WRONG_PIN_TOO):
        seat.ring(place, "", "0000", name="Somebody")
        assert seat.where == "PIN or worksheet id"
        seat.enter()
        assert seat.sees("PIN failed")
    elif number == NOTHING_SAID:
        seat.ring(place, "515 555 0777", "", name="A neighbour")
        assert seat.sees("not checked")
    elif number == NO_PROOF:
        seat.ring(place, "515 555 0778", "1234", name="Sam")
        assert seat.sees("no PIN on file")
    elif number == CUT_OFF:
        cut_off(night, seat, place, sheet)
        return
    elif number == CALL_LATER:
        looks_for_the_sheet(night, seat, place)
        return
    else:
        seat.phone(place, sheet)
        night.called.append("results taken")
        return
    seat.read_out(sheet)
    said = seat.submit(place, PHONE, sheet)
    confirmed = number in (*NUMBER_ON_FILE, NO_PROOF)
    assert ("Not confirmed" in said) is not confirmed
    night.called.append("results taken")


def cut_off(night: Night, seat: Seat, place: Place, sheet: Sheet) -> None:
    seat.ring(place, "515 555 0199", place.pin)
    seat.read_out(sheet, groups=2)
    seat.key(Key.Key_F10)
    assert seat.sees("The call was cut off.")
    night.called.append("cut off")


def goes_on_where_the_line_was_cut(night: Night, seat: Seat) -> None:
    """Another clerk takes it up; the caller is checked anew, and only the rest is read out."""
    place = night.roster[CUT_OFF]
    seat.take_up(place, PHONE)
    assert not seat.sees("PIN passed")
    while seat.where != "Attendance":
        seat.key(Key.Key_Up)
    seat.key(Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
    assert seat.where == "PIN or worksheet id", seat.seen
    seat.type_line(place.pin)
    seat.wait_until(lambda: seat.sees("PIN passed"))
    seat.read_out(night.truth[place.id])
    seat.submit(place, PHONE, night.truth[place.id])
    night.called.append("results taken")


def looks_for_the_sheet(night: Night, seat: Seat, place: Place) -> None:
    seat.go("entry")
    seat.keys(place.id)
    seat.key(Key.Key_F2)
    seat.type_line("looks for the sheet")
    night.called.append("call back")


def nuisance_before_anything(night: Night, seat: Seat) -> None:
    seat.key(Key.Key_F9)
    night.called.append("nuisance")


def nuisance_after_the_precinct(night: Night, seat: Seat) -> None:
    seat.go("entry")
    seat.keys(night.roster[19].id)
    seat.key(Key.Key_F9)
    night.called.append("nuisance")


def nuisance_with_counts(night: Night, seat: Seat) -> None:
    """The counts of a joker are nobody's: a second F9 throws them away."""
    place = night.roster[33]
    seat.ring(place, "", "", name="Ha ha")
    for text in ("999", "0", "0", "0", "700"):
        seat.type_line(text)
    seat.key(Key.Key_F9)
    assert seat.sees("A nuisance call all the same?")
    seat.key(Key.Key_F9)
    night.called.append("nuisance")


def asks_where_the_caucus_is(night: Night, seat: Seat) -> None:
    seat.keys("ames")
    seat.key(Key.Key_F3)
    seat.keys("q")
    seat.type_line("where is the caucus?")
    night.called.append("question")


def crash_in_the_middle_of_a_sheet(night: Night, seat: Seat) -> None:
    """A clerk at another computer, which is killed. What the window said is saved is in the draft, and the
    same clerk finishes it at this desk."""
    place, sheet = night.roster[CRASH], night.truth[night.roster[CRASH].id]
    row = sheet.rows.get("Bennet", (0, 0, 0))
    counts = [str(sheet.people), *map(str, row)]
    child = subprocess.Popen(
        [
            sys.executable, "-m", "tests.e2e.killed_clerk", night.location, "Ike", PINS["Ike"], place.id,
            place.chair, place.pin, *counts,
        ],
        cwd=ROOT, stdout=subprocess.PIPE, text=True,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    try:
        assert child.stdout is not None
        line = child.stdout.readline()
        assert line, "the clerk at the other computer never got so far"
        said = json.loads(line)
    finally:
        os.kill(child.pid, signal.SIGKILL)
        child.stdout.close()  # type: ignore[union-attr]
    assert child.wait() == -signal.SIGKILL
    (draft,) = (one for one in entry.drafts(seat.desk, "Ike") if one.precinct_id == place.id)
    assert said["Attendance"] == draft.fields["attendance"] == str(sheet.people)
    assert said["Bennet first"] == draft.fields["Bennet.first"] == counts[1]
    assert draft.fields["caller.name"] == place.chair
    seat.sit("Ike", PINS["Ike"])
    seat.take_up(place, PHONE)
    assert seat.sees("PIN passed"), "it is the same call"
    rest = sheet.with_row("Bennet", (0, 0, 0)) if "Bennet" not in sheet.rows else sheet
    seat.read_out(rest)
    seat.submit(place, PHONE, rest)
    night.called.append("results taken")


# ---- calling back ----


def calls_back_and_hears_the_code(night: Night, seat: Seat) -> None:
    place = night.roster[WRONG_PIN]
    code = next(one.receipt for one in night.saved if one.precinct_id == place.id)
    seat.open_back(place)
    seat.keys("c")
    seat.type_line(code.lower())
    assert seat.sees("Confirmed:")
    night.called.append("confirmed")


def not_reached_then_read_again(night: Night, seat: Seat) -> None:
    """The second call reaches the chair, who has no code: the whole sheet is read again."""
    place = night.roster[WRONG_PIN_TOO]
    seat.open_back(place)
    seat.keys("n")
    seat.type_line("voice mail")
    night.called.append("not reached")
    read_again(night, seat, place)


def rings_who_asked_for_it(night: Night, seat: Seat) -> None:
    read_again(night, seat, night.roster[CALL_LATER])


def read_again(night: Night, seat: Seat, place: Place) -> None:
    seat.open_back(place)
    seat.keys("r")
    seat.wait_until(lambda: seat.window.shell.current.name == "entry" and seat.where == "Caller")
    assert seat.sees("called back")
    seat.enter(3)
    assert seat.where == "Attendance"
    seat.read_out(night.truth[place.id])
    said = seat.submit(place, PHONE, night.truth[place.id])
    assert "Not confirmed" not in said
    night.called.append("results taken")


def calls_back_without_a_code(night: Night, seat: Seat) -> None:
    seat.open_back(night.roster[NOTHING_SAID])
    seat.keys("c")
    seat.enter()
    seat.type_line("the chair told who called, and read the first row")
    assert seat.sees("Confirmed:")
    night.called.append("confirmed")


# ---- corrections ----


def new_numbers(night: Night, number: int) -> Sheet:
    """What the chair says now is what happened."""
    place = night.roster[number]
    sheet = iowa.room(random.Random(SEED + number), place, lambda sheet: sheet != night.truth[place.id])
    night.truth[place.id] = sheet
    return sheet


def calls_again_before_the_paper(night: Night, seat: Seat) -> None:
    place = night.roster[CALLS_AGAIN]
    seat.phone(place, new_numbers(night, CALLS_AGAIN))
    night.called.append("results taken")


def calls_again_when_it_was_verified(night: Night, seat: Seat, papers: Seat) -> None:
    """It falls back to its true state until the corrected paper is keyed too."""
    place = night.roster[CALLS_AGAIN_VERIFIED]
    assert seat.desk.overview().results[place.id].verified
    sheet = new_numbers(night, CALLS_AGAIN_VERIFIED)
    seat.ring(place, "515 555 0199", place.pin)
    assert seat.sees("Another report is a correction and needs a reason.")
    seat.read_out(sheet)
    seat.submit(place, PHONE, sheet, why="the chair counted again")
    night.called.append("results taken")
    assert seat.desk.overview().results[place.id].standing.state is State.MISMATCHED
    papers.paper(place, sheet)
    assert papers.desk.overview().results[place.id].verified


# ---- paper ----


def chase_and_key(night: Night, seat: Seat, place: Place) -> None:
    number, sheet = night.roster.index(place), night.said(place, PAPER)
    if number in CHASED:
        seat.chase(place, "Runa", CHASED[number])
        seat.paper_received(place, sheet)
    else:
        seat.paper(place, sheet)


def key_again(night: Night, seat: Seat) -> None:
    """Another clerk gets the sheet with the two fields empty, and is not told what the phone says."""
    place = night.roster[SENT_BACK]
    truth, wrong = night.truth[place.id], night.said(place, PAPER)
    seat.take_up(place, PAPER)
    names = {"first": 0, "final": 1, "delegates": 2}
    keyed = []
    for _ in range(2):
        seat.ctrl_enter()
        group, _, column = seat.where.partition(" ")
        assert seat.text == ""
        assert truth.rows[group][names[column]] != wrong.rows[group][names[column]]
        seat.keys(str(truth.rows[group][names[column]]))
        keyed.append(seat.where)
    assert len(set(keyed)) == 2
    seat.submit(place, PAPER, truth)
    assert seat.desk.overview().results[place.id].verified


# ---- review ----


def decide(night: Night, seat: Seat, number: int) -> None:
    place, wrong = night.roster[number], MISMATCHES[number]
    seat.open_case(place)
    assert seat.desk.overview().results[place.id].standing.state is State.MISMATCHED
    assert seat.sees(wrong.seen), f"{number}: {seat.seen}"
    if number == NEITHER:
        group = night.truth[place.id].by_final()[0]
        seat.enter()
        said = seat.rule(*str(night.truth[place.id].rows[group][iowa.FIRST]))
    else:
        said = seat.rule("p" if wrong.channel is PAPER else "a")
    waits = number == NEEDS_TWO
    assert ("when another person has approved it" in said) is waits, f"{number}: {said}"
    assert seat.desk.overview().results[place.id].verified is not waits


def send_back(night: Night, seat: Seat) -> None:
    place = night.roster[SENT_BACK]
    assert {one.precinct.id for one in seat.desk.overview().mismatched()} == {
        place.id,
        night.roster[NEEDS_TWO].id,
    }
    seat.open_case(place)
    assert seat.sees(MISMATCHES[SENT_BACK].seen)
    seat.keys("ba")
    seat.type_line("the figures are hard to read")
    seat.enter()
    (errand,) = errands.errands(seat.desk)
    assert (errand.precinct_id, errand.kind, errand.channel) == (place.id, "rekey", PAPER)


def approve(night: Night, seat: Seat) -> None:
    place = night.roster[NEEDS_TWO]
    seat.open_case(place)
    assert seat.sees("Rita ruled at")
    seat.keys("y")
    assert seat.window.shell.notices.text.startswith("Approved")
    assert seat.desk.overview().results[place.id].standing.ruling.approved_by == "Lea"


def see_what_was_corrected(night: Night, seat: Seat) -> None:
    place = night.roster[CALLS_AGAIN_VERIFIED]
    seat.open_case(place)
    assert seat.sees("It was verified and has changed since")
    seat.keys("k")
    seat.enter()
    told = [one for one in corrections(seat.desk) if one.was_verified]
    assert [(one.precinct.id, one.by, one.reason) for one in told] == [
        (place.id, "Eve", "the chair counted again")
    ]


# ---- the end ----


def nothing_is_left_to_do(seat: Seat) -> None:
    desk, overview = seat.desk, seat.desk.overview()
    coverage = overview.coverage()
    assert (coverage.total, coverage.reporting, coverage.verified) == (40, 40, 40)
    assert calls.call_backs(desk) == ()
    assert errands.errands(desk) == ()
    assert approving.pending(desk) == ()
    assert overview.awaiting() == overview.missing_paper() == ()
    seat.go("review")
    assert seat.window.shell.pages["review"].count() is None
    with desk.store.read() as unit:
        assert unit.drafts() == ()


def every_save_is_there_once(night: Night, desk: Desk) -> None:
    """What a window said is saved is in the store, once, as it was keyed; and nothing else is."""
    with desk.store.read() as unit:
        kept = [report for reports in unit.reports().values() for report in reports]
    standing = [report for r in desk.overview().results.values() for report in r.reports.values()]
    assert len(standing) == 80
    assert len(night.saved) == 80 + 2 + 1 + 2  # calling again (and its paper), read again, keyed again
    told = Counter((one.precinct_id, one.channel, one.by, one.receipt) for one in night.saved)
    assert told == Counter((one.precinct_id, one.channel, one.by, one.receipt) for one in kept)
    newest = {(one.precinct_id, one.channel): one.sheet for one in night.saved}
    for report in standing:
        assert counts_of(report.sheet) == {
            group: row for group, row in newest[report.precinct_id, report.channel].rows.items() if any(row)
        }
        assert report.sheet.attendance == newest[report.precinct_id, report.channel].people


def counts_of(sheet: object) -> dict[str, tuple[int | None, ...]]:
    rows = {row.group: (row.first, row.final, row.delegates) for row in sheet.groups}  # type: ignore[attr-defined]
    return {group: row for group, row in rows.items() if any(row)}


def every_call_is_there(night: Night, desk: Desk) -> None:
    kept = calls.calls(desk, limit=1000)
    assert Counter(str(one.ended) for one in kept) == Counter(night.called)
    ended = Counter(night.called)
    assert (ended["nuisance"], ended["cut off"], ended["question"]) == (3, 1, 1)
    assert ended["results taken"] == 40 + 2 + 1  # two who called again, one who read again
    assert sum(one.outcome == "failed" for one in kept) == 2


def the_tally_is_what_the_rooms_add_up_to(night: Night, seat: Seat) -> None:
    sums = iowa.add_up(night.roster, night.truth)
    overview = seat.desk.overview()
    for by in (By.STATE, By.COUNTY):
        for counting in Counting:
            rows = overview.tally(by, counting).rows
            assert len(rows) == (1 if by is By.STATE else 6)
            for row in rows:
                expected = sums["" if by is By.STATE else row.name]
                for line in row.groups:
                    own = expected[line.group]
                    assert (line.first, line.final, line.delegates, line.sde) == (
                        own.first, own.final, own.delegates, own.sde
                    )  # fmt: skip
                    assert (line.delegates_computed, line.sde_computed) == (own.delegates, own.sde)
    ruled = {id for id, result in overview.results.items() if result.standing.ruling is not None}
    assert ruled == {night.roster[number].id for number in MISMATCHES if number != SENT_BACK}
    shown_on_the_page(seat, sums[""])


def shown_on_the_page(seat: Seat, expected: dict[str, iowa.Sums]) -> None:
    seat.go("results")
    shown: dict[str, list[str]] = {}
    for group, *cells in seat.listed():
        shown.setdefault(group, cells)  # the national delegates stand in a table of their own below
    shown = {group: shown[group] for group in iowa.BALLOT}
    for group, cells in shown.items():
        own = expected[group]
        for figure in (f"{own.first:,}", f"{own.final:,}", f"{own.delegates:,}", four_places(own.sde)):
            assert figure in cells, (group, figure, cells)


def four_places(value: Fraction) -> str:
    """Rounded to four digits, a half upwards, by long division."""
    whole, rest = divmod(value.numerator * 20_000 + value.denominator, value.denominator * 2)
    assert rest >= 0
    return f"{whole // 10_000:,}.{whole % 10_000:04}"


def the_trail_holds(night: Night, desk: Desk) -> None:
    assert [line for line in check_store(desk) if not line.ok] == []
    actions: Counter[str] = Counter()
    before: int | None = None
    while before is None or before > 1:
        page = audit_trail(desk, limit=1000, before=before)
        actions.update(str(event.action) for event in page)
        before = page.older or 1
    assert actions["signed in"] >= 12
    assert actions["caller refused"] == 2
    with desk.store.read() as unit:
        steps = unit.chase_steps()
    assert {id for id, one in steps.items() if any(step.by == "Hal" for step in one)} == {
        night.roster[number].id for number in CHASED
    }
