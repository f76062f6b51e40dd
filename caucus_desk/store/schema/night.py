"""The night's people, calls, errands and attachments; `seq` is the event that tells of a row."""

from sqlalchemy import CheckConstraint, Column, ForeignKey, Index, Integer, Table, Text, text

from caucus_desk.store.schema.columns import flag, key, metadata, one_of, refers, text_, time_, told

person = Table(
    "person",
    metadata,
    key(),
    told(),
    text_("name"),
    text_("folded", unique=True),
    one_of("role", "clerk", "reviewer", "lead", "viewer", "administrator"),
    text_("secret"),
    time_("created"),
    Column("closed", Text),
    Column("failed", Integer, nullable=False, server_default=text("0")),
    Column("failed_at", Text),
    sqlite_strict=True,
)
"""Accounts. `folded` makes the name unique whatever its case; `secret` is a salted scrypt hash. The event
tells of every column up to `closed`; `failed` and `failed_at` count wrong tries since the last right one."""
setting = Table(
    "setting",
    metadata,
    text_("key", primary_key=True),
    told(),
    text_("value"),
    sqlite_strict=True,
)
call = Table(
    "call",
    metadata,
    key("seq"),
    time_("at"),
    time_("ended_at"),
    text_("by_name"),
    refers("precinct_id", "precinct.id", nullable=True),
    text_("caller_name"),
    text_("caller_number"),
    one_of("check_kind", "none", "pin", "number", "call back"),
    one_of("outcome", "passed", "failed", "not asked"),
    one_of(
        "ended",
        "results taken",
        "wrong PIN",
        "wrong number",
        "nuisance",
        "question",
        "cut off",
        "call back",
        "confirmed",
        "not reached",
    ),
    refers("report_id", "report.id", nullable=True),
    Column("about", Integer),
    text_("notes"),
    Index("ix_call_precinct_id", "precinct_id"),
    sqlite_strict=True,
)
"""`at` is when it came. `about` is the call or errand that a call-back answers."""
report_call = Table(
    "report_call",
    metadata,
    refers("report_id", "report.id", primary_key=True),
    told(),
    Column("call_seq", ForeignKey("call.seq"), nullable=False),
    flag("confirmed", nullable=False),
    sqlite_strict=True,
)
"""The call by which a report came; `confirmed` 0: the caller failed the check, so it verifies nothing yet."""
report_confirmation = Table(
    "report_confirmation",
    metadata,
    refers("report_id", "report.id", primary_key=True),
    told(),
    text_("by_name"),
    time_("at"),
    text_("how"),
    sqlite_strict=True,
)
report_correction = Table(
    "report_correction",
    metadata,
    refers("report_id", "report.id", primary_key=True),
    told(),
    refers("replaces", "report.id", nullable=True),
    text_("reason"),
    flag("was_verified", nullable=False),
    sqlite_strict=True,
)
"""A report that supersedes another openly, with the reason that was given."""
ruling_pending = Table(
    "ruling_pending",
    metadata,
    refers("ruling_id", "ruling.id", primary_key=True),
    told(),
    text_("stake"),
    sqlite_strict=True,
)
"""A ruling that has no force before a second person approves it. `stake` is in SDEs, an exact fraction."""
ruling_approval = Table(
    "ruling_approval",
    metadata,
    refers("ruling_id", "ruling.id", primary_key=True),
    told(),
    text_("by_name"),
    time_("at"),
    sqlite_strict=True,
)
errand = Table(
    "errand",
    metadata,
    key("seq"),
    refers("precinct_id", "precinct.id"),
    one_of("kind", "rekey", "call back", "fetch"),
    Column("channel", Text, CheckConstraint("channel IN ('phone', 'paper', 'app')", name="channel")),
    text_("fields"),
    text_("note"),
    text_("by_name"),
    time_("at"),
    Index("ix_errand_precinct_id", "precinct_id"),
    sqlite_strict=True,
)
"""What a reviewer sent back. `fields` are the paths to be keyed again, a line each."""
errand_end = Table(
    "errand_end",
    metadata,
    Column("errand_id", ForeignKey("errand.seq"), primary_key=True, nullable=False),
    told(),
    text_("by_name"),
    time_("at"),
    text_("outcome"),
    sqlite_strict=True,
)
chase_step = Table(
    "chase_step",
    metadata,
    key("seq"),
    refers("precinct_id", "precinct.id"),
    one_of("kind", "assigned", "unassigned", "attempt", "received", "not received", "note"),
    text_("runner"),
    text_("note"),
    text_("by_name"),
    time_("at"),
    Index("ix_chase_step_precinct_id", "precinct_id"),
    sqlite_strict=True,
)
attachment = Table(
    "attachment",
    metadata,
    key("seq"),
    refers("precinct_id", "precinct.id"),
    text_("name"),
    text_("sha256"),
    Column("size", Integer, nullable=False),
    text_("by_name"),
    time_("at"),
    Index("ix_attachment_precinct_id", "precinct_id"),
    sqlite_strict=True,
)
"""Image or PDF of a worksheet. The file lies beside the store, named by its hash."""
attachment_withdrawal = Table(
    "attachment_withdrawal",
    metadata,
    Column("attachment_id", ForeignKey("attachment.seq"), primary_key=True, nullable=False),
    told(),
    text_("by_name"),
    time_("at"),
    text_("reason"),
    sqlite_strict=True,
)
case_claim = Table(
    "case_claim",
    metadata,
    refers("precinct_id", "precinct.id", primary_key=True),
    text_("by_name"),
    time_("since"),
    time_("touched"),
    sqlite_strict=True,
)
"""Who has a case of the review queue open now. Not told: it says nothing lasting."""
