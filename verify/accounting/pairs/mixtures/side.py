"""Poisson sampling when k records are added, removed or replaced: one direction of a run, exact where exact.

H_a(P||Q) = sup_A P(A) - a Q(A) for a = e^eps >= 0; delta(eps) is H of the whole run. A pair
(P, Q) *dominates* two distributions M, M' if H_a(P||Q) >= H_a(M||M') for **all a >= 0**; it
is *attained* if some data sets and gradients have exactly these two. sigma is in units of the
clipping norm, N_u = N(u, sigma^2 I).

**Lemma M.** Let U, V be random vectors in R^d, of any law. For all a >= 0

    H_a(E N_U || E N_V) <= H_a(E N(|U|) || E N(-|V|))      (on the right N on the real line),

and the right side does not fall if |U| or |V| rises stochastically. Proof. Let A be any test,
randomised or not, beta = N_0(A) and z = Phi^{-1}(beta). Neyman and Pearson's lemma for N_0 against
N_u: among tests of that beta the half-space across u is the most powerful, so
N_u(A) <= Phi(z + |u|/sigma). The same for the complement of A and N_v:
N_v(A) >= Phi(z - |v|/sigma). Hence E N_U(A) - a E N_V(A) <= E Phi(z + |U|/sigma) - a E
Phi(z - |V|/sigma), and this is the value of the half-line t > -z sigma for the pair on the right.
Take the supremum over A. Both bounds are monotone in |u| and |v|, and so are their means in the
stochastic order. QED

**One step.** Condition on the sample of the other records; it has the same law in both worlds and H
is jointly convex, so that it can be fixed, and its sum taken as the origin. The k records that
differ have gradients x_i (in one world) and x_i' (in the other) of norm at most 1, and each is in
the batch with probability q. U is the sum of x_i over the sampled set S, V that of x_i'; |U|,
|V| <= |S|, which is Bin(k, q). So the step is dominated by

    removed   sum_j Bin(k,q)(j) N(j)  against  N(0)            added   N(0)  against  sum_j Bin(k,q)(j) N(-j)
    replaced  sum_j Bin(k,q)(j) N(j)  against  sum_j Bin(k,q)(j) N(-j)

(U and V depend on one S, but only their separate laws enter.) All are attained by x_i = e,
x_i' = -e, all other gradients 0. Zero-out (the record's gradient becomes 0) is the pair of removing
and that of adding.

**Lemma C.** If (P_t, Q_t) dominates step t of an adaptive run whatever happened before, the product
of all pairs dominates the run. If each pair is attained by gradients that do not depend on what
happened before, the product is attained, and delta of the product is delta of the run. Proof. Two
steps; then induction. Let M, M' be the laws of the first output o, r = dM/dM' (infinite on a part
that M' does not see, of mass m). Given o, the second step has H_b <= h(b) = H_b(P_2||Q_2) for every
b >= 0, hence H_a(both) = m + int dM' r H_{a/r}(second | o) <= m + int dM' f(r) with f(r) = r
h(a/r). h is convex with values in [0, 1], so that f is convex (the perspective of a convex
function) on r > 0, 0 <= f(r) <= r, f(0+) = 0, and f'(inf) = h(0) = 1: with the part of mass m the
right side is the f-divergence of M, M'. A convex f with f(0) = 0 is the integral of r -> (r - b)_+
over b in [0, inf) with respect to the positive measure f'', plus f'(0+) r with f'(0+) >= 0; so its
f-divergence is the integral of H_b(M||M') >= 0 plus a constant, and does not fall if M, M' is
replaced by the dominating (P_1, Q_1). For these it is H_a of the product. The last sentence is
plain. QED

A run: Lemma M at each step, Lemma C for all. Both directions of "replaced" are the same by
reflection. delta does not fall if q, k, T or 1/sigma rises (Lemma M; a step can be left out, noise
can be added).

Exact cases. delta = 0: the loss is unbounded when records are removed or replaced (epsilon is
infinite); when they are added it is bounded by end = -k sum T ln(1-q). delta >= delta(0):
epsilon = 0; delta(0) is at most the sum of that of all steps. Last resort, where neither a contour
nor a bracket is to be had in time: delta is at least that of a single step, and at most that of
q = 1, a Gaussian, for which delta(eps) <= Phi(-x) <= e^{-x^2/2}, x = eps/mu - mu/2; hence
epsilon <= mu^2/2 + mu sqrt(2 ln(1/delta)).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Literal

from flint import arb

from verify.accounting.contour.line import BadPlan, normal
from verify.accounting.contour.vertical import Value
from verify.accounting.exact.convolution import POINTS, Bracket
from verify.accounting.history import History, Phase
from verify.accounting.pairs.mixtures.bracket import MixtureBracket
from verify.accounting.pairs.mixtures.exact import Pair, gaussian, single
from verify.accounting.pairs.mixtures.plan import MixturePlanner, moment_line
from verify.accounting.pairs.mixtures.table import MixtureLine, end_of_loss, log_kappa
from verify.accounting.pairs.mixtures.transform import Degrees, log_moment_above
from verify.accounting.root import AtZero, solve
from verify.accounting.routes import Route
from verify.accounting.tight import ZERO, Bracketed, Curve
from verify.numbers.balls import ball, fraction, precision
from verify.numbers.budget import Deadline
from verify.numbers.certified import Certified, Refine
from verify.numbers.errors import (
    BudgetExceeded,
    OutOfDomain,
    OutOfReach,
    PrecisionExhausted,
)

Change = Literal["add", "remove", "replace"]
MOST_RECORDS = 64
_UNREACHED = (OutOfReach, PrecisionExhausted, BadPlan, BudgetExceeded, ArithmeticError, ValueError)
_BRACKET = 0.9  # of the time: the rest is for the last resort
_POINTS = 2048  # of a bracket for several records, whose every point takes long
_SPARE = 0.05  # of the time, for the last resort
_FAR = 40  # standard deviations beyond which no digits are wanted


def degrees_of(direction: Change, group: int) -> Degrees:
    """(kp, km).

    >>> degrees_of("replace", 3)
    (3, 3)
    """
    if not 1 <= group <= MOST_RECORDS:
        raise OutOfDomain(f"group = {group}: must be a whole number from 1 to {MOST_RECORDS}")
    found = {"remove": (group, 0), "add": (0, group), "replace": (group, group)}.get(direction)
    if found is None:
        raise OutOfDomain(f"direction = {direction!s:.40}: must be add, remove or replace")
    return found


class Mixture(Curve):
    """One direction of a run in which ``group`` records are added, removed or replaced.

    >>> from verify.accounting.history import history
    >>> side = Mixture(history([("0.01", 1, 1000)]), "replace", 1, Deadline())
    >>> print(side.epsilon(Fraction(1, 10**5), 12))
    2.84344025927...
    """

    def __init__(self, history: History, direction: Change, group: int, deadline: Deadline) -> None:
        self.history, self.deadline = history, deadline
        self.change, self.group = direction, group
        self.degrees = degrees_of(direction, group)
        self._planner: MixturePlanner | None = None
        self._route: Route | None = None
        self._answers = {}

    @property
    def planner(self) -> MixturePlanner:
        if self._planner is None:
            self._planner = MixturePlanner(self.history, self.degrees)
        return self._planner

    @property
    def route(self) -> Route:
        if self._route is None:
            self._route = route(self.history, self.degrees)
        return self._route

    @property
    def bounded(self) -> bool:
        return self.change == "add" and all(p.q < 1 for p in self.history)

    def end(self, digits: int) -> Certified:
        """-k sum T ln(1-q), the essential supremum of the loss when records are added."""
        with precision(64 + int(3.4 * digits)):
            total = end_of_loss(self.history, self.degrees)
            assert total is not None
            return Certified(fraction(total.lower()), fraction(total.upper()), self._again("end"))

    def _delta(self, epsilon: Fraction | None, digits: int) -> Certified:
        self.planner.watch(self._share())
        try:
            found = super()._delta(epsilon, digits)
        except _UNREACHED:
            found = Bracketed(ZERO, Fraction(1))
        if epsilon is None or not isinstance(found, Bracketed) or found.certain_digits() > 1:
            return found
        low = self._of_one_step(lambda one: one.at(epsilon, 2.0, 2.0, self._spare()).lo)
        return Bracketed(max(found.lo, low), min(found.hi, self._gaussian_delta(epsilon)))

    def _epsilon(self, delta: Fraction, digits: int) -> Certified:
        self.planner.watch(self._share())
        try:
            found = super()._epsilon(delta, digits)
        except _UNREACHED:
            found = Bracketed(ZERO, math.inf)
        if not isinstance(found, Bracketed) or found.certain_digits() > 1:
            return found
        low = self._of_one_step(lambda one: solve(one, delta, 2, 1.0, None, self._spare())[0])
        return Bracketed(max(found.lo, low), min(found.hi, self._gaussian_epsilon(delta)))

    def _spare(self) -> Deadline:
        """Time for the last resort, which is there even if all is used up."""
        return Deadline.of_work(max(0.2, _SPARE * self.deadline.seconds))

    def _of_one_step(self, ask: Callable[[Route], Fraction]) -> Fraction:
        """What a single step answers, a lower end; 0 if it has no quick answer."""
        phase = min(self.history, key=lambda p: (p.sigma / p.q, p.q))
        if sum(self.degrees) > _FAR * phase.sigma:  # numbers of millions of digits
            return ZERO
        try:
            return ask(route((Phase(phase.q, phase.sigma, 1),), self.degrees))
        except (*_UNREACHED, AtZero):
            return ZERO

    def _distance(self) -> arb:
        """mu of the run with q = 1."""
        squares = (p.steps * sum(self.degrees) ** 2 / p.sigma**2 for p in self.history)
        return ball(sum(squares, ZERO)).sqrt()

    def _gaussian_delta(self, epsilon: Fraction) -> Fraction:
        with precision(96):
            mu = self._distance()
            x = ball(epsilon) / mu - mu / 2
            return fraction(normal(-x.min(arb(_FAR))).upper())

    def _gaussian_epsilon(self, delta: Fraction) -> Fraction:
        with precision(96):
            mu = self._distance()
            return fraction((mu * mu / 2 + mu * (-2 * ball(delta).log()).sqrt()).upper())

    def _tiny(self, epsilon: Fraction) -> bool:
        """Whether delta is proved to be below e^-100000."""
        try:
            return bool(self._log_delta_below(epsilon) < -100_000)
        except _UNREACHED:
            return False

    def surely_below(self, epsilon: Fraction, bound: Fraction) -> bool:
        """Whether delta(epsilon) < bound can be shown cheaply; False says nothing."""
        if bound <= 0 or not self.history:
            return False
        if self.bounded and self._beyond(epsilon):
            return True
        try:
            with precision(96):
                if self._log_delta_below(epsilon) < ball(bound).log():
                    return True
            value = self.route.at(epsilon, 2.0, 2.0, self._share(), bound)
        except _UNREACHED:
            return False
        return value.hi < bound

    def bounded_below(self, epsilon: Fraction, bound: Fraction) -> bool:
        """Whether delta(epsilon) < bound is shown by the end of the loss or by one moment; False says nothing."""
        if self.bounded and self._beyond(epsilon):
            return True
        try:
            with precision(96):
                return bool(self._log_delta_below(epsilon) < ball(bound).log())
        except _UNREACHED:
            return False

    def _log_delta_below(self, epsilon: Fraction) -> arb:
        """A cheap upper bound of ln delta(epsilon): kappa(c) psi(c) e^{-(c-1) eps} at one good c."""
        best = self.planner.chernoff(float(epsilon))
        with precision(96):
            c = arb(best)
            total = log_kappa(c) - (c - 1) * ball(epsilon)
            for phase, sketch in zip(self.history, self.planner.sketches, strict=True):
                line = moment_line(sketch, best, math.log(phase.steps) + 8)
                total += phase.steps * log_moment_above(phase, self.degrees, c, line)
            return total.upper()

    def above_variation(self, delta: Fraction) -> bool:
        """Whether delta is surely above the total variation, which is at most the sum of that of all steps."""
        total = Fraction(0)
        for p in self.history:
            one = route((Phase(p.q, p.sigma, 1),), self.degrees)
            total += p.steps * one.at(Fraction(0), 3.0, 3.0, self.deadline).hi
        return total < delta

    def _again(self, what: str, *at: Fraction) -> Refine:
        return functools.partial(_answer, self.history, self.change, self.group, what, at)

    def _share(self, part: float = 0.5) -> Deadline:
        return self.deadline.share(part)

    def _between(self, log_delta: float, points: int = POINTS) -> Bracket:
        most = points if self.group == 1 else min(points, _POINTS)
        return MixtureBracket(self.history, self.degrees, log_delta, self._share(_BRACKET), most)


class _TwoWays:
    """Two equal steps: on the contour, or by the integral where the contour does not serve."""

    def __init__(self, history: History, degrees: Degrees) -> None:
        self.line, self.pair = MixtureLine(history, degrees), Pair(history[0], degrees)

    def at(
        self,
        epsilon: Fraction,
        digits: float,
        build: float,
        deadline: Deadline,
        target: Fraction | None = None,
    ) -> Value:
        try:
            return self.line.at(epsilon, digits, build, deadline, target)
        except (OutOfReach, PrecisionExhausted, BadPlan, ArithmeticError, ValueError):
            return self.pair.at(epsilon, digits, build, deadline, target)


def route(history: History, degrees: Degrees) -> Route:
    """The route that serves this run; epsilon is asked for only below the end of the loss."""
    if all(p.q == 1 for p in history):
        return gaussian(history, degrees)
    if sum(p.steps for p in history) == 1:
        return single(history[0], degrees)
    if len(history) == 1 and history[0].steps == 2:
        return _TwoWays(history, degrees)
    return MixtureLine(history, degrees)


def _answer(
    history: History,
    direction: Change,
    group: int,
    what: str,
    at: tuple[Fraction, ...],
    digits: int,
    deadline: Deadline,
) -> Certified:
    """A question put to a fresh side."""
    found: Certified = getattr(Mixture(history, direction, group, deadline), what)(*at, digits)
    return found
