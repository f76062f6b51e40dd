"""A workbook appears whole or not at all, and what stood there before is never harmed."""

import errno
import os
import tempfile
from pathlib import Path

import pytest
from openpyxl.writer.excel import ExcelWriter

from caucus_desk.reports import plan, saving, totals
from caucus_desk.reports.errors import CannotWrite, DoesNotAddUp, TooManyRows
from caucus_desk.reports.leadership import read_back, write_leadership
from caucus_desk.rules.errors import Cancelled, CaucusError
from caucus_desk.tally.results import Counting

from .conftest import SEEN, a_night, write

OLD = b"PK\x05\x06" + bytes(18)
"""The smallest file that a workbook may take the place of: a ZIP archive without anything in it."""


@pytest.fixture
def target(tmp_path: Path) -> Path:
    folder = tmp_path / "Caucus night é"
    folder.mkdir()
    path = folder / "results.xlsx"
    path.write_bytes(OLD)
    return path


@pytest.fixture(autouse=True)
def own_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """openpyxl's own temporary files go where a test can count them."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def untouched(path: Path, temporary: Path) -> None:
    assert path.read_bytes() == OLD
    assert [p.name for p in path.parent.iterdir()] == [path.name]
    assert list(temporary.iterdir()) == []


def refused(path: Path, match: str) -> CannotWrite:
    with pytest.raises(CannotWrite, match=match) as caught:
        write(a_night(), path)
    assert isinstance(caught.value, CaucusError)
    assert caught.value.exit_code == 3
    return caught.value


def test_a_good_workbook_replaces_the_old_one(target: Path, own_temporary_folder: Path) -> None:
    written = write(a_night(), target)
    assert read_back(target) == written.totals
    assert [p.name for p in target.parent.iterdir()] == ["results.xlsx"]
    assert list(own_temporary_folder.iterdir()) == []


def test_cancelling_at_any_step_leaves_the_old_file(target: Path, own_temporary_folder: Path) -> None:
    seen: list[tuple[int, int, str]] = []
    write_leadership(
        target.with_name("other.xlsx"),
        a_night(),
        as_of=SEEN,
        counting=Counting.REPORTED,
        progress=lambda *step: seen.append(step),
    )
    target.with_name("other.xlsx").unlink()
    assert [done for done, _, _ in seen] == sorted(done for done, _, _ in seen)
    assert seen[-1][0] == seen[-1][1] > 0
    for stop in {0, 1, 2, len(seen) // 2, len(seen) - 1}:
        calls = iter(range(len(seen)))

        def cancel(*_: object, calls: object = calls, stop: int = stop) -> None:
            if next(calls) == stop:  # type: ignore[call-overload]
                raise Cancelled("Stopped.")

        with pytest.raises(Cancelled):
            write_leadership(target, a_night(), as_of=SEEN, counting=Counting.REPORTED, progress=cancel)
        untouched(target, own_temporary_folder)


def test_a_file_held_open_is_named_and_another_name_offered(
    target: Path, monkeypatch: pytest.MonkeyPatch, own_temporary_folder: Path
) -> None:
    def held(*_: object) -> None:
        raise PermissionError(errno.EACCES, "Access is denied")

    monkeypatch.setattr(os, "replace", held)
    error = refused(
        target, r'results\.xlsx can\'t be replaced: it is open .* save it as "results \(2\)\.xlsx"'
    )
    assert error.free == target.with_name("results (2).xlsx")
    untouched(target, own_temporary_folder)


def test_the_name_offered_is_free(target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target.with_name("results (2).xlsx").write_bytes(b"taken")
    assert saving.free_name(target) == target.with_name("results (3).xlsx")


def test_a_read_only_file_is_refused_before_any_work(target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    steps: list[object] = []
    with pytest.raises(CannotWrite, match="is read-only"):
        write_leadership(
            target,
            a_night(),
            as_of=SEEN,
            counting=Counting.REPORTED,
            progress=lambda *step: steps.append(step),
        )
    assert steps == []
    assert target.read_bytes() == OLD


def test_a_full_disk_leaves_the_old_file(
    target: Path, monkeypatch: pytest.MonkeyPatch, own_temporary_folder: Path
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(ExcelWriter, "write_data", full)
    refused(target, r"The disk is full, so results\.xlsx was not written")
    untouched(target, own_temporary_folder)


def test_a_full_disk_at_the_flush_leaves_the_old_file(
    target: Path, monkeypatch: pytest.MonkeyPatch, own_temporary_folder: Path
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    refused(target, "The disk is full")
    untouched(target, own_temporary_folder)


def test_a_folder_where_nothing_can_be_written(target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.open

    def denied(path: str | Path, flags: int, *more: int) -> int:
        if flags & os.O_EXCL:
            raise PermissionError(errno.EACCES, "Permission denied")
        return real(path, flags, *more)

    monkeypatch.setattr(os, "open", denied)
    error = refused(target, "Nothing can be written into the folder .*Choose another folder for results")
    assert error.free is None
    assert target.read_bytes() == OLD


def test_a_missing_folder_and_a_folder_in_the_files_place(tmp_path: Path) -> None:
    refused(tmp_path / "no" / "results.xlsx", "There is no folder .*no")
    (tmp_path / "results.xlsx").mkdir()
    error = refused(tmp_path / "results.xlsx", "is a folder, not a file")
    assert error.free == tmp_path / "results (2).xlsx"


def test_a_name_that_is_no_workbooks(tmp_path: Path) -> None:
    error = refused(tmp_path / "results.csv", r'ends in \.xlsx, and "results\.csv" does not')
    assert error.free == tmp_path / "results.xlsx"
    refused(tmp_path / ("a" * 300 + ".xlsx"), "too long")
    refused(tmp_path / "a\x00b.xlsx", "character that no name can have")


def test_a_link_is_followed_and_stays_a_link(target: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.xlsx"
    link.symlink_to(target)
    written = write(a_night(), link)
    assert link.is_symlink()
    assert read_back(target) == written.totals


@pytest.mark.skipif(os.name != "posix", reason="rights of files are of this kind on POSIX systems only")
def test_the_file_gets_the_rights_of_any_new_file(tmp_path: Path, target: Path) -> None:
    plain = tmp_path / "plain"
    plain.touch()
    write(a_night(), tmp_path / "new.xlsx")
    assert (tmp_path / "new.xlsx").stat().st_mode == plain.stat().st_mode
    target.chmod(0o640)
    write(a_night(), target)
    assert target.stat().st_mode & 0o777 == 0o640


def test_a_workbook_that_does_not_add_up_is_not_put_in_place(
    target: Path, monkeypatch: pytest.MonkeyPatch, own_temporary_folder: Path
) -> None:
    sound = totals.read

    def damaged(path: Path) -> totals.WorkbookTotals:
        found = sound(path)
        return totals.WorkbookTotals(found.banner, found.sheets[1:])

    monkeypatch.setattr(totals, "read", damaged)
    with pytest.raises(
        DoesNotAddUp, match="does not add up, so it was not kept: The sheet Summary is missing"
    ):
        write_leadership(target, a_night(), as_of=SEEN, counting=Counting.REPORTED, verify=True)
    untouched(target, own_temporary_folder)


def test_too_many_rows_are_refused_before_anything_is_written(
    target: Path, monkeypatch: pytest.MonkeyPatch, own_temporary_folder: Path
) -> None:
    monkeypatch.setattr(plan, "MAX_ROWS", 15)
    with pytest.raises(TooManyRows, match=r"would need \d+ rows, and an Excel sheet has 15"):
        write(a_night(), target)
    untouched(target, own_temporary_folder)


def test_a_time_without_a_zone_is_a_fault_of_the_program(target: Path) -> None:
    with pytest.raises(ValueError, match="needs its zone"):
        write_leadership(target, a_night(), as_of=SEEN.replace(tzinfo=None), counting=Counting.REPORTED)
    assert target.read_bytes() == OLD


@pytest.mark.parametrize(
    "old",
    [b"SQLite format 3\0" + bytes(84), b"county,precinct\n", b"\xd0\xcf\x11\xe0"],
    ids=["store", "text", "old"],
)
def test_only_a_workbook_is_ever_replaced(tmp_path: Path, old: bytes) -> None:
    path = tmp_path / "night.xlsx"
    path.write_bytes(old)
    link = tmp_path / "link.xlsx"
    link.symlink_to(path)
    for target in (path, link):
        with pytest.raises(CannotWrite, match="is not replaced") as refused:
            write(a_night(), target)
        assert refused.value.free == tmp_path / f"{target.stem} (2).xlsx"
    assert path.read_bytes() == old
    assert {one.name for one in tmp_path.iterdir()} == {"night.xlsx", "link.xlsx", "temporary"}


def test_an_empty_file_holds_nothing_to_lose(tmp_path: Path) -> None:
    path = tmp_path / "night.xlsx"
    path.touch()
    write(a_night(), path)
    assert path.read_bytes().startswith(b"PK")


def test_a_link_to_the_name_of_a_journal_is_not_followed(tmp_path: Path) -> None:
    link = tmp_path / "night.xlsx"
    link.symlink_to(tmp_path / "caucus.db-wal")
    with pytest.raises(CannotWrite, match="whose name does not end"):
        write(a_night(), link)
    assert not (tmp_path / "caucus.db-wal").exists()
