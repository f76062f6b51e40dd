"""Settings of the caucus, kept in its store."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from caucus_desk.desk.accounts import SIGN_IN, SignIn
from caucus_desk.desk.again import again
from caucus_desk.desk.known import known
from caucus_desk.desk.naming import clean_name, clean_text
from caucus_desk.desk.people import allow
from caucus_desk.desk.roles import Job
from caucus_desk.desk.session import Desk
from caucus_desk.rules.errors import Refused

IDLE_MINUTES = "idle_minutes"
APPROVAL_STAKE = "approval_stake"
CALLER_CHECK = "caller_check"
RELEASE_APPROVAL = "release_approval"

MOST_MINUTES = 600
DIGITS = 4
"""Of a stake, after the point."""


@dataclass(frozen=True, slots=True)
class Settings:
    sign_in: SignIn = SignIn.NAMES
    idle_minutes: int = 10
    """A window without a key for so long covers itself; 0: never."""
    approval_stake: Fraction | None = None
    """SDEs: a ruling with more at stake needs a second person. None: none does."""
    caller_check: str = "pin"
    """`pin`: a caller is asked for the PIN or the worksheet's id; `none`: callers are not asked."""
    release_approval: bool = False
    """A release goes out only after a second person has approved it."""


_DEFAULT = Settings()


@dataclass(frozen=True, slots=True)
class SettingKind:
    """One setting: how it is called, what it does, how its text is read and written."""

    key: str
    title: str
    hint: str
    read: Callable[[str], str]
    """The text as it is kept, from what a person typed; raises Refused."""


def settings(desk: Desk) -> Settings:
    """As they stand now; cheap."""
    now = known(desk)
    return _settings(now.values, now.sign_in)


def setting_text(settings: Settings, key: str) -> str:
    """As a person would type it: `10`, `0.25`, empty for none."""
    if key == IDLE_MINUTES:
        return str(settings.idle_minutes)
    if key == APPROVAL_STAKE:
        return "" if settings.approval_stake is None else _decimal(settings.approval_stake)
    if key == CALLER_CHECK:
        return settings.caller_check
    if key == RELEASE_APPROVAL:
        return "on" if settings.release_approval else "off"
    raise Refused(f"There is no setting {key!r}. There are: {', '.join(KINDS)}.")


@again
def change_setting(desk: Desk, key: str, value_text: str, *, by: str) -> Settings:
    """Sets one of KINDS from what a person typed. Audited with what stood before."""
    by = clean_name(by)
    kind = KINDS.get(key)
    if kind is None:
        raise Refused(f"There is no setting {key!r}. There are: {', '.join(KINDS)}.")
    value = kind.read(clean_text(value_text, kind.title))
    with desk.store.write() as unit:
        allow(desk, unit, by, Job.SETTINGS)
        values = unit.setting_values()
        before = _settings(values, SignIn.NAMES)
        after = _settings({**values, key: value}, SignIn.NAMES)
        was, becomes = setting_text(before, key), setting_text(after, key)
        if was != becomes:
            sentence = f"{by} set {kind.title} to {becomes or 'none'} (was {was or 'none'})"
            unit.set_setting(key, value, by=by, sentence=sentence)
    return settings(desk)


def going_along(values: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """The settings by which a county's own store works as headquarters' does, as they are kept."""
    return tuple((key, values[key]) for key in (IDLE_MINUTES, APPROVAL_STAKE, CALLER_CHECK) if key in values)


def taken_over(given: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str, str]]:
    """Of settings that came along: key, value, and what it is in words. Refused where one cannot be kept."""
    for key, value in going_along(dict(given)):
        try:
            read = _settings({key: value}, SignIn.NAMES)
            becomes = setting_text(read, key)
            if KINDS[key].read(becomes) != value:
                raise ValueError(value)
        except (ValueError, ArithmeticError, AssertionError) as error:
            raise Refused(f"{KINDS[key].title} cannot be what came along.") from error
        yield key, value, f"{KINDS[key].title} to {becomes or 'none'}"


def _settings(values: Mapping[str, str], sign_in: SignIn) -> Settings:
    stake = values.get(APPROVAL_STAKE, "")
    return Settings(
        sign_in=sign_in,
        idle_minutes=int(values.get(IDLE_MINUTES, _DEFAULT.idle_minutes)),
        approval_stake=Fraction(stake) if stake else None,
        caller_check=values.get(CALLER_CHECK, _DEFAULT.caller_check),
        release_approval=values.get(RELEASE_APPROVAL, "off") == "on",
    )


def _minutes(typed: str) -> str:
    if not typed.isdecimal() or int(typed) > MOST_MINUTES:
        raise Refused(f"{typed!r} is no number of minutes. Type 0 (never) to {MOST_MINUTES}.")
    return str(int(typed))


def _stake(typed: str) -> str:
    if not typed or typed.casefold() == "none":
        return ""
    whole, _, part = typed.replace(",", ".").partition(".")
    if not (whole or part) or not all(one == "" or one.isdecimal() for one in (whole, part)):
        raise Refused(
            f"{typed!r} is no number of state delegate equivalents. Type one such as 0.25, or none."
        )
    if len(whole) > 6 or len(part) > DIGITS:
        raise Refused(f"{typed!r} is too long: {DIGITS} digits after the point are enough.")
    return str(Fraction(int(whole or 0)) + Fraction(int(part or 0), 10 ** len(part)))


def _check(typed: str) -> str:
    known_words = ("pin", "none")
    if typed.casefold() not in known_words:
        raise Refused(f"{typed!r} is no check of callers. There are: {', '.join(known_words)}.")
    return typed.casefold()


def _on_or_off(typed: str) -> str:
    word = typed.casefold()
    if word not in ("on", "off", "yes", "no"):
        raise Refused(f"{typed!r} is neither on nor off.")
    return "on" if word in ("on", "yes") else "off"


def _decimal(value: Fraction) -> str:
    scaled = value * 10**DIGITS
    assert scaled.denominator == 1  # only such stakes are taken
    whole, part = divmod(int(scaled), 10**DIGITS)
    text = f"{part:0{DIGITS}d}".rstrip("0")
    return f"{whole}.{text}" if text else str(whole)


KINDS: Mapping[str, SettingKind] = {
    kind.key: kind
    for kind in (
        SettingKind(
            IDLE_MINUTES,
            "idle minutes",
            "A window without a key for so long covers itself; 0 is never.",
            _minutes,
        ),
        SettingKind(
            APPROVAL_STAKE,
            "approval stake",
            "State delegate equivalents: a ruling with more at stake needs a second person. Empty: none.",
            _stake,
        ),
        SettingKind(
            CALLER_CHECK,
            "caller check",
            "pin: callers are asked for PIN or worksheet id; none: not asked.",
            _check,
        ),
        SettingKind(
            RELEASE_APPROVAL,
            "release approval",
            "on: a release goes out only after a second person approved it; off: a lead's word is enough.",
            _on_or_off,
        ),
    )
}
"""By key, in the order in which they are shown. How people sign in is no such setting: it goes one way."""

assert SIGN_IN not in KINDS
