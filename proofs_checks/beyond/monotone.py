"""More sampling costs more, more noise costs less: at every real order above 1, without conditions."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import sympy

from proofs_checks.paper import a1, q
from proofs_checks.quantities.bell import ratio_moment
from proofs_checks.quantities.engine import Ranges, divergence
from proofs_checks.sections.reduction_to_a_line import added_noise
from proofs_checks.tools.algebra import identity, positive
from proofs_checks.tools.draws import at_many
from verify.claims import Evidence, Rejected, Sign, all_of, claim, rests_on

alpha = 1 + a1
ratio = sympy.Symbol("r", positive=True)
rest = sympy.Symbol("p", positive=True)  # 1 - q


@claim(
    "beyond/bound/monotone",
    lines="beyond",
    kind="inequality",
    domain=r"0 < q \le q' \le 1,\ \sigma \ge \sigma' > 0,\ \alpha > 1,\ \alpha \in \mathbb{R}",
    statement=r"\varepsilon(q, \sigma, \alpha) \le \varepsilon(q', \sigma', \alpha)",
    broken={
        "falls with q": {"rate_power": -1},
        "rises with sigma": {"noise_power": 1},
        "rises by a millionth at least": {"factor": 1 + Fraction(1, 10**6)},
    },
)
def monotone(
    rate_power: Sign = 1, noise_power: Sign = -1, factor: Fraction = Fraction(1)
) -> Iterator[Evidence]:
    """Epsilon never falls when people are sampled more often or when less noise is added. In q: the
    power of 1 + q (r - 1) is convex in q, so A is, and its slope at q = 0 is alpha E[r - 1] = 0. In
    sigma: the mechanism with more noise is the one with less noise plus independent noise, and that
    cannot raise a divergence. So a box of sampling rates and noises is settled by two of its
    corners."""

    def ordered(rate: Fraction, noise: Fraction, order: Fraction, step: Fraction) -> bool:
        here = divergence(rate, noise, order)
        more = divergence(min(rate * step**rate_power, Fraction(1)), noise, order)
        less = divergence(rate, noise * step**noise_power, order)
        return here.lo * factor <= more.hi and here.lo * factor <= less.hi

    still = (Fraction(1, 10), Fraction(2), Fraction(3), Fraction(1))
    if not ordered(*still):
        raise Rejected("q' = q = 1/10, sigma' = sigma = 2, alpha = 3")
    ranges: Ranges = {
        "rate": (1e-4, 0.5),
        "noise": (0.5, 50),
        "order": (1.01, 60),
        "step": (1.001, 2),
    }
    points = at_many(ranges, 40, lambda **_: True, ordered, "epsilon at two rates and two noises")
    power = (1 + q * (ratio - 1)) ** alpha
    bend = alpha * a1 * (ratio - 1) ** 2 * (1 + q * (ratio - 1)) ** (a1 - 1)
    yield all_of(
        identity(sympy.diff(power, q, 2), bend, "The second derivative in q is not negative"),
        positive(alpha * a1 * (rest + q * ratio) ** (a1 - 1), "because 1 + q (r - 1) > 0"),
        identity(
            sympy.diff(power, q).subs(q, 0), alpha * (ratio - 1), "The slope at q = 0 has mean 0"
        ),
        *ratio_moment(sympy.Integer(1)),
        rests_on(added_noise),
    )
    yield points
