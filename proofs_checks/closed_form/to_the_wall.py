"""The bound to remember for every noise, up to the last order that any such form can reach: 1 + (2/3) sigma^2 ln(1/q).

Notation: v = 1/sigma^2, t = e^v - 1, r = mu1/mu0, w = q(r-1), R' = (A - 1)/(q^2 (t/2) alpha (alpha-1)), which is 1 at order 2. As
epsilon <= q^2 alpha t R'/2, it is enough that R' <= 2. Orders up to 2 and sigma >= 1/2 are other claims. What is left is v >= 4, alpha >= 2,
q <= e^{-(3/2) v (alpha-1)}.

* A power from above, 2 <= alpha <= 3: (1+w)^alpha <= 1 + alpha w + alpha (alpha-1) w^2/2 + w^alpha for w >= 0, and without the last term for
  -1 < w < 0. With w <= q r and E r^alpha = e^{v alpha (alpha-1)/2} this gives R' <= 1 + q^(alpha-2) e^{v alpha (alpha-1)/2}/t.
* Orders 2 + d, d <= 1/2: at order 2 + 2d and the same rate, q <= e^{-(3/2) v (1+d)}, the quotient is e^{v (1 - d^2)}/t <= 1/(1 - e^-4). R' is
  log-convex in the order, so at order 2 + d it is at most the square root of 1 + 1/(1 - e^-4) = 2.02.
* Orders 2 + d, 1/2 <= d <= 1: at that order itself the quotient is e^{v (1 - d^2)}/t again, at most e^-1/(1 - e^-4).
* Orders from m - 1 to m, m >= 4: R' rises with the order, and E (r-1)^k <= E r^k = e^{v k (k-1)/2}. With q <= e^{-(3/2) v (m-2)}, R'_m - 1 is at
  most 1/(1 - e^-v) times the sum over k from 3 to m of 2 C(m,k)/(m(m-1)) e^{v f(k)}, f(k) = k(k-1)/2 - (3/2)(m-2)(k-2) - 1, which is convex:
  below its chord of slope -(m-4) from f(3) = 5 - 3m/2.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import sympy

from proofs_checks.beyond.central_moments import nonnegative
from proofs_checks.beyond.excess import below_two, log_convex, rising
from proofs_checks.closed_form.covering import Bound
from proofs_checks.closed_form.theorems import (
    ONE_TO_REMEMBER,
    no_more_than_proved,
    reject_at_near_points,
    remember,
)
from proofs_checks.paper import q
from proofs_checks.quantities.bell import ratio_moment
from proofs_checks.sections.a_geq_b_corollary import corollary
from proofs_checks.sections.reduction_to_a_line import theorem_4
from proofs_checks.tools.algebra import identity, positive
from proofs_checks.tools.formula import Formula
from verify.claims import Evidence, all_of, claim, rests_on

REACH = Fraction(2, 3)
AT_THE_WALL = Bound(Fraction(1), REACH, "t")

w, v, k, j, s = sympy.symbols("w v k j s", positive=True)
m = sympy.Symbol("m", positive=True)
d, p = sympy.symbols("d p", nonnegative=True)
LARGEST = 1 / (1 - sympy.exp(-4))  # e^v/t at v = 4; it falls with v


@claim(
    "beyond/closed-form/to-the-wall",
    lines="beyond",
    kind="inequality",
    domain=r"0 < q \le 1,\ \sigma > 0,\ 1 < \alpha \le 1 + 2/3 \sigma^2 \ln(1/q)",
    statement=ONE_TO_REMEMBER,
    broken={
        "0.57 of it": {"formula": ONE_TO_REMEMBER.put({q**2: sympy.Rational(57, 100) * q**2})},
        "reach 4/5": {"reach": Fraction(4, 5)},
        "reach 1": {"reach": Fraction(1)},
    },
)
def to_the_wall(formula: Formula = ONE_TO_REMEMBER, reach: Fraction = REACH) -> Iterator[Evidence]:
    """The bound to remember for every noise, however little: q^2 alpha (e^{1/sigma^2} - 1) for orders up to 1 + (2/3) sigma^2 ln(1/q). No
    constant in the place of 1 serves a larger reach for every sigma, so 2/3 is exactly the wall. From sigma = 1/2 on it is the bound to
    remember; for less noise 3/4 of it is enough, by hand."""
    reject_at_near_points(formula, reach, Fraction(0))
    no_more_than_proved(formula, reach, Fraction(1), AT_THE_WALL, Fraction(0))
    yield all_of(
        rests_on(
            below_two.given(), remember.given(), log_convex.given(), rising.given(),
            nonnegative.given(), corollary.given(), theorem_4.given(),
        ),
        *ratio_moment(2 + d),
        *_power_from_above(),
        *_up_to_three(),
        *_from_three_on(),
    )  # fmt: skip


def _power_from_above() -> Iterator[Evidence]:
    """1 + alpha w + alpha (alpha-1) w^2/2 + w^alpha - (1+w)^alpha, alpha = 2 + b, 0 <= b <= 1: convex, 0 and flat at 0."""
    b = 1 / (1 + p)  # (0, 1]; at b = 0 both sides are polynomials
    order = 2 + b
    taylor = 1 + order * w + order * (order - 1) * w**2 / 2
    above = taylor + w**order - (1 + w) ** order
    bend = order * (order - 1) * (1 + w**b - (1 + w) ** b)
    yield identity(sympy.diff(above, w, 2), bend, "w > 0: the second derivative")
    yield identity(
        sympy.diff(1 + w**b - (1 + w) ** b, w),
        b * (w ** (b - 1) - (1 + w) ** (b - 1)),
        "1 + w^b - (1+w)^b is 0 at 0, and its slope",
    )
    yield positive(
        (1 - b).together() * sympy.log(1 + 1 / w),
        "is not negative: 1 + w > w, b <= 1",
        strict=False,
    )
    at = -s / (1 + s)  # -1 < w < 0, 1 + w = 1/(1+s)
    below = (taylor - (1 + w) ** order).subs(w, at)
    change = sympy.diff(at, s)
    yield identity(
        sympy.diff(sympy.diff(below, s) / change, s) / change,
        order * (order - 1) * (1 - (1 + s) ** -b),
        "w < 0: the second derivative without the last term",
    )
    yield positive(b * sympy.log(1 + s), "is positive: 1 + w < 1")


def _up_to_three() -> Iterator[Evidence]:
    """Exponents of v at the largest rate, and the two constants."""
    half = sympy.Rational(1, 2)

    def exponent(order: sympy.Expr) -> sympy.Expr:
        """Of q^(order-2) e^{v order (order-1)/2} e^-v, where orders up to 2 + d are allowed."""
        return -sympy.Rational(3, 2) * (1 + d) * (order - 2) + order * (order - 1) * half - 1

    yield identity(exponent(2 + 2 * d), -(d**2), "the exponent at order 2 + 2d")
    yield identity(exponent(2 + d), -(d**2), "the exponent at order 2 + d")
    yield positive((2 + d) * (1 + d) * half - 1, "alpha (alpha-1)/2 >= 1", strict=False)
    yield identity(
        sympy.exp(v) / (sympy.exp(v) - 1), 1 / (1 - sympy.exp(-v)), "e^v/t falls with v", nonzero=[sympy.exp(v) - 1]
    )  # fmt: skip
    yield positive(sympy.Rational(9, 4) - 1 - LARGEST, "orders up to 5/2: R'^2 < 9/4")
    yield positive(
        half - sympy.exp(-1) * LARGEST, "orders from 5/2 to 3: R' < 3/2, as v d^2 >= 4/4"
    )


def _from_three_on() -> Iterator[Evidence]:
    """Orders from m - 1 to m, m >= 4."""
    three_halves = sympy.Rational(3, 2)
    f = k * (k - 1) / 2 - three_halves * (m - 2) * (k - 2) - 1
    chord = 5 - three_halves * m - (m - 4) * (k - 3)
    yield identity(f - chord, (k - 3) * (k - m) / 2, "the exponents are below their chord")
    yield identity(f.subs({m: 4, k: 3}), -1, "m = 4, k = 3")
    yield identity(f.subs({m: 4, k: 4}), -1, "m = 4, k = 4")
    four = LARGEST * (sympy.Rational(2, 3) + sympy.Rational(1, 6)) * sympy.exp(-4)
    yield positive(sympy.Rational(1, 2) - four, "order 4: R' < 3/2")
    yield positive(sympy.expand((j + 1) * (j + 2) * (j + 3) - 6), "2/(j+3)! <= 1/(3 j!)")
    bound = sympy.log(m / 3) + 4 * (5 - three_halves * m) + m * sympy.exp(-4 * (m - 4))
    slope = 1 / m - 6 + (1 - 4 * m) * sympy.exp(-4 * (m - 4))
    yield identity(
        sympy.diff(bound, m),
        slope,
        "orders from 5 on, v = 4, the largest: the slope of the bound in m",
    )
    yield positive(sympy.factor(6 - 1 / (5 + s)), "1/m < 6")
    yield positive(4 * (5 + s) - 1, "it falls: 1 < 4m")
    yield positive(-sympy.log(2) - sympy.log(LARGEST) - bound.subs(m, 5), "order 5: R' < 3/2")
