"""Slips planted into one of two equal sheets are found, and told in words."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from caucus_desk import paths
from caucus_desk.rules.loading import parse_rule_set
from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.tally.hints import Hint, HintKind, find_hints
from caucus_desk.tally.mismatch import differing_fields
from caucus_desk.tally.report import Channel
from caucus_desk.tally.roster import Precinct
from caucus_desk.tally.sheet import COLUMNS, GroupCounts, ResultSheet, field_path

PHONE, PAPER, APP = Channel.PHONE, Channel.PAPER, Channel.APP
PRECINCT = Precinct("A-1", "Alpha", "North Ward", delegates=6)
CLEAN = {
    "Biden": (14, 16, 1),
    "Buttigieg": (36, 38, 2),
    "Sanders": (24, 24, 2),
    "Warren": (22, 22, 1),
    "Yang": (4, 0, 0),
}
"""What a room of 100 people that elects 6 reports when all is well."""


def load(name: str) -> RuleSet:
    file = paths.resources() / "rules" / f"{name}.toml"
    return parse_rule_set(file.read_text(encoding="utf-8"), file.name)


RULES = load("iowa-2020")
KEYS = RULES.keys
Rows = Mapping[str, tuple[int, ...]]


def sheet_of(rows: Rows, attendance: int | None = 100) -> ResultSheet:
    return ResultSheet(attendance, tuple(GroupCounts(g, *rows[g]) for g in KEYS if g in rows))


def table(rows: Rows) -> dict[str, list[int]]:
    return {group: list(rows.get(group, (0, 0, 0))) for group in KEYS}


def hints_of(
    phone: ResultSheet, paper: ResultSheet, app: ResultSheet | None = None, rules: RuleSet = RULES
) -> tuple[Hint, ...]:
    sheets = {PHONE: phone, PAPER: paper}
    return find_hints(rules, PRECINCT, sheets if app is None else {**sheets, APP: app})


def only(phone: ResultSheet, paper: ResultSheet) -> Hint:
    (hint,) = hints_of(phone, paper)
    assert hint.explains_all
    assert hint.fields == differing_fields(phone, paper, KEYS)
    return hint


# ---- each kind, in words ----


def test_two_rows_exchanged() -> None:
    paper = {**CLEAN, "Biden": CLEAN["Buttigieg"], "Buttigieg": CLEAN["Biden"]}
    hint = only(sheet_of(CLEAN), sheet_of(paper))
    assert (hint.kind, hint.channel) == (HintKind.ROWS, None), "both sheets fit the rules: no side is said"
    assert hint.sentence == "Looks like: rows Biden and Buttigieg exchanged in phone or in paper."


def test_the_side_that_breaks_the_rules_is_named() -> None:
    """With Biden's final count in Yang's row, Biden's 14 of the first round are gone: that cannot be."""
    paper = {**CLEAN, "Biden": (14, 22, 1), "Warren": (22, 16, 1)}
    hint = only(sheet_of(CLEAN), sheet_of(paper))
    assert (hint.kind, hint.channel) == (HintKind.ROWS, PAPER)
    assert hint.sentence == "Looks like: final of Biden and Warren exchanged in paper."
    assert only(sheet_of(paper), sheet_of(CLEAN)).channel is PHONE


def test_two_columns_of_two_rows_exchanged() -> None:
    paper = {**CLEAN, "Buttigieg": (36, 22, 1), "Warren": (22, 38, 2)}
    hint = only(sheet_of(CLEAN), sheet_of(paper))
    assert hint.sentence == "Looks like: final and delegates of Buttigieg and Warren exchanged in paper."


def test_a_run_of_rows_slipped_by_one() -> None:
    """Whoever keyed paper began one row too low, so that Bloomberg has Biden's counts."""
    order = [g for g in KEYS if KEYS.index("Biden") <= KEYS.index(g) <= KEYS.index("Patrick")]
    phone = {**CLEAN, "Bloomberg": (1, 0, 0), "Delaney": (2, 1, 0)}
    moved = {group: phone.get(before, (0, 0, 0)) for before, group in pairwise(order)}
    paper = {**phone, **moved, "Biden": (0, 0, 0)}
    (hint,) = hints_of(sheet_of(phone), sheet_of(paper))
    assert hint.kind is HintKind.SHIFTED
    assert hint.explains_all
    assert hint.channel is None
    assert hint.sentence == (
        "Looks like: rows Biden to Delaney slipped: one row up in phone, or one row down in paper."
    )


