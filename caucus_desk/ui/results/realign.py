"""Section 2: first and final alignment side by side, and where people can have gone in between."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.tally.flow import (
    LEFT,
    NOWHERE,
    UNALIGNED,
    Between,
    Flow,
    GroupFlow,
    RoomFlow,
    flow_of,
    room_flow,
)
from caucus_desk.tally.overview import Overview
from caucus_desk.tally.roster import Precinct
from caucus_desk.tally.sheet import ResultSheet
from caucus_desk.ui.context import Context
from caucus_desk.ui.results.missing import area_key, listed
from caucus_desk.ui.results.scope import AreaSection, Scope
from caucus_desk.ui.widgets.basics import STEP, label, wrapped
from caucus_desk.ui.widgets.pairbars import Pair, PairBars
from caucus_desk.ui.widgets.rangebars import RangeBar, RangeBars
from caucus_desk.ui.widgets.table import ColumnSpec, TableModel, TableView, room_for
from caucus_desk.ui.words import number, tr

_WAYS = 6
"""Most ways that are drawn for one group; the others are named together."""
TOPIC = "realignment"


@dataclass(frozen=True, slots=True)
class GroupLine:
    """One group, or the total (no key), in people and precincts."""

    key: str
    label: str
    first: int
    final: int
    gained: int
    lost: int
    below_in: int
    released: int
    fell_in: int
    rose_in: int

    @property
    def net(self) -> int:
        return self.final - self.first


class Rooms:
    """Remembers each precinct's realignment for as long as its sheet stands. For one thread."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[ResultSheet, RoomFlow | None]] = {}

    def room(self, rules: RuleSet, precinct: Precinct, sheet: ResultSheet) -> RoomFlow | None:
        known = self._known.get(precinct.id)
        if known is None or known[0] is not sheet:
            known = self._known[precinct.id] = (sheet, room_flow(rules, precinct, sheet))
        return known[1]


