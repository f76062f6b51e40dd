"""What the tables' columns are made of, and the tables that a report and a ruling both have."""

from sqlalchemy import CheckConstraint, Column, ForeignKey, Integer, MetaData, Table, Text

MAX_TOTAL = 99_999_999
"""A county's control total may be larger than one precinct's count."""

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)


def text_(name: str, **options: object) -> Column[str]:
    return Column(name, Text, nullable=False, **options)  # type: ignore[arg-type]


def count(name: str, limit: int = 99_999) -> Column[int]:
    return Column(name, Integer, CheckConstraint(f'"{name}" BETWEEN 0 AND {limit}', name=name))


def flag(name: str, *, nullable: bool = True) -> Column[int]:
    return Column(name, Integer, CheckConstraint(f'"{name}" IN (0, 1)', name=name), nullable=nullable)


def time_(name: str) -> Column[str]:
    return Column(
        name, Text, CheckConstraint(f"\"{name}\" LIKE '____-__-__T%+00:00'", name=name), nullable=False
    )


def channel() -> Column[str]:
    return Column(
        "channel",
        Text,
        CheckConstraint("channel IN ('phone', 'paper', 'app')", name="channel"),
        nullable=False,
    )


def key(name: str = "id") -> Column[int]:
    return Column(name, Integer, primary_key=True, nullable=False)


def refers(name: str, to: str, *, nullable: bool = False, **options: object) -> Column[object]:
    return Column(name, ForeignKey(to), nullable=nullable, **options)  # type: ignore[arg-type]


def sheet_columns() -> list[Column[int]]:
    return [
        count("attendance"),
        count("threshold"),
        count("delegates_to_elect"),
        count("second_attendance"),
        flag("chair_signed"),
        flag("secretary_signed"),
        flag("overwritten"),
    ]


def sheet_tables(owner: str) -> tuple[Table, Table, Table]:
    """Rows, extra counts and games of chance of a sheet, for a report or a ruling."""
    place = f"{owner}_id"
    rows = Table(
        f"{owner}_row",
        metadata,
        refers(place, f"{owner}.id", primary_key=True),
        refers("group_id", "preference_group.id", primary_key=True),
        count("first"),
        count("final"),
        count("delegates"),
        Column("sde_num", Integer),
        Column("sde_den", Integer, CheckConstraint("(sde_num IS NULL) = (sde_den IS NULL)", name="sde")),
        flag("signed"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    extras = Table(
        f"{owner}_extra",
        metadata,
        refers(place, f"{owner}.id", primary_key=True),
        text_("key", primary_key=True),
        count("value"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    chance = Table(
        f"{owner}_chance",
        metadata,
        refers(place, f"{owner}.id", primary_key=True),
        Column("game", Integer, primary_key=True, nullable=False),
        Column("place", Integer, primary_key=True, nullable=False),
        refers("group_id", "preference_group.id"),
        flag("won", nullable=False),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    return rows, extras, chance


def typist_table(owner: str) -> Table:
    return Table(
        f"{owner}_typist",
        metadata,
        refers(f"{owner}_id", f"{owner}.id", primary_key=True),
        text_("name", primary_key=True),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )


def withdrawal_table(owner: str) -> Table:
    return Table(
        f"{owner}_withdrawal",
        metadata,
        refers(f"{owner}_id", f"{owner}.id", primary_key=True),
        text_("by_name"),
        time_("at"),
        text_("reason"),
        sqlite_strict=True,
    )


def told(*, unique: bool = True) -> Column[int]:
    """Number of the audit event that holds the row's digest."""
    return Column("seq", Integer, nullable=False, unique=unique)


def one_of(name: str, *words: str) -> Column[str]:
    listed = ", ".join(f"'{word}'" for word in words)
    return Column(name, Text, CheckConstraint(f'"{name}" IN ({listed})', name=name), nullable=False)
