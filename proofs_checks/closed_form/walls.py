"""How far the orders of a closed form can reach: 2 for any constant, 2/3 for all sigma at once; :mod:`to_the_wall` gets there."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import sympy

from proofs_checks.quantities.bell import ratio_moment
from proofs_checks.quantities.engine import divergence
from proofs_checks.tools.algebra import identity, positive
from proofs_checks.tools.balls import rational
from verify.claims import (
    Evidence,
    Undecided,
    all_of,
    certified_points,
    claim,
)
from verify.numbers.balls import precision

a1, d, v, s, w, extra = sympy.symbols("a1 d v s w extra", positive=True)
L = sympy.Symbol("L", positive=True)
more = sympy.Symbol("more", nonnegative=True)


@claim(
    "beyond/closed-form/wall-any-constant",
    lines="beyond",
    kind="assertion",
    domain=r"c \ge 2,\ \sigma > 0,\ K > 0",
    statement=r"\varepsilon > K q^2 \alpha\ \text{at}\ \alpha = 1 + c\,\sigma^2 \ln(1/q)\ \text{for all small}\ q",
    broken={
        "a reach of 1 as wall": {"reach": Fraction(1)},
        "a reach of 3/2 as wall": {"reach": Fraction(3, 2)},
    },
)
def any_constant(reach: Fraction = Fraction(2)) -> Iterator[Evidence]:
    """No closed form K q^2 alpha, whatever K and sigma are, holds for orders up to 1 + c sigma^2 ln(1/q) with c >= 2. A power of a sum is at
    least the sum of the powers, so A >= (1-q)^alpha + q^alpha e^{alpha (alpha-1)/(2 sigma^2)}. At that order the second term is e^{alpha L (c/2 -
    1)} >= 1, L = ln(1/q), and the first is at least 1 - q alpha, which tends to 1. So A >= 3/2 for all small q, and epsilon >= ln(3/2)/(c sigma^2 L),
    which vanishes more slowly than the bound."""
    if reach != 2:
        raise Undecided(f"the component of the mixture says nothing at c = {reach}")
    c = 2 + more
    order = 1 + c * L / v
    component = -order * L + v * order * (order - 1) / 2
    b, x = sympy.symbols("b x", positive=True)
    below = (1 - x) ** (1 + b) - 1 + (1 + b) * x
    there = 1 + c * s / v  # the order at q = e^-s
    yield all_of(
        identity(component, order * L * (c / 2 - 1), "ln of the second term at the end of the region"),
        positive(sympy.expand(order * L * (c / 2 - 1)), "which is not negative", strict=False),
        *ratio_moment(1 + b),
        _superadditive(),
        identity(
            sympy.diff(below, x), (1 + b) * (1 - (1 - x) ** b), "the slope of (1-x)^alpha - 1 + alpha x",
            nonzero=[1 - x], at=[{x: Fraction(1, 5), b: Fraction(3, 2)}],
        ),
        positive(b * sympy.log(1 + w), "which is positive: 1 - x = 1/(1+w) < 1"),
        identity(sympy.limit(there * sympy.exp(-s), s, sympy.oo), 0, "q alpha vanishes"),
        identity(
            sympy.limit(s * there * sympy.exp(-2 * s), s, sympy.oo), 0, "and so does q^2 alpha ln(1/q)"
        ),
    )  # fmt: skip
    q, noise, alpha = Fraction(1, 10_000), Fraction(1), Fraction(24)  # reach 2.497
    share = Fraction(divergence(q, noise, alpha).lo) / (q**2 * alpha)
    if not share > 10**6:
        raise Undecided("the example is too close")
    yield certified_points(
        detail=f"q = 1e-4, sigma = 1, alpha = 24: epsilon = {float(share):.3g} q^2 alpha"
    )


@claim(
    "beyond/closed-form/wall-every-sigma",
    lines="beyond",
    kind="assertion",
    domain=r"2/3 < c < 2,\ K > 0",
    statement=r"\varepsilon > K q^2 \alpha (e^{1/\sigma^2} - 1)\ \text{at some}\ q, \sigma\ \text{and}\ "
    r"\alpha \le 1 + c\,\sigma^2 \ln(1/q)",
    broken={
        "a reach of 1/2 as wall": {"reach": Fraction(1, 2)},
    },
)
def every_sigma_at_once(reach: Fraction = Fraction(2, 3)) -> Iterator[Evidence]:
    """A closed form K q^2 alpha (e^{1/sigma^2} - 1) for every sigma > 0 can reach no further than c = 2/3, whatever K is; and c = 2/3 is
    reached, with K = 1. Take alpha = 2 + d and q = e^{-v (1+d)/c}. For w >= 0 and alpha >= 2, (1+w)^alpha >= 1 + alpha w + w^alpha, and for
    w < 0 without the last term; so A - 1 >= q^alpha E[(r-1)_+^alpha] >= q^alpha 2^-alpha E[r^alpha; r >= 2] >= q^alpha 2^(-alpha-1) e^{v
    alpha (alpha-1)/2} once v (alpha - 1/2) >= ln 2. Over q^2 e^v that is 2^(-alpha-1) e^{v d ((3+d)/2 - (1+d)/c)}, and the exponent is
    positive for small d exactly if c > 2/3. It is 2^(-alpha-1) e^{-v (2+d)(1+d)(1/c - 1/2)} itself, so at most 1, and ln A is at least half
    of it."""
    if reach != Fraction(2, 3):
        raise Undecided(f"the exponent is not positive for small d at c = {reach}")
    c = sympy.Rational(2, 3) + extra
    order = 2 + d
    power = (
        -order * (1 + d) / c + order * (order - 1) / 2 + 2 * (1 + d) / c - 1
    )  # of e^v in (A-1)/(q^2 e^v)
    rate = 2 / (1 + s)  # c < 2
    size = (
        -order * (1 + d) / rate + order * (order - 1) / 2
    )  # of e^v in q^alpha e^{v alpha (alpha-1)/2}
    yield all_of(
        identity(
            size, -order * (1 + d) * s / 2, "the exponent of what A - 1 is at least, c = 2/(1+s)"
        ),
        positive(order * (1 + d) * s / 2, "it vanishes for much v"),
        positive(
            sympy.log(2) - sympy.Rational(1, 2), "ln(1+x) >= x/2 at x = 1, and both are 0 at 0"
        ),
        identity(sympy.diff(sympy.log(1 + w), w, 2), -1 / (1 + w) ** 2, "ln(1+x) is concave"),
        identity(power, d * ((3 + d) / 2 - (1 + d) / c), "the exponent of the quotient"),
        positive(sympy.factor(sympy.Rational(3, 2) - 1 / c), "positive at d = 0 for c > 2/3"),
        _superadditive(),
    )
    # d = 1/10, v = 200, c = 3/4: q = e^{-v (1+d)/c}
    noise, order_ = Fraction(70_710_678, 10**9), Fraction(21, 10)
    with precision(400):
        exponent = rational(Fraction(11, 10) / noise**2 / Fraction(3, 4))
        rate = Fraction(str((-exponent).exp().mid().str(20, radius=False)))
        inside = bool(
            rational((order_ - 1) / noise**2) <= rational(Fraction(76, 100)) * -rational(rate).log()
        )
        cost = rational(Fraction(divergence(rate, noise, order_).lo) / (rate**2 * order_))
        share = cost / rational(1 / noise**2).expm1()
        if not (inside and share > 2):
            raise Undecided(f"sigma = {noise}, alpha = {order_}: the quotient is {share.str(6)}")
        told = f"sigma = 0.0707, alpha = 2.1 and c < 0.76: epsilon = {share.str(5, radius=False)} q^2 alpha (e^v - 1)"
    yield certified_points(detail=told)


def _superadditive() -> Evidence:
    """(1+w)^b >= 1 + w^b for b >= 1 and w > 0; integrated from 0 to w with b = alpha - 1, the inequality for alpha."""
    slope = (1 + d) * ((1 + w) ** d - w**d)
    f = (1 + w) ** (1 + d) - 1 - w ** (1 + d)
    return all_of(
        identity(sympy.diff(f, w), slope, "the slope of (1+w)^(1+d) - 1 - w^(1+d)"),
        positive(sympy.expand_log(d * (sympy.log(1 + 1 / w))), "which is positive: 1 + w > w"),
        identity(
            sympy.diff((1 + w) ** (2 + d) - 1 - (2 + d) * w - w ** (2 + d), w), (2 + d) * f, "and once more",
        ),
    )  # fmt: skip
