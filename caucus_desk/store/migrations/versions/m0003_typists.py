"""Everyone who typed in a sheet, what had come in when a draft was begun, and who looked at figures."""

from alembic import op
from sqlalchemy import Column, ForeignKey, Integer, MetaData, Table, Text, text

revision = "0003"
down_revision = "0002"

metadata = MetaData()
for _name in ("draft", "report"):
    Table(_name, metadata, Column("id", Integer, primary_key=True))


def _typists(owner: str) -> Table:
    return Table(
        f"{owner}_typist",
        metadata,
        Column(f"{owner}_id", ForeignKey(f"{owner}.id"), primary_key=True, nullable=False),
        Column("name", Text, primary_key=True, nullable=False),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )


draft_typist, report_typist = _typists("draft"), _typists("report")


def upgrade() -> None:
    bind = op.get_bind()
    metadata.create_all(bind, tables=[draft_typist, report_typist])
    op.execute("ALTER TABLE draft ADD COLUMN begun_after INTEGER DEFAULT 0 NOT NULL")
    op.execute("UPDATE draft SET begun_after = (SELECT coalesce(max(id), 0) FROM report)")
    op.execute(
        "INSERT INTO draft_typist SELECT id, by_name FROM draft "
        "WHERE EXISTS (SELECT 1 FROM draft_field WHERE draft_id = draft.id)"
    )
    op.create_index("ix_audit_looked", "audit", ["precinct_id"], sqlite_where=text("action = 'looked'"))
    if bind.dialect.name == "sqlite":
        for change in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER report_typist_no_{change.lower()} BEFORE {change} ON report_typist "
                "BEGIN SELECT RAISE(ABORT, 'report_typist is only ever added to'); END"
            )
