"""Closed-form bound, set-up: where the integral is cut, and the ratio there (lines 310-319).

Orders are alpha = 1 + a1 with a1 > 0; a point beside the cut is the cut plus or minus d >= 0. That
parametrises the whole of every stated domain, so the signs found are signs everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import sympy
from flint import arb

from proofs_checks.paper import (
    DEFINITIONS,
    Z0,
    A,
    A_left,
    A_right,
    a1,
    alpha,
    base,
    density0,
    density1,
    mu0,
    mu1,
    ordered,
    q,
    r0,
    ratio,
    sigma,
    spare,
    values,
    z,
    z0,
)
from proofs_checks.quantities.halves import lower_half, upper_half
from proofs_checks.tools.algebra import identity, positive
from proofs_checks.tools.balls import ball, interval
from proofs_checks.tools.draws import at_many, ordered_at_points
from proofs_checks.tools.formula import Formula, Several, together, written
from proofs_checks.tools.signs import rises, slack
from verify.claims import Evidence, Fraction, Profile, Sign, StepFails, claim
from verify.moments.functions import log_a
from verify.numbers.balls import precision

Half = Callable[[Fraction, Fraction, Fraction], arb]
HALF = sympy.Rational(1, 2)
DOMAIN = r"\alpha > 1,\ 0 < q \le 1,\ \sigma > 0"
(d,) = slack("d")
RANGES = {q: (Fraction(1, 10**6), 1), sigma: (Fraction(1, 3), 50), a1: (Fraction(1, 100), 60)}
BESIDE = RANGES | {d: (Fraction(1, 10**4), 100)}


SPLIT = written(lambda: (A, "=", A_left + A_right))


@claim(
    "closed-form/split",
    lines="312-317",
    kind="identity",
    domain=DOMAIN,
    statement=SPLIT,
    kernel="A_split",
    broken={"the lower half twice": {"upper": lower_half}, "cut at z0 + 1": {"moved": 1}},
)
def split(
    formula: Formula = SPLIT,
    upper: Half = upper_half,
    moved: Fraction | int = 0,
    profile: Profile = Profile.QUICK,
) -> Iterator[Evidence]:
    """The moment is the sum of the integrals left and right of z0.

    For every real exponent k the two half-line integrals of mu0 (mu1/mu0)^k, as erfc expressions at
    any cut, add up to e^{(k^2-k)/(2 sigma^2)}. At points, the two halves computed by rigorous
    quadrature add up to the moment from the trapezoid engine, which knows of no cut.
    """
    _cut_at_z0()
    k, c = sympy.symbols("k c", real=True)
    half = sympy.exp((k**2 - k) / (2 * sigma**2)) / 2
    x = (c - k) / (sympy.sqrt(2) * sigma)
    left, right = half * sympy.erfc(-x), half * sympy.erfc(x.subs(c, c + moved))
    identity(sympy.diff(left, c), (density0(c) * ratio(c) ** k), "slope of the left half")
    parts = {A: 2 * half, A_left: left, A_right: right}
    whole, together = (side.subs(parts) for side in formula.values())
    together = together.rewrite(sympy.erf)
    yield identity(together, whole, "half-line moments of any real order add up, any cut")

    def adds_up(q: Fraction, sigma: Fraction, a1: Fraction) -> bool:
        whole = log_a(q, sigma, 1 + a1, digits=20)
        with precision(160):
            known = {
                A: interval(Fraction(whole.lo), Fraction(whole.hi)).exp(),
                A_left: lower_half(q, sigma, 1 + a1),
                A_right: upper(q, sigma, 1 + a1),
            }
            left, right = (ball(side, known) for side in formula.values())
            return bool(left.log().overlaps(right.log()))

    ranges = {
        "q": (Fraction(1, 1000), 1),
        "sigma": (Fraction(1, 2), 20),
        "a1": (Fraction(1, 9), 20),
    }
    count = 12 if profile is Profile.QUICK else 200
    yield at_many(ranges, count, lambda **_: True, adds_up, "halves against the whole")


def _cut_at_z0() -> None:
    """The two halves are defined with the integrand of A, over intervals that meet at z0 and make up the line."""
    whole, left, right = (DEFINITIONS[name] for name in (A, A_left, A_right))
    (limits,), (low,), (high,) = (part.limits for part in (whole, left, right))
    if (low, high) != (sympy.Tuple(z, limits[1], z0), sympy.Tuple(z, z0, limits[2])):
        raise StepFails(f"{low} and {high} are not {limits}, cut at z0")
    if not whole.function == left.function == right.function:
        raise StepFails("the halves have other integrands")


Z0_DEFINED = written(lambda: (base(z0), "=", alpha / (alpha - 1)))


@claim(
    "closed-form/z0/definition",
    lines="319",
    kind="identity",
    domain=DOMAIN,
    statement=Z0_DEFINED,
    kernel="z0_facts",
    broken={
        "z0 without the half": {"formula": Z0_DEFINED.put({z0: z0 - HALF})},
        "alpha in place of alpha-1": {"formula": Z0_DEFINED.put({alpha / (alpha - 1): alpha})},
    },
)
def z0_definition(formula: Formula = Z0_DEFINED) -> Iterator[Evidence]:
    """The cut z0 is the point where the density ratio of the mixture equals alpha/(alpha-1)."""
    left, right = values(formula)
    yield identity(sympy.simplify(left), right)


R0_VALUE = written(lambda: (r0, "=", mu1(z0) / mu0(z0), "=", 1 + 1 / (q * (alpha - 1))))


@claim(
    "closed-form/z0/r0",
    lines="319",
    kind="identity",
    domain=DOMAIN,
    statement=R0_VALUE,
    kernel="z0_facts",
    broken={
        "r0 with alpha": {"formula": R0_VALUE.put({alpha - 1: alpha})},
        "inverse": {"formula": R0_VALUE.put({mu1(z0): mu0(z0), mu0(z0): mu1(z0)})},
    },
)
def r0_value(formula: Formula = R0_VALUE) -> Iterator[Evidence]:
    """At the cut the ratio of the two Gaussian densities is 1 + 1/(q(alpha-1))."""
    name, quotient, closed = values(formula)
    yield identity(sympy.simplify(quotient), closed)
    identity(name, closed, "r0 is the name of that number")


POSITIONS = together(written(lambda: (z0, ">", HALF)), written(lambda: (r0, ">", 1)))


@claim(
    "closed-form/z0/positions",
    lines="319",
    kind="inequality",
    domain=DOMAIN,
    statement=POSITIONS,
    kernel="z0_facts",
    broken={
        "z0 > 1": {"formula": POSITIONS.put({HALF: 1})},
        "r0 > 2": {"formula": POSITIONS.put({sympy.Integer(1): 2})},
    },
)
def positions(formula: Several = POSITIONS) -> Iterator[Evidence]:
    """The cut lies to the right of the point of symmetry, and the ratio there exceeds 1."""
    details = "z0 - 1/2 = sigma^2 ln(1 + 1/(q(alpha-1)))", "r0 - 1 = 1/(q(alpha-1))"
    for part, detail in zip(formula.parts(), details, strict=True):
        yield positive(spare(part), detail, strict=part.strict)


REFLECTION = written(lambda: (mu0(z), "=", mu1(1 - z)))


@claim(
    "closed-form/z0/reflection",
    lines="319",
    kind="identity",
    domain=r"z \in \mathbb{R},\ \sigma > 0",
    statement=REFLECTION,
    kernel="reflection",
    broken={"reflection at 0": {"formula": REFLECTION.put({mu1(1 - z): mu1(-z)})}},
)
def reflection(formula: Formula = REFLECTION) -> Iterator[Evidence]:
    """Reflecting at 1/2 exchanges the two densities."""
    yield identity(*values(formula))


@claim(
    "closed-form/z0/ratio-decreases",
    lines="319",
    kind="assertion",
    domain=r"z \in \mathbb{R},\ \sigma > 0",
    statement=r"z \mapsto \mu_0(z)/\mu_1(z) \text{ is decreasing}",
    kernel="mu0_over_mu1_decreasing",
    broken={"increasing": {"sign": 1}, "the inverse ratio": {"inverse": True}},
)
def ratio_decreases(sign: Sign = -1, inverse: bool = False) -> Iterator[Evidence]:
    """The ratio mu0/mu1 = e^{(1-2z)/(2 sigma^2)} has a negative derivative everywhere."""
    x = ratio(z) if inverse else 1 / ratio(z)
    identity(sympy.simplify(density0(z) / density1(z)), 1 / ratio(z))
    yield positive(sign * sympy.diff(x, z), "the derivative is -e^{(1-2z)/(2 sigma^2)}/sigma^2")


RATIO_LEFT = written(lambda: (mu1(z) / mu0(z), "<=", r0))


@claim(
    "closed-form/z0/ratio-left-of-cut",
    lines="319",
    kind="inequality",
    domain=DOMAIN + r",\ z \le z_0",
    statement=RATIO_LEFT,
    kernel="ratios_bounded_by_r0",
    broken={
        "right of the cut": {"side": 1},
        "half of r0": {"formula": RATIO_LEFT.put({r0: r0 / 2})},
    },
)
def ratio_left(formula: Formula = RATIO_LEFT, side: Sign = -1) -> Iterator[Evidence]:
    """Left of the cut the ratio mu1/mu0 stays below its value there.

    With z = z0 - d the difference is r0 (1 - e^{-d/sigma^2}), zero at d = 0 and growing.
    """
    yield from _ratio_beside(formula, Z0 + side * d, "ratio left of the cut")


def _ratio_beside(formula: Formula, place: sympy.Expr, detail: str) -> Iterator[Evidence]:
    """A bound of a ratio at the place, which is a cut moved by d >= 0."""
    small, large = (sympy.simplify(side.subs(z, place)) for side in ordered(formula.weak()))
    yield ordered_at_points(small, large, BESIDE, detail)
    yield rises(large - small, d, 1, "r0 (1 - e^{-d/sigma^2}) >= 0")


RATIO_RIGHT = written(lambda: (mu0(z) / mu1(z), "<=", r0))


@claim(
    "closed-form/z0/ratio-right-of-mirror",
    lines="319",
    kind="inequality",
    domain=DOMAIN + r",\ z \ge 1 - z_0",
    statement=RATIO_RIGHT,
    kernel="ratios_bounded_by_r0",
    broken={
        "left of the mirror image": {"side": -1},
        "the other ratio": {"formula": RATIO_RIGHT.put({mu0(z): mu1(z), mu1(z): mu0(z)})},
    },
)
def ratio_right(formula: Formula = RATIO_RIGHT, side: Sign = 1) -> Iterator[Evidence]:
    """Right of the mirror image 1 - z0 the ratio mu0/mu1 stays below r0."""
    yield from _ratio_beside(formula, 1 - Z0 + side * d, "inverse ratio right of 1 - z0")


INNER_RATIO = written(lambda: (1 / r0, "<=", mu1(z) / mu0(z), "<=", r0))


def between_the_cuts(
    extra: sympy.Expr = 0, formula: Formula = INNER_RATIO, power: int = 1
) -> Iterator[Evidence]:
    """(mu1/mu0)^power in [1/r0, r0] on [1 - z0, z0], widened by ``extra`` at either end.

    The ratio is increasing in z, so the two ends settle it: they are 1/r0 and r0.
    """
    least, between, greatest = values(formula, "<=", "<=")
    identity(sympy.simplify(between), ratio(z))
    positive(sympy.diff(ratio(z), z), "the ratio increases")
    low, high = ratio(1 - Z0 - extra) ** power, ratio(Z0 + extra) ** power
    if power < 0:
        low, high = high, low
    yield identity(sympy.simplify(low), least, "the least value is 1/r0")
    yield identity(sympy.simplify(high), greatest, "the greatest value is r0")


@claim(
    "closed-form/z0/ratios-confined",
    lines="319",
    kind="assertion",
    domain=DOMAIN + r",\ 1 - z_0 \le z \le z_0",
    statement=r"\mu_1(z)/\mu_0(z),\ \mu_1(z)/\mu_0(z) \in [1/r_0, r_0]",
    verdict="holds-but-for-typography",
    severity="typography",
    repair=r"\mu_1(z)/\mu_0(z),\ \mu_0(z)/\mu_1(z) \in [1/r_0, r_0]",
    kernel="ratios_bounded_by_r0",
    broken={"a longer interval": {"extra": 1}},
)
def ratios_confined(extra: sympy.Expr = 0) -> Iterator[Evidence]:
    """Between the cuts either ratio lies between 1/r0 and r0. The text names one ratio twice."""
    yield from between_the_cuts(extra)
    for evidence in between_the_cuts(extra, power=-1):
        yield evidence.repaired()
