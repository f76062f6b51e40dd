"""Section 5: is the outcome settled? Bounds, who can pass whom, what to check next; a PROJECTION apart."""

from collections.abc import Sequence
from fractions import Fraction

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from caucus_desk.tally.outlook import Race, Swing
from caucus_desk.tally.projection import LABEL, Projection
from caucus_desk.tally.results import Counting
from caucus_desk.ui.context import Context
from caucus_desk.ui.results.ahead_rows import GuessLine, NextLine, guess_columns, next_columns, race_columns
from caucus_desk.ui.results.figures import unit_word
from caucus_desk.ui.results.foresight import Foresight, foresee
from caucus_desk.ui.results.missing import listed
from caucus_desk.ui.results.scope import Section
from caucus_desk.ui.widgets.basics import STEP, Choices, Places, label, wrapped
from caucus_desk.ui.widgets.rangebars import RangeBar, RangeBars
from caucus_desk.ui.widgets.table import ROW_HEIGHT, TableModel, TableView
from caucus_desk.ui.words import decimal, number, tr

TOPIC = "outlook"
NEXT, PAIRS, GUESS = "next", "pairs", "guess"
_ROW_MOST = 6 * STEP + 2


class AheadSection(Section):
    """Kept up with the figures while it is shown; worked out beside the window's thread."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        rules, unit = context.rules, unit_word(context.rules)
        self._seen: Foresight | None = None
        self.settled = wrapped()
        self.settled.setFont(label("", bold=True).font())
        self.waiting = label(self.tr("Working it out…"), "muted")
        self.bars = RangeBars(self.tr("Least and most {0} of each group").format(unit))
        self.assumed = wrapped(role="muted")
        self.choice = Choices(
            [
                (NEXT, self.tr("Check next")),
                (PAIRS, self.tr("Pairwise")),
                (GUESS, LABEL),
            ],
            self.tr("Beside the bounds"),
        )
        self.next_model = TableModel[NextLine](next_columns(rules, unit), lambda line: line.key, parent=self)
        self.next = TableView(self.next_model, self.tr("Precincts that matter most to check next"))
        self.next_remark = wrapped(role="muted")
        self.race_model = TableModel[Race](race_columns(rules, unit), lambda race: race.behind, parent=self)
        self.races = TableView(self.race_model, self.tr("Who can still pass the leader"))
        self.guess_model = TableModel[GuessLine](
            guess_columns(rules, unit), lambda line: line.key, parent=self
        )
        self.guess = TableView(self.guess_model, LABEL)
        self.guess_note = wrapped(role="warn")
        self.guess_people = wrapped(role="muted")
        self._tables = {NEXT: self.next, PAIRS: self.races, GUESS: self.guess}
        self._places = Places()
        self._lay_out(unit)
        self.choice.chosen.connect(self._chosen)
        self.next.opened.connect(self._open)

    def _lay_out(self, unit: str) -> None:
        left = QVBoxLayout()
        left.setSpacing(STEP)
        left.addWidget(label(self.tr("Least and most {0}").format(unit), bold=True))
        left.addWidget(self.bars)
        left.addWidget(label(self.tr("solid: certain · hatched: still possible · line: now"), "small"))
        left.addWidget(self.assumed)
        left.addStretch(1)
        for parts in (
            (self.next, self.next_remark),
            (self.races,),
            (self._apart(),),
        ):
            holder = QWidget()
            column = QVBoxLayout(holder)
            column.setContentsMargins(0, 0, 0, 0)
            column.setSpacing(STEP)
            for part in parts:
                column.addWidget(part)
            column.addStretch(1)
            self._places.addWidget(holder)
        right = QVBoxLayout()
        right.setSpacing(STEP)
        line = QHBoxLayout()
        line.addWidget(self.choice)
        line.addWidget(label(self.tr("T turns"), "small"))
        line.addStretch(1)
        right.addLayout(line)
        right.addWidget(self._places, 1)
        row = QHBoxLayout()
        row.setSpacing(4 * STEP)
        row.addLayout(left, 1)
        row.addLayout(right, 1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(2 * STEP)
        whole.addWidget(self.settled)
        whole.addWidget(self.waiting)
        whole.addLayout(row, 1)

    def _apart(self) -> QFrame:
        """A frame of its own: nothing in it is a result, nor a bound."""
        card = QFrame()
        card.setProperty("role", "card")
        column = QVBoxLayout(card)
        column.setContentsMargins(2 * STEP, 2 * STEP, 2 * STEP, 2 * STEP)
        column.setSpacing(STEP)
        for part in (self.guess_note, self.guess, self.guess_people):
            column.addWidget(part)
        return card

    def resizeEvent(self, event: QResizeEvent) -> None:
        """On a large screen the lines stand further apart."""
        super().resizeEvent(event)
        lines = len(self.context.rules.groups) + 2
        roomy = (self.height() - 30 * STEP) // max(lines, 10)
        height = min(max(roomy, ROW_HEIGHT), _ROW_MOST)
        self.bars.set_line_height(height - 4)
        for view in self._tables.values():
            view.set_row_height(height)
            view.fit_rows(whole=True)

    # ---- showing ----

    def show_figures(self, counting: Counting) -> None:
        self.waiting.setVisible(self._seen is None)
        self.context.thinker.ask(TOPIC, lambda overview: foresee(overview, counting), self._show)

    def clear(self) -> None:
        self._seen = None

    @property
    def ready(self) -> bool:
        """What is shown is of the figures as they stand."""
        return self._seen is not None and not self.context.thinker.asked(TOPIC)

    def _show(self, seen: Foresight) -> None:
        self._seen = seen
        self.waiting.hide()
        rules, digits = self.context.rules, self.context.rules.rounding.digits
        self.settled.setText(seen.settled)
        order = {group: place for place, group in enumerate(seen.outlook.order)}
        ranges = sorted(seen.ranges, key=lambda one: order[one.group])
        self.bars.set_bars(
            [
                RangeBar(
                    rules.label(one.group),
                    one.least,
                    one.most,
                    tr("{0} to {1}").format(decimal(one.least, digits), decimal(one.most, digits)),
                    one.now,
                )
                for one in ranges
            ]
        )
        self.assumed.setText(self._assumed(seen))
        results = self.context.overview.results
        self.next_model.set_rows(
            [self._next_line(swing, place) for place, swing in enumerate(seen.check_next)]
            if all(swing.open.precinct.id in results for swing in seen.check_next)
            else ()
        )
        self.next_remark.setText(self._next_text(seen))
        self.next.setVisible(bool(seen.check_next))
        self.race_model.set_rows(seen.races)
        self.races.setVisible(bool(seen.races))
        self._show_guess(seen.projection)
        for view in self._tables.values():
            view.fit_rows(whole=True)
        shown = self._tables[self.choice.key]
        if shown.isVisible() and not shown.currentIndex().isValid() and shown.model().rowCount():
            shown.selectRow(0)  # the next key finds a row

    def _assumed(self, seen: Foresight) -> str:
        said = list(seen.outlook.assumptions)
        if seen.outlook.unknown:
            names = listed([precinct.name for precinct in seen.outlook.unknown])
            said.append(
                self.tr("Left out, because the roster does not say what they can give: {0} ({1}).").format(
                    number(len(seen.outlook.unknown)), names
                )
            )
        return " ".join(said)

    def _next_line(self, swing: Swing, place: int) -> NextLine:
        precinct = swing.open.precinct
        seen = self.context.eyes.may_see(self.context.overview.results[precinct.id])
        return NextLine(
            precinct.id,
            precinct.name,
            precinct.county,
            swing.open.why,
            swing.open.delegates,
            swing.against if seen else None,
            place,
        )

    def _next_text(self, seen: Foresight) -> str:
        if not seen.outlook.open:
            return self.tr("No precinct is open.")
        if not seen.check_next:
            return self.tr("Nothing is counted yet: every precinct matters.")
        ahead, behind = seen.check_next[0].ahead, seen.check_next[0].behind
        rules = self.context.rules
        return self.tr(
            "Of {0} open precincts, by what each alone can take from the lead of {1} over {2}. Enter: opens "
            "it in Review where reports differ, else under Precincts."
        ).format(number(len(seen.outlook.open)), rules.label(ahead), rules.label(behind))

    def _show_guess(self, found: Projection | None) -> None:
        rules = self.context.rules
        self.guess.setVisible(found is not None)
        self.guess_people.setVisible(found is not None)
        if found is None or self._seen is None:
            self.guess_model.set_rows(())
            self.guess_note.setText(self.tr("Nothing is open: there is nothing to project."))
            return
        whole = sum(found.sdes.values(), Fraction(0))
        lines = [
            GuessLine(
                key, rules.label(key), self._seen.outlook.now[key], found.sdes.get(key, Fraction(0)), whole
            )
            for key in rules.keys
        ]
        self.guess_model.set_rows(sorted(lines, key=lambda line: -line.then))
        self.guess_note.setText(found.note)
        said = self.tr("People then: about {0}.").format(number(round(found.people)))
        if found.without_turnout:
            said += " " + self.tr("Without those of {0} precincts of which no turnout is known.").format(
                number(len(found.without_turnout))
            )
        if found.without_shares:
            said += " " + self.tr(
                "{0} precincts are left out: nothing is counted that could stand in."
            ).format(number(len(found.without_shares)))
        self.guess_people.setText(said)

    # ---- what the person does ----

    def _open(self, precinct_id: str) -> None:
        """Where it can be settled: its case, or its place in the roster."""
        result = self.context.overview.results.get(precinct_id)
        differs = result is not None and bool(result.mismatches)
        self.context.show_page("review" if differs else "precincts", precinct_id)

    def turn(self) -> None:
        self.choice.turn()
        self.take_focus()

    def _chosen(self, key: str) -> None:
        self._places.setCurrentIndex(list(self._tables).index(key))

    def take_focus(self) -> bool:
        view = self._tables[self.choice.key]
        if not view.isVisible():
            self.choice.take_focus()
            return True
        return super().take_focus()

    # ---- for paper and the clipboard ----

    def heading(self) -> str:
        return self.tr("Outlook")

    def tables(self) -> Sequence[TableView]:
        return (self._tables[self.choice.key],)

    def sentences(self) -> Sequence[str]:
        if self._seen is None:
            return ()
        if self.choice.key == GUESS:
            return [self.guess_note.text(), self.guess_people.text()]
        bounds = "; ".join(f"{bar.label} {bar.figure}" for bar in self.bars.bars)
        return [
            self.settled.text(),
            self.tr("Least and most: {0}.").format(bounds),
            self.assumed.text(),
            self.next_remark.text() if self.choice.key == NEXT else "",
        ]
