"""The shape of one step of a mixture pair, in doubles: only ever used to plan (see ``step`` for the words).

Everything is kept as logarithms: e^{-k^2/(2 s^2)} is no double for little noise. A wrong number
here costs time or digits, never truth.

>>> round(MixtureSketch(0.01, 1.0, (1, 1)).cumulants(2.0)[0], 9)
0.000457554
"""

from __future__ import annotations

import cmath
import functools
import math
from functools import lru_cache

from verify.accounting.contour.line import SPLITS
from verify.accounting.contour.sketch import Sketch, upper
from verify.numbers.budget import Deadline
from verify.numbers.errors import OutOfReach

_HALF_LOG_2PI = 0.5 * math.log(2 * math.pi)
_DROP = 42.0  # nats below the largest term at which a sum ends
_SMALL = 45.0  # nats below the largest at which a term of G is left out
_MOST = 20_000  # nodes of a sketch
_LOOK = 128  # nodes between two looks at the clock
_HUMP = 30.0  # nats that a second hump must lie lower before it is cut off


class MixtureSketch(Sketch):
    """One sampling rate, one noise multiplier, and the degrees of the two densities."""

    def __init__(self, q: float, sigma: float, degrees: tuple[int, int]) -> None:
        super().__init__(q, sigma)
        self.degrees, self.k = degrees, max(degrees)
        self.up, self.down = degrees
        self.distance = sum(degrees)  # of the two normal distributions at q = 1
        self.stride = max(1, round(0.5 / self.step))
        self.deadline = Deadline(math.inf)  # of the question that is planned for
        self._logs: dict[int, float] = {}
        if q < 1:
            self.coefficients = [
                _log_comb(self.k, j)
                + j * self.log_q
                + (self.k - j) * self.log_p
                - 0.5 * (j / sigma) ** 2
                for j in range(self.k + 1)
            ]
        self.cumulants_of = lru_cache(maxsize=512)(self._cumulants)
        self.profile = lru_cache(maxsize=64)(self._profile)
        self.line = lru_cache(maxsize=64)(self._line)

    @functools.cached_property
    def swapped(self) -> MixtureSketch:
        """The same step with its two densities exchanged."""
        return (
            self
            if self.up == self.down
            else MixtureSketch(self.q, self.sigma, (self.down, self.up))
        )

    # -- on the real line

    def _terms(self, x: float) -> list[float]:
        return [c + j * x / self.sigma for j, c in enumerate(self.coefficients)]

    def log_big(self, i: int) -> float:
        """ln G(e^{x/s}) at the node i."""
        value = self._logs.get(i)
        if value is None:
            terms = self._terms(i * self.step)
            top = max(terms)
            total = math.fsum(math.exp(e - top) for e in terms if e > top - _SMALL)
            value = self._logs[i] = top + math.log(total)
        return value

    def logs(self, i: int) -> tuple[float, float]:
        """ln g+ and ln g- at the node i."""
        return self.log_big(i) if self.up else 0.0, self.log_big(-i) if self.down else 0.0

    def mean_minus(self, x: float) -> float:
        if not self.down:
            return 0.0
        terms = self._terms(-x)
        top = max(terms)
        weights = [math.exp(e - top) for e in terms]
        return math.fsum(j * w for j, w in enumerate(weights)) / math.fsum(weights)

    def log_term(self, a: float, i: int) -> float:
        up, down = self.logs(i)
        return a * up + (1 - a) * down - 0.5 * (i * self.step) ** 2

    def _summit(self, a: float) -> float:
        """The x >= 0 beyond which phi g+^a g-^{1-a} surely falls."""

        def pull(x: float) -> float:
            return (a * self.up + max(0.0, a - 1) * self.mean_minus(x)) / self.sigma

        low, high = 0.0, pull(0.0)
        while high - low > 0.1:
            middle = (low + high) / 2
            low, high = (low, middle) if middle > pull(middle) else (middle, high)
        return high

    def _profile(self, a: float, drop: float) -> tuple[list[int], int, int]:
        """Nodes whose terms are within drop of the largest, and the first and the last of all that
        are worth a node (a >= 0)."""
        n, x = self.stride, self.step * self.stride
        left = max(0.0, 1 - a) * self.down / self.sigma
        right = self._summit(a)
        if (left + right) / x > _MOST:
            raise OutOfReach("too many nodes for a plan")
        found = {0: self.log_term(a, 0)}
        top = found[0]
        for sign, least in ((-1, left), (1, right)):
            i = 0
            while True:
                i += sign
                if i % _LOOK == 0:
                    self.deadline.check()
                value = found[i] = self.log_term(a, i * n)
                top = max(top, value)
                if abs(i) * x > least and value < top - drop:
                    break
        keep = sorted(i for i, value in found.items() if value > top - drop)
        low, high = keep[0] - 1, keep[-1] + 1
        beyond = [i for i in found if i > high and found[i] > max(found[i - 1], top - drop - _HUMP)]
        if beyond:
            high = max(beyond) + 1
        cells = (
            sorted({j for i in keep for j in (i - 1, i, i + 1)}) if n > 1 else [low, *keep, high]
        )
        fine = [j for i in cells for j in range(i * n, (i + 1) * n)] if n > 1 else cells
        return fine, low * n, high * n

    def cumulants(self, a: float) -> tuple[float, float, float]:
        """ln psi(a) and its first two derivatives."""
        return self.cumulants_of(a)

    def _cumulants(self, a: float) -> tuple[float, float, float]:
        if self.q == 1:
            v = (self.distance / self.sigma) ** 2
            return a * (a - 1) * v / 2, (a - 0.5) * v, v
        if a < 0.5:
            size, mean, spread = self.swapped.cumulants(1 - a)
            return size, -mean, spread
        exponents, losses = [], []
        for i in self.profile(a, _DROP)[0]:
            up, down = self.logs(i)
            exponents.append(a * up + (1 - a) * down - 0.5 * (self.step * i) ** 2)
            losses.append(up - down)
        top = max(exponents)
        weights = [math.exp(e - top) for e in exponents]
        total = math.fsum(weights)
        mean = math.fsum(w * x for w, x in zip(weights, losses, strict=True)) / total
        spread = (
            math.fsum(w * (x - mean) ** 2 for w, x in zip(weights, losses, strict=True)) / total
        )
        return top + math.log(total * self.step) - _HALF_LOG_2PI, mean, max(spread, 1e-300)

    # -- off it

    @property
    def tallest(self) -> float:
        """The highest line on which the argument can be followed from node to node."""
        follow = 2 * math.atan(2 * 5.0 * self.sigma / (self.k * self.step))
        return min(0.97 * math.pi * self.sigma, follow * self.sigma, 14.0)

    def log_spread(self, a: float, b: float) -> float:
        """ln C(b), a >= 1/2."""
        if a <= 1 or not self.down or self.q == 1:
            return 0.0
        cos = math.log(math.cos(b / 2))
        best = (1 - a) * self.down * cos
        if best > 2 and b <= math.pi / 2:
            for x in SPLITS:
                near = (1 - a) * min(self.down, 4 * self.mean_minus(-x)) * cos
                far = (1 - a) * self.down * self.log_p + math.log(upper(x))
                far += a * self.log_big(math.ceil(-x / self.step)) if self.up else 0.0
                best = min(best, max(near, far) + 0.7)
        return best

    def _line(self, eta: float, low: int, high: int) -> list[tuple[float, float]]:
        """(ln|G|, arg G) on the line Im t = eta at the nodes low..high, the argument by continuity."""
        b = eta / self.sigma
        turns = [cmath.exp(1j * j * b) for j in range(self.k + 1)]
        found = []
        argument = self._rise(low, b) if self.k * b >= math.pi else 0.0
        for i in range(low, high + 1):
            if i % _LOOK == 0:
                self.deadline.check()
            size, value = self._complex(i, turns)
            here = cmath.phase(value)
            if self.k * b >= math.pi:  # it increases, by less than 2 pi - 1
                argument += (here - argument + 1) % (2 * math.pi) - 1
            else:
                argument = here
            found.append((size, argument))
        return found

    def _complex(self, i: int, turns: list[complex]) -> tuple[float, complex]:
        """ln|G| and a multiple of G."""
        terms = self._terms(i * self.step)
        top = max(terms)
        value = sum(
            (math.exp(e - top) * w for e, w in zip(terms, turns, strict=True) if e > top - _SMALL),
            0j,
        )
        return top + math.log(abs(value) or 1e-300), value

    def _rise(self, i: int, b: float) -> float:
        """arg G at one node, along the way up."""
        count, argument, before = int(self.k * b / 1.5) + 2, 0.0, 1 + 0j
        for n in range(count + 1):
            turns = [cmath.exp(1j * j * b * n / count) for j in range(self.k + 1)]
            _, value = self._complex(i, turns)
            argument += cmath.phase(value / before)
            before = value
        return argument

    def log_height(self, a: float, eta: float, y: float, reach: float) -> float:
        """ln of the bound on |psi(a + iy)| from the line Im t = eta, a >= 1/2."""
        if self.q == 1:
            return (a * (a - 1) - y * y) * (self.distance / self.sigma) ** 2 / 2
        fine, _, _ = self.profile(a, reach)
        low, high = fine[0], fine[-1]
        first, last = min(low, -high), max(high, -low)
        row = self.line(eta, first, last)
        exponents = []
        for i in fine:
            up = row[i - first] if self.up else (0.0, 0.0)
            down = row[-i - first] if self.down else (0.0, 0.0)
            size = a * up[0] + (1 - a) * down[0] - y * (up[1] + down[1])
            exponents.append(size - 0.5 * (i * self.step) ** 2)
        top = max(exponents)
        total = math.fsum(math.exp(e - top) for e in exponents)
        return top + math.log(total * self.step) - _HALF_LOG_2PI + eta * eta / 2


def _log_comb(k: int, j: int) -> float:
    return math.lgamma(k + 1) - math.lgamma(j + 1) - math.lgamma(k - j + 1)
