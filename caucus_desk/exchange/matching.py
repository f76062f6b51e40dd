"""Which precinct of the roster a row of results means: by id, or by county and name where it gives no id."""

from collections import defaultdict
from collections.abc import Mapping

from caucus_desk.exchange.folding import fold_county, fold_id, fold_name
from caucus_desk.tally.roster import Precinct


class NotPlaced(Exception):
    """A row that names no precinct of the roster, or more than one. Caught by the readers."""

    def __init__(self, column: str, value: str, expected: str) -> None:
        super().__init__(expected)
        self.column, self.value, self.expected = column, value, expected


class PrecinctFinder:
    """The roster, to be searched by what a file says."""

    def __init__(self, precincts: Mapping[str, Precinct]) -> None:
        self._by_id: dict[str, Precinct] = {}
        self._by_short: dict[str, list[Precinct]] = defaultdict(list)
        self._by_name: dict[tuple[str, str], list[Precinct]] = defaultdict(list)
        self._counties: dict[str, str] = {}
        for precinct in precincts.values():
            key = fold_id(precinct.id)
            self._by_id[key] = precinct
            self._by_short[key.removeprefix(f"{fold_id(precinct.county)}-")].append(precinct)
            self._by_name[fold_county(precinct.county), fold_name(precinct.name)].append(precinct)
            self._counties.setdefault(fold_county(precinct.county), precinct.county)
        self._without_zeros: dict[str, str] = {}

    def county(self, name: str) -> str:
        """The roster's spelling of a county.

        Raises:
            NotPlaced: no such county.
        """
        found = self._counties.get(fold_county(name))
        if found is None:
            raise NotPlaced("county", name, "a county of the roster")
        return found

    def find(self, precinct_id: str, county: str, name: str) -> Precinct:
        """The precinct meant; "" stands for what the row does not say.

        Raises:
            NotPlaced: none, or not one alone.
        """
        return self._by_given_id(precinct_id, county) if precinct_id else self._by_given_name(county, name)

    def _by_given_id(self, precinct_id: str, county: str) -> Precinct:
        key = fold_id(precinct_id)
        found = self._by_id.get(key)
        if found is not None and (
            not county or county == found.county or fold_county(county) == fold_county(found.county)
        ):
            return found
        shared = [p for p in self._by_short.get(key, ()) if fold_id(p.id) != key]
        if county:
            inside = [p for p in shared if fold_county(p.county) == fold_county(county)]
            if len(inside) == 1:
                return inside[0]
        if found is not None:
            raise NotPlaced(
                "county", county, f"{found.county}, which is the county of {found.id} in the roster"
            )
        if shared and not county:
            counties = " and ".join(dict.fromkeys(p.county for p in shared[:4]))
            raise NotPlaced(
                "precinct_id", precinct_id, f"an id with its county: the roster has it in {counties}"
            )
        raise NotPlaced("precinct_id", precinct_id, f"an id of the roster{self._zeros_hint(key)}")

    def _by_given_name(self, county: str, name: str) -> Precinct:
        if not county and not name:
            raise NotPlaced("precinct_id", "", "a precinct_id, or a county and a precinct")
        if not county:
            raise NotPlaced("county", "", "the county of the precinct, or a precinct_id")
        spelled = self.county(county)
        if not name:
            raise NotPlaced("precinct", "", "the precinct’s name, or a precinct_id")
        found = self._by_name.get((fold_county(county), fold_name(name)), [])
        if len(found) == 1:
            return found[0]
        if found:
            raise NotPlaced(
                "precinct", name, f"a precinct_id: {spelled} has {len(found)} precincts of this name"
            )
        raise NotPlaced("precinct", name, f"a precinct of {spelled} as the roster names it")

    def _zeros_hint(self, key: str) -> str:
        if not self._without_zeros:
            self._without_zeros = {k.lstrip("0"): p.id for k, p in self._by_id.items()}
        near = self._without_zeros.get(key.lstrip("0"))
        return f"; it has {near}: a spreadsheet may have dropped or added zeros" if near else ""
