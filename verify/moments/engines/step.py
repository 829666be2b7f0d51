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
  e^{-lam t - lam^2/2} under the integral; F is then strongly log-concave (l'' <= -1). Integrating by
  parts, E_F[(t - t*) l'(t)] = -1, so E_F[(t - t*)^2] <= 1 and the mean is within 1 of the mode t*;
  and by the Brascamp-Lieb inequality every tilted law e^{-lam t} F has variance at most 1, so
  E_F[e^{-lam t}] <= e^{lam (1 - t*) + lam^2/2}. Hence
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

**A bridge**, for s < 0, where |g|^s is unbounded on the slit. Stay away from it: for t = x + iy and
u = (x - t1)/sigma, |1 + e^{u + iy/sigma}| >= |1 - e^u|, so |g(t)| >= g(x) tanh(|u|/2) at every height.
Go along the line at height D only where |u| >= rho, cross the column of branch points at a height
y0 < pi sigma, where |g(x+iy0)| >= g(x) cos(y0/(2 sigma)), and join the two by walls at u = -rho and
u = rho. With c = tanh(rho/2), x- and x+ the places of the walls and F_max >= F between them,

    |T - I| <= 2 e^{D^2/2} c^s/(e^{2 pi D/h} - 1) I
               + 2 (x+ - x-) e^{y0^2/2} cos(y0/(2 sigma))^s F_max/(e^{2 pi y0/h} - 1)/sqrt(2 pi)
               + 2 c^s (F(x-) + F(x+)) int_{y0}^{D} e^{y^2/2}/(e^{2 pi y/h} - 1) dy/sqrt(2 pi).

g^s decreases, so F_max may be g(x-)^s times the largest e^{-t^2/2} between the walls.

**Logarithmic integrands** F ln g, s = 0 or 1, in a strip: |ln g(x+id)| <= |ln g(x)| + ln sec(b/2) + pi
and simple bounds of E|g^s ln g| give an absolute error.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from flint import arb

from verify.moments.engines.integrand import Integrand, Parameters
from verify.numbers.errors import OutOfReach

_LN2 = math.log(2)
_INSIDE = 1 - 2.0**-40  # how much of the strip is used
_PARTS = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.96)


@dataclass(frozen=True, slots=True)
class Plan:
    """A step h, in doubles, and the contour that will prove its error.

    The line is at height d; f is the rotation (strips, s < 0). A bridge has rho and y0.
    """

    h: float
    d: float
    f: float = 0.0
    slit: bool = False
    rho: float = 0.0
    y0: float = 0.0


@dataclass(frozen=True, slots=True)
class Error:
    """|T - I| <= relative I + absolute."""

    relative: arb
    absolute: arb


def plan(integrand: Integrand, bits: int, *, bridges: bool = True) -> Plan:
    """The largest step that brings about 2^-bits, with few bits so that its multiples are exact."""
    goal = bits * _LN2 + 2
    best = max((p for p in _plans(integrand, goal) if bridges or not p.rho), key=lambda p: p.h)
    if not 0 < best.h < math.inf:
        raise OutOfReach(f"{integrand.moment}: no usable step")
    scale = 20 - math.frexp(best.h)[1]
    h = math.ldexp(math.floor(math.ldexp(best.h, scale)), -scale)
    return Plan(h, best.d, best.f, best.slit, best.rho, best.y0)


def _plans(integrand: Integrand, goal: float) -> Iterator[Plan]:
    shape = integrand.shape
    free = math.sqrt(2 * goal)  # the best height when nothing is in the way
    if integrand.entire:
        yield Plan(_step(free, goal + free * free / 2), free)
        return
    wide = min(free, math.pi * shape.sigma * _INSIDE)
    if integrand.positive and not integrand.log:
        yield Plan(_step(wide, goal + wide * wide / 2), wide)
        if free > math.pi * shape.sigma / _INSIDE:  # else the slit has no length for certain
            t1 = shape.where_share(0.5)
            top = max(shape.level(shape.left), shape.level(shape.right))
            gain = top - shape.level(t1) - math.log(4 * (free - wide) + 4)
            short = max(goal - gain + wide * wide / 2, 1e-9)
            h = min(_step(free, goal + free * free / 2), _step(wide, short))
            yield Plan(h, free, slit=True)
        return
    for part in _PARTS:
        d = wide * part
        b = d / shape.sigma
        yield Plan(_step(d, goal + _log_constant(integrand, d, b / 2)), d, b / 2)
        lowest = max(0.0, b - 1.5)
        if lowest < b / 2 and not integrand.log:
            yield Plan(_step(d, goal + _log_constant(integrand, d, lowest)), d, lowest)
    if wide < free and not integrand.log:
        yield from _bridges(integrand, goal, free)


