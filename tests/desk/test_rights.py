"""`users grants`: an account of the database works the program, and can change nothing with any other."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType

import psycopg
import pytest

from caucus_desk.desk.attachments import attach, attachments, bytes_of, withdraw_attachment
from caucus_desk.desk.calls import CallEnd, record_call
from caucus_desk.desk.chase import received
from caucus_desk.desk.claiming import claim_case, release_case
from caucus_desk.desk.entry import claim, discard, save_draft, submit
from caucus_desk.desk.errands import end_errand, send_back
from caucus_desk.desk.forms import write_form
from caucus_desk.desk.integrity import check_store, rebuild_states
from caucus_desk.desk.keeping import backup
from caucus_desk.desk.loading import load_results
from caucus_desk.desk.looking import look
from caucus_desk.desk.people import change_pin, make_account, make_first_administrator, sign_in
from caucus_desk.desk.releasing import gate, make_release
from caucus_desk.desk.review import rule, withdraw_ruling
from caucus_desk.desk.rights import Rights, give_rights, statements_of
from caucus_desk.desk.roles import Role
from caucus_desk.desk.session import Desk, open_desk
from caucus_desk.desk.settings import change_setting
from caucus_desk.desk.workbook import write_workbook
from caucus_desk.rules.errors import Refused
from caucus_desk.store.errors import StoreError, StoreReadOnly, StoreUnsupported
from caucus_desk.store.schema import ONLY_ADDED, metadata
from caucus_desk.store.shared.grants import LEADS_ADD, LEADS_CHANGE, SECRET, WORKING
from caucus_desk.tally.report import Channel
from caucus_desk.tally.results import Counting
from caucus_desk.tally.sheet import GroupCounts, ResultSheet
from tests.postgres import PASSWORD, as_account, at, database, run, server

pytestmark = [pytest.mark.a_file, pytest.mark.usefixtures("qapp")]

RESULTS = """precinct_id,candidate,first_alignment,final_alignment,county_delegates,attendance
A-1,Biden,14,16,1,100
A-1,Buttigieg,36,38,3,
A-1,Sanders,24,24,2,
A-1,Warren,22,22,1,
A-1,Yang,4,0,0,
"""


ANY = {f"C{number:02}": "so it says" for number in range(1, 54)}


@pytest.fixture
def place(small_roster: Path, made_once: ModuleType) -> Iterator[str]:
    with database() as address:
        made_once.create(address, "iowa-2020", small_roster, by="maker", name="Small").close()
        yield address


def raw(address: str) -> "psycopg.Connection[tuple[object, ...]]":
    return psycopg.connect(address.replace("+psycopg", "", 1), autocommit=True)


def sheet(**changed: int) -> ResultSheet:
    return ResultSheet(
        100,
        tuple(
            GroupCounts(key, first, changed.get(key, final), delegates)
            for key, first, final, delegates in (
                ("Biden", 14, 16, 1),
                ("Buttigieg", 36, 38, 2),
                ("Sanders", 24, 24, 2),
                ("Warren", 22, 22, 1),
                ("Yang", 4, 0, 0),
            )
        ),
    )


def clerks_night(desk: Desk, folder: Path, scans: ModuleType) -> None:
    """Every job of a clerk and a reviewer."""
    record_call(desk, by="Cleo", ended=CallEnd.QUESTION, at=datetime.now(UTC))
    draft = claim(desk, "A-1", Channel.PHONE, "Cleo")
    save_draft(desk, draft.id, {"attendance": "100"})
    submit(desk, draft.id, sheet(), "Cleo", reasons={})
    paper = claim(desk, "A-1", Channel.PAPER, "Cal")
    submit(
        desk,
        paper.id,
        sheet(Sanders=25),
        "Cal",
        reasons=ANY,
        confirmed=True,
    )
    dropped = claim(desk, "A-2", Channel.PAPER, "Cal")
    discard(desk, dropped.id, "Cal")
    look(desk, "A-1", "Cal")
    given = attach(desk, "A-1", scans.png(folder / "a.png"), by="Cleo")
    assert bytes_of(desk, attachments(desk, "A-1")[0])
    withdraw_attachment(desk, given.id, reason="the wrong sheet", by="Cleo")
    received(desk, ["A-2"], by="Cleo")
    claim_case(desk, "A-1", "Rita")
    errand = send_back(desk, "A-1", "fetch", note="the paper is lost", by="Rita")
    end_errand(desk, errand.id, outcome="found", by="Rita")
    seen = max(report.id for report in desk.overview().results["A-1"].reports.values())
    ruled = rule(desk, "A-1", {"Sanders.final": 24}, seen_report=seen, reason="read it twice", by="Rita")
    withdraw_ruling(desk, ruled.id, "read it once more", "Rita")
    release_case(desk, "A-1", "Rita")
    write_workbook(desk, folder / "out.xlsx", by="Cleo")


def leads_work(desk: Desk, folder: Path, by: str = "Lea") -> None:
    (folder / "r.csv").write_text(RESULTS, encoding="utf-8")
    load_results(desk, folder / "r.csv", channel=Channel.APP, by=by)
    change_setting(desk, "idle_minutes", "7", by=by)
    held = {item.id: "it is only a trial" for item in gate(desk, Counting.REPORTED).held}
    make_release(desk, Counting.REPORTED, passes=held, by=by)
    rebuild_states(desk, by)
    backup(desk.location, folder / f"{by}.caucus", desk=desk, by=by)


def test_a_clerks_account_works_the_program(place: str, tmp_path: Path, scans: ModuleType) -> None:
    with open_desk(as_account(place, "clerk")) as desk:
        assert not desk.read_only
        clerks_night(desk, tmp_path, scans)
        assert all(line.ok for line in check_store(desk))


def test_a_leads_account_does_all_of_it(place: str, tmp_path: Path, scans: ModuleType) -> None:
    with open_desk(as_account(place, "lead")) as desk:
        clerks_night(desk, tmp_path, scans)
        leads_work(desk, tmp_path)
        assert all(line.ok for line in check_store(desk))


def test_what_a_lead_does_is_refused_to_a_clerks_account_in_a_sentence(place: str, tmp_path: Path) -> None:
    with open_desk(as_account(place, "clerk")) as desk, pytest.raises(StoreReadOnly) as refused:
        change_setting(desk, "idle_minutes", "7", by="Cleo")
    assert "Your database account may not do that" in refused.value.sentence
    assert "it has no right to the table setting. Nothing was saved" in refused.value.sentence
    assert "`users grants` gave the leads' rights" in refused.value.sentence


def test_accounts_of_the_program_work_beside_those_of_the_database(place: str) -> None:
    with open_desk(as_account(place, "lead")) as desk:
        make_first_administrator(desk, "Ada", "1357")
        make_account(desk, "Cleo", Role.CLERK, "2468", by="Ada")
    with open_desk(as_account(place, "clerk")) as desk:
        with pytest.raises(Refused):
            sign_in(desk, "Cleo", "1111")
        sign_in(desk, "Cleo", "2468")
        change_pin(desk, "Cleo", "97531", by="Cleo")
        claim(desk, "A-1", Channel.PHONE, "Cleo")
        assert all(line.ok for line in check_store(desk))


@pytest.mark.parametrize("kind", ["clerk", "lead", "viewer"])
def test_nothing_that_was_said_is_changed_by_sql(place: str, kind: str) -> None:
    address = as_account(place, kind)
    changed = [*ONLY_ADDED, "caucus", "preference_group", "precinct"]
    with raw(address) as connection:
        for table in changed:
            for statement in (
                f"DELETE FROM {table}",
                f"UPDATE {table} SET {metadata.tables[table].columns.keys()[0]} = NULL",
                f"TRUNCATE {table} CASCADE",
                f"ALTER TABLE {table} DISABLE TRIGGER ALL",
                f"DROP TABLE {table}",
                f"ALTER TABLE {table} ADD COLUMN mine int",
            ):
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    connection.execute(statement.encode())
        for statement in (
            "SET session_replication_role = replica",
            "UPDATE audit_counter SET last = 0",
            "DROP FUNCTION only_added CASCADE",
            "CREATE OR REPLACE FUNCTION only_added() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN END'",
            "CREATE TABLE mine (id int)",
            "UPDATE alembic_version SET version_num = '9'",
            "UPDATE person SET role = 'lead', name = 'x'",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(statement.encode())


def test_every_table_is_thought_of() -> None:
    """A new table has its place: what is only added to, what is worked with, or what never changes."""
    fixed = {"caucus", "preference_group", "precinct"}
    placed = {*ONLY_ADDED, *WORKING, *LEADS_CHANGE, *fixed}
    assert set(metadata.tables) <= placed
    assert {*LEADS_ADD, *SECRET} <= set(ONLY_ADDED)


def test_a_viewer_sees_the_results_and_writes_nothing(place: str, tmp_path: Path, scans: ModuleType) -> None:
    with open_desk(place) as desk:
        clerks_night(desk, tmp_path, scans)
    viewer = as_account(place, "viewer")
    with pytest.raises(StoreReadOnly, match="can only be read with your database account"):
        open_desk(viewer)
    with open_desk(viewer, looking=True) as desk:
        assert desk.read_only
        assert desk.overview().coverage().reporting == 1
        with pytest.raises(StoreReadOnly, match="can only be read with your database account") as refused:
            claim(desk, "A-2", Channel.PHONE, "Vi")
        assert "file" not in refused.value.sentence
        assert "folder" not in refused.value.sentence
        events = desk.saved_seq()
        assert not write_workbook(desk, tmp_path / "vi.xlsx", by="Vi").noted
        assert not write_form(desk, "Alpha", tmp_path / "form.xlsx", by="Vi").noted
        assert desk.saved_seq() == events
        assert all(line.ok for line in check_store(desk))
    with raw(viewer) as connection:
        for table in metadata.tables:
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(f"INSERT INTO {table} DEFAULT VALUES".encode())
        for table in SECRET:
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(f"SELECT * FROM {table}".encode())
        with connection.transaction(), pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("LOCK TABLE turn IN EXCLUSIVE MODE")


def test_a_copy_for_reading_only_opens_for_looking(place: str) -> None:
    run(place, f"ALTER DATABASE {place.rsplit('/', 1)[1]} SET default_transaction_read_only = on")
    with pytest.raises(StoreReadOnly, match="it is a replica"):
        open_desk(place)
    with open_desk(place, looking=True) as desk:
        assert desk.read_only
        assert desk.overview().coverage().reporting == 0
        with pytest.raises(StoreReadOnly):
            claim(desk, "A-2", Channel.PHONE, "Vi")


def test_giving_rights_again_takes_what_was_too_much(place: str) -> None:
    clerk = as_account(place, "clerk")
    run(place, "GRANT ALL ON report TO caucus_test_clerks", "GRANT DELETE ON report TO PUBLIC")
    with open_desk(place) as desk:
        rights = Rights("caucus_test_clerks", "caucus_test_viewers", "caucus_test_leads")
        shown = statements_of(desk, rights)
        assert not [one for one in shown if one.startswith("CREATE ROLE")]
        before = desk.saved_seq()
        assert give_rights(desk, rights, by="Ada") == shown
        assert desk.saved_seq() == before + 1
    with raw(clerk) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
        connection.execute("DELETE FROM report")


def test_without_leads_the_clerks_role_does_all(place: str, tmp_path: Path, scans: ModuleType) -> None:
    name = place.rsplit("/", 1)[1]
    try:
        with open_desk(place) as desk:
            give_rights(desk, Rights(f"{name}_all", f'{name} "odd" ü'), by="Ada")
        run(place, f"CREATE ROLE {name}_ann LOGIN PASSWORD '{PASSWORD}' IN ROLE {name}_all")
        with open_desk(at(place, name, user=f"{name}_ann", password=PASSWORD)) as desk:
            clerks_night(desk, tmp_path, scans)
            leads_work(desk, tmp_path)
    finally:
        with raw(place) as connection:
            for role in (f"{name}_ann", f"{name}_all", f'{name} ""odd"" ü'):
                connection.execute(f'DROP OWNED BY "{role}"'.encode())
                connection.execute(f'DROP ROLE "{role}"'.encode())


def test_what_is_refused(place: str, desk: Desk) -> None:
    with pytest.raises(StoreUnsupported, match="is a file"):
        give_rights(desk, Rights("a", "b"), by="Ada")
    owner = server().split("://", 1)[1].split(":", 1)[0]
    with open_desk(place) as shared:
        for rights, why in (
            (Rights(owner, "b"), "nothing could be kept from it"),
            (Rights("a", "a"), "different names"),
            (Rights("pg_mine", "b"), "cannot be the name"),
            (Rights("a", "b" * 64), "cannot be the name"),
            (Rights("a%", "b"), "%"),
        ):
            with pytest.raises(Refused, match=why):
                give_rights(shared, rights, by="Ada")
    with open_desk(as_account(place, "lead")) as lead, pytest.raises(StoreError, match="owns the tables"):
        give_rights(lead, Rights("a", "b"), by="Ada")


EVIL = """
CREATE TEMP TABLE audit_counter (id int, last bigint, hash text);
INSERT INTO audit_counter SELECT 1, last, hash FROM public.audit_counter;
GRANT ALL ON audit_counter TO PUBLIC;
CREATE FUNCTION pg_temp.evil() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN EXECUTE 'ALTER TABLE public.report_row DISABLE TRIGGER report_row_only_added'; RETURN NEW; END $$;
CREATE TRIGGER e BEFORE UPDATE ON audit_counter FOR EACH ROW EXECUTE FUNCTION pg_temp.evil();
"""
NEXT_EVENT = """
INSERT INTO public.audit (seq, at, actor, action, sentence, content, prev_hash, hash)
SELECT {seq}, '2026-11-30T15:00:00+00:00', 'Cleo', 'locked', 's', '', {hash}, 'x' FROM public.audit_counter
"""


def test_no_account_makes_tables_that_stand_in_for_the_stores(place: str) -> None:
    with raw(as_account(place, "clerk")) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
        connection.execute(EVIL.encode())


def test_a_temporary_table_is_never_taken_for_the_counter(place: str) -> None:
    """Also where somebody gave the right to make one back."""
    clerk = as_account(place, "clerk")
    run(place, f"GRANT TEMPORARY ON DATABASE {place.rsplit('/', 1)[1]} TO PUBLIC")
    with raw(clerk) as connection:
        for statement in EVIL.split(";\n"):
            connection.execute(statement.encode())
        connection.execute(NEXT_EVENT.format(seq="last + 1", hash="hash").encode())
    with open_desk(place) as desk:
        found = {line.name: line for line in check_store(desk)}
    assert "switched off" not in found["database"].detail


@pytest.mark.parametrize(("seq", "hash"), [("2147483647", "hash"), ("last + 2", "hash"), ("last + 1", "'y'")])
def test_an_event_that_does_not_follow_is_refused(place: str, seq: str, hash: str) -> None:
    with raw(as_account(place, "clerk")) as connection, pytest.raises(psycopg.Error, match="does not follow"):
        connection.execute(NEXT_EVENT.format(seq=seq, hash=hash).encode())
    with open_desk(place) as desk:
        change_setting(desk, "idle_minutes", "7", by="Lea")
        assert all(line.ok for line in check_store(desk))


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        (
            "CREATE OR REPLACE FUNCTION only_added() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RETURN NULL; END $$",
            "the function only_added was altered",
        ),
        ("ALTER FUNCTION audit_follows() RESET search_path", "the function audit_follows was altered"),
        ("DROP TRIGGER audit_told ON audit", "the guard audit_told of audit is gone"),
        ("DROP TRIGGER report_only_added ON report", "the guard report_only_added of report is gone"),
        (
            "ALTER TABLE report DISABLE TRIGGER report_only_added",
            "report_only_added of report is switched off",
        ),
        (
            "CREATE FUNCTION own(q text) RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS "
            "$$ BEGIN EXECUTE q; END $$",
            "there is the foreign function own",
        ),
        (
            "CREATE TRIGGER t BEFORE INSERT ON report FOR EACH ROW EXECUTE FUNCTION only_added()",
            "report has the foreign trigger t",
        ),
        ("CREATE RULE r AS ON INSERT TO report DO INSTEAD NOTHING", "report has the foreign rule r"),
    ],
)
def test_a_guard_that_is_hollow_is_found(place: str, statement: str, told: str) -> None:
    with open_desk(place) as desk:
        assert all(line.ok for line in check_store(desk))
    run(place, statement)
    with open_desk(place) as desk:
        (line,) = [line for line in check_store(desk) if line.name == "database"]
    assert not line.ok
    assert told in line.detail


def test_a_pin_that_was_set_past_the_program_lets_nobody_in(place: str) -> None:
    with open_desk(place) as desk:
        make_first_administrator(desk, "Ada", "13579")
        sign_in(desk, "Ada", "13579")
        make_account(desk, "Cleo", Role.CLERK, "24680", by="Ada")
        make_account(desk, "Rita", Role.REVIEWER, "11223", by="Ada")
    with raw(as_account(place, "clerk")) as connection:
        connection.execute(
            b"UPDATE person SET secret = (SELECT secret FROM person WHERE name = 'Cleo') WHERE name = 'Rita'"
        )
    with open_desk(as_account(place, "clerk")) as desk:
        with pytest.raises(Refused, match="changed them past the program"):
            sign_in(desk, "Rita", "24680")
        assert not desk.signed_in
