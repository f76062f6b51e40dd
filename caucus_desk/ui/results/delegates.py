"""Section 6: national delegates, pool by pool: thresholds, remainders, and the seat that is next to move."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout

from caucus_desk.rules.ruleset import RuleSet
from caucus_desk.tally.results import By, Counting, PrecinctResult
from caucus_desk.tally.seats import Edge, PoolOutlook
from caucus_desk.tally.seatwords import edge_sentence, move_sentence
from caucus_desk.ui.context import Context
from caucus_desk.ui.covering import cover_of_sum
from caucus_desk.ui.results.figures import unit_word
from caucus_desk.ui.results.foresight import SeatSight, foresee_seats
from caucus_desk.ui.results.missing import area_key
from caucus_desk.ui.results.scope import Section
from caucus_desk.ui.widgets.basics import STEP, label, wrapped
from caucus_desk.ui.widgets.table import ColumnSpec, TableModel, TableView, room_for
from caucus_desk.ui.words import BLANK, decimal, number, percent, tr

TOPIC = "seats"


@dataclass(frozen=True, slots=True)
class PoolLine:
    """One pool: its seats, and the least change of one group that moves one."""

    key: str
    label: str
    seats: int
    given: str
    amount: Fraction | None
    tied: bool


@dataclass(frozen=True, slots=True)
class GroupLine:
    """One group in the chosen pool."""

    key: str
    label: str
    value: Fraction
    total: Fraction
    qualified: bool
    entitled: Fraction | None
    seats: int
    above: Fraction


class DelegatesSection(Section):
    """The row of a pool chooses whose arithmetic is shown."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        rules, unit = context.rules, unit_word(context.rules)
        self._seen: SeatSight | None = None
        self._pools: dict[str, PoolOutlook] = {}
        self.head = wrapped()
        self.head.setFont(label("", bold=True).font())
        self.waiting = label(self.tr("Working it out…"), "muted")
        self.pool_model = TableModel[PoolLine](_pool_columns(rules, unit), lambda line: line.key, parent=self)
        self.pools = TableView(self.pool_model, self.tr("National delegates by pool"))
        self.moves = wrapped()
        self.name = label(bold=True)
        self.group_model = TableModel[GroupLine](
            _group_columns(rules, unit), lambda line: line.key, parent=self
        )
        self.groups = TableView(self.group_model, self.tr("Arithmetic of the pool"))
        self.rule = wrapped(role="muted")
        self.edges = wrapped()
        left = QVBoxLayout()
        left.setSpacing(STEP)
        left.addWidget(self.pools)
        left.addWidget(self.moves)
        left.addStretch(1)
        right = QVBoxLayout()
        right.setSpacing(STEP)
        right.addWidget(self.name)
        right.addWidget(self.groups)
        right.addWidget(self.rule)
        right.addWidget(self.edges)
        right.addStretch(1)
        row = QHBoxLayout()
        row.setSpacing(4 * STEP)
        row.addLayout(left, 1)
        row.addLayout(right, 1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(2 * STEP)
        whole.addWidget(self.head)
        whole.addWidget(self.waiting)
        whole.addLayout(row, 1)
        self.pools.selectionModel().currentRowChanged.connect(lambda: self._show_pool())

    # ---- showing ----

    def show_figures(self, counting: Counting) -> None:
        if covered := self._covered(counting):
            self.context.thinker.ask(TOPIC, lambda overview: None, lambda nothing: None)
            self.clear()
            self.head.setText(covered)
            self.waiting.hide()
            return
        self.waiting.setVisible(self._seen is None)
        self.context.thinker.ask(TOPIC, lambda overview: foresee_seats(overview, counting), self._show)

    def _covered(self, counting: Counting) -> str:
        """A district's seats follow from its sum; that may be one precinct whose figures are covered."""
        counted: dict[str, list[PrecinctResult]] = {}
        for result in self.context.overview.results.values():
            if result.reporting and (result.verified or counting is not Counting.VERIFIED):
                counted.setdefault(area_key(result.precinct, By.DISTRICT), []).append(result)
        everything = [result for results in counted.values() for result in results]
        for results in (everything, *counted.values()):
            cover = cover_of_sum(self.context, results)
            if cover is not None:
                return f"{cover.text}. {cover.advice}"
        return ""

    def clear(self) -> None:
        self._seen = None
        self._pools = {}
        self.pool_model.set_rows(())
        self.head.setText("")
        self._show_pool()

    @property
    def ready(self) -> bool:
        return self._seen is not None and not self.context.thinker.asked(TOPIC)

    def _show(self, seen: SeatSight) -> None:
        self._seen = seen
        self.waiting.hide()
        rules = self.context.rules
        self._pools = {pool.allocation.pool.id: pool for pool in seen.pools}
        self.pool_model.set_rows([_pool_line(rules, pool) for pool in seen.pools])
        self.pools.setVisible(bool(seen.pools))
        self.pools.fit_rows(whole=True)
        self.head.setText(
            self.tr("The seat next to move: {0}").format(move_sentence(rules, seen.next))
            if seen.next
            else self.tr("Nothing to divide yet.")
        )
        if self.pools.current_key not in self._pools and self._pools:
            first = seen.next.pool.id if seen.next else next(iter(self._pools))
            self.pools.select_key(first)
        self._show_pool()

    def _show_pool(self) -> None:
        rules, pool = self.context.rules, self._pools.get(self.pools.current_key)
        for part in (self.name, self.groups, self.rule, self.edges, self.moves):
            part.setVisible(pool is not None)
        if pool is None:
            self.group_model.set_rows(())
            return
        allocation = pool.allocation
        title = self.tr("{0}: {1} seats").format(allocation.pool.label, number(allocation.pool.seats))
        self.name.setText(title)
        edges = {edge.group: edge for edge in pool.edges}
        self.group_model.set_rows(
            [
                GroupLine(
                    key,
                    rules.name_of(key),
                    allocation.sdes[key],
                    allocation.total,
                    key in allocation.qualified,
                    allocation.shares.get(key),
                    allocation.seats.get(key, 0),
                    edge.above,
                )
                for key, edge in edges.items()
            ]
        )
        self.groups.fit_rows(whole=True)
        self.rule.setText(self._rule(pool))
        self.edges.setText("\n".join(edge_sentence(rules, edge) for edge in _closest(pool)))
        moves = (pool.gain, pool.loss, pool.shift)
        self.moves.setText("\n".join(f"• {move_sentence(rules, move)}" for move in moves if move is not None))

    def _rule(self, pool: PoolOutlook) -> str:
        allocation, rules = pool.allocation, self.context.rules
        digits, unit = rules.rounding.digits, unit_word(rules)
        if allocation.empty:
            return self.tr("Nothing is counted in this pool yet.")
        needed = pool.edges[0].needed
        how = (
            self.tr("nobody reaches the threshold, so half of the leader's {0} is enough").format(unit)
            if allocation.lowered
            else self.tr("{0} of {1}").format(
                percent(rules.pool_threshold, 1), decimal(allocation.total, digits)
            )
        )
        said = self.tr("Needed to share the seats: {0} {1} ({2}).").format(decimal(needed, digits), unit, how)
        rest = allocation.pool.seats - sum(share.__floor__() for share in allocation.shares.values())
        said += " " + self.tr("{0} seats go to the largest remainders.").format(number(rest))
        if allocation.tie is not None:
            names = ", ".join(rules.name_of(key) for key in allocation.tie.groups)
            said += " " + self.tr("{0} to be settled between {1}, whose remainders are equal.").format(
                number(allocation.tie.k), names
            )
        return said

    # ---- for paper and the clipboard ----

    def heading(self) -> str:
        return self.tr("National delegates, if this stood")

    def tables(self) -> Sequence[TableView]:
        return (self.pools, self.groups)

    def sentences(self) -> Sequence[str]:
        return [
            text
            for text in (
                self.head.text(),
                self.name.text(),
                self.rule.text(),
                self.edges.text(),
                self.moves.text(),
            )
            if text
        ]


def _closest(pool: PoolOutlook, most: int = 3) -> list[Edge]:
    """The groups nearest to the threshold, on either side."""
    return sorted(pool.edges, key=lambda edge: abs(edge.above))[:most]


def _pool_line(rules: RuleSet, pool: PoolOutlook) -> PoolLine:
    allocation = pool.allocation
    seats = sorted(allocation.seats.items(), key=lambda entry: -entry[1])
    given = ", ".join(f"{rules.name_of(key)} {count}" for key, count in seats if count)
    move = pool.next
    return PoolLine(
        key=allocation.pool.id,
        label=allocation.pool.label,
        seats=allocation.pool.seats,
        given=given or BLANK,
        amount=move.amount if move else None,
        tied=allocation.tie is not None,
    )


def _pool_columns(rules: RuleSet, unit: str) -> tuple[ColumnSpec[PoolLine], ...]:
    digits = rules.rounding.digits
    return (
        ColumnSpec(tr("Pool"), 96, lambda line: line.label, tip=lambda line: line.label, bold=True, least=96),
        ColumnSpec(
            tr("Seats"),
            room_for(tr("Seats"), "88"),
            lambda line: number(line.seats),
            lambda line: line.seats,
            number=True,
        ),
        ColumnSpec(
            tr("Given to"),
            250,
            lambda line: line.given,
            tip=lambda line: line.given,
            icon=lambda line: ("warn", "warn") if line.tied else None,
            least=180,
        ),
        ColumnSpec(
            tr("{0} that\nmove a seat").format(unit),
            room_for(tr("move a seat"), "88.8888"),
            lambda line: BLANK if line.amount is None else decimal(line.amount, digits),
            lambda line: -1 if line.amount is None else line.amount,
            number=True,
        ),
    )


def _group_columns(rules: RuleSet, unit: str) -> tuple[ColumnSpec[GroupLine], ...]:
    digits = rules.rounding.digits

    def exact(value: Fraction | None) -> str:
        return BLANK if value is None else decimal(value, 4)

    def remainder(line: GroupLine) -> Fraction | None:
        return None if line.entitled is None else line.entitled - line.entitled.__floor__()

    def figure(
        title: str,
        sample: str,
        text: Callable[[GroupLine], str],
        sort: Callable[[GroupLine], Any],
        *,
        bold: bool = False,
    ) -> ColumnSpec[GroupLine]:
        return ColumnSpec(title, room_for(title, sample), text, sort, number=True, bold=bold)

    return (
        ColumnSpec(
            tr("Group"),
            room_for("", *(g.label for g in rules.groups)),
            lambda line: line.label,
        ),
        figure(unit, "8,888.8888", lambda line: decimal(line.value, digits), lambda line: line.value),
        figure(tr("share"), "88.8%", lambda line: percent(line.value, line.total), lambda line: line.value),
        figure(
            tr("above or\nbelow"),
            "−888.8888",
            lambda line: ("+" if line.above > 0 else "") + decimal(line.above, digits),
            lambda line: line.above,
        ),
        figure(
            tr("seats,\nexact"), "8.8888", lambda line: exact(line.entitled), lambda line: line.entitled or 0
        ),
        figure(
            tr("re-\nmainder"),
            "0.8888",
            lambda line: exact(remainder(line)),
            lambda line: remainder(line) or 0,
        ),
        figure(tr("seats"), "88", lambda line: number(line.seats), lambda line: line.seats, bold=True),
    )
