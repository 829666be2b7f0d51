"""How long the accountant takes, as ratios in one run.

Tight epsilon (both directions, 20 digits) against dp-accounting's PLD accountant, RDP epsilon over its default orders against its
RDP accountant, and the growth of our own time with digits and with steps. dp-accounting comes with the extra ``bench``.

    sgm-verify bench --accounting
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from verify.accounting.account import Account
from verify.accounting.history import history
from verify.accounting.rdp import over_list
from verify.accounting.renyi import RenyiCurve
from verify.budget import Deadline
from verify.timing import least

DIGITS = 20
# (name, q, sigma, steps, delta): batch/size, noise and length of published and ordinary runs
RUNS: tuple[tuple[str, Fraction, float, int, float], ...] = (
    ("MNIST tutorial, TF Privacy", Fraction(256, 60000), 1.1, 14062, 1e-5),
    ("MNIST tutorial, Opacus", Fraction(64, 60000), 1.0, 9380, 1e-5),
    ("CIFAR-10, Opacus", Fraction(2048, 50000), 1.5, 2450, 1e-5),
    ("CIFAR-10, large batch", Fraction(4096, 50000), 3.0, 2500, 1e-5),
    ("IMDB", Fraction(512, 25000), 0.56, 975, 1e-5),
    ("language model", Fraction(1, 1000), 0.7, 10_000, 1e-6),
    ("ImageNet", Fraction(16384, 1281167), 2.5, 70_000, 8e-7),
    ("tiny rate", Fraction(1, 10_000), 0.8, 100_000, 1e-6),
    ("quick test", Fraction(1, 100), 1.0, 1000, 1e-5),
    ("census-like", Fraction(1, 10), 10.0, 1000, 1e-8),
    ("long run", Fraction(1, 200), 1.0, 200_000, 1e-7),
    ("few large steps", Fraction(1, 4), 4.0, 60, 1e-5),
)


@dataclass(frozen=True, slots=True)
class Row:
    """Seconds of one run; None where dp-accounting is not installed."""

    name: str
    tight: float
    rdp: float
    epsilon: float
    pld_epsilon: float | None = None
    pld: float | None = None
    peer_rdp: float | None = None

    @property
    def tight_ratio(self) -> float | None:
        return None if self.pld is None else self.tight / self.pld

    @property
    def rdp_ratio(self) -> float | None:
        return None if self.peer_rdp is None else self.rdp / self.peer_rdp


def tight(q: Fraction, sigma: float, steps: int, delta: float, digits: int = DIGITS) -> float:
    """Both directions, each to all digits, from nothing."""
    run = Account(history([(q, sigma, steps)]))
    return max(float(run.epsilon(delta, digits, d).hi) for d in ("remove", "add"))


def rdp(q: Fraction, sigma: float, steps: int, delta: float) -> float:
    """RDP epsilon over dp-accounting's orders, to all digits."""
    curve = RenyiCurve(history([(q, sigma, steps)]), DIGITS, Deadline())
    return float(over_list(curve, Fraction(delta), "cks", "dp-accounting").epsilon.hi)


def measure(runs: tuple[tuple[str, Fraction, float, int, float], ...] = RUNS) -> list[Row]:
    """One row a run, all contestants in turn."""
    peers = _peers()
    rows = []
    for name, q, sigma, steps, delta in runs:
        run = q, sigma, steps, delta
        ours, mine = least(partial(tight, *run)), least(partial(rdp, *run))
        row = Row(name, ours, mine, tight(*run))
        if peers is not None:
            theirs = [least(partial(peer, float(q), sigma, steps, delta), 2) for peer in peers]
            value = peers[0](float(q), sigma, steps, delta)
            row = Row(name, ours, mine, row.epsilon, value, *theirs)
        rows.append(row)
    return rows


Peer = Callable[[float, float, int, float], float]


def _peers() -> tuple[Peer, Peer] | None:
    """dp-accounting's PLD and RDP accountants, if installed."""
    try:
        import dp_accounting
        from dp_accounting.pld import PLDAccountant
        from dp_accounting.rdp import RdpAccountant
    except ImportError:
        return None

    def ask(accountant: Any, q: float, sigma: float, steps: int, delta: float) -> float:
        event = dp_accounting.PoissonSampledDpEvent(q, dp_accounting.GaussianDpEvent(sigma))
        accountant.compose(event, steps)
        return float(accountant.get_epsilon(delta))

    return (lambda *run: ask(PLDAccountant(), *run)), (lambda *run: ask(RdpAccountant(), *run))


def growth() -> dict[str, list[tuple[int, float]]]:
    """Seconds against digits, and against steps, at (0.01, 1)."""
    run = Fraction(1, 100), 1.0
    digits = (10, 20, 30, 50, 100)
    steps = [10**k for k in range(2, 8)]
    return {
        "digits": [(d, least(partial(tight, *run, 1000, 1e-5, d))) for d in digits],
        "steps": [(t, least(partial(tight, *run, t, 1e-5))) for t in steps],
    }


def mean(values: list[float]) -> float:
    """Geometric mean."""
    return math.exp(sum(map(math.log, values)) / len(values))


def text(rows: list[Row], grown: dict[str, list[tuple[int, float]]]) -> str:
    """The tables as text; growth as multiples of the first."""
    lines = [f"{'run':<28}{'epsilon':<20}{'tight':>8}{'PLD':>9}{'ratio':>8}{'RDP ratio':>11}"]
    for r in rows:
        theirs = f"{1e3 * r.pld:.0f} ms" if r.pld is not None else "-"
        ratio = f"{r.tight_ratio:.3f}" if r.tight_ratio is not None else "-"
        other = f"{r.rdp_ratio:.3f}" if r.rdp_ratio is not None else "-"
        lines.append(
            f"{r.name:<28}{r.epsilon:<20.15g}{1e3 * r.tight:>5.0f} ms{theirs:>9}{ratio:>8}{other:>11}"
        )
    ratios = [r.tight_ratio for r in rows if r.tight_ratio is not None]
    others = [r.rdp_ratio for r in rows if r.rdp_ratio is not None]
    if ratios:
        lines.append(f"geometric mean: tight {mean(ratios):.3f}, RDP {mean(others):.3f}")
    for name, points in grown.items():
        first = points[0][1]
        lines.append(
            f"time against {name}: " + ", ".join(f"{x}: {t / first:.2f}" for x, t in points)
        )
    return "\n".join(lines)
