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
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from importlib.resources import files

from verify.escaping import printable
from verify.report import captions, drawings, error_map, model
from verify.report.mathml import mathml
from verify.results.claims import ClaimResult
from verify.results.document import digest
from verify.results.evidence import Level, Severity, Verdict
from verify.results.report import Library, Results

BEYOND = "beyond the paper"
MARKS = {"holds": "✓ ", "refuted": "✗ ", "holds-with-repair": "△ ", "unknown": "? "}
SECTIONS = (
    ("errata", "Errata"), ("claims", "Claims"), ("table-1", "Table 1"), ("beyond", "Beyond the paper"),
    ("figures", "Figures"), ("libraries", "Libraries"), ("method", "Method and trust"),
    ("not-covered", "Not covered"), ("changes", "Changes"), ("provenance", "Provenance"),
)  # fmt: skip
TRUTH = {"true": "✓", "false": "✗", "undecided": "?"}


def html(results: Results, drawn: Mapping[str, str] | None = None) -> str:
    """The page; ``drawn`` are the drawings of :func:`verify.report.drawings.draw_all`, if at hand."""
    import jinja2
    from markupsafe import Markup

    templates = files("verify.report") / "templates"
    css, script = (
        (templates / f"report.{kind}").read_text(encoding="utf-8") for kind in ("css", "js")
    )
    environment = jinja2.Environment(
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=lambda v: v if isinstance(v, Markup) else printable(str(v)),
        trim_blocks=True,
    )
    template = environment.from_string((templates / "report.html.j2").read_text(encoding="utf-8"))
    claims, libraries = results.claims, results.libraries
    untold = [c for c in claims if not c.erratum]
    found = drawings.draw_all(results) if drawn is None else drawn
    return template.render(
        r=results,
        digest=digest(results),
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
        errors=model.errata(claims),
        refuted=model.by_severity(untold, Verdict.REFUTED),
        repaired=model.by_severity(untold, Verdict.REPAIRED),
        groups=model.by_section(c for c in claims if c.place != BEYOND),
        beyond=[c for c in claims if c.place == BEYOND],
        drawings={name: Markup(svg) for name, svg in found.items()},  # escaped by its maker
        map_names=drawings.library_names(libraries),
        verdicts=list(dict.fromkeys(v for x in libraries for v in x.verdicts)),
        share=_share,
        map_caption=captions.MAP,
        map_columns=error_map.TABLE,
        map_rows=drawings.map_rows,
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


def _share(library: Library, verdict: str) -> str:
    return f"{100 * library.verdicts.get(verdict, 0) / max(1, library.points):.3f}"


def _filters(claims: Sequence[ClaimResult]) -> list[tuple[str, str, dict[str, int]]]:
    """Name, label, and every value that occurs with its count."""
    kinds: tuple[tuple[str, str, Iterable[StrEnum], Callable[[ClaimResult], str]], ...] = (
        ("verdict", "Verdict", Verdict, lambda c: c.verdict),
        ("level", "Evidence", Level, lambda c: c.strongest or "none"),
        ("severity", "Severity", Severity, lambda c: c.severity),
    )
    made = []
    for name, label, order, value in kinds:
        found = Counter(map(value, claims))
        values = dict.fromkeys([*map(str, order), "none"])
        made.append((name, label, {v: found[v] for v in values if found[v]}))
    return made