class RealignSection(AreaSection):
    """The row of a group chooses whose ways are drawn."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._rooms = Rooms()
        self._flow: Flow | None = None
        self._scope: Scope | None = None
        self.model = TableModel[GroupLine](columns(context.rules), lambda line: line.key, parent=self)
        self.table = TableView(self.model, self.tr("First and final alignment"))
        self.waiting = label(self.tr("Working it out…"), "muted")
        self.from_title, self.to_title = label(bold=True), label(bold=True)
        self.from_bars = RangeBars(self.tr("Where its people can have gone"))
        self.to_bars = RangeBars(self.tr("Where its new people can have come from"))
        self.from_more, self.to_more = wrapped(role="muted"), wrapped(role="muted")
        self.remark = wrapped(role="muted")
        self.pairs = PairBars(self.tr("First and final alignment"))
        self.hint = label(self.tr("↓ ↑ in the table: another group"), "small")
        self.side = QWidget()
        self._lay_out()
        self.table.selectionModel().currentRowChanged.connect(lambda: self._show_ways())

    def _lay_out(self) -> None:
        left = QVBoxLayout(self)
        left.setContentsMargins(0, 0, 0, 0)
        left.setSpacing(2 * STEP)
        left.addWidget(self.waiting)
        left.addWidget(self.table, 1000)
        left.addWidget(self.remark)
        left.addWidget(label(self.tr("People by group"), bold=True))
        left.addWidget(self.pairs)
        left.addWidget(label(self.tr("upper bar, hatched: first · lower: final"), "small"))
        left.addStretch(1)
        side = QVBoxLayout(self.side)
        side.setContentsMargins(0, 0, 0, 0)
        side.setSpacing(3)
        for head, bars, more in (
            (self.from_title, self.from_bars, self.from_more),
            (self.to_title, self.to_bars, self.to_more),
        ):
            side.addWidget(head)
            side.addWidget(bars)
            side.addWidget(more)
            side.addSpacing(2 * STEP)
        side.addWidget(self.hint)
        side.addStretch(1)

    # ---- showing ----

    def show_scope(self, scope: Scope) -> None:
        if self._scope is None or (scope.by, scope.key) != (self._scope.by, self._scope.key):
            self.clear()  # figures of another place must not stand under this name
        self._scope = scope
        self.waiting.setVisible(self._flow is None)
        rooms, by, key, counting = self._rooms, scope.by, scope.key, scope.counting

        def work(overview: Overview) -> Flow:
            inside = [r for r in overview.results.values() if area_key(r.precinct, by) == key]
            return flow_of(overview.rules, inside, counting, rooms.room)

        self.context.thinker.ask(TOPIC, work, self._show)

    def clear(self) -> None:
        self._flow = None
        self._scope = None
        self.model.set_rows(())
        self.pairs.set_pairs(())
        self.remark.setText("")
        self._show_ways()

    def _show(self, flow: Flow) -> None:
        if self._scope is None:
            return  # covered meanwhile
        self._flow = flow
        self.waiting.hide()
        rules = self.context.rules
        lines = lines_of(rules, flow.groups)
        self.model.set_rows(lines, [_total(lines)])
        self.table.setMinimumWidth(self.table.least_width)
        self.table.fit_rows(whole=True)
        self.pairs.set_pairs([Pair(line.label, line.first, line.final) for line in lines])
        self.remark.setText(" ".join(self._remarks(flow)))
        if not self.table.currentIndex().isValid():
            most = max(lines, key=lambda line: line.lost, default=None)
            self.table.select_key(most.key if most else "")
        self._show_ways()

    def _remarks(self, flow: Flow) -> list[str]:
        said = [
            self.tr(
                "A sheet does not say who walked where: the bars are the least (solid) and the most "
                "(hatched) that the counts allow."
            )
        ]
        if flow.locks_broken:
            names = listed([precinct.name for precinct in flow.locks_broken])
            said.append(
                self.tr(
                    "Precincts whose counts cannot be true if viable groups stay together, taken without "
                    "that: {0} ({1})."
                ).format(number(len(flow.locks_broken)), names)
            )
        if flow.left_out:
            names = listed([precinct.name for precinct in flow.left_out])
            said.append(
                self.tr("Left out, because a count is blank: {0} ({1}).").format(
                    number(len(flow.left_out)), names
                )
            )
        return said

    def _show_ways(self) -> None:
        key = self.table.current_key
        rules, flow = self.context.rules, self._flow
        for part in (self.from_title, self.to_title, self.from_bars, self.to_bars):
            part.setVisible(bool(key) and flow is not None)
        if not key or flow is None:
            self.from_more.hide()
            self.to_more.hide()
            return
        name = rules.label(key)
        self.from_title.setText(self.tr("From {0}, they can have gone to").format(name))
        self.to_title.setText(self.tr("To {0}, they can have come from").format(name))
        _fill(self.from_bars, self.from_more, rules, flow.away_from(key))
        _fill(self.to_bars, self.to_more, rules, flow.came_to(key))

    def set_row_height(self, height: int) -> None:
        self.table.set_row_height(height)
        self.table.fit_rows(whole=True)

    # ---- for paper and the clipboard ----

    def heading(self) -> str:
        return self.tr("First and final alignment")

    def tables(self) -> Sequence[TableView]:
        return (self.table,)

    def sentences(self) -> Sequence[str]:
        key = self.table.current_key
        if not key or self._flow is None:
            return ()
        rules, name = self.context.rules, self.context.rules.label(key)
        return [
            text
            for text in (
                _told(self.tr("From {0} to: {1}."), rules, name, self._flow.away_from(key)),
                _told(self.tr("To {0} from: {1}."), rules, name, self._flow.came_to(key)),
                self.remark.text(),
            )
            if text
        ]


def way_name(rules: RuleSet, end: str) -> str:
    """A group, or who is with none."""
    return {
        UNALIGNED: tr("with nobody"),
        LEFT: tr("left, or nobody"),
        NOWHERE: tr("not counted"),
    }.get(end) or rules.label(end)


def between_text(between: Between) -> str:
    if between.least == between.most:
        return number(between.most)
    return tr("{0} to {1}").format(number(between.least), number(between.most))


def _told(sentence: str, rules: RuleSet, name: str, ways: Mapping[str, Between]) -> str:
    parts = [f"{way_name(rules, end)} {between_text(between)}" for end, between in ways.items()]
    return sentence.format(name, ", ".join(parts)) if parts else ""


def _fill(bars: RangeBars, more: QLabel, rules: RuleSet, ways: Mapping[str, Between]) -> None:
    shown = list(ways.items())
    rest = shown[_WAYS:]
    bars.set_bars(
        [
            RangeBar(way_name(rules, end), Fraction(one.least), Fraction(one.most), between_text(one))
            for end, one in shown[:_WAYS]
        ]
    )
    names = ", ".join(f"{way_name(rules, end)} {between_text(one)}" for end, one in rest)
    text = tr("also {0}").format(names) if names else "" if shown else tr("Nobody.")
    more.setText(text)
    more.setVisible(bool(text))


def lines_of(rules: RuleSet, groups: Sequence[GroupFlow]) -> list[GroupLine]:
    return [
        GroupLine(
            one.group, rules.label(one.group), one.first, one.final, one.gained, one.lost, one.below_in,
            one.released, one.fell_in, one.rose_in,
        )
        for one in groups
    ]  # fmt: skip


def _total(lines: Sequence[GroupLine]) -> GroupLine:
    counts = ("first", "final", "gained", "lost", "below_in", "released", "fell_in", "rose_in")
    return GroupLine("", tr("Total"), *(sum(getattr(line, name) for line in lines) for name in counts))


def signed(value: int) -> str:
    return f"+{number(value)}" if value > 0 else f"−{number(-value)}" if value < 0 else "0"


def columns(rules: RuleSet) -> tuple[ColumnSpec[GroupLine], ...]:
    def count(title: str, name: str, *, bold: bool = False) -> ColumnSpec[GroupLine]:
        return ColumnSpec(
            title,
            room_for(title, "88,888"),
            lambda line: number(getattr(line, name)),
            lambda line: getattr(line, name),
            number=True,
            bold=bold,
        )

    return (
        ColumnSpec(tr("Group"), room_for("", *(g.label for g in rules.groups)), lambda line: line.label),
        count(tr("First"), "first"),
        count(tr("Final"), "final", bold=True),
        ColumnSpec(
            tr("Change"),
            room_for(tr("Change"), "−88,888"),
            lambda line: signed(line.net),
            lambda line: line.net,
            number=True,
            bold=True,
        ),
        count(tr("Gained"), "gained"),
        count(tr("Lost"), "lost"),
        count(tr("Not viable\nat first in"), "below_in"),
        count(tr("people\nthere"), "released"),
        count(tr("Fell\nbelow in"), "fell_in"),
        count(tr("Rose\nabove in"), "rose_in"),
    )
