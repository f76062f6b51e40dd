"""How a case ends: ruled, approved, refused, withdrawn, sent back; and pictures dropped onto it."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from caucus_desk.desk import approving, errands, review
from caucus_desk.desk.attachments import Attachment, attach
from caucus_desk.desk.session import Desk
from caucus_desk.rules.errors import CaucusError
from caucus_desk.tally.errand import ErrandKind
from caucus_desk.tally.finding import Severity
from caucus_desk.tally.form import field_label
from caucus_desk.tally.progress import Progress
from caucus_desk.tally.report import CHANNELS, Channel
from caucus_desk.tally.roster import Precinct
from caucus_desk.ui.context import Context
from caucus_desk.ui.entry.lines import Answer
from caucus_desk.ui.review.case import CaseView
from caucus_desk.ui.review.heads import LETTERS
from caucus_desk.ui.review.panel import FINDINGS
from caucus_desk.ui.review.shown import CHANGED_SINCE, Doing, Shown
from caucus_desk.ui.words import channel_sign

_NAMED = 5


class CaseEnds(QObject):
    """Asks what must be asked in the foot of the case, does it, and says so."""

    ended = Signal(str)
    """The case is decided or sent back; what was done, in a sentence."""
    stays = Signal()
    """Something was refused, or done without ending the case: it is to be read anew."""

    def __init__(self, context: Context, view: CaseView, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._view = view
        self._then: Callable[[str], None] = lambda words: None
        view.rule_wanted.connect(self._rule)
        view.dropped.connect(self._attach)
        view.foot.words.given.connect(lambda words: self._then(words))
        view.foot.ask.answered.connect(self._channel_chosen)

    # --- which letter does what ---------------------------------------------------------------

    def begin(self, letter: str) -> None:
        """A letter that may end the case; nothing happens where it does nothing here."""
        shown = self._view.shown
        if shown is None:
            return
        own = shown.is_by(self._context.person)
        ruled = shown.case.result.standing.ruling is not None
        if letter == "W" and (own or (shown.open and ruled)):
            self._ask_withdrawal(shown)
        elif not shown.open:
            return
        elif letter == "B" and shown.doing is Doing.CHOOSE:
            self._ask_channel(shown)
        elif letter in ("C", "S") and shown.doing in (Doing.CHOOSE, Doing.ERRORS, Doing.CALL):
            self._ask_note(ErrandKind.CALL_BACK if letter == "C" else ErrandKind.FETCH, None)
        elif letter == "Y" and shown.doing is Doing.APPROVE:
            self._approve(shown)
        elif letter == "X" and shown.doing is Doing.APPROVE:
            self._ask_refusal(shown)
        elif letter in ("K", "Enter") and shown.doing in (Doing.ERRORS, Doing.CHANGED):
            self._to_finding()

    @property
    def _precinct(self) -> Precinct:
        case = self._view.case
        assert case is not None  # only asked for while a case is shown
        return case.precinct

    def _place(self) -> str:
        return f"{self._precinct.name}, {self._precinct.county}"

    def _do(self, work: Callable[[], str]) -> None:
        """Does it; refused, it is said and the case is read anew."""
        try:
            sentence = work()
        except CaucusError as refusal:
            self._context.notices.refuse(refusal.sentence)
            self._context.look()
            self._view.end_question()
            self.stays.emit()
            return
        self.ended.emit(sentence)

    # --- rulings ------------------------------------------------------------------------------

    def _rule(self) -> None:
        case = self._view.case
        if case is None:
            return

        def work() -> str:
            ruling = review.rule(
                self._context.desk,
                case.precinct.id,
                self._view.choices.values(),
                seen_report=case.seen_report,
                reason=self._view.reason.text(),
                by=self._context.person,
            )
            if ruling.pending:
                sentence = self.tr("Ruled on {0}: it has force when another person has approved it.")
            else:
                sentence = self.tr("Ruled on {0}.")
            return sentence.format(self._place())

        self._do(work)

    def _approve(self, shown: Shown) -> None:
        ruling = shown.pending
        if ruling is None:
            return

        def work() -> str:
            approving.approve(self._context.desk, ruling.id, by=self._context.person)
            return self.tr("Approved: {0}'s ruling on {1}.").format(ruling.by, self._place())

        self._do(work)

    def _ask_refusal(self, shown: Shown) -> None:
        ruling = shown.pending
        if ruling is None:
            return

        def then(reason: str) -> None:
            def work() -> str:
                approving.refuse_approval(
                    self._context.desk, ruling.id, reason=reason, by=self._context.person
                )
                return self.tr("Refused: the ruling on {0} is withdrawn.").format(self._place())

            self._do(work)

        self._ask(
            self.tr("The ruling is withdrawn, and the precinct waits for another one."),
            self.tr("Why it is refused"),
            self.tr("Refuse the ruling"),
            (
                self.tr("The sheet says otherwise"),
                self.tr("The chair must be asked first"),
                self.tr("The reason does not carry it"),
            ),
            then,
        )

    def _ask_withdrawal(self, shown: Shown) -> None:
        ruling = shown.pending or shown.case.result.standing.ruling
        if ruling is None:
            return

        def then(reason: str) -> None:
            def work() -> str:
                review.withdraw_ruling(self._context.desk, ruling.id, reason, self._context.person)
                return self.tr("The ruling on {0} is withdrawn; it stays on record.").format(self._place())

            self._do(work)

        self._ask(
            self.tr("{0}'s ruling loses its force and stays on record with your reason.").format(ruling.by),
            self.tr("Why it is withdrawn"),
            self.tr("Withdraw the ruling"),
            (self.tr("The sheet says otherwise"), self.tr("It was decided too early"), self.tr("A slip")),
            then,
        )

    # --- sending back -------------------------------------------------------------------------

    def _ask_channel(self, shown: Shown) -> None:
        case = shown.case
        names = [field_label(self._context.rules, path) for path in case.differing]
        fields = ", ".join(names[:_NAMED]) + (
            self.tr(" and {0} more").format(len(names) - _NAMED) if len(names) > _NAMED else ""
        )
        answers = [
            Answer(LETTERS[channel], channel_sign(channel).word, channel.value, icon=channel.value)
            for channel in CHANNELS
            if channel in case.reports
        ]
        sentence = self.tr("Which sheet is keyed again in: {0}?").format(fields)
        self._view.foot.show_question(sentence, answers)

    def _channel_chosen(self, name: str) -> None:
        self._ask_note(ErrandKind.REKEY, Channel(name))

    def _ask_note(self, kind: ErrandKind, channel: Channel | None) -> None:
        words = {
            ErrandKind.REKEY: (
                self.tr(
                    "Somebody who keyed no other sheet of it gets the {0} sheet with these fields empty."
                ).format("" if channel is None else channel_sign(channel).word),
                self.tr("Send to a clerk"),
            ),
            ErrandKind.CALL_BACK: (self.tr("It goes to the list of the Calls page."), self.tr("Call back")),
            ErrandKind.FETCH: (self.tr("It goes to the list of the Paper page."), self.tr("Fetch the sheet")),
        }[kind]

        def then(note: str) -> None:
            def work() -> str:
                errands.send_back(
                    self._context.desk,
                    self._precinct.id,
                    kind,
                    channel=channel,
                    note=note,
                    by=self._context.person,
                )
                return self.tr("{0} is sent back: {1}.").format(self._place(), words[1].lower())

            self._do(work)

        self._ask(words[0], self.tr("Note, if needed"), words[1], (), then, needed=False)

    def _ask(
        self,
        sentence: str,
        name: str,
        do: str,
        usual: tuple[str, ...],
        then: Callable[[str], None],
        *,
        needed: bool = True,
    ) -> None:
        foot = self._view.foot
        self._then = then
        foot.show_words()
        foot.words.ask(sentence, name, do, usual, needed=needed)

    # --- errors -------------------------------------------------------------------------------

    def _to_finding(self) -> None:
        """To the first finding that keeps the case here, and to the line for its reason."""
        panel = self._view.panel
        panel.turn_to(FINDINGS)
        table = panel.findings.panel.table
        for place, entry in enumerate(panel.findings.panel.model.shown):
            keeps = entry.severity is Severity.ERROR or entry.finding.id == CHANGED_SINCE
            if entry.standing and entry.acknowledged is None and keeps:
                table.selectRow(place)
                panel.findings.panel.reason.setFocus()
                return

    # --- pictures -----------------------------------------------------------------------------

    def _attach(self, paths: list[Path]) -> None:
        case = self._view.case
        if case is None:
            return
        desk, person, precinct = self._context.desk, self._context.person, case.precinct
        for path in paths:
            self._context.jobs.run(
                self.tr("Attaching {0}").format(path.name),
                partial(_keep, desk, precinct.id, path, person),
                self._attached,
                failed=lambda error: self._context.notices.refuse(error.sentence),
            )

    def _attached(self, attached: Attachment) -> None:
        self._context.notices.done(self.tr("The picture is attached: I shows it."))
        self._context.after_change()
        self.stays.emit()


def _keep(desk: Desk, precinct_id: str, path: Path, person: str, progress: Progress) -> Attachment:
    return attach(desk, precinct_id, path, by=person)
