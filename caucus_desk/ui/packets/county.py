"""A county's side: a packet for headquarters, and the receipt that comes back."""

from PySide6.QtWidgets import QFileDialog, QVBoxLayout, QWidget

from caucus_desk.desk.kits import county_of
from caucus_desk.desk.packets import (
    PrecinctThere,
    ReceiptRead,
    WrittenPacket,
    export_packet,
    looks_like_code,
    receipt,
    said_code,
    sent_packets,
)
from caucus_desk.rules.errors import CaucusError
from caucus_desk.tally.progress import Progress
from caucus_desk.ui.context import Context
from caucus_desk.ui.packets.parts import FileLine, card, folder_of, precincts, reports
from caucus_desk.ui.widgets.basics import STEP, wrapped
from caucus_desk.ui.widgets.table import ColumnSpec, TableModel, TableView
from caucus_desk.ui.words import day_clock, number, tr


def _columns() -> tuple[ColumnSpec[PrecinctThere], ...]:
    return (
        ColumnSpec(tr("Precinct"), 220, lambda one: one.precinct.name),
        ColumnSpec(tr("Id"), 110, lambda one: one.precinct.id),
        ColumnSpec(
            tr("Reports of yours"), 120, lambda one: number(one.here), lambda one: one.here, number=True
        ),
        ColumnSpec(
            tr("Of yours there"), 110, lambda one: number(one.there), lambda one: one.there, number=True
        ),
        ColumnSpec(
            tr("What headquarters has"),
            380,
            lambda one: one.words,
            lambda one: (one.complete, one.here == 0, one.verified, one.words),
            icon=_sign,
        ),
    )


def _sign(one: PrecinctThere) -> tuple[str, str]:
    if one.lacking:
        return ("warn", "warn")
    if one.verified:
        return ("verified", "good")
    return ("good", "good") if one.here else ("awaiting", "muted")


