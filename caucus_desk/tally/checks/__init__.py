"""The rule checks of sheets (rules.md 8): what `tally.catalogue` lists, found and put into words."""

from caucus_desk.tally.checks.sheet import check_errors, check_sheet
from caucus_desk.tally.checks.whole import county_findings, cross_findings, sheet_vectors

__all__ = ["check_errors", "check_sheet", "county_findings", "cross_findings", "sheet_vectors"]
