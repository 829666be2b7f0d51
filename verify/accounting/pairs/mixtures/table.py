"""delta(epsilon) of a run of mixture pairs on a vertical line: the contour of
``verify.accounting.contour.vertical`` with another psi.

That module's formula uses of the pair only psi, bounds of psi at the real orders c' and 1-c'', a
bound of |psi(c+iy)| for y >= Y, and the end of the loss. psi is that of the first density against
the second, at the order z itself, in all directions. Two things differ:

* the loss has an upper end only where kp = 0 (records are added and no q is 1): L = -ln g- <= -k
  ln(1-q), so that end = -k sum T_j ln(1-q_j) and R+ = 0 once eps + P >= end. Where both densities
  are mixtures the loss is unbounded both ways, and no term is ever left out.
* the bound for rare jumps is not used.
"""

from __future__ import annotations

from flint import acb, arb

from verify.accounting.contour.line import need
from verify.accounting.contour.plan import Plan
from verify.accounting.contour.vertical import Table, fold_row, power
from verify.accounting.history import History
from verify.accounting.pairs.mixtures.plan import MixturePlanner, plan
from verify.accounting.pairs.mixtures.transform import (
    Degrees,
    height,
    log_moment_above,
    transform,
)
from verify.accounting.routes import Contour, Curved
from verify.numbers.balls import ball, precision
from verify.numbers.budget import Deadline


class MixtureTable(Table):
    """f_k for k = 0..K and the bounds, ready for any epsilon near the planned one."""

    def __init__(self, history: History, degrees: Degrees, plan: Plan, deadline: Deadline) -> None:
        self.plan, self.degrees = plan, degrees
        with precision(plan.bits):
            self.c, self.h = arb(plan.c), arb(plan.h)
            self.c_right, self.c_left = arb(plan.c_right), arb(plan.c_left)
            need(self.c > 1 and self.h > 0 and plan.terms >= 1, "c > 1, h > 0, K >= 1")
            need(self.c_right > self.c and self.c_left > 0, "c' > c and c'' > 0")
            self.terms = fold_row(self._mixed_row(history, deadline))
        with precision(64 + plan.bits // 8):
            self.bounds = MixtureBounds(self, history)  # type: ignore[assignment]  # has the same `at`

    def _mixed_row(self, history: History, deadline: Deadline) -> list[acb]:
        """f_k without the factor e^{-eps(z-1)}, k = 0..K; k = 0 halved."""
        count = self.plan.terms
        product = [acb(1)] * (count + 1)
        self.tops = []
        for phase, inner in zip(history, self.plan.inner, strict=True):
            values, top = transform(
                phase, self.degrees, self.c, self.h, count, inner.table, deadline
            )
            self.tops.append(top)
            for k, value in enumerate(values):
                if k % 1024 == 0:
                    deadline.check()
                product[k] *= power(value, phase.steps)
        row = []
        for k, value in enumerate(product):
            z = acb(self.c, self.h * k)
            row.append(value / (z * (z - 1)))
        row[0] /= 2
        return row


class MixtureBounds:
    """Upper bounds of the logarithms of tail and aliasing, without their factors in epsilon."""

    def __init__(self, table: MixtureTable, history: History) -> None:
        plan, degrees = table.plan, table.degrees
        self.table, self.end = table, end_of_loss(history, degrees)
        y = table.h * plan.terms
        self.tail = -(arb.pi() * y).log()
        self.right = log_kappa(table.c_right)
        self.left = log_kappa(table.c_left) if table.c_left > 1 else arb(0)
        for phase, inner, top in zip(history, plan.inner, table.tops, strict=True):
            self.tail += phase.steps * height(phase, degrees, table.c, y, inner.tail, top).log()
            self.right += phase.steps * log_moment_above(phase, degrees, table.c_right, inner.right)
            self.left += phase.steps * log_moment_above(
                phase, degrees, 1 - table.c_left, inner.left
            )

    def at(self, eps: arb, period: arb) -> tuple[arb, arb, arb]:
        """(tail, R+, R-) at this epsilon, as upper bounds."""
        t = self.table
        tail = (self.tail - eps * (t.c - 1)).exp().upper()
        right = (self.right - (t.c_right - 1) * eps).exp() / ((t.c_right - t.c) * period).expm1()
        left = (self.left + t.c_left * eps).exp() / ((t.c + t.c_left - 1) * period).expm1()
        if self.end is not None and eps + period >= self.end:
            right = arb(0)
        return tail, right.upper(), left.upper()


def end_of_loss(history: History, degrees: Degrees) -> arb | None:
    """The essential supremum of the loss, or None for infinity."""
    if degrees[0] or any(p.q == 1 for p in history):
        return None
    return sum((-p.steps * degrees[1] * ball(1 - p.q).log() for p in history), arb(0))


def log_kappa(c: arb) -> arb:
    """ln of the least kappa with (e^x - 1)_+ <= kappa e^{cx}."""
    need(c > 1, "kappa needs an order above 1")
    return (c - 1) * (c - 1).log() - c * c.log()


class MixtureLine(Contour):
    """The contour integral, with the tables it has made."""

    def __init__(self, history: History, degrees: Degrees) -> None:
        self.history, self.degrees = history, degrees
        self.planner = MixturePlanner(history, degrees)
        self.tables = []

    def _table(
        self, epsilon: float, digits: float, rough: float, hint: float, deadline: Deadline
    ) -> Curved:
        found = plan(self.planner, epsilon, digits, hint, deadline)  # type: ignore[arg-type]  # set above
        return MixtureTable(self.history, self.degrees, found, deadline)
