"""What makes a workbook that of a release: its stamp, and bytes that are the same whenever it is made.

Everything that would tell of the hour or the machine of making is set from the release: the times of the
archive's members, the document's properties, the zone of the times in the cells.
"""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from caucus_desk.tally.comparison import Comparison
from caucus_desk.tally.digest import short

_UNIX = 3
"""The system that members are said to come from, also where they are written on another."""


@dataclass(frozen=True)
class ReleaseStamp:
    """A release as its workbook names it. Times are UTC; cells show them in the zone of whoever made it."""

    number: int
    digest: str
    made_at: datetime
    totals: str = ""
    basis: str = ""
    """The two other digests that go into `digest` (tally.digest)."""
    zone_minutes: int = 0
    """The zone's distance from UTC."""
    zone_name: str = "UTC"
    by: str = ""
    approved_by: str = ""
    note: str = ""
    passes: tuple[tuple[str, str, str], ...] = ()
    """What the gate held back: its title, what it found, the reason that was given."""
    since: int | None = None
    changes: Comparison | None = None
    """Since release `since`; None for the first, and where the two cannot be compared."""
    why: Mapping[str, str] = field(default_factory=dict)
    """By precinct id, why it changed, as it was said at the time."""

    @property
    def digest_short(self) -> str:
        return short(self.digest)

    @property
    def words(self) -> str:
        """As it stands on every sheet."""
        return f"Release {self.number} · digest {self.digest_short}"

    @property
    def zone(self) -> timezone:
        return timezone(timedelta(minutes=self.zone_minutes))


class TimedArchive(ZipFile):
    """An archive whose members all have one time, UTC, and the same rights on every system."""

    def __init__(self, path: Path, at: datetime) -> None:
        super().__init__(path, "w", ZIP_DEFLATED, allowZip64=True)
        moment = max(at.astimezone(UTC), datetime(1980, 1, 1, tzinfo=UTC))  # the first that a zip can hold
        self._at = (moment.year, moment.month, moment.day, moment.hour, moment.minute, moment.second)

    def _member(self, name: str) -> ZipInfo:
        member = ZipInfo(name, self._at)
        member.compress_type = ZIP_DEFLATED
        member.create_system = _UNIX
        member.external_attr = 0o644 << 16
        return member

    def writestr(self, zinfo_or_arcname: Any, data: Any, *_: Any, **__: Any) -> None:
        name = zinfo_or_arcname
        super().writestr(self._member(name.filename if isinstance(name, ZipInfo) else name), data)

    def write(self, filename: Any, arcname: Any = None, *_: Any, **__: Any) -> None:
        member = self._member(str(arcname or filename))
        with Path(filename).open("rb") as source:
            member.file_size = Path(filename).stat().st_size
            with self.open(member, "w") as target:
                shutil.copyfileobj(source, target, 1 << 20)
