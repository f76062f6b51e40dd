"""What holds for every command: help, version, exit codes, faults, pipes, and machines without a display."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from caucus_desk import __version__
from caucus_desk.commands import showing, window
from caucus_desk.commands.window import why_no_window

Run = Callable[..., Any]
COMMANDS = [
    "open",
    "demo",
    "new",
    "load",
    "status",
    "results",
    "findings",
    "ack",
    "mismatches",
    "report",
    "check",
    "backup",
    "restore",
    "audit",
    "math",
]
REPO = Path(__file__).parents[2]


def program(
    *words: object, env: Mapping[str, str] | None = None, **options: Any
) -> subprocess.CompletedProcess[str]:
    here = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    here.pop("QT_QPA_PLATFORM", None)
    return subprocess.run(
        [sys.executable, "-m", "caucus_desk", *map(str, words)],
        cwd=REPO,
        env={**here, **(env or {})},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
        **options,
    )


def test_version_and_help_need_no_window_and_no_store(run: Run) -> None:
    said = program("--version")
    assert (said.returncode, said.stdout, said.stderr) == (0, f"Caucus Desk {__version__}\n", "")
    text = run("--help")
    assert text.code == 0
    assert all(f"    {name} " in text.out or f"    {name}\n" in text.out for name in COMMANDS)
    for name in COMMANDS:
        assert run(name, "--help").code == 0


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("nosuch",),
        ("status",),
        ("load", "s.sqlite", "f.csv", "--channel", "pigeon", "--by", "A"),
        ("results", "s.sqlite", "--by", "street"),
        ("findings", "s.sqlite", "--severity", "E"),
        ("new", "s.sqlite", "--rules", "iowa-2020"),
        ("stat", "s.sqlite"),
        ("status", "s.sqlite", "--js"),
    ],
)
def test_wrong_use_is_2_with_a_word_about_it(run: Run, words: tuple[str, ...]) -> None:
    said = run(*words)
    assert (said.code, said.out) == (2, "")
    assert said.err


def test_options_may_stand_before_and_after_the_command(run: Run, store: str) -> None:
    before, after = run("--json", "status", store).json, run("status", store, "--json").json
    assert before.pop("as_of") <= after.pop("as_of")  # a second may pass between the two
    assert before == after


def test_a_refusal_is_one_json_document_under_json(run: Run) -> None:
    said = run("status", "none.sqlite", "--json")
    assert said.code == 4
    assert said.json["exit_code"] == 4
    assert said.json["error"] + "\n" == said.err


def test_a_fault_of_the_program_is_one_sentence_and_a_log(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def broken(*_: object) -> int:
        raise ZeroDivisionError("the bug")

    monkeypatch.setattr(showing, "run_status", broken)
    said = run("--data-dir", tmp_path / "elsewhere", "status", "x.sqlite", "--json")
    log = tmp_path / "elsewhere" / "logs" / "caucus-desk.log"
    assert said.code == 70
    assert said.err == (
        f"Something went wrong in Caucus Desk itself (ZeroDivisionError). What happened is in {log}.\n"
    )
    assert said.json["exit_code"] == 70
    assert "the bug" in log.read_text(encoding="utf-8")
    loud = run("--data-dir", tmp_path / "elsewhere", "--debug", "status", "x.sqlite")
    assert "Traceback" in loud.err
    assert "the bug" in loud.err


def test_what_the_machine_refuses_is_said_without_a_traceback(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> int:
        raise OSError(28, "No space left on device", "big.xlsx")

    monkeypatch.setattr(showing, "run_status", full)
    said = run("status", "x.sqlite", "--json")
    assert said.code == 3
    assert said.err == "status stopped at big.xlsx: the disk is full. Free some space, then try again.\n"
    assert said.json["error"] + "\n" == said.err


def test_a_folder_of_our_own_that_may_not_be_written(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def sealed(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", "ro/data")

    monkeypatch.setattr("caucus_desk.desk.sample.make_sample", sealed)
    said = run("demo", "--no-window")
    assert said.code == 3
    assert said.err == (
        "demo stopped at ro/data: this may not be written or read. Choose another folder with --dir.\n"
    )


def test_help_names_the_data_folder(run: Run, tmp_path: Path) -> None:
    said = run("--help").out
    assert str(tmp_path / "data") in said
    assert "CAUCUS_DESK_DATA" in said


def test_stopping_with_the_keyboard(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(showing, "run_status", stopped)
    said = run("status", "x.sqlite")
    assert (said.code, said.out) == (130, "")
    assert said.err.startswith("Stopped.")


def test_a_reader_who_leaves_early_hears_no_complaint(run: Run, reported: str) -> None:
    store = Path(reported).resolve()
    head = subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.readline()"], stdin=subprocess.PIPE)
    assert head.stdin is not None
    words = [sys.executable, "-c", _LONG, str(store)]
    writer = subprocess.run(
        words, cwd=REPO, stdout=head.stdin, stderr=subprocess.PIPE, text=True, timeout=100, check=False
    )
    head.stdin.close()
    head.wait(timeout=20)
    assert writer.stderr == ""
    assert writer.returncode == 141


_LONG = """
import sys
from caucus_desk.commands import main, showing
def endless(arguments, out):
    for number in range(10**6):
        out.line("a line that nobody reads any more")
    return 0
