"""A workbook in one pass: values, formulas without values, hidden rows, merged cells, bounded memory."""

import posixpath
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from xml.etree.ElementTree import Element

from caucus_desk.exchange.archive import Archive
from caucus_desk.exchange.numberformats import NumberLook, look_of
from caucus_desk.exchange.sheetxml import SEPARATOR, SheetListener, SheetNotes, StringsListener, small_number

_MAX_STRINGS = 256 << 20


@dataclass(frozen=True, slots=True)
class SheetPart:
    name: str
    part: str
    hidden: bool


class Workbook:
    """An open workbook. Close it (or use it in `with`) when the rows are read."""

    def __init__(self, path: Path) -> None:
        self._archive = Archive(path)
        try:
            self._open()
        except BaseException:
            self._archive.close()
            raise

    def __enter__(self) -> "Workbook":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._archive.close()

    def rows(
        self, sheet: SheetPart, notes: SheetNotes, read: Callable[[int, int], None] | None = None
    ) -> Iterator[tuple[int, list[str]]]:
        """Row number and cells of each row that the sheet holds; absent rows are left out.

        `read` hears of the bytes read and the bytes in all. Memory stays that of a few rows.
        """
        size = self._archive.size(sheet.part)
        told = (lambda done: read(done, size)) if read is not None else None
        listener = SheetListener(self._strings, self._looks, self._since_1904, notes)
        for _ in self._archive.hear(sheet.part, listener, read=told):
            yield from listener.rows
            listener.rows.clear()

    def _open(self) -> None:
        archive = self._archive
        main = self._target("_rels/.rels", "", "/officeDocument") or "xl/workbook.xml"
        if not archive.has(main):
            raise archive.bad("This file holds no workbook. Save it as .xlsx in a spreadsheet program.")
        folder = posixpath.dirname(main)
        relations = f"{folder}/_rels/{posixpath.basename(main)}.rels"
        root = archive.root(main)
        parts = self._relations(relations, folder)
        self._since_1904 = any(
            _local(element) == "workbookPr" and element.get("date1904") in ("1", "true") for element in root
        )
        self.sheets: tuple[SheetPart, ...] = tuple(self._sheets(root, parts))
        if not self.sheets:
            raise archive.bad("The workbook has no worksheet.")
        self._strings = self._shared_strings(self._target(relations, folder, "/sharedStrings"))
        self._looks = self._number_looks(self._target(relations, folder, "/styles"))

    def _sheets(self, root: Element, parts: dict[str, tuple[str, str]]) -> Iterator[SheetPart]:
        for element in root.iter():
            if _local(element) != "sheet":
                continue
            relation = next((v for k, v in element.attrib.items() if k.endswith(" id")), "")
            kind, part = parts.get(relation, ("", ""))
            if kind.endswith("/worksheet") and self._archive.has(part):
                yield SheetPart(element.get("name", ""), part, element.get("state", "visible") != "visible")

    def _relations(self, part: str, folder: str) -> dict[str, tuple[str, str]]:
        """Relation id to its type and the part that it names."""
        if not self._archive.has(part):
            return {}
        found = {}
        for element in self._archive.root(part):
            target = element.get("Target", "")
            place = target.lstrip("/") if target.startswith("/") else posixpath.normpath(f"{folder}/{target}")
            found[element.get("Id", "")] = (element.get("Type", ""), place.lstrip("/"))
        return found

    def _target(self, relations: str, folder: str, kind: str) -> str | None:
        return next((p for t, p in self._relations(relations, folder).values() if t.endswith(kind)), None)

    def _shared_strings(self, part: str | None) -> list[str]:
        listener = StringsListener()
        if part is not None and self._archive.has(part):
            for _ in self._archive.hear(part, listener, largest=_MAX_STRINGS):
                pass
        return listener.strings

    def _number_looks(self, part: str | None) -> list[NumberLook]:
        if part is None or not self._archive.has(part):
            return []
        root = self._archive.root(part)
        custom = {}
        for element in root.iter():
            if _local(element) == "numFmt" and element.get("numFmtId", "").isdigit():
                custom[small_number(element.get("numFmtId"))] = element.get("formatCode", "")
        formats = next((element for element in root if _local(element) == "cellXfs"), None)
        known: dict[int, NumberLook] = {}
        looks = []
        for element in formats if formats is not None else ():
            number = small_number(element.get("numFmtId"))
            if number not in known:
                known[number] = look_of(number, custom)
            looks.append(known[number])
        return looks


def _local(element: Element) -> str:
    return element.tag.rpartition(SEPARATOR)[2]
