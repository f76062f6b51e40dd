"""Loading a file of results from the page: which file, which channel, and what was wrong in it."""

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QFileDialog, QFrame, QHBoxLayout, QLineEdit, QVBoxLayout

from caucus_desk.desk import loading
from caucus_desk.rules.errors import CaucusError
from caucus_desk.tally.progress import Progress
from caucus_desk.tally.report import CHANNELS, Channel
from caucus_desk.ui.context import Context
from caucus_desk.ui.widgets.basics import STEP, Choices, button, label, wrapped
from caucus_desk.ui.widgets.problems import ProblemTable, problems_of
from caucus_desk.ui.words import channel_sign, number

_WARNINGS_SHOWN = 6


class LoadPanel(QFrame):
    """A strip in the page, hidden until it is wanted."""

    closed = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self._context = context
        self.path_field = QLineEdit()
        self.path_field.setAccessibleName(self.tr("Results file"))
        self.path_field.setPlaceholderText(self.tr("a .csv or .xlsx file of results"))
        self.browse = button(self.tr("Browse…"), "folder")
        self.channel = Choices([(c.value, channel_sign(c).word) for c in CHANNELS], self.tr("Channel"))
        self.channel.choose(Channel.APP)
        self.skip_bad = QCheckBox(self.tr("Take the good rows and list the rest"))
        self.reason = QLineEdit()
        self.reason.setAccessibleName(self.tr("Reason for changing verified precincts"))
        self.reason.setPlaceholderText(self.tr("reason, only if verified precincts may change"))
        self.load = button(self.tr("Load"), "load", role="primary")
        self.close_button = button(self.tr("Close"), role="quiet")
        self.problems = ProblemTable()
        self.problems.setMinimumHeight(150)
        self.outcome = wrapped()
        self._lay_out()
        self.browse.clicked.connect(self._browse)
        self.load.clicked.connect(self._load)
        self.path_field.returnPressed.connect(self._load)
        self.close_button.clicked.connect(self.close_panel)
        self.hide()

    def _lay_out(self) -> None:
        first = QHBoxLayout()
        first.setSpacing(STEP)
        first.addWidget(label(self.tr("Results file")))
        first.addWidget(self.path_field, 1)
        first.addWidget(self.browse)
        first.addSpacing(STEP)
        first.addWidget(label(self.tr("came by")))
        first.addWidget(self.channel)
        second = QHBoxLayout()
        second.setSpacing(2 * STEP)
        second.addWidget(self.skip_bad)
        second.addWidget(self.reason, 1)
        second.addWidget(self.load)
        second.addWidget(self.close_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(2 * STEP, 2 * STEP, 2 * STEP, 2 * STEP)
        column.setSpacing(STEP)
        column.addLayout(first)
        column.addLayout(second)
        column.addWidget(self.outcome)
        column.addWidget(self.problems)
        self.outcome.hide()
        self.problems.hide()

    def open(self) -> None:
        self.show()
        self.path_field.setFocus()

    def close_panel(self) -> None:
        self.outcome.hide()
        self.problems.hide()
        self.hide()
        self.closed.emit()

    def _browse(self) -> None:
        chosen, _ = QFileDialog.getOpenFileName(
            self,
            self.tr("Results file"),
            self.path_field.text(),
            self.tr("Tables (*.csv *.xlsx);;All files (*)"),
        )
        if chosen:
            self.path_field.setText(chosen)

    def _load(self) -> None:
        text = self.path_field.text().strip()
        if not text or not self.load.isEnabled():
            self.path_field.setFocus()
            return
        desk, by = self._context.desk, self._context.person
        channel, skip_bad = Channel(self.channel.key), self.skip_bad.isChecked()
        correct = self.reason.text().strip() or None
        self.load.setEnabled(False)
        self.outcome.hide()
        self.problems.hide()

        def work(progress: Progress) -> loading.Loaded:
            loaded = loading.load_results(
                desk,
                Path(text),
                channel=channel,
                by=by,
                skip_bad=skip_bad,
                correct=correct,
                progress=progress,
            )
            # The sheets are checked here, so that the page does not stand still for it.
            desk.overview().findings()
            return loaded

        self._context.jobs.run(
            self.tr("Loading results"), work, self._loaded, failed=self._failed, cancelled=self._cancelled
        )

    def _loaded(self, loaded: loading.Loaded) -> None:
        self.load.setEnabled(True)
        self._context.after_change()
        said = self.tr(
            "Loaded. New reports: {0}; newer than one before: {1}; the same as before: {2}."
        ).format(number(loaded.new), number(loaded.superseded), number(loaded.unchanged))
        if loaded.control_totals:
            said += " " + self.tr("Counties with stated totals: {0}.").format(number(loaded.control_totals))
        if not loaded.refused and not loaded.warnings:
            self._context.notices.done(said)
            self.path_field.clear()
            self.close_panel()
            return
        if loaded.refused:
            said += " " + self.tr("Rows left out, listed here: {0}.").format(number(len(loaded.refused)))
            self.problems.set_problems(tuple(loaded.refused))
            self.problems.show()
        self._say("\n".join([said, *loaded.warnings[:_WARNINGS_SHOWN]]), "warn" if loaded.refused else "")
        self._context.notices.done(said)

    def _failed(self, error: CaucusError) -> None:
        self.load.setEnabled(True)
        found = problems_of(error)
        if found:
            self.problems.set_problems(found)
            self.problems.show()
            self._say(
                self.tr("Nothing was loaded. Problems in the file: {0}.").format(number(len(found))), "bad"
            )
        else:
            self._say(error.sentence, "bad")

    def _cancelled(self) -> None:
        self.load.setEnabled(True)
        self._say(self.tr("Cancelled. Nothing was loaded."), "muted")

    def _say(self, text: str, role: str) -> None:
        self.outcome.setText(text)
        self.outcome.setProperty("role", role)
        self.outcome.style().polish(self.outcome)
        self.outcome.show()
