"""The caucus, its reports and rulings, their state and the trail."""

from sqlalchemy import (
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from caucus_desk.store.schema.columns import (
    MAX_TOTAL,
    channel,
    count,
    flag,
    key,
    metadata,
    refers,
    sheet_columns,
    sheet_tables,
    text_,
    time_,
    typist_table,
    withdrawal_table,
)

caucus = Table(
    "caucus",
    metadata,
    Column("id", Integer, CheckConstraint("id = 1", name="one_row"), primary_key=True, nullable=False),
    text_("name"),
    text_("rules_name"),
    text_("rules_text"),
    time_("created"),
    text_("created_by"),
    sqlite_strict=True,
)
preference_group = Table(
    "preference_group",
    metadata,
    key(),
    text_("key", unique=True),
    text_("label"),
    text_("kind"),
    flag("may_be_viable", nullable=False),
    flag("minor", nullable=False),
    sqlite_strict=True,
)
"""`id` is the place on the ballot, from 1."""
precinct = Table(
    "precinct",
    metadata,
    text_("id", primary_key=True),
    Column("position", Integer, nullable=False, unique=True),
    text_("county"),
    text_("name"),
    Column("kind", Text, CheckConstraint("kind IN ('precinct', 'satellite')", name="kind"), nullable=False),
    Column("district", Text),
    count("delegates"),
    count("county_state_delegates"),
    count("county_total_delegates"),
    count("attendance"),
    count("last_attendance"),
    count("registered", MAX_TOTAL),
    text_("chair"),
    text_("phone"),
    text_("pin"),
    sqlite_strict=True,
)
"""`position` is the roster's order; `pin` is a salted hash or empty."""
report = Table(
    "report",
    metadata,
    key(),
    refers("precinct_id", "precinct.id"),
    channel(),
    text_("by_name"),
    time_("at"),
    *sheet_columns(),
    text_("receipt"),
    text_("source"),
    text_("caller_name"),
    text_("caller_number"),
    text_("caller_check"),
    Index("ix_report_precinct_id", "precinct_id"),
    sqlite_strict=True,
    sqlite_autoincrement=True,
)
report_row, report_extra, report_chance = sheet_tables("report")
report_withdrawal = withdrawal_table("report")
report_typist = typist_table("report")
"""Who typed in the sheet before the one who submitted it took it over."""
ruling = Table(
    "ruling",
    metadata,
    key(),
    refers("precinct_id", "precinct.id"),
    Column("seen_report", Integer, nullable=False),
    text_("by_name"),
    time_("at"),
    text_("reason"),
    Column("approved_by", Text),
    *sheet_columns(),
    Index("ix_ruling_precinct_id", "precinct_id"),
    sqlite_strict=True,
    sqlite_autoincrement=True,
)
ruling_row, ruling_extra, ruling_chance = sheet_tables("ruling")
ruling_withdrawal = withdrawal_table("ruling")
acknowledgement = Table(
    "acknowledgement",
    metadata,
    key(),
    refers("precinct_id", "precinct.id"),
    text_("finding"),
    text_("fingerprint"),
    text_("by_name"),
    time_("at"),
    text_("reason"),
    flag("at_desk", nullable=False),
    Index("ix_acknowledgement_precinct_id", "precinct_id"),
    sqlite_strict=True,
    sqlite_autoincrement=True,
)
control_total = Table(
    "control_total",
    metadata,
    Column("batch", Integer, primary_key=True, nullable=False),
    text_("county", primary_key=True),
    refers("group_id", "preference_group.id", primary_key=True),
    count("first", MAX_TOTAL),
    count("final", MAX_TOTAL),
    count("delegates", MAX_TOTAL),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)
"""A county's newest batch holds; older ones stay as history."""
draft = Table(
    "draft",
    metadata,
    key(),
    refers("precinct_id", "precinct.id"),
    channel(),
    text_("by_name"),
    time_("since"),
    time_("updated"),
    Column("begun_after", Integer, nullable=False, server_default=text("0")),
    Column("free", Integer, nullable=False, server_default=text("0")),
    Column("errand_id", Integer),
    Column("desk", Text),
    UniqueConstraint("precinct_id", "channel", name="uq_draft_claim"),
    sqlite_strict=True,
    sqlite_autoincrement=True,
)
"""The unique pair is the claim: two clerks cannot key one precinct and channel at once. `begun_after` is the
newest report of the whole store when the draft was begun. `free`: 1 where whoever had it left it for anybody
to take up. `errand_id`: the errand that it answers, where a reviewer sent the sheet back. `desk`: the
 running window that has it open."""
draft_typist = typist_table("draft")
draft_field = Table(
    "draft_field",
    metadata,
    refers("draft_id", "draft.id", primary_key=True),
    text_("path", primary_key=True),
    text_("text"),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)
precinct_state = Table(
    "precinct_state",
    metadata,
    refers("precinct_id", "precinct.id", primary_key=True),
    Column(
        "state",
        Text,
        CheckConstraint("state IN ('awaiting', 'mismatched', 'matched', 'single', 'ruled')", name="state"),
        nullable=False,
    ),
    flag("verified", nullable=False),
    Column("report_id", ForeignKey("report.id")),
    Column("ruling_id", ForeignKey("ruling.id")),
    text_("fingerprint"),
    Column("open_errors", Integer, nullable=False),
    flag("changed_after_verified", nullable=False),
    text_("likeness"),
    Index("ix_precinct_state_likeness", "likeness"),
    sqlite_strict=True,
)
"""Only a cache of what tally works out; `check` rebuilds and compares it. `likeness` is the same for
sheets that may be one sheet keyed for two precincts (C35), and empty where that proves nothing."""
verification = Table(
    "verification",
    metadata,
    key(),
    refers("precinct_id", "precinct.id"),
    Column("state", Text, CheckConstraint("state IN ('matched', 'ruled')", name="state"), nullable=False),
    text_("fingerprint"),
    Column("newest_report", Integer, nullable=False),
    time_("at"),
    Index("ix_verification_precinct_id", "precinct_id"),
    sqlite_strict=True,
    sqlite_autoincrement=True,
)
"""Each time that a precinct became verified: what C50 compares with."""
audit = Table(
    "audit",
    metadata,
    key("seq"),
    time_("at"),
    text_("actor"),
    text_("action"),
    refers("precinct_id", "precinct.id", nullable=True),
    refers("report_id", "report.id", nullable=True),
    refers("old_report_id", "report.id", nullable=True),
    refers("ruling_id", "ruling.id", nullable=True),
    refers("acknowledgement_id", "acknowledgement.id", nullable=True),
    refers("verification_id", "verification.id", nullable=True),
    Column("control_batch", Integer),
    text_("sentence"),
    text_("content"),
    text_("prev_hash"),
    text_("hash"),
    Index("ix_audit_precinct_id", "precinct_id"),
    Index("ix_audit_looked", "precinct_id", sqlite_where=text("action = 'looked'")),
    sqlite_strict=True,
    sqlite_autoincrement=True,
)
"""`content` is the digest of the rows that the event points at; `hash` chains the events."""
