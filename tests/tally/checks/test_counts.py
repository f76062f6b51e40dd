"""Head counts as sums: each check at its exact boundary."""


def test_a_good_sheet_has_no_findings(good):
    assert good.ids == set()


def test_first_alignment_beyond_the_attendance(room):
    rows = {"Biden": (50, 50, 2), "Sanders": (50, 50, 2)}
    assert "C01" not in room(100, 4, **rows).ids
    over = room(99, 4, **rows)
    assert over.says("C01") == (
        "The groups of the first alignment add to 100 people, 1 more than the attendance of 99."
    )
    assert over.findings["C01"].fields == ("attendance", "Biden.first", "Sanders.first")
    assert over.findings["C01"].ask == (
        "The first alignment adds to 100, but 99 people were counted. Please read me the attendance and each"
        " group again."
    )


def test_final_alignment_beyond_the_attendance_is_not_also_more_than_the_first(room):
    rows = {"Biden": (50, 51, 2), "Sanders": (50, 50, 2)}
    assert {"C02", "C03"} & room(100, 4, **rows).ids == {"C02"}
    assert {"C02", "C03"} & room(101, 4, **rows).ids == {"C03"}
    assert {"C02", "C03"} & room(None, 4, **rows).ids == {"C03"}


def test_more_people_in_the_final_alignment(room):
    rows = {"Biden": (55, 60, 2), "Sanders": (50, 52, 2)}
    found = room(112, 4, **rows).findings["C03"]
    assert found.message == ("Final alignment counts 112 people, 7 more than the first alignment's 105.")
    assert found.severity == "warning"
    assert found.fields == ("Biden.final", "Sanders.final")
    assert "C03" not in room(112, 4, Biden=(55, 55, 2), Sanders=(50, 50, 2)).ids


def test_one_person_is_a_person(room):
    assert room(10, 4, Biden=(1, 2, 4)).says("C03").startswith("Final alignment counts 2 people, 1 more than")
    assert (
        room(10, 4, Biden=(2, 1, 4)).says("C04").startswith("Final alignment counts 1 person, 1 fewer than")
    )


def test_people_left(room):
    assert "C04" in room(100, 4, Biden=(50, 50, 2), Sanders=(50, 49, 2)).ids
    assert "C04" not in room(100, 4, Biden=(50, 50, 2), Sanders=(50, 50, 2)).ids


def test_more_than_15_in_100_left(room):
    assert "C05" not in room(100, 4, Biden=(50, 50, 2), Sanders=(50, 35, 2)).ids
    assert "C05" in room(100, 4, Biden=(50, 50, 2), Sanders=(50, 34, 2)).ids


def test_nobody_came_is_asked_only_where_it_was_keyed(room, site):
    assert "C26" in room(0, 4).ids
    assert "C26" in room(None, 4, Biden=(0, 0, 0)).ids
    assert "C26" not in room(None, 4).ids
    assert "C26" not in room(1, 4).ids
    assert "C26" not in room(0, 0).ids
    assert site(0, 0).ids == {"C26"}


def test_fewer_people_than_delegates(room):
    rows = {"Biden": (3, 3, 4)}
    assert room(3, 4, **rows).says("C28") == (
        "3 people were counted for 4 delegates: the room cannot send that many."
    )
    assert "C28" not in room(4, 4, **rows).ids
    assert "C28" not in room(None, 4, **rows).ids


def test_an_unlikely_attendance(good):
    assert "C39" not in good.at(last_attendance=34).ids
    assert "C39" in good.at(last_attendance=33).ids
    assert "C39" not in good.at(last_attendance=299).ids
    assert "C39" in good.at(last_attendance=300).ids
    assert "C39" not in good.at(registered=100).ids
    assert (
        good.at(registered=99).says("C39") == "100 people attended, but only 99 people were registered here."
    )
    assert "C39" not in good.at(last_attendance=0).ids


def test_a_partly_blank_row(room):
    found = room(100, 4, Biden=(50, 50, 2), Klobuchar=(None, 30, None), Sanders=(50, 20, 2)).findings["C46"]
    assert found.fields == ("Klobuchar.first", "Klobuchar.delegates")
    assert found.message == (
        "Klobuchar first and Klobuchar delegates are blank, while other counts of the same group are there."
        " Blank is not zero."
    )
    whole = room(100, 4, Biden=(50, 50, 2), Klobuchar=(None, None, None), Sanders=(50, 50, 2))
    assert "C46" not in whole.ids
    assert "C46" not in room(100, 4, Biden=(50, 50, None), Sanders=(50, 50, None)).ids


def test_blank_is_never_taken_for_zero(room):
    """A final count not keyed yet is no group that vanished, and no delegate left out."""
    typing = room(100, 4, Biden=(60, 60, 2), Sanders=(40, None, None))
    assert not {"C07", "C13", "C15", "C04", "C05", "C20", "C27"} & typing.ids
    assert "C46" in typing.ids


def test_a_missing_round_silences_what_could_only_mislead(room):
    found = room(54, 4, Biden=(40, 0, 2), Sanders=(14, 0, 2))
    assert found.says("C51") == (
        "The final alignment is missing: no group has anybody in it, while the first alignment counts 54"
        " people."
    )
    assert found.findings["C51"].fields == ("Biden.final", "Sanders.final")
    assert found.ids == {"C51", "C11", "C12", "C17"}
    first = room(None, 10, Biden=(0, 100, 5), Sanders=(0, 115, 5))
    assert first.ids == {"C51"}
    not_stated = room(100, 4, Biden=(None, 50, 2), Sanders=(None, 50, 2))
    assert not_stated.ids == {"C51"}
    assert "C51" not in room(2, 4, Biden=(1, 1, 4)).ids


def test_each_message_says_which_count_was_used(room, site):
    rows = {"Biden": (60, 60, 3), "Yang": (5, 5, 1)}
    assert (
        room(None, 4, **rows)
        .says("C10")
        .endswith("(Attendance is not stated: the first alignment's sum, 65, was used.)")
    )
    assert (
        site(None, 70, **rows)
        .says("C10")
        .endswith("(Attendance is not stated: the sign-in count, 70, was used.)")
    )
    assert "not stated" not in room(65, 4, **rows).says("C10")


def test_a_sheet_that_states_no_delegates_raises_nothing_about_them(room):
    rows = {
        "Biden": (40, 44, None),
        "Sanders": (30, 33, None),
        "Warren": (20, 23, None),
        "Yang": (10, 0, None),
    }
    assert room(100, 4, **rows).ids == set()
