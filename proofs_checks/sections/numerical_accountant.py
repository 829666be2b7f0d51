"""The accountant of the time: what its computation gives in double precision (lines 99 and 521)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import mpmath

from proofs_checks import errata
from verify import rdp
from verify.claims import Evidence, StepFails, certified_points, claim

DOUBLE = 53
ORDINARY = tuple(
    (Fraction(rate), Fraction(noise), Fraction(order))
    for rate in ("0.001", "0.01", "0.05")
    for noise in ("1", "4")
    for order in ("1.5", "8.5")
)
SMALL = (Fraction(1, 10**8), Fraction(4), Fraction(17, 2))


def sum_series(q: Fraction, sigma: Fraction, alpha: Fraction, bits: int) -> Fraction:
    """ln A/(alpha-1) by the two half-line series, added up until a term no longer changes the sum."""
    ctx = mpmath.MPContext()
    ctx.prec = bits
    rate, noise, order = (ctx.mpf(x.numerator) / x.denominator for x in (q, sigma, alpha))
    cut = ctx.mpf(1) / 2 + noise**2 * ctx.log(1 / rate - 1)
    total, k = ctx.mpf(0), 0
    while True:
        left, right = ctx.mpf(k), order - k
        halves = (
            (1 - rate) ** right * rate**k * _moment(ctx, left, left - cut, noise),
            (1 - rate) ** k * rate**right * _moment(ctx, right, cut - right, noise),
        )
        before, total = total, total + ctx.binomial(order, k) * sum(halves)
        k += 1
        if before == total and k > order:
            return Fraction(str(ctx.log(total) / (order - 1)))


def _moment(ctx: mpmath.MPContext, k: mpmath.mpf, gap: mpmath.mpf, noise: mpmath.mpf) -> mpmath.mpf:
    return ctx.exp((k * k - k) / (2 * noise**2)) * ctx.erfc(gap / (ctx.sqrt(2) * noise)) / 2


def relative_error(place: tuple[Fraction, Fraction, Fraction], bits: int) -> Fraction:
    exact = Fraction(rdp(*place, digits=30).lo)
    return abs(sum_series(*place, bits) / exact - 1)


@claim(
    "numerical/fractional/accountant",
    lines="99, 521",
    kind="assertion",
    domain=r"0.001 \le q \le 0.05,\ \sigma \in \{1, 4\},\ \alpha \in \{1.5, 8.5\}",
    statement=r"\text{the accountant is numerically stable: it plugs the half-line moments into the series}"
    r"\ (12)\ \text{and sums to convergence}",
    verdict="holds-with-repair",
    severity="gap",
    repair=r"\text{in double precision } \varepsilon \text{ is right to 8 digits at these rates, and to none at } "
    r"q = 10^{-8};\ \text{more digits, or } A - 1 \text{ in place of } A, \text{ mend that}",
    erratum=errata.STABILITY,
    broken={
        "a digit more at these rates": {"digits": 9},
        "right to one digit at q = 1e-8 in double precision": {"small_bits": DOUBLE},
    },
)
def accountant(digits: int = 8, small_bits: int = 200) -> Iterator[Evidence]:
    """Section 1 calls the algorithm of Abadi et al. numerically stable, the abstract the paper's own. Section 3.3
    says what the paper's accountant computes: both half-line series, added up until nothing changes. Done so with the 53 bits of a double, epsilon has eight right digits or more at sampling
    rates from 0.001 to 0.05. At q = 1e-8 none is left, because A differs from 1 by less than a double
    can show. Libraries that descend from that accountant are judged by certified values in the report
    ("Libraries"; sgm-verify check tensorflow-privacy==0.5.2): there, too, small rates are what they
    get wrong."""
    tolerance = Fraction(1, 10**digits)
    for place in ORDINARY:
        if relative_error(place, DOUBLE) > tolerance:
            raise StepFails("q = {}, sigma = {}, alpha = {}: fewer digits".format(*place))
    told = f"53 bits give {digits} digits of epsilon at {len(ORDINARY)} places"
    yield certified_points(len(ORDINARY), detail=told).repaired()
    if relative_error(SMALL, DOUBLE) < 1:
        raise StepFails("a double is enough at q = 1e-8")
    if relative_error(SMALL, small_bits) > tolerance:
        raise StepFails(f"q = 1e-8: {small_bits} bits are not enough")
    told = f"at q = 1e-8 the error with 53 bits exceeds epsilon itself, {small_bits} bits mend it"
    yield certified_points(2, detail=told).repaired()
