"""How a case ends: ruled, approved, refused, withdrawn, sent back; and pictures dropped onto it."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Signal
from PySide6.QtWidgets import QWidget

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
from caucus_desk.ui.store_calls import StoreCalls, waiting_words
from caucus_desk.ui.words import channel_sign

_NAMED = 5
_BY_HAND = {QEvent.Type.KeyPress, QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick}


class CaseEnds(QObject):
    """Asks what must be asked in the foot of the case, does it, and says so."""

    ended = Signal(str, str)
    """The case of a precinct is decided or sent back; what was done, in a sentence."""
    stays = Signal()
    """Something was refused, or done without ending the case: it is to be read anew."""

    def __init__(self, context: Context, view: CaseView, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._view = view
        self._calls = calls = StoreCalls(self)
        self.destroyed.connect(lambda: calls.stop())
        self._calls.waiting.connect(self._wait)
        self._then: Callable[[str], None] = lambda words: None
        view.rule_wanted.connect(self._rule)
        view.dropped.connect(self._attach)
        view.foot.words.given.connect(lambda words: self._then(words))
        view.foot.ask.answered.connect(self._channel_chosen)

    @property
    def busy(self) -> bool:
        """A deed waits for the store."""
        return self._calls.busy

    # --- which letter does what ---------------------------------------------------------------

    def begin(self, letter: str) -> None:
        """A letter that may end the case; nothing happens where it does nothing here."""
        shown = self._view.shown
        if shown is None or self._calls.busy:
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
        """Does it, with what stands in `work` and nothing of the window's own; refused, it is said and the
        case is read anew. Nothing is done while another deed waits for the store."""
        precinct_id, person = self._precinct.id, self._context.person

        def done(sentence: str) -> None:
            if self._context.person == person:
                self.ended.emit(precinct_id, sentence)
            else:
                self._context.after_change()  # another person sits here by now

        def refused(refusal: CaucusError) -> None:
            self._context.look()
            if self._context.person != person:
                return
            self._context.notices.refuse(refusal.sentence)
            if self._view.case is not None and self._precinct.id == precinct_id:
                self._view.end_question()
                self.stays.emit()

        self._calls.run(work, done, refused)

    def _wait(self, waiting: bool) -> None:
        """Another program holds the store: said, and no key does anything on the page until it answers."""
        app = QCoreApplication.instance()
        if app is None:
            return
        if waiting:
            app.installEventFilter(self)
            self._context.notices.say(waiting_words())
        else:
            app.removeEventFilter(self)
            self._context.notices.clear()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Only while a deed waits: keys that lead to another page, or lock the window, are not the page's."""
        page = self.parent()
        return (
            event.type() in _BY_HAND
            and isinstance(watched, QWidget)
            and isinstance(page, QWidget)
            and (watched is page or page.isAncestorOf(watched))
        )

    # --- rulings ------------------------------------------------------------------------------

    def _rule(self) -> None:
        case = self._view.case
        if case is None:
            return
        desk, person, place = self._context.desk, self._context.person, self._place()
        chosen, reason = self._view.choices.values(), self._view.reason.text()

        def work() -> str:
            ruling = review.rule(
                desk, case.precinct.id, chosen, seen_report=case.seen_report, reason=reason, by=person
            )
            if ruling.pending:
                sentence = self.tr("Ruled on {0}: it has force when another person has approved it.")
            else:
                sentence = self.tr("Ruled on {0}.")
            return sentence.format(place)

        self._do(work)

    def _approve(self, shown: Shown) -> None:
        ruling = shown.pending
        if ruling is None:
            return
        desk, person, place = self._context.desk, self._context.person, self._place()

        def work() -> str:
            approving.approve(desk, ruling.id, by=person)
            return self.tr("Approved: {0}'s ruling on {1}.").format(ruling.by, place)

        self._do(work)

    def _ask_refusal(self, shown: Shown) -> None:
        ruling = shown.pending
        if ruling is None:
            return

        desk, person, place = self._context.desk, self._context.person, self._place()

        def then(reason: str) -> None:
            def work() -> str:
                approving.refuse_approval(desk, ruling.id, reason=reason, by=person)
                return self.tr("Refused: the ruling on {0} is withdrawn.").format(place)

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

        desk, person, place = self._context.desk, self._context.person, self._place()

        def then(reason: str) -> None:
            def work() -> str:
                review.withdraw_ruling(desk, ruling.id, reason, person)
                return self.tr("The ruling on {0} is withdrawn; it stays on record.").format(place)

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

        desk, person, place, id = self._context.desk, self._context.person, self._place(), self._precinct.id

        def then(note: str) -> None:
            def work() -> str:
                errands.send_back(desk, id, kind, channel=channel, note=note, by=person)
                return self.tr("{0} is sent back: {1}.").format(place, words[1].lower())

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
