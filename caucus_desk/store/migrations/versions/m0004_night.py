"""People, calls, errands, the paper chase, attachments, approvals; drafts that anybody may take up."""

from alembic import op
from sqlalchemy import CheckConstraint, Column, ForeignKey, Index, Integer, MetaData, Table, Text, text

revision = "0004"
down_revision = "0003"

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)
for _name in ("report", "ruling"):
    Table(_name, metadata, Column("id", Integer, primary_key=True))
Table("precinct", metadata, Column("id", Text, primary_key=True))
EARLIER = ("report", "ruling", "precinct")

APPEND_ONLY = (
    "call",
    "report_call",
    "report_confirmation",
    "report_correction",
    "ruling_pending",
    "ruling_approval",
    "errand",
    "errand_end",
    "chase_step",
    "attachment",
    "attachment_withdrawal",
)


def _text(name: str, **options: object) -> Column[str]:
    return Column(name, Text, nullable=False, **options)  # type: ignore[arg-type]


def _flag(name: str, *, nullable: bool = True) -> Column[int]:
    return Column(name, Integer, CheckConstraint(f'"{name}" IN (0, 1)', name=name), nullable=nullable)


def _time(name: str) -> Column[str]:
    return Column(
        name, Text, CheckConstraint(f"\"{name}\" LIKE '____-__-__T%+00:00'", name=name), nullable=False
    )


def _key(name: str = "id") -> Column[int]:
    return Column(name, Integer, primary_key=True, nullable=False)


def _refers(name: str, to: str, *, nullable: bool = False, **options: object) -> Column[object]:
    return Column(name, ForeignKey(to), nullable=nullable, **options)  # type: ignore[arg-type]


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
report_call = Table(
    "report_call",
    metadata,
    _refers("report_id", "report.id", primary_key=True),
    _told(),
    Column("call_seq", ForeignKey("call.seq"), nullable=False),
    _flag("confirmed", nullable=False),
    sqlite_strict=True,
)
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
ruling_pending = Table(
    "ruling_pending",
    metadata,
    _refers("ruling_id", "ruling.id", primary_key=True),
    _told(),
    _text("stake"),
    sqlite_strict=True,
)
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


def upgrade() -> None:
    bind = op.get_bind()
    new = [table for table in metadata.sorted_tables if table.name not in EARLIER]
    metadata.create_all(bind, tables=new)
    op.execute("ALTER TABLE draft ADD COLUMN free INTEGER DEFAULT 0 NOT NULL")
    op.execute("ALTER TABLE draft ADD COLUMN errand_id INTEGER")
    if bind.dialect.name == "sqlite":
        for table in APPEND_ONLY:
            for change in ("UPDATE", "DELETE"):
                op.execute(
                    f"CREATE TRIGGER {table}_no_{change.lower()} BEFORE {change} ON {table} "
                    f"BEGIN SELECT RAISE(ABORT, '{table} is only ever added to'); END"
                )
