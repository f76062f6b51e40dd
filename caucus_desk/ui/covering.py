"""The cover over figures that the person at the desk must not see by chance (design.md, who sits where).

One for all pages: figures that somebody else keyed for a precinct stay covered until it is verified, or
until the person looks on purpose, and can then no longer key it. What is being keyed stays covered.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from caucus_desk.desk.looking import look
from caucus_desk.tally.results import PrecinctResult
from caucus_desk.ui.context import Context
from caucus_desk.ui.store_calls import StoreCalls, waiting_words
from caucus_desk.ui.widgets.basics import EmptyState, button
from caucus_desk.ui.words import tr


@dataclass(frozen=True, slots=True)
class Cover:
    """Why figures are covered. `precinct_id` is the precinct whose figures looking would show; "" where
    they cannot be shown now."""

    text: str
    advice: str
    precinct_id: str = ""


def cover_of(context: Context, result: PrecinctResult) -> Cover | None:
    """The cover over one precinct's figures; None where they may be shown."""
    eyes = context.eyes
    if eyes.may_see(result):
        return None
    precinct = result.precinct
    if precinct.id in eyes.keying:
        return Cover(
            tr("You are keying this precinct"),
            tr("What others keyed can be seen after you have submitted it."),
        )
    return Cover(
        tr("The figures are covered"),
        tr(
            "{0} is not verified yet. Two people key a precinct, and neither knows what the other keyed: "
            "if you look at the figures, you can no longer key this precinct."
        ).format(f"{precinct.name}, {precinct.county},"),
        precinct.id,
    )


def cover_of_sum(context: Context, results: Iterable[PrecinctResult]) -> Cover | None:
    """The cover over a sum: one that is a single covered precinct's own is that precinct's figures."""
    reporting = [result for result in results if result.reporting]
    if context.eyes.may_see_sum(reporting):
        return None
    cover = cover_of(context, reporting[0])
    if cover is None:
        return None
    only = tr("Only one precinct is counted here.")
    return Cover(cover.text, f"{only} {cover.advice}", cover.precinct_id)


class Looks(QObject):
    """Looking on purpose, which the trail is told of. A store that another program holds is not waited for:
    that is said, and the figures are shown when it has been told."""

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._calls = calls = StoreCalls(self)
        self.destroyed.connect(lambda: calls.stop())
        self._calls.waiting.connect(self._wait)

    def waits(self) -> bool:
        """The store has not answered yet: nothing else can be looked at meanwhile."""
        return self._calls.busy

    def uncover(self, precinct_id: str, done: Callable[[bool], None]) -> None:
        """`done` follows, as a rule before this returns: False, with a notice, where looking is refused.
        Nothing follows where another person sits here by then, nor while another look waits."""
        desk, person = self._context.desk, self._context.person

        def answer(refusal: str) -> None:
            if self._context.person != person:
                return
            if refusal:
                self._context.notices.refuse(refusal)
            else:
                self._context.renew_eyes()
            done(not refusal)

        self._calls.run(
            lambda: look(desk, precinct_id, person),
            lambda _: answer(""),
            lambda refusal: answer(refusal.sentence),
        )

    def keep(self, result: PrecinctResult) -> None:
        """A newer report came in while the person looks. They looked before and cannot key it any more, so
        the figures need not be covered again; the trail is told of the newer ones."""
        id, eyes = result.precinct.id, self._context.eyes
        if id in eyes.looked and id not in eyes.keying and not eyes.may_see(result):
            self.uncover(id, lambda _: None)

    def _wait(self, waiting: bool) -> None:
        if waiting:
            self._context.notices.say(waiting_words())
        else:
            self._context.notices.clear()


class CoverState(EmptyState):
    """What stands in the place of covered figures. S shows them, where they can be shown."""

    look_wanted = Signal(str)
    """A precinct id."""

    def __init__(self, page: QWidget) -> None:
        super().__init__("person", "", "")
        self._precinct_id = ""
        self.show_figures = button(self.tr("Show the figures (S)"))
        self.show_figures.clicked.connect(self._look)
        self.add_button(self.show_figures)
        self._key = QShortcut(QKeySequence(Qt.Key.Key_S), page)
        self._key.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self._key.activated.connect(self._look)
        self._key.setEnabled(False)
        self.hide()

    def show_cover(self, cover: Cover | None) -> None:
        """None takes the cover away."""
        self._precinct_id = cover.precinct_id if cover is not None else ""
        self.set_text(cover.text, cover.advice) if cover is not None else self.set_text("")
        self._key.setEnabled(bool(self._precinct_id))
        self.show_figures.setVisible(bool(self._precinct_id))
        self.setVisible(cover is not None)

    def _look(self) -> None:
        if self._precinct_id and self.isVisible():
            self.look_wanted.emit(self._precinct_id)
