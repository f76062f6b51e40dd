"""Which checks run under a rule set, at which severity, and in which of the three situations of a sheet."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.tally.catalogue import ONE_DELEGATE_ONLY, SILENCED_BY_MISSING_ROUND, severity_of
from caucus_desk.tally.checks import arithmetic, counts, delegates, paper, realignment
from caucus_desk.tally.checks.check import Check
from caucus_desk.tally.checks.facts import Facts, Places
from caucus_desk.tally.finding import Finding, Severity

_CHECKS = tuple(
    sorted(
        (*counts.CHECKS, *realignment.CHECKS, *delegates.CHECKS, *arithmetic.CHECKS, *paper.CHECKS),
        key=lambda check: check.id,
    )
)
_KEPT = 8
"""Rule sets whose plans are kept; a program works with one or two."""


@dataclass(frozen=True, slots=True)
class Step:
    check: Check
    severity: Severity


@dataclass(frozen=True, slots=True)
class Course:
    """The checks of one situation, in the order of their ids."""

    steps: tuple[Step, ...]
    errors: tuple[Step, ...]

    @classmethod
    def of(cls, steps: Iterable[Step]) -> "Course":
        steps = tuple(steps)
        return cls(steps, tuple(step for step in steps if step.severity is Severity.ERROR))


@dataclass(frozen=True, slots=True)
class Plan:
    full: Course
    one_delegate: Course
    round_missing: Course
    one_delegate_round_missing: Course
    arithmetic: bool
    """Delegates that differ from the computed ones are always an error: C20 and C11 to C16 all are."""

    def course(self, facts: Facts) -> Course:
        if facts.whole_room:
            return self.one_delegate_round_missing if facts.round_missing else self.one_delegate
        return self.round_missing if facts.round_missing else self.full


_plans: dict[int, tuple[RuleSet, Plan]] = {}


def plan_of(rules: RuleSet) -> Plan:
    """Made once for each rule set: a rule set is never changed, and holding it keeps its id from reuse."""
    kept = _plans.get(id(rules))
    if kept is not None:
        return kept[1]
    plan = _make_plan(rules)
    if len(_plans) >= _KEPT:
        _plans.clear()
    _plans[id(rules)] = (rules, plan)
    return plan


def _make_plan(rules: RuleSet) -> Plan:
    steps = []
    for check in _CHECKS:
        severity = severity_of(rules, check.id)
        if severity is not None:
            steps.append(Step(check, severity))
    one = [step for step in steps if step.check.id in ONE_DELEGATE_ONLY]
    return Plan(
        full=Course.of(steps),
        one_delegate=Course.of(one),
        round_missing=Course.of(s for s in steps if s.check.id not in SILENCED_BY_MISSING_ROUND),
        one_delegate_round_missing=Course.of(s for s in one if s.check.id not in SILENCED_BY_MISSING_ROUND),
        arithmetic=all(
            severity_of(rules, id) is Severity.ERROR
            for id in ("C11", "C12", "C13", "C14", "C15", "C16", "C20")
        ),
    )


def findings_of(facts: Facts, steps: Iterable[Step]) -> Iterator[Finding]:
    for step in steps:
        hit = step.check.find(facts)
        if hit is not None:
            yield told(facts, step, hit)


def told(facts: Facts, step: Step, hit: Places) -> Finding:
    severity = step.severity
    if severity is Severity.ERROR and step.check.softer(facts, hit):
        severity = Severity.WARNING
    words = step.check.tell(facts, hit)
    return Finding(step.check.id, severity, words.fields, words.message, words.ask)


@dataclass(frozen=True, slots=True)
class Broken:
    """The errors of a sheet, not worded; and the ids that are errors by rank but a warning here."""

    errors: tuple[Step, ...]
    softened: frozenset[str]


def broken(facts: Facts, steps: Iterable[Step]) -> Broken:
    errors, softened = [], set()
    for step in steps:
        hit = step.check.find(facts)
        if hit is None:
            continue
        if step.check.softer(facts, hit):
            softened.add(step.check.id)
        else:
            errors.append(step)
    return Broken(tuple(errors), frozenset(softened))


def is_clean(facts: Facts, plan: Plan, course: Course, known: Broken) -> bool:
    """No error at all, nor one that is a warning here and was not on the sheet (`known`) before.

    The sheet's own errors, steps of `course`, are tried first: most variants keep them.
    """
    own = plan.course(facts)
    for steps in (known.errors if own is course else (), own.errors):
        for step in steps:
            if step.check.id == "C20" and plan.arithmetic and not facts.agrees and not _other_viable(facts):
                return False  # if not by C20, then by one of C11 to C16, which silence it
            hit = step.check.find(facts)
            if hit is not None and not (step.check.id in known.softened and step.check.softer(facts, hit)):
                return False
    return True


def _other_viable(facts: Facts) -> bool:
    """Only then may a difference from the computed delegates be less than an error."""
    return any(place in facts.other for place in facts.viable_final)
