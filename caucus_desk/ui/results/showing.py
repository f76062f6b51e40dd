"""What the Results page shows: a section for the state, or one area's figures, or the cover over them."""

from PySide6.QtWidgets import QApplication, QWidget

from caucus_desk.tally.results import By, Counting, PrecinctResult, TallyRow
from caucus_desk.ui.context import Context
from caucus_desk.ui.covering import Cover, Looks, cover_of, cover_of_sum
from caucus_desk.ui.results.areas import area_of, area_of_precinct
from caucus_desk.ui.results.figures import precinct_row, reporting_text
from caucus_desk.ui.results.frame import ResultsFrame
from caucus_desk.ui.results.missing import area_key
from caucus_desk.ui.results.scope import AreaSection, Scope


class ResultsShowing(ResultsFrame):
    """Shows the figures as they stand; covered ones only to those who may see them."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._rows: dict[str, TallyRow] = {}
        self._key = "state"
        self._looks = Looks(context, self)

    @property
    def store_is_busy(self) -> bool:
        return self._looks.waits()

    def refresh(self) -> None:
        here = self._has_focus()
        section, counting = self._section, Counting(self.counting.key)
        self.by.setVisible(self._is_by_area)
        if self._is_by_area:
            self._show_by_area(counting)
        elif (cover := cover_of_sum(self.context, self._counted(By.STATE, "state"))) is not None:
            # What follows from the state's sum is not shown where that is one covered precinct's own.
            self._places.setCurrentWidget(self._by_area)
            self._show_covered(cover)
        else:
            self.cover.show_cover(None)
            self._places.setCurrentWidget(section)
            self._can_copy(True)
            section.show_figures(counting)
        if here and not self._has_focus():
            self.take_focus()  # what had it is hidden now

    def _has_focus(self) -> bool:
        focus = QApplication.focusWidget()
        return focus is not None and focus.isVisible() and self.isAncestorOf(focus)

    def _show_by_area(self, counting: Counting) -> None:
        overview, by = self.context.overview, By(self.by.key)
        self._places.setCurrentWidget(self._by_area)
        self._bodies.setCurrentWidget(self._section)
        side = self._section.side if isinstance(self._section, AreaSection) else self.tally.side
        self._sides.setCurrentWidget(side)
        if by is By.PRECINCT:
            # A row for each of 1,765 precincts would cost a third of a second: only the chosen one is made.
            keys = [key for key, result in overview.results.items() if not result.precinct.merged]
            self._rows = {}
        else:
            self._rows = {row.key: row for row in overview.tally(by, counting).rows}
            keys = list(self._rows)
        if self._key not in keys:
            self._key = keys[0] if keys else ""
        is_state = by is By.STATE
        self.areas.setVisible(not is_state)
        if is_state:
            self.tally.show_national(counting)
        else:
            self._show_areas(by)
        self._show_row()

    def _show_areas(self, by: By) -> None:
        if by is By.PRECINCT:
            results = self.context.overview.results.values()
            self.areas.set_areas([area_of_precinct(r) for r in results if not r.precinct.merged])
        else:
            self.areas.set_areas([area_of(row) for row in self._rows.values()])
        self.areas.view.select_key(self._key)

    def _show_row(self) -> None:
        section, row, by = self._section, self._row(), By(self.by.key)
        if not isinstance(section, AreaSection):
            return
        if row is None:
            section.clear()
            return
        cover = self._cover_of(row)
        name = self._name_of(row)
        self.name_label.set_text(name)
        self.national.setVisible(by is By.STATE and not self._pools_covered(cover))
        if cover is not None:
            self._show_covered(cover)
            return
        self.cover.show_cover(None)
        self._bodies.setVisible(True)
        self._sides.setVisible(True)
        self._can_copy(True)
        section.show_scope(Scope(by, row, name, Counting(self.counting.key)))
        self._arrange()
        self.coverage.setText(reporting_text(row))

    def _show_covered(self, cover: Cover) -> None:
        self.cover.show_cover(cover)
        self._bodies.setVisible(False)
        self._sides.setVisible(False)
        self._can_copy(False)
        for section in (self.tally, self.realign):
            section.clear()
        for state_wide in (self.ahead, self.delegates):
            state_wide.clear()
        self.coverage.setText("")
        if not self._is_by_area:
            self.name_label.set_text(self.sections.text_of(self.sections.key))
            self.areas.hide()

    def _can_copy(self, may: bool) -> None:
        self.copy_button.setEnabled(may)
        self.print_button.setEnabled(may)

    def _counted(self, by: By, key: str) -> list[PrecinctResult]:
        """The precincts that are in the sums of one row, as is counted now."""
        verified_only = self.counting.key == Counting.VERIFIED
        return [
            result
            for result in self.context.overview.results.values()
            if result.reporting
            and (result.verified or not verified_only)
            and area_key(result.precinct, by) == key
        ]

    def _cover_of(self, row: TallyRow) -> Cover | None:
        """Figures that the person must not see are not shown, nor a sum that is one precinct's own."""
        if self.by.key == By.PRECINCT:
            result = self.context.overview.results[row.key]
            self._looks.keep(result)
            return cover_of(self.context, result)
        return cover_of_sum(self.context, self._counted(By(self.by.key), row.key))

    def _pools_covered(self, cover: Cover | None) -> bool:
        """A district's national delegates follow from its sum; that may be a precinct being keyed."""
        keying = self.context.eyes.keying
        if cover is not None or not keying:
            return cover is not None
        districts = {area_key(self.context.overview.results[id].precinct, By.DISTRICT) for id in keying}
        return any(
            cover_of_sum(self.context, self._counted(By.DISTRICT, district)) is not None
            for district in districts
        )

    def _look(self, precinct_id: str) -> None:
        def then(seen: bool) -> None:
            if seen:
                self.refresh()
                if self.isVisible():
                    self.take_focus()

        self._looks.uncover(precinct_id, then)

    def _row(self) -> TallyRow | None:
        if self.by.key == By.PRECINCT and self._key in self.context.overview.results:
            return precinct_row(self.context.overview, self._key, Counting(self.counting.key))
        return self._rows.get(self._key)

    def _name_of(self, row: TallyRow) -> str:
        if self.by.key == By.PRECINCT:
            precinct = self.context.overview.results[row.key].precinct
            return f"{precinct.county} · {precinct.name} · {precinct.id}"
        return row.name
