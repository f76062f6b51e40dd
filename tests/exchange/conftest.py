"""Small files made in the test, one for each way in which real files are dirty."""

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from caucus_desk.rules.loading import parse_rule_set
from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.tally.roster import Precinct

RULES = Path(__file__).parents[2] / "resources" / "rules"


def _rules(name: str) -> RuleSet:
    return parse_rule_set((RULES / f"{name}.toml").read_text(encoding="utf-8"), f"{name}.toml")


@pytest.fixture(scope="session")
def rules() -> RuleSet:
    return _rules("iowa-2020")


@pytest.fixture(scope="session")
def nevada() -> RuleSet:
    return _rules("nevada-2020")


@pytest.fixture(scope="session")
def precincts() -> dict[str, Precinct]:
    """A little roster: two counties, one shared id, one id with zeros, two precincts of one name."""
    rows = (
        Precinct("007", "Adair", "1NW", delegates=8),
        Precinct("Adair-2", "Adair", "2NE", delegates=4),
        Precinct("Polk-2", "Polk", "Des Moines 42", delegates=9),
        Precinct("P1", "Polk", "Clive", delegates=3),
        Precinct("P2", "Polk", "Clive", delegates=3),
        Precinct("OB1", "O'Brien", "Council Bluff 04", delegates=3),
    )
    return {row.id: row for row in rows}


@pytest.fixture
def text_file(tmp_path: Path) -> Callable[..., Path]:
    def make(text: str, name: str = "file.csv", encoding: str = "utf-8", mark: bytes = b"") -> Path:
        path = tmp_path / name
        path.write_bytes(mark + text.encode(encoding))
        return path

    return make


@pytest.fixture
def workbook_file(tmp_path: Path) -> Callable[..., Path]:
    """A workbook with the rows given; `change` may do more to the first sheet before it is saved."""

    def make(rows, name: str = "file.xlsx", change=None, more: dict | None = None) -> Path:
        import openpyxl

        book = openpyxl.Workbook()
        sheet = book.active
        sheet.title = "Sheet one"
        for row in rows:
            sheet.append(row)
        for title, content in (more or {}).items():
            other = book.create_sheet(title)
            for row in content:
                other.append(row)
        if change is not None:
            change(sheet)
        path = tmp_path / name
        book.save(path)
        return path

    return make


_TYPES = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


@pytest.fixture
def bare_workbook(tmp_path: Path) -> Callable[..., Path]:
    """A workbook as XML written by hand: `sheet` is what stands inside <worksheet>."""

    def make(
        sheet: str, name: str = "bare.xlsx", prolog: str = "", book: str = "", strings: str = ""
    ) -> Path:
        path = tmp_path / name
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(
                "[Content_Types].xml",
                f'<Types xmlns="{_PACKAGE}/content-types">'
                f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPES}.sheet.main+xml"/>'
                f'<Override PartName="/xl/sharedStrings.xml" ContentType="{_TYPES}.sharedStrings+xml"/>'
                "</Types>",
            )
            archive.writestr(
                "_rels/.rels",
                f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="r1" '
                f'Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
            )
            archive.writestr(
                "xl/workbook.xml",
                f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}">{book}<sheets>'
                '<sheet name="Bare" sheetId="1" r:id="r1"/></sheets></workbook>',
            )
            archive.writestr(
                "xl/_rels/workbook.xml.rels",
                f'<Relationships xmlns="{_PACKAGE}/relationships">'
                f'<Relationship Id="r1" Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>'
                f'<Relationship Id="r2" Type="{_OFFICE}/sharedStrings" Target="/xl/sharedStrings.xml"/>'
                "</Relationships>",
            )
            archive.writestr("xl/sharedStrings.xml", f'<sst xmlns="{_MAIN}">{strings}</sst>')
            archive.writestr(
                "xl/worksheets/sheet1.xml", f'{prolog}<worksheet xmlns="{_MAIN}">{sheet}</worksheet>'
            )
        return path

    return make


def inline(text: str) -> str:
    """A text cell without a reference, which stands next to the one before it."""
    return f'<c t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'


@pytest.fixture
def heading_cells() -> Callable[[str], str]:
    """A row of text cells from words parted by commas."""
    return lambda words: "<row>" + "".join(inline(word) for word in words.split(",")) + "</row>"
