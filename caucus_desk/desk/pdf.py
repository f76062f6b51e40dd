"""Pages of a PDF as pictures, by PDFium. It knows no threads: one lock around all that it does."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pypdfium2
from pypdfium2 import raw

from caucus_desk.rules.errors import Refused

_LOCK = threading.RLock()


class PdfLocked(Refused):
    """It opens with a password only."""


class PdfDamaged(Refused):
    """It cannot be read as a PDF."""


@dataclass(frozen=True, slots=True)
class Picture:
    """One page, four bytes a pixel: blue, green, red and one that is not used; rows of `stride` bytes."""

    width: int
    height: int
    stride: int
    pixels: bytes


class Pdf:
    """A PDF's bytes; it is opened for each answer and never stays open. `name` is what refusals call it."""

    def __init__(self, source: Path | bytes, name: str) -> None:
        """Raises PdfLocked or PdfDamaged with a sentence, OSError where the file cannot be read."""
        self._data = source if isinstance(source, bytes) else source.read_bytes()
        self._name = name
        self._sizes: dict[int, tuple[float, float]] = {}
        with self._opened() as document:
            self.pages = len(document)
            """How many pages it has, at least one."""
        if not self.pages:
            raise PdfDamaged(f"{name} is a PDF without a page. Scan or save it again.")

    def size(self, page: int) -> tuple[float, float]:
        """Width and height of a page from 0, in points (72 to the inch). Raises PdfDamaged."""
        if page not in self._sizes:
            with self._opened() as document, self._page(document, page) as loaded:
                width, height = loaded.get_size()
            self._sizes[page] = max(1.0, width), max(1.0, height)
        return self._sizes[page]

    def picture(self, page: int, scale: float) -> Picture:
        """A page from 0, on white, `scale` pixels to the point. Raises PdfDamaged."""
        with self._opened() as document, self._page(document, page) as loaded:
            bitmap = loaded.render(scale=scale, force_bitmap_format=raw.FPDFBitmap_BGRx)
            try:
                return Picture(bitmap.width, bitmap.height, bitmap.stride, bytes(bitmap.buffer))
            finally:
                bitmap.close()

    @contextmanager
    def _opened(self) -> "Iterator[pypdfium2.PdfDocument]":
        with _LOCK:
            try:
                document = pypdfium2.PdfDocument(self._data)
            except pypdfium2.PdfiumError as error:
                raise _refusal(self._name, error) from error
            try:
                yield document
            finally:
                document.close()

    @contextmanager
    def _page(self, document: pypdfium2.PdfDocument, page: int) -> "Iterator[pypdfium2.PdfPage]":
        try:
            loaded = document[page]
            try:
                yield loaded
            finally:
                loaded.close()
        except pypdfium2.PdfiumError as error:
            raise PdfDamaged(f"Page {page + 1} of {self._name} is damaged and cannot be shown.") from error


def _refusal(name: str, error: pypdfium2.PdfiumError) -> Refused:
    if error.err_code in (raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY):
        return PdfLocked(
            f"{name} is locked with a password. Open it where the password is known "
            "and print it to a new PDF."
        )
    return PdfDamaged(f"{name} is damaged: it cannot be read as a PDF. Scan or send it again.")
