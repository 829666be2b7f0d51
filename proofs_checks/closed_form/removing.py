r"""Removing a record is never cheaper than adding one: hockey sticks of one step, and what is known of T steps.

delta_remove(eps) = E_mu0[(mu/mu0 - gamma)_+] and delta_add(eps) = E_mu[(mu0/mu - gamma)_+], gamma = e^eps.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from fractions import Fraction

import sympy

from proofs_checks.beyond.excess import reflection_evidence
from proofs_checks.quantities.engine import Ranges
from proofs_checks.tools.algebra import identity, positive
from proofs_checks.tools.draws import at_many, draw, surely_ordered
from proofs_checks.tools.formula import Formula, written
from verify.accounting import delta as tight_delta
from verify.claims import (
    Evidence,
    Profile,
    Rejected,
    Sign,
    Undecided,
    all_of,
    certified_points,
    claim,
)
from verify.numbers.certified import Certified
from verify.numbers.errors import SgmError

q, s, gamma = sympy.symbols("q s gamma", positive=True)
k, c, d = sympy.symbols("k c d", nonnegative=True)

POINTWISE = written(
    lambda: (
        (1 - q + q * s - gamma) - s * (1 - gamma * (1 - q + q / s)),
        "=",
        (1 - q) * (s - 1) * (gamma - 1),
    )
)


@claim(
    "beyond/removing/one-step",
    lines="beyond",
    kind="inequality",
    domain=r"0 < q \le 1,\ \sigma > 0,\ \varepsilon \ge 0",
    statement=r"\delta_{\mathrm{remove}}(\varepsilon) \ge \delta_{\mathrm{add}}(\varepsilon)\ \text{for one step}",
    kernel="removing_dominates",
    broken={
        "the other way round": {"direction": -1},
    },
)
def one_step(formula: Formula = POINTWISE, direction: Sign = 1) -> Iterator[Evidence]:
    """For one step, at every epsilon >= 0, the delta of removing a record is at least that of adding one. Reflect z -> 1 - z: with s = mu1/mu0
    where s >= 1, y = 1-q+qs and w = 1-q+q/s, the two hockey sticks pair up as mu0 [(y - gamma)_+ + s (w - gamma)_+] against
    mu0 [(1 - gamma y)_+ + s (1 - gamma w)_+]. There w <= 1 <= y and gamma >= 1, so the second and the third vanish, and (y - gamma) - s (1 - gamma
    w) = (1-q)(s-1)(gamma-1) >= 0. Every Renyi divergence, and the hockey stick of every order, is an integral of such: A >= B follows, and at
    order 1/2 both are equal."""

    def ordered(q: Fraction, sigma: Fraction, epsilon: Fraction) -> bool:
        by = [
            tight_delta(q, sigma, 1, epsilon, direction=way, digits=12) for way in ("add", "remove")
        ]
        return surely_ordered(*(by if direction > 0 else by[::-1]))

    ranges: Ranges = {
        "q": (Fraction(1, 100), Fraction(9, 10)),
        "sigma": (Fraction(1, 2), 4),
        "epsilon": (Fraction(1, 100), Fraction(1, 2)),
    }
    yield at_many(ranges, 12, lambda **_: True, ordered, "both deltas of one step, certified")
    if direction != 1:
        raise Undecided("the pairing is in this order")
    left, right = formula.values()
    rate, ratio, level = 1 / (1 + k), 1 + c, 1 + d  # q in (0, 1], s >= 1, gamma >= 1
    inside = {q: rate, s: ratio, gamma: level}
    y, w = 1 - q + q * s, 1 - q + q / s
    yield all_of(
        identity(left, right, "the difference of the two that are left"),
        positive(sympy.factor(right.subs(inside)), "which is not negative", strict=False),
        positive(sympy.factor((y - 1).subs(inside)), "y >= 1", strict=False),
        positive(sympy.factor((1 - w).subs(inside)), "w <= 1", strict=False),
        positive(
            sympy.factor((gamma * y - 1).subs(inside)),
            "gamma y >= 1: the third vanishes",
            strict=False,
        ),
        reflection_evidence(),
    )


LENGTHS = (2, 3, 10, 100, 1000)
SEED = 12


@claim(
    "beyond/removing/many-steps",
    lines="beyond",
    kind="assertion",
    domain=r"0 < q \le 1,\ \sigma > 0,\ \varepsilon \ge 0,\ T \ge 2",
    statement=r"\delta_{\mathrm{remove}}(\varepsilon) \ge \delta_{\mathrm{add}}(\varepsilon)\ \text{for}\ T\ \text{steps: conjecture}",
    verdict="unknown",
    unknown="neither proved nor refuted: certified values at drawn runs speak for it, none against it",
    broken={"the other way round": {"direction": -1}},
)
def many_steps(direction: Sign = 1, profile: Profile = Profile.QUICK) -> Iterator[Evidence]:
    """The same for T steps is a conjecture. Certified values at drawn runs, 2 to 1000 steps, speak for it; for two steps it follows where the sum of
    the measure of the privacy loss under the geometric mean of the two laws and its mirror image falls on the half-line, which fails for
    little noise."""
    generator = random.Random(SEED)
    certain = open_ = 0
    for _ in range(20 if profile is Profile.QUICK else 600):
        run = _draw_run(generator)
        by = [_delta(run, way) for way in ("add", "remove")]
        small, large = by if direction > 0 else by[::-1]
        if small is None or large is None or (small.lo <= large.hi and small.hi > large.lo):
            open_ += 1
        elif small.lo > large.hi:
            steps, q, sigma, epsilon = run
            raise Rejected(f"T = {steps}, q = {q}, sigma = {sigma}, epsilon = {epsilon}")
        else:
            certain += 1
    told = "removing costs at least as much, by certified deltas at drawn runs; the rest is not decided"
    yield certified_points(certain, vacuous=open_, detail=told)
    raise Undecided(f"certified at {certain} runs, not decided at {open_}, no proof")


def _draw_run(generator: random.Random) -> tuple[int, Fraction, Fraction, Fraction]:
    """T, q, sigma, epsilon: epsilon up to three times the deviation of the loss, which is about T q^2 (e^{1/sigma^2} - 1)."""
    steps = generator.choice(LENGTHS)
    q, sigma = (
        draw(generator, Fraction(1, 1000), Fraction(99, 100)),
        draw(generator, Fraction(2, 5), 8),
    )
    spread = math.sqrt(steps * float(q) ** 2 * math.expm1(1 / float(sigma) ** 2))
    share = draw(generator, Fraction(1, 100), 3)
    return steps, q, sigma, Fraction(float(share) * min(spread, 3.0)).limit_denominator(10**6)


def _delta(run: tuple[int, Fraction, Fraction, Fraction], way: str) -> Certified | None:
    steps, q, sigma, epsilon = run
    try:
        return tight_delta(q, sigma, steps, epsilon, direction=way, digits=9)
    except SgmError:  # no answer is no evidence
        return None
