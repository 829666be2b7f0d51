"""The best result beyond the paper: a lower bound of epsilon without conditions, and what it makes of
the paper's upper bound."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import sympy

from proofs_checks.paper import BOUND, alpha, constant_of_bound, epsilon, q, sigma
from proofs_checks.quantities.at_points import Place, holds
from proofs_checks.quantities.engine import Ranges
from proofs_checks.quantities.lower_bound import lower_bound
from proofs_checks.tools.algebra import identity
from proofs_checks.tools.draws import at_many
from proofs_checks.tools.formula import Formula, written
from verify.claims import Evidence, Rejected, Undecided, all_of, claim

EVERYWHERE = r"0 < q \le 1,\ \sigma > 0,\ \alpha > 1,\ \alpha \in \mathbb{R}"
MILLIONTH = sympy.Rational(1, 10**6)
SHARP = (
    (Fraction(999_999_999, 10**9), Fraction(1), Fraction(2)),  # next to q = 1, where equality is
    (Fraction(1, 10**4), Fraction(2000), Fraction(2)),  # small q and much noise: inside Theorem 11
)
RANGES: Ranges = {"rate": (1e-6, 0.999), "noise": (0.1, 300), "order": (1.0001, 1000)}
BOTTOM = q**2 * alpha / (2 * sigma**2)
FROM_BELOW = written(lambda: (epsilon, ">=", BOTTOM))


def at_points(formula: Formula, count: int, detail: str) -> Evidence:
    """The formula at drawn points, after those where it is sharp; Rejected where it fails."""
    for place in SHARP:
        if not holds(formula, Place(*place)):
            raise Rejected("q = {}, sigma = {}, alpha = {}".format(*place))

    def here(rate: Fraction, noise: Fraction, order: Fraction) -> bool:
        return holds(formula, Place(rate, noise, order))

    return at_many(RANGES, count, lambda **_: True, here, detail)


@claim(
    "beyond/bound/from-below",
    lines="beyond",
    kind="inequality",
    domain=EVERYWHERE,
    statement=FROM_BELOW,
    broken={
        "a millionth more": {"formula": written(lambda: (epsilon, ">=", BOTTOM * (1 + MILLIONTH)))},
        "from above": {"formula": written(lambda: (epsilon, "<=", BOTTOM))},
        "linear in q": {"formula": written(lambda: (epsilon, ">=", BOTTOM / q))},
    },
)
def from_below(formula: Formula = FROM_BELOW) -> Iterator[Evidence]:
    """The mechanism never costs less than q^2 alpha/(2 sigma^2): no sampling rate, noise or real order
    above 1 is excepted. At q = 1 that is the Gaussian mechanism, with equality; below q = 1 the cost is
    larger. Proof: replace the power in A by its tangent at an exponential C e^{lambda z}; both terms
    are Gaussian integrals, the best C leaves E_1^alpha/E_2^(alpha-1), and lambda = q/sigma^2 gives the
    bound because ln(1 - q + q e^s) >= q s."""
    points = at_points(formula, 60, "epsilon above the lower bound at certified points")
    name, closed = formula.values({}, ">=")
    identity(name, epsilon)
    yield all_of(*lower_bound(sympy.Rational(constant_of_bound(closed))))
    yield points


WITHIN_FOUR = written(lambda: (BOUND, "<=", 4 * epsilon))


@claim(
    "beyond/bound/within-four",
    lines="beyond",
    kind="inequality",
    domain=EVERYWHERE,
    statement=WITHIN_FOUR,
    broken={
        "a factor smaller by a millionth": {
            "formula": written(lambda: (BOUND, "<=", 4 * (1 - MILLIONTH) * epsilon))
        },
        "reversed": {"formula": WITHIN_FOUR.exchanged()},
    },
)
def within_four(formula: Formula = WITHIN_FOUR) -> Iterator[Evidence]:
    """The closed form of Theorem 11 is at most four times the true epsilon, for every sampling rate,
    noise and order: wherever it is an upper bound, nobody can improve it by more than the factor 4.
    The factor is needed: it is attained at q = 1, and approached for small q and much noise, inside
    the region of the theorem."""
    points = at_points(formula, 60, "the closed form over epsilon at certified points")
    closed, rough = formula.values({}, "<=")
    factor = sympy.simplify(rough / epsilon)
    if not factor.is_Rational:
        raise Undecided(f"{rough} is no multiple of epsilon")
    yield all_of(*lower_bound(sympy.Rational(constant_of_bound(closed)) / factor))
    yield points
