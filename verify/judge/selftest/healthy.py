#!/usr/bin/env python3
"""A careful float64 accountant in Python that speaks the harness protocol (standard library only).

epsilon = ln A / (alpha - 1), A = E[g^alpha], g = 1 + u, u = q (e^x - 1), x = t/sigma - 1/(2 sigma^2),
t standard normal. The trapezoidal rule converges geometrically here, so plain sums suffice; the care
goes into what is summed:

* ln A not small: g^alpha in logarithms, around each of the two peaks (near 0 and near alpha/sigma);
* ln A small: A - 1 = E[(1+u)^alpha - 1 - alpha u], whose terms are all positive, so that an epsilon of
  1e-24 keeps its digits; divided by alpha - 1 term by term, so that alpha = 1 is no exception.
"""

import json
import math
import sys
from collections.abc import Callable
from fractions import Fraction

DEPTH = 45.0  # e^-45 is far below the rounding error of the sum
LN2 = Fraction(0xB17217F7D1CF79ABC9E3B39803F2F6AF40F343, 2**152)


class AskedPoint:
    """One (q, sigma, alpha) with 0 < q < 1 and finite alpha, and the constants of its integrand."""

    def __init__(self, q: float, sigma: float, alpha: float) -> None:
        self.q, self.sigma, self.alpha = q, sigma, alpha
        self.delta = alpha - 1.0  # exact for every double >= 1
        self.shift = 0.5 / (sigma * sigma)
        self.odds = (1.0 - q) / q
        self.step = step(sigma)
        # (alpha-1)/(2 sigma^2) + ln q cancels where the peaks balance: formed exactly, up to ln m.
        mantissa, exponent = math.frexp(q)
        if mantissa < 0.7:
            mantissa, exponent = 2 * mantissa, exponent - 1
        exact = Fraction(self.delta) / (2 * Fraction(sigma) ** 2) + exponent * LN2
        self.balance = float(exact + Fraction(math.log(mantissa)))
        self.log_q = math.log(q)

    def x(self, t: float) -> float:
        return t / self.sigma - self.shift

    def log_g(self, x: float) -> float:
        if x > 30:
            return x + self.log_q + math.log1p(self.odds * math.exp(-x))
        u = self.q * math.expm1(x)
        return math.log1p(u) if u > -0.5 else math.log((1.0 - self.q) + self.q * math.exp(x))

    def log_f(self, t: float) -> float:
        """ln of e^{-t^2/2} g^alpha, from whichever end loses fewer digits."""
        x = self.x(t)
        if t * self.sigma > 0.5 * self.alpha and x > 0:
            y = t - self.alpha / self.sigma
            return (
                self.alpha * self.balance
                - 0.5 * y * y
                + self.alpha * math.log1p(self.odds * math.exp(-x))
            )
        return -0.5 * t * t + self.alpha * self.log_g(x)

    def log_fg(self, t: float) -> float:
        """ln of e^{-t^2/2} g."""
        x = self.x(t)
        if t * self.sigma > 0.5 and x > 0:
            y = t - 1.0 / self.sigma
            return self.log_q - 0.5 * y * y + math.log1p(self.odds * math.exp(-x))
        return -0.5 * t * t + self.log_g(x)

    # -- ln A, when it is not small ------------------------------------------------------

    def log_a(self) -> float:
        left, right = self.mode(0.0), self.mode(self.alpha / self.sigma)
        top = max(self.log_f(left), self.log_f(right))
        h, total, reached = self.step, 0.0, -math.inf
        for peak in (left, right):
            centre = round(peak / h)
            j = max(centre, reached + 1)
            while (level := self.log_f(j * h) - top) > -DEPTH:
                total += math.exp(level)
                j += 1
            below = centre - 1
            while below > reached and (level := self.log_f(below * h) - top) > -DEPTH:
                total += math.exp(level)
                below -= 1
            reached = max(reached, j - 1)
        return top + math.log(total * h / math.sqrt(2 * math.pi))

    def mode(self, start: float) -> float:
        """A peak of g^alpha e^{-t^2/2}: the fixed point t = (alpha/sigma) p(t), from either end."""
        t = start
        for _ in range(200):
            x = self.x(t)
            p = 1.0 / (1.0 + self.odds * math.exp(-x)) if x > -700 else 0.0
            following = self.alpha / self.sigma * p
            if abs(following - t) < 0.01:
                break
            t = following
        return t

    # -- (A - 1)/(alpha - 1), without cancellation -----------------------------------------

    def small(self) -> float:
        h = self.step
        first = math.floor(-10.0 / h)
        last = math.ceil((max(self.alpha, 2.0) / self.sigma + 10.0) / h)
        by_q2 = direct = 0.0
        for j in range(first, last + 1):
            t = j * h
            x = self.x(t)
            if x < 700:
                v = math.expm1(x)
                u = self.q * v
                if abs(u) * self.alpha < 0.5:
                    by_q2 += math.exp(-0.5 * t * t) * v * v * self.tail(u)
                    continue
            direct += self.direct(t, x)
        scale = h / math.sqrt(2 * math.pi)
        return self.q * (self.q * (by_q2 * scale)) + direct * scale

    def tail(self, u: float) -> float:
        """((1+u)^alpha - 1 - alpha u) / ((alpha-1) u^2) by its series."""
        term = total = self.alpha / 2
        k = 2
        while abs(term) > 1e-18 * abs(total):
            term *= (self.alpha - k) / (k + 1) * u
            total += term
            k += 1
        return total

    def direct(self, t: float, x: float) -> float:
        log_g = self.log_g(x)
        if self.delta * log_g > DEPTH:
            return math.exp(self.log_f(t)) / self.delta
        grown = math.expm1(self.delta * log_g) / self.delta if self.delta else log_g
        gauss = math.exp(-0.5 * t * t)
        if log_g > 0.7:
            return math.exp(self.log_fg(t)) * (grown - 1.0) + gauss
        u = self.q * math.expm1(x)
        return (
            gauss * ((1.0 + u) * grown - u) if u > -0.5 else gauss * (math.exp(log_g) * grown - u)
        )


