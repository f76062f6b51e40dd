"""new, load, check, backup and restore: what they do, say and answer with."""

import errno
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


def test_new_says_what_it_made(run: Run, store: str) -> None:
    Path("again.csv").write_bytes(Path("roster.csv").read_bytes())
    made = run("new", "other.sqlite", "--rules", "iowa-2020", "--roster", "again.csv", "--json")
    assert made.code == 0
    assert {key: made.json[key] for key in ("precincts", "rules", "warnings")} == {
        "precincts": 6,
        "rules": "iowa-2020",
        "warnings": [],
    }
    plain = run("new", "third.sqlite", "--rules", "iowa-2020", "--roster", "again.csv", "--name", "Third")
    assert plain.out.startswith("Made ")
    assert plain.out.endswith("third.sqlite: Third, 6 precincts.\n")


def test_a_folder_with_spaces_and_accents_works(run: Run, store: str) -> None:
    folder = Path("Zoë Café #1")
    folder.mkdir()
    made = run("new", folder / "night 1.sqlite", "--rules", "iowa-2020", "--roster", "roster.csv")
    assert made.code == 0
    assert run("status", folder / "night 1.sqlite").code == 0


def test_an_existing_store_is_never_made_again(run: Run, store: str) -> None:
    before = Path(store).read_bytes()
    again = run("new", store, "--rules", "iowa-2020", "--roster", "roster.csv")
    assert again.code == 3
    assert "already" in again.err
    assert Path(store).read_bytes() == before


def test_a_rule_set_or_a_roster_that_is_not_there_is_refused(run: Run, store: str) -> None:
    wrong = run("new", "x.sqlite", "--rules", "ohio-1812", "--roster", "roster.csv")
    assert (wrong.code, wrong.out) == (3, "")
    assert "iowa-2020" in wrong.err
    missing = run("new", "x.sqlite", "--rules", "iowa-2020", "--roster", "nosuch.csv")
    assert (missing.code, missing.err) == (3, "There is no file nosuch.csv. Check the name and the folder.\n")
    assert not Path("x.sqlite").exists()


def test_bad_roster_rows_are_all_named(run: Run, store: str) -> None:
    Path("bad.csv").write_text(
        "county,precinct,precinct_id,county_delegates\nAlpha,One,A-1,six\nAlpha,Two,A-1,4\n,Three,A-3,2\n",
        encoding="utf-8",
    )
    told = run("new", "x.sqlite", "--rules", "iowa-2020", "--roster", "bad.csv", "--json")
    assert told.code == 3
    assert {problem["row"] for problem in told.json["problems"]} >= {2, 4}
    six = next(problem for problem in told.json["problems"] if problem["value"] == "six")
    assert (six["file"], six["column"]) == ("bad.csv", "county_delegates")
    assert six["expected"]
    assert not Path("x.sqlite").exists()


def test_load_counts_what_is_new_unchanged_and_superseded(run: Run, store: str) -> None:
    first = run("load", store, "results.csv", "--channel", "phone", "--by", "Anna", "--json")
    assert first.code == 0
    assert {key: first.json[key] for key in ("new", "superseded", "unchanged", "refused")} == {
        "new": 3,
        "superseded": 0,
        "unchanged": 0,
        "refused": [],
    }
    text = Path("results.csv").read_text(encoding="utf-8").replace("SAT-1,Warren,12,12", "SAT-1,Warren,12,11")
    Path("results.csv").write_text(text, encoding="utf-8")
    again = run("load", store, "results.csv", "--channel", "phone", "--by", "Anna")
    lines = again.out.splitlines()
    assert lines[0] == "Loaded results.csv as phone reports: 0 new, 1 in place of an older one, 2 unchanged."
    assert lines[1] == "In the precincts loaded: 1 error, 1 warning, 2 notes; no reports differ."
    assert lines[2].startswith("Next: `")
    assert lines[2].endswith(" findings small.sqlite`.")


def test_load_says_what_it_led_to(run: Run, store: str) -> None:
    first = run("load", store, "results.csv", "--channel", "phone", "--by", "Anna", "--json").json
    assert first["mismatched"] == 0
    found = run("findings", store, "--json").json["findings"]
    for severity in ("error", "warning", "note"):
        assert first["findings"][severity] == sum(entry["severity"] == severity for entry in found)
    text = Path("results.csv").read_text(encoding="utf-8").replace("A-1,Biden,14,16", "A-1,Biden,13,16")
    Path("paper.csv").write_text(text, encoding="utf-8")
    second = run("load", store, "paper.csv", "--channel", "paper", "--by", "Bo")
    assert second.code == 0
    assert "the reports of 1 precinct differ." in second.out
    assert " mismatches small.sqlite` and `" in second.out
    again = run("load", store, "paper.csv", "--channel", "paper", "--by", "Bo")
    assert "In the precincts loaded" not in again.out, "nothing was loaded"


def test_problems_of_a_file_are_said_once(run: Run, store: str) -> None:
    text = Path("results.csv").read_text(encoding="utf-8")
    Path("results.csv").write_text(text + "77-DM42,Nobody,1,1,0,\nZ-9,Warren,5,5,1,5\n", encoding="utf-8")
    refused = run("load", store, "results.csv", "--channel", "phone", "--by", "Anna")
    assert refused.err.count("Nobody") == 1
    assert refused.err.count("Z-9") == 1


