"""The sheet as a step of Entry: its keys, and the questions that it asks.

Claiming, saving and submitting are the page's.
"""

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent

from caucus_desk.tally.form import field_label
from caucus_desk.ui.entry.count_edit import is_redo, is_undo
from caucus_desk.ui.entry.lines import Answer, TextLine
from caucus_desk.ui.entry.notes import Note
from caucus_desk.ui.entry.sheet_grid import group_of
from caucus_desk.ui.entry.sheet_way_out import NAMED, SheetWayOut
from caucus_desk.ui.entry.wording import counted
from caucus_desk.ui.words import BLANK


class SheetStep(SheetWayOut):
    """One channel's sheet, with what is asked of the clerk in the place of its foot."""

    submit_wanted = Signal()
    kept = Signal()
    discarded = Signal()
    theirs_wanted = Signal()
    mine_wanted = Signal()
    """Which of two windows' sheets is to stand, after `ask_which_stands`."""
    replace_wanted = Signal(int)
    """The report to be replaced, after `ask_replacing`."""

    def _connect(self) -> None:
        super()._connect()
        self.foot.zeros_wanted.connect(self._ask_zeros)
        self.foot.ask.answered.connect(self._answered)
        self.foot.ask.escaped.connect(self._dismiss)

    @property
    def anything_counted(self) -> bool:
        """Whether anything stands in the sheet's own boxes."""
        return any(self._texts.get(path) for path in (*self.grid.order, *self.grid.extra_order))

    # --- questions ----------------------------------------------------------------------------

    def _ask_zeros(self) -> None:
        boxes = self.empty.boxes
        if not boxes or self._locked:
            return
        names = self._names(boxes)
        if len(boxes) > NAMED:
            groups = dict.fromkeys(self._row_name(path) for path in boxes)
            many = counted(len(boxes), self.tr("empty box"), self.tr("empty boxes"))
            names = f"{many} ({', '.join(groups)})"
        self.foot.ask.ask(
            self.tr("Set to 0: {0}?").format(names),
            (Answer("Y", self.tr("Yes, all are 0"), "zeros", True), Answer("N", self.tr("No"), "stay")),
        )
        self.foot.show_question()

    def _row_name(self, path: str) -> str:
        group = group_of(path)
        return self._rules.label(group) if group else field_label(self._rules, path)

    def _fill_zeros(self) -> None:
        self._set_in_one_step(dict.fromkeys(self.empty.boxes, "0"))
        self._asked_empty = ()
        self._to_submit()

    def ask_leave(self) -> None:
        """Esc. A sheet on which nothing was typed is given back without a question."""
        if not self.anything_typed:
            self.discarded.emit()
            return
        self.foot.ask.ask(
            self.tr("Leave this sheet?"),
            (
                Answer("K", self.tr("Keep the draft"), "keep", True),
                Answer("D", self.tr("Discard it"), "discard", confirm=True),
                Answer("S", self.tr("Stay (or Esc)"), "stay", confirm=True),
            ),
        )
        self.foot.show_question()

    # --- two windows, two reports ---------------------------------------------------------------

    def show_other(self, stored: Mapping[str, str], at: str) -> None:
        """What another window saved, beside each box in which something else stands here."""
        notes = []
        for path in (*self.grid.order, *self.grid.extra_order):
            here, there = self._texts.get(path, ""), stored.get(path, "")
            if here != there:
                sentence = self.tr("{0}: {1} here, {2} saved by the other window at {3}.").format(
                    field_label(self._rules, path), here or BLANK, there or BLANK, at
                )
                notes.append(Note(f"other {path}", path, "warn", "warn", self.tr("two windows"), sentence))
        self._other = tuple(notes)
        self.body.show_margin()
        self._show_notes()

    def ask_which_stands(self) -> None:
        self.foot.ask.ask(
            self.tr("Another window saved this sheet too: see beside the boxes. What stands?"),
            (
                Answer("W", self.tr("What the other window saved"), "theirs", confirm=True),
                Answer("M", self.tr("What stands here"), "mine", confirm=True),
                Answer("S", self.tr("Stay (or Esc)"), "stay", confirm=True),
            ),
        )
        self.foot.show_question()

    def save_over(self, stored: Mapping[str, str]) -> None:
        """What stands here goes into the draft, wherever the draft has something else."""
        self._other = ()
        for path in {**stored, **self._texts}:
            here = self._texts.get(path, "")
            if here != stored.get(path, ""):
                self.typed.emit(path, here)
        self._refresh_live()
        self.take_focus()

    def ask_replacing(self, report_id: int, by: str) -> None:
        """Another person's report of this channel came in while this one was typed."""
        self._replaced = report_id
        self.foot.ask.ask(
            self.tr("Is yours to take the place of the report that {0} keyed?").format(by),
            (
                Answer("R", self.tr("Replace it"), "replace", confirm=True),
                Answer("N", self.tr("No (or Esc)"), "stay", confirm=True),
            ),
        )
        self.foot.show_question()

    # --- answers and keys -----------------------------------------------------------------------

    def _answered(self, name: str) -> None:
        self.foot.show_keys()
        if name == "zeros":
            self._fill_zeros()
        elif name == "keep":
            self.kept.emit()
        elif name == "discard":
            self.discarded.emit()
        elif name == "theirs":
            self.theirs_wanted.emit()
        elif name == "mine":
            self.mine_wanted.emit()
        elif name == "replace":
            self._to_submit()
            self.replace_wanted.emit(self._replaced)
        else:
            self._dismiss()

    def _undo_or_redo(self, event: QKeyEvent) -> None:
        """Of the sheet's boxes. A line of words has its own, and a question waits for its answer."""
        if self.foot.asking or isinstance(self.focusWidget(), TextLine):
            return
        if is_undo(event):
            self.undo()
        else:
            self.redo()

    def _dismiss(self) -> None:
        self.foot.show_keys()
        self.grid.focus(
            self._last_box()
        ) if self.grid.current or self.caller is None else self.caller.take_focus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._locked:
            return  # the store has not answered yet
        key, control = event.key(), bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and control:
            if not event.isAutoRepeat() and not self.read_back.same_for_all():
                self.try_submit()
        elif is_undo(event) or is_redo(event):
            self._undo_or_redo(event)
        elif key == Qt.Key.Key_Escape:
            self.ask_leave()
        elif key == Qt.Key.Key_F4:
            self._ask_zeros()
        elif key == Qt.Key.Key_F6 and self.grid.extra_order:
            self.grid.focus(self.grid.extra_order[0])
        elif key == Qt.Key.Key_F7:
            self.read_back.note_warnings()
            if self.body.reading:
                self.show_read_back()
        else:
            super().keyPressEvent(event)
