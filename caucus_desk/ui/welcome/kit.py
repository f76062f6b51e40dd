"""Beginning a county's own store from the kit that headquarters sent: the file, its code, and one's name."""

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from caucus_desk.desk.kits import Begun, begin_county, place_for_county
from caucus_desk.rules.errors import CaucusError
from caucus_desk.tally.progress import Progress
from caucus_desk.ui.documents import documents
from caucus_desk.ui.widgets.basics import STEP, button, heading, wrapped
from caucus_desk.ui.widgets.jobs import Jobs


class BeginFromKit(QWidget):
    """`made` carries the open desk and whose laptop it is; `told` then what else was written."""

    made = Signal(object, str)
    told = Signal(str)
    closed = Signal()

    def __init__(self, jobs: Jobs) -> None:
        super().__init__()
        self._jobs = jobs
        self.kit, self.code, self.person = QLineEdit(), QLineEdit(), QLineEdit()
        self.location = QLineEdit(str(documents() / "county.caucus"))
        self._suggested = self.location.text()
        self.begin = button(self.tr("Begin"), role="primary")
        self.back = button(self.tr("Back"), "back", role="quiet")
        self.outcome = wrapped(role="bad")
        self._lay_out()
        self.back.clicked.connect(self.closed)
        self.begin.clicked.connect(self._begin)
        self.kit.textChanged.connect(self._suggest)

    def _lay_out(self) -> None:
        form = QGridLayout()
        form.setHorizontalSpacing(2 * STEP)
        form.setVerticalSpacing(2 * STEP)
        form.setColumnStretch(1, 1)
        self._line(form, 0, self.tr("&Kit file"), self.kit, self._browse_kit())
        self._line(form, 1, self.tr("&Code"), self.code)
        self._line(form, 2, self.tr("&Your name"), self.person)
        self._line(form, 3, self.tr("&Store (new file)"), self.location, self._browse_store())
        self.kit.setPlaceholderText(self.tr("the file that headquarters sent; it ends in .cdkit"))
        self.code.setPlaceholderText(self.tr("as headquarters said it, such as K7QX-94MT-HDCA-WY3E"))
        self.person.setPlaceholderText(self.tr("whose laptop this is; kept with all that you key"))
        buttons = QHBoxLayout()
        buttons.setSpacing(2 * STEP)
        buttons.addWidget(self.back)
        buttons.addStretch(1)
        buttons.addWidget(self.begin)
        card = QFrame()
        card.setProperty("role", "card")
        inside = QVBoxLayout(card)
        inside.setContentsMargins(4 * STEP, 3 * STEP, 4 * STEP, 3 * STEP)
        inside.setSpacing(2 * STEP)
        inside.addWidget(heading(self.tr("A county's own store")))
        inside.addWidget(
            wrapped(
                self.tr(
                    "Everything that you need is in the kit: your precincts, the rules, the worksheet form. "
                    "No network is needed from here on; packets go to headquarters as files."
                ),
                "muted",
            )
        )
        inside.addLayout(form)
        inside.addWidget(self.outcome)
        inside.addLayout(buttons)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(card)
        whole.addStretch(1)
        self.outcome.hide()

    def _line(
        self, form: QGridLayout, row: int, text: str, field: QLineEdit, browse: QPushButton | None = None
    ) -> None:
        name = QLabel(text)
        name.setBuddy(field)
        field.setAccessibleName(text.replace("&", ""))
        form.addWidget(name, row, 0)
        if browse is None:
            form.addWidget(field, row, 1, 1, 2)
        else:
            form.addWidget(field, row, 1)
            form.addWidget(browse, row, 2)

    def _browse_kit(self) -> QPushButton:
        made = button(self.tr("Browse…"), "folder")

        def browse() -> None:
            kinds = self.tr("County kit (*.cdkit);;All files (*)")
            chosen, _ = QFileDialog.getOpenFileName(self, self.tr("County kit"), self.kit.text(), kinds)
            if chosen:
                self.kit.setText(chosen)
                self.code.setFocus()

        made.clicked.connect(browse)
        return made

    def _browse_store(self) -> QPushButton:
        made = button(self.tr("Browse…"), "folder")

        def browse() -> None:
            kinds = self.tr("Caucus (*.caucus *.sqlite);;All files (*)")
            chosen, _ = QFileDialog.getSaveFileName(
                self, self.tr("Where the store goes"), self.location.text(), kinds
            )
            if chosen:
                self.location.setText(chosen)

        made.clicked.connect(browse)
        return made

    def _suggest(self, kit: str) -> None:
        """The store has the county's name, unless another was typed."""
        path = Path(kit.strip()).expanduser()
        if self.location.text() != self._suggested or not path.is_file():
            return
        place = place_for_county(path, documents())
        if place is not None:
            self._suggested = str(place)
            self.location.setText(self._suggested)

    # ---- keys ----

    def take_focus(self) -> None:
        self.kit.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter goes on to the next field that is wanted; when nothing is, it begins. Esc goes back."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(self.focusWidget(), QLineEdit):
            if not event.isAutoRepeat():
                self._begin()
            event.accept()
        elif event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)

    # ---- beginning ----

    def _begin(self) -> None:
        if not self.begin.isEnabled():
            return
        here = self.focusWidget()
        for field, what in (
            (self.kit, self.tr("Name the kit's file.")),
            (self.code, self.tr("Type the code of the kit, as headquarters said it.")),
            (self.person, self.tr("Say who you are: it is kept with all that you key.")),
            (self.location, self.tr("Say where the store goes.")),
        ):
            if not field.text().strip():
                self._say(what if field is here else "")
                field.setFocus()
                return
        kit, code = self.kit.text().strip(), self.code.text()
        person, location = " ".join(self.person.text().split()), self.location.text().strip()

        def work(progress: Progress) -> Begun:
            place = Path(location).expanduser()
            place.parent.mkdir(parents=True, exist_ok=True)
            return begin_county(kit, str(place), code, by=person)

        self._say("")
        self.begin.setEnabled(False)
        self._jobs.run(
            self.tr("Making the county's store"),
            work,
            lambda begun: self._begun(begun, person),
            failed=self._failed,
            cancelled=lambda: self.begin.setEnabled(True),
        )

    def _begun(self, begun: Begun, person: str) -> None:
        self.begin.setEnabled(True)
        self.code.clear()
        self.made.emit(begun.desk, person)
        self.told.emit(
            self.tr(
                "The worksheet form of {0}, to print or to fill, is written beside the store: {1}"
            ).format(begun.county, begun.form)
            if begun.form is not None
            else self.tr("The worksheet form could not be written beside the store.")
        )

    def _failed(self, error: CaucusError) -> None:
        self.begin.setEnabled(True)
        self._say(error.sentence)
        self.code.setFocus()
        self.code.selectAll()

    def _say(self, text: str) -> None:
        self.outcome.setText(text)
        self.outcome.setVisible(bool(text))
