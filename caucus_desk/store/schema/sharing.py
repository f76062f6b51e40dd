"""Many desks and many stores: presence, submits that are made once, packets and where reports came from."""

from sqlalchemy import CheckConstraint, Column, ForeignKey, Integer, LargeBinary, Table

from caucus_desk.store.schema.columns import key, metadata, refers, text_, time_, told

identity = Table(
    "identity",
    metadata,
    Column("id", Integer, CheckConstraint("id = 1", name="one_row"), primary_key=True, nullable=False),
    text_("caucus"),
    sqlite_strict=True,
)
"""`caucus` is 32 hexadecimal digits, the same in every copy and every county store of one caucus."""
submission = Table(
    "submission",
    metadata,
    text_("token", primary_key=True),
    refers("report_id", "report.id"),
    text_("answer"),
    sqlite_strict=True,
)
"""A submit that its desk may have to make again, because it never heard the answer. `answer` is JSON."""
desk_beat = Table(
    "desk_beat",
    metadata,
    text_("id", primary_key=True),
    text_("by_name"),
    time_("begun"),
    time_("seen"),
    sqlite_strict=True,
)
"""Running windows, and when each was last seen. Not told: it says nothing lasting."""
county_key = Table(
    "county_key",
    metadata,
    key("seq"),
    text_("key_id", unique=True),
    text_("county"),
    text_("public"),
    text_("by_name"),
    time_("at"),
    sqlite_strict=True,
)
"""The keys that counties sign their packets with. `public` is hexadecimal."""
county_key_end = Table(
    "county_key_end",
    metadata,
    Column("key", ForeignKey("county_key.seq"), primary_key=True, nullable=False),
    told(),
    text_("by_name"),
    time_("at"),
    text_("reason"),
    sqlite_strict=True,
)
own_key = Table(
    "own_key",
    metadata,
    Column("id", Integer, CheckConstraint("id = 1", name="one_row"), primary_key=True, nullable=False),
    text_("county"),
    text_("key_id"),
    text_("private"),
    text_("headquarters"),
    sqlite_strict=True,
)
"""In a county's own store: what it signs with, and the key by which it knows headquarters' receipts."""
headquarters_key = Table(
    "headquarters_key",
    metadata,
    Column("id", Integer, CheckConstraint("id = 1", name="one_row"), primary_key=True, nullable=False),
    text_("private"),
    text_("public"),
    sqlite_strict=True,
)
"""In headquarters' store: what it signs kits and receipts with."""
packet_taken = Table(
    "packet_taken",
    metadata,
    key("seq"),
    text_("digest", unique=True),
    text_("key_id"),
    text_("county"),
    Column("number", Integer, nullable=False),
    Column("reports", Integer, nullable=False),
    Column("new_reports", Integer, nullable=False),
    text_("by_name"),
    time_("at"),
    sqlite_strict=True,
)
"""Packets that were taken in; `key_id` is empty where a copy of this store was merged."""
report_origin = Table(
    "report_origin",
    metadata,
    refers("report_id", "report.id", primary_key=True),
    told(),
    text_("uid", unique=True),
    text_("origin"),
    text_("packet"),
    text_("over"),
    sqlite_strict=True,
)
"""Of a report that was made in another store. `uid` is the digest of all that it says; `origin` the key it
came under; `over` the reports here that it superseded there, a line each."""
attachment_data = Table(
    "attachment_data",
    metadata,
    text_("sha256", primary_key=True),
    Column("data", LargeBinary, nullable=False),
    sqlite_strict=True,
)
"""The files of attachments, in a store that has no folder beside it."""
