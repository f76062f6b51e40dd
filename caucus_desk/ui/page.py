"""The base of every page: what the shell asks of it."""

from typing import ClassVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from caucus_desk.ui.context import Context


class Page(QWidget):
    """One page of the rail. Subclasses build their widgets in `__init__` and fill them in `refresh`."""

    name: ClassVar[str]
    """Stable, lower case: `entry`."""
    icon: ClassVar[str]
    """A drawing in resources/icons."""

    waiting_is_told: ClassVar[bool] = True
    """Whether `waiting` can only be another number after the context told of a change."""

    count_changed = Signal()
    """The number beside the page's name in the rail may have changed."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context

    @classmethod
    def title(cls) -> str:
        """The page's name as the rail shows it."""
        raise NotImplementedError

    @classmethod
    def waiting(cls, context: Context) -> int | None:
        """The same number as `count`, while the page is not made yet: it is made when it is first shown."""
        return None

    def count(self) -> int | None:
        """The number in the rail: things that wait for a person here; None for none. Must be cheap."""
        return None

    @property
    def store_is_busy(self) -> bool:
        """Something that was asked of the store here has not been answered yet."""
        return False

    def refresh(self) -> None:
        """Show the context's overview as it is now. Called before the page is shown and after changes
        while it is shown; keeps what the person typed, the selection and the scroll position."""

    def take_focus(self) -> None:
        """Put the cursor where work begins."""
        self.setFocus()

    def open_precinct(self, precinct_id: str) -> None:
        """Another page asked to show this precinct here."""

    def person_changed(self) -> None:
        """Another person sits at the desk: show nothing that was the last one's."""

    def what_waits(self) -> str:
        """What of this person's work waits to be done and is not, where another person sits down: said before
        anybody does. "" for nothing."""
        return ""

    def leaving(self) -> None:
        """The window is about to be closed: write aside what was typed. Raises a CaucusError that says why
        where it cannot be. A page that is only hidden goes on writing by itself."""
