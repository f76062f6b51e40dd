"""Where things lie: the program's resources, and the person's data, settings and logs."""

import os
import sys
from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).parent


@cache
def resources() -> Path:
    """The resources folder: inside the package in a wheel, beside it in a checkout or a frozen program."""
    for folder in (_PACKAGE / "resources", _PACKAGE.parent / "resources"):
        if folder.is_dir():
            return folder
    raise FileNotFoundError("the program's resources folder is missing: install Caucus Desk again")


def data_dir() -> Path:
    """The person's folder for stores and logs; `CAUCUS_DESK_DATA` sets another (tests, demonstrations)."""
    chosen = os.environ.get("CAUCUS_DESK_DATA")
    if chosen:
        return Path(chosen)
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA", home / "AppData" / "Roaming")) / "Caucus Desk"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "Caucus Desk"
    return Path(os.environ.get("XDG_DATA_HOME", home / ".local" / "share")) / "caucus-desk"
