r"""Points of a domain, and whether a formula surely fails at one of them.

Doubles propose nothing here: points are exact rationals, or balls of the paper's own names (z_0, r_0) where a
domain ends at one. Whether a point lies inside and whether a side is above the other is decided by balls.

>>> from proofs_checks.paper import sigma
>>> from proofs_checks.tools.formula import written
>>> counterexample(written(lambda: (1 / sigma, "<=", sigma / 20)), r"\sigma \ge 4")
'sigma = 4: 0.250000000000 <= 0.200000000000 is false'
>>> counterexample(written(lambda: (1 / sigma, "<=", sigma / 16)), r"\sigma \ge 4")
''
"""

from __future__ import annotations

import functools
import itertools
import random
from collections.abc import Iterator, Mapping
from fractions import Fraction

import sympy
from flint import arb

from proofs_checks import paper
from proofs_checks.quantities.at_points import Place
from proofs_checks.refuting.domain import DomainCondition, mentioned_letters, read
from proofs_checks.tools.balls import ball, rational
from proofs_checks.tools.formula import AnyFormula, Formula, Several, evaluated
from verify.numbers.balls import precision
from verify.numbers.errors import SgmError

BITS = 200
DIGITS = 30
RATES = tuple(map(Fraction, ("1/5", "27/200", "1/100", "1", "1/2", "1/1000000", "1/20")))
NOISES = tuple(map(Fraction, ("4", "9", "40", "1", "23/10", "1/2", "1/10", "11/10")))
ORDERS = tuple(
    map(Fraction, ("4", "51/10", "3/2", "2", "8", "12", "1000001/1000000", "101/100", "40"))
)
FEW = tuple(
    tuple(map(Fraction, at.split()))
    for at in (
        "1/5 4 4", "27/200 4 51/10", "1/100 4 8", "1/100 4 3/2", "1/20 4 12", "1/1000000 4 2", "1/10 6 5",
        "1/5 40 9/8", "1/2 1 2", "1 2 3", "43/25000 1/2 2591/1000", "3/40 1 359/100", "69/1000 1 5009/1000", "1/10000 1 97/5",
        "1/12000000000 1/4 49/20", "1e-64 1/10 1083/500", "7/100 9/10 3153/1000", "7/100 9/10 41/10", "1/5 20 322", "1/2 1 41/20", "1/5 4 60", "1/1000 1 3",
    )
)  # fmt: skip
"""Where formulas with integrals are looked at: each costs a certified integral."""
OTHERS = tuple(
    map(Fraction, ("-2", "-1/2", "-1/1000", "0", "1/1000", "1/9", "1/3", "1/2", "9/10", "1", "9/8", "3/2", "2", "3", "10", "7/2"))
)  # fmt: skip
DRAWS = 600
_INTEGRALS = frozenset({paper.A, paper.A_left, paper.A_right, paper.B, paper.epsilon})
_OWN = (paper.q, paper.sigma, paper.alpha)
_BY_NAME = {s.name: s for s in (*_OWN, paper.a1)}  # whatever is assumed of a symbol


class DomainPoint(Mapping[sympy.Symbol, arb]):
    """A place, with balls for the symbols that are not the paper's; these are found by name."""

    def __init__(self, place: Place, others: Mapping[str, Fraction]) -> None:
        self.place, self.others = place, {name: rational(x) for name, x in others.items()}
        q, sigma, alpha = place.at
        self.exact = {"q": q, "sigma": sigma, "alpha": alpha, "a1": alpha - 1, **others}

    def __getitem__(self, name: sympy.Symbol) -> arb:
        if name.name in self.others:
            return self.others[name.name]
        return self.place[_BY_NAME.get(name.name, name)]

    def __iter__(self) -> Iterator[sympy.Symbol]:
        return iter(self.place)

    def __len__(self) -> int:
        return len(self.place)


@functools.cache
def _place(q: Fraction, sigma: Fraction, alpha: Fraction) -> Place:
    return Place(q, sigma, alpha, DIGITS)


def counterexample(formula: AnyFormula, domain: str, own: AnyFormula | None = None) -> str:
    """A point of the domain where the formula's sides surely fail, with their values; empty if none
    is found.

    ``own`` is the claim's own formula, which is proved. Where an equation keeps one side of it, that side may be an
    integral without a ball: then the other side of the proved equation stands for it.
    """
    conditions = read(domain)
    if conditions is None:
        return ""
    formula = _by_proved_sides(formula, own) if own is not None else formula
    names = _names(formula)
    looked = names | {s for c in conditions for s in (c.left.free_symbols | c.right.free_symbols)}
    known = mentioned_letters(conditions) | {s.name for s in (*_OWN, paper.a1, *_INTEGRALS)}
    if not {s.name for s in names} <= known:
        return ""  # a letter without a range
    with precision(BITS):
        for where, told in _points(names, looked):
            if _inside(conditions, where) and (failure := _failure(formula, where)):
                return f"{told}: {failure}" if told else failure
    return ""


def _by_proved_sides(formula: AnyFormula, own: AnyFormula) -> AnyFormula:
    """Equations with one changed side, as "changed side = the claim's own side", if the kept side has no ball."""
    if isinstance(formula, Several) or isinstance(own, Several):
        return formula
    if (
        len(formula.sides) != len(own.sides)
        or set(formula.relations) != {"="}
        or own.relations != formula.relations
    ):
        return formula
    changed = [
        i for i, (new, old) in enumerate(zip(formula.sides, own.sides, strict=True)) if new != old
    ]
    kept = [side for i, side in enumerate(formula.sides) if i not in changed]
    if len(changed) != 1 or not any(
        side.has(sympy.Integral, sympy.Sum, sympy.Derivative) for side in kept
    ):
        return formula
    return Formula((formula.sides[changed[0]], own.sides[changed[0]]), ("=",))


