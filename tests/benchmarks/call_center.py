"""A call center on one store: real processes key a whole state twice, and everything is added up afterwards.

    python -m tests.benchmarks.call_center                        40 desks, 1,765 precincts, PostgreSQL
    python -m tests.benchmarks.call_center --desks 1 --precincts 150
    python -m tests.benchmarks.call_center --sqlite --desks 4 --precincts 400
    python -m tests.benchmarks.call_center --desks 4 --precincts 200000 --only 400   what growth costs

Slips are planted, people change their minds, desks are killed in mid-save and started again, and the
server goes down once. At the end nothing acknowledged may be missing and nothing be there twice, every slip
must be in the review queue, the tally must be the independent sum, and the audit chain must hold. Any of
these failing ends it with code 1. Times are printed, never asserted.
"""

import argparse
import json
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from caucus_desk.desk.creating import create_caucus
from caucus_desk.desk.integrity import check_store
from caucus_desk.desk.session import Desk, open_desk
from caucus_desk.tally.report import Channel
from caucus_desk.tally.results import By, Counting
from caucus_desk.tally.state import State as PrecinctState
from tests.benchmarks.invented_state import PAPER, Entry, State, make_state, roster_csv, sums

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Plan:
    desks: int = 40
    precincts: int = 1765
    only: int | None = None
    """Key so many precincts; of the others both reports are loaded from files before the night begins."""
    kills: int = 20
    restarts: int = 1
    gather: int = 6
    """Fields in one save of a draft."""
    pause: float = 0.0
    """Mean seconds between two saves; 0: as fast as the machine goes."""
    seed: int = 2020


@dataclass
class Outcome:
    seconds: float = 0.0
    took: list[float] = field(default_factory=list)
    saved: dict[str, dict[str, object]] = field(default_factory=dict)
    notes: Counter[str] = field(default_factory=Counter)
    kills: int = 0
    restarts: int = 0
    asked_again: int = 0
    faults: list[str] = field(default_factory=list)

    @property
    def median(self) -> float:
        return statistics.median(self.took)

    @property
    def slowest_twentieth(self) -> float:
        return statistics.quantiles(self.took, n=20)[-1]


# ---- the night ----


def run(plan: Plan, location: str, folder: Path, server: "Server | None" = None) -> Outcome:
    """The whole night on an empty place, and what was found afterwards."""
    state = make_state(plan.precincts, max(2, plan.desks), seed=plan.seed)
    roster = folder / "roster.csv"
    roster.write_text(roster_csv(state))
    create_caucus(location, "iowa-2020", roster, by="maker", name="Call center").desk.close()
    keyed = state.entries
    if plan.only is not None:
        chosen = {one.id for one in state.roster[: plan.only]}
        _load_the_rest(location, folder, [one for one in state.entries if one.precinct_id not in chosen])
        keyed = tuple(one for one in state.entries if one.precinct_id in chosen)
    outcome = _key(plan, location, folder, keyed, server)
    with open_desk(location) as desk:
        outcome.faults += faults(desk, state, keyed, outcome)
    return outcome


