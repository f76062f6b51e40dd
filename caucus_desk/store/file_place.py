"""A store in a file of this computer, by SQLite."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from caucus_desk.store.connecting import BUSY_SECONDS, engine_for
from caucus_desk.store.copying import told
from caucus_desk.store.location import network_warning
from caucus_desk.store.place import FileFaults, Place
from caucus_desk.store.watching import FileWatcher, Watcher


class FilePlace(Place):
    shared = False

    def __init__(self, path: Path, *, mode: str = "rw", busy_seconds: float = BUSY_SECONDS) -> None:
        self.file = path
        self.path = path
        self.location = str(path)
        self.busy_seconds = busy_seconds
        self.engine = engine_for(path, mode=mode, busy_seconds=busy_seconds)
        warning = network_warning(path)
        self.warnings = () if warning is None else (warning,)

    def begin_reading(self, cursor: Any) -> None:
        cursor.execute("BEGIN")

    def begin_writing(self, cursor: Any) -> None:
        cursor.execute("BEGIN IMMEDIATE")

    def begin_aside(self, cursor: Any, *, patient: bool) -> None:
        if not patient:
            cursor.execute("PRAGMA busy_timeout = 0")
        cursor.execute("BEGIN IMMEDIATE")

    def finish_aside(self, cursor: Any) -> None:
        cursor.execute(f"PRAGMA busy_timeout = {int(self.busy_seconds * 1000)}")

    def check_line(self) -> None:
        """A file is there or not: asking takes no time."""

    def watcher(self) -> Watcher:
        return FileWatcher(self.engine, self.told)

    def commit(self, connection: Any) -> None:
        connection.commit()

    @contextmanager
    def told(self) -> Iterator[None]:
        with told(self.file):
            yield

    def integrity(self) -> FileFaults:
        with self.told(), self.engine.connect() as connection:
            pages = [str(row[0]) for row in connection.exec_driver_sql("PRAGMA integrity_check")]
            references = [
                f"{table}, row {row}: refers to a row of {parent} that is not there"
                for table, row, parent, _ in connection.exec_driver_sql("PRAGMA foreign_key_check")
            ]
        return FileFaults(tuple(line for line in pages if line != "ok"), tuple(references))
