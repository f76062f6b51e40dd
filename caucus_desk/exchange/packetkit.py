"""County kits as files: what a county needs to begin its own store, opened by the kit's code.

The roster's part, with chairs' numbers and the hashes of PINs, and the key that the county signs with are
sealed: the file may lie in a mailbox. Whoever has no code learns no more than which county it is for.
"""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO

from caucus_desk.exchange.packet import check_kind
from caucus_desk.exchange.packetfile import BadPacket, OpenArchive, damaged, open_archive, write_archive
from caucus_desk.exchange.packetjson import Fields, as_bytes, parsed, time_text
from caucus_desk.exchange.packetkeys import KeyPair, sealed, sign, signed_by, unsealed
from caucus_desk.rules.ruleset import Group, GroupKind
from caucus_desk.tally.roster import Precinct, PrecinctKind

KIND = "Caucus Desk county kit"
FORMAT = 1
ENDING = ".cdkit"
_RULES, _SEALED, _FORM = "rules.toml", "sealed", "form.xlsx"
_PREFIX = b"Caucus Desk county kit, signed by headquarters\n"
_MOST = 2**31


@dataclass(frozen=True, slots=True)
class KitHead:
    """What a kit says to anybody."""

    caucus: str
    """The caucus's identity."""
    name: str
    rules_name: str
    county: str
    key: str
    headquarters: str
    """The public key by which receipts are known, hexadecimal."""
    made_at: datetime
    by: str


@dataclass(frozen=True, slots=True, repr=False)
class KitInside:
    """What only the code opens. `pins` are hashes beside the precincts, empty where there is none."""

    private: str
    groups: tuple[Group, ...]
    precincts: tuple[Precinct, ...]
    pins: tuple[str, ...]
    form_name: str
    settings: tuple[tuple[str, str], ...] = ()
    """Those of headquarters' that a county works by: key and value, as a store keeps them."""


@dataclass(frozen=True, slots=True, repr=False)
class Kit:
    head: KitHead
    inside: KitInside
    rules_text: str
    form: bytes
    """The county's worksheet form, an Excel file."""


def write_kit(out: IO[bytes], kit: Kit, pair: KeyPair, code: str) -> None:
    """Writes a kit into an open, empty file, signed with headquarters' own pair."""
    head = _head(kit.head)
    rules = kit.rules_text.encode("utf-8")
    inside = sealed(code, as_bytes(_inside(kit.inside)), _beside(head, rules, kit.form))
    parts = ((_RULES, rules), (_FORM, kit.form), (_SEALED, inside))
    write_archive(out, head, parts, lambda message: sign(pair.private, _PREFIX + message))


class OpenKit:
    """A kit file that is whole; `head` is what it says to anybody."""

    def __init__(self, archive: OpenArchive) -> None:
        self._archive, self.file = archive, archive.file
        given = archive.fields()
        check_kind(given, KIND, FORMAT, self.file)
        self.head = KitHead(
            given.hex("caucus", 32),
            given.text("name"),
            given.text("rules_name"),
            given.text("county"),
            given.hex("key", 16),
            given.hex("headquarters", 64),
            given.time("made_at"),
            given.text("by"),
        )
        self._members = archive.check_members(given)
        given.done()
        if self._members.keys() != {_RULES, _SEALED, _FORM}:
            raise damaged(self.file)
        if not signed_by(self.head.headquarters, archive.signature, _PREFIX + archive.manifest):
            raise damaged(self.file)

    def opened(self, code: str) -> Kit:
        """Raises BadPacket where this is not the kit's code."""
        rules, form, locked = (self._archive.read(self._members[name]) for name in (_RULES, _FORM, _SEALED))
        data = unsealed(code, locked, _beside(_head(self.head), rules, form))
        if data is None:
            raise BadPacket(
                f"This is not the code of {self.file}. Headquarters said the code when it made the kit: 16 "
                "letters and digits in four groups. Ask for it again; a lost code is no harm, a new kit is "
                "made in a minute."
            )
        inside = _read_inside(parsed(data, self.file))
        return Kit(self.head, inside, rules.decode("utf-8"), form)


@contextmanager
def open_kit(path: Path) -> Iterator[OpenKit]:
    """Raises BadPacket, or Unreadable, where it is no whole kit of a version that is known here."""
    with open_archive(path) as archive:
        yield OpenKit(archive)


def _head(head: KitHead) -> dict[str, object]:
    return {
        "kind": KIND,
        "format": FORMAT,
        "caucus": head.caucus,
        "name": head.name,
        "rules_name": head.rules_name,
        "county": head.county,
        "key": head.key,
        "headquarters": head.headquarters,
        "made_at": time_text(head.made_at),
        "by": head.by,
    }


def _beside(head: dict[str, object], rules: bytes, form: bytes) -> bytes:
    """What the code vouches for beside the sealed part: nobody without it can change any of this."""
    digests = [hashlib.sha256(part).hexdigest() for part in (rules, form)]
    return as_bytes({"head": head, "digests": digests})


def _inside(inside: KitInside) -> dict[str, object]:
    return {
        "private": inside.private,
        "groups": [
            {
                "key": one.key,
                "label": one.label,
                "kind": str(one.kind),
                "may_be_viable": one.may_be_viable,
                "minor": one.minor,
            }
            for one in inside.groups
        ],
        "precincts": [
            {
                "id": one.id,
                "county": one.county,
                "name": one.name,
                "kind": str(one.kind),
                "district": one.district,
                "delegates": one.delegates,
                "county_state_delegates": one.county_state_delegates,
                "county_total_delegates": one.county_total_delegates,
                "attendance": one.attendance,
                "last_attendance": one.last_attendance,
                "registered": one.registered,
                "chair": one.chair,
                "phone": one.phone,
                "pin": pin,
            }
            for one, pin in zip(inside.precincts, inside.pins, strict=True)
        ],
        "form_name": inside.form_name,
        "settings": [list(one) for one in inside.settings],
    }


def _read_inside(given: Fields) -> KitInside:
    private = given.hex("private", 64)
    groups = tuple(map(_read_group, given.rows("groups")))
    precincts, pins = [], []
    for row in given.rows("precincts"):
        try:
            precincts.append(_read_precinct(row))
        except ValueError as error:
            raise row.bad() from error
        pins.append(row.text("pin"))
        row.done()
    form_name = given.text("form_name", 200)
    settings = []
    for one in given.lists("settings"):
        match one:
            case (str(key), str(value)):
                settings.append((key, value))
            case _:
                raise given.bad()
    given.done()
    return KitInside(private, groups, tuple(precincts), tuple(pins), form_name, tuple(settings))


def _read_group(row: Fields) -> Group:
    try:
        group = Group(
            row.text("key"),
            row.text("label"),
            GroupKind(row.text("kind")),
            row.flag("may_be_viable"),
            row.flag("minor"),
        )
    except ValueError as error:
        raise row.bad() from error
    row.done()
    return group


def _read_precinct(row: Fields) -> Precinct:
    return Precinct(
        row.text("id"),
        row.text("county"),
        row.text("name"),
        PrecinctKind(row.text("kind")),
        row.optional_text("district"),
        row.optional_number("delegates", _MOST),
        row.optional_number("county_state_delegates", _MOST),
        row.optional_number("county_total_delegates", _MOST),
        row.optional_number("attendance", _MOST),
        row.optional_number("last_attendance", _MOST),
        row.optional_number("registered", _MOST),
        row.text("chair"),
        row.text("phone"),
    )
