"""Values of one parameter: lists, grids and ranges, each value computed from its index alone.

Every value is an exact rational, the same on every machine: logarithmic grids go through the decimal
module, whose exp and ln are correctly rounded, and not through the platform's.

>>> axis = parse_axis("q", {"from": "1e-6", "to": "1e-2", "count": 5, "scale": "log"}, False)
>>> [axis.at(k).text for k in range(axis.count)]
['0.000001', '0.00001', '0.0001', '0.001', '0.01']
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, NamedTuple, Protocol

from verify.numbers.certified import double_above, nearest_double
from verify.numbers.errors import OutOfDomain
from verify.numbers.point import exact_text
from verify.sweeps.given import PRINTABLE, flag, number, only, quote, readable, whole_number

SIGNIFICANT = 12
MAX_SIGNIFICANT = 100
_REMEMBERED = 1 << 14  # values of a grid: enough for every grid that is not the sweep itself
_ENUMERATED = 1 << 12  # values looked at one by one to see whether two are equal
_MANY = 10**9  # values to draw from, among which two draws hardly meet
_DOUBLE_DIGITS = 15  # so many decimal digits survive in a double
_RANGE_KEYS = {"from", "to", "count", "step", "scale", "whole", "significant"}


class Coordinate(NamedTuple):
    """An exact parameter (None is infinity), the one text it has, and the nearest double."""

    exact: Fraction | None
    text: str
    double: float

    @classmethod
    def of(cls, x: Fraction | None, doubles: bool = False) -> Coordinate:
        """The number, or with ``doubles`` the double nearest to it.

        >>> Coordinate.of(Fraction(1, 10), doubles=True).exact == Fraction(0.1)
        True
        """
        double = math.inf if x is None else nearest_double(x)
        if doubles and x is not None:
            if math.isinf(double):
                raise OutOfDomain("beyond the largest double (1.8e308), and doubles = true")
            x = Fraction(double)
        return cls(x, exact_text(x), double)

    @classmethod
    def rounded(cls, x: Fraction, up: bool, doubles: bool) -> Coordinate:
        """Like ``of``, but with ``doubles`` to the next one above or below.

        >>> Coordinate.rounded(Fraction(1, 10), up=False, doubles=True).exact <= Fraction(1, 10)
        True
        """
        if not doubles:
            return cls.of(x)
        double = double_above(x) if up else double_below(x)
        return cls.of(x, doubles) if math.isinf(double) else cls.of(Fraction(double))

    def finite(self) -> Fraction:
        """The number, where it cannot be infinite."""
        if self.exact is None:
            raise OutOfDomain("inf: must be finite here")
        return self.exact


def double_below(x: Fraction) -> float:
    """The largest double <= x.

    >>> double_below(Fraction(1, 10)), double_below(Fraction(3))
    (0.09999999999999999, 3.0)
    """
    return -double_above(-x)


class Axis(Protocol):
    """So many values; ``at`` gives one by its index, ``draw`` one by a number in [0, 2^64)."""

    @property
    def count(self) -> int: ...

    def at(self, k: int) -> Coordinate: ...

    def draw(self, u: int) -> Coordinate: ...

    def ends(self) -> tuple[Fraction | None, Fraction | None]:
        """The least and the largest value, as they will be (rounded)."""

    @property
    def may_repeat(self) -> bool:
        """Whether two indices may have one value. Of very many rounded values it is assumed."""

    @property
    def continuous(self) -> bool:
        """Whether values are drawn from so many that two will hardly meet."""

    def canonical(self) -> Any: ...


@dataclass(frozen=True)
class Listed:
    """Values one by one."""

    values: tuple[Fraction | None, ...]
    doubles: bool

    @property
    def count(self) -> int:
        return len(self.values)

    @cached_property
    def _coordinates(self) -> list[Coordinate]:
        return [Coordinate.of(x, self.doubles) for x in self.values]

    def at(self, k: int) -> Coordinate:
        return self._coordinates[k]

    def draw(self, u: int) -> Coordinate:
        return self.at(u * self.count >> 64)

    def ends(self) -> tuple[Fraction | None, Fraction | None]:
        values = [x.exact for x in self._coordinates]
        finite = [x for x in values if x is not None]
        return (min(finite) if finite else None), (None if None in values else max(finite))

    @property
    def may_repeat(self) -> bool:
        return len({x.text for x in self._coordinates}) < self.count

    @property
    def continuous(self) -> bool:
        return False

    def canonical(self) -> Any:
        return [exact_text(x) for x in self.values]


@dataclass(frozen=True)
class Range:
    """From low to high: ``count`` values at equal steps or ratios; with count 0 only to draw from."""

    low: Fraction
    high: Fraction
    count: int
    log: bool
    whole: bool
    significant: int | None
    doubles: bool

    @cached_property
    def _known(self) -> dict[int, Coordinate]:
        return {}

    def at(self, k: int) -> Coordinate:
        found = self._known.get(k)
        if found is None:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            found = self._known[k] = self._value(k)
        return found

    def _value(self, k: int) -> Coordinate:
        if k in (0, self.count - 1):
            return Coordinate.of(self.high if k else self.low, self.doubles)
        return self._between(Fraction(k, self.count - 1))

    def draw(self, u: int) -> Coordinate:
        if self.count:
            return self.at(u * self.count >> 64)
        if self.whole:
            low, high = math.ceil(self.low), math.floor(self.high)
            return Coordinate.of(Fraction(low + (u * (high - low + 1) >> 64)), self.doubles)
        return self._between(Fraction(u, 2**64))

    def _between(self, part: Fraction) -> Coordinate:
        if self.log:
            x = self._power(part)
        else:
            x = self.low + part * (self.high - self.low)
            if self.significant is not None:
                x = Fraction(_decimal(x, self.significant))
        return Coordinate.of(min(max(x, self.low), self.high), self.doubles)

    def _power(self, part: Fraction) -> Fraction:
        digits = SIGNIFICANT if self.significant is None else self.significant
        wide = Context(prec=digits + 15)
        low, span = _logs(self.low, self.high, wide.prec)
        exponent = wide.divide(wide.multiply(span, part.numerator), part.denominator)
        return Fraction(Context(prec=digits).plus(wide.exp(wide.add(low, exponent))))

    def ends(self) -> tuple[Fraction | None, Fraction | None]:
        ends = (Coordinate.of(x, self.doubles).exact for x in (self.low, self.high))
        return next(ends), next(ends)

    @property
    def may_repeat(self) -> bool:
        if not self.log and self.significant is None and not self.doubles:
            return False  # exact values at equal steps
        if self.count > _ENUMERATED:
            return True
        return len({self.at(k).text for k in range(self.count)}) < self.count

    @property
    def continuous(self) -> bool:
        digits = SIGNIFICANT if self.significant is None else self.significant
        values = (self.high - self.low) * 10 ** min(digits, _DOUBLE_DIGITS)
        return not self.count and not self.whole and values >= _MANY * self.high

    def canonical(self) -> Any:
        table: dict[str, Any] = {"from": exact_text(self.low), "to": exact_text(self.high)}
        table |= {"count": self.count} if self.count else {}
        table |= {"scale": "log"} if self.log else {}
        table |= {"whole": True} if self.whole else {}
        return table | ({} if self.significant is None else {"significant": self.significant})


@lru_cache(maxsize=256)
def _logs(low: Fraction, high: Fraction, prec: int) -> tuple[Decimal, Decimal]:
    wide = Context(prec=prec)
    return wide.ln(_decimal(low, prec)), wide.ln(_decimal(high / low, prec))


def _decimal(x: Fraction, digits: int) -> Decimal:
    return Context(prec=digits).divide(Decimal(x.numerator), Decimal(x.denominator))


def parse_axis(name: str, given: Any, doubles: bool, random: bool = False) -> Axis:
    """An axis from what the spec says about q, sigma or alpha; one clear error if it is wrong."""
    if isinstance(given, list):
        if not given:
            raise OutOfDomain(f"{name} = []: an empty list leaves no points")
        return Listed(tuple(number(name, x) for x in given), doubles)
    if isinstance(given, dict):
        return _parse_range(name, given, doubles, random)
    return Listed((number(name, given),), doubles)


def _parse_range(name: str, given: dict[str, Any], doubles: bool, random: bool) -> Range:
    only(given, _RANGE_KEYS, name)
    for key in ("from", "to"):
        if key not in given:
            raise OutOfDomain(f"{name}: {key} is missing")
    low, high = number(f"{name}.from", given["from"]), number(f"{name}.to", given["to"])
    if low is None or high is None:
        raise OutOfDomain(f"{name}: a range must be finite (inf can stand in a list)")
    if low > high:
        raise OutOfDomain(
            f"{name}: from = {exact_text(low):.60} is above to = {exact_text(high):.60}"
        )
    log = _scale(name, given) == "log"
    if log and low <= 0:
        raise OutOfDomain(f"{name}: a logarithmic range must begin above 0")
    whole = flag(f"{name}.whole", given.get("whole", False))
    significant = given.get("significant")
    if significant is not None:
        significant = whole_number(f"{name}.significant", significant, 1, MAX_SIGNIFICANT)
    count = _count(name, given, low, high, random)
    if "step" in given:
        high = readable(name, low + (count - 1) * _step(name, given), given)
    if whole and (count or log):
        raise OutOfDomain(f"{name}: whole goes with a range to draw from, at equal steps")
    if whole and math.ceil(low) > math.floor(high):
        raise OutOfDomain(f"{name}: no whole number between from and to")
    if random and not count and significant is None:
        significant = SIGNIFICANT
    if not log and significant is None and not doubles:
        _check_length(name, low, high, count)
    return Range(low, high, count, log, whole, significant, doubles)


def _check_length(name: str, low: Fraction, high: Fraction, count: int) -> None:
    """Exact values between two long fractions are longer still, and must be written out."""
    common = math.lcm(low.denominator, high.denominator) * max(count - 1, 1)
    whole = max(math.ceil(abs(low)), math.ceil(abs(high)))
    if common.bit_length() + whole.bit_length() > PRINTABLE:
        raise OutOfDomain(f"{name}: its exact values have thousands of digits; give significant")


def _count(name: str, given: dict[str, Any], low: Fraction, high: Fraction, random: bool) -> int:
    if "count" in given and "step" in given:
        raise OutOfDomain(f"{name}: count or step, not both")
    if "step" in given:
        if given.get("scale", "linear") == "log":
            raise OutOfDomain(f"{name}: step goes with scale = 'linear'; use count")
        return int((high - low) / _step(name, given)) + 1
    if "count" in given:
        count = whole_number(f"{name}.count", given["count"], 0, 2**63 - 1)
        if count == 0:
            raise OutOfDomain(f"{name}.count = 0: an empty grid leaves no points")
        if (count == 1) != (low == high):
            raise OutOfDomain(f"{name}.count = {count}: one value if from = to, else two or more")
        return count
    if not random:
        raise OutOfDomain(f"{name}: count or step is missing (only random points need neither)")
    return 0


def _scale(name: str, given: dict[str, Any]) -> str:
    scale = given.get("scale", "linear")
    if scale not in ("linear", "log"):
        raise OutOfDomain(f"{name}.scale = {quote(scale)}: must be 'linear' or 'log'")
    return str(scale)


def _step(name: str, given: dict[str, Any]) -> Fraction:
    step = number(f"{name}.step", given["step"])
    if step is None or step <= 0:
        raise OutOfDomain(f"{name}.step = {quote(given['step'])}: must be a finite number > 0")
    return step
