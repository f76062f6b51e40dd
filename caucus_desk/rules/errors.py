"""The one family of errors that a person can act on.

Each carries one plain sentence: what is wrong, where, and what to do. Whatever is not of this
family is a fault of the program. The family stands in the lowest layer so that every layer can
raise its own kind; `exit_code` is the command line's answer (commands.md).
"""

from typing import ClassVar


class CaucusError(Exception):
    """Something that a person can act on. `str(error)` is the sentence to show."""

    exit_code: ClassVar[int] = 3

    @property
    def sentence(self) -> str:
        return str(self)

    @property
    def typed_sentence(self) -> str:
        """The sentence for whoever typed a command, who has no window to look at."""
        return self.sentence


class Refused(CaucusError):
    """A rule of the desk forbids it. Nothing was changed."""

    def __init__(self, sentence: str = "", *, typed: str = "") -> None:
        """`typed`: the sentence for whoever typed a command, where it is another one."""
        super().__init__(sentence)
        self._typed = typed

    @property
    def typed_sentence(self) -> str:
        return self._typed or self.sentence


class Cancelled(CaucusError):
    """A person cancelled long work. Nothing was changed. Raised from within a progress callback."""


class RuleSetError(CaucusError):
    """A rule set that cannot be used: names the file, the key and the reason."""

    def __init__(self, file: str, key: str, reason: str) -> None:
        super().__init__(f"The rule set {file} cannot be used: {key}: {reason}")
        self.file, self.key, self.reason = file, key, reason
