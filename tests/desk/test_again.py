"""A step that another writer undid is made again, whole, three times at most, and never once it has saved."""

import ast
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import caucus_desk.desk
from caucus_desk.desk.again import TRIES, again
from caucus_desk.desk.integrity import check_store
from caucus_desk.desk.session import Desk, open_desk
from caucus_desk.desk.settings import change_setting, settings
from caucus_desk.desk.trail import audit_trail
from caucus_desk.store.actions import Action
from caucus_desk.store.errors import Again
from tests.tampering import administrator

FOLDER = Path(caucus_desk.desk.__file__).parent

MADE_AGAIN_OTHERWISE = {"live._beat": "comes again in ten seconds by itself"}


def writers() -> Iterator[tuple[str, ast.FunctionDef]]:
    """Every function that opens a transaction for writing, methods and inner functions too."""
    for file in sorted(FOLDER.glob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and any(map(_writes, _own_nodes(node))):
                yield f"{file.stem}.{node.name}", node


def _own_nodes(function: ast.FunctionDef) -> Iterator[ast.AST]:
    left: list[ast.AST] = list(function.body)
    while left:
        node = left.pop()
        if not isinstance(node, ast.FunctionDef | ast.Lambda):
            yield node
            left += ast.iter_child_nodes(node)


def _writes(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func).endswith(
        ("store.write", "store.write_aside")
    )


FOUND = dict(writers())


def test_the_writers_are_found() -> None:
    assert len(FOUND) > 55
    assert {"submitting.submit", "entry.save_draft", "noting.note_export", "review.rule"} <= set(FOUND)
    assert set(MADE_AGAIN_OTHERWISE) <= set(FOUND)


@pytest.mark.parametrize("name", FOUND)
def test_each_function_that_writes_is_made_again(name: str) -> None:
    marks = [ast.unparse(mark) for mark in FOUND[name].decorator_list]
    assert "again" in marks or name in MADE_AGAIN_OTHERWISE, f"{name} writes without @again"


def undone() -> Again:
    return Again("undone by another desk")


def test_three_tries_and_then_it_is_said() -> None:
    tried: list[int] = []

    @again
    def step() -> str:
        tried.append(1)
        if len(tried) < TRIES:
            raise undone()
        return "done"

    assert step() == "done"
    assert len(tried) == TRIES == 3

    @again
    def hopeless() -> None:
        tried.append(1)
        raise undone()

    @again
    def outer() -> None:
        hopeless()

    for one in (hopeless, outer):
        tried.clear()
        with pytest.raises(Again):
            one()
        assert len(tried) == TRIES, "a step inside another one is not tried nine times"


def test_what_was_saved_is_not_made_twice(desk: Desk) -> None:
    tried: list[int] = []

    @again
    def two_steps() -> None:
        tried.append(1)
        with desk.store.write() as unit:
            unit.log(Action.LOADED, "the first half", actor="Ann")
        raise undone()

    with pytest.raises(Again):
        two_steps()
    assert tried == [1]
    assert [event.sentence for event in audit_trail(desk).events].count("the first half") == 1


def test_other_errors_are_not_tried_again() -> None:
    tried: list[int] = []

    @again
    def step() -> None:
        tried.append(1)
        raise ValueError

    with pytest.raises(ValueError):  # noqa: PT011
        step()
    assert tried == [1]


# ---- a real one: somebody writes past the program at the very moment ----


@pytest.fixture
def shared(desk: Desk) -> Desk:
    if not desk.store.is_shared:
        pytest.skip("PostgreSQL undoes one of two; a file has one writer at a time (--engine postgresql)")
    return desk


@pytest.fixture
def meddled(shared: Desk, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """So many times as there are words in it, a setting is changed past the program in mid-step."""
    from caucus_desk.store.settings import SettingWriting

    words: list[str] = []
    real = SettingWriting.set_setting

    def set_setting(unit: SettingWriting, *args: str, **kwargs: str) -> None:
        if words:
            word = words.pop(0)
            with administrator(shared) as other:
                other.execute(
                    "UPDATE setting SET value = %s WHERE key = 'idle_minutes'", (word,)
                )  # committed while the step stands on an older view
        real(unit, *args, **kwargs)

    monkeypatch.setattr(SettingWriting, "set_setting", set_setting)
    return words


def test_a_real_serialization_failure_is_overcome(shared: Desk, meddled: list[str]) -> None:
    change_setting(shared, "idle_minutes", "7", by="Lead")
    before = shared.saved_seq()
    meddled += ["8"]
    change_setting(shared, "idle_minutes", "9", by="Lead")
    assert meddled == []
    assert settings(shared).idle_minutes == 9
    assert shared.saved_seq() == before + 1, "one event, not two"
    assert all(line.ok for line in check_store(shared))


def test_one_that_does_not_end_is_said_in_a_sentence(shared: Desk, meddled: list[str]) -> None:
    change_setting(shared, "idle_minutes", "7", by="Lead")
    before = shared.saved_seq()
    meddled += ["8", "10", "11", "12"]
    with pytest.raises(Again) as refused:
        change_setting(shared, "idle_minutes", "9", by="Lead")
    assert meddled == ["12"], "three tries"
    assert refused.value.sentence.endswith("Nothing was saved; try again.")
    assert refused.value.exit_code == 4
    assert shared.saved_seq() == before


def test_a_real_deadlock_is_overcome(shared: Desk) -> None:
    """Somebody holds a row that the step wants, and then wants the turn that the step holds."""
    with administrator(shared) as first:
        first.execute("CREATE TABLE crossing (id int PRIMARY KEY)")
        first.execute("INSERT INTO crossing VALUES (1)")
    tries: list[int] = []
    begun, holding, done = threading.Event(), threading.Event(), threading.Event()

    @again
    def step() -> None:
        with shared.store.write() as unit:
            tries.append(1)
            begun.set()  # the turn is ours; only now may the other take the row
            if len(tries) == 1:
                assert holding.wait(20)
            # Of the two it is this one that the server undoes, once the other surely waits for the turn.
            unit._cursor.execute("SET LOCAL deadlock_timeout = '3s'")
            unit._cursor.execute("SET LOCAL lock_timeout = 0")
            unit._cursor.execute("UPDATE crossing SET id = id")
            unit.log(Action.LOADED, "done all the same", actor="Ann")

    def cross() -> None:
        with administrator(shared) as other, other.transaction():
            assert begun.wait(20)
            other.execute("SET LOCAL deadlock_timeout = '60s'")
            other.execute("UPDATE crossing SET id = id")
            holding.set()
            other.execute("LOCK TABLE turn IN EXCLUSIVE MODE")
        done.set()

    with open_desk(shared.location):
        thread = threading.Thread(target=cross)
        thread.start()
        step()
        thread.join()
    assert done.is_set()
    assert len(tries) == 2
    assert [event.sentence for event in audit_trail(shared).events].count("done all the same") == 1
