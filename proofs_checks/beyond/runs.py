"""Whole runs: T adaptive steps are RDP with the sum of the divergences, and (epsilon, delta)-DP by either conversion.

The theorems are about the mechanism with every function chosen from the earlier outputs (``formal/StatementsRun.v``). What is
computed here is the run that attains the bounds, T independent draws of mu against mu0, and its exact epsilon.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from proofs_checks.beyond.accounting import above_tight
from verify.accounting.history import History, history
from verify.accounting.questions import Account
from verify.accounting.rdp import over_list
from verify.accounting.renyi import RenyiCurve
from verify.claims import Evidence, Rejected, Undecided, certified_points, claim, rests_on
from verify.numbers.budget import Deadline

RUNS: tuple[History, ...] = (
    history([("0.01", "1.1", 1000)]),
    history([("0.1", 4, 60)]),
    history([("0.01", 1, 500), ("0.02", "1.5", 700)]),
)
ORDERS = (Fraction(3, 2), Fraction(8), Fraction(35, 2))
DELTA = Fraction(1, 10**5)
DIGITS = 12


def _not_below(part: Fraction, moved: Fraction) -> int:
    """How often epsilon by way of RDP was compared with the exact one; the sum over ``part`` of the steps, moved by so much."""
    compared = 0
    for run in RUNS:
        exact = Account(run).epsilon(DELTA, DIGITS)
        shortened = history([(p.q, p.sigma, max(1, int(p.steps * part))) for p in run])
        curve = RenyiCurve(shortened, DIGITS, Deadline())
        for order in ORDERS:
            shown = over_list(curve, DELTA, "cks", (order,)).epsilon
            compared += 1
            if Fraction(shown.hi) * moved < Fraction(exact.lo):
                raise Rejected(f"{run[0]}, alpha = {order}: below the exact epsilon")
    return compared


@claim(
    "beyond/run/composition",
    lines="beyond",
    kind="inequality",
    domain=r"0 \le q_t \le 1,\ \sigma_t > 0,\ \alpha > 1,\ f_t \text{ of sensitivity 1, continuous in the earlier outputs}",
    statement=r"D_\alpha\bigl(M_{1 \ldots T}(S) \,\|\, M_{1 \ldots T}(S')\bigr) \le \sum_{t=1}^{T} D_\alpha(\mu_t \,\|\, \mu_{0,t})",
    kernel=("run_rdp", "run_density", "run_hockey_exists"),
    broken={"the sum over a fifth of the steps": {"part": Fraction(1, 5)}},
)
def composition(part: Fraction = Fraction(1)) -> Iterator[Evidence]:
    """Adaptive composition: whatever functions of sensitivity 1 are chosen from the earlier outputs, the divergences of the
    steps add up. The joint output is a probability density, and its moments and hockey-stick integrals exist. An epsilon that
    follows from the sum is not below the exact one, at three runs and three orders."""
    compared = _not_below(part, Fraction(1))
    if part != 1:
        raise Undecided("the sum is over all steps")
    yield certified_points(compared, detail="epsilon by the sum against the exact one")


@claim(
    "beyond/run/certificate",
    lines="beyond",
    kind="inequality",
    domain=r"0 \le q_t \le 1,\ \sigma_t > 0,\ \alpha > 1,\ \delta > 0,\ f_t \text{ of sensitivity 1, continuous in the earlier outputs}",
    statement=r"\varepsilon \ge \sum_t D_\alpha(\mu_t \,\|\, \mu_{0,t}) + \ln\Bigl(1 - \frac1\alpha\Bigr) - "
    r"\frac{\ln\delta + \ln\alpha}{\alpha-1} \;\Rightarrow\; M_{1 \ldots T} \text{ is } (\varepsilon, \delta)\text{-DP}",
    kernel=(
        "run_dp",
        "run_dp_sharp",
        "run_dp_mironov",
        "phases_dp",
        "dp_tests",
        "tests_any_choice",
    ),
    broken={"an epsilon smaller by two fifths": {"moved": Fraction(3, 5)}},
)
def certificate(moved: Fraction = Fraction(1)) -> Iterator[Evidence]:
    """One order and one inequality between numbers certify a run, for every test of all its outputs, histories of several
    phases included. Functions that jump are covered too, wherever the moments of the first steps exist as iterated integrals."""
    compared = _not_below(Fraction(1), moved)
    if moved != 1:
        raise Undecided("the theorem is about the whole epsilon")
    yield rests_on(composition.given(), above_tight.given())
    yield certified_points(compared, detail="the certified epsilon against the exact one")
