"""Rule sets are data: what the shipped ones say; a malformed one is refused with file, key and reason."""

import tomllib
from dataclasses import replace
from fractions import Fraction

import pytest

from caucus_desk.paths import resources
from caucus_desk.rules.errors import CaucusError, RuleSetError
from caucus_desk.rules.loading import parse_rule_set, with_groups
from caucus_desk.rules.ruleset import (
    Band,
    Group,
    GroupKind,
    Method,
    OneDelegate,
    OverViable,
    PoolScope,
    RoundedSum,
    RuleSet,
    SatelliteWeight,
    ShareBase,
    Threshold,
    UnderAllocation,
    Unit,
)

SHIPPED = sorted(path.name for path in (resources() / "rules").glob("*.toml"))


def test_the_shipped_rule_sets() -> None:
    assert {"iowa-2020.toml", "nevada-2020.toml"} <= set(SHIPPED)


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_file_has_the_name_of_its_rules(name: str) -> None:
    text = (resources() / "rules" / name).read_text(encoding="utf-8")
    assert f"{parse_rule_set(text, name).name}.toml" == name


def test_iowa_2020(iowa: RuleSet) -> None:
    assert (iowa.name, iowa.year) == ("iowa-2020", 2020)
    assert iowa.title == "Iowa Democratic precinct caucuses, 3 February 2020"
    assert iowa.keys == (
        "Bennet",
        "Biden",
        "Bloomberg",
        "Buttigieg",
        "Delaney",
        "Gabbard",
        "Klobuchar",
        "Patrick",
        "Sanders",
        "Steyer",
        "Warren",
        "Yang",
        "Other",
        "Uncommitted",
    )
    assert all(group.label == group.key for group in iowa.groups)
    assert all(group.may_be_viable for group in iowa.groups)
    assert iowa.by_key["Other"].kind is GroupKind.OTHER
    assert iowa.by_key["Uncommitted"].kind is GroupKind.UNCOMMITTED
    assert {group.kind for group in iowa.groups[:12]} == {GroupKind.CANDIDATE}
    assert {group.key for group in iowa.groups if group.minor} == {
        "Bennet",
        "Bloomberg",
        "Delaney",
        "Gabbard",
        "Patrick",
    }
    assert iowa.rounds == ("first", "final")
    assert iowa.locked
    assert iowa.thresholds == (
        Threshold(2, Fraction(1, 4)),
        Threshold(3, Fraction(1, 6)),
        Threshold(4, Fraction(3, 20)),
    )
    assert not iowa.per_delegate
    assert iowa.share_base is ShareBase.ATTENDANCE
    assert iowa.method is Method.NEAREST_CORRECT
    assert iowa.protect_only
    assert iowa.over_viable is OverViable.CHANCE
    assert iowa.one_delegate is OneDelegate.WHOLE_ROOM
    assert iowa.under_allocation is UnderAllocation.MOST_OWED
    assert not iowa.correct_sheets
    assert iowa.unit is Unit.SDE
    assert iowa.fields == ()
    assert iowa.satellites is not None
    assert iowa.satellites.weight is SatelliteWeight.ATTENDANCE
    assert iowa.satellites.bands == (
        Band(20, 4),
        Band(40, 5),
        Band(60, 6),
        Band(80, 7),
        Band(100, 8),
        Band(None, 9),
    )
    assert [(pool.id, pool.scope, pool.district, pool.seats) for pool in iowa.pools] == [
        ("CD1", PoolScope.DISTRICT, "1", 7),
        ("CD2", PoolScope.DISTRICT, "2", 7),
        ("CD3", PoolScope.DISTRICT, "3", 8),
        ("CD4", PoolScope.DISTRICT, "4", 5),
        ("at_large", PoolScope.STATE, None, 9),
        ("pleo", PoolScope.STATE, None, 5),
    ]
    assert iowa.pool_threshold == Fraction(3, 20)
    assert iowa.empty_rule == "half_of_leader"
    assert (iowa.rounding.digits, iowa.rounding.half_up, iowa.rounding.sum) == (4, True, RoundedSum.EXACT)
    assert iowa.verifying_pairs == (frozenset({"phone", "paper"}), frozenset({"app", "paper"}))
    assert set(iowa.column_labels) == {"attendance", "first", "final", "delegates"}
    assert iowa.severities == {"C24": "warning"}
    assert list(iowa.decisions) == ["Q1", "Q2", "Q3", "Q4", "Q5", "Q6"]
    assert iowa.chance.kind == "coin toss"


