"""The settings of the caucus: what they are now, and what they become."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLineEdit, QWidget

from caucus_desk.desk.settings import (
    APPROVAL_STAKE,
    CALLER_CHECK,
    IDLE_MINUTES,
    RELEASE_APPROVAL,
    Settings,
    setting_text,
)
from caucus_desk.ui.people.parts import Card, line_label
from caucus_desk.ui.widgets.basics import STEP, Choices, button, wrapped


class SettingsCard(Card):
    """`save_wanted` carries what was changed: keys and texts, in pairs."""

    save_wanted = Signal(list)

    def __init__(self) -> None:
        super().__init__("")
        self.title.setText(self.tr("Settings of this caucus"))
        self._shown: dict[str, str] = {}
        self.idle = _short()
        self.stake = _short()
        self.caller = Choices(
            [("pin", self.tr("ask callers")), ("none", self.tr("do not"))],
            self.tr("PIN or worksheet id of callers"),
            small=True,
        )
        self.release = Choices(
            [("off", self.tr("a lead's word")), ("on", self.tr("a second lead"))],
            self.tr("Approval of releases"),
            small=True,
        )
        self.save = button(self.tr("Save the settings"))
        self.why_not = wrapped(role="muted")
        grid = QGridLayout()
        grid.setHorizontalSpacing(2 * STEP)
        grid.setVerticalSpacing(STEP + 2)
        grid.setColumnStretch(2, 1)
        lines: tuple[tuple[str, QWidget, str], ...] = (
            (
                self.tr("&Lock after minutes"),
                self.idle,
                self.tr("without a key; 0 is never. Only where there are accounts."),
            ),
            (
                self.tr("Second &approval from"),
                self.stake,
                self.tr("state delegate equivalents at stake in a ruling; empty: none is asked for."),
            ),
            (self.tr("&Callers"), self.caller, self.tr("for PIN or worksheet id.")),
        )
        for row, (text, field, hint) in enumerate(lines):
            grid.addWidget(line_label(text, field), row, 0)
            grid.addWidget(field, row, 1)
            grid.addWidget(wrapped(hint, "muted"), row, 2, 1, 1 if field is self.caller else 3)
        # In the last line there is room for another one; a line of its own would not fit a small screen.
        grid.addWidget(line_label(self.tr("&Releases go out on"), self.release), len(lines) - 1, 3)
        grid.addWidget(self.release, len(lines) - 1, 4)
        self.inside.addLayout(grid)
        foot = QHBoxLayout()
        foot.setSpacing(2 * STEP)
        foot.addWidget(self.save, 0, Qt.AlignmentFlag.AlignLeft)
        foot.addWidget(self.refusal, 1)
        foot.addWidget(self.why_not, 1)
        self.inside.addLayout(foot)
        self.save.clicked.connect(self._save)
        self.idle.returnPressed.connect(self._save)
        self.stake.returnPressed.connect(self._save)

    def show_settings(self, now: Settings, why_not: str) -> None:
        """As they stand; what is being typed stays."""
        for key, field in ((IDLE_MINUTES, self.idle), (APPROVAL_STAKE, self.stake)):
            text = setting_text(now, key)
            if field.text() == self._shown.get(key, ""):
                field.setText(text)
            self._shown[key] = text
        for key, choice in ((CALLER_CHECK, self.caller), (RELEASE_APPROVAL, self.release)):
            text = setting_text(now, key)
            if choice.key == self._shown.get(key, choice.key):
                choice.choose(text)
            self._shown[key] = text
        for widget in (self.idle, self.stake, self.caller, self.release, self.save):
            widget.setEnabled(not why_not)
        self.why_not.setText(why_not)
        self.why_not.setVisible(bool(why_not))

    def saved(self) -> None:
        self.refuse("")
        self._mark("")

    def refuse_key(self, key: str, sentence: str) -> None:
        """Why one of them was not set; the cursor goes there."""
        self.refuse(sentence)
        self._mark(key)
        {IDLE_MINUTES: self.idle, APPROVAL_STAKE: self.stake}.get(key, self.save).setFocus()

    def forget(self) -> None:
        """What was typed and not saved."""
        self._shown.clear()
        self.idle.clear()
        self.stake.clear()
        self.saved()

    def _save(self) -> None:
        texts = {
            IDLE_MINUTES: self.idle.text().strip(),
            APPROVAL_STAKE: self.stake.text().strip(),
            CALLER_CHECK: self.caller.key,
            RELEASE_APPROVAL: self.release.key,
        }
        self.save_wanted.emit([(key, text) for key, text in texts.items() if text != self._shown.get(key)])

    def _mark(self, key: str) -> None:
        for one, field in ((IDLE_MINUTES, self.idle), (APPROVAL_STAKE, self.stake)):
            field.setProperty("mark", "bad" if one == key else "")
            field.style().unpolish(field)
            field.style().polish(field)


def _short() -> QLineEdit:
    made = QLineEdit()
    made.setMaxLength(12)
    made.setFixedWidth(15 * STEP)
    return made
