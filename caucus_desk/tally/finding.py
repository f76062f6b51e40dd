"""A finding: what a rule check says of one sheet."""

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding for a sheet and an id, listing all its fields.

    `message` is a plain sentence that carries the numbers; `ask` what to ask the room ("" if nothing).
    """

    id: str
    severity: Severity
    fields: tuple[str, ...]
    message: str
    ask: str = ""
