"""The catalogue of findings (rules.md 8): the one place that says what each id is.

The checks, the help page and the workbook's method sheet all read it here. Counts in words: F and L
are the sums of the first and the final alignment, A the attendance, D the delegates to elect.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.tally.finding import Severity

_E, _W, _N = Severity.ERROR, Severity.WARNING, Severity.NOTE


@dataclass(frozen=True, slots=True)
class FindingKind:
    """One id. `severity` is None for a mismatch, which is no finding and has its own list."""

    id: str
    severity: Severity | None
    title: str
    predicate: str
    """When it is raised, in plain words."""
    rule: str
    """The section and the predicate in the rules reference."""
    ask: str
    """What a clerk asks the room, without this sheet's numbers; "" if nothing."""
    mismatch: bool = False
    whole_caucus: bool = False
    """It compares precincts with each other or with totals, so one sheet alone cannot show it."""

    @property
    def word(self) -> str:
        """`error`, `warning`, `note` or `mismatch`."""
        return "mismatch" if self.severity is None else self.severity.value


_KINDS = (
    FindingKind("C01", _E, "First alignment exceeds the attendance",
        "F is more than A. Not evaluated where the sheet does not state the attendance.",
        "8, P1", "Please read me the attendance and each group of the first alignment again."),
    FindingKind("C02", _E, "Final alignment exceeds the attendance",
        "L is more than A. Not evaluated where the sheet does not state the attendance.",
        "8, P2", "Please read me the attendance and each group of the final alignment again."),
    FindingKind("C03", _W, "More people in the final alignment than in the first",
        "L is more than F, while the attendance is not exceeded or not known. Where the whole room elects"
        " one delegate, only in place of C02: where the sheet does not state the attendance.",
        "8, P3", "Nobody can join between the alignments. Did someone line up late?"),
    FindingKind("C04", _N, "People left before the final count",
        "L is less than F.",
        "8, P3", "Did people leave before the final count?"),
    FindingKind("C05", _W, "Many people left before the final count",
        "L is less than 85 in 100 of F.",
        "8", "More than one in seven people left. Is the final column complete?"),
    FindingKind("C06", _E, "A viable group shrank",
        "A group viable in the first alignment has fewer people in the final one, but not none; its"
        " members were not free to go. A warning where the attendance is not known or only Other is"
        " concerned.",
        "8, P4 and P5", "Could you read me that group again, first and final?"),
    FindingKind("C07", _E, "A viable group vanished",
        "A group viable in the first alignment has nobody in the final one, and it was not one of the"
        " smallest that had to realign because more groups were viable than there are delegates (ties"
        " included). A warning where the attendance is not known or only Other is concerned.",
        "8, P4 and P5", "That group was viable and now has nobody. Is the number in another row?"),
    FindingKind("C08", _N, "A viable group was sent to realign",
        "More groups were viable in the first alignment than there are delegates, and one of the smallest"
        " has nobody in the final one.",
        "8, P5", "Did the smallest group have to realign?"),
    FindingKind("C09", _E, "Groups gained more people than were free to move",
        "The gains of all groups together exceed the people who left groups that were not viable or were"
        " sent to realign, and those who were counted but stood with no group. A warning where it would be"
        " possible if Other had not been viable as a whole.",
        "8, P6", "Please read both columns again."),
    FindingKind("C10", _N, "People stayed with a group that is not viable",
        "A group has people in the final alignment, but fewer than needed.",
        "8, P7", "Did those people stay there to the end?"),
    FindingKind("C11", _E, "A group that is not viable is given a delegate",
        "D is 2 or more, and a group with fewer people than needed has a delegate.",
        "8", "Please read me that group's final count and delegates again."),
    FindingKind("C12", _E, "A delegate without people",
        "D is 2 or more, and a group with nobody in the final alignment has a delegate.",
        "8", "That group has a delegate and no people. Which row is meant?"),
    FindingKind("C13", _E, "A viable group is left without a delegate",
        "A group is viable in the final alignment and has no delegate, although there are delegates enough"
        " for every viable group. A warning where only Other is concerned.",
        "8", "How many delegates did that group get?"),
    FindingKind("C14", _E, "Too many delegates given",
        "The delegates add to more than D.",
        "8", "Please read the delegate column again."),
    FindingKind("C15", _E, "Too few delegates given",
        "The delegates add to less than D, and somebody is viable. Not evaluated where no delegates are"
        " stated. A warning where only Other is viable.",
        "8", "Who got the other delegates?"),
    FindingKind("C16", _E, "More people but fewer delegates",
        "D is 2 or more, and a group with more people than another has fewer delegates. A warning where"
        " only Other has more people.",
        "8", "One group has more people but fewer delegates. Is that what the sheet says?"),
    FindingKind("C17", _W, "Equal groups, different delegates",
        "D is 2 or more, two groups have equal people and unequal delegates, and no game of chance between"
        " them is noted.",
        "8", "Equal groups, different delegates. Who won the toss?"),
    FindingKind("C18", _W, "A game of chance is missing",
        "The rules leave the last delegate to chance, and none between the tied groups is noted.",
        "8, 5.2", "This needed a game of chance. Who won?"),
    FindingKind("C19", _W, "A game of chance without a tie",
        "A game of chance is noted, but the numbers leave no tie: neither for a delegate nor for which of"
        " equal groups had to realign.",
        "8, 5.2", "A game of chance is noted. What was it about?"),
    FindingKind("C20", _E, "Delegates differ from what the counts give",
        "The delegates are not those that the rules compute (with a tie: not one of its outcomes), and"
        " none of C11 to C16 says why. A warning where Other is viable. Not evaluated where no delegates"
        " are stated.",
        "8, 5.2", "Please read the delegate column again."),
    FindingKind("C21", _W, "Worked out with the final total",
        "The delegates are not those that the rules compute, but would be if the final total were the"
        " attendance.",
        "8, Q1", "Was the final total divided by, instead of the attendance?"),
    FindingKind("C22", _W, "The correction after rounding was left out",
        "The delegates are not those that the rules compute, but plain rounding gives them, alone or with"
        " the largest group taking the rest.",
        "8, 5.1", "How was the rounding corrected?"),
    FindingKind("C23", _W, "Another threshold on the sheet",
        "The sheet states a viability threshold other than the computed one.",
        "8, 3", "How many were needed to be viable?"),
    FindingKind("C24", _W, "The only delegate is not of the largest group",
        "D is 1, and the delegate goes to a group smaller than the largest.",
        "8, Q4", "The room chose someone from outside the largest group. Is that right?"),
    FindingKind("C25", _N, "Tie for the only delegate",
        "D is 1, and the largest groups are equal.",
        "8, Q4", "How was the tie settled?"),
    FindingKind("C26", _W, "Nobody attended",
        "Every count is zero, where delegates are to elect or the site is a satellite.",
        "8, 3", "Did nobody attend? Please say so in words."),
    FindingKind("C27", _W, "Nobody is viable",
        "People attended, but no group reached the number needed.",
        "8, 5.1", "Is that how it ended?"),
    FindingKind("C28", _N, "Fewer people than delegates",
        "A is less than D. Not evaluated where the attendance is not known.",
        "8, 3", "Is the attendance right?"),
    FindingKind("C29", _W, "More viable groups than delegates",
        "More groups are viable in the final alignment than there are delegates.",
        "8, Q3", "Who realigned or lost the toss?"),
    FindingKind("C30", _W, "A viable group out of nothing",
        "A group with nobody in the first alignment is viable in the final one.",
        "8, P9", "Were rows shifted?"),
    FindingKind("C31", _W, "Two rows look exchanged",
        "The sheet has errors, and exchanging two groups' counts in one alignment, or moving a run of them"
        " by one row, clears every one.",
        "8", "Are those two rows the right way round?"),
    FindingKind("C32", _W, "A group without statewide strength is viable",
        "A group is viable that the rule set names as minor, or that has less than 1 in 100 of all people"
        " of the final alignment in so far.",
        "8", "Please read that row again, and the rows beside it."),
    FindingKind("C33", _N, "Nobody moved",
        "Both alignments are the same for every group, although one with people was not viable.",
        "8, P11", "Is the final column a copy of the first?"),
    FindingKind("C34", _E, "Delegates repeat the head counts",
        "D is 2 or more, L is more than 10, the delegates do not add to D, and for every group they equal"
        " its final count, or for every group its first.",
        "8", "Please read the delegate column."),
    FindingKind("C35", _E, "The same sheet in two precincts",
        "Both alignments equal another precinct's, group by group, and L is more than 10.",
        "8", "Is this the right precinct?", whole_caucus=True),
    FindingKind("C36", _W, "One alignment equals another precinct's",
        "Only the first, or only the final alignment equals another precinct's, group by group, with more"
        " than 10 people.",
        "8", "Please read that column again. Is this the right precinct?", whole_caucus=True),
    FindingKind("C37", _W, "First and final look exchanged",
        "The sheet has errors, and exchanging the two columns clears every one.",
        "8", "Which of the two columns is the first alignment?"),
    FindingKind("C38", _N, "One digit may be off",
        "The sheet has errors, and changing one digit of one count, or exchanging two neighbouring digits,"
        " clears every one.",
        "8", "Please read that number again, digit by digit."),
    FindingKind("C39", _W, "An unlikely attendance",
        "A is three times the last attendance here or more, a third of it or less, or more than the"
        " registered members.",
        "8", "Is the attendance right, and is it this precinct?"),
    FindingKind("C40", _E, "Another number of delegates to elect",
        "The sheet states another number of delegates to elect than the roster.",
        "8", "Is it the right precinct?"),
    FindingKind("C41", _E, "A satellite with another number of delegates",
        "A satellite site is to elect another number of delegates than the band of its attendance gives.",
        "8, 6", "How many people attended, and how many delegates were elected?"),
    FindingKind("C42", _W, "A satellite's attendance is in doubt",
        "At a satellite site the attendance differs from the sign-in count or is less than F. Not"
        " evaluated where the attendance is not known.",
        "8, 6", "The site's share depends on its attendance. Please confirm it."),
    FindingKind("C43", _W, "A signature is missing",
        "The chair or the secretary has not signed.",
        "8, 2", "Can the sheet still be signed?"),
    FindingKind("C44", _N, "No campaign signature",
        "A candidate with delegates at stake (a viable group, or delegates given) has no captain's"
        " signature.",
        "8, 2", "Was a captain in the room?"),
    FindingKind("C45", _W, "Overwritten figures",
        "Figures on the sheet are crossed out or overwritten.",
        "8", "Which figure stands?"),
    FindingKind("C46", _E, "A count is blank",
        "A group has some of its counts but not all. Columns that the whole sheet does not state are left"
        " out.",
        "8", "Zero, or not said?"),
    FindingKind("C47", _W, "Delegates and SDEs disagree",
        "The SDEs of a loaded file are not the delegates times the county's ratio, rounded to the rule"
        " set's digits.",
        "8, 6", ""),
    FindingKind("C48", _W, "A county total disagrees with its precincts",
        "A county total of a loaded file is not the sum of the county's precincts as reported.",
        "8", "", whole_caucus=True),
    FindingKind("C49", None, "Two channels differ",
        "Two standing reports of one precinct differ in a field. A mismatch, not a finding.",
        "8", "", mismatch=True),
    FindingKind("C50", _W, "Changed after it was verified",
        "The precinct was verified, and a newer report or a withdrawal has changed what stands.",
        "8", "", whole_caucus=True),
    FindingKind("C51", _E, "One alignment is missing",
        "One alignment has people, the other has none or is not stated. Silences C02 to C09, C18, C20, C21"
        " and C24 to C30.",
        "8, 3", "Please read me the missing alignment."),
    FindingKind("C52", _W, "Everyone was viable, yet people moved",
        "Every group with people was viable in the first alignment, yet one gained in the final one.",
        "8, P10", "Did someone move who could not?"),
    FindingKind("C53", _E, "Two attendances on one sheet",
        "The sheet shows two different attendances.",
        "8, P12", "Which was counted before the first alignment?"),
)  # fmt: skip

FINDINGS: Mapping[str, FindingKind] = MappingProxyType({kind.id: kind for kind in _KINDS})
"""Every id, C01 to C53, in order."""

SILENCED_BY_MISSING_ROUND = frozenset(
    {"C02", "C03", "C04", "C05", "C06", "C07", "C08", "C09", "C18", "C20", "C21"}
    | {"C24", "C25", "C26", "C27", "C28", "C29", "C30"}
)
"""Without one of the rounds (C51) these could only mislead."""

ONE_DELEGATE_ONLY = frozenset({"C01", "C02", "C03", "C14", "C15", "C24", "C25", "C26", "C46", "C51"})
"""All that one sheet can show where the whole room elects one delegate (P13); C03 in place of C02."""


def severity_of(rules: RuleSet, id: str) -> Severity | None:
    """The severity in force under a rule set; None where it is switched off (or no finding: C49)."""
    word = rules.severities.get(id)
    if word is None:
        return FINDINGS[id].severity
    return None if word == "off" else Severity(word)
