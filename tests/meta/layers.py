"""Who imports whom, room by room: imports point downwards only, and this draws them.

A room is a package below ``verify`` or ``proofs_checks``, or a module that stands alone. ``LAYERS`` is the one
place that says which room is above which; ``python -m tests.meta.layers`` draws docs/layers.svg anew.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
DRAWING = ROOT / "docs" / "layers.svg"

LAYERS: tuple[tuple[str, ...], ...] = (
    ("support", "version"),
    ("numbers",),
    ("results",),
    ("moments",),
    ("accounting", "bounds"),
    ("frameworks",),
    ("verify",),
    ("parallel",),
    ("claims", "audit", "vectors"),
    ("judge",),
    ("sweeps",),
    ("bench",),
    ("report",),
    ("commands",),
    ("cli",),
    ("proofs_checks.tools", "proofs_checks.kernel", "proofs_checks.errata", "proofs_checks.places"),
    (
        "proofs_checks.paper",
        "proofs_checks.cheats_known",
        "proofs_checks.verdicts",
    ),
    (
        "proofs_checks.quantities",
        "proofs_checks.cheats",
        "proofs_checks.mutations",
        "proofs_checks.runs",
    ),
    ("proofs_checks.refuting",),
    ("proofs_checks.sections", "proofs_checks.figures"),
    ("proofs_checks.plugin",),
)
"""From the bottom to the top. A room imports only from rooms of lower rows."""

CLAIMS = "proofs_checks.sections"
"""Claims of the paper and beyond it are one room: either may rest on the other."""

Edge = tuple[str, str]


def modules(root: Path = ROOT) -> dict[str, Path]:
    """Every module of both packages by its dotted name."""
    found = {}
    for package in ("verify", "proofs_checks"):
        for path in sorted((root / package).rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def room(module: str) -> str:
    """The room a module stands in.

    >>> room("verify.moments.engines.whole"), room("verify"), room("proofs_checks.tools.prover")
    ('moments', 'verify', 'proofs_checks.tools')
    """
    parts = module.split(".")
    if parts[0] == "verify":
        return parts[1] if len(parts) > 1 else "verify"
    return CLAIMS if parts[1:2] in (["beyond"], ["closed_form"]) else ".".join(parts[:2])


def imports(path: Path, known: dict[str, Path], inside: bool = True) -> Iterator[str]:
    """The modules of the two packages that a file imports, also inside functions."""
    tree = ast.parse(path.read_bytes())
    for node in ast.walk(tree) if inside else tree.body:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                if whole in known or node.module in known:
                    yield whole if whole in known else node.module


def edges(root: Path = ROOT) -> dict[Edge, list[str]]:
    """(importing room, imported room) with the modules that do it."""
    known = modules(root)
    found: dict[Edge, list[str]] = {}
    for name, path in known.items():
        for other in imports(path, known):
            if room(name) != room(other):
                found.setdefault((room(name), room(other)), []).append(name)
    return found


def upwards(found: dict[Edge, list[str]]) -> list[str]:
    """Imports that do not point downwards, in words."""
    height = {name: row for row, rooms in enumerate(LAYERS) for name in rooms}
    return [
        f"{', '.join(sorted(set(by)))}: {above} must not import {below}"
        for (above, below), by in sorted(found.items())
        if height[above] <= height[below]
    ]


def bare(found: Iterable[Edge]) -> list[Edge]:
    """Edges without those that a longer way implies.

    >>> bare([("a", "b"), ("b", "c"), ("a", "c")])
    [('a', 'b'), ('b', 'c')]
    """
    below: dict[str, set[str]] = {}
    for above, room_below in found:
        below.setdefault(above, set()).add(room_below)

    def reached(start: str) -> set[str]:
        return {x for y in below.get(start, ()) for x in (y, *reached(y))}

    return sorted(
        (a, b) for a, bs in below.items() for b in bs if not any(b in reached(c) for c in bs)
    )


def circles(root: Path = ROOT) -> list[str]:
    """Modules in a circle of imports at the top of their files, and those that import them."""
    known = modules(root)
    below = {name: set(imports(path, known, inside=False)) - {name} for name, path in known.items()}
    while leaves := [name for name, others in below.items() if not others]:
        for leaf in leaves:
            del below[leaf]
        for others in below.values():
            others.difference_update(leaves)
    return sorted(below)


def drawing(found: dict[Edge, list[str]]) -> str:
    """The rooms in their layers and the imports between them, as SVG."""
    width, row, box, tall = 900, 62, 150, 28
    height = row * len(LAYERS) + 20
    at = {}
    for k, rooms in enumerate(LAYERS):
        for j, name in enumerate(rooms):
            at[name] = (width * (j + 1) / (len(rooms) + 1), height - row * (k + 0.6))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        'font-family="sans-serif" font-size="12">',
        "<title>Rooms by layer; a line is an import, and goes down; what others imply is left out</title>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
    ]
    for above, below in bare(found):
        (x1, y1), (x2, y2) = at[above], at[below]
        bend = (x1 + x2) / 2 + (width / 2 - (x1 + x2) / 2) * -0.35
        parts.append(
            f'<path d="M{x1:.0f} {y1 + tall / 2:.0f}Q{bend:.0f} {(y1 + y2) / 2:.0f} '
            f'{x2:.0f} {y2 - tall / 2:.0f}" fill="none" stroke="#4a6fa5" stroke-opacity="0.6"/>'
        )
    for name, (x, y) in at.items():
        short = name.removeprefix("proofs_checks.")
        fill = "#f3e9d8" if name != short else "#e4ecf7"
        parts.append(
            f'<rect x="{x - box / 2:.0f}" y="{y - tall / 2:.0f}" width="{box}" height="{tall}" '
            f'rx="5" fill="{fill}" stroke="#333"/><text x="{x:.0f}" y="{y + 4:.0f}" '
            f'text-anchor="middle">{short}</text>'
        )
    return "\n".join([*parts, "</svg>"]) + "\n"


if __name__ == "__main__":
    DRAWING.write_text(drawing(edges()), encoding="utf-8")
