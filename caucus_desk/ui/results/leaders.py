"""Section 3: who leads in each county, on a map and in a table, and the shares of the chosen one as bars."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.tally.counting import counts
from caucus_desk.tally.results import By, Counting, PrecinctResult, TallyRow
from caucus_desk.ui.context import Context
from caucus_desk.ui.results.figures import Line, bars_of, lines_of, unit_word
from caucus_desk.ui.results.scope import Section
from caucus_desk.ui.widgets.barchart import BarChart
from caucus_desk.ui.widgets.basics import STEP, label, wrapped
from caucus_desk.ui.widgets.leadermap import LEVEL, LeaderLegend, LeaderMap, LedArea, Look, letters_of
from caucus_desk.ui.widgets.table import ColumnSpec, TableModel, TableView
from caucus_desk.ui.words import BLANK, decimal, number, percent, tr


@dataclass(frozen=True, slots=True)
class CountyLead:
    """One county or pool of sites. `covered`: its figures are one precinct's own, not to be seen."""

    key: str
    name: str
    satellites: bool
    reporting: int
    precincts: int
    leaders: tuple[str, ...]
    """None where nothing is counted; several where they are level."""
    names: str
    share: Fraction
    ahead: Fraction
    """Of who is next, in the rule set's unit."""
    covered: bool
    lines: tuple[Line, ...]

    @property
    def leader(self) -> str:
        """A group's key, LEVEL, or ""."""
        return "" if not self.leaders else self.leaders[0] if len(self.leaders) == 1 else LEVEL


def leads_of(
    rules: RuleSet, rows: Sequence[TallyRow], results: Mapping[str, Sequence[PrecinctResult]], seen: set[str]
) -> list[CountyLead]:
    """`results`: precincts by county; `seen`: the counties whose sums may be shown."""
    found = []
    for row in rows:
        covered = row.key not in seen
        values = {} if covered else {line.group: line.sde for line in row.groups}
        most = max(values.values(), default=Fraction(0))
        leaders = tuple(group for group, value in values.items() if most and value == most)
        second = max((v for group, v in values.items() if group not in leaders), default=Fraction(0))
        whole = sum(values.values(), Fraction(0))
        sites = results.get(row.key, ())
        found.append(
            CountyLead(
                key=row.key,
                name=row.name,
                satellites=bool(sites) and all(one.precinct.is_satellite for one in sites),
                reporting=row.reporting,
                precincts=row.precincts,
                leaders=leaders,
                names=", ".join(rules.label(group) for group in leaders),
                share=most / whole if whole else Fraction(0),
                ahead=most - second if len(leaders) == 1 else Fraction(0),
                covered=covered,
                lines=() if covered else lines_of(rules, row),
            )
        )
    return found


