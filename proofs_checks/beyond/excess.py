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

from proofs_checks.paper import alpha
from proofs_checks.quantities.bell import ratio_moment
from proofs_checks.quantities.engine import Ranges, as_ball, log_moment
from proofs_checks.quantities.graphs import by_inversion
from proofs_checks.tools.algebra import identity, positive
from proofs_checks.tools.balls import rational
from proofs_checks.tools.draws import at_many
from proofs_checks.tools.formula import Formula, written
from proofs_checks.tools.prover import prove
from verify.balls import precision
from verify.claims import Evidence, Rejected, Sign, all_of, claim, rests_on

w, v, a, s, c = sympy.symbols("w v a s c", positive=True)
CORNER = (Fraction(1, 5), Fraction(4))


def relative_excess(q: Fraction, sigma: Fraction, alpha: Fraction, digits: int = 40) -> arb:
    """R_alpha as a ball, from the certified engine."""
    with precision(5 * digits):
        excess = as_ball(log_moment(q, sigma, alpha, digits)).expm1()
        return excess * rational(sigma**2 / (q**2 * alpha * (alpha - 1)))


def edges(k: int, t: sympy.Expr) -> sympy.Expr:
    """N_k(t)/t^2 for k >= 3, a polynomial with non-negative coefficients."""
    return sum(coefficient * t ** (m - 2) for m, coefficient in enumerate(by_inversion(k)) if m > 1)


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
            return bool(middle.log() * 2 <= low.log() + high.log())

    ranges: Ranges = {"q": (1e-6, 0.9), "sigma": (0.3, 50), "alpha": (1.01, 60), "gap": (0.01, 5)}
    yield at_many(
        ranges,
        60,
        lambda **_: True,
        holds,
        "ln of the excess at a midpoint is below the chord, at certified points",
    )


@claim(
    "beyond/excess/below-two",
    lines="beyond",
    kind="inequality",
    domain=r"0 < q \le 1/5,\ \sigma \ge 4,\ 1 < \alpha \le 2",
    statement=r"R_\alpha \le R_2 = \tfrac12 \sigma^2 (e^{1/\sigma^2}-1)",
    broken={
        "smaller by 5 %": {"factor": Fraction(95, 100)},
    },
)
def below_two(
    factor: Fraction = Fraction(1), largest: Fraction = Fraction(1, 5)
) -> Iterator[Evidence]:
    """Between order 1 and order 2 the relative excess is at most its value at 2. By log-convexity
    it is enough at order 1 (the Kullback-Leibler end), where 1/(1+y) = 1 - y + y^2/(1+y) with y =
    vw >= -q and the third and fourth central moments leave 1 - vq(N_3/N_2) + v^2 q^2
    (N_4/N_2)/(1-q) <= 1."""
    q, y, t, x = sympy.symbols("q y t x")
    # -vq N_3/N_2 + v^2 q^2 N_4/(N_2 (1-q)), divided by -vqt (N_2 = t); v = 1 is the worst.
    left = edges(3, t) - q * edges(4, t) / (1 - q)
    proof = prove(left > 0, {q: (0, largest), t: (0, Fraction(1, 15))}, step=True)
    small = prove(Fraction(1, 15) - (sympy.exp(x) - 1) > 0, {x: (0, Fraction(1, 16))})
    yield all_of(
        identity(1 / (1 + y), 1 - y + y**2 / (1 + y), "expansion of 1/(1+y)"),
        proof.evidence("N_3/N_2 > q (N_4/N_2)/(1-q) for t <= 1/15"),
        small.evidence("t = e^{1/sigma^2} - 1 < 1/15 for sigma >= 4"),
        rests_on(remainder, log_convex),
    )

    def holds(q: Fraction, sigma: Fraction, alpha: Fraction) -> bool:
        at_two = relative_excess(q, sigma, Fraction(2))
        return bool(relative_excess(q, sigma, alpha) <= at_two * rational(factor))

    ranges: Ranges = {"q": (1e-6, Fraction(1, 5)), "sigma": (4, 100), "alpha": (1.0001, 1.9999)}
    yield at_many(ranges, 60, lambda **_: True, holds, "R_alpha is at most R_2 at certified points")


@claim(
    "beyond/excess/rising",
    lines="beyond",
    kind="inequality",
    domain=r"0 < q \le 1/5,\ \sigma \ge 4,\ 2 \le \alpha < \beta",
    statement=r"R_\alpha \le R_\beta,\quad R_\alpha \ge \tfrac12 \sigma^2(e^{1/\sigma^2}-1)",
    broken={
        "falling": {"direction": -1},
    },
)
def rising(direction: Sign = 1, largest: Fraction = Fraction(1, 5)) -> Iterator[Evidence]:
    """From order 2 on the relative excess never falls, so A >= 1 + alpha(alpha-1) q^2 t/2 at real
    orders too. A log-convex function rises from where its derivative is non-negative; at order 2
    the derivative is the mean of ln(1+y), y = vw, weighted by w^2, and ln(1+y) >= y -
    y^2/(2(1-q)^2) for y >= -q leaves N_3/N_2 > q N_4/(2 N_2 (1-q)^2)."""
    q, t = sympy.symbols("q t")
    # ln(1+y) - y + y^2/(2 (1-q)^2) has the derivative y ((1+y) - (1-q)^2)/((1+y)(1-q)^2): the sign
    # of y
    # when 1+y >= 1-q >= (1-q)^2, so its minimum is at 0, where it vanishes.
    y = sympy.Symbol("y")
    function = sympy.log(1 + y) - y + y**2 / (2 * (1 - q) ** 2)
    slope = y * ((1 + y) - (1 - q) ** 2) / ((1 + y) * (1 - q) ** 2)
    rate, above = sympy.symbols("rate above", nonnegative=True)
    at_least = (1 - rate + above) - (1 - rate) ** 2  # 1+y = 1-q+above
    left = edges(3, t) - q * edges(4, t) / (2 * (1 - q) ** 2)
    proof = prove(left > 0, {q: (0, largest), t: (0, Fraction(1, 15))}, step=True)
    inside = sympy.factor(at_least.subs(rate, 1 / (1 + c)))
    yield all_of(
        identity(sympy.diff(function, y), slope, "derivative of ln(1+y) - y + y^2/(2(1-q)^2)"),
        positive(inside, "1+y >= (1-q)^2 for q = 1/(1+c)"),
        proof.evidence("E[w^2 ln(1+vw)] > 0"),
        rests_on(remainder, log_convex),
    )

    def holds(q: Fraction, sigma: Fraction, alpha: Fraction, gap: Fraction) -> bool:
        low, high = (relative_excess(q, sigma, order) for order in (alpha, alpha + gap))
        return bool((high - low) * direction >= 0)

    ranges: Ranges = {
        "q": (1e-6, Fraction(1, 5)),
        "sigma": (4, 100),
        "alpha": (2, 60),
        "gap": (0.01, 9),
    }
    yield at_many(
        ranges,
        60,
        lambda **_: True,
        holds,
        "R does not fall from one order to a larger one, at certified points",
    )


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
