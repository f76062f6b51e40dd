"""A precinct's state follows from its reports and rulings alone."""

from dataclasses import replace
from datetime import UTC, datetime
from itertools import product

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from caucus_desk.tally.mismatch import differing_fields, mismatches
from caucus_desk.tally.report import CHANNELS, Channel, Report, Ruling
from caucus_desk.tally.sheet import GroupCounts, ResultSheet, completed
from caucus_desk.tally.state import Standing, State, standing, standing_reports

NOON = datetime(2020, 2, 4, 2, 0, tzinfo=UTC)
GROUPS = ("Sanders", "Warren")
PAIRS = (frozenset({"phone", "paper"}), frozenset({"app", "paper"}))
ONE = ResultSheet(60, (GroupCounts("Sanders", 30, 31, 3), GroupCounts("Warren", 30, 29, 2)))
OTHER = ResultSheet(60, (GroupCounts("Sanders", 30, 31, 3), GroupCounts("Warren", 30, 28, 2)))


def report(number: int, channel: Channel, sheet: ResultSheet = ONE, by: str = "Ann") -> Report:
    return Report(number, "P1", channel, sheet, by, NOON)


def settle(*reports: Report, ruling: Ruling | None = None) -> Standing:
    return standing(standing_reports(reports), ruling, GROUPS, PAIRS)


def test_two_people_on_phone_and_paper_match() -> None:
    stands = settle(report(1, Channel.PHONE), report(2, Channel.PAPER, by="Bo"))
    assert stands.state is State.MATCHED
    assert stands.channel is Channel.PAPER


def test_one_person_alone_never_verifies_whatever_the_case_of_the_name() -> None:
    assert settle(report(1, Channel.PHONE), report(2, Channel.PAPER, by="ANN")).state is State.SINGLE


def test_phone_and_app_never_verify_without_paper() -> None:
    assert settle(report(1, Channel.PHONE), report(2, Channel.APP, by="Bo")).state is State.SINGLE


def test_a_third_channel_that_differs_unmakes_the_match() -> None:
    pair = (report(1, Channel.PHONE), report(2, Channel.PAPER, by="Bo"))
    assert settle(*pair, report(3, Channel.APP, OTHER, by="Cy")).state is State.MISMATCHED


def test_while_they_differ_paper_stands_then_phone_then_app() -> None:
    phone, paper, app = (report(i, c, by=c) for i, c in enumerate(CHANNELS, start=1))
    app = replace(app, sheet=OTHER)
    assert settle(app, phone).channel is Channel.PHONE
    assert settle(app, phone, paper).channel is Channel.PAPER
    assert settle(app).channel is Channel.APP


def test_a_newer_report_of_a_channel_supersedes_whatever_order_they_arrive_in() -> None:
    old, new = report(1, Channel.PHONE, OTHER), report(5, Channel.PHONE, ONE)
    assert standing_reports([new, old])[Channel.PHONE] is new


def test_a_ruling_holds_until_a_newer_report_comes() -> None:
    decided = Ruling(1, "P1", OTHER, seen_report=2, by="Di", at=NOON, reason="sheet fetched")
    pair = (report(1, Channel.PHONE), report(2, Channel.PAPER, OTHER, by="Bo"))
    assert settle(*pair, ruling=decided) == Standing(State.RULED, OTHER, ruling=decided)
    assert settle(*pair, report(3, Channel.PHONE, OTHER), ruling=decided).state is State.MATCHED
    assert settle(*pair, report(3, Channel.APP, by="Cy"), ruling=decided).state is State.MISMATCHED


def test_nobody_there_equals_three_zeros() -> None:
    blank = ResultSheet(30, (GroupCounts("Sanders", 30, 30, 4),))
    zeros = ResultSheet(30, (GroupCounts("Sanders", 30, 30, 4), GroupCounts("Warren", 0, 0, 0)))
    assert differing_fields(blank, zeros, GROUPS) == ()
    assert blank.fingerprint == zeros.fingerprint


def test_a_partly_blank_row_equals_nothing_not_even_itself() -> None:
    partly = ResultSheet(60, (GroupCounts("Sanders", 30, 31, 3), GroupCounts("Warren", 30, None, 2)))
    assert differing_fields(partly, partly, GROUPS) == ("Warren.final",)
    assert settle(report(1, Channel.PHONE, partly), report(2, Channel.PAPER, partly, "Bo")).state is (
        State.MISMATCHED
    )


@pytest.mark.parametrize("attendance", [None, 60])
def test_an_attendance_that_a_file_does_not_state_is_no_mismatch(attendance: int | None) -> None:
    app = replace(ONE, attendance=attendance)
    assert settle(report(1, Channel.APP, app), report(2, Channel.PAPER, by="Bo")).state is State.MATCHED


def test_a_column_stated_only_once_is_no_mismatch_and_verifies_nothing() -> None:
    no_delegates = ResultSheet(60, (GroupCounts("Sanders", 30, 31), GroupCounts("Warren", 30, 29)))
    stands = settle(report(1, Channel.APP, no_delegates), report(2, Channel.PAPER, by="Bo"))
    assert stands.state is State.SINGLE


