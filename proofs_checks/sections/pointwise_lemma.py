"""A >= B: the lemma that compares the two integrands point by point (lines 270-297).

With u = P(x) >= v = Q(x) > 0 and y = P_q/Q, z = Q_q/P, writing y = e^s and z = e^-w turns the lemma into
G(s) >= G(w) for G(s) = sinh((alpha - 1/2) s) / sinh(s/2), with s >= w >= 0. Everything below is exact.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import sympy

from proofs_checks.paper import a1
from proofs_checks.tools.algebra import identity, positive
from proofs_checks.tools.balls import rational
from proofs_checks.tools.draws import Number, at_many
from proofs_checks.tools.monotone import rises_from_zero
from verify.balls import precision
from verify.claims import Evidence, claim

HALF = sympy.Rational(1, 2)
k, s, t, v, Y, Z = sympy.symbols("k s t v Y Z", positive=True)
d = sympy.Symbol("d", nonnegative=True)
u = v * (1 + d)  # the larger of the two densities
share = k / (1 + k)  # a sampling rate strictly between 0 and 1
alpha = 1 + a1
WHOLE = r"u, v > 0,\ \alpha > 1,\ q \in [0,1]"


def growth(order: sympy.Expr, x: sympy.Expr) -> sympy.Expr:
    """G, the only function the lemma is about."""
    return sympy.sinh((order - HALF) * x) / sympy.sinh(x / 2)


def growth_increases(order: sympy.Expr = alpha) -> Evidence:
    """G' has the sign of D = c cosh(cs) sinh(bs) - b sinh(cs) cosh(bs), b = 1/2, c = alpha - 1/2.

    D(0) = 0 and D' = (c^2 - b^2) sinh(cs) sinh(bs), where c^2 - b^2 = alpha (alpha - 1).
    """
    c = order - HALF
    sinh, cosh = sympy.sinh, sympy.cosh
    numerator = c * cosh(c * s) * sinh(s / 2) - HALF * sinh(c * s) * cosh(s / 2)
    identity(sympy.diff(growth(order, s), s), numerator / sinh(s / 2) ** 2)
    slope = sympy.factor(c**2 - HALF**2) * sinh(c * s) * sinh(s / 2)
    return rises_from_zero(numerator, s, slope, "G increases on s > 0 (exact calculus)")


def lemma(order: sympy.Expr = alpha, rate: sympy.Expr = share) -> Iterator[Evidence]:
    """The lemma on its whole domain, by exact algebra and calculus."""
    p_q, q_q = (1 - rate) * u + rate * v, (1 - rate) * v + rate * u
    y, z = p_q / v, q_q / u
    left = v * Y**order + u * Z**order
    right = v * Y * (1 / Y) ** order + u * Z * (1 / Z) ** order
    collected = v * ((Y**order - Y ** (1 - order)) + (1 + d) * (Z**order - Z ** (1 - order)))
    yield identity(left - right, collected, "both sides in y and z")
    yield identity((1 + d) * (1 - z), y - 1, "u/v = (y-1)/(1-z), multiplied out")
    for name, point, x in (("y", sympy.exp(s), s), ("z", sympy.exp(-s), -s)):
        difference = point**order - point ** (1 - order)
        target = (point - 1) * growth(order, x)
        yield identity(difference.rewrite(sympy.exp), target.rewrite(sympy.exp), f"{name}: (y-1) G")
    yield positive(
        sympy.factor(y * z - 1), "s >= w: yz - 1 = q(1-q)(u-v)^2/(uv) >= 0", strict=False
    )
    yield positive(sympy.factor(y - 1), "the common factor y - 1", strict=False)
    for end in (sympy.Integer(0), sympy.Integer(1)):  # rates that k/(1+k) does not reach
        y_end, z_end = (1 - end) * (1 + d) + end, (1 - end) / (1 + d) + end
        yield identity(y_end * z_end, sympy.Integer(1), f"q = {end}: s = w, equality")
    yield growth_increases(order)


@claim(
    "a-geq-b/lemma-6/statement",
    lines="270-274",
    kind="inequality",
    domain=WHOLE,
    statement=r"Q (P_q/Q)^\alpha + P (Q_q/P)^\alpha \ge P_q (Q/P_q)^\alpha + Q_q (P/Q_q)^\alpha",
    kernel="lemma_6",
    broken={
        "order below one": {"order": sympy.Rational(3, 4)},
        "reversed": {"sign": -1},
        "sampling rate above one": {"rate": 1 + k},
    },
)
def pointwise(
    order: sympy.Expr = alpha, rate: sympy.Expr = share, sign: int = 1
) -> Iterator[Evidence]:
    """Of the two symmetrised integrands, that of A is nowhere below that of B.

    Equality holds where the densities agree, at q = 0 and q = 1, and at order 1. The sign of the
    difference is that of alpha (alpha - 1) for alpha > 1/2: between 1/2 and 1 it is reversed.
    """
    yield from lemma(order, rate)
    yield _lemma_at_points(sign)


def _lemma_at_points(sign: int) -> Evidence:
    """The lemma itself at drawn points, with balls and without the substitutions."""

    def holds(x: Fraction, rate: Fraction, order: Fraction) -> bool:
        with precision(300):
            uu, one, a = rational(x), rational(Fraction(1)), rational(order)
            r = rational(rate)
            p_q, q_q = (1 - r) * uu + r, (1 - r) + r * uu
            left = p_q**a + uu * (q_q / uu) ** a
            right = p_q * (one / p_q) ** a + q_q * (uu / q_q) ** a
            return bool(sign * (left - right) > 0)

    ranges: dict[str, tuple[Number, Number]] = {
        "x": (Fraction(1, 1000), 1000),
        "rate": (Fraction(1, 1000), 1),
        "order": (1, 200),
    }
    return at_many(
        ranges, 300, lambda x, rate, order: order > 1 > rate and x != 1, holds, "the lemma in balls"
    )


@claim(
    "a-geq-b/lemma-6/without-loss",
    lines="275",
    kind="assertion",
    domain=WHOLE,
    statement=r"(P, Q) \mapsto (Q, P) \text{ leaves both sides unchanged}",
    broken={"only one term of each side": {"terms": 1}},
)
def without_loss(terms: int = 2) -> Iterator[Evidence]:
    """Exchanging P and Q exchanges P_q and Q_q, hence the two terms of each side."""
    big, small, rate = sympy.symbols("P Q q", positive=True)
    p_q, q_q = (1 - rate) * big + rate * small, (1 - rate) * small + rate * big
    left = [small * (p_q / small) ** alpha, big * (q_q / big) ** alpha][:terms]
    right = [p_q * (small / p_q) ** alpha, q_q * (big / q_q) ** alpha][:terms]
    swap = {big: small, small: big}
    for side in (sum(left), sum(right)):
        # rates below one keep the bases positive
        at = [{big: Fraction(3), small: Fraction(2), rate: Fraction(1, 3), a1: Fraction(2)}]
        yield identity(side, side.subs(swap, simultaneous=True), "swapped side", at=at)


@claim(
    "a-geq-b/lemma-6/two-sides",
    lines="276-277",
    kind="identity",
    domain=WHOLE,
    statement=r"Q (P_q/Q)^\alpha = v\,((1-q) + q u/v)^\alpha,\ \dots",
    verdict="holds-with-repair",
    severity="slip",
    repair=r"Q (P_q/Q)^\alpha = v\,(q + (1-q) u/v)^\alpha: read q for 1-q throughout the proof",
    broken={"as printed": {"exchange": False}},
)
def two_sides(exchange: bool = True) -> Iterator[Evidence]:
    """The sides in u and v; the displayed bases belong to 1-q, which is harmless as q runs over [0,1]."""
    p_q, q_q = (1 - share) * u + share * v, (1 - share) * v + share * u
    rate = 1 - share if exchange else share
    y, z = (1 - rate) + rate * u / v, (1 - rate) + rate * v / u
    yield identity(p_q / v, y, "first base").repaired()
    yield identity(q_q / u, z, "second base").repaired()
    yield identity(v * Y * (1 / Y) ** alpha, v * Y ** (1 - alpha), "exponent 1 - alpha").repaired()


@claim(
    "a-geq-b/lemma-6/quotient",
    lines="279-282",
    kind="identity",
    domain=r"u > v > 0,\ 0 < q \le 1",
    statement=r"u/v = (y-1)/(1-z)",
    verdict="holds-with-repair",
    severity="slip",
    repair=r"(1-z)\,u = (y-1)\,v, without dividing by zero where u = v or q = 0",
    broken={"z with u/v": {"inverted": True}},
)
def quotient(inverted: bool = False) -> Iterator[Evidence]:
    """The quotient of the densities in the new variables; at u = v or q = 0 the printed form is 0/0."""
    y = (1 - share) + share * u / v
    z = (1 - share) + share * (u / v if inverted else v / u)
    yield identity((1 - z) * u, (y - 1) * v, "multiplied out").repaired()


@claim(
    "a-geq-b/lemma-6/order-of-variables",
    lines="283",
    kind="inequality",
    domain=r"u \ge v > 0,\ q \in [0,1]",
    statement=r"y \ge 1/z \ge 1 \ge z",
    broken={"u below v": {"ratio": 1 / (1 + t)}, "z >= 1": {"sign": -1}},
)
def order_of_variables(ratio: sympy.Expr = 1 + d, sign: int = 1) -> Iterator[Evidence]:
    """The first variable is at least the reciprocal of the second, and they lie on two sides of 1."""
    y, z = (1 - share) + share * ratio, (1 - share) + share / ratio
    yield positive(sympy.factor(y * z - 1), "yz >= 1", strict=False)
    yield positive(sympy.factor(sign * (1 - z)), "z <= 1", strict=False)
    yield positive(sympy.factor(z), "z > 0")
    for rate in (0, 1):  # the ends of q, where share does not reach
        y_end, z_end = (1 - rate) + rate * ratio, (1 - rate) + rate / ratio
        yield positive(sympy.factor(y_end * z_end - 1), f"q = {rate}", strict=False)


@claim(
    "a-geq-b/lemma-6/product",
    lines="283",
    kind="identity",
    domain=r"u, v > 0,\ q \in [0,1]",
    statement=r"yz = (1-q)^2 + q(1-q)(u/v + v/u) + q^2 \ge 1",
    kernel="product_at_least_1",
    broken={"cross term twice": {"cross": 2}},
)
def product(cross: int = 1) -> Iterator[Evidence]:
    """The product of the variables, and why it is at least 1: a number plus its reciprocal is at least 2."""
    x, rate = sympy.symbols("x q", positive=True)
    y, z = (1 - rate) + rate * x, (1 - rate) + rate / x
    expanded = (1 - rate) ** 2 + cross * rate * (1 - rate) * (x + 1 / x) + rate**2
    yield identity(y * z, expanded)
    yield identity(x + 1 / x - 2, (x - 1) ** 2 / x, "x + 1/x >= 2")
    yield identity((1 - rate) ** 2 + 2 * rate * (1 - rate) + rate**2, sympy.Integer(1))
