"""How long random allocation takes at 10,000 batches an epoch: CPU time, in units of an ordinary
Poisson run of the same process.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import verify
from verify.accounting.tight import Bracketed

BATCHES, DIGITS, SECONDS, DELTA = 10_000, 10, 10.0, "1e-5"
SIGMAS = ("0.3", "0.5", "1", "4", "100")
EPOCHS = (1, 30, 1000)


@dataclass(frozen=True, slots=True)
class AllottedRow:
    """epsilon of so many epochs: seconds of work, how many times an ordinary run that is, and the answer."""

    sigma: str
    epochs: int
    seconds: float
    units: float
    epsilon: str
    bracket: bool


def unit() -> float:
    """Seconds of work of an ordinary Poisson run at 20 digits, asked for the second time."""
    start = 0.0
    for _ in range(2):
        start = time.process_time()
        verify.epsilon("0.01", 1, 1000, DELTA)
    return time.process_time() - start


def measure_allocations(
    sigmas: tuple[str, ...] = SIGMAS,
    epochs: tuple[int, ...] = EPOCHS,
    batches: int = BATCHES,
    seconds: float = SECONDS,
) -> list[AllottedRow]:
    """Ten digits of epsilon, or what is had of them in so many seconds."""
    one, rows = unit(), []
    for sigma in sigmas:
        for count in epochs:
            start = time.process_time()
            found = verify.epsilon(
                None,
                sigma,
                batches,
                DELTA,
                DIGITS,
                sampling="allocation",
                epochs=count,
                max_seconds=seconds,
            )
            taken = time.process_time() - start
            rows.append(
                AllottedRow(
                    sigma, count, taken, taken / one, str(found), isinstance(found, Bracketed)
                )
            )
    return rows


def text(rows: list[AllottedRow]) -> str:
    """One line a run."""
    head = (
        f"random allocation, {BATCHES} batches an epoch, delta {DELTA}: epsilon to {DIGITS} digits "
        f"within {SECONDS:g} s,\n"
        "or a certified bracket; a unit is the Poisson run q 0.01, sigma 1, 1000 steps at 20 "
        "digits\n"
        f"  {'sigma':>6} {'epochs':>7} {'seconds':>8} {'units':>7}  epsilon"
    )
    lines = [
        f"  {row.sigma:>6} {row.epochs:>7} {row.seconds:>8.2f} {row.units:>7.0f}  {row.epsilon}"
        for row in rows
    ]
    return "\n".join([head, *lines])
