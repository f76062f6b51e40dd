"""Pages of a PDF as pictures, by PDFium. It knows no threads: one lock around all that it does."""

import threading
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

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
    """An open PDF. `name` is what its refusals call it."""

    def __init__(self, source: Path | bytes, name: str) -> None:
        """Raises PdfLocked or PdfDamaged with a sentence, OSError where the file cannot be read."""
        data = source if isinstance(source, bytes) else source.read_bytes()
        self._name = name
        with _LOCK:
            try:
                self._document = pypdfium2.PdfDocument(data)
            except pypdfium2.PdfiumError as error:
                raise _refusal(name, error) from error
            self.pages = len(self._document)
            """How many pages it has, at least one."""
            if not self.pages:
                self.close()
                raise PdfDamaged(f"{name} is a PDF without a page. Scan or save it again.")

    def size(self, page: int) -> tuple[float, float]:
        """Width and height of a page from 0, in points (72 to the inch). Raises PdfDamaged."""
        with _LOCK:
            loaded = self._page(page)
            try:
                width, height = loaded.get_size()
            finally:
                loaded.close()
        return max(1.0, width), max(1.0, height)

    def picture(self, page: int, scale: float) -> Picture:
        """A page from 0, on white, `scale` pixels to the point. Raises PdfDamaged."""
        with _LOCK:
            loaded = self._page(page)
            try:
                bitmap = loaded.render(scale=scale, force_bitmap_format=raw.FPDFBitmap_BGRx)
                try:
                    return Picture(bitmap.width, bitmap.height, bitmap.stride, bytes(bitmap.buffer))
                finally:
                    bitmap.close()
            except pypdfium2.PdfiumError as error:
                raise self._bad_page(page) from error
            finally:
                loaded.close()

    def close(self) -> None:
        with _LOCK:
            self._document.close()

    def __enter__(self) -> "Pdf":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _page(self, page: int) -> pypdfium2.PdfPage:
        try:
            return self._document[page]
        except pypdfium2.PdfiumError as error:
            raise self._bad_page(page) from error

    def _bad_page(self, page: int) -> PdfDamaged:
        return PdfDamaged(f"Page {page + 1} of {self._name} is damaged and cannot be shown.")


def _refusal(name: str, error: pypdfium2.PdfiumError) -> Refused:
    if error.err_code in (raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY):
        return PdfLocked(
            f"{name} is locked with a password. Open it where the password is known "
            "and print it to a new PDF."
        )
    return PdfDamaged(f"{name} is damaged: it cannot be read as a PDF. Scan or send it again.")
