"""Where the mass of phi(t) g(t)^s lies: a sketch in doubles, for the certified engine to verify.

With c = ln(q/(1-q)) - 1/(2 sigma^2) and p(t) = 1/(1 + e^{-(t/sigma + c)}),

    l(t)  = ln of the integrand = -t^2/2 + s ln(1 + e^{t/sigma + c}) + const
    l'(t) = -t + (s/sigma) p(t)
    l''(t) = -1 + (s/sigma^2) p(1-p)

so for s <= 0 there is one mode, and for s > 0 at most two, near 0 and near s/sigma, the fixed
points of t -> (s/sigma) p(t). Nothing here has to be right for a result to be right: a poor sketch
costs time, or makes the certificate fail, and is then replaced by a more generous one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from verify.moments.engines import Moment
from verify.numbers.errors import OutOfReach

_FIXED_POINT_STEPS = 60


def ln(x: Fraction) -> float:
    """Natural logarithm of a positive rational of any size, as a double.

    >>> ln(Fraction(10) ** -400)
    -921.03403719761...
    """
    plain = x.numerator / x.denominator
    if 1e-290 < plain < 1e290:
        return math.log(plain)
    shift = x.numerator.bit_length() - x.denominator.bit_length()
    return math.log(float(x / Fraction(2) ** shift)) + shift * math.log(2)


def ln_complement(q: Fraction) -> float:
    """ln(1 - q) for 0 <= q < 1, however close to 1; exact subtraction only where it is needed.

    >>> ln_complement(1 - Fraction(10) ** -400)
    -921.03403719761...
    """
    return math.log1p(-float(q)) if 2 * q.numerator < q.denominator else ln(1 - q)


@dataclass(frozen=True, slots=True)
class Shape:
    """l(t) up to a constant, in doubles, with its least and greatest mode."""

    s: float
    sigma: float
    c: float
    left: float = 0.0
    right: float = 0.0

    @classmethod
    def of(cls, q: Fraction, sigma: Fraction, s: Fraction) -> Shape:
        try:
            sd = float(sigma)
            half = 0.5 / (sd * sd)
            if q == 0:
                c = -math.inf
            elif q == 1:
                c = math.inf
            else:
                c = ln(q) - ln_complement(q) - half
            bare = cls(float(s), sd, c)
            left, right = bare.find_modes()
            return cls(bare.s, sd, c, left, right)
        except (OverflowError, ZeroDivisionError) as error:
            raise OutOfReach("sigma or the order is beyond what doubles can sketch") from error

    def share(self, t: float) -> float:
        """p(t), the share of the shifted component in g."""
        x = t / self.sigma + self.c
        return 1 / (1 + math.exp(-x)) if x > -700 else 0.0

    def level(self, t: float) -> float:
        """l(t), up to a constant."""
        x = t / self.sigma + self.c
        if x > 700:  # includes q = 1, where only the part that varies counts
            softplus = x if self.c < math.inf else t / self.sigma
        else:
            softplus = math.log1p(math.exp(x))
        return self.s * softplus - t * t / 2

    def slope(self, t: float) -> float:
        """l'(t)."""
        return self.s / self.sigma * self.share(t) - t

    def where_share(self, share: float) -> float:
        """The t with p(t) = share, for 0 < share < 1."""
        return self.sigma * (math.log(share) - math.log1p(-share) - self.c)

    def find_modes(self) -> tuple[float, float]:
        """The least and the greatest mode (equal if there is one).

        From either end the fixed-point iteration approaches the nearest fixed point
        monotonically when s > 0. For s < 0 Newton's method, kept inside a bracket, finds the one
        zero of l'.
        """
        m = self.s / self.sigma
        if self.s <= 0:
            mode = self._only_mode(m)
            return mode, mode
        left, right = self._fixed_point(0.0), self._fixed_point(m)
        return (left, right) if right - left > 1e-6 * (1 + left) else (left, left)

    def _only_mode(self, m: float) -> float:
        low, high, t = m, 0.0, 0.0
        for turn in range(2 * _FIXED_POINT_STEPS):
            p = self.share(t)
            slope = m * p - t
            low, high = (t, high) if slope > 0 else (low, t)
            t, before = t + slope / (1 - m / self.sigma * p * (1 - p)), t
            if abs(t - before) <= 1e-7 * (1 - before):
                break
            if turn % 2 or not low < t < high:  # between two flat ends Newton goes to and fro
                t = (low + high) / 2
        return min(t, 0.0)

    def _fixed_point(self, t: float) -> float:
        m = self.s / self.sigma
        for _ in range(_FIXED_POINT_STEPS):
            t, before = m * self.share(t), t
            if abs(t - before) <= 1e-7 * (1 + t):
                break
        return t

    def fall(self, start: float, level: float, limit: float) -> float:
        """Walking from start towards limit, a point where l is below level (or limit)."""
        sign = 1.0 if limit > start else -1.0
        reach = abs(limit - start)
        high = self.level(start)
        depth = max(high - level, 0.5)
        far = math.sqrt(2 * depth)  # where a Gaussian of variance 1 would be
        while far < reach and (fallen := high - self.level(start + sign * far)) < depth:
            far *= 1.25
        if far >= reach:
            return limit
        for _ in range(6):  # narrower, or too long a stride: l is nearly quadratic
            if fallen <= 1.2 * depth:
                break
            nearer = far * math.sqrt(depth / fallen) * 1.02
            fallen = high - self.level(start + sign * nearer)
            if fallen < depth:
                break
            far = nearer
        return start + sign * far


