"""Numerical procedure: fractional orders, the two half-line series (lines 499-523)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

import sympy
from flint import arb

from proofs_checks import errata
from proofs_checks.beyond.series_error import binomials_are_moments, factors_are_moments
from proofs_checks.paper import (
    BOUND,
    DEFINITIONS,
    HALF,
    LEFT_MOMENT,
    LEFT_WEIGHT,
    RIGHT_MOMENT,
    RIGHT_WEIGHT,
    alpha,
    density0,
    density1,
    epsilon,
    k,
    ln,
    mu,
    mu0,
    mu1,
    oo,
    q,
    ratio,
    sigma,
    x,
    z,
    z1,
)
from proofs_checks.quantities.at_points import Place, holds
from proofs_checks.quantities.engine import as_ball, log_moment
from proofs_checks.quantities.half_lines import HalfLines
from proofs_checks.quantities.maximal_alpha import first_condition, second_condition
from proofs_checks.tools.algebra import antiderivative, identity
from proofs_checks.tools.balls import rational
from proofs_checks.tools.formula import Formula, Several, equivalent, evaluated, written
from verify.claims import (
    Evidence,
    Profile,
    Rejected,
    StepFails,
    Undecided,
    certified_points,
    claim,
    moved,
    rests_on,
)
from verify.numbers.balls import precision

a = sympy.Symbol("a", positive=True)
odds = sympy.Symbol("p", positive=True)  # (1-q)/q, so that 0 < q < 1 is built in
RATE, REST = 1 / (1 + odds), odds / (1 + odds)
Z1 = sympy.Rational(1, 2) + sigma**2 * sympy.log(odds)
CUT = sympy.Symbol("z1", real=True)
INTEGRAND = sympy.powsimp(sympy.expand(density0(x) * ratio(x) ** k))
CASES = (
    (Fraction(1, 2), Fraction(1), Fraction(11, 10)),
    (Fraction(1, 10), Fraction(2), Fraction(5, 2)),
    (Fraction(4, 5), Fraction(3, 2), Fraction(36, 5)),
)


CROSSOVER = equivalent(
    written(lambda: ((1 - q) * mu0(z1), "=", q * mu1(z1))),
    written(lambda: (z1, "=", HALF + sigma**2 * ln(1 / q - 1))),
)


@claim(
    "numerical/fractional/crossover",
    lines="500-504",
    kind="identity",
    domain=r"0 < q < 1,\ \sigma > 0",
    statement=CROSSOVER,
    verdict="holds-with-repair",
    severity="slip",
    repair=r"\text{the point is a crossover, not an inflection point, and needs}\ 0 < q < 1",
    kernel="z1_defining",
    erratum=errata.ENDS,
    broken={
        "without the half": {"formula": CROSSOVER.put({HALF: 0})},
        "ln q in place of ln(1/q - 1)": {"formula": CROSSOVER.put({1 / q - 1: 1 / q})},
    },
)
def crossover(formula: Several = CROSSOVER) -> Iterator[Evidence]:
    """The two weighted densities are equal exactly at z1 = 1/2 + sigma^2 ln(1/q - 1). The text
    calls it an inflection point, which the curves do not have there, and q = 1 has to be left
    out. Their quotient is strictly monotone in z, so there is no second solution."""
    equation, (name, cut) = formula.formulas[0], formula.formulas[1].stated()
    identity(name, z1)
    identity(
        evaluated(DEFINITIONS[z1], {}),
        evaluated(cut, {}),
        "z1 as all checks use it",
        nonzero=[1 / q - 1],
    )
    sides = equation.values({mu0: density0, mu1: density1, z1: cut})
    left, right = (side.subs(q, RATE) for side in sides)
    yield identity(sympy.simplify(sympy.log(left) - sympy.log(right)), 0, "equal at z1").repaired()
    yield identity(
        sympy.simplify(sympy.diff(ratio(z), z) / ratio(z)), 1 / sigma**2, "mu1/mu0 rises strictly"
    ).repaired()


def _piece(side: int, count: int, order: Fraction, u: Fraction) -> arb:
    """sum_{k<count} C(order,k) u^(side k), the series of (1+u^side)^order."""
    series = HalfLines(Fraction(1, 2), Fraction(1), order)
    return sum((series.binomial(i) * rational(u**side) ** i for i in range(count)), arb(0))


def _settles(side: int, order: Fraction, u: Fraction) -> None:
    """The partial sums reach (1+u^side)^order within the tail |C(order-1, N-1)|, or Rejected."""
    if u**side > 1:  # at few terms nothing is seen of that, next to 1
        raise StepFails(f"u = {u}: the terms of the series grow, there is no sum")
    for count in (20, 60):
        series = HalfLines(Fraction(1, 2), Fraction(1), order - 1)
        tail = abs(series.binomial(count - 1))
        gap = abs(_piece(side, count, order, u) - (1 + rational(u**side)) ** rational(order))
        if gap > tail:
            raise StepFails(f"alpha = {order}, u = {u}: {count} terms are off by {gap.str(4)}")


def _left_series(weight: sympy.Expr) -> Formula:
    return written(
        lambda: (
            (mu(z) / mu0(z)) ** alpha,
            "=",
            sympy.Sum(
                sympy.binomial(alpha, k) * weight * (mu1(z) / mu0(z)) ** k,
                (k, 0, oo),
            ),
        )
    )


LEFT_SERIES = _left_series(LEFT_WEIGHT)


def _base_and_term(formula: Formula, r: sympy.Expr) -> tuple[sympy.Expr, sympy.Expr]:
    """What is raised to alpha on the left, and the k-th term over C(alpha, k), with mu1/mu0 = r."""
    mixture = {mu: lambda at: (1 - q) * mu0(at) + q * mu1(at)}
    power, series = formula.values(mixture)
    whole, order = power.as_base_exp()
    if order != alpha or series.limits != sympy.Sum(k, (k, 0, oo)).limits:
        raise StepFails("not a series over all k >= 0 of a power alpha")
    term = series.function / sympy.binomial(alpha, k)
    at = {mu1(z): r * mu0(z)}
    return sympy.simplify(whole.subs(at)).subs(q, RATE), term.subs(at).subs(q, RATE)


@claim(
    "numerical/fractional/left-series",
    lines="507",
    kind="identity",
    domain=r"0 < q < 1,\ \sigma > 0,\ \alpha > 0,\ z \le z_1",
    statement=LEFT_SERIES,
    kernel="left_series",
    broken={
        "beyond z1": {"inside": (Fraction(3, 2),)},
        "powers of q and 1-q exchanged": {"formula": _left_series(RIGHT_WEIGHT)},
    },
)
def left_series(
    formula: Formula = LEFT_SERIES,
    inside: tuple[Fraction, ...] = (Fraction(1, 100), Fraction(1, 2), Fraction(1)),
) -> Iterator[Evidence]:
    """Left of the crossover u = q mu1/((1-q) mu0) = e^{(z-z1)/sigma^2} is at most 1, and the
    series is (1-q)^alpha times the binomial series of (1+u)^alpha: the term and the factored
    power are identical, and the binomial series converges for u <= 1, at z1 itself absolutely.
    Partial sums are within the proved tail |C(alpha-1,N-1)|."""
    u = sympy.Symbol("u", positive=True)
    r = odds * u  # mu1/mu0
    whole, term = _base_and_term(formula, r)
    scaled = sympy.powsimp(sympy.simplify(term / REST**alpha))
    yield identity(scaled, u**k, "the k-th term")
    yield identity(sympy.simplify(whole / REST), 1 + u, "what is raised to alpha")
    yield identity(ratio(z) / odds, sympy.exp((z - Z1) / sigma**2), "u = e^{(z-z1)/sigma^2}")
    with precision(300):
        for order in (Fraction(1, 2), Fraction(11, 10), Fraction(31, 4)):
            for value in inside:
                _settles(1, order, value)
    yield certified_points(3 * len(inside), detail="partial sums within the proved tail, u up to 1")


RIGHT_SERIES = written(
    lambda: (
        (mu(z) / mu0(z)) ** alpha,
        "=",
        sympy.Sum(
            sympy.binomial(alpha, k) * RIGHT_WEIGHT * (mu1(z) / mu0(z)) ** (alpha - k),
            (k, 0, oo),
        ),
    )
)


@claim(
    "numerical/fractional/right-series",
    lines="508",
    kind="identity",
    domain=r"0 < q < 1,\ \sigma > 0,\ \alpha > 0,\ z > z_1",
    statement=RIGHT_SERIES,
    kernel="right_series",
    broken={
        "left of z1": {"outside": (Fraction(2, 3),)},
        "power k of mu1/mu0": {
            "formula": RIGHT_SERIES.put({(mu1(z) / mu0(z)) ** (alpha - k): (mu1(z) / mu0(z)) ** k})
        },
    },
)
def right_series(
    formula: Formula = RIGHT_SERIES,
    outside: tuple[Fraction, ...] = (Fraction(100), Fraction(2), Fraction(1)),
) -> Iterator[Evidence]:
    """Right of the crossover the other summand is the larger one: (q mu1/mu0)^alpha times the
    binomial series of (1+1/u)^alpha, where u >= 1."""
    u = sympy.Symbol("u", positive=True)
    r = odds * u
    whole, term = _base_and_term(formula, r)
    scaled = sympy.powsimp(sympy.simplify(term / (RATE * r) ** alpha))
    yield identity(scaled, u ** (-k), "the k-th term")
    yield identity(sympy.simplify(whole / (RATE * r)), 1 + 1 / u, "what is raised to alpha")
    with precision(300):
        for order in (Fraction(1, 2), Fraction(11, 10), Fraction(31, 4)):
            for value in outside:
                _settles(-1, order, value)
    yield certified_points(
        3 * len(outside), detail="partial sums within the proved tail, u from 1 on"
    )


def _closed_form(formula: Formula) -> sympy.Expr:
    """The closed form of a half-line moment at any cut."""
    return formula.values({z1: CUT})[1]


def _half_line(formula: Formula, sign: int) -> Iterator[Evidence]:
    """A half-line moment two ways; sign 1 is (-oo, z1], -1 is [z1, oo)."""
    moment, value = formula.values({mu0: density0, mu1: density1, z1: CUT})
    ((_, low, high),) = moment.limits
    one, other = (sympy.expand_log(ln(f)) for f in (moment.function, INTEGRAND))
    identity(one, other, "logarithms of the integrands")
    if (low, high) != ((-oo, CUT) if sign > 0 else (CUT, oo)):
        raise StepFails(f"the half-line is ({low}, {high})")
    primitive = sign * value.subs(CUT, x)
    yield antiderivative(INTEGRAND, x, primitive)
    ends = sympy.limit(primitive, x, high) - sympy.limit(primitive, x, low)
    yield identity(ends, value, f"primitive {primitive}, with limits")
    direct = sympy.integrate(INTEGRAND, (x, low, high), conds="none")
    # erfc(-x) = 2 - erfc(x) is not among the rewritings: go over to erf, which is odd.
    odd = sympy.expand((direct - value).rewrite(sympy.erf))
    yield identity(sympy.powsimp(sympy.expand(odd.subs(CUT, k + x))), 0, "sympy integrates")


LEFT_INTEGRAL = written(
    lambda: (sympy.Integral(mu0(x) * (mu1(x) / mu0(x)) ** k, (x, -oo, z1)), "=", LEFT_MOMENT)
)


@claim(
    "numerical/fractional/left-integral",
    lines="511-516",
    kind="identity",
    domain=r"k, z_1 \in \mathbb{R},\ \sigma > 0",
    statement=LEFT_INTEGRAL,
    kernel="moment_left",
    broken={
        "erfc((z1-k)/...)": {"formula": LEFT_INTEGRAL.put({k - z1: z1 - k})},
        "e^{k^2/(2 sigma^2)}": {"formula": LEFT_INTEGRAL.put({k**2 - k: k**2})},
    },
)
def left_integral(formula: Formula = LEFT_INTEGRAL) -> Iterator[Evidence]:
    """The moment over the left half-line, for every real k and cut: an error function, two ways."""
    yield from _half_line(formula, 1)


RIGHT_INTEGRAL = written(
    lambda: (sympy.Integral(mu0(x) * (mu1(x) / mu0(x)) ** k, (x, z1, oo)), "=", RIGHT_MOMENT)
)


@claim(
    "numerical/fractional/right-integral",
    lines="517-518",
    kind="identity",
    domain=r"k, z_1 \in \mathbb{R},\ \sigma > 0",
    statement=RIGHT_INTEGRAL,
    kernel="moment_right",
    broken={
        "erfc((k-z1)/...)": {"formula": RIGHT_INTEGRAL.put({z1 - k: k - z1})},
        "e^{(k^2+k)/(2 sigma^2)}": {"formula": RIGHT_INTEGRAL.put({k**2 - k: k**2 + k})},
    },
)
def right_integral(formula: Formula = RIGHT_INTEGRAL) -> Iterator[Evidence]:
    """The moment over the right half-line. It is stated for the summation index, but the second
    series needs it at alpha - k, real and negative from some k on; it holds there too."""
    yield from _half_line(formula, -1)
    exponent = a - k
    needed = INTEGRAND.subs(k, exponent)
    slope = sympy.diff(-_closed_form(formula).subs(CUT, x).subs(k, exponent), x)
    yield identity(slope, needed, "primitive at the exponent alpha - k")


@claim(
    "numerical/fractional/to-convergence",
    lines="521",
    kind="assertion",
    domain=r"0 < q < 1,\ \sigma > 0,\ \alpha > 0\ \text{not whole}",
    statement=r"A_\alpha = \sum_k t_k,\ \text{summed to convergence}",
    verdict="holds-with-repair",
    severity="gap",
    repair=r"|A_\alpha - \sum_{k<N} t_k| \le |t_N|\ \text{for}\ N > \alpha:\ \text{the terms "
    r"alternate and fall}",
    kernel=("A_series_error", "A_series_limit"),
    erratum=errata.STABILITY,
    broken={
        "error a hundredth of the first omitted term": {"part": 100},
        "stopping already at N = 2 < alpha": {"early": True},
    },
)
def to_convergence(
    part: Fraction | int = 1, early: bool = False, profile: Profile = Profile.QUICK
) -> Iterator[Evidence]:
    """The text gives no rule when to stop and no error. A correct rule: from k = ceil(alpha) on
    the terms alternate in sign and fall (they are moments on [0, 1]), so the error is at most the
    first omitted term, and has its sign. That the sum still converges slowly is a separate
    matter: ten terms leave 1e-5 at q = 1/2."""
    lengths = (5, 20, 60) if profile is Profile.QUICK else (5, 10, 20, 40, 80, 160, 320)
    count = 0
    for rate, noise, order in CASES:
        series = HalfLines(rate, noise, order)
        exact = log_moment(rate, noise, order, 60)
        start = math.ceil(order)
        with precision(600):
            truth = as_ball(exact).exp()
            for length in (2,) if early else [start + n for n in lengths]:
                omitted, following = series.term(length), series.term(length + 1)
                error = truth - series.partial(length)
                within = (
                    abs(error) * rational(Fraction(part)) <= abs(omitted) and error * omitted >= 0
                )
                if not (within and omitted * following < 0 and abs(following) < abs(omitted)):
                    raise StepFails(f"q = {rate}, sigma = {noise}, alpha = {order}, N = {length}")
                count += 1
    yield certified_points(
        count, detail="error below the first omitted term, with its sign"
    ).repaired()
    # Moments of a positive measure on [0, 1] fall, and here they alternate: Leibniz's criterion.
    yield rests_on(binomials_are_moments, factors_are_moments).repaired()
    rate, noise, order = CASES[0]
    with precision(300):
        error = abs(
            HalfLines(rate, noise, order).partial(10)
            - as_ball(log_moment(rate, noise, order)).exp()
        )
        if not rational(Fraction(1, 10**6)) < error < rational(Fraction(1, 10**4)):
            raise StepFails(f"ten terms are off by {error.str(4)}")
    yield certified_points(
        detail=f"q = 1/2, sigma = 1, alpha = 1.1: ten terms are off by {error.str(3)}"
    ).repaired()


COMPARISON = written(
    lambda: (epsilon, "<=", BOUND), note=r"\ \text{at the orders that the theorem allows}"
)


@claim(
    "numerical/comparison",
    lines="523",
    kind="assertion",
    domain=r"\sigma \in \{4, 10\},\ 10^{-6} \le q \le 1/5",
    statement=COMPARISON,
    kernel="theorem_11",
    broken={
        "bound a quarter as large": {"formula": COMPARISON.put({BOUND: BOUND / 4})},
        "beyond the orders that are allowed": {"beyond": 50},
    },
)
def comparison(formula: Formula = COMPARISON, beyond: Fraction | int = 1) -> Iterator[Evidence]:
    """Bound and exact value can be compared where both exist: for both noise levels of the
    figure, eight rates and five orders up to the largest allowed one, the certified epsilon is
    below the bound."""
    count = 0
    for noise in (Fraction(4), Fraction(10)):
        for text in ("1e-6", "1e-5", "1e-4", "1e-3", "0.01", "0.05", "0.1", "0.2"):
            rate = Fraction(text)
            last = min(first_condition(rate, noise, 10)[0], second_condition(rate, noise, 10)[0])
            for part in (
                Fraction(1, 100),
                Fraction(1, 4),
                Fraction(1, 2),
                Fraction(3, 4),
                Fraction(1),
            ):
                order = 1 + (last - 1) * part * beyond
                if not holds(formula, Place(rate, noise, order)):
                    raise Rejected(f"q = {text}, sigma = {noise}, alpha = {float(order):.6g}")
                count += 1
    if moved():  # what is true at these points need not be true between them
        raise Undecided("the theorem is for this bound, at the orders that its conditions allow")
    yield certified_points(count, detail="epsilon below the bound")