def test_one_row_moved_into_an_empty_one_is_an_exchange_of_two() -> None:
    paper = {**CLEAN, "Biden": (14, 0, 1), "Bloomberg": (0, 16, 0)}
    assert only(sheet_of(CLEAN), sheet_of(paper)).kind is HintKind.ROWS


def test_a_run_that_lost_a_count_is_told_for_the_rows_that_it_explains() -> None:
    """Klobuchar's final count was skipped: what follows stands one row up, and the last row is empty."""
    phone = {"Gabbard": (10, 5, 0), "Klobuchar": (30, 33, 2), "Patrick": (20, 21, 2), "Sanders": (35, 36, 2)}
    rows = table(phone)
    names = ["Klobuchar", "Patrick", "Sanders"]
    for here, there in pairwise(names):
        rows[here][1] = phone[there][1]
    rows["Sanders"][1] = 0
    paper = sheet_of({g: tuple(r) for g, r in rows.items()})
    found = hints_of(sheet_of(phone), paper)
    assert found[0].kind is HintKind.SHIFTED
    assert found[0].channel is PAPER
    assert found[0].fields == ("Patrick.final", "Sanders.final")
    assert found[0].sentence == (
        "Looks like: final of rows Patrick to Sanders slipped: one row up in paper. "
        "This explains 2 of the 3 fields that differ."
    )


def test_the_two_columns_exchanged() -> None:
    paper = {group: (final, first, delegates) for group, (first, final, delegates) in CLEAN.items()}
    hint = only(sheet_of(CLEAN), sheet_of(paper))
    assert (hint.kind, hint.channel) == (HintKind.COLUMNS, PAPER)
    assert hint.sentence == "Looks like: the first and final columns exchanged in paper."


def test_first_and_final_of_one_row_exchanged() -> None:
    hint = only(sheet_of(CLEAN), sheet_of({**CLEAN, "Biden": (16, 14, 1)}))
    assert hint.kind is HintKind.COLUMNS
    assert hint.sentence.startswith("Looks like: first and final of Biden exchanged in ")


@pytest.mark.parametrize(
    ("count", "kind", "words"),
    [
        (42, HintKind.TRANSPOSED, "two digits of Sanders first transposed (24 and 42) in paper"),
        (
            2,
            HintKind.DROPPED,
            "Sanders first (24 and 2): a digit too many in phone, or a digit dropped in paper",
        ),
        (244, HintKind.DROPPED, "Sanders first (24 and 244): a digit doubled in paper"),
        (224, HintKind.DROPPED, "Sanders first (24 and 224): a digit doubled in paper"),
        (214, HintKind.DROPPED, "Sanders first (24 and 214): a digit too many in paper"),
    ],
)
def test_digits(count: int, kind: HintKind, words: str) -> None:
    hint = only(sheet_of(CLEAN), sheet_of({**CLEAN, "Sanders": (count, 24, 2)}))
    assert hint.kind is kind
    assert hint.sentence == f"Looks like: {words}."


@pytest.mark.parametrize("count", [25, 34, 42 * 100, 57])
def test_another_number_is_no_slip_of_digits(count: int) -> None:
    assert hints_of(sheet_of(CLEAN), sheet_of({**CLEAN, "Sanders": (count, 24, 2)})) == ()


def test_two_far_fields_exchanged() -> None:
    hint = only(sheet_of(CLEAN), sheet_of({**CLEAN, "Buttigieg": (22, 38, 2), "Warren": (22, 36, 1)}))
    assert hint.kind is HintKind.FIELDS
    assert hint.sentence == "Looks like: Buttigieg first and Warren final exchanged in paper."


def test_two_slips_are_two_hints_and_each_says_how_much_it_explains() -> None:
    paper = {**CLEAN, "Biden": CLEAN["Warren"], "Warren": CLEAN["Biden"], "Sanders": (42, 24, 2)}
    found = hints_of(sheet_of(CLEAN), sheet_of(paper))
    assert [hint.kind for hint in found] == [HintKind.ROWS, HintKind.TRANSPOSED]
    assert not any(hint.explains_all for hint in found)
    assert found[0].sentence.endswith("This explains 4 of the 5 fields that differ.")


