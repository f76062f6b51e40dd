"""The header: which caucus, how much of it is in, and who is at the desk."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from caucus_desk.tally.results import Coverage
from caucus_desk.ui import fonts
from caucus_desk.ui.icons import IconLabel
from caucus_desk.ui.widgets.basics import STEP, ElidedLabel, button, label
from caucus_desk.ui.words import number, on_button

_NARROW = 800
"""Below this width the least of it gives way, so that the rest can be read."""


class Header(QWidget):
    person_clicked = Signal()

    def __init__(self, caucus: str, *, read_only: bool = False) -> None:
        super().__init__()
        self.setObjectName("header")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(8 * STEP)
        self._caucus = ElidedLabel(caucus)
        self._caucus.setFont(fonts.body(fonts.HEADING_POINTS, bold=True))
        self._sign = IconLabel("warn", "warn")
        self._banner = ElidedLabel(mode=Qt.TextElideMode.ElideRight)
        self._banner.setFont(fonts.body(bold=True))
        self._verified = label(role="muted")
        self.reading = label(self.tr("Can only be read"), role="warn", bold=True)
        self.reading.setVisible(read_only)
        self._person = button("", "person", role="quiet")
        self._person.setToolTip(self.tr("Change who is at the desk (F8)"))
        self._person.clicked.connect(self.person_clicked)
        row = QHBoxLayout(self)
        row.setContentsMargins(3 * STEP, 0, 2 * STEP, 0)
        row.setSpacing(STEP)
        row.addWidget(self._caucus)
        row.addWidget(self.reading)
        row.addStretch(1)
        row.addWidget(self._sign)
        row.addWidget(self._banner)
        row.addSpacing(STEP)
        row.addWidget(self._verified)
        row.addStretch(1)
        row.addWidget(self._person)
        self._shown = ""
        self.show_person("")

    @property
    def banner_text(self) -> str:
        return self._banner.whole

    @property
    def person_text(self) -> str:
        """Who is at the desk, as it is shown."""
        return self._shown

    def show_coverage(self, banner: str, coverage: Coverage) -> None:
        complete = coverage.total > 0 and coverage.reporting == coverage.total
        self._sign.show_icon("good" if complete else "warn", "good" if complete else "warn")
        self._banner.set_text(banner)
        self._give_way()
        self._verified.setText("· " + self.tr("{0} verified").format(number(coverage.verified)))

    def show_person(self, name: str) -> None:
        shown = name if len(name) <= 24 else name[:23] + "…"
        self._shown = shown or self.tr("Nobody at the desk")
        self._person.setText(f" {on_button(self._shown)} · F8")
        self._person.setAccessibleName(self.tr("At the desk: {0}. Change.").format(name or self.tr("nobody")))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._give_way()

    def _give_way(self) -> None:
        """The caucus's name first, then what is verified; the banner only where there is no room for it."""
        roomy = self.width() >= _NARROW
        self._verified.setVisible(roomy)
        self._banner.setMinimumWidth(self._banner.sizeHint().width() if roomy else 20 * STEP)
