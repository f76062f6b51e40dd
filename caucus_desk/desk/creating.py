"""Making the store of one caucus from a rule set and a roster."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from caucus_desk import paths
from caucus_desk.desk.naming import LONGEST, clean_name, clean_text, folded
from caucus_desk.desk.people import begin_accounts, begin_own_laptop
from caucus_desk.desk.pins import clean_pin
from caucus_desk.desk.session import Desk, desk_of
from caucus_desk.exchange.candidates import read_candidates
from caucus_desk.exchange.roster import read_roster
from caucus_desk.rules.errors import Refused, RuleSetError
from caucus_desk.rules.loading import parse_rule_set, with_groups
from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.store.secret import make_secret
from caucus_desk.store.store import Store
from caucus_desk.store.units import WriteUnit
from caucus_desk.tally.catalogue import FINDINGS
from caucus_desk.tally.progress import Progress, no_progress
from caucus_desk.tally.roster import Precinct

Then = Callable[[WriteUnit, RuleSet], None]


@dataclass(frozen=True, slots=True)
class Created:
    """A new caucus, open. `warnings` are what the roster's reader found odd."""

    desk: Desk
    precincts: int
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FirstAdministrator:
    """Who is to keep the accounts of a new store."""

    name: str
    pin: str


def rule_set_names() -> tuple[str, ...]:
    """The rule sets that come with the program."""
    return tuple(sorted(file.stem for file in (paths.resources() / "rules").glob("*.toml")))


def rule_set_text(name: str) -> str:
    """The TOML of a rule set that comes with the program. Refused where there is none of this name."""
    names = rule_set_names()
    if name not in names:
        raise Refused(f"There is no rule set {name!r}. There are: {', '.join(names)}.")
    file = paths.resources() / "rules" / f"{name}.toml"
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise RuleSetError(file.name, "file", f"cannot be read: {error}") from error


def rule_set(name: str) -> RuleSet:
    return parse_rule_set(rule_set_text(name), f"{name}.toml", FINDINGS)


def refuse_taken(location: str) -> None:
    """Raises StoreError where no store can be made, before anybody is asked for anything."""
    Store.check_free(location)


def create_caucus(
    location: str,
    rules_name: str,
    roster: Path,
    *,
    by: str,
    name: str | None = None,
    candidates: Path | None = None,
    progress: Progress | None = None,
    administrator: FirstAdministrator | None = None,
    own_laptop: bool = False,
) -> Created:
    """A store for one caucus, whole or not at all; an existing file is never overwritten.

    With an `administrator` everybody signs in; with `own_laptop` it is the own machine of `by` and nobody
    does; with neither a name is enough.
    `name` is the rule set's title where none is given. Raises BadInput for a roster or a candidates
    file with anything wrong in it, StoreError where the store cannot be made there, and Cancelled from
    `progress`; then there is no file.
    """
    by = clean_name(by)
    Store.check_free(location)
    text = rule_set_text(rules_name)
    rules = parse_rule_set(text, f"{rules_name}.toml", FINDINGS)
    if candidates is not None:
        rules = with_groups(rules, read_candidates(candidates), candidates.name)
    if administrator is not None and own_laptop:
        raise Refused("A person's own laptop has no accounts: make the administrator, or mark the laptop.")
    keeper = None if administrator is None else clean_name(administrator.name)
    secret = "" if administrator is None else make_secret(clean_pin(administrator.pin, administrator.name))
    tell = progress or no_progress
    read = read_roster(roster, rules, tell)
    precincts = tuple(row.precinct for row in read.rows)
    tell(0, len(precincts), "Making the store")

    def begin(unit: WriteUnit, _: RuleSet) -> None:
        if keeper is not None:
            begin_accounts(unit, keeper, secret)
        elif own_laptop:
            begin_own_laptop(unit, by)

    desk = new_caucus(
        location,
        rules,
        text,
        precincts,
        by=by,
        name=name,
        pins=tuple(row.pin for row in read.rows),
        then=begin,
        progress=tell,
    )
    if keeper is not None:
        desk.signed_in[folded(keeper)] = secret
    return Created(desk, len(precincts), read.warnings)


def new_caucus(
    location: str,
    rules: RuleSet,
    rules_text: str,
    precincts: Sequence[Precinct],
    *,
    by: str,
    name: str | None = None,
    pins: Sequence[str] = (),
    then: Then | None = None,
    progress: Progress = no_progress,
) -> Desk:
    """A store with this rule set, its groups and these precincts, in the order given.

    `then` may add more in the same step; whatever it raises leaves no file.
    """
    title = clean_text(name or "", "name of the caucus", LONGEST) or rules.title

    def fill(unit: WriteUnit) -> None:
        unit.add_groups(rules.groups)
        unit.add_precincts(
            precincts,
            pins,
            lambda done: progress(done, len(precincts), "Hiding the PINs"),
        )
        progress(len(precincts), len(precincts), "Making the store")
        if then is not None:
            then(unit, rules)

    return desk_of(
        Store.create(
            location, caucus=title, rules_name=rules.name, rules_text=rules_text, by=clean_name(by), fill=fill
        )
    )
