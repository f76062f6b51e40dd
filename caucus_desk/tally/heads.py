"""Which reports of a precinct stand, where some of them were made in other stores.

Within one store the newest report of a channel stands alone. A report that comes in from another store
says itself which reports it took the place of there, and nothing else: what was keyed here and what was
keyed there then stand beside each other until a person decides or one is keyed over both. Until then this
store's own report counts, as it did before. Whatever follows from that hangs on what the reports say and
where they were made, never on the order in which they came in.
"""

from collections.abc import Iterable, Mapping

from caucus_desk.tally.report import CHANNELS, Channel, HeadKey, Report

Heads = Mapping[Channel, tuple[Report, ...]]
"""By channel, the reports that stand, the leading one first."""


def heads(reports: Iterable[Report]) -> dict[Channel, tuple[Report, ...]]:
    """The reports that no other report of their channel supersedes; withdrawn reports must be left out by
    the caller.

    The first of each channel leads it: one that was made in this store before any that came in, so that
    nothing that comes in changes what counts until a person decides; among these the one made last, by its
    own content. In a store whose reports were all made there that is the newest, and the only one.
    """
    newest: dict[Channel, Report] = {}
    given = tuple(reports)
    for report in given:
        if report.over is not None:
            by_channel = ([one for one in given if one.channel is channel] for channel in CHANNELS)
            return led(one for alike in by_channel for one in _standing(alike))
        if report.channel not in newest or report.id > newest[report.channel].id:
            newest[report.channel] = report
    return {channel: (report,) for channel, report in newest.items()}


def led(standing: Iterable[Report]) -> dict[Channel, tuple[Report, ...]]:
    """Reports that are known to stand, by channel, the leading one of each first."""
    found: dict[Channel, list[Report]] = {}
    for report in standing:
        found.setdefault(report.channel, []).append(report)
    return {channel: tuple(sorted(alike, key=_content, reverse=True)) for channel, alike in found.items()}


def leading(standing: Heads) -> dict[Channel, Report]:
    """The leading report of each channel."""
    return {channel: alike[0] for channel, alike in standing.items()}


def beside(standing: Heads) -> tuple[Report, ...]:
    """The rivals: those that stand beside the leading report of their channel."""
    return tuple(report for channel in CHANNELS for report in standing.get(channel, ())[1:])


def by_key(reports: Mapping[Channel, Report], rivals: Iterable[Report]) -> dict[HeadKey, Report]:
    """Every report that stands: the leading ones by channel, then the rivals by id."""
    found: dict[HeadKey, Report] = dict(reports.items())
    found.update((report.id, report) for report in rivals)
    return found


def _standing(alike: list[Report]) -> list[Report]:
    """Those of one channel that stand.

    A report falls to one that supersedes it. Reports that supersede each other in a circle, which no
    honest store writes, all stand: nothing that came in is ever lost from sight.
    """
    known = {report.id: report for report in alike}
    under = {id: {other for other in known if supersedes(report, other)} for id, report in known.items()}
    above: dict[int, list[int]] = {id: [] for id in known}
    for one, fallen in under.items():
        for id in fallen:
            above[id].append(one)
    return [
        report for id, report in known.items() if not above[id] or _reached(under, id).issuperset(above[id])
    ]


def supersedes(report: Report, id: int) -> bool:
    """Whether it says itself, or by being the newer one of this store, that it supersedes another of its
    channel."""
    if report.over is None:
        return id < report.id
    return id in report.over and id != report.id


def _reached(under: Mapping[int, set[int]], start: int) -> set[int]:
    """All that a report supersedes, itself or through others."""
    found: set[int] = set()
    todo = [start]
    while todo:
        for id in under[todo.pop()] - found:
            found.add(id)
            todo.append(id)
    return found


def _content(report: Report) -> tuple[object, ...]:
    """What a report says and whether it was made here, for putting reports in an order that does not hang on
    when they came in."""
    return (
        not report.origin,
        report.at,
        report.by,
        report.receipt,
        report.sheet.fingerprint,
        repr(report.sheet),
        report.confirmed,
        report.typists,
        report.origin,
        -report.id,  # only between two that are alike in everything
    )
