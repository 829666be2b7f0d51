"""From RDP to (epsilon, delta): the published conversions are upper bounds, and have one best order.

K(alpha) = T ln A_alpha. With kappa = (alpha-1)^{alpha-1}/alpha^alpha, delta(eps) <= kappa e^{K - (alpha-1) eps}.
Throughout alpha = 1 + b, b > 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Literal

import sympy
from flint import arb

from proofs_checks.paper import alpha, exp, ln
from proofs_checks.quantities.engine import Ranges, as_ball, log_moment
from proofs_checks.sections.a_geq_b_corollary import corollary
from proofs_checks.tools.algebra import identity, positive
from proofs_checks.tools.balls import rational
from proofs_checks.tools.draws import at_many, surely_at_most
from proofs_checks.tools.formula import Formula, evaluated, written
from verify.accounting.conversions import CONVERSIONS
from verify.accounting.history import Phase
from verify.accounting.pairs.sides import DIRECTIONS
from verify.accounting.tight import Curve
from verify.claims import Evidence, Undecided, all_of, claim, rests_on
from verify.numbers.balls import fraction, precision
from verify.numbers.budget import Deadline

b, v, k, ell = sympy.symbols("b v k ell", positive=True)


POINTWISE = written(lambda: (v - 1, "<=", (alpha - 1) ** (alpha - 1) / alpha**alpha * v**alpha))


@claim(
    "beyond/conversion/pointwise",
    lines="beyond",
    kind="inequality",
    domain=r"\alpha > 1,\ v > 0",
    statement=POINTWISE,
    broken={
        "constant smaller by a millionth": {
            "formula": POINTWISE.put({v**alpha: v**alpha * (1 - sympy.Rational(1, 10**6))})
        },
        "touching at alpha": {"touch": 1 + b},
    },
)
def pointwise(formula: Formula = POINTWISE, touch: sympy.Expr = (1 + b) / b) -> Iterator[Evidence]:
    """The power kappa v^alpha lies above the line v - 1 and touches it at v = alpha/(alpha-1): value and slope agree
    there, and the difference is convex in v. With v = e^{L - eps} and the mean taken, delta(eps) is at most
    kappa e^{K - (alpha-1) eps}; no smaller constant would do for all distributions."""
    small, large = formula.weak().ascending().expanded({alpha: 1 + b})
    above = large - small
    slope = sympy.diff(above, v)
    yield all_of(
        identity(sympy.powsimp(above.subs(v, touch)), 0, "they touch"),
        identity(slope.subs(v, touch), 0, "with the same slope"),
        positive(sympy.simplify(sympy.diff(slope, v)), "the difference is convex"),
    )


K, delta = sympy.symbols("K delta", positive=True)
kappa = sympy.Symbol("kappa", positive=True)
SAME = written(
    lambda: (
        (K + ell - ln(alpha)) / (alpha - 1) + ln(1 - 1 / alpha),
        "=",
        K / (alpha - 1) + ln((alpha - 1) / alpha) - (ln(delta) + ln(alpha)) / (alpha - 1),
        "=",
        (K + ell + ln(kappa)) / (alpha - 1),
    )
)


@claim(
    "beyond/conversion/same",
    lines="beyond",
    kind="identity",
    domain=r"\alpha > 1,\ 0 < \delta < 1,\ \ell = \ln(1/\delta)",
    statement=SAME,
    broken={
        "ln alpha with the other sign": {
            "formula": SAME.put({K + ell - ln(alpha): K + ell + ln(alpha)})
        }
    },
)
def same(formula: Formula = SAME) -> Iterator[Evidence]:
    """The conversions of Canonne, Kamath and Steinke and of Balle et al. are one formula, and it is the bound
    kappa e^{K - (alpha-1) eps} = delta solved for epsilon."""
    known = {alpha: 1 + b, kappa: POINTWISE.sides[1] / v**alpha, delta: exp(-ell)}
    sides = (sympy.powsimp(evaluated(side, known)) for side in formula.stated())
    canonne, balle, solved = (sympy.expand_log(side) for side in sides)
    yield all_of(
        identity(canonne, balle, "the two conversions"),
        identity(canonne, solved, "the bound, solved"),
    )


@claim(
    "beyond/conversion/one-minimum",
    lines="beyond",
    kind="identity",
    domain=r"\alpha > 1,\ K \text{ convex and twice differentiable}",
    statement=r"\frac{d}{d\alpha}\Bigl[(\alpha-1)^2 \frac{d}{d\alpha}\Bigl(\frac{K(\alpha) + \ell - \ln\alpha}{\alpha-1} + "
    r"\ln\Bigl(1-\frac1\alpha\Bigr)\Bigr)\Bigr] = (\alpha-1)\,K''(\alpha) + \frac1\alpha > 0",
    broken={"without the last logarithm": {"gain": 0}},
)
def one_minimum(gain: Fraction | int = 1) -> Iterator[Evidence]:
    """As a function of the order, the converted epsilon first falls and then rises: the sign of its derivative is that of
    an increasing function. ln A is convex in the order (Hoelder), so the best order is unique, and a minimum between
    two larger values is the global one."""
    curve = sympy.Function("K")(b)
    converted = (curve + ell - sympy.log(1 + b)) / b + gain * sympy.log(b / (1 + b))
    derivative = sympy.diff(b**2 * sympy.diff(converted, b), b)
    growth = b * sympy.Symbol("c", nonnegative=True) + 1 / (1 + b)
    flat = derivative.subs(sympy.diff(curve, b, 2), sympy.Symbol("c", nonnegative=True)).doit()
    yield all_of(
        identity(sympy.simplify(flat), growth, "the derivative"),
        positive(growth, "its sign"),
    )


def _at_most(curve: Curve, epsilon: Fraction, delta: Fraction) -> bool:
    """Whether the contour integral puts delta(epsilon) at or below this delta."""
    if curve.bounded and epsilon >= curve.end(30).hi:
        return True
    return surely_at_most(curve.route.at(epsilon, 2.0, 2.0, curve.deadline, delta), delta)


RUNS: Ranges = {
    "q": (Fraction(1, 1000), Fraction(1, 2)),
    "sigma": (1, 10),
    "order": (Fraction(3, 2), 40),
}


@claim(
    "beyond/conversion/above-the-tight-curve",
    lines="beyond",
    kind="inequality",
    domain=r"0 < q \le 1,\ \sigma > 0,\ \alpha > 1,\ T \in \mathbb{N},\ 0 < \delta < 1",
    statement=r"\delta(\varepsilon_{\mathrm{conversion}}(\alpha, \delta)) \le \delta",
    broken={"divided by alpha instead of alpha - 1": {"less": 0}},
)
def above_tight(less: Literal[0, 1] = 1, profile: str = "quick") -> Iterator[Evidence]:
    """The epsilon of each of the three conversions is not below the tight one. delta(eps) is the mean of e^eps (v-1)
    where v = e^{L-eps} exceeds 1, so at most kappa e^{K-(alpha-1) eps}, K = T ln A, in both directions because A >=
    B. At the epsilon of Canonne et al. and of Balle et al. that is delta, at Mironov's it is kappa delta, and kappa
    < 1. At many runs the certified tight delta there is compared as well."""
    steps, delta = 200, Fraction(1, 10**5)

    def epsilon(name: str, q: Fraction, sigma: Fraction, order: Fraction) -> Fraction:
        with precision(160):
            size = steps * as_ball(log_moment(q, sigma, order))
            value = CONVERSIONS[name](rational(order), size, -rational(delta).log())
            if not less:
                value *= (rational(order) - 1) / rational(order)
            return fraction(value.max(arb(0)).upper())

    for name in CONVERSIONS:

        def holds(q: Fraction, sigma: Fraction, order: Fraction, name: str = name) -> bool:
            run = (Phase(q, sigma, steps),)
            there = epsilon(name, q, sigma, order)
            return all(_at_most(Curve(run, d, Deadline()), there, delta) for d in DIRECTIONS)

        count = 15 if profile == "quick" else 150
        yield at_many(RUNS, count, lambda **_: True, holds, f"{name}: not below the tight curve")
    if less != 1:
        raise Undecided("the conversions divide by alpha - 1")
    yield all_of(*_at_most_delta(), rests_on(pointwise.given(), same.given(), corollary.given()))


def _at_most_delta() -> Iterator[Evidence]:
    """ln kappa + K - (alpha-1) eps is -ln(1/delta) at the eps of same, and less at Mironov's."""
    log_kappa = sympy.expand_log(sympy.log(b**b / (1 + b) ** (1 + b)))
    solved, mironov = (K + ell + log_kappa) / b, (K + ell) / b
    yield identity(log_kappa + K - b * solved, -ell, "the bound at the converted epsilon is delta")
    yield identity(log_kappa + K - b * mironov, log_kappa - ell, "at Mironov's it is kappa delta")
    less_than_one = sympy.log(1 + b) + b * sympy.log(1 + 1 / b)
    yield identity(
        -log_kappa, less_than_one, "ln(1/kappa) = ln alpha + (alpha-1) ln(alpha/(alpha-1))"
    )
    yield positive(less_than_one, "so kappa < 1")
    tail, order = sympy.exp(ell) * (v - 1), 1 + b  # ell stands for epsilon, v for e^{L - epsilon}
    yield identity(tail, sympy.exp(ell) * v - sympy.exp(ell), "e^eps (v - 1) = e^L - e^eps")
    moment = sympy.exp(ell) * v**order * sympy.exp(b * ell)
    yield identity(
        moment, (sympy.exp(ell) * v) ** order, "e^eps v^alpha = e^{alpha L - (alpha-1) eps}"
    )
