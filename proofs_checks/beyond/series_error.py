"""The fractional series: its terms are moments, and the error when it is accelerated is proved."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import sympy
from flint import arb

from proofs_checks import paper
from proofs_checks.paper import (
    NAMES,
    A,
    alpha,
    density0,
    exp,
    k,
    mu0,
    mu1,
    q,
    ratio,
    sigma,
    sqrt,
    z,
    z1,
)
from proofs_checks.quantities.engine import as_ball, log_moment
from proofs_checks.quantities.half_lines import HalfLines, acceleration_weights, reduction
from proofs_checks.tools.algebra import identity, positive
from proofs_checks.tools.balls import ball, rational
from proofs_checks.tools.formula import Formula, Several, exactly, written
from verify.claims import (
    Evidence,
    Profile,
    Sign,
    StepFails,
    Undecided,
    all_of,
    certified_points,
    claim,
    rests_on,
    symbolic,
)
from verify.numbers.balls import precision

a = sympy.Symbol("a", positive=True)
p = sympy.Symbol("p", positive=True)  # q = 1/(1+p): the odds (1-q)/q
RATE = 1 / (1 + p)
ONE, HALF = sympy.Integer(1), sympy.Rational(1, 2)
Z1 = sympy.Rational(1, 2) + sigma**2 * sympy.log(p)
CASES = (
    (Fraction(1, 2), Fraction(1), Fraction(11, 10)),
    (Fraction(1, 100), Fraction(4), Fraction(3, 2)),
    (Fraction(1, 5), Fraction(2), Fraction(73, 10)),
    (Fraction(9, 10), Fraction(1, 2), Fraction(5, 2)),
    (Fraction(1, 3), Fraction(1), Fraction(1, 2)),
)


j = sympy.Symbol("j", positive=True, integer=True)
v = sympy.Symbol("u", positive=True)
BINOMIALS = written(
    lambda: (
        sympy.Abs(sympy.binomial(alpha, paper.n + j)),
        "=",
        sympy.Abs(sympy.sin(sympy.pi * alpha))
        / sympy.pi
        * sympy.Integral(v ** (paper.n + j - alpha - 1) * (1 - v) ** alpha, (v, 0, 1)),
    )
)


def _beta(whole: sympy.Integral) -> sympy.Expr:
    """Euler's integral of u^(x-1) (1-u)^(y-1) over (0, 1), as Gamma functions."""
    powers = dict(factor.as_base_exp() for factor in sympy.Mul.make_args(whole.function))
    if set(powers) != {v, 1 - v} or whole.limits[0][1:] != (0, 1):
        raise StepFails(f"{whole} is no Beta integral")
    first, second = powers[v] + 1, powers[1 - v] + 1
    return sympy.gamma(first) * sympy.gamma(second) / sympy.gamma(first + second)


