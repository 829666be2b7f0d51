"""Sums of w_j g_j^s over one set of nodes, for many orders s.

Write s = n/D + r with a common denominator D and a tiny r (zero, or what a decimal loses when it
becomes a double), and n = n0 + k1 + B k2. With L_j = ln g_j,

    sum_j w_j g_j^s = sum_i r^i/i! sum_j [g_j^{k1/D}] [w_j L_j^i g_j^{(n0 + B k2)/D}] + rest,

one product of matrices for each i; the powers advance by multiplication. After R terms
|e^x - sum_{i<R} x^i/i!| <= |x|^R/R! e^|x| with |x| <= |r| max|L_j| bounds the rest by that multiple of the
sum without r (all terms of which are positive). Orders without such a D cost an
exponential a node.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, arb_mat, fmpq

from verify.moments.engines.trapezoid import Nodes
from verify.numbers.balls import ball
from verify.numbers.budget import Deadline
from verify.numbers.certified import nearest_double

_DENOMINATORS = (1, 2, 4, 5, 8, 10, 16, 20, 32, 50, 64, 100, 200, 250, 500, 1000)
_TINY = 10**12  # one over the largest offset
_MOST_TERMS = 12
_SEGMENT = 32  # nodes between two fresh starts of the recurrences


@dataclass(frozen=True, slots=True)
class Lattice:
    """Orders as (least + k1 + width k2)/denominator + offset, with tiny offsets.

    >>> found = Lattice.of([Fraction(2.1), Fraction(5, 2)])
    >>> found.denominator, found.numerators, [float(r) for r in found.offsets]
    (10, (21, 25), [8.881784197001253e-17, 0.0])
    """

    denominator: int
    numerators: tuple[int, ...]
    offsets: tuple[fmpq, ...]

    @classmethod
    def of(cls, orders: Sequence[Fraction]) -> Lattice | None:
        """The lattice of least denominator, if there is one."""
        doubles = [nearest_double(s) for s in orders]
        for d in _DENOMINATORS:
            if any(abs(x * d - round(x * d)) > 1e-6 for x in doubles):
                continue  # a quick look; the exact one comes next
            numerators = tuple(round(x * d) for x in doubles)
            offsets = [_offset(s, n, d) for s, n in zip(orders, numerators, strict=True)]
            if all(abs(top) * _TINY <= bottom for top, bottom in offsets):
                return cls(d, numerators, tuple(fmpq(*offset) for offset in offsets))
        return None

    @property
    def least(self) -> int:
        return min(self.numerators)

    @property
    def size(self) -> int:
        """The number of lattice points from the least to the greatest."""
        return max(self.numerators) - self.least + 1

    @property
    def width(self) -> int:
        """B, about the square root of the number of lattice points."""
        return math.isqrt(self.size - 1) + 1

    def places(self) -> list[tuple[int, int]]:
        """(k1, k2) of each order."""
        least, width = self.least, self.width
        return [(k % width, k // width) for k in (n - least for n in self.numerators)]


def _offset(s: Fraction, n: int, d: int) -> tuple[int, int]:
    """s - n/d as numerator and denominator, not in lowest terms."""
    return s.numerator * d - n * s.denominator, s.denominator * d


class Table:
    """e^{-t^2/2} and ln g at the nodes of a block, at the precision in force."""

    __slots__ = ("logs", "weights")

    def __init__(self, nodes: Nodes, block: range) -> None:
        self.weights: list[arb] = []
        self.logs: list[arb] = []
        for first in range(block.start, block.stop, _SEGMENT):
            x, gauss, ratio = nodes.start(first)
            for _ in range(first, min(first + _SEGMENT, block.stop)):
                self.weights.append(gauss)
                self.logs.append((nodes.balls.c0 + x).log())
                x *= nodes.x_ratio
                gauss *= ratio
                ratio *= nodes.ratio_ratio

    def one_by_one(self, orders: Sequence[Fraction], deadline: Deadline) -> list[arb]:
        """The sum of e^{-t^2/2} g^s for each order s, an exponential a node."""
        totals = []
        for order in orders:
            deadline.check()
            s, total = ball(order), arb(0)
            for weight, log in zip(self.weights, self.logs, strict=True):
                total += weight * (s * log).exp()
            totals.append(total)
        return totals

    def together(self, lattice: Lattice, bits: int, deadline: Deadline) -> list[arb]:
        """The same sums by the products of matrices of the module's head, to about 2^-bits."""
        places = lattice.places()
        rows, columns = self._powers(lattice, 1 + max(k2 for _, k2 in places))
        # ln g is monotone in t, so |ln g| is largest at an end.
        reach = abs(self.logs[0]).max(abs(self.logs[-1])) * arb(max(map(abs, lattice.offsets)))
        products, left_over = [], arb(0)
        for i in range(_MOST_TERMS):
            deadline.check()
            products.append(arb_mat(columns) * rows)
            left_over = (reach ** (i + 1) * reach.exp() / math.factorial(i + 1)).abs_upper()
            if left_over < arb(2) ** -bits:
                break
            columns = [_times(column, self.logs) for column in columns]
        return [
            _taylor([product[k2, k1] for product in products], r, left_over)
            for (k1, k2), r in zip(places, lattice.offsets, strict=True)
        ]

    def _powers(self, lattice: Lattice, depth: int) -> tuple[arb_mat, list[list[arb]]]:
        """The rows g^{k1/D}, k1 < B, and the columns w g^{(n0 + B k2)/D}, k2 < depth."""
        d = lattice.denominator
        roots = [(log / d).exp() for log in self.logs]
        rows = list(
            itertools.accumulate([roots] * lattice.width, _times, initial=[arb(1)] * len(roots))
        )
        stride = rows.pop()
        first = [root**lattice.least for root in roots]
        columns = itertools.accumulate(
            [stride] * (depth - 1), _times, initial=_times(self.weights, first)
        )
        return arb_mat(rows).transpose(), list(columns)


def _times(a: list[arb], b: list[arb]) -> list[arb]:
    return [x * y for x, y in zip(a, b, strict=True)]


def _taylor(coefficients: list[arb], r: fmpq, left_over: arb) -> arb:
    """sum_i coefficients[i] r^i/i!, with the proved rest."""
    total = coefficients[0]
    if r == 0:
        return total
    offset, power = arb(r), arb(1)
    total += total * arb(0, left_over)
    for i, coefficient in enumerate(coefficients[1:], 1):
        power = power * offset / i
        total += coefficient * power
    return total
