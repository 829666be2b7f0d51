"""Closed-form bound: the symmetric lemma and the quadratic bound of a power (lines 321-347)."""

from __future__ import annotations

from collections.abc import Iterator

import sympy

from proofs_checks.paper import ALPHA, R0, a1, q
from proofs_checks.tools.algebra import identity, positive
from proofs_checks.tools.draws import ordered_at_points
from proofs_checks.tools.signs import gap, slack
from verify.claims import Evidence, Fraction, Profile, claim, rests_on

ONE = sympy.Integer(1)
DOMAIN = r"\alpha > 1,\ 0 < q \le 1,\ 1/r_0 \le r \le r_0"
(m,) = slack("m")
b, x, y, r = gap("b x y r")
w = sympy.Symbol("w", real=True)
unit = 1 / (1 + m)  # (0, 1], all of it
RANGES = {a1: (Fraction(1, 1000), 10**4), m: (Fraction(1, 1000), 1000)}


def quadratic(v: sympy.Expr, coefficient: sympy.Expr = ONE) -> sympy.Expr:
    """1 + alpha v + alpha (alpha-1) v^2, the bound of (1+v)^alpha."""
    return 1 + ALPHA * v + coefficient * ALPHA * a1 * v**2


@claim(
    "closed-form/lemma-8/power-bound",
    lines="329-332",
    kind="inequality",
    domain=r"\alpha \ge 1,\ -1 < w \le 1/(\alpha-1)",
    statement=r"(1+w)^\alpha \le 1 + \alpha w + \alpha(\alpha-1) w^2",
    kernel="bun_lemma_15",
    broken={
        "coefficient 1/2": {"coefficient": ONE / 2},
        "w up to 2/(alpha-1)": {"extent": 2},
        "reversed": {"coefficient": -ONE},
    },
)
def power_bound(
    coefficient: sympy.Expr = ONE, extent: int = 1, profile: Profile = Profile.QUICK
) -> Iterator[Evidence]:
    """A power lies below its second-order parabola with twice the curvature.

    h(w) = (1 + alpha w + alpha(alpha-1) w^2)(1+w)^{-alpha} has h(0) = 1 and
    h'(w) = alpha(alpha-1) w (1 + (2-alpha)w) (1+w)^{-alpha-1}. Up to w = 1/(alpha-1) the bracket is
    positive, so h' has the sign of w and h >= 1. At alpha = 1 both sides are 1 + w.
    """
    count = 150 if profile is Profile.QUICK else 5000
    for label, value in (("w > 0", extent * unit / a1), ("w < 0", -unit)):
        bound = quadratic(value, coefficient)
        yield ordered_at_points((1 + value) ** ALPHA, bound, RANGES, label, count=count)
    h = quadratic(w, coefficient) * (1 + w) ** (-ALPHA)
    slope = ALPHA * a1 * w * (1 + (1 - a1) * w) * (1 + w) ** (-ALPHA - 1)
    identity(sympy.diff(h, w), slope)
    identity(h.subs(w, 0), ONE)
    at_one = (1 + w) ** ALPHA - quadratic(w, coefficient)
    identity(at_one.subs(a1, 0), 0)
    positive(1 + (1 - a1) * extent * unit / a1, "bracket positive for 0 < w <= 1/(alpha-1)")
    yield positive(1 - (1 - a1) / (1 + b), "h' has the sign of w on (-1, 1/(alpha-1)], h(0) = 1")


