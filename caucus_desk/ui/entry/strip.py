"""The strip above the sheet: by which channel, which precinct, what is in already."""

from collections.abc import Mapping

from PySide6.QtWidgets import QHBoxLayout, QWidget

from caucus_desk.tally.report import CHANNELS, Channel, Report
from caucus_desk.tally.roster import Precinct
from caucus_desk.ui import fonts
from caucus_desk.ui.icons import NORMAL, IconLabel
from caucus_desk.ui.widgets.basics import STEP, ElidedLabel, label
from caucus_desk.ui.words import clock

_NAME_WIDTH = 400
"""Pixels that the precinct's name has before anything else; the county gives way first."""


class PrecinctStrip(QWidget):
    """Says that a report of another channel is in, never what it says."""

    def __init__(self, channel: Channel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._channel = channel
        row = QHBoxLayout(self)
        row.setContentsMargins(STEP, 0, 0, 0)
        row.setSpacing(STEP)
        row.addWidget(IconLabel(channel.value, "accent", NORMAL))
        row.addWidget(label(channel.value.upper(), bold=True))
        row.addSpacing(STEP)
        self.name, self._county, self._id = ElidedLabel(), ElidedLabel(), label(bold=True)
        for part in (self.name, self._county, self._id):
            part.setFont(fonts.body(fonts.HEADING_POINTS, bold=True))
        for part in (self._county, self.name, self._id):
            row.addWidget(part)
        row.addStretch(1)
        self._elects, self._others = ElidedLabel(), ElidedLabel()
        for part in (self._elects, self._others):
            part.setProperty("role", "muted")
            part.setMinimumWidth(24)
            row.addWidget(part)

    def start(self, precinct: Precinct, begun: str) -> None:
        self._county.set_text(f"{precinct.county}  ·")
        self.name.set_text(f"{precinct.name}")
        self.name.setMinimumWidth(min(self.name.sizeHint().width(), _NAME_WIDTH))
        self._id.setText(f"·  {precinct.id}")
        elects = self.tr("by attendance") if precinct.delegates is None else str(precinct.delegates)
        parts = [self.tr("elects {0}").format(elects), self.tr("begun {0}").format(begun)]
        if self._channel is Channel.PHONE:
            chair = ", ".join(part for part in (precinct.chair, precinct.phone) if part)
            parts.append(chair or self.tr("nobody on file"))
        self._elects.set_text("  ·  ".join(parts))

    def show_reports(self, reports: Mapping[Channel, Report]) -> None:
        parts = []
        for channel in CHANNELS:
            report = reports.get(channel)
            if channel is self._channel:
                if report is not None:
                    parts.append(self.tr("replaces that of {0}").format(clock(report.at)[:5]))
            elif report is not None:
                parts.append(self.tr("{0}: in").format(channel.value))
            else:
                parts.append(self.tr("{0}: not in").format(channel.value))
        self._others.set_text("   ".join(parts))
