"""Where to look: the kinds of points an audit draws, each with the reason it might go wrong.

Nothing here knows how the engines work inside. A kind is a function from a random generator to a
:class:`AuditCase`; the generator decides everything, so a seed and a count always give the same cases.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from verify.moments.engines import Moment

_LN10 = math.log(10)


@dataclass(frozen=True, slots=True)
class AuditCase:
    """One certified interval to be put to the test, or a curve of them.

    ``beside`` are further orders that are computed in one go with the moment's own.
    """

    moment: Moment
    digits: int
    beside: tuple[Fraction, ...] = ()

    @property
    def family(self) -> str:
        """Which of the published numbers this is; whole orders have a route of their own."""
        order = self.moment.order
        if self.moment.log:
            return "order one, A" if order == 1 else "order one, B"
        if order < 0:
            return "B"
        return "A, whole order" if order.denominator == 1 else "A, other order"


Draw = Callable[[Random], AuditCase]


@dataclass(frozen=True, slots=True)
class CaseSource:
    """A way to draw cases, and how many of them an audit judges in one go."""

    name: str
    why: str
    draw: Draw
    batch: int


KINDS: dict[str, CaseSource] = {}


def kind(name: str, batch: int) -> Callable[[Draw], Draw]:
    """Enter a function into KINDS; its docstring says why these points are worth a look."""

    def enter(draw: Draw) -> Draw:
        KINDS[name] = CaseSource(name, " ".join((draw.__doc__ or "").split()), draw, batch)
        return draw

    return enter


def log_uniform(random: Random, low: float, high: float, figures: int = 3) -> Fraction:
    """A short decimal between 10^low and 10^high, uniform in its logarithm."""
    return short_power(random.uniform(low, high), figures)


def short_power(exponent: float, figures: int) -> Fraction:
    """10^exponent to so many figures.

    >>> short_power(-2.5, 3)
    Fraction(79, 25000)
    """
    whole = math.floor(exponent)
    mantissa = round(10 ** (exponent - whole + figures - 1))
    return Fraction(mantissa) * Fraction(10) ** (whole - figures + 1)


def digits(random: Random) -> int:
    """1 to 100, mostly few."""
    low, high = random.choices([(1, 12), (13, 30), (31, 100)], weights=[60, 32, 8])[0]
    return random.randint(low, high)


def rate(random: Random) -> Fraction:
    """q in (0, 1)."""
    return min(log_uniform(random, -6, -0.01, random.randint(1, 3)), Fraction(99, 100))


def noise(random: Random) -> Fraction:
    return log_uniform(random, -0.5, 1.5, random.randint(1, 3))


def order(random: Random) -> Fraction:
    """Any order of A or B: whole, fractional or between 0 and 1."""
    alpha = random.choice(
        [
            Fraction(random.randint(2, 64)),
            1 + log_uniform(random, -2, 2),
            Fraction(random.randint(1, 99), 100),
        ]
    )
    return alpha if random.random() < 0.5 else 1 - alpha


@kind("blocks that touch", batch=100)
def blocks_that_touch(random: Random) -> AuditCase:
    """Whole orders at which the stretches around two modes just meet at the depth the digits need:
    nodes between them are easily counted twice or not at all, and at whole orders the discretisation
    error is attained almost exactly, so that nothing hides it."""
    while True:
        rate, noise = random.uniform(-8, -0.5), random.uniform(-0.1, 0.7)  # exponents of 10
        q, sigma, n = 10**rate, 10**noise, round(4 * 50 ** random.random())
        depth = _valley(q, sigma, n)
        # How far down a sum must reach is ln 10 a digit, what ln A loses to cancellation, a margin.
        margin = random.uniform(0, 14)
        figures = round((depth + min(0.0, _log_excess(q, sigma, n)) - margin) / _LN10)
        if depth > 0 and 1 <= figures <= 40:
            short_q = short_power(rate, random.randint(1, 3))
            short_sigma = short_power(noise, random.randint(1, 3))
            return AuditCase(Moment(short_q, short_sigma, Fraction(n)), figures)


def _valley(q: float, sigma: float, n: int) -> float:
    """How deep the valley between two modes of e^{-t^2/2} g(t)^n lies below the higher one; else 0."""
    ln_w = math.log(q / (1 - q)) - 0.5 / sigma**2
    turn = -ln_w * sigma  # where g passes from one component to the other
    if not 0 < turn < n / sigma:
        return 0.0

    def height(t: float) -> float:
        x = t / sigma + ln_w
        return n * (x if x > 40 else math.log1p(math.exp(x))) - t * t / 2

    low = min(height(turn + 0.2 * k) for k in range(-5, 6))
    modes = height(0.0), height(n / sigma)
    return max(modes) - low if low < min(modes) else 0.0


def _log_excess(q: float, sigma: float, n: int) -> float:
    """ln(A_n - 1), from the outermost terms of the binomial sum."""
    second = math.log(n * (n - 1) / 2) + 2 * math.log(q) + math.log(math.expm1(sigma**-2))
    return max(second, n * math.log(q) + n * (n - 1) / (2 * sigma**2))


@kind("plain whole orders", batch=100)
def plain_whole(random: Random) -> AuditCase:
    """Whole orders up to 200 at ordinary points: cheap to judge exactly, and without slack."""
    n = round(2 * 100 ** random.random())
    return AuditCase(Moment(rate(random), noise(random), Fraction(n)), digits(random))


@kind("one shifted mode", batch=100)
def one_shifted_mode(random: Random) -> AuditCase:
    """Whole orders with q next to 1: the discretisation error of a shifted Gaussian has any phase, so
    the truth may sit at the upper end, where a tail that is bounded too low would show."""
    q = 1 - log_uniform(random, -12, -4, random.randint(1, 3))
    n = Fraction(random.randint(2, 40))
    return AuditCase(
        Moment(q, log_uniform(random, 0, 1.5, random.randint(1, 3)), n), digits(random)
    )


@kind("far modes", batch=50)
def far_modes(random: Random) -> AuditCase:
    """Two modes of comparable mass, far apart: q^s e^{s(s-1)/(2 sigma^2)} is about 1."""
    sigma = log_uniform(random, -0.5, 1, random.randint(1, 3))
    s = Fraction(round(float(sigma) ** 2 * random.uniform(5, 120)) + 2)
    if random.random() < 0.4:
        s += log_uniform(random, -3, -0.3)
    balance = -(float(s) - 1) / (2 * float(sigma) ** 2) + random.uniform(-40, 40) / float(s)
    q = log_uniform(random, min(balance, -0.7) / math.log(10), min(balance, -0.69) / math.log(10))
    return AuditCase(Moment(q, sigma, s), digits(random))


@kind("next to whole", batch=20)
def next_to_whole(random: Random) -> AuditCase:
    """Orders a hair away from whole numbers, where the strip of analyticity changes abruptly."""
    n = random.randint(2, 40) * random.choice([1, -1])
    hair = Fraction(10) ** -random.randint(1, 20) * random.choice([1, -1])
    return AuditCase(Moment(rate(random), noise(random), n + hair), digits(random))


@kind("next to one", batch=20)
def next_to_one(random: Random) -> AuditCase:
    """Orders next to 1 (and 0, the other way round): the answer tends to 0 with alpha - 1."""
    hair = Fraction(10) ** -random.randint(1, 30) * random.choice([1, -1])
    return AuditCase(
        Moment(rate(random), noise(random), random.randint(0, 1) + hair), digits(random)
    )


@kind("tiny q", batch=20)
def tiny_q(random: Random) -> AuditCase:
    """q down to 1e-60: moments 1 + 1e-120, all digits lost but those asked for."""
    q = log_uniform(random, *random.choice([(-12, -5), (-60, -12)]))
    return AuditCase(Moment(q, noise(random), order(random)), digits(random))


@kind("q next to one", batch=20)
def q_next_to_one(random: Random) -> AuditCase:
    """q = 1 - 1e-40: the other component is what is rare."""
    return AuditCase(
        Moment(1 - log_uniform(random, -40, -0.5), noise(random), order(random)), digits(random)
    )


@kind("small sigma", batch=5)
def small_sigma(random: Random) -> AuditCase:
    """Branch points close to the real line: many nodes, huge moments."""
    sigma = log_uniform(random, -1.7, -0.5, random.randint(1, 3))
    return AuditCase(Moment(rate(random), sigma, order(random)), random.randint(1, 20))


@kind("large sigma", batch=20)
def large_sigma(random: Random) -> AuditCase:
    """sigma up to 1e8: epsilon is tiny, and every bit of it is the difference from 1."""
    return AuditCase(
        Moment(rate(random), log_uniform(random, 1.5, 8), order(random)), digits(random)
    )


@kind("large orders", batch=10)
def large_orders(random: Random) -> AuditCase:
    """Orders up to a million, both directions: one mode far away, logarithms of 1e13."""
    alpha = log_uniform(random, 3, 6, random.randint(1, 6))
    alpha = Fraction(round(alpha)) if random.random() < 0.3 else alpha + Fraction(1, 3)
    s = alpha if random.random() < 0.5 else 1 - alpha
    return AuditCase(Moment(rate(random), noise(random), s), random.randint(1, 30))


@kind("vanishing q", batch=5)
def vanishing_q(random: Random) -> AuditCase:
    """q down to 1e-300, the end of the range that is promised."""
    q = log_uniform(random, -300, -60)
    return AuditCase(Moment(q, noise(random), order(random)), random.randint(1, 20))


@kind("large denominators", batch=20)
def large_denominators(random: Random) -> AuditCase:
    """Exact rationals of 20 to 200 digits: no parameter is a double."""

    def rational() -> Fraction:
        bottom = random.randint(1, 10 ** random.randint(20, 200))
        return Fraction(random.randint(1, bottom), bottom + 1)

    s = random.choice([Fraction(random.randint(2, 40)), 20 * rational(), -20 * rational()])
    return AuditCase(Moment(rational(), rational() * 4 + Fraction(1, 3), s), digits(random))


@kind("order one", batch=20)
def order_one(random: Random) -> AuditCase:
    """Kullback-Leibler divergences in both directions: a logarithm under the integral."""
    sigma = noise(random) if random.random() < 0.8 else log_uniform(random, -1, -0.5)
    s = Fraction(random.randint(0, 1))
    return AuditCase(Moment(rate(random), sigma, s, log=True), digits(random))


@kind("curve", batch=5)
def curve(random: Random) -> AuditCase:
    """Many orders that share one set of nodes: whole, decimal, as doubles, or with nothing in common."""
    count = random.randint(4, 12)
    orders: list[Fraction] = random.choice(
        [
            [Fraction(n) for n in random.sample(range(2, 80), count)],
            [Fraction(n, 10) for n in random.sample(range(11, 200), count)],
            [Fraction(n / 10) for n in random.sample(range(11, 200), count)],
            [1 + log_uniform(random, -2, 1.5) for _ in range(count)],
        ]
    )
    if random.random() < 0.5:
        orders = [1 - alpha for alpha in orders]
    first = Moment(rate(random), noise(random), orders[0])
    return AuditCase(first, digits(random), tuple(orders[1:]))


@kind("plain", batch=20)
def plain(random: Random) -> AuditCase:
    """Ordinary q, sigma and orders, both directions."""
    return AuditCase(Moment(rate(random), noise(random), order(random)), digits(random))
