"""How far apart the nodes may be: the discretisation error of the trapezoidal sum, proved.

Let I be the integral of phi g^s over the real line (phi the normal density) and T the sum
h sum_j phi(jh) g(jh)^s. Shifting the line of integration up and down (Trefethen and Weideman, SIAM
Review 56, 2014, Theorem 5.1),

    T - I = int_{up} f(t)/(e^{-2 pi i t/h} - 1) dt + int_{down} f(t)/(e^{2 pi i t/h} - 1) dt,

for every pair of contours that the poles of neither factor and no branch point of f separate from
the real line; at height y the denominators are at least e^{2 pi y/h} - 1.

**A strip.** f is analytic for |Im t| < pi sigma (everywhere when s is a non-negative integer or
q = 1). On the line Im t = d, with b = d/sigma and 0 <= f <= b/2, b - f < pi/2:

* |e^{-t^2/2}| grows by the factor e^{d^2/2};
* |g(x+id)| <= g(x), which serves s >= 0: the integral of |f| over the line is at most C I with
  C = e^{d^2/2};
* |g(x+id)| >= Re e^{-if} g = cos f ((1-q) + q e^{...} cos(b-f)/cos f), that is cos f times g moved
  by lam = sigma ln(cos f / cos(b-f)) >= 0. For s < 0 undoing the move leaves the factor
  e^{-lam t - lam^2/2} under the integral; F is then strongly log-concave (l'' <= -1), so its mean is
  within 1 of its mode t* and E_F[e^{-lam t}] <= e^{lam (1 - t*) + lam^2/2}. Hence
  C = e^{d^2/2} (cos f)^s e^{lam (1 - t*)}; f = b/2 gives the plain C = e^{d^2/2} (cos b/2)^s.

So |T - I| <= E I with E = 2C/(e^{2 pi d/h} - 1): a *relative* error, whatever q and s are.

**A slit**, for s > 0 not whole. Every branch point lies on the lines Re t = t1, where
q e^{t1/sigma - 1/(2 sigma^2)} = 1-q, at the heights +-pi sigma, +-3 pi sigma, ... Take the line at
a height D beyond the first of them, and where it meets Re t = t1 go down one side of a slit to
t1 + i pi sigma and up the other. On the line |g(x+iD)| <= g(x) holds whatever the branch, so it
brings E I as before with d = D. On the slit g = (1-q)(1 + e^{iy/sigma}), so |g|^s <= (2(1-q))^s on
either side; f is bounded near the branch points, so turning at the end costs nothing. Two sides,
above and below:

    |T - I| <= E I + 4 F(t1) int_{pi sigma}^{D} e^{y^2/2}/(e^{2 pi y/h} - 1) dy / sqrt(2 pi),
    F(t1) = e^{-t1^2/2} (2(1-q))^s.

The exponent y^2/2 - 2 pi y/h is convex in y, so its maximum is at an end. The second part is
*absolute*, and small where little mass lies around t1.

**Logarithmic integrands** F ln g, s = 0 or 1, in a strip: |ln g(x+id)| <= |ln g(x)| + ln sec(b/2) + pi
and simple bounds of E|g^s ln g| give an absolute error.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from flint import arb

from verify.engines.integrand import Integrand, Parameters
from verify.errors import OutOfReach

_LN2 = math.log(2)
_INSIDE = 1 - 2.0**-40  # how much of the strip is used
_PARTS = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.96)


@dataclass(frozen=True, slots=True)
class Plan:
    """A step h, in doubles, and the contour that will prove its error."""

    h: float
    d: float
    f: float = 0.0
    slit: bool = False


@dataclass(frozen=True, slots=True)
class Error:
    """|T - I| <= relative I + absolute."""

    relative: arb
    absolute: arb


def plan(integrand: Integrand, bits: int) -> Plan:
    """The largest step that brings about 2^-bits, with few bits so that its multiples are exact."""
    goal = bits * _LN2 + 2
    best = max(_plans(integrand, goal), key=lambda p: p.h)
    if not 0 < best.h < math.inf:
        raise OutOfReach(f"{integrand.moment}: no usable step")
    scale = 20 - math.frexp(best.h)[1]
    h = math.ldexp(math.floor(math.ldexp(best.h, scale)), -scale)
    return Plan(h, best.d, best.f, best.slit)


def _plans(integrand: Integrand, goal: float) -> Iterator[Plan]:
    profile = integrand.profile
    free = math.sqrt(2 * goal)  # the best height when nothing is in the way
    if integrand.entire:
        yield Plan(_step(free, goal + free * free / 2), free)
        return
    wide = min(free, math.pi * profile.sigma * _INSIDE)
    if integrand.positive and not integrand.log:
        yield Plan(_step(wide, goal + wide * wide / 2), wide)
        if wide < free:
            t1 = profile.where_share(0.5)
            top = max(profile.level(profile.left), profile.level(profile.right))
            gain = top - profile.level(t1) - math.log(4 * (free - wide) + 4)
            short = max(goal - gain + wide * wide / 2, 1e-9)
            h = min(_step(free, goal + free * free / 2), _step(wide, short))
            yield Plan(h, free, slit=True)
        return
    for part in _PARTS:
        d = wide * part
        b = d / profile.sigma
        yield Plan(_step(d, goal + _log_constant(integrand, d, b / 2)), d, b / 2)
        lowest = max(0.0, b - 1.5)
        if lowest < b / 2 and not integrand.log:
            yield Plan(_step(d, goal + _log_constant(integrand, d, lowest)), d, lowest)


def _step(height: float, nats: float) -> float:
    """The h with e^{-2 pi height/h} = e^{-nats}."""
    return 2 * math.pi * height / nats


def _log_constant(integrand: Integrand, d: float, f: float) -> float:
    """ln C in doubles, for logarithmic integrands and negative orders."""
    profile = integrand.profile
    sigma, b = profile.sigma, d / profile.sigma
    if integrand.log:
        return d * d / 2 + math.log(8 + 1 / sigma**2 - math.log(math.cos(f)))
    lam = sigma * (math.log(math.cos(f)) - math.log(math.cos(b - f)))
    cosine = profile.s * math.log(math.cos(f))
    return d * d / 2 + cosine + max(lam, 0.0) * (2 - profile.left)


def error(integrand: Integrand, chosen: Plan, balls: Parameters) -> Error:
    """What the module's head proves, as balls at the precision in force, for exactly this plan."""
    h, d = arb(chosen.h), arb(chosen.d)
    if not (h > 0 and d > 0):
        raise OutOfReach(f"{integrand.moment}: no usable step")
    turns = 2 * arb.pi() / h
    line = 2 * (d * d / 2).exp() / ((turns * d).exp() - 1)
    if integrand.entire:
        return Error(line, arb(0))
    if chosen.slit:
        return Error(line, _slit(integrand, turns, d, balls))
    b = d * balls.inverse
    if not b < arb.pi():
        raise OutOfReach(f"{integrand.moment}: no strip of analyticity within reach")
    if integrand.log:
        # |E[g^s ln g]| <= q/(2 sigma^2), hence E|g^s ln g| <= q/(2 sigma^2) + 2 max(1/e, ln 2);
        # on the line |ln g| gains at most ln sec(b/2) + pi, against the mass E[g^s] = 1.
        size = balls.q * balls.half * balls.inverse + 2 * arb(2).log()
        return Error(arb(0), line * (size - (b / 2).cos().log() + arb.pi()))
    if integrand.positive:
        return Error(line, arb(0))
    return Error(line * _negative(integrand, chosen, b, balls), arb(0))


