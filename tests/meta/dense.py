"""Whether a formula holds on a dense grid of its domain, refined where it is closest to failing;
independently of any check.

The domain is the one that is printed. Every point is decided by balls: inside or not, holding or
not. From points inside, the ends of the domain are found by bisection, a coordinate at a time. A
formula that holds at all of them is taken for true by the attack (that is no proof, but a
refutation of it is a hole); one that fails at one is false.
"""

from __future__ import annotations

import functools
import itertools
import math
import random
from collections.abc import Iterable, Iterator
from fractions import Fraction

import sympy
from flint import arb

from proofs_checks import paper
from proofs_checks.quantities.at_points import Place
from proofs_checks.refuting.domain import DomainCondition, mentioned_letters, read
from proofs_checks.refuting.search import FEW
from proofs_checks.tools.balls import ball, rational
from proofs_checks.tools.formula import AnyFormula, Formula, Several, evaluated
from verify.numbers.balls import precision
from verify.numbers.errors import SgmError

BITS = 160
LEAST = 20  # points inside, or nothing is said
ROUNDS, LAZY, KEPT, STARTS = 40, 4, 3, 20
FARTHEST, HEAVY_FARTHEST = 8, 2  # steps of a factor 8
LARGEST_GRID, POINTS, HEAVY_POINTS = 1000, 500, 60
RATES = tuple(map(Fraction, ("1", "3/5", "1/5", "7/50", "1/20", "1/1000", "1/10000000", "1e-40")))
NOISES = tuple(map(Fraction, ("1/10", "1/3", "4/5", "1", "5/2", "4", "7", "30", "300")))
ORDERS = tuple(
    map(
        Fraction,
        ("1000001/1000000", "1001/1000", "6/5", "9/5", "2", "5/2", "4", "5", "9", "25", "120"),
    )
)
OTHERS = tuple(
    map(
        Fraction,
        (
            "-3",
            "-99/100",
            "-1/2",
            "-1/1000",
            "-1/1000000",
            "0",
            "1/1000000",
            "1/1000",
            "1/4",
            "2/3",
            "1",
            "5/4",
            "7/4",
            "5/2",
            "6",
            "40",
        ),
    )
)
FACTORS = tuple(map(Fraction, ("4", "1/4", "6/5", "5/6", "101/100", "100/101")))
HEAVY = frozenset({paper.A, paper.A_left, paper.A_right, paper.B, paper.epsilon})
OWN = {s.name: s for s in (paper.q, paper.sigma, paper.alpha)}
Values = dict[str, Fraction]


class _At(dict[sympy.Symbol, arb]):
    """Numbers for symbols by their names, and the paper's names at the place."""

    def __init__(self, values: Values) -> None:
        super().__init__()
        self.values_ = values
        self.exact = dict(values)
        self.place = Place(
            values.get("q", RATES[2]),
            values.get("sigma", NOISES[4]),
            values.get("alpha", ORDERS[5]),
            25,
        )

    def __missing__(self, name: sympy.Symbol) -> arb:
        if name.name in self.values_:
            return rational(self.values_[name.name])
        return self.place[OWN.get(name.name, name)]


def holds_densely(formula: AnyFormula, domain: str) -> bool | None:
    """True: at every point looked at. False: it fails at one. None: it cannot be told."""
    conditions, parts = read(domain), _inequalities(formula)
    if conditions is None or not parts:
        return None
    names = {
        s
        for part in parts
        for side in part.sides
        for s in evaluated(side, paper.NAMES).free_symbols
    }
    names |= {
        s
        for c in conditions
        for e in (c.left, c.right)
        for s in evaluated(e, paper.NAMES).free_symbols
    }
    known = mentioned_letters(conditions) | {*OWN, "a1", *(s.name for s in HEAVY)}
    if not {s.name for s in names} <= known:
        return None  # a letter without a range
    inside: list[tuple[float, Values]] = []
    touching: list[Values] = []
    farthest = HEAVY_FARTHEST if names & HEAVY else FARTHEST

    def fails(points: Iterable[Values]) -> bool:
        for values in points:
            if _inside(conditions, values) and (room := _room(parts, values)) is not None:
                if room < 0:
                    return True
                if math.isnan(room):
                    touching.append(values)
                else:
                    inside.append((room, values))
        return False

    with precision(BITS):
        grid = [at for at in _grid(names, conditions) if _inside(conditions, at)]
        most = HEAVY_POINTS if names & HEAVY else POINTS
        if fails(random.Random(11).sample(grid, min(most, len(grid)))):
            return False
        if names & HEAVY and fails(dict(zip(OWN, at, strict=True)) for at in FEW):
            return False
        starts = random.Random(13).sample(inside, min(STARTS, len(inside)))
        if any(fails(_ends(conditions, values, farthest)) for _, values in starts):
            return False
        if any(fails(_ends(conditions, values, farthest)) for values in touching[:STARTS]):
            return False
        best: list[float] = []
        for _ in range(ROUNDS):
            closest = sorted(inside, key=lambda found: found[0])[:KEPT]
            best.append(closest[0][0] if closest else 0.0)
            if len(best) > LAZY and best[-LAZY] - best[-1] <= best[-1] / 1000:
                break
            for _, values in closest:
                if fails(_around(conditions, values)) or fails(_ends(conditions, values, farthest)):
                    return False
    return True if len(inside) >= LEAST else None


