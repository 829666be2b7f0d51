"""Numerical procedure: the integral as a sum, whole orders (lines 472-498)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import comb

import sympy

from proofs_checks import errata
from proofs_checks.paper import (
    NAMES,
    alpha,
    base,
    density,
    density0,
    exp,
    k,
    ln,
    mu,
    mu0,
    mu1,
    n,
    oo,
    q,
    r,
    ratio,
    rest,
    sigma,
    sqrt,
    values,
    x,
    z,
)
from proofs_checks.quantities.engine import as_ball, log_moment
from proofs_checks.quantities.half_lines import HalfLines
from proofs_checks.tools.algebra import identity, integral
from proofs_checks.tools.balls import rational
from proofs_checks.tools.formula import Formula, written
from verify.claims import (
    Evidence,
    Rejected,
    Sign,
    StepFails,
    all_of,
    certified_points,
    claim,
    rests_on,
    symbolic,
)
from verify.numbers.balls import precision

a = sympy.Symbol("a", positive=True)
i = sympy.Symbol("k", integer=True, nonnegative=True)
y = sympy.Symbol("y", real=True)
p = sympy.Symbol("p", positive=True)  # 1 - q
POINTS = (
    (Fraction(1, 2), Fraction(1)),
    (Fraction(1, 100), Fraction(4)),
    (Fraction(9, 10), Fraction(2, 3)),
)


@claim(
    "numerical/overview/swap",
    lines="474",
    kind="assertion",
    domain=r"0 < q < 1,\ \sigma > 0,\ \alpha > 0",
    statement=r"\mathbb{E}\sum_k t_k = \sum_k \mathbb{E}\,t_k",
    verdict="holds-with-repair",
    severity="gap",
    repair=r"\sum_k |\binom{\alpha}{k}| < \infty\ \text{for}\ \alpha > 0,\ \text{and each term "
    r"is at most "
    r"that coefficient times a fixed integrable function: dominated convergence}",
    kernel=("binomial_remainder", "A_series_limit"),
    erratum=errata.STABILITY,
    broken={
        "order -1/2, where the coefficients do not decay": {"orders": (Fraction(-1, 2),)},
        "all signs positive": {"sign": 1},
    },
)
def swap(
    orders: tuple[Fraction, ...] = (Fraction(1, 10), Fraction(3, 2), Fraction(41, 5)),
    sign: Sign = -1,
) -> Iterator[Evidence]:
    """Summation and integration are exchanged, and no reason is given. It is allowed: by Pascal's rule the
    partial sums of (-1)^k C(alpha,k) are (-1)^N C(alpha-1,N), and from k = ceil(alpha) on all
    these terms have one sign, so the binomial coefficients are absolutely summable for alpha > 0;
    on either side of the crossover a term is at most |C(alpha,k)| times the leading one."""
    m = sympy.Symbol("N", positive=True, integer=True)
    gamma = sympy.gamma

    def coefficient(order: sympy.Expr, index: sympy.Expr) -> sympy.Expr:
        return gamma(order + 1) / (gamma(index + 1) * gamma(order - index + 1))

    # S_N+1 - S_N divided by (-1)^{N+1}.
    step = coefficient(a - 1, m + 1) - sign * coefficient(a - 1, m)
    if sympy.simplify(sympy.gammasimp(step / coefficient(a, m + 1)) - 1) != 0:
        raise StepFails("Pascal's rule is not what this sign gives")
    pascal = symbolic(
        detail="partial sums of (-1)^k C(alpha,k) are (-1)^N C(alpha-1,N), by Pascal's rule"
    )
    with precision(200):
        for order in orders:
            sizes = [
                abs(HalfLines(Fraction(1, 2), Fraction(1), order - 1).binomial(n))
                for n in (20, 200, 2000)
            ]
            if not (sizes[0] > sizes[1] > sizes[2]):
                raise StepFails(f"alpha = {order}: the partial sums do not settle")
    # |C(alpha-1,N)| falls: its successive quotient is (N+1-alpha)/(N+1) < 1 exactly for alpha > 0.
    quotient = coefficient(a - 1, m + 1) / coefficient(a - 1, m)
    falls = identity(sympy.gammasimp(quotient), (a - 1 - m) / (m + 1), "quotient of partial sums")
    yield all_of(pascal, falls).repaired()


MIXTURE_RATIO = written(lambda: ((mu(z) / mu0(z)) ** alpha, "=", base(z) ** alpha))


@claim(
    "numerical/ratio",
    lines="476-479",
    kind="identity",
    domain=r"z \in \mathbb{R},\ 0 \le q \le 1,\ \sigma > 0,\ \alpha \in \mathbb{R}",
    statement=MIXTURE_RATIO,
    kernel="mu_over_mu0",
    broken={
        "q and 1-q exchanged": {
            "formula": MIXTURE_RATIO.put({base(z): q + (1 - q) * (mu1(z) / mu0(z))})
        }
    },
)
def mixture_ratio(formula: Formula = MIXTURE_RATIO) -> Iterator[Evidence]:
    """Divided by mu0, the mixture is 1-q plus q times the ratio of the two densities; taking powers
    changes nothing."""
    left, right = (side.as_base_exp() for side in formula.values(NAMES))
    identity(left[1], right[1], "one exponent")
    yield identity(sympy.simplify(left[0]), sympy.simplify(right[0]))


BINOMIAL = written(
    lambda: (
        (rest + q * r) ** n,
        "=",
        sympy.Sum(sympy.binomial(n, i) * (1 - q) ** (n - i) * q**i * r**i, (i, 0, n)),
    )
)


@claim(
    "numerical/whole/binomial",
    lines="482-485",
    kind="identity",
    domain=r"\alpha = n \in \mathbb{N}",
    statement=BINOMIAL,
    broken={
        "exponents exchanged": {
            "formula": BINOMIAL.put({(1 - q) ** (n - i): (1 - q) ** i, q**i: q ** (n - i)})
        },
        "sum to n-1": {
            "formula": BINOMIAL.put(
                {BINOMIAL.sides[1]: sympy.Sum(BINOMIAL.sides[1].function, (i, 0, n - 1))}
            )
        },
    },
)
def binomial(formula: Formula = BINOMIAL) -> Iterator[Evidence]:
    """The binomial theorem, expanded for n = 1..10, and the step from n to n+1 (Pascal's rule)
    for every n."""
    power, total = formula.values()
    for size in range(1, 11):
        left, right = power.subs(n, size), total.subs(n, size).doit()
        identity(left, right)
    yield certified_points(10, detail="n = 1..10, expanded")
    start = identity(power.subs(n, 1), total.subs(n, 1).doit(), "n = 1")
    yield all_of(start, _next_power(power, total))


def _next_power(power: sympy.Expr, total: sympy.Sum) -> Evidence:
    """One factor more turns the terms for n into those for n + 1: Pascal's rule, for every n and k."""
    m, j = sympy.symbols("m j", positive=True, integer=True)
    term = total.function

    def coefficient(size: sympy.Expr, index: sympy.Expr) -> sympy.Expr:
        known = term.subs({n: size, i: index}, simultaneous=True)
        return known.rewrite(sympy.gamma)

    terms = power.base.args if isinstance(power.base, sympy.Add) else ()
    free = sum((t for t in terms if not t.has(r)), sympy.Integer(0))
    other = power.base - free
    step = free * coefficient(m, j) + other * coefficient(m, j - 1)
    return identity(sympy.gammasimp(sympy.simplify(step / coefficient(m + 1, j))), 1, "the next n")


@claim(
    "numerical/whole/moments-suffice",
    lines="486-490",
    kind="assertion",
    domain=r"\alpha = n \in \mathbb{N},\ 0 < q < 1,\ \sigma > 0",
    statement=r"A_n = \sum_{k=0}^n \binom{n}{k}(1-q)^{n-k}q^k\,\mathbb{E}_{\mu_0}[(\mu_1/\mu_0)^k]",
    broken={
        "moments e^{k^2/(2 sigma^2)}": {"linear": 0},
        "moments e^{(k^2+k)/(2 sigma^2)}": {"linear": -1},
    },
)
def moments_suffice(linear: Fraction | int = 1) -> Iterator[Evidence]:
    """Expectation is linear, so at whole orders A is a finite combination of the moments of the
    density ratio: exact for a law with three values in place of the Gaussian, and with the closed
    form of the moments the sum lies in the certified integral's ball."""
    weights, places = sympy.symbols("w0:3", positive=True), sympy.symbols("r0:3", positive=True)
    for size in (2, 3, 5):
        direct = sum(w * (p + q * v) ** size for w, v in zip(weights, places, strict=True))
        by_moments = sum(
            comb(size, i)
            * p ** (size - i)
            * q**i
            * sum(w * v**i for w, v in zip(weights, places, strict=True))
            for i in range(size + 1)
        )
        identity(direct, by_moments)
    yield certified_points(3, detail="a law with three values, n = 2, 3, 5, exact")
    count = 0
    for rate, noise in POINTS:
        for size in (2, 7, 40):
            with precision(500):
                total = sum(
                    (
                        comb(size, i) * rational((1 - rate) ** (size - i) * rate**i)
                        * rational(Fraction(i * i - linear * i) / (2 * noise**2)).exp()
                        for i in range(size + 1)
                    ),
                    rational(0),
                )  # fmt: skip
                if not total.log().overlaps(as_ball(log_moment(rate, noise, Fraction(size), 40))):
                    raise Rejected(f"q = {rate}, sigma = {noise}, n = {size}: the integral differs")
            count += 1
    yield certified_points(count, detail="finite sum inside the ball of the certified integral")
    closed = sympy.exp((k**2 - linear * k) / (2 * sigma**2))
    yield all_of(
        identity(closed, values(MOMENT)[1], "the moments of the ratio"),
        rests_on(binomial.given(), moment.given()),  # expectation is linear
    )


EXPONENTS = written(
    lambda: (
        mu0(x) * (mu1(x) / mu0(x)) ** k,
        "=",
        1
        / (sigma * sqrt(2 * sympy.pi))
        * exp(-(x**2) / (2 * sigma**2) + k * ((x**2 - (x - 1) ** 2) / (2 * sigma**2))),
    )
)


@claim(
    "numerical/whole/exponents",
    lines="492-493",
    kind="identity",
    domain=r"x, k \in \mathbb{R},\ \sigma > 0",
    statement=EXPONENTS,
    kernel="completing_the_square",
    broken={
        "(x-1)^2 - x^2": {"formula": EXPONENTS.put({x**2 - (x - 1) ** 2: (x - 1) ** 2 - x**2})},
        "sigma in place of sigma^2": {"formula": EXPONENTS.put({2 * sigma**2: 2 * sigma})},
    },
)
def exponents(formula: Formula = EXPONENTS) -> Iterator[Evidence]:
    """Both densities have the same constant, so their ratio is the exponential of the difference of
    the exponents; times mu0 this is the first integrand of the calculation."""
    left, right = (sympy.expand_log(ln(side)) for side in values(formula))
    yield identity(left, right, "logarithms")


SQUARES = written(lambda: (k * (x**2 - (x - 1) ** 2), "=", 2 * k * x - k))


@claim(
    "numerical/whole/difference-of-squares",
    lines="494",
    kind="identity",
    domain=r"x, k \in \mathbb{R}",
    statement=SQUARES,
    broken={"2kx + k": {"formula": SQUARES.put({2 * k * x - k: 2 * k * x + k})}},
)
def difference_of_squares(formula: Formula = SQUARES) -> Iterator[Evidence]:
    """The squares cancel and a linear exponent is left."""
    yield identity(*formula.values())


COMPLETED = written(
    lambda: (
        -(x**2) / (2 * sigma**2) + (2 * k * x - k) / (2 * sigma**2),
        "=",
        -((x - k) ** 2) / (2 * sigma**2) + (k**2 - k) / (2 * sigma**2),
    )
)


@claim(
    "numerical/whole/complete-the-square",
    lines="495",
    kind="identity",
    domain=r"x, k \in \mathbb{R},\ \sigma > 0",
    statement=COMPLETED,
    broken={
        "k^2 + k": {"formula": COMPLETED.put({k**2 - k: k**2 + k})},
        "square of x+k": {"formula": COMPLETED.put({(x - k) ** 2: (x + k) ** 2})},
    },
)
def complete_the_square(formula: Formula = COMPLETED) -> Iterator[Evidence]:
    """Completing the square moves the Gaussian to k and leaves k^2 - k."""
    yield identity(*formula.values())


SHIFTED = written(
    lambda: (
        sympy.Integral(exp(COMPLETED.sides[1]), (x, -oo, oo)),
        "=",
        exp((k**2 - k) / (2 * sigma**2))
        * sympy.Integral(exp(-(y**2) / (2 * sigma**2)), (y, -oo, oo)),
    )
)


@claim(
    "numerical/whole/substitution",
    lines="496",
    kind="identity",
    domain=r"k \in \mathbb{R},\ \sigma > 0,\ y = x - k",
    statement=SHIFTED,
    broken={
        "y = x + k": {"shift": 1},
        "dy = 2 dx": {"jacobian": 2},
        "e^{k^2/(2 sigma^2)} in front": {
            "formula": SHIFTED.put({exp((k**2 - k) / (2 * sigma**2)): exp(k**2 / (2 * sigma**2))})
        },
    },
)
def substitution(
    formula: Formula = SHIFTED, shift: Fraction | int = -1, jacobian: Fraction | int = 1
) -> Iterator[Evidence]:
    """The substitution y = x - k has derivative 1 and takes the integrand to a centred Gaussian;
    the constant factor comes out of the integral."""
    whole, right = formula.values()
    factor, (centred,) = right.as_independent(sympy.Integral)[0], right.atoms(sympy.Integral)
    if whole.limits[0][1:] != centred.limits[0][1:]:
        raise StepFails("the line is not mapped to the line")
    moved = factor * centred.function.subs(y, x + shift * k)
    yield identity(whole.function, moved * sympy.diff(x + shift * k, x) * jacobian)


MOMENT = written(
    lambda: (
        sympy.Integral(mu0(x) * (mu1(x) / mu0(x)) ** k, (x, -oo, oo)),
        "=",
        exp((k**2 - k) / (2 * sigma**2)),
    )
)


@claim(
    "numerical/whole/moment",
    lines="497",
    kind="identity",
    domain=r"k \in \mathbb{R},\ \sigma > 0",
    statement=MOMENT,
    kernel="ratio_moment",
    broken={
        "e^{k^2/(2 sigma^2)}": {"formula": MOMENT.put({k**2 - k: k**2})},
        "e^{(k^2-k)/sigma^2}": {"formula": MOMENT.put({2 * sigma**2: sigma**2})},
    },
)
def moment(formula: Formula = MOMENT) -> Iterator[Evidence]:
    """The k-th moment of the density ratio, for every real k: the whole integral two ways, and
    the centred Gaussian integral that the chain of equations ends with."""
    left, closed = values(formula)
    ((_, low, high),) = left.limits
    primitive = closed * (1 + sympy.erf((x - k) / (sympy.sqrt(2) * sigma))) / 2
    integrand = sympy.powsimp(sympy.expand(density0(x) * ratio(x) ** k))
    one, other = (sympy.expand_log(ln(side)) for side in (left.function, integrand))
    identity(one, other, "logarithms of the integrands")
    yield from integral(integrand, x, low, high, closed, primitive)
    whole = sympy.erf(y / (sympy.sqrt(2) * sigma)) / 2
    yield from integral(density(y), y, -sympy.oo, sympy.oo, sympy.Integer(1), whole)
