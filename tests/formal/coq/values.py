"""Arithmetic for the evaluator: exact where it can be, balls elsewhere, one rule for each function.

Numbers are Fractions as long as possible, so that hypotheses such as q <= 1/5 are decided exactly at
q = 1/5. In integrands the same operations meet complex balls, in tails envelopes, in derivatives
power series.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any

from flint import acb, arb, arb_series

from tests.formal.coq.envelope import NotEvaluable, ball
from verify.moments.agreement import certified
from verify.moments.engines import Moment
from verify.numbers.budget import Deadline

AGREEMENT = arb("1e-12")
"""How narrow a ball around zero must be, relative to both sides, to count as equality."""


class Undefined(Exception):
    """Division by zero, logarithm of a non-positive number: Coq gives these junk values."""


def lifted(x: Any) -> Any:
    """A Fraction as a ball; everything else as it is."""
    return ball(x) if isinstance(x, Fraction) else x


def arithmetic(symbol: str, a: Any, b: Any) -> Any:
    """+ - * / on any two values."""
    numbers = (arb, acb, arb_series)
    if isinstance(a, numbers) or isinstance(b, numbers):
        other = b if isinstance(a, numbers) else a
        if isinstance(other, (Fraction, *numbers)):
            a, b = lifted(a), lifted(b)
    if symbol == "+":
        return a + b
    if symbol == "-":
        return a - b
    if symbol == "*":
        return a * b
    return divided(a, b)


def divided(a: Any, b: Any) -> Any:
    if isinstance(b, Fraction) and b == 0:
        raise Undefined("division by zero")
    if isinstance(b, arb) and b.contains(0):
        raise Undefined("division by what may be zero")
    return a / b


def power(a: Any, n: Any) -> Any:
    """x ^ n for a natural number n."""
    n = natural(n)
    if not isinstance(a, arb):
        return a**n
    result = arb(1)  # arb ** int goes through the logarithm, which loses balls around zero
    for _ in range(n):
        result = result * a
    return result


def natural(x: Any) -> int:
    if isinstance(x, Fraction) and x.denominator == 1 and x >= 0:
        return int(x)
    if isinstance(x, int) and x >= 0:
        return x
    raise NotEvaluable(f"{x} where a natural number belongs")


def exp(x: Any) -> Any:
    if isinstance(x, Fraction):
        return Fraction(1) if x == 0 else ball(x).exp()
    return x.exp()


def ln(x: Any, analytic: bool = False) -> Any:
    if isinstance(x, acb):
        return x.log(analytic=analytic)
    if isinstance(x, Fraction):
        if x == 1:
            return Fraction(0)
        x = ball(x)
    if isinstance(x, arb) and not x > 0:
        raise Undefined("logarithm of what may not be positive")
    return x.log()


def sqrt(x: Any) -> Any:
    if isinstance(x, Fraction):
        root = Fraction(math.isqrt(abs(x.numerator)), math.isqrt(x.denominator))
        if root * root == x:
            return root
    x = lifted(x)
    if not (isinstance(x, arb) and x >= 0):
        raise Undefined("square root of what may be negative")
    return x.sqrt()


def rpower(x: Any, a: Any, analytic: bool = False) -> Any:
    """Rpower x a = exp (a ln x); whole exponents of positive numbers without the logarithm."""
    if not isinstance(x, (Fraction, arb, acb, arb_series)):
        return x.power(a)  # an envelope, or an integrand in normal form
    if isinstance(a, Fraction) and a.denominator == 1 and abs(a) <= 64:
        if isinstance(x, (Fraction, arb)) and not x > 0:
            raise Undefined("real power of what may not be positive")
        return x ** int(a)
    return exp(arithmetic("*", a, ln(x, analytic)))


def sinh(x: Any) -> Any:
    return arithmetic("/", arithmetic("-", exp(x), exp(-x)), Fraction(2))


def absolute(x: Any) -> Any:
    if isinstance(x, (Fraction, arb)):
        return abs(x)
    raise NotEvaluable("absolute value inside an integrand")


def erfc(x: Any) -> Any:
    return lifted(x).erfc()


def compare(symbol: str, a: Any, b: Any, strict_only: bool) -> bool | None:
    """The truth of a comparison; None if the balls leave it open.

    Balls that overlap in a very narrow interval count as equal, unless ``strict_only``: a hypothesis
    has to be certain.
    """
    if symbol in (">", ">="):
        return compare({">": "<", ">=": "<="}[symbol], b, a, strict_only)
    if symbol == "<>":
        equal = compare("=", a, b, strict_only=False)
        return None if equal is None else not equal
    if not isinstance(a, (Fraction, int, arb)) or not isinstance(b, (Fraction, int, arb)):
        if symbol == "=" and type(a) is type(b) and isinstance(a, tuple):
            return bool(a == b)
        raise NotEvaluable("comparison of things that are not numbers")
    if not isinstance(a, arb) and not isinstance(b, arb):
        return {"=": a == b, "<": a < b, "<=": a <= b}[symbol]
    a, b = lifted(Fraction(a) if isinstance(a, int) else a), lifted(b)
    difference = a - b
    if not difference.is_finite():
        return None
    if difference > 0:
        return False
    if difference < 0:
        return symbol != "="
    narrow = difference.rad() <= AGREEMENT * abs(a).max(abs(b)).max(arb(1)).mid()
    return True if symbol in ("=", "<=") and narrow and not strict_only else None


@lru_cache(maxsize=4096)
def moment(q: Fraction, sigma: Fraction, order: Fraction, log: bool = False) -> Fraction | arb:
    """ln E[g^order] or E[g^order ln g] from the certified engine, as a ball."""
    value = certified(Moment(q, sigma, order, log), 30, Deadline(60))
    if not isinstance(value.lo, Fraction) or not isinstance(value.hi, Fraction):
        raise NotEvaluable("infinite moment")
    if value.lo == value.hi:
        return value.lo
    return ball(value.lo).union(ball(value.hi))


def _exact(*values: Any) -> bool:
    return all(isinstance(v, Fraction) for v in values)


def engine_a(q: Any, sigma: Any, alpha: Any) -> Any:
    """A q sigma alpha by the certified engine."""
    if not _exact(q, sigma, alpha) or not (0 <= q <= 1 and sigma > 0):
        raise Undefined("outside the engine's domain")
    return exp(moment(q, sigma, alpha))


def engine_b(q: Any, sigma: Any, alpha: Any) -> Any:
    """B q sigma alpha = E[g^(1 - alpha)]."""
    if not _exact(q, sigma, alpha):
        raise Undefined("outside the engine's domain")
    return engine_a(q, sigma, 1 - alpha)


FUNCTIONS: dict[str, tuple[int, Callable[..., Any]]] = {
    "exp": (1, exp),
    "sqrt": (1, sqrt),
    "sinh": (1, sinh),
    "Rabs": (1, absolute),
    "INR": (1, lambda n: Fraction(natural(n))),
    "Binomial.C": (2, lambda n, k: Fraction(math.comb(natural(n), natural(k)))),
    "Nat.eqb": (2, lambda a, b: natural(a) == natural(b)),
    "length": (1, lambda items: Fraction(len(items))),
}
