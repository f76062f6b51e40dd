"""A photo or a scan of a worksheet is kept with the store, as it was, or refused with a reason."""

from pathlib import Path
from types import ModuleType

import pytest

from caucus_desk.desk import fetched
from caucus_desk.desk.attachments import (
    AlreadyAttached,
    Attachment,
    NotAsAttached,
    attach,
    attachment_counts,
    attachments,
    file_of,
    folder,
    withdraw_attachment,
)
from caucus_desk.desk.integrity import CheckLine, check_store
from caucus_desk.desk.keeping import backup, restore
from caucus_desk.desk.scans import MOST_BYTES, Damaged, NotAScan
from caucus_desk.desk.session import Desk, open_desk
from caucus_desk.desk.trail import audit_trail
from caucus_desk.rules.errors import Refused
from caucus_desk.store.errors import StoreReadOnly
from tests.tampering import tamper

pytestmark = pytest.mark.usefixtures("qapp")


def kept(desk: Desk) -> list[str]:
    """The SHA-256 of each file, as it is named."""
    if desk.store.is_shared:
        with desk.store.read() as unit:
            return sorted(unit.kept_digests())
    place = folder(desk)
    return sorted(one.stem for one in place.iterdir()) if place.is_dir() else []


def lose(desk: Desk, given: Attachment) -> None:
    if desk.store.is_shared:
        tamper(desk, f"DELETE FROM attachment_data WHERE sha256 = '{given.sha256}'")
        (fetched._place() / given.file_name).unlink(missing_ok=True)
    else:
        (folder(desk) / given.file_name).unlink()


def alter(desk: Desk, given: Attachment) -> None:
    if desk.store.is_shared:
        tamper(desk, f"UPDATE attachment_data SET data = data || '!' WHERE sha256 = '{given.sha256}'")
        (fetched._place() / given.file_name).unlink(missing_ok=True)
    else:
        path = folder(desk) / given.file_name
        path.write_bytes(path.read_bytes() + b"!")


def attachment_check(desk: Desk) -> CheckLine:
    return next(line for line in check_store(desk) if line.name == "attachments")


def test_a_photo_and_a_pdf_are_kept_as_they_were(desk: Desk, scans: ModuleType, tmp_path: Path) -> None:
    photo, scan = scans.jpeg(tmp_path / "IMG 0042.JPG"), scans.pdf(tmp_path / "scan.pdf", pages=2)
    one = attach(desk, "A-1", photo, by="clerk 07")
    other = attach(desk, "A-1", scan, by="clerk 07")
    assert (one.name, one.kind, one.size) == ("IMG 0042.JPG", "image", photo.stat().st_size)
    assert other.kind == "pdf"
    photo.unlink()  # the copy does not need it any more
    assert file_of(desk, one).suffix == ".jpg"
    assert file_of(desk, other).read_bytes() == scan.read_bytes()
    assert attachments(desk, "A-1") == (one, other)
    assert attachments(desk, "A-2") == ()
    assert attachment_counts(desk) == {"A-1": 2}
    assert kept(desk) == sorted([one.sha256, other.sha256])
    newest = audit_trail(desk, "A-1").events[0]
    assert newest.sentence == "clerk 07 attached scan.pdf to North Ward, Alpha"
    assert all(line.ok for line in check_store(desk))
    with open_desk(desk.location) as again:
        assert attachments(again, "A-1") == (one, other)


def test_the_same_file_twice_is_one_file(desk: Desk, scans: ModuleType, tmp_path: Path) -> None:
    scan = scans.plain_pdf(tmp_path / "county.pdf")
    first = attach(desk, "A-1", scan, by="Ann")
    with pytest.raises(AlreadyAttached, match=r"already: Ann attached it at .* as county\.pdf") as refused:
        attach(desk, "A-1", scans.plain_pdf(tmp_path / "again.pdf"), by="Ben")
    assert refused.value.attachment == first
    attach(desk, "A-2", scan, by="Ann")  # one scan may hold the sheets of two precincts
    assert kept(desk) == [first.sha256]


def test_attaching_again_mends_what_was_lost(desk: Desk, scans: ModuleType, tmp_path: Path) -> None:
    scan = scans.plain_pdf(tmp_path / "a.pdf")
    given = attach(desk, "A-1", scan, by="Ann")
    lose(desk, given)
    with pytest.raises(NotAsAttached, match=r"The file of a\.pdf is gone from .* Attach it again"):
        file_of(desk, given)
    with pytest.raises(AlreadyAttached):
        attach(desk, "A-1", scan, by="Ann")
    assert file_of(desk, given).read_bytes() == scan.read_bytes()


