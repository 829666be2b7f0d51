"""F(w) = E e^{-wX}, X = exp(t/s - 1/(2 s^2)), t standard normal, on a ray of the complex plane and
on the real line, in balls.

**A ray.** The points are w_j = c e^{kappa j + i ang + k/s^2}, j = first..last (c = (1-idle)/T, k
the tilt). F(w) is the integral of phi(t) e^{-wX(t)}; on the line Im t = -eta the factor X turns by
e^{-i eta/s} and |phi(t - i eta)| = phi(t) e^{eta^2/2}. As long as the angle ang - eta/s lies in
[-pi/2, pi/2], |e^{-wX}| <= 1; for all eta between two such values the integrand is bounded by phi
e^{eta^2/2}, so the line may be moved between them. The trapezoidal rule with nodes t_i = g i - i
eta, g = (kappa/m) s, has the nodes' products w_j X(t_i) = c e^{k/s^2 - 1/(2 s^2)}
e^{(kappa/m)(m j + i) + i (ang - eta/s)}: they depend on m j + i only, so

    sum_i phi_i e^{-w_j X(t_i)},    phi_i = g (2 pi)^{-1/2} e^{-(g i)^2/2 + i eta g i + eta^2/2},

is one product of two polynomials for all j. Errors:
* aliasing: the Fourier coefficients at the non-zero multiples of 2 pi/g, one sign by moving the
  line down by d (to eta + d), the other by moving it up by d' (to eta - d'), all angles in [-pi/2,
  pi/2]: e^{(eta+d)^2/2}/(e^{2 pi d/g} - 1) + e^{(eta-d')^2/2}/(e^{2 pi d'/g} - 1);
* nodes |i| > I: the ratio of |phi_{i+1}| to |phi_i| is e^{-g^2 (2i+1)/2} <= q = e^{-g^2 I} for
  i >= I: 2 |phi_I| q/(1-q);
* factors e^{-wX} with Re wX > cut are put to 0: e^{-cut} sum |phi_i|. Re wX increases with m j + i,
  so from the first such on all are.

**The real line**, w > 0: eta = 0, d = d' <= pi s/2, no grid in common, the same three errors without the third.

**Log-concavity.** v -> ln F(e^v) is concave: phi(t) exp(-e^{v + t/s - 1/(2 s^2)}) is jointly
log-concave in (t, v), because e^{linear} is convex, and integrals of jointly log-concave functions
over t are log-concave in v (Prekopa).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from flint import acb, acb_poly, arb

from verify.accounting.contour.line import need
from verify.accounting.pairs.allocation.parts import Allotted, tilted_terms
from verify.numbers.balls import ball
from verify.numbers.budget import Deadline

_AFRESH = 32  # exp is called again after so many nodes reached by multiplication
_SPARE = 10.0
_LOOK = 4096
_PRODUCT = 5e-8  # seconds for a bit of a coefficient of a product, about


@dataclass(frozen=True, slots=True)
class Ray:
    """A ray with its nodes, as planned in doubles; ``mellin`` says what the numbers mean."""

    angle: float
    step: float  # kappa
    fine: int  # m
    first: int
    last: int
    up: float
    turn: float
    down: float
    right_turn: float
    eta: float
    below: float  # d
    above: float  # d'
    nats: float  # accuracy of F
    bits: int

    def __len__(self) -> int:
        return self.last - self.first + 1

    def cut(self) -> float:
        """e^-cut is put to 0: so far below the accuracy of F that the weights' sum, about
        e^{eta^2/2}, does not matter."""
        return self.nats + _SPARE + self.eta**2 / 2


def box(radius: arb) -> acb:
    """A square about 0."""
    r = radius.upper()
    return acb(arb(0, r), arb(0, r))


def timely_product(one: list[acb], other: list[acb], bits: int, deadline: Deadline) -> list[acb]:
    """The product of two polynomials. It cannot be interrupted, so it is not begun if the time will hardly do."""
    deadline.check()
    if (len(one) + len(other)) * bits * _PRODUCT > deadline.left():
        raise deadline.exceeded()
    found: list[acb] = (acb_poly(one) * acb_poly(other)).coeffs()
    return found


def on_ray(part: Allotted, ray: Ray, tilt: int, deadline: Deadline) -> list[acb]:
    """F(c e^{kappa j + i angle + tilt/s^2}) for j = first..last."""
    s, fine = ball(part.sigma), arb(ray.step) / ray.fine
    g, eta, angle = fine * s, arb(ray.eta), arb(ray.angle)
    half, down, up = arb.pi() / 2, arb(ray.below), arb(ray.above)
    need(g > 0 and down > 0 and up > 0, "step and shifts must be positive")
    for line in (eta - up, eta, eta + down):
        need(abs(angle - line / s) <= half, "a line in t leaves the half-plane")
    wrong = ((eta + down) ** 2 / 2).exp() / (2 * arb.pi() * down / g).expm1()
    wrong += ((eta - up) ** 2 / 2).exp() / (2 * arb.pi() * up / g).expm1()
    last = math.ceil((math.sqrt(2 * ray.nats + ray.eta**2) + 0.5) / float(g))
    front = g / (2 * arb.pi()).sqrt() * (eta * eta / 2).exp()
    sizes = [front * (-((g * i) ** 2) / 2).exp() for i in range(last + 1)]
    q = (-g * g * last).exp()
    wrong += 2 * sizes[-1] * q / (1 - q)
    if ray.eta == 0:
        weights = [acb(sizes[abs(i)]) for i in range(-last, last + 1)]
    else:
        turns = [acb(0, eta * g * i).exp() * size for i, size in enumerate(sizes)]
        weights = [turns[i] if i >= 0 else turns[-i].conjugate() for i in range(-last, last + 1)]
    factors, dropped = _factors(part, ray, tilt, last, deadline)
    if dropped:
        wrong += (-arb(ray.cut())).exp() * 2 * sum(sizes, arb(0))
    product = timely_product(weights[::-1], factors, ray.bits, deadline)
    first, error = 2 * last, box(wrong)
    places = range(first, first + ray.fine * len(ray), ray.fine)
    return [(product[p] if p < len(product) else acb(0)) + error for p in places]


def _factors(
    part: Allotted, ray: Ray, tilt: int, reach: int, deadline: Deadline
) -> tuple[list[acb], bool]:
    """e^{-wX} at m j + i = m first - reach, ..., and whether the last ones were put to 0."""
    s, fine = ball(part.sigma), arb(ray.step) / ray.fine
    turn = acb(0, arb(ray.angle) - arb(ray.eta) / s).exp()
    base = ((2 * tilt - 1) / (2 * s * s)).exp() * ball((1 - part.idle) / part.batches)
    ratio, cut = fine.exp(), arb(ray.cut())
    size = arb(0)
    factors: list[acb] = []
    low, high = ray.fine * ray.first - reach, ray.fine * ray.last + reach
    for k, place in enumerate(range(low, high + 1)):
        size = size * ratio if k % _AFRESH else base * (fine * place).exp()
        if k % _LOOK == 0:
            deadline.check()
        if size * turn.real > cut:
            return factors, True
        factors.append((-size * turn).exp())
    return factors, False


def mixed_on_ray(part: Allotted, n: int, ray: Ray, deadline: Deadline) -> list[acb]:
    """G_n(e^{kappa j + i angle}) for j = first..last."""
    terms = tilted_terms(part, n)
    used = {tilt for term in terms for tilt, power in term.powers if power}
    f = {tilt: on_ray(part, ray, tilt, deadline) for tilt in sorted(used)}
    turn, idle = acb(0, arb(ray.angle)).exp(), ball(part.idle)
    found = []
    for j in range(len(ray)):
        total = acb(0)
        for term in terms:
            value = acb(term.coefficient)
            for tilt, power in term.powers:
                if power:
                    value *= f[tilt][j] ** power
            total += value
        if part.idle > 0:
            total *= (-idle * turn * (arb(ray.step) * (ray.first + j)).exp()).exp()
        found.append(total)
    return found


def on_reals(part: Allotted, logs: list[arb], nats: float) -> list[arb]:
    """F(c e^v) for real v, to about e^-nats."""
    s = ball(part.sigma)
    d = min(math.sqrt(2 * nats), 1.5 * float(part.sigma))
    shift, step = arb(d), 2 * math.pi * d / (nats + d * d / 2 + 1)
    g = arb(step)
    need(shift <= arb.pi() * s / 2, "the line leaves the half-plane")
    last = math.ceil((math.sqrt(2 * nats) + 0.5) / step)
    front = g / (2 * arb.pi()).sqrt()
    q = (-g * g * last).exp()
    wrong = 2 * (shift * shift / 2).exp() / (2 * arb.pi() * shift / g).expm1()
    wrong += 2 * front * (-((g * last) ** 2) / 2).exp() * q / (1 - q)
    scale = (-1 / (2 * s * s)).exp() * ball((1 - part.idle) / part.batches)
    nodes = [(-((g * i) ** 2) / 2, (g * i / s).exp()) for i in range(-last, last + 1)]
    found = []
    for v in logs:
        w = v.exp() * scale
        total = sum(((square - w * x).exp() for square, x in nodes), arb(0))
        found.append(total * front + arb(0, wrong.upper()))
    return found
