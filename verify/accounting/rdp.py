"""epsilon by way of RDP: over a list of orders, and a table of all lists and conversions.

F(alpha) first falls and then rises (``conversions``): one order of a list whose neighbours in the
list are surely larger is the minimum of the list. All real orders are the business of
``best_order``.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from flint import arb

from verify.accounting.best_order import over_all
from verify.accounting.conversions import CONVERSIONS, ORDERS
from verify.accounting.history import History
from verify.accounting.renyi import RdpEpsilon, RenyiCurve, clip_at_zero
from verify.numbers.balls import ball, precision
from verify.numbers.budget import Deadline
from verify.numbers.certified import Certified
from verify.numbers.errors import OutOfDomain


def over_list(
    curve: RenyiCurve, delta: Fraction, conversion: str, orders: str | tuple[Fraction, ...]
) -> RdpEpsilon:
    """The minimum over a list of orders: a name of ORDERS, or the orders themselves."""
    listed = ORDERS[orders] if isinstance(orders, str) else orders
    if not listed or min(listed) <= 1:
        raise OutOfDomain("orders must be above 1, and at least one")
    sequence = sorted(set(listed))
    name = orders if isinstance(orders, str) else f"{len(sequence)} orders given"
    convert = CONVERSIONS[conversion]
    with precision(curve.bits):
        inverse = -ball(delta).log()

        def value(i: int) -> arb:
            return convert(ball(sequence[i]), curve.at(sequence[i]), inverse)

        i = _start(curve, delta, conversion, sequence)
        while True:  # downhill; a tie that balls cannot decide is as good as a minimum
            curve.deadline.check()
            if i + 1 < len(sequence) and value(i + 1) < value(i):
                i += 1
            elif i > 0 and value(i - 1) < value(i):
                i -= 1
            else:
                break
        least = value(i)
        for side in (range(i + 1, len(sequence)), range(i - 1, -1, -1)):
            for j in side:
                if value(j) > value(i):  # from here on they only grow
                    break
                least = least.min(value(j))
        return RdpEpsilon(name, conversion, clip_at_zero(least), Certified.exactly(sequence[i]))


def _start(
    curve: RenyiCurve, delta: Fraction, conversion: str, sequence: Sequence[Fraction]
) -> int:
    """Where doubles see the valley, by halving: with many phases each look takes long."""
    low, high = 0, len(sequence) - 1
    while low < high:
        middle = (low + high) // 2
        here, next_one = (
            curve.rough(conversion, float(sequence[i]), delta) for i in (middle, middle + 1)
        )
        low, high = (low, middle) if here <= next_one else (middle + 1, high)
    return low


def rdp_table(
    history: History,
    delta: Fraction,
    digits: int,
    deadline: Deadline,
    conversions: tuple[str, ...] = ("cks", "mironov"),
) -> list[RdpEpsilon]:
    """All conversions over dp-accounting's orders, Opacus's orders and all real orders.

    >>> from verify.accounting.history import history
    >>> table = rdp_table(history([("0.01", 1, 1000)]), Fraction(1, 10**5), 10, Deadline())
    >>> print(table[0].orders, table[0].conversion, table[0].epsilon)
    dp-accounting cks 2.10136527164839...
    """
    if not 0 < delta < 1:
        raise OutOfDomain("RDP gives an epsilon for 0 < delta < 1 only")
    if not history:
        return []
    curve = RenyiCurve(history, digits + 4, deadline)
    fine = RenyiCurve(history, 2 * digits + 12, deadline)
    found = []
    for conversion in conversions:
        found += [over_list(curve, delta, conversion, name) for name in ORDERS]
        found.append(over_all(fine, delta, conversion, digits))
    return found
