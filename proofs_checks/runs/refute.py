"""Refutations: which event shows that a run is not (epsilon, delta)-DP, and the text of the proof.

The certified engine says first whether epsilon is below the exact one. Then the events are tried in doubles, the
cheapest first: one threshold on single outputs, then scores on a lattice.
"""

from __future__ import annotations

import math
from fractions import Fraction

from proofs_checks.runs.lattice import FINENESS, LatticePlan, lattice_plan
from proofs_checks.runs.lattice_proof import lattice_proof
from proofs_checks.runs.question import ProofOfRun, RunKind, RunStatement
from proofs_checks.runs.threshold import ThresholdPlan, best_threshold, threshold_proof
from proofs_checks.verdicts.decide import Undecided, WrongSide
from proofs_checks.verdicts.question import in_full
from verify.accounting.history import Phase, history
from verify.accounting.questions import Account
from verify.numbers.budget import Deadline
from verify.numbers.certified import Certified
from verify.numbers.decimals import exponent10
from verify.numbers.errors import OutOfReach
from verify.numbers.point import shown

_DIGITS = 15
_ROOM = 1e-6  # of epsilon, which doubles must leave


def refutation(
    phases: tuple[Phase, ...],
    delta: Fraction,
    epsilon: Fraction,
    deadline: Deadline,
    *,
    fast: bool = False,
) -> ProofOfRun:
    """A proof that the run is not (epsilon, delta)-DP, not seen by Coq yet."""
    question = RunStatement(phases, RunKind.NOT_VALID, epsilon, delta)
    exact = _too_small_against(question, deadline)
    reached = 0.0
    threshold = best_threshold(phases, delta)
    if threshold is not None:
        reached = threshold.epsilon
        if threshold.epsilon > float(epsilon) + _ROOM * (1 + float(epsilon)):
            how = (
                f"the event that some output is above {_list_thresholds(threshold)}, "
                f"which refutes every epsilon below about {threshold.epsilon:.4g}"
            )
            return ProofOfRun(question, threshold_proof(question, threshold), how, 3.0)
    for fineness in FINENESS:
        try:
            plan = lattice_plan(phases, delta, float(exact.hi), fineness, deadline)
        except OutOfReach:
            break
        reached = max(reached, plan.epsilon)
        if plan.epsilon > float(epsilon) + _ROOM * (1 + float(epsilon)):
            return _by_lattice(question, plan, fast)
    raise OutOfReach(
        f"no event was found that refutes epsilon = {shown(epsilon)}: those tried reach {reached:.5g}, and the exact "
        f"epsilon is {exact.text(10)}"
    )


def nearest_refutation(
    phases: tuple[Phase, ...],
    delta: Fraction,
    exact: Certified,
    seconds: float,
    deadline: Deadline,
    *,
    fast: bool = False,
) -> ProofOfRun:
    """A proof that some epsilon, as near below the exact one as ``seconds`` allow, is not valid."""
    best: LatticePlan | None = None
    for fineness in FINENESS:
        try:
            plan = lattice_plan(phases, delta, float(exact.hi), fineness, deadline)
        except OutOfReach:
            break
        if best is not None and _seconds(plan, fast) > seconds:
            break
        if best is None or plan.epsilon > best.epsilon:
            best = plan
    if best is None or best.epsilon <= 0:
        raise OutOfReach("no lattice refutes any epsilon of this run")
    epsilon = below(best.epsilon)
    return _by_lattice(RunStatement(phases, RunKind.NOT_VALID, epsilon, delta), best, fast)


def below(reached: float) -> Fraction:
    """A decimal of few digits, below what a plan reaches in doubles.

    >>> below(1.51429)
    Fraction(7571, 5000)
    """
    low = Fraction(reached) - Fraction(_ROOM) * (1 + Fraction(reached))
    unit = Fraction(10) ** (exponent10(low) - 4)
    return math.floor(low / unit) * unit


def _by_lattice(question: RunStatement, plan: LatticePlan, fast: bool) -> ProofOfRun:
    how = (
        f"the event that the rounded losses of all outputs sum to a large score ({plan.cells} cells), "
        f"which refutes every epsilon below about {plan.epsilon:.4g}"
    )
    text = lattice_proof(question, plan, fast=fast)
    return ProofOfRun(question, text, how, _seconds(plan, fast))


def _seconds(plan: LatticePlan, fast: bool) -> float:
    return plan.seconds / (3 if fast else 1)


def _list_thresholds(plan: ThresholdPlan) -> str:
    """One threshold, or one for each phase."""
    ends = [shown(a) for a, _ in plan.ends]
    return ends[0] if len(ends) == 1 else f"{', '.join(ends)} (by phase)"


def _too_small_against(question: RunStatement, deadline: Deadline) -> Certified:
    """The exact epsilon, which is larger; WrongSide if epsilon is valid by the certified engine,
    Undecided if it cannot tell.
    """
    active = history([(p.q, p.sigma, p.steps) for p in question.phases])
    if not active:
        raise WrongSide("nothing is released: every epsilon is valid")
    exact = Account(active, deadline.left()).epsilon(question.delta, _DIGITS)
    if question.epsilon >= Fraction(exact.hi):
        raise WrongSide(
            f"epsilon = {shown(question.epsilon)} is valid for this run, whose exact epsilon is "
            f"{exact.text(_DIGITS)}; ask for --epsilon"
        )
    if question.epsilon >= Fraction(exact.lo):
        raise Undecided(
            f"undecided at {_DIGITS} digits: epsilon = {in_full(question.epsilon)} lies inside the certified "
            f"interval [{exact.lo_str(_DIGITS + 3)}, {exact.hi_str(_DIGITS + 3)}]"
        )
    return exact
