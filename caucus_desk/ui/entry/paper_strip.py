"""What only the paper shows: stated threshold, delegates to elect, signatures. Optional, never in the way."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QSizePolicy, QWidget

from caucus_desk.tally.form import Form, Kind
from caucus_desk.ui.entry.count_edit import CountEdit
from caucus_desk.ui.entry.receipt_edit import RECEIPT, ReceiptEdit, ReceiptFit
from caucus_desk.ui.entry.sheet_grid import BOX_STYLE, Box
from caucus_desk.ui.entry.tick import TickEdit
from caucus_desk.ui.widgets.basics import STEP, label


class PaperStrip(QFrame):
    """Boxes of the form's paper fields, two beside each other."""

    def __init__(self, form: Form, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self.setStyleSheet(BOX_STYLE)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.boxes: dict[str, Box] = {}
        grid = QGridLayout(self)
        grid.setContentsMargins(STEP, STEP, STEP, STEP)
        grid.setHorizontalSpacing(STEP)
        grid.setVerticalSpacing(3)
        head = label(self.tr("Also on the paper, where it is filled in (F6). Signatures: Y or N"), "small")
        grid.addWidget(head, 0, 0, 1, 4)
        ordered = sorted(form.paper_fields, key=lambda field: field.kind is Kind.TICK)
        half = (len(ordered) + 1) // 2
        for place, field in enumerate(ordered):
            box: Box = CountEdit(field.label) if field.kind is Kind.COUNT else TickEdit(field.label)
            box.setFixedWidth(56 if field.kind is Kind.COUNT else 44)
            text = label(_short(field.label))
            text.setBuddy(box)
            below, column = place % half + 1, 2 * (place // half)
            grid.addWidget(text, below, column)
            grid.addWidget(box, below, column + 1, Qt.AlignmentFlag.AlignLeft)
            self.boxes[field.path] = box
        code = ReceiptEdit(self.tr("Receipt on the paper"))
        self.fit = ReceiptFit()
        text = label(code.label)
        text.setBuddy(code)
        row = QHBoxLayout()
        row.setSpacing(STEP)
        row.addWidget(text)
        row.addWidget(code)
        row.addWidget(self.fit, 1)
        grid.addLayout(row, half + 1, 0, 1, 4)
        self.boxes[RECEIPT] = code
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(2, 1)

    @property
    def order(self) -> tuple[str, ...]:
        return tuple(self.boxes)


def _short(text: str) -> str:
    """The heading says that these are the sheet's own."""
    return text.removesuffix(" on the sheet").replace(
        "Figures crossed out or overwritten", "Overwritten figures"
    )
