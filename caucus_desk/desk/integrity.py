"""Whether a store still holds what was put into it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields

from caucus_desk.desk.again import again
from caucus_desk.desk.attachments import faults_of
from caucus_desk.desk.naming import clean_name
from caucus_desk.desk.people import allow
from caucus_desk.desk.readding import added_again, differences
from caucus_desk.desk.releases import overview_of, put_together
from caucus_desk.desk.roles import Job
from caucus_desk.desk.session import Desk
from caucus_desk.desk.settling import cached, derive_states, nothing_yet
from caucus_desk.store.actions import Action
from caucus_desk.store.errors import StoreDamaged
from caucus_desk.store.records import CachedState
from caucus_desk.store.releases import ReleaseRecord
from caucus_desk.store.units import ReadUnit
from caucus_desk.store.verifying import check_chain, check_figures
from caucus_desk.tally.frozen import FrozenList
from caucus_desk.tally.overview import Overview
from caucus_desk.tally.results import Counting, PrecinctResult

LASTING = frozenset({"file", "database", "references", "audit chain", "figures", "releases"})
"""Checks of what was saved. The others are of what is worked out from it and can be rebuilt."""

_TOLD = 5
"""So many faults of one check are told; the rest are counted."""


@dataclass(frozen=True, slots=True)
class CheckLine:
    """One check: what was looked at, whether all is well, and what was found."""

    name: str
    ok: bool
    detail: str


def check_store(desk: Desk) -> tuple[CheckLine, ...]:
    """Every check, in the order of what it rests on; later ones are made even when earlier ones fail."""
    file = desk.store.integrity()
    sound = (
        "every guard and rule of the database is on; its pages are the server's own to look after"
        if desk.store.is_shared
        else "SQLite finds every page and index sound"
    )
    lines = [
        _line("database" if desk.store.is_shared else "file", file.pages, sound),
        _line("references", file.references, "every row's references lead somewhere"),
    ]
    with desk.store.read() as unit:
        events = unit.last_seq()
        lines.append(
            _line("audit chain", check_chain(unit), f"{events:,} events, each follows from the one before")
        )
        lines.append(
            _line("figures", _attempt(lambda: check_figures(unit)), "every row is as its event recorded it")
        )
        lines.append(
            _line(
                "attachments", _attempt(lambda: _attachment_faults(desk, unit)), "every file is as attached"
            )
        )
        made = unit.releases()
        lines.append(
            _line(
                "releases",
                _attempt(lambda: _release_faults(unit, made)),
                f"{len(made):,} give their digest, and add up, as when they were made",
            )
        )
        try:
            results = derive_states(unit, desk.rules)
        except (ValueError, KeyError, ArithmeticError) as error:
            fault = (f"the states cannot be worked out from the rows: {error}",)
            lines += [_line("states", fault, ""), _line("control totals", fault, "")]
            return tuple(lines)
        known = f"{len(results):,} precincts stand as their reports and rulings say"
        lines.append(_line("states", _stale(unit, results), known))
        sums = f"{len(desk.rules.groups)} groups add up the same from the tables as in the tally"
        lines.append(_line("control totals", _totals(desk, unit, results), sums))
    return tuple(lines)


def _release_faults(unit: ReadUnit, made: Sequence[ReleaseRecord]) -> list[str]:
    """Worked out from the rows as they stand: the digest, and the sums by the database."""
    faults = []
    for record in made:
        held = unit.frozen(record.number)
        overview, basis = overview_of(unit, held)
        if put_together(record, held, overview, basis).digest != record.digest:
            faults.append(f"release {record.number} is not what its digest was made of")
        sums = differences(overview, Counting(record.counting), unit.released_sums(record.number))
        faults += [f"release {record.number}, {one}" for one in sums]
    return faults


def _attachment_faults(desk: Desk, unit: ReadUnit) -> list[str]:
    """One sentence for each file that is lost or altered; also of those that were withdrawn."""
    return [fault.removesuffix(".") for fault in faults_of(desk, unit)]


@again
def rebuild_states(desk: Desk, by: str) -> int:
    """Writes the cached states anew from reports and rulings. Returns how many were not right."""
    by = clean_name(by)
    with desk.store.write() as unit:
        allow(desk, unit, by, Job.BACK_UP)
        results = derive_states(unit, desk.rules)
        stale = _stale_ids(unit, results)
        if stale:
            unit.save_states(cached(results[one]) for one in stale if one in results)
            unit.log(Action.STATES_REBUILT, f"{by} rebuilt {len(stale):,} cached states", actor=by)
    return len(stale)


def _stale_ids(unit: ReadUnit, results: dict[str, PrecinctResult]) -> tuple[str, ...]:
    kept = unit.states()
    return tuple(one for one, result in results.items() if kept.get(one, nothing_yet(one)) != cached(result))


def _stale(unit: ReadUnit, results: dict[str, PrecinctResult]) -> tuple[str, ...]:
    kept = unit.states()
    return tuple(
        _difference(kept.get(one, nothing_yet(one)), cached(results[one]))
        for one in _stale_ids(unit, results)
    )


def _difference(kept: CachedState, right: CachedState) -> str:
    parts = [
        f"{part.name.replace('_', ' ')} {getattr(kept, part.name)} instead of {getattr(right, part.name)}"
        for part in fields(CachedState)
        if getattr(kept, part.name) != getattr(right, part.name)
    ]
    return f"{right.precinct_id} is kept with {', '.join(parts)}"


def _totals(desk: Desk, unit: ReadUnit, results: dict[str, PrecinctResult]) -> list[str]:
    """The gate's own second path: a sheet that several reports complete stands in no one row, and is no
    fault."""
    counting = Counting.REPORTED
    overview = Overview(desk.rules, desk.caucus, results.values())
    held = FrozenList.of(overview, counting)
    again = added_again(desk.rules, unit.precincts(), unit.placed_rows(), held, overview, counting)
    return differences(overview, counting, again)


def _attempt(check: Callable[[], Sequence[str]]) -> Sequence[str]:
    """A row that can't even be read is a fault to tell, not a reason to stop checking."""
    try:
        return check()
    except (ValueError, KeyError, TypeError, StoreDamaged) as error:
        return (f"a row cannot be read: {error}",)


def _line(name: str, faults: Sequence[str], well: str) -> CheckLine:
    if not faults:
        return CheckLine(name, True, well)
    told = "; ".join(faults[:_TOLD])
    more = len(faults) - _TOLD
    return CheckLine(name, False, f"{told}; and {more:,} more" if more > 0 else told)
