"""National delegates, pool by pool (rules.md 7)."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caucus_desk.rules.apportion import Tie
from caucus_desk.rules.national import allocate_pool, national_delegates
from caucus_desk.rules.ruleset import Pool, PoolScope, RuleSet
from caucus_desk.rules.sde import decimal_text


def _sdes(**values: str) -> dict[str, Fraction]:
    return {group: Fraction(value) for group, value in values.items()}


# The real pools of 2020: total, SDEs of those named, shares to 4 decimals, seats. What the pool has beyond
# those named went to groups far below 15%; it stands under Yang, which changes nothing but the total.
REAL = {
    "CD1": (
        "566.4025",
        _sdes(Buttigieg="147.8163", Sanders="145.2917", Warren="95.5602", Biden="102.7936"),
        {"Buttigieg": "2.1054", "Sanders": "2.0694", "Warren": "1.3611", "Biden": "1.4641"},
        {"Buttigieg": 2, "Sanders": 2, "Warren": 1, "Biden": 2},
    ),
    "CD2": (
        "554.5252",
        _sdes(Buttigieg="143.3223", Sanders="157.1856", Warren="112.8221", Biden="72.7595"),
        {"Buttigieg": "2.4273", "Sanders": "2.6620", "Warren": "1.9107"},
        {"Buttigieg": 2, "Sanders": 3, "Warren": 2},
    ),
    "CD3": (
        "610.8253",
        _sdes(Buttigieg="164.2389", Sanders="159.2701", Warren="119.0656", Biden="92.8112"),
        {"Buttigieg": "2.4541", "Sanders": "2.3799", "Warren": "1.7791", "Biden": "1.3868"},
        {"Buttigieg": 3, "Sanders": 2, "Warren": 2, "Biden": 1},
    ),
    "CD4": (
        "415.0370",
        _sdes(
            Buttigieg="106.8052", Sanders="99.6975", Warren="60.1135", Biden="71.2529", Klobuchar="67.3540"
        ),
        {"Buttigieg": "1.5474", "Sanders": "1.4444", "Biden": "1.0323", "Klobuchar": "0.9758"},
        {"Buttigieg": 2, "Sanders": 1, "Biden": 1, "Klobuchar": 1},
    ),
    "at_large": (
        "2150.8321",
        _sdes(
            Buttigieg="562.9538",
            Sanders="562.0214",
            Warren="388.4403",
            Biden="340.3238",
            Klobuchar="263.8689",
        ),
        {"Buttigieg": "2.7332", "Sanders": "2.7286", "Warren": "1.8859", "Biden": "1.6523"},
        {"Buttigieg": 3, "Sanders": 3, "Warren": 2, "Biden": 1},
    ),
    "pleo": (
        "2150.8321",
        _sdes(
            Buttigieg="562.9538",
            Sanders="562.0214",
            Warren="388.4403",
            Biden="340.3238",
            Klobuchar="263.8689",
        ),
        {"Buttigieg": "1.5184", "Sanders": "1.5159", "Warren": "1.0477", "Biden": "0.9179"},
        {"Buttigieg": 2, "Sanders": 1, "Warren": 1, "Biden": 1},
    ),
}


def _whole(total: str, named: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """The named groups and the rest of the pool, spread so that nobody of it comes near 15%."""
    rest = Fraction(total) - sum(named.values())
    small = [group for group in ("Steyer", "Yang", "Other", "Uncommitted", "Gabbard") if group not in named]
    return {**named, **dict.fromkeys(small, rest / len(small))}


def _pool(rules: RuleSet, pool_id: str) -> Pool:
    return next(pool for pool in rules.pools if pool.id == pool_id)


@pytest.mark.parametrize("pool_id", list(REAL))
def test_the_real_pools_of_2020(iowa: RuleSet, pool_id: str) -> None:
    total, named, shares, seats = REAL[pool_id]
    allocation = allocate_pool(iowa, _pool(iowa, pool_id), _whole(total, named))
    assert allocation.total == Fraction(total)
    assert {group: decimal_text(share, 4) for group, share in allocation.shares.items()} == shares
    assert set(allocation.qualified) == set(shares)
    assert {group: given for group, given in allocation.seats.items() if given} == seats
    assert set(allocation.seats) == set(iowa.keys)
    assert allocation.tie is None
    assert not allocation.lowered
    assert not allocation.empty
    assert sum(allocation.seats.values()) == allocation.pool.seats


def test_the_whole_state_of_2020(iowa: RuleSet) -> None:
    districts = {
        _pool(iowa, key).district or "": _whole(*REAL[key][:2]) for key in ("CD1", "CD2", "CD3", "CD4")
    }
    national = national_delegates(iowa, districts, _whole(*REAL["pleo"][:2]))
    assert [allocation.pool.id for allocation in national.pools] == list(REAL)
    assert {group: seats for group, seats in national.total.items() if seats} == {
        "Buttigieg": 14,
        "Sanders": 12,
        "Warren": 8,
        "Biden": 6,
        "Klobuchar": 1,
    }
    assert list(national.total) == list(iowa.keys)
    assert sum(national.total.values()) == 41


def test_nevadas_statewide_pools_of_2020(nevada: RuleSet) -> None:
    """Published county convention delegates: Buttigieg, with 14.3%, gets none statewide."""
    statewide = _sdes(
        Sanders="6788", Biden="2927", Buttigieg="2073", Warren="1406", Steyer="682", Klobuchar="603"
    )
    national = national_delegates(nevada, {}, statewide)
    at_large, pleo = national.pools[-2:]
    assert (at_large.seats["Sanders"], at_large.seats["Biden"], at_large.seats["Buttigieg"]) == (6, 2, 0)
    assert (pleo.seats["Sanders"], pleo.seats["Biden"]) == (3, 2)
    assert sum(national.total.values()) == 13
    assert all(pool.empty for pool in national.pools[:4])


def test_exactly_15_percent_is_enough(iowa: RuleSet) -> None:
    pool = _pool(iowa, "CD4")
    assert allocate_pool(iowa, pool, _sdes(Biden="15", Warren="85")).qualified == ("Biden", "Warren")
    assert allocate_pool(iowa, pool, _sdes(Biden="14.9999", Warren="85.0001")).qualified == ("Warren",)


def test_the_threshold_and_the_seats_are_the_rule_sets(iowa: RuleSet) -> None:
    pool = Pool("x", "X", PoolScope.STATE, 10)
    values = _sdes(Biden="30", Warren="70")
    assert allocate_pool(iowa, pool, values).seats["Biden"] == 3
    stricter = replace(iowa, pool_threshold=Fraction(31, 100))
    assert allocate_pool(stricter, pool, values).seats["Biden"] == 0


def test_where_nobody_reaches_the_threshold_half_of_the_leader_is_enough(iowa: RuleSet) -> None:
    groups = [group for group in iowa.keys if group not in ("Other", "Uncommitted")]
    values = dict.fromkeys(groups, Fraction(8)) | _sdes(Biden="14", Warren="7", Yang="6.9")
    allocation = allocate_pool(iowa, _pool(iowa, "at_large"), values)
    assert allocation.lowered
    assert set(allocation.qualified) == set(groups) - {"Yang"}
    nothing = replace(iowa, empty_rule="nothing")
    allocation = allocate_pool(nothing, _pool(iowa, "at_large"), values)
    assert allocation.empty
    assert not allocation.lowered
    assert set(allocation.seats.values()) == {0}
    assert allocation.tie is None


def test_one_group_over_the_threshold_takes_the_pool(iowa: RuleSet) -> None:
    values = dict.fromkeys(("Yang", "Other", "Steyer", "Gabbard", "Patrick"), Fraction(14)) | _sdes(
        Biden="30"
    )
    allocation = allocate_pool(iowa, _pool(iowa, "CD3"), values)
    assert allocation.qualified == ("Biden",)
    assert allocation.seats["Biden"] == 8


def test_uncommitted_counts_like_a_candidate(iowa: RuleSet) -> None:
    allocation = allocate_pool(iowa, _pool(iowa, "CD4"), _sdes(Uncommitted="60", Biden="40"))
    assert (allocation.seats["Uncommitted"], allocation.seats["Biden"]) == (3, 2)


def test_a_group_that_is_not_on_the_ballot_stands_behind_it(iowa: RuleSet) -> None:
    allocation = allocate_pool(iowa, _pool(iowa, "CD4"), _sdes(Castro="60", Biden="40"))
    assert list(allocation.seats) == [*iowa.keys, "Castro"]
    assert (allocation.seats["Castro"], allocation.seats["Biden"]) == (3, 2)
    assert allocation.total == 100


def test_an_empty_pool_gives_nothing(iowa: RuleSet) -> None:
    for values in ({}, _sdes(Biden="0")):
        allocation = allocate_pool(iowa, _pool(iowa, "CD1"), values)
        assert allocation.empty
        assert not allocation.lowered
        assert allocation.total == 0
        assert set(allocation.seats.values()) == {0}
        assert allocation.tie is None


def test_equal_fractions_at_the_last_seat_are_a_tie(iowa: RuleSet) -> None:
    pool = _pool(iowa, "pleo")
    allocation = allocate_pool(iowa, pool, _sdes(Biden="50", Warren="50"))
    assert allocation.tie == Tie("gain", 1, ("Biden", "Warren"))
    assert (allocation.seats["Biden"], allocation.seats["Warren"]) == (2, 2)
    # 6 x .28 = 1.68 has the first of two seats that are left; three groups with 1.44 are equal for the last.
    pool = Pool("x", "X", PoolScope.STATE, 6)
    allocation = allocate_pool(iowa, pool, _sdes(Biden="28", Sanders="24", Warren="24", Yang="24"))
    assert allocation.tie == Tie("gain", 1, ("Sanders", "Warren", "Yang"))
    assert [allocation.seats[group] for group in ("Biden", "Sanders", "Warren", "Yang")] == [2, 1, 1, 1]


def test_equal_fractions_that_all_fit_are_none(iowa: RuleSet) -> None:
    allocation = allocate_pool(iowa, _pool(iowa, "CD3"), _sdes(Biden="50", Warren="50"))
    assert allocation.tie is None
    assert (allocation.seats["Biden"], allocation.seats["Warren"]) == (4, 4)
    pool = Pool("x", "X", PoolScope.STATE, 4)
    allocation = allocate_pool(iowa, pool, _sdes(Biden="1", Sanders="1", Warren="2"))
    assert (allocation.seats["Biden"], allocation.seats["Sanders"], allocation.seats["Warren"]) == (1, 1, 2)
    # Shares 1.6, 1.6 and 0.8: the two seats left go to .8 and to one of the equal .6.
    allocation = allocate_pool(iowa, pool, _sdes(Biden="2", Sanders="2", Warren="1"))
    assert allocation.tie == Tie("gain", 1, ("Biden", "Sanders"))
    # Whole shares leave nothing to give.
    pool = Pool("x", "X", PoolScope.STATE, 8)
    allocation = allocate_pool(iowa, pool, _sdes(Biden="3", Sanders="3", Warren="2"))
    assert [allocation.seats[group] for group in ("Biden", "Sanders", "Warren")] == [3, 3, 2]


def test_a_value_below_zero_is_a_fault_of_the_caller(iowa: RuleSet) -> None:
    with pytest.raises(ValueError, match="less than nothing"):
        allocate_pool(iowa, _pool(iowa, "CD1"), _sdes(Biden="-1"))


_KEYS = ("Biden", "Buttigieg", "Klobuchar", "Sanders", "Warren", "Yang", "Uncommitted")


@given(
    values=st.dictionaries(st.sampled_from(_KEYS), st.fractions(0, 500, max_denominator=1401), min_size=1),
    seats=st.integers(1, 60),
    factor=st.fractions(Fraction(1, 50), 50, max_denominator=60),
)
def test_largest_remainder_sums_to_the_seats(
    iowa: RuleSet, values: dict[str, Fraction], seats: int, factor: Fraction
) -> None:
    pool = Pool("x", "X", PoolScope.STATE, seats)
    allocation = allocate_pool(iowa, pool, values)
    given_now = sum(allocation.seats.values())
    if not any(values.values()):
        assert allocation.empty
        return
    assert given_now + (allocation.tie.k if allocation.tie else 0) == seats
    assert sum(allocation.shares.values()) == seats
    for group, share in allocation.shares.items():
        assert abs(allocation.seats[group] - share) < 1
    for more in values:
        for fewer in values:
            if values[more] > values[fewer]:
                assert allocation.seats[more] >= allocation.seats[fewer]
    # Neither the order of groups nor the scale of the values matters.
    mixed = dict(reversed([(group, value * factor) for group, value in values.items()]))
    assert allocate_pool(iowa, pool, mixed).seats == allocation.seats
