"""The trail of one precinct without reading the whole trail."""

from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_index("ix_audit_precinct_id", "audit", ["precinct_id"])
