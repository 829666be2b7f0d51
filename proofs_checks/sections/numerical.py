"""Numerical procedure: the integral as a sum, whole orders (lines 472-498)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import comb

import sympy

from proofs_checks.paper import density, density0, density1, q, ratio, sigma, z
from proofs_checks.tools.algebra import identity, integral
from proofs_checks.tools.balls import rational
from proofs_checks.tools.engine import as_ball, log_moment
from proofs_checks.tools.half_lines import HalfLines
from verify.balls import precision
from verify.claims import Evidence, Rejected, all_of, certified_points, claim, symbolic

a = sympy.Symbol("a", positive=True)
k = sympy.Symbol("k", real=True)
x = sympy.Symbol("x", real=True)
y = sympy.Symbol("y", real=True)
r = sympy.Symbol("r", positive=True)
p = sympy.Symbol("p", positive=True)  # 1 - q
CONSTANT = 1 / (sigma * sympy.sqrt(2 * sympy.pi))
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
    broken={
        "order -1/2, where the coefficients do not decay": {"orders": (Fraction(-1, 2),)},
        "all signs positive": {"sign": 1},
    },
)
def swap(
    orders: tuple[Fraction, ...] = (Fraction(1, 10), Fraction(3, 2), Fraction(41, 5)),
    sign: int = -1,
) -> Iterator[Evidence]:
    """Summation and integration are exchanged without a word. It is allowed: by Pascal's rule the
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
        raise Rejected("Pascal's rule is not what this sign gives")
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
                raise Rejected(f"alpha = {order}: the partial sums do not settle")
    # |C(alpha-1,N)| falls: its successive quotient is (N+1-alpha)/(N+1) < 1 exactly for alpha > 0.
    quotient = coefficient(a - 1, m + 1) / coefficient(a - 1, m)
    falls = identity(sympy.gammasimp(quotient), (a - 1 - m) / (m + 1), "quotient of partial sums")
    yield all_of(pascal, falls).repaired()


@claim(
    "numerical/ratio",
    lines="476-479",
    kind="identity",
    domain=r"z \in \mathbb{R},\ 0 \le q \le 1,\ \sigma > 0,\ \alpha \in \mathbb{R}",
    statement=r"(\mu(z)/\mu_0(z))^\alpha = \left((1-q) + q\,\mu_1(z)/\mu_0(z)\right)^\alpha",
    broken={"q and 1-q exchanged": {"weight": 1 - q}},
)
def mixture_ratio(weight: sympy.Expr = q) -> Iterator[Evidence]:
    """Divided by mu0, the mixture is 1-q plus q times the ratio of the two densities; taking powers
    changes nothing."""
    mixture = (1 - q) * density0(z) + q * density1(z)
    right = (1 - weight) + weight * ratio(z)
    yield identity(sympy.simplify(mixture / density0(z)), right)


@claim(
    "numerical/whole/binomial",
    lines="482-485",
    kind="identity",
    domain=r"\alpha = n \in \mathbb{N}",
    statement=r"\left((1-q) + q r\right)^n = \sum_{k=0}^n \binom{n}{k} (1-q)^{n-k} q^k r^k",
    broken={"exponents exchanged": {"exchanged": True}, "sum to n-1": {"missing": 1}},
)
def binomial(exchanged: bool = False, missing: int = 0) -> Iterator[Evidence]:
    """The binomial theorem, expanded for n = 1..10, and the step from n to n+1 (Pascal's rule)
    for every n."""
    for n in range(1, 11):
        total = sum(
            comb(n, i) * (p**i * q ** (n - i) if exchanged else p ** (n - i) * q**i) * r**i
            for i in range(n + 1 - missing)
        )
        yield identity(total, (p + q * r) ** n, f"n = {n}")
    n_, i_ = sympy.symbols("n i", positive=True, integer=True)
    pascal = sympy.binomial(n_, i_) + sympy.binomial(n_, i_ - 1) - sympy.binomial(n_ + 1, i_)
    yield identity(sympy.combsimp(pascal.rewrite(sympy.factorial)), 0, "Pascal's rule for every n")


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
def moments_suffice(linear: int = 1) -> Iterator[Evidence]:
    """Expectation is linear, so at whole orders A is a finite combination of the moments of the
    density ratio: exact for a law with three values in place of the Gaussian, and with the closed
    form of the moments the sum lies in the certified integral's ball."""
    weights, values = sympy.symbols("w0:3", positive=True), sympy.symbols("r0:3", positive=True)
    for n in (2, 3, 5):
        direct = sum(w * (p + q * v) ** n for w, v in zip(weights, values, strict=True))
        by_moments = sum(
            comb(n, i)
            * p ** (n - i)
            * q**i
            * sum(w * v**i for w, v in zip(weights, values, strict=True))
            for i in range(n + 1)
        )
        yield identity(direct, by_moments, f"n = {n}, three values")
    count = 0
    for rate, noise in POINTS:
        for n in (2, 7, 40):
            with precision(500):
                total = sum(
                    (
                        comb(n, i) * rational((1 - rate) ** (n - i) * rate**i)
                        * rational(Fraction(i * i - linear * i) / (2 * noise**2)).exp()
                        for i in range(n + 1)
                    ),
                    rational(0),
                )  # fmt: skip
                if not total.log().overlaps(as_ball(log_moment(rate, noise, Fraction(n), 40))):
                    raise Rejected(f"q = {rate}, sigma = {noise}, n = {n}: the integral differs")
            count += 1
    yield certified_points(count, detail="finite sum inside the ball of the certified integral")