showing.run_status = endless
sys.exit(main(["status", sys.argv[1]]))
"""


def test_a_number_of_real_processes(run: Run, reported: str) -> None:
    """`python -m caucus_desk` as a script calls it: documents alone on standard output."""
    store = Path(reported).resolve()
    results = program("results", store, "--json")
    assert (results.returncode, results.stderr) == (0, "")
    assert json.loads(results.stdout)["caucus"] == "Small"
    mismatches = program("mismatches", store)
    assert mismatches.returncode == 1
    assert mismatches.stderr == ""
    assert program("status", "nosuch.sqlite").returncode == 4


def test_a_terminal_without_the_letters_is_no_fault(run: Run, store: str) -> None:
    Path("named.csv").write_text(
        "county,precinct,precinct_id,county_delegates\nAlpha,Žižkov Łódź,A-1,4\n", encoding="utf-8"
    )
    assert run("new", "named.sqlite", "--rules", "iowa-2020", "--roster", "named.csv").code == 0
    said = program("status", Path("named.sqlite").resolve(), env={"PYTHONIOENCODING": "ascii"})
    assert (said.returncode, said.stderr) == (0, "")
    assert r"\u017di\u017ekov" in said.stdout


def test_progress_stays_off_a_pipe(run: Run, store: str, tmp_path: Path) -> None:
    path = tmp_path / store
    said = program("load", path, tmp_path / "results.csv", "--channel", "app", "--by", "feed", "--json")
    assert (said.returncode, said.stderr) == (0, "")
    assert json.loads(said.stdout)["new"] == 3


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent in another way there")
def test_ctrl_c_in_long_work_leaves_nothing_half_done(tmp_path: Path) -> None:
    folder = tmp_path / "sample"
    process = subprocess.Popen(
        [sys.executable, "-m", "caucus_desk", "demo", "--no-window", "--dir", str(folder)],
        cwd=REPO,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 30
    while not list(folder.glob(".sample-caucus.sqlite.*")) and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err.startswith("Stopped.")
    assert "Traceback" not in out + err
    assert list(folder.glob("*.sqlite*")) == []
    assert list(folder.glob(".sample*")) == []


# ---- no display ----


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere there is always a display")
def test_open_without_a_display_names_the_commands_that_need_none() -> None:
    said = program("open")
    assert (said.returncode, said.stdout) == (3, "")
    assert said.stderr.startswith(
        "There is no display, so no window can open here; these commands need none: "
    )
    assert said.stderr.count("\n") == 1
    for name in COMMANDS[1:]:
        assert name in said.stderr


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere there is always a display")
def test_a_display_that_does_not_answer_is_said_before_qt_gives_up() -> None:
    said = program("open", env={"DISPLAY": ":4711"})
    assert said.returncode == 3
    assert said.stderr.startswith("The display :4711 does not answer, so no window can open here")


def test_an_offscreen_platform_needs_no_display(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    assert why_no_window() is None


def test_open_says_what_is_wrong_with_a_store_before_a_window_is_built(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    assert run("open", "none.sqlite").code == 4


def test_open_opens_the_window_on_the_store(run: Run, store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import caucus_desk.ui.app as app

    opened: list[str | None] = []
    monkeypatch.setattr(app, "run", lambda location: opened.append(location) or 0)
    monkeypatch.setattr(window, "why_no_window", lambda: None)
    assert run("open", store).code == 0
    assert run("open").code == 0
    assert opened == [store, None]


def test_demo_without_a_display_does_the_main_job(tmp_path: Path) -> None:
    said = program("demo", "--dir", tmp_path / "my sample")
    assert said.returncode == 0, said.stderr
    store = tmp_path / "my sample" / "sample-caucus.sqlite"
    workbook = tmp_path / "my sample" / "sample-caucus-results.xlsx"
    assert store.exists()
    assert workbook.exists()
    for words in ("UNOFFICIAL, PARTIAL", "Buttigieg", "National delegates", "do not match.", str(workbook)):
        assert words in said.stdout
    assert said.stdout.endswith(f" -m caucus_desk open '{store}'\n")
    assert "There is no display" in said.stdout
    assert f"In {store.parent} lie also sample-roster.csv and sample-late-app-results.csv" in said.stdout
    assert (store.parent / "sample-roster.csv").exists()


def test_demo_no_window_as_one_document(run: Run, tmp_path: Path) -> None:
    said = run("demo", "--no-window", "--dir", tmp_path / "d", "--json")
    assert said.code == 0
    document = said.json
    assert document["precincts"]["total"] > 1_700
    assert len(document["mismatches"]) > 40
    assert Path(document["workbook"]).exists()
    assert run("check", document["store"]).code == 0
