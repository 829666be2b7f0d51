"""A right tail that is no exponential one: what aliases there when the loss comes in rare, large
jumps.

With tiny q a moment of high order says nothing about ordinary losses: almost all of it comes from
one very rare step. The tail
(removing: the loss of a step is ln g) beyond x1 is bounded instead by splitting every step at a cut
t_j, for any cuts, any c' > 1 and any theta >= 0:

    E[e^{c'L}; L > x1] <= psi(c') sum_j T_j E[g_j^{c'}; t > t_j] + e^{-theta x1} prod_j E[g_j^{c'+theta}; t <= t_j]^{T_j},

either some step is beyond its cut (the other factors are at most psi(c'), as every moment of order
above 1 is at least 1), or none is, and then 1 <= e^{theta (L - x1)}.

Both expectations are bounded cell by cell. ln g is convex in t, so on a cell it lies below its
chord alpha + beta t, and

    int phi e^{a(alpha + beta t)} dt = e^{a alpha + (a beta)^2/2} [Phi(x' - a beta) - Phi(x - a beta)]          over [x, x'].

Left of the first cell g is at most its value there. Right of the last one, at x, g e^{-t/s}
decreases, and what is left is at most [g(x) e^{-x/s}]^a e^{a^2/(2 s^2)} Phi(a/s - x).
"""

from __future__ import annotations

from dataclasses import dataclass

from flint import arb

from verify.accounting.contour.line import Step, need, normal
from verify.accounting.history import Phase


@dataclass(frozen=True, slots=True)
class Cells:
    """Cells of one width: ``below`` of them up to the cut, ``beyond`` of another width from it on."""

    cut: float
    width: float
    below: int
    wide: float
    beyond: int


@dataclass(frozen=True, slots=True)
class Jumps:
    """theta, and the cut of each phase with its cells."""

    theta: float
    cells: tuple[Cells, ...]


def beyond(phase: Phase, a: arb, cells: Cells) -> arb:
    """An upper bound of E[g^a; t > cut], a > 0."""
    step = Step(phase)
    ends = [arb(cells.cut) + arb(cells.wide) * k for k in range(cells.beyond + 1)]
    need(a > 0 and cells.wide > 0, "order and cells must be positive")
    x = ends[-1]
    rest = ((step.x_part(x) + step.p) * (-x * step.inverse).exp()) ** a
    rest *= ((a * step.inverse) ** 2 / 2).exp() * normal(a * step.inverse - x)
    return (_cells(step, a, ends) + rest).upper()


def below(phase: Phase, a: arb, cells: Cells) -> arb:
    """An upper bound of E[g^a; t <= cut], a > 0."""
    step = Step(phase)
    need(a > 0 and cells.width > 0, "order and cells must be positive")
    ends = [arb(cells.cut) - arb(cells.width) * k for k in range(cells.below, -1, -1)]
    first = (step.x_part(ends[0]) + step.p) ** a * normal(ends[0])
    return (_cells(step, a, ends) + first).upper()


def _cells(step: Step, a: arb, ends: list[arb]) -> arb:
    """At least the integral of phi g^a from the first to the last of these points."""
    total = arb(0)
    logs = [a * (step.x_part(x) + step.p).log() for x in ends]
    for x, after, log, log_after in zip(ends, ends[1:], logs, logs[1:], strict=False):
        slope = (log_after - log) / (after - x)
        total += (log - slope * x + slope**2 / 2).exp() * _between(x - slope, after - slope)
    return total


def _between(x: arb, y: arb) -> arb:
    """Phi(y) - Phi(x), from the side on which both are small."""
    return normal(-x) - normal(-y) if x > 0 else normal(y) - normal(x)