def test_nevada_2020_is_really_different(iowa: RuleSet, nevada: RuleSet) -> None:
    assert "Other" not in nevada.keys
    assert nevada.by_key["Uncommitted"].kind is GroupKind.UNCOMMITTED
    (early,) = nevada.fields
    assert (early.key, early.label, early.adds_to_attendance, early.required) == (
        "early_votes",
        "Early votes",
        True,
        True,
    )
    assert nevada.unit is Unit.CCD
    assert nevada.method is Method.ONE_EACH_MOST_OWED
    assert nevada.over_viable is OverViable.EXPAND
    assert nevada.one_delegate is OneDelegate.LARGEST
    assert nevada.satellites is None
    assert nevada.chance.kind == "high card"
    assert "spades" in nevada.chance.order
    districts = [pool.seats for pool in nevada.pools if pool.scope is PoolScope.DISTRICT]
    assert (len(districts), sum(districts)) == (4, 23)
    assert {pool.id: pool.seats for pool in nevada.pools[4:]} == {"at_large": 8, "pleo": 5}
    assert nevada.severities == {"C22": "off", "C29": "note"}
    assert nevada.column_labels["delegates"] == "County convention delegates"
    assert nevada.thresholds == iowa.thresholds


def test_minnesotas_parameters_can_be_said(iowa_text: str) -> None:
    text = _without_tables(iowa_text, "thresholds")
    text = text.replace('one_delegate = "whole_room"', 'one_delegate = "formula"\nper_delegate = true')
    text = text.replace('share_base = "attendance"', 'share_base = "viable_total"')
    text = text.replace('method = "nearest_correct"', 'method = "largest_remainder"')
    text = text.replace('over_viable = "chance"', 'over_viable = "realign"')
    rules = parse_rule_set(text, "minnesota.toml")
    assert rules.per_delegate
    assert rules.thresholds == ()
    assert (rules.share_base, rules.method, rules.over_viable, rules.one_delegate) == (
        ShareBase.VIABLE_TOTAL,
        Method.LARGEST_REMAINDER,
        OverViable.REALIGN,
        OneDelegate.FORMULA,
    )


def test_what_may_be_left_out(iowa_text: str) -> None:
    text = _without_tables(iowa_text, "severities", "satellites", "satellites.bands")
    rules = parse_rule_set(text, "iowa.toml")
    assert rules.severities == {}
    assert rules.satellites is None
    assert rules.fields == ()


def test_the_last_values_that_are_taken(iowa_text: str) -> None:
    text = iowa_text.replace("digits = 4", "digits = 12").replace(
        "up_to = 20\ndelegates = 4", "up_to = 1\ndelegates = 1"
    )
    text = text.replace('key = "Yang"', f'key = "{"y" * 60}"').replace("seats = 7", "seats = 1", 1)
    rules = parse_rule_set(f"fields = []\n{text}", "iowa.toml")
    assert rules.rounding.digits == 12
    assert rules.satellites is not None
    assert rules.satellites.bands[0] == Band(1, 1)
    assert rules.keys[11] == "y" * 60
    assert rules.pools[0].seats == 1


@pytest.mark.parametrize("name", ["groups", "pools", "thresholds"])
def test_a_list_that_must_hold_something(iowa_text: str, name: str) -> None:
    with pytest.raises(RuleSetError, match=f"{name}: is empty"):
        parse_rule_set(f"{name} = []\n{_without_tables(iowa_text, name)}", "x.toml")


def test_a_label_may_differ_from_the_key(iowa_text: str) -> None:
    text = iowa_text.replace('key = "Other"', 'key = "Other"\nlabel = "Other / write-in"')
    rules = parse_rule_set(text, "iowa.toml")
    assert rules.label("Other") == "Other / write-in"
    assert rules.name_of("Other") == "Other / write-in"
    assert rules.name_of("somebody") == "somebody"


def test_one_threshold_from_one_delegate_where_the_formula_holds_for_one(iowa_text: str) -> None:
    text = iowa_text.replace('one_delegate = "whole_room"', 'one_delegate = "formula"')
    with pytest.raises(RuleSetError) as refused:
        parse_rule_set(text, "x.toml")
    assert refused.value.key == "thresholds[1].delegates_from"
    rules = parse_rule_set(
        text.replace("delegates_from = 2\nnum = 1\nden = 4", "delegates_from = 1\nnum = 1\nden = 4"), "x.toml"
    )
    assert rules.thresholds[0].delegates_from == 1


