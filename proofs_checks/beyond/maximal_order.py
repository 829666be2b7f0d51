"""Up to which order the bound is exactly true: certified brackets, and why there is only one."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

import sympy

from proofs_checks.beyond.monotone import monotone
from proofs_checks.beyond.unconditional import raw_moment
from proofs_checks.quantities.crossing_boxes import Box, Crossing, cover
from proofs_checks.quantities.engine import log_moment
from proofs_checks.quantities.maximal_alpha import (
    decimals,
    first_condition,
    maximal_alpha,
    maximality,
    second_condition,
)
from proofs_checks.tools.algebra import identity
from verify.claims import (
    Evidence,
    Profile,
    StepFails,
    all_of,
    certified_points,
    certified_region,
    claim,
    rests_on,
)

PLACES = (("0.01", "4"), ("0.2", "10"), ("0.2", "4"), ("0.1", "4"), ("1e-6", "4"), ("0.001", "10"))
DIGITS = 40


@claim(
    "beyond/maximal-order/one-crossing",
    lines="beyond",
    kind="inequality",
    domain=r"10^{-2} \le q \le 1/5\ (\text{full: } 10^{-6}),\ 4 \le \sigma \le 10,\ \alpha > 1",
    statement=r"\varepsilon \le 2q^2\alpha/\sigma^2 \iff \alpha \le \alpha^*(q, \sigma)",
    broken={
        "bracket moved up by a millionth": {"shift": Fraction(1, 10**6)},
        "bracket moved down by a millionth": {"shift": Fraction(-1, 10**6)},
    },
)
def one_crossing(
    shift: Fraction = Fraction(0), profile: Profile = Profile.QUICK
) -> Iterator[Evidence]:
    """At every q and sigma of the region the bound holds up to one order and fails at all larger ones.
    Below: epsilon never falls with alpha, so finitely many orders settle everything but the last
    stretch. There ln A, being convex, can only cross the bound upwards. Above: prolonged chords lie
    under ln A up to an order from which A >= q^alpha e^{alpha(alpha-1)/(2 sigma^2)} is enough. Epsilon
    rises with q and falls with sigma, so a box of both is settled by two corners."""
    g, order = sympy.symbols("g a", positive=True)
    convex = identity(
        sympy.diff(g**order, order, 2),
        g**order * sympy.log(g) ** 2,
        "moments are convex in the order",
    )
    places = PLACES[:4] if profile is Profile.QUICK else PLACES
    steps = 0
    for text, noise in places:
        q, sigma = Fraction(text), Fraction(noise)
        lo, hi = maximal_alpha(q, sigma, 15)
        if shift:
            lo, hi = lo * (1 + shift), hi * (1 + shift)
            _not_refuted(q, sigma, lo, hi)
        found = maximality(q, sigma, lo, hi)
        steps += len(found.chain) + len(found.beyond)
    boxes = len(list(_boxes(Fraction(1, 100 if profile is Profile.QUICK else 10**6))))
    yield all_of(
        convex,
        certified_region(
            boxes,
            detail=f"the whole region in {boxes} boxes of q and sigma, by corners",
            boxes=boxes,
        ),
        rests_on(raw_moment, monotone),
    )
    told = f"to 15 digits at {len(places)} points, {steps} certified orders"
    yield all_of(convex, certified_points(steps, detail=told), rests_on(raw_moment))


def _boxes(smallest: Fraction) -> Iterator[Crossing]:
    """Boxes with one crossing each that cover smallest <= q <= 1/5, 4 <= sigma <= 10."""
    rates = _steps(smallest, Fraction(1, 5), Fraction(5, 4))
    noises = _steps(Fraction(4), Fraction(10), Fraction(112, 100))
    for (q1, q2), (s1, s2) in itertools.product(pairwise(rates), pairwise(noises)):
        yield from cover(Box(q1, q2, s1, s2), Fraction(2))


def _steps(first: Fraction, last: Fraction, ratio: Fraction) -> list[Fraction]:
    ends = [first]
    while ends[-1] * ratio < last:
        ends.append((ends[-1] * ratio).limit_denominator(10**9))
    return [*ends, last]


def _not_refuted(q: Fraction, sigma: Fraction, lo: Fraction, hi: Fraction) -> None:
    """Rejected if balls show the wrong sign at an end."""
    c = 2 * q**2 / sigma**2
    if log_moment(q, sigma, lo).lo > c * lo * (lo - 1):
        raise StepFails(f"the bound fails already at {float(lo)}")
    if log_moment(q, sigma, hi).hi < c * hi * (hi - 1):
        raise StepFails(f"the bound still holds at {float(hi)}")


@claim(
    "beyond/maximal-order/forty-digits",
    lines="beyond",
    kind="assertion",
    domain=r"(q, \sigma) = (0.01, 4), (0.2, 10)",
    statement=r"\alpha^*(0.01, 4) = 147.70138763987753\ldots,\quad \alpha^*(0.2, 10) = "
    r"347.41843217520433\ldots",
    broken={
        "the orders exchanged": {"exchanged": True},
        "bound a quarter as large": {"factor": Fraction(1, 2)},
    },
)
def forty_digits(exchanged: bool = False, factor: Fraction = Fraction(2)) -> Iterator[Evidence]:
    """The order up to which the bound is exactly true, to 40 digits at two points of the figure;
    the same function gives any number of digits anywhere, and does so for the two conditions."""
    expected = ["147.70138763987753", "347.41843217520433"]
    if exchanged:
        expected.reverse()
    for (text, noise), start in zip(PLACES[:2], expected, strict=True):
        q, sigma = Fraction(text), Fraction(noise)
        try:
            lo, hi = maximal_alpha(q, sigma, DIGITS, factor=factor)
        except ValueError as error:
            raise StepFails(f"q = {q}, sigma = {sigma}: {error}") from error
        shown = decimals(lo, hi)
        if not shown.startswith(start) or (hi - lo) * 10**DIGITS > hi:
            raise StepFails(f"q = {text}, sigma = {noise}: {shown}")
        first, second = (decimals(*f(q, sigma, 20)) for f in (first_condition, second_condition))
        yield certified_points(
            detail=f"q = {text}, sigma = {noise}: {shown}; conditions end at {first} and {second}"
        )
