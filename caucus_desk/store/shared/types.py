"""How the tables' types are written for PostgreSQL, so that both databases keep and sort the same things.

A count of SQLite has 64 bits, and its text sorts by character, not as a language would have it. The
digests of the audit trail need both.
"""

from typing import Any

from sqlalchemy import Integer, Text
from sqlalchemy.ext.compiler import compiles


@compiles(Integer, "postgresql")
def _whole_number(_type: Integer, _compiler: Any, **_options: object) -> str:
    return "BIGINT"


@compiles(Text, "postgresql")
def _text(_type: Text, _compiler: Any, **_options: object) -> str:
    return 'TEXT COLLATE "C"'