def _bridges(integrand: Integrand, goal: float, free: float) -> Iterator[Plan]:
    """A few bridges; their walls cost c^s, at most a nat at the first."""
    shape = integrand.shape
    sigma, order = shape.sigma, -shape.s
    b = 2 * math.atan(2 * free * sigma / order)  # flat enough for cos^s, high enough for the step
    y0 = min(b, 0.98 * math.pi) * sigma
    top, t1 = shape.level(shape.left), shape.where_share(0.5)
    for rho in (math.log(2 * order + 1) + 1, math.log(2 * order + 1) + 3):
        walls = -order * math.log(math.tanh(rho / 2))
        left, right = t1 - rho * sigma, t1 + rho * sigma
        nearest = left if left > 0 else min(right, 0.0)
        highest = shape.level(left) + (left * left - nearest * nearest) / 2
        gain = top - highest - math.log(4 * (rho * sigma + free) + 4)
        d = math.sqrt(2 * (goal + walls))
        crossing = max(walls, -order * math.log(math.cos(b / 2)))
        h = min(
            _step(d, goal + walls + d * d / 2),
            _step(y0, max(goal - gain + crossing + y0 * y0 / 2, 1e-9)),
        )
        yield Plan(h, d, rho=rho, y0=y0)


def _step(height: float, nats: float) -> float:
    """The h with e^{-2 pi height/h} = e^{-nats}."""
    return 2 * math.pi * height / nats


def _log_constant(integrand: Integrand, d: float, f: float) -> float:
    """ln C in doubles, for logarithmic integrands and negative orders."""
    shape = integrand.shape
    sigma, b = shape.sigma, d / shape.sigma
    if integrand.log:
        return d * d / 2 + math.log(8 + 1 / sigma**2 - math.log(math.cos(f)))
    lam = sigma * (math.log(math.cos(f)) - math.log(math.cos(b - f)))
    cosine = shape.s * math.log(math.cos(f))
    return d * d / 2 + cosine + max(lam, 0.0) * (2 - shape.left)


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
    if chosen.rho > 0:
        return _bridge(integrand, chosen, turns, line, balls)
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
    t1 = balls.column()
    size = (balls.s * (2 * balls.c0).log() - t1 * t1 / 2).exp()
    return 4 * size * _upwards(turns, low, d) / (2 * arb.pi()).sqrt()


def _upwards(turns: arb, low: arb, high: arb) -> arb:
    """A bound of the integral of e^{y^2/2}/(e^{2 pi y/h} - 1) from low to high."""
    ends = [(y * y / 2 - turns * y).exp() for y in (low, high)]
    return (high - low) * ends[0].max(ends[1]) / (1 - (-turns * low).exp())


def _bridge(integrand: Integrand, chosen: Plan, turns: arb, line: arb, balls: Parameters) -> Error:
    """The three parts of the bridge; ``line`` is 2 e^{D^2/2}/(e^{2 pi D/h} - 1)."""
    rho, y0, d, s = arb(chosen.rho), arb(chosen.y0), arb(chosen.d), balls.s
    angle = y0 * balls.inverse / 2
    if not (s < 0 and y0 > 0 and y0 < d and angle < arb.pi() / 2 and not integrand.log):
        raise OutOfReach(f"{integrand.moment}: no bridge")
    t1 = balls.column()
    left, right = t1 - rho * balls.sigma, t1 + rho * balls.sigma
    logs = [s * balls.at(x)[0].log() for x in (left, right)]
    walls = sum(
        ((log - x * x / 2).exp() for log, x in zip(logs, (left, right), strict=True)), arb(0)
    )
    nearest = left if left > 0 else right if right < 0 else arb(0)
    highest = (logs[0] - nearest * nearest / 2).exp()
    across = (right - left) * (y0 * y0 / 2 + s * angle.cos().log()).exp() / ((turns * y0).exp() - 1)
    loss = (s * (rho / 2).tanh().log()).exp()
    absolute = 2 * (across * highest + loss * walls * _upwards(turns, y0, d))
    return Error(line * loss, absolute / (2 * arb.pi()).sqrt())


def _negative(integrand: Integrand, chosen: Plan, b: arb, balls: Parameters) -> arb:
    """C without e^{d^2/2} for s < 0."""
    rotation = arb(chosen.f)
    if not (rotation >= 0 and rotation <= b / 2 and b - rotation < arb.pi() / 2):
        rotation = b / 2
    lam = (balls.sigma * (rotation.cos() / (b - rotation).cos()).log()).abs_upper()
    mode = arb(integrand.shape.left - 0.5)  # not above the mode if l' > 0 there
    if not balls.slope(mode) > 0:
        mode = balls.pull  # l'(s/sigma) >= 0 always
    return (balls.s * rotation.cos().log() + lam * (1 - mode)).exp()
