"""Draws the one picture of the sample caucus: a worksheet filled in by hand, of an invented precinct.

Run it again when the sample's night changes (`python tests/tools/draw_sample_worksheet.py`): its numbers are
those that the phone report of that precinct has, and a test compares them.
"""

import os
import random
import sys
from itertools import pairwise
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from PySide6.QtCore import QPointF, QRectF, Qt  # noqa: E402
from PySide6.QtGui import (  # noqa: E402
    QColor,
    QFont,
    QGuiApplication,
    QImage,
    QPainter,
    QPainterPath,
    QPen,
)

from caucus_desk.desk.creating import rule_set  # noqa: E402
from caucus_desk.desk.invented.events import Keyed  # noqa: E402
from caucus_desk.desk.invented.night import make_night  # noqa: E402
from caucus_desk.desk.sample import PICTURE, RULES  # noqa: E402
from caucus_desk.rules.ruleset import RuleSet  # noqa: E402
from caucus_desk.rules.viability import threshold  # noqa: E402
from caucus_desk.tally.report import Channel  # noqa: E402
from caucus_desk.tally.roster import Precinct  # noqa: E402
from caucus_desk.tally.sheet import ResultSheet  # noqa: E402
from caucus_desk.ui import fonts  # noqa: E402

WIDTH, HEIGHT = 980, 1270
INK, PRINT = QColor(38, 52, 110), QColor(60, 60, 62)
PAPER, DESK = QColor(244, 242, 234), QColor(150, 138, 122)

# Each digit as strokes of a hand, in a box of 1 by 1.
STROKES = {
    "0": [[(0.5, 0.02), (0.15, 0.2), (0.1, 0.6), (0.4, 0.98), (0.8, 0.75), (0.85, 0.3), (0.45, 0.04)]],
    "1": [[(0.3, 0.2), (0.55, 0.02), (0.5, 0.98)]],
    "2": [[(0.12, 0.25), (0.4, 0.02), (0.8, 0.2), (0.6, 0.55), (0.1, 0.95), (0.9, 0.92)]],
    "3": [[(0.15, 0.1), (0.6, 0.02), (0.75, 0.25), (0.4, 0.45), (0.85, 0.7), (0.5, 0.98), (0.1, 0.85)]],
    "4": [[(0.45, 0.02), (0.08, 0.6), (0.9, 0.58)], [(0.68, 0.3), (0.62, 1.0)]],
    "5": [[(0.8, 0.05), (0.3, 0.05), (0.22, 0.42), (0.65, 0.4), (0.8, 0.7), (0.45, 0.98), (0.1, 0.86)]],
    "6": [[(0.7, 0.03), (0.25, 0.4), (0.15, 0.8), (0.5, 0.98), (0.8, 0.72), (0.5, 0.5), (0.2, 0.7)]],
    "7": [[(0.1, 0.08), (0.88, 0.05), (0.4, 0.98)], [(0.3, 0.5), (0.75, 0.48)]],
    "8": [[(0.7, 0.15), (0.35, 0.02), (0.2, 0.28), (0.75, 0.65), (0.5, 0.98), (0.15, 0.75), (0.72, 0.2)]],
    "9": [[(0.75, 0.25), (0.4, 0.05), (0.15, 0.3), (0.45, 0.5), (0.75, 0.25), (0.7, 0.6), (0.5, 1.0)]],
}


class Hand:
    """Writes with a pen, never twice alike, and always the same picture."""

    def __init__(self, painter: QPainter) -> None:
        self.painter = painter
        self.rng = random.Random(7)

    def _pen(self) -> QPen:
        ink = QColor(INK)
        ink.setAlpha(self.rng.randint(205, 250))
        return QPen(ink, self.rng.uniform(2.0, 2.7), Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)

    def number(self, count: int, right: float, base: float, height: float = 25) -> None:
        """With its last digit at `right`, on the line `base`."""
        x = right - len(str(count)) * height * 0.62
        for digit in str(count):
            for stroke in STROKES[digit]:
                self._stroke([(x + u * height * 0.52, base - height + v * height) for u, v in stroke])
            x += height * self.rng.uniform(0.58, 0.66)

    def _stroke(self, points: list[tuple[float, float]]) -> None:
        drawn = [QPointF(x + self.rng.uniform(-1, 1), y + self.rng.uniform(-1, 1)) for x, y in points]
        path = QPainterPath(drawn[0])
        for here, onward in pairwise(drawn[1:]):
            path.quadTo(here, (here + onward) / 2)
        path.lineTo(drawn[-1])
        self.painter.setPen(self._pen())
        self.painter.drawPath(path)

    def words(self, text: str, x: float, base: float) -> None:
        font = QFont("DejaVu Serif", 17)
        font.setItalic(True)
        self.painter.save()
        self.painter.translate(x, base)
        self.painter.rotate(self.rng.uniform(-1.2, 0.4))
        self.painter.setFont(font)
        self.painter.setPen(INK)
        self.painter.drawText(QPointF(0, 0), text)
        self.painter.restore()

    def signature(self, x: float, base: float, width: float) -> None:
        points, at = [(x, base - 8.0)], x
        while at < x + width:
            at += self.rng.uniform(7, 15)
            points.append((at, base - self.rng.choice((2, 6, 12, 20, 27))))
        points.append((at + 30, base - 12))
        self._stroke(points)


