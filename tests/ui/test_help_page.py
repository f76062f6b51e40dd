"""Help: keys, states, every finding of the catalogue, and where the data lies."""

import pytest
from PySide6.QtWidgets import QTextBrowser

from caucus_desk.tally.catalogue import FINDINGS
from caucus_desk.tally.state import State
from caucus_desk.ui.theme import ThemeName, theme


@pytest.fixture
def page(window):
    window.shell.show_page("help")
    return window.shell.pages["help"]


def texts(page):
    return [browser.toPlainText() for browser in page.findChildren(QTextBrowser)]


def test_every_finding_of_the_catalogue_is_listed(qtmodeltester, page):
    qtmodeltester.check(page.catalogue.model)
    assert [kind.id for kind in page.catalogue.model.rows] == list(FINDINGS)


def test_a_finding_is_found_by_its_id_and_told_in_full(qtbot, page):
    page.topics.setCurrentRow(3)
    qtbot.keyClicks(page.catalogue.filter, "c35")
    page.catalogue.table.selectRow(0)
    assert page.catalogue.full.text().startswith("C35, error: ")
    assert FINDINGS["C35"].predicate in page.catalogue.full.text()


def test_every_state_is_explained(page):
    text = "\n".join(texts(page))
    for state in State:
        assert state.value in text


def test_where_the_data_lies_names_the_real_places(page, store, ui_data):
    text = "\n".join(texts(page))
    assert str(store) in text
    assert str(ui_data / "logs" / "caucus-desk.log") in text
    assert "{" not in text


def test_the_keys_of_the_pages_are_named(page):
    text = "\n".join(texts(page))
    for key in ("Ctrl+1", "Ctrl+Enter", "Esc", "Ctrl+C"):
        assert key in text


def test_the_drawings_follow_the_theme(page):
    theme().apply(ThemeName.DARK)
    assert any("sign:matched" in browser.toHtml() for browser in page.findChildren(QTextBrowser))


def test_the_pictures_of_the_readme_are_there():
    from caucus_desk import paths

    for name in ("entry-light.png", "results-dark.png"):
        assert (paths.resources() / "help" / "images" / name).read_bytes().startswith(b"\x89PNG")


def test_a_finding_is_told_in_plain_words_and_cites_nothing_that_the_person_has_not(page):
    assert [spec.title for spec in page.catalogue.model.columns] == ["Id", "Severity", "What it finds"]
    page.topics.setCurrentRow(3)
    page.catalogue.table.selectRow(0)
    assert FINDINGS["C01"].predicate in page.catalogue.full.text()
    assert FINDINGS["C01"].rule not in page.catalogue.full.text()


def test_where_the_data_lies_names_the_sample_too(page, ui_data):
    assert str(ui_data / "sample") in "\n".join(texts(page))
