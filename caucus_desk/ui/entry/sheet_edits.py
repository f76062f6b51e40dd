"""Changes of many boxes at once: a block that is pasted, all that remain are 0, undo and redo."""

from collections.abc import Mapping

from caucus_desk.tally.sheet import ATTENDANCE
from caucus_desk.ui.entry.block import read_block
from caucus_desk.ui.entry.open_sheet import OpenSheet


class SheetEdits(OpenSheet):
    """The open sheet, and what changes it other than a key in one box."""

    def _connect(self) -> None:
        super()._connect()
        self.grid.block.connect(self._paste_block)

    def _set(self, texts: Mapping[str, str]) -> None:
        """Several boxes at once, by something else than typing in them."""
        for path, text in texts.items():
            self.grid.boxes[path].restore(text)
            self._take(path, text)
        self._refresh_live()

    def _set_in_one_step(self, texts: Mapping[str, str]) -> None:
        self._history.several(self._texts, texts)
        self._set(texts)

    def _paste_block(self, path: str, text: str) -> None:
        pasted = read_block(self.form, path, text)
        if pasted.refused:
            self.show_refusal(path, pasted.sentence)
            return
        self._set_in_one_step(pasted.texts)
        last = list(pasted.texts)[-1]
        self.grid.focus(last)
        self.tell(last, pasted.sentence)

    def undo(self) -> None:
        self._go_back(self._history.undo(), self.tr("Nothing is left to undo on this sheet."))

    def redo(self) -> None:
        self._go_back(self._history.redo(), self.tr("Nothing was undone that could be done again."))

    def _go_back(self, texts: Mapping[str, str], nothing: str) -> None:
        if not texts:
            self.tell(self.grid.current or ATTENDANCE, nothing)
            return
        self.grid.focus(next(iter(texts)))
        self._set(texts)
        self.grid.focus(next(iter(texts)))
