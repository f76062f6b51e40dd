"""The tables, as the newest migration leaves them.

Every count is an integer column from 0 to 99,999 or NULL (blank is not zero). Times are UTC text.
What has once been said (reports, rulings, acknowledgements, audit) is only ever added to: triggers
refuse UPDATE and DELETE. Tables are STRICT in SQLite, so that text never hides in a number column.
"""

from sqlalchemy import (
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    text,
)

APPLICATION_ID = 0x43445331
"""`CDS1` in the file's header: this is a Caucus Desk store and not another program's file."""

HEAD = "0006"
"""The newest migration. Kept here so that opening a current store need not load Alembic."""

MAX_TOTAL = 99_999_999
"""A county's control total may be larger than one precinct's count."""

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)


def _text(name: str, **options: object) -> Column[str]:
    return Column(name, Text, nullable=False, **options)  # type: ignore[arg-type]


def _count(name: str, limit: int = 99_999) -> Column[int]:
    return Column(name, Integer, CheckConstraint(f'"{name}" BETWEEN 0 AND {limit}', name=name))


def _flag(name: str, *, nullable: bool = True) -> Column[int]:
    return Column(name, Integer, CheckConstraint(f'"{name}" IN (0, 1)', name=name), nullable=nullable)


def _time(name: str) -> Column[str]:
    return Column(
        name, Text, CheckConstraint(f"\"{name}\" LIKE '____-__-__T%+00:00'", name=name), nullable=False
    )


def _channel() -> Column[str]:
    return Column(
        "channel",
        Text,
        CheckConstraint("channel IN ('phone', 'paper', 'app')", name="channel"),
        nullable=False,
    )


def _key(name: str = "id") -> Column[int]:
    return Column(name, Integer, primary_key=True, nullable=False)


def _refers(name: str, to: str, *, nullable: bool = False, **options: object) -> Column[object]:
    return Column(name, ForeignKey(to), nullable=nullable, **options)  # type: ignore[arg-type]


def _sheet_columns() -> list[Column[int]]:
    return [
        _count("attendance"),
        _count("threshold"),
        _count("delegates_to_elect"),
        _count("second_attendance"),
        _flag("chair_signed"),
        _flag("secretary_signed"),
        _flag("overwritten"),
    ]


