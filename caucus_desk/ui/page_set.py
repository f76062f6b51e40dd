"""The pages of one window: each is made when it is first wanted, so that a window stands at once."""

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QScrollArea, QStackedWidget

from caucus_desk.rules.errors import CaucusError
from caucus_desk.ui.context import Context
from caucus_desk.ui.page import Page
from caucus_desk.ui.widgets.basics import scrolling


class PageSet(QObject):
    """By name, in the order of the rail. Asking for a page makes it; `standing` are those that are made."""

    made = Signal(Page)
    """A page was made; it is shown only afterwards."""

    def __init__(self, kinds: Sequence[type[Page]], context: Context, stack: QStackedWidget) -> None:
        super().__init__(context)
        self._kinds = {kind.name: kind for kind in kinds}
        self._context, self._stack = context, stack
        self._pages: dict[str, Page] = {}
        self._frames: dict[str, QScrollArea] = {}
        self._waiting: dict[str, int | None] = {}
        self._known: set[str] = set()
        """Pages whose number in `_waiting` still holds."""

    def __getitem__(self, name: str) -> Page:
        if name not in self._pages:
            self._make(self._kinds[name])
        return self._pages[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._kinds)

    def __len__(self) -> int:
        return len(self._kinds)

    def get(self, name: str) -> Page | None:
        return self[name] if name in self._kinds else None

    def values(self) -> tuple[Page, ...]:
        """Makes all of them."""
        return tuple(self[name] for name in self._kinds)

    def items(self) -> tuple[tuple[str, Page], ...]:
        """Makes all of them."""
        return tuple((name, self[name]) for name in self._kinds)

    @property
    def kinds(self) -> tuple[type[Page], ...]:
        return tuple(self._kinds.values())

    @property
    def standing(self) -> tuple[Page, ...]:
        return tuple(self._pages.values())

    def show(self, name: str) -> None:
        self._stack.setCurrentWidget(self._frames[self[name].name])

    def shows(self, name: str) -> bool:
        frame = self._frames.get(name)
        return frame is not None and self._stack.currentWidget() is frame

    def count(self, name: str) -> int | None:
        """The number in the rail, also of a page that is not made yet. Where the store does not answer, that
        is said and the last number stays."""
        if name in self._pages:
            return self._pages[name].count()
        kind = self._kinds[name]
        if self._context.reachable and (name not in self._known or not kind.waiting_is_told):
            try:
                self._waiting[name] = kind.waiting(self._context)
                self._known.add(name)
            except CaucusError as error:
                self._context.notices.refuse(error.sentence)
        return self._waiting.get(name)

    def forget_counts(self) -> None:
        """What waits may be another number now."""
        self._known.clear()

    def _make(self, kind: type[Page]) -> None:
        page = kind(self._context)
        frame = scrolling(page)
        self._pages[kind.name], self._frames[kind.name] = page, frame
        self._stack.addWidget(frame)
        self.made.emit(page)
        if self._context.person:
            page.person_changed()
