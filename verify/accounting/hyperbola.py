"""delta(epsilon) of few steps, removing a record, on a hyperbola that opens to the right; in balls.

f = M(z)^T e^{-eps(z-1)}/(z(z-1)), eps >= 0, as in ``contour``. With c > 1, kappa > 0 and 0 < alpha < gamma < pi/4

    z(u + iv) = c + i kappa sinh(u + i(v - alpha)),        F(u) = f(z(u)) z'(u),

the strip alpha - gamma <= v <= alpha lies between the vertical line Re z = c (v = alpha) and a hyperbola of the angle gamma. In the whole of it
Re z <= c + tau |Im z| far out, where |M| is bounded (``sector``): F = O(e^{-|u|}) there. Hence delta = (1/2 pi i) int F(u) du, and
since F(-u) = -conj F(u)

    delta = (h/2 pi) [Im F(0) + 2 sum_{k=1..K} Im F(kh)] + errors, at most (1/2 pi) times

* left:  N/(e^{2 pi alpha/h} - 1),        N = int |f| over Re z = c <= M(c)^T e^{-eps(c-1)} pi/(c-1), by |z| >= |z-1|;
* right: N/(e^{2 pi (gamma-alpha)/h} - 1), N = int |f| over the hyperbola gamma. There |z|, |z-1| >= |z-c|, so
  |dz|/|z(z-1)| <= cosh u du/(kappa (sinh^2 u + sin^2 gamma)), whose integral is arctan(sinh u/sin gamma)/(kappa sin gamma). On u_k <= u <= u_{k+1}
  |M| is at most M(Re z), where T ln M(a) - eps (a-1) is convex and largest at an end; and at most the bound of the sector Im z >= y(u_k),
  Re z <= c + Im z tan gamma coth u_k, or of the box Im z >= y(u_k), a(u_k) <= Re z <= a(u_{k+1}); there e^{-eps(a-1)} is largest at
  u_k. The last stretch is infinite;
* cut:   2 m^T e^{-eps(a(Kh)-1)}/(kappa sinh Kh), m the bound of the sector at u = Kh on the contour: the sum of a falling function
  is at most its integral, and that of cosh u/sinh^2 u is 1/sinh.

The two first are the Fourier coefficients of F at the multiples of 2 pi/h, each with the line moved to the one or the other side of the strip.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from flint import acb, arb

from verify.accounting.contour import Value, power
from verify.accounting.history import Phase
from verify.accounting.line import Line, Step, log_moment_above, need
from verify.accounting.sector import Moments, WallCells
from verify.balls import ball, fraction, precision
from verify.budget import Deadline


@dataclass(frozen=True, slots=True)
class NodeGroup:
    """Nodes up to this k are computed on this line."""

    last: int
    line: Line
    cells: int
    bits: int


@dataclass(frozen=True, slots=True)
class BendEdge:
    """A point u of the right hyperbola: the line for M(Re z), heights for the sector and for the box up to the next; None where not used."""

    u: float
    real: Line | None
    sector: float | None
    box: float | None


@dataclass(frozen=True, slots=True)
class Walls:
    """Where the lines of sector bounds begin and end, and how many cells they have."""

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
    start: Line
    cut_eta: float
    walls: Walls
    bits: int

    @property
    def work(self) -> int:
        """Exponentials: each node has its line's, and two for each cell of its neighbours."""
        last, total = -1, 0
        for group in self.groups:
            total += (group.last - last) * (len(group.line) + 2 * group.cells)
            last = group.last
        return total