def test_two_sheets_without_a_result_verify_nothing() -> None:
    empty = ResultSheet(80, ())
    only_delegates = ResultSheet(80, (GroupCounts("Sanders", delegates=5),))
    for sheet in (empty, only_delegates):
        pair = (report(1, Channel.APP, sheet), report(2, Channel.PAPER, sheet, "Bo"))
        assert settle(*pair).state is State.SINGLE
    nobody = ResultSheet(0, ())
    assert settle(report(1, Channel.APP, nobody), report(2, Channel.PAPER, nobody, "Bo")).state is (
        State.MATCHED
    )


def test_what_paper_leaves_out_and_phone_states_still_stands() -> None:
    paper = replace(ONE, attendance=None)
    stands = settle(report(1, Channel.PHONE), report(2, Channel.PAPER, paper, "Bo"))
    assert (stands.state, stands.channel, stands.sheet) == (State.MATCHED, Channel.PAPER, ONE)
    no_delegates = ResultSheet(60, (GroupCounts("Sanders", 30, 31), GroupCounts("Warren", 30, 29)))
    stands = settle(report(1, Channel.PHONE), report(2, Channel.PAPER, no_delegates, "Bo"))
    assert (stands.state, stands.sheet) == (State.SINGLE, ONE)
    differs = replace(OTHER, attendance=None)
    stands = settle(report(1, Channel.PHONE), report(2, Channel.PAPER, differs, "Bo"))
    assert (stands.state, stands.sheet) == (State.MISMATCHED, OTHER)


def test_completing_a_sheet_takes_nobody_there_for_zero_and_a_blank_field_for_blank() -> None:
    first_only = ResultSheet(9, (GroupCounts("Sanders", 9), GroupCounts("Warren", 0)))
    rest = ResultSheet(9, (GroupCounts("Sanders", None, 9, 2), GroupCounts("Warren", None, None, 1)))
    full = completed(first_only, [rest])
    assert full.row("Sanders") == GroupCounts("Sanders", 9, 9, 2)
    assert full.row("Warren") == GroupCounts("Warren", 0, None, 1)
    assert completed(ONE, [OTHER]) is ONE


def test_extra_counts_of_the_rule_set_are_compared_whichever_sheet_names_them() -> None:
    early = replace(ONE, extras=(("early_votes", 7),))
    fewer = replace(ONE, extras=(("early_votes", 8),))
    assert differing_fields(early, fewer, GROUPS) == ("early_votes",)
    assert differing_fields(early, ONE, GROUPS) == ()


def test_a_mismatch_shows_each_channels_value_in_worksheet_order() -> None:
    phone = replace(ONE, attendance=61)
    found = mismatches(
        standing_reports([report(1, Channel.PHONE, phone), report(2, Channel.PAPER, OTHER)]), GROUPS
    )
    assert [m.field for m in found] == ["attendance", "Warren.final"]
    assert found[1].values == {Channel.PHONE: 29, Channel.PAPER: 28}
    assert found[1].group == "Warren"
    assert found[0].group is None


def test_a_ruling_that_waits_for_approval_has_no_force() -> None:
    decided = Ruling(1, "P1", OTHER, seen_report=2, by="Di", at=NOON, reason="sheet fetched", pending=True)
    pair = (report(1, Channel.PHONE), report(2, Channel.PAPER, OTHER, by="Bo"))
    assert settle(*pair, ruling=decided) == settle(*pair)
    assert settle(*pair, ruling=replace(decided, pending=False, approved_by="Lee")).state is State.RULED


def test_an_unconfirmed_report_verifies_nothing_and_still_differs() -> None:
    phone = replace(report(1, Channel.PHONE), confirmed=False)
    assert settle(phone, report(2, Channel.PAPER, by="Bo")).state is State.SINGLE
    assert settle(phone, report(2, Channel.PAPER, OTHER, by="Bo")).state is State.MISMATCHED
    pair = (report(2, Channel.PAPER, by="Bo"), report(3, Channel.APP, by="Cy"))
    assert settle(phone, *pair).state is State.MATCHED, "the other two do it without"


def expected(
    held: dict[Channel, tuple[str, str]], ruled: str | None, unconfirmed: frozenset[Channel] = frozenset()
) -> State:
    """The states in design.md's own words, said another way than the program says them."""
    if ruled == "in force":
        return State.RULED
    if not held:
        return State.AWAITING
    if len({sheet for sheet, _ in held.values()}) > 1:
        return State.MISMATCHED
    sure = {c: by for c, (_, by) in held.items() if c not in unconfirmed}
    partners = {sure[c] for c in (Channel.PHONE, Channel.APP) if c in sure}
    if Channel.PAPER in sure and partners - {sure[Channel.PAPER]}:
        return State.MATCHED
    return State.SINGLE


