"""Finding the precinct while the caller spells it, and choosing phone or paper; both by key."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from caucus_desk.desk.find import exact_precinct, find_precincts, prepare
from caucus_desk.tally.report import Channel
from caucus_desk.tally.results import PrecinctResult
from caucus_desk.tally.roster import Precinct
from caucus_desk.ui import fonts
from caucus_desk.ui.entry.call_end import EndKeys
from caucus_desk.ui.entry.keypad import digit_of
from caucus_desk.ui.entry.lines import ENTER, Answer, AskBar, TextLine
from caucus_desk.ui.entry.second_person import SecondPerson
from caucus_desk.ui.entry.wording import counted
from caucus_desk.ui.keys import hint
from caucus_desk.ui.widgets.basics import STEP, EmptyState, label, title, wrapped
from caucus_desk.ui.widgets.table import ColumnSpec, TableModel, TableView
from caucus_desk.ui.words import BLANK, clock, state_sign

_LISTED = 30
_WHOSE_POINTS = 17.0
_TAKE_OVER, _DISCARD, _NO = "take over", "discard", "no"


@dataclass(frozen=True)
class DraftOffer:
    """An unfinished sheet: of the person at the desk, or left by `left_by` for anybody."""

    precinct_id: str
    channel: Channel
    updated: datetime
    left_by: str = ""
    sent_by: str = ""
    """The reviewer who sent the sheet back to be keyed again; nobody has begun it."""
    kept_here: bool = False
    """What was typed last is in a file of this computer, and not in the store."""


@dataclass(frozen=True)
class FoundRow:
    key: str
    result: PrecinctResult
    draft: DraftOffer | None = None

    @property
    def precinct(self) -> Precinct:
        return self.result.precinct


class SearchLine(TextLine):
    """The line in which the precinct is spelled; up and down move in the list below."""

    walked = Signal(int)
    entered = Signal()

    def walk(self, event: QKeyEvent) -> None:
        if event.key() in ENTER:
            if not event.isAutoRepeat():
                self.entered.emit()
        else:
            self.walked.emit(1 if event.key() == Qt.Key.Key_Down else -1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_PageDown: 10, Qt.Key.Key_PageUp: -10}
        if event.key() in steps and not digit_of(event):
            self.walked.emit(steps[Qt.Key(event.key())])
        elif event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)


class FindStep(QWidget):
    """The list narrows at each key. Enter takes a precinct named in full, or the row seen to be chosen."""

    chosen = Signal(str, str)
    """A precinct id and a channel."""
    begun = Signal()
    """The first key of a new search: so far as is known, the phone has just rung."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._results: dict[str, PrecinctResult] = {}
        self._precincts: tuple[Precinct, ...] = ()
        self._drafts: tuple[DraftOffer, ...] = ()
        self._wanted: Precinct | None = None
        self._take_over: Callable[[], None] | None = None
        self._discard: Callable[[], None] | None = None
        self.search = SearchLine(self.tr("Find a precinct"))
        self.search.setPlaceholderText(self.tr("Any part of id, county or precinct name"))
        self.search.setMinimumHeight(36)
        self.search.setFont(fonts.body(fonts.HEADING_POINTS))
        self._heading = label(role="muted")
        self._whose = wrapped()
        self._whose.setFont(fonts.body(_WHOSE_POINTS, bold=True))
        self._whose.hide()
        self._role_note = wrapped(role="warn")
        self._role_note.hide()
        self._said = wrapped(role="bad")
        self._said.hide()
        self.model: TableModel[FoundRow] = TableModel(_columns(), lambda row: row.key)
        self.view = TableView(self.model, self.tr("Precincts found"))
        self.view.setSortingEnabled(False)
        self.view.horizontalHeader().setStretchLastSection(True)
        self.view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._list_place = QStackedWidget()
        self._list_place.addWidget(self.view)
        self._nothing = EmptyState("search", "")
        self._list_place.addWidget(self._nothing)
        self.ask = AskBar("entry", "note", typed_by_hand=True)
        self.ends = EndKeys()
        self._foot = QStackedWidget()
        self._foot.setFixedHeight(44)
        self._keys = label(role="muted")
        self._foot.addWidget(self._keys)
        self._foot.addWidget(self.ask)
        self.second = SecondPerson()
        self._foot.addWidget(self.second)
        column = QVBoxLayout(self)
        column.setContentsMargins(4 * STEP, 3 * STEP, 4 * STEP, 2 * STEP)
        column.setSpacing(STEP)
        column.addWidget(title(self.tr("Whose sheet?")))
        column.addWidget(self._role_note)
        column.addWidget(self.search)
        column.addWidget(self._said)
        column.addWidget(self._heading)
        column.addWidget(self._list_place, 1)
        column.addWidget(self._whose)
        column.addWidget(self._foot)
        column.addWidget(self.ends, 0, Qt.AlignmentFlag.AlignRight)
        self.search.textChanged.connect(self._narrow)
        self.search.textEdited.connect(self._typed)
        self.search.walked.connect(self._walk)
        self.search.entered.connect(self._enter)
        self.view.clicked.connect(lambda _: self.search.setFocus())
        self.view.opened.connect(self._take)
        self.ask.answered.connect(self._answered)
        self.ask.escaped.connect(self.back_to_search)
        self.second.escaped.connect(self.back_to_search)
        self.second.refused.connect(self._say)

    @property
    def rows(self) -> Sequence[FoundRow]:
        return self.model.shown

    @property
    def named(self) -> str:
        """The precinct that the caller is known to speak of: the one chosen, or seen to be chosen; ""."""
        if self._wanted is not None:
            return self._wanted.id
        key = self.view.current_key
        row = next((row for row in self.model.shown if row.key == key), None) if key else None
        return row.precinct.id if row is not None else ""

    def show_results(
        self, results: Callable[[], Sequence[PrecinctResult]], drafts: Sequence[DraftOffer]
    ) -> None:
        """What there is to find, and the unfinished sheets of who is at the desk."""
        found = results()
        self._results = {result.precinct.id: result for result in found}
        self._precincts = tuple(result.precinct for result in found)
        prepare(self._precincts)
        self._drafts = tuple(drafts)
        self._list(keep=True)

    def begin(self) -> None:
        """An empty line and nothing chosen."""
        self.search.clear()
        self._say("")
        self.back_to_search()
        self._list()

    def take(self, precinct_id: str) -> None:
        """Go straight to the choice of channel for a precinct."""
        precinct = self._results[precinct_id].precinct
        self.search.setText(precinct.id)
        self._choose_channel(precinct)

    def show_role(self, why_not: str) -> None:
        """Why who is at the desk keys nothing; "" where they may."""
        self._role_note.setText(why_not)
        self._role_note.setVisible(bool(why_not))

    def refuse(self, sentence: str) -> None:
        """Why the sheet cannot be opened; the choice stays open."""
        self.back_to_search()
        self._say(sentence)

    def offer_take_over(self, holder: str, take_over: Callable[[], None]) -> None:
        """The refused sheet was left alone long enough to be taken over, with what was typed."""
        self._take_over = take_over
        self.ask.ask(
            self.tr("Take over the sheet that {0} left?").format(holder),
            (Answer("T", self.tr("Take it over"), _TAKE_OVER, confirm=True), Answer("N", self.tr("No"), _NO)),
        )
        self._foot.setCurrentIndex(1)
        self.ask.setFocus()

    def offer_discard(self, discard: Callable[[], None], question: str = "") -> None:
        """The refused sheet is this person's own, who must not key it any more."""
        self._discard = discard
        self.ask.ask(
            question or self.tr("Discard the sheet that you hold there?"),
            (Answer("D", self.tr("Discard it"), _DISCARD, confirm=True), Answer("N", self.tr("No"), _NO)),
        )
        self._foot.setCurrentIndex(1)
        self.ask.setFocus()

    def offer_second_person(self, first: str, go_on: Callable[[str], None]) -> None:
        """The refused sheet must be keyed by somebody else, who may sit down right here."""
        self.second.ask(first, go_on)
        self._foot.setCurrentIndex(2)
        self.second.take_focus()

    def offer_go_on(self, holder: str, go_on: Callable[[], None]) -> None:
        """The refused sheet is an unfinished one of somebody who may sit down right here."""
        self._take_over = go_on
        self.ask.ask(
            self.tr("Go on with the sheet that {0} began?").format(holder),
            (
                Answer("G", self.tr("Go on as {0}").format(holder), _TAKE_OVER, confirm=True),
                Answer("N", self.tr("No"), _NO),
            ),
        )
        self._foot.setCurrentIndex(1)
        self.ask.setFocus()

    def back_to_search(self) -> None:
        self._want(None)
        self._foot.setCurrentIndex(0)
        self.search.setFocus(Qt.FocusReason.TabFocusReason)

    def take_focus(self) -> None:
        if self._wanted is not None:
            self.ask.setFocus()
        else:
            self.search.setFocus(Qt.FocusReason.TabFocusReason)

    # --- listing ------------------------------------------------------------------------------

    def _typed(self, text: str) -> None:
        if len(text.strip()) == 1:
            self.begun.emit()

    def _want(self, precinct: Precinct | None) -> None:
        """Whose sheet is asked for, big enough that a wrong one is seen."""
        self._wanted = precinct
        self._whose.setVisible(precinct is not None)
        if precinct is not None:
            state = _state(FoundRow(precinct.id, self._results[precinct.id]))
            self._whose.setText(f"{precinct.county}  ·  {precinct.name}  ·  {precinct.id}  ·  {state}")

    def _narrow(self) -> None:
        self._say("")
        self._want(None)
        self._foot.setCurrentIndex(0)
        self._list()

    def _list(self, *, keep: bool = False) -> None:
        key = self.view.current_key if keep else ""
        text = self.search.text()
        if text.strip():
            found = find_precincts(self._precincts, text, _LISTED)
            rows = [FoundRow(precinct.id, self._results[precinct.id]) for precinct in found]
            heading = counted(len(rows), self.tr("precinct"), self.tr("precincts"))
            keys = hint("find.type", "find.walk", "find.take")
            if len(rows) == 1:
                keys = hint("find.take", "find.empty")
            elif not rows:
                keys = self.tr("Nothing fits: spell another part of its name") + " · " + hint("find.empty")
            if len(rows) == _LISTED:
                heading = self.tr("the first {0}: type more to narrow").format(_LISTED)
            self._nothing.set_text(
                self.tr("No precinct fits"), self.tr("Nothing has this in its id, its county or its name.")
            )
        else:
            rows = [
                FoundRow(f"{draft.channel} {draft.precinct_id}", self._results[draft.precinct_id], draft)
                for draft in self._drafts
                if draft.precinct_id in self._results
            ]
            keys = hint("find.type")
            if rows:
                keys = hint("find.type", "find.walk", "find.take")
            heading = self.tr("Unfinished sheets: nothing was lost. ↓ and Enter goes on with one.")
            self._nothing.set_text(
                self.tr("Spell the precinct"),
                self.tr("Any part of its id, county or name. The list narrows at each key."),
            )
        self._heading.setText(heading if rows else "")
        self._list_place.setCurrentIndex(0 if rows else 1)
        self.model.set_rows(rows)
        self.view.clearSelection()
        self.view.setCurrentIndex(QModelIndex())
        if key:
            self.view.select_key(key)
        if text.strip() and len(rows) == 1:
            self.view.selectRow(0)  # the only one left is seen to be chosen, so that Enter may take it
        self._keys.setText(keys)

    def _walk(self, by: int) -> None:
        count = self.model.rowCount()
        if not count:
            return
        here = self.view.currentIndex().row()
        place = min(max(here + by, 0), count - 1) if here >= 0 else 0
        self.view.selectRow(place)

    def _enter(self) -> None:
        key = self.view.current_key
        if key:
            self._take(key)
            return
        precinct = exact_precinct(self._precincts, self.search.text())
        if precinct is not None:
            self._choose_channel(precinct)
        elif self.search.text().strip():
            sentence = (
                self.tr("“{0}” names no single precinct. Choose one with ↓, or type its whole id.")
                if self.model.shown
                else self.tr("No precinct fits “{0}”. Spell another part of its id, county or name.")
            )
            self._say(sentence.format(self.search.text().strip()))

    def _take(self, key: str) -> None:
        row = next(row for row in self.model.shown if row.key == key)
        if row.draft is not None:
            self.chosen.emit(row.draft.precinct_id, row.draft.channel.value)
        else:
            self._choose_channel(row.precinct)

    def _choose_channel(self, precinct: Precinct) -> None:
        self._say("")
        self._want(precinct)
        result = self._results[precinct.id]
        parts = [self.tr("Which sheet?")]
        if result.precinct.merged:
            parts.append(self.tr("merged: no sheet of its own"))
        answers = [
            Answer("P", self.tr("Phone"), Channel.PHONE.value, icon="phone"),
            Answer("A", self.tr("Paper"), Channel.PAPER.value, icon="paper"),
        ]
        self.ask.ask(" ".join(parts), answers)
        self.ask.setAccessibleName(f"{self._whose.text()} {self.ask.sentence}")
        self._foot.setCurrentIndex(1)
        self.ask.setFocus()

    def _answered(self, answer: str) -> None:
        if answer == _TAKE_OVER and self._take_over is not None:
            self._take_over()
        elif answer == _DISCARD and self._discard is not None:
            self._discard()
        elif answer == _NO:
            self.back_to_search()
        elif self._wanted is not None:
            self.chosen.emit(self._wanted.id, answer)

    def _say(self, sentence: str) -> None:
        self._said.setText(sentence)
        self._said.setVisible(bool(sentence))


