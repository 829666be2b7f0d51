"""A closed form for whole runs: rho = T q^2 (e^{1/sigma^2} - 1), epsilon = rho + 2 sqrt(rho ln(1/delta))."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import sympy

from proofs_checks.beyond.accounting import pointwise
from proofs_checks.closed_form.theorems import remember
from proofs_checks.closed_form.to_the_wall import to_the_wall
from proofs_checks.tools.algebra import identity, positive
from verify.accounting import epsilon as tight_epsilon
from verify.bounds.closed_form import for_run
from verify.bounds.table import Truth
from verify.claims import (
    Evidence,
    Rejected,
    Undecided,
    all_of,
    certified_points,
    claim,
    rests_on,
)

RUNS = (
    ("256/60000", "11/10", 14062, "1/100000"),
    ("512/50000", "1", 4882, "1/100000"),
    ("1/100", "1", 1000, "1/100000"),
    ("1/4", "10", 500, "1/1000000"),
    ("1/10", "4", 2000, "1/100000"),
    ("1/10", "1", 2000, "1/100000"),
    ("1/1000", "3/5", 100_000, "1/1000000"),
    ("1/100", "2/5", 2000, "1/100000"),
)
"""q, sigma, T, delta; the condition holds at all of them but the third."""

rho, ell, b, eps = sympy.symbols("rho ell b epsilon", positive=True)


@claim(
    "beyond/closed-form/runs",
    lines="beyond",
    kind="assertion",
    domain=r"0 < q \le 1,\ \sigma > 0,\ T \in \mathbb{N},\ 0 < \delta < 1,\ \rho = T q^2 (e^{1/\sigma^2} - 1),\ "
    r"\ln(1/\delta) \le \rho\,(c\,\sigma^2 \ln(1/q))^2,\ c = 1\ \text{for}\ \sigma \ge 1/2\ \text{and}\ 2/3\ \text{below}",
    statement=r"T\ \text{steps are}\ (\varepsilon, \delta)\text{-DP with}\ \varepsilon = \rho + 2\sqrt{\rho \ln(1/\delta)}",
    broken={
        "half of the root": {"factor": Fraction(1)},
        "without rho": {"linear": Fraction(0)},
    },
)
def run_bound(factor: Fraction = Fraction(2), linear: Fraction = Fraction(1)) -> Iterator[Evidence]:
    """A formula for a paper: T steps of sampled Gaussian noise with Poisson sampling, records added or removed. By the bound to remember they
    cost at most rho alpha at order alpha, and delta <= e^{(alpha-1)(rho alpha - epsilon)}; with alpha - 1 = sqrt(ln(1/delta)/rho) that is
    delta. The condition says that this order is one of the bound's. Theorem 1 of Abadi et al. has this shape with constants that are left
    open. At the ordinary runs where it applies the formula is 1.7 to 1.8 times the exact epsilon. Where the condition does not hold and q < 1, the
    largest order of the bound gives rho (1 + e) + ln(1/delta)/e, e = c sigma^2 ln(1/q)."""
    shares = []
    for q, sigma, steps, delta in RUNS:
        run = for_run(Fraction(q), Fraction(sigma), steps, Fraction(delta))
        true = tight_epsilon(q, sigma, steps, delta, digits=10)
        if run.applies is not Truth.TRUE:
            at_the_end = run.at_the_end
            if at_the_end is None or not true.hi <= at_the_end.lo:
                raise Undecided(f"q = {q}, sigma = {sigma}, T = {steps}: the largest order")
            continue
        cost, root = Fraction(run.rho.hi), (Fraction(run.epsilon.hi) - Fraction(run.rho.lo)) / 2
        claimed = linear * cost + factor * root
        if true.lo > claimed:
            raise Rejected(
                f"q = {q}, sigma = {sigma}, T = {steps}, delta = {delta}: epsilon = {true:.8}"
            )
        shares.append(float(claimed / Fraction(true.hi)))
    if linear < 1 or factor < 2:
        raise Undecided("the best order gives rho + 2 sqrt(rho ln(1/delta))")
    told = f"exact epsilon of {len(shares)} runs: the formula is {min(shares):.2f} to {max(shares):.2f} times it"
    yield certified_points(len(shares), detail=told)
    best = sympy.sqrt(ell / rho)
    converted = rho * (1 + b) + ell / b  # rho alpha + ln(1/delta)/(alpha-1)
    exponent = b * (rho * (1 + b) - (rho + 2 * sympy.sqrt(rho * ell)))
    yield all_of(
        identity(converted.subs(b, best), rho + 2 * sympy.sqrt(rho * ell), "at the best order"),
        identity(exponent.subs(b, best), -ell, "there delta is e^-ell"),
        identity(b * (rho * (1 + b) - converted), -ell, "at any order: delta is e^-ell"),
        identity(sympy.diff(converted, b), rho - ell / b**2, "the slope of what is minimised"),
        _below_one(),
        rests_on(remember.given(), to_the_wall.given(), pointwise.given()),
    )  # fmt: skip


def _below_one() -> Evidence:
    """kappa = (alpha-1)^(alpha-1)/alpha^alpha < 1: its logarithm is b ln b - (1+b) ln(1+b) < 0."""
    logarithm = (1 + b) * sympy.log(1 + b) - b * sympy.log(b)
    return all_of(
        identity(logarithm, sympy.log(1 + b) + b * (sympy.log(1 + b) - sympy.log(b)), "-ln kappa"),
        positive(sympy.log(1 + b), "is positive"),
        positive(b * sympy.log(1 + 1 / b), "and so is the rest"),
    )
