"""Pieces of the People page: cards, labelled lines, a PIN typed twice, and what a role may do in words."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from caucus_desk.desk.roles import MAY, Job, Role, may
from caucus_desk.ui.widgets.basics import STEP, heading, label, wrapped
from caucus_desk.ui.widgets.secret import SecretLine
from caucus_desk.ui.words import tr


def role_title(role: Role) -> str:
    return {
        Role.CLERK: tr("Clerk"),
        Role.REVIEWER: tr("Reviewer"),
        Role.LEAD: tr("Lead"),
        Role.VIEWER: tr("Viewer"),
        Role.ADMINISTRATOR: tr("Administrator"),
    }[role]


def role_does(role: Role) -> str:
    """`May do what a clerk may, and rule on a mismatch.`: from the table that the desk itself reads."""
    below = [other for other in Role if MAY[other] < MAY[role]]
    least = max(below, key=lambda other: len(MAY[other]), default=None)
    more = [job.words for job in Job if may(role, job) and (least is None or not may(least, job))]
    if least is None:
        return tr("May {0}.").format("; ".join(more))
    return tr("May do what {0} may, and: {1}.").format(least.words, "; ".join(more))


class Card(QFrame):
    """A framed part of the page with its heading; what is added stands below one another."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.title = heading(title)
        self.inside = QVBoxLayout(self)
        self.inside.setContentsMargins(3 * STEP, 2 * STEP, 3 * STEP, 2 * STEP)
        self.inside.setSpacing(STEP + 2)
        self.inside.addWidget(self.title)
        self.refusal = wrapped(role="bad")
        self.refusal.hide()

    def refuse(self, sentence: str) -> None:
        """Why it was not done, beside where it was asked for; "" takes it away."""
        self.refusal.setText(sentence)
        self.refusal.setVisible(bool(sentence))


def line_label(text: str, field: QWidget) -> QLabel:
    """`&Name` with its key, before a field that is spoken as `Name`."""
    made = label(text)
    made.setTextFormat(Qt.TextFormat.AutoText)
    made.setBuddy(field)
    field.setAccessibleName(text.replace("&", ""))
    return made


class PinPair(QWidget):
    """A new PIN, typed twice; Enter in the first goes to the second, in the second it is `entered`."""

    entered = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.first = SecretLine(self.tr("PIN or password"))
        self.again = SecretLine(self.tr("The same again"))
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(2 * STEP)
        grid.setVerticalSpacing(STEP)
        grid.setColumnStretch(1, 1)
        self._labels = (label(self.tr("PIN or password")), label(self.tr("The same again")))
        for row, field in enumerate((self.first, self.again)):
            grid.addWidget(self._labels[row], row, 0)
            grid.addWidget(field, row, 1)
        self.first.returnPressed.connect(self.again.setFocus)
        self.again.returnPressed.connect(self.entered)

    def align(self, width: int) -> None:
        """Labels as wide as those of the lines above."""
        for one in self._labels:
            one.setMinimumWidth(width)

    @property
    def fault(self) -> str:
        """Why the two are no PIN yet; "" where they are the same."""
        if not self.first.text():
            return self.tr("Type the PIN: 4 digits or more, or a password of 8 letters or more.")
        if not self.again.text():
            return self.tr("Type the same PIN again.")
        if self.first.text() != self.again.text():
            return self.tr("The two PINs are not the same. Type both again.")
        return ""

    @property
    def pin(self) -> str:
        return self.first.text()

    def clear(self) -> None:
        self.first.clear()
        self.again.clear()

    def take_focus(self) -> None:
        """Where something is missing."""
        if self.first.text() and not self.again.text():
            self.again.setFocus()
        else:
            self.clear()
            self.first.setFocus()


def name_line(width: int) -> QLineEdit:
    made = QLineEdit()
    made.setMaxLength(width)
    return made
