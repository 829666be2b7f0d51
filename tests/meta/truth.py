"""Whether a changed formula is false, independently of any check: certified counterexamples at places.

A place is a point of the main theorem's region, which lies inside the domains of all formulas, with values
for the symbols that are not the paper's. A formula is known to be false where the claim's own surely holds
and it surely fails. Nothing else is known: no counterexample is no proof.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from fractions import Fraction

import sympy
from flint import arb

from proofs_checks import paper
from proofs_checks.quantities.at_points import Place
from proofs_checks.tools.balls import ball, rational
from proofs_checks.tools.formula import AnyFormula, Formula, Several, evaluated
from verify.numbers.balls import precision
from verify.numbers.errors import SgmError

BITS = 260
POINTS = (
    ("1/100", "4", "3/2"), ("1/100", "4", "8"), ("1/5", "4", "4"), ("27/200", "4", "51/10"),
    ("1/10", "6", "5"), ("1/7", "5", "5/4"), ("1/1000000", "4", "2"), ("1/1000000000", "9", "21/2"),
    ("1/5", "40", "9/8"), ("1/5", "4", "1000001/1000000"),
)  # fmt: skip
"""q, sigma, alpha: ordinary ones, the closest to the bound, small rates, much noise, orders next to 1."""

OTHER = (
    {"x": "3/2", "y": "5/4", "w": "1/9", "r": "9/8", "v": "7/3", "t": "1/2", "u": "2", "z": "1/3",
     "k": "5/2", "S_n": "1", "a_0": "1", "d_n": "99", "n": "3", "s": "1/2", "b": "1/3", "P": "3",
     "Q": "2", "m": "1"},
    {"x": "3", "y": "3", "w": "-1/2", "r": "1", "v": "10", "t": "1/1000", "u": "7/6", "z": "-2",
     "k": "-1", "S_n": "1", "a_0": "1", "d_n": "99", "n": "2", "s": "3", "b": "4", "P": "1/5",
     "Q": "7", "m": "5"},
    {"x": "1/1000", "y": "1001/1000", "w": "1/1000000", "r": "999999/1000000", "v": "1", "t": "0",
     "u": "1001/1000", "z": "1/2", "k": "1/1000", "S_n": "1", "a_0": "1", "d_n": "99", "n": "5",
     "s": "1/1000", "b": "1/2", "P": "1", "Q": "1000001/1000000", "m": "1/9"},
)  # fmt: skip


class Numbers(Mapping[sympy.Symbol, arb]):
    """A place, and numbers for the symbols that are not the paper's."""

    def __init__(self, place: Place, other: Mapping[str, str]) -> None:
        self.place, self.other = place, other

    def __getitem__(self, name: sympy.Symbol) -> arb:
        if name.name == "A_n":
            return self.place.moment(Fraction(self.other["n"]))
        own = name in (paper.q, paper.sigma, paper.alpha, paper.a1)
        if not own and name.name in self.other:
            return rational(Fraction(self.other[name.name]))
        if name.name in _PAPERS:
            return self.place[_PAPERS[name.name]]
        return self.place[name]

    def __hash__(self) -> int:
        return id(self)  # a value is computed once for every place

    def __eq__(self, other: object) -> bool:
        return self is other

    def __iter__(self) -> Iterator[sympy.Symbol]:
        return iter(self.place)

    def __len__(self) -> int:
        return len(self.place)


_PAPERS = {s.name: s for s in (paper.q, paper.sigma, paper.alpha, paper.a1)}


@functools.cache
def places() -> tuple[Numbers, ...]:
    made = [Place(Fraction(q), Fraction(sigma), Fraction(alpha), 40) for q, sigma, alpha in POINTS]
    return tuple(Numbers(place, other) for other in OTHER for place in made)


@functools.cache
def inside(own: AnyFormula) -> tuple[Numbers, ...]:
    """The places where the claim's own formula does not fail; one for each if nothing tells them apart."""
    names = {s.name for part in own.parts() for side in part.sides for s in side.free_symbols}
    known = names & set(OTHER[0]) - {"A_n"}
    found = places() if known or "A_n" in names else places()[: len(POINTS)]
    return tuple(where for where in found if not false_at(own, where))


@functools.cache
def _plain(side: sympy.Expr, size: int) -> sympy.Expr:
    """With names expanded and finite sums written out; what has no ball stays."""
    plain = evaluated(side, paper.NAMES)
    if plain.has(sympy.Sum):
        plain = plain.subs(paper.n, size)
    return plain.doit(integrals=False) if plain.has(sympy.Sum, sympy.Derivative) else plain


@functools.cache
def _side(side: sympy.Expr, where: Numbers) -> arb | None:
    try:
        value = ball(_plain(side, int(where.other["n"])), where)
    except (TypeError, KeyError, ValueError, ZeroDivisionError, SgmError):
        return None
    return value if value.is_finite() else None


def relation_at(part: Formula, where: Numbers) -> bool | None:
    """Whether one relation surely holds, or surely fails, there; None where balls cannot tell.

    A strict inequality is read as a weak one, and an equation can only fail.
    """
    with precision(BITS):
        left, right = (_side(side, where) for side in part.sides)
        if left is None or right is None:
            return None
        if part.relation == "=":
            return False if (left < right or left > right) else None
        small, large = (left, right) if part.relation in ("<", "<=") else (right, left)
        return True if small <= large else False if small > large else None


def _holds(formula: Formula, where: Numbers) -> bool | None:
    found = [relation_at(part, where) for part in formula.parts()]
    return False if False in found else None if None in found else True


def false_at(changed: AnyFormula, where: Numbers) -> bool:
    """Whether the formula surely fails there: an implication with a true premise, else any relation."""
    if isinstance(changed, Several) and changed.joint.strip() in (r"\Rightarrow", r"\iff"):
        first, second = (_holds(f, where) for f in changed.formulas)
        backwards = changed.joint.strip() == r"\iff" and (first, second) == (False, True)
        return (first, second) == (True, False) or backwards
    return any(relation_at(part, where) is False for part in changed.parts())


def known_false(own: AnyFormula, changed: AnyFormula) -> str:
    """A place where the claim's own formula does not fail and the changed one surely does; or nothing."""
    for where in inside(own):
        if false_at(changed, where):
            return f"q, sigma, alpha = {', '.join(map(str, where.place.at))}; {where.other}"
    return ""


def certified_true(own: AnyFormula, changed: AnyFormula) -> bool:
    """Every inequality that was changed holds wherever the claim's own surely holds, somewhere at least.

    That is no proof; but a changed equation is never taken for true.
    """
    looked = 0
    for old, new in zip(own.parts(), changed.parts(), strict=True):
        if old == new:
            continue
        if new.relation == "=":
            return False
        for where in inside(own):
            if relation_at(old, where):
                looked += 1
                if relation_at(new, where) is not True:
                    return False
    return looked > 0
