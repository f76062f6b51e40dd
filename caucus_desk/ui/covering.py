"""Who is keying a precinct must not see what others keyed for it (design.md, who sits where)."""

from caucus_desk.desk import entry
from caucus_desk.ui.context import Context
from caucus_desk.ui.words import tr


def covered_because(context: Context, precinct_id: str) -> str:
    """Why this precinct's figures are covered for the person at the desk; "" when they may be seen."""
    keying = entry.drafts(context.desk, context.person) if context.person else ()
    if any(draft.precinct_id == precinct_id for draft in keying):
        return tr("You are keying this precinct. What others keyed can be seen after you have submitted it.")
    return ""