def _without_tables(text: str, *names: str) -> str:
    """The text without the tables [name] and [[name]]."""
    kept, keep = [], True
    for line in text.splitlines():
        if line.startswith("["):
            keep = line.split("#")[0].strip().strip("[]") not in names
        if keep:
            kept.append(line)
    return "\n".join(kept) + "\n"


# (text to find, text in its place, key named, words of the reason)
MALFORMED = [
    # not TOML, or not this file at all
    ('name = "iowa-2020"', "name = iowa", "TOML", "line 4"),
    ('name = "iowa-2020"', 'name = "a"\nname = "b"', "TOML", "cannot be read"),
    # missing, unknown, misspelt
    ('name = "iowa-2020"\n', "", "name", "is missing"),
    ("year = 2020\n", "", "year", "is missing"),
    ('method = "nearest_correct"\n', "", "method", "is missing"),
    ("protect_only = true ", "protect_onyl = true ", "protect_only", "is missing"),
    ("year = 2020", "year = 2020\ncolour = 3", "colour", "not a key that is known"),
    ('kind = "coin toss"', 'kind = "coin toss"\nside = "heads"', "chance.side", "not a key that is known"),
    ('key = "Biden"', 'key = "Biden"\nminro = true', "groups[2].minro", "not a key that is known"),
    ("up_to = 40", "up_to = 40\nover = 3", "satellites.bands[2].over", "not a key that is known"),
    (
        'weight = "attendance" ',
        'weight = "attendance"\nsite = 1 ',
        "satellites.site",
        "not a key that is known",
    ),
    (
        "delegates_from = 3",
        "delegates_from = 3\nshare = 0.2",
        "thresholds[2].share",
        "not a key that is known",
    ),
    ('id = "pleo"', 'id = "pleo"\nname = "x"', "pools[6].name", "not a key that is known"),
    ("digits = 4", "digits = 4\nplaces = 4", "rounding.places", "not a key that is known"),
    ("[decisions]\nQ1", "[decisions]\nQ7 = 'x'\nQ1", "decisions.Q7", "not a key that is known"),
    ('attendance = "Attendance"', 'attendance = "A"\nsecond = "B"', "column_labels.second", "not a key"),
    ("{ num = 3, den = 20 }", "{ num = 3, den = 20, x = 1 }", "pool_threshold.x", "not a key that is known"),
    # wrong types
    ('name = "iowa-2020"', "name = 2020", "name", "must be text, not a whole number"),
    ("year = 2020", 'year = "2020"', "year", "must be a whole number from 1900 to 2200, not text ('2020')"),
    ("year = 2020", "year = true", "year", "not true or false"),
    ("year = 2020", "year = 2020.0", "year", "not a number with a decimal point"),
    ("year = 2020", "year = 2020-02-03", "year", "not a date or time"),
    ("locked = true", "locked = 1", "locked", "must be true or false, not a whole number"),
    ("locked = true", 'locked = "yes"', "locked", "must be true or false, not text"),
    ("protect_only = true", "protect_only = []", "protect_only", "not a list"),
    ('rounds = ["first", "final"]', 'rounds = "first"', "rounds", "must be a list of texts, not text"),
    ('rounds = ["first", "final"]', 'rounds = ["first", 2]', "rounds[2]", "must be text, not a whole number"),
    ("minor = true", "minor = 1", "groups[1].minor", "must be true or false"),
    (
        "digits = 4",
        "digits = true",
        "rounding.digits",
        "must be a whole number from 0 to 12, not true or false",
    ),
    ("seats = 8", "seats = 8.0", "pools[3].seats", "not a number with a decimal point"),
    ("delegates = 4", "delegates = true", "satellites.bands[1].delegates", "not true or false"),
    ("up_to = 20", 'up_to = "20"', "satellites.bands[1].up_to", "not text"),
    ("num = 3\n", "num = true\n", "thresholds[3].num", "not true or false"),
    ('[chance]\nkind = "coin toss"', "[[chance]]\nkind = 'x'", "chance", "must be a table, not a list"),
    ('unit = "sde"', "unit = 1", "unit", "must be 'sde', 'ccd' or 'votes', not a whole number (1)"),
    # words that nobody knows
    ('method = "nearest_correct"', 'method = "nearest"', "method", "not 'nearest'"),
    ('share_base = "attendance"', 'share_base = "all"', "share_base", "not 'all'"),
    ('over_viable = "chance"', 'over_viable = "grow"', "over_viable", "'chance', 'expand' or 'realign'"),
    ('one_delegate = "whole_room"', 'one_delegate = "nobody"', "one_delegate", "not 'nobody'"),
    ('under_allocation = "most_owed"', 'under_allocation = "x"', "under_allocation", "'most_owed' or 'once'"),
    ('unit = "sde"', 'unit = "SDE"', "unit", "not 'SDE'"),
    ('empty_rule = "half_of_leader"', 'empty_rule = "half"', "empty_rule", "'half_of_leader' or 'nothing'"),
    ('kind = "other"', 'kind = "others"', "groups[13].kind", "not 'others'"),
    ('scope = "district"\ndistrict = "2"', 'scope = "cd"\ndistrict = "2"', "pools[2].scope", "not 'cd'"),
    ('weight = "attendance"', 'weight = "size"', "satellites.weight", "'attendance' or 'delegates'"),
    ('sum = "exact"', 'sum = "both"', "rounding.sum", "'exact' or 'rounded'"),
    ('C24 = "warning"', 'C24 = "W"', "severities.C24", "'error', 'warning', 'note' or 'off', not 'W'"),
    ('C24 = "warning"', "C24 = false", "severities.C24", "not true or false"),
    ('C24 = "warning"', 'C7 = "note"', "severities.C7", "not the id of a finding"),
    ('C24 = "warning"', 'C245 = "note"', "severities.C245", "not the id of a finding"),
    ('["app", "paper"]]', '["app", "fax"]]', "verifying_pairs[2]", "'fax' is not a channel"),
    # contradictions
    ('["app", "paper"]]', '["paper", "paper"]]', "verifying_pairs[2]", "two different channels"),
    ('["app", "paper"]]', '["app", "paper", "phone"]]', "verifying_pairs[2]", "two different channels"),
    ('["app", "paper"]]', '["app"]]', "verifying_pairs[2]", "two different channels"),
    ('["app", "paper"]]', '["paper", "phone"]]', "verifying_pairs[2]", "stands twice"),
    ('["app", "paper"]]', '"app"]', "verifying_pairs[2]", "must be a list of texts, not text"),
    ('["app", "paper"]]', '["app", 3]]', "verifying_pairs[2]", "must be a list of texts"),
    ('[["phone", "paper"], ["app", "paper"]]', "[]", "verifying_pairs", "is empty"),
    ('[["phone", "paper"], ["app", "paper"]]', '"paper"', "verifying_pairs", "a list of lists"),
    ("correct_sheets = false", "correct_sheets = true", "correct_sheets", "legal record"),
    ('rounds = ["first", "final"]', 'rounds = ["final", "first"]', "rounds", "must be ['first', 'final']"),
    ('rounds = ["first", "final"]', "rounds = []", "rounds", "must be"),
    ('rounds = ["first", "final"]', 'rounds = ["final"]', "locked", "only the final alignment"),
    ("delegates_from = 3", "delegates_from = 2", "thresholds[2].delegates_from", "must ascend"),
    ("delegates_from = 4", "delegates_from = 3", "thresholds[3].delegates_from", "must ascend"),
    ("delegates_from = 2", "delegates_from = 1", "thresholds[1].delegates_from", "must be 2"),
    ("delegates_from = 2", "delegates_from = 0", "thresholds[1].delegates_from", "from 1 to 1000, not 0"),
    ("num = 3\nden = 20", "num = 20\nden = 20", "thresholds[3].num", "20/20 must be less than one"),
    ("num = 3\nden = 20", "num = 0\nden = 20", "thresholds[3].num", "not 0"),
    ("num = 3\nden = 20", "num = 3", "thresholds[3].den", "is missing"),
    ("{ num = 3, den = 20 }", "{ num = 3, den = 2 }", "pool_threshold.num", "3/2 must be less than one"),
    ("{ num = 3, den = 20 }", "0.15", "pool_threshold", "must be a table, not a number with a decimal point"),
    ("year = 2020", "year = 2020\nper_delegate = true", "thresholds", "beside per_delegate"),
    ("year = 2020", "year = 202", "year", "from 1900 to 2200, not 202"),
    ('name = "iowa-2020"', 'name = "Iowa 2020"', "name", "small letters, digits and hyphens"),
    ('name = "iowa-2020"', 'name = "../iowa"', "name", "small letters, digits and hyphens"),
    ('name = "iowa-2020"', 'name = "  "', "name", "is empty"),
    ('title = "Iowa', 'title = "\\tIowa', "title", "control character"),
    ('key = "Biden"', 'key = "Bennet"', "groups[2].key", "'Bennet' stands twice"),
    ('key = "Biden"', 'key = " bénnet "', "groups[2].key", "stands twice"),
    ('key = "Biden"', 'key = "Biden"\nlabel = "BENNET"', "groups[2].label", "'BENNET' stands twice"),
    ('key = "Biden"', 'key = "A|B"', "groups[2].key", "must not hold the sign |"),
    ('key = "Biden"', 'key = "A=B"', "groups[2].key", "must not hold the sign ="),
    ('key = "Biden"', 'key = "A>B"', "groups[2].key", "must not hold the sign >"),
    ('key = "Biden"', 'key = ""', "groups[2].key", "is empty"),
    ('key = "Biden"', f'key = "{"x" * 61}"', "groups[2].key", "longer than 60"),
    ('key = "Yang"', 'key = "Yang"\nkind = "other"', "groups[13].kind", "a second group of the kind 'other'"),
    ("up_to = 40", "up_to = 20", "satellites.bands[2].up_to", "must ascend"),
    ("up_to = 40", "", "satellites.bands[3].up_to", "nothing can follow"),
    ("[[satellites.bands]]\ndelegates = 9\n", "", "satellites.bands", "must have no up_to"),
    ("up_to = 20", "up_to = 0", "satellites.bands[1].up_to", "from 1 to 99999, not 0"),
    ('scope = "district"\ndistrict = "2"', 'scope = "district"', "pools[2].district", "is missing"),
    ('district = "2"', 'district = ""', "pools[2].district", "is empty"),
    ('district = "2"', "district = 2", "pools[2].district", "must be text, not a whole number (2)"),
    ('district = "2"', 'district = "1"', "pools[2].district", "'1' has a pool already (CD1)"),
    (
        'scope = "state"\nseats = 9',
        'scope = "state"\ndistrict = "5"\nseats = 9',
        "pools[5].district",
        "has no",
    ),
    ('id = "CD2"', 'id = "cd1"', "pools[2].id", "stands twice"),
    ("seats = 8", "seats = 0", "pools[3].seats", "from 1 to 1000, not 0"),
    ('first = "First alignment"', 'first = "Final  Alignment"', "column_labels", "the same label"),
    ('first = "First alignment"\n', "", "column_labels.first", "is missing"),
    ('Q3 = "With', 'Q33 = "With', "decisions.Q3", "is missing"),
    ("digits = 4", "digits = -1", "rounding.digits", "not -1"),
]


