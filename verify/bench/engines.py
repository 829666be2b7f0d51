"""How fast the certified engine is, as ratios measured in one run.

Machines are noisy, so no time is reported alone: each point is timed by all contestants in turn,
the least of a few repetitions counts, and what is published is the geometric mean of the ratios.
Three races: 50 digits, by the engine that answers at that order, against mpmath.quad; a correctly
rounded double against dp-accounting's, both through the functions that people call; and all of
dp-accounting's default orders, at 20 certified digits, against its doubles. Against the number of
digits every engine of ``ENGINES`` is timed.
"""

from __future__ import annotations

import datetime
import hashlib
import itertools
import logging
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar

import mpmath

from verify.moments import engines
from verify.moments.agreement import REFERENCE, engine, quickest
from verify.moments.engines import ENGINES, Engine, Moment
from verify.moments.functions import rdp, rdp_curve
from verify.numbers.budget import Deadline
from verify.numbers.errors import BudgetExceeded, OutOfReach, PrecisionExhausted
from verify.results.bench import (
    AgainstAlpha,
    AgainstDigits,
    AgainstOrders,
    Bench,
    CurveTime,
    CurveTimes,
    DigitTime,
    OrderTime,
    PointTimes,
)
from verify.support.timing import least

T = TypeVar("T")

DIGITS = 50
DOUBLE_DIGITS = 17  # enough to round correctly, nearly always
CURVE_DIGITS = 20
RATES = (1e-6, 1e-2, 0.5)
NOISES = (0.3, 1.0, 4.0, 20.0, 100.0)
ORDERS = (1.5, 2.0, 2.5, 10.9, 32.0, 63.5, 255.5, 256.0, 1023.5, 1024.0)
_HIGHEST = 63.0  # order of the curves timed against their number of orders
DIGIT_POINT = Moment(Fraction(1, 100), Fraction(11, 10), Fraction(17, 2))


@dataclass(frozen=True)
class Course:
    """What is timed: points (q, sigma, alpha), curves (q, sigma), and three sweeps."""

    points: Sequence[tuple[float, float, float]] = tuple(itertools.product(RATES, NOISES, ORDERS))
    curves: Sequence[tuple[float, float]] = tuple(itertools.product(RATES, NOISES))
    digits: Sequence[int] = (15, 30, 50, 100, 200, 500, 1000)
    alphas: Sequence[float] = (2.5, 10.5, 100.5, 1000.5, 10_000.5, 100_000.5, 999_999.5)
    curve_sizes: Sequence[int] = (1, 4, 16, 64, 152)
    patience: float = 30.0  # seconds for one number of the sweep over digits

    @property
    def steps(self) -> int:
        """How much :func:`run` yields."""
        return len(self.points) + len(self.curves) + 3


FULL = Course()
QUICK = Course(FULL.points[::7], FULL.curves[::7])


def time_point(q: float, sigma: float, alpha: float, peer: Callable[..., Any] | None) -> PointTimes:
    """All contestants at one point; doubles at fractional orders only."""
    moment = Moment(Fraction(q), Fraction(sigma), Fraction(alpha))
    answering = engine(quickest(moment))
    certified = least(lambda: answering(moment, DIGITS, Deadline()), 7)
    quad = least(lambda: _quad(q, sigma, alpha), 1)
    if peer is None or alpha == int(alpha):
        return PointTimes(q, sigma, alpha, certified, quad, None, None)
    double = least(lambda: rdp(q, sigma, alpha, digits=DOUBLE_DIGITS).to_double(), 7)
    return PointTimes(
        q, sigma, alpha, certified, quad, double, least(lambda: peer(q, sigma, [alpha]), 7)
    )


def default_orders() -> list[float]:
    """dp-accounting's default orders: tenths to 10.9, whole numbers to 63, powers of two to 1024.

    >>> len(default_orders()), default_orders()[-1]
    (156, 1024.0)
    """
    tenths = [1 + x / 10 for x in range(1, 100)]
    return [*tenths, *map(float, range(11, 64)), 128.0, 256.0, 512.0, 1024.0]


