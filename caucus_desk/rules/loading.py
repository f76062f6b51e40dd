"""From the text of a TOML file to a rule set, refusing whatever is not exactly understood."""

import re
import unicodedata
from collections.abc import Collection, Iterable
from dataclasses import replace

from caucus_desk.rules.errors import RuleSetError
from caucus_desk.rules.reading import Table, read_toml
from caucus_desk.rules.ruleset import (
    Band,
    Chance,
    Group,
    GroupKind,
    Method,
    OneDelegate,
    OverViable,
    Pool,
    PoolScope,
    RoundedSum,
    Rounding,
    RuleSet,
    Satellites,
    SatelliteWeight,
    ShareBase,
    SheetField,
    Threshold,
    UnderAllocation,
    Unit,
)

ROUNDS = ("first", "final")
CHANNELS = ("phone", "paper", "app")
SEVERITIES = ("error", "warning", "note", "off")
DECISIONS = ("Q1", "Q2", "Q3", "Q4", "Q5", "Q6")
SHEET_COUNTS = ("attendance", "threshold", "delegates_to_elect", "second_attendance")
"""Counts that every sheet may carry: a rule set's own field cannot take their names."""

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_FIELD_KEY = re.compile(r"[a-z][a-z0-9_]*")
_FINDING = re.compile(r"C[0-9]{2}")
_NOT_IN_A_KEY = "|>="
"""Signs that stand between groups in files and on the command line (`A|B>A`, `GROUP=FINAL`)."""


def parse_rule_set(text: str, file: str, findings: Collection[str] | None = None) -> RuleSet:
    """The rule set that `text` describes; `file` names it in errors.

    `findings`, where given, are the ids of the catalogue: a severity for any other id is refused.
    Raises RuleSetError, naming file, key and reason, for anything missing, unknown or contradictory.
    """
    top = read_toml(text, file)
    name = top.text("name")
    if not _NAME.fullmatch(name):
        raise top.error("name", f"must be small letters, digits and hyphens, not {name!r}")
    one_delegate = top.word("one_delegate", OneDelegate)
    rounds = _rounds(top)
    rules = RuleSet(
        name=name,
        title=top.text("title"),
        year=top.integer("year", 1900, 2200),
        groups=_groups(top),
        rounds=rounds,
        locked=_locked(top, rounds),
        thresholds=_thresholds(top, one_delegate),
        per_delegate=top.flag("per_delegate", False),
        share_base=top.word("share_base", ShareBase),
        method=top.word("method", Method),
        protect_only=top.flag("protect_only"),
        over_viable=top.word("over_viable", OverViable),
        one_delegate=one_delegate,
        chance=_chance(top),
        unit=top.word("unit", Unit),
        fields=_fields(top),
        satellites=_satellites(top),
        pools=_pools(top),
        pool_threshold=top.share("pool_threshold"),
        empty_rule=top.one_of("empty_rule", ("half_of_leader", "nothing")),
        rounding=_rounding(top),
        column_labels=_column_labels(top, rounds),
        severities=_severities(top, findings),
        verifying_pairs=_verifying_pairs(top),
        decisions=_decisions(top),
        under_allocation=top.word("under_allocation", UnderAllocation),
        correct_sheets=_correct_sheets(top),
    )
    top.done()
    return rules


def with_groups(rules: RuleSet, groups: Iterable[Group], file: str | None = None) -> RuleSet:
    """The same rules for another ballot, in the order given.

    Raises RuleSetError (naming `file`, by default the rule set) where the groups cannot stand on one ballot.
    """
    ballot = tuple(groups)
    where = file or rules.name
    if not ballot:
        raise RuleSetError(where, "groups", "is empty")
    for position, group in enumerate(ballot, start=1):
        problem = _group_problem(group, ballot[: position - 1])
        if problem is not None:
            raise RuleSetError(where, f"groups[{position}].{problem[0]}", problem[1])
    return replace(rules, groups=ballot)


