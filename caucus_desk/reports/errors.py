"""What can keep a workbook from being written, each with a sentence that says what to do."""

from pathlib import Path

from caucus_desk.rules.errors import CaucusError


class CannotWrite(CaucusError):
    """The workbook can't be written there. What stood there before still stands.

    `free` is another name to offer, where one would help.
    """

    def __init__(self, sentence: str, path: Path, free: Path | None = None) -> None:
        super().__init__(sentence)
        self.path, self.free = path, free


class TooManyRows(CaucusError):
    """A sheet would need more rows than an Excel sheet has. Nothing was written."""


class DoesNotAddUp(CaucusError):
    """The written workbook was read back and differs from the store. It was not put in place."""

    def __init__(self, differences: tuple[str, ...]) -> None:
        more = f" And {len(differences) - 1:,} more." if len(differences) > 1 else ""
        super().__init__(
            "The workbook was read back and does not add up, so it was not kept: "
            f"{differences[0]}{more} Please report this: it is a fault of the program."
        )
        self.differences = differences


class NotOurWorkbook(CaucusError):
    """A file that was to be read back isn't a leadership workbook."""
