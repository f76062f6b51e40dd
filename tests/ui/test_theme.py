"""Colours: readable in every theme, switched in the window, remembered."""

from dataclasses import fields
from itertools import product

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication

from caucus_desk.tally.finding import Severity
from caucus_desk.tally.state import State
from caucus_desk.ui import icons
from caucus_desk.ui.app import build_window
from caucus_desk.ui.rail import ThemeButton
from caucus_desk.ui.settings import Settings
from caucus_desk.ui.theme import COLOURS, Colours, ThemeName, first_choice, stylesheet, theme
from caucus_desk.ui.words import severity_sign, state_sign

GROUNDS = ("window", "rail", "base", "stripe", "raised", "hover")
PAIRS = [
    *product(("text", "muted"), GROUNDS),
    *product(("good", "warn", "bad", "accent"), ("window", "rail", "base", "stripe")),
    ("on_accent", "accent"), ("on_accent", "accent_hover"), ("on_selection", "selection"),
    ("text", "warn_ground"), ("text", "bad_ground"), ("text", "note_ground"), ("warn", "warn_ground"),
    ("bad", "bad_ground"), ("muted", "track"), ("text", "track"), ("text", "line"),
]  # fmt: skip


def luminance(colour: str) -> float:
    def linear(part: float) -> float:
        return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4

    shade = QColor(colour)
    return 0.2126 * linear(shade.redF()) + 0.7152 * linear(shade.greenF()) + 0.0722 * linear(shade.blueF())


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("name", list(ThemeName))
def test_every_text_can_be_read_on_every_ground(name):
    colours = COLOURS[name]
    needed = 7 if name is ThemeName.CONTRAST else 4.5
    weak = {
        f"{ink} on {ground}": round(contrast(getattr(colours, ink), getattr(colours, ground)), 2)
        for ink, ground in PAIRS
        if contrast(getattr(colours, ink), getattr(colours, ground)) < (4.5 if ground == "line" else needed)
        and not (name is ThemeName.CONTRAST and ground in ("line",))
    }
    assert not weak


@pytest.mark.parametrize("name", list(ThemeName))
def test_the_stylesheet_knows_every_colour_it_names(name):
    assert "@" not in stylesheet(COLOURS[name])


def test_the_stylesheet_reaches_the_window(qapp):
    theme().apply(ThemeName.DARK)
    assert qapp.palette().window().color() == QColor(COLOURS[ThemeName.DARK].window)
    assert COLOURS[ThemeName.DARK].base in qapp.styleSheet()


def test_choosing_a_theme_is_remembered_and_tells_every_widget(qtbot, ui_data):
    button = ThemeButton()
    qtbot.addWidget(button)
    with qtbot.waitSignal(theme().changed):
        button.choose(ThemeName.CONTRAST)
    assert "High contrast" in button.text()
    assert Settings().theme == "contrast"
    assert first_choice(Settings().theme) is ThemeName.CONTRAST
    theme().apply(ThemeName.LIGHT)
    assert "Light" in button.text()


def test_without_a_setting_the_platform_is_asked(qapp):
    dark = qapp.styleHints().colorScheme() is Qt.ColorScheme.Dark
    assert first_choice("") is (ThemeName.DARK if dark else ThemeName.LIGHT)
    assert first_choice("mauve") is first_choice("")


def test_a_drawing_takes_the_colour_of_the_theme(qapp):
    def shades(name: ThemeName) -> set[str]:
        theme().apply(name)
        image = icons.pixmap("matched", "good").toImage()
        return {
            image.pixelColor(x, y).name()
            for x in range(image.width())
            for y in range(image.height())
            if image.pixelColor(x, y).alpha() == 255
        }

    assert COLOURS[ThemeName.LIGHT].good in shades(ThemeName.LIGHT)
    assert COLOURS[ThemeName.DARK].good in shades(ThemeName.DARK)


def test_every_sign_has_a_word_a_drawing_and_a_colour(qapp):
    roles = {field.name for field in fields(Colours)}
    for sign in [*map(state_sign, State), *map(severity_sign, Severity)]:
        assert sign.word
        assert sign.role in roles
        assert not icons.pixmap(sign.icon, sign.role).isNull()


def test_states_differ_by_more_than_colour(qapp):
    assert len({state_sign(state).icon for state in State}) == len(State)
    assert len({severity_sign(severity).icon for severity in Severity}) == len(Severity)


def test_figures_have_one_width(qapp):
    from PySide6.QtGui import QFontMetrics

    metrics = QFontMetrics(QApplication.font())
    assert len({metrics.horizontalAdvance(figure * 10) for figure in "0123456789"}) == 1


def test_the_theme_changes_after_windows_have_come_and_gone(qapp, desk):
    """What Qt keeps of a style sheet must not outlive the widgets that it was for."""
    for given in (desk, None):
        window = build_window(given, person="clerk 07")
        window.show()
        qapp.processEvents()
        window.close()
        window.deleteLater()
        qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        del window
    theme().apply(ThemeName.DARK)
    theme().apply(ThemeName.LIGHT)
    assert COLOURS[ThemeName.LIGHT].base in qapp.styleSheet()
