"""What the window remembers between runs: its size, the theme, the last stores. Nothing else."""

from PySide6.QtCore import QByteArray, QSettings

from caucus_desk import paths

_RECENT = "stores/recent"
_MOST_RECENT = 6


class Settings:
    """An INI file in the person's data folder, so that tests and demonstrations keep their own."""

    def __init__(self) -> None:
        self._file = QSettings(str(paths.data_dir() / "window.ini"), QSettings.Format.IniFormat)

    @property
    def theme(self) -> str:
        """The name of the chosen theme, "" while none was chosen."""
        return str(self._file.value("window/theme", ""))

    @theme.setter
    def theme(self, name: str) -> None:
        self._file.setValue("window/theme", name)

    @property
    def geometry(self) -> QByteArray:
        value = self._file.value("window/geometry", QByteArray())
        return value if isinstance(value, QByteArray) else QByteArray()

    @geometry.setter
    def geometry(self, value: QByteArray) -> None:
        self._file.setValue("window/geometry", value)

    @property
    def recent(self) -> tuple[str, ...]:
        """Locations of the stores opened last, the newest first."""
        value = self._file.value(_RECENT, [])
        if isinstance(value, str):
            return (value,) if value else ()
        return tuple(str(item) for item in value) if isinstance(value, list) else ()

    def remember_store(self, location: str) -> None:
        kept = [location, *(item for item in self.recent if item != location)]
        self._file.setValue(_RECENT, kept[:_MOST_RECENT])

    def forget_store(self, location: str) -> None:
        self._file.setValue(_RECENT, [item for item in self.recent if item != location])

    def save(self) -> None:
        self._file.sync()