def step(sigma: float) -> float:
    """Small enough for an error of e^-45 with a strip of half-width min(9, 3 sigma); few bits."""
    d = min(9.0, 3.0 * sigma)
    mantissa, exponent = math.frexp(2 * math.pi * d / (DEPTH + d * d / 2))
    return math.ldexp(math.floor(mantissa * 1024), exponent - 10)


def rdp(q: float, sigma: float, alpha: float) -> float:
    if not (0 <= q <= 1 and 0 < sigma < math.inf and alpha >= 1):
        raise ValueError("need 0 <= q <= 1, sigma > 0, alpha >= 1")
    if q == 0:
        return 0.0
    if alpha == math.inf:
        return math.inf
    if q == 1:
        return alpha / (2 * sigma * sigma)
    point = AskedPoint(q, sigma, alpha)
    log_a = point.log_a() if alpha > 1 else 0.0
    if log_a > 0.3:
        return log_a / point.delta
    small = point.small()
    return math.log1p(point.delta * small) / point.delta if point.delta else small


def serve(rdp: Callable[[float, float, float], float]) -> None:
    """Answer questions, one a line, until there are no more."""
    for line in sys.stdin:
        question = json.loads(line)
        answer = {"id": question["id"]}
        if question["quantity"] != "rdp":
            print(json.dumps({**answer, "error": "only rdp"}), flush=True)
            continue
        try:
            value = rdp(question["q"], question["sigma"], float(question["alpha"]))
            answer["value"] = value if math.isfinite(value) else str(value)
        except (ValueError, ArithmeticError) as error:
            answer["error"] = f"{type(error).__name__}: {error}"
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    serve(rdp)
