"""Many points at once: orders at the same (q, sigma) share one set of nodes.

>>> points = [Point.of("0.01", 2, alpha) for alpha in (2, 8)]
>>> [str(x) for x in evaluate_many("rdp", points, 8, 60)]
['0.0000284021...', '0.0001157561...']
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from verify.moments.agreement import certified_from, closed_form
from verify.moments.divergence import before, moment_and_factor
from verify.moments.engines import Moment, family
from verify.numbers.budget import Deadline, checked_digits, checked_seconds
from verify.numbers.certified import Certified
from verify.numbers.point import Point

Place = tuple[int, Moment, Fraction]
"""Where a value goes, the moment it comes from, and the factor between them."""


def evaluate_many(
    quantity: str, points: Sequence[Point], digits: int, max_seconds: float, *, check: bool = False
) -> list[Certified]:
    """One of divergence.QUANTITIES at each point, in the order given; max_seconds for all of them.

    With ``check``, every one is confirmed by the other engines, one after the other.
    """
    digits, deadline = checked_digits(digits), Deadline(checked_seconds(max_seconds))
    if check:
        return [before(deadline, quantity, point, digits, check=True) for point in points]
    found: list[Certified | None] = [None] * len(points)
    curves: dict[tuple[int, int, int, int], list[Place]] = {}  # hashing fractions is slow
    for index, point in enumerate(points):
        if point.alpha is not None:
            moment, scale = moment_and_factor(quantity, point)
            if not moment.log and closed_form(moment) is None:
                key = (*point.q.as_integer_ratio(), *point.sigma.as_integer_ratio())
                curves.setdefault(key, []).append((index, moment, scale))
    for places in curves.values():
        deadline.check()
        first = places[0][1]
        orders = [moment.order for _, moment, _ in places]
        values = family.evaluate(first.q, first.sigma, orders, digits, deadline)
        for (index, moment, scale), value in zip(places, values, strict=True):
            found[index] = certified_from(moment, value, deadline.seconds, scale=scale)
    return [
        value or before(deadline, quantity, point, digits)
        for value, point in zip(found, points, strict=True)
    ]
