"""One page of the report: a template in the common shell, without network, opened from disk.

Everything that is put into a page is escaped by the template; the few pieces of markup (formulas, drawings,
our own style and scripts) come from functions of this package that escape what they are given. The content
security policy allows our scripts by their hashes and nothing else, so that even a mistake here would not let
foreign text run. Style and the font of formulas are inside each page: a browser may refuse to load files of
another folder from disk.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

from verify.report.pages.mathml import mathml
from verify.support.escaping import printable

FIRST = "report.html"
CLAIMS = "claims/index.html"
ACCOUNTANTS = "accountants.html"
MARKS = {
    "holds": "✓ ",
    "refuted": "✗ ",
    "holds-with-repair": "△ ",
    "holds-but-for-typography": "✓ ",
    "unknown": "? ",
}
TRUTH = {"true": "✓", "false": "✗", "undecided": "?"}
PLACES = (
    (FIRST, "Answers"), (f"{FIRST}#run", "Check my run"), (ACCOUNTANTS, "Accountants"),
    (f"{FIRST}#libraries", "One step"),
    (f"{FIRST}#errata", "Errata"), (CLAIMS, "Claims"), ("figures.html", "Figures"),
    ("method.html", "Method and trust"),
)  # fmt: skip
"""What every page leads to."""


@dataclass(frozen=True)
class Page:
    """A page by its place below the folder; ``scripts`` are texts, ``styles`` files beside the templates."""

    name: str
    title: str
    template: str
    context: Mapping[str, Any] = field(default_factory=dict)
    scripts: tuple[str, ...] = ()
    styles: tuple[str, ...] = ("report.css",)

    @property
    def root(self) -> str:
        """From this page to the folder of the report.

        >>> Page("claims/table-1.html", "", "").root
        '../'
        """
        return "../" * self.name.count("/")


def render(page: Page) -> str:
    """The page as text."""
    from markupsafe import Markup

    text: str = (
        _environment()
        .get_template(page.template)
        .render(
            **page.context,
            page=page,
            root=page.root,
            places=PLACES,
            css=Markup("\n".join(map(asset, page.styles))),  # ours
            font=_font(),
            scripts=[Markup(script) for script in page.scripts],  # ours
            policy=Markup(" ".join(map(_hash, page.scripts)) or "'none'"),  # ours
        )
    )
    return text


def asset(name: str) -> str:
    """A file beside the templates."""
    return (files("verify.report") / "templates" / name).read_text(encoding="utf-8")


@functools.cache
def _environment() -> Any:
    import jinja2
    from markupsafe import Markup

    made = jinja2.Environment(
        loader=jinja2.FunctionLoader(asset),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=lambda v: v if isinstance(v, Markup) else printable(str(v)),
        trim_blocks=True,
    )
    made.globals |= {
        "marks": MARKS,
        "truth": TRUTH,
        "math": lambda tex: Markup(mathml(tex)),  # escaped by its maker
        "pretty": pretty,
        "shortened": shortened,
        "significant": significant,
        "claim_link": claim_link,
        "section_page": section_page,
    }
    return made


@functools.cache
def _font() -> str:
    """The font of formulas, as it stands in a page."""
    font = (files("verify.report") / "fonts" / "stix-two-math.woff2").read_bytes()
    return base64.b64encode(font).decode()


def _hash(script: str) -> str:
    """A script's name in the content security policy."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


def claim_link(claim: str) -> str:
    """Where a claim is told in full, from the folder of the report.

    >>> claim_link("table-1/abadi/asymptotic")
    'claims/table-1.html#claim-table-1/abadi/asymptotic'
    """
    return f"{section_page(claim.partition('/')[0])}#claim-{claim}"


def section_page(section: str) -> str:
    """The page of a section of claims; a name for a file, whatever the section is called.

    >>> section_page("table-1"), section_page("../<b>")
    ('claims/table-1.html', 'claims/b.html')
    """
    return f"claims/{re.sub(r'[^a-z0-9]+', '-', section.lower()).strip('-') or 'others'}.html"


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


def significant(number: str, digits: int) -> str:
    """The first significant digits of a long decimal, and dots if there are more.

    >>> significant("0.000025899123123", 8), significant("3.2180637123e-07", 8), significant("0.25", 8)
    ('0.000025899123…', '3.2180637…e-07', '0.25')
    """
    mantissa, e, exponent = number.partition("e")
    whole, point, decimals = mantissa.partition(".")
    zeros = len(decimals) - len(decimals.lstrip("0")) if not whole.strip("-0") else 0
    places = zeros + digits - len(whole.strip("-0"))
    cut = mantissa if len(decimals) <= places else f"{whole}{point}{decimals[: max(places, 0)]}…"
    return cut + e + exponent
