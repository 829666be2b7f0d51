"""Central moments of the density ratio are never negative: whole orders are convex in q."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import sympy

from proofs_checks.paper import density0, density1, z
from proofs_checks.quantities.graphs import by_inversion
from proofs_checks.tools.algebra import identity
from proofs_checks.tools.balls import rational
from proofs_checks.tools.monotone import rises_from_zero
from verify.claims import Evidence, Rejected, Undecided, all_of, claim
from verify.numbers.balls import precision

j = sympy.Symbol("j", positive=True, integer=True)
r, s = sympy.symbols("r s", positive=True)


@claim(
    "beyond/graph-expansion/nonnegative",
    lines="beyond",
    kind="inequality",
    domain=r"k \in \{2, 3, 4, \dots\},\ \sigma > 0",
    statement=r"\mathbb{E}_{\mu_0}[(\mu_1/\mu_0 - 1)^k] \ge 0",
    broken={
        "at least a millionth": {"least": Fraction(1, 10**6)},
        "reflected with the weight r^2": {"weight": 2},
        "from k = 1 on, and positive": {"first": 1},
    },
)
def nonnegative(
    least: Fraction = Fraction(0), weight: Fraction | int = 1, first: int = 2
) -> Iterator[Evidence]:
    """Every central moment of the ratio r = mu1/mu0 under mu0 is at least 0, so (A_n - 1)/q^2 is, at
    every whole order n, a polynomial in q with no negative coefficient, and convex in q. Reflection at
    1/2 turns the expectation of h(r) into that of r h(1/r); averaged, an odd power k becomes (r-1)^k (1
    - r^(1-k))/2, whose two factors have the same sign. Even powers are squares."""
    if first == 1:
        raise Rejected("k = 1: the mean of r - 1 is 0, not positive")
    with precision(200):
        edge = rational(Fraction(1, 100**2)).expm1()  # sigma = 100, k = 3
        value = sum(c * edge**i for i, c in enumerate(by_inversion(3)))
        if value < rational(least):
            raise Rejected(f"k = 3, sigma = 100: the moment is {value.str(5, radius=False)}")
    if least > 0:
        raise Undecided(f"at least 0 is proved, not {least}")
    k = 2 * j + 1
    folded = (r - 1) ** k + r**weight * (1 / r - 1) ** k
    product = (r - 1) ** k * (1 - r ** (1 - k))
    at = [{r: Fraction(3), j: Fraction(1)}, {r: Fraction(1, 3), j: Fraction(2)}]
    for size in (1, 2, 3):  # reject a wrong weight at once; the general step is below
        identity(sympy.expand(folded.subs(j, size)), sympy.expand(product.subs(j, size)), at=at[:1])
    yield all_of(
        identity(density0(1 - z), density1(z), "reflection at 1/2 exchanges the densities"),
        identity((-1) ** k, sympy.Integer(-1), "k is odd: (1/r - 1)^k = -(r - 1)^k r^(-k)"),
        identity(r * r ** (-k), r ** (1 - k), "so the folded integrand is (r - 1)^k (1 - r^(1-k))"),
        rises_from_zero(sympy.exp(s) - 1, s, sympy.exp(s), "r = e^s > 1: r - 1 > 0"),
        rises_from_zero(
            1 - sympy.exp(-2 * j * s), s, 2 * j * sympy.exp(-2 * j * s), "and 1 - r^(1-k) > 0"
        ),
        rises_from_zero(1 - sympy.exp(-s), s, sympy.exp(-s), "r = e^-s < 1: r - 1 < 0"),
        rises_from_zero(
            sympy.exp(2 * j * s) - 1, s, 2 * j * sympy.exp(2 * j * s), "and 1 - r^(1-k) < 0"
        ),
    )