@pytest.mark.parametrize(
    ("find", "put", "key", "reason"), MALFORMED, ids=[f"{row[2]}: {row[1][:40]!r}" for row in MALFORMED]
)
def test_a_malformed_rule_set_is_refused(iowa_text: str, find: str, put: str, key: str, reason: str) -> None:
    assert find in iowa_text
    with pytest.raises(RuleSetError) as refused:
        parse_rule_set(iowa_text.replace(find, put, 1), "mine.toml")
    assert refused.value.file == "mine.toml"
    assert refused.value.key == key
    assert reason in refused.value.reason
    assert str(refused.value) == f"The rule set mine.toml cannot be used: {key}: {refused.value.reason}"
    assert isinstance(refused.value, CaucusError)


@pytest.mark.parametrize(
    "key", sorted(tomllib.loads((resources() / "rules" / SHIPPED[0]).read_text("utf-8")))
)
def test_every_key_counts(iowa_text: str, key: str) -> None:
    """A key that is left out is refused unless it may be; a value of another type always is."""
    values = tomllib.loads(iowa_text)
    lines = _without_tables(iowa_text, key, *(name for name in ("satellites.bands",) if key == "satellites"))
    head, _, rest = lines.partition("\n[")
    head = "\n".join(line for line in head.splitlines() if not line.startswith(f"{key} ="))
    left_out = f"{head}\n[{rest}"
    assert key not in tomllib.loads(left_out)
    if key in ("severities", "satellites"):
        parse_rule_set(left_out, "mine.toml")
    else:
        with pytest.raises(RuleSetError, match=f"{key}: is missing"):
            parse_rule_set(left_out, "mine.toml")
    wrong = "1.5" if not isinstance(values[key], float) else "true"
    with pytest.raises(RuleSetError, match=f"{key}: must be"):
        parse_rule_set(f"{key} = {wrong}\n{left_out}", "mine.toml")


