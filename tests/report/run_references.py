"""Certified answers for the runs at which the page's own arithmetic is tested.

    python -m tests.report.run_references > tests/report/data/runs.json

takes some minutes. The random runs are drawn with a fixed seed; the published ones are those of docs/accounting.md.
"""

from __future__ import annotations

import json
import random
import sys
from fractions import Fraction
from typing import Any, NamedTuple

import verify
from verify.accounting.best_order import over_all
from verify.accounting.conversions import ORDERS
from verify.accounting.history import history
from verify.accounting.rdp import over_list
from verify.accounting.renyi import RdpEpsilon, RenyiCurve
from verify.numbers.budget import Deadline
from verify.numbers.certified import Certified

DIGITS = 12
SEED = 20190829
Range = tuple[float, float]
Ranges = tuple[Range, Range, Range, Range]


class Run(NamedTuple):
    """A training run as one types it."""

    q: str
    sigma: str
    steps: str
    delta: str


PUBLISHED = tuple(
    Run(*line.split())
    for line in """\
256/60000 1.1 14062 1e-5
64/60000 1 9380 1e-5
2048/50000 1.5 2450 1e-5
4096/50000 3 2500 1e-5
512/25000 0.56 975 1e-5
1/1000 0.7 10000 1e-6
16384/1281167 2.5 70000 8e-7
1/10000 0.8 100000 1e-6
1/100 1 1000 1e-5
1/10 10 1000 1e-8
1/200 1 200000 1e-7
1/4 4 60 1e-5
256/60000 1.12 234 1e-5
256/60000 1.12 468 1e-5
256/60000 1.12 14040 1e-5
256/60000 0.6 7020 1e-5
256/60000 1.2 2340 1e-5""".splitlines()
)
FULL = (
    Run("1", "10", "100", "1e-10"),
    Run("1", "0.3", "1000000", "1e-12"),
    Run("1", "30", "1", "1e-3"),
)
"""Full batches, beyond those that chance would draw."""


def drawn(count: int = 120) -> list[Run]:
    """Runs at random, each parameter uniform in its logarithm."""
    chance = random.Random(SEED)

    return [one(chance, (1e-5, 1), (0.3, 30), (1, 1e6), (1e-12, 1e-3)) for _ in range(count)]


def at_the_edges(count: int = 24) -> list[Run]:
    """Runs in which one parameter is in the outermost part of what the page answers."""
    chance = random.Random(SEED + 1)
    inner: Ranges = ((1e-4, 0.1), (0.6, 5), (10, 1e5), (1e-9, 1e-5))
    outer: tuple[Ranges, ...] = (
        ((1e-6, 1e-5), (0.2, 0.3), (1e6, 1e7), (1e-15, 1e-12)),
        ((0.5, 1), (30, 100), (2, 5), (1e-3, 0.1)),
    )
    return [
        one(chance, *(outer[i // 4 % 2][k] if k == i % 4 else inner[k] for k in range(4)))
        for i in range(count)
    ]


def one(chance: random.Random, *ranges: Range) -> Run:
    q, sigma, steps, delta = (
        f"{low * (high / low) ** chance.random():.4g}" for low, high in ranges
    )
    return Run(q, sigma, str(round(float(steps))), delta)


def ends(value: Certified) -> list[str]:
    """The interval as decimals, outwards."""
    return [value.lo_str(DIGITS + 4), value.hi_str(DIGITS + 4)]


def certified(run: Run, seconds: float = 30) -> dict[str, Any]:
    """Both directions and what RDP makes of it, as intervals."""
    made: dict[str, Any] = dict(run._asdict())
    for direction in ("remove", "add"):
        made[direction] = ends(
            verify.epsilon(*run, digits=DIGITS, direction=direction, max_seconds=seconds)
        )
    made["rdp"] = [[row.orders, row.conversion, *ends(row.epsilon)] for row in by_rdp(run, seconds)]
    return made


def by_rdp(run: Run, seconds: float) -> list[RdpEpsilon]:
    """Both conversions, every list of orders, and all real orders."""
    phases, delta, deadline = history([run[:3]]), Fraction(run.delta), Deadline(seconds)
    curve = RenyiCurve(phases, DIGITS + 4, deadline)
    fine = RenyiCurve(phases, 2 * DIGITS + 12, deadline)
    found = []
    for conversion in ("mironov", "cks"):  # balle is cks in other words
        found += [over_list(curve, delta, conversion, name) for name in ORDERS]
        found.append(over_all(fine, delta, conversion, DIGITS))
    return found


KINDS = {
    "published": PUBLISHED,
    "full batches": FULL,
    "random": drawn(),
    "at the edges": at_the_edges(),
}


def main() -> None:
    made = []
    for kind, runs in KINDS.items():
        for run in runs:
            made.append({"kind": kind, **certified(run)})
            print(run, file=sys.stderr)
    print("[\n" + ",\n".join(map(json.dumps, made)) + "\n]")


if __name__ == "__main__":
    main()
