"""Another state's rules make another workbook: its unit, its groups, its own counts on the sheet."""

from pathlib import Path

from caucus_desk.reports.leadership import read_back
from caucus_desk.rules.loading import parse_rule_set
from caucus_desk.tally.overview import Overview
from caucus_desk.tally.report import Channel
from caucus_desk.tally.roster import Precinct
from caucus_desk.tally.sheet import GroupCounts, ResultSheet

from .conftest import reported, write

FILE = Path(__file__).parents[2] / "resources" / "rules" / "nevada-2020.toml"
NEVADA = parse_rule_set(FILE.read_text(encoding="utf-8"), FILE.name)


def test_nevada_reports_county_delegates_and_early_votes(tmp_path: Path) -> None:
    precinct = Precinct("6601", "Clark", "Henderson 1", district="3", delegates=5)
    figures = ResultSheet(
        60,
        (GroupCounts("Sanders", 60, 60, 3), GroupCounts("Warren", 40, 40, 2)),
        extras=(("early_votes", 40),),
    )
    keyed = (Channel.PHONE, figures, "Ann"), (Channel.PAPER, figures, "Bo")
    overview = Overview(NEVADA, "Nevada 2020", [reported(precinct, *keyed, rules=NEVADA)])
    written = write(overview, tmp_path / "nevada.xlsx")
    assert written.totals.differences(read_back(written.path)) == ()
    (row,) = written.table("Precincts", "Precinct id")
    fields = {field.key: field.label for field in NEVADA.fields}
    assert row[fields["early_votes"]] == 40
    assert row["Sanders CCD"] == 3
    assert not any(heading.endswith(" SDE") for heading in row)
    summary = {line["Group"]: line for line in written.table("Summary", "Group")}
    assert summary["Sanders"]["CCD"] == 3
    assert written.rows("Summary")[2][0].startswith("Sanders leads Warren by 1")  # type: ignore[union-attr]
    assert {check["Result when written"] for check in written.table("Checks", "Check")} == {"OK"}
    method = {str(line[0]): line[1] for line in written.rows("Method")}
    assert method["Reported in"] == "county convention delegates (CCDs)"
