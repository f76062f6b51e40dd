"""What people are told to type is what works where they are."""

import sys
from pathlib import Path

import pytest

from caucus_desk.commands.calling import as_called


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "caucus-desk"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path / "elsewhere"))
    return tmp_path


def test_a_program_off_the_path_is_named_from_here(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", [str(folder / "bin" / "caucus-desk"), "demo"])
    assert as_called() == "bin/caucus-desk"


@pytest.mark.skipif(sys.platform == "win32", reason="a program without an ending is not found on Windows")
def test_a_program_on_the_path_goes_by_its_name(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(folder / "bin"))
    monkeypatch.setattr(sys, "argv", [str(folder / "bin" / "caucus-desk"), "demo"])
    assert as_called() == "caucus-desk"


def test_a_script_is_named_with_its_python(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", str(folder / "bin" / "python"))
    monkeypatch.setattr(sys, "argv", [str(folder / "main.py")])
    assert as_called() == "bin/python main.py"
    monkeypatch.setattr(sys, "argv", [str(folder / "caucus_desk" / "__main__.py")])
    assert as_called() == "bin/python -m caucus_desk"
