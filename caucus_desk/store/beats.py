"""Which windows run now. Each says so every few seconds; what it says is nothing lasting and leaves no event.

A sheet that a window holds is for anybody to take up once that window has said goodbye, or has not been
heard of for long: its computer broke down, or lost the network.
"""

from datetime import datetime, timedelta

from sqlalchemy import bindparam, delete, func, select

from caucus_desk.store.schema import desk_beat
from caucus_desk.store.statements import Prepared, putting
from caucus_desk.store.times import from_text, to_text
from caucus_desk.store.work import Work

SILENT = timedelta(seconds=45)
"""After this long without a beat, by the store's own clock, a window counts as gone."""
_FORGOTTEN = timedelta(days=1)

_BEAT = putting(desk_beat, "by_name", "seen")
_ALL = Prepared(select(desk_beat.c.id, desk_beat.c.seen))
_END = Prepared(delete(desk_beat).where(desk_beat.c.id == bindparam("i")))
_FORGET = Prepared(delete(desk_beat).where(desk_beat.c.seen < bindparam("s")))
_CLOCK = Prepared(select(func.clock_timestamp(), func.pg_postmaster_start_time()))


class BeatReading(Work):
    def running_windows(self) -> frozenset[str]:
        """Those that were heard of lately and have not said goodbye.

        By the clock of where the store lies: the server's, or this computer's. While a server was down
        nobody could be heard of, so no window is silent for longer than the server runs.
        """
        rows = self._rows(_ALL)
        if not rows:
            return frozenset()
        now, begun = self._clock()
        heard = {window: from_text(seen) for window, seen in rows}
        return frozenset(
            window for window, at in heard.items() if now - (at if begun is None else max(at, begun)) < SILENT
        )

    def _clock(self) -> tuple[datetime, datetime | None]:
        if self._dialect.name != "postgresql":
            return self.now, None
        row = self._one(_CLOCK)
        assert row is not None
        return row[0], row[1]


class BeatWriting(BeatReading):
    def beat(self, window: str, by: str) -> None:
        """This window runs, with `by` at it."""
        self._run(_BEAT, window, by, self._now_text, self._now_text)

    def end_beats(self, window: str) -> None:
        """This window is closed."""
        self._run(_END, window)

    def forget_beats(self) -> None:
        """Of windows that were not heard of for a day."""
        self._run(_FORGET, to_text(self.now - _FORGOTTEN))
