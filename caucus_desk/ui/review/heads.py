"""The reports of a case that stand, each with its column, its letter and how it is called."""

from dataclasses import dataclass

from caucus_desk.desk.cases import in_order
from caucus_desk.desk.review import Case
from caucus_desk.tally.report import Channel, HeadKey
from caucus_desk.ui.words import channel_sign, clock

LETTERS = {Channel.PHONE: "P", Channel.PAPER: "A", Channel.APP: "G"}
"""P phone and A paper as on the entry page; G for the app."""
RIVAL_LETTERS = ("T", "U", "V", "L", "M", "O")
"""For reports from other stores that stand beside the leading one of their channel, in their order."""
_LONGEST = 14
_SHORTEST = 10


@dataclass(frozen=True, slots=True)
class Head:
    """`letter` takes its sheet; empty where more stand than there are letters. `name` is short, `title` heads
    its column."""

    key: HeadKey
    letter: str
    name: str
    title: str


def heads_of(case: Case) -> tuple[Head, ...]:
    """The channels in their order, each followed by what stands beside it."""
    found = []
    letters = iter(RIVAL_LETTERS)
    for key in in_order(case):
        report = case.heads[key]
        word = channel_sign(report.channel).word
        title = f"{word} {clock(report.at)[:5]}"
        if isinstance(key, Channel):
            found.append(Head(key, LETTERS[key], word, f"{title}\n{short(report.by)}"))
        else:
            parts = [title, *([short(report.origin)] if report.origin else []), short(report.by)]
            found.append(
                Head(key, next(letters, ""), f"{word}, {short(report.by, _SHORTEST)}", "\n".join(parts))
            )
    return tuple(found)


def short(name: str, longest: int = _LONGEST) -> str:
    return name if len(name) <= longest else f"{name[: longest - 1]}…"
