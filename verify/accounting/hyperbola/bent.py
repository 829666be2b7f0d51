"""delta(epsilon) of few steps on a hyperbola that opens to the right; in balls.

Orders w of the moments M_j, Psi = prod M_j^{T_j}, T the sum of T_j. As in ``contour``, with
z = w (removing) and z = 1 - w (adding)

    delta = (1/2 pi i) int f(w) dw,    f = Psi(w) e^{-eps(w-1)}/(w(w-1)), Re w = c > 1, or Psi(w)
                                       e^{eps w}/(w(w-1)), Re w = c < 0.

With M_j(w) = p_j^w H_j(w) (``sector``) and end = -sum T_j ln p_j, f = prod H_j^{T_j}
e^{-rho w + shift}/(w(w-1)), where

    rho = end + eps, shift = eps (removing);    rho = end - eps, shift = 0 (adding).

rho > 0 for every epsilon at which delta is asked: in both directions f falls to the right. With
kappa > 0 and 0 < alpha < gamma < pi/4

    w(u + iv) = c + i kappa sinh(u + i(v - alpha)),        F(u) = f(w(u)) w'(u),

the strip alpha - gamma <= v <= alpha lies between the vertical line Re w = c (v = alpha) and a
hyperbola of the angle gamma. No pole is in it: c > 1, or c + kappa sin gamma < 0. In the whole of
it Re w <= c + tau |Im w| far out, where the |H_j| are bounded (``sector``): F = O(e^{-|u|}) there.
Hence delta = (1/2 pi i) int F(u) du, and since F(-u) = -conj F(u)

    delta = (h/2 pi) [Im F(0) + 2 sum_{k=1..K} Im F(kh)] + errors, at most (1/2 pi) times

* left:  N/(e^{2 pi alpha/h} - 1),        N = int |f| over Re w = c <= Psi(c) e^{...} pi/dist, dist = c - 1 or -c: of |w|, |w-1| the one is as
  large as the other, and int dy/(dist^2 + y^2) = pi/dist;
* right: N/(e^{2 pi (gamma-alpha)/h} - 1), N = int |f| over the hyperbola gamma, twice that over
  u >= 0, which is cut into stretches u_k <= u <= u_{k+1}. On each |dw| <= kappa cosh u du; |w| and
  |w-1| are at least the distances of 0 and 1 from the rectangle a(u_k) <= a <= a(u_{k+1}),
  y >= y(u_k); and |prod H_j^{T_j} e^{-rho w}| is at most the sum of its bounds on the same lines at
  both ends (an arc of ``sector``), or, since |Psi(w)| <= Psi(Re w) and ln Psi(a) is convex, the
  larger of those of Psi(a) there. The last stretch is infinite. There |H_j| is at most the bound of
  the sector Im w >= y(u_k), Re w <= c + Im w tan gamma coth u_k, e^{-rho a} is largest at u_k,
  |w|, |w-1| >= y, and the integral of kappa cosh u/y^2 is 1/(kappa cos^2 gamma sinh u_k);
* cut:   2 prod m_j^{T_j} e^{-rho a(Kh) + shift}/(kappa cos^2 alpha sinh Kh), m_j the bounds of the
         sector at u = Kh on the contour: the sum of a
  falling function is at most its integral, again that of kappa cosh u/y^2.

The two first are the Fourier coefficients of F at the multiples of 2 pi/h, each with the line moved
to the one or the other side of the strip.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, TypeVar

from flint import acb, arb

from verify.accounting.contour.line import Line, Step, log_moment_above, need
from verify.accounting.contour.planner import Direction
from verify.accounting.contour.vertical import Value, power
from verify.accounting.history import History
from verify.accounting.hyperbola.sector import Moments, Ramp, WallCells
from verify.numbers.balls import ball, fraction, precision
from verify.numbers.budget import Deadline

T = TypeVar("T")
_CHUNK = 16  # neighbouring nodes that share a bound of their errors


@dataclass(frozen=True, slots=True)
class NodeGroup:
    """Nodes up to this k are computed on these lines, one for each phase."""

    last: int
    lines: tuple[Line, ...]
    cells: tuple[int, ...]
    bits: int


@dataclass(frozen=True, slots=True)
class BendEdge:
    """A point u of the right hyperbola; for each phase the line for M(Re w), and the path for the arc
    up to the next edge, at the last one for the sector: each for all phases or for none.
    """

    u: float
    real: tuple[Line, ...]
    paths: tuple[Ramp, ...]


@dataclass(frozen=True, slots=True)
class Walls:
    """Where the paths of bounds begin and end, and how many cells they have."""

    x0: float
    x1: float
    cells: int


@dataclass(frozen=True, slots=True)
class Bend:
    """A hyperbola, its step and length, and what bounds its errors."""

    c: float
    kappa: float
    alpha: float
    gamma: float
    h: float
    terms: int
    groups: tuple[NodeGroup, ...]
    edges: tuple[BendEdge, ...]
    start: tuple[Line, ...]
    cut: tuple[Ramp, ...]
    walls: tuple[Walls, ...]
    bits: int

    @property
    def work(self) -> int:
        """Exponentials at the nodes."""
        last, total = -1, 0
        for group in self.groups:
            total += (group.last - last) * sum(len(line) for line in group.lines)
            last = group.last
        return total


class Hyperbola:
    """F(kh) for k = 0..K and the bounds, ready for any epsilon near the planned one."""

    def __init__(
        self, history: History, direction: Direction, bend: Bend, deadline: Deadline
    ) -> None:
        self.history, self.bend, self.remove = history, bend, direction == "remove"
        need(bend.terms >= 1 and all(0 < p.q < 1 for p in history), "0 < q < 1 and K >= 1")
        with precision(bend.bits):
            self.c, self.kappa, self.h = arb(bend.c), arb(bend.kappa), arb(bend.h)
            self.alpha, self.gamma = arb(bend.alpha), arb(bend.gamma)
            need(self.kappa > 0 and self.h > 0, "kappa > 0, h > 0")
            need(self.alpha > 0 and self.gamma > self.alpha, "0 < alpha < gamma")
            need(self.gamma < arb.pi() / 4, "gamma < pi/4")
            vertex = self.c + self.kappa * self.gamma.sin()
            need(self.c > 1 if self.remove else vertex < 0, "c > 1, or the vertex left of 0")
        self._kept: dict[tuple[str, int, int], Any] = {}  # what does not depend on steps
        self._raise(deadline)

    def with_steps(self, history: History, deadline: Deadline) -> Hyperbola:
        """The same hyperbola for the same phases with other numbers of steps (see ``contour.Table.with_steps``)."""
        mine, theirs = ([(p.q, p.sigma) for p in h] for h in (self.history, history))
        need(mine == theirs, "a table serves other numbers of steps, not other phases")
        other = copy.copy(self)
        other.history = history
        other._raise(deadline)
        return other

    def _raise(self, deadline: Deadline) -> None:
        """Nodes and bounds for the numbers of steps of the history."""
        with precision(self.bend.bits):
            self.end = sum((-p.steps * ball(1 - p.q).log() for p in self.history), arb(0))
        self.rows = self._rows(deadline)
        with precision(64 + self.bend.bits // 8):
            self._bounds(deadline)

    def _keep(self, what: str, i: int, j: int, make: Callable[[], T]) -> T:
        """Something about single steps, made once."""
        if (what, i, j) not in self._kept:
            self._kept[what, i, j] = make()
        found: T = self._kept[what, i, j]
        return found

    # -- the nodes

    def _rows(self, deadline: Deadline) -> list[tuple[acb, acb]]:
        """w, and F(kh) without e^{-rho w + shift}, k = 0 halved."""
        rows: list[tuple[acb, acb]] = []
        for group in self.bend.groups:
            with precision(group.bits):
                last = min(group.last, self.bend.terms)
                while len(rows) <= last:
                    deadline.check()
                    rows += self._chunk(group, range(len(rows), min(len(rows) + _CHUNK, last + 1)))
        need(len(rows) == self.bend.terms + 1, "nodes without a line")
        return rows

    def _chunk(self, group: NodeGroup, nodes: range) -> list[tuple[acb, acb]]:
        """Neighbouring nodes: their real parts and heights increase with k."""
        orders, weights, values = self._keep("nodes", nodes[0], 0, lambda: self._make(group, nodes))
        products = weights
        for phase, one in zip(self.history, values, strict=True):
            products = [x * power(v, phase.steps) for x, v in zip(products, one, strict=True)]
        return list(zip(orders, products, strict=True))

    def _make(self, group: NodeGroup, nodes: range) -> tuple[list[acb], list[acb], list[list[acb]]]:
        """w, the factor of F that is no moment, and the moments of each phase."""
        points = [acb(self.h * k, -self.alpha) for k in nodes]
        orders = [self.c + acb(0, self.kappa) * u.sinh() for u in points]
        if nodes[0] == 0:
            orders[0] = acb(orders[0].real)
        values = []
        for j, (phase, line, cells) in enumerate(
            zip(self.history, group.lines, group.cells, strict=True)
        ):
            moments = self._keep("line", group.last, j, partial(Moments, phase, line, cells))
            values.append(moments.at(orders, moments.error(orders[0], orders[-1])))
        weights = [
            acb(0, self.kappa) * u.cosh() / (w * (w - 1)) / (1 if k else 2)
            for k, u, w in zip(nodes, points, orders, strict=True)
        ]
        return orders, weights, values

    # -- the bounds

    def _bounds(self, deadline: Deadline) -> None:
        """Logarithms of the bounds, without their factors in epsilon."""
        bend = self.bend
        walls: dict[tuple[int, Ramp], WallCells] = {}

        def wall(j: int, path: Ramp) -> WallCells:
            if (j, path) not in walls:
                deadline.check()
                ends = bend.walls[j]
                step = Step(self.history[j])
                made = WallCells(step, path, arb(ends.x0), arb(ends.x1), ends.cells, True)
                walls[j, path] = made
            return walls[j, path]

        def product(paths: tuple[Ramp, ...], found: list[list[arb]]) -> list[arb]:
            """ln of the products of bounds of |H_j|^{T_j}."""
            need(len(paths) == len(self.history), "a path for each phase")
            steps = [p.steps for p in self.history]
            return [
                sum((n * x.log() for n, x in zip(steps, one, strict=True)), arb(0)).upper()
                for one in zip(*found, strict=True)
            ]

        def arc(k: int, paths: tuple[Ramp, ...], *ends: tuple[arb, arb]) -> list[arb]:
            def one(j: int) -> list[arb]:
                return wall(j, paths[j]).arc(*ends)

            found = [self._keep("arc", k, j, partial(one, j)) for j in range(len(paths))]
            return product(paths, found)

        def sector(what: str, paths: tuple[Ramp, ...], *where: arb) -> arb:
            def one(j: int) -> arb:
                return wall(j, paths[j]).sector(*where)

            found = [[self._keep(what, 0, j, partial(one, j))] for j in range(len(paths))]
            return product(paths, found)[0]

        self.left = self._real("start", 0, self.c, bend.start)
        need(
            len(bend.edges) >= 2 and bend.edges[0].u == 0,
            "the right hyperbola begins at its vertex",
        )
        sine, cosine = self.gamma.sin(), self.gamma.cos()
        points = []
        for edge in bend.edges:
            u = arb(edge.u)
            points.append(
                (u, self.c + self.kappa * u.cosh() * sine, self.kappa * u.sinh() * cosine)
            )
        real = [
            self._real("real", k, a, e.real) if e.real else None
            for k, (e, (_, a, _)) in enumerate(zip(bend.edges, points, strict=True))
        ]
        self.stretches: list[Stretch] = []
        for k, edge in enumerate(bend.edges[:-1]):
            deadline.check()
            (u, a, y), (v, after, height) = points[k : k + 2]
            need(v > u, "edges in order")
            both = None
            if edge.paths:
                both = arc(k, edge.paths, (a, y), (after, height))
            weight = self.kappa * (v.sinh() - u.sinh())
            for pole in (0, 1):
                weight /= (y**2 + _gap(a, after, pole) ** 2).sqrt()
            self.stretches.append(Stretch(a, after, _both(real[k], real[k + 1]), both, weight))
        u, self.far, y = points[-1]
        need(u > 0, "the last edge is not the vertex")
        self.rest = sector("rest", bend.edges[-1].paths, self.c, sine / cosine / u.tanh(), y)
        self.rest -= (self.kappa * cosine**2 * u.sinh()).log()
        u = self.h * bend.terms
        self.last = self.c + self.kappa * u.cosh() * self.alpha.sin()
        height, tau = self.kappa * u.sinh() * self.alpha.cos(), self.alpha.tan() / u.tanh()
        self.cut = sector("cut", bend.cut, self.c, tau, height)
        self.cut += (2 / (self.kappa * self.alpha.cos() ** 2 * u.sinh())).log()

    def _real(self, what: str, k: int, a: arb, lines: tuple[Line, ...]) -> arb:
        """ln Psi(a) + end a = ln prod H_j(a)^{T_j}, at most."""
        logs = [
            p.steps * self._keep(what, k, j, partial(log_moment_above, p, a, line))
            for j, (p, line) in enumerate(zip(self.history, lines, strict=True))
        ]
        return sum(logs, self.end * a).upper()

    # -- at an epsilon

    def errors(self, eps: arb) -> tuple[arb, arb, arb]:
        """(left, right, cut) at this epsilon, as upper bounds, without 1/(2 pi)."""
        rho, shift = self._drift(eps)
        need(rho > 0, "epsilon is beyond the end of the loss")
        period = 2 * arb.pi() / self.h
        distance = self.c - 1 if self.remove else -self.c
        left = (self.left - rho * self.c + shift).exp() * arb.pi() / distance
        left /= (period * self.alpha).expm1()
        right = (self.rest - rho * self.far).exp()
        right = sum((s.at(rho) for s in self.stretches), right) * 2 * shift.exp()
        right /= (period * (self.gamma - self.alpha)).expm1()
        cut = (self.cut - rho * self.last + shift).exp()
        return left.upper(), right.upper(), cut.upper()

    def _drift(self, eps: arb) -> tuple[arb, arb]:
        """rho and shift."""
        return (self.end + eps, eps) if self.remove else (self.end - eps, arb(0))

    def parts(self, epsilon: Fraction) -> tuple[arb, arb, float]:
        """The sum at this epsilon, a bound of its error, and the slope of ln delta, at the precision in force."""
        eps = ball(epsilon)
        rho, shift = self._drift(eps)
        total, moved = acb(0), acb(0)
        for w, value in self.rows:
            term = value * (shift - rho * w).exp()
            total += term
            moved += term * (1 - w if self.remove else w)
        error = sum(self.errors(eps), arb(0)) / (2 * arb.pi())
        slope = float((moved.imag / total.imag).mid())
        return total.imag * self.h / arb.pi(), error.upper(), slope

    def delta(self, epsilon: Fraction) -> Value:
        with precision(self.bend.bits):
            middle, error, slope = self.parts(epsilon)
            value = middle + arb(0, error)
            lo, hi = fraction(value.lower()), fraction(value.upper())
        return Value(max(lo, Fraction(0)), hi, slope)


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of the right hyperbola: Re w at its ends, ln of the bounds there of prod H_j^{T_j} by
    Psi(Re w) and as an arc, its weight.
    """

    a: arb
    after: arb
    real: tuple[arb, arb] | None
    arc: list[arb] | None
    weight: arb

    def at(self, rho: arb) -> arb:
        need(self.real is not None or self.arc is not None, "a stretch without a bound")
        best = arb("inf")
        if self.real is not None:
            best = (self.real[0] - rho * self.a).max(self.real[1] - rho * self.after).exp()
        if self.arc is not None:
            ends = (self.arc[0] - rho * self.a).exp() + (self.arc[1] - rho * self.after).exp()
            best = best.min(ends)
        return (best * self.weight).upper()


def _both(x: arb | None, y: arb | None) -> tuple[arb, arb] | None:
    return None if x is None or y is None else (x, y)


def _gap(low: arb, high: arb, point: int) -> arb:
    """The distance of a point from an interval, at least."""
    return (low - point).max(point - high).max(arb(0)).lower()
