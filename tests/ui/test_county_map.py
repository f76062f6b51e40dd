"""The map: Iowa's 99 counties where they lie, tiles where there is no map, by arrows and Enter."""

import csv
import json

import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor

from caucus_desk import paths
from caucus_desk.desk.invented.counties import DISTRICTS
from caucus_desk.tally.people import folded
from caucus_desk.ui.theme import ThemeName, theme
from caucus_desk.ui.widgets import shades
from caucus_desk.ui.widgets.countymap import Area, CountyMap
from caucus_desk.ui.widgets.shapes import initials, map_for, maps, placed_as_tiles, placed_on_map

FILE = paths.resources() / "maps" / "iowa.json"


def areas(names, part=1, whole=2):
    return [Area(name, name, part, whole, told=f"{part} of {whole}") for name in names]


def iowa():
    return maps()[0]


def neighbours(one, other):
    """Two counties touch along a border: they share at least two points of their outlines."""
    points = [{point for ring in shape.rings for point in ring} for shape in (one, other)]
    return len(points[0] & points[1]) >= 2


def test_the_map_has_99_counties_and_says_where_it_comes_from():
    read = json.loads(FILE.read_text(encoding="utf-8"))
    assert "public domain" in read["source"]
    assert "Census" in read["source"]
    assert FILE.stat().st_size < 150_000
    counties = read["counties"]
    assert len(counties) == len({county["fips"] for county in counties}) == 99
    assert [county["fips"] for county in counties] == [f"19{number:03}" for number in range(1, 198, 2)]
    for county in counties:
        for ring in county["rings"]:
            assert len(ring) % 2 == 0
            assert all(isinstance(number, int) for number in ring)
            assert all(0 <= x <= read["width"] for x in ring[::2])
            assert all(0 <= y <= read["height"] for y in ring[1::2])


def test_the_counties_are_those_of_the_sample():
    assert {folded(name) for names in DISTRICTS.values() for name in names} == set(iowa().by_name())


def test_the_numbers_are_those_of_the_published_list(iowa2020):
    with (iowa2020 / "counties.csv").open(encoding="utf-8") as lines:
        published = {folded(row["county"]): row["fips"] for row in csv.DictReader(lines)}
    assert {key: shape.fips for key, shape in iowa().by_name().items()} == published


def test_it_is_iowa_the_right_way_round():
    shapes = iowa().by_name()

    def middle(name):
        ring = shapes[folded(name)].rings[0]
        return sum(x for x, _ in ring) / len(ring), sum(y for _, y in ring) / len(ring)

    assert middle("Lyon")[0] < middle("Allamakee")[0]
    assert middle("Lyon")[1] < middle("Lee")[1], "Lee is the farthest south"
    assert middle("Fremont")[0] < middle("Lee")[0]
    assert neighbours(shapes["polk"], shapes["dallas"])
    assert neighbours(shapes["polk"], shapes["story"])
    assert not neighbours(shapes["polk"], shapes["linn"])


@pytest.mark.parametrize("spelling", ["O'Brien", "OBrien", "O’BRIEN", "o'brien"])
def test_a_county_is_found_however_it_is_spelled(spelling):
    assert map_for([spelling, "Polk"]) is iowa()


def test_another_states_roster_has_no_map():
    assert map_for(["Clark", "Washoe", "Carson City"]) is None
    assert map_for(["Polk", "Washoe"]) is None
    assert map_for([]) is None


def test_tiles_are_equal_squares_that_do_not_touch():
    room = QRectF(0, 0, 600, 300)
    placed = placed_as_tiles([f"County {n}" for n in range(17)], room)
    assert len({(round(one.room.width(), 3), round(one.room.height(), 3)) for one in placed}) == 1
    assert all(abs(one.room.width() - one.room.height()) < 0.001 for one in placed)
    for place, one in enumerate(placed):
        assert room.contains(one.room)
        assert not any(one.room.intersects(other.room) for other in placed[place + 1 :])
    assert placed_as_tiles([], room) == ()


def test_each_middle_lies_in_its_own_county():
    names = [shape.name for shape in iowa().shapes]
    placed = placed_on_map(iowa(), names, QRectF(0, 0, 800, 500))
    for one in placed:
        assert one.contains(one.middle), one.key
        assert sum(other.contains(one.middle) for other in placed) == 1


def test_initials_tell_counties_apart_where_they_can():
    names = ["Clark", "Clay", "Clayton", "Carson City", "Nye"]
    assert [initials(name, names) for name in names] == ["Clar", "Clay", "Clayt", "Car", "Nye"]


@pytest.mark.parametrize(
    ("part", "whole", "step", "figure"),
    [(0, 9, 0, "0"), (1, 9, 1, "11"), (1, 4, 2, "25"), (1, 2, 3, "50"), (3, 4, 4, "75"), (998, 999, 4, "99"),
     (9, 9, 5, "100"), (0, 0, 0, ""), (1, 999, 1, "0")],
)  # fmt: skip
def test_the_share_falls_into_a_step_and_100_is_for_all(part, whole, step, figure):
    area = Area("a", "A", part, whole)
    assert (area.step, area.figure) == (step, figure)