def test_a_name_that_lies_about_the_bytes_gets_their_ending(
    desk: Desk, scans: ModuleType, tmp_path: Path
) -> None:
    photo = scans.jpeg(tmp_path / "scan.pdf")
    given = attach(desk, "A-1", photo, by="Ann")
    assert (given.name, given.kind, given.ending) == ("scan.pdf.jpg", "image", ".jpg")
    long = scans.png(tmp_path / f"{'x' * 200}")
    assert attach(desk, "A-1", long, by="Ann").name == "x" * 116 + ".png"


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "it.x is empty"),
        (b"Dear chair,\n", "it.x is no picture and no PDF. A worksheet is attached as a PNG or JPEG"),
        (b"II*\0 and so on", "it.x is a TIFF picture"),
        (b"\0\0\0\x18ftypheic and so on", "it.x is a HEIC photo"),
        (b"PK\x03\x04 and so on", "a workbook"),
        (b"%PDF-1.7\nbroken off", "it.x is damaged: it cannot be read as a PDF"),
        (b"\x89PNG\r\n\x1a\n", "it.x is damaged: it begins as a PNG picture and breaks off"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", "it.x is damaged: it begins as a JPEG picture"),
        (b"\x89PNG\r\n\x1a\n" + b"\0" * MOST_BYTES, "it.x is larger than 25 MB"),
    ],
)
def test_what_is_not_whole_or_no_scan_is_refused(
    desk: Desk, tmp_path: Path, content: bytes, says: str
) -> None:
    file = tmp_path / "it.x"
    file.write_bytes(content)
    before = desk.saved_seq()
    with pytest.raises(Refused) as refused:
        attach(desk, "A-1", file, by="Ann")
    assert says in refused.value.sentence
    assert attachments(desk, "A-1") == ()
    assert (kept(desk), desk.saved_seq()) == ([], before)


