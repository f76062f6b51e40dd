"""What the sections of the Results page have in common."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtWidgets import QWidget

from caucus_desk.tally.results import By, Counting, TallyRow
from caucus_desk.ui.context import Context
from caucus_desk.ui.widgets.copying import Grid
from caucus_desk.ui.widgets.table import TableView


@dataclass(frozen=True, slots=True)
class Scope:
    """The chosen part of the state: its row of the tally, and how it is called."""

    by: By
    row: TallyRow
    name: str
    counting: Counting

    @property
    def key(self) -> str:
        return self.row.key


@dataclass(frozen=True)
class Shown:
    """A table of a section as it is shown, with a title of its own."""

    title: str
    grid: Grid


class Section(QWidget):
    """One section: what it shows can be copied and printed."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context

    def heading(self) -> str:
        """What it is, for paper and the clipboard."""
        raise NotImplementedError

    def tables(self) -> Sequence[TableView]:
        """Those that can be seen, the main one first; their names are their titles."""
        raise NotImplementedError

    def sentences(self) -> Sequence[str]:
        """What stands beside the tables and belongs to them."""
        return ()

    def shown(self) -> Sequence[Shown]:
        """Every table with rows in it."""
        return [
            Shown(view.accessibleName(), view.grid())
            for view in self.tables()
            if view.model().rowCount() and not view.isHidden()
        ]

    def show_figures(self, counting: Counting) -> None:
        """As the context's overview has them now."""
        raise NotImplementedError

    def take_focus(self) -> bool:
        """Whether there was anything to go to."""
        views = [view for view in self.tables() if view.isVisible()]
        if not views:
            return False
        views[0].setFocus()
        if not views[0].currentIndex().isValid() and views[0].model().rowCount():
            views[0].selectRow(0)
        return True


class AreaSection(Section):
    """A section about one chosen part of the state, with something beside it."""

    side: QWidget

    def show_scope(self, scope: Scope) -> None:
        raise NotImplementedError

    def clear(self) -> None:
        """Nothing of it may be seen."""
        raise NotImplementedError

    def show_figures(self, counting: Counting) -> None:
        """The page gives it its scope."""

    def set_row_height(self, height: int) -> None:
        """In pixels; the page knows how much room there is."""