def test_a_blank_is_no_digit_that_was_dropped() -> None:
    phone = sheet_of({**CLEAN, "Steyer": (1, 0, 0)})
    assert hints_of(phone, sheet_of(CLEAN)) == ()
    partly = replace(sheet_of(CLEAN), groups=(*sheet_of(CLEAN).groups[:-1], GroupCounts("Yang", 4, None, 0)))
    assert hints_of(sheet_of(CLEAN), partly) == ()


def test_three_channels_tell_the_same_slip_once() -> None:
    paper = sheet_of({**CLEAN, "Biden": CLEAN["Warren"], "Warren": CLEAN["Biden"]})
    found = hints_of(sheet_of(CLEAN), paper, sheet_of(CLEAN))
    assert [(hint.kind, hint.pair) for hint in found] == [(HintKind.ROWS, (PHONE, PAPER))]


def test_only_what_both_state_is_compared() -> None:
    app = replace(sheet_of({g: (r[0],) for g, r in CLEAN.items()}), attendance=None)
    paper = sheet_of({**CLEAN, "Biden": CLEAN["Warren"], "Warren": CLEAN["Biden"]})
    (hint,) = find_hints(RULES, PRECINCT, {PAPER: paper, APP: app})
    assert hint.fields == ("Biden.first", "Warren.first")
    assert hint.explains_all


def test_equal_sheets_and_one_sheet_have_no_hint() -> None:
    assert hints_of(sheet_of(CLEAN), sheet_of(CLEAN)) == ()
    assert find_hints(RULES, PRECINCT, {PAPER: sheet_of(CLEAN)}) == ()


# ---- planted at random ----

ROWS = st.fixed_dictionaries(
    {group: st.tuples(st.integers(0, 250), st.integers(0, 250), st.integers(0, 9)) for group in KEYS}
)
GROUP = st.sampled_from(KEYS)


def plant(rows: Mapping[str, list[int]]) -> ResultSheet:
    return sheet_of({group: tuple(row) for group, row in rows.items()}, 3000)


def explained(phone: ResultSheet, paper: ResultSheet, kinds: set[HintKind]) -> None:
    """One hint explains every field, and is of a kind that would do just that."""
    found = hints_of(phone, paper)
    assert found, "the slip is not found"
    assert found[0].kind in kinds, found[0].sentence
    assert found[0].explains_all
    assert len(found) == 1


@given(rows=ROWS, a=GROUP, b=GROUP)
def test_planted_rows(rows: Rows, a: str, b: str) -> None:
    assume(rows[a] != rows[b])
    slipped = table(rows)
    slipped[a], slipped[b] = slipped[b], slipped[a]
    explained(plant(table(rows)), plant(slipped), {HintKind.ROWS, HintKind.COLUMNS})


@given(rows=ROWS, a=GROUP, b=GROUP, column=st.integers(0, 2))
def test_planted_counts_of_a_column(rows: Rows, a: str, b: str, column: int) -> None:
    assume(rows[a][column] != rows[b][column])
    slipped = table(rows)
    slipped[a][column], slipped[b][column] = slipped[b][column], slipped[a][column]
    explained(plant(table(rows)), plant(slipped), {HintKind.ROWS})


@given(rows=ROWS)
def test_planted_columns(rows: Rows) -> None:
    slipped = {group: [row[1], row[0], row[2]] for group, row in rows.items()}
    assume(sum(row[0] != row[1] for row in rows.values()) > 1)
    explained(plant(table(rows)), plant(slipped), {HintKind.COLUMNS, HintKind.ROWS})


@given(rows=ROWS, a=GROUP)
def test_planted_columns_of_a_row(rows: Rows, a: str) -> None:
    assume(rows[a][0] != rows[a][1])
    slipped = table(rows)
    slipped[a][:2] = reversed(slipped[a][:2])
    explained(plant(table(rows)), plant(slipped), {HintKind.COLUMNS})