@dataclass(frozen=True, slots=True)
class Sketch:
    """The stretches that carry all but e^-depth of the mass, and the modes left out (if any)."""

    blocks: tuple[tuple[float, float], ...]
    dropped_left: float | None
    dropped_right: float | None
    top: float

    @property
    def dropped(self) -> float | None:
        """The mode left out, if any."""
        return self.dropped_left if self.dropped_left is not None else self.dropped_right


def sketch(shape: Shape, depth: float, *, keep_all: bool = False) -> Sketch:
    """Blocks outside which the integrand is e^-depth below its top."""
    left, right = shape.left, shape.right
    levels = shape.level(left), shape.level(right)
    top = max(levels)
    floor = top - depth
    if left == right:
        return Sketch(
            ((shape.fall(left, floor, -math.inf), shape.fall(left, floor, math.inf)),),
            None,
            None,
            top,
        )
    keep_left = keep_all or levels[0] > floor - 2
    keep_right = keep_all or levels[1] > floor - 2
    if not keep_left:
        inner = shape.fall(right, floor, left)
        return Sketch(((inner, shape.fall(right, floor, math.inf)),), left, None, top)
    if not keep_right:
        inner = shape.fall(left, floor, right)
        return Sketch(((shape.fall(left, floor, -math.inf), inner),), None, right, top)
    outer = shape.fall(left, floor, -math.inf), shape.fall(right, floor, math.inf)
    inner_left, inner_right = shape.fall(left, floor, right), shape.fall(right, floor, left)
    if inner_left < inner_right:
        return Sketch(((outer[0], inner_left), (inner_right, outer[1])), None, None, top)
    return Sketch((outer,), None, None, top)


def everything(shape: Shape, depth: float) -> Sketch:
    """One block that reaches past both 0 and s/sigma: for when a finer sketch cannot be proved."""
    far = shape.s / shape.sigma
    margin = math.sqrt(2 * depth)
    top = max(shape.level(shape.left), shape.level(shape.right))
    return Sketch(((min(0.0, far) - margin, max(0.0, far) + margin),), None, None, top)


def guess_log_size(moment: Moment) -> float:
    """ln of the size of ln E[g^s] (or of E[g^s ln g]), roughly."""
    sigma = float(moment.sigma)
    if moment.log:
        return log_size_kl(moment.q, sigma)
    return log_size(moment.q, sigma, moment.order)


def log_size(q: Fraction, sigma: float, s: Fraction) -> float:
    """A guess of ln |ln E[g^s]|: how many digits the logarithm will lose to cancellation.

    Small moments are s(s-1)/2 q^2 (e^{1/sigma^2}-1) to second order; both convexity bounds
    E[g^s] <= 1 - q + q e^{s(s-1)/(2 sigma^2)} and (for s < 0) E[g^s] <= (1-q)^s cap that, and for
    large s the shifted mode alone gives q^s e^{s(s-1)/(2 sigma^2)}.
    """
    log_variance = -2 * math.log(sigma)
    order = float(s)
    curvature = abs(order * (order - 1)) / 2
    # Doubles will do unless s is next to 0 or 1, or huge.
    plain = 1e-6 < curvature < 1e290
    log_curvature = math.log(curvature) if plain else ln(abs(s * (s - 1)) / 2)
    log_half = log_curvature + log_variance
    if q == 1:
        return log_half
    log_q = ln(q)
    size = log_curvature + 2 * log_q + _log_expm1(log_variance)
    size = min(size, log_half, log_q + _log_expm1(log_half))
    if s.numerator < 0:
        return min(size, ln(-s) + log_q + 0.7) if 2 * q < 1 else size
    variance = math.exp(log_variance)
    if log_q - ln_complement(q) + (order - 0.5) * variance < 3:
        return size  # the shifted component is no mode of its own
    shifted = order * log_q + math.exp(log_half)
    return max(size, math.log(shifted) if shifted > 1 else min(shifted, 0.0) + log_curvature)


def log_size_kl(q: Fraction, sigma: float) -> float:
    """A guess of ln |E[g^s ln g]| at s = 0 and 1: second order, or the convexity bound."""
    log_variance = -2 * math.log(sigma)
    log_q = ln(q)
    return min(2 * log_q + _log_expm1(log_variance), log_q + log_variance) - math.log(2)


def _log_expm1(log_x: float) -> float:
    """ln(e^x - 1) from ln x, whatever the size of x."""
    if log_x < -30:
        return log_x
    x = math.exp(log_x)
    return x if x > 40 else math.log(math.expm1(x))
