"""The welcome page where no password can be kept."""

from typing import Any

import pytest
from keyring.backends import fail

from tests.keyrings import using


def test_it_says_what_to_install_where_the_library_is_not_there(
    welcome: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with using(fail.Keyring()):
        page = welcome.welcome
        page.shared_button.click()
        said = [one.text() for one in page.shared.findChildren(type(page.shared.refusal)) if one.isVisible()]
        assert "This computer has no keyring, so the password is asked for each time." in said
        monkeypatch.setattr("importlib.util.find_spec", lambda *_: None)
        page.shared.ask()
        said = [one.text() for one in page.shared.findChildren(type(page.shared.refusal)) if one.isVisible()]
        assert any('.venv/bin/pip install ".[shared]"' in one for one in said)