@claim(
    "beyond/series/binomials-are-moments",
    lines="beyond",
    kind="identity",
    domain=r"\alpha > 0\ \text{not whole},\ n = \lceil\alpha\rceil,\ j \ge 0",
    statement=BINOMIALS,
    broken={
        "exponent alpha-1 of 1-u": {
            "formula": BINOMIALS.put({(1 - v) ** alpha: (1 - v) ** (alpha - 1)})
        },
        "without the 1/pi": {"formula": BINOMIALS.put({1 / sympy.pi: 1})},
    },
)
def binomials_are_moments(formula: Formula = BINOMIALS) -> Iterator[Evidence]:
    """From k = ceil(alpha) on, the absolute values of the binomial coefficients are Hausdorff
    moments of a positive measure on [0, 1]. The integral is Euler's Beta function; the identity
    is checked as one of Gamma functions, at symbolic j for orders in (m, m+1), every m, with the
    reflection formula, and by balls."""
    coefficient, moment = formula.values()
    if coefficient != BINOMIALS.values()[0]:
        raise StepFails(f"{coefficient} is not |C(alpha, n + j)|")
    (whole,) = moment.atoms(sympy.Integral)
    closed = moment.subs(whole, _beta(whole))
    d = sympy.Symbol("d", positive=True)  # alpha = m + d, 0 < d < 1
    m = sympy.Symbol("m", nonnegative=True, integer=True)
    order, place = m + d, m + 1 + j
    # C(alpha, k) = Gamma(alpha+1)/(Gamma(k+1) Gamma(alpha-k+1)); reflect the last factor:
    # 1/Gamma(x) = Gamma(1-x) sin(pi x)/pi at x = alpha-k+1 = d-j, |sin(pi(d-j))| = sin(pi d).
    absolute = (
        sympy.gamma(order + 1) * sympy.gamma(1 - d + j) * sympy.sin(sympy.pi * d)
        / (sympy.gamma(place + 1) * sympy.pi)
    )  # fmt: skip
    positive_sine = {sympy.Abs(sympy.sin(sympy.pi * alpha)): sympy.sin(sympy.pi * d)}
    there = closed.subs(positive_sine).subs({alpha: order, paper.n: m + 1})
    quotient = sympy.gammasimp(absolute / there)
    if sympy.simplify(quotient - 1) != 0:
        raise StepFails(f"orders in ({m}, {m + 1}): off by the factor {quotient}")
    yield symbolic(detail="orders in (m, m + 1), every m and j")
    with precision(200):
        for real, place in ((Fraction(3, 2), 2), (Fraction(7, 3), 5), (Fraction(1, 2), 9)):
            binomial = abs(HalfLines(Fraction(1, 2), Fraction(1), real).binomial(place))
            start = -(-real.numerator // real.denominator)
            sine = sympy.Symbol("s")
            there = closed.subs(sympy.Abs(sympy.sin(sympy.pi * alpha)), sine)
            known = {
                alpha: rational(real), paper.n: rational(start), j: rational(place - start),
                sine: abs(rational(real).sin_pi()),
            }  # fmt: skip
            if not binomial.overlaps(ball(there, known)):
                raise StepFails(f"alpha = {real}, k = {place}")
    yield certified_points(3, detail="Gamma functions and exact binomials, in balls")


u = sympy.Symbol("u", positive=True)
FACTORS = Several(
    (
        written(lambda: ((q / (1 - q)) ** k * (mu1(z) / mu0(z)) ** k, "=", u**k)),
        written(
            lambda: (u, "=", exp((z - z1) / sigma**2), "<=", 1), note=r"\ \text{for}\ z \le z_1"
        ),
    )
)


@claim(
    "beyond/series/factors-are-moments",
    lines="beyond",
    kind="identity",
    domain=r"0 < q < 1,\ \sigma > 0,\ k \in \mathbb{R}",
    statement=FACTORS,
    broken={
        "u = e^{(z-z1)/(2 sigma^2)}": {
            "formula": FACTORS.put({(z - z1) / sigma**2: (z - z1) / (2 * sigma**2)})
        },
        "z1 without the half": {"formula": FACTORS.put({z1: z1 - HALF})},
        "right of z1": {"side": 1},
    },
)
def factors_are_moments(formula: Several = FACTORS, side: Sign = -1) -> Iterator[Evidence]:
    """The Gaussian factors of the two series are moments as well: left of z1 the factor of
    C(alpha, k) is the integral of u^k, u = e^{(z-z1)/sigma^2}, against a positive weight, right
    of z1 that of u^{-k} <= 1. A product of two moment sequences on [0, 1] is one (multiplicative
    convolution), so the terms from ceil(alpha) on are moments with alternating signs."""
    first, second = formula.formulas
    (product, power), (name, meaning, one) = first.values(NAMES), second.values(NAMES, "=", "<=")
    identity(name, u)
    identity(one, 1)
    u_of_z = sympy.simplify(meaning.subs(q, RATE))
    yield identity(ratio(z) / p, u_of_z, "q/(1-q) mu1/mu0 = u")
    both = (side.subs(q, RATE).subs(u, u_of_z) for side in (product, power))
    left, right = (sympy.expand_log(sympy.log(side)) for side in both)
    yield identity(sympy.simplify(left), sympy.simplify(right), "powers")
    further = sympy.Symbol("d", nonnegative=True)  # z = z1 - d
    at_most = sympy.log(u_of_z.subs(z, Z1 + side * further))
    positive(-sympy.expand_log(at_most), "u <= 1 for z <= z1", strict=False)
    # The left terms: C(alpha,k) (1-q)^{alpha-k} q^k r^k = C(alpha,k) (1-q)^alpha u^k; right:
    # q^alpha r^alpha u^{-k}.
    other = p / (1 + p)
    left = other ** (a - k) * RATE**k * (p * u) ** k / other**a
    right = other**k * RATE ** (a - k) * (p * u) ** (-k) / RATE**a
    yield identity(sympy.powsimp(sympy.simplify(left)), u**k, "left term")
    yield identity(sympy.powsimp(sympy.simplify(right)), u ** (-k), "right term")
    weight = sigma**2 * density0(Z1 + sigma**2 * sympy.Symbol("l", real=True))
    yield positive(weight, "weight in l = ln u: (1-q)^alpha sigma^2 mu0(z1 + sigma^2 l) > 0")


@claim(
    "beyond/series/acceleration",
    lines="beyond",
    kind="identity",
    domain=r"n \ge 1",
    statement=r"S_n = \int \frac{d_n - T_n(1-2x)}{d_n (1+x)}\,d\mu(x),\quad d_n = T_n(3) = "
    r"\tfrac12\left[(3+\sqrt8)^n + (3-\sqrt8)^n\right]",
    broken={"d_n = (3+sqrt8)^n": {"half": False}, "polynomial T_n(1-x)": {"scale": 1}},
)
def acceleration(half: bool = True, scale: Fraction | int = 2) -> Iterator[Evidence]:
    """The Cohen-Villegas-Zagier weights are those of the Chebyshev polynomial T_n(1-2x), which is
    at most 1 on [0, 1] and d_n at -1; so for an alternating series of moments the error is the
    integral of T_n(1-2x)/(d_n(1+x)), at most S/d_n <= a_0/d_n. The weights come from a recurrence, which is
    that of the coefficients of (d_n - T_n(1-2x))/(1+x): T_n(1-2x) solves x(1-x)y'' + (1/2-x)y' + n^2 y = 0,
    which gives each of its coefficients from the one before. Up to n = 12 they are compared as whole
    numbers."""
    x = sympy.Symbol("x")
    root = sympy.sqrt(8)
    for n in range(1, 13):
        polynomial = sympy.chebyshevt(n, 1 - scale * x)
        d = reduction(n)
        closed = ((3 + root) ** n + (3 - root) ** n) / 2 if half else (3 + root) ** n
        if sympy.expand(closed) != d or sympy.expand(polynomial.subs(x, -1)) != d:
            raise StepFails(f"n = {n}: d_n = {d}")
        quotient, rest = sympy.div(sympy.Poly(d - polynomial, x), sympy.Poly(1 + x, x))
        coefficients = [int(c) for c in reversed(quotient.all_coeffs())]
        if not rest.is_zero or coefficients != acceleration_weights(n):
            raise StepFails(f"n = {n}: the weights are not those of the polynomial")
    yield certified_points(12, detail="weights and d_n, n = 1..12, whole numbers")
    angle, n = sympy.symbols("theta n", real=True)
    step = sympy.cos((n + 1) * angle) + sympy.cos((n - 1) * angle)
    product = sympy.expand_trig(step - 2 * sympy.cos(angle) * sympy.cos(n * angle))
    if not half or scale != 2:  # 1 - 2x
        raise Undecided("the recurrence is that of T_n(1 - 2x), and d_n its value at -1")
    both = [(3 + root) ** n + (3 - root) ** n for n in (n + 1, n, n - 1)]
    closed = sympy.expand(sympy.simplify(both[0] - 6 * both[1] + both[2]))
    yield all_of(
        identity(product, 0, "T_n(cos) = cos(n .) by the recurrence, so |T_n| <= 1, every n"),
        identity(closed, 0, "d_(n+1) = 6 d_n - d_(n-1): d_n = T_n(3), so 1 + x divides d_n - T_n"),
        *_coefficients(),
    )


def _coefficients() -> Iterator[Evidence]:
    """The coefficients of T_n(1-2x) by recurrence, every n: 1 - 2x = cos(angle), x = sin(angle/2)^2.

    Multiplied by 1 + x, the weights c_k = b_k - c_(k-1) with b_k = -(coefficient k) give d_n - T_n(1-2x).
    """
    angle, n, k = sympy.symbols("theta n k", positive=True)
    x, y = sympy.sin(angle / 2) ** 2, sympy.cos(n * angle)
    slope = sympy.diff(y, angle) / sympy.diff(x, angle)
    bend = sympy.diff(slope, angle) / sympy.diff(x, angle)
    equation = sympy.simplify(sympy.expand_trig(x * (1 - x) * bend + (HALF - x) * slope + n**2 * y))
    yield identity(equation, 0, "T_n(1-2x) solves x(1-x)y'' + (1/2-x)y' + n^2 y = 0")
    quotient = 2 * (k + n) * (k - n) / ((2 * k + 1) * (k + 1))  # as acceleration_weights has it
    from_equation = (k * (k - 1) + k - n**2) / ((k + 1) * k + (k + 1) / 2)
    yield identity(
        quotient, from_equation, "so the quotient of two coefficients is the recurrence's"
    )


S_n, a_0, d_n = sympy.symbols("S_n a_0 d_n", positive=True)
PROVED_ERROR = written(
    lambda: (
        sympy.Abs(A - S_n),
        "<=",
        a_0 / d_n,
        "<=",
        2 * a_0 * (3 + sqrt(8)) ** (-paper.n),
    )
)


@claim(
    "beyond/series/proved-error",
    lines="beyond",
    kind="inequality",
    domain=r"0 < q < 1,\ \sigma > 0,\ \alpha > 0\ \text{not whole},\ n \ge 1",
    statement=PROVED_ERROR,
    broken={
        "plain summation with that error": {"plain": True},
        "error smaller by 10^8": {"formula": PROVED_ERROR.put({a_0: a_0 / 10**8})},
    },
)
def proved_error(
    formula: Formula = PROVED_ERROR, plain: bool = False, profile: Profile = Profile.QUICK
) -> Iterator[Evidence]:
    """The error of the accelerated series is at most a_0/d_n, a_0 the first term it accelerates:
    1.31 terms a digit. Certified sums, computed from the paper's terms in ball arithmetic, are
    compared with the certified integral at five points and several n; the difference always lies
    within the bound."""
    count = 0
    lengths = (5, 10, 20, 40) if profile is Profile.QUICK else (3, 5, 8, 10, 15, 20, 30, 40, 60)
    sides = formula.values({}, "<=", "<=")
    for rate, noise, order in CASES:
        exact = log_moment(rate, noise, order, 60)
        series = HalfLines(rate, noise, order)
        for steps in lengths:
            with precision(600):
                start = -(-order.numerator // order.denominator)
                known = {
                    A: as_ball(exact).exp(),
                    S_n: series.partial(start + steps) if plain else series.accelerated_sum(steps),
                    a_0: abs(series.term(start)),
                    d_n: arb(reduction(steps)),
                    paper.n: arb(steps),
                }
                error, bound, rough = (ball(side, known) for side in sides)
                if bound < error or not bound <= rough:
                    raise StepFails(f"q = {rate}, sigma = {noise}, alpha = {order}, n = {steps}")
                # Beyond the integral's own 60 digits the comparison says nothing.
                count += bool(bound > error)
    for side, shown in zip(formula.sides, PROVED_ERROR.sides, strict=True):
        exactly(side, shown)  # d_n >= (3 + sqrt 8)^n / 2 is the last relation
    yield rests_on(binomials_are_moments, factors_are_moments, acceleration)
    yield certified_points(
        count, len(CASES) * len(lengths) - count, detail="accelerated sums within a_0/d_n"
    )
