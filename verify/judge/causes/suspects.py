"""Known mistakes, in words: what it is, what would mend it, and the client that has only this mistake.

A suspect is a wrong client and the same client with the one change made. If a library gives the wrong
client's answers at its failing points, and the mended client is right there, the mistake is shown.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from verify.judge.causes.known_wrong import REGISTRY
from verify.judge.causes.mistakes import (
    Rdp,
    Series,
    absolute,
    fractional,
    inside,
    relative_and_falling,
)
from verify.judge.selftest.healthy import rdp


@dataclass(frozen=True, slots=True)
class Suspect:
    """A mistake with a name, in words, and as a pair of clients: with it and without."""

    name: str
    mistake: str
    change: str
    wrong: Rdp
    mended: Rdp = rdp


_SIGN = (
    "the generalised binomial coefficient is negative at every other k beyond the order; its sign is dropped",
    "add the terms with the sign of C(alpha, k)",
)
_STOP = (
    "the series stops when its terms are below a fixed threshold, although the sum is far smaller or the "
    "large terms have not come yet",
    "stop when the terms fall and are small relative to the sum",
)
_BRIEF = Series(stop=relative_and_falling, most=1000, beyond=math.inf)
_ABSOLUTE = Series(stop=absolute)
_DOUBLES = Series(stop=absolute, double_binomials=True)
_ROUNDED = Series(stop=absolute, rounded_binomials=True)


def _refuses(where: Callable[[float, float, float], bool], said: float | None = None) -> Rdp:
    """A client that has no answer somewhere: an error, or a number that says so."""

    def client(q: float, sigma: float, alpha: float) -> float:
        if not where(q, sigma, alpha):
            return rdp(q, sigma, alpha)
        if said is None:
            raise ValueError("refused")
        return said

    return client


def _double_binomials(q: float, sigma: float, alpha: float) -> float:
    """C(n, k) as a double overflows from order 1030 on, wherever the sum needs it."""
    if not inside(q, alpha) or alpha < 1029:
        return rdp(q, sigma, alpha)
    if fractional(alpha) and not math.isnan(_DOUBLES.log_a(q, sigma, alpha)):
        return rdp(q, sigma, alpha)
    return math.nan


def _vanishing_binomial(q: float, sigma: float, alpha: float) -> float:
    """The logarithm of a coefficient that has become 0 is refused, if the sum gets so far."""
    if inside(q, alpha) and fractional(alpha) and abs(alpha - round(alpha)) < 1e-6:
        _ROUNDED.log_a(q, sigma, alpha)
    return rdp(q, sigma, alpha)


def _two_for_one(q: float, sigma: float, alpha: float) -> float:
    return rdp(q, sigma, 2.0 if alpha == 1 else alpha)


def _at_one(q: float, sigma: float, alpha: float) -> bool:
    return alpha == 1 and 0 < q < 1


_SERIES = (
    Suspect("dropped-sign", *_SIGN, _BRIEF.but(signed=False).rdp, _BRIEF.rdp),
    Suspect("dropped-sign", *_SIGN, _ABSOLUTE.but(signed=False).rdp, _ABSOLUTE.rdp),
    Suspect("dropped-sign", *_SIGN, Series(signed=False).rdp, Series().rdp),
    Suspect("absolute-stop", *_STOP, _ABSOLUTE.rdp, Series().rdp),
    Suspect("absolute-stop", *_STOP, REGISTRY["clamped-negative"].rdp, Series().rdp),
    Suspect(
        "too-few-terms",
        "the half-line series decays like k^(-alpha-2) only; after 1000 terms it is given up",
        "accelerate the alternating sum, or integrate",
        _refuses(lambda *point: math.isinf(_BRIEF.rdp(*point)), math.inf),
    ),
    Suspect(
        "overflowing-binomial",
        "binomial coefficients are doubles before their logarithm is taken: they overflow from order 1030 on",
        "take log C(alpha, k) from lgamma, or add up logarithms",
        _double_binomials,
    ),
)

_REFUSALS = (
    Suspect(
        "order-two-for-one",
        "order 1 is answered with the value of order 2",
        "return the Kullback-Leibler divergence E[g ln g]",
        _two_for_one,
    ),
    Suspect(
        "vanishing-binomial",
        "next to an integer order the binomial coefficient beyond it rounds to zero, and its logarithm is taken",
        "skip a term whose coefficient is zero, or add up log|alpha - k|, which is exact there",
        _vanishing_binomial,
    ),
    Suspect(
        "fractional-orders-refused",
        "orders that are not integers are refused",
        "compute them: the half-line series, or quadrature",
        _refuses(lambda q, sigma, alpha: fractional(alpha)),
    ),
    Suspect(
        "order-one-refused",
        "order 1 divides by alpha - 1 = 0",
        "return the Kullback-Leibler divergence E[g ln g]",
        _refuses(_at_one),
    ),
    Suspect(
        "order-one-refused",
        "order 1 divides by alpha - 1 = 0",
        "return the Kullback-Leibler divergence E[g ln g]",
        _refuses(_at_one, math.nan),
    ),
    Suspect(
        "order-one-refused",
        "order 1 divides by alpha - 1 = 0",
        "return the Kullback-Leibler divergence E[g ln g]",
        _refuses(_at_one, math.inf),
    ),
)

_WORDS = {
    "interpolated": ("ln A at fractional orders is interpolated between the integers around them; ln A is "
                     "convex, so chords lie above it",
                     "compute fractional orders: the half-line series, or quadrature"),
    "asymptotic": ("the leading term alpha q^2 / (2 sigma^2) is returned for the exact value",
                   "sum the series; the leading term is no bound"),
    "truncated-order": ("fractional orders are rounded down", "compute them"),
    "rounded-up-order": ("fractional orders are rounded up", "compute them"),
    "order-off-by-one": ("the order is off by one", "use alpha, not alpha + 1"),
    "q-and-1-q": ("q and 1 - q are exchanged", "exchange them"),
    "sigma-squared": ("sigma^2 is taken for sigma", "pass the standard deviation"),
    "doubled-sensitivity": ("sigma is halved", "the sensitivity is 1 for adding or removing a record"),
    "base-2-logarithm": ("the logarithm is to base 2", "take the natural one"),
    "divided-by-alpha": ("ln A is divided by alpha", "divide by alpha - 1"),
    "log-a-for-epsilon": ("ln A is returned for epsilon", "divide by alpha - 1"),
    "b-side": ("the divergence is taken the other way round", "exchange the two distributions"),
    "no-amplification": ("sampling is not accounted for: this is the plain Gaussian mechanism", "use q"),
    "linear-amplification": ("the plain Gaussian's value is multiplied by q", "compute the moment of the mixture"),
    "float32": ("single precision", "compute in doubles"),
    "one-peak": ("the integral is taken around t = 0 only; there is a second peak near alpha/sigma",
                 "integrate around both"),
    "quadrature-over-the-line": ("a quadrature over the real line misses one of the two peaks",
                                 "split it at the peaks"),
    "loose-stop": ("the series stops at terms of 6e-6 of the sum", "go on to the last bit"),
    "twenty-terms": ("twenty terms of the series", "go on until the terms are small relative to the sum"),
    "inf-at-large-orders": ("large orders are given up", "work in logarithms"),
    "slightly-low": ("a factor a little below 1", "find it"),
    "slightly-high": ("a factor a little above 1", "find it"),
}  # fmt: skip

SUSPECTS = (
    *(
        Suspect(name, *_WORDS[name], REGISTRY[name].rdp)
        for name in ("interpolated", "asymptotic")
    ),
    *_SERIES,
    *_REFUSALS,
    *(
        Suspect(name, *words, REGISTRY[name].rdp)
        for name, words in _WORDS.items()
        if name not in ("interpolated", "asymptotic")
    ),
)  # fmt: skip
"""In the order in which they are believed, where several explain a point."""
