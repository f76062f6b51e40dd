"""The paper chase: which worksheets are missing, who fetches them, and how long that has been so."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from caucus_desk.tally.errand import Errand, ErrandKind
from caucus_desk.tally.report import Channel
from caucus_desk.tally.results import PrecinctResult
from caucus_desk.tally.roster import Precinct


class StepKind(StrEnum):
    """What somebody did about a missing worksheet. Steps are only ever added."""

    ASSIGNED = "assigned"
    UNASSIGNED = "unassigned"
    ATTEMPT = "attempt"
    RECEIVED = "received"
    NOT_RECEIVED = "not received"
    """It was marked received by mistake."""
    NOTE = "note"


class Outcome(StrEnum):
    """How an attempt to get a worksheet ended, in the order in which they are offered."""

    NO_ANSWER = "no answer"
    WILL_SEND = "will send a photo"
    WILL_BRING = "will bring it"
    ON_THE_WAY = "runner on the way"
    LOST = "sheet lost"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class ChaseStep:
    """`id` is the number of its audit event; `at` is UTC. `note` of an attempt begins with its outcome."""

    id: int
    precinct_id: str
    kind: StepKind
    runner: str
    note: str
    by: str
    at: datetime


class Stage(StrEnum):
    """How far a worksheet is; the value is what the page says."""

    MISSING = "missing"
    TRIED = "tried"
    FETCHING = "runner out"
    DUE = "entry due"
    KEYING = "being keyed"


ASKED_FOR = "asked for"


class Age(StrEnum):
    NEW = "new"
    OLD = "old"
    VERY_OLD = "very old"


OLD_AFTER = timedelta(minutes=45)
VERY_OLD_AFTER = timedelta(minutes=90)
DUE_TOO_LONG = timedelta(minutes=20)
"""A worksheet that lies at the desk so long without being keyed stands out."""


@dataclass(frozen=True, slots=True)
class Missing:
    """A precinct whose worksheet is wanted: no paper report is in, or a reviewer asks for the sheet."""

    precinct: Precinct
    phone_in: bool
    """A phone or app report is in."""
    since: datetime | None
    """When the first report of it came, else when the night began; None before anything came in (UTC)."""
    runner: str
    """Who was sent for it, "" for nobody."""
    attempts: int
    last_attempt: ChaseStep | None
    received_step: ChaseStep | None
    """It lies at the desk since then."""
    photos: int
    """Images and PDFs of the worksheet that are attached."""
    photo_at: datetime | None
    keying_by: str
    """Who is keying the paper sheet now, "" for nobody."""
    errand: Errand | None
    """What a reviewer asked for: the newest errand to fetch the sheet."""
    paper_in: bool
    """Its paper report is in; it is here for the errand only."""
    steps: tuple[ChaseStep, ...]
    """Everything that was done, oldest first."""

    @property
    def chair(self) -> str:
        return self.precinct.chair

    @property
    def phone(self) -> str:
        return self.precinct.phone

    @property
    def received(self) -> bool:
        return self.received_step is not None

    @property
    def errand_note(self) -> str:
        return self.errand.note if self.errand is not None else ""

    @property
    def due_since(self) -> datetime | None:
        """Since when it could be keyed: the sheet lies here, or a photo of it is attached."""
        if self.paper_in:
            return None
        laid = self.received_step.at if self.received_step is not None else None
        times = [at for at in (laid, self.photo_at) if at is not None]
        return min(times, default=None)

    @property
    def stage(self) -> Stage:
        if self.keying_by and not self.paper_in:
            return Stage.KEYING
        if self.due_since is not None:
            return Stage.DUE
        if self.runner:
            return Stage.FETCHING
        return Stage.TRIED if self.attempts else Stage.MISSING

    @property
    def word(self) -> str:
        """What a list says of it: the stage, or that a reviewer asks for a sheet that is keyed already."""
        return ASKED_FOR if self.paper_in else self.stage.value

    @property
    def here(self) -> bool:
        """Nobody need fetch it any more."""
        return self.stage in (Stage.DUE, Stage.KEYING)

    def waited(self, now: datetime) -> timedelta | None:
        """How long it is missing, or lies here unkeyed; None where nothing is known. Never negative."""
        since = self.due_since or self.since
        return None if since is None else max(timedelta(0), now - since)

    def age(self, now: datetime) -> Age:
        waited = self.waited(now)
        if waited is None:
            return Age.NEW
        if self.due_since is not None:
            return Age.VERY_OLD if waited >= DUE_TOO_LONG else Age.NEW
        if waited >= VERY_OLD_AFTER:
            return Age.VERY_OLD
        return Age.OLD if waited >= OLD_AFTER else Age.NEW


@dataclass(frozen=True, slots=True)
class CountyChase:
    """One county or pool: `total` of its precincts are `missing`, lie here (`due`), or are in (`keyed`)."""

    county: str
    total: int
    missing: int
    due: int
    keyed: int
    asked: int
    """Sheets that a reviewer asks for although their paper report is in."""
    oldest: datetime | None
    """Since when the longest missing one is missing."""


@dataclass(frozen=True, slots=True)
class Photos:
    """How many images a precinct's worksheet has, and when the first of them came."""

    count: int
    first: datetime


