"""What a clerk has accepted of the findings: a reason for each error, a nod for each warning.

An acceptance is for the numbers it was given for. It falls when one of them changes, and holds again
when they are put back; nothing else touches it.
"""

from collections.abc import Mapping, Sequence

from caucus_desk.desk.guards import in_words
from caucus_desk.tally.finding import Finding, Severity
from caucus_desk.tally.sheet import ResultSheet

_Key = tuple[str, str, tuple[str, ...]]


def figures_of(finding: Finding, sheet: ResultSheet) -> tuple[str, ...]:
    """What stands in the fields that a finding names."""
    return tuple(str(_value(sheet, path)) for path in finding.fields)


def _value(sheet: ResultSheet, path: str) -> object:
    """A count, or what was ticked."""
    group, dot, column = path.rpartition(".")
    if not dot and path in ("chair_signed", "secretary_signed", "overwritten"):
        return getattr(sheet, path)
    return sheet.row(group).signed if column == "signed" else sheet.count(path)


class Accepted:
    """Kept for one sheet from the first look at it until it is left."""

    def __init__(self) -> None:
        self.errors: tuple[Finding, ...] = ()
        self.warnings: tuple[Finding, ...] = ()
        self._keys: dict[str, _Key] = {}
        self._given: dict[_Key, str] = {}
        self._noted: set[_Key] = set()

    def forget(self) -> None:
        self.__init__()  # type: ignore[misc]

    def look(self, findings: Sequence[Finding], sheet: ResultSheet) -> None:
        """The findings as they are now, and the sheet that they speak of."""
        self.errors = tuple(finding for finding in findings if finding.severity is Severity.ERROR)
        self.warnings = tuple(finding for finding in findings if finding.severity is Severity.WARNING)
        self._keys = {
            finding.id: (finding.id, finding.message, figures_of(finding, sheet))
            for finding in (*self.errors, *self.warnings)
        }

    def given(self, finding_id: str) -> str:
        """What was typed as its reason, for these numbers."""
        return self._given.get(self._keys[finding_id], "")

    def give(self, finding_id: str, reason: str) -> None:
        if finding_id in self._keys:
            self._given[self._keys[finding_id]] = reason

    def note_warnings(self) -> None:
        self._noted.update(self._keys[finding.id] for finding in self.warnings)

    def noted(self, finding_id: str) -> bool:
        return self._keys[finding_id] in self._noted

    @property
    def all_noted(self) -> frozenset[str]:
        return frozenset(finding.id for finding in self.warnings if self.noted(finding.id))

    @property
    def reasons(self) -> Mapping[str, str]:
        """Finding id to the reason given; a warning that was noted has an empty one."""
        given = {finding.id: self.given(finding.id).strip() for finding in self.errors}
        made = {finding_id: reason for finding_id, reason in given.items() if in_words(reason)}
        made.update(dict.fromkeys(self.all_noted, ""))
        return made

    @property
    def missing(self) -> tuple[str, ...]:
        """Ids of errors that have no reason yet."""
        given = self.reasons
        return tuple(dict.fromkeys(finding.id for finding in self.errors if finding.id not in given))
