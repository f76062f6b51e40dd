"""The gate's items: what a lead should know before a release, and what holds one back."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from caucus_desk.rules.sde import decimal_text
from caucus_desk.tally.comparison import Comparison, Kind
from caucus_desk.tally.counting import counts
from caucus_desk.tally.finding import Severity
from caucus_desk.tally.openness import Why
from caucus_desk.tally.outlook import Outlook
from caucus_desk.tally.overview import Overview, percent
from caucus_desk.tally.results import By, Counting
from caucus_desk.tally.settled import settled_sentence

TITLES = {
    "changes": "What changed",
    "share": "How much is counted",
    "empty-counties": "Counties with nothing",
    "doubt": "Precincts in doubt",
    "findings": "Errors open",
    "rulings": "Rulings waiting",
    "unconfirmed": "Reports not confirmed",
    "totals": "The totals come out a second way",
    "audit": "The record is whole",
}
OLD_NAMES = {"nothing": "empty-counties"}
"""Items as releases made before call them."""
_NAMED = 6
"""So many are named in a sentence; the others are counted."""


def title_of(item: str) -> str:
    """How an item of a release is called, by its id or by the id that it had once."""
    item = OLD_NAMES.get(item, item)
    return TITLES.get(item, item)


@dataclass(frozen=True, slots=True)
class GateItem:
    """One thing that the gate looks at. `id` is for `passes`; `detail` a sentence with the figures."""

    id: str
    """audit, totals, doubt, empty-counties, share, findings, rulings, unconfirmed, changes."""
    title: str
    ok: bool
    detail: str
    holds: bool
    """It must be passed with a reason. Not everything that is not ok holds."""
    figures: tuple[tuple[str, str], ...] = ()
    """Name and value, for a table."""
    precincts: tuple[str, ...] = ()
    """Ids of those it is about, in roster order."""


def audit_item(chain: Sequence[str], figures: Sequence[str], events: int) -> GateItem:
    faults = [*chain, *figures]
    detail = (
        f"{len(faults):,} faults in the record: {some(faults)}."
        if faults
        else f"All {events:,} events follow from one another, and every row is as its event recorded it."
    )
    shown = (("Events", f"{events:,}"), ("Faults", f"{len(faults):,}"))
    return GateItem("audit", TITLES["audit"], not faults, detail, bool(faults), shown)


def totals_item(overview: Overview, counting: Counting, found: Sequence[str]) -> GateItem:
    row = overview.tally(By.STATE, counting).rows[0]
    digits = overview.rules.rounding.digits
    shown = (
        ("First", f"{row.first_total:,}"),
        ("Final", f"{row.final_total:,}"),
        ("Delegates", f"{row.delegates_total:,}"),
        ("SDE", decimal_text(row.sde_total, digits)),
    )
    if found:
        detail = f"The tables add up to other totals than the tally: {some(found, '; ')}."
    else:
        detail = (
            f"Added again straight from the tables, all {len(row.groups)} groups come out the same: "
            f"{row.first_total:,} first, {row.final_total:,} final, {row.delegates_total:,} delegates, "
            f"{decimal_text(row.sde_total, digits)} SDE."
        )
    return GateItem("totals", TITLES["totals"], not found, detail, bool(found), shown)


def doubt_item(overview: Overview, counting: Counting, outlook: Outlook) -> GateItem:
    """Precincts that are in, and in doubt. They hold where they count."""
    doubtful = [entry for entry in outlook.open if entry.why is not Why.NOT_IN]
    unknown = [one for one in outlook.unknown if overview.results[one.id].reporting]
    ids = {entry.precinct.id for entry in doubtful} | {one.id for one in unknown}
    counted = [id for id in ids if counts(overview.results[id], counting)]
    kinds = Counter(entry.why for entry in doubtful)
    shown = [(f"It {why.value}", f"{kinds[why]:,}") for why in Why if kinds[why]]
    moved = ""
    if ids and outlook.closest is not None:
        ahead, behind = outlook.closest
        digits = overview.rules.rounding.digits
        lead = decimal_text(outlook.now[ahead] - outlook.now[behind], digits)
        most = decimal_text(_taken(outlook, ids, ahead, behind), digits)
        names = overview.rules.label(ahead), overview.rules.label(behind)
        moved = f" At most they can take {most} SDE from {names[0]}'s lead of {lead} over {names[1]}."
        shown += [("Lead", lead), ("They can take", most)]
    settled = settled_sentence(outlook)
    shown.append(("Settled?", settled))
    if ids:
        are = "precinct that is in is" if len(ids) == 1 else "precincts that are in are"
        counted_words = f", {len(counted):,} of them counted" if counted else ", none of them counted"
        detail = f"{len(ids):,} {are} in doubt{counted_words}.{moved} {settled}"
    else:
        detail = f"No precinct that is in is in doubt. {settled}"
    title = TITLES["doubt"]
    return GateItem("doubt", title, not ids, detail, bool(counted), tuple(shown), _in_order(overview, ids))


def _taken(outlook: Outlook, ids: Collection[str], ahead: str, behind: str) -> Fraction:
    """By how much the lead can fall through these precincts, all others staying as they count now."""
    against = {behind: 1, ahead: -1}
    alone = [one.gain(against) for one in outlook.singles if one.entry.precinct.id in ids]
    together = [
        pool.most(against, {site.id for site in pool.open_sites if site.id in ids}) - pool.now(against)
        for pool in outlook.pools
    ]
    return sum((*alone, *together), Fraction(0))


def empty_counties_item(overview: Overview, counting: Counting) -> GateItem:
    """Counties (and pools) of which nothing counts."""
    pools = {r.precinct.county for r in overview.results.values() if r.precinct.is_satellite}
    rows = overview.tally(By.COUNTY, counting).rows
    empty = [row.name for row in rows if row.precincts and not row.counted]
    counties = sum(row.key not in pools for row in rows)
    detail = (
        f"Nothing is counted of {len(empty):,}: {some(empty)}."
        if empty
        else f"Something is counted of all {counties:,} counties and of every satellite pool."
    )
    shown = (("Counties", f"{counties:,}"), ("With nothing", f"{len(empty):,}"))
    return GateItem("empty-counties", TITLES["empty-counties"], not empty, detail, bool(empty), shown)


def share_item(overview: Overview, counting: Counting) -> GateItem:
    """How much of the whole is counted: by precinct, by delegates to elect. It never holds."""
    row = overview.tally(By.STATE, counting).rows[0]
    elect = counted = unknown = 0
    missing = []
    for id, result in overview.results.items():
        if result.precinct.merged:
            continue
        if not counts(result, counting):
            missing.append(id)
        if result.delegates_to_elect is None:
            unknown += 1
            continue
        elect += result.delegates_to_elect
        if counts(result, counting):
            counted += result.delegates_to_elect
    complete = row.counted == row.precincts
    left = (
        f" {unknown:,} satellite sites elect by their attendance, which nobody knows yet." if unknown else ""
    )
    detail = (
        f"{row.counted:,} of {row.precincts:,} precincts are counted "
        f"({percent(row.counted, row.precincts)}); they elect {counted:,} of {elect:,} "
        f"delegates ({percent(counted, elect)}).{left}"
    )
    shown = (
        ("Precincts", f"{row.counted:,} of {row.precincts:,} ({percent(row.counted, row.precincts)})"),
        ("Expected delegates", f"{counted:,} of {elect:,} ({percent(counted, elect)})"),
    )
    return GateItem("share", TITLES["share"], complete, detail, False, shown, tuple(missing))


def findings_item(overview: Overview, counting: Counting) -> GateItem:
    """Errors that nobody has answered on sheets that count."""
    open_errors = [
        entry
        for entry in overview.findings(Severity.ERROR)
        if entry.acknowledged is None
        and entry.standing
        and (entry.precinct is None or counts(overview.results[entry.precinct.id], counting))
    ]
    kinds = Counter(entry.finding.id for entry in open_errors)
    ids = {entry.precinct.id for entry in open_errors if entry.precinct is not None}
    named = ", ".join(f"{id} {count:,}" for id, count in sorted(kinds.items()))
    detail = (
        f"{len(open_errors):,} errors in {len(ids):,} counted precincts are not acknowledged: {named}."
        if open_errors
        else "No error is open on a sheet that counts."
    )
    return GateItem(
        "findings",
        TITLES["findings"],
        not open_errors,
        detail,
        bool(open_errors),
        tuple((id, f"{count:,}") for id, count in sorted(kinds.items())),
        _in_order(overview, ids),
    )


def rulings_item(overview: Overview, pending: Sequence[str]) -> GateItem:
    detail = (
        f"{len(pending):,} rulings wait for a second person and have no force yet: {some(pending)}."
        if pending
        else "No ruling waits for a second person."
    )
    shown = (("Waiting", f"{len(pending):,}"),)
    waiting = bool(pending)
    return GateItem(
        "rulings", TITLES["rulings"], not waiting, detail, waiting, shown, _in_order(overview, set(pending))
    )


def unconfirmed_item(overview: Overview, counting: Counting) -> GateItem:
    """Reports of callers who failed the check and were not called back, whose sheet counts."""
    ids = {
        id
        for id, result in overview.results.items()
        if counts(result, counting)
        and result.standing.ruling is None
        and any(not report.confirmed for report in result.heads.values())
    }
    listed = _in_order(overview, ids)
    detail = (
        f"{len(ids):,} counted precincts have a report whose caller nobody has called back: {some(listed)}."
        if ids
        else "Every counted report is by a caller who was checked or called back."
    )
    shown = (("Unconfirmed", f"{len(ids):,}"),)
    return GateItem("unconfirmed", TITLES["unconfirmed"], not ids, detail, bool(ids), shown, listed)


def changes_item(since: int | None, found: Comparison | None, other_counting: bool) -> GateItem:
    """What moved since the last release. It holds where something that was out counts no more, and where
    nothing is new."""
    title = TITLES["changes"]
    if since is None:
        return GateItem("changes", title, True, "This is the first release.", False)
    if found is None:
        told = f"Release {since} has other groups on the ballot, so the two cannot be compared."
        return GateItem("changes", title, False, told, True)
    kinds = {kind: found.of(kind) for kind in Kind if found.of(kind)}
    shown = [(_KIND_WORDS[kind], f"{len(changes):,}") for kind, changes in kinds.items()]
    digits = found.rules.rounding.digits
    for move in sorted(found.groups, key=lambda move: -abs(move.sde))[:_NAMED]:
        if move.sde:
            sign = "+" if move.sde > 0 else ""
            shown.append((found.rules.label(move.group), f"{sign}{decimal_text(move.sde, digits)} SDE"))
    ids = tuple(change.precinct.id for change in found.changes)
    gone = [*kinds.get(Kind.WITHDRAWN, ()), *kinds.get(Kind.GONE, ())]
    if not found.changes and not other_counting:
        told = f"Nothing has changed since release {since}: this one would say the same."
        return GateItem("changes", title, False, told, True, tuple(shown))
    listed = ", ".join(f"{len(changes):,} {_KIND_WORDS[kind]}" for kind, changes in kinds.items())
    told = f"Since release {since}: {listed or 'no precinct changed'}."
    if other_counting:
        told += " It counted otherwise, so the two differ also where nothing came in."
    if found.rank_changes:
        told += f" Groups change places: {some(found.rules.label(m.group) for m in found.rank_changes)}."
    if gone:
        told += f" No longer counted: {some(change.precinct.id for change in gone)}."
    return GateItem("changes", title, not gone, told, bool(gone), tuple(shown), ids)


_KIND_WORDS = {
    Kind.NEW: "new",
    Kind.CORRECTED: "corrected",
    Kind.RULED: "ruled",
    Kind.COMPLETED: "completed",
    Kind.WITHDRAWN: "withdrawn",
    Kind.ADDED: "added to the roster",
    Kind.GONE: "gone from the roster",
    Kind.REWEIGHED: "reweighed",
}


def some(names: Iterable[str], between: str = ", ") -> str:
    given = list(names)
    more = len(given) - _NAMED
    return between.join(given[:_NAMED]) + (f" and {more:,} more" if more > 0 else "")


def _in_order(overview: Overview, ids: set[str]) -> tuple[str, ...]:
    return tuple(id for id in overview.results if id in ids)
