"""Going over from a store in a file to a shared store, or back: the whole night comes along."""

from caucus_desk.desk.carrying import Carried, carry
from caucus_desk.desk.naming import clean_name
from caucus_desk.desk.people import SignIn, require, sign_in_kind
from caucus_desk.desk.roles import Job, roles_listed
from caucus_desk.desk.session import Desk
from caucus_desk.rules.errors import Refused
from caucus_desk.store.actions import Action
from caucus_desk.store.shared.address import is_address, shown_location
from caucus_desk.tally.progress import Progress, no_progress


def move(desk: Desk, to: str, *, by: str, progress: Progress | None = None) -> Carried:
    """Copies the desk's store with its whole trail into an empty place of the other kind, and compares it.

    The old store stays as it is and can still be used: what is saved there from now on is not in the new
    one. The new store's trail goes on with who moved it. Raises Refused, StoreError, or Cancelled.
    """
    by = clean_name(by)
    if not is_address(to) and not desk.store.is_shared:
        raise Refused(
            "`move` goes from a file to a shared store or from a shared store to a file. "
            "To copy a store to another file, use `backup`."
        )
    if sign_in_kind(desk) is SignIn.ACCOUNTS and not by:
        raise Refused(
            f"{desk.location} has accounts: only {roles_listed(Job.BACK_UP)} may move it. Say who does it, "
            "with --by NAME."
        )
    require(desk, by, Job.BACK_UP)
    sentence = f"{by} moved the store from {desk.location} to {shown_location(to)}"
    return carry(
        desk, to, progress or no_progress, last=lambda unit: unit.log(Action.MOVED, sentence, actor=by)
    )
