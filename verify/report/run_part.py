"""Check my run: the part of the first page that answers for a training run, in float64, in the reader's browser.

The arithmetic and the interface are JavaScript without packages (``templates/run``). What this module adds is the data on
libraries, put into the page as JSON, and the markup. The page's content security policy must allow the script by
:func:`script_hash`.
"""

from __future__ import annotations

import base64
import bisect
import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from importlib.resources import files
from pathlib import Path

import msgspec

from verify.results import document
from verify.results.conformance import GOOD, Conformance, Direction, Grade, Region, Row

SCRIPTS = (
    "normal", "moments", "sums", "transform", "contour", "tight", "rdp", "account", "input", "libraries",
    "drawing", "form",
)  # fmt: skip
"""In the order in which the page runs them; all but the last two run without a page."""
Q = (0.0, 1e-6, 1e-5, 3e-5, 1e-4, 3e-4, 1e-3, 3e-3, 0.01, 0.03, 0.1, 0.3)
SIGMA = (0.0, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0, 30.0)
"""Where cells begin; each ends where the next begins, the last one has no end."""

Place = tuple[int, int]


class Cell(msgspec.Struct, frozen=True, array_like=True):
    """The failing points of training runs in a cell over (q, sigma).

    ``failed`` points are wrong or inexact, ``unsafe`` of them too small; ``bits`` of 53 are lost at worst (a relative
    error of 2^(bits-53)); the failing orders, silent ones too, lie between ``low`` and ``high``.
    """

    q: int
    sigma: int
    failed: int
    silent: int
    unsafe: int
    bits: float
    low: float
    high: float


class Family(msgspec.Struct, frozen=True):
    """A library and its cells; one without failures has none."""

    name: str
    version: str
    cells: tuple[Cell, ...]


class Libraries(msgspec.Struct, frozen=True):
    """What the script reads as ``sgmRun.libraries``; ``asked`` has [q, sigma, points] of each cell."""

    families: tuple[Family, ...]
    asked: tuple[tuple[int, int, int], ...]
    q: tuple[float, ...] = Q
    sigma: tuple[float, ...] = SIGMA


def read(folder: Path) -> Libraries:
    """From the recorded conformance files; one that is not whole is an error here, and a line of the report elsewhere."""
    paths = sorted(folder.glob("*.json"))
    return libraries(document.from_text(path.read_bytes(), Conformance) for path in paths)


def libraries(found: Iterable[Conformance]) -> Libraries:
    """Every family's failing points, gathered in cells; only files about one-step RDP count."""
    families: list[Family] = []
    asked: dict[Place, int] = {}
    for one in found:
        if one.quantity != "rdp":
            continue
        gathered: dict[Place, list[Row]] = {}
        for row in one.cases.rows:
            if row.region is Region.TRAINING:
                gathered.setdefault(_place(row), []).append(row)
        for place, rows in gathered.items():
            asked[place] = max(asked.get(place, 0), len(rows))
        families.append(Family(one.target, one.version, tuple(_cells(gathered))))
    return Libraries(tuple(families), tuple((*place, n) for place, n in sorted(asked.items())))


def _place(row: Row) -> Place:
    return bisect.bisect_right(Q, row.q) - 1, bisect.bisect_right(SIGMA, row.sigma) - 1


def _cells(gathered: dict[Place, list[Row]]) -> Iterator[Cell]:
    for place, rows in sorted(gathered.items()):
        bad = [row for row in rows if row.verdict not in GOOD]
        if not bad:
            continue
        silent = sum(row.verdict is Grade.NO_ANSWER for row in bad)
        orders = [float(row.alpha) for row in bad]
        yield Cell(
            *place,
            failed=len(bad) - silent,
            silent=silent,
            unsafe=sum(row.direction is Direction.UNSAFE for row in bad),
            bits=max((row.bits_lost for row in bad if row.bits_lost is not None), default=0.0),
            low=_short(min(orders)),
            high=_short(max(orders)),
        )


def _short(x: float) -> float:
    """An order to six digits: it is only shown.

    >>> _short(1.0000000000009095), _short(60.5)
    (1.0, 60.5)
    """
    return float(f"{x:.6g}")


def script() -> str:
    """All scripts as the page runs them: one text, without comments and indentation."""
    return "\n".join(lean(_template(f"{name}.js")) for name in SCRIPTS)


def script_hash() -> str:
    """The script's name in a content security policy."""
    digest = hashlib.sha256(script().encode()).digest()
    return "sha256-" + base64.b64encode(digest).decode()


def lean(source: str) -> str:
    """Without lines that are comments, and without indentation.

    >>> lean('/** what */\\n  // why\\n  const x = "// kept";\\n')
    'const x = "// kept";'
    """
    code = re.sub(r"^[ \t]*/\*\*.*?\*/[ \t]*$", "", source, flags=re.DOTALL | re.MULTILINE)
    lines = (line.strip() for line in code.splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//"))


def fragment(given: Libraries) -> str:
    """The part of the page: style, markup, data and script."""
    import jinja2
    from markupsafe import Markup

    template = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined).from_string(
        _template("run.html.j2")
    )
    return template.render(
        css=Markup(_template("run.css")),  # ours
        script=Markup(script()),  # ours
        data=Markup(_data(given)),  # escaped here
    )


def _data(given: Libraries) -> str:
    """JSON that cannot end the element it stands in."""
    text = json.dumps(msgspec.to_builtins(given), separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c")


def standalone(given: Libraries) -> str:
    """A page with nothing but this part, for tests and for trying it out."""
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src '{script_hash()}'; base-uri 'none'; form-action 'none'"
    css = (files("verify.report") / "templates" / "report.css").read_text(encoding="utf-8")
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Check my run</title>\n<style>{css}</style>\n</head>\n<body>\n<main>\n"
        f"<h1>Privacy of a training run</h1>\n{fragment(given)}\n</main>\n</body>\n</html>\n"
    )


def _template(name: str) -> str:
    return (files("verify.report") / "templates" / "run" / name).read_text(encoding="utf-8")
