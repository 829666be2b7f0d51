"""Improper integrals of given integrands, rigorously: a finite window by balls, the tails by a majorant.

The majorant is found by evaluating the integrand itself on :class:`Envelope` in place of a number: an
envelope knows, for all t >= 1, quadratics between which the logarithm of the (absolute) value lies.
Sums, products, quotients, powers and exponentials of quadratics keep that form, which is all that
Gaussian mixtures and, after x = e^s, rational functions need.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import acb, arb, fmpq

from verify.numbers.balls import precision

BITS = 80
"""Working precision of the quadrature; the values are used to twelve digits or more."""


class NotEvaluable(Exception):
    """A rigorous value is out of reach for this evaluator; says why."""


def ball(x: int | Fraction | arb) -> arb:
    """An exact rational, or a ball, as a ball."""
    return arb(fmpq(x.numerator, x.denominator)) if isinstance(x, Fraction) else arb(x)


@dataclass(frozen=True, slots=True)
class Quadratic:
    """c0 + c1 t + c2 t^2."""

    c0: arb
    c1: arb
    c2: arb

    def plus(self, other: Quadratic, factor: int = 1) -> Quadratic:
        return Quadratic(
            self.c0 + factor * other.c0, self.c1 + factor * other.c1, self.c2 + factor * other.c2
        )

    def times(self, k: arb) -> Quadratic:
        return Quadratic(k * self.c0, k * self.c1, k * self.c2)

    def size(self) -> arb:
        """A bound on |value| / t^2 for t >= 1."""
        return abs(self.c0) + abs(self.c1) + abs(self.c2)


def constant(c: arb) -> Quadratic:
    return Quadratic(c, arb(0), arb(0))


def _grows(size: arb) -> Quadratic:
    """ln of size * t^2 is at most ln(2 size) + t, since t^2 <= 2 e^t."""
    return Quadratic((2 * size.upper() + arb(2) ** -400).log(), arb(1), arb(0))


@dataclass(frozen=True, slots=True)
class Envelope:
    """A function of t >= 1: exactly a quadratic (poly), or ln|f| <= high, and f > 0 with ln f >= low."""

    poly: Quadratic | None
    low: Quadratic | None
    high: Quadratic

    @staticmethod
    def of(value: Any) -> Envelope:
        """A nonzero number, or an envelope as it is."""
        if isinstance(value, Envelope):
            return value
        return Envelope.polynomial(constant(ball(value)))

    @staticmethod
    def polynomial(p: Quadratic) -> Envelope:
        if p.c1.is_zero() and p.c2.is_zero() and not p.c0.contains(0):
            logarithm = constant(abs(p.c0).log())
            return Envelope(p, logarithm if p.c0 > 0 else None, logarithm)
        return Envelope(p, None, _grows(p.size()))

    def __add__(self, other: Any) -> Envelope:
        if not isinstance(other, Envelope) and other == 0:
            return self
        b = Envelope.of(other)
        if self.poly is not None and b.poly is not None:
            return Envelope.polynomial(self.poly.plus(b.poly))
        high = _coefficientwise_max(self.high, b.high)
        low = None
        if self.low is not None and b.low is not None:
            low = max(self.low, b.low, key=lambda p: (float(p.c2.mid()), float(p.c1.mid())))
        return Envelope(None, low, high.plus(constant(arb(2).log())))

    __radd__ = __add__

    def __neg__(self) -> Envelope:
        poly = None if self.poly is None else self.poly.times(arb(-1))
        return Envelope(poly, None, self.high)

    def __sub__(self, other: Any) -> Any:
        return self + -other

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __mul__(self, other: Any) -> Any:
        if not isinstance(other, Envelope) and other == 0:
            return Fraction(0)
        b = Envelope.of(other)
        poly = _product(self.poly, b.poly)
        if poly is not None:
            return Envelope.polynomial(poly)
        low = None if self.low is None or b.low is None else self.low.plus(b.low)
        return Envelope(None, low, self.high.plus(b.high))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        if not isinstance(other, Envelope):
            return self * (1 / ball(other))
        return self * other.power(Fraction(-1))

    def __rtruediv__(self, other: Any) -> Any:
        return other * self.power(Fraction(-1))

    def __pow__(self, n: int) -> Any:
        if n == 0:
            return Fraction(1)
        result: Any = self
        for _ in range(n - 1):
            result = result * self
        return result

    def exp(self) -> Envelope:
        if self.poly is None:
            raise NotEvaluable("exponential of something that is no quadratic")
        return Envelope(None, self.poly, self.poly)

    def log(self) -> Envelope:
        if self.low is None:
            raise NotEvaluable("logarithm of something not known to be positive")
        return Envelope(None, None, _grows(self.low.size() + self.high.size()))

    def power(self, exponent: Fraction | arb) -> Envelope:
        """A real power of a positive function."""
        if self.low is None:
            raise NotEvaluable("real power of something not known to be positive")
        k = ball(exponent)
        ends = (self.low.times(k), self.high.times(k))
        return Envelope(None, *(ends if k >= 0 else ends[::-1]))


def _coefficientwise_max(p: Quadratic, q: Quadratic) -> Quadratic:
    return Quadratic(p.c0.max(q.c0), p.c1.max(q.c1), p.c2.max(q.c2))


def _product(p: Quadratic | None, q: Quadratic | None) -> Quadratic | None:
    if p is None or q is None:
        return None
    linear = p.c2.is_zero() and q.c2.is_zero()
    if not linear and not (p.c1.is_zero() and p.c2.is_zero()):
        p, q = q, p
        if not (p.c1.is_zero() and p.c2.is_zero()):
            return None
    return Quadratic(
        p.c0 * q.c0, p.c0 * q.c1 + p.c1 * q.c0, p.c0 * q.c2 + p.c1 * q.c1 + p.c2 * q.c0
    )


def tail(high: Quadratic, start: arb) -> arb:
    """The integral of exp(high(t)) over t >= start >= 1, from above."""
    a = -high.c2
    if a > 0:
        peak = (high.c0 + high.c1 * high.c1 / (4 * a)).exp()
        return peak * (arb.pi() / a).sqrt() / 2 * (a.sqrt() * (start - high.c1 / (2 * a))).erfc()
    if a.is_zero() and high.c1 < 0:
        return (high.c0 + high.c1 * start).exp() / -high.c1
    raise NotEvaluable("no convergent majorant of the tail found")


Integrand = Callable[[Any, bool], Any]
"""Value at a number, a complex ball or an envelope; the flag is acb.integral's ``analytic``."""