@pytest.mark.parametrize("ruled", [None, "in force", "outdated", "pending"])
def test_every_combination_of_channels_sheets_people_and_rulings(ruled: str | None) -> None:
    options = [None, *product("ab", ("Ann", "Bo", "Cy"))]
    sheets = {"a": ONE, "b": OTHER}
    for chosen in product(options, repeat=3):
        held = {c: pick for c, pick in zip(CHANNELS, chosen, strict=True) if pick is not None}
        if ruled == "outdated" and not held:
            continue
        reports = [report(10 + i, c, sheets[s], by) for i, (c, (s, by)) in enumerate(held.items())]
        newest = max((r.id for r in reports), default=9)
        seen = newest - 1 if ruled == "outdated" else newest
        ruling = Ruling(1, "P1", OTHER, seen, "Di", NOON, "why", pending=ruled == "pending")
        if ruled is None:
            ruling = None
        assert settle(*reports, ruling=ruling).state is expected(held, ruled), (held, ruled)


class PrecinctNight(RuleBasedStateMachine):
    """Walks a night of one precinct: reports come, confirmed or not, and are withdrawn; rulings come, wait
    for approval, and are withdrawn."""

    def __init__(self) -> None:
        super().__init__()
        self.reports: list[Report] = []
        self.withdrawn: set[int] = set()
        self.rulings: list[Ruling] = []
        self.rulings_withdrawn: set[int] = set()
        self.unapproved: set[int] = set()
        self.unconfirmed: set[int] = set()
        self.last = 0

    def stands(self) -> Standing:
        open_rulings = [
            replace(r, pending=r.id in self.unapproved)
            for r in self.rulings
            if r.id not in self.rulings_withdrawn
        ]
        return settle(
            *(
                replace(r, confirmed=r.id not in self.unconfirmed)
                for r in self.reports
                if r.id not in self.withdrawn
            ),
            ruling=open_rulings[-1] if open_rulings else None,
        )

    @rule(
        channel=st.sampled_from(CHANNELS),
        sheet=st.sampled_from([ONE, OTHER]),
        by=st.sampled_from("AB"),
        confirmed=st.booleans(),
    )
    def report_comes(self, channel: Channel, sheet: ResultSheet, by: str, confirmed: bool) -> None:
        self.last += 1
        self.reports.append(report(self.last, channel, sheet, by))
        if not confirmed:
            self.unconfirmed.add(self.last)
        assert self.stands().state is not State.RULED, "a newer report ends a ruling's force"
        assert self.stands().state is not State.AWAITING

    @precondition(lambda self: self.reports)
    @rule(data=st.data())
    def report_is_withdrawn(self, data: st.DataObject) -> None:
        self.withdrawn.add(data.draw(st.sampled_from(self.reports)).id)

    @precondition(lambda self: self.unconfirmed)
    @rule(data=st.data())
    def somebody_calls_back(self, data: st.DataObject) -> None:
        before = self.stands().state
        self.unconfirmed.discard(data.draw(st.sampled_from(sorted(self.unconfirmed))))
        after = self.stands().state
        assert after is before or (before, after) == (State.SINGLE, State.MATCHED)

    @precondition(lambda self: self.reports)
    @rule(above_the_stake=st.booleans())
    def reviewer_rules(self, above_the_stake: bool) -> None:
        number = len(self.rulings) + 1
        self.rulings.append(Ruling(number, "P1", ONE, self.last, "D", NOON, "read the sheet again"))
        if above_the_stake:
            self.unapproved.add(number)
            assert self.stands().state is not State.RULED, "it has no force yet"
        else:
            assert self.stands().state is State.RULED
            assert self.stands().sheet == ONE

    @precondition(lambda self: self.unapproved)
    @rule()
    def a_second_person_approves(self) -> None:
        ruling = self.rulings[max(self.unapproved) - 1]
        self.unapproved.discard(ruling.id)
        newest = max((r.id for r in self.reports if r.id not in self.withdrawn), default=0)
        last = [r for r in self.rulings if r.id not in self.rulings_withdrawn][-1:]
        in_force = last == [ruling] and newest <= ruling.seen_report
        if in_force:
            assert self.stands().state is State.RULED

    @precondition(lambda self: self.rulings)
    @rule()
    def newest_ruling_is_withdrawn(self) -> None:
        self.rulings_withdrawn.add(self.rulings[-1].id)

    @invariant()
    def state_says_what_is_there(self) -> None:
        stands = self.stands()
        held = {}
        unsure = set()
        for entry in self.reports:
            if entry.id not in self.withdrawn:
                held[entry.channel] = ("a" if entry.sheet == ONE else "b", entry.by)
                unsure.discard(entry.channel)
                if entry.id in self.unconfirmed:
                    unsure.add(entry.channel)
        ruling = next((r for r in reversed(self.rulings) if r.id not in self.rulings_withdrawn), None)
        newest = max((r.id for r in self.reports if r.id not in self.withdrawn), default=0)
        in_force = ruling is not None and ruling.id not in self.unapproved and newest <= ruling.seen_report
        assert stands.state is expected(held, "in force" if in_force else None, frozenset(unsure))
        assert (stands.sheet is None) == (stands.state is State.AWAITING)


TestPrecinctNight = PrecinctNight.TestCase
