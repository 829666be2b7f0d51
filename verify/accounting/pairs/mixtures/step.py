"""One step of a pair of Gaussian mixtures off the real line, in balls: Lemma R and the bounds that rest on it.

t is standard normal, s = sigma, p = 1-q, 0 < q < 1. The two densities of a step are phi g+ and phi g-, with

    g+(t) = G(e^{t/s}) or 1,     g-(t) = G(e^{-t/s}) or 1,     G(u) = sum_{j<=k} C(k,j) q^j p^{k-j} e^{-j^2/(2 s^2)} u^j.

kp and km are the degrees: k, or 0 where the density is phi itself. psi(z) = int phi g+^z g-^{1-z}.

**Lemma R.** All zeros of G are real and negative: G(u) = p^k prod_i (1 + u/rho_i), rho_i > 0.
Proof. (p+qu)^k is such a polynomial. Let f be one, of degree k, with positive coefficients,
theta = u d/du and R > k. Then (1 + theta/R) f = u^{1-R} (u^R f)'/R: on u < 0 the function |u|^R f
has the k zeros of f (with their multiplicity) and tends to 0 at u = 0; by Rolle its derivative has
k zeros below 0, and there are no more than k. Likewise (1 - theta/R) f = -u^{1+R} (u^-R f)'/R,
where |u|^-R f tends to 0 at u = -inf because R > k; its leading coefficient is 1 - k/R > 0 times
that of f. So (1 - theta^2/R^2) f has k negative zeros and positive coefficients. Put c = 1/(2 s^2),
R^2 = N/c, N > c k^2, and apply it N times: the coefficient of u^j is multiplied by (1 - c j^2/N)^N,
which tends to e^{-c j^2}. By Hurwitz the limit G has real zeros that are not positive, and
G(0) = p^k > 0. QED

On Im t = eta, b = eta/s in [0, pi), each factor of g+ is 1 + Y e^{ib}, each factor of g- is 1 + Y
e^{-ib}, with Y > 0. Hence

    (i)    |g(x+i eta)| <= g(x), and >= g(x) cos(b/2)^k;   no factor meets (-inf, 0]: ln g, the sum of the factors' principal
           logarithms, is analytic in |Im t| < pi s. It is the principal logarithm of g where k b < pi.
    (ii)   arg g+ lies in [0, kp b] and increases with x, arg g- in [-km b, 0]: A = arg g+ - arg
           g- >= 0. A increases with b in [0, pi/2].
    (iii)  |phi g+^z g-^{1-z}| = phi(x) e^{eta^2/2} |g+|^a |g-|^{1-a} e^{-yA},   z = a+iy.
    (iv)   |g(x+i eta)| >= g(x) cos(b/2)^{4 V} >= g(x) cos(b/2)^{4 m}, m = E j, V = Var j for
           weights that are proportional to the terms of G: with pi_i = Y_i/(1+Y_i),
           |g|^2/g^2 = prod (1 - 4 sin^2(b/2) pi_i (1-pi_i)); ln(1 - x) is concave, so that on pi_i
           (1-pi_i) <= 1/4 each logarithm is at least 8 pi_i (1-pi_i) ln cos(b/2); V = sum pi_i
           (1-pi_i) <= m = sum pi_i. m falls as one goes outwards.
    (v)    |g| >= p^k if b <= pi/2, for then |1 + Y e^{ib}| >= 1.

**Spread.** Let a >= 0 (else t -> -t swaps the two and a becomes 1-a). The integral of (iii) over
the line is at most e^{eta^2/2} C(b) psi(a) for y >= 0: C = 1 for a <= 1 or km = 0, else
C = cos(b/2)^{km(1-a)}; or, if b <= pi/2, for any x1 > 0,

    C = cos(b/2)^{(1-a) min(km, 4 m1)} + p^{km(1-a)} g+(-x1)^a Phi(-x1),     m1 = E j of g- at -x1:

(iv) right of -x1, (v) left of it, where g+ <= g+(-x1); and psi(a) >= 1 by Jensen (a > 1). For tiny
q the first form would be useless.

**Argument.** Where k b >= pi, the branch of ln g is found by continuity. Along x, d arg/d(x/s) of a
factor is Y sin b/|1+Y e^{ib}|^2 <= tan(b/2)/2, so from node to node arg g changes by at most
k (v/s) tan(b/2)/2; this must be below 3 < pi. Upwards at the first node, d arg/db of a factor is at
most |Y/(1+Y e^{ib})| <= 1 for b <= pi/2 and 1/sin b beyond; it starts at 0 for b = 0.

**Cut off.** l = ln(phi g+^a g-^{1-a}), l' = -x + (a/s) m+ - ((1-a)/s) m-. Left:
l' >= -x - max(1-a,0) km/s, a geometric series. Right: ln g+ is convex; on nodes between e and e' it
lies below its chord, of slope sigma/a, and (1-a) ln g- is at most the larger of its values at the
ends (it is monotone), so that a term is at most exp(-x^2/2 + sigma (x-e) + base): a falling
geometric series if sigma < e, a rising one if sigma > e', and in any case at most e^{base - sigma
e + sigma^2/2} (sqrt(2 pi)/v + 1) in sum. From e on with r = e - (a kp + max(a-1,0) m-(e))/s > 0:
F(e)/(1 - e^{-vr}). Off the real line the terms on the right have (iv) with m- at the first of them,
those on the left (i) or (v).
"""

