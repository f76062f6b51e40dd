"""The sheet that is keyed again: the paper sheet of Entry, or the form of a recount. It shows nothing that
was released."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from caucus_desk.desk.entry import Draft, SheetCheck
from caucus_desk.desk.sheetcheck import check_of
from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.tally.finding import Finding, Severity
from caucus_desk.tally.recanvass import (
    CARDS,
    Recanvass,
    RecanvassKind,
    card_remarks,
    cards_of,
    recount_form,
)
from caucus_desk.tally.report import Channel
from caucus_desk.tally.roster import Precinct
from caucus_desk.tally.sheet import Column, ResultSheet
from caucus_desk.ui.chase.asking import AskLine
from caucus_desk.ui.entry.lines import Answer
from caucus_desk.ui.entry.sheet_step import SheetStep
from caucus_desk.ui.entry.typed import Empty
from caucus_desk.ui.widgets.basics import STEP, wrapped


class AgainStep(SheetStep):
    """As a sheet of paper is keyed in Entry, but that it becomes no report."""

    def __init__(self, rules: RuleSet, kind: RecanvassKind) -> None:
        self.kind = kind
        super().__init__(rules, Channel.PAPER, form=recount_form(rules, kind))
        layout = self.layout()
        assert layout is not None
        layout.setContentsMargins(0, 0, 0, 0)  # the page has its own: the sheet needs the room

    def _check(self, sheet: ResultSheet) -> SheetCheck:
        if self.kind is RecanvassKind.RECANVASS:
            return super()._check(sheet)
        assert self._precinct is not None
        # People have numbered cards: those counted and those missing are as many as could stand anywhere.
        cards, missing = cards_of(sheet)
        people = None if cards is None else cards + (missing or 0)
        found = check_of(self._rules, self._precinct, replace(sheet, attendance=people, extras=()))
        remarks = tuple(
            Finding(f"card{place}", Severity.ERROR, (CARDS,), said)
            for place, said in enumerate(card_remarks(sheet, self._precinct))
        )
        return replace(found, findings=remarks)

    @property
    def empty(self) -> Empty:
        """Nobody is asked for first choices that were not counted, and F4 makes no zeros of them."""
        found = super().empty
        if self.kind is RecanvassKind.RECANVASS or self.sheet.states(Column.FIRST):
            return found

        def but_first(paths: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(path for path in paths if not path.endswith(f".{Column.FIRST}"))

        return replace(found, partly=but_first(found.partly), boxes=but_first(found.boxes))

    def ask_leave(self) -> None:
        if not self.anything_typed:
            self.discarded.emit()
            return
        self.foot.ask.ask(
            self.tr("Leave this sheet? Nothing of it is in the store yet."),
            (
                Answer("K", self.tr("Keep it while this window is open"), "keep", True),
                Answer("D", self.tr("Discard it"), "discard", confirm=True),
                Answer("S", self.tr("Stay (or Esc)"), "stay", confirm=True),
            ),
        )
        self.foot.show_question()

    @property
    def note(self) -> str:
        """What was said of what cannot be right, in one line."""
        return "; ".join(dict.fromkeys(said for said in self.reasons.values() if said))


class Keying(QWidget):
    """One precinct of a recanvass being keyed. `left`: nothing is keyed any more."""

    left = Signal()
    submit_wanted = Signal(str)
    """With a note, where one was asked for."""

    def __init__(self, rules: RuleSet, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rules = rules
        self._kept: dict[tuple[int, str], dict[str, str]] = {}
        """What was typed and not submitted, by recanvass and precinct."""
        self._steps: dict[RecanvassKind, AgainStep] = {}
        self.recanvass: Recanvass | None = None
        self.precinct: Precinct | None = None
        self._said = wrapped(role="muted")
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(STEP)
        self.note_line = AskLine()
        self.note_line.hide()
        self.note_line.given.connect(self._noted)
        self.note_line.escaped.connect(self._not_noted)
        self._column.addWidget(self._said)
        self._column.addWidget(self.note_line)

    @property
    def step(self) -> AgainStep:
        assert self.recanvass is not None
        return self._step_of(self.recanvass.kind)

    def _step_of(self, kind: RecanvassKind) -> AgainStep:
        made = self._steps.get(kind)
        if made is None:
            made = AgainStep(self._rules, kind)
            made.typed.connect(self._typed)
            made.submit_wanted.connect(lambda: self.submit_wanted.emit(""))
            made.kept.connect(self.leave)
            made.discarded.connect(self._discard)
            self._steps[kind] = made
            self._column.insertWidget(self._column.count() - 1, made, 1)
        return made

    def start(self, one: Recanvass, precinct: Precinct, by: str) -> None:
        self.recanvass, self.precinct = one, precinct
        self.note_line.hide()
        for kind, step in self._steps.items():
            step.setVisible(kind is one.kind)
        step = self._step_of(one.kind)
        step.setVisible(True)
        what = (
            self.tr("Key what the worksheet says. What was released is not shown here.")
            if one.kind is RecanvassKind.RECANVASS
            else self.tr(
                "Key what the cards say, counted again; first choices only where they were counted. "
                "What was released is not shown here."
            )
        )
        self._said.setText(self.tr("{0}, asked for by {1}. {2}").format(one.name, one.requested_by, what))
        now = datetime.now(UTC)
        kept: Mapping[str, str] = self._kept.get((one.number, precinct.id), {})
        step.start(precinct, Draft(0, precinct.id, Channel.PAPER, by, now, now, dict(kept)))
        step.take_focus()

    def take_focus(self) -> None:
        if self.note_line.isVisible():
            self.note_line.field.setFocus()
        else:
            self.step.take_focus()

    def ask_note(self, prompt: str) -> None:
        self.note_line.ask(prompt, "")
        self.note_line.show()
        self.note_line.field.setFocus()

    def _noted(self, text: str) -> None:
        self._not_noted()
        self.submit_wanted.emit(text)

    def _not_noted(self) -> None:
        self.note_line.hide()
        self.step.take_focus()

    def submitted(self) -> None:
        """The store has it."""
        self._drop()
        self.recanvass = self.precinct = None

    def forget(self) -> None:
        """Another person sits here: nothing of it stays in this window."""
        self._kept.clear()
        self.recanvass = self.precinct = None

    def leave(self) -> None:
        self.recanvass = self.precinct = None
        self.left.emit()

    def _typed(self, path: str, text: str) -> None:
        if self.recanvass is not None and self.precinct is not None:
            self._kept.setdefault((self.recanvass.number, self.precinct.id), {})[path] = text

    def _discard(self) -> None:
        self._drop()
        self.leave()

    def _drop(self) -> None:
        if self.recanvass is not None and self.precinct is not None:
            self._kept.pop((self.recanvass.number, self.precinct.id), None)