@claim(
    "numerical/whole/exponents",
    lines="492-493",
    kind="identity",
    domain=r"x, k \in \mathbb{R},\ \sigma > 0",
    statement=r"\mu_0(x)\left(\frac{\mu_1(x)}{\mu_0(x)}\right)^k = \frac{1}{\sigma\sqrt{2\pi}}"
    r"\exp\left\{-\frac{x^2}{2\sigma^2} + k\,\frac{x^2-(x-1)^2}{2\sigma^2}\right\}",
    broken={"(x-1)^2 - x^2": {"sign": -1}, "sigma in place of sigma^2": {"width": sigma}},
)
def exponents(sign: int = 1, width: sympy.Expr = sigma**2) -> Iterator[Evidence]:
    """Both densities have the same constant, so their ratio is the exponential of the difference of
    the exponents; times mu0 this is the first integrand of the calculation."""
    exponent = -(x**2) / (2 * sigma**2) + sign * k * (x**2 - (x - 1) ** 2) / (2 * width)
    left = sympy.log(density0(x)) + k * (sympy.log(density1(x)) - sympy.log(density0(x)))
    yield identity(sympy.expand_log(left, force=True), sympy.log(CONSTANT) + exponent, "logarithms")


@claim(
    "numerical/whole/difference-of-squares",
    lines="494",
    kind="identity",
    domain=r"x, k \in \mathbb{R}",
    statement=r"k\,(x^2-(x-1)^2) = 2kx - k",
    broken={"2kx + k": {"constant": 1}},
)
def difference_of_squares(constant: int = -1) -> Iterator[Evidence]:
    """The squares cancel and a linear exponent is left."""
    yield identity(k * (x**2 - (x - 1) ** 2), 2 * k * x + constant * k)


@claim(
    "numerical/whole/complete-the-square",
    lines="495",
    kind="identity",
    domain=r"x, k \in \mathbb{R},\ \sigma > 0",
    statement=r"-\frac{x^2}{2\sigma^2} + \frac{2kx-k}{2\sigma^2} = -\frac{(x-k)^2}{2\sigma^2} + "
    r"\frac{k^2-k}{2\sigma^2}",
    broken={"k^2 + k": {"linear": 1}, "square of x+k": {"shift": -1}},
)
def complete_the_square(linear: int = -1, shift: int = 1) -> Iterator[Evidence]:
    """Completing the square moves the Gaussian to k and leaves k^2 - k."""
    left = -(x**2) / (2 * sigma**2) + (2 * k * x - k) / (2 * sigma**2)
    right = -((x - shift * k) ** 2) / (2 * sigma**2) + (k**2 + linear * k) / (2 * sigma**2)
    yield identity(left, right)


@claim(
    "numerical/whole/substitution",
    lines="496",
    kind="identity",
    domain=r"k \in \mathbb{R},\ \sigma > 0,\ y = x - k",
    statement=r"\int e^{-(x-k)^2/(2\sigma^2) + (k^2-k)/(2\sigma^2)}\,dx = "
    r"e^{(k^2-k)/(2\sigma^2)}\int e^{-y^2/(2\sigma^2)}\,dy",
    broken={"y = x + k": {"shift": 1}, "dy = 2 dx": {"jacobian": 2}},
)
def substitution(shift: int = -1, jacobian: int = 1) -> Iterator[Evidence]:
    """The substitution y = x - k has derivative 1 and takes the integrand to a centred Gaussian;
    the constant factor comes out of the integral."""
    inner = sympy.exp(-((x - k) ** 2) / (2 * sigma**2) + (k**2 - k) / (2 * sigma**2))
    outer = sympy.exp((k**2 - k) / (2 * sigma**2)) * sympy.exp(-(y**2) / (2 * sigma**2))
    moved = outer.subs(y, x + shift * k) * sympy.diff(x + shift * k, x) * jacobian
    yield identity(inner, moved)


@claim(
    "numerical/whole/moment",
    lines="497",
    kind="identity",
    domain=r"k \in \mathbb{R},\ \sigma > 0",
    statement=r"\mathbb{E}_{\mu_0}\left[(\mu_1/\mu_0)^k\right] = "
    r"\exp\left(\frac{k^2-k}{2\sigma^2}\right)",
    broken={"e^{k^2/(2 sigma^2)}": {"linear": 0}, "e^{(k^2-k)/sigma^2}": {"width": 1}},
)
def moment(linear: int = 1, width: int = 2) -> Iterator[Evidence]:
    """The k-th moment of the density ratio, for every real k: the whole integral two ways, and
    the centred Gaussian integral that the chain of equations ends with."""
    value = sympy.exp((k**2 - linear * k) / (width * sigma**2))
    primitive = value * (1 + sympy.erf((x - k) / (sympy.sqrt(2) * sigma))) / 2
    integrand = sympy.powsimp(sympy.expand(density0(x) * ratio(x) ** k))
    yield from integral(integrand, x, -sympy.oo, sympy.oo, value, primitive)
    whole = sympy.erf(y / (sympy.sqrt(2) * sigma)) / 2
    yield from integral(density(y), y, -sympy.oo, sympy.oo, sympy.Integer(1), whole)
