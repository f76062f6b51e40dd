"""How the program was called, so that what it tells people to type works where they are."""

import os
import shlex
import shutil
import sys
from pathlib import Path


def as_called() -> str:
    """`caucus-desk` where that is found on the path, else what was really typed."""
    program = Path(sys.argv[0])
    if program.name in ("__main__.py", "-m"):
        return f"{_shown(Path(sys.executable))} -m caucus_desk"
    if program.suffix == ".py":
        return f"{_shown(Path(sys.executable))} {_shown(program)}"
    found = shutil.which("caucus-desk")
    if found is not None and program.exists() and os.path.samefile(found, program):
        return "caucus-desk"
    return _shown(program) if program.exists() else "caucus-desk"


def _shown(path: Path) -> str:
    """Relative to the current folder where it lies inside it."""
    path = path.absolute()
    here = Path.cwd()
    return shlex.quote(str(path.relative_to(here) if path.is_relative_to(here) else path))
