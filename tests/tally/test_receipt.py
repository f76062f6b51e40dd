"""The receipt code, and the sheet as it is read back."""

from dataclasses import replace

from caucus_desk.desk.creating import rule_set
from caucus_desk.tally.receipt import ALPHABET, LENGTH, code_words, read_back, receipt_code, spoken_code
from caucus_desk.tally.sheet import GroupCounts, ResultSheet

SHEET = ResultSheet(
    161,
    (
        GroupCounts("Biden", 20, 25, 1),
        GroupCounts("Sanders", 61, 58, 3),
        GroupCounts("Warren", 28, 0, 0),
        GroupCounts("Yang", 3, None, 0),
    ),
)


def test_no_two_signs_of_a_code_are_mistaken_for_each_other() -> None:
    assert len(set(ALPHABET)) == len(ALPHABET)
    for pair in ("0O", "O0", "1I", "1L", "IL", "5S", "8B", "2Z", "6G"):
        assert not set(pair) <= set(ALPHABET), pair
    assert not set("01OIL") & set(ALPHABET)


def test_every_sign_has_a_word_of_its_own() -> None:
    words = code_words(ALPHABET)
    assert len({word.casefold() for word in words}) == len(ALPHABET)
    for sign, word in zip(ALPHABET, words, strict=True):
        assert sign.isdigit() or word[0] == sign


def test_the_same_figures_give_the_same_code_and_blank_is_nobody() -> None:
    code = receipt_code("A-1", SHEET)
    assert len(code) == LENGTH
    assert set(code) <= set(ALPHABET)
    with_zeros = replace(SHEET, groups=(*SHEET.groups, GroupCounts("Bennet", 0, 0, 0)))
    assert receipt_code("A-1", with_zeros) == code
    assert receipt_code("A-1", replace(SHEET, chair_signed=True, threshold=25)) == code
    assert receipt_code("A-2", SHEET) != code


def test_sheets_that_differ_in_one_figure_seldom_share_a_code() -> None:
    """One pair in 6.4 million does: among 3,000 sheets a shared code would be a fault of the making."""
    codes = set()
    for people in range(3_000):
        codes.add(receipt_code("A-1", replace(SHEET, attendance=people)))
    assert len(codes) >= 2_997, "of 4.5 million pairs one is to be expected, and not four"
    assert len(ALPHABET) ** LENGTH == 6_436_343


def test_a_code_may_be_typed_as_it_is_written() -> None:
    code = receipt_code("A-1", SHEET)
    for typed in (code.lower(), " ".join(code), "-".join(code), f" {code[:2]} {code[2:]} "):
        assert spoken_code(typed) == code


def test_the_sheet_is_read_back_in_the_order_of_the_worksheet_as_one_speaks() -> None:
    rules = rule_set("iowa-2020")
    assert read_back(rules, SHEET) == (
        "Attendance: 161.",
        "Biden: 20 first, 25 final, 1 delegate.",
        "Sanders: 61 first, 58 final, 3 delegates.",
        "Warren: 28 first, none final, no delegates.",
        "Yang: 3 first, final blank, no delegates.",
        "Nobody for Bennet, Bloomberg, Buttigieg, Delaney, Gabbard, Klobuchar, Patrick, Steyer, Other or "
        "Uncommitted.",
    )


def test_where_every_group_has_somebody_nobody_is_left_out() -> None:
    rules = rule_set("iowa-2020")
    rows = tuple(GroupCounts(group, 1, 1, 0) for group in rules.keys)
    said = read_back(rules, ResultSheet(len(rows), rows))
    assert len(said) == 1 + len(rows)
    assert not any("Nobody" in line for line in said)
    one = read_back(rules, ResultSheet(13, rows[1:]))
    assert one[-1] == f"Nobody for {rules.label(rules.keys[0])}."