def test_a_folder_that_cannot_be_written_is_what_is_spoken_of(
    run: Run, store: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("ro").mkdir()

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("caucus_desk.store.location.tempfile.TemporaryFile", refuse)
    for words in (
        ("new", "ro/x.sqlite", "--rules", "iowa-2020", "--roster", "roster.csv"),
        ("backup", store, "ro/x.sqlite"),
    ):
        told = run(*words)
        assert told.code == 4
        assert told.err == (
            f"Nothing can be written into the folder {Path('ro').resolve()}, so no store can be made there. "
            "Choose another folder, or make this one writable.\n"
        )


def test_load_is_all_or_nothing_unless_bad_rows_are_skipped(run: Run, store: str) -> None:
    text = Path("results.csv").read_text(encoding="utf-8")
    Path("results.csv").write_text(text + "77-DM42,Nobody,1,1,0,\nZ-9,Warren,5,5,1,5\n", encoding="utf-8")
    refused = run("load", store, "results.csv", "--channel", "phone", "--by", "Anna")
    assert (refused.code, refused.out) == (3, "")
    assert "Nobody" in refused.err
    assert "Z-9" in refused.err
    assert run("results", store, "--json").json["precincts"]["reporting"] == 0
    skipped = run("load", store, "results.csv", "--channel", "phone", "--by", "Anna", "--skip-bad", "--json")
    assert skipped.code == 1
    assert skipped.json["new"] >= 2
    assert {problem["value"] for problem in skipped.json["refused"]} >= {"Nobody", "Z-9"}


def test_one_person_may_not_load_both_channels(run: Run, store: str) -> None:
    assert run("load", store, "results.csv", "--channel", "phone", "--by", "Anna").code == 0
    second = run("load", store, "results.csv", "--channel", "paper", "--by", "ANNA")
    assert second.code == 3
    assert run("audit", store, "--json").json["events"][0]["action"] == "loaded"


def test_a_verified_precinct_wants_a_reason(run: Run, store: str) -> None:
    for channel, by in (("phone", "Anna"), ("paper", "Bo")):
        assert run("load", store, "results.csv", "--channel", channel, "--by", by).code == 0
    assert run("results", store, "--json").json["precincts"]["verified"] == 3
    text = Path("results.csv").read_text(encoding="utf-8").replace("A-1,Biden,14,16", "A-1,Biden,13,16")
    Path("new.csv").write_text(text, encoding="utf-8")
    assert run("load", store, "new.csv", "--channel", "paper", "--by", "Bo").code == 3
    assert run("results", store, "--json").json["precincts"]["verified"] == 3
    done = run(
        "load", store, "new.csv", "--channel", "paper", "--by", "Bo", "--correct", "chair rang", "--json"
    )
    assert (done.code, done.json["superseded"]) == (0, 1)


def test_check_finds_a_sound_store_and_a_changed_one(run: Run, reported: str) -> None:
    sound = run("check", reported, "--json")
    assert (sound.code, sound.json["ok"]) == (0, True)
    assert {"audit chain", "control totals"} <= {line["name"] for line in sound.json["checks"]}
    with sqlite3.connect(reported) as raw:
        raw.execute("UPDATE precinct_state SET verified = 1 - verified")
    raw.close()
    bad = run("check", reported)
    assert bad.code == 1
    assert "BAD states" in bad.out
    mended = run("check", reported, "--rebuild")
    assert mended.code == 0
    assert "were not right" in mended.out
    assert run("check", reported).code == 0


def test_backup_and_restore_give_the_same_figures_and_overwrite_nothing(run: Run, reported: str) -> None:
    assert run("backup", reported, "copy.sqlite").code == 0
    made = run("restore", "copy.sqlite", "back.sqlite", "--json")
    assert made.code == 0
    assert Path(made.json["store"]).name == "back.sqlite"
    rows = [run("results", name, "--json").json["rows"] for name in (reported, "back.sqlite")]
    assert rows[0] == rows[1]
    for words in (("backup", reported, "copy.sqlite"), ("restore", "copy.sqlite", reported)):
        again = run(*words)
        assert again.code == 3
        assert "already" in again.err


@pytest.mark.parametrize("content", [b"", b"not a database at all, only text\n" * 50])
def test_what_is_no_store_is_said_and_left_alone(run: Run, content: bytes) -> None:
    Path("letter.sqlite").write_bytes(content)
    told = run("status", "letter.sqlite")
    assert (told.code, told.out) == (4, "")
    assert "letter.sqlite" in told.err
    assert "Traceback" not in told.err
    assert Path("letter.sqlite").read_bytes() == content


def test_another_programs_database_is_refused(run: Run) -> None:
    with sqlite3.connect("other.sqlite") as raw:
        raw.execute("CREATE TABLE songs (title TEXT)")
    raw.close()
    assert run("results", "other.sqlite").code == 4


def test_a_store_that_is_not_there_is_4(run: Run) -> None:
    for words in (
        ["status", "none.sqlite"],
        ["results", "none.sqlite", "--json"],
        ["check", "none.sqlite"],
        ["backup", "none.sqlite", "copy.sqlite"],
    ):
        told = run(*words)
        assert told.code == 4, words
        assert "none.sqlite" in told.err
    assert not Path("none.sqlite").exists()
    assert not Path("copy.sqlite").exists()


def test_a_network_drive_is_said_when_a_store_is_made(
    run: Run, store: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from caucus_desk.store import file_place

    monkeypatch.setattr(file_place, "network_warning", lambda path: f"{path} lies on a network drive.")
    made = run("new", "other.sqlite", "--rules", "iowa-2020", "--roster", "roster.csv", "--json")
    assert any("lies on a network drive" in warning for warning in made.json["warnings"])
    assert "lies on a network drive" in made.err