def _names(formula: AnyFormula) -> set[sympy.Symbol]:
    """The free symbols of a formula with its names expanded, integrals as names."""
    return {
        s for part in formula.parts() for side in part.sides
        for s in evaluated(side, paper.NAMES).free_symbols
    }  # fmt: skip


def _points(
    names: set[sympy.Symbol], looked: set[sympy.Symbol]
) -> Iterator[tuple[DomainPoint, str]]:
    own = [s for s in _OWN if _needs(s, looked)]
    others = sorted(
        {s.name for s in looked - set(paper.NAMES) - _INTEGRALS} - {s.name for s in _OWN}
    )
    if "a1" in others:  # the conditions (4) and (5) are written in alpha - 1
        others.remove("a1")
    if names & _INTEGRALS:
        places: list[tuple[Fraction, ...]] = list(FEW)
    else:
        ranges = [
            values if s in own else values[:1]
            for s, values in zip(_OWN, (RATES, NOISES, ORDERS), strict=True)
        ]
        places = list(itertools.product(*ranges))
    generator = random.Random(7)
    tried = [(at, other) for at in places for other in _values(generator, others, at)]
    if len(tried) > DRAWS:
        tried = generator.sample(tried, DRAWS)
    for at, other in tried:
        place = _place(*at)
        shown = [f"{s.name} = {v}" for s, v in zip(_OWN, at, strict=True) if s in own]
        shown += [f"{name} = {value}" for name, value in other.items()]
        yield DomainPoint(place, other), ", ".join(shown)


def _needs(symbol: sympy.Symbol, looked: set[sympy.Symbol]) -> bool:
    if looked & (_INTEGRALS | {paper.a1}):
        return True
    if symbol in looked:
        return True
    return any(
        symbol in evaluated(name, paper.NAMES).free_symbols
        for name in looked
        if name in paper.NAMES
    )


def _values(
    generator: random.Random, others: list[str], at: tuple[Fraction, ...]
) -> Iterator[dict[str, Fraction]]:
    """Values for the other symbols: rationals, and where a domain may end."""
    if not others:
        yield {}
        return
    q, _, alpha = at
    top = 1 + 1 / (q * (alpha - 1))
    ends = (top, 1 / top, (1 + top) / 2, 1 / (alpha - 1), 2 / (alpha - 1))
    rationals = [*OTHERS, *ends]
    if len(others) == 1:
        yield from ({others[0]: value} for value in rationals)
        return
    for _ in range(24):
        yield {name: generator.choice(rationals) for name in others}


def _inside(conditions: tuple[DomainCondition, ...], where: DomainPoint) -> bool:
    try:
        return all(condition.surely(where) for condition in conditions)
    except (KeyError, TypeError, ValueError, ZeroDivisionError, SgmError):
        return False


def _side(side: sympy.Expr, where: DomainPoint) -> arb | None:
    try:
        value = ball(evaluated(side, paper.NAMES), where)
    except (KeyError, TypeError, ValueError, ZeroDivisionError, SgmError):
        return None
    return value if value.is_finite() else None


def _relation(part: Formula, where: DomainPoint) -> tuple[bool | None, str]:
    """Whether one relation surely holds there, surely fails there, or neither; and the two values."""
    left, right = (_side(side, where) for side in part.sides)
    if left is None or right is None:
        return None, ""
    relation = part.relation
    text = _show_values(left, relation, right)
    if relation == "=":
        return (False, text) if left < right or left > right else (None, "")
    small, large = (left, right) if relation in ("<", "<=") else (right, left)
    if relation in ("<", ">"):
        return (True, "") if small < large else (False, text) if small >= large else (None, "")
    return (True, "") if small <= large else (False, text) if small > large else (None, "")


def _show_values(left: arb, relation: str, right: arb) -> str:
    """The two values, with their difference where their first digits are the same."""
    shown = [side.str(12, radius=False) for side in (left, right)]
    text = f"{shown[0]} {relation} {shown[1]} is false"
    if shown[0] == shown[1]:
        text += f": left minus right is {(left - right).str(6, radius=False)}"
    return text


def _failure(formula: AnyFormula, where: DomainPoint) -> str:
    """How the formula fails there; empty where it does not surely fail."""
    if isinstance(formula, Several) and formula.joint.strip() in (r"\Rightarrow", r"\iff"):
        premise, conclusion = (_all(f, where) for f in formula.formulas)
        if premise[0] and conclusion[0] is False:
            return conclusion[1]
        if formula.joint.strip() == r"\iff" and conclusion[0] and premise[0] is False:
            return premise[1]
        return ""
    for part in formula.parts():
        holds, text = _relation(part, where)
        if holds is False:
            return text
    return ""


def _all(formula: Formula, where: DomainPoint) -> tuple[bool | None, str]:
    found = [_relation(part, where) for part in formula.parts()]
    failed = [text for holds, text in found if holds is False]
    if failed:
        return False, failed[0]
    return (None, "") if any(holds is None for holds, _ in found) else (True, "")
