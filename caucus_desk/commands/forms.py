"""`forms`: a county's worksheet form, to print or to fill."""

import argparse

from caucus_desk.commands.looking import taking_out
from caucus_desk.commands.output import Output, absolute, many
from caucus_desk.commands.person import person_for
from caucus_desk.commands.running import DONE


def run_forms(arguments: argparse.Namespace, out: Output) -> int:
    from caucus_desk.desk.forms import write_form

    with taking_out(arguments.store, out) as desk:
        by = person_for(desk, arguments.by)
        made = write_form(desk, arguments.county, arguments.out, by=by, progress=out.progress())
    out.document(
        {
            "form": absolute(made.path),
            "county": made.county,
            "precincts": made.precincts,
            "notes": list(made.notes),
            "replaced": made.replaced,
            "noted": made.noted,
        }
    )
    out.line(f"Wrote {made.path}: the form of {made.county}, {many(made.precincts, 'precinct')}.")
    if made.replaced:
        out.line(f"It replaced the earlier {made.path.name}.")
    for note in made.notes:
        out.complain(f"Note: {note}")
    return DONE
