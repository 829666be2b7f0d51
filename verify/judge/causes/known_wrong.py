"""Implementations that are wrong on purpose, one mistake each: the judge must reject every one.

Each is otherwise as good as the healthy client. Run one as a harness of its own:

    python -m verify.judge.causes.known_wrong dropped-sign
"""

from __future__ import annotations

import math
import struct
import sys
from collections.abc import Callable
from dataclasses import dataclass

from verify.judge.causes.mistakes import (
    Rdp,
    Series,
    absolute,
    fractional,
    inside,
    loose,
    relative_and_falling,
)
from verify.judge.selftest.healthy import AskedPoint, rdp, serve


@dataclass(frozen=True, slots=True)
class Wrong:
    """A mistake with a name; ``strict`` if only a strict check is meant to catch it."""

    name: str
    rdp: Rdp
    strict: bool = False


REGISTRY: dict[str, Wrong] = {}


def wrong(name: str, strict: bool = False) -> Callable[[Rdp], Rdp]:
    def register(function: Rdp) -> Rdp:
        REGISTRY[name] = Wrong(name, function, strict)
        return function

    return register


# -- the half-line series, as it is usually written ------------------------------------------


wrong("dropped-sign")(Series(signed=False).rdp)
wrong("dropped-sign-1000-terms")(
    Series(signed=False, stop=relative_and_falling, most=1000, beyond=math.inf).rdp
)
wrong("dropped-sign-absolute-stop")(Series(signed=False, stop=absolute).rdp)
wrong("absolute-stop")(Series(stop=absolute).rdp)
wrong("loose-stop")(Series(stop=loose).rdp)
wrong("twenty-terms")(Series(most=21).rdp)


@wrong("clamped-negative")
def clamped_negative(q: float, sigma: float, alpha: float) -> float:
    return max(0.0, REGISTRY["absolute-stop"].rdp(q, sigma, alpha))


# -- the order ---------------------------------------------------------------------------------


@wrong("interpolated")
def interpolated(q: float, sigma: float, alpha: float) -> float:
    if not fractional(alpha):
        return rdp(q, sigma, alpha)
    n = math.floor(alpha)
    low, high = (max(n - 1, 0) * rdp(q, sigma, float(max(n, 1))), n * rdp(q, sigma, n + 1.0))
    return (low + (alpha - n) * (high - low)) / (alpha - 1)


@wrong("truncated-order")
def truncated_order(q: float, sigma: float, alpha: float) -> float:
    return rdp(q, sigma, float(math.floor(alpha)) if fractional(alpha) else alpha)


@wrong("rounded-up-order")
def rounded_up_order(q: float, sigma: float, alpha: float) -> float:
    return rdp(q, sigma, float(math.ceil(alpha)) if fractional(alpha) else alpha)


@wrong("order-off-by-one")
def order_off_by_one(q: float, sigma: float, alpha: float) -> float:
    return rdp(q, sigma, alpha + 1)


@wrong("nan-at-fractions")
def nan_at_fractions(q: float, sigma: float, alpha: float) -> float:
    return math.nan if fractional(alpha) else rdp(q, sigma, alpha)


@wrong("inf-at-large-orders")
def inf_at_large_orders(q: float, sigma: float, alpha: float) -> float:
    return math.inf if alpha > 512 and q > 0 else rdp(q, sigma, alpha)


# -- parameters, units, directions ---------------------------------------------------------------


@wrong("q-and-1-q")
def q_and_1_q(q: float, sigma: float, alpha: float) -> float:
    return rdp(1 - q, sigma, alpha)


@wrong("sigma-squared")
def sigma_squared(q: float, sigma: float, alpha: float) -> float:
    return rdp(q, sigma * sigma, alpha)


@wrong("doubled-sensitivity")
def doubled_sensitivity(q: float, sigma: float, alpha: float) -> float:
    return rdp(q, sigma / 2, alpha)


@wrong("base-2-logarithm")
def base_2_logarithm(q: float, sigma: float, alpha: float) -> float:
    return rdp(q, sigma, alpha) / math.log(2)


@wrong("divided-by-alpha")
def divided_by_alpha(q: float, sigma: float, alpha: float) -> float:
    value = rdp(q, sigma, alpha)
    return value * (alpha - 1) / alpha if math.isfinite(alpha) else value


@wrong("log-a-for-epsilon")
def log_a_for_epsilon(q: float, sigma: float, alpha: float) -> float:
    value = rdp(q, sigma, alpha)
    return value * (alpha - 1) if math.isfinite(alpha) else value


