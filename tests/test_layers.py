"""Layers point down only: held here so that the plain test run holds it too, tools or no tools."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "caucus_desk"

MAY_IMPORT = {
    "rules": set(),
    "tally": {"rules"},
    "store": {"tally", "rules", "paths"},
    "exchange": {"tally", "rules", "paths"},
    "reports": {"tally", "rules", "paths"},
    "desk": {"store", "exchange", "reports", "tally", "rules", "paths"},
    "ui": {"desk", "tally", "rules", "paths"},
    "commands": {"desk", "exchange", "tally", "rules", "paths"},
}
ONLY_THERE = {
    "PySide6": {"ui", "commands"},
    "sqlalchemy": {"store"},
    "alembic": {"store"},
    "sqlite3": {"store"},
    "openpyxl": {"exchange", "reports"},
}


def imports(file: Path) -> list[tuple[int, str]]:
    found = []
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file.name}:{node.lineno}: imports are written out in full"
            module = node.module or ""
            found += [(node.lineno, module), *((node.lineno, f"{module}.{a.name}") for a in node.names)]
    return found


@pytest.mark.parametrize("layer", MAY_IMPORT)
def test_a_layer_imports_only_what_is_below_it(layer: str) -> None:
    files = sorted((PACKAGE / layer).rglob("*.py"))
    assert files, f"the layer {layer} is gone"
    wrong = []
    for file in files:
        for line, module in imports(file):
            parts = module.split(".")
            if parts[0] == "caucus_desk" and len(parts) > 1 and parts[1] != "__version__":
                window = layer == "commands" and file.name == "window.py" and parts[1] == "ui"
                if parts[1] != layer and parts[1] not in MAY_IMPORT[layer] and not window:
                    wrong.append(f"{file.relative_to(PACKAGE)}:{line}: {module}")
            homes = ONLY_THERE.get(parts[0])
            if homes is not None and layer not in homes:
                wrong.append(f"{file.relative_to(PACKAGE)}:{line}: {module}")
    assert not wrong, "\n".join(wrong)
