"""Keys and seals of packets, kits and receipts: Ed25519 signatures, and what only a kit's code opens.

`cryptography` is loaded when a key is first used, so that a desk without packets needs none of it.
"""

import hashlib
import importlib.util
import secrets
from dataclasses import dataclass

from caucus_desk.rules.errors import Refused
from caucus_desk.rules.installing import how_to_install
from caucus_desk.tally.receipt import ALPHABET, spoken_code

_SALT, _NONCE = 16, 12
_COST = 2**15
"""Of scrypt for a kit's code: some 100 ms for each try, and 32 MB."""
_CODE_LETTERS = 16
"""23 letters each: more codes than anybody can try, written or said in four groups of four."""


class NotInstalled(Refused):
    """The library for signatures is not there."""


def check_installed() -> None:
    """Refused, with the line to type, where packets cannot be signed or verified on this machine."""
    if importlib.util.find_spec("cryptography") is None:
        raise NotInstalled(
            "County kits and packets need the library for signatures, which is not installed here. "
            + how_to_install("packets")
        )


@dataclass(frozen=True, slots=True)
class KeyPair:
    """`private` is a secret: it is written only into the store that signs with it."""

    private: str
    """Hexadecimal, as `public`."""
    public: str

    def __repr__(self) -> str:
        return f"KeyPair(public={self.public!r})"

    @property
    def id(self) -> str:
        return key_id(self.public)


def key_id(public: str) -> str:
    """A key's name, made from the key itself: 16 hexadecimal digits."""
    return hashlib.sha256(b"Caucus Desk key\n" + bytes.fromhex(public)).hexdigest()[:16]


def new_pair() -> KeyPair:
    check_installed()
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    made = Ed25519PrivateKey.generate()
    return KeyPair(made.private_bytes_raw().hex(), made.public_key().public_bytes_raw().hex())


def pair_of(private: str) -> KeyPair:
    """The pair of a private key."""
    check_installed()
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(private))
    return KeyPair(private, key.public_key().public_bytes_raw().hex())


def sign(private: str, message: bytes) -> str:
    """Hexadecimal."""
    check_installed()
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(private)).sign(message).hex()


def signed_by(public: str, signature: str, message: bytes) -> bool:
    """Whether the key's owner signed exactly these bytes; False for whatever is no key or no signature."""
    check_installed()
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).verify(bytes.fromhex(signature), message)
    except (InvalidSignature, ValueError):
        return False
    return True


def new_code() -> str:
    """The code of a kit, such as `K7QX-94MT-HDCA-WY3E`: whoever has kit and code can sign for the county."""
    letters = "".join(secrets.choice(ALPHABET) for _ in range(_CODE_LETTERS))
    return "-".join(letters[at : at + 4] for at in range(0, _CODE_LETTERS, 4))


def sealed(code: str, data: bytes, beside: bytes) -> bytes:
    """`data` so that only the code opens it, and only beside the same open bytes."""
    check_installed()
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    salt, nonce = secrets.token_bytes(_SALT), secrets.token_bytes(_NONCE)
    return salt + nonce + ChaCha20Poly1305(_key_of(code, salt)).encrypt(nonce, data, beside)


def unsealed(code: str, data: bytes, beside: bytes) -> bytes | None:
    """None where the code is another one, or anything was altered."""
    check_installed()
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    salt, nonce, rest = data[:_SALT], data[_SALT : _SALT + _NONCE], data[_SALT + _NONCE :]
    if len(nonce) < _NONCE or not spoken_code(code):
        return None
    try:
        return ChaCha20Poly1305(_key_of(code, salt)).decrypt(nonce, rest, beside)
    except InvalidTag:
        return None


def _key_of(code: str, salt: bytes) -> bytes:
    typed = spoken_code(code).encode()
    return hashlib.scrypt(typed, salt=salt, n=_COST, r=8, p=1, dklen=32, maxmem=2**26)
