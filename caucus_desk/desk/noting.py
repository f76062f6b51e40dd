"""Files that go out are noted in the trail, but for those of a store that can only be read."""

from caucus_desk.desk.again import again
from caucus_desk.desk.people import allow
from caucus_desk.desk.roles import Job
from caucus_desk.desk.session import Desk
from caucus_desk.store.actions import Action

UNNOTED = "Nothing could be noted in the trail: this store can only be read."


def can_note(desk: Desk) -> bool:
    """Whether what goes out can be written down here; where not, it is told with UNNOTED."""
    return not desk.read_only


@again
def note_export(desk: Desk, by: str, sentence: str) -> None:
    """Says in the trail what goes out, where that can be. Raises Refused where `by` may not take it out."""
    if not can_note(desk):
        with desk.store.read() as unit:
            allow(desk, unit, by, Job.EXPORT)
        return
    with desk.store.write() as unit:
        allow(desk, unit, by, Job.EXPORT)
        unit.log(Action.EXPORTED, sentence, actor=by)
