"""Below the table of a case: what the rules say of its sheet, and what clerks said of their errors."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from caucus_desk.desk.sheetcheck import SheetCheck
from caucus_desk.tally.catalogue import FINDINGS
from caucus_desk.tally.finding import Finding, Severity
from caucus_desk.tally.report import Acknowledgement
from caucus_desk.ui.entry.wording import counted
from caucus_desk.ui.icons import IconLabel
from caucus_desk.ui.widgets.basics import STEP, label, wrapped
from caucus_desk.ui.words import tip

_FINDINGS_SHOWN = 3
_SAID_SHOWN = 3


class CaseFindings(QVBoxLayout):
    """One line for each; where there are too many the rest is counted."""

    def __init__(self) -> None:
        super().__init__()
        self.setSpacing(3)

    def show_check(self, check: SheetCheck | None, whose: str, said: Sequence[Acknowledgement]) -> None:
        """What the rules say of the sheet as it would stand; errors first, the rest is counted."""
        while (item := self.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        if check is None:
            return
        order = (Severity.ERROR, Severity.WARNING)
        found: list[Finding] = [f for severity in order for f in check.findings if f.severity is severity]
        if found:
            self.addWidget(label(whose, "small"))
        for finding in found[:_FINDINGS_SHOWN]:
            look = "bad" if finding.severity is Severity.ERROR else "warn"
            self.addWidget(_said(look, finding.message))
        if len(found) > _FINDINGS_SHOWN:
            rest = found[_FINDINGS_SHOWN:]
            line = label(counted(len(rest), self.tr("more finding"), self.tr("more findings")), "muted")
            line.setToolTip(tip("\n".join(finding.message for finding in rest)))
            self.addWidget(line)
        self._show_said(said)

    def _show_said(self, said: Sequence[Acknowledgement]) -> None:
        """What clerks said when they submitted errors: a reviewer should know it before ruling."""
        shown = dict.fromkeys((given.by, given.reason) for given in said)
        for by, reason in list(shown)[:_SAID_SHOWN]:
            about = ", ".join(
                FINDINGS[given.finding].title for given in said if (given.by, given.reason) == (by, reason)
            )
            sentence = self.tr("{0} submitted with the reason “{1}” ({2})").format(by, reason, about)
            self.addWidget(_said("note", sentence))
        if len(shown) > _SAID_SHOWN:
            more = list(shown)[_SAID_SHOWN:]
            line = label(counted(len(more), self.tr("more reason"), self.tr("more reasons")), "muted")
            line.setToolTip(tip("\n".join(f"{by}: {reason}" for by, reason in more)))
            self.addWidget(line)


def _said(look: str, text: str) -> QWidget:
    line = QWidget()
    row = QHBoxLayout(line)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(STEP)
    row.addWidget(IconLabel(look, "muted" if look == "note" else look), 0, Qt.AlignmentFlag.AlignTop)
    row.addWidget(wrapped(text), 1)
    return line
