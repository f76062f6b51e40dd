"""The way out of the sheet: Submit, the read-back, and where each refusal leads the hand."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from PySide6.QtCore import Qt, Signal

from caucus_desk.desk.entry import Draft
from caucus_desk.tally.form import field_label
from caucus_desk.tally.receipt import read_back
from caucus_desk.tally.report import Channel
from caucus_desk.tally.roster import Precinct
from caucus_desk.ui.entry.read_back import lines_of
from caucus_desk.ui.entry.receipt_edit import RECEIPT
from caucus_desk.ui.entry.sheet_edits import SheetEdits
from caucus_desk.ui.keys import hint
from caucus_desk.ui.words import clock, tip

NAMED = 6
"""So many boxes are named in a sentence; the others are counted."""


class SheetWayOut(SheetEdits):
    """The sheet, and what is said of it once the clerk holds it for finished."""

    submit_wanted = Signal()
    awaiting = False

    def _connect(self) -> None:
        super()._connect()
        self.grid.finished.connect(self._to_submit)
        self.foot.submit.reached.connect(self._at_submit)
        self.foot.submit.clicked.connect(self.try_submit)
        self.foot.submit.digit.connect(self._ran_on)
        self.foot.submit.back.connect(self._back_from_submit)
        self.grid.edited.connect(lambda path, text: self._compare_receipt())
        self.read_back.finished.connect(self._to_submit)
        self.read_back.back.connect(lambda: self.grid.focus(self._last_box()))

    def start(self, precinct: Precinct, draft: Draft) -> None:
        super().start(precinct, draft)
        self._compare_receipt()

    def _compare_receipt(self) -> None:
        """The code on the paper with the figures that are keyed here, and with nothing else."""
        if self.body.paper is None or self._precinct is None:
            return
        code = self._texts.get(RECEIPT, "")
        finished = self._at_end or bool(self.body.paper.boxes[RECEIPT].hasFocus())
        self.body.paper.fit.show_fit(self._precinct.id, self.sheet, code, finished=finished)

    def _back_from_submit(self) -> None:
        if not self._locked:
            self.grid.focus(self._last_box())

    def _last_box(self) -> str:
        return self.grid.current or self.grid.order[-1]

    def _to_submit(self) -> None:
        self.foot.show_keys()
        self.foot.submit.setFocus(Qt.FocusReason.TabFocusReason)

    def _at_submit(self) -> None:
        """Read back while the hand is on Submit: everything is known now."""
        self._mismatched.seen(self._left_box)
        self._at_end = True
        self._refresh_live()
        self._compare_receipt()
        self.show_read_back()
        look = (
            self.tr("Read it back, then {0}")
            if self.channel is Channel.PHONE
            else self.tr("Compare with the paper, then {0}")
        )
        self.foot.show_hint(look.format(hint("submit", "back")) + self._warnings_hint())

    def _ran_on(self, digit: str) -> None:
        """Digits on Submit: the hand has lost its line. Back to the end of the sheet, to look."""
        if self._locked:
            return
        path = (self.grid.route or self.grid.order)[-1]
        self.grid.focus(path)
        self.grid.end_here(path, digit)

    def show_read_back(self) -> None:
        if self._live is None:
            return
        title = self.tr("Read back") if self.channel is Channel.PHONE else self.tr("Compare with the paper")
        empty = self.empty
        words = ""
        if empty.partly:
            words = self.tr("Empty: {0}.").format(self._names(empty.partly))
        sheet = self.sheet
        closing = read_back(self._rules, sheet)[-1] if empty.rows else ""
        lines = lines_of(self.form, sheet, closing, aloud=self.channel is Channel.PHONE)
        self.read_back.show_sheet(lines, words, title, self.channel)
        self.body.show_read_back()

    def _names(self, paths: Sequence[str]) -> str:
        names = [field_label(self._rules, path) for path in paths[:NAMED]]
        more = len(paths) - len(names)
        return ", ".join(names) + (self.tr(" and {0} more").format(more) if more else "")

    def try_submit(self) -> None:
        """Enter on Submit, or Ctrl+Enter from anywhere. Asks once about boxes that were forgotten."""
        if self._locked or self.foot.asking:
            return
        self._at_end = True
        self._refresh_live()
        path = self._mismatched.to_look_at
        if path:
            self.grid.focus(path)
            self.show_refusal(
                path, self.tr("Look at each box that does not match first: Enter goes to the next.")
            )
            return
        partly = self.empty.partly
        if partly and partly != self._asked_empty:
            self._asked_empty = partly
            self.grid.focus(partly[0])
            names = self._names(partly)
            self.show_refusal(
                partly[0],
                self.tr(
                    "Empty: {0}. Blank is not zero: type what was said, or F4 for “all remaining are 0”."
                ).format(names),
            )
            return
        self.submit_wanted.emit()

    def show_empty(self, fields: Sequence[str], sentence: str) -> None:
        """The desk refused boxes that must not be empty: there the hand goes."""
        path = next((path for path in self.grid.order if path in fields and not self._texts.get(path)), None)
        path = path or next(iter(self.empty.boxes), self.grid.order[0])
        self.grid.focus(path)
        self.show_refusal(path, sentence)

    def show_mismatch(self, fields: Sequence[str], sentence: str) -> None:
        """Which boxes do not match; the hand goes through those only, and no further key is asked for."""
        marked = [path for path in self.grid.order if path in fields]
        self._mismatched.tell(marked, sentence, fields)
        self._left_box = ""
        self.grid.set_route(marked)
        self.foot.submit.setText(self.tr("Submit as keyed"))
        self.body.show_margin()
        self.grid.focus(marked[0])
        self._left_box = marked[0]
        self._refresh_live()

    def show_missing_reasons(self) -> None:
        self.show_read_back()
        self.read_back.focus_missing()
        more = len(self.read_back.missing) > 1
        self.foot.show_hint(hint("reason.pick", "reason.next", *(("reason.all",) if more else ())))

    def ask_correction(self, sentence: str) -> None:
        self.read_back.ask_correction(sentence)
        self.show_missing_reasons()

    @property
    def reasons(self) -> Mapping[str, str]:
        return self.read_back.reasons

    def show_saved(self, at: datetime) -> None:
        self.foot.show_saved(self.tr("draft saved {0}").format(clock(at)))

    def show_kept(self, at: datetime) -> None:
        """Not in the store, but on the disk of this computer."""
        kept = self.tr("kept on this computer {0}").format(clock(at))
        self.foot.show_saved(self.tr("not submitted yet") if self.awaiting else kept, "warn")

    def show_gone(self) -> None:
        """The store does not answer: what was said of it before is not said any more."""
        self.foot.show_saved(self.tr("not submitted yet") if self.awaiting else "", "warn")

    def show_awaiting(self, awaiting: bool) -> None:
        """Submit was pressed, and is made as soon as the store takes it."""
        self.awaiting = awaiting
        if awaiting:
            self.foot.show_saved(self.tr("not submitted yet"), "warn")

    def show_not_saved(self, sentence: str) -> None:
        self.foot.show_saved(self.tr("draft not saved"), "bad")
        self.foot.setToolTip(tip(sentence))
