"""The window and its panels, chosen so that the enclosure Coq will compute is narrow enough.

With c = 1/sigma^2, p = m'/m the logistic function and g = s p - c z the logarithmic derivative of the
integrand f, the remainder of a panel of half width h and degree n - 1 is h^(n+1)/(n+1) 2 F_n, where F_n comes from
the recurrences of ``library/Recurrence.v`` run on the whole panel. They are run here as well, in balls, which
are a little wider than Coq's intervals: what fits here fits there. Nothing rests on this, for a plan that is
too coarse gives no proof.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from verify.numbers.balls import ball, precision
from verify.numbers.budget import Deadline
from verify.numbers.errors import OutOfReach

PAIRS = (3, 5, 7, 9, 12, 16, 21)
"""Half the degrees tried, less one; the cheapest wins."""
MOST_PANELS = 2000
_SPARE = 14  # bits at the centre of a panel against rounding in its recurrences
_COARSE = 20  # bits for a remainder
_GROW, _SHRINK = 1.25, 0.8


@dataclass(frozen=True, slots=True)
class Panel:
    """Half its width in units of the window, half its degree less one, bits at its centre and beyond."""

    half: int
    pairs: int
    fine: int
    coarse: int


@dataclass(frozen=True, slots=True)
class ProofPlan:
    """Positions are multiples of 1/unit; ``bits`` are for everything outside the panels."""

    unit: int
    left: int
    panels: tuple[Panel, ...]
    bits: int

    @property
    def cost(self) -> float:
        """Products of numbers, weighted by their lengths: what the time is proportional to."""
        return sum(
            (2 * p.pairs + 2) ** 2 * (_weight(p.fine) + _weight(p.coarse)) for p in self.panels
        )


def _weight(bits: int) -> float:
    return 1 + math.pow(bits / 60, 1.5)


def plan(
    q: Fraction, sigma: Fraction, s: Fraction, log_moment: float, bits: int, deadline: Deadline
) -> ProofPlan:
    """Panels for E[g^s] with a relative error of about 2^-bits; ``log_moment`` is its logarithm."""
    best: ProofPlan | None = None
    with precision(53, deadline):
        found = _Window(q, sigma, s, log_moment, bits)
        for pairs in PAIRS:
            made = found.panels(pairs, deadline, best.cost if best else math.inf)
            if made is not None and (best is None or made.cost < best.cost):
                best = made
    if best is None:
        raise OutOfReach(f"no proof with {MOST_PANELS} panels at {bits} bits")
    return best


def panels_of_cells(
    q: Fraction,
    sigma: Fraction,
    unit: int,
    edges: Sequence[int],
    bits: int,
    deadline: Deadline,
    degrees: Sequence[int] = PAIRS,
) -> list[tuple[Panel, ...]]:
    """Panels for each of the cells between edges, which are even multiples of 1/unit.

    They serve the density with the record and the one without it (exponents 1 and 0), with errors of about 2^-bits.
    Of the ``degrees``, as in PAIRS, each cell gets the cheapest.
    """
    with precision(53, deadline):
        both = [_Window(q, sigma, Fraction(s), 0.0, bits) for s in (0, 1)]
        for window in both:
            window.unit = unit
        found = []
        for left, right in itertools.pairwise(edges):
            deadline.check()
            found.append(_panels_of_cell(both, left, right, degrees))
    return found


def _panels_of_cell(
    both: Sequence[_Window], left: int, right: int, degrees: Sequence[int]
) -> tuple[Panel, ...]:
    """The cheapest panels of one degree and one width that are good enough; the last may be narrower."""
    wanted = -(both[0].bits + 7) * math.log(2)
    best: tuple[Panel, ...] = ()
    for pairs in degrees:
        if best and _cost((Panel(1, pairs, _COARSE, _COARSE),)) > _cost(best):
            break  # even one panel of this degree costs more
        count = 1
        while count <= MOST_PANELS:
            ends = [left + 2 * ((right - left) // 2 * i // count) for i in range(count)] + [right]
            halves = [(b - a) // 2 for a, b in itertools.pairwise(ends)]
            if min(halves) < 1:
                break
            unit = both[0].unit
            pieces = list(zip(ends, halves, strict=False))
            if all(
                w.log_remainder(a / unit, h / unit, pairs) <= wanted
                for a, h in pieces
                for w in both
            ):
                made = tuple(_widest_panel([w.panel(a, h, pairs) for w in both]) for a, h in pieces)
                if not best or _cost(made) < _cost(best):
                    best = made
                break
            count = count * 3 // 2 + 1
    if not best:
        raise OutOfReach(f"no panels for a cell at {both[0].bits} bits")
    return best


def _cost(panels: tuple[Panel, ...]) -> float:
    return ProofPlan(1, 0, panels, 1).cost


def _widest_panel(panels: Sequence[Panel]) -> Panel:
    return Panel(
        panels[0].half, panels[0].pairs, max(p.fine for p in panels), max(p.coarse for p in panels)
    )


class _Window:
    """One integrand, and how large its remainders are."""

    def __init__(
        self, q: Fraction, sigma: Fraction, s: Fraction, log_moment: float, bits: int
    ) -> None:
        self.q, self.s, self.c = ball(q), ball(s), 1 / ball(sigma) ** 2
        self.rest_q = ball(1 - q)
        self.scale, self.bits = float(sigma), bits
        # The integral is sigma sqrt(2 pi) times the moment; its parts are measured against it.
        self.log_total = log_moment + math.log(self.scale * math.sqrt(2 * math.pi))
        self.left, self.right = _ends(q, sigma, s, log_moment, bits)
        self.unit = 1 << max(0, 12 - math.floor(math.log2(self.scale)))

    def panels(self, pairs: int, deadline: Deadline, cost: float) -> ProofPlan | None:
        """Greedy, from left to right: each panel as wide as its remainder allows."""
        position = left = math.floor(self.left * self.unit)
        end = math.ceil(self.right * self.unit)
        width = self.scale / 2
        made: list[Panel] = []
        while position < end:
            deadline.check()
            width = self._widest(position / self.unit, width, pairs)
            half = max(1, math.floor(width * self.unit))
            made.append(self.panel(position, half, pairs))
            position += 2 * half
            if len(made) > MOST_PANELS or _cost(tuple(made)) > cost:
                return None
        return ProofPlan(self.unit, left, tuple(made), self.bits + _SPARE + self._room(0.0))

    def _widest(self, start: float, width: float, pairs: int) -> float:
        wanted = -(self.bits + 7) * math.log(2)  # of all, for each of some hundred panels
        if self.log_remainder(start, width, pairs) > wanted:
            while width * self.unit > 1:
                width *= _SHRINK
                if self.log_remainder(start, width, pairs) <= wanted:
                    break
            return width
        while self.log_remainder(start, width * _GROW, pairs) <= wanted:
            width *= _GROW
            if width > self.right - self.left:
                break
        return width

    def panel(self, position: int, half: int, pairs: int) -> Panel:
        """Bits by how large the terms of the panel's series are beside the whole: of small ones, few."""
        centre = (position + half) / self.unit
        largest = (
            float(self.log_f(arb(centre))) - self.log_total + self.growth(centre, half / self.unit)
        )
        fine = self.bits + _SPARE + math.ceil(largest / math.log(2))
        room = self._room(centre)
        return Panel(half, pairs, max(fine, _COARSE) + room, _COARSE + room)

    def _room(self, z: float) -> int:
        """Bits lost in the exponent of f, an absolute error there being a relative one of f."""
        size = abs(float(self.log_f(arb(z)))) + float(self.c) * z * z + abs(float(self.s)) + 1
        return math.ceil(math.log2(size))

    def growth(self, z: float, h: float) -> float:
        """ln of how far the terms of a panel's series may exceed its first."""
        return float(abs(self.s * self.p(arb(z)) - self.c * arb(z))) * h

    def p(self, z: arb) -> arb:
        return self.c / (1 + self.rest_q / (self.q * ((z - 0.5) * self.c).exp()))

    def log_f(self, z: arb) -> arb:
        mixture = self.rest_q + self.q * ((z - 0.5) * self.c).exp()
        return self.s * mixture.log() - z * z * self.c / 2

    def log_remainder(self, start: float, h: float, pairs: int) -> float:
        """ln of the remainder of the panel [start, start + 2 h] against the whole integral."""
        n = 2 * pairs + 2
        z, w = arb(start + h), arb(start + h, h)
        p0 = self.p(arb(start)).union(self.p(arb(start + 2 * h)))  # p increases
        slope = self.s * p0 - self.c * w
        log_f = self.log_f(z) - ball(Fraction(self.log_total)) + slope * arb(0, h)
        top = float(log_f.upper())
        coefficients = self._coefficients(p0, slope, n)
        if not coefficients.is_finite():
            return math.inf
        size = float(coefficients.abs_upper())
        if size == 0.0:
            return -math.inf
        return top + math.log(2 * size) + (n + 1) * math.log(h) - math.log(n + 1)

    def _coefficients(self, p0: arb, slope: arb, n: int) -> arb:
        """F_n / f on the panel."""
        ps, fs = [p0], [arb(1)]
        tilted = [slope]
        for k in range(n):
            first = ps[k] * (self.c - ps[0])
            ps.append((first - sum((ps[k - i] * ps[i] for i in range(1, k + 1)), arb(0))) / (k + 1))
            tilted.append(self.s * ps[-1] - (self.c if k == 0 else 0))
            fs.append(sum((fs[k - i] * tilted[i] for i in range(k + 1)), arb(0)) / (k + 1))
        return fs[n]


def _ends(
    q: Fraction, sigma: Fraction, s: Fraction, log_moment: float, bits: int
) -> tuple[float, float]:
    """Where both tails are below 2^-bits of the moment: see ``tails`` in ``library/Window.v``."""
    noise, order = float(sigma), float(s)
    wanted = (bits + 3) * math.log(2) - log_moment
    tilt = (order * order - order) / (2 * noise * noise)
    first = noise * math.sqrt(2 * max(0.0, _log(1 - q) + wanted))
    second = noise * math.sqrt(2 * max(0.0, _log(q) + tilt + wanted))
    return min(0.0, order, -first, order - second), max(0.0, order, first, order + second)


def _log(x: Fraction) -> float:
    return math.log(x.numerator) - math.log(x.denominator) if x > 0 else -math.inf
