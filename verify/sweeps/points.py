"""Blocks of points: the k-th point of a block, without making the others.

Grids run through alpha first, then sigma, then q. Random points come from a hash of seed, block and
index, so that any of them can be had alone, in any order, in any process.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from verify.numbers.errors import OutOfDomain
from verify.numbers.point import Point, exact_text
from verify.sweeps.axes import Axis, Coordinate, parse_axis
from verify.sweeps.boundary import SIDES, Edge, check_rate, checked_curve
from verify.sweeps.given import many, number, only, quote, whole_number

_MOST = 2**63 - 1  # SQLite's largest integer


class SweepPoint(NamedTuple):
    """A point of a sweep; alpha may be yet to find (an Edge), or not be wanted (None)."""

    q: Coordinate
    sigma: Coordinate
    alpha: Coordinate | Edge | None


@dataclass(frozen=True)
class OrdersOnBoundary:
    """Orders on a boundary, found where the point is computed."""

    curve: str
    sides: tuple[str, ...]

    def canonical(self) -> Any:
        return {"curve": self.curve, "at": list(self.sides)}


@dataclass(frozen=True)
class Block:
    """The product of three axes, or so many points drawn from them."""

    number: int
    q: Axis
    sigma: Axis
    alpha: Axis | OrdersOnBoundary | None
    random: tuple[int, int] | None  # count, seed

    @property
    def count(self) -> int:
        if self.random is not None:
            return self.random[0]
        return self.q.count * self.sigma.count * self._orders

    @property
    def _orders(self) -> int:
        if self.alpha is None:
            return 1
        return (
            len(self.alpha.sides) if isinstance(self.alpha, OrdersOnBoundary) else self.alpha.count
        )

    def at(self, k: int) -> SweepPoint:
        if self.random is not None:
            return self._draw_point(k)
        k, order = divmod(k, self._orders)
        rate, noise = divmod(k, self.sigma.count)
        alpha = self.alpha
        return SweepPoint(
            self.q.at(rate),
            self.sigma.at(noise),
            Edge(alpha.curve, alpha.sides[order])
            if isinstance(alpha, OrdersOnBoundary)
            else None if alpha is None else alpha.at(order),
        )  # fmt: skip

    def _draw_point(self, k: int) -> SweepPoint:
        seed = self.random[1] if self.random else 0
        text = f"sgm-verify;{seed};{self.number};{k}".encode()
        bits = hashlib.blake2b(text, digest_size=24).digest()
        u, v, w = (int.from_bytes(bits[i : i + 8], "big") for i in (0, 8, 16))
        alpha = self.alpha
        return SweepPoint(
            self.q.draw(u),
            self.sigma.draw(v),
            Edge(alpha.curve, alpha.sides[w * len(alpha.sides) >> 64])
            if isinstance(alpha, OrdersOnBoundary)
            else None if alpha is None else alpha.draw(w),
        )  # fmt: skip

    @property
    def may_repeat(self) -> bool:
        """Whether one point may well have two indices."""
        axes = [self.q, self.sigma]
        if self.alpha is not None and not isinstance(self.alpha, OrdersOnBoundary):
            axes.append(self.alpha)
        if self.random is not None:
            return not any(axis.continuous for axis in axes)
        return any(axis.may_repeat for axis in axes)

    def corners(self) -> list[Point]:
        """The extreme points: if these are in the domain, all are. Curves have none of their own."""
        alpha = self.alpha
        orders: tuple[Fraction | None, ...] = (
            (Fraction(2),) if alpha is None or isinstance(alpha, OrdersOnBoundary) else alpha.ends()
        )
        ends = [(q, s, a) for q in self.q.ends() for s in self.sigma.ends() for a in orders]
        return [Point.of(*(exact_text(x) for x in end)) for end in ends]

    def canonical(self) -> dict[str, Any]:
        table = {"q": self.q.canonical(), "sigma": self.sigma.canonical()}
        table |= {} if self.alpha is None else {"alpha": self.alpha.canonical()}
        if self.random is not None:
            table["random"] = {"count": self.random[0], "seed": self.random[1]}
        return table


def parse_block(index: int, given: Any, with_alpha: bool, doubles: bool) -> Block:
    """A block from one [[points]] of the spec."""
    where = f"points[{index}]"
    if not isinstance(given, dict):
        raise OutOfDomain(f"{where}: must be a table ([[points]])")
    only(given, {"q", "sigma", "random"} | ({"alpha"} if with_alpha else set()), where)
    for name in ("q", "sigma", *(["alpha"] if with_alpha else [])):
        if name not in given:
            raise OutOfDomain(f"{where}: {name} is missing")
    random = _parse_random(where, given.get("random"))
    drawn = random is not None
    q = parse_axis(f"{where}.q", given["q"], doubles, drawn)
    sigma = parse_axis(f"{where}.sigma", given["sigma"], doubles, drawn)
    alpha = _parse_alpha(f"{where}.alpha", given["alpha"], doubles, drawn) if with_alpha else None
    block = Block(index, q, sigma, alpha, random)
    if block.count > _MOST:
        raise OutOfDomain(f"{where}: {many(block.count)} points are more than can be counted")
    try:
        corners = block.corners()
        if isinstance(alpha, OrdersOnBoundary):
            for corner in corners:
                check_rate(corner.q)
    except OutOfDomain as error:
        raise OutOfDomain(f"{where}: {error}") from error
    return block


def _parse_random(where: str, given: Any) -> tuple[int, int] | None:
    if given is None:
        return None
    if not isinstance(given, dict):
        raise OutOfDomain(f"{where}.random: must be a table such as {{ count = 1000, seed = 1 }}")
    only(given, {"count", "seed"}, f"{where}.random")
    for key in ("count", "seed"):
        if key not in given:
            raise OutOfDomain(f"{where}.random: {key} is missing")
    count = whole_number(f"{where}.random.count", given["count"], 1, _MOST)
    return count, whole_number(f"{where}.random.seed", given["seed"], 0, 2**63 - 1)


def _parse_alpha(where: str, given: Any, doubles: bool, drawn: bool) -> Axis | OrdersOnBoundary:
    if not isinstance(given, dict) or "curve" not in given:
        return parse_axis(where, given, doubles, drawn)
    only(given, {"curve", "at"}, where)
    checked_curve(f"{where}.curve", given["curve"])
    sides = given.get("at", list(SIDES))
    if not isinstance(sides, list) or not sides:
        raise OutOfDomain(f"{where}.at: must be a list of 'inside', 'outside' or factors")
    # Boundaries are found by the workers: nobody could skip a side given twice later on.
    once = dict.fromkeys(_side(f"{where}.at", side) for side in sides)
    return OrdersOnBoundary(given["curve"], tuple(once))


def _side(where: str, given: Any) -> str:
    if given in SIDES:
        return str(given)
    try:
        factor = number(where, given)
    except OutOfDomain:
        factor = None
    if factor is None or factor <= 0:
        raise OutOfDomain(f"{where} = {quote(given)}: must be 'inside', 'outside' or a factor > 0")
    return exact_text(factor)
