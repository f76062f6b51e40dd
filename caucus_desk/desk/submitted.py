"""What a submit is answered, and the same as text: a desk that never heard the answer asks for it again."""

import json
from dataclasses import asdict, dataclass, field
from datetime import datetime

from caucus_desk.tally.state import State


@dataclass(frozen=True, slots=True)
class Submitted:
    """What was saved. `superseded` is the report of the same channel that this one replaces, of several the
    leading one."""

    report_id: int
    receipt: str
    at: datetime
    state: State
    verified: bool
    superseded: int | None = None
    superseded_by: str = ""
    superseded_at: datetime | None = None
    """Set where that report is another person's and came in while this sheet was being keyed."""
    open_errors: tuple[str, ...] = field(default=())
    confirmed: bool = True
    """False: it verifies nothing until somebody has called the caller back."""


def as_text(done: Submitted) -> str:
    """JSON with every field under its name."""
    return json.dumps(asdict(done), default=_plain, ensure_ascii=False)


def from_text(text: str) -> Submitted:
    given = json.loads(text)
    return Submitted(
        **{
            **given,
            "at": datetime.fromisoformat(given["at"]),
            "state": State(given["state"]),
            "superseded_at": _time(given["superseded_at"]),
            "open_errors": tuple(given["open_errors"]),
        }
    )


def _plain(value: object) -> str:
    assert isinstance(value, datetime)
    return value.isoformat()


def _time(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)
