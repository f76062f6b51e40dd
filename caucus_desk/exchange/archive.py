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
from xml.etree import ElementTree
from xml.parsers import expat

from caucus_desk.exchange.problems import BadInput
from caucus_desk.exchange.sheetxml import SEPARATOR, Damaged, Listener

_CHUNK = 1 << 17
_MAX_PART = 1 << 30
_MAX_SMALL_PART = 16 << 20
_MAX_SILENCE = 4 << 20
"""So many bytes in which the parser cannot move on: one endless element or attribute."""

DAMAGED = (
    "The workbook is damaged or not complete. Open it in a spreadsheet program, save it again as .xlsx, "
    "and try that."
)
_TOO_LARGE = (
    "The workbook unpacks to far more than a caucus has. Save the sheet that is needed in a new workbook."
)


class Archive:
    """An open .xlsx file. Each part is heard as a stream of XML elements."""

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
        builder = ElementTree.TreeBuilder()

        class _Tree:
            def attach(self, parser: expat.XMLParserType) -> None:
                parser.StartElementHandler = builder.start
                parser.EndElementHandler = builder.end
                parser.CharacterDataHandler = builder.data

            def check(self) -> None: ...

        for _ in self.hear(part, _Tree(), largest=_MAX_SMALL_PART):
            pass
        return builder.close()

    def hear(
        self,
        part: str,
        listener: Listener,
        largest: int = _MAX_PART,
        read: Callable[[int], None] | None = None,
    ) -> Iterator[None]:
        """Let `listener` hear a part's elements; yields after each stretch of bytes.

        Names are as `namespace name`. `read` hears of the bytes done and may raise.

        Raises:
            BadInput: the part is missing, damaged, far too large, or defines entities.
        """
        info = self._infos.get(part)
        if info is None:
            raise self.bad(DAMAGED)
        if info.file_size > largest:
            raise self.bad(_TOO_LARGE)
        parser = expat.ParserCreate(namespace_separator=SEPARATOR)
        parser.StartDoctypeDeclHandler = _refuse_document_type
        listener.attach(parser)
        try:
            with self._zip.open(info) as stream:
                done = heard = place = 0
                while chunk := stream.read(_CHUNK):
                    parser.Parse(chunk, False)
                    done += len(chunk)
                    if parser.CurrentByteIndex != place:
                        heard, place = done, parser.CurrentByteIndex
                    if done - heard > _MAX_SILENCE:
                        raise Damaged
                    listener.check()
                    if read is not None:
                        read(done)
                    yield
                parser.Parse(b"", True)
                yield
        except (Damaged, expat.ExpatError, zipfile.BadZipFile, zlib.error, EOFError) as error:
            raise self.bad(DAMAGED) from error
        except (RuntimeError, NotImplementedError, OSError) as error:  # zipfile's words for odd members
            raise self.bad(f"{DAMAGED} If it has a password, take it off.") from error

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


def _refuse_document_type(*_: object) -> None:
    """No workbook has a document type; one that has is made to do harm."""
    raise Damaged


def other_program(made_by: str) -> str:
    """The sentence for a spreadsheet of another kind."""
    return (
        f"This is a spreadsheet of another kind ({made_by}). Open it there, save it as .xlsx or as "
        "CSV UTF-8, and load that."
    )
