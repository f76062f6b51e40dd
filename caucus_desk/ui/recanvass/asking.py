"""What is asked, one line after the other, before something is done; then done by the desk, off the window's
own thread."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TypeVar

from PySide6.QtCore import QObject, Signal

from caucus_desk.desk.recanvass import (
    cautions,
    deadline_of,
    end_recanvass,
    key_again,
    of_county,
    open_recanvass,
    recanvasses,
    ten_that_matter,
)
from caucus_desk.desk.recanvassing import take_as_correction
from caucus_desk.rules.errors import CaucusError
from caucus_desk.tally.recanvass import Recanvass, RecanvassKind
from caucus_desk.tally.roster import Precinct
from caucus_desk.tally.sheet import ResultSheet
from caucus_desk.ui.chase.asking import Foot
from caucus_desk.ui.context import Context
from caucus_desk.ui.entry.lines import Answer
from caucus_desk.ui.store_calls import StoreCalls
from caucus_desk.ui.words import number

T = TypeVar("T")


class Asking(QObject):
    """`done`: something was saved, or refused; nothing is asked any more."""

    done = Signal()
    opened = Signal(int)
    """A recanvass was opened: its number."""

    def __init__(self, context: Context, foot: Foot, parent: QObject) -> None:
        super().__init__(parent)
        self._context, self._foot = context, foot
        self._calls = StoreCalls(self)
        calls = self._calls
        self.destroyed.connect(lambda: calls.stop())

    @property
    def busy(self) -> bool:
        return self._calls.busy

    # ---- opening ----

    def open(self, chosen: Sequence[str] = ()) -> None:
        """`chosen`: precincts that another page offers."""
        self._foot.ask_which(
            self.tr("What is to be done?"),
            (
                Answer("W", self.tr("Recanvass: the worksheets again"), RecanvassKind.RECANVASS.value, True),
                Answer("C", self.tr("Recount: the cards again"), RecanvassKind.RECOUNT.value),
            ),
            lambda kind: self._ask_precincts(RecanvassKind(kind), chosen),
        )

    def _ask_precincts(self, kind: RecanvassKind, chosen: Sequence[str]) -> None:
        self._foot.ask_which(
            self.tr("Which precincts?"),
            (
                Answer("I", self.tr("By their ids"), "ids", True),
                Answer("C", self.tr("A county"), "county"),
                Answer("T", self.tr("The ten that matter most"), "ten"),
            ),
            lambda which: self._ask_named(kind, which, chosen),
        )

    def _ask_named(self, kind: RecanvassKind, which: str, chosen: Sequence[str]) -> None:
        desk = self._context.desk
        if which == "ten":
            self._run(lambda: ten_that_matter(desk), lambda ids: self._ask_campaign(kind, ids))
            return
        prompt = self.tr("County:") if which == "county" else self.tr("Precinct ids, parted by spaces:")
        self._foot.ask(
            prompt, lambda text: self._named(kind, which, text), "" if which == "county" else " ".join(chosen)
        )

    def _named(self, kind: RecanvassKind, which: str, text: str) -> None:
        desk = self._context.desk
        try:
            if which == "county":
                ids: tuple[str, ...] = of_county(desk, text)
            else:
                ids = tuple(desk.precinct(id).id for id in text.replace(",", " ").split())
        except CaucusError as refusal:
            self._refuse(refusal)
            return
        self._ask_campaign(kind, ids)

    def _ask_campaign(self, kind: RecanvassKind, ids: tuple[str, ...]) -> None:
        shown = ", ".join(ids[:10]) + (" …" if len(ids) > 10 else "")
        self._context.notices.say(self.tr("{0} precincts: {1}").format(number(len(ids)), shown))
        self._foot.ask(
            self.tr("Which campaign asks for it?"),
            lambda asked: self._foot.ask(
                self.tr("For which reason?"), lambda reason: self._ask_deadline(kind, ids, asked, reason)
            ),
        )

    def _ask_deadline(self, kind: RecanvassKind, ids: tuple[str, ...], asked: str, reason: str) -> None:
        def given(text: str) -> None:
            try:
                deadline = deadline_of(text)
            except CaucusError as refusal:
                self._context.notices.refuse(refusal.sentence)
                self._ask_deadline(kind, ids, asked, reason)
                return
            self._open(kind, ids, asked, reason, deadline)

        start = f"{datetime.now().astimezone():%Y-%m-%d} "
        self._foot.ask(self.tr("By when is the result due? (2020-02-10 12:00)"), given, start)
        self._foot.line.field.end(False)

    def _open(
        self, kind: RecanvassKind, ids: tuple[str, ...], asked: str, reason: str, deadline: datetime
    ) -> None:
        desk, by = self._context.desk, self._context.person

        def work() -> tuple[Recanvass, tuple[str, ...]]:
            one = open_recanvass(desk, kind, ids, requested_by=asked, reason=reason, deadline=deadline, by=by)
            return one, cautions(one, recanvasses(desk))

        def said(made: tuple[Recanvass, tuple[str, ...]]) -> None:
            one, cautious = made
            self._foot.leave()
            told = self.tr("{0} is open.").format(one.name)
            if cautious:
                self._context.notices.warn(" ".join((told, *cautious)))
            else:
                self._context.notices.done(told)
            self._context.after_change()
            self.opened.emit(one.number)

        self._run(work, said)

    # ---- keying, taking, ending ----

    def key(
        self,
        one: Recanvass,
        precinct: Precinct,
        sheet: ResultSheet,
        note: str,
        done: Callable[[], None],
        failed: Callable[[CaucusError], None],
    ) -> None:
        desk, by = self._context.desk, self._context.person

        def kept(_: object) -> None:
            self._context.notices.done(
                self.tr("{0} is keyed again. The tally stays as it is.").format(precinct.name)
            )
            self._context.after_change()
            done()

        self._calls.run(
            lambda: key_again(desk, one.number, precinct.id, sheet, by=by, note=note), kept, failed
        )

    def take(self, one: Recanvass, precinct: Precinct) -> None:
        desk, by = self._context.desk, self._context.person

        def taken(_: object) -> None:
            self._foot.leave()
            verified = self._context.desk.overview().results[precinct.id].verified
            said = (
                self.tr("{0} is corrected.")
                if verified
                else self.tr("{0} is corrected. Review decides what stands.")
            )
            self._context.notices.done(said.format(precinct.name))
            self._context.after_change()
            self.done.emit()

        self._foot.ask(
            self.tr("Why is what was keyed again right? It becomes the paper report of {0}.").format(
                precinct.name
            ),
            lambda reason: self._run(
                lambda: take_as_correction(desk, one.number, precinct.id, reason=reason, by=by), taken
            ),
        )

    def end(self, one: Recanvass) -> None:
        desk, by = self._context.desk, self._context.person

        def ended(_: object) -> None:
            self._foot.leave()
            self._context.notices.done(
                self.tr("{0} has ended. The next release tells of it.").format(one.name)
            )
            self._context.after_change()
            self.done.emit()

        left = self.tr(" ({0} not keyed)").format(number(len(one.left))) if one.left else ""
        self._foot.ask(
            self.tr("How did {0} end?{1}").format(one.name.lower(), left),
            lambda outcome: self._run(lambda: end_recanvass(desk, one.number, outcome=outcome, by=by), ended),
        )

    # ---- the store ----

    def _run(self, work: Callable[[], T], done: Callable[[T], None]) -> None:
        self._calls.run(work, done, self._refuse)

    def _refuse(self, refusal: CaucusError) -> None:
        self._foot.leave()
        self._context.notices.refuse(refusal.sentence)
        self.done.emit()
