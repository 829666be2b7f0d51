"""A small interval prover: an inequality on a whole box, by adaptive subdivision with balls.

``prove(f, box)`` shows f > 0 (or f >= 0) everywhere on a closed box. A sub-box is settled when the
enclosure of f on it has a sign; the enclosure is the natural one, sharpened by the mean value form
f(m) + grad f(box) (x - m) when it does not settle the matter. Where f is surely negative at the
middle of a sub-box the inequality is false and :class:`~verify.claims.StepFails` names the point
(:class:`~verify.claims.Rejected`, if the inequality is a claim's own statement).
What is left when the budget is spent is undecided, and undecided is not proved. Breadth first, so
that a false inequality is found out early.

Unbounded domains are compactified by the caller: write the inequality in b = 1/alpha or
v = 1/sigma^2 and prove it on the closed box, the limit point included.

>>> import sympy
>>> x, y = sympy.symbols("x y")
>>> prove(x * y + sympy.Rational(1, 100) > 0, {x: (0, 1), y: (0, 1)})
Proof(boxes=1, depth=0)
>>> prove(x * (1 - x) < sympy.Rational(24, 100), {x: (0, 1)})
Traceback (most recent call last):
...
verify.claims.model.StepFails: false at x = 1/2
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import sympy
from flint import arb

from proofs_checks.tools.balls import ball, interval, rational
from verify.claims import Evidence, Level, Rejected, StepFails, Undecided
from verify.numbers.balls import precision

Bound = int | Fraction
Box = Mapping[sympy.Symbol, tuple[Bound, Bound]]

MAX_BOXES = 40_000
MAX_DEPTH = 60
_BITS = 80


@dataclass(frozen=True)
class Proof:
    """How a proof by subdivision went: all boxes settled."""

    boxes: int
    depth: int
    vacuous: int = field(default=0, repr=False)
    seconds: float = field(default=0.0, compare=False, repr=False)

    def evidence(self, detail: str) -> Evidence:
        how = f"interval proof, {self.boxes} boxes, depth {self.depth}, undecided volume 0"
        return Evidence(
            Level.REGION, self.boxes, self.vacuous, f"{detail}: {how}", boxes=self.boxes
        )


@dataclass(frozen=True, slots=True)
class _Piece:
    low: tuple[Fraction, ...]
    high: tuple[Fraction, ...]
    depth: int

    def middle(self) -> tuple[Fraction, ...]:
        return tuple((a + b) / 2 for a, b in zip(self.low, self.high, strict=True))

    def volume(self) -> Fraction:
        product = Fraction(1)
        for a, b in zip(self.low, self.high, strict=True):
            product *= b - a if b > a else 1
        return product


class _Function:
    """An expression with its gradient, evaluated on boxes."""

    def __init__(self, expr: sympy.Expr, names: list[sympy.Symbol]) -> None:
        self.expr, self.names = expr, names
        self.gradient = [sympy.diff(expr, name) for name in names]

    def on(self, piece: _Piece) -> tuple[arb, arb | None]:
        """An enclosure on the piece, and the value in its middle if that was needed."""
        sides = zip(self.names, piece.low, piece.high, strict=True)
        box = {name: interval(a, b) for name, a, b in sides}
        plain = ball(self.expr, box)
        if plain > 0:
            return plain, None
        middle = dict(zip(self.names, map(rational, piece.middle()), strict=True))
        value = ball(self.expr, middle)
        centred = value
        for name, slope in zip(self.names, self.gradient, strict=True):
            centred += _slope(slope, box) * (box[name] - middle[name])
        return _sharper(plain, centred), value

    def holds_in_the_middle(self, piece: _Piece) -> bool:
        """For a condition, whose negation this is: whether it surely holds in the middle."""
        middle = dict(zip(self.names, map(rational, piece.middle()), strict=True))
        return bool(ball(self.expr, middle) <= 0)

    def at(self, piece: _Piece) -> str:
        return ", ".join(f"{n} = {m}" for n, m in zip(self.names, piece.middle(), strict=True))


def _slope(expr: sympy.Expr, box: Mapping[sympy.Symbol, arb]) -> arb:
    """The gradient only sharpens: where it has no balls, the plain enclosure has to do."""
    try:
        return ball(expr, box)
    except TypeError:
        return arb("nan")


def _sharper(x: arb, y: arb) -> arb:
    """Of two enclosures of the same values, the one with the higher lower end."""
    if not x.is_finite():
        return y
    if not y.is_finite():
        return x
    return y if y.lower() > x.lower() else x


def prove(
    inequality: sympy.Expr,
    box: Box,
    *,
    given: Sequence[sympy.Expr] = (),
    max_boxes: int = MAX_BOXES,
    bits: int = _BITS,
    statement: bool = False,
) -> Proof:
    """Prove ``lhs > rhs``, ``>=``, ``<`` or ``<=`` (a sympy relation) on a closed box.

    With ``given``, on the part of the box where all these expressions are >= 0: a sub-box on which
    one of them is surely negative is vacuous. What is false at a point is a step of an argument, and
    the claim may be true all the same, unless it is the ``statement`` itself on its own domain.
    """
    start = time.perf_counter()
    difference, strict = _difference(inequality)
    if unbounded := difference.free_symbols - set(box):
        raise Undecided(f"the box says nothing about {', '.join(map(str, unbounded))}")
    names = sorted(box, key=lambda s: s.name)
    function = _Function(difference, names)
    conditions = [_Function(-condition, names) for condition in given]
    whole = _Piece(
        tuple(Fraction(box[n][0]) for n in names), tuple(Fraction(box[n][1]) for n in names), 0
    )
    todo, settled, vacuous, seen, depth = deque([whole]), 0, 0, 0, 0
    with precision(bits):
        while todo:
            piece = todo.popleft()
            if seen >= max_boxes or piece.depth > MAX_DEPTH or (seen and piece.low == piece.high):
                left = sum((p.volume() for p in [*todo, piece]), Fraction(0)) / whole.volume()
                raise Undecided(
                    f"undecided volume {float(left):.3g} after {seen} boxes, "
                    f"depth {depth}; for instance near {function.at(piece)}"
                )
            seen, depth = seen + 1, max(depth, piece.depth)
            value, middle = function.on(piece)
            if any(condition.on(piece)[0] > 0 for condition in conditions):
                vacuous += 1
                continue
            if value > 0 or (not strict and value >= 0):
                settled += 1
                continue
            fails = middle is not None and (middle < 0 or (strict and middle <= 0))
            if fails and all(condition.holds_in_the_middle(piece) for condition in conditions):
                raise (Rejected if statement else StepFails)(f"false at {function.at(piece)}")
            todo.extend([piece] if piece.low == piece.high else _halves(piece, whole))
    return Proof(settled, depth, vacuous, time.perf_counter() - start)


def _difference(inequality: sympy.Expr) -> tuple[sympy.Expr, bool]:
    """What has to be positive (strict) or non-negative."""
    if inequality in (sympy.true, sympy.false):  # decided from the assumptions on its symbols
        return sympy.Integer(1 if inequality == sympy.true else -1), True
    if not isinstance(inequality, sympy.core.relational.Relational):
        raise TypeError(f"{inequality}: not an inequality that is left to prove")
    strict = isinstance(inequality, sympy.StrictGreaterThan | sympy.StrictLessThan)
    if not strict and not isinstance(inequality, sympy.GreaterThan | sympy.LessThan):
        raise TypeError(f"{inequality}: not an inequality")
    return inequality.gts - inequality.lts, strict


def _halves(piece: _Piece, whole: _Piece) -> list[_Piece]:
    """Cut across the side that is longest compared with the whole box."""
    sides = [
        (b - a) / (wb - wa) if wb > wa else Fraction(0)
        for a, b, wa, wb in zip(piece.low, piece.high, whole.low, whole.high, strict=True)
    ]
    i = sides.index(max(sides))
    cut = (piece.low[i] + piece.high[i]) / 2
    below = (*piece.high[:i], cut, *piece.high[i + 1 :])
    above = (*piece.low[:i], cut, *piece.low[i + 1 :])
    depth = piece.depth + 1
    return [_Piece(above, piece.high, depth), _Piece(piece.low, below, depth)]
