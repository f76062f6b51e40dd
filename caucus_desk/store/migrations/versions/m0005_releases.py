"""Releases with the exact sheets that they count, and recanvasses of chosen precincts."""

from alembic import op
from sqlalchemy import CheckConstraint, Column, ForeignKey, Integer, MetaData, Table, Text

revision = "0005"
down_revision = "0004"

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)
for _name in ("report", "ruling", "preference_group"):
    Table(_name, metadata, Column("id", Integer, primary_key=True))
Table("precinct", metadata, Column("id", Text, primary_key=True))
EARLIER = ("report", "ruling", "preference_group", "precinct")


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


def _told(*, unique: bool = True) -> Column[int]:
    """Number of the audit event that holds the row's digest."""
    return Column("seq", Integer, nullable=False, unique=unique)


def _one_of(name: str, *words: str) -> Column[str]:
    listed = ", ".join(f"'{word}'" for word in words)
    return Column(name, Text, CheckConstraint(f'"{name}" IN ({listed})', name=name), nullable=False)


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
_sheet_tables("recanvass_report")
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


def upgrade() -> None:
    bind = op.get_bind()
    new = [table for table in metadata.sorted_tables if table.name not in EARLIER]
    metadata.create_all(bind, tables=new)
    if bind.dialect.name == "sqlite":
        for table in (one.name for one in new):
            for change in ("UPDATE", "DELETE"):
                op.execute(
                    f"CREATE TRIGGER {table}_no_{change.lower()} BEFORE {change} ON {table} "
                    f"BEGIN SELECT RAISE(ABORT, '{table} is only ever added to'); END"
                )