class CountyPackets(QWidget):
    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        county = county_of(context.desk)
        self.packet = FileLine(
            self.tr("File for the packet"), self.tr("Write packet"), "export", role="primary"
        )
        self.written = wrapped()
        self.receipt = FileLine(self.tr("Receipt or code"), self.tr("Read"), "open")
        self.receipt.field.setPlaceholderText(
            self.tr("headquarters' file, or the code that it said, such as K7QX-94MT")
        )
        self.read = wrapped()
        self.model = TableModel[PrecinctThere](_columns(), lambda one: one.precinct.id, None, self)
        self.table = TableView(self.model, self.tr("What headquarters has"))
        first, inside = card(
            self.tr("Packet of {0} for headquarters").format(county),
            self.tr(
                "One file with all that was keyed here. It may go by e-mail or on a stick, again and again: "
                "headquarters takes each report once. Unfinished sheets stay here."
            ),
        )
        inside.addWidget(self.packet)
        inside.addWidget(self.written)
        second, inside = card(self.tr("Receipt from headquarters"))
        inside.addWidget(self.receipt)
        inside.addWidget(self.read)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2 * STEP)
        column.addWidget(first)
        column.addWidget(second)
        column.addWidget(self.table, 1)
        column.addStretch(0)
        self.table.hide()
        self.read.hide()
        self.packet.does(self._write)
        self.receipt.does(self._read)
        self.packet.browse.clicked.connect(self._browse_packet)
        self.receipt.browse.clicked.connect(self._browse_receipt)

    @property
    def by_tab(self) -> tuple[QWidget, ...]:
        """In the order in which Tab goes through them."""
        return (*self.packet.by_tab, *self.receipt.by_tab, self.table)

    def open(self) -> None:
        if not self.packet.text:
            self.packet.field.setText(str(folder_of(self._context.desk)))
        self._say_last()
        self.packet.field.setFocus()
        self.packet.field.selectAll()

    def _say_last(self) -> None:
        sent = sent_packets(self._context.desk)
        self.written.setText(
            self.tr("The last one is packet {0} of {1}. Once headquarters has taken it, it says {2}.").format(
                sent[-1].number, day_clock(sent[-1].at), sent[-1].code
            )
            if sent
            else self.tr("None was written yet. A folder is enough: the file gets a name of its own in it.")
        )

    def _browse_packet(self) -> None:
        chosen, _ = QFileDialog.getSaveFileName(
            self,
            self.tr("Where to write the packet"),
            self.packet.text,
            self.tr("Packet (*.cdpacket)"),
            options=QFileDialog.Option.DontConfirmOverwrite,  # it is never written over
        )
        if chosen:
            self.packet.field.setText(chosen)

    def _browse_receipt(self) -> None:
        chosen, _ = QFileDialog.getOpenFileName(
            self,
            self.tr("Receipt from headquarters"),
            self.receipt.text or str(folder_of(self._context.desk)),
            self.tr("Receipt (*.cdreceipt);;All files (*)"),
        )
        if chosen:
            self.receipt.field.setText(chosen)
            self._read()

    # ---- writing ----

    def _write(self) -> None:
        desk, by, out = self._context.desk, self._context.person, self.packet.path
        if not out.suffix and not out.is_dir():
            out = out.with_name(out.name + ".cdpacket")
        self.packet.busy(True)

        def work(progress: Progress) -> WrittenPacket:
            return export_packet(desk, out, by=by)

        self._context.jobs.run(
            self.tr("Writing the packet"), work, self._done, failed=self._failed, cancelled=self._free
        )

    def _done(self, packet: WrittenPacket) -> None:
        self._free()
        self._context.after_change()
        said = self.tr("Packet {0} is written, {1} of {2}: {3}").format(
            packet.number, reports(packet.reports), precincts(packet.precincts), packet.path
        )
        if packet.remarks:
            self._context.notices.warn(" ".join((said, *packet.remarks)))
        else:
            self._context.notices.done(said)
        self.packet.field.setText(str(packet.path.parent))
        self._say_last()

    def _failed(self, error: CaucusError) -> None:
        self._free()
        self._context.notices.refuse(error.sentence)
        self.packet.field.setFocus()

    def _free(self) -> None:
        self.packet.busy(False)

    # ---- the receipt ----

    def _read(self) -> None:
        desk, typed = self._context.desk, self.receipt.text
        try:
            if looks_like_code(typed, self.receipt.path):
                sent = said_code(desk, typed)
                self._show(self._said_by_code(sent.number, sent == sent_packets(desk)[-1]), "good")
                self.table.hide()
                return
            found = receipt(desk, self.receipt.path)
        except CaucusError as error:
            self._show(error.sentence, "bad")
            self.table.hide()
            return
        self.model.set_rows(sorted(found.precincts, key=lambda one: (one.complete, one.here == 0)))
        self.table.show()
        self._show(self._said(found), "warn" if found.lacking else "good")

    def _said_by_code(self, packet: int, newest: bool) -> str:
        said = self.tr("Headquarters has all of packet {0}.").format(packet)
        return said if newest else said + " " + self.tr("A newer packet was written here since.")

    def _said(self, found: ReceiptRead) -> str:
        said = self.tr("Headquarters took packet {0} at {1}; as of {2}, by {3}.").format(
            found.receipt.number,
            day_clock(found.receipt.taken_at),
            day_clock(found.receipt.made_at),
            found.receipt.by,
        )
        lacking = len(found.lacking)
        if lacking:
            said += " " + self.tr("Reports of {0} are not there yet: write a new packet.").format(
                precincts(lacking)
            )
        else:
            said += " " + self.tr("Everything that was keyed here is there.")
        if found.ours is None:
            said += " " + self.tr("That packet was written on another laptop of the county.")
        return said

    def _show(self, text: str, role: str) -> None:
        self.read.setText(text)
        self.read.setProperty("role", role)
        self.read.style().polish(self.read)
        self.read.show()