class LeadersSection(Section):
    """Arrows on the map go from county to county; Enter shows its tally."""

    opened = Signal(str)
    """A county by its name."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._leads: dict[str, CountyLead] = {}
        unit = unit_word(context.rules)
        self.map = LeaderMap(self.tr("Who leads in each county"))
        self.told = wrapped()
        self.hint = label(self.tr("Arrows: from county to county · Enter: its tally"), "small")
        self.legend = LeaderLegend(self.tr("Who leads in how many counties"))
        self.chart_title = label(bold=True)
        self.chart = BarChart(self.tr("Shares in the chosen county"))
        self.model = TableModel[CountyLead](
            _columns(context.rules, unit), lambda lead: lead.key, lambda lead: lead.name, self
        )
        self.table = TableView(self.model, self.tr("Who leads in each county"))
        left = QVBoxLayout()
        left.setSpacing(STEP)
        left.addWidget(self.map, 1)
        left.addWidget(self.told)
        left.addWidget(self.hint)
        side = QWidget()
        side.setFixedWidth(68 * STEP)
        right = QVBoxLayout(side)
        right.setContentsMargins(0, 0, 0, 0)
        right.setSpacing(STEP)
        right.addWidget(self.legend)
        right.addWidget(self.chart_title)
        right.addWidget(self.chart)
        right.addWidget(self.table, 1)
        self.table.setMinimumHeight(24 * STEP)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(3 * STEP)
        row.addLayout(left, 1)
        row.addWidget(side)
        self.map.chosen.connect(self._on_map)
        self.map.opened.connect(self.opened)
        self.table.opened.connect(self.opened)
        self.table.selectionModel().currentRowChanged.connect(lambda: self._in_table())

    # ---- showing ----

    def show_figures(self, counting: Counting) -> None:
        overview, rules = self.context.overview, self.context.rules
        by_county: dict[str, list[PrecinctResult]] = {}
        for result in overview.results.values():
            if not result.precinct.merged:
                by_county.setdefault(result.precinct.county, []).append(result)
        seen = {
            county
            for county, results in by_county.items()
            if self.context.eyes.may_see_sum([one for one in results if counts(one, counting)])
        }
        leads = leads_of(rules, overview.tally(By.COUNTY, counting).rows, by_county, seen)
        self._leads = {lead.key: lead for lead in leads}
        looks = _looks(rules, leads)
        self.map.set_looks(looks)
        self.map.set_areas(
            [
                LedArea(
                    key=lead.key,
                    name=lead.name,
                    part=lead.reporting,
                    whole=lead.precincts,
                    satellites=lead.satellites,
                    told=self._text(lead),
                    leader=lead.leader,
                )
                for lead in leads
            ]
        )
        self.legend.set_lines(_legend(rules, looks, leads))
        self.model.set_rows(leads)
        self._tell()

    def _on_map(self, key: str) -> None:
        if self.table.current_key != key:
            self.table.select_key(key)
        self._tell()

    def _in_table(self) -> None:
        key = self.table.current_key
        if key and key != self.map.current:
            self.map.choose(key)

    def _tell(self) -> None:
        lead = self._leads.get(self.map.current)
        if lead is None:
            self.told.setText(self.tr("No county is chosen."))
            self.chart_title.setText("")
            self.chart.set_bars(())
            return
        self.told.setText(f"{lead.name}: {self._text(lead)}")
        unit = unit_word(self.context.rules)
        self.chart_title.setText(self.tr("{0}: share of {1}").format(lead.name, unit) if lead.lines else "")
        self.chart.set_bars(bars_of(lead.lines))

    def _text(self, lead: CountyLead) -> str:
        known = self.tr("{0} of {1} precincts in").format(number(lead.reporting), number(lead.precincts))
        if lead.covered:
            return known + self.tr(", and its figures are covered: they are one precinct's own")
        if not lead.leaders:
            return known + self.tr(", nothing counted")
        share = percent(lead.share, 1)
        if len(lead.leaders) > 1:
            return known + self.tr(", {0} are level with {1} each").format(lead.names, share)
        unit, digits = unit_word(self.context.rules), self.context.rules.rounding.digits
        return known + self.tr(", {0} leads with {1}, {2} {3} ahead").format(
            lead.names, share, decimal(lead.ahead, digits), unit
        )

    def take_focus(self) -> bool:
        self.map.setFocus()
        return True

    # ---- for paper and the clipboard ----

    def heading(self) -> str:
        return self.tr("Who leads in each county")

    def tables(self) -> Sequence[TableView]:
        return (self.table,)

    def sentences(self) -> Sequence[str]:
        return ["; ".join(self.legend.told)]


def _looks(rules: RuleSet, leads: Sequence[CountyLead]) -> dict[str, Look]:
    """Groups that lead somewhere; a group keeps its colour through the night, by its place on the ballot."""
    leading = {group for lead in leads for group in lead.leaders}
    letters = letters_of({group.key: group.label for group in rules.groups})
    return {
        key: Look(rules.label(key), letters[key], place)
        for place, key in enumerate(rules.keys)
        if key in leading
    }


def _legend(
    rules: RuleSet, looks: Mapping[str, Look], leads: Sequence[CountyLead]
) -> list[tuple[Look | None, str, str]]:
    alone = [lead.leader for lead in leads]
    lines: list[tuple[Look | None, str, str]] = [
        (look, look.letters, tr("{0} leads in {1}").format(look.label, number(alone.count(key))))
        for key, look in sorted(looks.items(), key=lambda entry: -alone.count(entry[0]))
        if alone.count(key)
    ]
    level = alone.count(LEVEL)
    if level:
        lines.append((None, LEVEL, tr("level in {0}").format(number(level))))
    covered = sum(lead.covered for lead in leads)
    empty = alone.count("") - covered
    if empty:
        lines.append((None, "", tr("nothing counted in {0}").format(number(empty))))
    if covered:
        lines.append((None, "", tr("covered: {0}").format(number(covered))))
    return lines


def _columns(rules: RuleSet, unit: str) -> tuple[ColumnSpec[CountyLead], ...]:
    digits = rules.rounding.digits

    def leader(lead: CountyLead) -> str:
        if lead.covered:
            return tr("covered")
        return lead.names or BLANK

    return (
        ColumnSpec(tr("County"), 120, lambda lead: lead.name, tip=lambda lead: lead.name, least=90),
        ColumnSpec(tr("Leader"), 96, leader, tip=leader, bold=True, least=78),
        ColumnSpec(
            tr("share"),
            54,
            lambda lead: percent(lead.share, 1) if lead.leaders else BLANK,
            lambda lead: lead.share,
            number=True,
        ),
        ColumnSpec(
            tr("{0}\nahead").format(unit),
            66,
            lambda lead: decimal(lead.ahead, digits) if lead.leaders else BLANK,
            lambda lead: lead.ahead,
            number=True,
        ),
        ColumnSpec(
            tr("in"),
            52,
            lambda lead: percent(lead.reporting, lead.precincts, 0),
            lambda lead: Fraction(lead.reporting, lead.precincts or 1),
            number=True,
        ),
    )
