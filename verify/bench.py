"""How fast the certified engine is, as ratios measured in one run.

Machines are noisy, so no time is reported alone: each point is timed by all contestants in turn, the
least of a few repetitions counts, and what is published is the geometric mean of the ratios.
"""

from __future__ import annotations

import datetime
import hashlib
import itertools
import logging
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath

from verify.budget import Deadline
from verify.engines import Engine, Moment, quadrature, series, trapezoid
from verify.errors import BudgetExceeded

FORMAT = "sgm-verify bench 1"

DIGITS = 50
RATES = (1e-6, 1e-2, 0.5)
NOISES = (0.3, 1.0, 4.0, 20.0, 100.0)
FRACTIONAL = (1.5, 2.5, 10.9, 63.5, 255.5, 1023.5)
WHOLE = (2.0, 32.0, 256.0, 1024.0)
DIGIT_SWEEP = (15, 30, 50, 100, 200, 500, 1000)
DIGIT_POINT = Moment(Fraction(1, 100), Fraction(11, 10), Fraction(17, 2))
ENGINES: dict[str, Engine] = {
    "trapezoid": trapezoid.evaluate,
    "series": series.evaluate,
    "quadrature": quadrature.evaluate,
}
PATIENCE = 30.0  # seconds for one number of the sweep over digits
ALPHA_SWEEP = (2.5, 10.5, 100.5, 1000.5, 10_000.5, 100_000.5, 999_999.5)


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds at one point; None where a contestant does not take part."""

    q: float
    sigma: float
    alpha: float
    certified: float
    quad: float | None
    dp_accounting: float | None


def points(quick: bool) -> list[tuple[float, float, float]]:
    """The fixed points of the bench; ``quick`` keeps every seventh."""
    grid = list(itertools.product(RATES, NOISES, sorted(FRACTIONAL + WHOLE)))
    return grid[::7] if quick else grid


def time_point(q: float, sigma: float, alpha: float, peer: Callable[..., Any] | None) -> Timing:
    """All contestants at one point."""
    moment = Moment(Fraction(q), Fraction(sigma), Fraction(alpha))
    certified = _least(lambda: trapezoid.evaluate(moment, DIGITS, Deadline()), 7)
    fractional = alpha != int(alpha)
    peer_time = _least(lambda: peer(q, sigma, alpha), 7) if peer and fractional else None
    return Timing(q, sigma, alpha, certified, _least(lambda: _quad(q, sigma, alpha), 1), peer_time)


def _least(call: Callable[[], Any], repetitions: int) -> float:
    best = math.inf
    for _ in range(repetitions):
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
    return best


def _quad(q: float, sigma: float, alpha: float) -> Any:
    """What one writes first: mpmath.quad over the real line. Timed, not trusted."""
    mp = mpmath.MPContext()
    mp.dps = DIGITS
    rate, variance, order = mp.mpf(q), mp.mpf(sigma) ** 2, mp.mpf(alpha)
    norm = mp.sqrt(2 * mp.pi * variance)

    def integrand(z: Any) -> Any:
        ratio = 1 - rate + rate * mp.exp((2 * z - 1) / (2 * variance))
        return mp.exp(-z * z / (2 * variance)) / norm * ratio**order

    return mp.quad(integrand, [-mp.inf, mp.inf])


def dp_accounting_peer() -> Callable[[float, float, float], Any] | None:
    """dp-accounting's RDP of one step through its public accountant; None if not installed."""
    try:
        import dp_accounting
        from dp_accounting.rdp import RdpAccountant
    except ImportError:
        return None
    logging.getLogger("absl").setLevel(logging.CRITICAL)

    def epsilon(q: float, sigma: float, alpha: float) -> Any:
        accountant = RdpAccountant(orders=[alpha])
        event = dp_accounting.GaussianDpEvent(sigma)
        accountant.compose(dp_accounting.PoissonSampledDpEvent(q, event))
        return accountant.rdp[0]

    return epsilon


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


def digit_sweep() -> dict[str, list[tuple[int, float | None]]]:
    """Seconds against digits at one fractional point, engine by engine; None where they were too many."""
    found: dict[str, list[tuple[int, float | None]]] = {}
    for name, engine in ENGINES.items():
        sweep: list[tuple[int, float | None]] = []
        for digits in DIGIT_SWEEP:
            late = bool(sweep) and sweep[-1][1] is None
            sweep.append((digits, None if late else _patiently(engine, digits)))
        found[name] = sweep
    return found


def _patiently(engine: Engine, digits: int) -> float | None:
    """The least of three times, or the only one if that is long; None beyond the patience."""
    best = math.inf
    for _ in range(3):
        try:
            best = min(best, _least(lambda: engine(DIGIT_POINT, digits, Deadline(PATIENCE)), 1))
        except BudgetExceeded:
            return None
        if best > 1:
            break
    return best


def engines_digest() -> str:
    """Which engines were timed: a digest of their sources."""
    total = hashlib.sha256()
    for path in sorted(Path(trapezoid.__file__).parent.glob("*.py")):
        total.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return total.hexdigest()


def alpha_sweep() -> list[tuple[float, float]]:
    """Seconds against the order, where the two modes drift apart with it."""
    result = []
    for alpha in ALPHA_SWEEP:
        moment = Moment(Fraction(1, 100), Fraction(1), Fraction(alpha))
        call: Callable[[], Any] = lambda m=moment: trapezoid.evaluate(m, DIGITS, Deadline())  # type: ignore[misc]  # noqa: E731  # default binds
        result.append((alpha, _least(call, 3)))
    return result


def run(quick: bool) -> Iterator[Timing]:
    """Time the points one by one."""
    peer = dp_accounting_peer()
    for point in points(quick):
        yield time_point(*point, peer)


def summary(timings: list[Timing]) -> dict[str, Any]:
    """What the bench publishes."""
    faster = [t.quad / t.certified for t in timings if t.quad is not None]
    slower = [t.certified / t.dp_accounting for t in timings if t.dp_accounting is not None]
    digits, alphas = digit_sweep(), alpha_sweep()
    own = [(float(d), t) for d, t in digits["trapezoid"] if t is not None]
    return {
        "format": FORMAT,
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "engines_sha256": engines_digest(),
        "digits": DIGITS,
        "points": [asdict(t) for t in timings],
        "times_faster_than_mpmath_quad": geometric_mean(faster),
        "times_as_long_as_dp_accounting": geometric_mean(slower),
        "dp_accounting_points": len(slower),
        "against_digits": {"point": str(DIGIT_POINT), "seconds": digits, "growth": growth(own)},
        "against_alpha": {"seconds": alphas, "growth": growth(alphas)},
        "complete": True,
    }
