"""What headquarters' side of packets shows of each file and of each key."""

from dataclasses import dataclass
from pathlib import Path

from caucus_desk.desk.kits import CountyKey
from caucus_desk.desk.taking import Refusal, Taken, TakenPacket
from caucus_desk.ui.packets.parts import precincts, reports
from caucus_desk.ui.widgets.table import ColumnSpec
from caucus_desk.ui.words import day_clock, number, tr


@dataclass(frozen=True, slots=True)
class FileRow:
    """One file of the last taking, and what came of it."""

    place: int
    file: str
    county: str
    said: str
    sign: tuple[str, str]
    code: str = ""


@dataclass(frozen=True, slots=True)
class KeyRow:
    key: CountyKey
    packets: tuple[TakenPacket, ...]

    @property
    def state(self) -> str:
        ended = self.key.ended_at
        if ended is None:
            return tr("holds")
        return tr("revoked {0} by {1}: {2}").format(day_clock(ended), self.key.ended_by, self.key.reason)


def file_columns() -> tuple[ColumnSpec[FileRow], ...]:
    return (
        ColumnSpec(tr("File"), 210, lambda row: row.file, lambda row: row.place),
        ColumnSpec(tr("County"), 110, lambda row: row.county),
        ColumnSpec(tr("Say to the county"), 120, lambda row: row.code),
        ColumnSpec(tr("What came of it"), 480, lambda row: row.said, icon=lambda row: row.sign,
                   tip=lambda row: row.said),
    )  # fmt: skip


def key_columns() -> tuple[ColumnSpec[KeyRow], ...]:
    return (
        ColumnSpec(tr("County"), 150, lambda row: row.key.county),
        ColumnSpec(tr("Key"), 150, lambda row: row.key.id),
        ColumnSpec(tr("Given"), 130, lambda row: day_clock(row.key.at), lambda row: row.key.at),
        ColumnSpec(
            tr("Packets"), 70, lambda row: number(len(row.packets)), lambda row: len(row.packets), number=True
        ),
        ColumnSpec(
            tr("Last taken"),
            130,
            lambda row: day_clock(row.packets[-1].at) if row.packets else "",
            lambda row: row.packets[-1].at.isoformat() if row.packets else "",
        ),
        ColumnSpec(
            tr("State"), 320, lambda row: row.state, colour=lambda row: "muted" if row.key.revoked else None
        ),
    )


def packets_at(path: Path) -> list[Path]:
    """The file itself, or every packet in a folder, oldest name first."""
    return sorted(path.glob("*.cdpacket")) if path.is_dir() else [path]


def file_row(place: int, path: Path, one: Taken | Refusal, receipt: str) -> FileRow:
    if isinstance(one, Refusal):
        return FileRow(place, path.name, "", one.sentence, ("bad", "bad"))
    if one.before is not None:
        said = tr("packet {0}, taken before, at {1}; nothing new").format(
            one.number, day_clock(one.before.at)
        )
        sign = ("note", "muted")
    else:
        said = tr("packet {0}: {1}, new {2}").format(
            one.number, reports(one.reports), number(one.new_reports)
        )
        sign = ("good", "good")
        if one.collisions:
            named = ", ".join(precinct.name for precinct in one.collisions[:3])
            more = "…" if len(one.collisions) > 3 else ""
            said += tr("; reports differ in {0}{1}, for Review: {2}{3}").format(
                precincts(len(one.collisions)), one.of_weight, named, more
            )
            sign = ("warn", "warn")
    return FileRow(place, path.name, one.county, f"{said}. {receipt}".rstrip(), sign, one.code)
