"""County kits: headquarters gives a county its part of the caucus and a key; the county begins a store."""

import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from caucus_desk.desk.again import again
from caucus_desk.desk.guards import WORDLESS, in_words
from caucus_desk.desk.known import known
from caucus_desk.desk.naming import clean_name, clean_text
from caucus_desk.desk.people import allow, begin_own_laptop, require
from caucus_desk.desk.placing import free_name, new_file, plain_name
from caucus_desk.desk.roles import Job
from caucus_desk.desk.session import Desk, desk_of
from caucus_desk.desk.settings import going_along, taken_over
from caucus_desk.desk.wording import clock
from caucus_desk.desk.workbook import county_named
from caucus_desk.exchange.packetkeys import KeyPair, check_installed, new_code, new_pair, pair_of
from caucus_desk.exchange.packetkit import ENDING, Kit, KitHead, KitInside, open_kit, write_kit
from caucus_desk.reports.forms import form_name, write_county_form
from caucus_desk.rules.errors import CaucusError, Refused
from caucus_desk.rules.loading import parse_rule_set, with_groups
from caucus_desk.store.countykeys import CountyKey, OwnKey
from caucus_desk.store.store import Store
from caucus_desk.store.units import WriteUnit
from caucus_desk.tally.catalogue import FINDINGS

__all__ = [
    "Begun",
    "CountyKey",
    "MadeKit",
    "begin_county",
    "county_keys",
    "county_of",
    "headquarters_only",
    "make_kit",
    "own_key_id",
    "place_for_county",
    "revoke_key",
]

COUNTY = "county"
"""The setting that names the county whose own store it is."""


@dataclass(frozen=True, slots=True, repr=False)
class MadeKit:
    """`code` is nowhere else: it is shown once, and told to the county by another way than the file."""

    path: Path
    county: str
    code: str
    key: str
    precincts: int
    earlier: tuple[CountyKey, ...]
    """Keys of this county whose packets are taken as well."""


@dataclass(frozen=True, slots=True)
class Begun:
    """A county's own store, open."""

    desk: Desk
    county: str
    precincts: int
    form: Path | None
    """The county's worksheet form, written beside the store; None where that was not possible."""


def county_of(desk: Desk) -> str:
    """The county whose own store this is; empty for headquarters' store, or any other. Cheap."""
    return known(desk).values.get(COUNTY, "")


def headquarters_only(desk: Desk, what: str) -> None:
    """Refused in a county's own store."""
    county = county_of(desk)
    if county:
        raise Refused(
            f"This is the own store of {county}: {what} at headquarters. Here, packets are written."
        )


@again
def make_kit(desk: Desk, county: str, out: Path | str, *, by: str) -> MadeKit:
    """Gives a county a key and writes its kit, whole or not at all; a file that is there is left alone.

    Where `out` is a folder the file gets a name of its own in it. Refused where the county is not in the
    roster, and in a county's own store.
    """
    by = clean_name(by)
    check_installed()
    require(desk, by, Job.PACKETS)
    headquarters_only(desk, "kits are made")
    county = county_named(desk, county)
    precincts = tuple(one for one in desk.precincts.values() if one.county == county)
    if all(one.merged for one in precincts):
        raise Refused(f"Every precinct of {county} was merged into another: there is nothing to key.")
    path = Path(out).expanduser()
    if path.is_dir():
        path = free_name(path / plain_name(county, f"county kit{ENDING}"))
    form = _form(desk, county)
    pair, code = new_pair(), new_code()
    with new_file(path) as file, desk.store.write() as unit:
        allow(desk, unit, by, Job.PACKETS)
        record, pins = unit.caucus(), unit.kept_pins()
        own = _headquarters(unit)
        earlier = tuple(one for one in unit.county_keys() if one.county == county and not one.revoked)
        kit = Kit(
            KitHead(
                unit.identity(), record.name, record.rules_name, county, pair.id, own.public, unit.now, by
            ),
            KitInside(
                pair.private,
                unit.groups(),
                precincts,
                tuple(pins[one.id] for one in precincts),
                form_name(desk.caucus, county),
                going_along(unit.setting_values()),
            ),
            record.rules_text,
            form,
        )
        write_kit(file.handle, kit, own, code)
        unit.add_county_key(
            pair.id,
            county,
            pair.public,
            by=by,
            sentence=f"{by} made a county kit for {county}: its packets are known by the key {pair.id}",
        )
        file.place()
    return MadeKit(path, county, code, pair.id, len(precincts), earlier)


def _form(desk: Desk, county: str) -> bytes:
    precincts = [one for one in desk.precincts.values() if one.county == county and not one.merged]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "form.xlsx"
        write_county_form(path, desk.rules, desk.caucus, county, precincts, made_at=datetime.now(UTC))
        return path.read_bytes()


