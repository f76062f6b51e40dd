"""The words and drawings that every page uses for states, channels and severities, and how numbers look.

One place, so that a state has one word, one drawing and one colour everywhere. Colour is never
alone: `Sign.word` is always shown or spoken with it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from html import escape

from PySide6.QtCore import QCoreApplication

from caucus_desk.rules.sde import decimal_text
from caucus_desk.tally.finding import Severity
from caucus_desk.tally.report import Channel
from caucus_desk.tally.state import State

BLANK = "–"
"""Stands where there is no number; never 0."""


def tr(text: str) -> str:
    """A text of no widget in particular, in the person's language."""
    return QCoreApplication.translate("words", text)


def tip(text: str) -> str:
    """A text as a tool tip: what looks like markup in a name is shown as it is written."""
    if "<" not in text and "&" not in text:
        return text
    return "<span>" + escape(text).replace("\n", "<br>") + "</span>"


def on_button(text: str) -> str:
    """A name on a button: an & in it is an & and marks no key."""
    return text.replace("&", "&&")


@dataclass(frozen=True, slots=True)
class Sign:
    """A word with its drawing and the colour role of the drawing."""

    word: str
    icon: str
    role: str


def state_sign(state: State) -> Sign:
    signs: Mapping[State, Sign] = {
        State.AWAITING: Sign(tr("awaiting"), "awaiting", "muted"),
        State.MISMATCHED: Sign(tr("mismatched"), "mismatched", "bad"),
        State.MATCHED: Sign(tr("matched"), "matched", "good"),
        State.SINGLE: Sign(tr("single"), "single", "muted"),
        State.RULED: Sign(tr("ruled"), "ruled", "good"),
    }
    return signs[state]


def severity_sign(severity: Severity) -> Sign:
    signs: Mapping[Severity, Sign] = {
        Severity.ERROR: Sign(tr("error"), "bad", "bad"),
        Severity.WARNING: Sign(tr("warning"), "warn", "warn"),
        Severity.NOTE: Sign(tr("note"), "note", "muted"),
    }
    return signs[severity]


def channel_sign(channel: Channel) -> Sign:
    return Sign(
        {"phone": tr("phone"), "paper": tr("paper"), "app": tr("app")}[channel.value], channel.value, "text"
    )


def number(value: int | None) -> str:
    """`1,094`; a dash for a blank. The separators of the banner, whatever the locale."""
    return BLANK if value is None else f"{value:,}"


def decimal(value: Fraction, digits: int = 4) -> str:
    """`1,502.0000`: rounded half up, once, for showing."""
    whole, dot, rest = decimal_text(value, digits).partition(".")
    sign, whole = ("−", whole[1:]) if whole.startswith("-") else ("", whole)
    return f"{sign}{int(whole):,}{dot}{rest}"


def percent(part: int | Fraction, whole: int | Fraction, digits: int = 1) -> str:
    """`26.2%`, and `100%` only for all of it; a dash where there is nothing to be a share of."""
    if not whole:
        return BLANK
    if part == whole:
        return "100%"
    share = Fraction(part) * 100 / whole
    if part < whole:
        share = min(share, 100 - Fraction(1, 10**digits))
    return f"{decimal(share, digits)}%"


def clock(at: datetime) -> str:
    """`21:04:12`, local time."""
    return at.astimezone().strftime("%H:%M:%S")


def day_clock(at: datetime) -> str:
    return at.astimezone().strftime("%d %b %H:%M")
