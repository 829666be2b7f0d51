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

from verify.certified import nearest_double
from verify.errors import OutOfDomain
from verify.point import exact, exact_text

SIGNIFICANT = 12
MAX_SIGNIFICANT = 100
_REMEMBERED = 1 << 14  # values of a grid: enough for every grid that is not the sweep itself
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
            x = Fraction(double)
        return cls(x, exact_text(x), double)

    def finite(self) -> Fraction:
        """The number, where it cannot be infinite."""
        if self.exact is None:
            raise OutOfDomain("inf: must be finite here")
        return self.exact


class Axis(Protocol):
    """So many values; ``at`` gives one by its index, ``drawn`` one by a number in [0, 2^64)."""

    @property
    def count(self) -> int: ...

    def at(self, k: int) -> Coordinate: ...

    def drawn(self, u: int) -> Coordinate: ...

    def ends(self) -> tuple[Fraction | None, Fraction | None]: ...

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

    def drawn(self, u: int) -> Coordinate:
        return self.at(u * self.count >> 64)

    def ends(self) -> tuple[Fraction | None, Fraction | None]:
        finite = [x for x in self.values if x is not None]
        return (min(finite) if finite else None), (None if None in self.values else max(finite))

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

    def drawn(self, u: int) -> Coordinate:
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
        return self.low, self.high

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
        raise OutOfDomain(f"{name}: from = {exact_text(low)} is above to = {exact_text(high)}")
    log = _scale(name, given) == "log"
    if log and low <= 0:
        raise OutOfDomain(f"{name}: a logarithmic range must begin above 0")
    whole = flag(f"{name}.whole", given.get("whole", False))
    significant = given.get("significant")
    if significant is not None:
        significant = whole_number(f"{name}.significant", significant, 1, MAX_SIGNIFICANT)
    count = _count(name, given, low, high, random)
    if "step" in given:
        high = low + (count - 1) * _step(name, given)
    if whole and (count or log):
        raise OutOfDomain(f"{name}: whole goes with a range to draw from, at equal steps")
    if whole and math.ceil(low) > math.floor(high):
        raise OutOfDomain(f"{name}: no whole number between from and to")
    if random and not count and significant is None:
        significant = SIGNIFICANT
    return Range(low, high, count, log, whole, significant, doubles)


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
        raise OutOfDomain(f"{name}.scale = {scale!r:.40}: must be 'linear' or 'log'")
    return str(scale)


def _step(name: str, given: dict[str, Any]) -> Fraction:
    step = number(f"{name}.step", given["step"])
    if step is None or step <= 0:
        raise OutOfDomain(f"{name}.step = {given['step']!s:.40}: must be a finite number > 0")
    return step


def number(name: str, given: Any) -> Fraction | None:
    """The exact rational somebody wrote (TOML's 0.01 is one hundredth); None is infinity."""
    if isinstance(given, bool) or not isinstance(given, (int, str)):
        raise OutOfDomain(f"{name} = {given!r:.40}: must be a number")
    return exact(name, given, "a number")


def whole_number(name: str, given: Any, low: int, high: int) -> int:
    if isinstance(given, bool) or not isinstance(given, int) or not low <= given <= high:
        raise OutOfDomain(f"{name} = {given!r:.40}: must be a whole number from {low} to {high}")
    return given


def flag(name: str, given: Any) -> bool:
    if not isinstance(given, bool):
        raise OutOfDomain(f"{name} = {given!r:.40}: must be true or false")
    return given


def only(table: dict[str, Any], allowed: set[str], where: str) -> None:
    """Refuse keys that mean nothing here: a misspelt one must not be ignored."""
    for key in table:
        if key not in allowed:
            raise OutOfDomain(
                f"{where}: unknown key {key!r:.40}; there are {', '.join(sorted(allowed))}"
            )
