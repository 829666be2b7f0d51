"""The exact epsilon of a run on a lattice: a proof that some epsilon holds though RDP does not show
it, and how near it gets.

The certified engine says first on which side of the exact epsilon the question is. Then lattices are tried, the
coarsest first, in the whole numbers that Coq will compute with.
"""

from __future__ import annotations

import math
from fractions import Fraction

from proofs_checks.runs.dots import FINENESS, DotsPlan, dots_plan, with_panels
from proofs_checks.runs.dots_proof import dots_proof
from proofs_checks.runs.question import ProofOfRun, RunKind, RunStatement
from proofs_checks.runs.refute import nearest_refutation, refutation
from proofs_checks.verdicts.decide import Undecided, WrongSide
from proofs_checks.verdicts.question import in_full
from verify.accounting.history import Phase, history
from verify.accounting.questions import Account
from verify.numbers.budget import Deadline
from verify.numbers.certified import Certified
from verify.numbers.decimals import exponent10
from verify.numbers.errors import OutOfDomain, OutOfReach, SgmError
from verify.numbers.point import shown

MOST_DIGITS = 6
_DIGITS = 15
_ROOM = 1e-8  # of epsilon, which doubles must leave
_SHARE = 4  # of the time left, a proof may take this part by the estimate for an idle machine


class NotByTight(SgmError):
    """No lattice that was tried shows this epsilon, which may be valid all the same."""


def exact_certificate(
    phases: tuple[Phase, ...],
    delta: Fraction,
    epsilon: Fraction,
    deadline: Deadline,
    *,
    fast: bool = False,
) -> ProofOfRun:
    """A proof by the exact pair that the run is (epsilon, delta)-DP, not seen by Coq yet."""
    question = RunStatement(phases, RunKind.VALID, epsilon, delta)
    p = _only(phases)
    exact = _exact(phases, delta, deadline)
    if epsilon < Fraction(exact.lo):
        raise WrongSide(
            f"epsilon = {shown(epsilon)} is not valid for this run, whose exact epsilon is {exact.text(_DIGITS)}; "
            "ask for --not-valid"
        )
    if epsilon <= Fraction(exact.hi):
        raise Undecided(
            f"undecided at {_DIGITS} digits: epsilon = {in_full(epsilon)} lies inside the certified interval "
            f"[{exact.lo_str(_DIGITS + 3)}, {exact.hi_str(_DIGITS + 3)}]"
        )
    reached = math.inf
    for fineness in FINENESS:
        try:
            plan = dots_plan(p, delta, float(exact.hi), fineness, deadline)
        except OutOfReach:
            break
        reached = min(reached, plan.epsilon)
        if plan.epsilon * (1 + _ROOM) < epsilon and _above(plan.epsilon) < plan.greatest:
            return _by_dots(question, plan, deadline, fast)
    raise NotByTight(
        f"epsilon = {shown(epsilon)} is above the exact epsilon {exact.text(10)}, and no lattice shows it: those "
        f"tried reach {reached:.6g}. A finer lattice is needed than the kernel computes in some minutes"
    )


def enclosure(
    phases: tuple[Phase, ...],
    delta: Fraction,
    digits: int | None,
    deadline: Deadline,
    *,
    fast: bool = False,
) -> tuple[ProofOfRun, ProofOfRun]:
    """Proofs that one epsilon is valid and a smaller one is not: of so many digits, or as near as time allows."""
    if digits is not None and not 1 <= digits <= MOST_DIGITS:
        raise OutOfDomain(f"digits = {digits}: must be a whole number from 1 to {MOST_DIGITS}")
    RunStatement(
        phases, RunKind.VALID, Fraction(0), delta
    )  # impossible numbers are refused at once
    p = _only(phases)
    exact = _exact(phases, delta, deadline)
    if digits is not None:
        low, high = _around(exact, digits)
        return (
            exact_certificate(phases, delta, high, deadline, fast=fast),
            refutation(phases, delta, low, deadline, fast=fast),
        )
    seconds = deadline.left() / _SHARE
    best: DotsPlan | None = None
    for fineness in FINENESS:
        try:
            plan = dots_plan(p, delta, float(exact.hi), fineness, deadline)
        except OutOfReach:
            break
        if best is not None and plan.seconds > seconds:
            break
        if best is None or plan.epsilon < best.epsilon:
            best = plan
    if best is None or not math.isfinite(best.epsilon):
        raise NotByTight(f"no lattice shows an epsilon near the exact one, {exact.text(10)}")
    asked = RunStatement(phases, RunKind.VALID, _above(best.epsilon), delta)
    return (
        _by_dots(asked, best, deadline, fast),
        nearest_refutation(phases, delta, exact, seconds, deadline, fast=fast),
    )


def _only(phases: tuple[Phase, ...]) -> Phase:
    if len(phases) != 1:
        raise OutOfReach(
            "a run of several phases: the exact pair is proved on a lattice for one phase only; without --tight, "
            "--epsilon and --not-valid are for histories too"
        )
    if phases[0].q == 0:
        raise OutOfDomain("nothing is released: every epsilon is valid, and no certificate needed")
    return phases[0]


def _exact(phases: tuple[Phase, ...], delta: Fraction, deadline: Deadline) -> Certified:
    active = history([(p.q, p.sigma, p.steps) for p in phases])
    exact = Account(active, deadline.left()).epsilon(delta, _DIGITS)
    if exact.hi <= 0:
        raise OutOfReach(
            "the exact epsilon is 0 at this delta: there is none below it, and no lattice is planned for those "
            "above; without --tight, --epsilon goes by RDP"
        )
    return exact


def _around(exact: Certified, digits: int) -> tuple[Fraction, Fraction]:
    """Decimals of so many digits on either side, each at least a quarter of a unit away."""
    low, high = Fraction(exact.lo), Fraction(exact.hi)
    unit = Fraction(10) ** (exponent10(low) - digits + 1)
    quarter = Fraction(1, 4)
    return math.floor(low / unit - quarter) * unit, math.ceil(high / unit + quarter) * unit


def _above(reached: float) -> Fraction:
    """A decimal of few digits, above what a plan reaches in doubles."""
    high = Fraction(reached) * (1 + Fraction(_ROOM))
    unit = Fraction(10) ** (exponent10(high) - 4)
    return math.ceil(high / unit) * unit


def _by_dots(question: RunStatement, plan: DotsPlan, deadline: Deadline, fast: bool) -> ProofOfRun:
    how = (
        f"connecting the dots on a lattice of width {plan.width} ({len(plan.step.cells)} cells, vectors of up to "
        f"{plan.longest} masses of {plan.k} bits), which shows every epsilon from about {plan.epsilon:.5g} upwards"
    )
    # Of a far larger epsilon the lattice shows nothing, for what is spilt counts exp(epsilon) times.
    far = question.epsilon >= plan.greatest * (1 - _ROOM)
    smaller = _above(plan.epsilon) if far else None
    text = dots_proof(question, with_panels(plan, deadline), smaller, fast=fast)
    return ProofOfRun(question, text, how, plan.seconds)
