"""What a viewer shows: an image, or the pages of a PDF, as pictures of the size that is asked for."""

from math import sqrt
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QSize, QSizeF, Qt
from PySide6.QtGui import QImage, QImageIOHandler, QImageReader

from caucus_desk.desk.pdf import Pdf
from caucus_desk.rules.errors import Refused

MOST_DOTS = 24_000_000
"""So many are held of one picture, about 100 MB; a larger one is read or drawn at a smaller size."""
_POINT = 96 / 72
"""Pixels of a screen at 100 % to the point of a PDF."""


class Source(Protocol):
    """Sizes are in pixels at 100 %."""

    pages: int

    def size(self, page: int) -> QSizeF: ...

    def picture(self, page: int, zoom: float) -> QImage:
        """At least as fine as `zoom` asks for, or as fine as can be held."""
        ...


def source_of(path: Path, name: str) -> Source:
    """Opens a file. Raises Refused with a plain sentence; `name` is what it calls the file."""
    try:
        with path.open("rb") as file:
            head = file.read(1024)
        if b"%PDF-" in head and not head.startswith((b"\x89PNG", b"\xff\xd8\xff")):
            return PdfSource(Pdf(path, name))
    except OSError as error:
        raise Refused(f"{name} cannot be read: {error.strerror or error}.") from error
    return ImageSource(path, name)


class PdfSource:
    def __init__(self, pdf: Pdf) -> None:
        self._pdf = pdf
        self.pages = pdf.pages

    def size(self, page: int) -> QSizeF:
        width, height = self._pdf.size(page)
        return QSizeF(width * _POINT, height * _POINT)

    def picture(self, page: int, zoom: float) -> QImage:
        width, height = self._pdf.size(page)
        scale = min(zoom * _POINT, sqrt(MOST_DOTS / (width * height)))
        made = self._pdf.picture(page, scale)
        image = QImage(made.pixels, made.width, made.height, made.stride, QImage.Format.Format_RGB32)
        return image.copy()  # the bytes are not kept by QImage


class ImageSource:
    """Read once, turned as the camera says, and made smaller where it is too large to hold."""

    pages = 1

    def __init__(self, path: Path, name: str) -> None:
        reader = QImageReader(str(path))
        reader.setDecideFormatFromContent(True)
        reader.setAutoTransform(True)
        stated = reader.size()
        if stated.isValid():
            dots = stated.width() * stated.height()
            if dots > MOST_DOTS:
                less = sqrt(MOST_DOTS / dots)
                reader.setScaledSize(
                    QSize(max(1, int(stated.width() * less)), max(1, int(stated.height() * less)))
                )
        image = reader.read()
        if image.isNull():
            raise Refused(f"{name} cannot be shown: it is damaged, or no picture.")
        if _turned(reader):
            stated.transpose()
        self._size = QSizeF(stated if stated.isValid() else image.size())
        wanted = QImage.Format.Format_RGB32
        if image.hasAlphaChannel():
            wanted = QImage.Format.Format_ARGB32_Premultiplied
        self._levels = [image.convertToFormat(wanted)]
        """The picture, then half of its width and height, a quarter, as far as they were asked for."""

    def size(self, page: int) -> QSizeF:
        return self._size

    def picture(self, page: int, zoom: float) -> QImage:
        needed = self._size.width() * zoom
        level = 0
        while True:
            image = self._levels[level]
            half = image.size() / 2
            if half.width() < needed or half.isEmpty():
                return image
            level += 1
            if level == len(self._levels):
                # Every dot counts in the smaller picture; painting a large one small would skip most.
                self._levels.append(
                    image.scaled(
                        half, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
                    )
                )


def _turned(reader: QImageReader) -> bool:
    """Whether the camera lay on its side, so that width and height change places."""
    return bool(reader.transformation() & QImageIOHandler.Transformation.TransformationRotate90)
