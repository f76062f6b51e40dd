"""What narrows the queue: words, and three small rows of choices that a key turns on."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from caucus_desk.tally.report import CHANNELS
from caucus_desk.ui.results.areas import FilterField
from caucus_desk.ui.review.queue_rows import KINDS, LATE, RULED, VERY_LATE, QueueRow, kind_word
from caucus_desk.ui.widgets.basics import STEP, Choices, label
from caucus_desk.ui.words import channel_sign

ANY = "any"
STAKE, OUTCOME = "stake", "outcome"
_AGES = {"late": LATE, "very late": VERY_LATE}


class QueueFilter(QWidget):
    """Words, kind, channel, how long it waits, and the order. K, C, T and O go round the choices, from the
    list too."""

    changed = Signal()
    into_list = Signal()
    order_changed = Signal(str)
    """STAKE: what each case itself decides; OUTCOME: by what it can still take from the leader's lead."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words = FilterField()
        self.words.setClearButtonEnabled(True)
        self.words.setMaxLength(80)
        self.words.setPlaceholderText(self.tr("Filter: county, precinct, id, field, who"))
        self.words.setAccessibleName(self.tr("Filter the queue"))
        self.kind = _small(
            [(ANY, self.tr("all")), *((kind, kind_word(kind)) for kind in (*KINDS, RULED))], self.tr("Kind")
        )
        self.channel = _small(
            [(ANY, self.tr("any")), *((channel.value, channel_sign(channel).word) for channel in CHANNELS)],
            self.tr("Channel"),
        )
        self.age = _small(
            [(ANY, self.tr("any")), ("late", self.tr("30 min")), ("very late", self.tr("1 hour"))],
            self.tr("Waits"),
        )
        self.order = _small(
            [(STAKE, self.tr("at stake in it")), (OUTCOME, self.tr("who leads"))], self.tr("Order by")
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(STEP)
        column.addWidget(self.words)
        column.addLayout(_line((self.tr("K"), self.kind)))
        column.addLayout(_line((self.tr("C"), self.channel), (self.tr("T"), self.age)))
        column.addLayout(_line((self.tr("O"), self.order)))
        self.order.chosen.connect(self.order_changed)
        self.words.down.connect(self.into_list)
        self.words.returnPressed.connect(self.into_list)
        for choices in (self.kind, self.channel, self.age):
            choices.chosen.connect(self.changed)

    def turn(self, letter: str) -> bool:
        """The next choice of one row; False where the key is none of ours."""
        turned = {"K": self.kind, "C": self.channel, "T": self.age, "O": self.order}.get(letter)
        if turned is None:
            return False
        turned.turn()
        return True

    def clear(self) -> None:
        """Everything is shown again."""
        self.words.clear()
        for choices in (self.kind, self.channel, self.age):
            choices.choose(ANY)

    @property
    def narrows(self) -> bool:
        return bool(self.words.text().strip()) or any(
            choices.key != ANY for choices in (self.kind, self.channel, self.age)
        )

    def keeps(self, row: QueueRow) -> bool:
        """Whether the three choices let a row through; the words are the model's own filter."""
        kind, channel, age = self.kind.key, self.channel.key, self.age.key
        if RULED in row.kinds and kind != RULED:
            return False
        return (
            (kind == ANY or kind in row.kinds)
            and (channel == ANY or channel in row.channels)
            and (age == ANY or row.minutes >= _AGES[age])
        )


def _small(choices: Sequence[tuple[str, str]], name: str) -> Choices:
    made = Choices(choices, name, small=True)
    for one in made.findChildren(QPushButton):
        one.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # their keys work from the list
    return made


def _line(*parts: tuple[str, QWidget]) -> QHBoxLayout:
    line = QHBoxLayout()
    line.setSpacing(3)
    for place, (key, widget) in enumerate(parts):
        if place:
            line.addSpacing(STEP)
        line.addWidget(label(key, "small"))
        line.addWidget(widget)
    line.addStretch(1)
    return line
