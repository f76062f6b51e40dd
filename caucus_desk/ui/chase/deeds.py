"""What a person does about a missing worksheet: asked for at the foot, done by the desk, said in the page."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QObject, Signal

from caucus_desk.desk import chase
from caucus_desk.desk.attachments import attach
from caucus_desk.desk.chase import Missing, Outcome
from caucus_desk.desk.people import ONLY_READ
from caucus_desk.rules.errors import CaucusError
from caucus_desk.ui.chase import printing
from caucus_desk.ui.chase.asking import Foot
from caucus_desk.ui.chase.export import default_name, documents
from caucus_desk.ui.chase.rows import SheetRow, outcome_words
from caucus_desk.ui.context import Context
from caucus_desk.ui.entry.lines import Answer
from caucus_desk.ui.store_calls import StoreCalls
from caucus_desk.ui.widgets.attached import FILES
from caucus_desk.ui.words import number

T = TypeVar("T")


class Deeds(QObject):
    """`done`: something was saved, or nothing is asked any more."""

    done = Signal()

    def __init__(self, context: Context, foot: Foot, parent: QObject) -> None:
        super().__init__(parent)
        self._context, self._foot = context, foot
        self._runner = ""
        """Whom this person sent last: one key for the next sheet."""
        self._received: Missing | None = None
        """What was marked received last, so that U finds it when it has left the list."""
        self._calls = StoreCalls(self)
        calls = self._calls
        self.destroyed.connect(lambda: calls.stop())
        self._calls.waiting.connect(self._wait)

    @property
    def busy(self) -> bool:
        return self._calls.busy

    def forget(self) -> None:
        """Another person sits here."""
        self._runner, self._received = "", None

    def letter(self, letter: str, one: Missing) -> None:
        jobs: dict[str, Callable[[Missing], None]] = {
            "A": self._send,
            "T": self._try,
            "R": self._receive,
            "U": self._undo,
            "N": self._note,
            "I": self._ask_image,
        }
        job = jobs.get(letter)
        if job is not None and self._can_write():
            job(one)

    def _can_write(self) -> bool:
        """Whether anything can be done about a sheet here; said where not."""
        if self._context.desk.read_only:
            self._context.notices.refuse(ONLY_READ)
            return False
        return True

    # ---- runners ----

    def _send(self, one: Missing) -> None:
        self._foot.ask(
            self.tr("Who goes for the sheet of {0}? (empty: nobody any more)").format(one.precinct.name),
            lambda name: self._sent(one, name),
            one.runner or self._runner,
        )

    def _sent(self, one: Missing, name: str) -> None:
        desk, by, id = self._context.desk, self._context.person, one.precinct.id
        if not name:
            self._run(
                lambda: chase.unassign(desk, id, by=by),
                lambda _: self.tr("Nobody is sent to {0} any more.").format(one.precinct.name),
            )
            return
        self._runner = name
        self._run(
            lambda: chase.assign(desk, id, name, by=by),
            lambda _: self.tr("{0} goes for the sheet of {1}.").format(name, one.precinct.name),
        )

    def send_county(self, county: str, rows: Sequence[Missing]) -> None:
        """One runner for every sheet of a county that is still to be fetched."""
        if not self._can_write():
            return
        ids = [one.precinct.id for one in rows if not one.here]
        if not ids:
            self._context.notices.say(self.tr("No sheet of {0} is to be fetched.").format(county))
            return
        self._foot.ask(
            self.tr("Who goes for the {0} missing sheets of {1}?").format(number(len(ids)), county),
            lambda name: self._county_sent(county, ids, name),
            self._runner,
        )

    def _county_sent(self, county: str, ids: list[str], name: str) -> None:
        desk, by = self._context.desk, self._context.person
        if not name:
            self._foot.leave()
            return
        self._runner = name
        self._run(
            lambda: chase.assign(desk, ids, name, by=by),
            lambda taken: self.tr("{0} goes for {1} sheets of {2}.").format(name, number(len(taken)), county),
        )

    # ---- attempts, notes, received ----

    def _try(self, one: Missing) -> None:
        self._foot.ask_outcome(
            self.tr("How did it end?"),
            lambda outcome: self._ask_attempt_note(one, Outcome(outcome)),
        )

    def _ask_attempt_note(self, one: Missing, outcome: Outcome) -> None:
        words = outcome_words()[outcome]
        prompt = (
            self.tr("How did it end?") if outcome is Outcome.OTHER else self.tr("{0}. Note:").format(words)
        )
        self._foot.ask(prompt, lambda note: self._tried(one, outcome, note))

    def _tried(self, one: Missing, outcome: Outcome, note: str) -> None:
        desk, by = self._context.desk, self._context.person
        self._run(
            lambda: chase.attempt(desk, one.precinct.id, outcome, note=note, by=by),
            lambda step: self.tr("Noted for {0}: {1}.").format(one.precinct.name, step.note),
        )

    def _note(self, one: Missing) -> None:
        desk, by = self._context.desk, self._context.person
        self._foot.ask(
            self.tr("Note on {0}:").format(one.precinct.name),
            lambda text: self._run(
                lambda: chase.note(desk, one.precinct.id, text, by=by),
                lambda _: self.tr("Noted for {0}.").format(one.precinct.name),
            ),
        )

    def _receive(self, one: Missing) -> None:
        desk, by = self._context.desk, self._context.person

        def said(_: object) -> str:
            self._received = one
            if one.paper_in:
                return self.tr("The sheet of {0} has come. The reviewer is told.").format(one.precinct.name)
            return self.tr("The sheet of {0} is here: its paper entry is due. U undoes it.").format(
                one.precinct.name
            )

        self._run(lambda: chase.received(desk, one.precinct.id, by=by), said)

    def _undo(self, one: Missing) -> None:
        """Of the chosen sheet where it is received, else of the one that was marked last."""
        desk, by = self._context.desk, self._context.person
        last = one if one.received or self._received is None else self._received

        def said(_: object) -> str:
            self._received = None
            return self.tr("The sheet of {0} is missing again.").format(last.precinct.name)

        self._run(lambda: chase.not_received(desk, last.precinct.id, by=by), said)

    # ---- images ----

    def _ask_image(self, one: Missing) -> None:
        self._foot.ask(
            self.tr("Image or PDF of {0}:").format(one.precinct.name),
            lambda text: self.attach(one, [Path(text)] if text else []),
            filter=FILES(),
        )

    def attach(self, one: Missing, files: Sequence[Path]) -> None:
        desk, by = self._context.desk, self._context.person
        if not files:
            self._foot.leave()
            return
        if not self._can_write():
            return

        def work() -> list[str]:
            return [attach(desk, one.precinct.id, path, by=by).name for path in files]

        self._run(
            work,
            lambda names: self.tr("Attached to {0}: {1}. V shows it.").format(
                one.precinct.name, ", ".join(names)
            ),
        )

    # ---- paper ----

    def print_list(self, rows: Sequence[SheetRow], county: str) -> None:
        where = county or self.tr("all counties")
        if not printing.has_printer():
            self._ask_pdf(rows, county, self.tr("No printer here. PDF of {0}:").format(where))
            return
        prompt = self.tr("Print {0} worksheets of {1} on {2}?").format(
            number(len(rows)), where, printing.printer_name()
        )
        answers = (
            Answer("Y", self.tr("Print"), "print", True),
            Answer("F", self.tr("As a PDF file"), "file"),
            Answer("N", self.tr("No (or Esc)"), "no"),
        )
        self._foot.ask_which(prompt, answers, lambda answer: self._how_to_print(answer, rows, county))

    def _how_to_print(self, answer: str, rows: Sequence[SheetRow], county: str) -> None:
        if answer == "file":
            self._ask_pdf(rows, county, self.tr("PDF file:"))
        elif answer == "print":
            self._put_out(rows, county, None)
        else:
            self._foot.leave()

    def _ask_pdf(self, rows: Sequence[SheetRow], county: str, prompt: str) -> None:
        name = default_name(county, datetime.now().astimezone(), ".pdf")
        self._foot.ask(
            prompt,
            lambda text: self._put_out(rows, county, Path(text).expanduser()) if text else self._foot.leave(),
            str(documents() / name),
        )

    def _put_out(self, rows: Sequence[SheetRow], county: str, out: Path | None) -> None:
        """Printing needs the main thread; the trail knows of it first."""
        desk, by, caucus = self._context.desk, self._context.person, self._context.desk.caucus
        if out is not None and out.suffix.lower() != ".pdf":
            out = out.with_name(out.name + ".pdf")
        where_to = out.name if out is not None else printing.printer_name()

        def said(_: object) -> str:
            at = datetime.now(UTC)
            if out is None:
                pages = printing.print_list(rows, caucus, county, at)
                return self.tr("Sent to {0}: {1} pages.").format(where_to, pages)
            printing.write_pdf(rows, caucus, county, at, out)
            return self.tr("The list is written: {0}").format(out)

        self._run(lambda: chase.tell_list(desk, county, where_to, by=by), said)

    # ---- the store ----

    def _run(self, work: Callable[[], T], said: Callable[[T], str]) -> None:
        def done(result: T) -> None:
            try:
                sentence = said(result)
            except CaucusError as refusal:
                failed(refusal)
                return
            self._foot.leave()
            self._context.notices.done(sentence)
            self._context.after_change()
            self.done.emit()

        def failed(refusal: CaucusError) -> None:
            self._foot.leave()
            self._context.notices.refuse(refusal.sentence)
            self._context.look()
            self.done.emit()

        self._calls.run(work, done, failed)

    def _wait(self, waiting: bool) -> None:
        if waiting:
            self._context.notices.say(self.tr("Waiting for the store, which another program holds…"))
        else:
            self._context.notices.clear()
