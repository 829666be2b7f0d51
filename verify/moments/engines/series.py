"""The paper's series, in mpmath: finite sum, accelerated half-line series, Chebyshev moments.

Whole orders: the binomial sum with E[(mu1/mu0)^k] = e^{(k^2-k)/(2 sigma^2)}.

Other positive orders: the paper's two series on either side of z1 = 1/2 + sigma^2 ln(1/q - 1), built
from the half-line moments

    left(k)  = 1/2 e^{(k^2-k)/(2 sigma^2)} erfc((k - z1)/(sqrt2 sigma))    over (-oo, z1]
    right(k) = 1/2 e^{(k^2-k)/(2 sigma^2)} erfc((z1 - k)/(sqrt2 sigma))    over [z1, oo), real k.

Their terms decay like k^{-alpha-2} only. From k = ceil(alpha) on they alternate and are Hausdorff
moments of a positive measure on [0, 1], so n steps of the Cohen-Villegas-Zagier acceleration leave
an error of at most a_0/d_n, d_n = ((3+sqrt8)^n + (3-sqrt8)^n)/2.

Negative orders and the logarithmic moments: on either side g is a known factor times 1 + u with u in
[0, 1], and the moments of u are the expressions above. Replace f(u) = (1+u)^s (or (1+u)^s ln(1+u)) by
its Chebyshev interpolant of degree n; the error is at most 4 max|f| rho^-n/(rho-1), the maximum
taken on Bernstein's ellipse, for every rho < 3 + sqrt8.

The truncation errors are proved; rounding is covered by guard digits, not proved.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from verify.moments.engines import Moment
from verify.moments.engines.witness import Context, Estimate, enclose, mpf
from verify.numbers.budget import Deadline
from verify.numbers.certified import Enclosure
from verify.numbers.errors import OutOfReach

_MAX_TERMS = 3_000_000
_MAX_DEGREE = 900


def evaluate(moment: Moment, digits: int, deadline: Deadline) -> Enclosure:
    """ln E[g^s] or E[g^s ln g] by series.

    >>> from fractions import Fraction as Q
    >>> x = evaluate(Moment(Q(1, 100), Q(2), Q(17, 2)), 15, Deadline())
    >>> float(x.lo)
    0.0009239004703432...
    """
    if moment.q == 0 or (not moment.log and moment.order in (0, 1)):
        return Enclosure(Fraction(0), Fraction(0), proved=False)
    method = _method(moment)
    return enclose(
        "series",
        moment,
        digits,
        deadline,
        lambda mp, dps: method(mp, moment, dps, deadline),
    )


def _method(moment: Moment) -> Callable[[Context, Moment, int, Deadline], Estimate]:
    if moment.q == 1:
        return _without_sampling
    if moment.log or moment.order < 0:
        return _chebyshev
    if abs(moment.order) > _MAX_TERMS:
        raise OutOfReach(f"{moment}: more than {_MAX_TERMS} terms")
    return _binomial if moment.order.denominator == 1 else _accelerated


def _without_sampling(mp: Context, moment: Moment, dps: int, deadline: Deadline) -> Estimate:
    """q = 1: g = mu1/mu0, so E[g^s] = e^{(s^2-s)/(2 sigma^2)} and E[g^s ln g] is its derivative in s."""
    s, sigma = mpf(mp, moment.order), mpf(mp, moment.sigma)
    value = mp.exp((s * s - s) / (2 * sigma**2))
    return (value * (2 * s - 1) / (2 * sigma**2) if moment.log else value), mp.mpf(0)


def _binomial(mp: Context, moment: Moment, dps: int, deadline: Deadline) -> Estimate:
    """sum_k C(n,k) (1-q)^{n-k} q^k e^{(k^2-k)/(2 sigma^2)}: n+1 positive terms."""
    n = int(moment.order)
    with mp.extradps(2 * len(str(n)) + 3):  # n steps of two nested recurrences
        p, sigma = mpf(mp, 1 - moment.q), mpf(mp, moment.sigma)
        odds, growth = mpf(mp, moment.q) / p, mp.exp(1 / sigma**2)
        term, factor = p**n, mp.mpf(1)
        total = +term
        for k in range(n):
            term = term * (n - k) / (k + 1) * odds * factor
            factor *= growth
            total += term
            if k % 256 == 0:
                deadline.check()
        return total, mp.mpf(0)


class _HalfLines:
    """The moments of the paper's two half-lines, of any real exponent."""

    def __init__(self, mp: Context, moment: Moment) -> None:
        self.mp = mp
        self.q, self.p = mpf(mp, moment.q), mpf(mp, 1 - moment.q)
        self.sigma = mpf(mp, moment.sigma)
        self.odds = self.q / self.p
        self.z1 = mp.mpf(1) / 2 - self.sigma**2 * mp.log(self.odds)
        self.scale = mp.sqrt(2) * self.sigma

    def _gauss(self, k: Any) -> Any:
        return self.mp.exp((k * k - k) / (2 * self.sigma**2))

    def left(self, k: Any) -> Any:
        return self._gauss(k) * self.mp.erfc((k - self.z1) / self.scale) / 2

    def right(self, k: Any) -> Any:
        return self._gauss(k) * self.mp.erfc((self.z1 - k) / self.scale) / 2

    def right_log(self, k: Any) -> Any:
        """The derivative of right(k): the moment of (mu1/mu0)^k ln(mu1/mu0)."""
        mp, sigma = self.mp, self.sigma
        density = mp.exp(-((self.z1 - k) ** 2) / (2 * sigma**2)) / (sigma * mp.sqrt(2 * mp.pi))
        return (2 * k - 1) / (2 * sigma**2) * self.right(k) + self._gauss(k) * density


