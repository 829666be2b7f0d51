"""Gauss-Legendre quadrature in mpmath, split where the integrand changes its character.

The integrand phi(t) g(t)^s (or phi g^s ln g) has up to two modes and, above t1 = z1/sigma, a column of
branch points at distance pi sigma from the real line. A quadrature over (-oo, oo) misses modes and
mistrusts nothing; this one climbs to the modes, keeps the stretches that matter, cuts them into panels
that shrink towards t1, and does so twice with different panels. The error is taken to be twice the
difference of the two runs: mpmath's own estimate is no evidence.

A panel is at most as wide as pi sigma or half its distance to t1, so the nearest branch point lies
on a Bernstein ellipse with rho > 4, and N nodes give about 1.2 N digits.
"""

from __future__ import annotations

import functools
import itertools
import math
from fractions import Fraction
from typing import Any

from mpmath.calculus.quadrature import GaussLegendre

from verify.moments.engines import Moment
from verify.moments.engines.witness import Context, Estimate, enclose, mpf
from verify.numbers.budget import Deadline
from verify.numbers.certified import Enclosure
from verify.numbers.errors import OutOfReach

_MAX_PANELS = 20_000
_MAX_DIGITS = 2500  # computing more Gauss-Legendre nodes than that takes minutes without a break
_PANEL_SCALES = (1.0, 0.7)


def evaluate(moment: Moment, digits: int, deadline: Deadline) -> Enclosure:
    """ln E[g^s] or E[g^s ln g] by quadrature.

    >>> from fractions import Fraction as Q
    >>> x = evaluate(Moment(Q(1, 100), Q(2), Q(17, 2)), 15, Deadline())
    >>> float(x.lo)
    0.0009239004703432...
    """
    if moment.q == 0 or (not moment.log and moment.order in (0, 1)):
        return Enclosure(Fraction(0), Fraction(0), proved=False)
    return enclose(
        "quadrature",
        moment,
        digits,
        deadline,
        lambda mp, dps: _two_runs(mp, moment, dps, deadline),
    )


def _two_runs(mp: Context, moment: Moment, dps: int, deadline: Deadline) -> Estimate:
    if dps > _MAX_DIGITS:
        raise OutOfReach(f"{moment}: quadrature to {dps} digits")
    with mp.extradps(_argument_digits(moment)):
        landscape = _Landscape(mp, moment)
        windows, top = landscape.windows((dps + 3) * math.log(10))
        degree = max(3, math.ceil(math.log2((dps + 10) / 1.2 / 3)) + 1)  # 3 * 2^(degree-1) nodes
        nodes = _nodes(mp, degree, mp.prec)
        runs = []
        for scale in _PANEL_SCALES:
            total = mp.mpf(0)
            for window in windows:
                points = landscape.panels(window, scale)
                for a, b in itertools.pairwise(points):
                    centre, radius = (a + b) / 2, (b - a) / 2
                    part = mp.mpf(0)
                    for x, weight in nodes:
                        deadline.check()
                        part += weight * landscape.density(centre + radius * x, top)
                    total += radius * part
            runs.append(total * mp.exp(top))
        return runs[1], 2 * abs(runs[0] - runs[1])


@functools.lru_cache(maxsize=32)
def _nodes(mp: Context, degree: int, bits: int) -> list[tuple[Any, Any]]:
    """Gauss-Legendre nodes and weights on [-1, 1]."""
    nodes: list[tuple[Any, Any]] = GaussLegendre(mp).calc_nodes(degree, bits)
    return nodes


def _argument_digits(moment: Moment) -> int:
    """Digits that exp and power lose to the size of their arguments."""
    order, sigma = abs(moment.order) + 1, moment.sigma
    size = order * (1 + order / sigma**2 + 1 / sigma**2 + 50 / sigma)
    return max(len(str(math.ceil(size))), 1)


class _Landscape:
    """The integrand, its logarithm, and where it is high."""

    def __init__(self, mp: Context, moment: Moment) -> None:
        self.mp, self.log = mp, moment.log
        self.q, self.sigma, self.s = (mpf(mp, x) for x in (moment.q, moment.sigma, moment.order))
        self.p = mpf(mp, 1 - moment.q)
        self.norm = 1 / mp.sqrt(2 * mp.pi)
        self.shift = 1 / (2 * self.sigma**2)
        self.far = self.s / self.sigma
        sampled = moment.q < 1
        self.t1 = (1 / (2 * self.sigma) + self.sigma * mp.log(self.p / self.q)) if sampled else None

    def _ratio(self, t: Any) -> Any:
        """g = mu/mu0."""
        return self.p + self.q * self.mp.exp(t / self.sigma - self.shift)

    def density(self, t: Any, top: Any) -> Any:
        """phi g^s (times ln g for logarithmic moments), e^top taken out."""
        g = self._ratio(t)
        value = self.norm * self.mp.exp(-t * t / 2 - top) * g**self.s
        return value * self.mp.log(g) if self.log else value

    def height(self, t: Any) -> Any:
        """ln(phi g^s) up to a constant."""
        return self.s * self.mp.log(self._ratio(t)) - t * t / 2

    def windows(self, depth: float) -> tuple[list[tuple[Any, Any]], Any]:
        """Stretches outside which the integrand is e^-depth below its top, and that top."""
        with self.mp.workdps(20 + len(str(int(abs(self.far) + 1)))):
            starts = [self.mp.mpf(0), self.far] + ([self.t1] if self.t1 is not None else [])
            peaks = [self._climb(t) for t in starts]
            top = max(self.height(t) for t in peaks)
            floor = top - depth
            ranges = sorted(
                (self._descend(t, floor, -1), self._descend(t, floor, 1))
                for t in peaks
                if self.height(t) > floor
            )
        merged = [ranges[0]]
        for low, high in ranges[1:]:
            if low <= merged[-1][1]:
                merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
            else:
                merged.append((low, high))
        return merged, top

    def _climb(self, t: Any) -> Any:
        step = self.mp.mpf(1)
        here = self.height(t)
        while step > 0.01:
            better = max((self.height(t + d), t + d) for d in (-step, step))
            if better[0] > here:
                here, t = better
                step *= 2
            else:
                step /= 4
        return t

    def _descend(self, t: Any, floor: Any, sign: int) -> Any:
        step = self.mp.mpf(1) / 2
        while self.height(t + sign * step) > floor:
            step *= 1.2
        return t + sign * step

    def panels(self, window: tuple[Any, Any], scale: float) -> list[Any]:
        """Cut points of a window: at most about 4 apart, and closer near t1 when sigma is small."""
        low, high = window
        points = [low]
        while points[-1] < high:
            here = points[-1]
            widest: Any = self.mp.mpf(4)
            if self.t1 is not None:
                distance = abs(here - self.t1)
                widest = min(widest, max(self.mp.pi * self.sigma, distance / 2))
            points.append(here + scale * widest)
            if len(points) > _MAX_PANELS:
                raise OutOfReach(f"quadrature: more than {_MAX_PANELS} panels")
        points[-1] = high
        return points