@claim(
    "closed-form/lemma-8/w-in-range",
    lines="334",
    kind="inequality",
    domain=DOMAIN,
    statement=r"-1 < q(r-1) \le \tfrac{1}{\alpha-1},\quad -1 < q(1/r-1) \le \tfrac{1}{\alpha-1}",
    broken={"r up to 2 r0": {"reach": 2}, "q up to 2": {"most": 2}},
)
def w_in_range(reach: int = 1, most: int = 1) -> Iterator[Evidence]:
    """Both substitutions stay inside the range of the power bound.

    q(r-1) increases in r and equals 1/(alpha-1) at r = r0; it stays above -q >= -1 because r > 0.
    The second is the first with 1/r for r, which has the same range.
    """
    yield identity(q * (reach * R0 - 1), 1 / a1, "q(r0 - 1) = 1/(alpha-1)")
    positive(sympy.diff(q * (r - 1), r), "increasing in r")
    yield positive((q * (r - 1) + 1).subs(q, most * unit), "1 + q(r-1) > 0 for q <= 1")
    identity((q * (r - 1)).subs(r, 1 / r), q * (1 / r - 1))


@claim(
    "closed-form/lemma-8/first-half",
    lines="336",
    kind="inequality",
    domain=DOMAIN,
    statement=r"r(1+q(1/r-1))^\alpha \le r + \alpha q(1-r) + q^2\alpha(\alpha-1)(1/r-2+r)",
    kernel="lemma_8_parts",
    broken={"sign of the linear term": {"sign": -1}, "1/r - 1 + r": {"middle": 1}},
)
def first_half(sign: int = 1, middle: int = 2) -> Iterator[Evidence]:
    """The power bound at w = q(1/r - 1), multiplied by r."""
    right = r + sign * ALPHA * q * (1 - r) + q**2 * ALPHA * a1 * (1 / r - middle + r)
    yield identity(r * quadratic(q * (1 / r - 1)), right, "r times the parabola at q(1/r - 1)")
    yield rests_on(w_in_range, power_bound)


@claim(
    "closed-form/lemma-8/second-half",
    lines="338",
    kind="inequality",
    domain=DOMAIN,
    statement=r"(1+q(r-1))^\alpha \le 1 + \alpha q(r-1) + q^2\alpha(\alpha-1)(r^2-2r+1)",
    kernel="lemma_8_parts",
    broken={"sign of the linear term": {"sign": -1}, "r^2 - r + 1": {"middle": 1}},
)
def second_half(sign: int = 1, middle: int = 2) -> Iterator[Evidence]:
    """The power bound at w = q(r - 1)."""
    right = 1 + sign * ALPHA * q * (r - 1) + q**2 * ALPHA * a1 * (r**2 - middle * r + 1)
    yield identity(quadratic(q * (r - 1)), right, "the parabola at q(r - 1)")
    yield rests_on(w_in_range, power_bound)


def sides(factor: sympy.Expr = ONE) -> tuple[sympy.Expr, sympy.Expr]:
    """Both sides of the symmetric lemma."""
    left = x * (1 + q * (y - x) / x) ** ALPHA + y * (1 + q * (x - y) / y) ** ALPHA
    right = x + y + factor * q**2 * ALPHA * a1 * (x**2 / y + y**2 / x - (x + y))
    return left, right


@claim(
    "closed-form/lemma-8/sum",
    lines="340",
    kind="identity",
    domain=DOMAIN + r",\ x = r y",
    statement=r"\text{sum of both bounds, times } y, \text{ is the right-hand side of the lemma}",
    broken={"times x": {"scale": x}, "without the factor q^2": {"factor": 1 / q**2}},
)
def sum_of_halves(scale: sympy.Expr = y, factor: sympy.Expr = ONE) -> Iterator[Evidence]:
    """Adding the two bounds and multiplying by y gives the lemma, on both sides."""
    left, right = sides(factor)
    bounds = r * quadratic(q * (1 / r - 1)) + quadratic(q * (r - 1))
    powers = r * (1 + q * (1 / r - 1)) ** ALPHA + (1 + q * (r - 1)) ** ALPHA
    yield identity((scale * bounds).subs(r, x / y), right, "the right-hand sides")
    yield identity((scale * powers).subs(r, x / y), left, "the left-hand sides")


