"""The wall screen: the night in large type for a whole room. Shows counts of precincts and no names."""

from datetime import UTC, datetime

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from caucus_desk.desk.evening import evening
from caucus_desk.rules.errors import CaucusError
from caucus_desk.ui import fonts
from caucus_desk.ui.context import Context
from caucus_desk.ui.progress.wording import areas_of, gaps, marks_of, shown_from
from caucus_desk.ui.theme import theme
from caucus_desk.ui.widgets.basics import STEP, label
from caucus_desk.ui.widgets.countymap import CountyMap
from caucus_desk.ui.widgets.curve import Curve
from caucus_desk.ui.words import clock, number, percent

REFRESH_EVERY = 5_000
"""Milliseconds."""
_GAPS = 12
_KEYS = (Qt.Key.Key_Escape, Qt.Key.Key_F11)


class WallScreen(QWidget):
    """A window of its own over the whole screen, without controls. Esc or F11 leaves it."""

    left = Signal()

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self._context = context
        self.setObjectName("wall")
        self.setWindowTitle(self.tr("Progress of the night"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.caucus = label(context.desk.caucus)
        self.banner = label(bold=True)
        self.time = label()
        self.share = label(bold=True)
        self.reporting = label()
        self.verified_share = label(bold=True)
        self.verified = label()
        self.map = CountyMap(self.tr("Counties by share of precincts reporting"), passive=True)
        self.curve = Curve(
            self.tr("Share of precincts over the night"), [self.tr("reporting"), self.tr("verified")]
        )
        self.gaps_title = label(self.tr("Where most is missing"), bold=True)
        self.trouble = label(role="warn", bold=True)
        self.trouble.hide()
        self._rows: list[tuple[QLabel, QLabel]] = [(label(), label()) for _ in range(_GAPS)]
        self._lay_out()
        theme().changed.connect(self._fit)
        self._timer = QTimer(self)
        self._timer.setInterval(REFRESH_EVERY)
        self._timer.timeout.connect(self.refresh)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self.caucus)
        head.addStretch(1)
        head.addWidget(self.time)
        figures = QGridLayout()
        figures.setHorizontalSpacing(4 * STEP)
        figures.setVerticalSpacing(0)
        figures.addWidget(self.share, 0, 0)
        figures.addWidget(self.reporting, 1, 0)
        figures.addWidget(self.verified_share, 0, 1)
        figures.addWidget(self.verified, 1, 1)
        figures.setColumnStretch(0, 1)
        figures.setColumnStretch(1, 1)
        rows = QGridLayout()
        rows.setHorizontalSpacing(3 * STEP)
        rows.setVerticalSpacing(2)
        for place, (name, missing) in enumerate(self._rows):
            missing.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            rows.addWidget(name, place, 0)
            rows.addWidget(missing, place, 1)
        rows.setColumnStretch(0, 1)
        side = QVBoxLayout()
        side.setSpacing(2 * STEP)
        side.addLayout(figures)
        side.addWidget(self.curve, 1)
        side.addWidget(self.gaps_title)
        side.addLayout(rows)
        side.addStretch(0)
        middle = QHBoxLayout()
        middle.setSpacing(6 * STEP)
        middle.addWidget(self.map, 8)
        middle.addLayout(side, 5)
        whole = QVBoxLayout(self)
        # The screen decides how large this window is, whatever its text would ask for.
        whole.setSizeConstraint(QVBoxLayout.SizeConstraint.SetNoConstraint)
        whole.setContentsMargins(6 * STEP, 4 * STEP, 6 * STEP, 4 * STEP)
        whole.setSpacing(2 * STEP)
        whole.addLayout(head)
        whole.addWidget(self.banner)
        whole.addWidget(self.trouble)
        whole.addLayout(middle, 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Type as large as the screen: a wall is read from the other end of the room."""
        unit = max(9.0, min(self.width() / 1920, self.height() / 1080) * 18.0)
        for one in (self.caucus, self.time, self.gaps_title):
            one.setFont(fonts.body(unit, bold=one is self.gaps_title))
        self.banner.setFont(fonts.body(unit * 1.2, bold=True))
        self.trouble.setFont(fonts.body(unit, bold=True))
        for one in (self.share, self.verified_share):
            one.setFont(fonts.body(unit * 3.0, bold=True))
        for one in (self.reporting, self.verified):
            one.setFont(fonts.body(unit))
        for name, missing in self._rows:
            name.setFont(fonts.body(unit))
            missing.setFont(fonts.body(unit, bold=True))
        self.map.setFont(fonts.body(unit * 0.75))
        self.curve.setFont(fonts.body(unit * 0.75))

    def begin(self) -> None:
        """Over the whole screen on which the program's window is."""
        self.refresh()
        self._timer.start()
        self._context.changed.connect(self.refresh)
        self.showFullScreen()
        self.activateWindow()
        self.setFocus()

    def end(self) -> None:
        if self._timer.isActive():
            self._timer.stop()
            self._context.changed.disconnect(self.refresh)
            self.hide()
            self.left.emit()

    @property
    def running(self) -> bool:
        return self._timer.isActive()

    def refresh(self) -> None:
        now = datetime.now(UTC)
        self.time.setText(clock(now)[:5])
        try:
            night = evening(self._context.desk, now)
            banner = self._context.desk.overview().banner()
        except CaucusError as error:
            self.trouble.setText(self.tr("As it was before {0}. {1}").format(clock(now)[:5], error.sentence))
            self.trouble.show()
            return
        self.trouble.hide()
        self.banner.setText(banner)
        last = night.curve[-1] if night.curve else None
        reporting, verified = (last.reporting, last.verified) if last is not None else (0, 0)
        self.share.setText(percent(reporting, night.total))
        self.verified_share.setText(percent(verified, night.total))
        self.reporting.setText(
            self.tr("{0} of {1} precincts report").format(number(reporting), number(night.total))
        )
        self.verified.setText(self.tr("{0} verified by two people").format(number(verified)))
        self.map.set_areas(areas_of(night.counties))
        self.curve.set_marks(marks_of(night), night.total, shown_from(night), night.until)
        lacking = gaps(night.counties)
        self.gaps_title.setText(
            self.tr("Where most is missing") if lacking else self.tr("Every precinct reports")
        )
        for place, (name, missing) in enumerate(self._rows):
            one = lacking[place] if place < len(lacking) else None
            name.setText(one.name if one is not None else "")
            missing.setText(
                self.tr("{0} of {1} missing").format(number(one.missing), number(one.total))
                if one is not None
                else ""
            )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if Qt.Key(event.key()) in _KEYS:
            self.end()
        event.accept()

    def closeEvent(self, event: QCloseEvent) -> None:
        self.end()
        event.accept()
