"""How a share is painted: six steps, apart by lightness and by hatching, so that no colour is needed."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor

from caucus_desk.ui.theme import theme

STEPS = ("0%", "1–24%", "25–49%", "50–74%", "75–99%", "100%")
_HATCHES = (
    Qt.BrushStyle.NoBrush,
    Qt.BrushStyle.Dense7Pattern,
    Qt.BrushStyle.Dense6Pattern,
    Qt.BrushStyle.BDiagPattern,
    Qt.BrushStyle.NoBrush,
    Qt.BrushStyle.NoBrush,
)
_LEVELS = (0.0, 0.05, 0.14, 0.26, 0.58, 1.0)
"""How far from the ground to the colour of bars, by step."""


def is_hatched(step: int) -> bool:
    return _HATCHES[step] != Qt.BrushStyle.NoBrush


def ground(step: int) -> QColor:
    """From the table's ground to the colour of bars."""
    base, bar, level = theme().colour("base"), theme().colour("bar"), _LEVELS[step]
    mixed = [
        round(a + (b - a) * level)
        for a, b in zip(base.getRgb()[:3], bar.getRgb()[:3], strict=True)  # type: ignore[index]
    ]
    return QColor(*mixed)


def ink(step: int) -> QColor:
    """Black or white, whichever reads better on the ground of the step."""

    def light(colour: QColor) -> float:
        parts = [
            part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
            for part in (colour.redF(), colour.greenF(), colour.blueF())
        ]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    under = light(ground(step))
    return QColor("#000000") if (under + 0.05) / 0.05 >= 1.05 / (under + 0.05) else QColor("#ffffff")


def brushes(step: int) -> tuple[QBrush, ...]:
    """What a step is painted with, one over the other."""
    under = QBrush(ground(step))
    if _HATCHES[step] == Qt.BrushStyle.NoBrush:
        return (under,)
    return under, QBrush(theme().colour("bar"), _HATCHES[step])
