"""How long the accountant takes, as ratios in one run.

Tight epsilon (both directions, 20 digits) against dp-accounting's PLD accountant, RDP epsilon over
its default orders against its RDP accountant, the least noise for a target against its calibration
with the PLD accountant, and the growth of our own time with digits and with steps. dp-accounting
comes with the extra ``bench``.

    sgm-verify bench --accounting
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from verify.accounting.calibration import calibrate
from verify.accounting.history import history
from verify.accounting.published import RUNS
from verify.accounting.questions import Account
from verify.accounting.rdp import over_list
from verify.accounting.renyi import RenyiCurve
from verify.frameworks.opacus import ExactAccountant
from verify.numbers.budget import Deadline
from verify.support.screen import table
from verify.support.timing import least

DIGITS = 20
TARGET = 2.0  # epsilon of the calibrations
TARGETS = 10  # of the runs
_TOLERANCE = 1e-3  # of the noise in dp-accounting's search; ours ends at neighbouring doubles


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


@dataclass(frozen=True, slots=True)
class CalibrationRow:
    """Seconds for the least noise of one run at the target epsilon; None where dp-accounting is not installed."""

    name: str
    sigma: float
    seconds: float
    peer_sigma: float | None = None
    peer: float | None = None

    @property
    def ratio(self) -> float | None:
        return None if self.peer is None else self.seconds / self.peer


def calibrations(
    runs: tuple[tuple[str, Fraction, float, int, float], ...] = RUNS[:TARGETS],
) -> list[CalibrationRow]:
    """The least noise of each run: ours is proved and exact to the double, dp-accounting's searched to a thousandth."""
    peer = _calibrating_peer()
    rows = []
    for name, q, _, steps, delta in runs:
        ask = partial(calibrate, epsilon=TARGET, delta=delta, q=q, steps=steps)
        row = CalibrationRow(name, float(ask().value), least(ask, 3))
        if peer is not None:
            theirs = partial(peer, float(q), steps, delta)
            row = CalibrationRow(name, row.sigma, row.seconds, theirs(), least(theirs, 1))
        rows.append(row)
    return rows


def _calibrating_peer() -> Callable[[float, int, float], float] | None:
    """dp-accounting's calibration of the noise with its PLD accountant, if installed."""
    try:
        import dp_accounting
        from dp_accounting.pld import PLDAccountant
    except ImportError:
        return None

    def noise(q: float, steps: int, delta: float) -> float:
        def event(sigma: float) -> Any:
            one = dp_accounting.PoissonSampledDpEvent(q, dp_accounting.GaussianDpEvent(sigma))
            return dp_accounting.SelfComposedDpEvent(one, steps)

        bracket = dp_accounting.LowerEndpointAndGuess(0.2, 1.0)
        found = dp_accounting.calibrate_dp_mechanism(
            PLDAccountant, event, TARGET, delta, bracket, tol=_TOLERANCE
        )
        return float(found)

    return noise


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


FOLLOWED = (
    "quick test",
    "MNIST tutorial, TF Privacy",
    "MNIST tutorial, Opacus",
    "CIFAR-10, Opacus",
    "language model",
)
"""Runs that are asked after every step."""


@dataclass(frozen=True, slots=True)
class Followed:
    """epsilon asked after each of so many steps: seconds of a call on average, of the dearest one, and
    answers from nothing.
    """

    name: str
    calls: int
    seconds: float
    dearest: float
    from_nothing: int


def measure_following(calls: int = 10_000, names: tuple[str, ...] = FOLLOWED) -> list[Followed]:
    """What the accountant inside a training loop costs, a step recorded and epsilon asked, in time of its own work."""
    found = []
    for name, q, sigma, _, delta in RUNS:
        if name not in names:
            continue
        accountant, dearest, start = ExactAccountant(), 0.0, time.process_time()
        for _ in range(calls):
            before = time.process_time()
            accountant.step(noise_multiplier=sigma, sample_rate=float(q))
            accountant.get_epsilon(delta)
            dearest = max(dearest, time.process_time() - before)
        seconds = (time.process_time() - start) / calls
        found.append(Followed(name, calls, seconds, dearest, accountant.from_nothing))
    return found


def mean(values: list[float]) -> float:
    """Geometric mean."""
    return math.exp(sum(map(math.log, values)) / len(values))


def calibration_text(rows: list[CalibrationRow]) -> str:
    """The table of calibrations as text."""
    lines = [f"least noise for epsilon = {TARGET:g}"]
    cells = []
    for r in rows:
        theirs = f"{1e3 * r.peer:.0f} ms" if r.peer is not None else "-"
        ratio = f"{r.ratio:.3f}" if r.ratio is not None else "-"
        cells.append((r.name, f"{r.sigma:.15g}", f"{1e3 * r.seconds:.0f} ms", theirs, ratio))
    lines += table(
        ("run", "sigma", "ours", "PLD", "ratio"),
        cells,
        lambda run, sigma, ours, pld, ratio: f"{run:<28}{sigma:<20}{ours:>9}{pld:>10}{ratio:>8}",
    )
    ratios = [r.ratio for r in rows if r.ratio is not None]
    if ratios:
        lines.append(f"geometric mean: {mean(ratios):.4f}")
    return "\n".join(lines)


def text(
    rows: list[Row], grown: dict[str, list[tuple[int, float]]], asked: list[Followed] | None = None
) -> str:
    """The tables as text; growth as multiples of the first."""
    cells = []
    for r in rows:
        theirs = f"{1e3 * r.pld:.0f} ms" if r.pld is not None else "-"
        ratio = f"{r.tight_ratio:.3f}" if r.tight_ratio is not None else "-"
        other = f"{r.rdp_ratio:.3f}" if r.rdp_ratio is not None else "-"
        ours = f"{1e3 * r.tight:.0f} ms"
        cells.append((r.name, f"{r.epsilon:.15g}", ours, theirs, ratio, other))
    lines = table(
        ("run", "epsilon", "tight", "PLD", "ratio", "RDP ratio"),
        cells,
        lambda run, epsilon, tight, pld, ratio, other: (
            f"{run:<28}{epsilon:<20}{tight:>8}{pld:>9}{ratio:>8}{other:>11}"
        ),
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
    for one in asked or ():
        lines.append(
            f"asked after each of {one.calls} steps, {one.name}: {1e3 * one.seconds:.2f} ms a call on average, "
            f"{1e3 * one.dearest:.0f} ms the dearest, {one.from_nothing} from nothing"
        )
    return "\n".join(lines)
