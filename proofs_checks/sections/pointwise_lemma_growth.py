"""A >= B: the pointwise lemma in one variable, and why that expression increases (lines 285-295)."""

from __future__ import annotations

from collections.abc import Iterator

import sympy

from proofs_checks.paper import a1
from proofs_checks.sections.pointwise_lemma import Y, alpha, growth, growth_increases, s, t
from proofs_checks.tools.algebra import identity, positive
from proofs_checks.tools.monotone import rises_from_zero
from verify.claims import Evidence, claim

w = sympy.Symbol("w", positive=True)


@claim(
    "a-geq-b/lemma-6/collected",
    lines="285-288",
    kind="assertion",
    domain=r"y > 1 > z > 0,\ \alpha > 1",
    statement=r"y^\alpha + \tfrac{y-1}{1-z} z^\alpha \ge y^{1-\alpha} + \tfrac{y-1}{1-z} z^{1-\alpha}"
    r" \iff \frac{y^\alpha - y^{1-\alpha}}{y-1} \ge \frac{z^{1-\alpha} - z^\alpha}{1-z}",
    broken={"sign of the second side": {"sign": -1}},
)
def collected(sign: int = 1) -> Iterator[Evidence]:
    """Dividing by y - 1 > 0 separates the two variables: the differences agree up to that factor."""
    y, z = 1 + t, 1 / (1 + w)  # y > 1 > z
    factor = (y - 1) / (1 - z)
    before = y**alpha + factor * z**alpha - y ** (1 - alpha) - factor * z ** (1 - alpha)
    after = (y**alpha - y ** (1 - alpha)) / (y - 1) - sign * (z ** (1 - alpha) - z**alpha) / (1 - z)
    yield identity(before, (y - 1) * after)
    yield positive(y - 1, "the factor is positive")


@claim(
    "a-geq-b/lemma-6/equal-at-reciprocal",
    lines="290",
    kind="identity",
    domain=r"0 < z < 1,\ \alpha > 1",
    statement=r"\frac{y^\alpha - y^{1-\alpha}}{y-1} = \frac{z^{1-\alpha} - z^\alpha}{1-z}"
    r"\ \text{at}\ y = 1/z",
    kernel="growth_inverse",
    broken={"at y = 1/z^2": {"power": 2}},
)
def equal_at_reciprocal(power: int = 1) -> Iterator[Evidence]:
    """Where y is the reciprocal of z the two expressions coincide."""
    z = sympy.exp(-s)
    y = z ** (-power)
    left = (y**alpha - y ** (1 - alpha)) / (y - 1)
    right = (z ** (1 - alpha) - z**alpha) / (1 - z)
    yield identity(left, right)


@claim(
    "a-geq-b/lemma-6/increasing",
    lines="290",
    kind="assertion",
    domain=r"y \ge 1,\ \alpha > 1",
    statement=r"y \mapsto \frac{y^\alpha - y^{1-\alpha}}{y-1} \text{ increases on } [1, \infty)",
    kernel="growth_increasing",
    broken={"order below one": {"order": sympy.Rational(3, 4)}},
)
def increasing(order: sympy.Expr = alpha) -> Iterator[Evidence]:
    """The y-side grows with y, strictly for alpha > 1; at y = 1 it is read as its limit 2 alpha - 1."""
    y = sympy.exp(s)
    quotient_of_powers = (y**order - y ** (1 - order)) / (y - 1)
    difference = quotient_of_powers - growth(order, s).rewrite(sympy.exp)
    yield identity(difference, sympy.Integer(0), "the y-side is G(ln y)")
    yield growth_increases(order)
    yield identity(sympy.limit(growth(order, s), s, 0), 2 * order - 1, "limit at y = 1")


