r"""The paper's symbols, names, conditions and bounds: each once, as an expression.

A *name* (z_0, L, A_alpha, mu_0(z)) prints as the paper prints it; ``DEFINITIONS`` says what it stands
for. Formulas are written with names, checks get them expanded by :func:`values`: one tree serves the
printed text, the algebra and the balls.

Symbols carry the sign that the paper's domain gives them, so that sympy may combine powers and
logarithms. Orders above 1 are 1 + a1 with a1 > 0, which makes alpha - 1 positive too.

>>> values(CONDITION_1, "<=")[1]
sigma**2*log(1 + 1/(a1*q))/2 - 2*log(sigma)
>>> print(CONDITION_1.latex())
\alpha \le \tfrac{1}{2}\sigma^2L-2\ln \sigma
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import sympy
from flint import arb

from proofs_checks.tools.balls import ball, rational
from proofs_checks.tools.formula import Definitions, Formula, bracket, evaluated, written
from verify.claims import StepFails
from verify.numbers.balls import precision

HALF = sympy.Rational(1, 2)
NINE_TENTHS, ELEVEN_TENTHS = sympy.Rational(9, 10), sympy.Rational(11, 10)
exp, ln, sqrt, oo = sympy.exp, sympy.log, sympy.sqrt, sympy.oo

q, sigma, alpha, a1, r = sympy.symbols("q sigma alpha a1 r", positive=True)
z, x, k = sympy.symbols("z x k", real=True)
n = sympy.Symbol("n", positive=True, integer=True)
with sympy.evaluate(False):
    rest = bracket(1 - q)

# Names: what they stand for is in DEFINITIONS.
z0, z1, r0, L = sympy.symbols("z_0 z_1 r_0 L", real=True)
A, A_left, A_right, B = sympy.symbols(
    r"A_\alpha A_\alpha^{(1)} A_\alpha^{(2)} B_\alpha", positive=True
)
epsilon = sympy.Symbol("varepsilon", positive=True)

mu0, mu1, mu = (sympy.Function(name, positive=True) for name in (r"\mu_0", r"\mu_1", r"\mu"))


def density(at: sympy.Expr, mean: sympy.Expr = 0) -> sympy.Expr:
    """The density of N(mean, sigma^2)."""
    return exp(-((at - mean) ** 2) / (2 * sigma**2)) / (sigma * sqrt(2 * sympy.pi))


def density0(at: sympy.Expr) -> sympy.Expr:
    return density(at)


def density1(at: sympy.Expr) -> sympy.Expr:
    return density(at, sympy.Integer(1))


def ratio(at: sympy.Expr) -> sympy.Expr:
    """mu1/mu0 with the exponent multiplied out."""
    return exp((2 * at - 1) / (2 * sigma**2))


def base(at: sympy.Expr) -> sympy.Expr:
    """(1-q) + q mu1/mu0, the density ratio of the mixture, by names."""
    return rest + q * (mu1(at) / mu0(at))


def integrand_a(at: sympy.Expr) -> sympy.Expr:
    """The integrand of A, by names."""
    return mu0(at) * base(at) ** alpha


def integrand_b(at: sympy.Expr) -> sympy.Expr:
    """The integrand of B, by names: E_mu[(mu0/mu)^alpha]."""
    return mu(at) * (mu0(at) / mu(at)) ** alpha


def _mixture(at: sympy.Expr) -> sympy.Expr:
    return (1 - q) * density0(at) + q * density1(at)


with sympy.evaluate(False):
    _A, _B = integrand_a(z), integrand_b(z)
    DEFINITIONS: Definitions = {
        mu0: density0,
        mu1: density1,
        mu: _mixture,
        r0: 1 + 1 / (q * (alpha - 1)),
        L: ln(1 + 1 / (q * (alpha - 1))),
        z0: HALF + sigma**2 * L,
        z1: HALF + sigma**2 * ln(1 / q - 1),
        A: sympy.Integral(_A, (z, -oo, oo)),
        A_left: sympy.Integral(_A, (z, -oo, z0)),
        A_right: sympy.Integral(_A, (z, z0, oo)),
        B: sympy.Integral(_B, (z, -oo, oo)),
        epsilon: ln(A) / (alpha - 1),
    }

# The two conditions of the main theorem, what they give, and the other rows of Table 1.
CONDITION_1 = written(lambda: (alpha, "<=", HALF * sigma**2 * L - 2 * ln(sigma)))
CONDITION_2 = written(
    lambda: (
        alpha,
        "<=",
        (HALF * sigma**2 * L**2 - ln(5) - 2 * ln(sigma)) / (L + ln(q * alpha) + 1 / (2 * sigma**2)),
    )
)
LARGEST_Q, LEAST_SIGMA = Fraction(1, 5), 4
with sympy.evaluate(False):
    BOUND = 2 * q**2 * alpha / sigma**2
    BOUND_BUN = 6 * q**2 * alpha / sigma**2
    BOUND_ABADI = q**2 * alpha / ((1 - q) * sigma**2)
    ORDER_BUN = HALF * sigma**2 * ln(1 / q)
    ORDER_ABADI = 1 + sigma**2 * ln(1 / (q * sigma))
    # Half-line moments of mu1/mu0: what multiplies C(alpha, k) in the two series of the last section.
    LEFT_MOMENT = HALF * exp((k**2 - k) / (2 * sigma**2)) * sympy.erfc((k - z1) / (sqrt(2) * sigma))
    RIGHT_MOMENT = (
        HALF * exp((k**2 - k) / (2 * sigma**2)) * sympy.erfc((z1 - k) / (sqrt(2) * sigma))
    )
    LEFT_WEIGHT = (1 - q) ** (alpha - k) * q**k
    RIGHT_WEIGHT = (1 - q) ** k * q ** (alpha - k)

ABOVE_ONE = {alpha: 1 + a1}
NAMES: Definitions = {
    name: DEFINITIONS[name] for name in (mu0, mu1, mu, r0, L, z0, z1)
}  # those with a value at a point, without an integral


def value(expr: sympy.Expr, definitions: Definitions = NAMES) -> sympy.Expr:
    """An expression with its names expanded, at orders 1 + a1."""
    return evaluated(sympy.sympify(expr), {**definitions, **ABOVE_ONE})


def values(formula: Formula, *relations: str) -> tuple[sympy.Expr, ...]:
    """The sides of a formula with their names expanded, at orders 1 + a1, for an argument about these
    relations (equations, if none are named)."""
    return formula.values({**NAMES, **ABOVE_ONE}, *relations)


def ordered(formula: Formula) -> tuple[sympy.Expr, sympy.Expr]:
    """The smaller and the larger side of an inequality, as values."""
    small, large = formula.ascending().expanded({**NAMES, **ABOVE_ONE})
    return small, large


def spare(formula: Formula) -> sympy.Expr:
    """Larger minus smaller side of an inequality: what has to be positive, or not negative."""
    small, large = ordered(formula)
    return large - small


ALPHA, R0, LOG, Z0 = 1 + a1, value(r0), value(L), value(z0)
SLACK_1 = value(CONDITION_1.sides[1]) - ALPHA
"""The first condition as something that has to be >= 0."""


def _cleared(formula: Formula) -> sympy.Expr:
    """numerator - alpha * denominator: L + ln(q alpha) = ln(q alpha + alpha/(alpha-1)) > 0."""
    numerator, denominator = sympy.fraction(value(formula.sides[1]))
    return numerator - ALPHA * denominator


SLACK_2 = _cleared(CONDITION_2)
"""The second condition, multiplied by its positive denominator, as something that has to be >= 0."""


def point(q_: Fraction, sigma_: Fraction, alpha_: Fraction) -> Mapping[Any, arb]:
    """The balls of a point, at the precision in force, for expressions in alpha or in a1."""
    order = Fraction(alpha_)
    return {
        q: rational(q_), sigma: rational(sigma_), alpha: rational(order), a1: rational(order - 1),
    }  # fmt: skip


def slacks(q_: Fraction, sigma_: Fraction, alpha_: Fraction) -> tuple[arb, arb]:
    """How far inside the two conditions a point is."""
    env = point(q_, sigma_, alpha_)
    return ball(SLACK_1, env), ball(SLACK_2, env)


def conditions_hold(q_: Fraction, sigma_: Fraction, alpha_: Fraction) -> bool:
    """Whether both conditions on alpha surely hold."""
    with precision(200):
        first, second = slacks(q_, sigma_, alpha_)
        return bool(first >= 0 and second >= 0)


def allowed(q_: Fraction, sigma_: Fraction, alpha_: Fraction) -> bool:
    """Whether the main theorem surely applies.

    >>> allowed(Fraction(1, 5), Fraction(4), Fraction(4)), allowed(Fraction(1, 5), Fraction(4), Fraction(5))
    (True, False)
    """
    inside = 0 < q_ <= LARGEST_Q and sigma_ >= LEAST_SIGMA and alpha_ > 1
    return inside and conditions_hold(q_, sigma_, alpha_)


def bound(q_: Fraction, sigma_: Fraction, alpha_: Fraction) -> Fraction:
    """The main theorem's bound of epsilon, an exact rational.

    >>> bound(Fraction(1, 100), Fraction(4), Fraction(8))
    Fraction(1, 10000)
    """
    exact = value(BOUND).subs({q: _exact(q_), sigma: _exact(sigma_), a1: _exact(alpha_ - 1)})
    return Fraction(int(exact.p), int(exact.q))


def constant_of_bound(side: sympy.Expr) -> Fraction:
    """c where a side is c q^2 alpha/sigma^2; Rejected where it is nothing of that form."""
    quotient = sympy.simplify(value(side) * sigma**2 / (q**2 * ALPHA))
    if not quotient.is_Rational:
        raise StepFails(f"{side} is no multiple of q^2 alpha/sigma^2")
    return Fraction(int(quotient.p), int(quotient.q))


def _exact(number: Fraction | int) -> sympy.Rational:
    number = Fraction(number)
    return sympy.Rational(number.numerator, number.denominator)
