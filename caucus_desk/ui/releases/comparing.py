"""Section 3: two releases, or a release and what stands now: precincts, groups, places, and why."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtWidgets import QComboBox, QHBoxLayout, QVBoxLayout, QWidget

from caucus_desk.desk.releases import Release, compare, reasons
from caucus_desk.tally.comparison import Comparison, GroupMove
from caucus_desk.ui.context import Context
from caucus_desk.ui.releases.rows import (
    ChangeLine,
    change_columns,
    change_text,
    counting_words,
    group_columns,
    kinds_text,
    made_at,
    summary,
)
from caucus_desk.ui.results.figures import unit_word
from caucus_desk.ui.results.scope import Shown
from caucus_desk.ui.widgets.basics import STEP, EmptyState, label, wrapped
from caucus_desk.ui.widgets.table import TableModel, TableView
from caucus_desk.ui.words import number

TOPIC = "comparison"
NOW = 0
"""In place of a release's number: as it stands now."""


@dataclass(frozen=True)
class _Compared:
    pair: tuple[int, int]
    comparison: Comparison
    why: dict[str, str]


class CompareSection(QWidget):
    """Left and right of the comparison are chosen by their lists; Down and Up in them, or a letter."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.context = context
        rules, unit = context.rules, unit_word(context.rules)
        self._made: tuple[Release, ...] = ()
        self._seen: _Compared | None = None
        self._lines: dict[str, ChangeLine] = {}
        self._lead_in = False
        self.older, self.newer = QComboBox(), QComboBox()
        for box in (self.older, self.newer):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.older.setAccessibleName(self.tr("From"))
        self.newer.setAccessibleName(self.tr("To"))
        self.nothing = EmptyState(
            "releases",
            self.tr("There is nothing to compare yet"),
            self.tr("After the first release it can be compared with what stands now."),
        )
        self.waiting = label(self.tr("Working it out…"), "muted")
        self.summary = wrapped()
        self.model = TableModel[ChangeLine](change_columns(rules, unit), lambda line: line.key, parent=self)
        self.table = TableView(self.model, self.tr("Precincts that moved"))
        self.told = wrapped()
        self.hint = label(self.tr("Enter: the precinct"), "small")
        self.group_model = TableModel[GroupMove](group_columns(rules, unit), lambda m: m.group, parent=self)
        self.groups = TableView(self.group_model, self.tr("Groups"))
        self.kinds = wrapped(role="muted")
        self._lay_out()
        self.older.activated.connect(self.compare)
        self.newer.activated.connect(self.compare)
        self.table.opened.connect(lambda key: context.show_page("precincts", key))
        self.table.selectionModel().currentRowChanged.connect(lambda: self._tell())
        self.groups.selectionModel().currentRowChanged.connect(lambda: self._tell_kinds())

    def _lay_out(self) -> None:
        line = QHBoxLayout()
        line.setSpacing(STEP)
        line.addWidget(label(self.tr("From")))
        line.addWidget(self.older)
        line.addWidget(label(self.tr("to")))
        line.addWidget(self.newer)
        line.addStretch(1)
        self._choice = QWidget()
        self._choice.setLayout(line)
        line.setContentsMargins(0, 0, 0, 0)
        left = QVBoxLayout()
        left.setSpacing(STEP)
        left.addWidget(self.table, 1)
        left.addWidget(self.told)
        left.addWidget(self.hint)
        left.addStretch(0)
        right = QVBoxLayout()
        right.setSpacing(STEP)
        right.addWidget(self.groups)
        right.addWidget(self.kinds)
        right.addStretch(1)
        row = QHBoxLayout()
        row.setSpacing(3 * STEP)
        row.addLayout(left, 1)
        row.addLayout(right)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(2 * STEP)
        whole.addWidget(self._choice)
        whole.addWidget(self.nothing, 1)
        whole.addWidget(self.waiting)
        whole.addWidget(self.summary)
        whole.addLayout(row, 1)
        self.waiting.hide()
        self.table.setMinimumHeight(30 * STEP)

    # ---- showing ----

    @property
    def pair(self) -> tuple[int, int]:
        older, newer = self.older.currentData(), self.newer.currentData()
        return (int(older or 0), int(newer or 0))

    @property
    def ready(self) -> bool:
        return self._seen is not None and not self.context.thinker.asked(TOPIC)

    def show_releases(self, made: tuple[Release, ...]) -> None:
        """Offers them; what was chosen stays chosen."""
        known = [one.number for one in self._made]
        self._made = made
        self.nothing.setVisible(not made)
        self._choice.setVisible(bool(made))
        if not made:
            self.clear()
            return
        if known != [one.number for one in made]:
            chosen = self.pair if known else (made[-1].number, NOW)
            self._offer(chosen)
        if self._seen is None or self._seen.pair != self.pair or self.pair[1] == NOW:
            self.compare()

    def choose(self, number_of: int) -> None:
        """A release with the one before it, or the first with what stands now."""
        earlier = [one.number for one in self._made if one.number < number_of]
        self._offer((earlier[-1], number_of) if earlier else (number_of, NOW))
        self.compare()

    def _offer(self, chosen: tuple[int, int]) -> None:
        for box, number_of in zip((self.older, self.newer), chosen, strict=True):
            box.blockSignals(True)
            box.clear()
            for one in reversed(self._made):
                told = self.tr("Release {0} · {1} · {2}").format(
                    number(one.number), made_at(one.at), counting_words(one.counting)
                )
                box.addItem(told, one.number)
            if box is self.newer:
                box.insertItem(0, self.tr("as it stands now"), NOW)
            box.setCurrentIndex(max(0, box.findData(number_of)))
            box.blockSignals(False)

    def compare(self) -> None:
        pair, desk = self.pair, self.context.desk
        if not pair[0]:
            return
        if pair[0] == pair[1]:
            self.clear()
            self.summary.setText(self.tr("A release has not moved against itself: choose another."))
            self.summary.show()
            return
        if self._seen is None or self._seen.pair != pair:
            self.clear()
            self.waiting.show()

        def work(overview: object) -> _Compared:
            newer = pair[1] or None
            found = compare(desk, pair[0], newer)
            return _Compared(pair, found, dict(reasons(desk, found, pair[0], newer)))

        self.context.thinker.ask(TOPIC, work, self._show)

    def clear(self) -> None:
        self._seen = None
        self._lines = {}
        self.waiting.hide()
        self.model.set_rows(())
        self.group_model.set_rows(())
        for part in (self.table, self.told, self.hint, self.groups, self.kinds, self.summary):
            part.hide()

    def _show(self, seen: _Compared) -> None:
        self._seen = seen
        self.waiting.hide()
        found = seen.comparison
        lines = [
            ChangeLine(
                change,
                seen.why.get(change.precinct.id, ""),
                self._covered(change.precinct.id, seen.pair),
            )
            for change in found.largest
        ]
        lines.sort(key=lambda line: line.covered)
        self._lines = {line.key: line for line in lines}
        self.model.set_rows(lines)
        self.group_model.set_rows(found.groups)
        # A sum that one covered precinct alone moved would tell that precinct's figures.
        alone = sum(line.covered for line in lines) == 1
        for part in (self.table, self.told, self.hint):
            part.setVisible(bool(lines))
        self.groups.setVisible(not alone)
        self.kinds.setVisible(not alone)
        said = (
            summary(found)
            if not alone
            else self.tr("One precinct that moved is covered, and so are the sums.")
        )
        self.summary.setText(said)
        self.summary.show()
        self.groups.setMinimumWidth(self.groups.least_width)
        self.groups.fit_rows(whole=True)
        if lines and not self.table.currentIndex().isValid():
            self.table.selectRow(0)
        self._tell()
        self._tell_kinds()
        if self._lead_in and lines and self.older.hasFocus():
            self.table.setFocus()
        self._lead_in = False

    def _covered(self, precinct_id: str, pair: tuple[int, int]) -> bool:
        """What has gone out is public, but not to who is keying that very sheet; what stands now is covered
        as on every page."""
        result, eyes = self.context.overview.results.get(precinct_id), self.context.eyes
        if result is None:
            return False
        out = all(not one.waiting for one in self._made if one.number in pair)
        if pair[1] != NOW and out:
            return precinct_id in eyes.keying
        return not eyes.may_see(result)

    def _tell(self) -> None:
        line = self._lines.get(self.table.current_key)
        rules = self.context.rules
        self.told.setText(change_text(rules, unit_word(rules), line) if line is not None else "")

    def _tell_kinds(self) -> None:
        key = self.groups.current_key
        move = next((one for one in self.group_model.rows if one.group == key), None)
        rules = self.context.rules
        if move is None:
            self.kinds.setText(self.tr("The row of a group tells what moved it."))
        else:
            self.kinds.setText(kinds_text(rules, unit_word(rules), move))

    def take_focus(self) -> bool:
        if self.table.isVisible():
            self.table.setFocus()
        elif self._choice.isVisible():
            self.older.setFocus()
            self._lead_in = self.context.thinker.asked(TOPIC)  # into the list, once it is there
        else:
            return False
        return True

    # ---- for paper and the clipboard ----

    def heading(self) -> str:
        older, newer = self.older.currentText(), self.newer.currentText()
        return self.tr("What moved: {0} to {1}").format(older, newer)

    def shown(self) -> Sequence[Shown]:
        return [
            Shown(view.accessibleName(), view.grid())
            for view in (self.table, self.groups)
            if view.isVisible() and view.model().rowCount()
        ]
