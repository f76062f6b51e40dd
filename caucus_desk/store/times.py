"""Times in the store: UTC with a zone, to the microsecond, as text that sorts."""

from datetime import UTC, datetime


def utc_now() -> datetime:
    return datetime.now(UTC)


def to_text(at: datetime) -> str:
    """ISO text ending in +00:00. A time without a zone is a fault of the program."""
    if at.tzinfo is None:
        raise ValueError("a time without a zone cannot be stored")
    return at.astimezone(UTC).isoformat(timespec="microseconds")


def from_text(text: str) -> datetime:
    return datetime.fromisoformat(text)
