"""What a person types to show who they are: a PIN of digits, or a password."""

import unicodedata

from caucus_desk.desk.naming import folded
from caucus_desk.rules.errors import Refused

FEWEST_DIGITS = 4
FEWEST_LETTERS = 8
LONGEST_PIN = 200


def tidy_pin(typed: str) -> str:
    """As it is compared: `１２３４` of a Japanese keyboard is 1234, and outer spaces are nothing."""
    return unicodedata.normalize("NFKC", typed).strip()


def clean_pin(typed: str, name: str) -> str:
    """A new PIN as it is kept. Refused where it would protect nothing."""
    pin = tidy_pin(typed)
    if not pin:
        raise Refused(f"The PIN is empty. Give {FEWEST_DIGITS} digits or more, or a password.")
    if not pin.isprintable():
        raise Refused("The PIN holds a character that nobody can type again. Take letters and digits.")
    if len(pin) > LONGEST_PIN:
        raise Refused(f"The password has {len(pin)} letters; it may have {LONGEST_PIN}. Shorten it.")
    if pin.isdecimal():
        if len(pin) < FEWEST_DIGITS:
            raise Refused(f"A PIN has {FEWEST_DIGITS} digits or more; this one has {len(pin)}.")
    elif len(pin) < FEWEST_LETTERS:
        raise Refused(
            f"A password has {FEWEST_LETTERS} letters or more; this one has {len(pin)}. Only digits make a "
            f"PIN, of {FEWEST_DIGITS} or more."
        )
    if folded(pin) == folded(name):
        raise Refused("The password is the person's own name. Take another one.")
    return pin