def _slit(integrand: Integrand, turns: arb, d: arb, balls: Parameters) -> arb:
    """4 F(t1) times the integral along one side of the slit, over sqrt(2 pi)."""
    if not (integrand.positive and not integrand.log and integrand.moment.q < 1):
        raise OutOfReach(f"{integrand.moment}: no slit contour")  # |g|^s must stay bounded
    low = arb.pi() * balls.sigma
    length = d - low
    if not length > 0:
        raise OutOfReach(f"{integrand.moment}: the slit ends below the branch point")
    t1 = balls.half + balls.sigma * (balls.c0 / balls.q).log()
    size = (balls.s * (2 * balls.c0).log() - t1 * t1 / 2).exp()
    ends = [(y * y / 2 - turns * y).exp() for y in (low, d)]
    along = length * ends[0].max(ends[1]) / (1 - (-turns * low).exp())
    return 4 * size * along / (2 * arb.pi()).sqrt()


def _negative(integrand: Integrand, chosen: Plan, b: arb, balls: Parameters) -> arb:
    """C without e^{d^2/2} for s < 0."""
    rotation = arb(chosen.f)
    if not (rotation >= 0 and rotation <= b / 2 and b - rotation < arb.pi() / 2):
        rotation = b / 2
    lam = (balls.sigma * (rotation.cos() / (b - rotation).cos()).log()).abs_upper()
    mode = arb(integrand.profile.left - 0.5)  # not above the mode if l' > 0 there
    if not balls.slope(mode) > 0:
        mode = balls.pull  # l'(s/sigma) >= 0 always
    return (balls.s * rotation.cos().log() + lam * (1 - mode)).exp()