def _headquarters(unit: WriteUnit) -> KeyPair:
    """Headquarters' own pair, made with the first kit."""
    kept = unit.headquarters_key()
    if kept is not None:
        return KeyPair(*kept)
    made = new_pair()
    unit.add_headquarters_key(made.private, made.public)
    return made


def county_keys(desk: Desk) -> tuple[CountyKey, ...]:
    """Every key that a county was ever given, oldest first."""
    with desk.store.read() as unit:
        return unit.county_keys()


def own_key_id(desk: Desk) -> str:
    """The key with which a county's own store signs its packets; empty in any other store."""
    with desk.store.read() as unit:
        own = unit.own_key()
    return "" if own is None else own.id


@again
def revoke_key(desk: Desk, key_id: str, *, reason: str, by: str) -> CountyKey:
    """From now on no packet is taken under this key; what was taken stays. For good."""
    by, reason = clean_name(by), clean_text(reason)
    if not in_words(reason):
        raise Refused(
            WORDLESS if reason else "Revoking a key needs a reason, such as: the laptop was stolen."
        )
    with desk.store.write() as unit:
        allow(desk, unit, by, Job.PACKETS)
        key = unit.county_key(key_id.strip().lower())
        if key is None:
            raise Refused(f"There is no key {key_id} in this store. `packet keys` lists them.")
        if key.ended_at is not None:
            raise Refused(
                f"{key.ended_by} revoked the key {key.id} of {key.county} at {clock(key.ended_at)}."
            )
        unit.end_county_key(
            key,
            by=by,
            reason=reason,
            sentence=f"{by} revoked the key {key.id} of {key.county}: {reason}",
        )
        ended = unit.county_key(key.id)
    assert ended is not None
    return ended


def begin_county(kit: Path | str, location: str, code: str, *, by: str) -> Begun:
    """Makes a county's own store from its kit, on the laptop of `by`; whole or not at all.

    The county's worksheet form is written beside it. Raises BadPacket where the kit is damaged or the code is
    another one, and StoreError where no store can be made there.
    """
    by = clean_name(by)
    check_installed()
    if "://" in location:
        raise Refused("A county's own store is a file on its laptop. Name a file, such as polk.caucus.")
    Store.check_free(location)
    with open_kit(Path(kit).expanduser()) as sealed:
        opened = sealed.opened(code)
        file = sealed.file
    head, inside = opened.head, opened.inside
    pair = pair_of(inside.private)
    with_groups(parse_rule_set(opened.rules_text, head.rules_name, FINDINGS), inside.groups, file)
    try:
        settings = tuple(taken_over(inside.settings))
    except Refused as error:
        raise Refused(f"{file} does not fit together. Ask headquarters for a new kit.") from error
    if pair.id != head.key or {one.county for one in inside.precincts} != {head.county}:
        raise Refused(f"{file} does not fit together. Ask headquarters for a new kit.")

    def fill(unit: WriteUnit) -> None:
        unit.add_groups(inside.groups)
        unit.add_precincts(inside.precincts, kept_pins=inside.pins)
        unit.add_own_key(OwnKey(head.county, pair.id, pair.private, head.headquarters))
        begin_own_laptop(unit, by)
        sentence = f"{by} began the own store of {head.county} from the kit that {head.by} made; its key is"
        unit.set_setting(COUNTY, head.county, by=by, sentence=f"{sentence} {pair.id}")
        for key, value, words in settings:
            unit.set_setting(key, value, by=by, sentence=f"The kit that {head.by} made sets {words}")

    store = Store.create(
        location,
        caucus=head.name,
        rules_name=head.rules_name,
        rules_text=opened.rules_text,
        by=by,
        fill=fill,
        identity=head.caucus,
    )
    form = _place_form(store.path, opened)
    return Begun(desk_of(store), head.county, len(inside.precincts), form)


def place_for_county(kit: Path | str, folder: Path) -> Path | None:
    """A new file in a folder for the county's own store, named by the county; None where this is no kit."""
    try:
        with open_kit(Path(kit).expanduser()) as sealed:
            county = sealed.head.county
    except CaucusError:
        return None
    return free_name(folder / f"{plain_name(county)}.caucus")


def _place_form(store: Path, kit: Kit) -> Path | None:
    """Beside the store, where no file of that name is; the county can do without it."""
    path = free_name(store.with_name(plain_name(kit.inside.form_name)))
    try:
        with new_file(path) as file:
            file.handle.write(kit.form)
            file.place()
    except CaucusError:
        return None
    return path
