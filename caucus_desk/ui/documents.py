"""Where a person's own files lie."""

from pathlib import Path

from PySide6.QtCore import QStandardPaths


def documents() -> Path:
    """The person's Documents folder, as the system has it; it need not be there yet."""
    found = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    return Path(found) if found else Path.home()
