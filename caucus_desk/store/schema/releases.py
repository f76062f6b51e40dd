"""Releases and recanvasses, told by an audit event each."""

from sqlalchemy import CheckConstraint, Column, ForeignKey, Integer, Table, Text

from caucus_desk.store.schema.columns import (
    count,
    flag,
    key,
    metadata,
    one_of,
    refers,
    sheet_columns,
    sheet_tables,
    text_,
    time_,
    told,
)

release = Table(
    "release",
    metadata,
    key(),
    told(),
    one_of("counting", "reported", "verified"),
    text_("note"),
    text_("by_name"),
    time_("at"),
    flag("needs_approval", nullable=False),
    Column("newest_report", Integer, nullable=False),
    text_("digest"),
    sqlite_strict=True,
)
"""`id` is the release's number, from 1. `digest` is of everything that it counts; it never changes."""
release_pass = Table(
    "release_pass",
    metadata,
    refers("release_id", "release.id", primary_key=True),
    text_("item", primary_key=True),
    text_("found"),
    text_("reason"),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)
"""What the gate held back and a lead passed, with the reason."""
release_approval = Table(
    "release_approval",
    metadata,
    refers("release_id", "release.id", primary_key=True),
    told(),
    text_("by_name"),
    time_("at"),
    sqlite_strict=True,
)
release_precinct = Table(
    "release_precinct",
    metadata,
    refers("release_id", "release.id", primary_key=True),
    refers("precinct_id", "precinct.id", primary_key=True),
    Column(
        "state",
        Text,
        CheckConstraint("state IN ('awaiting', 'mismatched', 'matched', 'single', 'ruled')", name="state"),
        nullable=False,
    ),
    flag("verified", nullable=False),
    flag("counted", nullable=False),
    Column("report_id", ForeignKey("report.id")),
    Column("ruling_id", ForeignKey("ruling.id")),
    Column("reports", Text, nullable=False),
    text_("fingerprint"),
    count("attendance"),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)
"""One line a precinct: how it stood, and which sheet counts. `reports`: ids of its standing reports."""
release_row = Table(
    "release_row",
    metadata,
    refers("release_id", "release.id", primary_key=True),
    refers("precinct_id", "precinct.id", primary_key=True),
    refers("group_id", "preference_group.id", primary_key=True),
    count("first"),
    count("final"),
    count("delegates"),
    Column("sde_num", Integer),
    Column("sde_den", Integer, CheckConstraint("(sde_num IS NULL) = (sde_den IS NULL)", name="sde")),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)
"""The counts that a release counts, group by group; the SDEs are those it published."""
release_basis = Table(
    "release_basis",
    metadata,
    refers("release_id", "release.id", primary_key=True),
    text_("basis"),
    sqlite_strict=True,
)
"""JSON: the caucus, its rules and ballot, the control totals and the maker's zone, as they were."""
release_line = Table(
    "release_line",
    metadata,
    refers("release_id", "release.id", primary_key=True),
    refers("precinct_id", "precinct.id", primary_key=True),
    Column("place", Integer, nullable=False),
    text_("line"),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)
"""JSON, a line a precinct, merged ones too: its line of the roster, and what its sheet says beside figures.
`place` is its place in the roster."""
recanvass = Table(
    "recanvass",
    metadata,
    key("seq"),
    one_of("kind", "recanvass", "recount"),
    refers("release_id", "release.id", nullable=True),
    text_("requested_by"),
    text_("reason"),
    time_("deadline"),
    text_("by_name"),
    time_("at"),
    text_("precincts"),
    sqlite_strict=True,
)
"""Chosen precincts that are keyed again from paper; `precincts` are their ids, a line each."""
recanvass_report = Table(
    "recanvass_report",
    metadata,
    key(),
    told(),
    Column("recanvass_id", ForeignKey("recanvass.seq"), nullable=False),
    refers("precinct_id", "precinct.id"),
    text_("by_name"),
    time_("at"),
    text_("note"),
    text_("digest"),
    *sheet_columns(),
    sqlite_strict=True,
)
"""`digest` is of the counts in its rows."""
recanvass_report_row, recanvass_report_extra, recanvass_report_chance = sheet_tables("recanvass_report")
recanvass_end = Table(
    "recanvass_end",
    metadata,
    Column("recanvass_id", ForeignKey("recanvass.seq"), primary_key=True, nullable=False),
    told(),
    text_("by_name"),
    time_("at"),
    text_("outcome"),
    sqlite_strict=True,
)
