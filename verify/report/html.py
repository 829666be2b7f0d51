"""report.html: one file without network, made from results.json alone.

Everything that is put into the page is escaped by the template; the few pieces of markup (formulas,
drawings, our own style and script) come from functions of this package that escape what they are given.
The content security policy allows our one script by its hash and nothing else, so that even a mistake
here would not let foreign text run.
"""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from verify.report import captions, error_map, figures, model
from verify.report.junit import clean
from verify.report.mathml import mathml

BEYOND = "beyond the paper"
MARKS = {"holds": "✓ ", "refuted": "✗ ", "holds-with-repair": "△ ", "unknown": "? "}
SECTIONS = (
    ("errata", "Errata"), ("claims", "Claims"), ("table-1", "Table 1"), ("beyond", "Beyond the paper"),
    ("figures", "Figures"), ("libraries", "Libraries"), ("method", "Method and trust"),
    ("not-covered", "Not covered"), ("changes", "Changes"), ("provenance", "Provenance"),
)  # fmt: skip
TRUTH = {"true": "✓", "false": "✗", "undecided": "?"}


def html(results: Mapping[str, Any], drawings: Mapping[str, str] | None = None) -> str:
    """The page; ``drawings`` are those of :func:`verify.report.figures.draw_all`, if at hand."""
    import jinja2
    from markupsafe import Markup

    templates = files("verify.report") / "templates"
    css, script = (
        (templates / f"report.{kind}").read_text(encoding="utf-8") for kind in ("css", "js")
    )
    environment = jinja2.Environment(
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=lambda v: v if isinstance(v, Markup) else clean(str(v)),
        trim_blocks=True,
    )
    template = environment.from_string((templates / "report.html.j2").read_text(encoding="utf-8"))
    claims = results["claims"]
    found = figures.draw_all(results) if drawings is None else drawings
    drawn = {name: Markup(svg) for name, svg in found.items()}  # escaped by its maker
    libraries = results["libraries"]
    return template.render(
        r=results,
        css=Markup(css),  # ours
        script=Markup(script),  # ours
        script_hash=Markup(_hash(script)),  # ours
        math=lambda tex: Markup(mathml(tex)),  # escaped by its maker
        marks=MARKS,
        pretty=pretty,
        shortened=shortened,
        in_short=model.counterexample,
        truth=TRUTH,
        sections=SECTIONS,
        filters=_filters(claims),
        refuted=model.by_severity(claims, "refuted"),
        repaired=model.by_severity(claims, "holds-with-repair"),
        groups=model.by_section([c for c in claims if c["place"] != BEYOND]),
        beyond=[c for c in claims if c["place"] == BEYOND],
        drawings=drawn,
        map_names=figures.library_names(libraries),
        verdicts=list(dict.fromkeys(v for x in libraries for v in x["verdicts"])),
        share=lambda x, v: f"{100 * x['verdicts'].get(v, 0) / max(1, x['points']):.3f}",
        map_caption=captions.MAP,
        map_columns=error_map.TABLE,
        map_rows=error_map.table,
        method=captions.METHOD,
    )


def pretty(formula: str) -> str:
    """A formula of the bounds in plain characters, easier on the eye.

    >>> pretty("2 q^2 alpha/sigma^2 <= sqrt(5)")
    '2 q² α/σ² ≤ √(5)'
    """
    for plain, nice in (
        ("alpha", "α"),
        ("sigma", "σ"),
        ("<=", "≤"),
        (">=", "≥"),
        ("sqrt", "√"),
        ("^2", "²"),
        ("^3", "³"),
    ):
        formula = formula.replace(plain, nice)
    return formula


def shortened(number: str, width: int = 20) -> str:
    """A long decimal cut for the eye, never its exponent.

    >>> shortened("1.875000000000890833166817e-15"), shortened("0.25")
    ('1.8750000000008908331…e-15', '0.25')
    """
    mantissa, e, exponent = number.partition("e")
    cut = mantissa if len(mantissa) <= width + 2 else f"{mantissa[: width + 1]}…"
    return cut + e + exponent


def _hash(script: str) -> str:
    """The script's name in the content security policy."""
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _filters(claims: list[dict[str, Any]]) -> list[tuple[str, str, dict[str, int]]]:
    """Name, label, and every value that occurs with its count."""
    kinds = (
        ("verdict", "Verdict", "verdict", model.VERDICTS),
        ("level", "Evidence", "strongest", (*model.LEVELS, "none")),
        ("severity", "Severity", "severity", model.SEVERITIES),
    )
    made = []
    for name, label, key, order in kinds:
        found = Counter(claim[key] for claim in claims)
        made.append((name, label, {value: found[value] for value in order if found[value]}))
    return made
