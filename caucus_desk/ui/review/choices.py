"""What a reviewer has chosen so far for one case, and the sheet that would stand."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from caucus_desk.desk.cases import take
from caucus_desk.desk.review import Case
from caucus_desk.tally.form import Form
from caucus_desk.tally.report import HeadKey
from caucus_desk.tally.sheet import ResultSheet
from caucus_desk.ui.entry import counts
from caucus_desk.ui.entry.typed import sheet_of


@dataclass(frozen=True, slots=True)
class Choice:
    """`channel` names the report that was taken, a rival by its id. It is None for a value that was typed;
    `text` is what was typed then."""

    value: int | None
    channel: HeadKey | None
    text: str = ""


@dataclass
class Choices:
    """Field path to choice. Only what was chosen by hand is in it."""

    made: dict[str, Choice] = field(default_factory=dict)

    def take(self, case: Case, channel: HeadKey, path: str = "") -> bool:
        """The report's value for one field, or for every field that differs; False where there is no such
        report. What its sheet does not state comes from another that does."""
        if channel not in case.heads:
            return False
        whole = take(case, channel)
        own = {entry.path: entry.by_key[channel] for entry in case.fields if entry.path == path}
        for one, value in ({**own, **whole} if path else whole).items():
            if path in ("", one):
                self.made[one] = Choice(value, channel)
        return True

    def type_digit(self, path: str, digit: str) -> bool:
        """False where the count would be over the limit."""
        before = self.made.get(path)
        text = (before.text if before is not None and before.channel is None else "") + digit
        if not counts.within_limit(text):
            return False
        self.made[path] = Choice(int(text), None, text)
        return True

    def erase(self, path: str) -> None:
        """One digit of a typed value back, or the whole choice."""
        before = self.made.get(path)
        if before is None:
            return
        text = before.text[:-1] if before.channel is None else ""
        if text:
            self.made[path] = Choice(int(text), None, text)
        else:
            del self.made[path]

    def open(self, case: Case) -> tuple[str, ...]:
        """Differing fields for which nothing is chosen yet, in worksheet order."""
        return tuple(path for path in case.differing if path not in self.made)

    def values(self) -> Mapping[str, int | None]:
        return {path: choice.value for path, choice in self.made.items()}

    def as_ruled(self, case: Case, sheet: ResultSheet) -> None:
        """The choices of a ruling that was made: its values, with the report that says the same."""
        self.made = {}
        for entry in case.fields:
            value = sheet.count(entry.path)
            if not entry.differs and value == entry.stands:
                continue
            channels = [key for key, count in entry.by_key.items() if (count or 0) == (value or 0)]
            if channels:
                self.made[entry.path] = Choice(entry.by_key[channels[0]], channels[0])
            elif entry.differs or value is not None:
                self.made[entry.path] = Choice(value, None, "" if value is None else str(value))

    def keep_valid(self, case: Case) -> None:
        """After a newer report: a choice of a channel's value falls where that value is another now."""
        known = {entry.path for entry in case.fields}
        whole = {key: take(case, key) for key in case.heads}
        for path, choice in list(self.made.items()):
            stale = path not in known
            if choice.channel is not None:
                values = whole.get(choice.channel, {})
                stale = stale or path not in values or values[path] != choice.value
            if stale:
                del self.made[path]

    def sheet(self, case: Case, form: Form) -> ResultSheet:
        """The standing sheet with the choices in it, to be checked by the rules while choosing."""
        texts = {entry.path: "" if entry.stands is None else str(entry.stands) for entry in case.fields}
        for path, choice in self.made.items():
            texts[path] = "" if choice.value is None else str(choice.value)
        return sheet_of(form, texts)
