"""Digests: of the figures that an event points at, and of the chain of events.

The text that is hashed is JSON of plain lists in ASCII, which is the same on every machine and for
every version of Python; it is never stored.
"""

import hashlib
import json
from collections.abc import Sequence

BEGINNING = "0" * 64
"""What stands before the first event."""

_as_text = json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode


def content_digest(kind: str, *parts: object) -> str:
    """Of rows as they stand in their tables: numbers, text and NULL only."""
    text = _as_text([kind, *parts])
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def event_hash(previous: str, event: Sequence[object]) -> str:
    """Of an event's columns from `seq` to `content`, after the hash of the event before it."""
    text = _as_text([previous, *event])
    return hashlib.sha256(text.encode("ascii")).hexdigest()
