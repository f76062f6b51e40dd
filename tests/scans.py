"""Photos and scans of worksheets for the tests: made here, by Qt and by hand."""

import struct
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QPoint, QRect, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPageLayout, QPageSize, QPainter, QPdfWriter


def picture(width: int = 400, height: int = 300) -> QImage:
    """White, with a red corner at the upper left: what was turned shows."""
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    for x in range(width // 4):
        for y in range(height // 4):
            image.setPixelColor(x, y, QColor(200, 0, 0))
    return image


def encoded(image: QImage, kind: str) -> bytes:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    assert image.save(buffer, kind)
    return bytes(buffer.data().data())


def png(path: Path, width: int = 400, height: int = 300) -> Path:
    path.write_bytes(encoded(picture(width, height), "PNG"))
    return path


def jpeg(path: Path, width: int = 400, height: int = 300, orientation: int = 1) -> Path:
    """With the EXIF mark that a camera writes when it was held on its side."""
    data = encoded(picture(width, height), "JPEG")
    tiff = b"II*\0" + struct.pack("<IH", 8, 1) + struct.pack("<HHIHH", 0x0112, 3, 1, orientation, 0)
    body = b"Exif\0\0" + tiff + b"\0\0\0\0"
    path.write_bytes(data[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + data[2:])
    return path


def pdf(path: Path, pages: int = 3) -> Path:
    """Letter paper; each page has a black bar that is one inch longer than the last one's."""
    assert QGuiApplication.instance() is not None, "ask for the fixture qapp"
    writer = QPdfWriter(str(path))
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.Letter))
    writer.setPageMargins(QMarginsF(0, 0, 0, 0), QPageLayout.Unit.Point)
    writer.setResolution(72)
    painter = QPainter(writer)
    for number in range(pages):
        if number:
            writer.newPage()
        painter.fillRect(QRect(QPoint(72, 72), QPoint(72 * (number + 2), 108)), Qt.GlobalColor.black)
    painter.end()
    return path


def _objects(*bodies: bytes, trailer: bytes = b"") -> bytes:
    """A PDF of these objects, with the table of where each lies."""
    out = b"%PDF-1.4\n"
    places = []
    for number, body in enumerate(bodies, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n" % number + body + b"\nendobj\n"
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(bodies) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    return out + b"trailer\n<< /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF\n" % (
        len(bodies) + 1,
        trailer,
        start,
    )


_CATALOG = b"<< /Type /Catalog /Pages 2 0 R >>"
_PAGES = b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>"
_PAGE = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>"


def plain_pdf(path: Path, mark: str = "") -> Path:
    """One empty page, without Qt; another `mark` makes another file."""
    path.write_bytes(_objects(_CATALOG, _PAGES, _PAGE) + f"% {mark}\n".encode())
    return path


def locked_pdf(path: Path) -> Path:
    """Opens with a password only, which nobody knows."""
    lock = b"<< /Filter /Standard /V 1 /R 2 /O <%s> /U <%s> /P -4 >>" % (b"41" * 32, b"42" * 32)
    trailer = b"/Encrypt 4 0 R /ID [<01> <01>]"
    path.write_bytes(_objects(_CATALOG, _PAGES, _PAGE, lock, trailer=trailer))
    return path