def _accelerated(mp: Context, moment: Moment, dps: int, deadline: Deadline) -> Estimate:
    """Both half-line series of a fractional order s > 0."""
    first = math.ceil(moment.order)
    steps = math.ceil((dps + 3) / math.log10(3 + math.sqrt(8)))
    with mp.extradps(len(str(first)) + 5):
        half, s = _HalfLines(mp, moment), mpf(mp, moment.order)
        left_power, right_power = half.p**s, half.q**s
        binomial = mp.mpf(1)

        def term(k: int) -> Any:
            """|C(s,k)| times both half-line moments; called for k = 0, 1, 2, ... in turn."""
            nonlocal binomial, left_power, right_power
            deadline.check()
            value = abs(binomial) * (
                left_power * half.left(mp.mpf(k)) + right_power * half.right(s - k)
            )
            binomial *= (s - k) / (k + 1)
            left_power *= half.odds
            right_power /= half.odds
            return value

        head = mp.fsum(term(k) for k in range(first))
        # Cohen, Villegas, Zagier, Experimental Mathematics 9 (2000), algorithm 1.
        d = (3 + mp.sqrt(8)) ** steps
        d = (d + 1 / d) / 2
        b, c, tail, leading = mp.mpf(-1), -d, mp.mpf(0), mp.mpf(0)
        for k in range(steps):
            a = term(first + k)
            leading = a if k == 0 else leading
            c = b - c
            tail += c * a
            b = b * 2 * (k + steps) * (k - steps) / ((2 * k + 1) * (k + 1))
        return head + tail / d, leading / d


def _chebyshev(mp: Context, moment: Moment, dps: int, deadline: Deadline) -> Estimate:
    """Moments of the Chebyshev interpolant of (1+u)^s, or of (1+u)^s ln(1+u), on both sides."""
    degree = _degree(moment, dps)
    if degree > _MAX_DEGREE:
        raise OutOfReach(f"{moment}: interpolation of degree {degree}")
    with mp.extradps(math.ceil(0.77 * degree) + 15):  # monomials cancel like (3+sqrt8)^-degree
        half, s = _HalfLines(mp, moment), mpf(mp, moment.order)

        def weight(u: Any) -> Any:
            return (1 + u) ** s * (mp.log(1 + u) if moment.log else 1)

        polynomial = _interpolant(mp, weight, degree, deadline)
        left, right = [], []
        for k in range(degree + 1):
            deadline.check()
            left.append(half.odds**k * half.left(mp.mpf(k)))
            right.append(half.odds ** (-k) * half.right(s - k))
        left_scale, right_scale = half.p**s, half.q**s
        value = left_scale * mp.fdot(polynomial, left) + right_scale * mp.fdot(polynomial, right)
        error = mp.mpf(10) ** -dps * (left_scale * left[0] + right_scale * right[0])
        if (
            moment.log
        ):  # ln g = ln(1-q) + ln(1+u) on the left, ln q + ln(mu1/mu0) + ln(1+u) on the right
            whole = range(int(moment.order) + 1)  # (1+u)^s is 1 or 1 + u
            value += left_scale * mp.log(half.p) * sum(left[k] for k in whole)
            value += right_scale * mp.log(half.q) * sum(right[k] for k in whole)
            value += right_scale * sum(half.odds ** (-k) * half.right_log(s - k) for k in whole)
        return value, error


def _degree(moment: Moment, dps: int) -> int:
    """The least degree, over the ellipses tried, that proves an interpolation error of 10^-dps."""
    s = float(moment.order)
    best = math.inf
    for i in range(1, 48):
        rho = 1 + 4.8 * i / 48
        centre = (rho + 1 / rho) / 2
        near, far = (3 - centre) / 2, (3 + centre) / 2  # least and greatest |1+u| on the ellipse
        log_max = s * math.log(near if s < 0 else far)
        if moment.log:
            log_max += math.log(max(-math.log(near), math.log(far)) + math.pi / 2)
        needed = (dps * math.log(10) + log_max + math.log(4 / (rho - 1))) / math.log(rho)
        best = min(best, needed)
    return math.ceil(best) + 1


def _interpolant(
    mp: Context, f: Callable[[Any], Any], degree: int, deadline: Deadline
) -> list[Any]:
    """Coefficients in u of the polynomial through f at the Chebyshev points of [0, 1]."""
    count = degree + 1
    cosines = [mp.cos(mp.pi * (2 * j + 1) / (2 * count)) for j in range(count)]
    values = [f((1 + x) / 2) for x in cosines]
    # T_k at the nodes by recurrence; the shifted polynomials T_k(2u - 1) have integer coefficients.
    before, now = [mp.mpf(1)] * count, cosines
    shifted_before, shifted = [1], [-1, 2]
    result = [mp.fsum(values) / count] + [mp.mpf(0)] * degree
    for _k in range(1, count):
        deadline.check()
        coefficient = 2 * mp.fdot(values, now) / count
        for power, c in enumerate(shifted):
            result[power] += c * coefficient
        before, now = now, [2 * x * t - b for x, t, b in zip(cosines, now, before, strict=True)]
        shifted_before, shifted = shifted, _next_shifted(shifted, shifted_before)
    return result


def _next_shifted(now: list[int], before: list[int]) -> list[int]:
    """T_{k+1}(2u-1) = (4u - 2) T_k - T_{k-1}."""
    following = [0] * (len(now) + 1)
    for power, c in enumerate(now):
        following[power + 1] += 4 * c
        following[power] -= 2 * c
    for power, c in enumerate(before):
        following[power] -= c
    return following
