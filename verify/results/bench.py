"""What ``sgm-verify bench --json`` writes: times of one run, in seconds, to be compared among themselves."""

from __future__ import annotations

import datetime
from typing import Annotated

import msgspec

from verify.results.document import Document, Part

Seconds = Annotated[float, msgspec.Meta(gt=0)]
Digits = Annotated[int, msgspec.Meta(gt=0)]


class PointTimes(Part, frozen=True):
    """One point; None where a contestant does not take part."""

    q: float
    sigma: float
    alpha: float
    certified: Seconds
    quad: Seconds | None
    double: Seconds | None
    dp_accounting: Seconds | None


class CurveTimes(Part, frozen=True):
    """All default orders of dp-accounting at one (q, sigma), both directions."""

    q: float
    sigma: float
    certified: Seconds
    reverse: Seconds
    dp_accounting: Seconds | None


class DigitTime(Part, frozen=True):
    """One number to so many digits; None where it took too long."""

    digits: Digits
    seconds: Seconds | None


class AgainstDigits(Part, frozen=True):
    """Every engine at one point; those that cannot reach it, with the reason."""

    point: str
    engines: dict[str, tuple[DigitTime, ...]]
    unreachable: dict[str, str]
    growth: float  # exponent of the power law fitted to the first engine

    def __post_init__(self) -> None:
        """The engines were timed at the same digits, the first of them with success."""
        asked = {tuple(time.digits for time in sweep) for sweep in self.engines.values()}
        if len(asked) != 1:
            raise ValueError("the engines were not timed at the same numbers of digits")
        digits = asked.pop()
        if not digits or list(digits) != sorted(set(digits)):
            raise ValueError("the numbers of digits do not rise")
        if next(iter(self.engines.values()))[0].seconds is None:
            raise ValueError("nothing to compare with")


class OrderTime(Part, frozen=True):
    """One number at an order."""

    alpha: float
    seconds: Seconds


class AgainstAlpha(Part, frozen=True):
    """The certified engine at rising orders."""

    times: tuple[OrderTime, ...]
    growth: float


class CurveTime(Part, frozen=True):
    """A curve of so many orders."""

    orders: Digits
    seconds: Seconds


class AgainstOrders(Part, frozen=True):
    """Whole curves, at so many digits."""

    digits: Digits
    times: tuple[CurveTime, ...]


class Bench(Document, frozen=True, tag="sgm-verify bench 3"):
    """A recorded bench. Ratios are geometric means; None where there was nothing to compare with."""

    date: datetime.date
    engines_sha256: str
    digits: Digits
    points: tuple[PointTimes, ...]
    curves: tuple[CurveTimes, ...]
    times_faster_than_mpmath_quad: float | None
    double_as_long_as_dp_accounting: float | None
    curve_as_long_as_dp_accounting: float | None
    dp_accounting_points: int
    against_digits: AgainstDigits
    against_alpha: AgainstAlpha
    against_orders: AgainstOrders
