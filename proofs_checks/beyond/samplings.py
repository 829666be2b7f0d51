"""Other samplings and relations: which two distributions are the worst, and which data sets attain them.

A pair of distributions dominates a step if its hockey sticks H_a(P||Q) = sup_A P(A) - a Q(A) are at least those of the
step for every a >= 0. Products of dominating pairs dominate runs (Zhu, Dong and Wang), and a product that data sets
attain is the answer itself. The proofs in full stand at the heads of the modules in ``verify/accounting/pairs``; here
each step that is algebra is checked as algebra.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from fractions import Fraction

import sympy

from proofs_checks.tools.algebra import identity, positive
from proofs_checks.tools.formula import Formula, written
from verify.accounting.pairs.run import Run
from verify.accounting.questions import Account
from verify.claims import (
    Evidence,
    Rejected,
    Sign,
    Undecided,
    all_of,
    certified_points,
    claim,
    symbolic,
)

r, s, t, u, z = sympy.symbols("r s t u z", positive=True)
p, q, kappa, E = sympy.symbols("p q kappa E", positive=True)
x, y = sympy.symbols("x y", real=True)


@claim(
    "beyond/samplings/half-lines",
    lines="beyond",
    kind="inequality",
    domain=r"U, V \text{ random vectors in } \mathbb{R}^d,\ \sigma > 0,\ a \ge 0",
    statement=r"H_a\bigl(\mathbb{E}\,N(U, \sigma^2 I) \,\|\, \mathbb{E}\,N(V, \sigma^2 I)\bigr) \le "
    r"H_a\bigl(\mathbb{E}\,N(|U|, \sigma^2) \,\|\, \mathbb{E}\,N(-|V|, \sigma^2)\bigr)",
    broken={"both on one side": {"sign": -1}},
)
def half_lines(sign: Sign = 1) -> Iterator[Evidence]:
    """Mixtures of shifted Gaussians are told apart best when all shifts lie on one line, the two mixtures on opposite
    sides. A test of size Phi(z) under N(0) has power at most Phi(z + |u|/sigma) against N(u) (Neyman and Pearson: the
    likelihood ratio rises along u), and at least Phi(z - |v|/sigma) against N(v). The half-line attains both bounds at
    once, for every u and v, and both are monotone in |u| and |v|."""
    density = sympy.exp(-((x - r) ** 2) / (2 * s**2)) / sympy.exp(-(x**2) / (2 * s**2))
    rising = sympy.simplify(sympy.diff(sympy.log(density), x))
    power = (1 + sympy.erf((z + sign * r / s) / sympy.sqrt(2))) / 2
    slope = sympy.diff(power, r)
    bell = sympy.exp(-((z + sign * r / s) ** 2) / 2) / (s * sympy.sqrt(2 * sympy.pi))
    yield all_of(
        identity(rising, r / s**2, "the slope of the log likelihood ratio"),
        positive(r / s**2, "it rises"),
        identity(slope, bell, "the power grows with the distance"),
        positive(bell, "strictly"),
    )


ROOT = (p * (E - 1) + sympy.sqrt(p**2 * (E - 1) ** 2 + 4 * kappa**2 * E)) / (2 * kappa)


@claim(
    "beyond/samplings/replace-one",
    lines="beyond",
    kind="identity",
    domain=r"0 < q < 1,\ \sigma > 0,\ \varepsilon \ge 0,\ \kappa = q e^{-1/(2\sigma^2)}",
    statement=r"e^{t^*/\sigma} = \frac{p(e^\varepsilon-1) + \sqrt{p^2(e^\varepsilon-1)^2 + 4\kappa^2 e^\varepsilon}}{2\kappa}",
    broken={
        "the other root": {
            "root": ROOT.subs(
                sympy.sqrt(p**2 * (E - 1) ** 2 + 4 * kappa**2 * E),
                -sympy.sqrt(p**2 * (E - 1) ** 2 + 4 * kappa**2 * E),
            )
        },
        "a coefficient larger by a millionth": {"root": ROOT * (1 + sympy.Rational(1, 10**6))},
    },
)
def replace_one(root: sympy.Expr = ROOT) -> Iterator[Evidence]:
    """Poisson sampling, one record replaced: the worst pair is p N(0) + q N(1) against p N(0) + q N(-1), attained by
    opposite gradients. The loss of a step rises in t, so the event that it exceeds epsilon is a half-line; its end is
    the positive root of a quadratic equation in e^{t/sigma}."""
    plus, minus = p + kappa * u, p + kappa / u
    loss_slope = sympy.simplify(sympy.diff(sympy.log(plus / minus), u))
    expected = kappa / plus + kappa / (u**2 * minus)
    yield all_of(
        identity(loss_slope, expected, "the slope of the loss"),
        positive(expected, "the loss rises"),
        identity(
            sympy.expand(u * (plus - E * minus)),
            kappa * u**2 + p * (1 - E) * u - kappa * E,
            "the equation",
        ),
        identity(sympy.expand(kappa * root**2 + p * (1 - E) * root - kappa * E), 0, "its root"),
    )
    if (
        not sympy.simplify(root.subs({p: sympy.Rational(1, 2), kappa: sympy.Rational(1, 4), E: 2}))
        > 0
    ):
        raise Rejected("at p = 1/2, kappa = 1/4, e^eps = 2 the root is not positive")


@claim(
    "beyond/samplings/simulation",
    lines="beyond",
    kind="identity",
    domain=r"x \in \mathbb{R}^d,\ |x| \le 1",
    statement=r"\sigma^2 x x^T + \sigma^2 (I - x x^T) = \sigma^2 I,\quad y^T (I - x x^T) y \ge 0",
    broken={"noise left as it is": {"rest": 1}},
)
def simulation(rest: Fraction | int = 0) -> Iterator[Evidence]:
    """Whatever decides when the differing record takes part, independently of the outputs: the outputs of a run can be
    made from a vector o' with o'_t ~ N(b_t, sigma^2), b_t = 1 where it takes part, by o_t = m_t + x_t o'_t + noise of
    covariance sigma^2 (I - x_t x_t^T). So the pair (mean over b of N(b), N(0)) dominates for add/remove and zero-out,
    adaptively and in every dimension. In the plane of x and any vector (y1, y2), with x = (r, 0), the quadratic
    form of I - x x^T is y1^2 (1 - r^2) + y2^2."""
    y1, y2 = sympy.symbols("y1 y2", real=True)
    shrink = sympy.Symbol("c", nonnegative=True)  # 1 - r^2
    form = y1**2 + y2**2 - (r * y1) ** 2
    outer = s**2 * sympy.Matrix([[r**2, 0], [0, 0]])
    kept = s**2 * (sympy.eye(2) - (1 - rest) * sympy.Matrix([[r**2, 0], [0, 0]]))
    total = outer + kept
    yield all_of(
        *(identity(total[i, i], s**2, f"variance {i + 1}") for i in range(2)),
        identity(
            form.subs(r, sympy.sqrt(1 - shrink)), y1**2 * shrink + y2**2, "the quadratic form"
        ),
        positive(y1**2 * shrink + y2**2, "is not negative", strict=False),
    )


R, c, N = sympy.symbols("R c N", positive=True)
j = sympy.Symbol("j", integer=True, nonnegative=True)


@claim(
    "beyond/samplings/real-roots",
    lines="beyond",
    kind="assertion",
    domain=r"0 < q < 1,\ \sigma > 0,\ k \in \mathbb{N}",
    statement=r"\sum_j \tbinom kj q^j (1-q)^{k-j} e^{-j^2/(2\sigma^2)} u^j \text{ has only real, negative zeros}",
    broken={"weights e^{+j^2/(2 sigma^2)}": {"sign": -1}},
)
def real_roots(sign: Sign = 1) -> Iterator[Evidence]:
    """With theta = u d/du: u^{1-R}(u^R f)' = (R + theta) f and, for R > deg f, -u^{1+R}(u^{-R} f)' = (R - theta) f
    keep all zeros negative (Rolle). Their products (1 - c theta^2/N)^N multiply the coefficient of u^j by
    (1 - c j^2/N)^N, whose limit is e^{-c j^2}; zeros of limits are limits of zeros (Hurwitz). So each factor of the
    likelihood ratio of a group is that of a single record, and its bounds in the strip carry over."""
    power = u**j
    theta = sympy.simplify(u * sympy.diff(power, u))
    up = sympy.simplify(u ** (1 - R) * sympy.diff(u**R * power, u))
    down = sympy.simplify(-(u ** (1 + R)) * sympy.diff(u ** (-R) * power, u))
    both = sympy.expand((1 + j / R) * (1 - j / R))
    square = sympy.Symbol("m", positive=True)  # j^2
    limit = sympy.limit((1 - sign * c * square / N) ** N, N, sympy.oo)
    yield all_of(
        identity(up, R * power + theta, "the operator R + theta"),
        identity(down, R * power - theta, "the operator R - theta"),
        identity(both, 1 - j**2 / R**2, "their product"),
        identity(limit, sympy.exp(-c * square), "the limit"),
    )


a = sympy.Symbol("a", positive=True)
X, Y, Z = sympy.symbols("X Y Z", positive=True)
JOINT = written(
    lambda: (
        (1 - q) * Y + q * X - a * ((1 - q) * Y + q * Z),
        "=",
        q * (X - (1 + (a - 1) / q - a) * Y - a * Z),
    )
)


@claim(
    "beyond/samplings/fixed-size-joint-convexity",
    lines="beyond",
    kind="identity",
    domain=r"0 < q \le 1,\ a \ge 1,\ X, Y, Z \text{ densities}",
    statement=JOINT,
    broken={"a for a'": {"formula": JOINT.put({1 + (a - 1) / q - a: 1 + (a - 1) - a})}},
)
def joint_convexity(formula: Formula = JOINT) -> Iterator[Evidence]:
    """A batch of fixed size holds the record with probability q, else another record: Y without it, X with it, Z with its
    replacement. Pointwise, the hockey stick at a of the two mixtures is q times that of X against a mixture of Y and Z at
    a' = 1 + (a-1)/q, where Y has the weight a' - a. All three lie in a ball of diameter 2, so one step is at most the pair
    (q, sigma/2), which is attained by Y = Z = -1, X = +1 (advanced joint convexity of Balle, Barthe and Gaboardi)."""
    left, right = formula.stated()
    yield all_of(
        identity(left, right, "pointwise"),
        identity(1 + (a - 1) / q - a, (a - 1) * (1 - q) / q, "the weight of Y"),
    )


b = sympy.Symbol("b", positive=True)
THROUGH = written(lambda: (X - a * b * Y, "=", (X - a * Z) + a * (Z - b * Y)))


@claim(
    "beyond/samplings/through-a-third-world",
    lines="beyond",
    kind="identity",
    domain=r"a, b \ge 1,\ X, Y, Z \text{ densities}",
    statement=THROUGH,
    broken={
        "the factor left out": {"formula": THROUGH.put({a * (Z - b * Y): Z - b * Y})},
        "a factor smaller by a millionth": {
            "formula": THROUGH.put({a * (Z - b * Y): a * (1 - Fraction(1, 10**6)) * (Z - b * Y)})
        },
    },
)
def through_a_third_world(formula: Formula = THROUGH) -> Iterator[Evidence]:
    """Random allocation, one record replaced: X with the record, Y with its replacement, Z with the record's gradient zero.
    Each part of the difference is at most its positive part, so H_{ab}(X||Y) <= H_a(X||Z) + a H_b(Z||Y), which is
    delta(e1 + e2) <= delta(e1) + e^e1 delta(e2): of both halves the exact delta is known."""
    left, right = formula.stated()
    yield identity(left, right, "the difference, in two parts")


SHUFFLED = ((100, 1, 1, 2), (100, 1, 10, 4), (50, 2, 20, 2), (100, 4, 30, 1))
"""Batches, sigma, epochs, epsilon."""


@claim(
    "beyond/samplings/shuffle",
    lines="beyond",
    kind="inequality",
    domain=r"\text{shuffled epochs, one record replaced, at four runs}",
    statement=r"\delta_{\text{shuffle}}(\varepsilon) \ge \delta_{\text{allocation}, \sigma/2}(\varepsilon) > \delta_{\text{Poisson}}(\varepsilon)",
    broken={
        "the other way round": {"sign": -1},
        "a trillion times the Poisson delta": {"factor": 10**12},
    },
)
def shuffle(sign: Sign = 1, factor: int = 1) -> Iterator[Evidence]:
    """The Poisson delta is not valid for a shuffled loader. All other gradients are -1, the record is +1 and its replacement
    -1: the batch of the record moves by 2 and no other, and each batch is as likely (counted over all permutations of small
    data sets). So the outputs are those of random allocation with noise sigma/2, whose delta exceeds the exact
    Poisson delta of the same batches, certified at four runs."""
    for batches, sigma, epochs, epsilon in SHUFFLED:
        run = Run.of(
            sigma=sigma, steps=batches, epochs=epochs, sampling="shuffle", relation="replace-one"
        )
        poisson = Run.of(
            q=Fraction(1, batches), sigma=sigma, steps=batches * epochs, relation="replace-one"
        )
        low = Account(run).delta(epsilon, 6).lo
        exact = Account(poisson).delta(epsilon, 6)
        if sign < 0 and low > exact.hi:
            raise Rejected(
                f"at {batches} batches, sigma = {sigma}, {epochs} epochs, epsilon = {epsilon}: {float(low):.4g} > {float(exact.hi):.4g}"
            )
        if low < factor * exact.lo:
            raise Rejected(
                f"at {batches} batches, sigma = {sigma}, {epochs} epochs, epsilon = {epsilon}: the lower end is {float(low):.4g}, not {factor} times {float(exact.lo):.4g}"
            )
        if not low > factor * exact.hi:
            raise Undecided("the two cannot be told apart")
    yield all_of(
        symbolic(_each_batch_as_likely(), detail="the position of a record, over all permutations"),
        certified_points(len(SHUFFLED), detail="the lower end exceeds the Poisson delta"),
    )


def _each_batch_as_likely() -> int:
    """Records in batches of two or three: how many permutations were counted."""
    counted = 0
    for batches, size in ((2, 2), (3, 2), (2, 3)):
        n = batches * size
        places = [0] * batches
        for order in itertools.permutations(range(n)):
            places[order.index(0) // size] += 1
            counted += 1
        if places != [math.factorial(n) // batches] * batches:
            raise Rejected(f"with {batches} batches of {size} the positions are {places}")
    return counted