def _columns() -> tuple[ColumnSpec[FoundRow], ...]:
    return (
        ColumnSpec("Id", 120, lambda row: row.precinct.id),
        ColumnSpec("County", 150, lambda row: row.precinct.county),
        ColumnSpec("Precinct", 260, lambda row: row.precinct.name, bold=True),
        ColumnSpec("Elects", 60, lambda row: _elects(row.precinct), number=True),
        ColumnSpec("Phone", 84, lambda row: _in(row, Channel.PHONE)),
        ColumnSpec("Paper", 84, lambda row: _in(row, Channel.PAPER)),
        ColumnSpec("App", 70, lambda row: _in(row, Channel.APP)),
        ColumnSpec("State", 180, _state, icon=_state_icon),
    )


def _elects(precinct: Precinct) -> str:
    return BLANK if precinct.delegates is None else str(precinct.delegates)


def _in(row: FoundRow, channel: Channel) -> str:
    report = row.result.reports.get(channel)
    return "not in" if report is None else f"in {clock(report.at)[:5]}"


def _state(row: FoundRow) -> str:
    if row.draft is not None and row.draft.sent_by:
        return f"{row.draft.channel}: key again"
    if row.draft is not None and row.draft.kept_here:
        return f"{row.draft.channel}: kept here {clock(row.draft.updated)[:5]}"
    if row.draft is not None and row.draft.left_by:
        return f"left by {row.draft.left_by} {clock(row.draft.updated)[:5]}"
    if row.draft is not None:
        return f"{row.draft.channel} begun, saved {clock(row.draft.updated)[:5]}"
    if row.result.precinct.merged:
        return "merged"
    return "verified" if row.result.verified else state_sign(row.result.standing.state).word


def _state_icon(row: FoundRow) -> tuple[str, str] | None:
    if row.draft is not None:
        return (row.draft.channel.value, "text")
    if row.result.precinct.merged:
        return ("merged", "muted")
    sign = state_sign(row.result.standing.state)
    return ("verified", "good") if row.result.verified else (sign.icon, sign.role)
