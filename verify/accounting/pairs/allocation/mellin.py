"""Moments of an epoch at complex orders, E S'^{a+iy}, by Mellin integrals along turned rays, in balls.

S' = r + (1-r)S of ``parts``, G_n(w) = E S'^n e^{-wS'}, M(a) = E S'^a, a < n, x = n - a > 0,
z = x + iy, y >= 0. S' > 0, so from Gamma(z) S'^{-z} = int_0^inf w^{z-1} e^{-wS'} dw, and by Fubini
(E S'^{n-x} is finite),

    E S'^{n-z} = 1/Gamma(z) int_R e^{(v + i ang) z} G_n(e^{v + i ang}) dv,        |ang| < pi/2.

(The ray may be turned: G_n is analytic in Re w > 0, |G_n(w)| <= G_n(Re w), and rho^x G_n(rho
cos) -> 0 at both ends because G_n decreases and e^{xv} G_n(e^v) is integrable.) The wanted E
S'^{a+iy} is the conjugate of E S'^{n-z}.

**Rotation.** If r = 0, G_n continues analytically to every angle, and for real eta with |ph - eta/s| < pi/2
|G_n(rho e^{i ph})| <= e^{T eta^2/2} G_n(rho cos(ph - eta/s)): move all T variables t_i to Im t = -eta; S becomes e^{-i eta/s} S, the
densities gain e^{eta^2/2} in modulus each; the representations for neighbouring eta agree where
both hold. With r > 0 only eta = 0 is used, and |ph| < pi/2. Hence on the ray ph

    int |e^{(v + i ph) z} G_n| dv <= U(ph, eta) = e^{-ph y + T eta^2/2} Gamma(x) M(a) cos(ph - eta/s)^{-x}.

**Step** kappa on the ray ang, neighbours ang + up (with eta = turn) and ang - down (eta = 0): the
sum's error is at most

    U(ang + up, turn)/(e^{2 pi up/kappa} - 1) + U(ang - down, 0)/(e^{2 pi down/kappa} - 1),

the Fourier coefficients of one sign by moving the line up, of the other by moving it down. At y = 0
both terms are multiples of Gamma(x) M(a): if their sum e is below 1, Gamma(x)
M(a) <= (|sum| + cut off)/(1 - e). That gives the upper bound ``top`` of M(a).

**Both ends.** On the ray |integrand| <= e^{-ang y} f(v), f(v) = e^{xv + T eta^2/2 - r cos(ang) e^v}
sum_i c_i prod F(c e^v cos(ang - eta/s) e^{k/s^2})^m (terms of ``parts``; r = 0 or eta = 0). Each
term is log-concave in v (``laplace``; -e^v is concave), so outwards from the last node j its ratios
fall, and the nodes beyond sum to at most f_i(v_j) rho/(1 - rho), rho = f_i(v_{j+-1})/f_i(v_j) < 1.

**All heights at once.** z_k = x + i h k needs sum_j W_j e^{i h k v_j}, v_j = kappa (first + j):
with j l = (j^2 + l^2 - (j-l)^2)/2 it is one product of polynomials. Every number on the unit circle
is computed by itself: a chain of products would inflate the boxes.
"""

from __future__ import annotations

import math

from flint import acb, arb

from verify.accounting.contour.line import need
from verify.accounting.pairs.allocation.laplace import (
    Ray,
    box,
    mixed_on_ray,
    on_reals,
    timely_product,
)
from verify.accounting.pairs.allocation.outline import Outline
from verify.accounting.pairs.allocation.parts import tilted_terms
from verify.accounting.pairs.allocation.ray_plan import planned_ray, stretch
from verify.numbers.balls import ball, precision
from verify.numbers.budget import Deadline

_SPARE = 40.0  # nats of F at the ends, beyond its size
_ROUGH = 8.0


def moments(
    outline: Outline, n: int, a: float, h: float, count: int, goal: float, deadline: Deadline
) -> tuple[list[acb], arb]:
    """E S'^{a + ikh} for k = 0..count, to about e^-goal E S'^a, and an upper bound of E S'^a."""
    values: list[acb] = []
    top: arb | None = None
    while len(values) <= count:
        deadline.check()
        start = len(values)
        angle, reach = stretch(n - a, h * start, h * count)
        end = min(count, max(start, math.floor(reach / h + 1e-9)))
        ray = planned_ray(outline, n, n - a, angle, (h * start, h * end), goal)
        with precision(ray.bits, deadline):
            block, top = RayHeights(outline, n, a, ray).values(h, start, end, top, deadline)
        values += block
    assert top is not None
    return values, top


def moment_above(outline: Outline, n: int, a: float, epochs: int, deadline: Deadline) -> arb:
    """An upper bound of E S'^a, a < n, close enough for its power of so many epochs."""
    return moments(outline, n, a, 1.0, 0, _ROUGH + math.log(epochs), deadline)[1]


