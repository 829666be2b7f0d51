"""delta(epsilon) of a whole run as a contour integral of its transform, in balls.

psi(z) = prod_j M_j(z)^{T_j} for removing a record (P^T against Q^T), prod_j M_j(1-z)^{T_j} for adding one;
L the total loss. For c > 1 and real x, (1/2 pi i) int_{Re z=c} e^{zx}/(z(z-1)) dz = (e^x - 1)_+ , hence

    delta(eps) = E[(e^L - e^eps)_+] = (1/2 pi i) int_{Re z=c} f(z) dz,   f = psi(z) e^{-eps(z-1)}/(z(z-1)).

**Aliasing.** u(x) = delta(x) e^{(c-1)x} is continuous and integrable and its Fourier transform, the integrand,
is O(y^-2): Poisson's formula gives for S = (h/2 pi) sum_k f(c+ikh) and period P = 2 pi/h

    S = sum_m delta(eps + mP) e^{(c-1)mP},            every term >= 0, the one with m = 0 wanted.

* m >= 1. (e^x-1)_+ <= kappa(c') e^{c'x}, kappa(c) = (c-1)^{c-1}/c^c, so delta(x) <= kappa(c') psi(c')
  e^{-(c'-1)x} and the terms sum to at most R+ = kappa(c') psi(c') e^{-(c'-1)eps}/(e^{(c'-c)P} - 1), c' > c.
  Adding: delta(x) = 0 for x >= end = -sum T_j ln(1-q_j), so R+ = 0 once eps + P >= end.
  Only losses above eps + P matter: psi(c') may be replaced by E[e^{c'L}; L > eps + P] (``jumps``).
* m <= -1. delta(x) = 1 - e^x + e^x delta*(-x), * the swapped pair, psi*(z) = psi(1-z). The first part sums to
  low = 1/(e^{(c-1)P} - 1) - e^eps/(e^{cP} - 1), the second to something in [0, R-],
  R- = kappa(c'') psi(1-c'') e^{c'' eps}/(e^{(c+c''-1)P} - 1), c'' > 1. Removing: R- = 0 once P - eps >= end.
  When eps is so large that delta(eps - P) is almost 1, take 0 < c'' <= 1 and 1 - delta(x) = E[min(1, e^{x-L})]
  (under the first of the pair) <= E[e^{c''(x-L)}] = psi(1-c'') e^{c'' x} instead: then the terms sum to
  low = 1/(e^{(c-1)P} - 1) minus something in [0, R-], R- = psi(1-c'') e^{c'' eps}/(e^{(c+c''-1)P} - 1).

**Cut.** |psi(c+iy)| <= prod B_j(eta_j, Y)^{T_j} for y >= Y = Kh (``line``), and sum_{k>K} 1/|z_k(z_k-1)| <=
sum 1/(kh)^2 <= 1/(h^2 K): what is cut off is at most e^{-eps(c-1)} prod B_j^{T_j}/(pi h K) =: tail.

    delta(eps) in S_K - low + [-tail, tail] - [0, R+] -+ [0, R-]          (+ for c'' <= 1).

psi at z = c+iy, y > 0, is M(c+iy) for removing and the conjugate of M(1-c+iy) for adding. The f_k do not depend
on eps: one table serves a stretch of the curve.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from flint import acb, acb_mat, arb

from verify.accounting.contour.jumps import below, beyond
from verify.accounting.contour.line import height, log_moment_above, need, transform
from verify.accounting.contour.nodes import height_line
from verify.accounting.contour.plan import Plan
from verify.accounting.contour.planner import Direction, Planner
from verify.accounting.history import History, Phase
from verify.numbers.balls import ball, fraction, precision
from verify.numbers.budget import Deadline
from verify.numbers.certified import nearest_double

_LOOK = 1024  # terms between two looks at the clock
_CHAIN = 20  # powers are taken anew when one step in so many was added by multiplication
_LONG = 10_000  # so far to the right of 0 is no cheap bound worth its nodes


@dataclass(frozen=True, slots=True)
class Value:
    """delta(eps) in [lo, hi], and an estimate of the derivative of ln delta."""

    lo: Fraction
    hi: Fraction
    slope: float

    def relative_width(self) -> float:
        if self.lo <= 0:
            return math.inf
        return nearest_double((self.hi - self.lo) / self.lo)


class Table:
    """f_k for k = 0..K and the bounds, ready for any epsilon near the planned one."""

    def __init__(
        self, history: History, direction: Direction, plan: Plan, deadline: Deadline
    ) -> None:
        self.history, self.plan, self.remove = history, plan, direction == "remove"
        with precision(plan.bits):
            self.c, self.h = arb(plan.c), arb(plan.h)
            self.c_right, self.c_left = arb(plan.c_right), arb(plan.c_left)
            need(self.c > 1 and self.h > 0 and plan.terms >= 1, "c > 1, h > 0, K >= 1")
            need(self.c_right > self.c and self.c_left > 0, "c' > c and c'' > 0")
            self.moments, self.tops = self._moments(history, deadline)
            self.end = self._end(history)
            self.row, self.chained = self._row(history, deadline), 0
            self.terms = fold_row(self.row)
        with precision(64 + plan.bits // 8):
            self.bounds = Bounds(self, history)

    def with_steps(self, history: History, deadline: Deadline) -> Table:
        """The same contour for the same phases with other numbers of steps.

        psi is a product of powers of the moments of single steps, and the logarithms of all bounds
        are sums over steps: no moment is computed again, and no hypothesis of a bound is about the
        number of steps. The plan was made for another number: what that costs is digits, which the
        interval shows.
        """
        mine, theirs = ([(p.q, p.sigma) for p in h] for h in (self.history, history))
        need(mine == theirs, "a table serves other numbers of steps, not other phases")
        other = copy.copy(self)
        with precision(self.plan.bits):
            other.end = other._end(history)
            other.row = other._next_row(history, deadline)
            other.terms = fold_row(other.row)
        other.history = history
        with precision(64 + self.plan.bits // 8):
            other.bounds = self.bounds.with_steps(other, history)
        return other

    def _end(self, history: History) -> arb | None:
        """-sum T ln(1-q), or None for infinity."""
        if any(p.q == 1 for p in history):
            return None
        return sum((-p.steps * ball(1 - p.q).log() for p in history), arb(0))

    def order(self, c: arb) -> arb:
        return c if self.remove else 1 - c

    def _moments(self, history: History, deadline: Deadline) -> tuple[list[list[acb]], list[arb]]:
        """psi of one step of each phase at c + ikh, k = 0..K, and upper bounds of the first of them."""
        count, a = self.plan.terms, self.order(self.c)
        both = [
            transform(phase, a, self.h, count, inner.table, deadline)
            for phase, inner in zip(history, self.plan.inner, strict=True)
        ]
        if not self.remove:
            both = [([v.conjugate() for v in values], top) for values, top in both]
        return [values for values, _ in both], [top for _, top in both]

    def _row(self, history: History, deadline: Deadline) -> list[acb]:
        """f_k without the factor e^{-eps(z-1)}, k = 0..K; k = 0 halved."""
        product: list[acb] | None = None
        for phase, values in zip(history, self.moments, strict=True):
            powers = [power(v, phase.steps) for v in _check_time(values, deadline)]
            product = (
                powers if product is None else [x * y for x, y in zip(product, powers, strict=True)]
            )
            deadline.check()
        assert product is not None
        row = []
        for k, v in enumerate(_check_time(product, deadline)):
            z = acb(self.c, self.h * k)
            row.append(v / (z * (z - 1)))
        row[0] /= 2
        return row

    def _next_row(self, history: History, deadline: Deadline) -> list[acb]:
        """The row of a few steps more, by multiplication; anew if they are many.

        A product with e^{i t} makes a box wider by |cos t| + |sin t| <= e^|t|: harmless as long as
        all products together turn by a few radians, and a whole run turns by about a hundred at the
        height where the sum is cut.
        """
        more = [after.steps - p.steps for p, after in zip(self.history, history, strict=True)]
        self.chained += sum(more)
        if min(more) < 0 or self.chained * _CHAIN > sum(p.steps for p in history):
            self.chained = 0
            return self._row(history, deadline)
        row = self.row
        for count, values in zip(more, self.moments, strict=True):
            for _ in range(count):
                row = [x * y for x, y in zip(row, values, strict=True)]
        return row

    def parts(self, epsilon: Fraction) -> Parts:
        """The sum at this epsilon and its errors, at the precision in force."""
        eps = ball(epsilon)
        plain, weighted = power_series(self.terms, acb(0, -eps * self.h).exp())
        front = self.h / arb.pi() * (-eps * (self.c - 1)).exp()
        s, slanted = front * plain.real, front * weighted.imag
        period = 2 * arb.pi() / self.h
        swapped = bool(self.c_left > 1)
        upper = eps.exp() / (self.c * period).expm1() if swapped else arb(0)
        middle = s - 1 / ((self.c - 1) * period).expm1() + upper
        slope = float(((self.h * slanted - (self.c - 1) * s + upper) / middle).mid())
        return Parts(middle, *self.bounds.at(eps, period), swapped, slope)

    def delta(self, epsilon: Fraction) -> Value:
        """The interval that (7) of the derivation gives at this epsilon."""
        with precision(self.plan.bits):
            found = self.parts(epsilon)
            value = found.middle + arb(0, found.tail)
            right, left = found.right, found.left
            below, above = (right + left, arb(0)) if found.swapped else (right, left)
            lo, hi = fraction((value - below).lower()), fraction((value + above).upper())
        return Value(max(lo, Fraction(0)), hi, found.slope)


@dataclass(frozen=True, slots=True)
class Parts:
    """The sum without what is known to alias, the bounds of its errors, and the slope of ln delta."""

    middle: arb
    tail: arb
    right: arb
    left: arb
    swapped: bool
    slope: float


class Bounds:
    """Upper bounds of the logarithms of tail and aliasing, without their factors in epsilon."""

    def __init__(self, table: Table, history: History) -> None:
        plan = table.plan
        self.table = table
        y, a = table.h * plan.terms, table.order(table.c)
        right, left = table.order(table.c_right), table.order(1 - table.c_left)
        self.parts: list[tuple[arb, ...]] = []  # of one step of each phase
        for phase, inner, top in zip(history, plan.inner, table.tops, strict=True):
            part = (
                height(phase, a, y, inner.tail, top).log(),
                log_moment_above(phase, right, inner.right),
                log_moment_above(phase, left, inner.left),
            )
            self.parts.append(part)
        self.jumps = plan.jumps
        if plan.jumps is not None:
            need(table.remove, "the bound for rare jumps is one for removing")
            need(plan.jumps.theta >= 0, "theta must not be negative")
            order = table.c_right + arb(plan.jumps.theta)
            for i, (phase, cells) in enumerate(zip(history, plan.jumps.cells, strict=True)):
                rare = beyond(phase, table.c_right, cells), below(phase, order, cells).log()
                self.parts[i] += rare
        self._sum(history)

    def with_steps(self, table: Table, history: History) -> Bounds:
        """The bounds for other numbers of steps."""
        other = copy.copy(self)
        other.table = table
        other._sum(history)
        return other

    def _sum(self, history: History) -> None:
        """All steps together."""
        t = self.table
        self.tail = -(arb.pi() * t.h * t.plan.terms).log()
        self.right = _log_kappa(t.c_right)
        self.left = _log_kappa(t.c_left) if t.c_left > 1 else arb(0)
        self.jump, self.rest = arb(0), arb(0)
        for phase, (tail, right, left, *rare) in zip(history, self.parts, strict=True):
            self.tail += phase.steps * tail
            self.right += phase.steps * right
            self.left += phase.steps * left
            if rare:
                self.jump += phase.steps * rare[0]
                self.rest += phase.steps * rare[1]

    def _moment(self, x: arb) -> arb:
        """ln of a bound of E[e^{c'L}; L > x], times kappa."""
        if self.jumps is None:
            return self.right
        log_kappa = _log_kappa(self.table.c_right)
        unseen = (log_kappa + self.rest - arb(self.jumps.theta) * x).exp()
        return self.right.min((self.right.exp() * self.jump + unseen).log())

    def at(self, eps: arb, period: arb) -> tuple[arb, arb, arb]:
        """(tail, R+, R-) at this epsilon, as upper bounds."""
        t = self.table
        tail = (self.tail - eps * (t.c - 1)).exp().upper()
        right = (self._moment(eps + period) - (t.c_right - 1) * eps).exp()
        right /= ((t.c_right - t.c) * period).expm1()
        left = (self.left + t.c_left * eps).exp() / ((t.c + t.c_left - 1) * period).expm1()
        if t.end is not None:
            if not t.remove and eps + period >= t.end:
                right = arb(0)
            if t.remove and t.c_left > 1 and period - eps >= t.end:
                left = arb(0)
        return tail, right.upper(), left.upper()


def log_delta_below(
    history: History, direction: Direction, planner: Planner, epsilon: Fraction
) -> arb:
    """A cheap upper bound of ln delta(epsilon): kappa(c) psi(c) e^{-(c-1) eps} at one good c."""
    best = planner.chernoff(float(epsilon))
    with precision(96):
        c = arb(best)
        order = c if direction == "remove" else 1 - c
        total = _log_kappa(c) - (c - 1) * ball(epsilon)
        for phase, (sketch, steps) in zip(history, planner.parts, strict=True):
            if direction == "remove" and best > _LONG * min(1, sketch.sigma) * sketch.sigma:
                total += steps * _log_chord(phase, order)  # it would take too many nodes
                continue
            line = height_line(sketch, planner.order(best), 0.0, math.log(steps) + 8)
            total += steps * log_moment_above(phase, order, line)
        return total.upper()


def _log_chord(phase: Phase, a: arb) -> arb:
    """An upper bound of ln M(a), a >= 1, without nodes: g^a <= (1-q) + q X^a, as x^a is convex."""
    need(a >= 1, "the chord lies above a convex power only")
    q = ball(phase.q)
    return (1 - q + q * (a * (a - 1) / (2 * ball(phase.sigma) ** 2)).exp()).log()


def _log_kappa(c: arb) -> arb:
    need(c > 1, "kappa needs an order above 1")
    return (c - 1) * (c - 1).log() - c * c.log()


def _check_time(values: list[acb], deadline: Deadline) -> Iterator[acb]:
    """The values, with a look at the clock now and then."""
    for k, value in enumerate(values):
        if k % _LOOK == 0:
            deadline.check()
        yield value


def power(value: acb, n: int) -> acb:
    """value^n: by the logarithm, unless zero is inside."""
    if n <= 8 or not abs(value) > 0:
        return value**n
    return (value.log() * n).exp()


def fold_row(row: list[acb]) -> acb_mat:
    """f_k at row k % n, column k // n, with n about the root of their number."""
    count = len(row)
    n = math.isqrt(count - 1) + 1
    m = -(-count // n)
    values = row + [acb(0)] * (n * m - count)
    return acb_mat(n, m, [x for i in range(n) for x in values[i::n]])


def power_series(terms: acb_mat, u: acb) -> tuple[acb, acb]:
    """sum f_k u^k and sum k f_k u^k: with k = i + n j two products of a matrix and a vector, and few powers."""
    n, m = terms.nrows(), terms.ncols()
    powers = unit_powers(u, n + 1)
    strides = unit_powers(powers.pop(), m)
    sides = acb_mat(2, n, powers + [p * i for i, p in enumerate(powers)]) * terms
    ends = acb_mat(m, 2, [x for j, p in enumerate(strides) for x in (p, p * (n * j))])
    sums = sides * ends
    return sums[0, 0], sums[1, 0] + sums[0, 1]


def unit_powers(u: acb, count: int) -> list[acb]:
    """u^k, k < count, by halving (see line._powers)."""
    powers = [acb(1), u]
    for k in range(2, count):
        powers.append(powers[k // 2] * powers[k - k // 2])
    return powers[:count]
