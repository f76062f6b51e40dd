"""The strip above the sheet: by which channel, which precinct, what is in already."""

from collections.abc import Mapping

from PySide6.QtWidgets import QHBoxLayout, QWidget

from caucus_desk.tally.report import CHANNELS, Channel, Report
from caucus_desk.tally.roster import Precinct
from caucus_desk.ui import fonts
from caucus_desk.ui.icons import NORMAL, IconLabel
from caucus_desk.ui.widgets.basics import STEP, ElidedLabel, label
from caucus_desk.ui.words import clock


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
        self._where = ElidedLabel()
        self._where.setFont(fonts.body(fonts.HEADING_POINTS, bold=True))
        row.addWidget(self._where, 1)
        self._elects = label(role="muted")
        row.addWidget(self._elects)
        row.addSpacing(2 * STEP)
        self._others = label(role="muted")
        row.addWidget(self._others)

    def start(self, precinct: Precinct, begun: str) -> None:
        self._where.set_text(f"{precinct.county}  ·  {precinct.name}  ·  {precinct.id}")
        elects = self.tr("by attendance") if precinct.delegates is None else str(precinct.delegates)
        self._elects.setText(
            self.tr("elects {0}").format(elects) + "  ·  " + self.tr("begun {0}").format(begun)
        )

    def show_reports(self, reports: Mapping[Channel, Report]) -> None:
        parts = []
        for channel in CHANNELS:
            report = reports.get(channel)
            if channel is self._channel:
                if report is not None:
                    parts.append(self.tr("replaces {0} of {1}").format(report.by, clock(report.at)[:5]))
            elif report is not None:
                parts.append(self.tr("{0}: in").format(channel.value))
            else:
                parts.append(self.tr("{0}: not in").format(channel.value))
        self._others.setText("   ".join(parts))
