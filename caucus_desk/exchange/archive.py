"""The parts of an .xlsx file: a zip archive of XML, opened with distrust.

openpyxl's streaming reader gives neither hidden rows nor merged cells, and either formulas or their
values but not both, and it lets a document type define entities. So the few parts that a table needs
are read here, in one pass and in bounded memory.
"""

import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Literal, cast
from xml.etree import ElementTree
from xml.parsers import expat

from caucus_desk.exchange.problems import BadInput

_CHUNK = 1 << 17
_MAX_PART = 1 << 30
_MAX_SMALL_PART = 16 << 20
_MAX_SILENCE = 16 << 20
"""So many bytes without the end of any element are no worksheet (a cell holds at most 32,767 characters)."""

XmlEvent = Literal["start", "end"]
XmlItem = tuple[XmlEvent, ElementTree.Element]

DAMAGED = (
    "The workbook is damaged or not complete. Open it in a spreadsheet program, save it again as .xlsx, "
    "and try that."
)
_TOO_LARGE = (
    "The workbook unpacks to far more than a caucus has. Save the sheet that is needed in a new workbook."
)


class Archive:
    """An open .xlsx file. Each part is read as a stream of finished XML elements."""

    def __init__(self, path: Path) -> None:
        self.file = path.name
        # The handle is ours, so that closing closes it also while a part is half read.
        try:
            self._handle = path.open("rb")
        except OSError as error:
            raise self.bad(f"The file cannot be read ({error.strerror or error}).") from error
        try:
            self._zip = zipfile.ZipFile(self._handle)
            self._infos = {info.filename.lstrip("/"): info for info in self._zip.infolist()}
            self._check_kind()
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
            self._handle.close()
            raise self.bad(DAMAGED) from error
        except BadInput:
            self._handle.close()
            raise

    def __enter__(self) -> "Archive":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._zip.close()
        self._handle.close()

    def bad(self, reason: str, sheet: str | None = None) -> BadInput:
        return BadInput.whole_file(self.file, reason, sheet)

    def has(self, part: str) -> bool:
        return part in self._infos

    def size(self, part: str) -> int:
        """Bytes of XML in a part, unpacked."""
        return self._infos[part].file_size

    def root(self, part: str) -> ElementTree.Element:
        """A small part as a whole tree."""
        element = None
        for element in self.elements(part, largest=_MAX_SMALL_PART):  # noqa: B007
            pass
        if element is None:
            raise self.bad(DAMAGED)
        return element

    def elements(
        self, part: str, largest: int = _MAX_PART, read: Callable[[int], None] | None = None
    ) -> Iterator[ElementTree.Element]:
        """Each element at its end, the root last. `read` hears of the bytes done and may raise.

        The caller clears what it has used. Raises BadInput where the part is missing or damaged.
        """
        for batch in self.events(part, ("end",), largest, read):
            for _, element in batch:
                yield element

    def events(
        self,
        part: str,
        kinds: tuple[XmlEvent, ...],
        largest: int = _MAX_PART,
        read: Callable[[int], None] | None = None,
    ) -> Iterator[list[XmlItem]]:
        """As `elements`, with the events asked for, in batches (a large sheet has millions)."""
        if part not in self._infos:
            raise self.bad(DAMAGED)
        if self._infos[part].file_size > largest:
            raise self.bad(_TOO_LARGE)
        parser: ElementTree.XMLPullParser[Any] = ElementTree.XMLPullParser(kinds)
        try:
            with self._zip.open(self._infos[part]) as stream:
                self._refuse_document_type(stream)
            with self._zip.open(self._infos[part]) as stream:
                done = heard = 0
                while chunk := stream.read(_CHUNK):
                    parser.feed(chunk)
                    done += len(chunk)
                    batch = cast(list[XmlItem], list(parser.read_events()))
                    if batch:
                        heard = done
                        yield batch
                    if done - heard > _MAX_SILENCE:
                        raise self.bad(DAMAGED)
                    if read is not None:
                        read(done)
                parser.close()
                yield cast(list[XmlItem], list(parser.read_events()))
        except (ElementTree.ParseError, expat.ExpatError, zipfile.BadZipFile, zlib.error, EOFError) as error:
            raise self.bad(DAMAGED) from error
        except (
            RuntimeError,
            NotImplementedError,
            OSError,
        ) as error:  # zipfile's words for encrypted or odd members
            raise self.bad(f"{DAMAGED} If it has a password, take it off.") from error

    def _refuse_document_type(self, stream: IO[bytes]) -> None:
        """No workbook has a document type; one that has is made to do harm."""
        parser = expat.ParserCreate()
        started: list[str] = []

        def refuse(*_: object) -> None:
            raise self.bad(DAMAGED)

        parser.StartDoctypeDeclHandler = refuse
        parser.StartElementHandler = lambda name, _: started.append(name)
        while not started and (chunk := stream.read(4096)):
            parser.Parse(chunk, False)

    def _check_kind(self) -> None:
        names = self._infos
        if any(info.flag_bits & 1 for info in names.values()):
            raise self.bad("The file is protected by a password. Save it without one, then try again.")
        if "mimetype" in names:
            raise self.bad(other_program("LibreOffice"))
        if any(name.endswith(".iwa") or name == "Index.zip" for name in names):
            raise self.bad(other_program("Numbers"))
        if any(name.endswith("workbook.bin") for name in names):
            raise self.bad(other_program("Excel’s binary form"))
        if "[Content_Types].xml" not in names:
            raise self.bad(
                "This is a zip archive, not a workbook. Take the .csv or .xlsx file out of it first."
            )


def other_program(made_by: str) -> str:
    """The sentence for a spreadsheet of another kind."""
    return (
        f"This is a spreadsheet of another kind ({made_by}). Open it there, save it as .xlsx or as "
        "CSV UTF-8, and load that."
    )
