"""Who may do what: the one table that pages, commands, the help page and the desk itself read."""

from collections.abc import Mapping
from enum import StrEnum


class Role(StrEnum):
    """What a person is at the desk. One role a person."""

    CLERK = "clerk"
    REVIEWER = "reviewer"
    LEAD = "lead"
    VIEWER = "viewer"
    ADMINISTRATOR = "administrator"

    @property
    def words(self) -> str:
        """With its article: `a clerk`."""
        return f"an {self}" if self is Role.ADMINISTRATOR else f"a {self}"


class Job(StrEnum):
    """One thing that only some may do."""

    LOOK = "look"
    TAKE_CALLS = "take calls"
    KEY = "key"
    TAKE_OVER = "take over"
    CORRECT = "correct"
    CHASE = "chase"
    ATTACH = "attach"
    REVIEW = "review"
    APPROVE = "approve"
    LOAD = "load"
    EXPORT = "export"
    SEE_PEOPLE_FIGURES = "see people's figures"
    MANAGE_PEOPLE = "manage people"
    SETTINGS = "settings"
    BACK_UP = "back up"
    RELEASE = "release"
    RECANVASS = "recanvass"
    PACKETS = "packets"

    @property
    def words(self) -> str:
        """What it is to do it, after "may": `key a sheet`."""
        return _WORDS[self]


_WORDS: Mapping[Job, str] = {
    Job.LOOK: "look at figures",
    Job.TAKE_CALLS: "take calls",
    Job.KEY: "key a sheet",
    Job.TAKE_OVER: "take over another person's draft",
    Job.CORRECT: "correct a verified precinct",
    Job.CHASE: "chase missing worksheets",
    Job.ATTACH: "attach a picture of a worksheet",
    Job.REVIEW: "rule on a mismatch, acknowledge a finding or send a sheet back",
    Job.APPROVE: "approve another person's ruling",
    Job.LOAD: "load a results file",
    Job.EXPORT: "write a workbook or a list",
    Job.SEE_PEOPLE_FIGURES: "see the figures of each person",
    Job.MANAGE_PEOPLE: "manage accounts",
    Job.SETTINGS: "change the settings of the caucus",
    Job.BACK_UP: "back up the store or rebuild its cached states",
    Job.RELEASE: "make or approve a release",
    Job.RECANVASS: "open or end a recanvass or a recount",
    Job.PACKETS: "make county kits or take in county packets",
}

_CLERK = frozenset(
    {
        Job.LOOK, Job.TAKE_CALLS, Job.KEY, Job.TAKE_OVER, Job.CORRECT, Job.CHASE, Job.ATTACH, Job.EXPORT,
    }
)  # fmt: skip
_REVIEWER = _CLERK | {Job.REVIEW}
_LEAD = _REVIEWER | {
    Job.APPROVE, Job.LOAD, Job.SEE_PEOPLE_FIGURES, Job.SETTINGS, Job.BACK_UP, Job.RELEASE, Job.RECANVASS,
    Job.PACKETS,
}  # fmt: skip
_VIEWER = frozenset({Job.LOOK, Job.EXPORT})
_ADMINISTRATOR = _VIEWER | {
    Job.LOAD,
    Job.SEE_PEOPLE_FIGURES,
    Job.MANAGE_PEOPLE,
    Job.SETTINGS,
    Job.BACK_UP,
    Job.PACKETS,
}

MAY: Mapping[Role, frozenset[Job]] = {
    Role.CLERK: _CLERK,
    Role.REVIEWER: _REVIEWER,
    Role.LEAD: _LEAD,
    Role.VIEWER: _VIEWER,
    Role.ADMINISTRATOR: _ADMINISTRATOR,
}
"""The table. An administrator keeps the accounts and keys no figures: whoever can give anybody a new PIN
must not be one of two people who confirm each other."""


def may(role: Role, job: Job) -> bool:
    return job in MAY[role]


def roles_that_may(job: Job) -> tuple[Role, ...]:
    """In the order of the table."""
    return tuple(role for role in Role if may(role, job))


def roles_listed(job: Job) -> str:
    """`a reviewer or a lead`, after "only"."""
    who = [role.words for role in roles_that_may(job)]
    return who[0] if len(who) == 1 else f"{', '.join(who[:-1])} or {who[-1]}"
