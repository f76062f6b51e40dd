"""The Entry page: leads from finding the precinct to the receipt.

It and what it is built on (`submit_page`, `photo_page`, `calling_page`, `opening_page`, `drafts_page`) are
the only part of Entry that calls the desk.
"""

from caucus_desk.desk import entry
from caucus_desk.rules.errors import CaucusError
from caucus_desk.tally.report import Report
from caucus_desk.tally.state import State
from caucus_desk.ui.entry.sheet_step import SheetStep
from caucus_desk.ui.entry.submit_page import SubmitPage
from caucus_desk.ui.words import clock, state_sign


class EntryPage(SubmitPage):
    """Find, key, submit, receipt; one after the other, by keyboard alone."""

    name = "entry"
    icon = "entry"

    def _refused(self, sheet: SheetStep, refusal: CaucusError) -> None:
        """Each refusal leads to the box that it is about; what was typed stays."""
        if isinstance(refusal, entry.EmptyBoxes):
            sheet.show_empty(refusal.fields, refusal.sentence)
        elif isinstance(refusal, entry.DoesNotMatch) and refusal.fields:
            sheet.show_mismatch(refusal.fields, refusal.sentence)
        elif isinstance(refusal, entry.NeedsReason):
            sheet.show_missing_reasons()
        elif isinstance(refusal, entry.NeedsCorrection):
            sheet.ask_correction(refusal.sentence)
        elif isinstance(refusal, entry.KeyedMeanwhile):
            self.context.notices.warn(refusal.sentence)
            sheet.ask_replacing(refusal.report_id, refusal.by)
        elif isinstance(refusal, entry.StaleWindow):
            self.context.notices.refuse(refusal.sentence)
            if self._draft is not None:
                self._known[self._draft.id].stale = True
            self._ask_which_stands()
        elif isinstance(refusal, entry.Barred):
            self.context.notices.refuse(
                self.tr("{0} Esc, then D, discards this sheet.").format(refusal.sentence)
            )
        else:
            self.context.notices.refuse(refusal.sentence)

    def _done(self, draft: entry.Draft, done: entry.Submitted) -> None:
        if self._draft is not draft:  # another person sits here by now
            self.context.after_change(done.at)
            return
        self._writer.end()
        self._draft = None
        self._known.pop(draft.id, None)
        precinct = self.context.desk.precinct(draft.precinct_id)
        before = self.context.overview.results[draft.precinct_id].reports.get(draft.channel)
        self.call_ended()
        self.context.notices.clear()
        self._stack.setCurrentWidget(self.receipt)
        self.receipt.show_receipt(
            precinct,
            draft.channel,
            done.receipt,
            clock(done.at),
            " ".join(part for part in (self._replaced_words(done, before), self._state_words(done)) if part),
        )
        self.context.after_change(done.at)

    def _replaced_words(self, done: entry.Submitted, before: Report | None) -> str:
        """Whose report this one takes the place of; "" where there was none."""
        if done.superseded_by and done.superseded_at is not None:
            by, at = done.superseded_by, done.superseded_at
        elif done.superseded is not None and before is not None and before.id == done.superseded:
            by, at = before.by, before.at
        else:
            return ""
        return self.tr("It takes the place of the report that {0} keyed at {1}.").format(by, clock(at))

    def _state_words(self, done: entry.Submitted) -> str:
        """The precinct's state after this report, and what it waits for."""
        if not done.confirmed:
            return self.tr(
                "Not confirmed: it verifies nothing until somebody has called back. It stands in Calls."
            )
        if done.verified:
            return self.tr("Both sources agree: the precinct is verified.")
        if done.open_errors:
            return self.tr("The sources agree. Somebody else must acknowledge: {0}.").format(
                ", ".join(done.open_errors)
            )
        if done.state is State.MISMATCHED:
            return self.tr("It does not match the other source: a reviewer decides.")
        if done.state is State.SINGLE:
            return self.tr("It waits for a second person and another source.")
        return self.tr("The precinct is {0}.").format(state_sign(done.state).word)