@given(
    rows=ROWS,
    start=st.integers(0, len(KEYS) - 3),
    length=st.integers(2, len(KEYS)),
    columns=st.sampled_from(((0, 1, 2), (0,), (1,))),
    up=st.booleans(),
)
def test_planted_runs(rows: Rows, start: int, length: int, columns: tuple[int, ...], up: bool) -> None:
    end = min(start + length, len(KEYS) - 1)
    truth = table(rows)
    places = list(range(start, end + 1))
    empty = places[0] if up else places[-1]
    for column in columns:
        truth[KEYS[empty]][column] = 0  # the run slips into a row without anybody
    run = [place for place in places if place != empty]
    counts = [tuple(truth[KEYS[place]][column] for column in columns) for place in run]
    assume(all(0 not in one for one in counts))
    assume(len(set(counts)) == len(counts) > 1)
    slipped = {group: list(row) for group, row in truth.items()}
    for place, one in zip(run, counts, strict=True):
        for column, count in zip(columns, one, strict=True):
            slipped[KEYS[place + (-1 if up else 1)]][column] = count
    for column in columns:
        slipped[KEYS[run[-1] if up else run[0]]][column] = 0
    explained(plant(truth), plant(slipped), {HintKind.SHIFTED})


@given(rows=ROWS, a=GROUP, column=st.integers(0, 1), place=st.integers(0, 2))
def test_planted_digits(rows: Rows, a: str, column: int, place: int) -> None:
    count = str(rows[a][column])
    assume(place + 1 < len(count) and count[place] != count[place + 1])
    turned = f"{count[:place]}{count[place + 1]}{count[place]}{count[place + 2 :]}"
    assume(not turned.startswith("0"))
    slipped = table(rows)
    slipped[a][column] = int(turned)
    explained(plant(table(rows)), plant(slipped), {HintKind.TRANSPOSED})


@given(rows=ROWS, a=GROUP, column=st.integers(0, 1), place=st.integers(0, 2), dropped=st.booleans())
def test_planted_dropped_and_doubled_digits(
    rows: Rows, a: str, column: int, place: int, dropped: bool
) -> None:
    count = str(rows[a][column])
    assume(place < len(count) and int(count))
    text = (
        f"{count[:place]}{count[place + 1 :]}" if dropped else f"{count[:place]}{count[place]}{count[place:]}"
    )
    assume(text and (text == "0" or not text.startswith("0")))
    slipped = table(rows)
    slipped[a][column] = int(text)
    explained(plant(table(rows)), plant(slipped), {HintKind.DROPPED})


@given(
    one=ROWS,
    other=ROWS,
)
def test_a_hint_is_true_of_the_fields_that_it_names(one: Rows, other: Rows) -> None:
    """Also between sheets that have nothing to do with each other, where it is found by chance only."""
    phone, paper = plant(table(one)), plant(table(other))
    differing = differing_fields(phone, paper, KEYS)
    named = [field for hint in hints_of(phone, paper) for field in hint.fields]
    assert len(named) == len(set(named)), "no field is explained twice"
    assert set(named) <= set(differing)
    for hint in hints_of(phone, paper):
        ours = sorted(str(phone.count(field)) for field in hint.fields)
        theirs = sorted(str(paper.count(field)) for field in hint.fields)
        if hint.kind in (HintKind.ROWS, HintKind.COLUMNS, HintKind.FIELDS):
            assert ours == theirs, "an exchange moves counts and makes none"


def test_unrelated_sheets_have_no_hint_of_large_slips() -> None:
    """Counts with nothing in common: no row, run or column of one is found on the other."""
    one = {group: (101 + 7 * place, 203 + 11 * place, 0) for place, group in enumerate(KEYS)}
    other = {group: (505 + 3 * place, 707 + 5 * place, 0) for place, group in enumerate(KEYS)}
    assert hints_of(sheet_of(one, 9999), sheet_of(other, 9999)) == ()


def test_a_state_with_a_field_of_its_own() -> None:
    nevada = load("nevada-2020")
    key = nevada.fields[0].key
    groups = nevada.keys
    rows = tuple(GroupCounts(g, 10 + n, 20 + n, 1) for n, g in enumerate(groups))
    phone = ResultSheet(54, rows, ((key, 45),))
    paper = ResultSheet(45, rows, ((key, 54),))
    (hint,) = hints_of(phone, paper, rules=nevada)
    assert set(hint.fields) == {"attendance", key}
    assert all(field_path(groups[0], column) not in hint.fields for column in COLUMNS)