def test_cut_off_and_altered_pictures_are_damaged(desk: Desk, scans: ModuleType, tmp_path: Path) -> None:
    for whole in (scans.jpeg(tmp_path / "a.jpg"), scans.png(tmp_path / "a.png")):
        data = whole.read_bytes()
        whole.write_bytes(data[: len(data) // 2])
        with pytest.raises(Damaged, match="breaks off"):
            attach(desk, "A-1", whole, by="Ann")
    data = bytearray(scans.png(tmp_path / "b.png").read_bytes())
    data[60] ^= 1
    (tmp_path / "b.png").write_bytes(data)
    with pytest.raises(Damaged):
        attach(desk, "A-1", tmp_path / "b.png", by="Ann")


def test_a_locked_pdf_is_refused_and_says_what_to_do(desk: Desk, scans: ModuleType, tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"locked with a password\. Open it where the password is known"):
        attach(desk, "A-1", scans.locked_pdf(tmp_path / "a.pdf"), by="Ann")


def test_what_is_no_file(desk: Desk, scans: ModuleType, tmp_path: Path) -> None:
    with pytest.raises(Refused, match="There is no file"):
        attach(desk, "A-1", tmp_path / "no.pdf", by="Ann")
    with pytest.raises(Refused, match="is a folder"):
        attach(desk, "A-1", tmp_path, by="Ann")
    with pytest.raises(Refused, match="There is no precinct X"):
        attach(desk, "X", scans.png(tmp_path / "a.png"), by="Ann")
    with pytest.raises(Refused, match="Nobody is named"):
        attach(desk, "A-1", tmp_path / "a.png", by=" ")
    with pytest.raises(NotAScan, match="no file that could be attached"):
        attach(desk, "A-1", "/dev/null", by="Ann")


def test_an_altered_file_is_said_when_shown_and_by_check(
    desk: Desk, scans: ModuleType, tmp_path: Path
) -> None:
    given = attach(desk, "A-1", scans.png(tmp_path / "a.png"), by="Ann")
    lost = attach(desk, "A-2", scans.png(tmp_path / "b.png", width=50), by="Ann")
    alter(desk, given)
    lose(desk, lost)
    with pytest.raises(NotAsAttached, match="is not the one that was attached"):
        file_of(desk, given)
    line = attachment_check(desk)
    assert not line.ok
    assert "a.png" in line.detail
    assert "b.png is gone" in line.detail


def test_withdrawn_stays_on_record(desk: Desk, scans: ModuleType, tmp_path: Path) -> None:
    scan = scans.png(tmp_path / "a.png")
    given = attach(desk, "A-1", scan, by="Ann")
    with pytest.raises(Refused, match="needs a reason"):
        withdraw_attachment(desk, given.id, reason=" ", by="Ben")
    withdraw_attachment(desk, given.id, reason="another precinct's sheet", by="Ben")
    assert attachments(desk, "A-1") == ()
    assert attachment_counts(desk) == {}
    [still] = attachments(desk, "A-1", withdrawn=True)
    assert (still.withdrawn_by, still.withdrawn_reason) == ("Ben", "another precinct's sheet")
    assert file_of(desk, still).exists()
    with pytest.raises(Refused, match=r"Ben withdrew a\.png at .* already"):
        withdraw_attachment(desk, given.id, reason="twice over", by="Ann")
    with pytest.raises(Refused, match="There is no attachment 999"):
        withdraw_attachment(desk, 999, reason="no such", by="Ann")
    again = attach(desk, "A-1", scan, by="Ann")  # it was right after all
    assert attachments(desk, "A-1") == (again,)
    assert all(line.ok for line in check_store(desk))


def test_a_row_altered_behind_the_programs_back_is_found(
    desk: Desk, scans: ModuleType, tmp_path: Path
) -> None:
    attach(desk, "A-1", scans.png(tmp_path / "a.png"), by="Ann")
    tamper(desk, "UPDATE attachment SET precinct_id = 'A-2'")
    faults = [line for line in check_store(desk) if not line.ok]
    assert any("attachment" in line.detail for line in faults)


def test_a_backup_takes_the_attachments_along(desk: Desk, scans: ModuleType, tmp_path: Path) -> None:
    given = attach(desk, "A-1", scans.png(tmp_path / "a.png"), by="Ann")
    out = backup(desk.location, tmp_path / "copy.db")
    copied = tmp_path / "copy.db.attachments" / given.file_name
    assert copied.read_bytes() == file_of(desk, given).read_bytes()
    again = restore(out, tmp_path / "again.db")
    with open_desk(str(again)) as other:
        assert file_of(other, attachments(other, "A-1")[0]).exists()
        assert attachment_check(other).ok


def test_a_lost_attachment_does_not_hinder_a_backup_and_is_told(
    desk: Desk, scans: ModuleType, tmp_path: Path
) -> None:
    given = attach(desk, "A-1", scans.png(tmp_path / "a.png"), by="Ann")
    lose(desk, given)
    told: list[str] = []
    out = backup(desk.location, tmp_path / "copy.db", remarks=told)
    assert len(told) == 1
    assert "a.png" in told[0]
    with open_desk(str(out)) as copy:
        assert not attachment_check(copy).ok


def test_a_cancelled_backup_leaves_no_attachments(desk: Desk, scans: ModuleType, tmp_path: Path) -> None:
    from caucus_desk.rules.errors import Cancelled

    attach(desk, "A-1", scans.png(tmp_path / "a.png"), by="Ann")
    before = {one.name for one in tmp_path.iterdir()}

    def progress(done: int, total: int, what: str) -> None:
        if what == "Checking the copy":
            raise Cancelled("Stopped.")

    with pytest.raises(Cancelled):
        backup(desk.location, tmp_path / "copy.db", progress)
    assert {one.name for one in tmp_path.iterdir()} == before


def test_a_read_only_store_shows_what_it_has(
    desk: Desk, scans: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = attach(desk, "A-1", scans.png(tmp_path / "a.png"), by="Ann")
    desk.read_only = True
    assert file_of(desk, attachments(desk, "A-1")[0]).exists()
    with pytest.raises(StoreReadOnly):
        attach(desk, "A-1", scans.png(tmp_path / "b.png", width=9), by="Ann")
    assert kept(desk) == [given.sha256]


@pytest.mark.a_file
def test_a_folder_that_cannot_be_made_is_said(desk: Desk, scans: ModuleType, tmp_path: Path) -> None:
    folder(desk).write_text("somebody's file")
    with pytest.raises(Refused.__base__, match="Nothing was attached"):
        attach(desk, "A-1", scans.png(tmp_path / "a.png"), by="Ann")
    assert attachments(desk, "A-1") == ()
