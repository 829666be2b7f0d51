"""A room fits in the head: few files, each named where the room is described, no name for two things."""

from __future__ import annotations

import ast
import re

import pytest

from tests.meta.layers import ROOT, modules

MOST = 16
"""Modules in one room."""

ROOMS = sorted(
    path.parent
    for name, path in modules().items()
    if path.name == "__init__.py" and name.startswith("verify")
)
PACKAGES = [path.parent for path in modules().values() if path.name == "__init__.py"]
FREE = {"adapters", "computations", "figures", "commands", "engines", "results", "verify"}
"""Rooms whose files are listed elsewhere (``verify`` itself in docs/inside.md), or found by looking into the folder."""


def inhabitants(room):
    """The modules and sub-rooms of a room."""
    files = {p.stem for p in room.glob("*.py")} - {"__init__", "__main__"}
    return files | {p.parent.name for p in room.glob("*/__init__.py")}


def exported(room):
    """The names that a room's own file binds by importing or defining them, or offers in ``__all__``."""
    for node in ast.walk(ast.parse((room / "__init__.py").read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            whole = (node.module or "").replace(".", "/")
            inside = (ROOT / whole) == room
            yield from (a.asname or a.name for a in node.names if not inside)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name


def undescribed(room):
    """Modules that the room's docstring does not name."""
    tree = ast.parse((room / "__init__.py").read_text(encoding="utf-8"))
    words = set(re.findall(r"\w+", ast.get_docstring(tree) or ""))
    return sorted(inhabitants(room) - words)


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: str(room.relative_to(ROOT)))
def test_no_room_is_crowded(room):
    assert len(inhabitants(room)) <= MOST or room.name in FREE


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: str(room.relative_to(ROOT)))
def test_a_room_names_its_modules(room):
    assert undescribed(room) == [] or room.name in FREE


@pytest.mark.parametrize("room", PACKAGES, ids=lambda room: str(room.relative_to(ROOT)))
def test_no_module_has_the_name_of_something_its_room_exports(room):
    """Else ``import a.b.name`` would give the module or the function, depending on what ran before."""
    assert set(exported(room)) & inhabitants(room) == set()


def test_a_module_without_description_is_seen(tmp_path):
    (tmp_path / "__init__.py").write_text('"""A room.\n\n    known  a module\n"""\n')
    (tmp_path / "known.py").touch()
    (tmp_path / "unknown.py").touch()
    assert undescribed(tmp_path) == ["unknown"]


def test_a_module_and_a_function_of_one_name_are_seen(tmp_path):
    (tmp_path / "__init__.py").write_text("from elsewhere import known\n")
    (tmp_path / "known.py").touch()
    assert set(exported(tmp_path)) & inhabitants(tmp_path) == {"known"}
