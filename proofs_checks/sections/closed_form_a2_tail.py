"""Closed-form bound, the right part: from A^(2) to a Gaussian tail (Lemma 10, lines 386-399)."""

from __future__ import annotations

from collections.abc import Iterator

import sympy

from proofs_checks.paper import (
    ABOVE_ONE,
    ALPHA,
    DEFINITIONS,
    R0,
    Z0,
    A_right,
    a1,
    alpha,
    base,
    exp,
    mu0,
    mu1,
    oo,
    ordered,
    q,
    sigma,
    sqrt,
    value,
    values,
    x,
    z,
    z0,
)
from proofs_checks.sections import closed_form_setup as setup
from proofs_checks.tools.algebra import identity, positive
from proofs_checks.tools.draws import ordered_at_points
from proofs_checks.tools.formula import Formula, evaluated, written
from proofs_checks.tools.prover import prove
from proofs_checks.tools.signs import slack
from verify.claims import Evidence, Fraction, Sign, StepFails, claim, rests_on

ONE = sympy.Integer(1)
HALF = ONE / 2
DOMAIN = r"\alpha > 1,\ 0 < q \le 1,\ \sigma > 0"
p, u, t = slack("p u t")


BASE = written(lambda: (base(z), "<=", q * alpha * (mu1(z) / mu0(z))))


def in_the_ratio(expr: sympy.Expr, r: sympy.Expr) -> sympy.Expr:
    """An expression with the ratio of the densities at z given."""
    return evaluated(expr, ABOVE_ONE).subs(mu1(z), r * mu0(z))


@claim(
    "closed-form/lemma-10/base",
    lines="386-389",
    kind="inequality",
    domain=DOMAIN + r",\ z \ge z_0",
    statement=BASE,
    kernel="mixture_right_of_z0",
    broken={
        "alpha - 1 for alpha": {"formula": BASE.put({alpha: alpha - 1})},
        "left of the cut": {"start": 1 / R0},
    },
)
def base_bound(formula: Formula = BASE, start: sympy.Expr = R0) -> Iterator[Evidence]:
    """Right of the cut the ratio r = r0 + p is so large that the part 1-q can be absorbed.

    The difference is q alpha + q (alpha-1) p.
    """
    small, large = (in_the_ratio(side, start + p) for side in formula.ascending().sides)
    points = setup.RANGES | {p: (Fraction(1, 100), 100)}
    yield ordered_at_points(small, large, points, "base right of the cut")
    yield identity(large - small, q * ALPHA + q * a1 * p, "the difference")
    yield positive(q * ALPHA + q * a1 * p, "which is positive")
    yield rests_on(setup.r0_value, setup.ratio_decreases)


INTEGRAND = written(
    lambda: (
        A_right,
        "<=",
        sympy.Integral(mu0(z) * (q * alpha * (mu1(z) / mu0(z))) ** alpha, (z, z0, oo)),
    )
)


@claim(
    "closed-form/lemma-10/integrand",
    lines="391-393",
    kind="inequality",
    domain=DOMAIN,
    statement=INTEGRAND,
    broken={
        "power -alpha": {
            "formula": INTEGRAND.put(
                {
                    (q * alpha * (mu1(z) / mu0(z))) ** alpha: (q * alpha * (mu1(z) / mu0(z)))
                    ** -alpha
                }
            )
        }
    },
)
def integrand(formula: Formula = INTEGRAND) -> Iterator[Evidence]:
    """A positive power keeps the order of the bases, the integral that of the integrands."""
    small, large = (
        evaluated(side, {A_right: DEFINITIONS[A_right]}) for side in formula.stated("<=")
    )
    if small.limits != large.limits:
        raise StepFails(f"{small.limits} is not {large.limits}")
    (low, power), (high, same) = ((f.function / mu0(z)).as_base_exp() for f in (small, large))
    r = R0 + p
    lower, upper = sympy.expand(in_the_ratio(low, r)), in_the_ratio(high, r)
    identity(power, same, "one exponent")
    identity(lower, 1 + 1 / a1 + q * p)
    room = q * ALPHA + q * a1 * p
    yield identity(upper, (1 + 1 / a1 + q * p) + room, "larger base = smaller + difference")
    growth = value(power) * sympy.log(1 + room / (1 + 1 / a1 + q * p))
    yield positive(growth, "logarithm of the quotient of the powers")
    yield rests_on(base_bound)


with sympy.evaluate(False):
    exponent_in_z = -(z**2) / (2 * sigma**2) + alpha * ((z**2 - (z - 1) ** 2) / (2 * sigma**2))