from __future__ import annotations

import math

from flint import acb, acb_poly, arb, arb_poly

from verify.accounting.contour.line import SPLITS, Line, need, normal
from verify.accounting.history import Phase
from verify.numbers.balls import ball

CELLS = 64  # of the chord bound
STRAIGHT = 3  # an argument that changes by less keeps its branch
_AFRESH = 32  # exp is called again after so many nodes reached by multiplication


class MixtureStep:
    """The two densities of a step, 0 < q < 1, at the precision in force; degrees are (kp, km)."""

    def __init__(self, phase: Phase, degrees: tuple[int, int]) -> None:
        self.up, self.down = degrees
        self.k = max(degrees)
        need(0 < phase.q < 1 and set(degrees) <= {0, self.k} and self.k > 0, "not a mixture pair")
        q, self.p = ball(phase.q), ball(1 - phase.q)
        self.inverse = 1 / ball(phase.sigma)
        half = self.inverse**2 / 2
        self.weights = [
            math.comb(self.k, j) * q**j * self.p ** (self.k - j) for j in range(self.k + 1)
        ]
        self.terms = [w * (-j * j * half).exp() for j, w in enumerate(self.weights)]
        self.real, self.complex = arb_poly(self.terms), acb_poly(self.terms)
        self.weighted = arb_poly([j * c for j, c in enumerate(self.terms)])

    # -- on the real line

    def plus(self, x: arb) -> arb:
        """g+(x)."""
        return self.real((x * self.inverse).exp()) if self.up else arb(1)

    def minus(self, x: arb) -> arb:
        """g-(x)."""
        return self.real((-x * self.inverse).exp()) if self.down else arb(1)

    def mean_minus(self, x: arb) -> arb:
        """m-(x), the mean of j in g-."""
        if not self.down:
            return arb(0)
        u = (-x * self.inverse).exp()
        return self.weighted(u) / self.real(u)

    def log_term(self, a: arb, x: arb) -> arb:
        """ln(g+^a g-^{1-a}) - x^2/2."""
        return a * self.plus(x).log() + (1 - a) * self.minus(x).log() - x * x / 2

    # -- off it

    def logs(self, line: Line) -> tuple[list[acb], list[acb]]:
        """ln g+ and ln g- at the nodes: g-(x + i eta) is the conjugate of G at -x."""
        nothing = [acb(0)] * len(line)
        if not self.down:
            return self._logs(line, line.low, line.high), nothing
        if not self.up:
            return nothing, _mirror(self._logs(line, -line.high, -line.low))
        low, high = min(line.low, -line.high), max(line.high, -line.low)
        row = self._logs(line, low, high)  # one row serves both
        up = row[line.low - low : line.high + 1 - low]
        return up, _mirror(row[-line.high - low : -line.low + 1 - low])

    def _logs(self, line: Line, low: int, high: int) -> list[acb]:
        """ln G(e^{t/s}) at the nodes low..high of the line."""
        v, b = arb(line.step), arb(line.eta) * self.inverse
        turn, ratio = acb(0, b).exp(), (v * self.inverse).exp()
        chained = not self.k * b < arb.pi()
        if chained:
            change = self.k * v * self.inverse * (b / 2).tan() / 2
            need(
                b < arb.pi() and change < STRAIGHT,
                "the argument changes too much from node to node",
            )
        found: list[acb] = []
        u, before = acb(0), acb(0)
        for n, j in enumerate(range(low, high + 1)):
            u = u * ratio if n % _AFRESH else (v * j * self.inverse).exp() * turn
            value = self.complex(u)
            if not chained:
                found.append(value.log())
            else:
                near = found[-1] + (value / before).log() if n else self._first(v * j, b)
                found.append(_branch(value, near.imag))
            before = value
        return found

    def _first(self, x: arb, b: arb) -> acb:
        """ln G at one point of the line, along the way up from the real line."""
        steep = arb(1) if b <= arb.pi() / 2 else 1 / b.sin()
        count = int(float((self.k * b * steep).upper()) / STRAIGHT) + 2
        need(self.k * b * steep < STRAIGHT * count, "the argument changes too much on the way up")
        radius, before = (x * self.inverse).exp(), self.complex(acb((x * self.inverse).exp()))
        total = before.log()
        for i in range(1, count + 1):
            value = self.complex(radius * acb(0, b * i / count).exp())
            total += (value / before).log()
            before = value
        return total

    def spread(self, b: arb, a: arb) -> arb:
        """C(b), a >= 0."""
        need(a >= 0 and b >= 0 and b < arb.pi(), "C(b) is for a >= 0 and b < pi")
        if a <= 1 or not self.down:
            return arb(1)
        base = (b / 2).cos()
        best = base ** (self.down * (1 - a))
        if b <= arb.pi() / 2:
            for x in map(arb, SPLITS):
                share = (1 - a) * (4 * self.mean_minus(-x)).min(arb(self.down))
                far = self.p ** (self.down * (1 - a)) * self.plus(-x) ** a * normal(-x)
                best = best.min(base**share + far)
        return best

    def cut_off(self, a: arb, line: Line) -> arb:
        """At least the sum of e^{-x^2/2} |g+|^a |g-|^{1-a} over all nodes of the line outside low..high."""
        need(a >= 0, "the cut off is for a >= 0")
        b = arb(line.eta) * self.inverse
        return self._left(a, b, line) + self._right(a, b, line)

    def _left(self, a: arb, b: arb, line: Line) -> arb:
        v, x = arb(line.step), arb(line.step) * (line.low - 1)
        pull = (1 - a).max(arb(0)) * self.down * self.inverse
        need(-x > pull, "the left end does not rise")
        best = self.log_term(a, x).exp() / (1 - (v * (x + pull)).exp())
        if a > 1 and self.down:
            best *= (b / 2).cos() ** (self.down * (1 - a))
            if b <= arb.pi() / 2:
                flat = (a * self.plus(x).log() - x * x / 2).exp() / (1 - (v * x).exp())
                best = best.min(self.p ** (self.down * (1 - a)) * flat)
        return best

    def _right(self, a: arb, b: arb, line: Line) -> arb:
        v, first = arb(line.step), line.high + 1
        need(first > 0, "the right end is not on the right")
        pull = (a * self.up + (a - 1).max(arb(0)) * self.mean_minus(v * first)) * self.inverse
        last = max(first, int(float((pull / v).upper())) + 2 + int(1 / line.step))
        width = max(1, -(-(last - first) // CELLS))
        edges = [*range(first, last, width), last]
        logs = [(a * self.plus(v * j).log(), (1 - a) * self.minus(v * j).log()) for j in edges]
        total = arb(0)
        for i in range(len(edges) - 1):
            total += _cell(v, edges[i : i + 2], logs[i : i + 2])
        end = v * last
        fall = end - (a * self.up + (a - 1).max(arb(0)) * self.mean_minus(end)) * self.inverse
        need(fall > 0, "the right end does not fall")
        total += (sum(logs[-1]) - end * end / 2).exp() / (1 - (-v * fall).exp())
        if a > 1 and self.down:
            share = (4 * self.mean_minus(v * first)).min(arb(self.down))
            total *= (b / 2).cos() ** ((1 - a) * share)
        return total


def _mirror(row: list[acb]) -> list[acb]:
    return [value.conjugate() for value in reversed(row)]


def _cell(v: arb, edges: list[int], logs: list[tuple[arb, arb]]) -> arb:
    """The sum over the nodes edges[0] .. edges[1]-1, by the chord."""
    start, stop = v * edges[0], v * edges[1]
    (low, one), (high, other) = logs
    slope, base = (high - low) / (stop - start), low + one.max(other)
    best = (base - slope * start + slope**2 / 2).exp() * ((2 * arb.pi()).sqrt() / v + 1)
    if slope < start:
        first = (base - start * start / 2).exp()
        best = best.min(first / (1 - (v * (slope - start)).exp()))
    elif slope > stop:
        final = (base + slope * (stop - start) - stop * stop / 2).exp()
        best = best.min(final / (1 - (v * (stop - slope)).exp()))
    return best


def _branch(value: acb, near: arb) -> acb:
    """The logarithm of a value whose argument is known to lie near there."""
    principal = value.log() if value.real > 0 else (-value).log() + acb(0, arb.pi())
    turns = ((near - principal.imag) / (2 * arb.pi())).unique_fmpz()
    need(turns is not None, "the branch of a logarithm is not decided")
    return principal + acb(0, 2 * arb.pi() * int(turns))