def missing_sheets(
    results: Iterable[PrecinctResult],
    *,
    steps: Mapping[str, Collection[ChaseStep]],
    errands: Iterable[Errand] = (),
    photos: Mapping[str, Photos] | None = None,
    keying: Mapping[str, str] | None = None,
    night_began: datetime | None = None,
) -> tuple[Missing, ...]:
    """Every worksheet that is wanted, in the order of `results`. `errands` are open ones, `keying` says who
    holds the paper draft of a precinct."""
    photos, keying = photos or {}, keying or {}
    fetch = {one.precinct_id: one for one in errands if one.kind is ErrandKind.FETCH and one.open}
    found = []
    for result in results:
        precinct = result.precinct
        errand = fetch.get(precinct.id)
        paper_in = Channel.PAPER in result.reports
        if precinct.merged or (paper_in and errand is None):
            continue
        done = tuple(steps.get(precinct.id, ()))
        attempts = [step for step in done if step.kind is StepKind.ATTEMPT]
        others = [one.at for one in result.heads.values() if one.channel is not Channel.PAPER]
        shown = photos.get(precinct.id)
        found.append(
            Missing(
                precinct=precinct,
                phone_in=bool(others),
                since=min(others, default=night_began),
                runner=runner_of(done),
                attempts=len(attempts),
                last_attempt=attempts[-1] if attempts else None,
                received_step=received_step(done, errand),
                photos=shown.count if shown else 0,
                photo_at=shown.first if shown else None,
                keying_by=keying.get(precinct.id, ""),
                errand=errand,
                paper_in=paper_in,
                steps=done,
            )
        )
    return tuple(found)


def runner_of(steps: Iterable[ChaseStep]) -> str:
    """Who is sent for the sheet now, "" for nobody."""
    runner = ""
    for step in steps:
        if step.kind is StepKind.ASSIGNED:
            runner = step.runner
        elif step.kind is StepKind.UNASSIGNED:
            runner = ""
    return runner


def received_step(steps: Iterable[ChaseStep], errand: Errand | None = None) -> ChaseStep | None:
    """The step that says so; what came before a reviewer asked for the sheet does not answer that."""
    received = None
    for step in steps:
        if step.kind is StepKind.RECEIVED:
            received = step
        elif step.kind is StepKind.NOT_RECEIVED:
            received = None
    if received is not None and errand is not None and errand.id > received.id:
        return None
    return received


def of_county(rows: Iterable[Missing], county: str) -> tuple[Missing, ...]:
    """Those of one county or pool; all of them with ""."""
    return tuple(one for one in rows if not county or one.precinct.county == county)


def by_county(results: Iterable[PrecinctResult], missing: Iterable[Missing]) -> tuple[CountyChase, ...]:
    """Every county and pool, in the roster's order."""
    totals: dict[str, list[int]] = {}
    oldest: dict[str, datetime] = {}
    for result in results:
        if not result.precinct.merged:
            totals.setdefault(result.precinct.county, [0, 0, 0, 0])[0] += 1
    for one in missing:
        county = one.precinct.county
        if one.paper_in:
            totals[county][3] += 1
        elif one.here:
            totals[county][2] += 1
        else:
            totals[county][1] += 1
            if one.since is not None:
                oldest[county] = min(one.since, oldest.get(county, one.since))
    return tuple(
        CountyChase(county, total, gone, due, total - gone - due, asked, oldest.get(county))
        for county, (total, gone, due, asked) in totals.items()
    )