@claim(
    "closed-form/lemma-8/statement",
    lines="321-326",
    kind="inequality",
    domain=r"\alpha \ge 1,\ 0 \le q \le 1,\ x, y > 0,\ 1/r_0 \le x/y \le r_0",
    statement=r"x(1+q\tfrac{y-x}{x})^\alpha + y(1+q\tfrac{x-y}{y})^\alpha \le (x+y) + "
    r"q^2\alpha(\alpha-1)\left(\tfrac{x^2}{y} + \tfrac{y^2}{x} - (x+y)\right)",
    verdict="holds-with-repair",
    severity="slip",
    repair=r"r_0 \text{ read as } +\infty \text{ at } \alpha = 1 \text{ or } q = 0",
    kernel=("lemma_8", "lemma_8_division_free"),
    broken={"half the constant": {"factor": ONE / 2}, "x/y up to 9 r0": {"reach": 9}},
)
def symmetric_lemma(
    factor: sympy.Expr = ONE, reach: int = 1, profile: Profile = Profile.QUICK
) -> Iterator[Evidence]:
    """The two halves added: the second-order bound for a symmetric pair of powers.

    At alpha = 1 or q = 0, where r0 is not defined, both sides are x + y.
    """
    left, right = sides(factor)
    ratio = reach * (1 + m * R0) / (1 + m)  # 1 at m = 0, r0 as m grows: [1, r0), times the reach
    at = {x: ratio, y: ONE}
    ranges = RANGES | {q: (Fraction(1, 10**4), 1), a1: (Fraction(1, 100), 50)}
    count = 150 if profile is Profile.QUICK else 5000
    yield ordered_at_points(left.subs(at), right.subs(at), ranges, "x/y in [1, r0]", count=count)
    yield from sum_of_halves.function(factor=factor)
    yield rests_on(first_half, second_half)
    for where in ({a1: 0}, {q: 0}):
        yield identity(
            (left - right).subs(where), 0, "equality at alpha = 1 and at q = 0"
        ).repaired()


@claim(
    "closed-form/lemma-8/excess",
    lines="343-346",
    kind="identity",
    domain=r"x, y > 0",
    statement=r"\tfrac{x^2}{y} + \tfrac{y^2}{x} - (x+y) = "
    r"(\tfrac{x}{y}-1)^2 (y + \tfrac{y^2}{x}) \ge 0",
    kernel="nonnegativity",
    broken={"sign of x + y": {"sign": 1}, "x for y in the last factor": {"last": x + y**2 / x}},
)
def excess(sign: int = -1, last: sympy.Expr = y + y**2 / x) -> Iterator[Evidence]:
    """What multiplies q^2 in the lemma is a square times something positive."""
    left = x**2 / y + y**2 / x + sign * (x + y)
    yield identity(left, (x / y - 1) ** 2 * last)
    yield identity(left, (x - y) ** 2 * (x + y) / (x * y), "(x-y)^2 (x+y)/(xy)")
    yield positive((x - y) ** 2 * (x + y) / (x * y), "non-negative", strict=False)


@claim(
    "closed-form/lemma-8/terms-nonnegative",
    lines="347",
    kind="assertion",
    domain=r"\alpha \ge 1,\ 0 < q \le 1,\ x, y > 0",
    statement=r"x(1+q\tfrac{y-x}{x})^\alpha,\ y(1+q\tfrac{x-y}{y})^\alpha,\ x+y,\ "
    r"q^2\alpha(\alpha-1)(\cdots) \ge 0",
    broken={"q up to 2": {"most": 2}, "alpha below 1": {"order": 1 - unit / 2}},
)
def terms_nonnegative(most: int = 1, order: sympy.Expr = ALPHA) -> Iterator[Evidence]:
    """Every term of the lemma is non-negative; the bases are convex combinations."""
    base = (1 + q * (y - x) / x).subs(q, most * unit)
    yield positive(sympy.factor(base), "1 + q(y-x)/x = (1-q) + q y/x > 0")
    yield positive(order * (order - 1), "alpha (alpha-1) >= 0", strict=False)
    yield rests_on(excess)