def time_curve(q: float, sigma: float, peer: Callable[..., Any] | None) -> CurveTimes:
    """All default orders at once."""
    orders = default_orders()
    forward, reverse = (
        least(lambda: rdp_curve(q, sigma, orders, reverse=way, digits=CURVE_DIGITS), 5)  # noqa: B023  # called at once
        for way in (False, True)
    )
    return CurveTimes(
        q, sigma, forward, reverse, least(lambda: peer(q, sigma, orders), 5) if peer else None
    )


def order_sweep(sizes: Sequence[int]) -> AgainstOrders:
    """Whole curves against their number of orders, spread evenly over the default ones from 1.1 to 63.

    The few orders above are left out: a curve with one of them needs nodes for it alone, and its
    time would tell how far its orders reach, not how many they are.
    """
    orders = [order for order in default_orders() if order <= _HIGHEST]
    q, sigma = float(DIGIT_POINT.q), float(DIGIT_POINT.sigma)
    found = []
    for count in sizes:
        some = [orders[i * (len(orders) - 1) // max(count - 1, 1)] for i in range(count)]
        seconds = least(lambda: rdp_curve(q, sigma, some, digits=CURVE_DIGITS), 5)  # noqa: B023  # called at once
        found.append(CurveTime(count, seconds))
    return AgainstOrders(CURVE_DIGITS, tuple(found))


def _quad(q: float, sigma: float, alpha: float) -> Any:
    """The simplest program for this: mpmath.quad over the real line. It is timed; its result is not
    used."""
    mp = mpmath.MPContext()
    mp.dps = DIGITS
    rate, variance, order = mp.mpf(q), mp.mpf(sigma) ** 2, mp.mpf(alpha)
    norm = mp.sqrt(2 * mp.pi * variance)

    def integrand(z: Any) -> Any:
        ratio = 1 - rate + rate * mp.exp((2 * z - 1) / (2 * variance))
        return mp.exp(-z * z / (2 * variance)) / norm * ratio**order

    return mp.quad(integrand, [-mp.inf, mp.inf])


def dp_accounting_peer() -> Callable[[float, float, list[float]], Any] | None:
    """dp-accounting's RDP of one step through its public accountant; None if not installed."""
    try:
        import dp_accounting
        from dp_accounting.rdp import RdpAccountant
    except ImportError:
        return None
    logging.getLogger("absl").setLevel(logging.CRITICAL)

    def epsilons(q: float, sigma: float, orders: list[float]) -> Any:
        accountant = RdpAccountant(orders=orders)
        event = dp_accounting.GaussianDpEvent(sigma)
        accountant.compose(dp_accounting.PoissonSampledDpEvent(q, event))
        return accountant.rdp

    return epsilons


def geometric_mean(ratios: list[float]) -> float | None:
    """The geometric mean; None of nothing.

    >>> geometric_mean([1.0, 4.0])
    2.0
    """
    if not ratios:
        return None
    return math.exp(math.fsum(map(math.log, ratios)) / len(ratios))


def growth(sweep: list[tuple[float, float]]) -> float:
    """The exponent e of the power law time ~ x^e fitted to (x, time) by least squares.

    >>> round(growth([(1, 3), (10, 300)]), 6)
    2.0
    """
    xs, ys = [math.log(x) for x, _ in sweep], [math.log(y) for _, y in sweep]
    mean_x, mean_y = math.fsum(xs) / len(xs), math.fsum(ys) / len(ys)
    top = math.fsum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True))
    return top / math.fsum((x - mean_x) ** 2 for x in xs)


