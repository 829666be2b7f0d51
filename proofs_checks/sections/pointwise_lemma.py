"""A >= B: the lemma that compares the two integrands point by point (lines 270-297).

With u = P(x) >= v = Q(x) > 0 and y = P_q/Q, z = Q_q/P, writing y = e^s and z = e^-w turns the lemma into
G(s) >= G(w) for G(s) = sinh((alpha - 1/2) s) / sinh(s/2), with s >= w >= 0. Everything below is exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Literal

import sympy
from flint import arb

from proofs_checks import errata
from proofs_checks.paper import ABOVE_ONE, ALPHA, a1, alpha, q
from proofs_checks.tools.algebra import factored, identity, positive
from proofs_checks.tools.balls import ball, rational
from proofs_checks.tools.draws import Number, at_many, surely_below
from proofs_checks.tools.formula import Formula, evaluated, written
from proofs_checks.tools.monotone import rises_from_zero
from verify.claims import Evidence, all_of, claim
from verify.numbers.balls import precision

HALF = sympy.Rational(1, 2)
k, s, t, v, Y, Z = sympy.symbols("k s t v Y Z", positive=True)
d = sympy.Symbol("d", nonnegative=True)
P, Q, P_q, Q_q, u = sympy.symbols("P Q P_q Q_q u", positive=True)
y, z = sympy.symbols("y z", positive=True)
big = v * (1 + d)  # the larger of the two densities
with sympy.evaluate(False):
    MIXTURES = {P_q: (1 - q) * P + q * Q, Q_q: (1 - q) * Q + q * P}
    VARIABLES = {y: (1 - q) + q * (u / v), z: (1 - q) + q * (v / u)}  # with q for 1 - q
share = k / (1 + k)  # a sampling rate strictly between 0 and 1
WHOLE = r"u, v > 0,\ \alpha > 1,\ q \in [0,1]"


def growth(order: sympy.Expr, x: sympy.Expr) -> sympy.Expr:
    """G, the only function the lemma is about."""
    return sympy.sinh((order - HALF) * x) / sympy.sinh(x / 2)


def growth_increases(order: sympy.Expr = ALPHA) -> Evidence:
    """G' has the sign of D = c cosh(cs) sinh(bs) - b sinh(cs) cosh(bs), b = 1/2, c = alpha - 1/2.

    D(0) = 0 and D' = (c^2 - b^2) sinh(cs) sinh(bs), where c^2 - b^2 = alpha (alpha - 1).
    """
    c = order - HALF
    sinh, cosh = sympy.sinh, sympy.cosh
    numerator = c * cosh(c * s) * sinh(s / 2) - HALF * sinh(c * s) * cosh(s / 2)
    identity(sympy.diff(growth(order, s), s), numerator / sinh(s / 2) ** 2)
    slope = factored(c**2 - HALF**2) * sinh(c * s) * sinh(s / 2)
    return rises_from_zero(numerator, s, slope, "G increases on s > 0 (exact calculus)")


def in_shares(expr: sympy.Expr, meant: Mapping[sympy.Symbol, sympy.Expr]) -> sympy.Expr:
    """An expression with u >= v and 0 < q < 1 built in."""
    return evaluated(expr, meant).subs({u: big, q: share})


def lemma(
    order: sympy.Expr = ALPHA, rate: sympy.Expr = share, formula: Formula | None = None
) -> Iterator[Evidence]:
    """The lemma on its whole domain, by exact algebra and calculus."""
    p_q, q_q = (1 - rate) * big + rate * v, (1 - rate) * v + rate * big
    y, z = p_q / v, q_q / big
    small, large = (formula or LEMMA_6).weak().ascending().expanded({alpha: order})
    new = {P_q: Y * v, Q_q: Z * big, Q: v, P: big}
    collected = v * ((Y**order - Y ** (1 - order)) + (1 + d) * (Z**order - Z ** (1 - order)))
    yield identity((large - small).subs(new), collected, "both sides in y and z")
    yield identity((1 + d) * (1 - z), y - 1, "u/v = (y-1)/(1-z), multiplied out")
    for name, point, x in (("y", sympy.exp(s), s), ("z", sympy.exp(-s), -s)):
        difference = point**order - point ** (1 - order)
        target = (point - 1) * growth(order, x)
        yield identity(difference.rewrite(sympy.exp), target.rewrite(sympy.exp), f"{name}: (y-1) G")
    yield positive(factored(y * z - 1), "s >= w: yz - 1 = q(1-q)(u-v)^2/(uv) >= 0", strict=False)
    yield positive(factored(y - 1), "the common factor y - 1", strict=False)
    for end in (sympy.Integer(0), sympy.Integer(1)):  # rates that k/(1+k) does not reach
        y_end, z_end = (1 - end) * (1 + d) + end, (1 - end) / (1 + d) + end
        yield identity(y_end * z_end, sympy.Integer(1), f"q = {end}: s = w, equality")
    yield growth_increases(order)


LEMMA_6 = written(
    lambda: (
        Q * (P_q / Q) ** alpha + P * (Q_q / P) ** alpha,
        ">=",
        P_q * (Q / P_q) ** alpha + Q_q * (P / Q_q) ** alpha,
    )
)


@claim(
    "a-geq-b/lemma-6/statement",
    lines="270-274",
    kind="inequality",
    domain=WHOLE,
    statement=LEMMA_6,
    kernel=("lemma_6", "lemma_6_strict", "lemma_6_equality"),
    broken={
        "order below one": {"order": sympy.Rational(3, 4)},
        "reversed": {"formula": LEMMA_6.exchanged()},
        "sampling rate above one": {"rate": 1 + k},
    },
)
def pointwise(
    formula: Formula = LEMMA_6, order: sympy.Expr = ALPHA, rate: sympy.Expr = share
) -> Iterator[Evidence]:
    """Of the two symmetrised integrands, that of A is nowhere below that of B.

    Equality holds where the densities agree, at q = 0 and q = 1, and at order 1. The sign of the
    difference is that of alpha (alpha - 1) for alpha > 1/2: between 1/2 and 1 it is reversed.
    """
    yield _lemma_at_points(formula)
    yield from lemma(order, rate, formula)


def _lemma_at_points(formula: Formula) -> Evidence:
    """The lemma itself at drawn points, with balls and without the substitutions."""
    small, large = formula.ascending().expanded(MIXTURES)
    room = large - small

    def holds(x: Fraction, rate: Fraction, order: Fraction) -> bool:
        with precision(300):
            env = {P: rational(x), Q: rational(1), q: rational(rate), alpha: rational(order)}
            return surely_below(arb(0), ball(room, env))

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
def without_loss(terms: Literal[1, 2] = 2) -> Iterator[Evidence]:
    """Exchanging P and Q exchanges P_q and Q_q, hence the two terms of each side."""
    swap = {P: Q, Q: P}
    for whole in LEMMA_6.sides:
        side = evaluated(sum(whole.args[:terms]), {**MIXTURES, **ABOVE_ONE})
        # rates below one keep the bases positive
        at = [{P: Fraction(3), Q: Fraction(2), q: Fraction(1, 3), a1: Fraction(2)}]
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
    erratum=errata.ROLES,
    broken={"as printed": {"exchange": False}},
)
def two_sides(exchange: bool = True) -> Iterator[Evidence]:
    """The sides in u and v; the displayed bases belong to 1-q, which is harmless as q runs over [0,1]."""
    p_q, q_q = (1 - share) * big + share * v, (1 - share) * v + share * big
    rate = 1 - share if exchange else share
    y, z = (1 - rate) + rate * big / v, (1 - rate) + rate * v / big
    yield identity(p_q / v, y, "first base").repaired()
    yield identity(q_q / big, z, "second base").repaired()
    yield identity(v * Y * (1 / Y) ** ALPHA, v * Y ** (1 - ALPHA), "exponent 1 - alpha").repaired()


QUOTIENT = written(lambda: (u / v, "=", (y - 1) / (1 - z)))


@claim(
    "a-geq-b/lemma-6/quotient",
    lines="279-282",
    kind="identity",
    domain=r"u > v > 0,\ 0 < q \le 1",
    statement=QUOTIENT,
    verdict="holds-with-repair",
    severity="slip",
    repair=r"(1-z)\,u = (y-1)\,v, without dividing by zero where u = v or q = 0",
    erratum=errata.ENDS,
    broken={"z with u/v": {"inverted": True}, "y + 1": {"formula": QUOTIENT.put({y - 1: y + 1})}},
)
def quotient(formula: Formula = QUOTIENT, inverted: bool = False) -> Iterator[Evidence]:
    """The quotient of the densities in the new variables; at u = v or q = 0 the printed form is 0/0."""
    meant = dict(VARIABLES)
    if inverted:
        meant[z] = meant[z].subs({u: v, v: u}, simultaneous=True)
    left, right = formula.values()
    cleared, other = (in_shares(side * (1 - z) * v, meant) for side in (left, right))
    yield identity(cleared, other, "multiplied out").repaired()


ORDER_OF_VARIABLES = written(lambda: (y, ">=", 1 / z, ">=", 1, ">=", z))


@claim(
    "a-geq-b/lemma-6/order-of-variables",
    lines="283",
    kind="inequality",
    domain=r"u \ge v > 0,\ q \in [0,1]",
    statement=ORDER_OF_VARIABLES,
    broken={
        "u below v": {"ratio": 1 / (1 + t)},
        "z >= 1": {"formula": ORDER_OF_VARIABLES.exchanged()},
    },
)
def order_of_variables(
    formula: Formula = ORDER_OF_VARIABLES, ratio: sympy.Expr = 1 + d
) -> Iterator[Evidence]:
    """The first variable is at least the reciprocal of the second, and they lie on two sides of 1."""
    for rate in (share, sympy.Integer(0), sympy.Integer(1)):  # share does not reach the ends of q
        at = {u: v * ratio, q: rate}
        below_zero = VARIABLES[z].subs(at)
        found = [positive(factored(below_zero), "z > 0")]
        for part in formula.parts():
            small, large = part.ascending().expanded(VARIABLES)
            room = factored((large - small).subs(at))
            found.append(positive(room, f"{part.latex()} at q = {rate}", strict=part.strict))
        yield all_of(*found)


PRODUCT = written(
    lambda: (
        y * z, "=", (1 - q) ** 2 + q * (1 - q) * (u / v + v / u) + q**2, ">=", 1,
    )
)  # fmt: skip


@claim(
    "a-geq-b/lemma-6/product",
    lines="283",
    kind="identity",
    domain=r"u, v > 0,\ q \in [0,1]",
    statement=PRODUCT,
    kernel="product_at_least_1",
    broken={
        "cross term twice": {"formula": PRODUCT.put({q**2: 2 * q**2})},
        "at least 2": {
            "formula": written(lambda: (*PRODUCT.sides[:1], "=", PRODUCT.sides[1], ">=", 2))
        },
    },
)
def product(formula: Formula = PRODUCT) -> Iterator[Evidence]:
    """The product of the variables, and why it is at least 1: a number plus its reciprocal is at least 2."""
    left, expanded, one = formula.values(VARIABLES, "=", ">=")
    yield identity(left, expanded)
    r = sympy.Symbol("r", positive=True)
    yield identity(r + 1 / r - 2, (r - 1) ** 2 / r, "x + 1/x >= 2")
    least = expanded.subs(u, r * v) - q * (1 - q) * (r - 1) ** 2 / r
    positive((q * (1 - q)).subs(q, share), "q(1-q) >= 0", strict=False)
    yield identity(least, one)
