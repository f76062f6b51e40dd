"""The groups of a caucus from a file, where they are not the rule set's own."""

from pathlib import Path

from caucus_desk.exchange.cells import CellFault, name, one_of, yes_no
from caucus_desk.exchange.folding import fold
from caucus_desk.exchange.headings import Vocabulary
from caucus_desk.exchange.opening import open_tables
from caucus_desk.exchange.problems import BadInput, Problem
from caucus_desk.exchange.tables import Table
from caucus_desk.rules.ruleset import Group, GroupKind
from caucus_desk.tally.progress import no_progress

VOCABULARY = Vocabulary(
    {
        "candidate": "label",
        "label": "label",
        "group": "label",
        "preferencegroup": "label",
        "key": "key",
        "kind": "kind",
        "maybeviable": "may_be_viable",
        "minor": "minor",
    },
    lambda found: "label" in found,
    "candidate",
)
MAX_NAME = 60

_KINDS = {"candidate": "candidate", "uncommitted": "uncommitted", "other": "other", "writein": "other"}
_KIND_BY_NAME = {
    "uncommitted": GroupKind.UNCOMMITTED,
    "other": GroupKind.OTHER,
    "others": GroupKind.OTHER,
    "writein": GroupKind.OTHER,
    "otherwritein": GroupKind.OTHER,
}


def read_candidates(path: Path) -> tuple[Group, ...]:
    """The groups in the order of the file, which is the ballot's.

    Needed is the column `candidate`; `key` (else the name is the key), `kind` (candidate, uncommitted or
    other; else told by the name), `may_be_viable` and `minor` (yes or no) are optional.

    Raises:
        BadInput: with every problem, such as one name twice.
    """
    problems: list[Problem] = []
    groups: list[Group] = []
    with open_tables(path, VOCABULARY, no_progress, "Reading the candidates") as source:
        seen: dict[str, int] = {}
        for table in source.tables:
            for number, row in table.rows(problems):
                group = _group(table, number, row, problems)
                if group is not None and _new(table, number, group, seen, problems):
                    groups.append(group)
            problems += (problem for problem, _ in table.merged_cells())
    if not problems and len(groups) < 2:
        raise BadInput.whole_file(
            source.file, "A caucus needs at least two groups, each on a row of its own."
        )
    if problems:
        raise BadInput(source.file, problems)
    return tuple(groups)


def _group(table: Table, number: int, row: list[str], problems: list[Problem]) -> Group | None:
    before = len(problems)

    def text(column: str) -> str:
        index = table.index(column)
        return "" if index is None or index >= len(row) else row[index]

    def bad(column: str, expected: str) -> None:
        problems.append(table.problem(number, column, text(column), expected))

    def named(column: str) -> str:
        try:
            found = name(text(column))
        except CellFault as fault:
            bad(column, fault.expected)
            return ""
        if any(sign in found for sign in "|>;"):
            bad(column, "a name without | > ; (they part the names of a game of chance)")
        if len(found) > MAX_NAME:
            bad(column, f"a name of at most {MAX_NAME} characters")
        return found

    def ticked(column: str) -> bool | None:
        try:
            return yes_no(text(column))
        except CellFault as fault:
            bad(column, fault.expected)
            return None

    label = named("label")
    key = named("key") or label
    if len(problems) == before and not (fold(label) and fold(key)):
        bad("label", "the name of a candidate or group")
    kind = _KIND_BY_NAME.get(fold(key), GroupKind.CANDIDATE)
    try:
        stated = one_of(text("kind"), _KINDS)
        kind = kind if stated is None else GroupKind(stated)
    except CellFault as fault:
        bad("kind", fault.expected)
    may_be_viable, minor = ticked("may_be_viable"), ticked("minor")
    if len(problems) > before:
        return None
    return Group(key, label, kind, may_be_viable is not False, minor is True)


def _new(table: Table, number: int, group: Group, seen: dict[str, int], problems: list[Problem]) -> bool:
    """Whether its key and label are not taken; they are compared folded, so `Other` and `other` are one."""
    for column, text in (("key", group.key), ("label", group.label)):
        earlier = seen.setdefault(fold(text), number)
        if earlier != number:
            shown = column if table.index(column) is not None else "label"
            problems.append(
                table.problem(number, shown, text, f"a name that stands once: row {earlier} has it too")
            )
            return False
    return True