def test_sheet_fields_are_read_strictly(iowa_text: str) -> None:
    def field(lines: str) -> str:
        return f"{iowa_text}\n[[fields]]\n{lines}\n"

    good = 'key = "early_votes"\nlabel = "Early"\nadds_to_attendance = true'
    (parsed,) = parse_rule_set(field(f"{good}\nrequired = false"), "x.toml").fields
    assert not parsed.required
    for lines, key, reason in [
        (good.replace("early_votes", "Early votes"), "fields[1].key", "small letters"),
        (good.replace("early_votes", "attendance"), "fields[1].key", "on every sheet already"),
        (good.replace("early_votes", "threshold"), "fields[1].key", "on every sheet already"),
        (good.replace("true", "1"), "fields[1].adds_to_attendance", "must be true or false"),
        (f"{good}\nmax = 3", "fields[1].max", "not a key that is known"),
        (f"{good}\n[[fields]]\n{good}", "fields[2].key", "stands twice"),
        ('key = "x"\nlabel = "X"', "fields[1].adds_to_attendance", "is missing"),
    ]:
        with pytest.raises(RuleSetError) as refused:
            parse_rule_set(field(lines), "x.toml")
        assert refused.value.key == key
        assert reason in refused.value.reason


def test_a_severity_is_for_a_finding_of_the_catalogue_where_that_is_known(iowa_text: str) -> None:
    assert parse_rule_set(iowa_text, "x.toml", {"C24", "C01"}).severities == {"C24": "warning"}
    with pytest.raises(RuleSetError, match=r"severities\.C24: is not the id of a finding"):
        parse_rule_set(iowa_text, "x.toml", {"C01"})


