"""epsilon at a given delta: Newton finds it, two certified signs prove it.

delta(eps) does not increase: if delta(lo) > target > delta(hi), certified at the two exact points lo and hi, every
eps with delta(eps) = target, and the least eps with delta(eps) <= target, lies in (lo, hi).

When adding a record the loss ends at ``end``, and delta is 0 from there on: the end lies right of
the root without any evaluation. Close to it, where the loss of one more digit is one logarithm of
next to nothing, the end is the right point of the bracket, and Newton's step is taken in ln(end -
eps), in which ln delta is about a parabola.
"""

from __future__ import annotations

import math
from fractions import Fraction

from verify.accounting.routes import Route, log
from verify.numbers.budget import Deadline
from verify.numbers.errors import PrecisionExhausted

_ROUNDS = 200
_HUNT = 3.0  # digits of delta while far from the root
_MORE = 2.6  # digits of delta beyond those of epsilon, where the curve is neither steep nor flat
_CERTIFY = 6
_MORE_BITS = (0, 10, 30, 100)  # digits kept beyond those asked, where a bracket is narrow
_FARTHEST = 3.0  # nats by which one step changes the distance from the end of the loss


class AtZero(Exception):  # not an error: the answer is 0
    """delta(0) <= target: epsilon is 0."""


def solve(
    route: Route,
    target: Fraction,
    digits: int,
    guess: float,
    end: Fraction | None,
    deadline: Deadline,
) -> tuple[Fraction, Fraction]:
    """lo < epsilon < hi, of relative width at most 10^-digits; AtZero if epsilon is 0.

    ``end`` is the end of the loss, if it has one: known to be right of the root, and to more digits than are asked.
    """
    low: Fraction | None = None
    high = end
    x = _short(Fraction(guess), digits) if guess > 0 else Fraction(0)
    if end is not None and x >= end:
        x = min(Fraction(guess), end * (1 - Fraction(1, 10**14)))
    full = build = digits + _MORE
    wanted = 2.0
    for _ in range(_ROUNDS):
        deadline.check()
        value = route.at(x, wanted, build, deadline, target)
        middle = (value.lo + value.hi) / 2
        if value.lo > target:
            low = x if low is None else max(low, x)
        elif value.hi < target:
            if x == 0:
                raise AtZero
            high = x if high is None else min(high, x)
        if low is not None and high is not None and (high - low) * 10**digits <= high:
            return low, high
        rough = value.relative_width() > 0.5
        step = -x / 2 if rough else _newton(middle, target, value.slope)
        near = 0.0 if rough else _agreement(x, step)
        if near > digits + 2 and wanted == full:
            found = _certify(route, x + step, end, value, target, digits, deadline)
            if found is not None:
                return found
            raise PrecisionExhausted(f"epsilon near {float(x):.10g} could not be bracketed")
        if x == 0 and value.lo <= target:
            return _at_zero(route, target, digits, deadline)
        far = abs(middle - target) > 10 * min(middle, target)
        full = digits + _MORE + _condition(x, value.slope)
        wanted = min(full, 2 * near + 2)
        build = _HUNT if far else full
        x = _next(x, step if end is None else _bend_step(x, step, end), low, high, digits)
    raise PrecisionExhausted(f"no epsilon found near {float(x):.10g}")


def _bend_step(x: Fraction, step: Fraction, end: Fraction) -> Fraction:
    """The step of Newton's method in ln(end - x), where it differs."""
    distance = end - x
    if not 8 * abs(step) > distance > 0:
        return step
    ratio = min(max(float(step / distance), -_FARTHEST), _FARTHEST)
    return distance * Fraction(-math.expm1(-ratio))


def _agreement(x: Fraction, step: Fraction) -> float:
    """How many digits of x a step leaves alone."""
    if x == 0:
        return 0.0
    return 1e9 if step == 0 else max(0.0, -log(abs(step) / x) / math.log(10))


def _at_zero(
    route: Route, target: Fraction, digits: int, deadline: Deadline
) -> tuple[Fraction, Fraction]:
    """delta(0) is close to the target: decide with more digits, or say that it cannot be decided."""
    for more in (digits + 5.0, 2.0 * digits + 20):
        value = route.at(Fraction(0), more, more, deadline)
        if value.hi <= target:
            raise AtZero
        if value.lo > target:
            break
    raise PrecisionExhausted("delta is too close to the total variation: epsilon is almost 0")


def _newton(value: Fraction, target: Fraction, slope: float) -> Fraction:
    """The step to the root of ln delta = ln target."""
    if not slope < 0 or value <= 0:
        return Fraction(-1)
    ratio = value / target
    gap = ratio - 1
    if abs(gap) > Fraction(1, 10):
        size = log(ratio)
        return Fraction(size / -slope)
    # ln(1+g) = g - g^2/2 + g^3/3 is exact enough: what is left out is of order g^4
    return (gap - gap * gap / 2 + gap**3 / 3) / Fraction(-slope)


def _condition(x: Fraction, slope: float) -> float:
    """Digits of delta that a digit of epsilon costs beyond itself."""
    steepness = abs(slope) * float(x)
    return max(0.0, -math.log10(steepness)) if steepness > 0 else 0.0


def _next(
    x: Fraction, step: Fraction, low: Fraction | None, high: Fraction | None, digits: int
) -> Fraction:
    """The Newton point, kept inside the bracket."""
    new = x + step
    if high is not None and new >= high:
        new = ((low if low is not None else Fraction(0)) + high) / 2
    if low is not None and new <= low:
        new = (low + high) / 2 if high is not None else 2 * low + Fraction(1, 1000)
    if new <= 0:
        tiny = Fraction(1, 10**6) if low is not None else Fraction(1, 100)
        return Fraction(0) if x < tiny else x / 8
    if high is None and new > 4 * x and x > 0:
        new = 4 * x
    for more in _MORE_BITS:  # rounded, but not out of the bracket
        rounded = _short(new, digits + more)
        if (low is None or low < rounded) and (high is None or rounded < high):
            return rounded
    return new


def _short(x: Fraction, digits: int) -> Fraction:
    """x to some more bits than wanted, so that numbers do not grow."""
    bits = int(3.33 * digits) + 24 - (x.numerator.bit_length() - x.denominator.bit_length())
    scaled = x * (1 << bits) if bits >= 0 else x / (1 << -bits)
    whole = round(scaled)
    return Fraction(whole, 1 << bits) if bits >= 0 else Fraction(whole << -bits)


def _certify(
    route: Route,
    x: Fraction,
    end: Fraction | None,
    last: object,
    target: Fraction,
    digits: int,
    deadline: Deadline,
) -> tuple[Fraction, Fraction] | None:
    """Two exact points close by with delta(lo) > target > delta(hi), proved; at the end of the loss delta is 0."""
    half = _short(abs(x) * Fraction(45, 1000 * 10**digits), 2)
    lo, hi = _short(x - half, digits + 2), _short(x + half, digits + 2)
    if end is not None and hi >= end:
        hi = end
    slope = getattr(last, "slope", -1.0)
    want = digits + 2.0 + _condition(x, slope)
    for _ in range(_CERTIFY):
        below = None if hi == end else route.at(hi, want, want + 1, deadline)
        above = route.at(lo, want, want + 1, deadline)
        if above.lo > target and (below is None or target > below.hi):
            return lo, hi
        if above.hi < target or (below is not None and below.lo > target):
            return None
        want += 2
    return None
