"""`demo`: the sample caucus, and the main job done on it where no window can open."""

import argparse
import shlex
from contextlib import closing
from pathlib import Path

from caucus_desk import paths
from caucus_desk.commands.calling import as_called
from caucus_desk.commands.output import Output, absolute, many
from caucus_desk.commands.running import DONE
from caucus_desk.commands.showing import mismatch_rows, show_mismatches, show_national, show_row
from caucus_desk.commands.window import open_window, why_no_window

WORKBOOK_NAME = "-results.xlsx"


def run_demo(arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk.sample import make_sample

    folder = Path(arguments.dir) if arguments.dir else paths.data_dir() / "sample"
    store = make_sample(folder, out.progress())
    no_window = why_no_window()
    if not arguments.no_window and no_window is None and not out.as_json:
        out.line(f"Made the sample caucus {store}; opening it.")
        _tell_folder(store, out)
        return open_window(str(store))
    _main_job(store, out)
    if no_window and not arguments.no_window:
        out.line(f"{no_window}, so no window was opened. Where there is one:")
    else:
        out.line("To open the window on it:")
    out.line(f"  {as_called()} open {shlex.quote(str(store))}")
    return DONE


def _tell_folder(store: Path, out: Output) -> None:
    from caucus_desk.desk.sample import LATE_NAME, ROSTER_NAME

    out.line(f"In {store.parent} lie also {ROSTER_NAME} and {LATE_NAME}, to try `new` and `load` with.")


def _main_job(store: Path, out: Output) -> None:
    """Tally, mismatches and workbook of the sample, as the window would show and write them."""
    from caucus_desk.desk.session import open_desk
    from caucus_desk.desk.workbook import write_workbook

    workbook = store.with_name(store.stem + WORKBOOK_NAME)
    with closing(open_desk(str(store))) as desk:
        overview = desk.overview()
        out.line(f"Made the sample caucus {store}: {desk.caucus}.")
        out.line(overview.banner())
        show_row(out, overview, overview.tally().rows[0])
        show_national(out, overview, overview.national())
        out.line()
        show_mismatches(out, overview)
        findings = overview.findings()
        written = write_workbook(desk, workbook, progress=out.progress(), by="sample")
        coverage = overview.coverage()
        out.document(
            {
                "store": absolute(store),
                "workbook": absolute(written.path),
                "caucus": desk.caucus,
                "banner": written.banner,
                "precincts": {
                    "total": coverage.total,
                    "reporting": coverage.reporting,
                    "verified": coverage.verified,
                },
                "mismatches": mismatch_rows(overview),
                "findings": len(findings),
            }
        )
        out.line(
            f"{many(len(findings), 'finding')} on the standing reports: `{as_called()} findings "
            f"{shlex.quote(str(store))}` lists them."
        )
        out.line(f"Wrote the workbook {written.path}, read it back, and it adds up.")
        _tell_folder(store, out)
