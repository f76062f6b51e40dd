"""Section 4: as reported, as computed: where a sheet parts from the rules, and what that moves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.tally.departures import Departure, Departures, departures
from caucus_desk.tally.results import Counting
from caucus_desk.ui.context import Context
from caucus_desk.ui.results.figures import unit_word
from caucus_desk.ui.results.missing import listed
from caucus_desk.ui.results.scope import Section, Shown
from caucus_desk.ui.widgets.basics import STEP, label, wrapped
from caucus_desk.ui.widgets.copying import Grid
from caucus_desk.ui.widgets.table import ColumnSpec, TableModel, TableView, room_for
from caucus_desk.ui.words import BLANK, decimal, number, tr


@dataclass(frozen=True, slots=True)
class Line:
    """One precinct of the list. `covered`: its figures must not be seen, only that it departs."""

    key: str
    county: str
    precinct: str
    step: str
    change: str
    size: Fraction
    sentence: str
    chance: bool
    covered: bool = False


@dataclass(frozen=True, slots=True)
class Move:
    """One group's sum, in the rule set's unit: computed less reported."""

    key: str
    label: str
    all: Fraction
    sure: Fraction
    chance: Fraction
    tosses: tuple[Fraction, Fraction]


class DepartingSection(Section):
    """The largest moves first; Enter opens the precinct."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        rules, unit = context.rules, unit_word(context.rules)
        self._by_key: dict[str, Line] = {}
        self.head = wrapped()
        self.model = TableModel[Line](_columns(rules, unit), lambda line: line.key, parent=self)
        self.table = TableView(self.model, self.tr("Sheets that depart from the rules"))
        self.told = wrapped()
        self.told.setMinimumHeight(3 * 3 * STEP)
        self.hint = label(self.tr("Enter: the precinct"), "small")
        self.move_model = TableModel[Move](_move_columns(rules, unit), lambda move: move.key, parent=self)
        self.moves = TableView(
            self.move_model, self.tr("{0} that counting as computed would move").format(unit)
        )
        self.move_remark = wrapped(role="muted")
        left = QVBoxLayout()
        left.setSpacing(STEP)
        left.addWidget(self.table, 1)
        left.addWidget(self.told)
        left.addWidget(self.hint)
        side = QWidget()
        right = QVBoxLayout(side)
        right.setContentsMargins(0, 0, 0, 0)
        right.setSpacing(STEP)
        title = label(self.tr("{0} moved: as computed less as reported").format(unit), bold=True)
        right.addWidget(title)
        right.addWidget(self.moves)
        right.addWidget(self.move_remark)
        right.addStretch(1)
        row = QHBoxLayout()
        row.setSpacing(3 * STEP)
        row.addLayout(left, 3)
        row.addWidget(side, 1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(2 * STEP)
        whole.addWidget(self.head)
        whole.addLayout(row, 1)
        self.table.setMinimumHeight(30 * STEP)
        self.table.opened.connect(lambda key: context.show_page("precincts", key))
        self.table.selectionModel().currentRowChanged.connect(lambda: self._tell())

    # ---- showing ----

    def show_figures(self, counting: Counting) -> None:
        context = self.context
        found = departures(context.overview, counting)
        covered = {
            entry.precinct.id
            for entry in found.all
            if not context.eyes.may_see(context.overview.results[entry.precinct.id])
        }
        lines = [_line(context.rules, entry, entry.precinct.id in covered) for entry in found.all]
        lines.sort(key=lambda line: (line.covered, -line.size))
        self._by_key = {line.key: line for line in lines}
        self.model.set_rows(lines)
        self.head.setText(self._head(found, len(covered)))
        # A sum with a single covered precinct in it would tell that precinct's figures by subtraction.
        left_out = covered if len(covered) == 1 else set()
        self._show_moves(found, left_out)
        self._tell()

    def _head(self, found: Departures, covered: int) -> str:
        differing, chance = len(found.differing), len(found.by_chance)
        said = [
            self.tr("{0} of the counted sheets give other delegates than the rules.").format(
                number(differing)
            )
        ]
        if chance:
            said.append(
                self.tr(
                    "In {0} only a game of chance decides, and the sheet shows none of its outcomes."
                ).format(number(chance))
            )
        if found.not_computed:
            said.append(
                self.tr("Not computed, for want of figures: {0} ({1}).").format(
                    number(len(found.not_computed)), listed([p.name for p in found.not_computed])
                )
            )
        if covered:
            said.append(
                self.tr("Of {0} the figures are covered until they are verified or looked at.").format(
                    number(covered)
                )
            )
        return " ".join(said)

    def _show_moves(self, found: Departures, left_out: set[str]) -> None:
        rules = self.context.rules
        if left_out:
            kept = tuple(entry for entry in found.all if entry.precinct.id not in left_out)
            found = Departures(found.rules, kept, found.tossed, found.not_computed)
        every, sure, chance = found.moved(), found.moved(False), found.moved(True)
        moves = [
            Move(key, rules.label(key), every[key], sure[key], chance[key], found.tosses(key))
            for key in rules.keys
        ]
        self.move_model.set_rows(moves)
        self.moves.setMinimumWidth(self.moves.least_width)
        self.moves.fit_rows(whole=True)
        tossed = self.tr(
            "{0} sheets agree with the rules through a game of chance; the last column is what other tosses "
            "would have moved."
        ).format(number(len(found.tossed)))
        out = self.tr("The one covered sheet is not in these sums.") if left_out else ""
        self.move_remark.setText(f"{tossed} {out}".strip())

    def _tell(self) -> None:
        line = self._by_key.get(self.table.current_key)
        if line is None:
            self.told.setText(self.tr("Choose a sheet to see where it parts from the rules."))
        elif line.covered:
            self.told.setText(
                self.tr("{0}: covered, because it is not verified. Enter leads to the precinct.").format(
                    line.precinct
                )
            )
        else:
            self.told.setText(f"{line.precinct}, {line.county}: {line.sentence}")

    # ---- for paper and the clipboard ----

    def heading(self) -> str:
        return self.tr("As reported, as computed")

    def tables(self) -> Sequence[TableView]:
        return (self.table, self.moves)

    def shown(self) -> Sequence[Shown]:
        """With the sentences, which have no room in the list."""
        grid = self.table.grid()
        sentences = [line.sentence for line in self.model.shown]
        wide = Grid(
            [*grid.heads, tr("Where they part")],
            [*grid.numbers, False],
            [[*row, said] for row, said in zip(grid.rows, sentences, strict=True)],
        )
        moves = Shown(self.moves.accessibleName(), self.moves.grid())
        return [Shown(self.table.accessibleName(), wide), moves] if wide.rows else [moves]

    def sentences(self) -> Sequence[str]:
        return [self.head.text(), self.move_remark.text()]


def _line(rules: RuleSet, entry: Departure, covered: bool) -> Line:
    precinct = entry.precinct
    if covered:
        return Line(
            precinct.id, precinct.county, precinct.name, tr("covered"), BLANK, Fraction(0), "", False, True
        )
    sentence = entry.sentence
    if entry.works_out_with:
        sentence += " " + tr("It works out with {0}.").format(tr(" or ").join(entry.works_out_with))
    return Line(
        key=precinct.id,
        county=precinct.county,
        precinct=precinct.name,
        step=str(entry.step),
        change=_change(rules, entry.reported, entry.computed),
        size=entry.size,
        sentence=sentence,
        chance=entry.tie is not None,
    )


def _change(rules: RuleSet, reported: Mapping[str, int], computed: Mapping[str, int]) -> str:
    """`Biden 2 → 1, Warren 0 → 1`."""
    parts = [
        f"{rules.name_of(key)} {reported.get(key, 0)} → {computed.get(key, 0)}"
        for key in dict.fromkeys((*rules.keys, *reported, *computed))
        if reported.get(key, 0) != computed.get(key, 0)
    ]
    return ", ".join(parts) or BLANK


def _columns(rules: RuleSet, unit: str) -> tuple[ColumnSpec[Line], ...]:
    digits = rules.rounding.digits
    return (
        ColumnSpec(tr("County"), 92, lambda line: line.county, tip=lambda line: line.county, least=70),
        ColumnSpec(
            tr("Precinct"), 150, lambda line: line.precinct, tip=lambda line: line.precinct, least=104
        ),
        ColumnSpec(
            tr("They part at"),
            150,
            lambda line: line.step,
            icon=lambda line: (
                ("person", "muted") if line.covered else ("warn", "warn") if line.chance else None
            ),
            tip=lambda line: line.sentence,
            least=112,
        ),
        ColumnSpec(
            tr("Reported → rules"),
            206,
            lambda line: line.change,
            tip=lambda line: line.change,
            least=150,
        ),
        ColumnSpec(
            tr("{0}").format(unit),
            60,
            lambda line: BLANK if line.covered else decimal(line.size, digits),
            lambda line: line.size,
            number=True,
        ),
    )


def _move_columns(rules: RuleSet, unit: str) -> tuple[ColumnSpec[Move], ...]:
    digits = rules.rounding.digits

    def moved(value: Fraction) -> str:
        return ("+" if value > 0 else "") + decimal(value, digits)

    def column(title: str, name: str, *, bold: bool = False) -> ColumnSpec[Move]:
        return ColumnSpec(
            title,
            room_for(title, "−88.8888"),
            lambda move: moved(getattr(move, name)),
            lambda move: getattr(move, name),
            number=True,
            bold=bold,
        )

    return (
        ColumnSpec(tr("Group"), room_for("", *(g.label for g in rules.groups)), lambda move: move.label),
        column(tr("in all"), "all", bold=True),
        column(tr("without\nchance"), "sure"),
        column(tr("where chance\ndecides"), "chance"),
        ColumnSpec(
            tr("other\ntosses"),
            room_for("", "−8.8888 … +8.8888"),
            lambda move: f"{moved(move.tosses[0])} … {moved(move.tosses[1])}" if any(move.tosses) else BLANK,
            lambda move: move.tosses[1] - move.tosses[0],
            number=True,
        ),
    )
