"""The slip behind an error: only asked for where there is one, and only on whole sheets."""

import time

from caucus_desk.tally.sheet import ResultSheet


def test_two_rows_exchanged(room):
    """Patrick stands for Sanders in the final count."""
    rows = {"Biden": (59, 59, 2), "Patrick": (0, 41, 0), "Sanders": (41, 0, 2)}
    found = room(100, 4, **rows)
    assert {"C07", "C12", "C13"} <= found.ids
    assert found.findings["C31"].fields == ("Patrick.final", "Sanders.final")
    assert found.says("C31") == (
        "Rows may have slipped: Patrick (41) and Sanders (0) exchanged in the final alignment; put right, the"
        " errors would be gone."
    )
    assert found.findings["C31"].severity == "warning"


def test_rows_exchanged_together_with_their_delegates(room):
    found = room(100, 4, Biden=(59, 59, 2), Patrick=(0, 41, 2), Sanders=(41, 0, 0))
    assert found.says("C31") == (
        "Rows may have slipped: Patrick (0) and Sanders (41) exchanged in the first alignment or Patrick (41)"
        " and Sanders (0) exchanged in the final alignment; put right, the errors would be gone."
    )


def test_a_run_of_rows_one_off(room):
    """Klobuchar's and Sanders's final counts stand one row lower, at Patrick and Steyer."""
    rows = {
        "Biden": (40, 40, 2), "Klobuchar": (20, 0, 1), "Patrick": (15, 20, 1), "Sanders": (25, 15, 1),
        "Steyer": (0, 25, 0),
    }  # fmt: skip
    found = room(100, 5, **rows)
    assert "one row off" in found.says("C31")
    assert found.findings["C31"].fields == ("Patrick.final", "Sanders.final", "Steyer.final")


def test_no_row_slip_where_no_exchange_helps(room, good):
    assert "C31" not in good.ids
    assert "C31" not in room(100, 4, Biden=(60, 60, 3), Sanders=(40, 40, 2)).ids
    assert "C31" not in room(100, 4, Biden=(59, 60, 2), Patrick=(0, 40, 0), Sanders=(41, 0, 2)).ids


def test_columns_exchanged(room):
    """First and final keyed in each other's column: Yang's people went to Biden, not the other way."""
    rows = {"Biden": (60, 50, 2), "Sanders": (40, 40, 2), "Yang": (0, 10, 0)}
    found = room(100, 4, **rows)
    assert "C06" in found.ids
    assert "C37" in found.ids
    assert "C37" not in room(100, 4, Biden=(50, 60, 2), Sanders=(40, 40, 2), Yang=(10, 0, 0)).ids
    assert "C37" not in room(100, 5, Biden=(60, 50, 2), Sanders=(40, 40, 2), Yang=(0, 10, 0)).ids


def test_two_neighbouring_digits_exchanged(room):
    rows = {"Biden": (183, 138, 2), "Sanders": (117, 117, 2)}
    found = room(300, 4, **rows)
    assert "Biden final 183 instead of 138" in found.says("C38")
    assert "Biden.final" in found.findings["C38"].fields
    assert found.says("C38").endswith("would clear every error (two digits exchanged).")
    assert found.findings["C38"].severity == "note"


def test_one_delegate_digit(room):
    found = room(100, 4, Biden=(60, 60, 2), Sanders=(40, 40, 5))
    assert found.findings["C38"].fields == ("Sanders.delegates",)
    assert found.says("C38") == "Sanders delegates 2 instead of 5 would clear every error (one digit off)."
    assert "C38" not in room(100, 4, Biden=(60, 60, 3), Sanders=(40, 40, 4)).ids


def test_the_attendance_may_be_the_wrong_number(room):
    found = room(89, 4, Biden=(60, 60, 2), Sanders=(38, 38, 2))
    assert found.findings["C38"].fields[0] == "attendance"
    assert found.says("C38").startswith("Attendance 98 instead of 89")


def test_nothing_is_guessed_on_a_sheet_that_is_not_whole(room):
    assert not {"C31", "C37", "C38"} & room(100, 4, Biden=(60, 50, None), Sanders=(40, 50, None)).ids
    assert not {"C31", "C37", "C38"} & room(100, 4, Biden=(60, 50, 2), Sanders=(40, None, 2)).ids


def test_a_slip_can_be_switched_off(room):
    rows = {"Biden": (59, 59, 2), "Patrick": (0, 41, 0), "Sanders": (41, 0, 2)}
    assert "C31" not in room(100, 4, **rows).under(C31="off").ids
    assert room(100, 4, **rows).under(C31="note").findings["C31"].severity == "note"


def test_a_sheet_is_only_looked_at(room):
    found = room(100, 4, Biden=(60, 60, 2), Sanders=(40, 40, 5))
    before = found.sheet.fingerprint
    found.findings  # noqa: B018
    assert found.sheet.fingerprint == before
    assert isinstance(found.sheet, ResultSheet)


def test_a_sheet_full_of_errors_is_answered_at_once(room, iowa):
    """Live typing asks at each key. Generous, as machines differ: it takes about 5 ms."""
    keys = iowa.keys
    rows = {key: (20 + place, 20 + (place * 7) % 14, place % 3) for place, key in enumerate(keys)}
    found = room(500, 13, **rows)
    began = time.perf_counter()
    assert found.ids
    assert time.perf_counter() - began < 0.25
