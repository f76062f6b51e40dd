"""What this window knows of the drafts that were typed in it, and how they are kept on this computer."""

import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from caucus_desk.desk import entry
from caucus_desk.desk.keptdrafts import KeptDraft, KeptDrafts
from caucus_desk.desk.session import Desk
from caucus_desk.rules.errors import CaucusError
from caucus_desk.tally.report import Channel


@dataclass
class Known:
    """Who holds a draft, and the time of its last saving that this window knows of."""

    by: str
    seen: datetime
    precinct_id: str
    channel: Channel
    texts: dict[str, str]
    """As the store has them."""
    stale: bool = False
    """Another window has saved since."""
    token: str = field(default_factory=lambda: secrets.token_hex(16))
    """Of the sheet's submit, which is made once however often it is sent."""
    submitting: bool = False
    """The submit was sent, and whether it was made is not known yet, or it waits for the store."""

    @classmethod
    def of(cls, draft: entry.Draft) -> "Known":
        return cls(draft.by, draft.updated, draft.precinct_id, draft.channel, dict(draft.fields))


class Keeping:
    """Writes local files for the sheets of one window, and reads those of earlier ones. For any thread."""

    def __init__(self, desk: Desk, window: str) -> None:
        self._desk, self._window = desk, window
        self._drafts: KeptDrafts | None = None
        self._whose: dict[int, tuple[str, Channel, str]] = {}
        self._taken: dict[int, KeptDraft] = {}
        """By draft: what another window kept, and this one has taken up."""
        self.known: dict[int, Known] = {}
        """By draft. Also of drafts that were left while something typed in them was not in the store yet."""

    @property
    def drafts(self) -> KeptDrafts | None:
        """None while it is not known which caucus the store holds."""
        if self._drafts is None:
            try:
                self._drafts = KeptDrafts(self._desk)
            except CaucusError:
                return None
        return self._drafts

    def begin(self, draft: entry.Draft) -> Known:
        """A sheet is opened."""
        known = self.known[draft.id] = Known.of(draft)
        self._whose[draft.id] = (draft.precinct_id, draft.channel, draft.by)
        return known

    def keep(self, draft_id: int, owed: Mapping[str, str]) -> datetime | None:
        """What the store does not have of it, on the disk; the time. None: the sheet is finished with."""
        known, drafts = self.known.get(draft_id), self.drafts
        if known is None or drafts is None:
            return None
        at = drafts.keep(
            KeptDraft(
                precinct_id=known.precinct_id,
                channel=known.channel,
                by=known.by,
                draft_id=draft_id,
                seen=known.seen,
                window=self._window,
                texts={**known.texts, **owed},
                owed=dict(owed),
                token=known.token,
                submitting=known.submitting,
                at=datetime.now(UTC),
            )
        )
        self._drop_taken(draft_id)
        return at

    def take_up(self, draft_id: int, kept: KeptDraft) -> None:
        """What was kept goes into this draft; its file goes once the store has it, or this window's file."""
        self._taken[draft_id] = kept

    def _drop_taken(self, draft_id: int) -> None:
        kept = self._taken.pop(draft_id, None)
        if kept is not None and kept.window != self._window and self.drafts is not None:
            self.drafts.forget_as_read(kept)

    def forget(self, draft_id: int) -> None:
        """The store has all of it. The file stays while it is not known what became of the submit."""
        known = self.known.get(draft_id)
        if known is not None and known.submitting:
            self.keep(draft_id, {})
        else:
            self.drop(draft_id)

    def drop(self, draft_id: int) -> None:
        """The sheet is finished with."""
        if draft_id in self._whose and self.drafts is not None:
            self.drafts.forget(*self._whose[draft_id], self._window)
        self._drop_taken(draft_id)

    def drop_file(self, kept: KeptDraft) -> None:
        if self.drafts is not None:
            self.drafts.forget_as_read(kept)

    def offered(self, person: str, held: Iterable[int]) -> tuple[KeptDraft, ...]:
        """What this person typed on this computer and the store never took, but for the drafts that this
        window holds itself. Of a sheet that two windows kept, the newer one: the other comes after it."""
        if not person or self.drafts is None:
            return ()
        here = set(held)
        newest = {
            (kept.precinct_id, kept.channel): kept
            for kept in self.drafts.of(person)
            if kept.window != self._window or kept.draft_id not in here
        }
        return tuple(sorted(newest.values(), key=lambda kept: kept.at))


def is_clean(kept: KeptDraft, stored: entry.Draft) -> bool:
    """Whether nobody else saved the draft since: what was kept can go into it without a question. `stored`
    is the draft as it was before this window opened it."""
    return kept.draft_id == stored.id and (stored.updated == kept.seen or stored.desk == kept.window)