def _inequalities(formula: AnyFormula) -> list[Formula]:
    """The relations that points can decide; none where an equation is among them that algebra does not show."""
    if isinstance(formula, Several) and formula.joint.strip() in (r"\Rightarrow", r"\iff"):
        return []
    parts = list(formula.parts())
    for part in parts:
        if part.relation == "=" and not _plain_equation(part):
            return []
    return [part for part in parts if part.relation != "="]


def _plain_equation(part: Formula) -> bool:
    left, right = (evaluated(side, paper.NAMES) for side in part.sides)
    difference = left - right
    return not difference.has(sympy.Integral, sympy.Sum) and sympy.cancel(difference) == 0


def _grid(names: set[sympy.Symbol], conditions: tuple[DomainCondition, ...]) -> Iterator[Values]:
    """Usual values for every letter, and those that the domain names."""
    plain = {s.name for s in names}
    heavy = bool(names & HEAVY)
    axes: dict[str, tuple[Fraction, ...]] = {}
    for name, values in (("q", RATES), ("sigma", NOISES), ("alpha", ORDERS)):
        if heavy or name in plain or (name == "alpha" and "a1" in plain):
            axes[name] = values
    known = {*OWN, "a1", *(s.name for s in HEAVY)}
    axes |= dict.fromkeys(sorted(plain - known), OTHERS)
    for condition in conditions:
        for one, other in ((condition.left, condition.right), (condition.right, condition.left)):
            if other.is_Rational and str(one) in axes:
                named = Fraction(int(other.p), int(other.q))
                axes[str(one)] = (*axes[str(one)], named)
    points = list(itertools.product(*axes.values()))
    if len(points) > LARGEST_GRID:
        points = random.Random(11).sample(points, LARGEST_GRID)
    for point in points:
        yield dict(zip(axes, point, strict=True))


def _around(conditions: tuple[DomainCondition, ...], values: Values) -> Iterator[Values]:
    """One coordinate at a time a little larger and a little smaller; with the last order inside,
    where the order gets too large."""
    for name in values:
        for factor in FACTORS:
            near = _moved(values, name, factor)
            yield near
            if name == "alpha" or "alpha" not in values or _inside(conditions, near):
                continue
            low, high = Fraction(0), Fraction(1)
            for _ in range(24):
                middle = (low + high) / 2
                inside = _inside(conditions, _moved(near, "alpha", middle))
                low, high = (middle, high) if inside else (low, middle)
            if low:
                yield _moved(near, "alpha", low)


def _moved(values: Values, name: str, factor: Fraction) -> Values:
    if name == "alpha":
        return values | {name: 1 + (values[name] - 1) * factor}
    return values | {name: values[name] * factor}


def _ends(
    conditions: tuple[DomainCondition, ...], values: Values, farthest: int
) -> Iterator[Values]:
    """From a point inside: the last points inside, one coordinate at a time, to a billionth."""
    for name in values:
        for step in (Fraction(8), Fraction(1, 8)):
            low, high, tried = Fraction(1), step, 0
            while tried < farthest and _inside(conditions, _moved(values, name, high)):
                low, high, tried = high, high * step, tried + 1
            for _ in range(30 if tried < farthest else 0):
                middle = ((low + high) / 2).limit_denominator(10**10)
                if _inside(conditions, _moved(values, name, middle)):
                    low = middle
                else:
                    high = middle
            if low != 1:
                yield _moved(values, name, low)


def _inside(conditions: tuple[DomainCondition, ...], values: Values) -> bool:
    where = _At(values)
    try:
        return values.get("q", Fraction(1)) <= 1 and all(c.surely(where) for c in conditions)
    except (KeyError, TypeError, ValueError, ZeroDivisionError, SgmError):
        return False


def _room(parts: list[Formula], values: Values) -> float | None:
    """How far the formula is from failing, relative; negative where it surely fails; nan where both
    sides are as good as equal; None without a value."""
    where = _At(values)
    try:
        rooms = [_one(part, where) for part in parts]
    except (KeyError, TypeError, ValueError, ZeroDivisionError, SgmError):
        return None
    if any(room is not None and room < 0 for room in rooms):
        return -1.0
    if None in rooms:
        return None
    found = [room for room in rooms if room is not None]
    return math.nan if any(map(math.isnan, found)) else min(found)


@functools.cache
def _expanded(side: sympy.Expr) -> sympy.Expr:
    return evaluated(side, paper.NAMES)


def _one(part: Formula, where: _At) -> float | None:
    left, right = (ball(_expanded(side), where) for side in part.sides)
    if not (left.is_finite() and right.is_finite()):
        return None
    small, large = (left, right) if part.relation in ("<", "<=") else (right, left)
    if small > large:
        return -1.0
    if not small <= large:
        return math.nan
    scale = max(abs(float(small.mid())), abs(float(large.mid())), 1e-300)
    return float((large - small).mid()) / scale
