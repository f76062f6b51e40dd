"""Beside or below the figures: the findings, the history and the picture of a sheet, each behind a letter."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from caucus_desk.desk.attachments import Attachment, file_of
from caucus_desk.rules.errors import CaucusError
from caucus_desk.tally.results import SheetFinding
from caucus_desk.ui.context import Context
from caucus_desk.ui.precincts.findings import FindingsPanel
from caucus_desk.ui.review.case_findings import CaseFindings
from caucus_desk.ui.review.history import HistoryLine, history_columns
from caucus_desk.ui.widgets.basics import STEP, ElidedLabel, Places, button, label, scrolling, wrapped
from caucus_desk.ui.widgets.table import TableModel, TableView
from caucus_desk.ui.widgets.viewer import Viewer
from caucus_desk.ui.widgets.withdrawing import WithdrawStrip

FINDINGS, HISTORY, PICTURE = "F", "H", "I"
"""The letters of the three, which are also their names."""


class SidePanel(QWidget):
    """One of three things at a time, or none; a letter shows it and the same letter puts it away."""

    turned = Signal(str)
    """The letter of what is shown now; "" for none."""
    left = Signal()
    letter = Signal(str, bool)
    """A letter that nothing here takes, and whether Shift was held: it is the case's."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown = ""
        self.findings = _FindingsTab(context)
        self.history = _HistoryTab()
        self.picture = _PictureTab(context)
        self._tabs: dict[str, QPushButton] = {}
        self._words = {
            FINDINGS: self.tr("findings"),
            HISTORY: self.tr("history"),
            PICTURE: self.tr("picture"),
        }
        self._places = Places()
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for name, widget in ((FINDINGS, self.findings), (HISTORY, self.history), (PICTURE, self.picture)):
            made = button(f"{name}  {self._words[name]}", role="choice")
            made.setCheckable(True)
            made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            made.clicked.connect(lambda _=False, name=name: self.toggle(name))
            row.addWidget(made)
            self._tabs[name] = made
            self._places.addWidget(widget)
        row.addSpacing(2 * STEP)
        hint = ElidedLabel(
            self.tr("D whole sheet · N next case · Esc back"), mode=Qt.TextElideMode.ElideRight
        )
        hint.setProperty("role", "small")
        row.addWidget(hint, 3)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(STEP)
        column.addLayout(row)
        column.addWidget(self._places, 1000)
        column.addStretch(1)
        self._places.hide()
        for table in (self.findings.panel.table, self.history.table):
            table.installEventFilter(self)
        self.picture.viewer.installEventFilter(self)

    @property
    def shown(self) -> str:
        return self._shown

    def hasHeightForWidth(self) -> bool:
        """What is in it scrolls: its least height is not the one in which everything is seen."""
        return False

    def toggle(self, name: str) -> None:
        self.turn_to("" if name == self._shown else name)

    def turn_to(self, name: str) -> None:
        """Show one of the three, "" none."""
        self._shown = name
        for one, made in self._tabs.items():
            made.setChecked(one == name)
        widgets = {FINDINGS: self.findings, HISTORY: self.history, PICTURE: self.picture}
        if name:
            self._places.setCurrentWidget(widgets[name])
        self._places.setVisible(bool(name))
        policy = QSizePolicy.Policy.Preferred if name else QSizePolicy.Policy.Maximum
        self.setSizePolicy(QSizePolicy.Policy.Preferred, policy)
        self.picture.set_shown(name == PICTURE)
        self.turned.emit(name)

    def take_focus(self) -> None:
        """Into what is shown."""
        if self._shown == FINDINGS:
            self.findings.take_focus()
        elif self._shown == HISTORY:
            self.history.table.setFocus(Qt.FocusReason.TabFocusReason)
        elif self._shown == PICTURE:
            self.picture.viewer.setFocus(Qt.FocusReason.TabFocusReason)

    def show_counts(self, findings: int, history: int, pictures: int) -> None:
        """How many stand behind each letter."""
        for name, count in ((FINDINGS, findings), (HISTORY, history), (PICTURE, pictures)):
            text = f"{name}  {self._words[name]} {count}"
            self._tabs[name].setText(text)
            self._tabs[name].setAccessibleName(text)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Letters in a table here are the case's; Esc leads back to the figures."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            plain = not event.modifiers() & (
                Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
            )
            if event.key() == Qt.Key.Key_Escape:
                self.left.emit()
                return True
            viewing = watched is self.picture.viewer
            if plain and event.text().isalpha() and not (viewing and event.text().upper() in "RO"):
                if not event.isAutoRepeat():
                    shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
                    self.letter.emit(event.text().upper(), shift)
                return True
        return super().eventFilter(watched, event)


