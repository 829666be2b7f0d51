"""Discussion: zCDP and RDP of the sampled Gaussian mechanism (line 586)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import sympy

from proofs_checks import errata
from proofs_checks.paper import a1, q, sigma
from proofs_checks.quantities.bell import ratio_moment
from proofs_checks.sections.a_geq_b_corollary import corollary
from proofs_checks.tools.algebra import identity, positive
from proofs_checks.tools.draws import surely_at_most
from proofs_checks.tools.monotone import rises_from_zero
from verify import rdp, rdp_reverse
from verify.claims import Evidence, Rejected, all_of, certified_points, claim, rests_on

alpha = 1 + a1
DIGITS = 20


def below_gaussian() -> Evidence:
    """A <= 1 - q + q e^s <= e^s with s = alpha (alpha-1)/(2 sigma^2), and B <= A."""
    r, s = sympy.symbols("r s", positive=True)
    slack = (1 - q) * (sympy.exp(s) - 1)
    return all_of(
        positive(sympy.diff(r**alpha, r, 2), "the power is convex: A <= 1 - q + q E r^alpha"),
        *ratio_moment(alpha),
        identity(sympy.exp(s) - (1 - q + q * sympy.exp(s)), slack, "slack (1-q)(e^s - 1)"),
        rises_from_zero(sympy.exp(s) - 1, s, sympy.exp(s), "e^s > 1"),
        rests_on(corollary),  # the other order of the pair
    )


@claim(
    "discussion/sgm-and-zcdp",
    lines="586",
    kind="assertion",
    domain=r"0 < q \le 1,\ \sigma > 0",
    statement=r"\text{the sampled Gaussian mechanism does not satisfy zCDP}",
    verdict="refuted",
    severity="statement false",
    repair=r"it satisfies \tfrac1{2\sigma^2}-zCDP for every q, and no \rho-zCDP with \rho < \tfrac1{2\sigma^2}:"
    r" sampling does not help",
    kernel=("space_mechanism_zcdp", "space_zcdp_constant_optimal"),
    kernel_against="space_mechanism_zcdp",
    erratum=errata.ZCDP,
    broken={
        "zCDP with 1/(4 sigma^2)": {"share": Fraction(1, 2)},
        "amplification by sampling": {"limit": Fraction(9, 10)},
    },
)
def sgm_and_zcdp(
    share: Fraction = Fraction(1), limit: Fraction = Fraction(1)
) -> Iterator[Evidence]:
    """It does satisfy zCDP, with the constant of the Gaussian mechanism; sampling does not improve it.

    The power is convex, so A <= 1 - q + q e^{alpha (alpha-1)/(2 sigma^2)}, and that is at most the exponential. On
    the other hand A >= q^alpha e^{alpha (alpha-1)/(2 sigma^2)}, so D/alpha tends to 1/(2 sigma^2).
    """
    r = sympy.Symbol("r", positive=True)
    theorem = "The mechanism is 1/(2 sigma^2)-zCDP for every q: both divergences are at most alpha/(2 sigma^2) at every order alpha > 1"
    yield below_gaussian().with_detail(theorem).against()
    for rate, noise, order in ((Fraction(1, 100), 4, 5000), (Fraction(1, 5), 1, 200)):
        value = rdp(rate, noise, order, digits=DIGITS)
        most = share * Fraction(order, 2 * noise**2)
        other = rdp_reverse(rate, noise, order, digits=DIGITS)
        if not (surely_at_most(value, most) and surely_at_most(other, most)):
            raise Rejected(f"q = {rate}, sigma = {noise}, alpha = {order}: D = {value:.8} > {most}")
    told = "both divergences are at most alpha/(2 sigma^2): at q = 0.01, sigma = 4, order 5000 and at q = 0.2, sigma = 1, order 200"
    yield certified_points(effective=4, detail=told).repaired()
    lower = (alpha * sympy.log(q) + alpha * a1 / (2 * sigma**2)) / (a1 * alpha)
    best = sympy.limit(lower, a1, sympy.oo)
    constant = sympy.Rational(limit.numerator, limit.denominator) / (2 * sigma**2)
    yield all_of(
        positive(sympy.diff(r**alpha, r), "the power increases: A >= q^alpha E r^alpha"),
        identity(best, constant, "so D/alpha tends to 1/(2 sigma^2) as alpha grows"),
        below_gaussian(),
    ).repaired()


@claim(
    "discussion/sgm-and-rdp",
    lines="586",
    kind="assertion",
    domain=r"0 < q \le 1,\ \sigma > 0,\ \alpha > 1",
    statement=r"\text{the mechanism satisfies RDP for a suitable range of } \alpha",
    kernel="space_mechanism_zcdp",
    broken={"with half the cost": {"share": Fraction(1, 2)}},
)
def sgm_and_rdp(share: Fraction = Fraction(1)) -> Iterator[Evidence]:
    """The divergence is finite at every order, at most alpha/(2 sigma^2); q = 1 attains that."""
    yield below_gaussian()
    for rate, noise, order in (
        (1, 2, 3),
        (Fraction(1, 2), 1, Fraction(9, 2)),
        (Fraction(1, 100), 4, 64),
    ):
        value = rdp(rate, noise, order, digits=DIGITS)
        if not surely_at_most(value, share * order / (2 * Fraction(noise) ** 2)):
            raise Rejected(f"q = {rate}, sigma = {noise}, alpha = {order}: {value}")
    yield certified_points(effective=3, detail="D <= alpha/(2 sigma^2), finite")
