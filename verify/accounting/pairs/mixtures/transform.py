"""psi of one step at complex orders, and bounds on it, in balls. The words and facts are those of ``step``.

psi(z) = int phi g+^z g-^{1-z},  z = a+iy. Reflection t -> -t swaps g+ and g- and maps z to 1-z, so
                                 that a >= 0 (even a >= 1/2) is no restriction.

**Transform.** Trapezoidal rule of step v on the line Im t = eta, whose neighbours are the lines 0
and 2 eta (2 eta < pi s). Its error is the sum of the Fourier coefficients of the integrand at the
non-zero multiples of 2 pi/v. Those of one sign are computed on the line 2 eta, those of the other
on the real line: both are at the distance eta, so that the m-th has the factor e^{-2 pi m eta/v}.
By (ii) the factor e^{-yA} is at most 1 on both for every y >= 0. The error is, for all y >= 0 at
once, at most

    E psi(a),    E = (1 + e^{2 eta^2} C(2 eta/s)) / (e^{2 pi eta/v} - 1),

and psi(a) itself is at most (|sum at y = 0| + cut off)/(1 - E). **C is not 1 for a > 1 where km > 0.**

**Height.** Moving the line of integration to Im t = eta shows |psi(a+iy')| <= B(eta, y) for all y' >= y >= 0,

    B(eta, y) = e^{eta^2/2} int phi |g+(x+i eta)|^a |g-(x+i eta)|^{1-a} e^{-yA(x)} dx,           decreasing in y because A >= 0.

Its integrand is phi(x) exp of half the sum of z ln g+ + (1-z) ln g- at x + i eta and of its
conjugate, z* ln g+ + (1-z*) ln g- at x - i eta: analytic in x. At height d its modulus is phi
e^{d^2/2} (|g+(b1)| |g+(b2)|)^{a/2} (|g-(b1)| |g-(b2)|)^{(1-a)/2} e^{-(y/2)(A(b1) - A(b2))},
b1 = (d+eta)/s, b2 = (d-eta)/s. |b2| <= b1, and (i), (iv) and (v) are monotone in |b|: the middle
factors are at most C(b1) times those of the real line, in the mean. The last exponent is <= 0 if
y = 0, if d <= eta (then A(b2) <= 0 <= A(b1)), or if b1 <= pi/2 (A increases with b there, and
A(b2) <= A(|b2|)); b1 < pi in all cases. At height -d it is the same. So the trapezoidal error is at
most

    2 e^{eta^2/2} e^{d^2/2} C(b1) psi(a) / (e^{2 pi d/v} - 1).                     B(0, 0) is psi(a).

A is not monotone in x where both densities are mixtures; nothing here uses that.

**q = 1.** Both are normal, D = kp + km apart: psi(z) = exp(z(z-1) D^2/(2 s^2)).
"""

from __future__ import annotations

from fractions import Fraction

from flint import acb, arb

from verify.accounting.contour.line import Line, need, power_sums
from verify.accounting.history import Phase
from verify.accounting.pairs.mixtures.step import MixtureStep
from verify.numbers.balls import ball
from verify.numbers.budget import Deadline

Degrees = tuple[int, int]
"""(kp, km)."""


def transform(
    phase: Phase, degrees: Degrees, a: arb, h: arb, count: int, line: Line, deadline: Deadline
) -> tuple[list[acb], arb]:
    """psi(a + ikh) for k = 0..count, and an upper bound of psi(a)."""
    if phase.q == 1:
        half = _half(phase, degrees)
        orders = [acb(a, h * k) for k in range(count + 1)]
        values = [(z * (z - 1) * half).exp() for z in orders]
        return values, values[0].real.upper()
    step = MixtureStep(phase, degrees)
    eta, v = arb(line.eta), arb(line.step)
    need(eta > 0 and v > 0 and h > 0, "eta, step and h must be positive")
    need(2 * eta * step.inverse < arb.pi(), "the line's neighbour leaves the strip")
    weights, turns = [], []
    for j, up, down in zip(range(line.low, line.high + 1), *step.logs(line), strict=True):
        x = v * j
        weights.append((acb((eta * eta - x * x) / 2, -x * eta) + a * up + (1 - a) * down).exp())
        turns.append((acb(0, h) * (up - down)).exp())
    deadline.check()
    scale = v / (2 * arb.pi()).sqrt()
    rest = ((eta * eta / 2).exp() * step.cut_off(a, line) * scale).upper()
    error = inner_error(step, a, line)
    sums = power_sums(weights, turns, count, deadline)
    top = (((abs(sums[0]) * scale).upper() + rest) / (1 - error)).upper()
    radius = (top * error + rest).upper()
    box = acb(arb(0, radius), arb(0, radius))
    values = [s * scale + box for s in sums]
    values[0] = acb(values[0].real)
    return values, top