class Hyperbola:
    """F(kh) for k = 0..K and the bounds, ready for any epsilon >= 0 near the planned one."""

    def __init__(self, phase: Phase, bend: Bend, deadline: Deadline) -> None:
        self.phase, self.bend = phase, bend
        need(0 < phase.q < 1 and bend.terms >= 1, "0 < q < 1 and K >= 1")
        with precision(bend.bits):
            self.c, self.kappa, self.h = arb(bend.c), arb(bend.kappa), arb(bend.h)
            self.alpha, self.gamma = arb(bend.alpha), arb(bend.gamma)
            need(self.c > 1 and self.kappa > 0 and self.h > 0, "c > 1, kappa > 0, h > 0")
            need(self.alpha > 0 and self.gamma > self.alpha, "0 < alpha < gamma")
            need(self.gamma < arb.pi() / 4, "gamma < pi/4")
        self.rows = self._rows(deadline)
        with precision(64 + bend.bits // 8):
            self._bounds(deadline)

    def _rows(self, deadline: Deadline) -> list[tuple[acb, acb]]:
        """z - 1, and F(kh) without e^{-eps(z-1)}, k = 0 halved."""
        rows, k = [], 0
        for group in self.bend.groups:
            with precision(group.bits):
                moments = Moments(self.phase, group.line, group.cells)
                while k <= min(group.last, self.bend.terms):
                    deadline.check()
                    u = acb(self.h * k, -self.alpha)
                    z = self.c + acb(0, self.kappa) * u.sinh()
                    if k == 0:
                        z = acb(z.real)
                    slope = acb(0, self.kappa) * u.cosh()
                    value = power(moments.at(z), self.phase.steps) * slope / (z * (z - 1))
                    rows.append((z - 1, value / 2 if k == 0 else value))
                    k += 1
        need(k == self.bend.terms + 1, "nodes without a line")
        return rows

    def _bounds(self, deadline: Deadline) -> None:
        """Logarithms of the bounds, without their factors in epsilon."""
        bend, step, steps = self.bend, Step(self.phase), self.phase.steps
        walls: dict[float, WallCells] = {}

        def wall(eta: float) -> WallCells:
            if eta not in walls:
                deadline.check()
                ends = arb(bend.walls.x0), arb(bend.walls.x1)
                walls[eta] = WallCells(step, arb(eta), *ends, bend.walls.cells)
            return walls[eta]

        self.left = steps * log_moment_above(self.phase, self.c, bend.start)
        need(
            len(bend.edges) >= 2 and bend.edges[0].u == 0,
            "the right hyperbola begins at its vertex",
        )
        sine, tangent = self.gamma.sin(), self.gamma.tan()
        points = []
        for edge in bend.edges:
            u = arb(edge.u)
            a, y = self.c + self.kappa * u.cosh() * sine, self.kappa * u.sinh() * self.gamma.cos()
            real = far = None
            if edge.real is not None:
                real = steps * log_moment_above(self.phase, a, edge.real)
            if edge.sector is not None:
                far = steps * wall(edge.sector).sector(self.c, tangent / u.tanh(), y).log()
            points.append((u, a, y, real, far))
        need(points[-1][4] is not None, "the right hyperbola has no end")
        self.stretches: list[Stretch] = []
        for edge, (u, a, y, real, far), (v, b, _, real_after, _) in zip(
            bend.edges, points, points[1:], strict=False
        ):
            need(v > u, "edges in order")
            length = (v.sinh() / sine).atan() - (u.sinh() / sine).atan()
            box = None if edge.box is None else steps * wall(edge.box).box(a, b, y).log()
            self.stretches.append(Stretch(a, b, real, real_after, far, box, length))
        u, a, _, _, far = points[-1]
        rest = arb.pi() / 2 - (u.sinh() / sine).atan()
        self.stretches.append(Stretch(a, a, None, None, far, None, rest))
        u = self.h * bend.terms
        self.last = self.c + self.kappa * u.cosh() * self.alpha.sin()
        height = self.kappa * u.sinh() * self.alpha.cos()
        far = wall(bend.cut_eta).sector(self.c, self.alpha.tan() / u.tanh(), height)
        self.cut = steps * far.log() + (2 / (self.kappa * u.sinh())).log()

    def errors(self, eps: arb) -> tuple[arb, arb, arb]:
        """(left, right, cut) at this epsilon, as upper bounds, without 1/(2 pi)."""
        need(eps >= 0, "epsilon must not be negative")
        tau = 2 * arb.pi() / self.h
        left = (self.left - eps * (self.c - 1)).exp() * arb.pi() / (self.c - 1)
        left /= (tau * self.alpha).expm1()
        right = sum((s.at(eps) for s in self.stretches), arb(0)) * 2
        right /= self.kappa * self.gamma.sin() * (tau * (self.gamma - self.alpha)).expm1()
        cut = (self.cut - eps * (self.last - 1)).exp()
        return left.upper(), right.upper(), cut.upper()

    def delta(self, epsilon: Fraction) -> Value:
        with precision(self.bend.bits):
            eps = ball(epsilon)
            total, moved = acb(0), acb(0)
            for z, value in self.rows:
                term = value * (-eps * z).exp()
                total += term
                moved += term * z
            error = sum(self.errors(eps), arb(0))
            middle = total.imag * self.h / arb.pi()
            value = middle + arb(0, (error / (2 * arb.pi())).upper())
            lo, hi = fraction(value.lower()), fraction(value.upper())
            slope = float((-moved.imag / total.imag).mid())
        return Value(max(lo, Fraction(0)), hi, slope)


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of the right hyperbola: Re z at its ends, ln of the bounds of M^T there, ln of those of the sector and the box, its weight."""

    a: arb
    after: arb
    real: arb | None
    real_after: arb | None
    far: arb | None
    box: arb | None
    length: arb

    def at(self, eps: arb) -> arb:
        bounds = []
        if self.real is not None and self.real_after is not None:
            ends = self.real - eps * (self.a - 1), self.real_after - eps * (self.after - 1)
            bounds.append(ends[0].max(ends[1]))
        bounds += [x - eps * (self.a - 1) for x in (self.far, self.box) if x is not None]
        need(bool(bounds), "a stretch without a bound")
        best = bounds[0]
        for other in bounds[1:]:
            best = best.min(other)
        return (best.exp() * self.length).upper()