def _groups(top: Table) -> tuple[Group, ...]:
    groups: list[Group] = []
    for table in top.tables("groups"):
        key = table.text("key")
        group = Group(
            key=key,
            label=table.text("label", key),
            kind=table.word("kind", GroupKind, GroupKind.CANDIDATE),
            may_be_viable=table.flag("may_be_viable", True),
            minor=table.flag("minor", False),
        )
        problem = _group_problem(group, groups)
        if problem is not None:
            raise table.error(*problem)
        table.done()
        groups.append(group)
    return tuple(groups)


def _group_problem(group: Group, before: Iterable[Group]) -> tuple[str, str] | None:
    """The key and the reason why `group` cannot follow the groups `before` it; None where it can."""
    for part, text in (("key", group.key), ("label", group.label)):
        if not text.strip():
            return part, "is empty"
        if text != text.strip() or any(ord(sign) < 32 for sign in text):
            return part, f"{text!r} has spaces around it or a control character in it"
        if len(text) > 60:
            return part, "is longer than 60 characters"
    for sign in _NOT_IN_A_KEY:
        if sign in group.key:
            return "key", f"{group.key!r} must not hold the sign {sign}"
    for other in before:
        names = {_folded(other.key), _folded(other.label)}
        for part, text in (("key", group.key), ("label", group.label)):
            if _folded(text) in names:
                return part, f"{text!r} stands twice on the ballot"
        if group.kind is other.kind and group.kind is not GroupKind.CANDIDATE:
            return "kind", f"{group.key!r} is a second group of the kind {group.kind.value!r}"
    return None


