"""Undo and redo over one sheet: what was typed in a box, or set at once in many, goes back as one step."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Step:
    """Paths in the order in which they changed, with the text before and after."""

    before: Mapping[str, str]
    after: Mapping[str, str]


class History:
    """Begins anew with each sheet, so that no undo reaches into another one."""

    def __init__(self) -> None:
        self._done: list[Step] = []
        self._undone: list[Step] = []
        self._open = ""

    def forget(self) -> None:
        self._done, self._undone, self._open = [], [], ""

    def typed(self, path: str, before: str, after: str) -> None:
        """A key in a box. All keys of one visit are one step."""
        if before == after:
            return
        self._undone = []
        if self._open == path and self._done:
            before = self._done.pop().before[path]
        self._open = path
        if before != after:
            self._done.append(Step({path: before}, {path: after}))
        else:
            self._open = ""

    def left(self) -> None:
        """The hand has left the box: what it types there later is another step."""
        self._open = ""

    def several(self, before: Mapping[str, str], after: Mapping[str, str]) -> None:
        """Many boxes at once, as a paste or "all remaining are 0" sets them."""
        changed = [path for path, text in after.items() if before.get(path, "") != text]
        self._open = ""
        if changed:
            self._undone = []
            self._done.append(
                Step(
                    {path: before.get(path, "") for path in changed}, {path: after[path] for path in changed}
                )
            )

    def undo(self) -> Mapping[str, str]:
        """What the boxes must hold again; empty where nothing is left to undo."""
        self._open = ""
        if not self._done:
            return {}
        step = self._done.pop()
        self._undone.append(step)
        return step.before

    def redo(self) -> Mapping[str, str]:
        self._open = ""
        if not self._undone:
            return {}
        step = self._undone.pop()
        self._done.append(step)
        return step.after
