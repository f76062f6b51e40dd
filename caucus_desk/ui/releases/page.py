"""The Releases page: what went out, the gate before the next one, and what moved between two."""

from datetime import UTC, datetime

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from caucus_desk.desk.releases import Release, releases
from caucus_desk.desk.releasing import approve_release
from caucus_desk.rules.errors import CaucusError
from caucus_desk.tally.progress import Progress
from caucus_desk.ui.context import Context
from caucus_desk.ui.page import Page
from caucus_desk.ui.paper import Block, Document
from caucus_desk.ui.recanvass.view import RecanvassView
from caucus_desk.ui.releases.comparing import CompareSection
from caucus_desk.ui.releases.files import FilePanel
from caucus_desk.ui.releases.gate import GateSection
from caucus_desk.ui.releases.listing import ListSection
from caucus_desk.ui.results.frame import Sections
from caucus_desk.ui.results.panel import PrintPanel
from caucus_desk.ui.results.scope import Shown
from caucus_desk.ui.widgets.basics import STEP, Choices, Toolbar, button
from caucus_desk.ui.widgets.copying import mime
from caucus_desk.ui.words import number, tr


class ReleasesPage(Page):
    """One section at a time, by the keys 1 to 4."""

    name = "releases"
    icon = "releases"

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.list = ListSection(context)
        self.gate = GateSection(context)
        self.comparing = CompareSection(context)
        self.recanvass = RecanvassView(context)
        self._shortcuts: list[QShortcut] = []
        self._sections: dict[str, QWidget] = {
            "list": self.list,
            "gate": self.gate,
            "compare": self.comparing,
            "recanvass": self.recanvass,
        }
        self.sections = Choices(
            [
                ("list", self.tr("1 Releases")),
                ("gate", self.tr("2 Gate")),
                ("compare", self.tr("3 Compare")),
                ("recanvass", self.tr("4 Recanvass")),
            ],
            self.tr("Section"),
        )
        self.copy_button = button(self.tr("Copy"), "copy")
        self.print_button = button(self.tr("Print…"), "paper")
        self.files = FilePanel(context)
        self.print_panel = PrintPanel(context)
        self._places = Sections()
        for section in self._sections.values():
            self._places.addWidget(section)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(3 * STEP, 2 * STEP, 3 * STEP, 2 * STEP)
        whole.setSpacing(2 * STEP)
        self._toolbar = Toolbar([self.sections], [self.copy_button, self.print_button])
        whole.addWidget(self._toolbar)
        whole.addWidget(self.files)
        whole.addWidget(self.print_panel)
        whole.addWidget(self._places, 1)
        self._connect()

    def _connect(self) -> None:
        self.sections.chosen.connect(self._chosen)
        self.copy_button.clicked.connect(self._copy)
        self.print_button.clicked.connect(self._print)
        self.list.write_wanted.connect(self._write)
        self.list.approve_wanted.connect(self._approve)
        self.list.compare_wanted.connect(self._compare)
        self.gate.made.connect(self._made)
        self.recanvass.left.connect(lambda: self._jump("list"))
        self.recanvass.keying_changed.connect(self._keying)
        for panel in (self.files, self.print_panel):
            panel.closed.connect(self.take_focus)
        self.context.changed.connect(self.gate.figures_changed)
        for place, key in enumerate(self._sections):
            self._key(str(place + 1)).activated.connect(lambda key=key: self._jump(key))
        self._key("P").activated.connect(self._print)
        self._key("Esc").activated.connect(self._out)
        self._key("L").activated.connect(self._look)
        self._key("Ctrl+Return").activated.connect(self._make)
        self._key("Ctrl+Enter").activated.connect(self._make)

    def _key(self, keys: str) -> QShortcut:
        made = QShortcut(QKeySequence(keys), self)
        made.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self._shortcuts.append(made)
        return made

    def _keying(self, keying: bool) -> None:
        """While a sheet is keyed again, digits and Ctrl+Enter are the sheet's."""
        for one in self._shortcuts:
            one.setEnabled(not keying)
        self._toolbar.setVisible(not keying)

    @classmethod
    def title(cls) -> str:
        return tr("Releases")

    @classmethod
    def waiting(cls, context: Context) -> int | None:
        return sum(one.waiting for one in releases(context.desk)) or None

    def count(self) -> int | None:
        """Releases that wait for a second person."""
        return sum(one.waiting for one in self.list.made) or None

    # ---- showing ----

    def refresh(self) -> None:
        here = self._has_focus()
        self.list.show_releases()
        key = self.sections.key
        if key == "gate":
            self.gate.show_gate()
        elif key == "compare":
            self.comparing.show_releases(self.list.made)
        elif key == "recanvass":
            self.recanvass.refresh()
        for made in (self.copy_button, self.print_button):
            made.setEnabled(key not in ("gate", "recanvass"))
        self.count_changed.emit()
        if here and not self._has_focus():
            self.take_focus()

    def _has_focus(self) -> bool:
        focus = QApplication.focusWidget()
        return focus is not None and focus.isVisible() and self.isAncestorOf(focus)

    def take_focus(self) -> None:
        section = self._sections[self.sections.key]
        if not section.take_focus():  # type: ignore[attr-defined]
            self.sections.take_focus()

    def person_changed(self) -> None:
        self.gate.forget()
        self.comparing.clear()
        self.recanvass.person_changed()
        for panel in (self.files, self.print_panel):
            panel.hide()
        self.sections.choose("list")

    # ---- what the person does ----

    def _jump(self, key: str) -> None:
        self.sections.choose(key)
        self.take_focus()

    def _chosen(self, key: str) -> None:
        self._places.setCurrentWidget(self._sections[key])
        for panel in (self.files, self.print_panel):
            panel.hide()
        self.refresh()

    def _out(self) -> None:
        """Out of a panel, or of a box to where the keys 1 to 3 are no text."""
        for panel in (self.files, self.print_panel):
            if panel.isVisible():
                panel.close_panel()
                return
        if self.sections.key == "recanvass":
            self.recanvass.escape()
        else:
            self.sections.take_focus()

    def _look(self) -> None:
        if self.sections.key == "gate":
            self.gate.look_again()

    def _make(self) -> None:
        if self.sections.key == "gate":
            self.gate.make_it()

    def _made(self, release_number: int) -> None:
        self.sections.choose("list")
        self.list.show_releases()
        self.list.choose(release_number)
        self.count_changed.emit()
        if self.isVisible():
            self.take_focus()

    def _write(self, release_number: int) -> None:
        one = self._release(release_number)
        if one is not None:
            self.print_panel.hide()
            self.files.open(one)

    def _release(self, release_number: int) -> Release | None:
        return next((one for one in self.list.made if one.number == release_number), None)

    def _compare(self, release_number: int) -> None:
        self.sections.choose("compare")
        self.comparing.choose(release_number)
        self.take_focus()

    def _approve(self, release_number: int) -> None:
        desk, by = self.context.desk, self.context.person

        def work(progress: Progress) -> Release:
            return approve_release(desk, release_number, by=by)

        self.context.jobs.run(
            self.tr("Approving release {0}").format(number(release_number)),
            work,
            self._approved,
            failed=self._refused,
            cancellable=False,
        )

    def _approved(self, release: Release) -> None:
        self.context.notices.done(
            self.tr("Release {0} is approved and may go out.").format(number(release.number))
        )
        self.context.after_change(release.approved_at)
        self.refresh()

    def _refused(self, error: CaucusError) -> None:
        self.context.notices.refuse(error.sentence)
        self.refresh()

    # ---- the clipboard and paper ----

    def _shown(self) -> list[Shown]:
        if self.sections.key == "compare":
            return list(self.comparing.shown())
        views = [view for view in (self.list.table, self.list.passes) if view.isVisible()]
        return [Shown(view.accessibleName(), view.grid()) for view in views if view.model().rowCount()]

    def _heading(self) -> str:
        return self.comparing.heading() if self.sections.key == "compare" else self.title()

    def _copy(self) -> None:
        shown = self._shown()
        if not shown:
            self.context.notices.say(self.tr("There is no table to copy here."))
            return
        focus = QApplication.focusWidget()
        views = (self.comparing.table, self.comparing.groups, self.list.table, self.list.passes)
        name = focus.accessibleName() if focus in views and focus is not None else shown[0].title
        one = next((one for one in shown if one.title == name), shown[0])
        QGuiApplication.clipboard().setMimeData(
            mime([("", one.grid)], f"{self.context.desk.caucus}, {self._heading()}.")
        )
        self.context.notices.done(self.tr("The table is in the clipboard: {0}.").format(one.title))

    def _print(self) -> None:
        shown = self._shown() if self.sections.key not in ("gate", "recanvass") else []
        if not shown:
            self.context.notices.say(self.tr("There is nothing to print here."))
            return
        self.files.hide()
        blocks = [Block("", self.comparing.summary.text())] if self.sections.key == "compare" else []
        blocks += [Block(one.title, "", one.grid) for one in shown]
        self.print_panel.open(
            Document(
                self.context.desk.caucus,
                self._heading(),
                self.context.overview.banner(),
                datetime.now(UTC),
                blocks,
            )
        )