@wrong("b-side")
def b_side(q: float, sigma: float, alpha: float) -> float:
    if not inside(q, alpha):
        return rdp(q, sigma, alpha)
    point = AskedPoint(q, sigma, alpha)
    top = -math.inf
    logs = [
        -0.5 * (j / 32) ** 2 + (1 - alpha) * point.log_g(point.x(j / 32)) for j in range(-1600, 321)
    ]
    top = max(logs)
    total = sum(math.exp(x - top) for x in logs) / 32 / math.sqrt(2 * math.pi)
    return (top + math.log(total)) / (alpha - 1)


# -- other formulas ------------------------------------------------------------------------------


@wrong("asymptotic")
def asymptotic(q: float, sigma: float, alpha: float) -> float:
    return alpha * q * q / (2 * sigma * sigma)


@wrong("no-amplification")
def no_amplification(q: float, sigma: float, alpha: float) -> float:
    return alpha / (2 * sigma * sigma) if q > 0 else 0.0


@wrong("linear-amplification")
def linear_amplification(q: float, sigma: float, alpha: float) -> float:
    return q * alpha / (2 * sigma * sigma) if math.isfinite(alpha) else rdp(q, sigma, alpha)


# -- arithmetic ----------------------------------------------------------------------------------


def to_float32(x: float) -> float:
    try:
        (value,) = struct.unpack("f", struct.pack("f", x))
    except OverflowError:
        return math.inf
    return float(value)


@wrong("float32")
def float32(q: float, sigma: float, alpha: float) -> float:
    return to_float32(rdp(to_float32(q), to_float32(sigma), to_float32(alpha)))


@wrong("overflowing-binomial")
def overflowing_binomial(q: float, sigma: float, alpha: float) -> float:
    if not inside(q, alpha) or fractional(alpha) or alpha > 20_000:
        return rdp(q, sigma, alpha)
    n = int(alpha)
    logs = [
        math.log(float(math.comb(n, k))) + k * math.log(q) + (n - k) * math.log1p(-q)
        + (k * k - k) / (2 * sigma**2)
        for k in range(n + 1)
    ]  # fmt: skip
    top = max(logs)
    return max(0.0, top + math.log(sum(math.exp(x - top) for x in logs))) / (n - 1)


@wrong("log-of-1-plus-x")
def log_of_1_plus_x(q: float, sigma: float, alpha: float) -> float:
    if not inside(q, alpha):
        return rdp(q, sigma, alpha)
    log_a = rdp(q, sigma, alpha) * (alpha - 1)
    return math.log(1 + math.expm1(log_a)) / (alpha - 1) if log_a < 1 else log_a / (alpha - 1)


@wrong("tiny-is-zero", strict=True)
def tiny_is_zero(q: float, sigma: float, alpha: float) -> float:
    value = rdp(q, sigma, alpha)
    return value if value > 1e-16 else 0.0


@wrong("slightly-low")
def slightly_low(q: float, sigma: float, alpha: float) -> float:
    return rdp(q, sigma, alpha) * (1 - 1.1e-6)


@wrong("slightly-high")
def slightly_high(q: float, sigma: float, alpha: float) -> float:
    return rdp(q, sigma, alpha) * (1 + 1.1e-6)


@wrong("nine-digits", strict=True)
def nine_digits(q: float, sigma: float, alpha: float) -> float:
    return rdp(q, sigma, alpha) * (1 - 1e-9)


@wrong("one-peak")
def one_peak(q: float, sigma: float, alpha: float) -> float:
    """Integrates around t = 0 only."""
    if not inside(q, alpha):
        return rdp(q, sigma, alpha)
    point = AskedPoint(q, sigma, alpha)
    logs = [point.log_f(j / 64) for j in range(-640, 641)]
    top = max(logs)
    total = sum(math.exp(x - top) for x in logs) / 64 / math.sqrt(2 * math.pi)
    return max(0.0, top + math.log(total)) / (alpha - 1)


@wrong("quadrature-over-the-line")
def quadrature_over_the_line(q: float, sigma: float, alpha: float) -> float:
    """Tanh-sinh nodes for the whole real line, as if the integrand had one peak, at 0."""
    if not inside(q, alpha):
        return rdp(q, sigma, alpha)
    point = AskedPoint(q, sigma, alpha)
    total = 0.0
    for k in range(-120, 121):
        s = math.pi / 2 * math.sinh(k / 32)
        if abs(s) > 300:
            continue
        t = math.sinh(s)
        log_term = point.log_f(t) + math.log(math.cosh(s) * math.pi / 2 * math.cosh(k / 32) / 32)
        total += math.exp(min(log_term, 700.0)) / math.sqrt(2 * math.pi)
    return math.log(total) / (alpha - 1)


def main() -> None:
    if len(sys.argv) != 2 or sys.argv[1] not in REGISTRY:
        sys.exit(f"give one of: {', '.join(REGISTRY)}")
    serve(REGISTRY[sys.argv[1]].rdp)


if __name__ == "__main__":
    main()
