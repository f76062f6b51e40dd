"""What does not match the other channel, and whether the clerk has looked at it."""

from collections.abc import Sequence


class Mismatched:
    """Told by the desk after a submit. The clerk looks at each box, and corrects it or lets it stand."""

    def __init__(self) -> None:
        self.sentence = ""
        self.fields: tuple[str, ...] = ()
        """The boxes that are marked, in the order of the sheet."""
        self.told: tuple[str, ...] = ()
        """Every field that the desk named."""
        self._unseen: set[str] = set()
        self._as_told = False

    def tell(self, fields: Sequence[str], sentence: str, told: Sequence[str] = ()) -> None:
        self.fields, self.sentence = tuple(fields), sentence
        self.told = tuple(told or fields)
        self._unseen, self._as_told = set(fields), True

    def seen(self, path: str) -> None:
        """The hand has been in a box and has left it."""
        self._unseen.discard(path)

    def changed(self, path: str) -> None:
        """A changed figure makes a new sheet: it is compared again rather than confirmed.

        The other boxes stay marked until they are changed or the sheet is submitted again.
        """
        if not self.fields:
            return
        self._as_told = False
        self.fields = tuple(other for other in self.fields if other != path)
        self._unseen.discard(path)
        if not self.fields:
            self.sentence = ""

    @property
    def to_look_at(self) -> str:
        """The first marked box that the hand has not been in; "" if there is none."""
        return next((path for path in self.fields if path in self._unseen), "")

    @property
    def confirmed(self) -> bool:
        """Told, looked at, and nothing changed."""
        return bool(self.fields) and not self._unseen and self._as_told
