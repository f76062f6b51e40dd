"""A desk: one open store, its rule set, and the overview that pages and commands read."""

import threading
from collections.abc import Mapping
from types import TracebackType

from caucus_desk.desk.accounts import Known
from caucus_desk.desk.settling import derive
from caucus_desk.rules.errors import Refused
from caucus_desk.rules.loading import parse_rule_set, with_groups
from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.store.store import Store
from caucus_desk.tally.overview import CheckedSheets, Overview
from caucus_desk.tally.results import ControlTotal, PrecinctResult
from caucus_desk.tally.roster import Precinct


class Desk:
    """Safe for the window's thread, a writer of drafts and a thread for long work at once.

    Every thread has an overview of its own; the results in them are shared and never change.
    """

    def __init__(self, store: Store, rules: RuleSet, caucus: str, precincts: Mapping[str, Precinct]) -> None:
        self.store = store
        self.rules = rules
        self.caucus = caucus
        self.location = store.location
        self.warnings = store.warnings
        self.read_only = store.read_only
        self.precincts = precincts
        """By id, in the roster's order."""
        self.signed_in: dict[str, str] = {}
        """Who is signed in here: the secret that they gave, hashed, by folded name. `people` keeps it."""
        self.known: Known | None = None
        """Accounts and settings as last read. `known` keeps it."""
        self._lock = threading.Lock()
        self._own = threading.local()
        self._seq = -1
        self._round = 0
        self._results: dict[str, PrecinctResult] = {}
        self._renewed: dict[str, int] = {}
        self._built = 0
        self._controls: tuple[ControlTotal, ...] = ()
        self._checked: CheckedSheets = {}

    def precinct(self, precinct_id: str) -> Precinct:
        found = self.precincts.get(precinct_id)
        if found is None:
            said = f"There is no precinct {precinct_id} in this caucus."
            raise Refused(f"{said} Look it up under Precincts.", typed=f"{said} The roster names them all.")
        return found

    def overview(self) -> Overview:
        """The figures as they stand, with what any process has saved meanwhile.

        Only changed precincts are read again. The overview belongs to the calling thread.
        """
        mine: _Own | None = getattr(self._own, "overview", None)
        with self.store.in_hand(), self._lock:
            self._catch_up()
            built, now = self._built, self._round
            rebuild = mine is None or mine.built != built
            controls = self._controls
            if rebuild:
                results = tuple(self._results.values())
            elif mine is not None and mine.round != now:
                results = tuple(self._results[one] for one, at in self._renewed.items() if at > mine.round)
            else:
                results = ()
        # Adding up is done outside the lock, so that long work never holds up the window.
        if mine is None or rebuild:
            mine = _Own(Overview(self.rules, self.caucus, results, controls, self._checked), built, now)
            self._own.overview = mine
        elif results:
            mine.overview.replace(results)
        mine.round = now
        return mine.overview

    def saved_seq(self) -> int:
        """Number of the newest event in the store: a cheap way to see whether to ask again."""
        with self.store.read() as unit:
            return unit.last_seq()

    def close(self) -> None:
        self.store.close()

    def __enter__(self) -> "Desk":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _catch_up(self) -> None:
        with self.store.read() as unit:
            if self._seq >= 0:
                changes = unit.changes_since(self._seq)
                if not changes.everything:
                    if changes.precinct_ids:
                        fresh = derive(unit, self.rules, changes.precinct_ids, self.precincts)
                        self._results.update(fresh)
                        self._round += 1
                        self._renewed.update(dict.fromkeys(fresh, self._round))
                    self._seq = changes.last_seq
                    return
            self._seq = unit.last_seq()
            self._results = derive(unit, self.rules, None, self.precincts)
            self._controls = unit.control_totals()
            self._built += 1


class _Own:
    """One thread's overview and how far it has kept up."""

    __slots__ = ("built", "overview", "round")

    def __init__(self, overview: Overview, built: int, at_round: int) -> None:
        self.overview = overview
        self.built = built
        self.round = at_round


def open_desk(location: str, *, looking: bool = False) -> Desk:
    """Opens a store for work. Raises StoreError where it cannot be used, with a sentence that says why.

    `looking`: for reading only; a store that may not be written is opened too, and `read_only` says so.
    """
    return desk_of(Store.open_to_look(location) if looking else Store.open(location))


def desk_of(store: Store) -> Desk:
    """The desk of an open store; closes the store again where its rule set cannot be used."""
    try:
        with store.read() as unit:
            record = unit.caucus()
            groups = unit.groups()
            precincts = {precinct.id: precinct for precinct in unit.precincts()}
        rules = parse_rule_set(record.rules_text, f"{record.rules_name} in {store.location}")
        return Desk(store, with_groups(rules, groups, store.location), record.name, precincts)
    except BaseException:
        store.close()
        raise
