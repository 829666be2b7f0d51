"""How likely a check misses a fault, by the part of the training region the fault is in; measured
on the points that are drawn.

    python -m verify.judge.check.coverage

If n fresh points of a check fall into a part and a fault has the fraction f of it, the check misses
it with probability (1-f)^n, the mean over many seeds. Points of the kinds ``training`` are
log-uniform there; all that fall into a part count.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import dataclass

import click

from verify.judge.check.fresh import Fresh, points
from verify.judge.protocol.question import Question
from verify.judge.protocol.session import Extent
from verify.judge.verdict.training import region
from verify.results.conformance import Region

FRACTIONS = (0.1, 0.01, 0.001)
PARTS: dict[str, Callable[[Fresh], bool]] = {
    "all of it": lambda p: True,
    "alpha < 1.05": lambda p: p.alpha < 1.05,
    "1.05 <= alpha < 64": lambda p: 1.05 <= p.alpha < 64,
    "alpha >= 64": lambda p: p.alpha >= 64,
    "q < 1e-4": lambda p: p.q < 1e-4,
    "q > 0.2": lambda p: p.q > 0.2,
    "sigma < 0.5": lambda p: p.sigma < 0.5,
    "sigma > 12": lambda p: p.sigma > 12,
    "q > 0.2 and sigma > 12": lambda p: p.q > 0.2 and p.sigma > 12,
}


@dataclass(frozen=True, slots=True)
class Coverage:
    """A part, the mean number of fresh points in it, and the probability of missing faults of some fractions of it."""

    part: str
    points: float
    missed: tuple[float, ...]


def coverage(seeds: int, count: int) -> list[Coverage]:
    """Every part, over that many checks."""
    checks = [[p for p in points(seed, count) if _training(p)] for seed in range(seeds)]
    found = []
    for name, inside in PARTS.items():
        sizes = [sum(map(inside, check)) for check in checks]
        missed = tuple(statistics.mean((1 - f) ** n for n in sizes) for f in FRACTIONS)
        found.append(Coverage(name, statistics.mean(sizes), missed))
    return found


def _training(point: Fresh) -> bool:
    return region(Question("rdp", point.q, point.sigma, point.alpha)) is Region.TRAINING


@click.command()
@click.option("--seeds", type=click.IntRange(1), default=20, show_default=True)
@click.option("--count", type=click.IntRange(1), default=Extent().fresh, show_default=True)
def main(seeds: int, count: int) -> None:
    """Print the table."""
    click.echo(
        f"{'part of the training region':<26}{'points':>8}" + "".join(f"{f:>9g}" for f in FRACTIONS)
    )
    for one in coverage(seeds, count):
        click.echo(f"{one.part:<26}{one.points:>8.0f}" + "".join(f"{m:>9.2g}" for m in one.missed))


if __name__ == "__main__":
    main()
