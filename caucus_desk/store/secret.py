"""Secrets that a person types: kept only as a salted scrypt hash, with the cost that it was made at."""

import hashlib
import hmac
import os

from caucus_desk.store.errors import StoreDamaged

COST = 2**14
"""Of an account's PIN: about 50 ms for each try, and 16 MB."""
_R, _P = 8, 1
_MOST = 2**18
"""A stored cost above this is no hash of ours; working it out could take all memory."""


def make_secret(typed: str, n: int = COST, salt: bytes | None = None) -> str:
    """`scrypt$n$r$p$salt$key`, so that the cost can be raised without losing older hashes."""
    salt = os.urandom(16) if salt is None else salt
    key = _key(typed, salt, n, _R, _P)
    return f"scrypt${n}${_R}${_P}${salt.hex()}${key.hex()}"


def secret_fits(typed: str, stored: str) -> bool:
    """Whether this is what was hashed. StoreDamaged where `stored` is no hash of ours."""
    try:
        kind, *costs, salt, key = stored.split("$")
        n, r, p = map(int, costs)
        if kind != "scrypt" or not 2 <= n <= _MOST or not 1 <= r <= 32 or not 1 <= p <= 16:
            raise ValueError(stored)
        return hmac.compare_digest(_key(typed, bytes.fromhex(salt), n, r, p), bytes.fromhex(key))
    except ValueError as error:
        raise StoreDamaged(
            "This store is damaged: a PIN is kept in no known way. Restore the last good backup."
        ) from error


def _key(typed: str, salt: bytes, n: int, r: int, p: int) -> bytes:
    room = 128 * r * (n + p + 2) + 2**20
    return hashlib.scrypt(typed.encode(), salt=salt, n=n, r=r, p=p, dklen=32, maxmem=room)
