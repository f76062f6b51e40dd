"""Starts the window."""

import signal
import sys
from pathlib import Path

from PySide6.QtCore import QLocale, Qt
from PySide6.QtWidgets import QApplication

from caucus_desk import __version__
from caucus_desk.desk.session import Desk
from caucus_desk.ui import failures, icons
from caucus_desk.ui.pages import PAGES
from caucus_desk.ui.settings import Settings
from caucus_desk.ui.theme import first_choice, theme
from caucus_desk.ui.widgets.basics import NoWheel
from caucus_desk.ui.window import MainWindow


def run(location: str | None = None) -> int:
    """Open the window on a store, on the one used last, or on the welcome page; returns the exit code."""
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        QApplication.setHighDpiScaleFactorRoundingPolicy(Qt.HighDpiScaleFactorRoundingPolicy.PassThrough)
        app = QApplication(sys.argv[:1])
    settings = Settings()
    prepare(app, settings)
    failures.start_log()
    window = MainWindow(PAGES, settings)
    failures.install(lambda sentence: window.notices.refuse(sentence))
    # Ctrl+C in the terminal closes the window as a person would; the window's timer lets Python notice.
    signal.signal(signal.SIGINT, lambda *_: window.close())
    window.show_welcome()
    window.show()
    wanted = location or next((item for item in settings.recent if "://" in item or Path(item).exists()), "")
    if wanted:
        window.open_location(wanted)
    return app.exec()


def prepare(app: QApplication, settings: Settings) -> None:
    """Names, icon, theme, and what holds for every widget; before the first window."""
    app.setApplicationName("caucus-desk")
    app.setApplicationDisplayName("Caucus Desk")
    app.setOrganizationName("Caucus Desk")
    app.setApplicationVersion(__version__)
    app.setDesktopFileName("caucus-desk")
    # Figures look as in the files and on the worksheet, whatever the machine's language.
    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedStates))
    app.setWindowIcon(icons.window_icon())
    theme().apply(first_choice(settings.theme))
    if not app.property("no_wheel"):
        app.setProperty("no_wheel", True)
        app.installEventFilter(NoWheel(app))


def build_window(desk: Desk | None = None, *, person: str = "") -> MainWindow:
    """The window without an event loop, on an open desk or on the welcome page; for tests."""
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        raise RuntimeError("make a QApplication first")
    settings = Settings()
    prepare(app, settings)
    window = MainWindow(PAGES, settings)
    if desk is not None:
        window.show_desk(desk, person)
    else:
        window.show_welcome()
    return window
