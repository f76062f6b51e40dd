"""The cases of the review: the queue, who has which, what a choice would do, and likely slips."""

from collections.abc import Mapping
from typing import Literal

from caucus_desk.desk.casequeue import QueueItem, QueueKind, queue
from caucus_desk.desk.claiming import (
    CASE_IDLE,
    CaseTaken,
    case_idle,
    claim_case,
    claims,
    release_case,
    touch_case,
)
from caucus_desk.desk.review import Case
from caucus_desk.desk.ruledsheet import ruled_sheet
from caucus_desk.desk.session import Desk
from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.store.claims import CaseClaim
from caucus_desk.tally.effects import Effect, RankChange, effect
from caucus_desk.tally.hints import Hint, HintKind, find_hints
from caucus_desk.tally.report import CHANNELS, Channel, HeadKey
from caucus_desk.tally.sheet import ATTENDANCE, Column, ResultSheet
from caucus_desk.tally.urgency import whole_sheets

__all__ = [
    "CASE_IDLE",
    "CaseClaim",
    "CaseTaken",
    "Effect",
    "Hint",
    "HintKind",
    "QueueItem",
    "QueueKind",
    "RankChange",
    "case_idle",
    "claim_case",
    "claims",
    "effect_of",
    "effects",
    "hints",
    "in_order",
    "queue",
    "release_case",
    "take",
    "touch_case",
]

Choices = Mapping[str, int | None]


def take(case: Case, which: HeadKey) -> dict[str, int | None]:
    """The choices of a ruling that takes one sheet, by channel or, of a rival, by id: its value for each
    field that differs. What it does not state is taken from another that does."""
    whole = whole_sheets(case.heads)[which]
    own = case.heads[which].sheet
    values: dict[str, int | None] = {}
    for mismatch in case.result.mismatches:
        if _states(own, mismatch.field):
            values[mismatch.field] = mismatch.by_key[which]
        else:
            values[mismatch.field] = whole.count(mismatch.field)
    return values


def _states(sheet: ResultSheet, path: str) -> bool:
    _, dot, column = path.rpartition(".")
    return sheet.states(Column(column)) if dot else sheet.count(path) is not None


def effects(desk: Desk, case: Case) -> tuple[Effect, ...]:
    """What taking each report's sheet would do, in the order of `in_order`; empty where nothing differs. The
    `choice` of a rival is its id."""
    if not case.differing:
        return ()
    overview = desk.overview()
    return tuple(
        effect(
            overview,
            case.precinct.id,
            str(key),
            ruled_sheet(desk, case.result, take(case, key)),
            case.heads[key].told_apart if isinstance(key, int) else "",
        )
        for key in in_order(case)
    )


def in_order(case: Case) -> tuple[HeadKey, ...]:
    """What names each report that stands: the channels in their order, each followed by its rivals."""
    keys: list[HeadKey] = []
    for channel in CHANNELS:
        if channel in case.reports:
            keys.append(channel)
        keys += (rival.id for rival in case.rivals if rival.channel is channel)
    return tuple(keys)


def effect_of(
    desk: Desk, case: Case, choices: Choices, choice: Literal["choices"] | Channel = "choices"
) -> Effect:
    """What these values would do; a field that differs and is not chosen yet stays as it stands now.
    Refused for values that cannot stand."""
    stands = {mismatch.field: _stands(case, mismatch.field) for mismatch in case.result.mismatches}
    sheet = ruled_sheet(desk, case.result, {**stands, **choices})
    return effect(desk.overview(), case.precinct.id, choice, sheet)


def _stands(case: Case, path: str) -> int | None:
    sheet = case.result.standing.sheet
    assert sheet is not None  # what differs has reports
    if path != ATTENDANCE and "." in path and sheet.row(path.rpartition(".")[0]).blank:
        return 0
    return sheet.count(path)


def hints(rules: RuleSet, case: Case) -> tuple[Hint, ...]:
    """Slips that would explain why the reports differ, those that explain most first."""
    if not case.differing:
        return ()
    return find_hints(
        rules,
        case.precinct,
        {channel: report.sheet for channel, report in case.reports.items()},
        [(rival.id, rival.told_apart, rival.sheet) for rival in case.rivals],
    )
