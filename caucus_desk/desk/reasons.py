"""The reasons that a clerk is most likely to give for an error, so that one key picks one.

Each is a whole sentence without its full stop, and passes as a reason in words. What suits the finding
stands first; what is always true of a call or of a sheet stands last.
"""

from collections.abc import Mapping

from caucus_desk.tally.report import Channel

MOST = 5
"""So many are offered: as many as one hand has fingers, each with a key."""

_OF_A_CALL = (
    "The caller read both columns twice",
    "The worksheet says so",
    "The caller cannot explain it",
    "The caller has left the line",
)
_OF_PAPER = (
    "The worksheet says so, read twice",
    "The chair confirms it",
    "The chair could not be reached",
    "The figure is hard to read",
)

_LATE = "People came after the attendance was counted"
_LEFT = "People left after the first alignment"
_MOVED = "The chair let members of a viable group move"
_TOSSED = "A game of chance decided it"
_ROOM = "The room decided so"
_ROUNDED = "The chair worked it out in another way"

_SUITING: Mapping[str, tuple[str, ...]] = {
    "C01": (_LATE, "Somebody was counted twice"),
    "C02": (_LATE, "Somebody was counted twice"),
    "C06": (_LEFT, _MOVED),
    "C07": (_MOVED, _LEFT),
    "C09": (_LATE, _MOVED),
    "C11": (_ROOM, _ROUNDED),
    "C12": (_ROOM, "The people had left before the final count"),
    "C13": (_TOSSED, _ROUNDED),
    "C14": (_ROUNDED, "The room was told another number to elect"),
    "C15": (_ROUNDED, "Nobody would take the last delegate"),
    "C16": (_TOSSED, _ROUNDED),
    "C20": (_ROUNDED, _TOSSED),
    "C34": ("The sheet repeats the head counts there", _ROUNDED),
    "C35": ("Both precincts met in one room", "The numbers were compared: they are the same"),
    "C40": ("The room was told another number to elect", "The chair used another precinct's sheet"),
    "C41": ("The site was told another number to elect", _ROUNDED),
    "C46": ("The sheet leaves the box empty", "Nobody stood with the group in that alignment"),
    "C51": ("There was one alignment only", "The sheet leaves the column empty"),
    "C53": ("The later count was used", "The first count was used"),
}


def usual_reasons(finding_id: str, channel: Channel) -> tuple[str, ...]:
    """At most `MOST`, the likeliest first."""
    always = _OF_A_CALL if channel is Channel.PHONE else _OF_PAPER
    return (*_SUITING.get(finding_id, ()), *always)[:MOST]
