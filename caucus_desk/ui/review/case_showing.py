"""Showing a case: what to know first, the figures side by side, and what each choice does."""

from contextlib import suppress
from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from caucus_desk.desk.cases import effect_of
from caucus_desk.desk.review import Case
from caucus_desk.desk.sheetcheck import SheetCheck, check_of
from caucus_desk.rules.errors import CaucusError
from caucus_desk.tally.finding import Severity
from caucus_desk.tally.form import field_label, form_of
from caucus_desk.tally.report import CHANNELS
from caucus_desk.ui.context import Context
from caucus_desk.ui.entry.wording import counted
from caucus_desk.ui.review.case_frame import CaseFrame
from caucus_desk.ui.review.case_lines import lines_of
from caucus_desk.ui.review.choices import Choices
from caucus_desk.ui.review.effect_words import effect_line
from caucus_desk.ui.review.figures import CaseLine, case_columns
from caucus_desk.ui.review.heads import Head, heads_of
from caucus_desk.ui.review.panel import FINDINGS, PICTURE
from caucus_desk.ui.review.sheet_lines import lines_of_sheet
from caucus_desk.ui.review.shown import Doing, Shown, deeds_of, sentence_of

_LEAST = 170
"""Pixels that the figures keep from what is below them."""
_TALL = 800
"""Pixels from which a whole sheet is shown from the first, and not only the groups that differ."""


