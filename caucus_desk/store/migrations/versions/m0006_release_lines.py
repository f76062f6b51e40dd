"""What else a release froze: its rules, its roster, and what a sheet says beside its figures."""

from alembic import op
from sqlalchemy import Column, ForeignKey, Integer, MetaData, Table, Text

revision = "0006"
down_revision = "0005"

metadata = MetaData()
Table("release", metadata, Column("id", Integer, primary_key=True))
Table("precinct", metadata, Column("id", Text, primary_key=True))
NEW = ("release_basis", "release_line")

Table(
    "release_basis",
    metadata,
    Column("release_id", ForeignKey("release.id"), primary_key=True, nullable=False),
    Column("basis", Text, nullable=False),
    sqlite_strict=True,
)
Table(
    "release_line",
    metadata,
    Column("release_id", ForeignKey("release.id"), primary_key=True, nullable=False),
    Column("precinct_id", ForeignKey("precinct.id"), primary_key=True, nullable=False),
    Column("place", Integer, nullable=False),
    Column("line", Text, nullable=False),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)


def upgrade() -> None:
    bind = op.get_bind()
    metadata.create_all(bind, tables=[metadata.tables[name] for name in NEW])
    if bind.dialect.name == "sqlite":
        for table in NEW:
            for change in ("UPDATE", "DELETE"):
                op.execute(
                    f"CREATE TRIGGER {table}_no_{change.lower()} BEFORE {change} ON {table} "
                    f"BEGIN SELECT RAISE(ABORT, '{table} is only ever added to'); END"
                )
