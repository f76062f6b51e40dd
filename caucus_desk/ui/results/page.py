"""The Results page: six sections, one at a time."""

from collections.abc import Sequence
from datetime import UTC, datetime

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QWidget

from caucus_desk.tally.results import By, Counting
from caucus_desk.ui.context import Context
from caucus_desk.ui.paper import Block, Document
from caucus_desk.ui.results.export import keying_refusal
from caucus_desk.ui.results.scope import Shown
from caucus_desk.ui.results.showing import ResultsShowing
from caucus_desk.ui.widgets.copying import mime
from caucus_desk.ui.words import tr


class ResultsPage(ResultsShowing):
    """The figures as they stand, refreshed after each change. Keys 1 to 6 go to the sections."""

    name = "results"
    icon = "results"

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._connect()

    @classmethod
    def title(cls) -> str:
        return tr("Results")

    def _connect(self) -> None:
        self.sections.chosen.connect(self._section_chosen)
        self.by.chosen.connect(self._by_chosen)
        self.counting.chosen.connect(self.refresh)
        self.areas.chosen.connect(self._area_chosen)
        self.export_button.clicked.connect(self._export)
        self.print_button.clicked.connect(self._print)
        self.copy_button.clicked.connect(self._copy)
        self.cover.look_wanted.connect(self._look)
        self.leaders.opened.connect(self.show_county)
        for panel in (self.export, self.print_panel):
            panel.closed.connect(self.take_focus)
        for place, key in enumerate(self._sections):
            self._shortcut(str(place + 1)).activated.connect(lambda key=key: self._jump(key))
        for letter, does in (
            ("B", self._turn_by),
            ("C", self._turn_counting),
            ("T", self._turn_beside),
            ("P", self._print),
            ("X", self._export),
            ("/", self._to_filter),
        ):
            self._shortcut(letter).activated.connect(does)

    def _shortcut(self, keys: str) -> QShortcut:
        made = QShortcut(QKeySequence(keys), self)
        made.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        return made

    # ---- what the person does ----

    def take_focus(self) -> None:
        if self.cover.isHidden():
            if not self._section.take_focus():
                self.sections.take_focus()
        elif not self.cover.show_figures.isHidden():
            self.cover.show_figures.setFocus()
        else:
            self.sections.take_focus()

    def person_changed(self) -> None:
        for panel in (self.export, self.print_panel):
            panel.hide()
        for section in (self.realign, self.ahead, self.delegates):
            section.clear()

    def _jump(self, key: str) -> None:
        self.sections.choose(key)
        self.take_focus()

    def _section_chosen(self) -> None:
        self.print_panel.close_panel() if self.print_panel.isVisible() else None
        self.refresh()

    def _turn_by(self) -> None:
        if self._is_by_area:
            self.by.turn()

    def _turn_counting(self) -> None:
        self.counting.turn()
        self.take_focus()

    def _turn_beside(self) -> None:
        if self._section is self.ahead and self.ahead.isVisible():
            self.ahead.turn()

    def _to_filter(self) -> None:
        if self.areas.isVisible():
            self.areas.filter.setFocus()

    def _by_chosen(self) -> None:
        self.areas.filter.clear()
        self.refresh()
        if self.by.key != By.STATE:
            self.areas.filter.setFocus()
        else:
            self.take_focus()

    def _area_chosen(self, key: str) -> None:
        if key != self._key:
            self._key = key
            self.context.renew_eyes()
            self._show_row()

    def show_county(self, county: str) -> None:
        """The tally of one county."""
        self.sections.choose("tally")
        self._key = county
        self.by.choose(By.COUNTY)
        self.areas.view.select_key(county)
        self.areas.view.setFocus()

    def open_precinct(self, precinct_id: str) -> None:
        if not self._is_by_area:
            self.sections.choose("tally")
        self.by.choose(By.PRECINCT)
        if precinct_id in self.context.overview.results:
            self.areas.view.select_key(precinct_id)

    def _export(self) -> None:
        self.context.renew_eyes()
        if refusal := keying_refusal(self.context):
            self.context.notices.refuse(refusal)
            return
        self.print_panel.hide()
        self.export.open(Counting(self.counting.key))

    # ---- the clipboard and paper ----

    def _heading(self) -> str:
        what = self._section.heading()
        return f"{what}: {self.name_label.whole}" if self._is_by_area else what

    def _below(self) -> str:
        """What every copy and every sheet says of its figures."""
        counting = {
            Counting.REPORTED: self.tr("every standing sheet counts"),
            Counting.VERIFIED: self.tr("verified precincts only"),
        }[Counting(self.counting.key)]
        return f"{self.context.overview.banner()}; {counting}"

    def _shown(self) -> Sequence[Shown]:
        return self._section.shown() if self.cover.isHidden() else ()

    def _copy(self) -> None:
        shown = self._shown()
        if not shown:
            self.context.notices.say(self.tr("There is no table to copy here."))
            return
        focus = QApplication.focusWidget()
        views = self._section.tables()
        place = next((place for place, view in enumerate(views) if view is focus), 0)
        one = shown[min(place, len(shown) - 1)]
        made = mime([("", one.grid)], f"{self.context.desk.caucus}, {self._heading()}. {self._below()}.")
        QGuiApplication.clipboard().setMimeData(made)
        self.context.notices.done(self.tr("The table is in the clipboard: {0}.").format(one.title))

    def _print(self) -> None:
        shown = self._shown()
        if not shown:
            self.context.notices.say(self.tr("There is nothing to print here."))
            return
        self.export.hide()
        several = len(shown) > 1
        blocks = [Block(one.title if several else "", "", one.grid) for one in shown]
        blocks += [Block("", text) for text in self._section.sentences() if text]
        self.print_panel.open(
            Document(
                self.context.desk.caucus,
                self._heading(),
                self._below(),
                datetime.now(UTC),
                blocks,
            )
        )
