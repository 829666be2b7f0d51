"""The paper's names as balls at a point, and formulas decided there.

>>> from proofs_checks.paper import A, B
>>> holds(written(lambda: (A, ">=", B)), Place(Fraction(1, 10), Fraction(4), Fraction(3)))
True
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction

import sympy
from flint import arb

from proofs_checks import paper
from proofs_checks.quantities.engine import as_ball, divergence, log_moment
from proofs_checks.quantities.halves import lower_half, upper_half
from proofs_checks.tools.balls import ball
from proofs_checks.tools.draws import surely_below
from proofs_checks.tools.formula import AnyFormula, evaluated, written
from verify.claims import Undecided
from verify.numbers.balls import precision

__all__ = ["Place", "holds", "written"]

BITS = 200


class Place(Mapping[sympy.Symbol, arb]):
    """q, sigma, alpha, and every name of the paper, computed when it is asked for."""

    def __init__(self, q: Fraction, sigma: Fraction, alpha: Fraction, digits: int = 30) -> None:
        self.at = (Fraction(q), Fraction(sigma), Fraction(alpha))
        self.digits = digits
        self.known: dict[sympy.Symbol, arb] = {}

    def __getitem__(self, name: sympy.Symbol) -> arb:
        if not self.known:  # at the precision in force when the first name is asked for
            self.known.update(paper.point(*self.at))
        if name not in self.known:
            if name in paper.NAMES:
                self.known[name] = ball(evaluated(name, paper.NAMES), self)
            else:
                self.known[name] = _COMPUTED[name](self)
        return self.known[name]

    def __iter__(self) -> Iterator[sympy.Symbol]:
        return iter({**self.known, **_COMPUTED})

    def __len__(self) -> int:
        return len({**self.known, **_COMPUTED})

    def moment(self, order: Fraction) -> arb:
        q, sigma, _ = self.at
        return as_ball(log_moment(q, sigma, order, self.digits)).exp()


_COMPUTED: dict[sympy.Symbol, Callable[[Place], arb]] = {
    paper.A: lambda place: place.moment(place.at[2]),
    paper.B: lambda place: place.moment(1 - place.at[2]),
    paper.A_left: lambda place: lower_half(*place.at),
    paper.A_right: lambda place: upper_half(*place.at),
    paper.epsilon: lambda place: as_ball(divergence(*place.at, place.digits)),
}


def holds(formula: AnyFormula, place: Mapping[sympy.Symbol, arb], bits: int = BITS) -> bool:
    """Whether every inequality of a formula surely holds; Undecided where balls cannot tell.

    A strict inequality is read as a weak one: at a point balls tell no more.
    """
    with precision(bits):
        return all(
            surely_below(*sides)
            for part in formula.parts()
            for sides in _ordered_pairs(part.relation, *(ball(s, place) for s in part.expanded()))
        )


def _ordered_pairs(relation: str, left: arb, right: arb) -> Iterator[tuple[arb, arb]]:
    """The pairs (small, large) that a relation asks for."""
    if relation not in ("<", "<=", ">", ">="):
        raise Undecided(f"{relation}: balls decide inequalities, not identities")
    yield (left, right) if relation in ("<", "<=") else (right, left)
