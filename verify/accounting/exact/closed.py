"""delta(epsilon) where it has a closed form: full batches, and a single step.

**q = 1 throughout.** The total loss is that of one Gaussian with mu^2 = sum T_j/sigma_j^2, in both directions:

    delta(eps) = Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu).

**One step.** g increases in t. Removing: (g - e^eps)_+ lives on t > t*, where g(t*) = e^eps >= 1 > p:

    delta(eps) = q Phi(1/s - t*) - (e^eps - p) Phi(-t*),          t* = s ln((e^eps - p)/q) + 1/(2 s).

Adding: E[(1 - e^eps g)_+] lives on t < t*, g(t*) = e^-eps, and is 0 if e^-eps <= p:

    delta(eps) = (1 - p e^eps) Phi(t*) - q e^eps Phi(t* - 1/s),   t* = s ln((e^-eps - p)/q) + 1/(2 s).

(E[X; t > x] = q Phi(1/s - x).) The derivative of delta is -e^eps times the second Phi-probability of L > eps.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from flint import arb

from verify.accounting.contour.line import normal
from verify.accounting.contour.planner import Direction
from verify.accounting.contour.vertical import Value
from verify.accounting.history import History, Phase
from verify.numbers.balls import ball, fraction, precision
from verify.numbers.budget import Deadline
from verify.numbers.errors import PrecisionExhausted

Formula = Callable[[arb, int], tuple[arb, arb]]


class Closed:
    """A formula (eps, bits) -> (delta, -d delta/d eps), evaluated at rising precision."""

    def __init__(self, formula: Formula, most_bits: int = 1 << 17) -> None:
        self.formula, self.most_bits = formula, most_bits

    def at(
        self,
        epsilon: Fraction,
        digits: float,
        build: float,
        deadline: Deadline,
        target: Fraction | None = None,
    ) -> Value:
        bits = 64 + int(3.4 * digits)
        while bits < self.most_bits:
            deadline.check()
            with precision(bits):
                delta, fall = self.formula(ball(epsilon), bits)
                # Next to the end of the loss a logarithm of next to nothing needs more bits.
                if delta.is_finite() and delta.rel_accuracy_bits() >= 3.33 * digits + 2:
                    slope = float((-fall / delta).mid()) if delta > 0 else 0.0
                    return Value(fraction(delta.lower()), fraction(delta.upper()), slope)
            bits *= 2
        raise PrecisionExhausted(f"delta at epsilon = {float(epsilon):.6g} is too small to resolve")


def gaussian(history: History) -> Closed:
    """All phases have q = 1."""
    square = sum((p.steps / p.sigma**2 for p in history), Fraction(0))

    def formula(eps: arb, bits: int) -> tuple[arb, arb]:
        mu = ball(square).sqrt()
        fall = eps.exp() * normal(-mu / 2 - eps / mu)
        return normal(mu / 2 - eps / mu) - fall, fall

    return Closed(formula)


def single(phase: Phase, direction: Direction) -> Closed:
    """One step with q < 1, at an epsilon below the end of the loss."""

    def formula(eps: arb, bits: int) -> tuple[arb, arb]:
        q, p, s = ball(phase.q), ball(1 - phase.q), ball(phase.sigma)
        e = eps.exp()
        if direction == "remove":
            at = s * ((e - p) / q).log() + 1 / (2 * s)
            beyond = normal(-at)
            return q * normal(1 / s - at) - (e - p) * beyond, e * beyond
        at = s * ((1 / e - p) / q).log() + 1 / (2 * s)
        fall = e * (p * normal(at) + q * normal(at - 1 / s))
        return normal(at) - fall, fall

    return Closed(formula)