def _key(
    plan: Plan, location: str, folder: Path, entries: tuple[Entry, ...], server: "Server | None"
) -> Outcome:
    outcome = Outcome()
    desks = [_Desk(location, folder, number) for number in range(plan.desks)]
    for entry in entries:
        desks[int(entry.by.split()[1]) % plan.desks].give(entry, plan)
    submits = sum(one.submits for one in entries)
    rng = random.Random(plan.seed)
    kill_at = sorted(rng.randrange(submits // 20, submits - submits // 20) for _ in range(plan.kills))
    restart_at = (
        [submits * (turn + 1) // (plan.restarts + 1) for turn in range(plan.restarts)] if server else []
    )
    began = time.monotonic()
    try:
        _watch(desks, kill_at, restart_at, rng, server, outcome)
    finally:
        for desk in desks:
            desk.end()
    outcome.seconds = time.monotonic() - began
    for desk in desks:
        desk.tell(outcome)
    return outcome


def _watch(
    desks: "list[_Desk]",
    kill_at: list[int],
    restart_at: list[int],
    rng: random.Random,
    server: "Server | None",
    outcome: Outcome,
) -> None:
    """Until the last desk has gone home; each `_at` says after how many saved sheets it happens."""
    for desk in desks:
        desk.start()
    while any(desk.running for desk in desks):
        time.sleep(0.05)
        saved = sum(desk.saved for desk in desks)
        if kill_at and saved >= kill_at[0]:
            kill_at.pop(0)
            living = [desk for desk in desks if desk.running]
            if living:
                rng.choice(living).kill()
                outcome.kills += 1
        if restart_at and saved >= restart_at[0]:
            restart_at.pop(0)
            assert server is not None
            server.crash()
            outcome.restarts += 1
        for desk in desks:
            desk.mind()


class _Desk:
    """One process, its work and its journal. A desk that was killed is started again."""

    def __init__(self, location: str, folder: Path, number: int) -> None:
        self._work = folder / f"work-{number:02}.jsonl"
        self._journal = folder / f"journal-{number:02}.jsonl"
        self._errors = folder / f"errors-{number:02}.txt"
        self._work.write_text("")
        self._command = [sys.executable, "-m", "tests.benchmarks.clerk_process", location]
        self._process: subprocess.Popen[bytes] | None = None
        self._killed = False
        self._read = 0
        self.saved = 0
        self.home = False

    def give(self, entry: Entry, plan: Plan) -> None:
        sheets = [entry.sheet] if entry.first_thought is None else [entry.first_thought, entry.sheet]
        with self._work.open("a") as file:
            for turn, sheet in enumerate(sheets):
                line = {
                    "key": f"{entry.precinct_id}|{entry.channel}|{turn}",
                    "precinct": entry.precinct_id,
                    "channel": entry.channel,
                    "by": entry.by,
                    "number": entry.number,
                    "people": sheet.people,
                    "rows": sheet.rows,
                    "gather": plan.gather,
                    "pause": plan.pause,
                }
                file.write(json.dumps(line) + "\n")

    def start(self) -> None:
        with self._errors.open("ab") as errors:
            self._process = subprocess.Popen(
                [*self._command, str(self._work), str(self._journal)], cwd=ROOT, stderr=errors
            )

    @property
    def running(self) -> bool:
        return not self.home

    def kill(self) -> None:
        assert self._process is not None
        self._killed = True
        self._process.send_signal(signal.SIGKILL)

    def end(self) -> None:
        """Nothing is left running, whatever happened."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def mind(self) -> None:
        """Counts what was acknowledged, and starts a desk that was killed again."""
        if self._journal.exists():
            with self._journal.open() as file:
                file.seek(self._read)
                while (line := file.readline()).endswith("\n"):
                    self._read = file.tell()
                    self.saved += '"what": "saved"' in line
        assert self._process is not None
        code = self._process.poll()
        if code is None or self.home:
            return
        if code == 0:
            self.home = True
        elif self._killed:
            self._killed = False
            self.start()
        else:
            raise AssertionError(f"a desk ended with {code}: {self._errors.read_text()[-3000:]}")

    def tell(self, outcome: Outcome) -> None:
        if not self._journal.exists():
            return
        for line in self._journal.read_text().splitlines():
            note = json.loads(line)
            if note["what"] == "saved":
                outcome.saved[note["key"]] = note
                outcome.asked_again += "again" in note
                if "took" in note:
                    outcome.took.append(note["took"])
            elif note["what"] == "went home":
                outcome.notes.update(note["notes"])


def _load_the_rest(location: str, folder: Path, entries: list[Entry]) -> None:
    from caucus_desk.desk.loading import load_results

    with open_desk(location) as desk:
        for channel in ("phone", PAPER):
            file = folder / f"loaded-{channel}.csv"
            with file.open("w") as out:
                out.write(
                    "precinct_id,candidate,first_alignment,final_alignment,county_delegates,attendance\n"
                )
                for one in entries:
                    if one.channel == channel:
                        for group, counts in one.sheet.rows.items():
                            out.write(
                                ",".join(map(str, (one.precinct_id, group, *counts, one.sheet.people))) + "\n"
                            )
            load_results(desk, file, channel=Channel(channel), by=f"loader of {channel}")


# ---- afterwards ----


def faults(desk: Desk, state: State, keyed: tuple[Entry, ...], outcome: Outcome) -> list[str]:
    return [
        *_missing_or_twice(desk, keyed, outcome),
        *_queue(desk, state),
        *_tally(desk, state),
        *(f"check: {line.name}: {line.detail}" for line in check_store(desk) if not line.ok),
    ]


def _missing_or_twice(desk: Desk, keyed: tuple[Entry, ...], outcome: Outcome) -> Iterator[str]:
    """Every acknowledged submit is there once, as its clerk keyed it, and nothing else is there."""
    wanted = {}
    for one in keyed:
        sheets = [one.sheet] if one.first_thought is None else [one.first_thought, one.sheet]
        for turn, sheet in enumerate(sheets):
            wanted[f"{one.precinct_id}|{one.channel}|{turn}"] = (one, sheet)
    for lost in sorted(wanted.keys() - outcome.saved.keys()):
        yield f"{lost} was never acknowledged"
    ids = Counter(note["report"] for note in outcome.saved.values())
    yield from (f"report {number} answers {count} submits" for number, count in ids.items() if count > 1)
    places = {one.precinct_id for one in keyed}
    there = 0
    with desk.store.read() as unit:
        reports = {one.id: one for group in unit.reports().values() for one in group}
        there = sum(1 for one in reports.values() if one.precinct_id in places)
        left = len(unit.drafts())
    for name, note in outcome.saved.items():
        entry, sheet = wanted[name]
        report = reports.get(int(str(note["report"])))
        if report is None:
            yield f"{name}: report {note['report']} was acknowledged and is not there"
        elif (report.precinct_id, str(report.channel), report.by) != (
            entry.precinct_id,
            entry.channel,
            entry.by,
        ):
            yield f"{name}: report {report.id} is another one"
        elif report.sheet.attendance != sheet.people or {
            row.group: (row.first, row.final, row.delegates) for row in report.sheet.groups
        } != dict(sheet.rows):
            yield f"{name}: report {report.id} does not hold what was keyed"
    if there != len(wanted):
        yield f"{there} reports are there and {len(wanted)} were keyed"
    if left:
        yield f"{left} drafts are left"


def _queue(desk: Desk, state: State) -> Iterator[str]:
    results = desk.overview().results
    for precinct_id, result in results.items():
        mismatched = result.standing.state is PrecinctState.MISMATCHED
        if mismatched is not (precinct_id in state.slips):
            copies = "agree" if mismatched else "differ"
            yield f"{precinct_id} is {result.standing.state}, and its copies {copies}"


def _tally(desk: Desk, state: State) -> Iterator[str]:
    counts, sdes = sums(state)
    (row,) = desk.overview().tally(By.STATE, Counting.REPORTED).rows
    for one in row.groups:
        key = one.group
        if [one.first, one.final, one.delegates] != counts[key]:
            yield f"{key}: {one.first}, {one.final}, {one.delegates} where {counts[key]} were planned"
        if one.sde != sdes[key]:
            yield f"{key}: {one.sde} SDE where {sdes[key]} were planned"


# ---- the server ----


class Server:
    """A private PostgreSQL server that waits for its disk, as a real one does."""

    def __init__(self) -> None:
        folder = Path(tempfile.mkdtemp(prefix="caucus-server-"))
        folder.chmod(0o755)  # the server may run as another user than this one
        script = ["bash", str(ROOT / ".ci" / "cluster")]
        done = subprocess.run(
            [*script, "start", str(folder), "durable"], capture_output=True, text=True, check=True
        )
        self.address = done.stdout.strip()
        self._stop = [*script, "stop", str(folder)]
        self._crash = [*script, "crash", str(folder)]

    def database(self, name: str) -> str:
        import psycopg

        with psycopg.connect(self.address.replace("+psycopg", ""), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return self.address.rsplit("/", 1)[0] + "/" + name

    def crash(self) -> None:
        """Stops without writing anything down, and starts again."""
        subprocess.run(self._crash, check=True, capture_output=True)

    def stop(self) -> None:
        subprocess.run(self._stop, check=True, capture_output=True)


def has_server() -> bool:
    """Whether PostgreSQL is installed here."""
    script = ["bash", str(ROOT / ".ci" / "cluster"), "have", "-"]
    return shutil.which("bash") is not None and subprocess.run(script, capture_output=True).returncode == 0


@contextmanager
def place(folder: Path, *, sqlite: bool) -> Iterator[tuple[str, Server | None]]:
    if sqlite:
        yield str(folder / "caucus.sqlite"), None
        return
    server = Server()
    try:
        yield server.database("night"), server
    finally:
        server.stop()


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sqlite", action="store_true")
    for name in ("desks", "precincts", "only", "kills", "restarts", "seed"):
        parser.add_argument(f"--{name}", type=int, default=getattr(Plan, name))
    parser.add_argument("--pause", type=float, default=0.0)
    given = parser.parse_args(words)
    plan = Plan(
        given.desks,
        given.precincts,
        given.only,
        given.kills,
        given.restarts,
        pause=given.pause,
        seed=given.seed,
    )
    with (
        tempfile.TemporaryDirectory(prefix="call-center-") as folder,
        place(Path(folder), sqlite=given.sqlite) as (location, server),
    ):
        outcome = run(plan, location, Path(folder), server)
    per_second = len(outcome.saved) / outcome.seconds
    print(
        f"{plan.desks} desks on {'SQLite' if given.sqlite else 'PostgreSQL'}, {plan.precincts:,} precincts:"
    )
    print(
        f"  {len(outcome.saved):,} sheets in {outcome.seconds:.1f} s, {per_second:.1f} a second; a submit "
        f"takes {outcome.median * 1000:.1f} ms (median), 95 % under {outcome.slowest_twentieth * 1000:.1f} ms"
    )
    print(
        f"  {outcome.kills} desks killed, {outcome.restarts} crashes of the server, "
        f"{outcome.asked_again} submits asked for again; had to wait: {dict(outcome.notes)}"
    )
    for fault in outcome.faults[:40]:
        print(f"  WRONG: {fault}")
    print(
        "  everything is there once and adds up" if not outcome.faults else f"  {len(outcome.faults)} faults"
    )
    return 1 if outcome.faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