def digit_sweep(sweep: Sequence[int], patience: float) -> AgainstDigits:
    """Every engine at one fractional point against the number of digits."""
    found: dict[str, tuple[DigitTime, ...]] = {}
    unreachable: dict[str, str] = {}
    for name in ENGINES:
        try:
            engine(name)(DIGIT_POINT, sweep[0], Deadline(patience))
        except (OutOfReach, PrecisionExhausted) as error:
            unreachable[name] = str(error)
        else:
            found[name] = tuple(against_digits(engine(name), sweep, patience))
    own = [(float(t.digits), t.seconds) for t in found[REFERENCE] if t.seconds is not None]
    return AgainstDigits(str(DIGIT_POINT), found, unreachable, growth(own))


def against_digits(evaluate: Engine, sweep: Sequence[int], patience: float) -> Iterator[DigitTime]:
    """What takes too long once, or is out of reach, is not tried with more digits."""
    late = False
    for digits in sweep:
        seconds = None if late else _patiently(evaluate, digits, patience)
        late = seconds is None
        yield DigitTime(digits, seconds)


def _patiently(evaluate: Engine, digits: int, patience: float) -> float | None:
    """The least of three times, or the only one if that is long; None if it has no answer in time."""
    best = math.inf
    for _ in range(3):
        try:
            best = min(best, least(lambda: evaluate(DIGIT_POINT, digits, Deadline(patience)), 1))
        except (BudgetExceeded, OutOfReach, PrecisionExhausted):
            return None
        if best > 1:
            break
    return best


def engines_digest() -> str:
    """Which engines were timed: a digest of their sources."""
    total = hashlib.sha256()
    for path in sorted(Path(engines.__file__).parent.glob("*.py")):
        total.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return total.hexdigest()


def alpha_sweep(alphas: Sequence[float]) -> AgainstAlpha:
    """The certified engine against the order, where the two modes drift apart with it."""
    times, evaluate = [], engine(REFERENCE)
    for alpha in alphas:
        moment = Moment(Fraction(1, 100), Fraction(1), Fraction(alpha))
        seconds = least(lambda: evaluate(moment, DIGITS, Deadline()), 3)  # noqa: B023  # called at once
        times.append(OrderTime(alpha, seconds))
    return AgainstAlpha(tuple(times), growth([(t.alpha, t.seconds) for t in times]))


Timed = PointTimes | CurveTimes | AgainstDigits | AgainstAlpha | AgainstOrders


def run(course: Course) -> Iterator[Timed]:
    """Time the points one by one, then the curves, then the sweeps."""
    peer = dp_accounting_peer()
    for point in course.points:
        yield time_point(*point, peer)
    for q, sigma in course.curves:
        yield time_curve(q, sigma, peer)
    yield digit_sweep(course.digits, course.patience)
    yield alpha_sweep(course.alphas)
    yield order_sweep(course.curve_sizes)


def summary(timings: Sequence[Timed]) -> Bench:
    """What the bench publishes, from all that :func:`run` has yielded."""
    single = tuple(t for t in timings if isinstance(t, PointTimes))
    whole = tuple(t for t in timings if isinstance(t, CurveTimes))
    faster = [t.quad / t.certified for t in single if t.quad]
    doubles = [t.double / t.dp_accounting for t in single if t.double and t.dp_accounting]
    curve = [t.certified / t.dp_accounting for t in whole if t.dp_accounting]
    return Bench(
        date=datetime.datetime.now(datetime.UTC).date(),
        engines_sha256=engines_digest(),
        digits=DIGITS,
        points=single,
        curves=whole,
        times_faster_than_mpmath_quad=geometric_mean(faster),
        double_as_long_as_dp_accounting=geometric_mean(doubles),
        curve_as_long_as_dp_accounting=geometric_mean(curve),
        dp_accounting_points=len(doubles),
        against_digits=_only(AgainstDigits, timings),
        against_alpha=_only(AgainstAlpha, timings),
        against_orders=_only(AgainstOrders, timings),
    )


def _only(kind: type[T], timings: Sequence[Timed]) -> T:
    (found,) = (t for t in timings if isinstance(t, kind))
    return found