def worksheet() -> tuple[RuleSet, Precinct, ResultSheet]:
    rules = rule_set(RULES)
    night = make_night(rules)
    id = night.pictured
    sheet = next(
        event.sheet
        for event in night.events
        if isinstance(event, Keyed) and (event.precinct_id, event.channel) == (id, Channel.PHONE)
    )
    return rules, next(one for one in night.roster if one.id == id), sheet


def draw(painter: QPainter, rules: RuleSet, precinct: Precinct, sheet: ResultSheet) -> None:
    hand = Hand(painter)
    left, right = 70.0, WIDTH - 70.0

    def printed(text: str, x: float, y: float, size: int = 11, bold: bool = False) -> None:
        font = fonts.body(size, bold=bold)
        painter.setFont(font)
        painter.setPen(PRINT)
        painter.drawText(QPointF(x, y), text)

    def line(x: float, y: float, to: float, width: float = 1.0) -> None:
        painter.setPen(QPen(PRINT, width))
        painter.drawLine(QPointF(x, y), QPointF(to, y))

    printed("PRECINCT CAUCUS WORKSHEET", left, 110, 20, bold=True)
    printed("An invented sheet of an invented precinct. Every number on it is made up.", left, 136, 9)
    for text, said, x, y, wide in (
        ("County", precinct.county, left, 188, 290.0),
        ("Precinct", precinct.name, left + 430, 188, 300.0),
        ("Caucus chair", precinct.chair, left, 240, 240.0),
    ):
        printed(text, x, y)
        line(x + 110, y + 5, x + 110 + wide)
        hand.words(said, x + 118, y - 2)
    people, elects = sheet.attendance or 0, precinct.delegates or 0
    for text, count, x, y in (
        ("1. Everybody who is here", people, left, 312),
        ("2. Delegates to elect", elects, left, 360),
        ("3. A group is viable with", threshold(rules, elects, people), left + 430, 312),
    ):
        printed(text, x, y, 12, bold=True)
        painter.setPen(QPen(PRINT, 1.4))
        painter.drawRect(QRectF(x + 300, y - 30, 84, 40))
        hand.number(count, x + 372, y + 1)
    top, row = 420.0, 45.0
    columns = (right - 360, right - 210, right - 60)
    for name, x in zip(("First", "Final", "Delegates"), columns, strict=True):
        printed(name, x - 52, top - 10, 11, bold=True)
    printed("Preference group", left + 10, top - 10, 11, bold=True)
    bottom = top + row * len(rules.groups)
    for place, group in enumerate(rules.groups):
        y = top + row * place
        line(left, y, right, 0.8)
        printed(group.label, left + 10, y + 30, 12)
        counts = sheet.row(group.key)
        for x, count in zip(columns, (counts.first, counts.final, counts.delegates), strict=True):
            if count is not None:
                hand.number(count, x + 10 + hand.rng.uniform(-9, 9), y + 36)
    line(left, bottom, right, 1.6)
    line(left, top, right, 1.6)
    painter.setPen(QPen(PRINT, 0.8))
    for x in (left, right - 430, right - 285, right - 140, right):
        painter.drawLine(QPointF(x, top), QPointF(x, bottom))
    for text, x in (("Signed, chair", left), ("Signed, secretary", left + 430)):
        printed(text, x, bottom + 92, 10)
        line(x + 130, bottom + 96, x + 370)
        hand.signature(x + 150, bottom + 92, 150)


def main() -> None:
    app = QGuiApplication(sys.argv[:1])
    rules, precinct, sheet = worksheet()
    image = QImage(WIDTH, HEIGHT, QImage.Format.Format_RGB32)
    image.fill(DESK)
    painter = QPainter(image)
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
    painter.translate(WIDTH / 2, HEIGHT / 2)
    painter.rotate(-0.7)
    painter.translate(-WIDTH / 2, -HEIGHT / 2)
    painter.fillRect(QRectF(30, 34, WIDTH - 52, HEIGHT - 60), QColor(112, 102, 90))
    painter.fillRect(QRectF(24, 26, WIDTH - 52, HEIGHT - 60), PAPER)
    draw(painter, rules, precinct, sheet)
    painter.end()
    image.setText("Sheet", f"{precinct.id} {sheet.fingerprint}")
    out = ROOT / "resources" / "sample" / PICTURE
    out.parent.mkdir(exist_ok=True)
    image.save(str(out), "PNG", 0)
    sys.stdout.write(f"{out}: {precinct.name}, {precinct.county}, {out.stat().st_size:,} bytes\n")
    app.quit()


if __name__ == "__main__":
    main()
