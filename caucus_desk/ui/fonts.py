"""One sans face for the whole program, with figures of one width."""

from PySide6.QtGui import QFont, QFontDatabase, QFontInfo

# The first one installed is taken; each has figures of one width, by itself or with `tnum`.
FACES = (
    "Inter",
    "Segoe UI",
    "SF Pro Text",
    "Helvetica Neue",
    "Noto Sans",
    "DejaVu Sans Condensed",
    "DejaVu Sans",
)
_WIDE = "DejaVu Sans"
BODY_POINTS = 10.0
SMALL_POINTS = 9.0
HEADING_POINTS = 13.0
TITLE_POINTS = 18.0


def face() -> str:
    """The family to use, from what is installed."""
    installed = set(QFontDatabase.families())
    for family in FACES:
        if family in installed:
            return family
    return QFontInfo(QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)).family()


def body(points: float = BODY_POINTS, *, bold: bool = False) -> QFont:
    family = face()
    font = QFont(family)
    font.setPointSizeF(points)
    if family == _WIDE:
        font.setStretch(90)  # as wide as its condensed cut, which is not installed everywhere
    font.setFeature(QFont.Tag("tnum"), 1)
    if bold:
        font.setWeight(QFont.Weight.DemiBold)
    return font
