"""The excess A - 1 at real orders: a positive mixture of powers, hence log-convex in the order.

With w = q (mu1/mu0 - 1) and Taylor's remainder, A_alpha - 1 = alpha (alpha-1) E[w^2 int_0^1
(1-v)(1+vw)^{alpha-2} dv]. Write R_alpha = (A_alpha - 1) sigma^2/(q^2 alpha (alpha-1)); the bound
of the main theorem is implied by R <= 2.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import sympy
from flint import arb

from proofs_checks.paper import ALPHA, HALF, A, a1, alpha, density0, density1, ordered, q, sigma, z
from proofs_checks.quantities.at_points import Place
from proofs_checks.quantities.at_points import holds as at_place
from proofs_checks.quantities.bell import ratio_moment
from proofs_checks.quantities.engine import Ranges, as_ball, log_moment
from proofs_checks.tools.algebra import identity, positive
from proofs_checks.tools.balls import rational
from proofs_checks.tools.draws import at_many, surely_below
from proofs_checks.tools.formula import Formula, written
from verify.claims import Evidence, Rejected, Sign, Undecided, all_of, claim, rests_on
from verify.numbers.balls import precision

w, v, a, s, c = sympy.symbols("w v a s c", positive=True)
CORNER = (Fraction(1, 5), Fraction(4))


def relative_excess(q: Fraction, sigma: Fraction, alpha: Fraction, digits: int = 40) -> arb:
    """R_alpha as a ball, from the certified engine."""
    with precision(5 * digits):
        excess = as_ball(log_moment(q, sigma, alpha, digits)).expm1()
        return excess * rational(sigma**2 / (q**2 * alpha * (alpha - 1)))


REMAINDER = written(
    lambda: (
        (1 + w) ** alpha,
        "=",
        1
        + alpha * w
        + alpha
        * (alpha - 1)
        * w**2
        * sympy.Integral((1 - v) * (1 + v * w) ** (alpha - 2), (v, 0, 1)),
    )
)


@claim(
    "beyond/excess/remainder",
    lines="beyond",
    kind="identity",
    domain=r"\alpha \ne 0, 1,\ w > -1",
    statement=REMAINDER,
    broken={
        "power alpha-1 in the remainder": {"formula": REMAINDER.put({alpha - 2: alpha - 1})},
        "weight v instead of 1-v": {"formula": REMAINDER.put({1 - v: v})},
    },
)
def remainder(formula: Formula = REMAINDER) -> Iterator[Evidence]:
    """Taylor's formula with integral remainder for the power that defines A. The integrand has an
    elementary primitive, which is differentiated and evaluated at both ends. Since E[w] = 0, this
    makes A - 1 an integral of (1+vw)^{alpha-2} against a positive measure."""
    power, taylor = (side.subs(alpha, a) for side in formula.values())
    (rest,) = taylor.atoms(sympy.Integral)
    ((_, low, high),) = rest.limits
    primitive = (1 - v) * (1 + v * w) ** (a - 1) / ((a - 1) * w) + (1 + v * w) ** a / (
        a * (a - 1) * w**2
    )
    steps = []
    for share, sign in ((w, "w > 0"), (-1 / (1 + s), "-1 < w < 0")):
        at = {w: share, v: 1 / (1 + c)}  # 0 < v < 1
        slope = sympy.diff(primitive, v).subs(at)
        steps.append(
            identity(slope, rest.function.subs(at), f"the primitive, {sign}", nonzero=[a - 1])
        )
        ends = (primitive.subs(v, high) - primitive.subs(v, low)).subs(w, share)
        whole = taylor.subs(rest, sympy.Symbol("I")).subs(w, share).subs(sympy.Symbol("I"), ends)
        told = f"Taylor with integral remainder, a not 1, {sign}"
        steps.append(identity(whole, power.subs(w, share), told, nonzero=[a - 1]))
    yield all_of(*steps)


@claim(
    "beyond/excess/log-convex",
    lines="beyond",
    kind="inequality",
    domain=r"0 < q < 1,\ \sigma > 0,\ \alpha \in \mathbb{R}",
    statement=r"\ln \frac{A_\alpha - 1}{\alpha(\alpha-1)}\ \text{is convex in}\ \alpha",
    broken={"concave": {"direction": -1}},
)
def log_convex(direction: Sign = 1) -> Iterator[Evidence]:
    """The excess of A over 1, divided by alpha(alpha-1), is log-convex in the order: it is a
    positive mixture h of exponentials x^alpha, by Taylor's remainder and E[w] = 0. For any positive
    measure h h'' - h'^2 is a double integral, and made symmetric in its two variables its integrand
    is x^s y^s (ln x - ln y)^2/2, never negative. Consequence: between two whole orders R is at most
    the larger of its values there."""
    x, y = sympy.symbols("x y", positive=True)
    one, other = x**s, y**s
    integrand = one * sympy.diff(other, s, 2) - sympy.diff(one, s) * sympy.diff(other, s)
    swapped = integrand.subs({x: y, y: x}, simultaneous=True)
    square = x**s * y**s * (sympy.log(x) - sympy.log(y)) ** 2 / 2
    both = (integrand + swapped) / 2
    yield all_of(
        identity(both, direction * square, "h h'' - h'^2, its integrand made symmetric"),
        positive(x**s * y**s / 2, "which is a square times something positive"),
        *ratio_moment(sympy.Integer(1)),  # E[r] = 1, so E[w] = 0
        rests_on(remainder.given()),
    )

    def holds(q: Fraction, sigma: Fraction, alpha: Fraction, gap: Fraction) -> bool:
        low, middle, high = (
            relative_excess(q, sigma, order) for order in (alpha, alpha + gap, alpha + 2 * gap)
        )
        with precision(200):
            return surely_below(middle.log() * 2, low.log() + high.log())

    ranges: Ranges = {"q": (1e-6, 0.9), "sigma": (0.3, 50), "alpha": (1.01, 60), "gap": (0.01, 5)}
    yield at_many(
        ranges,
        60,
        lambda **_: True,
        holds,
        "ln of the excess at a midpoint is below the chord, at certified points",
    )


BELOW_TWO = written(
    lambda: (A, "<=", 1 + alpha * (alpha - 1) / 2 * q**2 * (sympy.exp(1 / sigma**2) - 1))
)


def reflected(h: sympy.Expr, ratio: sympy.Symbol) -> sympy.Expr:
    """(h(r) + r h(1/r))/2: it has the mean of h, since z -> 1 - z exchanges mu0 and mu1, and r and 1/r."""
    return (h + ratio * h.subs(ratio, 1 / ratio)) / 2


def reflection_evidence() -> Evidence:
    """What the reflection rests on: mu0(1 - z) = mu1(z), so that E h(r) = E r h(1/r)."""
    return identity(density0(1 - z), density1(z), "the reflection exchanges mu0 and mu1")


@claim(
    "beyond/excess/below-two",
    lines="beyond",
    kind="inequality",
    domain=r"0 < q \le 1,\ \sigma > 0,\ 1 < \alpha \le 2",
    statement=BELOW_TWO,
    kernel=("excess_below_two", "renyi_below_two", "renyi_order_2"),
    broken={
        "smaller by 5 %": {"formula": BELOW_TWO.put({q**2: q**2 * sympy.Rational(95, 100)})},
        "smaller by a millionth": {
            "formula": BELOW_TWO.put({q**2: q**2 * (1 - sympy.Rational(1, 10**6))})
        },
        "orders up to 2.1": {"last": Fraction(21, 10)},
    },
)
def below_two(formula: Formula = BELOW_TWO, last: Fraction = Fraction(2)) -> Iterator[Evidence]:
    """Orders to 2, every sampling rate and every noise: epsilon <= ln(1 + alpha (alpha-1) q^2 t/2)/(alpha-1), t =
    e^{1/sigma^2} - 1, with equality at order 2. Write f = (A - 1)/(alpha (alpha-1)), log-convex in the order; so it is
    enough that f(1) <= f(2) = q^2 t/2. At order 1, f is the relative entropy E[(1+w) ln(1+w)] = q^2 int_0^1 (1-u)
    E[(r-1)^2/(1+p(r-1))] du with p = uq, r = mu1/mu0, and the mean in it is at most t = E[(r-1)^2]: the difference is
    p E[(r-1)^3/(1+p(r-1))], and averaged with its reflection that integrand is (1-p) (r-1)^4 (r+1) over something
    positive."""
    r, p, u, x = sympy.symbols("r p u x", positive=True)
    cube = (r - 1) ** 3 / (1 - p + p * r)
    square = (1 - p) * (r - 1) ** 4 * (r + 1) / (2 * r * (1 - p + p * r) * ((1 - p) * r + p))
    rate = 1 / (1 + x)  # p in (0, 1)
    low, high = ordered(formula.weak())  # equal at order 2
    identity(low, A)
    second = 1 + q**2 * (sympy.exp(1 / sigma**2) - 1)  # A at order 2: E[(1+w)^2] = 1 + E[w^2]
    primitive = (1 + u * w) * sympy.log(1 + u * w) - u * w
    yield all_of(
        identity(high.subs(a1, 1), second, "equality at order 2"),
        identity(
            (high - 1) / (ALPHA * a1) / (high - 1).subs(a1, 1), HALF,
            "the bound over alpha (alpha-1) is that of order 2",
        ),
        identity(
            sympy.diff(primitive, u, 2), w**2 / (1 + u * w),
            "(1+w) ln(1+w) = w + w^2 int_0^1 (1-u)/(1+uw) du, by Taylor",
        ),
        identity(
            (r - 1) ** 2 - (r - 1) ** 2 / (1 + p * (r - 1)), p * cube, "t minus the mean, integrands"
        ),
        identity(reflected(cube, r).subs(p, rate), square.subs(p, rate), "averaged with its reflection"),
        positive(sympy.factor(square.subs(p, rate)), "which is not negative", strict=False),
        reflection_evidence(),
        *ratio_moment(sympy.Integer(1)),
        *ratio_moment(sympy.Integer(2)),
        rests_on(log_convex.given(), remainder.given()),
    )  # fmt: skip

    def holds(q: Fraction, sigma: Fraction, alpha: Fraction) -> bool:
        return at_place(formula, Place(q, sigma, alpha, 40))

    ranges: Ranges = {"q": (1e-6, 1), "sigma": (0.2, 100), "alpha": (1.0001, last)}
    inside = lambda q, sigma, alpha: alpha != 2  # noqa: E731  # equality there
    yield at_many(ranges, 60, inside, holds, "the bound at certified points")
    if last != 2:
        raise Undecided("from order 2 on the excess rises")


@claim(
    "beyond/excess/rising",
    lines="beyond",
    kind="inequality",
    domain=r"0 < q \le 1,\ \sigma > 0,\ 2 \le \alpha < \beta",
    statement=r"\frac{A_\alpha - 1}{\alpha(\alpha-1)} \le \frac{A_\beta - 1}{\beta(\beta-1)}",
    kernel="excess_rising",
    broken={
        "falling": {"direction": -1},
    },
)
def rising(direction: Sign = 1) -> Iterator[Evidence]:
    """From order 2 on the excess A - 1, divided by alpha (alpha-1), never falls, for every sampling rate and noise; so
    A >= 1 + alpha (alpha-1) q^2 (e^{1/sigma^2} - 1)/2 at all real orders from 2 on. A log-convex function rises from
    where its derivative is not negative. At order 2 the derivative is q^2 int_0^1 (1-u) E[(r-1)^2 ln(1-p+pr)] du, p =
    uq; averaged with its reflection the integrand is (r-1)^2/2 times ln(1-p+pr) + ln(1-p+p/r)/r, and by the concavity
    of the logarithm that is at least p ln r (1 - 1/r) >= 0."""

    def holds(q: Fraction, sigma: Fraction, alpha: Fraction, gap: Fraction) -> bool:
        low, high = (relative_excess(q, sigma, order) for order in (alpha, alpha + gap))
        return surely_below(arb(0), (high - low) * direction)

    ranges: Ranges = {"q": (1e-6, 1), "sigma": (0.3, 100), "alpha": (2, 60), "gap": (0.01, 9)}
    yield at_many(
        ranges,
        60,
        lambda **_: True,
        holds,
        "R does not fall from one order to a larger one, at certified points",
    )
    r, p, x, y = sympy.symbols("r p x y", positive=True)
    integrand = (r - 1) ** 2 * sympy.log(1 - p + p * r)
    pair = sympy.log(1 - p + p * r) + sympy.log(1 - p + p / r) / r
    concave = sympy.log(1 - p + p * r) - p * sympy.log(r)
    slope = p * (1 - p) * (r - 1) / (r * (1 - p + p * r))
    rate = 1 / (1 + y)  # p in (0, 1)
    yield all_of(
        identity(
            reflected(integrand, r).subs(p, rate), ((r - 1) ** 2 / 2 * pair).subs(p, rate),
            "averaged with its reflection",
        ),
        identity(concave.subs(r, 1), 0, "ln(1-p+pr) - p ln r vanishes at r = 1"),
        identity(
            sympy.diff(concave, r).subs(p, rate), slope.subs(p, rate), "its slope has the sign of r - 1"
        ),
        positive(sympy.factor(slope.subs({p: rate, r: 1 + x})), "r > 1: it rises"),
        positive(sympy.factor(-slope.subs({p: rate, r: 1 / (1 + x)})), "r < 1: it falls"),
        positive(direction * sympy.log(1 + x) * (1 - 1 / (1 + x)), "ln r (1 - 1/r) > 0 for r > 1"),
        positive(direction * sympy.log(1 + x) * x, "and for r = 1/(1+x) < 1"),
        reflection_evidence(),
        rests_on(log_convex.given(), remainder.given()),
    )  # fmt: skip


def whole_orders(last: int, q: Fraction, sigma: Fraction) -> list[tuple[int, arb]]:
    """R_n for n = 2..last."""
    return [(n, relative_excess(q, sigma, Fraction(n))) for n in range(2, last + 1)]


def refuted_at(q: Fraction, sigma: Fraction, alpha: Fraction, factor: Fraction) -> None:
    """Rejected if epsilon surely exceeds factor q^2 alpha/sigma^2 there."""
    epsilon = Fraction(log_moment(q, sigma, alpha).lo) / (alpha - 1)
    if epsilon > factor * q**2 * alpha / sigma**2:
        raise Rejected(
            f"q = {q}, sigma = {sigma}, alpha = {alpha}: epsilon >= {float(epsilon):.6g}"
        )
