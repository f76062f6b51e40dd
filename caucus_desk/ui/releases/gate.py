"""Section 2: the gate before a release. Each item says ok or held, with its figures; what is held wants a
reason, and only a lead makes the release."""

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QApplication, QHBoxLayout, QVBoxLayout, QWidget

from caucus_desk.desk.people import why_not
from caucus_desk.desk.releases import Release, releases
from caucus_desk.desk.releasing import Gate, gate, make_release
from caucus_desk.desk.roles import Job
from caucus_desk.rules.errors import CaucusError
from caucus_desk.tally.progress import Progress
from caucus_desk.tally.results import Counting
from caucus_desk.ui.context import Context
from caucus_desk.ui.entry.lines import TextLine
from caucus_desk.ui.releases.gate_figures import GateFigures
from caucus_desk.ui.releases.gate_item import LONGEST, ItemFrame
from caucus_desk.ui.widgets.basics import STEP, Choices, button, label, wrapped
from caucus_desk.ui.words import number

TOPIC = "gate"


class GateSection(QWidget):
    """Looks when it is first shown, and again on L: never under a typing hand."""

    made = Signal(int)
    """The number of a release that has just been made."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.context = context
        self._gate: Gate | None = None
        self._frames: dict[str, ItemFrame] = {}
        self._kept: dict[str, str] = {}
        self._stale = False
        self._making = False
        self._chose = False
        self.counting = Choices(
            [(Counting.REPORTED, self.tr("Reported")), (Counting.VERIFIED, self.tr("Verified only"))],
            self.tr("Counting"),
        )
        self.look = button(self.tr("Look again (L)"), "search")
        self.state = wrapped()
        self.note = TextLine(self.tr("Note for the release"))
        self.note.setPlaceholderText(self.tr("A note that goes with the release, or nothing"))
        self.note.setMaxLength(LONGEST)
        self.make = button(self.tr("Make the release (Ctrl+Enter)"), "releases", role="primary")
        self.why = wrapped(role="warn")
        self.beside = GateFigures(context)
        self._lay_out()
        self.counting.chosen.connect(self._counting_chosen)
        self.look.clicked.connect(self.look_again)
        self.make.clicked.connect(self._make)
        self.note.onward.connect(self.make.setFocus)
        self.note.back.connect(lambda: self.go(-1))
        self.beside.opened.connect(lambda key: context.show_page("precincts", key))

    def _lay_out(self) -> None:
        line = QHBoxLayout()
        line.setSpacing(2 * STEP)
        line.addWidget(self.counting)
        line.addWidget(self.look)
        line.addWidget(self.state, 1)
        self._items = QVBoxLayout()
        self._items.setSpacing(STEP)
        end = QHBoxLayout()
        end.setSpacing(STEP)
        end.addWidget(label(self.tr("Note")))
        end.addWidget(self.note, 1)
        end.addWidget(self.make)
        left = QVBoxLayout()
        left.setSpacing(STEP)
        left.addLayout(self._items)
        left.addSpacing(STEP)
        left.addLayout(end)
        left.addWidget(self.why)
        left.addStretch(1)
        row = QHBoxLayout()
        row.setSpacing(3 * STEP)
        row.addLayout(left, 1)
        row.addWidget(self.beside, 0, Qt.AlignmentFlag.AlignTop)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(2 * STEP)
        whole.addLayout(line)
        whole.addLayout(row, 1)

    # ---- showing ----

    @property
    def gate(self) -> Gate | None:
        """What the gate found when it last looked."""
        return self._gate

    @property
    def ready(self) -> bool:
        return self._gate is not None and not self.context.thinker.asked(TOPIC)

    def show_gate(self) -> None:
        """Looks where it has not yet; later changes are only told, so that nothing moves under the hand."""
        if not self._chose:
            self._chose = True
            made = self._releases()
            if made:
                self.counting.choose(made[-1].counting)
        if self._gate is None and not self.context.thinker.asked(TOPIC):
            self.look_again()
        self._say()

    def _releases(self) -> tuple[Release, ...]:
        try:
            return releases(self.context.desk)
        except CaucusError:
            return ()

    def figures_changed(self) -> None:
        self._stale = True
        self._say()

    def look_again(self) -> None:
        desk, counting = self.context.desk, Counting(self.counting.key)
        self._stale = False
        self.state.setText(self.tr("The gate looks at everything…"))
        self.context.thinker.ask(TOPIC, lambda overview: gate(desk, counting), self._show)

    def forget(self) -> None:
        """Another person: nothing of what was typed stays."""
        self._gate = None
        self._kept = {}
        self.note.clear()
        self._chose = False
        self._clear()

    def _clear(self) -> None:
        for frame in self._frames.values():
            self._items.removeWidget(frame)
            frame.hide()
            frame.deleteLater()
        self._frames = {}
        self.beside.clear()

    def _show(self, found: Gate) -> None:
        self._gate = found
        may = not self._refusal()
        if [item.id for item in found.items] != list(self._frames):
            focus = QApplication.focusWidget() or self
            here = focus in (self.look, *self._frames.values()) or self.counting.isAncestorOf(focus)
            here = here or any(frame.isAncestorOf(focus) for frame in self._frames.values())
            self._clear()
            for item in found.items:
                frame = ItemFrame(item)
                frame.reason.setText(self._kept.get(item.id, ""))
                frame.entered.connect(self._show_figures)
                frame.onward.connect(self._onward)
                frame.walked.connect(self.go)
                frame.typed.connect(self._say)
                self._frames[item.id] = frame
                self._items.addWidget(frame)
                frame.show()  # at once: the hand may be led to it
            if here:
                self._first().take_focus()
        for item in found.items:
            self._frames[item.id].show_item(item, may)
        self._show_figures(self.beside.item_id if self.beside.title.text() else self._first().item.id)
        self._say()

    def _first(self) -> ItemFrame:
        frames = list(self._frames.values())
        return next((frame for frame in frames if frame.wants), frames[0])

    def _show_figures(self, item_id: str) -> None:
        frame = self._frames.get(item_id)
        if frame is not None:
            self.beside.show_item(frame.item)

    def _refusal(self) -> str:
        """Why this person makes no release; "" where they may."""
        return why_not(self.context.desk, self.context.person, Job.RELEASE)

    def _say(self) -> None:
        found = self._gate
        refusal = self._refusal()
        lacking = [frame.item.title for frame in self._frames.values() if frame.wants]
        self.note.setEnabled(not refusal)
        self.make.setEnabled(found is not None and not refusal and not lacking and not self._making)
        if refusal:
            self.why.setText(refusal)
        elif found is not None and lacking:
            self.why.setText(self.tr("A reason in words is wanted for: {0}.").format(", ".join(lacking)))
        else:
            self.why.setText("")
        self.why.setVisible(bool(self.why.text()))
        if found is None or self.context.thinker.asked(TOPIC):
            return
        held = len(found.held)
        said = (
            self.tr("Nothing is held.")
            if found.passable
            else self.tr("Held: {0} of {1}.").format(number(held), number(len(found.items)))
        )
        if self._stale:
            said += " " + self.tr("Figures have changed since it looked: L looks again.")
        self.state.setText(said)

    # ---- what the person does ----

    def reasons(self) -> Mapping[str, str]:
        return {id: frame.given for id, frame in self._frames.items() if frame.given}

    def go(self, step: int) -> None:
        """To the item above or below."""
        frames = list(self._frames.values())
        focus = QApplication.focusWidget()
        here = next(
            (n for n, frame in enumerate(frames) if focus is frame or frame.reason is focus), len(frames)
        )
        if not frames or here + step >= len(frames):
            (self.note if self.note.isEnabled() else self.look).setFocus()
        elif here + step >= 0:
            frames[here + step].take_focus()

    def _onward(self, item_id: str) -> None:
        ids = list(self._frames)
        after = ids[ids.index(item_id) + 1 :]
        wanting = next((self._frames[id] for id in [*after, *ids] if self._frames[id].wants), None)
        if wanting is not None and wanting.item.id != item_id:
            wanting.take_focus()
        elif self.note.isEnabled():
            self.note.setFocus()

    def _counting_chosen(self) -> None:
        self._keep()
        self._gate = None
        self.look_again()

    def _keep(self) -> None:
        self._kept.update({id: frame.reason.text() for id, frame in self._frames.items()})

    def make_it(self) -> None:
        """Ctrl+Enter, from anywhere in the section."""
        if self.make.isEnabled():
            self._make()
            return
        wanting = next((frame for frame in self._frames.values() if frame.wants), None)
        if wanting is not None and not self._refusal():
            wanting.take_focus()
        elif refusal := self._refusal():
            self.context.notices.refuse(refusal)

    def _make(self) -> None:
        found = self._gate
        if found is None or not self.make.isEnabled():
            return
        desk, by = self.context.desk, self.context.person
        note, passes = self.note.text().strip(), dict(self.reasons())
        self._making = True
        self._say()

        def work(progress: Progress) -> Release:
            return make_release(desk, found.counting, note=note, passes=passes, by=by, seen=found)

        self.context.jobs.run(
            self.tr("Making the release"), work, self._done, failed=self._failed, cancellable=False
        )

    def _done(self, release: Release) -> None:
        self._making = False
        self.forget()
        self.context.notices.done(
            self.tr("Release {0} is made. Digest {1}.").format(number(release.number), release.digest_short)
        )
        self.context.after_change(release.at)
        self.made.emit(release.number)

    def _failed(self, error: CaucusError) -> None:
        self._making = False
        self.context.notices.refuse(error.sentence)
        self._keep()
        self.look_again()

    def take_focus(self) -> bool:
        if self._frames:
            self._first().take_focus()
        else:
            self.look.setFocus()
        return True
