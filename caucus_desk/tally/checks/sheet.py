"""The checks of one sheet, all of them or only the errors."""

from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.tally.checks.facts import Facts
from caucus_desk.tally.checks.plan import broken, findings_of, plan_of
from caucus_desk.tally.checks.slips import Search, slips
from caucus_desk.tally.finding import Finding, Severity
from caucus_desk.tally.roster import Precinct
from caucus_desk.tally.sheet import ResultSheet


def check_sheet(rules: RuleSet, precinct: Precinct, sheet: ResultSheet) -> tuple[Finding, ...]:
    """Everything that one sheet alone can show, in the order of the ids (rules.md 8).

    One finding for an id, listing all its fields. Severities are the rule set's; `off` removes.
    """
    facts, plan = Facts(rules, precinct, sheet), plan_of(rules)
    course = plan.course(facts)
    found = list(findings_of(facts, course.steps))
    if any(finding.severity is Severity.ERROR for finding in found) and not facts.whole_room:
        more = slips(Search(facts, plan, course, broken(facts, course.errors)))
        found = sorted((*found, *more), key=lambda finding: finding.id)
    return tuple(found)


def check_errors(rules: RuleSet, precinct: Precinct, sheet: ResultSheet) -> tuple[Finding, ...]:
    """The findings of `check_sheet` that are errors, without looking for the slip behind them."""
    facts = Facts(rules, precinct, sheet)
    errors = plan_of(rules).course(facts).errors
    return tuple(f for f in findings_of(facts, errors) if f.severity is Severity.ERROR)