def _folded(text: str) -> str:
    """As names are compared: without case, spaces and accents (design.md)."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in plain if not unicodedata.combining(sign) and not sign.isspace())


def _rounds(top: Table) -> tuple[str, ...]:
    rounds = top.texts("rounds")
    if rounds not in (ROUNDS, ROUNDS[1:]):
        raise top.error("rounds", f"must be ['first', 'final'] or ['final'], not {list(rounds)}")
    return rounds


def _locked(top: Table, rounds: tuple[str, ...]) -> bool:
    locked = top.flag("locked")
    if locked and "first" not in rounds:
        raise top.error("locked", "nobody can be locked in where only the final alignment is kept")
    return locked


def _thresholds(top: Table, one_delegate: OneDelegate) -> tuple[Threshold, ...]:
    if top.flag("per_delegate", False):
        if top.has("thresholds"):
            raise top.error("thresholds", "must not stand beside per_delegate = true: one of the two holds")
        return ()
    thresholds: list[Threshold] = []
    for table in top.tables("thresholds"):
        step = Threshold(table.integer("delegates_from", 1, 1_000), table.own_share())
        if thresholds and step.delegates_from <= thresholds[-1].delegates_from:
            raise table.error("delegates_from", "must ascend: more than in the threshold before it")
        table.done()
        thresholds.append(step)
    lowest = 1 if one_delegate is OneDelegate.FORMULA else 2
    if thresholds[0].delegates_from != lowest:
        raise top.error(
            "thresholds[1].delegates_from",
            f"must be {lowest} where one_delegate is {one_delegate.value!r}",
        )
    return tuple(thresholds)


def _chance(top: Table) -> Chance:
    table = top.table("chance")
    chance = Chance(table.text("kind"), table.text("order", ""))
    table.done()
    return chance


def _fields(top: Table) -> tuple[SheetField, ...]:
    fields: list[SheetField] = []
    for table in top.tables("fields", optional=True):
        field = SheetField(
            key=table.text("key"),
            label=table.text("label"),
            adds_to_attendance=table.flag("adds_to_attendance"),
            required=table.flag("required", True),
        )
        if not _FIELD_KEY.fullmatch(field.key):
            raise table.error("key", f"must be small letters, digits and _, not {field.key!r}")
        if field.key in SHEET_COUNTS:
            raise table.error("key", f"{field.key!r} stands on every sheet already")
        if any(field.key == other.key for other in fields):
            raise table.error("key", f"{field.key!r} stands twice")
        table.done()
        fields.append(field)
    return tuple(fields)


def _satellites(top: Table) -> Satellites | None:
    if not top.has("satellites"):
        return None
    satellites = top.table("satellites")
    bands: list[Band] = []
    for table in satellites.tables("bands"):
        if bands and bands[-1].up_to is None:
            raise table.error("up_to", "nothing can follow the band without up_to")
        up_to = table.integer("up_to", 1, 99_999) if table.has("up_to") else None
        if bands and up_to is not None and up_to <= (bands[-1].up_to or 0):
            raise table.error("up_to", "must ascend: more than in the band before it")
        bands.append(Band(up_to, table.integer("delegates", 1, 1_000)))
        table.done()
    if bands[-1].up_to is not None:
        raise satellites.error("bands", "the last band must have no up_to: any number needs a band")
    result = Satellites(tuple(bands), satellites.word("weight", SatelliteWeight))
    satellites.done()
    return result


def _pools(top: Table) -> tuple[Pool, ...]:
    pools: list[Pool] = []
    for table in top.tables("pools"):
        scope = table.word("scope", PoolScope)
        if scope is PoolScope.STATE and table.has("district"):
            raise table.error("district", "a statewide pool has no district")
        pool = Pool(
            id=table.text("id"),
            label=table.text("label"),
            scope=scope,
            seats=table.integer("seats", 1, 1_000),
            district=table.text("district") if scope is PoolScope.DISTRICT else None,
        )
        for other in pools:
            if _folded(other.id) == _folded(pool.id):
                raise table.error("id", f"{pool.id!r} stands twice")
            if pool.district is not None and pool.district == other.district:
                raise table.error("district", f"{pool.district!r} has a pool already ({other.id})")
        table.done()
        pools.append(pool)
    return tuple(pools)


def _rounding(top: Table) -> Rounding:
    table = top.table("rounding")
    rounding = Rounding(table.integer("digits", 0, 12), table.flag("half_up"), table.word("sum", RoundedSum))
    table.done()
    return rounding


def _column_labels(top: Table, rounds: tuple[str, ...]) -> dict[str, str]:
    table = top.table("column_labels")
    labels = {key: table.text(key) for key in ("attendance", *rounds, "delegates")}
    table.done()
    if len({_folded(label) for label in labels.values()}) != len(labels):
        raise top.error("column_labels", "two columns have the same label")
    return labels


def _severities(top: Table, findings: Collection[str] | None) -> dict[str, str]:
    if not top.has("severities"):
        return {}
    table = top.table("severities")
    for key in table.names():
        if not _FINDING.fullmatch(key) or (findings is not None and key not in findings):
            raise table.error(key, "is not the id of a finding (such as C07)")
    return {key: table.one_of(key, SEVERITIES) for key in table.names()}


def _verifying_pairs(top: Table) -> tuple[frozenset[str], ...]:
    pairs: list[frozenset[str]] = []
    for position, names in enumerate(top.text_lists("verifying_pairs"), start=1):
        key = f"verifying_pairs[{position}]"
        for name in names:
            if name not in CHANNELS:
                raise top.error(key, f"{name!r} is not a channel (phone, paper, app)")
        pair = frozenset(names)
        if len(names) != 2 or len(pair) != 2:
            raise top.error(key, "must name two different channels")
        if pair in pairs:
            raise top.error(key, "stands twice")
        pairs.append(pair)
    if not pairs:
        raise top.error("verifying_pairs", "is empty: no precinct could ever be verified")
    return tuple(pairs)


def _decisions(top: Table) -> dict[str, str]:
    table = top.table("decisions")
    decisions = {key: table.text(key) for key in DECISIONS}
    table.done()
    return decisions


def _correct_sheets(top: Table) -> bool:
    if top.flag("correct_sheets"):
        raise top.error("correct_sheets", "must be false: a worksheet is a legal record")
    return False
