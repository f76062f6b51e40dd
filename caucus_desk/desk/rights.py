"""Rights in a shared store's database: what an account can do there with any program at all."""

from caucus_desk.desk.again import again
from caucus_desk.desk.naming import clean_name
from caucus_desk.desk.people import allow, require
from caucus_desk.desk.roles import Job
from caucus_desk.desk.session import Desk
from caucus_desk.store.actions import Action
from caucus_desk.store.shared.granting import grant
from caucus_desk.store.shared.grants import Rights

__all__ = ["Rights", "give_rights", "statements_of"]


def statements_of(desk: Desk, rights: Rights) -> tuple[str, ...]:
    """What `give_rights` would do, to be read or given to whoever looks after the server."""
    return grant(desk.store, rights, do=False)


@again
def give_rights(desk: Desk, rights: Rights, *, by: str) -> tuple[str, ...]:
    """Makes the group roles that are not there yet, and gives each its rights; the statements, in order.

    Audited. Raises Refused, and StoreError where the database account at this desk may not do it.
    """
    by = clean_name(by)
    require(desk, by, Job.MANAGE_PEOPLE)
    done = grant(desk.store, rights, do=True)
    named = [f"clerks as {rights.clerks}", f"viewers as {rights.viewers}"]
    if rights.leads is not None:
        named.insert(1, f"leads as {rights.leads}")
    with desk.store.write() as unit:
        allow(desk, unit, by, Job.MANAGE_PEOPLE)
        unit.log(Action.RIGHTS, f"{by} gave rights in the database: {', '.join(named)}", actor=by)
    return done
