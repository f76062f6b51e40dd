"""One desk of the call center, as a process of its own: `python -m tests.benchmarks.clerk_process
STORE WORK JOURNAL`.

WORK is a file of JSON lines, a sheet each. JOURNAL is this clerk's own notebook beside the program: before a
submit its line says what is about to happen, after the answer what was acknowledged. A clerk whose desk was
killed goes on from it, as a person would who remembers which receipt was read out.
"""

import json
import os
import random
import sys
import time
import uuid
from pathlib import Path
from typing import Any

from caucus_desk.desk.calls import Caller
from caucus_desk.desk.entry import AlreadyVerified, DoesNotMatch, OwnMismatch, claim, save_draft, submit
from caucus_desk.desk.session import Desk, open_desk
from caucus_desk.rules.errors import CaucusError, Refused
from caucus_desk.tally.catalogue import FINDINGS
from caucus_desk.tally.report import Channel
from caucus_desk.tally.sheet import GroupCounts, ResultSheet

REASONS = dict.fromkeys(FINDINGS, "so it was read out")
PATIENCE = 90.0


class Journal:
    def __init__(self, path: Path) -> None:
        self.begun: dict[str, dict[str, Any]] = {}
        self.done: set[str] = set()
        if path.exists():
            for line in path.read_text().splitlines():
                note = json.loads(line)
                if note["what"] == "begun":
                    self.begun[note["key"]] = note
                elif note["what"] == "saved":
                    self.done.add(note["key"])
        self._file = path.open("a")

    def note(self, **what: object) -> None:
        self._file.write(json.dumps(what) + "\n")
        self._file.flush()
        os.fsync(self._file.fileno())


def sheet_of(work: dict[str, Any]) -> ResultSheet:
    rows = tuple(GroupCounts(group, *counts) for group, counts in work["rows"].items())
    return ResultSheet(work["people"], rows)


def patiently(what: Any, notes: dict[str, int]) -> Any:
    """Tries again while the store says that it is busy or out of reach, as the window does."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return what()
        except CaucusError as refusal:
            if refusal.exit_code != 4 or time.monotonic() > until:
                raise
            kind = type(refusal).__name__
            notes[kind] = notes.get(kind, 0) + 1
            time.sleep(random.uniform(0.05, 0.3))


def key(desk: Desk, work: dict[str, Any], journal: Journal, notes: dict[str, int]) -> None:
    name = work["by"]
    before = journal.begun.get(work["key"])
    token = before["token"] if before else uuid.uuid4().hex
    channel, sheet = Channel(work["channel"]), sheet_of(work)
    caller = Caller(f"Chair of {work['precinct']}", work["number"], "") if channel is Channel.PHONE else None
    draft_id = before["draft"] if before else None
    asked: dict[str, Any] = {}

    def give() -> Any:
        while True:
            try:
                return submit(
                    desk, draft_id, sheet, name, reasons=REASONS, caller=caller, token=token, **asked
                )
            except DoesNotMatch:
                asked["confirmed"] = True
            except (AlreadyVerified, OwnMismatch):
                asked["correcting"] = "the chair rang again"

    if draft_id is not None:
        try:
            answer = patiently(give, notes)
        except Refused:  # the draft was never saved, or is not there any more, and nothing was submitted
            draft_id = None
        else:
            journal.note(
                what="saved", key=work["key"], report=answer.report_id, receipt=answer.receipt, again=True
            )
            return
    draft = patiently(lambda: claim(desk, work["precinct"], channel, name), notes)
    draft_id = draft.id
    journal.note(what="begun", key=work["key"], token=token, draft=draft_id)
    fields = {"attendance": str(work["people"])}
    for group, counts in work["rows"].items():
        fields |= {
            f"{group}.{c}": str(n) for c, n in zip(("first", "final", "delegates"), counts, strict=True)
        }
    texts = list(fields.items())
    for place in range(0, len(texts), work["gather"]):
        patiently(
            lambda part=dict(texts[place : place + work["gather"]]): save_draft(desk, draft_id, part, name),
            notes,
        )
        if work["pause"]:
            time.sleep(random.uniform(0, 2 * work["pause"]))
    began = time.perf_counter()
    answer = patiently(give, notes)
    took = time.perf_counter() - began
    journal.note(
        what="saved",
        key=work["key"],
        report=answer.report_id,
        receipt=answer.receipt,
        took=took,
        at=time.time(),
    )


def main(store: str, work_file: str, journal_file: str) -> None:
    journal = Journal(Path(journal_file))
    notes: dict[str, int] = {}
    desk: Desk = patiently(lambda: open_desk(store), notes)
    with desk:
        for line in Path(work_file).read_text().splitlines():
            work = json.loads(line)
            if work["key"] not in journal.done:
                key(desk, work, journal, notes)
    journal.note(what="went home", notes=notes)


if __name__ == "__main__":
    main(*sys.argv[1:])