class CaseShowing(CaseFrame):
    """Shows a case as it was read, with the choices that were made in it."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._context = context
        self._rules = context.rules
        self._form = form_of(context.rules)
        self._shown: Shown | None = None
        self._check: SheetCheck | None = None
        self._whole_sheet = False
        self._wanted: bool | None = None  # whole sheets or not, once the person has said so
        self._stepping = False
        self._heads: tuple[Head, ...] = ()
        self.choices = Choices()

    @property
    def shown(self) -> Shown | None:
        return self._shown

    @property
    def case(self) -> Case | None:
        return None if self._shown is None else self._shown.case

    @property
    def accepts_files(self) -> bool:
        return self._shown is not None

    @property
    def can_choose(self) -> bool:
        return self._shown is not None and self._shown.doing is Doing.CHOOSE and self._shown.open

    def show_case(self, shown: Shown) -> None:
        """Choices and the reason are kept while the same case stays. Where nothing of it has changed, nothing
        moves: only what its choices do to the whole state is said anew."""
        if self._shown is not None and replace(self._shown, effects=shown.effects) == shown:
            self._shown = shown
            self._show_effects()
            if not self.foot.asking:
                self._show_foot()
            return
        same = self.case is not None and self.case.precinct.id == shown.case.precinct.id
        could = self.can_choose
        could_approve = self._shown is not None and self._shown.pending is not None
        self._shown = shown
        case = shown.case
        if shown.pending is not None:
            self.choices.as_ruled(case, shown.pending.sheet)
        elif same and not could_approve:
            self.choices.keep_valid(case)
        else:
            self.choices = Choices()
        if not same:
            self.reason.clear()
            self._stepping = False
            tall = self.height() >= _TALL
            self._whole_sheet = not case.differing or (tall if self._wanted is None else self._wanted)
            if self.panel.shown == PICTURE and not shown.attached:
                self.panel.turn_to(FINDINGS)
        precinct = case.precinct
        self._where.set_text(f"{precinct.name}  ·  {precinct.county}")
        elects = self.tr("by attendance") if precinct.delegates is None else str(precinct.delegates)
        self._about.setText(self.tr("{0}  ·  elects {1}").format(precinct.id, elects))
        heads = heads_of(case)
        self._crowd(len(heads) > len(CHANNELS))
        if heads != self._heads:
            self._heads = heads
            self.foot.show_heads(heads)
            self.model.set_columns(case_columns(heads))
            self.table.set_widths()
            self._place_panel()
        self._lines.show_lines(lines_of(self._rules, shown))
        self._fill()
        self._show_panel(shown)
        if not (same and self.foot.asking and could == self.can_choose):
            self._show_foot()
        if not same and case.differing:
            self.table.select_key(case.differing[0])

    def clear(self) -> None:
        self._shown = None
        self._crowd(False)
        self.choices = Choices()
        self.reason.clear()
        self._stepping = False
        if self.panel.shown == PICTURE:
            self.panel.turn_to(FINDINGS)

    def _fill(self) -> None:
        case = self.case
        if case is None:
            return
        sheet = self.choices.sheet(case, self._form)
        self._check = check_of(self._rules, case.precinct, sheet) if case.reports else None
        lines = lines_of_sheet(self._rules, case, self.choices, self._check, whole=self._whole_sheet)
        self.model.set_rows(lines)
        self.table.fit_rows()
        self.table.setMinimumHeight(min(self.table.maximumHeight(), _LEAST))
        self._show_progress()
        self._show_effects()
        self.panel.findings.live.show_check(self._check, self._which_sheet(), case.said)

    def _show_progress(self) -> None:
        case = self.case
        if case is None:
            return
        left = len(self.choices.open(case))
        line = self._current()
        if not left:
            text = self.tr("all chosen: Enter, then the reason")
        elif self._stepping and line is not None:
            still = counted(left, self.tr("field open"), self.tr("fields open"))
            name = field_label(self._rules, line.path)
            text = self.tr("{0}: a letter, or digits. {1}. Esc: whole sheets again").format(name, still)
        else:
            still = counted(left, self.tr("field open"), self.tr("fields open"))
            text = self.tr("{0}: a letter takes that whole sheet; Enter goes field by field").format(still)
        self.foot.progress.set_text(text)
        field = line.path if self._stepping and line is not None else ""
        self.foot.show_takes(field, {} if line is None else {key: line.value(key) for key, _ in line.values})

    def _show_effects(self) -> None:
        """What each whole sheet does, and what the values do that were chosen so far."""
        shown = self._shown
        if shown is None or not self.can_choose:
            return
        effects = list(shown.effects)
        if self.choices.made:
            # Values that cannot stand together yet have no effect: the rules say so beside them.
            with suppress(CaucusError):
                effects.append(effect_of(self._context.desk, shown.case, self.choices.values()))
        lines = {effect.choice: effect_line(self._rules, effect) for effect in effects}
        lines.setdefault("choices", self.tr("nothing chosen yet"))
        self.foot.show_effects(lines, {effect.choice: effect.sentence for effect in effects})

    def _which_sheet(self) -> str:
        """Whose findings these are: nothing red here speaks of a report unless it says so."""
        if self._shown is not None and self._shown.pending is not None:
            return self.tr("Findings of the sheet as it would stand with the ruling:")
        if not self.can_choose:
            return self.tr("Findings of the sheet that stands:")
        if self.choices.made:
            return self.tr("Findings of the sheet as it would stand, with what is chosen above:")
        return self.tr("Findings of the sheet that stands while nothing is chosen:")

    def _show_panel(self, shown: Shown) -> None:
        live = shown.doing in (Doing.CHOOSE, Doing.APPROVE)
        self.panel.findings.show_live(live)
        self.panel.findings.show_findings(shown.case.precinct.id, shown.findings)
        self.panel.history.show_lines(shown.history)
        self.panel.picture.show_attached(shown.attached)
        found = len(shown.findings)
        if live:
            found = sum(f.severity is not Severity.NOTE for f in self._check.findings) if self._check else 0
        self.panel.show_counts(found, len(shown.history), len(shown.attached))

    def _show_foot(self) -> None:
        """The choices, or what stands in their place."""
        shown = self._shown
        if shown is None:
            return
        if self.can_choose:
            self.foot.show_choices()
        else:
            sign = ("ruled", "warn") if shown.doing is Doing.APPROVE else ("note", "muted")
            sentence = sentence_of(shown)
            if shown.pending is not None:
                sentence += " " + self._what_it_does(shown)
            self.foot.show_said(sentence, deeds_of(shown, self._context.person), *sign)

    def _what_it_does(self, shown: Shown) -> str:
        """The effect of a ruling that waits."""
        with suppress(CaucusError):
            effect = effect_of(self._context.desk, shown.case, self.choices.values())
            return self.tr("With it: {0}.").format(effect_line(self._rules, effect))
        return ""

    def end_question(self) -> None:
        """Back from a question to what stood there."""
        self._show_foot()
        self.take_focus()

    # --- where the hand is --------------------------------------------------------------------

    def take_focus(self) -> None:
        self.table.setFocus(Qt.FocusReason.TabFocusReason)

    def _current(self) -> CaseLine | None:
        return self.model.row_at(self.table.currentIndex())