@pytest.fixture
def shown(qtbot):
    made = CountyMap("Counties")
    qtbot.addWidget(made)
    made.resize(900, 640)
    made.set_areas(areas(shape.name for shape in iowa().shapes))
    made.show()
    qtbot.waitExposed(made)
    made.setFocus()
    return made


def test_arrows_go_from_county_to_county_and_stay_at_the_rim(qtbot, shown):
    assert shown.is_map
    shown.choose("Polk")
    for key, there in (
        (Qt.Key.Key_Left, "Dallas"),
        (Qt.Key.Key_Right, "Polk"),
        (Qt.Key.Key_Up, "Story"),
        (Qt.Key.Key_Down, "Polk"),
        (Qt.Key.Key_Down, "Warren"),
    ):
        qtbot.keyClick(shown, key)
        assert shown.current == there
    for _ in range(30):
        qtbot.keyClick(shown, Qt.Key.Key_Right)
    there = shown.current
    qtbot.keyClick(shown, Qt.Key.Key_Right)
    assert shown.current == there
    assert there in {"Scott", "Clinton", "Jackson", "Des Moines", "Muscatine", "Louisa", "Lee"}


def test_every_county_can_be_reached_by_arrows(qtbot, shown):
    arrows = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down)
    reached, waiting = {"Polk"}, ["Polk"]
    while waiting:
        here = waiting.pop()
        for arrow in arrows:
            shown.choose(here)
            qtbot.keyClick(shown, arrow)
            if shown.current not in reached:
                reached.add(shown.current)
                waiting.append(shown.current)
    assert len(reached) == 99


def test_enter_opens_what_is_chosen_and_nothing_before(qtbot, shown):
    opened = []
    shown.opened.connect(opened.append)
    qtbot.keyClick(shown, Qt.Key.Key_Return)
    assert opened == []
    qtbot.keyClick(shown, Qt.Key.Key_End)
    qtbot.keyClick(shown, Qt.Key.Key_Enter, Qt.KeyboardModifier.KeypadModifier)
    assert opened == [shown.current] == ["Wright"]
    assert shown.accessibleDescription() == "Wright: 1 of 2"


def test_a_click_chooses_and_the_wheel_does_nothing(qtbot, shown):
    qtbot.mouseClick(shown, Qt.MouseButton.LeftButton, pos=shown.middle("Lee").toPoint())
    assert shown.current == "Lee"
    assert shown.at(QPointF(1, 639)) == ""


def test_fresh_figures_keep_what_is_chosen(shown):
    shown.choose("Polk")
    shown.set_areas(areas((shape.name for shape in iowa().shapes), 2, 2))
    assert shown.current == "Polk"
    assert shown.area("Polk").step == 5
    assert shown.accessibleDescription() == "Polk: 2 of 2"


def test_a_state_without_a_map_stands_as_tiles_in_the_order_of_the_alphabet(qtbot):
    made = CountyMap("Counties")
    qtbot.addWidget(made)
    made.resize(500, 400)
    made.set_areas([*areas(["Washoe", "Clark", "Élko"]), Area("s", "Satellite district 3", 0, 1, True)])
    made.show()
    assert not made.is_map
    made.setFocus()
    seen = []
    for _ in range(3):
        qtbot.keyClick(made, Qt.Key.Key_Right)
        seen.append(made.current)
    assert seen == ["Clark", "Élko", "Washoe"]
    qtbot.keyClick(made, Qt.Key.Key_Home)
    qtbot.keyClick(made, Qt.Key.Key_Down)
    assert made.current == "s", "the sites are below"
    assert not made.grab().isNull()


@pytest.mark.parametrize("size", [(1, 1), (100, 30), (30, 400), (120, 90), (4000, 90)])
def test_it_stands_any_size(qtbot, size):
    made = CountyMap("Counties")
    qtbot.addWidget(made)
    made.setMinimumSize(1, 1)
    made.resize(*size)
    made.set_areas([*areas(shape.name for shape in iowa().shapes), Area("s", "Satellite abroad", 1, 2, True)])
    made.choose("Polk")
    assert not made.grab().isNull()
    qtbot.keyClick(made, Qt.Key.Key_Left)
    made.resize(900, 640)
    assert not made.grab().isNull(), "what is not shown is laid out when it is painted"
    assert made.at(made.middle("Polk")) == "Polk"


def contrast(one: QColor, other: QColor) -> float:
    def light(colour):
        parts = [
            part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
            for part in (colour.redF(), colour.greenF(), colour.blueF())
        ]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("name", list(ThemeName))
def test_figures_can_be_read_on_each_step_and_no_two_steps_look_alike(qapp, name):
    theme().apply(name)
    looks = set()
    for step in range(len(shades.STEPS)):
        assert contrast(shades.ink(step), shades.ground(step)) >= 4.5
        brushes = shades.brushes(step)
        looks.add(tuple((brush.color().name(), brush.style()) for brush in brushes))
    assert len(looks) == len(shades.STEPS)
