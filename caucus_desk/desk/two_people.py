"""The rule that two people key a precinct, neither knowing what the other keyed: who may key a sheet.

Everyone who typed in a sheet counts, not only the one who submitted it.
"""

from collections.abc import Collection

from caucus_desk.desk.heads import each, heads_of
from caucus_desk.desk.naming import same_person
from caucus_desk.desk.wording import clock, listed, place
from caucus_desk.rules.errors import Refused
from caucus_desk.store.actions import Action
from caucus_desk.store.records import DraftRecord
from caucus_desk.store.units import ReadUnit, WriteUnit
from caucus_desk.tally.report import CHANNELS, Channel
from caucus_desk.tally.roster import Precinct


class Barred(Refused):
    """This person must not key this sheet. `draft` is the draft that they hold of it all the same, if
    any: it can only be discarded."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.draft: DraftRecord | None = None


def may_key(unit: ReadUnit, precinct: Precinct, channel: Channel, by: str) -> None:
    """Raises Barred for what a person keyed, is keying, or has seen of this precinct."""
    not_both(unit, precinct, channel, [by])
    _not_keying_both(unit, precinct, channel, by)
    not_looked(unit, precinct, by, channel)


def not_both(unit: ReadUnit, precinct: Precinct, channel: Channel, names: Collection[str]) -> None:
    """None of these people keyed a standing report of another channel, in whole or in part."""
    found = keyed(unit, precinct.id, names, but=channel)
    if found is not None:
        raise Barred(f"{found} of {place(precinct)}: the {channel} report must be keyed by another person.")


def keyed(unit: ReadUnit, precinct_id: str, names: Collection[str], but: Channel | None = None) -> str | None:
    """`Ann keyed the phone report`, where one of these people did, or had it before it was taken over.

    Standing reports of every channel, or of every one but `but`; also those that came from another store.
    """
    standing = heads_of(unit, precinct_id)
    typists = unit.typists([precinct_id]) if standing else {}
    for report in each(standing):
        channel = report.channel
        if channel is but:
            continue
        if any(same_person(report.by, name) for name in names):
            return f"{report.by} keyed the {channel} report"
        for typist in typists.get(report.id, ()):
            if any(same_person(typist, name) for name in names):
                return f"{typist} had a hand in the {channel} report"
    return None


def not_their_own(unit: ReadUnit, precinct: Precinct, by: str) -> None:
    """Refused where this person keyed or typed in a standing report of the precinct, or is keying one: its
    case is for others to decide."""
    own = keyed(unit, precinct.id, [by])
    if own is not None:
        raise Refused(f"{own} of {place(precinct)}: another person must decide here.")
    for draft in unit.drafts(by):
        if draft.precinct_id == precinct.id and not draft.free:
            raise Refused(
                f"You are keying the {draft.channel} sheet of {place(precinct)}: another person must "
                "decide here, or discard that sheet first."
            )


def not_looked(unit: ReadUnit, precinct: Precinct, by: str, channel: Channel | None = None) -> None:
    """Raises Barred where this person has seen what others keyed while it was not verified; of an unfinished
    sheet, where it was another channel's than `channel`."""
    where = place(precinct)
    for look in unit.looks(precinct.id):
        if not same_person(look.by, by) or look.channel == channel:
            continue
        if look.channel:
            raise Barred(
                f"{look.by} had the {look.channel} sheet of {where} until {clock(look.at)}, with what others "
                "typed: another person must key it."
            )
        raise Barred(
            f"{look.by} has looked at the figures of {where} at {clock(look.at)}: another person must key it."
        )
    for errand in unit.errands(precinct.id):
        if same_person(errand.by, by):
            raise Barred(f"{errand.by} sent {where} back at {clock(errand.at)}: another person must key it.")
    for stored in unit.ruling_history(precinct.id):
        ruling = stored.ruling
        if same_person(ruling.by, by):
            raise Barred(f"{ruling.by} ruled on {where} at {clock(ruling.at)}: another person must key it.")
        if ruling.approved_by is not None and same_person(ruling.approved_by, by):
            raise Barred(f"{ruling.approved_by} approved a ruling on {where}: another person must key it.")


def seen_by_others(draft: DraftRecord, by: str) -> tuple[str, ...]:
    """Whose typing this person has before them in a sheet: figures of others, whatever of the call."""
    if all(path.startswith(("caller.", "call.")) for path in draft.fields):
        return ()
    return tuple(name for name in draft.typists if not same_person(name, by))


def tell_seen(unit: WriteUnit, draft: DraftRecord, by: str) -> None:
    """An unfinished sheet is dropped by a person who did not type all of it: they know what others typed,
    and the trail remembers it when the sheet is gone."""
    others = seen_by_others(draft, by)
    if others:
        unit.log(
            Action.LOOKED,
            f"{by} saw what {listed(list(others))} typed in the {draft.channel} sheet of {draft.precinct_id}",
            actor=by,
            precinct_id=draft.precinct_id,
            content=str(draft.channel),
        )


def _not_keying_both(unit: ReadUnit, precinct: Precinct, channel: Channel, by: str) -> None:
    where = place(precinct)
    for other in CHANNELS:
        draft = None if other is channel else unit.draft_of(precinct.id, other)
        if draft is None:
            continue
        if same_person(draft.by, by) and not draft.free:
            raise Barred(
                f"{draft.by} is keying the {other} sheet of {where}: another person must key the {channel} "
                "sheet. If that one was opened by mistake, open it again and discard it."
            )
        if any(same_person(name, by) for name in draft.typists):
            now = "lies there for anybody" if draft.free else f"{draft.by} is keying now"
            raise Barred(
                f"{by} had a hand in the {other} sheet of {where}, which {now}: another person must key the "
                f"{channel} sheet."
            )
