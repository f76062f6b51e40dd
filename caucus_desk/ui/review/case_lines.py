"""What must be known of a case before its figures are read: likely slips, errands under way, what moved."""

from collections.abc import Iterable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from caucus_desk.desk.review import Case
from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.tally.form import field_label
from caucus_desk.ui.entry.wording import counted
from caucus_desk.ui.icons import IconLabel
from caucus_desk.ui.review.history import errand_words
from caucus_desk.ui.review.shown import Doing, Shown
from caucus_desk.ui.widgets.basics import STEP, ElidedLabel, label
from caucus_desk.ui.words import channel_sign, clock, tip, tr

_SHOWN = 3


class CaseLines(QVBoxLayout):
    """A line for each; where there are too many the rest is counted."""

    def __init__(self) -> None:
        super().__init__()
        self.setSpacing(3)
        self._texts: tuple[str, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        return self._texts

    def show_lines(self, lines: Sequence[tuple[str, str, str]]) -> None:
        """Drawing, its colour, and the sentence."""
        texts = tuple(text for _, _, text in lines)
        if texts == self._texts:
            return
        self._texts = texts
        while (item := self.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for icon, role, text in lines[:_SHOWN]:
            self.addWidget(_line(icon, role, text))
        if len(lines) > _SHOWN:
            rest = texts[_SHOWN:]
            more = label(counted(len(rest), tr("more line"), tr("more lines")), "muted")
            more.setToolTip(tip("\n".join(rest)))
            self.addWidget(more)


def _line(icon: str, role: str, text: str) -> QWidget:
    line = QWidget()
    row = QHBoxLayout(line)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(STEP)
    row.addWidget(IconLabel(icon, role), 0, Qt.AlignmentFlag.AlignVCenter)
    row.addWidget(ElidedLabel(text, mode=Qt.TextElideMode.ElideRight), 1)
    return line


def lines_of(rules: RuleSet, shown: Shown) -> list[tuple[str, str, str]]:
    """The lines of a case, what helps to decide first."""
    lines = [("search", "accent", hint.sentence) for hint in shown.hints]
    lines += [("mismatched", "warn", sentence) for sentence in _beside(shown.case)]
    lines += [("warn", "warn", sentence) for sentence in shown.moved]
    lines += [("back", "muted", text) for text in _errands(rules, shown)]
    if shown.unconfirmed and shown.doing is not Doing.CALL:
        names = ", ".join(channel_sign(channel).word for channel in shown.unconfirmed)
        text = tr("The {0} report is not confirmed: nobody has called back yet.").format(names)
        lines.append(("phone", "warn", text))
    return lines


def _beside(case: Case) -> Iterable[str]:
    """Where reports of one channel came from several stores, whose they are."""
    for channel in dict.fromkeys(rival.channel for rival in case.rivals):
        alike = [report for report in case.heads.values() if report.channel is channel]
        names = tr(" and ").join(f"{one.by} ({one.origin})" if one.origin else one.by for one in alike)
        yield tr("{0} {1} reports stand beside each other: {2}. None took another's place.").format(
            len(alike), channel_sign(channel).word, names
        )


def _errands(rules: RuleSet, shown: Shown) -> Iterable[str]:
    for errand in shown.errands:
        fields = ", ".join(field_label(rules, path) for path in errand.fields)
        said = ": ".join(part for part in (fields, errand.note) if part)
        yield tr("Sent {0} by {1} at {2}{3}").format(
            errand_words(errand.kind, errand.channel),
            errand.by,
            clock(errand.at)[:5],
            f" ({said})" if said else "",
        )
