"""The strip about the caller: who calls, from which number, what was proved, and how the call may end."""

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from caucus_desk.desk.caller import Checked, CheckResult
from caucus_desk.tally.call import CheckKind, Outcome
from caucus_desk.tally.roster import Precinct
from caucus_desk.ui.entry.call_end import EndKeys
from caucus_desk.ui.entry.lines import TextLine
from caucus_desk.ui.icons import IconLabel
from caucus_desk.ui.widgets.basics import STEP, ElidedLabel, label
from caucus_desk.ui.words import tip, tr

NAME, NUMBER, CHECK = "caller.name", "caller.number", "caller.check"
_BESIDE = 1020
"""Pixels; in less the keys that end the call do not fit beside the lines."""


class CallerStrip(QWidget):
    """Three lines, in the traffic of the sheet; beside them the outcome and the keys that end the call.

    What is typed in the check's line leaves it only as a question to the desk: it is never kept.
    """

    edited = Signal(str, str)
    """Of the check: how it was asked and its outcome, in words."""
    finished = Signal()
    check_wanted = Signal(str, str)
    """What the caller said, and the caller's number; `show_check` is the answer."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.checked = Checked()
        self._asked = False
        self._onward = False
        self._checks = True
        self._said = ""
        row = QHBoxLayout()
        row.setSpacing(STEP)
        self._row = row
        self.lines: dict[str, TextLine] = {}
        for path, text, width in (
            (NAME, self.tr("Caller"), 190),
            (NUMBER, self.tr("Call back"), 130),
            (CHECK, self.tr("PIN or worksheet id"), 96),
        ):
            line = TextLine(text)
            line.setMinimumWidth(width // 2 + STEP)
            line.setMaximumWidth(width)
            name = label(text, "muted")
            name.setBuddy(line)
            row.addWidget(name)
            row.addWidget(line)
            row.addSpacing(STEP)
            self.lines[path] = line
            if path == CHECK:
                self._check_name = name
            else:
                line.textChanged.connect(lambda now, path=path: self.edited.emit(path, now))
            line.onward.connect(lambda path=path: self._step(path, 1))
            line.back.connect(lambda path=path: self._step(path, -1))
        self.lines[NUMBER].textEdited.connect(self._number_changed)
        self.lines[CHECK].editingFinished.connect(self._left_check)
        self._sign = IconLabel("note", "muted")
        self._sign.hide()
        self._outcome = ElidedLabel()
        self._outcome.setMinimumWidth(0)
        row.addWidget(self._sign)
        row.addWidget(self._outcome, 1)
        self.ends = EndKeys()
        row.addWidget(self.ends)
        self._below = QHBoxLayout()
        self._below.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(STEP, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(row)
        column.addLayout(self._below)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """On a narrow page the keys that end the call stand below the lines."""
        super().resizeEvent(event)
        beside = self.width() >= _BESIDE
        if beside != (self._row.indexOf(self.ends) >= 0):
            (self._below if beside else self._row).removeWidget(self.ends)
            (self._row if beside else self._below).addWidget(self.ends)

    def ask_for_check(self, asks: bool) -> None:
        """Whether the caucus has its callers checked at all."""
        self._checks = asks
        self.lines[CHECK].setVisible(asks)
        self._check_name.setVisible(asks)

    def start(self, precinct: Precinct, texts: Mapping[str, str]) -> None:
        for path, line in self.lines.items():
            blocked = line.blockSignals(True)
            line.setText("" if path == CHECK else texts.get(path, ""))
            line.blockSignals(blocked)
        self._asked = self._onward = False
        self._show(Checked.of(texts.get(CHECK, "")))
        self.lines[NAME].setPlaceholderText(precinct.chair)
        self.lines[NUMBER].setPlaceholderText(precinct.phone)

    def take_focus(self, *, last: bool = False) -> None:
        lines = [line for path, line in self.lines.items() if path != CHECK or self._checks]
        lines[-1 if last else 0].setFocus(Qt.FocusReason.TabFocusReason)

    # --- the check ----------------------------------------------------------------------------

    def show_check(self, result: CheckResult) -> None:
        """What the desk answered. A wrong PIN may be asked for again; else the hand goes on."""
        onward, self._onward = self._onward, False
        self._asked = True
        self.lines[CHECK].clear()
        self._said = result.sentence
        changed = result.checked != self.checked
        self._show(result.checked)
        if changed:
            self.edited.emit(CHECK, self.checked.words)
        wrong_pin = result.kind is CheckKind.PIN and result.outcome is Outcome.FAILED
        if wrong_pin:
            self.lines[CHECK].setFocus(Qt.FocusReason.TabFocusReason)
        elif onward:
            self.finished.emit()

    def rang(self, precinct: Precinct) -> None:
        """The desk itself rang the number on file, and somebody answered."""
        for path, text in ((NAME, precinct.chair), (NUMBER, precinct.phone)):
            if text and not self.lines[path].text():
                self.lines[path].setText(text)
        self._show(Checked(CheckKind.CALL_BACK, Outcome.PASSED))
        self.edited.emit(CHECK, self.checked.words)

    def check_failed(self) -> None:
        """The store could not be asked: nothing was checked, and the hand stays."""
        self._onward = False

    def _ask(self, *, onward: bool) -> None:
        said = self.lines[CHECK].text()
        if not said.strip() and self._asked:
            if onward:
                self.finished.emit()
            return
        self._onward = onward
        self.check_wanted.emit(said, self.lines[NUMBER].text())

    def _left_check(self) -> None:
        """By another way than Enter: what was typed is compared all the same, and does not stay."""
        if self.lines[CHECK].text().strip():
            self._ask(onward=False)

    def _number_changed(self) -> None:
        """What was proved by the number was proved by another one."""
        if self.checked.kind is not CheckKind.PIN and self._asked:
            self._asked = False
            if self.checked != Checked():
                self._show(Checked())
                self.edited.emit(CHECK, "")

    def _show(self, checked: Checked) -> None:
        self.checked = checked
        self._asked = self._asked or checked != Checked()
        words, icon, role = outcome_sign(checked)
        shown = bool(words) and self._asked
        self._sign.setVisible(shown)
        if shown:
            self._sign.show_icon(icon, role)
        self._outcome.set_text(words if shown else "")
        self._outcome.setToolTip(tip(self._said) if shown else "")
        self.lines[CHECK].setAccessibleDescription(words if shown else "")

    def _step(self, path: str, by: int) -> None:
        paths = [one for one in self.lines if one != CHECK or self._checks]
        place = paths.index(path) + by
        if place == len(paths):
            self._ask(onward=True) if self._checks else self.finished.emit()
        elif place >= 0:
            self.lines[paths[place]].setFocus(Qt.FocusReason.TabFocusReason)


def outcome_sign(checked: Checked) -> tuple[str, str, str]:
    """What a check came to: in words, its drawing, its colour's role."""
    if checked.outcome is Outcome.PASSED:
        words = {
            CheckKind.PIN: tr("PIN passed"),
            CheckKind.NUMBER: tr("number passed"),
            CheckKind.CALL_BACK: tr("called back"),
            CheckKind.NONE: "",
        }[checked.kind]
        return words, "good", "good"
    if checked.outcome is Outcome.FAILED:
        what = tr("PIN failed") if checked.kind is CheckKind.PIN else tr("number failed")
        return what, "bad", "bad"
    if checked.kind is CheckKind.NONE:
        return tr("no PIN on file"), "note", "muted"
    return tr("not checked"), "warn", "warn"
