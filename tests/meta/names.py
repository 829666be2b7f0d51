"""Classes by name: what is called the same ought to be the same."""

from __future__ import annotations

import ast

from tests.meta.layers import modules


def classes() -> dict[str, list[str]]:
    """The public classes of both packages: the modules that define one, by its name."""
    found: dict[str, list[str]] = {}
    for module, path in modules().items():
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found.setdefault(node.name, []).append(module)
    return found


def twice() -> dict[str, list[str]]:
    """Those that are defined more than once."""
    return {name: where for name, where in classes().items() if len(where) > 1}
