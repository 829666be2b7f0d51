"""Points that nobody has seen before, drawn anew for every check.

A program that has learnt the published vectors by heart is right at all of them. So every check asks at
points of its own, from a seed of entropy that is printed: whoever has it gets the same points. There are six
kinds, since there are more ways to be right at the points one expects:

* ``training``: parameters as training runs have them, over all of the declared region, with all 53 bits of each drawn;
* ``batches``: a batch over a data set, like 256/60000, short decimals for sigma, orders that libraries try;
* ``noises``: every sigma that people write, from 0.1 to 10.0 by tenths and from 0.40 to 2.00 by hundredths, and
  every order that libraries try by default, so that none of them can be special;
* ``rates``: every q that people write, batches over data sets and short decimals, for the same reason;
* ``neighbours``: just beside a published vector, where whoever rounds or looks up answers for the vector itself;
* ``extremes``: far outside of what anybody trains with, all bits drawn.

Only a program that is wrong at single points of full length, or in a small part of the space, is not found this way.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from verify.judge.protocol.domain import Domain
from verify.judge.protocol.question import Question
from verify.judge.verdict.judged import Asked
from verify.judge.verdict.training import ALPHA, SIGMA, Q
from verify.judge.verdict.truth import truth
from verify.numbers.errors import SgmError
from verify.vectors import load
from verify.vectors.grid import DEFAULT_ORDERS, Triple, intrinsic

Draw = Callable[[random.Random], Triple]
NOISES: tuple[float, ...] = tuple(
    sorted({k / 10 for k in range(1, 101)} | {k / 100 for k in range(40, 201)})
)
BATCHES = (16, 32, 50, 64, 100, 128, 200, 250, 256, 500, 512, 600, 1000, 1024, 2000, 2048, 4096)
SIZES = (10_000, 25_000, 29_305, 45_000, 50_000, 60_000, 67_349, 73_257, 100_000, 1_281_167)
RATES: tuple[float, ...] = tuple(
    sorted(
        {batch / size for batch in BATCHES for size in SIZES if 4 * batch <= size}
        | {float(f"{k}e-{places}") for k in range(1, 10) for places in (1, 2, 3, 4)}
    )
)


@dataclass(frozen=True, slots=True)
class Fresh:
    """A point that was drawn."""

    id: str
    flags: tuple[str, ...]
    q: float
    sigma: float
    alpha: float


@dataclass(frozen=True, slots=True)
class Drawn:
    """Fresh points with what is true there; ``unreachable`` is the number of those where that is not known."""

    points: tuple[Asked, ...] = ()
    unreachable: int = 0


def draw_points(
    seed: int, count: int, quantity: str = "rdp", domain: Domain | None = None
) -> Drawn:
    """The points of a seed that are in a domain, ready to be asked."""
    inside = (domain or Domain()).holds
    found, unreachable = [], 0
    for point in points(seed, count):
        if inside(point.q, point.sigma, point.alpha):
            question = Question(quantity, point.q, point.sigma, point.alpha)
            try:
                found.append(Asked(point.id, point.flags, question, truth(question)))
            except SgmError:  # no truth, no grade: counted, never guessed
                unreachable += 1
    return Drawn(tuple(found), unreachable)


def points(seed: int, count: int) -> list[Fresh]:
    """That many points, the same for the same seed.

    Up to a third of them have the sigmas and orders that people write, up to a quarter the rates, a twelfth are
    neighbours of vectors; of the others half are of the kind training, the rest of the two other kinds.

    >>> [point.sigma for point in points(7, 4)] == [point.sigma for point in points(7, 4)]
    True
    """
    if count <= 0:
        return []
    rng = random.Random(seed)
    found = [*_noises(rng, count // 3), *_rates(rng, count // 4), *_neighbours(rng, count // 12)]
    found += _in_turn(rng, count - len(found))
    rng.shuffle(found)
    return found


def _noises(rng: random.Random, most: int) -> Iterator[Fresh]:
    """Each sigma once, and each order, as far as the count allows: a sample then, never always the same."""
    sigmas = rng.sample(NOISES, min(len(NOISES), most))
    orders = rng.sample(DEFAULT_ORDERS, len(DEFAULT_ORDERS))
    for sigma, alpha in zip(sigmas, itertools.cycle(orders), strict=False):
        # Not so small a q that an error of a ten-thousandth would drown in what is adequate anywhere.
        q = _log(rng, 1e-3, 0.1) if sigma <= 2 else _log(rng, 0.02, 0.3)
        yield _fresh("noises", (q, sigma, alpha))


def _rates(rng: random.Random, most: int) -> Iterator[Fresh]:
    """Each q once, so far; little noise and large orders for the same reason."""
    for q in rng.sample(RATES, min(len(RATES), most)):
        yield _fresh("rates", (q, _log(rng, 0.4, 0.6), _order(rng, 64.0, least=16.0)))


def _neighbours(rng: random.Random, count: int) -> Iterator[Fresh]:
    """Beside vectors of ordinary size, a hundred thousandth to a thousandth away in every parameter."""
    ordinary = [v for v in load() if "DpSgd" in v.flags and v.alpha > 1.1]
    for vector in rng.sample(ordinary, min(len(ordinary), count)):
        q, sigma, alpha = (
            x * (1 + rng.choice((-1, 1)) * _log(rng, 1e-5, 1e-3))
            for x in (vector.q, vector.sigma, vector.alpha)
        )
        yield _fresh("neighbours", (q, sigma, alpha))


def _in_turn(rng: random.Random, count: int) -> Iterator[Fresh]:
    kinds: list[tuple[str, Draw]] = [
        ("training", _training), ("training", _training), ("batches", batch_like), ("extremes", _extreme),
    ]  # fmt: skip
    for name, draw in itertools.islice(itertools.cycle(kinds), count):
        yield _fresh(name, draw(rng))


def _fresh(kind: str, point: Triple) -> Fresh:
    q, sigma, alpha = point
    name = f"fresh-{kind}/q={q!r},sigma={sigma!r},alpha={alpha!r}"
    return Fresh(name, tuple(sorted({"Fresh", *intrinsic(*point)})), q, sigma, alpha)


def _training(rng: random.Random) -> Triple:
    """All of the declared region: half of the points where most runs are, half log-uniform up to its borders."""
    if rng.random() < 0.5:
        return _log(rng, 1e-5, 0.2), _log(rng, 0.4, 12.0), _order(rng, 64.0)
    return _log(rng, *Q), _log(rng, *SIGMA), _order(rng, ALPHA[1], least=ALPHA[0])


def batch_like(rng: random.Random) -> Triple:
    """A batch of a data set, a noise of two digits, a default order."""
    size = rng.choice(SIZES) if rng.random() < 0.7 else rng.randint(2_000, 2_000_000)
    batch = min(rng.choice(BATCHES), size // 4)
    return batch / size, rng.choice(NOISES[5:]), rng.choice(DEFAULT_ORDERS)


def _extreme(rng: random.Random) -> Triple:
    return _log(rng, 1e-9, 0.99), _log(rng, 0.1, 100.0), _order(rng, 1000.0)


def _order(rng: random.Random, most: float, least: float = 1.05) -> float:
    """Mostly of full length, sometimes whole."""
    alpha = 1 + _log(rng, least - 1, most - 1)
    return float(max(2, round(alpha))) if rng.random() < 0.25 else alpha


def _log(rng: random.Random, low: float, high: float) -> float:
    return min(high, max(low, low * math.exp(rng.random() * math.log(high / low))))