def _sheet_tables(owner: str) -> tuple[Table, Table, Table]:
    """Rows, extra counts and games of chance of a sheet, for a report or a ruling."""
    place = f"{owner}_id"
    rows = Table(
        f"{owner}_row",
        metadata,
        _refers(place, f"{owner}.id", primary_key=True),
        _refers("group_id", "preference_group.id", primary_key=True),
        _count("first"),
        _count("final"),
        _count("delegates"),
        Column("sde_num", Integer),
        Column("sde_den", Integer, CheckConstraint("(sde_num IS NULL) = (sde_den IS NULL)", name="sde")),
        _flag("signed"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    extras = Table(
        f"{owner}_extra",
        metadata,
        _refers(place, f"{owner}.id", primary_key=True),
        _text("key", primary_key=True),
        _count("value"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    chance = Table(
        f"{owner}_chance",
        metadata,
        _refers(place, f"{owner}.id", primary_key=True),
        Column("game", Integer, primary_key=True, nullable=False),
        Column("place", Integer, primary_key=True, nullable=False),
        _refers("group_id", "preference_group.id"),
        _flag("won", nullable=False),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    return rows, extras, chance


def _typist_table(owner: str) -> Table:
    return Table(
        f"{owner}_typist",
        metadata,
        _refers(f"{owner}_id", f"{owner}.id", primary_key=True),
        _text("name", primary_key=True),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )


def _withdrawal_table(owner: str) -> Table:
    return Table(
        f"{owner}_withdrawal",
        metadata,
        _refers(f"{owner}_id", f"{owner}.id", primary_key=True),
        _text("by_name"),
        _time("at"),
        _text("reason"),
        sqlite_strict=True,
    )


caucus = Table(
    "caucus",
    metadata,
    Column("id", Integer, CheckConstraint("id = 1", name="one_row"), primary_key=True, nullable=False),
    _text("name"),
    _text("rules_name"),
    _text("rules_text"),
    _time("created"),
    _text("created_by"),
    sqlite_strict=True,
)
preference_group = Table(
    "preference_group",
    metadata,
    _key(),
    _text("key", unique=True),
    _text("label"),
    _text("kind"),
    _flag("may_be_viable", nullable=False),
    _flag("minor", nullable=False),
    sqlite_strict=True,
)
"""`id` is the place on the ballot, from 1."""
precinct = Table(
    "precinct",
    metadata,
    _text("id", primary_key=True),
    Column("position", Integer, nullable=False, unique=True),
    _text("county"),
    _text("name"),
    Column("kind", Text, CheckConstraint("kind IN ('precinct', 'satellite')", name="kind"), nullable=False),
    Column("district", Text),
    _count("delegates"),
    _count("county_state_delegates"),
    _count("county_total_delegates"),
    _count("attendance"),
    _count("last_attendance"),
    _count("registered", MAX_TOTAL),
    _text("chair"),
    _text("phone"),
    _text("pin"),
    sqlite_strict=True,
)
"""`position` is the roster's order; `pin` is a salted hash or empty."""
report = Table(
    "report",
    metadata,
    _key(),
    _refers("precinct_id", "precinct.id"),
    _channel(),
    _text("by_name"),
    _time("at"),
    *_sheet_columns(),
    _text("receipt"),
    _text("source"),
    _text("caller_name"),
    _text("caller_number"),
    _text("caller_check"),
    Index("ix_report_precinct_id", "precinct_id"),
    sqlite_strict=True,
    sqlite_autoincrement=True,
)
report_row, report_extra, report_chance = _sheet_tables("report")
report_withdrawal = _withdrawal_table("report")
report_typist = _typist_table("report")
"""Who typed in the sheet before the one who submitted it took it over."""
ruling = Table(
    "ruling",
    metadata,
    _key(),
    _refers("precinct_id", "precinct.id"),
    Column("seen_report", Integer, nullable=False),
    _text("by_name"),
    _time("at"),
    _text("reason"),
    Column("approved_by", Text),
    *_sheet_columns(),
    Index("ix_ruling_precinct_id", "precinct_id"),
    sqlite_strict=True,
    sqlite_autoincrement=True,
)
ruling_row, ruling_extra, ruling_chance = _sheet_tables("ruling")
ruling_withdrawal = _withdrawal_table("ruling")
acknowledgement = Table(
    "acknowledgement",
    metadata,
    _key(),
    _refers("precinct_id", "precinct.id"),
    _text("finding"),
    _text("fingerprint"),
    _text("by_name"),
    _time("at"),
    _text("reason"),
    _flag("at_desk", nullable=False),
    Index("ix_acknowledgement_precinct_id", "precinct_id"),
    sqlite_strict=True,
    sqlite_autoincrement=True,
)
control_total = Table(
    "control_total",
    metadata,
    Column("batch", Integer, primary_key=True, nullable=False),
    _text("county", primary_key=True),
    _refers("group_id", "preference_group.id", primary_key=True),
    _count("first", MAX_TOTAL),
    _count("final", MAX_TOTAL),
    _count("delegates", MAX_TOTAL),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)
"""A county's newest batch holds; older ones stay as history."""
draft = Table(
    "draft",
    metadata,
    _key(),
    _refers("precinct_id", "precinct.id"),
    _channel(),
    _text("by_name"),
    _time("since"),
    _time("updated"),
    Column("begun_after", Integer, nullable=False, server_default=text("0")),
    Column("free", Integer, nullable=False, server_default=text("0")),
    Column("errand_id", Integer),
    UniqueConstraint("precinct_id", "channel", name="uq_draft_claim"),
    sqlite_strict=True,
    sqlite_autoincrement=True,
)
"""The unique pair is the claim: two clerks cannot key one precinct and channel at once. `begun_after` is the
newest report of the whole store when the draft was begun. `free`: 1 where whoever had it left it for anybody
to take up. `errand_id`: the errand that it answers, where a reviewer sent the sheet back."""
draft_typist = _typist_table("draft")
draft_field = Table(
    "draft_field",
    metadata,
    _refers("draft_id", "draft.id", primary_key=True),
    _text("path", primary_key=True),
    _text("text"),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)
precinct_state = Table(
    "precinct_state",
    metadata,
    _refers("precinct_id", "precinct.id", primary_key=True),
    Column(
        "state",
        Text,
        CheckConstraint("state IN ('awaiting', 'mismatched', 'matched', 'single', 'ruled')", name="state"),
        nullable=False,
    ),
    _flag("verified", nullable=False),
    Column("report_id", ForeignKey("report.id")),
    Column("ruling_id", ForeignKey("ruling.id")),
    _text("fingerprint"),
    Column("open_errors", Integer, nullable=False),
    _flag("changed_after_verified", nullable=False),
    _text("likeness"),
    Index("ix_precinct_state_likeness", "likeness"),
    sqlite_strict=True,
)
"""Only a cache of what tally works out; `check` rebuilds and compares it. `likeness` is the same for
sheets that may be one sheet keyed for two precincts (C35), and empty where that proves nothing."""
verification = Table(
    "verification",
    metadata,
    _key(),
    _refers("precinct_id", "precinct.id"),
    Column("state", Text, CheckConstraint("state IN ('matched', 'ruled')", name="state"), nullable=False),
    _text("fingerprint"),
    Column("newest_report", Integer, nullable=False),
    _time("at"),
    Index("ix_verification_precinct_id", "precinct_id"),
    sqlite_strict=True,
    sqlite_autoincrement=True,
)
"""Each time that a precinct became verified: what C50 compares with."""
audit = Table(
    "audit",
    metadata,
    _key("seq"),
    _time("at"),
    _text("actor"),
    _text("action"),
    _refers("precinct_id", "precinct.id", nullable=True),
    _refers("report_id", "report.id", nullable=True),
    _refers("old_report_id", "report.id", nullable=True),
    _refers("ruling_id", "ruling.id", nullable=True),
    _refers("acknowledgement_id", "acknowledgement.id", nullable=True),
    _refers("verification_id", "verification.id", nullable=True),
    Column("control_batch", Integer),
    _text("sentence"),
    _text("content"),
    _text("prev_hash"),
    _text("hash"),
    Index("ix_audit_precinct_id", "precinct_id"),
    Index("ix_audit_looked", "precinct_id", sqlite_where=text("action = 'looked'")),
    sqlite_strict=True,
    sqlite_autoincrement=True,
)
"""`content` is the digest of the rows that the event points at; `hash` chains the events."""

# --- people, calls, errands: each row is told by an audit event, whose number is in `seq` ------------------


def _told(*, unique: bool = True) -> Column[int]:
    """Number of the audit event that holds the row's digest."""
    return Column("seq", Integer, nullable=False, unique=unique)


def _one_of(name: str, *words: str) -> Column[str]:
    listed = ", ".join(f"'{word}'" for word in words)
    return Column(name, Text, CheckConstraint(f'"{name}" IN ({listed})', name=name), nullable=False)


person = Table(
    "person",
    metadata,
    _key(),
    _told(),
    _text("name"),
    _text("folded", unique=True),
    _one_of("role", "clerk", "reviewer", "lead", "viewer", "administrator"),
    _text("secret"),
    _time("created"),
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
    _text("key", primary_key=True),
    _told(),
    _text("value"),
    sqlite_strict=True,
)
call = Table(
    "call",
    metadata,
    _key("seq"),
    _time("at"),
    _time("ended_at"),
    _text("by_name"),
    _refers("precinct_id", "precinct.id", nullable=True),
    _text("caller_name"),
    _text("caller_number"),
    _one_of("check_kind", "none", "pin", "number", "call back"),
    _one_of("outcome", "passed", "failed", "not asked"),
    _one_of(
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
    _refers("report_id", "report.id", nullable=True),
    Column("about", Integer),
    _text("notes"),
    Index("ix_call_precinct_id", "precinct_id"),
    sqlite_strict=True,
)
"""`at` is when it came. `about` is the call or errand that a call-back answers."""
report_call = Table(
    "report_call",
    metadata,
    _refers("report_id", "report.id", primary_key=True),
    _told(),
    Column("call_seq", ForeignKey("call.seq"), nullable=False),
    _flag("confirmed", nullable=False),
    sqlite_strict=True,
)
"""The call by which a report came; `confirmed` 0: the caller failed the check, so it verifies nothing yet."""
report_confirmation = Table(
    "report_confirmation",
    metadata,
    _refers("report_id", "report.id", primary_key=True),
    _told(),
    _text("by_name"),
    _time("at"),
    _text("how"),
    sqlite_strict=True,
)
report_correction = Table(
    "report_correction",
    metadata,
    _refers("report_id", "report.id", primary_key=True),
    _told(),
    _refers("replaces", "report.id", nullable=True),
    _text("reason"),
    _flag("was_verified", nullable=False),
    sqlite_strict=True,
)
"""A report that supersedes another openly, with the reason that was given."""
ruling_pending = Table(
    "ruling_pending",
    metadata,
    _refers("ruling_id", "ruling.id", primary_key=True),
    _told(),
    _text("stake"),
    sqlite_strict=True,
)
"""A ruling that has no force before a second person approves it. `stake` is in SDEs, an exact fraction."""
ruling_approval = Table(
    "ruling_approval",
    metadata,
    _refers("ruling_id", "ruling.id", primary_key=True),
    _told(),
    _text("by_name"),
    _time("at"),
    sqlite_strict=True,
)
errand = Table(
    "errand",
    metadata,
    _key("seq"),
    _refers("precinct_id", "precinct.id"),
    _one_of("kind", "rekey", "call back", "fetch"),
    Column("channel", Text, CheckConstraint("channel IN ('phone', 'paper', 'app')", name="channel")),
    _text("fields"),
    _text("note"),
    _text("by_name"),
    _time("at"),
    Index("ix_errand_precinct_id", "precinct_id"),
    sqlite_strict=True,
)
"""What a reviewer sent back. `fields` are the paths to be keyed again, a line each."""
errand_end = Table(
    "errand_end",
    metadata,
    Column("errand_id", ForeignKey("errand.seq"), primary_key=True, nullable=False),
    _told(),
    _text("by_name"),
    _time("at"),
    _text("outcome"),
    sqlite_strict=True,
)
chase_step = Table(
    "chase_step",
    metadata,
    _key("seq"),
    _refers("precinct_id", "precinct.id"),
    _one_of("kind", "assigned", "unassigned", "attempt", "received", "not received", "note"),
    _text("runner"),
    _text("note"),
    _text("by_name"),
    _time("at"),
    Index("ix_chase_step_precinct_id", "precinct_id"),
    sqlite_strict=True,
)
attachment = Table(
    "attachment",
    metadata,
    _key("seq"),
    _refers("precinct_id", "precinct.id"),
    _text("name"),
    _text("sha256"),
    Column("size", Integer, nullable=False),
    _text("by_name"),
    _time("at"),
    Index("ix_attachment_precinct_id", "precinct_id"),
    sqlite_strict=True,
)
"""Image or PDF of a worksheet. The file lies beside the store, named by its hash."""
attachment_withdrawal = Table(
    "attachment_withdrawal",
    metadata,
    Column("attachment_id", ForeignKey("attachment.seq"), primary_key=True, nullable=False),
    _told(),
    _text("by_name"),
    _time("at"),
    _text("reason"),
    sqlite_strict=True,
)
case_claim = Table(
    "case_claim",
    metadata,
    _refers("precinct_id", "precinct.id", primary_key=True),
    _text("by_name"),
    _time("since"),
    _time("touched"),
    sqlite_strict=True,
)
"""Who has a case of the review queue open now. Not told: it says nothing lasting."""


# --- releases and recanvasses ------------------------------------------------------------------------------

release = Table(
    "release",
    metadata,
    _key(),
    _told(),
    _one_of("counting", "reported", "verified"),
    _text("note"),
    _text("by_name"),
    _time("at"),
    _flag("needs_approval", nullable=False),
    Column("newest_report", Integer, nullable=False),
    _text("digest"),
    sqlite_strict=True,
)
"""`id` is the release's number, from 1. `digest` is of everything that it counts; it never changes."""
release_pass = Table(
    "release_pass",
    metadata,
    _refers("release_id", "release.id", primary_key=True),
    _text("item", primary_key=True),
    _text("found"),
    _text("reason"),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)
"""What the gate held back and a lead passed, with the reason."""
release_approval = Table(
    "release_approval",
    metadata,
    _refers("release_id", "release.id", primary_key=True),
    _told(),
    _text("by_name"),
    _time("at"),
    sqlite_strict=True,
)
release_precinct = Table(
    "release_precinct",
    metadata,
    _refers("release_id", "release.id", primary_key=True),
    _refers("precinct_id", "precinct.id", primary_key=True),
    Column(
        "state",
        Text,
        CheckConstraint("state IN ('awaiting', 'mismatched', 'matched', 'single', 'ruled')", name="state"),
        nullable=False,
    ),
    _flag("verified", nullable=False),
    _flag("counted", nullable=False),
    Column("report_id", ForeignKey("report.id")),
    Column("ruling_id", ForeignKey("ruling.id")),
    Column("reports", Text, nullable=False),
    _text("fingerprint"),
    _count("attendance"),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)
"""One line a precinct: how it stood, and which sheet counts. `reports`: ids of its standing reports."""
release_row = Table(
    "release_row",
    metadata,
    _refers("release_id", "release.id", primary_key=True),
    _refers("precinct_id", "precinct.id", primary_key=True),
    _refers("group_id", "preference_group.id", primary_key=True),
    _count("first"),
    _count("final"),
    _count("delegates"),
    Column("sde_num", Integer),
    Column("sde_den", Integer, CheckConstraint("(sde_num IS NULL) = (sde_den IS NULL)", name="sde")),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)
"""The counts that a release counts, group by group; the SDEs are those it published."""
release_basis = Table(
    "release_basis",
    metadata,
    _refers("release_id", "release.id", primary_key=True),
    _text("basis"),
    sqlite_strict=True,
)
"""JSON: the caucus, its rules and ballot, the control totals and the maker's zone, as they were."""
release_line = Table(
    "release_line",
    metadata,
    _refers("release_id", "release.id", primary_key=True),
    _refers("precinct_id", "precinct.id", primary_key=True),
    Column("place", Integer, nullable=False),
    _text("line"),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)
"""JSON, a line a precinct, merged ones too: its line of the roster, and what its sheet says beside figures.
`place` is its place in the roster."""
recanvass = Table(
    "recanvass",
    metadata,
    _key("seq"),
    _one_of("kind", "recanvass", "recount"),
    _refers("release_id", "release.id", nullable=True),
    _text("requested_by"),
    _text("reason"),
    _time("deadline"),
    _text("by_name"),
    _time("at"),
    _text("precincts"),
    sqlite_strict=True,
)
"""Chosen precincts that are keyed again from paper; `precincts` are their ids, a line each."""
recanvass_report = Table(
    "recanvass_report",
    metadata,
    _key(),
    _told(),
    Column("recanvass_id", ForeignKey("recanvass.seq"), nullable=False),
    _refers("precinct_id", "precinct.id"),
    _text("by_name"),
    _time("at"),
    _text("note"),
    _text("digest"),
    *_sheet_columns(),
    sqlite_strict=True,
)
"""`digest` is of the counts in its rows."""
recanvass_report_row, recanvass_report_extra, recanvass_report_chance = _sheet_tables("recanvass_report")
recanvass_end = Table(
    "recanvass_end",
    metadata,
    Column("recanvass_id", ForeignKey("recanvass.seq"), primary_key=True, nullable=False),
    _told(),
    _text("by_name"),
    _time("at"),
    _text("outcome"),
    sqlite_strict=True,
)
