"""What a file holds, by its bytes and not by its name: a photo or a scan of a worksheet, whole or refused."""

import struct
import zlib
from pathlib import Path

from caucus_desk.rules.errors import Refused

MOST_BYTES = 25 * 1024 * 1024
_MOST_PIXELS = 250_000_000
"""Of a JPEG, which can be read at a part of its size."""
_MOST_PIXELS_WHOLE = 60_000_000
"""Of a PNG, which must be unpacked whole to be shown."""
_HEAD = 1024
"""A PDF's mark may stand anywhere in its first bytes."""

_PNG = b"\x89PNG\r\n\x1a\n"
_JPEG = b"\xff\xd8\xff"
_OTHERS = (
    (b"II*\0", "a TIFF picture"),
    (b"MM\0*", "a TIFF picture"),
    (b"GIF8", "a GIF picture"),
    (b"BM", "a BMP picture"),
    (b"PK\x03\x04", "a ZIP archive, a Word document or a workbook"),
    (b"\xd0\xcf\x11\xe0", "an old Word document or workbook"),
)


class NotAScan(Refused):
    """It is neither PNG, JPEG nor PDF."""


class Damaged(Refused):
    """It begins as a picture or a PDF and does not go on as one."""


def read_scan(path: Path) -> tuple[bytes, str]:
    """The bytes of a file with the ending that fits them: .png, .jpg or .pdf. Refused with a sentence."""
    name = path.name
    try:
        if path.is_dir():
            raise Refused(f"{name} is a folder. Attach the files in it one by one.")
        if not path.exists():
            raise Refused(f"There is no file {path}. Check the name and the folder.")
        if not path.is_file():
            raise NotAScan(f"{name} is no file that could be attached.")
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "the system gives no reason"
        raise Refused(f"{path} cannot be read: {why}. Copy it to this computer and try again.") from error
    if len(data) > MOST_BYTES:
        raise Refused(
            f"{name} is larger than {MOST_BYTES // 1024 // 1024} MB. Scan it with fewer dots to the inch, or "
            "save the photo smaller."
        )
    return data, ending_of(data, name)


def ending_of(data: bytes, name: str) -> str:
    """`.png`, `.jpg` or `.pdf` for a whole file. Raises NotAScan or Damaged; `name` is for the sentence."""
    if not data:
        raise Damaged(f"{name} is empty. Send or scan it again.")
    if data.startswith(_PNG):
        _check_size(*_png_size(data, name), _MOST_PIXELS_WHOLE, name)
        return ".png"
    if data.startswith(_JPEG):
        _check_size(*_jpeg_size(data, name), _MOST_PIXELS, name)
        return ".jpg"
    if b"%PDF-" in data[:_HEAD]:
        from caucus_desk.desk.pdf import Pdf  # only where a PDF is at hand: it brings a library of its own

        Pdf(data, name).size(0)
        return ".pdf"
    raise NotAScan(
        f"{name} is {_what(data)}. A worksheet is attached as a PNG or JPEG picture or as a PDF; "
        "save it as one of these."
    )


def _what(data: bytes) -> str:
    if data[4:8] == b"ftyp":
        kind = data[8:12]
        return "a HEIC photo" if kind in (b"heic", b"heix", b"mif1", b"msf1", b"hevc") else "a film"
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return "a WebP picture"
    return next((what for mark, what in _OTHERS if data.startswith(mark)), "no picture and no PDF")


def _check_size(width: int, height: int, most: int, name: str) -> None:
    if not width or not height:
        raise _damaged(name, "a picture")
    if width * height > most:
        raise Refused(
            f"{name} has {width:,} by {height:,} dots, too many to show. "
            "Save the picture smaller, or as a JPEG."
        )


def _damaged(name: str, what: str) -> Damaged:
    return Damaged(f"{name} is damaged: it begins as {what} and breaks off. Send or scan it again.")


def _png_size(data: bytes, name: str) -> tuple[int, int]:
    """Width and height; every chunk must be whole, up to the last one."""
    size = (0, 0)
    at = len(_PNG)
    while at + 12 <= len(data):
        (length,) = struct.unpack_from(">I", data, at)
        kind = data[at + 4 : at + 8]
        end = at + 8 + length
        if end + 4 > len(data):
            break
        (stated,) = struct.unpack_from(">I", data, end)
        if zlib.crc32(data[at + 4 : end]) != stated:
            break
        if kind == b"IHDR" and length >= 8:
            size = struct.unpack_from(">II", data, at + 8)
        elif kind == b"IEND":
            return size
        at = end + 4
    raise _damaged(name, "a PNG picture")


_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_ALONE = frozenset({0x01, *range(0xD0, 0xD8)})
_SCAN, _END = 0xDA, 0xD9


def _jpeg_size(data: bytes, name: str) -> tuple[int, int]:
    """Width and height; the picture must reach its end mark."""
    size = (0, 0)
    at = 2
    while at + 4 <= len(data):
        if data[at] != 0xFF:
            break
        kind = data[at + 1]
        if kind == 0xFF:  # padding
            at += 1
            continue
        if kind in _ALONE:
            at += 2
            continue
        (length,) = struct.unpack_from(">H", data, at + 2)
        if kind in _FRAMES and length >= 7 and at + 9 <= len(data):
            height, width = struct.unpack_from(">HH", data, at + 5)
            size = (width, height)
        if kind == _SCAN:
            # Inside the picture FF is always followed by 00 or a restart, so this can only be the end.
            if data.find(bytes((0xFF, _END)), at + 2 + length) < 0:
                break
            return size
        if kind == _END or length < 2:
            break
        at += 2 + length
    raise _damaged(name, "a JPEG picture")