class _FindingsTab(QWidget):
    """What the rules say of the sheet as it would stand; or, where nothing is to be chosen, the findings of
    the sheet that counts, each to be accepted with a reason."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.live = CaseFindings()
        self.panel = FindingsPanel(context, narrow=True)
        self._place: QScrollArea
        inner = QWidget()
        around = QVBoxLayout(inner)
        around.setContentsMargins(0, 0, STEP, 0)
        around.addLayout(self.live)
        around.addStretch(1)
        self._place = scrolling(inner)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._place, 1)
        column.addWidget(self.panel, 1)

    def show_live(self, live: bool) -> None:
        self._place.setVisible(live)
        self.panel.setVisible(not live)

    def show_findings(self, precinct_id: str, found: Sequence[SheetFinding]) -> None:
        self.panel.show_findings(precinct_id, found)

    def take_focus(self) -> None:
        if not self.panel.isHidden() and not self.panel.table.isHidden():
            table = self.panel.table
            table.setFocus(Qt.FocusReason.TabFocusReason)
            if not table.selectionModel().hasSelection():
                table.selectRow(0)


class _HistoryTab(QWidget):
    """Every report, call, ruling and errand; the chosen one in full below."""

    def __init__(self) -> None:
        super().__init__()
        self.model: TableModel[HistoryLine] = TableModel(history_columns(), lambda line: line.key)
        self.table = TableView(self.model, self.tr("History of this precinct"))
        self.table.set_dense()
        self.table.setSortingEnabled(False)
        self.table.horizontalHeader().setStretchLastSection(True)
        self.table.setMinimumHeight(10 * STEP)
        self.full = wrapped(role="muted")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(STEP)
        column.addWidget(self.table, 1)
        column.addWidget(self.full)
        self.table.selectionModel().currentRowChanged.connect(self._chosen)

    def show_lines(self, lines: Sequence[HistoryLine]) -> None:
        self.model.set_rows(lines)
        self._chosen()

    def _chosen(self) -> None:
        line = self.model.row_at(self.table.currentIndex())
        self.full.setVisible(line is not None)
        if line is not None:
            self.full.setText(f"{line.what}, {line.who}: {line.detail}" if line.detail else line.what)


class _PictureTab(QWidget):
    """The picture or PDF of the worksheet; the next one by the same letter with Shift, and Shift+W withdraws
    the one that is shown."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._attached: tuple[Attachment, ...] = ()
        self._place = 0
        self._showing = 0
        self._visible = False
        self.viewer = Viewer()
        self.which = label(role="muted")
        self.withdraw = WithdrawStrip(context, self.tr("Shift+W"))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(STEP)
        column.addWidget(self.which)
        column.addWidget(self.viewer, 1)
        column.addWidget(self.withdraw)

    def show_attached(self, attached: Sequence[Attachment]) -> None:
        """Keeps the one that is shown, where it is still among them."""
        if tuple(attached) == self._attached:
            return
        self._attached = tuple(attached)
        ids = [one.id for one in attached]
        self._place = ids.index(self._showing) if self._showing in ids else max(0, len(ids) - 1)
        self._showing = 0
        self._load()

    def set_shown(self, shown: bool) -> None:
        """A file is read only when somebody looks."""
        self._visible = shown
        self._load()

    def next(self) -> None:
        if len(self._attached) > 1:
            self._place = (self._place + 1) % len(self._attached)
            self._load()

    def _load(self) -> None:
        if not self._visible:
            return
        self.withdraw.show_attached(self._attached[self._place] if self._attached else None)
        if not self._attached:
            self._showing = 0
            self.which.hide()
            self.viewer.show_message(
                self.tr("No picture of the sheet is attached. Drop an image or a PDF onto this case.")
            )
            return
        one = self._attached[self._place]
        if one.id == self._showing:
            return
        self._showing = one.id
        many = self.tr("{0} of {1}, Shift+I the next").format(self._place + 1, len(self._attached))
        self.which.setText(many)
        self.which.setVisible(len(self._attached) > 1)
        path, refusal = _file(self._context, one)
        if path is None:
            self.viewer.show_message(refusal)
        else:
            self.viewer.show_file(path, one.name)


def _file(context: Context, attached: Attachment) -> tuple[Path | None, str]:
    try:
        return file_of(context.desk, attached), ""
    except CaucusError as error:
        return None, error.sentence
