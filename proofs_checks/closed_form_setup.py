"""Closed-form bound: where the integral is cut, and the symmetric lemma (lines 310-347)."""

from __future__ import annotations

from collections.abc import Iterator

import sympy

from proofs_checks.tools.algebra import identity, positive
from proofs_checks.tools.gaussian import alpha, mu0, mu1, q, r0, z, z0
from verify.claims import Evidence, claim

HALF = sympy.Rational(1, 2)


@claim(
    "closed-form/z0/definition",
    lines="319",
    kind="identity",
    domain=r"\alpha > 1,\ 0 < q \le 1,\ \sigma > 0",
    statement=r"(1-q) + q\,\mu_1(z_0)/\mu_0(z_0) = \alpha/(\alpha-1)",
    ledger="Z2",
    broken={"z0 without the half": {"shift": 0}, "alpha in place of alpha-1": {"target": alpha}},
)
def z0_definition(
    shift: sympy.Expr = HALF, target: sympy.Expr = alpha / (alpha - 1)
) -> Iterator[Evidence]:
    """The cut z0 is the point where the density ratio of the mixture equals alpha/(alpha-1)."""
    cut = z0 - HALF + shift
    yield identity(sympy.simplify((1 - q) + q * mu1(z).subs(z, cut) / mu0(z).subs(z, cut)), target)


@claim(
    "closed-form/z0/reflection",
    lines="319",
    kind="identity",
    domain=r"z \in \mathbb{R},\ \sigma > 0",
    statement=r"\mu_0(z) = \mu_1(1-z)",
    ledger="Z5",
    broken={"reflection at 0": {"centre": 0}},
)
def reflection(centre: sympy.Expr = HALF) -> Iterator[Evidence]:
    """Reflecting at 1/2 exchanges the two densities."""
    yield identity(mu0(z), mu1(2 * centre - z))


@claim(
    "closed-form/z0/positions",
    lines="319",
    kind="inequality",
    domain=r"\alpha > 1,\ 0 < q \le 1,\ \sigma > 0",
    statement=r"z_0 > 1/2,\quad r_0 > 1",
    ledger="Z4",
    broken={"z0 > 1": {"bound": 1}},
)
def positions(bound: sympy.Expr = HALF) -> Iterator[Evidence]:
    """The cut lies to the right of the point of symmetry, and the ratio there exceeds 1."""
    yield positive(r0 - 1, "r0 - 1 = 1/(q(alpha-1))")
    yield positive(z0 - bound, "z0 - 1/2 = sigma^2 ln(1 + 1/(q(alpha-1)))")
