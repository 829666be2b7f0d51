"""Where epsilon <= 2 q^2 alpha/sigma^2 holds without the paper's conditions on alpha, and zCDP."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import sympy

from proofs_checks.beyond.excess import (
    CORNER,
    log_convex,
    refuted_at,
    relative_excess,
    whole_orders,
)
from proofs_checks.beyond.graph_expansion import monotone
from proofs_checks.beyond.order_one_half import theorem as mixture_above_component
from proofs_checks.paper import (
    ALPHA,
    BOUND,
    DEFINITIONS,
    A,
    a1,
    alpha,
    constant_of_bound,
    density0,
    epsilon,
    exp,
    ln,
    q,
    ratio,
    rest,
    sigma,
    value,
    z,
)
from proofs_checks.quantities.at_points import Place, holds
from proofs_checks.quantities.engine import Ranges, divergence, reverse_divergence
from proofs_checks.sections.a_geq_b_corollary import corollary
from proofs_checks.sections.reduction_to_a_line import theorem_4
from proofs_checks.tools.algebra import identity, integral, positive
from proofs_checks.tools.balls import rational
from proofs_checks.tools.draws import at_many, surely_at_most
from proofs_checks.tools.formula import Formula, written
from verify.claims import (
    Evidence,
    StepFails,
    Undecided,
    all_of,
    certified_points,
    certified_region,
    claim,
    rests_on,
)

HALF = Fraction(1, 2)
rational_ = sympy.Rational
order = sympy.Symbol("k", real=True)


TO_ORDER_30 = written(lambda: (epsilon, "=", ln(A) / (alpha - 1), "<=", BOUND))


@claim(
    "beyond/unconditional/orders-to-30",
    lines="beyond",
    kind="inequality",
    domain=r"0 < q \le 1/5,\ \sigma \ge 4,\ 1 < \alpha \le 30,\ \alpha \in \mathbb{R}",
    statement=TO_ORDER_30,
    broken={
        "constant 1/2": {"formula": TO_ORDER_30.put({BOUND: BOUND / 4})},
        "orders to 57": {"last": 57},
        "sigma from 2": {"corner": (Fraction(1, 5), Fraction(2))},
    },
)
def to_order_30(
    formula: Formula = TO_ORDER_30,
    last: int = 30,
    corner: tuple[Fraction, Fraction] = CORNER,
) -> Iterator[Evidence]:
    """The bound of the main theorem needs no condition on alpha up to order 30. Since ln A <= A -
    1, it follows from R <= 2. At whole orders R grows with q and falls with sigma, so the corner
    q = 1/5, sigma = 4 is the worst; at real orders R is log-convex, so between n and n+1 it is at
    most the larger of the two; and below order 2, convexity of A in alpha with A_1 = 1 gives
    R_alpha <= 2 R_2/alpha. What is left are 29 numbers, certified in balls."""
    name, quotient, bound = formula.stated("=", "<=")
    identity(value(DEFINITIONS.get(name, name)), value(quotient), "epsilon is ln A/(alpha-1)")
    factor = constant_of_bound(bound)
    q, noise = corner
    values = whole_orders(last, q, noise)
    for n, excess in values:
        # Below order 2 the chord from A_1 = 1 to A_2 costs a factor 2/alpha < 2.
        worst = 2 * excess if n == 2 else excess
        if not worst <= rational(factor):
            for suspect in (Fraction(n), Fraction(last)):
                refuted_at(q, noise, suspect, factor)
            raise Undecided(f"R_{n} = {excess.str(8, radius=False)} at the corner, above {factor}")
    x, a = sympy.Symbol("x", positive=True), sympy.Symbol("a", real=True)
    top = max((excess for _, excess in values), key=lambda excess: float(excess.mid()))
    corner_values = certified_region(
        len(values),
        detail=f"all of q <= {q}, sigma >= {noise}, 1 < alpha <= {last} by monotony: R at the "
        "corner is "
        f"at most {top.str(10, radius=False)}, at whole orders 2..{last}",
    )
    yield all_of(
        identity(sympy.diff(x**a, a, 2), x**a * sympy.log(x) ** 2, "A is convex in alpha"),
        corner_values,
        rests_on(monotone, log_convex),
    )


with sympy.evaluate(False):
    gaussian_moment = exp(alpha * (alpha - 1) / (2 * sigma**2))
RAW_MOMENT = written(
    lambda: (
        q**alpha * gaussian_moment,
        "<=",
        A,
        "<=",
        rest + q * gaussian_moment,
        "<=",
        gaussian_moment,
    )
)


@claim(
    "beyond/unconditional/raw-moment",
    lines="beyond",
    kind="inequality",
    domain=r"0 < q \le 1,\ \sigma > 0,\ \alpha \ge 1",
    statement=RAW_MOMENT,
    kernel=("A_ge_sampled_part", "A_le_mixture", "A_le_unsampled"),
    broken={
        "upper bound smaller by 1 %": {
            "formula": RAW_MOMENT.put(
                {RAW_MOMENT.sides[2]: RAW_MOMENT.sides[2] * rational_(99, 100)}
            )
        },
        "lower bound larger by 1 %": {
            "formula": RAW_MOMENT.put(
                {RAW_MOMENT.sides[0]: RAW_MOMENT.sides[0] * rational_(101, 100)}
            )
        },
        "moment of order alpha^2": {"formula": RAW_MOMENT.put({alpha * (alpha - 1): alpha**2})},
    },
)
def raw_moment(formula: Formula = RAW_MOMENT) -> Iterator[Evidence]:
    """Two bounds of A that need no condition: the power is convex, so the mixture's power is at
    most the mixture of powers; and (1-q) + q r >= q r. The raw moment E[r^alpha] is an integral,
    done two ways, and it is at least 1 for alpha >= 1."""
    x = sympy.Symbol("x", positive=True)
    yield positive(sympy.diff(x ** (1 + a1), x, 2), "x^alpha is convex for alpha > 1")
    rate, other, r = sympy.symbols("rate rest r", nonnegative=True)
    yield positive(other + rate * r - rate * r, "(1-q) + q r >= q r", strict=False)
    yield positive((1 + a1) * a1 / sigma**2, "the exponent is positive, so the moment exceeds 1")

    def inside(q: Fraction, noise: Fraction, alpha: Fraction) -> bool:
        # the lower bound is sharp to 1e-20 at high orders
        return holds(formula, Place(q, noise, alpha, 60), bits=400)

    # At high orders the lower bound becomes sharp, at q next to 1 both do.
    ranges: Ranges = {"q": (1e-3, 0.9999), "noise": (1, 20), "alpha": (1.5, 60)}
    yield at_many(ranges, 120, lambda **_: True, inside, "both bounds at certified points")
    low, middle, mixture, whole = formula.values({}, "<=", "<=", "<=")
    identity(middle, A)
    identity(low, q**alpha * whole, "q^alpha times the raw moment")
    identity(mixture, (1 - q) + q * whole, "the mixture of powers")
    target = whole.subs(alpha, order)
    integrand = density0(z) * ratio(z) ** order
    primitive = target * (1 + sympy.erf((z - order) / (sympy.sqrt(2) * sigma))) / 2
    yield from integral(
        sympy.powsimp(sympy.expand(integrand)), z, -sympy.oo, sympy.oo, target, primitive
    )


FROM_HALF = written(lambda: (epsilon, "<=", alpha / (2 * sigma**2), "<=", BOUND))


@claim(
    "beyond/unconditional/half",
    lines="beyond",
    kind="inequality",
    domain=r"1/2 \le q \le 1,\ \sigma > 0,\ \alpha > 1",
    statement=FROM_HALF,
    kernel=("zcdp", "closed_form_large_q"),
    broken={
        "q from 2/5": {"smallest": Fraction(2, 5)},
        "constant 1": {"formula": FROM_HALF.put({BOUND: BOUND / 2})},
    },
)
def from_half(formula: Formula = FROM_HALF, smallest: Fraction = HALF) -> Iterator[Evidence]:
    """From q = 1/2 on the bound holds at every order and noise: epsilon is at most that of the
    Gaussian without sampling, alpha/(2 sigma^2), and 2 q^2 >= 1/2. Below 1/2 it fails at large
    orders."""
    name, gaussian, bound = formula.stated("<=", "<=")
    factor = constant_of_bound(bound)
    identity(name, epsilon)
    by_moment = ln(RAW_MOMENT.sides[-1]) / (alpha - 1)
    identity(value(gaussian), value(by_moment), "the largest raw moment gives it")
    if factor * smallest**2 < HALF:
        # The Gaussian's epsilon is reached in the limit: find an order where the bound fails.
        refuted_at(smallest, Fraction(1), Fraction(2000), factor)
        raise Undecided(f"{factor} q^2 < 1/2 at q = {smallest}")
    q0 = sympy.Symbol("c", nonnegative=True)
    room = (value(bound - gaussian) * sigma**2 / ALPHA).subs(q, rational_(1, 2) + q0)
    yield positive(sympy.expand(room), "2 q^2 - 1/2 for q = 1/2 + c", strict=False)
    yield rests_on(raw_moment)

    by_gaussian, _ = formula.parts()  # the other part is an equality at q = 1/2

    def inside(q: Fraction, noise: Fraction, alpha: Fraction) -> bool:
        return holds(by_gaussian, Place(q, noise, alpha))

    ranges: Ranges = {"q": (smallest, 0.999), "noise": (0.1, 100), "alpha": (1.0001, 1000)}
    yield at_many(ranges, 80, lambda **_: True, inside, "epsilon against the bound")


@claim(
    "beyond/unconditional/half-mechanism",
    lines="beyond",
    kind="inequality",
    domain=r"1/2 \le q \le 1,\ \sigma > 0,\ \alpha > 1,\ f\ \text{of}\ \ell_2\text{-sensitivity } 1",
    statement=r"\text{SGM is}\ (\alpha, 2q^2\alpha/\sigma^2)\text{-RDP}",
    kernel="space_mechanism_rdp_large_q",
    broken={"q from 2/5": {"smallest": Fraction(2, 5)}},
)
def half_mechanism(smallest: Fraction = HALF) -> Iterator[Evidence]:
    """From q = 1/2 on the guarantee of the main theorem needs no condition on the order or the noise, for every
    function of sensitivity 1, in any dimension: the reduction to the line, and A >= B."""
    refuted_at(smallest, Fraction(1), Fraction(2000), Fraction(2))
    yield rests_on(from_half.given(smallest=smallest), corollary.given(), theorem_4.given())


@claim(
    "beyond/zcdp/exact-constant",
    lines="beyond",
    kind="assertion",
    domain=r"0 < q \le 1,\ \sigma > 0,\ \alpha > 1",
    statement=r"\sup_{\alpha > 1} \frac{1}{\alpha}\max(D_\alpha(\mu\|\mu_0), "
    r"D_\alpha(\mu_0\|\mu)) = \frac{1}{2\sigma^2}",
    kernel=("zcdp", "zcdp_constant_optimal"),
    broken={
        "rho smaller by 1 %": {"rho": Fraction(99, 200)},
        "sampling amplifies: q/(2 sigma^2)": {"amplified": True},
    },
)
def zcdp(rho: Fraction = HALF, amplified: bool = False) -> Iterator[Evidence]:
    """The mechanism satisfies rho-zCDP exactly for rho >= 1/(2 sigma^2), whatever q > 0 is. Upper
    end: the raw-moment bound gives D_alpha <= alpha/(2 sigma^2), and the other direction is
    smaller. Lower end: D_alpha/alpha >= 1/(2 sigma^2) + ln q/(alpha-1), whose limit is 1/(2
    sigma^2)."""
    rate = sympy.Symbol("q", positive=True)
    a = sympy.Symbol("a", positive=True)
    lower = (a * sympy.log(rate) + a * (a - 1) / (2 * sigma**2)) / (a * (a - 1))
    constant = (
        sympy.Rational(rho.numerator, rho.denominator) * (rate if amplified else 1) / sigma**2
    )
    yield identity(sympy.limit(lower, a, sympy.oo), constant, "limit of the lower bound")
    yield identity(
        sympy.simplify(lower - 1 / (2 * sigma**2)), sympy.log(rate) / (a - 1), "rate of the limit"
    )
    yield rests_on(raw_moment, mixture_above_component)

    def holds(q: Fraction, noise: Fraction, alpha: Fraction) -> bool:
        most = rho * alpha / noise**2
        both = (divergence(q, noise, alpha), reverse_divergence(q, noise, alpha))
        return all(surely_at_most(cost, most) for cost in both)

    ranges: Ranges = {"q": (1e-4, 0.999), "noise": (0.2, 50), "alpha": (1.01, 3000)}
    yield at_many(ranges, 80, lambda **_: True, holds, "both directions below alpha/(2 sigma^2)")
    for chosen, noise, top in ((Fraction(1, 100), Fraction(4), Fraction(50_000)),):
        share = divergence(chosen, noise, top).lo * 2 * noise**2 / top
        if not share > Fraction(995, 1000):
            raise StepFails(
                f"q = {chosen}, sigma = {noise}, alpha = {top}: only {float(share):.4f}"
            )


@claim(
    "beyond/unconditional/first-failure",
    lines="beyond",
    kind="inequality",
    domain=r"(q, \sigma) = (1/5, 4)",
    statement=r"R_{30} < 2 < R_{31}\ \text{at}\ (1/5, 4)",
    broken={"one order later": {"n": 31}, "one order earlier": {"n": 29}},
)
def first_failure(n: int = 30) -> Iterator[Evidence]:
    """Order 30 is where this proof ends, not where the bound does: at the corner R passes 2
    between the orders 30 and 31, while the bound itself holds there up to order 56.28."""
    q, noise = CORNER
    here, after = (relative_excess(q, noise, Fraction(k)) for k in (n, n + 1))
    if not (here < 2 and after > 2):
        raise StepFails(f"R_{n} = {here.str(6)}, R_{n + 1} = {after.str(6)}")
    yield certified_points(
        2, detail=f"R_30 = {here.str(8, radius=False)}, R_31 = {after.str(8, radius=False)}"
    )