class RayHeights:
    """One ray and the heights it serves, at the precision in force."""

    def __init__(self, outline: Outline, n: int, a: float, ray: Ray) -> None:
        self.outline, self.part, self.n, self.ray = outline, outline.part, n, ray
        self.x, self.s = arb(n) - arb(a), ball(outline.part.sigma)
        need(self.x > 0, "the order must be below n")
        self.angle, self.kappa = arb(ray.angle), arb(ray.step)
        need(abs(self.angle) < arb.pi() / 2 and self.kappa > 0, "the ray leaves the half-plane")
        need((ray.turn == 0 and ray.right_turn == 0) or self.part.idle == 0, "the idle part turns")

    def values(
        self, h: float, start: int, end: int, top: arb | None, deadline: Deadline
    ) -> tuple[list[acb], arb]:
        sums = self._sums(arb(h), start, end, deadline)
        rest, (high, low) = self.beyond(), self.aliases()
        up, down = self.angle + arb(self.ray.up), self.angle - arb(self.ray.down)
        gamma = self.x.gamma()
        if top is None:
            need(start == 0 and high + low < 1, "the step on a ray is too coarse")
            whole = (abs(sums[0]) + rest) / (1 - high - low)
            top = (whole / gamma).upper()
        scale, found = top * gamma, []
        for k, total in enumerate(sums, start):
            y = arb(h) * k
            log = acb(self.x, y).lgamma()
            wrong = rest * (-self.angle * y).exp()
            wrong += scale * (high * (-up * y).exp() + low * (-down * y).exp())
            front = (acb(-self.angle * y, self.angle * self.x) - log).exp()
            value = (total * front + box(wrong * (-log.real).exp())).conjugate()
            found.append(value if k else acb(value.real))
        return found, top

    def aliases(self) -> tuple[arb, arb]:
        """Errors of the step from the neighbour above and the one below, for y = 0 and Gamma(x) M(a) = 1."""
        ray, half = self.ray, arb.pi() / 2
        up, turn, down = arb(ray.up), arb(ray.turn), arb(ray.down)
        above, below = self.angle + up - turn / self.s, self.angle - down
        need(up > 0 and down > 0, "shifts must be positive")
        need(abs(above) < half and abs(below) < half, "a neighbour leaves the half-plane")
        high = (self.part.batches * turn**2 / 2).exp() * above.cos() ** -self.x
        low = below.cos() ** -self.x
        return (
            high / (2 * arb.pi() * up / self.kappa).expm1(),
            low / (2 * arb.pi() * down / self.kappa).expm1(),
        )

    def beyond(self) -> arb:
        """At least the sum of kappa |integrand| e^{ang y} over the nodes outside first..last."""
        ray, total = self.ray, arb(0)
        for place, way, turn in ((ray.first, -1, 0.0), (ray.last, 1, ray.right_turn)):
            eta = arb(turn)
            turned = self.angle - eta / self.s
            need(abs(turned) < arb.pi() / 2, "an end leaves the half-plane")
            cos = turned.cos()
            ends = [self.kappa * place, self.kappa * (place + way)]
            front = self.kappa * (self.part.batches * eta**2 / 2 + self.x * ends[0]).exp()
            slope = (self.x * self.kappa * way).exp()
            if self.part.idle > 0:
                r = ball(self.part.idle) * self.angle.cos()
                front *= (-r * ends[0].exp()).exp()
                slope *= (r * (ends[0].exp() - ends[1].exp())).exp()
            total += front * self._terms_beyond([v + cos.log() for v in ends], slope)
        return total.upper()

    def _terms_beyond(self, ends: list[arb], slope: arb) -> arb:
        known: dict[int, list[arb]] = {}
        total = arb(0)
        for term in tilted_terms(self.part, self.n):
            size, ratio = term.coefficient, slope
            for tilt, power in term.powers:
                if not power:
                    continue
                if tilt not in known:
                    known[tilt] = self._on_reals([v + tilt / self.s**2 for v in ends])
                here, there = known[tilt]
                need(here > 0, "F is not known at the end of a ray")
                size, ratio = size * here**power, ratio * (there / here) ** power
            need(ratio < 1, "the end of a ray does not fall")
            total += size * ratio / (1 - ratio)
        return total

    def _on_reals(self, logs: list[arb]) -> list[arb]:
        least = min(self.outline.log_f(float(v) + self.outline.shift) for v in logs)
        nats = _SPARE - max(1.2 * least, -3000.0)
        with precision(int(1.45 * nats) + 60):
            return on_reals(self.part, logs, nats)

    def _sums(self, h: arb, start: int, end: int, deadline: Deadline) -> list[acb]:
        """kappa sum_j e^{(x + i h k) v_j} G_n(w_j) for k = start..end."""
        g = mixed_on_ray(self.part, self.n, self.ray, deadline)
        first, size, count = self.ray.first, len(self.ray), end - start + 1
        half = h * self.kappa / 2
        weights = []
        for j, value in enumerate(g):
            v = self.kappa * (first + j)
            bend = half * (j * j) if count > 1 else arb(0)
            weights.append(acb(self.x * v, h * start * v + bend).exp() * value * self.kappa)
        deadline.check()
        if count == 1:
            return [sum(weights, acb(0))]
        chirp = [acb(0, -half * (p * p)).exp() for p in range(max(size, count))]
        both = [chirp[abs(p)] for p in range(1 - size, count)]
        product = timely_product(weights, both, self.ray.bits, deadline)
        deadline.check()
        lift = 2 * half * first
        return [
            product[size - 1 + k] * acb(0, half * (k * k) + lift * k).exp() for k in range(count)
        ]
