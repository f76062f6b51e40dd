"""Headquarters' side: packets are taken in, kits are made, keys are revoked."""

from pathlib import Path

from PySide6.QtWidgets import QComboBox, QFileDialog, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from caucus_desk.desk.kits import MadeKit, county_keys, make_kit, revoke_key
from caucus_desk.desk.receipts import write_receipt
from caucus_desk.desk.taking import Taken, packets_taken, take_packets
from caucus_desk.rules.errors import CaucusError
from caucus_desk.tally.progress import Progress
from caucus_desk.ui.context import Context
from caucus_desk.ui.packets.parts import FileLine, card, folder_of, reports
from caucus_desk.ui.packets.rows import FileRow, KeyRow, file_columns, file_row, key_columns, packets_at
from caucus_desk.ui.widgets.basics import STEP, button, label, title, wrapped
from caucus_desk.ui.widgets.table import TableModel, TableView
from caucus_desk.ui.words import number, tr

_FEW_LINES = 5
"""So many files are shown at once of what was taken; more are scrolled."""
_LINE, _HEAD = 26, 34
"""Pixels."""


class HeadquartersPackets(QWidget):
    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._chosen: list[Path] = []
        self.take = FileLine(self.tr("Packets"), self.tr("Take packets"), "load", role="primary")
        self.take.field.setPlaceholderText(self.tr("a packet, or a folder with packets in it"))
        self.files = TableModel[FileRow](file_columns(), lambda row: str(row.place), None, self)
        self.file_table = TableView(self.files, self.tr("What came of each file"))
        self.whole = wrapped()
        self.county = QComboBox()
        self.county.setAccessibleName(self.tr("County of the kit"))
        self.kit = FileLine(self.tr("File or folder for the kit"), self.tr("Make kit"), "new")
        self.code = title("")
        self.code.setAccessibleName(self.tr("Code of the kit"))
        self.code_means = wrapped("", "muted")
        self.told = button(self.tr("I have noted it"))
        self._code_row = QWidget()
        self.keys = TableModel[KeyRow](key_columns(), lambda row: row.key.id, None, self)
        self.key_table = TableView(self.keys, self.tr("Keys of the counties"))
        self.reason = QLineEdit()
        self.reason.setAccessibleName(self.tr("Why the key is revoked"))
        self.reason.setPlaceholderText(self.tr("why, such as: the laptop was stolen"))
        self.revoke = button(self.tr("Revoke the chosen key"))
        self._lay_out()
        self.take.does(self._take)
        self.kit.does(self._make_kit)
        self.take.browse.clicked.connect(self._browse_packets)
        self.take.field.textEdited.connect(lambda _: self._chosen.clear())
        self.kit.browse.clicked.connect(self._browse_kit)
        self.told.clicked.connect(self._hide_code)
        self.revoke.clicked.connect(self._revoke)
        self.reason.returnPressed.connect(self._revoke)

    def _lay_out(self) -> None:
        first, inside = card(
            self.tr("Take packets"),
            self.tr(
                "In any order, and again: each report comes in once, beside what is here. A receipt is "
                "written beside each packet; send it back to the county."
            ),
        )
        inside.addWidget(self.take)
        inside.addWidget(self.file_table)
        inside.addWidget(self.whole)
        second, inside = card(self.tr("County kits"))
        self.kit.row.insertWidget(0, self.county)
        inside.addWidget(self.kit)
        code = QHBoxLayout(self._code_row)
        code.setContentsMargins(0, 0, 0, 0)
        code.setSpacing(2 * STEP)
        code.addWidget(self.code)
        code.addWidget(self.code_means, 1)
        code.addWidget(self.told)
        inside.addWidget(self._code_row)
        inside.addWidget(self.key_table, 1)
        row = QHBoxLayout()
        row.setSpacing(STEP)
        row.addWidget(label(self.tr("Key lost or stolen"), "muted"))
        row.addWidget(self.reason, 1)
        row.addWidget(self.revoke)
        inside.addLayout(row)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2 * STEP)
        column.addWidget(first)
        column.addWidget(second, 1)
        self.key_table.setMinimumHeight(_HEAD + 3 * _LINE)
        self.file_table.hide()
        self.whole.hide()
        self._code_row.hide()
        self.file_table.selectionModel().currentRowChanged.connect(lambda *_: self._show_whole())

    @property
    def by_tab(self) -> tuple[QWidget, ...]:
        """In the order in which Tab goes through them."""
        made = (self.told, self.key_table, self.reason, self.revoke)
        return (*self.take.by_tab, self.file_table, self.county, *self.kit.by_tab, *made)

    def open(self) -> None:
        desk = self._context.desk
        if not self.county.count():
            self.county.addItems(list(dict.fromkeys(one.county for one in desk.precincts.values())))
        if not self.kit.text:
            self.kit.field.setText(str(folder_of(desk)))
        self._show_keys()
        self.take.field.setFocus()

    def leave(self) -> None:
        """Nobody who comes to this desk later finds a code on the screen."""
        self._hide_code()

    def _show_keys(self) -> None:
        try:
            packets = packets_taken(self._context.desk)
            keys = county_keys(self._context.desk)
        except CaucusError as error:
            self._context.notices.refuse(error.sentence)
            return
        chosen = self.key_table.current_key
        self.keys.set_rows(
            [KeyRow(key, tuple(one for one in packets if one.key_id == key.id)) for key in keys]
        )
        self.key_table.select_key(chosen)

    # ---- taking ----

    def _browse_packets(self) -> None:
        chosen, _ = QFileDialog.getOpenFileNames(
            self,
            self.tr("Packets"),
            str(folder_of(self._context.desk)),
            self.tr("Packets (*.cdpacket);;All files (*)"),
        )
        if chosen:
            self._chosen = [Path(one) for one in chosen]
            names = self.tr("{0} files in {1}").format(number(len(chosen)), self._chosen[0].parent)
            self.take.field.setText(chosen[0] if len(chosen) == 1 else names)
            self._take()

    def _take(self) -> None:
        paths = list(self._chosen) or packets_at(self.take.path)
        if not paths:
            self._context.notices.refuse(
                self.tr("There is no packet in {0}. Packets end in .cdpacket.").format(self.take.text)
            )
            return
        desk, by = self._context.desk, self._context.person
        self.take.busy(True)

        def work(progress: Progress) -> tuple[list[FileRow], int]:
            rows: list[FileRow] = []
            told = take_packets(
                desk, paths, by=by, told=lambda done: progress(done, len(paths), tr("Taking the packets"))
            )
            for place, (path, one) in enumerate(zip(paths, told, strict=True)):
                receipt = ""
                if isinstance(one, Taken):
                    try:
                        write_receipt(desk, one.digest, path.parent, by=by)
                    except CaucusError as error:
                        receipt = tr("No receipt: {0}").format(error.sentence)
                rows.append(file_row(place, path, one, receipt))
            return rows, sum(one.new_reports for one in told if isinstance(one, Taken))

        self._context.jobs.run(
            self.tr("Taking the packets"), work, self._taken, failed=self._failed, cancelled=self._cancelled
        )

    def _taken(self, found: tuple[list[FileRow], int]) -> None:
        rows, new = found
        self._free()
        self._chosen.clear()
        self._context.after_change()
        self.files.set_rows(rows)
        self.file_table.setFixedHeight(_HEAD + _LINE * min(len(rows), _FEW_LINES))
        self.file_table.show()
        worst = next((row for row in rows if row.sign[1] == "bad"), rows[0])
        self.file_table.select_key(str(worst.place))
        self._show_whole()
        self._show_keys()
        refused = sum(row.sign[1] == "bad" for row in rows)
        taken = len(rows) - refused
        said = self.tr("New here: {0}, from {1}.").format(
            reports(new), self.tr("1 file") if taken == 1 else self.tr("{0} files").format(number(taken))
        )
        if refused:
            self._context.notices.warn(
                said + " " + self.tr("Refused: {0}; the list says why.").format(number(refused))
            )
        else:
            self._context.notices.done(said)
        self.take.field.setFocus()
        self.take.field.selectAll()

    def _show_whole(self) -> None:
        """The whole sentence of the chosen file, where the table cannot show it all."""
        row = self.files.row_at(self.file_table.currentIndex())
        bad = row is not None and row.sign[1] == "bad"
        self.whole.setText(row.said if row is not None and bad else "")
        self.whole.setVisible(bad)

    def _failed(self, error: CaucusError) -> None:
        self._free()
        self._context.notices.refuse(error.sentence)

    def _cancelled(self) -> None:
        self._free()
        self._context.after_change()
        self._context.notices.say(self.tr("Cancelled. What was taken before stays."))

    def _free(self) -> None:
        self.take.busy(False)
        self.kit.busy(False)

    # ---- kits ----

    def _browse_kit(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self, self.tr("Folder for the kit"), self.kit.text)
        if chosen:
            self.kit.field.setText(chosen)

    def _make_kit(self) -> None:
        desk, by = self._context.desk, self._context.person
        county, out = self.county.currentText(), self.kit.path
        if not out.suffix and not out.is_dir():
            out = out.with_name(out.name + ".cdkit")
        self._hide_code()
        self.kit.busy(True)

        def work(progress: Progress) -> MadeKit:
            return make_kit(desk, county, out, by=by)

        self._context.jobs.run(
            self.tr("Making the kit"), work, self._made, failed=self._failed, cancelled=self._free
        )

    def _made(self, kit: MadeKit) -> None:
        self._free()
        self._context.after_change()
        self.code.setText(kit.code)
        means = self.tr(
            "The code of the kit of {0}, shown only now. Send the file; say the code by telephone: whoever "
            "has both can sign for the county."
        ).format(kit.county)
        if kit.earlier:
            means += " " + (
                self.tr("One earlier key of the county still holds.")
                if len(kit.earlier) == 1
                else self.tr("{0} earlier keys of the county still hold.").format(number(len(kit.earlier)))
            )
        self.code_means.setText(means)
        self._code_row.show()
        self._show_keys()
        self._context.notices.say(self.tr("The kit is written: {0}").format(kit.path))
        self.told.setFocus()

    def _hide_code(self) -> None:
        had = self._code_row.isVisible() and self.told.hasFocus()
        self.code.clear()
        self._code_row.hide()
        if had:
            self.kit.field.setFocus()

    def _revoke(self) -> None:
        row = self.keys.row_at(self.key_table.currentIndex())
        if row is None:
            self._context.notices.say(self.tr("Choose a key in the list first."))
            self.key_table.setFocus()
            return
        try:
            key = revoke_key(
                self._context.desk, row.key.id, reason=self.reason.text(), by=self._context.person
            )
        except CaucusError as error:
            self._context.notices.refuse(error.sentence)
            self.reason.setFocus()
            return
        self._context.after_change()
        self.reason.clear()
        self._show_keys()
        self._context.notices.done(
            self.tr("No more packets are taken under the key {0} of {1}.").format(key.id, key.county)
        )