@claim(
    "a-geq-b/lemma-6/derivative",
    lines="291-292",
    kind="identity",
    domain=r"y > 1,\ \alpha > 1",
    statement=r"\Bigl(\tfrac{y^\alpha-y^{1-\alpha}}{y-1}\Bigr)' ="
    r"\frac{(\alpha y^{\alpha-1}-(1-\alpha)y^{-\alpha})(y-1)-y^\alpha+y^{1-\alpha}}{(y-1)^2}",
    broken={"sign of the second power": {"sign": -1}},
)
def derivative(sign: int = 1) -> Iterator[Evidence]:
    """The derivative of the y-side by the quotient rule."""
    slope = alpha * Y ** (alpha - 1) - sign * (1 - alpha) * Y ** (-alpha)
    printed = (slope * (Y - 1) - Y**alpha + Y ** (1 - alpha)) / (Y - 1) ** 2
    yield identity(sympy.diff((Y**alpha - Y ** (1 - alpha)) / (Y - 1), Y), printed)


@claim(
    "a-geq-b/lemma-6/numerator",
    lines="293",
    kind="identity",
    domain=r"y > 0,\ \alpha > 1",
    statement=r"(\alpha y^{\alpha-1}-(1-\alpha)y^{-\alpha})(y-1)-y^\alpha+y^{1-\alpha} ="
    r"(\alpha-1)(y^\alpha-y^{-\alpha})-\alpha(y^{\alpha-1}-y^{1-\alpha})",
    broken={"factors exchanged": {"first": alpha, "second": alpha - 1}},
)
def numerator(first: sympy.Expr = alpha - 1, second: sympy.Expr = alpha) -> Iterator[Evidence]:
    """The numerator of that derivative, sorted by powers."""
    slope = alpha * Y ** (alpha - 1) - (1 - alpha) * Y ** (-alpha)
    before = slope * (Y - 1) - Y**alpha + Y ** (1 - alpha)
    powers = Y ** (alpha - 1) - Y ** (1 - alpha)
    yield identity(before, first * (Y**alpha - Y ** (-alpha)) - second * powers)


@claim(
    "a-geq-b/lemma-6/powers",
    lines="295",
    kind="inequality",
    domain=r"y \ge 1,\ \alpha > 1",
    statement=r"(y^\alpha - y^{-\alpha})/\alpha \ge (y^{\alpha-1} - y^{1-\alpha})/(\alpha-1)",
    broken={"y below one": {"direction": -1}},
)
def powers(direction: int = 1) -> Iterator[Evidence]:
    """Both sides vanish at y = 1; in s = ln y the slope of the difference is cosh minus cosh, 2 sinh sinh."""
    x = direction * s
    cleared = a1 * 2 * sympy.sinh(alpha * x) - alpha * 2 * sympy.sinh(a1 * x)
    y = sympy.exp(x)
    printed = (y**alpha - y ** (-alpha)) / alpha - (y**a1 - y ** (-a1)) / a1
    yield identity(printed, (cleared / (alpha * a1)).rewrite(sympy.exp), "in s = ln y")
    angle = sympy.sinh((alpha + a1) * s / 2) * sympy.sinh(s / 2)  # cosh x - cosh y = 2 sinh sinh
    slope = direction * 4 * alpha * a1 * angle
    yield rises_from_zero(cleared, s, slope, "cleared of denominators")


@claim(
    "a-geq-b/lemma-6/sinh",
    lines="295",
    kind="inequality",
    domain=r"y \ge 1,\ \alpha > 0",
    statement=r"\alpha \mapsto \sinh(\alpha \ln y)/\alpha \text{ is nondecreasing}",
    kernel="sinh_over_a_increasing",
    broken={"y below one": {"direction": -1}},
)
def sinh_over_order(direction: int = 1) -> Iterator[Evidence]:
    """The derivative in alpha is (x cosh x - sinh x)/alpha^2 at x = alpha ln y, and x cosh x >= sinh x."""
    order = sympy.Symbol("alpha", positive=True)
    x = order * s
    slope = direction * (x * sympy.cosh(x) - sympy.sinh(x)) / order**2
    yield identity(sympy.diff(sympy.sinh(direction * x) / order, order), slope, "derivative")
    gap = direction * (s * sympy.cosh(s) - sympy.sinh(s))
    yield rises_from_zero(gap, s, direction * s * sympy.sinh(s), "x cosh x - sinh x > 0")
