"""Many desks on one store, and stores of counties that come and go.

Where the store lies in PostgreSQL this step also makes what SQLite's file brings along: the triggers that
keep what was said, the counter of events, and the table by which writers take turns.
"""

import secrets

from alembic import op
from sqlalchemy import CheckConstraint, Column, ForeignKey, Integer, LargeBinary, MetaData, Table, Text

revision = "0007"
down_revision = "0006"

metadata = MetaData(naming_convention={"ck": "ck_%(table_name)s_%(constraint_name)s"})
Table("report", metadata, Column("id", Integer, primary_key=True))


def _text(name: str, **options: object) -> Column[str]:
    return Column(name, Text, nullable=False, **options)  # type: ignore[arg-type]


def _time(name: str) -> Column[str]:
    return Column(
        name, Text, CheckConstraint(f"\"{name}\" LIKE '____-__-__T%+00:00'", name=name), nullable=False
    )


def _one_row() -> Column[int]:
    return Column("id", Integer, CheckConstraint("id = 1", name="one_row"), primary_key=True, nullable=False)


def _told() -> Column[int]:
    return Column("seq", Integer, nullable=False, unique=True)


def _number(name: str) -> Column[int]:
    return Column(name, Integer, nullable=False)


identity = Table("identity", metadata, _one_row(), _text("caucus"), sqlite_strict=True)
submission = Table(
    "submission",
    metadata,
    _text("token", primary_key=True),
    Column("report_id", ForeignKey("report.id"), nullable=False),
    _text("answer"),
    sqlite_strict=True,
)
desk_beat = Table(
    "desk_beat",
    metadata,
    _text("id", primary_key=True),
    _text("by_name"),
    _time("begun"),
    _time("seen"),
    sqlite_strict=True,
)
county_key = Table(
    "county_key",
    metadata,
    Column("seq", Integer, primary_key=True, nullable=False),
    _text("key_id", unique=True),
    _text("county"),
    _text("public"),
    _text("by_name"),
    _time("at"),
    sqlite_strict=True,
)
county_key_end = Table(
    "county_key_end",
    metadata,
    Column("key", ForeignKey("county_key.seq"), primary_key=True, nullable=False),
    _told(),
    _text("by_name"),
    _time("at"),
    _text("reason"),
    sqlite_strict=True,
)
own_key = Table(
    "own_key",
    metadata,
    _one_row(),
    _text("county"),
    _text("key_id"),
    _text("private"),
    _text("headquarters"),
    sqlite_strict=True,
)
headquarters_key = Table(
    "headquarters_key", metadata, _one_row(), _text("private"), _text("public"), sqlite_strict=True
)
packet_taken = Table(
    "packet_taken",
    metadata,
    Column("seq", Integer, primary_key=True, nullable=False),
    _text("digest", unique=True),
    _text("key_id"),
    _text("county"),
    _number("number"),
    _number("reports"),
    _number("new_reports"),
    _text("by_name"),
    _time("at"),
    sqlite_strict=True,
)
report_origin = Table(
    "report_origin",
    metadata,
    Column("report_id", ForeignKey("report.id"), primary_key=True, nullable=False),
    _told(),
    _text("uid", unique=True),
    _text("origin"),
    _text("packet"),
    _text("over"),
    sqlite_strict=True,
)
attachment_data = Table(
    "attachment_data",
    metadata,
    _text("sha256", primary_key=True),
    Column("data", LargeBinary, nullable=False),
    sqlite_strict=True,
)

APPEND_ONLY = (
    "identity",
    "submission",
    "county_key",
    "county_key_end",
    "own_key",
    "headquarters_key",
    "packet_taken",
    "report_origin",
    "attachment_data",
)
EARLIER = (
    "report",
    "report_row",
    "report_extra",
    "report_chance",
    "report_typist",
    "report_withdrawal",
    "ruling",
    "ruling_row",
    "ruling_extra",
    "ruling_chance",
    "ruling_withdrawal",
    "acknowledgement",
    "control_total",
    "verification",
    "audit",
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
    "release",
    "release_pass",
    "release_approval",
    "release_precinct",
    "release_row",
    "release_basis",
    "release_line",
    "recanvass",
    "recanvass_report",
    "recanvass_report_row",
    "recanvass_report_extra",
    "recanvass_report_chance",
    "recanvass_end",
)
"""Tables of earlier steps that are only ever added to."""

_ONLY_ADDED = """
BEGIN
    RAISE EXCEPTION '%% is only ever added to', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END """
_AUDIT_FOLLOWS = """
BEGIN
    UPDATE audit_counter SET last = NEW.seq, hash = NEW.hash
    WHERE last = NEW.seq - 1 AND hash = NEW.prev_hash;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'event %% does not follow from the one before', NEW.seq
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END """
_AUDIT_TOLD = """
BEGIN
    PERFORM pg_notify('caucus_desk', '');
    RETURN NULL;
END """
_BEGINNING = "0" * 64


def upgrade() -> None:
    bind = op.get_bind()
    metadata.create_all(bind, tables=[table for table in metadata.sorted_tables if table.name != "report"])
    op.execute("ALTER TABLE draft ADD COLUMN desk TEXT")
    # A store that is only now being made gets its identity with the rest of what it is about.
    bind.exec_driver_sql(f"INSERT INTO identity SELECT 1, '{secrets.token_hex(16)}' FROM caucus")
    if bind.dialect.name == "sqlite":
        for table in APPEND_ONLY:
            for change in ("UPDATE", "DELETE"):
                op.execute(
                    f"CREATE TRIGGER {table}_no_{change.lower()} BEFORE {change} ON {table} "
                    f"BEGIN SELECT RAISE(ABORT, '{table} is only ever added to'); END"
                )
    else:
        _what_a_file_brings_along()


def _what_a_file_brings_along() -> None:
    run = op.get_bind().exec_driver_sql
    schema = run("SELECT quote_ident(current_schema)").scalar_one()
    run("CREATE TABLE turn (id integer PRIMARY KEY)")
    run(
        "CREATE TABLE audit_counter (id integer PRIMARY KEY CHECK (id = 1), last bigint NOT NULL, "
        "hash text NOT NULL)"
    )
    run(
        "INSERT INTO audit_counter SELECT 1, coalesce(max(seq), 0), coalesce((SELECT hash FROM audit "
        f"ORDER BY seq DESC LIMIT 1), '{_BEGINNING}') FROM audit"
    )
    for name, body, rights in (
        ("only_added", _ONLY_ADDED, ""),
        ("audit_follows", _AUDIT_FOLLOWS, "SECURITY DEFINER"),
        ("audit_told", _AUDIT_TOLD, ""),
    ):
        # With pg_temp named last, nobody's temporary table stands in for one of the store's.
        run(
            f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql {rights} "
            f"SET search_path = {schema}, pg_temp AS $${body}$$"
        )
        run(f"REVOKE ALL ON FUNCTION {name}() FROM PUBLIC")
    for table in (*EARLIER, *APPEND_ONLY):
        run(
            f"CREATE TRIGGER {table}_only_added BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION only_added()"
        )
    run("CREATE TRIGGER audit_follows BEFORE INSERT ON audit FOR EACH ROW EXECUTE FUNCTION audit_follows()")
    run("CREATE TRIGGER audit_told AFTER INSERT ON audit FOR EACH STATEMENT EXECUTE FUNCTION audit_told()")
