"""The fractional series without acceleration: how slowly its terms decay."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import sympy
from flint import arb

from proofs_checks.beyond.series_error import RATE, Z1, a, p
from proofs_checks.paper import density0, ratio, sigma
from proofs_checks.quantities.half_lines import HalfLines
from proofs_checks.tools.algebra import identity
from proofs_checks.tools.balls import rational
from verify.claims import Evidence, Profile, StepFails, Undecided, all_of, certified_points, claim
from verify.numbers.balls import precision


@claim(
    "beyond/series/algebraic-decay",
    lines="beyond",
    kind="limit",
    domain=r"0 < q < 1,\ \sigma > 0,\ \alpha > 0\ \text{not whole},\ k \to \infty",
    statement=r"k^{\alpha+2}\,|\mathrm{term}_k| \to \frac{2(1-q)^\alpha \sigma^2 "
    r"\mu_0(z_1)}{|\Gamma(-\alpha)|}",
    broken={
        "k^{alpha+1}": {"shift": 1},
        "k^{alpha+3}": {"shift": 3},
        "without the 2": {"sides": 1},
    },
)
def algebraic_decay(
    shift: Fraction | int = 2, sides: Fraction | int = 2, profile: Profile = Profile.QUICK
) -> Iterator[Evidence]:
    """Without acceleration the terms decay only algebraically. |C(alpha,k)| k^{alpha+1} tends to
    1/|Gamma(-alpha)|, and k int_0^1 u^k w(u) du to w(1), which is (1-q)^alpha sigma^2 mu0(z1) on
    both sides of z1: integrating by parts leaves a remainder of at most sup |w'|/k, and the weights are
    Gaussian bells in ln u. Certified terms approach the limit like 1/k."""
    places = (200, 2000) if profile is Profile.QUICK else (200, 2000, 20_000)
    for order in (Fraction(1, 2), Fraction(11, 10), Fraction(5, 2)):
        with precision(300):
            for place in places:
                series = HalfLines(Fraction(1, 2), Fraction(1), order)
                size = abs(_term(series, place)) * rational(Fraction(place)) ** rational(
                    order + shift
                )
                limit = _limit(series, sides)
                if not abs(size / limit - 1) < rational(Fraction(16, place)):
                    raise StepFails(
                        f"alpha = {order}, k = {place}: {(size / limit).str(6)} of the limit"
                    )
    yield certified_points(
        3 * len(places),
        detail="terms within 16/k of k^{-alpha-2} times the constant, alpha = 1/2, 11/10, 5/2",
    )
    if (shift, sides) != (2, 2):
        raise Undecided("the limit is that of k^(alpha+2) times both halves")
    yield all_of(*_binomials_decay(), *_halves_decay())
    with precision(300):
        small = HalfLines(Fraction(1, 100), Fraction(4), Fraction(3, 2))
        early = (
            abs(_term(small, 40))
            / _limit(small, sides)
            * rational(Fraction(40)) ** rational(Fraction(7, 2))
        )
        if not early > 1000:
            raise StepFails("at small q the early terms are already algebraic")
    yield certified_points(
        detail="q = 0.01, sigma = 4: at k = 40 terms are still far above that regime"
    )


def _binomials_decay() -> Iterator[Evidence]:
    """|C(alpha,k)| k^(alpha+1) -> 1/|Gamma(-alpha)|: Gamma functions with the same successive quotient."""
    k = sympy.Symbol("k", positive=True)
    gammas = sympy.gamma(k - a) / sympy.gamma(k + 1)
    quotient = sympy.gammasimp(gammas.subs(k, k + 1) / gammas)
    yield identity(
        quotient, (k - a) / (k + 1), "|C(alpha,k)| = Gamma(k-alpha)/(|Gamma(-alpha)| k!)"
    )
    limit = sympy.limit(gammas * k ** (a + 1), k, sympy.oo)
    yield identity(limit, 1, "Gamma(k-alpha) k^(alpha+1)/Gamma(k+1) -> 1")


def _halves_decay() -> Iterator[Evidence]:
    """k int_0^oo e^{-kl} w(l) dl -> w(0) for a bell w, and both bells have the same height at z1.

    With z = z1 - sigma^2 l on the left and z = z1 + sigma^2 l on the right, the factors of C(alpha,k) are
    (1-q)^alpha sigma^2 mu0(z), times e^{alpha l} on the right.
    """
    other = p / (1 + p)
    yield identity(
        sympy.simplify(RATE**a * ratio(Z1) ** a),
        sympy.simplify(other**a),
        "the weights agree at z1",
    )
    k, far, b = (
        sympy.Symbol("k", positive=True),
        sympy.Symbol("l", positive=True),
        sympy.Symbol("b", real=True),
    )
    w = sympy.Function("w")(far)
    by_parts = sympy.diff(-sympy.exp(-k * far) * w, far)
    parts = k * sympy.exp(-k * far) * w - sympy.exp(-k * far) * sympy.diff(w, far)
    yield identity(by_parts, parts, "k int e^{-kl} w = w(0) + int e^{-kl} w'")
    for side, name in ((-1, "left"), (1, "right")):
        weight = (
            sigma**2 * density0(Z1 + side * sigma**2 * far) * sympy.exp(a * far if side > 0 else 0)
        )
        curvature = sympy.diff(sympy.expand_log(sympy.log(weight)), far, 2)
        yield identity(curvature, -(sigma**2), f"{name}: a bell in l")
    slope = (b - sigma**2 * far) * sympy.exp(b * far - sigma**2 * far**2 / 2)
    yield identity(
        sympy.limit(slope, far, sympy.oo), 0, "its slope vanishes far out, so it is bounded"
    )
    rest = sympy.integrate(sympy.exp(-k * far), (far, 0, sympy.oo))
    yield identity(sympy.limit(rest, k, sympy.oo), 0, "the remainder is at most sup |w'|/k")


def _term(series: HalfLines, k: int) -> arb:
    """The term with its binomial by Gamma functions (an exact one would be slow at large k)."""
    order = rational(series.alpha)
    binomial = rational(k - series.alpha).gamma() / (
        (-order).gamma() * rational(Fraction(k + 1)).gamma()
    )
    return binomial * series.factor(k)


def _limit(series: HalfLines, sides: Fraction | int) -> arb:
    noise, z1 = rational(series.sigma), series.z1
    density = (-(z1**2) / (2 * noise**2)).exp() / (noise * (2 * z1.pi()).sqrt())
    order = rational(series.alpha)
    return (
        rational(Fraction(sides))
        * rational(1 - series.q) ** order
        * noise**2
        * density
        / abs((-order).gamma())
    )
