"""`progress`: how the night goes, with the figures of the Progress page."""

import argparse
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from caucus_desk.commands.looking import looking
from caucus_desk.commands.output import Json, Output, as_of, decimal, exact, many, utc
from caucus_desk.commands.running import DONE
from caucus_desk.tally.evening import HOUR, CountyShare, Evening, PersonFigures, floor_to
from caucus_desk.tally.overview import percent

if TYPE_CHECKING:
    from caucus_desk.desk.corrections import Correction
    from caucus_desk.desk.session import Desk

_GAPS = 10


def run_progress(arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk.corrections import corrections
    from caucus_desk.desk.evening import evening, people_figures
    from caucus_desk.desk.people import why_not
    from caucus_desk.desk.roles import Job

    with looking(arguments.store, out) as desk:
        night = evening(desk)
        moved = corrections(desk)
        hidden = why_not(desk, "", Job.SEE_PEOPLE_FIGURES)
        people = () if hidden else people_figures(desk, "")
        out.document(_document(desk, night, moved, None if hidden else people))
        _say(desk, night, moved, people, out)
        if hidden:
            out.line()
            out.line("Figures of each person are shown to a lead, on the Progress page.")
    return DONE


def _document(
    desk: "Desk", night: Evening, moved: "tuple[Correction, ...]", people: tuple[PersonFigures, ...] | None
) -> Json:
    last = night.curve[-1] if night.curve else None
    return {
        "caucus": desk.caucus,
        "rules": desk.rules.name,
        "as_of": as_of(),
        "precincts": {
            "total": night.total,
            "reporting": last.reporting if last is not None else 0,
            "verified": last.verified if last is not None else 0,
        },
        "begin": None if night.begin is None else utc(night.begin),
        "until": utc(night.until),
        "curve": [
            {"at": utc(point.at), "reporting": point.reporting, "verified": point.verified}
            for point in night.curve
        ],
        "quarters": [
            {
                "begin": utc(quarter.begin),
                "calls": quarter.calls,
                "call_backs": quarter.call_backs,
                "drafts": quarter.drafts,
            }
            for quarter in night.quarters
        ],
        "calls": night.calls,
        "drafts": night.drafts,
        "mismatches": {
            "open": [
                {"precinct_id": wait.precinct_id, "since": utc(wait.since)} for wait in night.waits.open
            ],
            "closed": night.waits.closed,
            "median_seconds": _seconds(night.waits.median),
            "longest_seconds": _seconds(night.waits.longest),
        },
        "counties": [
            {
                "county": one.name,
                "satellites": one.satellites,
                "total": one.total,
                "reporting": one.reporting,
                "verified": one.verified,
                "mismatched": one.mismatched,
            }
            for one in night.counties
        ],
        "corrections": [_correction(desk, one) for one in moved],
        "people": None if people is None else [_person(one) for one in people],
    }


def _seconds(time: timedelta | None) -> int | None:
    return None if time is None else int(time.total_seconds())


def _correction(desk: "Desk", one: "Correction") -> Json:
    return {
        "precinct_id": one.precinct.id,
        "county": one.precinct.county,
        "precinct": one.precinct.name,
        "what": "correction" if one.openly else one.what.value,
        "report_id": one.report_id,
        "replaces": one.replaces,
        "by": one.by,
        "at": utc(one.at),
        "reason": one.reason,
        "was_verified": one.was_verified,
        "state": one.result.standing.state.value,
        "verified": one.verified_now,
        "delegates_moved": dict(one.delegates),
        "sde_moved": {group: decimal(desk.rules, value) for group, value in one.moved.items()},
        "sde_moved_exact": {group: exact(value) for group, value in one.moved.items()},
    }


def _person(one: PersonFigures) -> Json:
    return {
        "person": one.name,
        "entries": one.entries,
        "compared": one.compared,
        "differed": one.differed,
        "hours": [
            {"begin": utc(hour.begin), "entries": hour.entries, "differed": hour.differed}
            for hour in one.hours
        ],
    }


def _say(
    desk: "Desk",
    night: Evening,
    moved: "tuple[Correction, ...]",
    people: tuple[PersonFigures, ...],
    out: Output,
) -> None:
    out.line(f"{desk.caucus}: {desk.overview().banner()}")
    if night.begin is None:
        out.line("Nothing has come in yet.")
        return
    out.line()
    out.table(
        ("until", "reporting", "verified", "calls", "sheets waiting"),
        [
            (
                _clock(end),
                f"{point[0]:,} ({percent(point[0], night.total)})",
                f"{point[1]:,} ({percent(point[1], night.total)})",
                f"{calls:,}",
                f"{drafts:,}",
            )
            for end, point, calls, drafts in _hourly(night)
        ],
        numbers=(1, 2, 3, 4),
    )
    out.line()
    out.line(_waits(night))
    lacking = sorted((one for one in night.counties if one.missing), key=lambda one: -one.missing)[:_GAPS]
    if lacking:
        out.line()
        out.line("Where most is missing:")
        out.table(("county", "missing", "of", "in"), [_gap(one) for one in lacking], numbers=(1, 2, 3))
    if moved:
        out.line()
        out.line(f"{many(len(moved), 'change', 'changes')} after a report or a verification, newest first:")
        for one in moved:
            what = ", ".join(f"{group} {count:+d}" for group, count in one.delegates.items())
            out.line(f"  {_clock(one.at)}  {one.sentence} Delegates moved: {what or 'none'}.")
    if people:
        out.line()
        out.table(
            ("person", "entries", "compared", "did not match", "share", "most in an hour"),
            [
                (
                    one.name,
                    f"{one.entries:,}",
                    f"{one.compared:,}",
                    f"{one.differed:,}",
                    percent(one.differed, one.compared),
                    f"{one.busiest:,}",
                )
                for one in people
            ],
            numbers=(1, 2, 3, 4, 5),
        )


def _hourly(night: Evening) -> list[tuple[datetime, tuple[int, int], int, int]]:
    """A line for each hour in which something happened, and one for how it stands at the end."""
    lines = []
    hours = sorted({floor_to(point.at, HOUR) for point in night.curve} | {
        floor_to(quarter.begin, HOUR)
        for quarter in night.quarters
        if quarter.calls or quarter.call_backs or quarter.drafts
    })  # fmt: skip
    for begin in hours:
        end = min(begin + HOUR, night.until)
        within = [point for point in night.curve if point.at < begin + HOUR]
        counts = (within[-1].reporting, within[-1].verified) if within else (0, 0)
        quarters = [quarter for quarter in night.quarters if begin <= quarter.begin < begin + HOUR]
        lines.append((end, counts, sum(q.calls for q in quarters), sum(q.drafts for q in quarters)))
    return lines


def _waits(night: Evening) -> str:
    waits = night.waits
    text = f"{many(len(waits.open), 'mismatch waits', 'mismatches wait')}"
    if waits.open:
        text += f", the oldest for {_minutes(night.until - waits.open[0].since)}"
    if waits.median is not None and waits.longest is not None:
        text += f"; {waits.closed:,} ended, half of them within {_minutes(waits.median)}"
        text += f", the last after {_minutes(waits.longest)}"
    return f"{text}."


def _minutes(time: timedelta) -> str:
    return many(int(time.total_seconds()) // 60, "minute")


def _clock(at: datetime) -> str:
    from caucus_desk.desk.wording import clock

    return clock(at)


def _gap(one: CountyShare) -> tuple[str, ...]:
    return (one.name, f"{one.missing:,}", f"{one.total:,}", percent(one.reporting, one.total))