def inner_error(step: MixtureStep, a: arb, line: Line) -> arb:
    """E."""
    eta = arb(line.eta)
    neighbours = 1 + (2 * eta * eta).exp() * step.spread(2 * eta * step.inverse, a)
    error = neighbours / ((2 * arb.pi() * eta / arb(line.step)).exp() - 1)
    need(error >= 0 and error < 1, "the step is too coarse")
    return error


def height(
    phase: Phase, degrees: Degrees, a: arb, y: arb, line: Line, top: arb | None = None
) -> arb:
    """An upper bound of B(line.eta, y), hence of |psi(a + iy')| for y' >= y.

    ``top`` is an upper bound of psi(a); without it, eta and y must be 0 and the bound is one of psi(a).
    """
    if phase.q == 1:
        return ((a * (a - 1) - y * y) * _half(phase, degrees)).exp().upper()
    if top is None:
        need(line.eta == 0 and y == 0, "a bound of psi(a) is needed")
        return real_moment(phase, degrees, a, line).upper()
    step = MixtureStep(phase, degrees)
    need(y >= 0, "y must not be negative")
    total, error = _height_sum(step, a, y, line)
    return ((total + error * top) * (arb(line.eta) ** 2 / 2).exp()).upper()


def _height_sum(step: MixtureStep, a: arb, y: arb, line: Line) -> tuple[arb, arb]:
    """The trapezoidal sum of e^{-eta^2/2} B with what was cut off above, and its relative error in units of psi(a)."""
    eta, v, d = arb(line.eta), arb(line.step), arb(line.shift)
    b1 = (eta + d) * step.inverse
    need(eta >= 0 and d > 0 and v > 0, "eta, d and step must not be negative")
    need(b1 < arb.pi(), "the height leaves the strip")
    need(y == 0 or d <= eta or b1 <= arb.pi() / 2, "arguments not ordered")
    total = arb(0)
    for j, up, down in zip(range(line.low, line.high + 1), *step.logs(line), strict=True):
        x = v * j
        size = a * up.real + (1 - a) * down.real - x * x / 2
        total += (size - y * (up.imag - down.imag)).exp()
    rest = step.cut_off(a, line).upper()
    total = (total + arb(rest / 2, rest / 2)) * v / (2 * arb.pi()).sqrt()
    return total, 2 * (d * d / 2).exp() * step.spread(b1, a) / ((2 * arb.pi() * d / v).exp() - 1)


def real_moment(phase: Phase, degrees: Degrees, a: arb, line: Line) -> arb:
    """psi(a) at a real order a >= 0: S/(1 + [-E, E]), neighbours at +-d."""
    need(line.eta == 0, "a real moment is one of the real line")
    if phase.q == 1:
        return (a * (a - 1) * _half(phase, degrees)).exp()
    total, error = _height_sum(MixtureStep(phase, degrees), a, arb(0), line)
    need(error >= 0 and error < 1, "the step is too coarse")
    return total / (1 + arb(0, error.upper()))


def log_moment_above(phase: Phase, degrees: Degrees, a: arb, line: Line) -> arb:
    """An upper bound of ln psi(a); for a < 1/2 the line is one of the swapped pair."""
    if not a >= arb(1) / 2:
        degrees, a = (degrees[1], degrees[0]), 1 - a
    return height(phase, degrees, a, arb(0), line).log().upper()


def _half(phase: Phase, degrees: Degrees) -> arb:
    """D^2/(2 s^2)."""
    return ball(Fraction(sum(degrees) ** 2) / (2 * phase.sigma**2))
