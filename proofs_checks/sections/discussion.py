"""Discussion: privacy loss, its moments, and how they relate to the divergence (lines 541-561, 588)."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from fractions import Fraction

import sympy

from proofs_checks import errata
from proofs_checks.paper import ALPHA, alpha, density, density0, density1, exp, ln, sigma, z
from proofs_checks.quantities.bell import bell
from proofs_checks.quantities.engine import as_ball
from proofs_checks.tools.algebra import antiderivative, identity, positive
from proofs_checks.tools.counterexample import certified_counterexample, exact_counterexample
from proofs_checks.tools.finite import Law, bernoulli, moment, random_law
from proofs_checks.tools.formula import Formula, written
from verify import log_a, log_b
from verify.claims import Evidence, Rejected, Sign, StepFails, all_of, certified_points, claim
from verify.numbers.balls import precision

p, q = sympy.symbols("p q", positive=True)
a = sympy.Symbol("a", positive=True)
PAIR = r"P = M(S),\ Q = M(S')"
POINTS = r"\alpha > 0,\ P \ll Q"


M_a, c = sympy.symbols(r"M_\alpha c", real=True)
P, Q = sympy.symbols("P Q", positive=True)
under_first, under_second = (sympy.Function(name) for name in ("E_{M(S)}", "E_{M(S')}"))
EXPECTATIONS = {  # as integrands, summed or integrated over the outcomes
    under_first: lambda f: p * f,
    under_second: lambda f: q * f,
    P: p,
    Q: q,
    c: ln(p / q),
    alpha: a,
}
LOSS_MOMENT = written(lambda: (M_a, "=", under_first(exp(alpha * c))))


def loss_moment(first: Law, second: Law, order: int) -> Fraction:
    """E_P[e^{order c}], c = ln(P/Q), summed over the outcomes."""
    pairs = zip(first, second, strict=True)
    return sum((x * (x / y) ** order for x, y in pairs), Fraction(0))


def loss_and_divergence(swapped: bool = False) -> Evidence:
    """M_a(P, Q) = e^{a D_(a+1)(P||Q)} on random laws, in exact rationals."""
    generator = random.Random(9)
    count = 0
    for _, order in itertools.product(range(10), (1, 2, 4)):
        first, second = random_law(generator, 4), random_law(generator, 4)
        pair = (second, first) if swapped else (first, second)
        if loss_moment(first, second, order) != moment(*pair, order + 1):
            raise Rejected(f"order {order}: {first}, {second}")
        count += 1
    return certified_points(count, detail="random laws, exact rationals")


@claim(
    "discussion/moments-of-the-loss",
    lines="541",
    kind="assertion",
    domain=PAIR,
    statement=r"\text{CDP, zCDP, the moments accountant and RDP bound moments of the privacy loss}",
    broken={"the divergence of the swapped pair": {"swapped": True}},
)
def moments_of_the_loss(swapped: bool = False) -> Iterator[Evidence]:
    """A bound on a divergence of order above 1 is a bound on an exponential moment of the privacy loss."""
    yield loss_and_divergence(swapped)
    yield identity(p * (p / q) ** a, q * (p / q) ** (a + 1), "integrands")


@claim(
    "discussion/privacy-loss",
    lines="543-546",
    kind="definition",
    domain=PAIR,
    statement=r"c(z; M, S, S') = \log\frac{\Pr[M(S) = z]}{\Pr[M(S') = z]}",
    broken={"ratio inverted": {"sign": -1}},
)
def privacy_loss(sign: Sign = 1) -> Iterator[Evidence]:
    """The privacy loss changes sign when the datasets are exchanged; its mean under M(S) is not negative.

    For Gaussian noise and a shift by 1 it is (1 - 2z)/(2 sigma^2), with mean 1/(2 sigma^2).
    """
    loss = sign * sympy.log(p / q)
    yield identity(loss, -loss.subs({p: q, q: p}, simultaneous=True), "exchange")
    gaussian = sign * sympy.expand_log(sympy.log(density0(z) / density1(z)))
    linear = (1 - 2 * z) / (2 * sigma**2)
    yield identity(gaussian, linear, "Gaussian loss is linear")
    yield from bell(density0(z), z, sympy.Integer(0), sigma, sympy.Integer(1))
    yield antiderivative(
        z * density0(z), z, -(sigma**2) * density0(z)
    )  # vanishes at both ends: E z = 0
    yield positive(linear.subs(z, 0), "its mean: the value at the mean of z")


@claim(
    "discussion/moment",
    lines="548-550",
    kind="definition",
    domain=PAIR + r",\ \alpha > 0",
    statement=LOSS_MOMENT,
    broken={
        "expectation under M(S')": {
            "formula": LOSS_MOMENT.put({under_first(exp(alpha * c)): under_second(exp(alpha * c))})
        }
    },
)
def loss_generating(formula: Formula = LOSS_MOMENT) -> Iterator[Evidence]:
    """The moment generating function of the loss: 1 at order 0, with the relative entropy as its slope."""
    name, summand = formula.values(EXPECTATIONS)
    identity(name, M_a)
    yield identity(summand.subs(a, 0), p, "order 0: mass of M(S)")
    entropy = p * sympy.log(p / q)
    yield identity(sympy.diff(summand, a).subs(a, 0), entropy, "slope at order 0")


AS_POWER = written(lambda: (M_a, "=", under_first((P / Q) ** alpha)))


@claim(
    "discussion/moment-as-power",
    lines="551",
    kind="identity",
    domain=PAIR,
    statement=AS_POWER,
    verdict="holds-but-for-typography",
    severity="typography",
    repair=r"M_\alpha = E_{M(S)}[(P/Q)^\alpha], with balanced brackets",
    broken={
        "one order more": {"formula": AS_POWER.put({(P / Q) ** alpha: (P / Q) ** (alpha + 1)})}
    },
)
def moment_as_power(formula: Formula = AS_POWER) -> Iterator[Evidence]:
    """The exponential of a multiple of a logarithm is a power; one bracket too many in print."""
    known = {**EXPECTATIONS, M_a: LOSS_MOMENT.sides[1]}
    yield identity(*formula.values(known)).repaired()


CHANGE_OF_MEASURE = written(
    lambda: (under_first((P / Q) ** alpha), "=", under_second((P / Q) ** (alpha + 1)))
)


@claim(
    "discussion/change-of-measure",
    lines="552",
    kind="identity",
    domain=POINTS,
    statement=CHANGE_OF_MEASURE,
    broken={"the same exponent": {"formula": CHANGE_OF_MEASURE.put({alpha + 1: alpha})}},
)
def change_of_measure(formula: Formula = CHANGE_OF_MEASURE) -> Iterator[Evidence]:
    """Taking the expectation under the other law costs one power of the ratio (P absolutely continuous)."""
    yield identity(*formula.values(EXPECTATIONS))


@claim(
    "discussion/divergence-recalled",
    lines="554-557",
    kind="identity",
    domain=r"\alpha > 0,\ \alpha \ne 1",
    statement=r"D_\alpha(P\|Q) = \tfrac1{\alpha-1}\log E_Q (P/Q)^\alpha",
    broken={"expectation under P": {"under": p}},
)
def divergence_recalled(under: sympy.Expr = q) -> Iterator[Evidence]:
    """The definition of the introduction again, as an expectation under the second law."""
    yield identity(under * (p / q) ** ALPHA, p**ALPHA * q ** (1 - ALPHA), "integrands")


@claim(
    "discussion/moment-and-divergence",
    lines="559-561",
    kind="identity",
    domain=POINTS,
    statement=r"M_\alpha(M,S,S') = \exp(\alpha D_{\alpha+1}(M(S')\|M(S)))",
    verdict="holds-with-repair",
    severity="misprint, proof correct",
    repair=r"M_\alpha(M,S,S') = \exp(\alpha D_{\alpha+1}(M(S)\|M(S')))",
    erratum=errata.EXCHANGED,
    broken={
        "equal laws as counterexample": {"second": Fraction(1, 2)},
        "corrected the other way": {"swapped": True},
    },
)
def moment_and_divergence(
    second: Fraction = Fraction(1, 4), swapped: bool = False
) -> Iterator[Evidence]:
    """The moment of the loss is a divergence of the same pair, in the same order; in print it is swapped.

    Bernoulli(1/2) and Bernoulli(1/4), order 1: the moment is 4/3, the exponential of the swapped divergence 5/4.
    For the mechanism at q = 1/5, sigma = 4 the two differ as well. The definitions that follow run over both
    orders of a pair, so they survive.
    """
    first, other = bernoulli(Fraction(1, 2)), bernoulli(second)
    left, right = loss_moment(first, other, 1), moment(other, first, 2)
    yield exact_counterexample(
        left,
        "==",
        right,
        "Bernoulli(1/2) against Bernoulli(1/4), order 1: the moment and the exponential of the exchanged divergence",
    ).against_the_wording()
    with precision(200):
        point = Fraction(1, 5), 4, 2
        moments = [as_ball(f(*point, digits=20)) for f in (log_a, log_b)]
        text = "The mechanism at q = 1/5, sigma = 4, order 1: ln M_1 and the exchanged divergence of order 2"
        yield certified_counterexample(moments[0], "<=", moments[1], text).against_the_wording()
    yield loss_and_divergence(swapped).repaired()
    yield identity(p * (p / q) ** a, q * (p / q) ** (a + 1), "integrands").repaired()


@claim(
    "discussion/accountant",
    lines="588",
    kind="assertion",
    domain=r"\varepsilon, \alpha > 0",
    statement=r"\text{the accountant adds } \ln M_\alpha \text{ and converts to } (\varepsilon,\delta):"
    r"\ \delta \le e^{\ln M_\alpha - \alpha\varepsilon}",
    broken={"half of the delta": {"factor": Fraction(1, 2)}, "moments averaged": {"added": False}},
)
def accountant(factor: Fraction = Fraction(1), added: bool = True) -> Iterator[Evidence]:
    """Moments of independent steps multiply, and Markov's inequality turns them into a tail bound.

    The mass of outcomes whose loss exceeds epsilon is at most M_a e^{-a epsilon}, which is a delta.
    """
    generator = random.Random(4)
    count = 0
    for _ in range(40):
        first, second = random_law(generator, 4), random_law(generator, 4)
        level = Fraction(generator.randint(11, 40), 10)  # e^epsilon
        over = [(x, y) for x, y in zip(first, second, strict=True) if x > level * y]
        delta = sum((x - level * y for x, y in over), Fraction(0))  # the smallest delta
        for order in (1, 2, 3):
            if delta > factor * loss_moment(first, second, order) / level**order:
                raise Rejected(f"order {order}, e^eps = {level}: {first}, {second}")
            count += 1
        first_twice, second_twice = (
            [x * y for x, y in itertools.product(law, law)] for law in (first, second)
        )
        once = loss_moment(first, second, 2)
        if loss_moment(first_twice, second_twice, 2) != (once * once if added else once):
            raise Rejected("the moment of two steps")
    # A law for which Markov's inequality is sharp: all the loss in one value, the other side null.
    x, y = Fraction(9, 10), Fraction(9, 10**6)
    sharp = [x, 1 - x], [y, 1 - y]
    level = x / y * Fraction(99, 100)
    if sum((w for w, v in zip(*sharp, strict=True) if w > level * v), Fraction(0)) != x or (
        x > factor * loss_moment(*sharp, 1) / level
    ):
        raise StepFails("mass of the outcomes beyond epsilon, where Markov's inequality is sharp")
    yield certified_points(count + 1, detail="random laws, exact rationals")
    yield all_of(*_markov(factor, added))


def _markov(factor: Fraction, added: bool) -> Iterator[Evidence]:
    """Steps multiply; and p <= p (r/e^eps)^a where r = e^eps (1+d): Markov's inequality, any law."""
    d, p1, q1 = sympy.symbols("d p1 q1", positive=True)
    both = p * p1 * (p * p1 / (q * q1)) ** a
    one, other = p * (p / q) ** a, p1 * (p1 / q1) ** a
    yield identity(both, one * other if added else one, "the moment of two independent steps")
    room = sympy.log(sympy.Rational(factor)) + a * sympy.log(1 + d)
    yield positive(room, "the mass beyond epsilon", strict=False)


def gaussian_loss(order: sympy.Expr, mean: sympy.Expr) -> sympy.Expr:
    """The integrand of E e^{order (c - 1/(2 s^2))} for Gaussian noise, c the loss at shift 1."""
    loss = (1 - 2 * z) / (2 * sigma**2)
    return density(z) * sympy.exp(order * (loss - mean))
