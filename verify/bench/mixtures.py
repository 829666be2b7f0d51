"""How long a replaced record takes, as ratios in one run: 20 certified digits against dp-accounting's PLD accountant.

dp-accounting comes with the extra ``bench``.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from fractions import Fraction

from verify.accounting.history import history
from verify.accounting.pairs.mixtures.side import Mixture
from verify.numbers.budget import Deadline
from verify.support.screen import table

DIGITS = 20
# (q, sigma, steps, delta): ordinary runs
RUNS: tuple[tuple[Fraction, float, int, float], ...] = (
    (Fraction(256, 60000), 1.1, 14062, 1e-5),
    (Fraction(64, 60000), 1.0, 9380, 1e-5),
    (Fraction(2048, 50000), 1.5, 2450, 1e-5),
    (Fraction(4096, 50000), 3.0, 2500, 1e-5),
    (Fraction(512, 25000), 0.56, 975, 1e-5),
    (Fraction(1, 1000), 0.7, 10_000, 1e-6),
    (Fraction(16384, 1281167), 2.5, 70_000, 8e-7),
    (Fraction(1, 100), 1.0, 1000, 1e-5),
    (Fraction(1, 10), 10.0, 1000, 1e-8),
    (Fraction(1, 4), 4.0, 60, 1e-5),
)


@dataclass(frozen=True, slots=True)
class ReplacedRow:
    """One run: seconds of work, and both answers."""

    run: tuple[Fraction, float, int, float]
    ours: float
    theirs: float
    epsilon: float
    their_epsilon: float

    @property
    def ratio(self) -> float:
        return self.ours / self.theirs


def epsilon_of_replacing(q: Fraction, sigma: float, steps: int, delta: float) -> float:
    """epsilon when a record is replaced, to all digits, from nothing."""
    side = Mixture(history([(q, sigma, steps)]), "replace", 1, Deadline())
    return float(side.epsilon(Fraction(delta), DIGITS))


def ratios(runs: tuple[tuple[Fraction, float, int, float], ...] = RUNS) -> list[ReplacedRow]:
    """One row a run, in CPU time; an ImportError where dp-accounting is not installed."""
    import dp_accounting
    from dp_accounting.pld import PLDAccountant

    relation = dp_accounting.NeighboringRelation.REPLACE_ONE

    def theirs(q: Fraction, sigma: float, steps: int, delta: float) -> float:
        accountant = PLDAccountant(neighboring_relation=relation)
        event = dp_accounting.PoissonSampledDpEvent(float(q), dp_accounting.GaussianDpEvent(sigma))
        accountant.compose(event, steps)
        return float(accountant.get_epsilon(delta))

    rows = []
    for run in runs:
        start = time.process_time()
        mine = epsilon_of_replacing(*run)
        middle = time.process_time()
        other = theirs(*run)
        rows.append(ReplacedRow(run, middle - start, time.process_time() - middle, mine, other))
    return rows


def text(rows: list[ReplacedRow]) -> str:
    """One line a run, and the mean of the ratios."""
    lines = [
        f"one record replaced: epsilon to {DIGITS} digits, seconds of work against dp-accounting's "
        "PLD accountant with REPLACE_ONE",
    ]
    cells = []
    for row in rows:
        q, sigma, steps, _ = row.run
        found = (f"{row.epsilon:.7f}", f"{row.their_epsilon:.7f}")
        times = (f"{row.ours:.2f}", f"{row.theirs:.2f}", f"{row.ratio:.2f}")
        cells.append((f"{float(q):.6f}", f"{sigma:g}", str(steps), *found, *times))
    lines += table(
        ("q", "sigma", "steps", "exact", "PLD", "ours", "theirs", "ratio"),
        cells,
        lambda q, sigma, steps, exact, pld, ours, theirs, ratio: (
            f"  {q:>10} {sigma:>6} {steps:>7}  {exact:>11} {pld:>11} {ours:>7} {theirs:>7} {ratio:>6}"
        ),
    )
    whole = sum(row.ours for row in rows) / sum(row.theirs for row in rows)
    return "\n".join([*lines, f"  all together: {whole:.2f} of the time"])
