"""What each role may do, as a table of the help page: from the one table that the desk itself reads."""

from caucus_desk.desk.roles import Job, Role, may


def roles_table() -> str:
    """Markdown: a row for each job, a column for each role."""
    rows = [
        ["may", *(role.value for role in Role)],
        ["---"] * (len(Role) + 1),
        *([job.words, *("yes" if may(role, job) else "–" for role in Role)] for job in Job),
    ]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)