@pytest.mark.parametrize("text", ["", "[" * 5000, "x = " + "9" * 5000, "\x00", "groups = []", "name = 'x'"])
def test_any_other_text_is_refused(text: str) -> None:
    with pytest.raises(RuleSetError) as refused:
        parse_rule_set(text, "odd.toml")
    assert refused.value.file == "odd.toml"
    assert len(str(refused.value)) < 500


def test_a_ballot_of_its_own(iowa: RuleSet) -> None:
    groups = (
        Group("Jane O'Brien", "Jane O'Brien"),
        Group("Robert F. Kennedy Jr.", "Kennedy"),
        Group("U", "Uncommitted"),
    )
    rules = with_groups(iowa, groups)
    assert rules.groups == groups
    assert rules.keys == ("Jane O'Brien", "Robert F. Kennedy Jr.", "U")
    assert rules.label("U") == "Uncommitted"
    assert iowa.keys[0] == "Bennet"
    assert replace(rules, groups=iowa.groups) == iowa


@pytest.mark.parametrize(
    ("groups", "key", "reason"),
    [
        ((), "groups", "is empty"),
        ((Group("A", "A"), Group("a ", "B")), "groups[2].key", "spaces around"),
        ((Group("A", "A"), Group("Á", "B")), "groups[2].key", "stands twice"),
        ((Group("A", "X"), Group("B", "a")), "groups[2].label", "stands twice"),
        ((Group("A", "A"), Group("B", "B\n")), "groups[2].label", "spaces around"),
        ((Group("A", "A"), Group("B", "B\nC")), "groups[2].label", "control character"),
        ((Group("", "A"),), "groups[1].key", "is empty"),
        ((Group("A", " "),), "groups[1].label", "is empty"),
        ((Group("A|B", "A"),), "groups[1].key", "sign |"),
        (
            (Group("A", "A", GroupKind.UNCOMMITTED), Group("B", "B", GroupKind.UNCOMMITTED)),
            "groups[2].kind",
            "second group",
        ),
    ],
)
def test_a_ballot_that_cannot_be_is_refused(
    iowa: RuleSet, groups: tuple[Group, ...], key: str, reason: str
) -> None:
    with pytest.raises(RuleSetError) as refused:
        with_groups(iowa, groups)
    assert (refused.value.file, refused.value.key) == ("iowa-2020", key)
    assert reason in refused.value.reason
    with pytest.raises(RuleSetError) as refused:
        with_groups(iowa, groups, "candidates.csv")
    assert refused.value.file == "candidates.csv"
