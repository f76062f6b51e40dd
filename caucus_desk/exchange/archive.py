"""The zip archive that an .xlsx file is, opened with distrust. What its parts mean, openpyxl says."""

import io
import re
import warnings
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Literal, cast

from caucus_desk.exchange.problems import BadInput
from caucus_desk.rules.errors import CaucusError

_MAX_SHEET = 128 << 20
"""Bytes of one worksheet, unpacked: some fourteen times the certified results of a state."""
_MAX_OTHER = 32 << 20
"""Bytes of any other part; openpyxl keeps these as a whole."""
_MAX_GAP = 1 << 20
"""So many bytes of a worksheet may go by without a row; a row over all columns has less. The parser keeps
in memory what is not at its end, some 300 bytes for each element."""
_STRICT = re.compile(rb"http://purl\.oclc\.org/ooxml/(\w+)/")
"""Excel can save in the form “Strict Open XML”, which has other names for the same elements."""

DAMAGED = (
    "The workbook is damaged or not complete. Open it in a spreadsheet program, save it again as .xlsx, "
    "and try that."
)
_OVERLOADED = (
    "The workbook is damaged, or a sheet of it holds far more than rows. Copy the rows to a new workbook, as "
    "values only, save that as .xlsx, and try it."
)
_TOO_LARGE = (
    "The workbook unpacks to far more than a caucus has. Save the sheet that is needed in a new workbook."
)


class Part(io.BufferedReader):
    """The bytes of one part on their way to the parser.

    `bad` makes the error of a sentence. With `gap`, no more bytes than that may go by without a call of
    `mark`. `told` hears of the bytes read so far, and may raise.
    """

    def __init__(
        self,
        stream: IO[bytes],
        bad: Callable[[str], BadInput],
        gap: int | None = None,
        told: Callable[[int], None] | None = None,
    ) -> None:
        super().__init__(cast(io.RawIOBase, stream))
        self._bad, self._gap, self._told = bad, gap, told
        self._done = self._marked = 0

    def mark(self) -> None:
        self._marked = self._done

    def read(self, size: int | None = -1, /) -> bytes:
        chunk = super().read(size)
        if not self._done:
            if b"<!DOCTYPE" in chunk:  # no workbook has one; one that has is made to do harm
                raise self._bad(DAMAGED)
            chunk = _STRICT.sub(rb"http://schemas.openxmlformats.org/\1/2006/", chunk)
        self._done += len(chunk)
        if self._gap is not None and self._done - self._marked > self._gap:
            raise self._bad(_OVERLOADED)
        if self._told is not None:
            self._told(self._done)
        return chunk


class Archive(zipfile.ZipFile):
    """An open .xlsx file. openpyxl reads through it, and so only parts of a bearable size."""

    handle: io.BufferedReader

    def __init__(self, path: Path) -> None:
        self.file = path.name
        # The handle is ours, so that closing closes it also while a part is half read.
        try:
            self.handle = path.open("rb")
        except OSError as error:
            raise self.bad(f"The file cannot be read ({error.strerror or error}).") from error
        try:
            with self.distrust():
                super().__init__(self.handle)
            self._check_kind()
        except BaseException:
            self.handle.close()
            raise

    def close(self) -> None:
        super().close()
        if hasattr(self, "handle"):  # zipfile closes also what could not be opened
            self.handle.close()

    def bad(self, reason: str) -> BadInput:
        return BadInput.whole_file(self.file, reason)

    def open(
        self,
        name: str | zipfile.ZipInfo,
        mode: Literal["r", "w"] = "r",
        pwd: bytes | None = None,
        *,
        force_zip64: bool = False,
    ) -> IO[bytes]:
        """Any part but a worksheet: what openpyxl reads by itself."""
        self._check_size(name, _MAX_OTHER)
        return Part(super().open(name, mode, pwd, force_zip64=force_zip64), self.bad)

    def open_sheet(self, name: str, told: Callable[[int, int], None] | None = None) -> Part:
        """A worksheet; `told` hears of the bytes read and the bytes in all."""
        size = self._check_size(name, _MAX_SHEET)
        hears = (lambda done: told(done, size)) if told is not None else None
        return Part(super().open(name), self.bad, _MAX_GAP, hears)

    @contextmanager
    def distrust(self) -> Iterator[None]:
        """One sentence for whatever zipfile, the XML parser and openpyxl raise over a damaged part.

        Each has errors of many kinds for that, plain ones such as KeyError and TypeError among them.
        openpyxl's warnings tell of what it would lose in writing; nothing is written here.
        """
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                yield
        except CaucusError:
            raise
        except Exception as error:
            raise self.bad(DAMAGED) from error

    def _check_size(self, name: str | zipfile.ZipInfo, largest: int) -> int:
        # zipfile reads no more than the size that is stated, so it can be relied on.
        size = (name if isinstance(name, zipfile.ZipInfo) else self.getinfo(name)).file_size
        if size > largest:
            raise self.bad(_TOO_LARGE)
        return size

    def _check_kind(self) -> None:
        names = frozenset(self.namelist())
        if any(info.flag_bits & 1 for info in self.infolist()):
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
