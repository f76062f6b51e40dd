"""Our own light, dark and high contrast colours over Fusion, and one small stylesheet.

The setting is the window's own and applies to all of it; the platform's hint chooses the first
value only, because a room full of clerks should not change colour when the sun sets.
"""

from dataclasses import dataclass, fields
from enum import StrEnum
from functools import cache

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication, QStyleFactory

from caucus_desk import paths
from caucus_desk.ui import fonts


class ThemeName(StrEnum):
    LIGHT = "light"
    DARK = "dark"
    CONTRAST = "contrast"


@dataclass(frozen=True, slots=True)
class Colours:
    """Every colour of the program, as `#rrggbb`. Text on its ground has a contrast of 4.5 or more."""

    window: str
    """Ground of a page."""
    rail: str
    """Ground of the rail, the header and the status line."""
    base: str
    """Ground of tables and fields."""
    stripe: str
    """Every other row of a table."""
    raised: str
    """Buttons."""
    hover: str
    text: str
    muted: str
    """Second-rank text; still readable on every ground."""
    line: str
    """Rules between things."""
    edge: str
    """Borders of fields and buttons."""
    accent: str
    """What to do next, and the focus."""
    on_accent: str
    accent_hover: str
    selection: str
    on_selection: str
    bar: str
    """Bars of charts."""
    track: str
    """Behind bars, and progress."""
    good: str
    warn: str
    warn_ground: str
    bad: str
    bad_ground: str
    note_ground: str


LIGHT = Colours(
    window="#f6f4ee", rail="#ebe8df", base="#fffefb", stripe="#f9f7f1", raised="#fffefb", hover="#efece3",
    text="#1d2329", muted="#545c64", line="#dcd8cc", edge="#b3ad9e", accent="#1c5775", on_accent="#ffffff",
    accent_hover="#154560", selection="#d8e6ee", on_selection="#12222c", bar="#5c7f94", track="#e6e2d7",
    good="#2a6741", warn="#835400", warn_ground="#fbefd3", bad="#a32420", bad_ground="#fbe5e1",
    note_ground="#e7eef2",
)  # fmt: skip
DARK = Colours(
    window="#1b1f23", rail="#14171a", base="#21262b", stripe="#262b31", raised="#2a3036", hover="#323941",
    text="#e8e6e0", muted="#a9b0b7", line="#363d44", edge="#59626b", accent="#86bad6", on_accent="#0d1c25",
    accent_hover="#a3cde3", selection="#2d4a5b", on_selection="#f2f6f8", bar="#6d97b0", track="#323940",
    good="#86c99d", warn="#ecbb62", warn_ground="#3a2f17", bad="#f4a197", bad_ground="#45231f",
    note_ground="#243440",
)  # fmt: skip
CONTRAST = Colours(
    window="#000000", rail="#000000", base="#000000", stripe="#0d0d0d", raised="#000000", hover="#262626",
    text="#ffffff", muted="#e6e6e6", line="#9a9a9a", edge="#ffffff", accent="#ffe14d", on_accent="#000000",
    accent_hover="#fff0a0", selection="#ffe14d", on_selection="#000000", bar="#ffffff", track="#3a3a3a",
    good="#8dffb0", warn="#ffd24d", warn_ground="#261d00", bad="#ffb0a8", bad_ground="#330a06",
    note_ground="#101c24",
)  # fmt: skip

COLOURS = {ThemeName.LIGHT: LIGHT, ThemeName.DARK: DARK, ThemeName.CONTRAST: CONTRAST}


class Theme(QObject):
    """The theme in force. `changed` comes after the palette and the stylesheet were set."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._name = ThemeName.LIGHT
        self._applied = False

    @property
    def name(self) -> ThemeName:
        return self._name

    @property
    def colours(self) -> Colours:
        return COLOURS[self._name]

    def colour(self, role: str) -> QColor:
        """The colour with that name in `Colours`."""
        return QColor(getattr(self.colours, role))

    def apply(self, name: ThemeName) -> None:
        app = QApplication.instance()
        if not isinstance(app, QApplication) or (self._applied and name is self._name):
            return
        self._name = name
        if not self._applied:
            style = QStyleFactory.create("Fusion")
            if style is not None:
                app.setStyle(style)
            app.setFont(fonts.body())
        self._applied = True
        app.setPalette(palette(self.colours))
        app.setStyleSheet(stylesheet(self.colours))
        self.changed.emit()


@cache
def theme() -> Theme:
    """The one theme of this process."""
    return Theme()


def first_choice(setting: str) -> ThemeName:
    """The remembered theme, else what the platform hints at."""
    if setting in set(ThemeName):
        return ThemeName(setting)
    app = QApplication.instance()
    if isinstance(app, QApplication) and app.styleHints().colorScheme() is Qt.ColorScheme.Dark:
        return ThemeName.DARK
    return ThemeName.LIGHT


def palette(colours: Colours) -> QPalette:
    made = QPalette()
    roles = QPalette.ColorRole
    for role, colour in (
        (roles.Window, colours.window),
        (roles.WindowText, colours.text),
        (roles.Base, colours.base),
        (roles.AlternateBase, colours.stripe),
        (roles.Text, colours.text),
        (roles.Button, colours.raised),
        (roles.ButtonText, colours.text),
        (roles.BrightText, colours.bad),
        (roles.Highlight, colours.selection),
        (roles.HighlightedText, colours.on_selection),
        (roles.ToolTipBase, colours.base),
        (roles.ToolTipText, colours.text),
        (roles.PlaceholderText, colours.muted),
        (roles.Link, colours.accent),
        (roles.LinkVisited, colours.accent),
        (roles.Accent, colours.accent),
        (roles.Light, colours.raised),
        (roles.Midlight, colours.hover),
        (roles.Mid, colours.edge),
        (roles.Dark, colours.edge),
        (roles.Shadow, colours.line),
    ):
        made.setColor(role, QColor(colour))
    for role in (roles.WindowText, roles.Text, roles.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, role, QColor(colours.muted))
    return made


@cache
def _sheet_text() -> str:
    return (paths.resources() / "style" / "desk.qss").read_text(encoding="utf-8")


def stylesheet(colours: Colours) -> str:
    """The stylesheet with `@name@` replaced by each colour."""
    text = _sheet_text()
    for field in fields(colours):
        text = text.replace(f"@{field.name}@", getattr(colours, field.name))
    scheme = "light" if colours is LIGHT else "dark"
    return text.replace("@icons@", (paths.resources() / "icons").as_posix()).replace("@scheme@", scheme)
