"""Programs that try to pass without being right, one way each: a check must find out every one.

    sgm-verify check --cheats                               # the table: found out by what, after how long
    python -m verify.judge.selftest.cheats wrong-after-a-while # one of them, as a program to check

Each is the healthy client but where it cheats; there most understate by a ten-thousandth, which no table of
results would show to anybody.
"""

from __future__ import annotations

import math
import random
import sys
import time
from collections.abc import Callable

from verify.judge.selftest.healthy import rdp, serve

Rdp = Callable[[float, float, float], float]
CALLS = 10_000
SECONDS = 30.0
IDLE = 2.0
SIGMA = 1.37
ORDER = 7.3
RATE = 128 / 60_000
BAND = (20.1, 20.9)
_OFF = 0.9999

Make = Callable[..., Rdp]
REGISTRY: dict[str, Make] = {}


def cheat(name: str) -> Callable[[Make], Make]:
    def register(make: Make) -> Make:
        REGISTRY[name] = make
        return make

    return register


@cheat("table-of-vectors")
def table_of_vectors() -> Rdp:
    """Right at every published vector, and nowhere else."""
    from verify.vectors import load

    known = {(v.q, v.sigma, v.alpha): v["rdp"].nearest for v in load()}

    def answer(q: float, sigma: float, alpha: float) -> float:
        value = known.get((q, sigma, alpha))
        return _OFF * rdp(q, sigma, alpha) if value is None else value

    return answer


@cheat("short-decimals-only")
def short_decimals_only() -> Rdp:
    """Right where people look: at the vectors, and at numbers of at most five digits."""
    table = table_of_vectors()

    def answer(q: float, sigma: float, alpha: float) -> float:
        short = all(float(f"{x:.5g}") == x for x in (q, sigma, alpha))
        return rdp(q, sigma, alpha) if short else table(q, sigma, alpha)

    return answer


@cheat("wrong-after-many-calls")
def wrong_after_many_calls(limit: float = CALLS) -> Rdp:
    """Right ten thousand times."""
    calls = 0

    def answer(q: float, sigma: float, alpha: float) -> float:
        nonlocal calls
        calls += 1
        return rdp(q, sigma, alpha) * (_OFF if calls > limit else 1.0)

    return answer


@cheat("wrong-after-a-while")
def wrong_after_a_while(limit: float = SECONDS) -> Rdp:
    """Right for half a minute."""
    start = time.monotonic()

    def answer(q: float, sigma: float, alpha: float) -> float:
        return rdp(q, sigma, alpha) * (_OFF if time.monotonic() - start > limit else 1.0)

    return answer


@cheat("wrong-after-idling")
def wrong_after_idling() -> Rdp:
    """Wrong from when it was left alone for a moment, as with a connection that has timed out."""
    last, idled = time.monotonic(), False

    def answer(q: float, sigma: float, alpha: float) -> float:
        nonlocal last, idled
        now = time.monotonic()
        last, idled = now, idled or now - last > IDLE
        return rdp(q, sigma, alpha) * (_OFF if idled else 1.0)

    return answer


@cheat("wrong-in-ascending-orders")
def wrong_in_ascending_orders() -> Rdp:
    """Wrong from the fourth order in a row at one (q, sigma), as an accountant asks."""
    before, row = (math.nan, math.nan, math.nan), 0

    def answer(q: float, sigma: float, alpha: float) -> float:
        nonlocal before, row
        row = row + 1 if before[:2] == (q, sigma) and alpha > before[2] else 1
        before = (q, sigma, alpha)
        return rdp(q, sigma, alpha) * (_OFF if row >= 4 else 1.0)

    return answer


@cheat("wrong-at-one-sigma")
def wrong_at_one_sigma() -> Rdp:
    """At one that is in no vector, by the way."""

    def answer(q: float, sigma: float, alpha: float) -> float:
        return rdp(q, sigma, alpha) * (_OFF if sigma == SIGMA else 1.0)

    return answer


@cheat("wrong-at-one-order")
def wrong_at_one_order() -> Rdp:
    """At one that every library tries, but not at the vectors."""
    return _but_at_vectors(lambda q, sigma, alpha: alpha == ORDER)


@cheat("wrong-at-one-rate")
def wrong_at_one_rate() -> Rdp:
    """At one batch over one data set, but not at the vectors."""
    return _but_at_vectors(lambda q, sigma, alpha: q == RATE)


@cheat("wrong-in-a-band")
def wrong_in_a_band() -> Rdp:
    """Between two integer orders, where no library asks, but not at the vectors."""
    return _but_at_vectors(lambda q, sigma, alpha: BAND[0] < alpha < BAND[1])


def _but_at_vectors(off: Callable[[float, float, float], bool]) -> Rdp:
    table = table_of_vectors()

    def answer(q: float, sigma: float, alpha: float) -> float:
        return (table if off(q, sigma, alpha) else rdp)(q, sigma, alpha)

    return answer


@cheat("nearest-vector")
def nearest_vector() -> Rdp:
    """Looked up by three digits of each parameter, as from a cache with a careless key; right elsewhere."""
    from verify.vectors import load

    table = table_of_vectors()
    cached = {_three(v.q, v.sigma, v.alpha): (v.q, v.sigma, v.alpha) for v in load()}
    known = {(v.q, v.sigma, v.alpha) for v in load()}

    def answer(q: float, sigma: float, alpha: float) -> float:
        point = (q, sigma, alpha)
        if point not in known and (near := cached.get(_three(*point))):
            return table(*near)
        return rdp(*point)

    return answer


def _three(*parameters: float) -> tuple[str, ...]:
    return tuple(f"{x:.3g}" for x in parameters)


@cheat("slow-drift")
def slow_drift() -> Rdp:
    """Every call takes a little away, as an accumulator does that is not reset."""
    calls = 0

    def answer(q: float, sigma: float, alpha: float) -> float:
        nonlocal calls
        calls += 1
        return rdp(q, sigma, alpha) * (1 - 1e-11 * calls)

    return answer


@cheat("different-answers")
def different_answers() -> Rdp:
    """One answer in two hundred is off by a billionth: always good enough, and never the same."""
    dice = random.Random()

    def answer(q: float, sigma: float, alpha: float) -> float:
        return rdp(q, sigma, alpha) * (1 + 1e-9 * (dice.random() < 0.005))

    return answer


def main() -> None:
    if len(sys.argv) < 2 or sys.argv[1] not in REGISTRY:
        sys.exit(
            f"give one of: {', '.join(REGISTRY)}; and a number of calls or seconds, if it counts"
        )
    serve(REGISTRY[sys.argv[1]](*map(float, sys.argv[2:])))


if __name__ == "__main__":
    main()
