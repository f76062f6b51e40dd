"""The foot of a case: what each choice does and its key, where else the case can be sent, and the reason."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from caucus_desk.tally.report import CHANNELS, Channel, HeadKey
from caucus_desk.ui.entry.foot import SubmitButton
from caucus_desk.ui.entry.lines import Answer, AskBar
from caucus_desk.ui.icons import IconLabel
from caucus_desk.ui.review.asking import AskWords, PickedReason
from caucus_desk.ui.review.heads import LETTERS, RIVAL_LETTERS, Head
from caucus_desk.ui.widgets.basics import STEP, ElidedLabel, Places, button, label, wrapped
from caucus_desk.ui.words import tip, tr


@dataclass(frozen=True, slots=True)
class Deed:
    """Something that one letter does; `name` is the letter."""

    letter: str
    text: str
    icon: str = ""
    primary: bool = False


def usual_reasons() -> tuple[str, ...]:
    """Picked by 1 to 4."""
    return (
        tr("The signed sheet says so"),
        tr("The chair was called back"),
        tr("The picture of the sheet shows it"),
        tr("A slip in keying"),
    )


SEND_DEEDS = ("B", "C", "S")


def send_deeds() -> tuple[Deed, ...]:
    return (
        Deed("B", tr("send back to a clerk"), "back"),
        Deed("C", tr("call back"), "phone"),
        Deed("S", tr("fetch the sheet"), "paper"),
    )


class CaseFoot(Places):
    """The choices, or in their place what stands here instead, or a question."""

    pressed = Signal(str)
    """The letter of a button that was clicked; "Enter" for field by field."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.takes: dict[HeadKey, QPushButton] = {}
        self._effects: dict[str, QLabel] = {}
        self._heads: tuple[Head, ...] = ()
        self._beside: list[tuple[QPushButton, QLabel]] = []
        """A row for each report that stands beside its channel's leading one; made when first needed."""
        self.reason = PickedReason(self.tr("Reason"), usual_reasons())
        self.record = SubmitButton(self.tr("Record ruling"))
        self.progress = ElidedLabel(mode=Qt.TextElideMode.ElideRight)
        self.progress.setProperty("role", "muted")
        self.said = wrapped()
        self._said_sign = IconLabel("note", "muted")
        self._deeds = QHBoxLayout()
        self.ask = AskBar("note", "note")
        self.words = AskWords()
        self._choose, self._said_bar = self._choose_bar(), self._closed_bar()
        self._ask_place = self._question_bar()
        for bar in (self._said_bar, self._choose, self._ask_place, self.words):
            self.addWidget(bar)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    def hasHeightForWidth(self) -> bool:
        """Its wrapped lines hold their own height; asked for a width, the grid would forget them."""
        return False

    def sizeHint(self) -> QSize:
        """No higher than it must be: the figures need the room."""
        return self.minimumSizeHint()

    # --- building -----------------------------------------------------------------------------

    def _closed_bar(self) -> QWidget:
        bar = QWidget()
        column = QVBoxLayout(bar)
        column.setContentsMargins(0, STEP, 0, 0)
        column.setSpacing(STEP)
        row = QHBoxLayout()
        row.setSpacing(STEP)
        row.addWidget(self._said_sign, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.said, 1, Qt.AlignmentFlag.AlignTop)
        column.addLayout(row)
        self._deeds.setSpacing(STEP)
        column.addLayout(self._deeds)
        return bar

    def _choose_bar(self) -> QWidget:
        bar = QWidget()
        column = QVBoxLayout(bar)
        column.setContentsMargins(0, STEP, 0, 0)
        column.setSpacing(STEP)
        grid = self._grid = QGridLayout()
        grid.setHorizontalSpacing(2 * STEP)
        grid.setVerticalSpacing(3)
        for place, channel in enumerate(CHANNELS):
            made = self._letter_button(LETTERS[channel], "", channel.value)
            grid.addWidget(made, place, 0)
            grid.addWidget(self._effect_label(channel.value), place, 1)
            self.takes[channel] = made
        self.by_field = self._letter_button("Enter", self.tr("field by field"), "")
        last_row = len(CHANNELS) + len(RIVAL_LETTERS)
        grid.addWidget(self.by_field, last_row, 0)
        grid.addWidget(self._effect_label("choices"), last_row, 1)
        grid.setColumnStretch(1, 1)
        column.addLayout(grid)
        errands = QHBoxLayout()
        errands.setSpacing(STEP)
        for deed in send_deeds():
            errands.addWidget(self._letter_button(deed.letter, deed.text, deed.icon))
        errands.addStretch(1)
        column.addLayout(errands)
        last = QHBoxLayout()
        last.setSpacing(STEP)
        name = label(self.tr("Reason"))
        name.setBuddy(self.reason)
        last.addWidget(name)
        last.addWidget(self.reason, 1)
        last.addWidget(label(self.tr("Ctrl+Enter"), "small"))
        last.addWidget(self.record)
        column.addLayout(last)
        column.addWidget(self.progress)
        return bar

    def _question_bar(self) -> QWidget:
        bar = QWidget()
        column = QVBoxLayout(bar)
        column.setContentsMargins(0, STEP, 0, 0)
        column.addWidget(self.ask)
        column.addStretch(1)
        return bar

    def _letter_button(self, letter: str, text: str, icon: str) -> QPushButton:
        made = button(f"{letter}  {text}", icon)
        made.setProperty("tight", True)
        made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        made.clicked.connect(lambda: self.pressed.emit(letter))
        return made

    def _effect_label(self, choice: str) -> QLabel:
        made = wrapped()
        self._effects[choice] = made
        return made

    # --- showing ------------------------------------------------------------------------------

    @property
    def choosing(self) -> bool:
        return self.currentWidget() is self._choose

    @property
    def asking(self) -> bool:
        """A question stands here, and letters are its answers."""
        return self.currentWidget() in (self._ask_place, self.words)

    def show_heads(self, heads: tuple[Head, ...]) -> None:
        """A row for each report that stands and has a letter."""
        self._heads = heads
        for gone in [key for key in self.takes if not isinstance(key, Channel)]:
            del self.takes[gone], self._effects[str(gone)]
        rivals = [head for head in heads if not isinstance(head.key, Channel) and head.letter]
        while len(self._beside) < len(rivals):
            self._beside.append(self._row_beside(len(self._beside)))
        for head, (made, effect) in zip(rivals, self._beside, strict=False):
            self.takes[head.key], self._effects[str(head.key)] = made, effect
        order: dict[HeadKey, None] = dict.fromkeys(head.key for head in heads if head.letter)
        order.update(dict.fromkeys(CHANNELS))
        for row, key in enumerate(order):
            self._grid.addWidget(self.takes[key], row, 0)
            self._grid.addWidget(self._effects[str(key)], row, 1)
        shown = {head.key for head in heads}
        for key, made in self.takes.items():
            made.setVisible(key in shown)
            self._effects[str(key)].setVisible(key in shown)
        for unused in self._beside[len(rivals) :]:
            for part in unused:
                part.hide()

    def _row_beside(self, place: int) -> tuple[QPushButton, QLabel]:
        return self._letter_button(RIVAL_LETTERS[place], "", ""), wrapped()

    def show_choices(self) -> None:
        self.setCurrentWidget(self._choose)
        self.setMinimumHeight(0)

    def show_question(self, sentence: str, answers: Sequence[Answer]) -> None:
        """A question that a letter answers."""
        self.ask.ask(sentence, answers)
        self._put(self._ask_place)
        self.ask.setFocus(Qt.FocusReason.TabFocusReason)

    def show_takes(self, field: str, values: Mapping[HeadKey, str]) -> None:
        """What the letters take now: the whole sheet where `field` is "", else its value for that field."""
        for head in self._heads:
            made = self.takes.get(head.key)
            if made is None:
                continue
            value = values.get(head.key, "")
            text = f"{head.name} {value}" if field else self.tr("take {0}").format(head.name)
            made.setText(f" {head.letter}  {text}")
            made.setAccessibleName(made.text().strip())

    def show_effects(self, lines: Mapping[str, str], whole: Mapping[str, str]) -> None:
        """A line for `phone`, `paper`, `app`, the id of a rival and `choices`; `whole` for the tool tips."""
        for choice, made in self._effects.items():
            made.setText(lines.get(choice, ""))
            made.setToolTip(tip(whole.get(choice, "")))

    def show_said(
        self, sentence: str, deeds: Sequence[Deed], icon: str = "note", role: str = "muted"
    ) -> None:
        """Why nothing is chosen here, and what can be done instead."""
        while (item := self._deeds.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for deed in deeds:
            self._deeds.addWidget(self._letter_button(deed.letter, deed.text, deed.icon))
        self._deeds.addStretch(1)
        self._said_sign.show_icon(icon, role)
        self.said.setText(sentence)
        self.setMinimumHeight(0)
        self.setCurrentWidget(self._said_bar)

    def show_words(self) -> None:
        """A line of words is asked for: see `words`."""
        self._put(self.words)

    def _put(self, question: QWidget) -> None:
        """A question takes the room of what stood there, so that nothing else moves."""
        if not self.asking:
            self.setMinimumHeight(self.height())
        self.setCurrentWidget(question)

    def effect_text(self, choice: str) -> str:
        """What is said of one choice, whole."""
        return self._effects[choice].text()
