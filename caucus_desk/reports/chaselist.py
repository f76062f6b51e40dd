"""The list of missing worksheets for whoever drives or rings: a sheet for each county, ready to print."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from pathlib import Path

from caucus_desk.reports.book import Book
from caucus_desk.reports.plan import NOT_KNOWN, Block, Column, Kind, Page, Row
from caucus_desk.tally.chase import ASKED_FOR, Missing, Stage
from caucus_desk.tally.overview import Overview
from caucus_desk.tally.progress import Progress, no_progress
from caucus_desk.tally.results import Counting

SHEET = "Missing worksheets"


def write_chase_list(
    path: Path,
    overview: Overview,
    rows: Sequence[Missing],
    *,
    county: str = "",
    as_of: datetime,
    progress: Progress = no_progress,
    before_placing: Callable[[], None] | None = None,
) -> tuple[str, ...]:
    """Writes the workbook to `path`, whole or not at all; returns what it could not hold, in sentences.

    `as_of` is UTC and aware; cells show local time. `before_placing` is called when all is well and the
    file is about to take its place. Raises CannotWrite, with another name to offer.
    """
    from caucus_desk.reports.saving import replacing

    book = Book.of(overview, as_of, Counting.REPORTED)
    page = chase_page(book, rows, county)
    with replacing(path) as temporary:
        # openpyxl takes a while to load, so it is loaded when there is something to write.
        from caucus_desk.reports.writing import write_pages

        where = county or "all counties"
        notes = write_pages(temporary, book, f"missing worksheets, {where}", [page], progress)
        if before_placing is not None:
            before_placing()
    return notes


def chase_page(book: Book, rows: Sequence[Missing], county: str = "") -> Page:
    """The sheet, not yet a workbook: by county, and in it by how long a sheet is missing."""
    columns = (
        Column("County", Kind.TEXT, widest=20),
        Column("Precinct id", Kind.ID, widest=20),
        Column("Precinct", Kind.TEXT, widest=30),
        Column("Chair", Kind.TEXT, widest=22),
        Column("Chair's number", Kind.ID, widest=18),
        Column(
            "Stage",
            Kind.WORD,
            words=((Stage.DUE.value, "amber"), (Stage.MISSING.value, "red"), (ASKED_FOR, "amber")),
        ),
        Column("Missing or here since", Kind.TIME),
        Column("Minutes"),
        Column("Phone report", Kind.WORD),
        Column("Runner", Kind.TEXT, widest=18),
        Column("Attempts"),
        Column("Last attempt, what is asked", Kind.LONG, widest=34),
        Column("Got it", Kind.WORD, narrowest=9.0),
    )
    order = {name: place for place, name in enumerate(dict.fromkeys(one.precinct.county for one in rows))}
    latest = book.as_of
    listed = sorted(
        rows, key=lambda one: (order[one.precinct.county], -_minutes(one, latest), one.precinct.name)
    )
    lines = [_line(book, one) for one in listed]
    gone = sum(not one.here for one in rows)
    place = f" in {county}" if county else f", in {len(order):,} counties and pools"
    note = (
        f"{gone:,} to fetch, {len(rows) - gone:,} here and not keyed{place}."
        if rows
        else f"Every worksheet{f' of {county}' if county else ''} is in and keyed."
    )
    return Page(
        SHEET,
        f"Worksheets that are missing{f': {county}' if county else ''}",
        note,
        (Block(columns, lines),),
        frozen_columns=3,
        tab="amber",
    )


def _line(book: Book, one: Missing) -> Row:
    precinct = one.precinct
    since = one.due_since or one.since
    attempt = one.last_attempt
    said = []
    if attempt is not None:
        said.append(f"{book.local(attempt.at):%H:%M} {attempt.note}")
    if one.errand is not None:
        said.append(f"Asked for by {one.errand.by}" + (f": {one.errand.note}" if one.errand.note else ""))
    return (
        precinct.county,
        precinct.id,
        precinct.name,
        precinct.chair or NOT_KNOWN,
        precinct.phone or NOT_KNOWN,
        one.word,
        book.local(since) if since is not None else None,
        _minutes(one, book.as_of) if since is not None else None,
        "in" if one.phone_in else "not in",
        one.runner or None,
        one.attempts or None,
        ". ".join(said) or None,
        None,
    )


def _minutes(one: Missing, now: datetime) -> int:
    waited = one.waited(now)
    return 0 if waited is None else waited // timedelta(minutes=1)
