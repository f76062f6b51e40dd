"""Which fields of a case are shown, and what stands in each line."""

from caucus_desk.desk.review import Case
from caucus_desk.desk.sheetcheck import SheetCheck
from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.tally.sheet import Column
from caucus_desk.ui.review.choices import Choices
from caucus_desk.ui.review.figures import CaseLine
from caucus_desk.ui.words import tr


def lines_of_sheet(
    rules: RuleSet, case: Case, choices: Choices, check: SheetCheck | None, *, whole: bool
) -> list[CaseLine]:
    """In worksheet order; `whole` shows the sheet, else only the groups that differ. `check` is of the
    sheet as it would stand with the choices."""
    lines = []
    shown_group: str | None = None
    for entry in case.fields:
        group, dot, column = entry.path.rpartition(".")
        if not _worth_showing(case, choices, group, entry.path, whole):
            continue
        lines.append(
            CaseLine(
                path=entry.path,
                group=rules.label(group) if dot else "",
                column=column if dot else entry.label,
                values=tuple(entry.by_key.items()),
                differs=entry.differs,
                rules=_rules_give(check, group) if column == Column.DELEGATES else "",
                stands=entry.stands,
                choice=choices.made.get(entry.path),
                first_of_group=group != shown_group,
            )
        )
        shown_group = group
    return lines


def _worth_showing(case: Case, choices: Choices, group: str, path: str, whole: bool) -> bool:
    """A group that nobody stood with on any sheet takes no room."""
    paths = {f"{group}.{column}" for column in Column} if group else {path}
    fields = [entry for entry in case.fields if entry.path in paths]
    touched = any(entry.differs or entry.path in choices.made for entry in fields)
    return touched or (whole and (not group or any(any(entry.by_key.values()) for entry in fields)))


def _rules_give(check: SheetCheck | None, group: str) -> str:
    if check is None or not check.computed:
        return ""
    if check.tie is not None and group in check.tie.groups:
        return tr("{0}, toss").format(check.computed.get(group, 0))
    return str(check.computed.get(group, 0))
