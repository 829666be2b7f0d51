"""Check my run: the part of the first page that answers for a training run, in float64, in the reader's browser.

The arithmetic and the interface are JavaScript without packages (``templates/run``). What this module adds is the
data on libraries, put into the page as JSON, and the script as one text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

import msgspec

from verify.report.pages.page import Page, asset, render
from verify.report.pages.run_cells import SIGMA, Q
from verify.results.families import Family

STYLES = ("run/run.css",)
SCRIPTS = (
    "normal", "moments", "sums", "transform", "contour", "tight", "rdp", "account", "input", "libraries",
    "drawing", "form",
)  # fmt: skip
"""In the order in which the page runs them; all but the last two run without a page."""


def script() -> str:
    """All scripts as the page runs them: one text, without comments and indentation."""
    return "\n".join(lean(asset(f"run/{name}.js")) for name in SCRIPTS)


def lean(source: str) -> str:
    """Without lines that are comments, and without indentation.

    >>> lean('/** what */\\n  // why\\n  const x = "// kept";\\n')
    'const x = "// kept";'
    """
    code = re.sub(r"^[ \t]*/\*\*.*?\*/[ \t]*$", "", source, flags=re.DOTALL | re.MULTILINE)
    lines = (line.strip() for line in code.splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//"))


def data(families: Iterable[Family]) -> Any:
    """What the script reads as ``sgmRun.libraries``: JSON that cannot end the element it stands in."""
    from markupsafe import Markup

    judged = [family for family in families if family.quantity == "rdp"]
    asked: dict[tuple[int, int], int] = {}
    for family in judged:
        for cell in family.asked:
            asked[cell.q, cell.sigma] = max(asked.get((cell.q, cell.sigma), 0), cell.points)
    found = {
        "families": [{"name": f.name, "cells": msgspec.to_builtins(f.near)} for f in judged],
        "asked": [(*place, n) for place, n in sorted(asked.items())],
        "q": Q,
        "sigma": SIGMA,
    }
    text = json.dumps(found, separators=(",", ":"), allow_nan=False)
    return Markup(text.replace("<", "\\u003c"))  # escaped here


def standalone(families: Iterable[Family]) -> str:
    """A page with nothing but this part, for trying it out."""
    context = {"run_data": data(families)}
    styles = ("report.css", *STYLES)
    return render(
        Page("run.html", "Check my run", "run/alone.html.j2", context, (script(),), styles)
    )
