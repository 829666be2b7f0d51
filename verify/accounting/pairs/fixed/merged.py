"""One step with a batch of fixed size: the best pair of each sign of the loss, and the two merged into one.

**The step.** n records, a batch of m of them, q = m/n, p = 1-q. Draw m - 1 of the other records,
and one more, y. The batch is the m - 1 with y (probability p) or with the record in question
(probability q): this is a uniform batch, and the draws are the same in both worlds. Given them, and
after subtraction of the sum of the m - 1,

    P = p N(y) + q N(x),     Q = p N(y) + q N(x'),           |y|, |x|, |x'| <= 1 (vectors; noise sigma in each coordinate).

H_a(P||Q) = sup_A P(A) - a Q(A) is jointly convex, so a bound for every (y, x, x') is one for the step.

**Lemma M.** For random shifts U, V in any dimension, H_a(E N_U || E N_V) <= H_a(E N(|U|) || E
N(-|V|)), the right side in R^1 and rising with |U| and |V|. Proof: A any test, N_0(A) = Phi(z). By
Neyman and Pearson N_u(A) <= Phi(z + |u|/sigma) and N_v(A) >= Phi(z - |v|/sigma); E
Phi(z + |U|/sigma) - a E Phi(z - |V|/sigma) is what the half-line of N_0-mass Phi(z) gets on the
right.

**a >= 1.** P - a Q = q X - [(a-1) p Y + a q X'], and the bracket has the mass a - p =: q a'. So, with b = a/a' <= 1,

    H_a(P||Q) = q H_{a'}(X || (1-b) Y + b X').

*replace-one*: Lemma M with base point x, |y - x| <= 2 and |x' - x| <= 2: at most q
H_{a'}(N(2)||N(0)) = H_a(p N(0) + q N(2) || N(0)), the project's pair "remove" with noise sigma/2;
x = 1, y = x' = -1 attain it. The relation is symmetric: the same bound the other way. *zero-out, x
against 0* (x' = 0): |y - x| <= 2, |x' - x| <= 1: the pair p N(-1) + q N(1) || p N(-1) + q N(0)
(:class:`ZeroedOut`), attained by y = -1, x = 1. *0 against x*: base point 0, |y|, |x| <= 1: q
H_{a'}(N(1)||N(0)), "remove" with noise sigma; attained by y = x.

**a < 1.** H_a(P||Q) = 1 - a + a H_{1/a}(Q||P), with the bound of the opposite direction. So with h1
the profile of the direction asked and h2 that of the opposite, both at a >= 1, the least function
above all steps is

    k(a) = h1(a)  (a >= 1),      1 - a + a h2(1/a)  (a < 1).

It is a supremum of convex functions of a, hence convex, k(0) = 1, k >= (1-a)_+, k(inf) = 0: it is
the profile of a pair (P*, Q*), which dominates every step, so that (Zhu, Dong, Wang 2022,
Theorem 10) its product dominates the run, adaptive or not. In general no data set attains both
halves: the product is an upper end only. With y = -x, from Q*(L > x) = -k'(a) and P*(L > x) = k + a
Q*(L > x), a = e^x:

    x >= 0:  P*(L > x) = P1(L1 > x),       Q*(L > x) = Q1(L1 > x)
    x <  0:  P*(L > x) = 1 - Q2(L2 > -x),  Q*(L > x) = 1 - P2(L2 > -x).

At 0 there is an atom of mass 1 - P1(L1 > 0) - Q2(L2 > 0), the same for P* and Q*; the grid of
``convolution`` has the point 0 (no shift), on which its bucket puts the whole of the atom.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from verify.accounting.contour.line import normal
from verify.accounting.exact.loss import Loss, Tails
from verify.accounting.history import Phase
from verify.numbers.balls import ball

_FAR = 690.0  # beyond, e^x is no double


@dataclass(frozen=True, slots=True)
class ZeroedOut:
    """p N(-1) + q N(1) against p N(-1) + q N(0), for losses x >= 0.

    With u = e^{z/s^2}, c = e^{1/(2 s^2)} the ratio at z is (p + q u^2)/(p + q c u), and it is above
    a >= 1 iff u^2 - a c u - p (a-1)/q > 0, that is on the half-line right of z* = s^2 ln u*, u* the
    positive root.
    """

    q: Fraction
    sigma: Fraction

    def above(self, x: arb) -> tuple[arb, arb]:
        """P(L > x) and Q(L > x) for x >= 0."""
        q, p, s = ball(self.q), ball(1 - self.q), ball(self.sigma)
        a, half = x.exp(), 1 / (2 * s * s)
        # u* = c w: w^2 - a w - p (a-1)/(q c^2) = 0
        rest = p * x.expm1() / q * (-2 * half).exp()
        w = (a + (a * a + 4 * rest).sqrt()) / 2
        z = s * s * (w.log() + half)
        others = p * normal(-(z + 1) / s)
        return others + q * normal((1 - z) / s), others + q * normal(-z / s)

    def tails(self, x: float) -> tuple[float, float]:
        """The same in doubles."""
        if x > _FAR / 2:
            return 0.0, 0.0
        q, s = float(self.q), float(self.sigma)
        a, half = math.exp(x), 1 / (2 * s * s)
        w = (a + math.sqrt(a * a + 4 * (1 - q) * math.expm1(x) / q * math.exp(-2 * half))) / 2
        z = s * s * (math.log(w) + half)
        parts = [math.erfc(v / s / math.sqrt(2)) / 2 for v in (z + 1, z - 1, z)]
        return (1 - q) * parts[0] + q * parts[1], (1 - q) * parts[0] + q * parts[2]


@dataclass(frozen=True, slots=True)
class Merged:
    """(P*, Q*): the pair of one direction where its loss is positive, that of the other where it is negative."""

    forward: Tails
    backward: Tails

    def above(self, x: arb) -> tuple[arb, arb]:
        """P*(L > x) and Q*(L > x)."""
        if x >= 0:
            return self.forward.above(x)
        if x < 0:
            first, second = self.backward.above(-x)
            return 1 - second, 1 - first
        return arb(0).union(arb(1)), arb(0).union(arb(1))

    def tails(self, x: float) -> tuple[float, float]:
        """The same in doubles."""
        if abs(x) > _FAR:
            return (0.0, 0.0) if x > 0 else (1.0, 1.0)
        if x >= 0:
            return self.forward.tails(x)
        first, second = self.backward.tails(-x)
        return 1 - second, 1 - first


def loss_of_replacing(q: Fraction, sigma: Fraction) -> Merged:
    """Replace-one; both directions are the same."""
    half = Loss(Phase(q, sigma / 2, 1), "remove")
    return Merged(half, half)


def losses_of_zeroing(q: Fraction, sigma: Fraction) -> tuple[Merged, Merged]:
    """Zero-out: x against 0, and 0 against x."""
    forward, backward = ZeroedOut(q, sigma), Loss(Phase(q, sigma, 1), "remove")
    return Merged(forward, backward), Merged(backward, forward)
