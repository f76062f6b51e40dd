"""An older store is copied, then migrated; the schema in code is the schema on disk."""

import re
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine

from caucus_desk.store import files, migrating, schema
from caucus_desk.store.migrating import MIGRATIONS, migrate
from caucus_desk.store.records import NewReport
from caucus_desk.store.store import Store
from caucus_desk.store.verifying import check_figures
from caucus_desk.tally.report import Channel

pytestmark = pytest.mark.a_file


def objects(connection: sqlite3.Connection, kinds: tuple[str, ...] = ("table", "index")) -> dict[str, str]:
    rows = connection.execute("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL").fetchall()
    return {
        name: re.sub(r"\s+", " ", sql)
        for kind, name, sql in rows
        if kind in kinds and name not in ("alembic_version", "sqlite_sequence")
    }


LATER = (
    "attachment_data",
    "report_origin",
    "packet_taken",
    "headquarters_key",
    "own_key",
    "county_key_end",
    "county_key",
    "desk_beat",
    "submission",
    "identity",
    "recanvass_end",
    "recanvass_report_chance",
    "recanvass_report_extra",
    "recanvass_report_row",
    "recanvass_report",
    "recanvass",
    "release_line",
    "release_basis",
    "release_row",
    "release_precinct",
    "release_approval",
    "release_pass",
    "release",
    "case_claim",
    "attachment_withdrawal",
    "attachment",
    "chase_step",
    "errand_end",
    "errand",
    "ruling_approval",
    "ruling_pending",
    "report_correction",
    "report_confirmation",
    "report_call",
    "call",
    "setting",
    "person",
)
"""Tables that came with versions 0004 to 0007."""


def make_older(store: Store) -> Path:
    """A store as version 0001 left it: the same rows, without what came later."""
    store.close()
    older = sqlite3.connect(store.path)
    for table in LATER:
        older.execute(f'DROP TABLE "{table}"')
    for column in ("desk", "errand_id", "free"):
        older.execute(f"ALTER TABLE draft DROP COLUMN {column}")
    older.execute("DROP TABLE draft_typist")
    older.execute("DROP TABLE report_typist")
    older.execute("ALTER TABLE draft DROP COLUMN begun_after")
    older.execute("DROP INDEX ix_audit_looked")
    older.execute("DROP INDEX ix_audit_precinct_id")
    older.execute("UPDATE alembic_version SET version_num = '0001'")
    older.commit()
    older.close()
    return store.path


def test_the_newest_step_is_the_one_that_opening_expects() -> None:
    script = ScriptDirectory(str(MIGRATIONS))
    assert script.get_current_head() == schema.HEAD
    assert len(list(script.walk_revisions())) >= 2


def test_the_steps_lead_to_the_tables_that_the_code_describes(store: Store, tmp_path: Path) -> None:
    store.close()
    migrated = sqlite3.connect(store.path)
    engine = create_engine(f"sqlite:///{tmp_path / 'described.db'}")
    schema.metadata.create_all(engine)
    engine.dispose()
    described = sqlite3.connect(tmp_path / "described.db")
    assert objects(migrated) == objects(described)
    migrated.close()
    described.close()


def test_an_artificial_older_store_is_what_the_first_step_makes(store: Store, tmp_path: Path) -> None:
    older = sqlite3.connect(make_older(store))
    engine = create_engine(f"sqlite:///{tmp_path / 'first.db'}")
    with engine.begin() as connection:
        migrate(connection, to="0001")
    engine.dispose()
    first = sqlite3.connect(tmp_path / "first.db")
    assert objects(older, ("table", "index", "trigger")) == objects(first, ("table", "index", "trigger"))
    older.close()
    first.close()


def test_an_older_store_is_copied_and_then_migrated(
    store: Store, new_report: Callable[..., NewReport]
) -> None:
    with store.write() as unit:
        unit.add_report(new_report())
    path = make_older(store)
    before = path.read_bytes()
    with Store.open(path) as again, again.read() as unit:
        assert unit.reports()["77-DM42"][0].by == "Ann"
        assert unit.last_seq() == 2
        copy = again.migrated_from
    assert copy is not None
    assert copy.parent == path.parent
    assert copy.name.startswith("caucus.db.version-0001-")
    kept = sqlite3.connect(copy)
    assert kept.execute("SELECT version_num FROM alembic_version").fetchone() == ("0001",)
    assert kept.execute("SELECT count(*) FROM report").fetchone() == (1,)
    kept.close()
    now = sqlite3.connect(path)
    assert now.execute("SELECT version_num FROM alembic_version").fetchone() == (schema.HEAD,)
    assert "ix_audit_precinct_id" in objects(now)
    now.close()
    assert path.read_bytes() != before
    with Store.open(path) as third:  # and once only
        assert third.migrated_from is None
    with Store.open(copy) as from_copy:
        assert from_copy.migrated_from is not None


def test_who_was_typing_before_the_migration_is_known_after_it(
    store: Store, new_report: Callable[..., NewReport]
) -> None:
    with store.write() as unit:
        report = unit.add_report(new_report())
        typed = unit.claim_draft("007", Channel.PHONE, "Ann")
        unit.save_draft_fields(typed.id, {"attendance": "1"})
        empty = unit.claim_draft("007", Channel.PAPER, "Bo")
    with Store.open(make_older(store)) as again, again.read() as unit:
        drafts = {draft.id: (draft.typists, draft.begun_after) for draft in unit.drafts()}
        assert drafts == {typed.id: (("Ann",), report.id), empty.id: ((), report.id)}
        assert unit.typists() == {}
        assert check_figures(unit) == ()


def test_two_migrations_within_one_second_make_two_copies(store: Store) -> None:
    path = make_older(store)
    Store.open(path).close()
    make_older(Store.open(path))
    Store.open(path).close()
    assert len(list(path.parent.glob("*.backup"))) == 2


def test_a_migration_that_fails_changes_nothing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    path = make_older(store)
    old = sqlite3.connect(path)
    before = objects(old)
    old.close()

    def breaks(connection: object) -> None:
        migrating.migrate(connection)  # type: ignore[arg-type]
        raise RuntimeError("power cut")

    monkeypatch.setattr(files, "migrate", breaks)
    with pytest.raises(RuntimeError, match="power cut"):
        Store.open(path)
    monkeypatch.undo()
    old = sqlite3.connect(path)
    assert old.execute("SELECT version_num FROM alembic_version").fetchone() == ("0001",)
    assert objects(old) == before
    old.close()


def test_opening_a_current_store_does_not_load_alembic(store: Store) -> None:
    import subprocess
    import sys

    store.close()
    code = (
        "import sys; from caucus_desk.store.store import Store; "
        f"Store.open({str(store.path)!r}).close(); print('alembic' in sys.modules)"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root)
    assert done.stdout.strip() == "False"
