"""Names of people and places are shown as they are written, whatever they look like; and what is wrong
with where a store lies is said."""

import html

import pytest
from PySide6.QtCore import Qt

from caucus_desk.desk.session import Desk, open_desk
from caucus_desk.store import file_place
from caucus_desk.ui.app import build_window
from caucus_desk.ui.widgets.basics import ElidedLabel
from caucus_desk.ui.widgets.table import ColumnSpec, TableModel
from caucus_desk.ui.words import tip


def test_an_ampersand_in_a_name_is_an_ampersand(window):
    window.shell.context.set_person("Bob & Ann")
    assert window.shell.header.person_text == "Bob & Ann"
    assert "Bob && Ann" in window.shell.header._person.text(), "one & alone would mark a key"


@pytest.mark.parametrize("name", ["<b>Lee</b> 1", "<img src='x'>", "A &lt; B"])
def test_a_name_that_looks_like_markup_is_shown_as_written_in_tool_tips(qapp, name):
    model = TableModel([ColumnSpec("Name", 90, str, tip=str)], str)
    model.set_rows([name])
    shown = model.data(model.index(0, 0), Qt.ItemDataRole.ToolTipRole)
    assert name not in shown
    assert html.unescape(shown) == f"<span>{name}</span>"
    assert ElidedLabel(name).toolTip() == shown


def test_a_plain_name_stays_as_it_is():
    assert tip("O'Brien, Walnut Township") == "O'Brien, Walnut Township"


def on_a_network_drive(monkeypatch):
    monkeypatch.setattr(file_place, "network_warning", lambda path: f"{path} lies on a network drive.")


def test_a_network_drive_is_said_when_the_caucus_opens(qtbot, store, monkeypatch):
    on_a_network_drive(monkeypatch)
    desk: Desk = open_desk(str(store))
    window = build_window(desk)
    qtbot.addWidget(window)
    window.show()
    qtbot.keyClicks(window.focusWidget(), "clerk 07")
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Return)
    assert "lies on a network drive" in window.notices.text
    window.shell.context.set_person("clerk 12")
    assert window.notices.text == "", "once is enough"
    window.close()
