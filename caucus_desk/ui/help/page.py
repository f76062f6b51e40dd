"""The Help page: keys, states, the catalogue of findings, and where the data lies."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QUrl
from PySide6.QtGui import QTextTable
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListWidget,
    QStackedWidget,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from caucus_desk import paths
from caucus_desk.tally.catalogue import FINDINGS, FindingKind
from caucus_desk.tally.finding import Severity
from caucus_desk.tally.state import State
from caucus_desk.ui import failures, icons
from caucus_desk.ui.context import Context
from caucus_desk.ui.help.roles import roles_table
from caucus_desk.ui.keys import as_markdown
from caucus_desk.ui.page import Page
from caucus_desk.ui.results.areas import FilterField
from caucus_desk.ui.theme import theme
from caucus_desk.ui.widgets.basics import STEP, wrapped
from caucus_desk.ui.widgets.table import ColumnSpec, TableModel, TableView
from caucus_desk.ui.words import severity_sign, state_sign, tr

_SIGNS = {
    "awaiting": "muted", "single": "muted", "mismatched": "bad", "matched": "good", "ruled": "good",
    "merged": "muted", "bad": "bad", "warn": "warn", "note": "muted",
}  # fmt: skip


_KEYS = 1
"""The place of Keys among the topics."""


def help_text(topic: str) -> str:
    """The Markdown of resources/help/<topic>.md."""
    return (paths.resources() / "help" / f"{topic}.md").read_text(encoding="utf-8")


class HelpText(QTextBrowser):
    """A page of help. `sign:` images are the program's own drawings in the theme's colours."""

    def __init__(self, markdown: str) -> None:
        super().__init__()
        self._markdown = markdown
        self.setOpenExternalLinks(True)
        theme().changed.connect(self._render)
        self._render()

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        url = name if isinstance(name, QUrl) else QUrl(name)
        if url.scheme() == "sign" and url.path() in _SIGNS:
            return icons.pixmap(url.path(), _SIGNS[url.path()])
        return super().loadResource(kind, name)

    def show_text(self, markdown: str) -> None:
        self._markdown = markdown
        self._render()

    def _render(self) -> None:
        document = self.document()
        document.setDefaultFont(self.font())
        self.setMarkdown(self._markdown)
        for frame in document.rootFrame().childFrames():
            if isinstance(frame, QTextTable):
                shape = frame.format().toTableFormat()
                shape.setBorder(0)
                shape.setCellPadding(STEP)
                shape.setCellSpacing(0)
                frame.setFormat(shape)


def _columns() -> tuple[ColumnSpec[FindingKind], ...]:
    def sign(kind: FindingKind) -> tuple[str, str]:
        if kind.severity is None:
            found = state_sign(State.MISMATCHED)
            return (found.icon, found.role)
        found = severity_sign(kind.severity)
        return (found.icon, found.role)

    ranks = {Severity.ERROR: 0, None: 1, Severity.WARNING: 2, Severity.NOTE: 3}
    return (
        ColumnSpec(tr("Id"), 56, lambda kind: kind.id, bold=True),
        ColumnSpec(tr("Severity"), 110, lambda kind: kind.word, lambda kind: ranks[kind.severity], icon=sign),
        ColumnSpec(
            tr("What it finds"), 470, lambda kind: kind.title, tip=lambda kind: kind.predicate, least=420
        ),
    )


class Catalogue(QWidget):
    """Every finding of the catalogue, as the checks read it; the row that is chosen in full below."""

    def __init__(self) -> None:
        super().__init__()
        self.filter = FilterField()
        self.filter.setPlaceholderText(self.tr("Type an id or a word"))
        self.filter.setAccessibleName(self.tr("Find a finding"))
        self.filter.setClearButtonEnabled(True)
        self.model = TableModel[FindingKind](
            _columns(),
            lambda kind: kind.id,
            lambda kind: f"{kind.id} {kind.word} {kind.title} {kind.predicate}",
            self,
        )
        self.table = TableView(self.model, self.tr("Findings"))
        self.full = wrapped()
        self.full.setMinimumHeight(14 * STEP)
        self.ask = wrapped(role="muted")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2 * STEP)
        column.addWidget(wrapped(help_text("findings").replace("\n", " ").strip()))
        column.addWidget(self.filter)
        column.addWidget(self.table, 1)
        column.addWidget(self.full)
        column.addWidget(self.ask)
        self.model.set_rows(tuple(FINDINGS.values()))
        self.filter.textChanged.connect(self.model.set_filter)
        self.filter.down.connect(self.table.setFocus)
        self.table.selectionModel().currentRowChanged.connect(self._show)
        self.table.selectRow(0)

    def _show(self) -> None:
        kind = self.model.row_at(self.table.currentIndex())
        if kind is not None:
            self.full.setText(f"{kind.id}, {kind.word}: {kind.title}. {kind.predicate}")
            self.ask.setText(self.tr("Ask: “{0}”").format(kind.ask) if kind.ask else "")


class HelpPage(Page):
    """Topics on the left, the text on the right."""

    name = "help"
    icon = "help"

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        where = help_text("data").format(
            store=context.desk.location,
            settings=paths.data_dir() / "window.ini",
            drafts=paths.data_dir() / "drafts",
            sample=paths.data_dir() / "sample",
            log=failures.log_file(),
        )
        self.catalogue = Catalogue()
        self._keys = HelpText("")
        self.name_pages([self.title()])
        topics: list[tuple[str, QWidget]] = [
            (self.tr("Start here"), HelpText(help_text("start"))),
            (self.tr("Keys"), self._keys),
            (self.tr("States"), HelpText(help_text("states"))),
            (self.tr("Findings"), self.catalogue),
            (self.tr("People"), HelpText(help_text("people").replace("{roles}", roles_table()))),
            (self.tr("Where the data lies"), HelpText(where)),
        ]
        self.topics = QListWidget()
        self.topics.setAccessibleName(self.tr("Topics"))
        self.topics.setFixedWidth(30 * STEP)
        self._texts = QStackedWidget()
        self._texts.setMaximumWidth(170 * STEP)
        for text, widget in topics:
            self.topics.addItem(text)
            self._texts.addWidget(widget)
        self.topics.currentRowChanged.connect(self._texts.setCurrentIndex)
        self.topics.setCurrentRow(0)
        row = QHBoxLayout(self)
        row.setContentsMargins(3 * STEP, 3 * STEP, 3 * STEP, 3 * STEP)
        row.setSpacing(3 * STEP)
        row.addWidget(self.topics)
        row.addWidget(self._texts, 100)
        row.addStretch(1)

    @classmethod
    def title(cls) -> str:
        return tr("Help")

    def name_pages(self, titles: Sequence[str]) -> None:
        """The pages of the rail in their order, as Ctrl and a digit open them."""
        self._keys.show_text(help_text("keys").replace("{keys}", as_markdown(titles)))

    def show_keys(self) -> None:
        self.topics.setCurrentRow(_KEYS)

    def take_focus(self) -> None:
        self.topics.setFocus()