EXPONENT = written(
    lambda: (
        mu0(z) * (q * alpha * (mu1(z) / mu0(z))) ** alpha,
        "=",
        (q * alpha) ** alpha / (sigma * sqrt(2 * sympy.pi)) * exp(exponent_in_z),
    )
)


@claim(
    "closed-form/lemma-10/exponent",
    lines="394",
    kind="identity",
    domain=DOMAIN,
    statement=EXPONENT,
    broken={
        "(z+1)^2": {"formula": EXPONENT.put({(z - 1) ** 2: (z + 1) ** 2})},
        "without alpha": {"formula": EXPONENT.put({exponent_in_z: exponent_in_z.subs(alpha, 1)})},
    },
)
def exponent(formula: Formula = EXPONENT) -> Iterator[Evidence]:
    """The exponent of the bounding integrand."""
    left, right = (sympy.expand_log(sympy.log(side)) for side in values(formula))
    yield identity(left, right, "logarithms")


SUBSTITUTION = written(
    lambda: (
        exponent_in_z,
        "=",
        (alpha**2 - alpha) / (2 * sigma**2) - (z - alpha) ** 2 / (2 * sigma**2),
    )
)


@claim(
    "closed-form/lemma-10/substitution",
    lines="395",
    kind="identity",
    domain=DOMAIN,
    statement=SUBSTITUTION,
    broken={
        "y = z + alpha": {"formula": SUBSTITUTION.put({(z - alpha) ** 2: (z + alpha) ** 2})},
        "alpha^2 + alpha": {"formula": SUBSTITUTION.put({alpha**2 - alpha: alpha**2 + alpha})},
    },
)
def substitution(formula: Formula = SUBSTITUTION) -> Iterator[Evidence]:
    """Completing the square; y = z - alpha moves the lower limit to z0 - alpha."""
    left, right = values(formula)
    yield identity(left, right, "the exponent")
    moved = z - ALPHA
    centred = right - (ALPHA**2 - ALPHA) / (2 * sigma**2)
    identity(centred, -(moved**2) / (2 * sigma**2), "a bell in y = z - alpha")
    yield identity(moved.subs(z, Z0), value(z0 - alpha), "the lower limit")


GAUSSIAN_TAIL = written(
    lambda: (sympy.Integral(mu0(x), (x, t, oo)), "<", exp(-(t**2) / (2 * sigma**2)))
)


@claim(
    "closed-form/lemma-10/gaussian-tail",
    lines="399",
    kind="inequality",
    domain=r"t \ge 0,\ \sigma > 0",
    statement=GAUSSIAN_TAIL,
    kernel="gaussian_tail",
    broken={
        "t negative": {"side": -1},
        "a quarter of it": {
            "formula": GAUSSIAN_TAIL.put(
                {exp(-(t**2) / (2 * sigma**2)): exp(-(t**2) / (2 * sigma**2)) / 4}
            )
        },
    },
)
def gaussian_tail(formula: Formula = GAUSSIAN_TAIL, side: Sign = 1) -> Iterator[Evidence]:
    """A Gaussian tail weighs less than the density's factor; even half of it would do.

    Shifted by t the integrand e^{-(u+t)^2/(2 sigma^2)} is at most the product of
    e^{-t^2/(2 sigma^2)} and e^{-u^2/(2 sigma^2)} for u, t >= 0; the latter weighs 1/2 there.
    """
    tail, bound = ordered(formula)
    weight = sympy.erfc(t / (sqrt(2) * sigma)) / 2
    if not isinstance(tail, sympy.Integral) or tail.limits[0][1:] != (t, oo):
        raise StepFails(f"{tail} is not the tail from t on")
    identity(-sympy.diff(weight, t), tail.function.subs(x, t), "the tail is erfc/2: its slope")
    v = sympy.Symbol("v", positive=True)
    y = sympy.Symbol("y")
    scaled = {t: sqrt(2) * sigma * y}  # t in units of sqrt(2) sigma
    room = bound.subs(scaled) - weight.subs(t, side * t).subs(scaled)
    yield prove(room > 0, {y: (0, 6)}).evidence("0 <= t <= 6 sqrt(2) sigma")
    yield identity((u + t) ** 2 - u**2 - t**2, 2 * u * t, "the exponent gains 2ut")
    positive(side * 2 * u * t, "2ut >= 0", strict=False)
    half = sympy.integrate(sympy.exp(-(v**2)) / sympy.sqrt(sympy.pi), (v, 0, sympy.oo))
    yield identity(half, HALF, "half of the mass lies on the half-line")
    factor = sympy.simplify(bound * sympy.exp(t**2 / (2 * sigma**2)))
    yield positive(factor - half, "1/2 < 1, so the inequality is strict for all t >= 0")
