"""One county's part of an overview, with the figures that the whole gives it."""

from collections.abc import Iterable

from caucus_desk.tally.finding import Severity
from caucus_desk.tally.overview import Overview
from caucus_desk.tally.results import SheetFinding


class CountyOverview(Overview):
    """A county, or a pool of satellite sites, as its part of the caucus.

    What only the whole shows (a sheet that stands in another county too, C35) stays as the whole says.
    """

    def __init__(self, whole: Overview, county: str) -> None:
        """Raises KeyError where the caucus has no such county."""
        results = [result for result in whole.results.values() if result.precinct.county == county]
        if not results:
            raise KeyError(county)
        self.county = county
        self._of_whole = tuple(entry for entry in whole.findings() if entry.county == county)
        super().__init__(
            whole.rules,
            f"{whole.caucus}: {county}" if whole.caucus else county,
            results,
            (total for total in whole.control_totals if total.county == county),
        )

    def _settle_twins(self, ids: Iterable[str]) -> None:
        """The whole has settled them."""

    def findings(self, severity: Severity | None = None) -> tuple[SheetFinding, ...]:
        if severity is None:
            return self._of_whole
        return tuple(entry for entry in self._of_whole if entry.severity is severity)
