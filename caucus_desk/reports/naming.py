"""What a workbook's file is called: by caucus, edition, release and time, so that a folder sorts itself."""

from datetime import datetime

from caucus_desk.reports.text import shortened
from caucus_desk.tally.editions import Edition

LONGEST = 60
"""Letters of a caucus's or a county's name in a file name."""


def file_name(
    caucus: str,
    at: datetime,
    *,
    edition: Edition = Edition.LEADERSHIP,
    county: str = "",
    release: int | None = None,
) -> str:
    """`Iowa 2020 release 3 20200204 0112.xlsx`, `Iowa 2020 Polk 20200204 0112.xlsx`.

    `at` in the time that people read. Carries nothing that a file system forbids.
    """
    parts = [plain(caucus) or "Caucus"]
    if edition is Edition.COUNTY:
        parts.append(plain(county))
    elif edition is Edition.PRESS:
        parts.append("press edition")
    if release is not None:
        parts.append(f"release {release}")
    parts.append(f"{at:%Y%m%d %H%M}")
    return f"{' '.join(part for part in parts if part)}.xlsx"


def plain(name: str) -> str:
    """Letters, digits, spaces, hyphens and underscores: what every file system takes."""
    kept = "".join(letter if letter.isalnum() or letter in " -_" else " " for letter in name)
    return shortened(" ".join(kept.split()), LONGEST).rstrip("…").strip()
