"""Who may do what: the table, and that it is the desk which holds it, in every function that writes."""

import pytest

from caucus_desk.desk.roles import MAY, Job, Role, may, roles_listed, roles_that_may


def test_every_role_and_every_job_is_in_the_table() -> None:
    assert set(MAY) == set(Role)
    assert frozenset().union(*MAY.values()) == set(Job)


def test_every_job_is_said_in_words() -> None:
    words = [job.words for job in Job]
    assert all(words)
    assert len(set(words)) == len(words)


@pytest.mark.parametrize("role", Role)
def test_everybody_with_an_account_may_look_and_export(role: Role) -> None:
    assert may(role, Job.LOOK)
    assert may(role, Job.EXPORT)


def test_a_viewer_may_do_nothing_else() -> None:
    assert MAY[Role.VIEWER] == {Job.LOOK, Job.EXPORT}


def test_a_reviewer_does_what_a_clerk_does_and_a_lead_what_a_reviewer_does() -> None:
    assert MAY[Role.CLERK] < MAY[Role.REVIEWER] < MAY[Role.LEAD]


def test_whoever_gives_out_pins_touches_no_figure() -> None:
    for job in (Job.KEY, Job.TAKE_OVER, Job.TAKE_CALLS, Job.REVIEW, Job.APPROVE, Job.CORRECT):
        assert not may(Role.ADMINISTRATOR, job)
    assert roles_that_may(Job.MANAGE_PEOPLE) == (Role.ADMINISTRATOR,)


def test_who_may_is_said_in_a_sentence() -> None:
    assert roles_listed(Job.MANAGE_PEOPLE) == "an administrator"
    assert roles_listed(Job.REVIEW) == "a reviewer or a lead"
    assert roles_listed(Job.KEY) == "a clerk, a reviewer or a lead"
    assert roles_listed(Job.PACKETS) == "a lead or an administrator"
