"""Whole orders by the binomial sum, in balls: proved, and without any discretisation.

For a whole n >= 0 expectation is linear, and E[e^{k (t/sigma - 1/(2 sigma^2))}] = e^{k(k-1) v} with
v = 1/(2 sigma^2), so A = E[g^n] is a finite sum; since the same sum without exponentials is 1,

    A - 1 = sum_{k=2}^{n} C(n,k) (1-q)^{n-k} q^k e_k,     e_k = e^{k(k-1) v} - 1.

Every term is positive. So are those of the recurrences, with d_k = e^{2 k v} - 1:

    e_{k+1} = e_k + (1 + e_k) d_k,     d_{k+1} = d_k + (1 + d_k) d_1.

Nothing cancels: ln A = ln(1 + (A-1)) has the relative accuracy of the terms however small A - 1 is, and
e^{1e13} is as good a ball as 1 + 1e-24. Rounding costs about 2 log2 n bits, and balls know it.

Only the binomials depend on n once (1-q)^n is taken out, so all orders up to N are one product of
Pascal's triangle and the vector of (q/(1-q))^k e_k.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Sequence
from fractions import Fraction

from flint import arb, arb_mat

from verify.moments.engines import Moment
from verify.numbers.balls import ball, enclosure, precision
from verify.numbers.budget import Deadline
from verify.numbers.certified import Enclosure
from verify.numbers.errors import OutOfReach, PrecisionExhausted

LARGEST = 3_000_000  # orders beyond this take minutes
QUICK = 128  # up to here nothing is faster
SHARED = 64  # up to here orders are taken together
_EXACT = 256  # up to here the binomials are kept as integers
_STRETCH = 1000  # terms between two looks at the clock


def evaluate(moment: Moment, digits: int, deadline: Deadline) -> Enclosure:
    """ln E[g^n] for a whole n >= 0, certified to the digits asked.

    >>> from fractions import Fraction as Q
    >>> x = evaluate(Moment(Q(1, 100), Q(2), Q(8)), 20, Deadline())
    >>> float(x.lo), x.proved
    (0.0008102930355093..., True)
    >>> evaluate(Moment(Q(1, 100), Q(2), Q(17, 2)), 20, Deadline())
    Traceback (most recent call last):
    ...
    verify.numbers.errors.OutOfReach: ln E[g^8.5] at q = 0.01, sigma = 2: no binomial sum at this order
    """
    n = moment.order.numerator
    if moment.log or moment.order.denominator != 1 or n < 0:
        raise OutOfReach(f"{moment}: no binomial sum at this order")
    if n > LARGEST:
        raise OutOfReach(f"{moment}: a sum of more than {LARGEST} terms")
    if moment.q == 0 or n < 2:
        return Enclosure(Fraction(0), Fraction(0), proved=True)
    if moment.q == 1:
        exact = n * (n - 1) / (2 * moment.sigma**2)
        return Enclosure(exact, exact, proved=True)
    wanted, bits = _bits(digits, n)
    for _ in range(4):
        excess = _short if n <= _EXACT else _long
        more = excess(moment.q, moment.sigma, n, bits, deadline)
        with precision(bits, deadline):
            result = more.log1p()
            if result.rel_accuracy_bits() >= wanted:
                return enclosure(result)
        bits *= 2
    raise PrecisionExhausted(f"{moment}: {digits} digits not reached with {bits} bits")


def together(
    q: Fraction, sigma: Fraction, orders: Sequence[int], digits: int, deadline: Deadline
) -> list[Enclosure | None]:
    """ln E[g^n] for each whole n from 2 to SHARED, 0 < q < 1; None where the digits were not reached.

    >>> from fractions import Fraction as Q
    >>> [float(x.lo) for x in together(Q(1, 100), Q(2), [2, 8], 20, Deadline()) if x]
    [2.84...e-05, 0.00081029303550...]
    """
    largest = max(orders)
    wanted, bits = _bits(digits, largest)
    with precision(bits, deadline):
        terms = [[power * e] for power, e in _terms(q, sigma, largest)]
        sums = _pascal(largest) * arb_mat(terms)
        rest = ball(1 - q)
        logs = [(sums[n - 2, 0] * rest**n).log1p() for n in orders]
        return [enclosure(x) if x.rel_accuracy_bits() >= wanted else None for x in logs]


def _bits(digits: int, n: int) -> tuple[int, int]:
    """Bits wanted of the logarithm, and to compute with."""
    wanted = math.ceil(digits * math.log2(10)) + 3
    return wanted, wanted + 2 * n.bit_length() + 8


def _long(q: Fraction, sigma: Fraction, n: int, bits: int, deadline: Deadline) -> arb:
    """A - 1, its terms one from the other; other threads may compute between two stretches."""
    with precision(bits, deadline):
        one, ratio = arb(1), ball(q / (1 - q))
        weight = ball(1 - q) ** n * ratio * n  # C(n,k) (1-q)^{n-k} q^k at k = 1
        d = first = (1 / ball(sigma) ** 2).expm1()
        e, total = arb(0), arb(0)
    for start in range(1, n, _STRETCH):
        deadline.check()
        with precision(bits, deadline):
            for k in range(start, min(start + _STRETCH, n)):
                e += (one + e) * d
                d += (one + d) * first
                weight = weight * ratio * (n - k) / (k + 1)
                total += weight * e
    return total


def _short(q: Fraction, sigma: Fraction, n: int, bits: int, deadline: Deadline) -> arb:
    """The same with exact binomials, for orders where every microsecond counts."""
    with precision(bits, deadline):
        total = arb(0)
        for binomial, (power, e) in zip(_binomials(n), _terms(q, sigma, n), strict=True):
            total += binomial * power * e
        return total * ball(1 - q) ** n


def _terms(q: Fraction, sigma: Fraction, n: int) -> Iterator[tuple[arb, arb]]:
    """(q/(1-q))^k and e_k for k = 2, ..., n, at the precision in force."""
    one, ratio = arb(1), ball(q / (1 - q))
    d = first = (1 / ball(sigma) ** 2).expm1()
    e, power = arb(0), ratio
    for _ in range(n - 1):
        e += (one + e) * d
        d += (one + d) * first
        power *= ratio
        yield power, e


@functools.lru_cache(maxsize=_EXACT)
def _binomials(n: int) -> tuple[arb, ...]:
    """C(n, 2), ..., C(n, n), without radius whatever the precision in force."""
    return tuple(arb(math.comb(n, k)) for k in range(2, n + 1))


@functools.lru_cache(maxsize=SHARED)
def _pascal(largest: int) -> arb_mat:
    """C(n, k) for n and k from 2 to the largest order, without radius."""
    return arb_mat(
        [[math.comb(n, k) for k in range(2, largest + 1)] for n in range(2, largest + 1)]
    )
