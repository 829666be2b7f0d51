"""How fast |E S'^{a+iy}| falls with the height y.

**No idle part.** Write t = (g/sqrt T)(1, ..., 1) + t', g standard normal and independent of t'.
Then S(t) = e^{g/(s sqrt T)} S(t'), so E S^{a+iy} = e^{(a+iy)^2/(2 s^2 T)} E S(t')^{a+iy}, and with
|E S(t')^{a+iy}| <= E S(t')^a

    |E S^{a+iy}| <= e^{-y^2/(2 s^2 T)} E S^a            for every real a and y.

**With an idle part**, S' = r + (1-r)S. Move all t_i to Im t = eta, b = eta/s in [0, pi): S' becomes
g_b = r + (1-r) e^{ib} S, which avoids (-inf, 0], so E S'^{a+iy} is the integral of g_b^{a+iy}
against the moved densities, whose moduli gain e^{T eta^2/2} in all:

    |E S'^{a+iy}| <= e^{T eta^2/2} E |g_b|^a e^{-y A},   A = arg g_b in [0, b], increasing in S.

|g_b| lies between S' cos(b/2) and S' (|g_b|^2 = S'^2 - 2 r (1-r) S (1 - cos b), 2 r (1-r) S <= S'^2/2): |g_b|^a <= C S'^a with C = 1 for a >= 0 and cos(b/2)^a
for a < 0. Where S >= l, A >= A_l = arg(r + (1-r) l e^{ib}); where S < l, with l' = r + (1-r) l and
any theta >= 0, S'^a <= l'^theta S'^{a-theta}. For y' >= y

    |E S'^{a+iy'}| <= e^{T eta^2/2} C (e^{-y A_l} E S'^a + l'^theta E S'^{a-theta}).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from flint import acb, arb

from verify.accounting.contour.line import need
from verify.accounting.contour.sketch import dyadic
from verify.accounting.pairs.allocation.mellin import moment_above
from verify.accounting.pairs.allocation.outline import Outline
from verify.numbers.balls import ball
from verify.numbers.budget import Deadline

_THETAS = (2.0, 5.0, 12.0, 25.0, 50.0, 100.0, 200.0, 400.0, 1000.0, 3000.0)
_LEVELS = (
    0.001,
    0.003,
    0.01,
    0.03,
    0.06,
    0.1,
    0.2,
    0.35,
    0.5,
    0.65,
    0.8,
    0.87,
    0.92,
    0.96,
    0.98,
    0.99,
)


@dataclass(frozen=True, slots=True)
class Fall:
    """eta, l and theta of the bound with an idle part."""

    eta: float = 0.0
    level: float = 1.0
    theta: float = 0.0


def fall_below(outline: Outline, a: float, y: arb, fall: Fall, top: arb, deadline: Deadline) -> arb:
    """At least ln |E S'^{a+iy'}| for all y' >= y; ``top`` is at least E S'^a."""
    part = outline.part
    s = ball(part.sigma)
    if part.idle == 0:
        return (top.log() - y * y / (2 * s * s * part.batches)).upper()
    if fall.eta == 0:
        return top.log().upper()
    eta, level, theta = arb(fall.eta), arb(fall.level), arb(fall.theta)
    r, b = ball(part.idle), eta / s
    need(b > 0 and b < arb.pi() and y >= 0, "the line leaves the strip")
    need(level > 0 and theta > 0, "level and theta must be positive")
    spread = (b / 2).cos() ** arb(a) if a < 0 else arb(1)
    below = moment_above(outline, 0, a - fall.theta, part.epochs, deadline)
    turned = acb(0, b).exp() * (1 - r) * level + r
    near = (-y * turned.log().imag).exp() * top
    far = (r + (1 - r) * level) ** theta * below
    return (part.batches * eta * eta / 2 + (spread * (near + far)).log()).upper()


def best_fall(outline: Outline, a: float, y: float) -> tuple[float, Fall]:
    """The least bound of ln |E S'^{a+iy}/E S'^a|, and what gives it, in doubles."""
    t, s, r = outline.t, outline.s, outline.idle
    if not r:
        return -y * y / (2 * s * s * t), Fall()
    best: tuple[float, Fall] = 0.0, Fall()
    size = outline.log_moment(a)
    for theta in _THETAS:
        if a - theta >= 0:
            continue
        far = outline.log_moment(a - theta) - size
        for level in _LEVELS:
            share = (1 - r) * level / (r + (1 - r) * level)
            lower = far + theta * math.log(r + (1 - r) * level)
            if lower > best[0] or -y * 2.5 * share > best[0]:
                continue
            # about the eta at which T eta^2/2 - y A is least
            most = min(y * share / (s * t), 2.5 * s)
            for eta in (most, 0.7 * most, 0.4 * most, 0.2 * most, 0.1 * most, 0.04 * most):
                b = eta / s
                turn = math.atan2((1 - r) * level * math.sin(b), r + (1 - r) * level * math.cos(b))
                front = t * eta * eta / 2 + (a * math.log(math.cos(b / 2)) if a < 0 else 0.0)
                value = front + max(-y * turn, lower) + 0.7
                if eta > 0 and value < best[0]:
                    best = value, Fall(dyadic(eta, 20), level, theta)
    return best