def integral(f: Integrand, lower: arb | None, upper: arb | None) -> arb:
    """The integral of f from lower (None: -oo) to upper (None: oo), as a ball.

    >>> gauss = lambda x, _: (-(x * x)).exp()
    >>> (integral(gauss, None, None) ** 2).str(12, radius=False)
    '3.14159265359'
    """
    with precision(BITS):
        sides = [s for s, end in ((-1, lower), (1, upper)) if end is None]
        majorants = [_majorant(f, side) for side in sides]
        start = arb(16)
        for end in (lower, upper):
            if end is not None:
                start = start.max(2 * abs(end.mid()) + 2)
        for _ in range(12):
            left_out = sum((tail(m, start) for m in majorants if m is not None), arb(0))
            if left_out < arb(2) ** -40:
                inside = _window(
                    f, -start if lower is None else lower, start if upper is None else upper
                )
                if left_out <= arb(2) ** -44 * abs(inside) or left_out < arb(2) ** -200:
                    return inside + arb(0, left_out.upper())
            start = start * 3 / 2
        raise NotEvaluable("the tail of the integral stays too large")


def _majorant(f: Integrand, side: int) -> Quadratic | None:
    variable = Envelope.polynomial(Quadratic(arb(0), arb(side), arb(0)))
    value = f(variable, False)
    if isinstance(value, Envelope):
        return value.high
    if isinstance(value, Fraction) and value == 0:
        return None
    raise NotEvaluable("the integrand does not decay")


def _window(f: Integrand, a: arb, b: arb) -> arb:
    def complex_value(z: acb, analytic: bool) -> acb:
        value = f(z, analytic)
        return acb(ball(value)) if isinstance(value, (Fraction, arb)) else value

    # how large and how uncertain the integrand is decides how much work is worth doing; a guess will do
    samples = [complex_value(acb(a + (b - a) * (2 * i + 1) / 128), False) for i in range(64)]
    known = [s.real for s in samples if s.is_finite()]
    wanted = sum((abs(r.mid()) * arb(2) ** -52 + r.rad() for r in known), arb(0)).mid()
    tolerance = wanted * (b - a).mid() / 64
    value = acb.integral(
        complex_value, acb(a), acb(b), rel_tol=arb(2) ** -52, abs_tol=tolerance.mid(), eval_limit=200_000
    )  # fmt: skip
    if not value.is_finite():
        raise NotEvaluable("the quadrature did not converge")
    return value.real
