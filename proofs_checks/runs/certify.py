"""Certificates: which order shows that a run is (epsilon, delta)-DP, and the text of the proof.

With rho = sum_j T_j D_alpha(mu_j || mu0_j), the conversion of Canonne, Kamath and Steinke shows epsilon at an order
alpha if F(alpha) = rho + ln(1 - 1/alpha) - (ln delta + ln alpha)/(alpha - 1) <= epsilon. F falls and then rises;
the certified engine finds its minimum over all real orders, and an order of few digits near it is taken. Nothing
rests on this choice: Coq computes rho and F again, in intervals.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from proofs_checks.runs.question import RunKind, RunStatement
from proofs_checks.verdicts.decide import Decided, Undecided, WrongSide
from proofs_checks.verdicts.generate import MOST_TERMS, DivergenceTerm, divergence_term
from proofs_checks.verdicts.question import VerdictKind, VerdictQuestion, literal, pair
from verify.accounting.best_order import over_all
from verify.accounting.conversions import CONVERSIONS
from verify.accounting.history import History, Phase, history
from verify.accounting.questions import Account
from verify.accounting.renyi import RdpEpsilon, RenyiCurve
from verify.moments.divergence import before
from verify.numbers.balls import ball, fraction, precision
from verify.numbers.budget import Deadline
from verify.numbers.certified import Certified
from verify.numbers.decimals import exponent10
from verify.numbers.errors import OutOfDomain, SgmError
from verify.numbers.point import Point, shown

CONVERSION = "cks"
MOST_DIGITS = 12
_DIGITS = 16  # of the least epsilon by RDP
_DENOMINATORS = (1, 2, 5, 10, 20, 50, 100, 1000, 10**4, 10**6)

_HEAD = """\
From Coq Require Import Reals Lra ZArith List.
From SGM Require Import Statements StatementsBeyond StatementsRun.
From SGMV Require Import Arithmetic Verdict Integrator Answers RunCertificate.
From SGMV Require Whole AnyOrder {arithmetic}.
Open Scope R_scope.
"""


class NotByRdp(SgmError):
    """RDP does not show this epsilon; the exact one may be below it all the same."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """A question that an order answers with ``room`` to spare, and the least epsilon that RDP shows."""

    question: RunStatement
    order: Fraction
    room: Fraction
    least: Certified


def certificate(
    phases: tuple[Phase, ...],
    delta: Fraction,
    deadline: Deadline,
    *,
    epsilon: Fraction | None = None,
    digits: int | None = None,
) -> Certificate:
    """An order that shows epsilon, or the least epsilon of so many digits that one shows.

    >>> from verify.accounting.history import phase
    >>> made = certificate((phase("0.01", "1.1", 1000),), Fraction(1, 10**5), Deadline(), digits=4)
    >>> str(made.question.epsilon), str(made.order)
    ('214/125', '48/5')
    """
    # Made before the work: numbers that no theorem can be about are refused at once.
    asked = RunStatement(phases, RunKind.VALID, Fraction(0) if epsilon is None else epsilon, delta)
    active = _history(phases)
    if not active:
        raise OutOfDomain("nothing is released: every epsilon is valid, and no certificate needed")
    curve = RenyiCurve(active, 2 * _DIGITS + 12, deadline)
    best = over_all(curve, delta, CONVERSION, _DIGITS)
    if epsilon is None:
        epsilon = _rounded_up(best.epsilon, digits)
        asked = RunStatement(phases, RunKind.VALID, epsilon, delta)
    if epsilon < Fraction(best.epsilon.hi):
        raise _refusal(asked, active, best, deadline)
    order, room = _order(curve, best, epsilon, delta)
    return Certificate(asked, order, room, best.epsilon)


def _history(phases: tuple[Phase, ...]) -> History:
    return history([(p.q, p.sigma, p.steps) for p in phases])


def _rounded_up(least: Certified, digits: int | None) -> Fraction:
    """The least decimal of so many digits, with a sixteenth of a unit to spare."""
    if digits is None or not 1 <= digits <= MOST_DIGITS:
        raise OutOfDomain(f"digits = {digits}: must be a whole number from 1 to {MOST_DIGITS}")
    high = Fraction(least.hi)
    if high == 0:
        return Fraction(0)
    unit = Fraction(10) ** (exponent10(high) - digits + 1)
    return math.ceil(high / unit + Fraction(1, 16)) * unit


def _refusal(
    asked: RunStatement, active: History, best: RdpEpsilon, deadline: Deadline
) -> SgmError:
    """Below what RDP shows: false, or true and out of reach of RDP."""
    exact: Certified | None = None
    try:
        exact = Account(active, deadline.left()).epsilon(asked.delta, _DIGITS)
        known = exact.text(_DIGITS)
    except SgmError as error:
        known = f"unknown here ({type(error).__name__})"
    if exact is not None and asked.epsilon < Fraction(exact.lo):
        return WrongSide(
            f"epsilon = {shown(asked.epsilon)} is not valid for this run, whose exact epsilon is {known}; "
            "ask for --not-valid"
        )
    return NotByRdp(
        f"epsilon = {shown(asked.epsilon)} is below what RDP can show: the least that an order proves is "
        f"{best.epsilon.text(_DIGITS)}; the exact epsilon of this run is {known}"
    )


def exact_epsilon(phases: tuple[Phase, ...], delta: Fraction, deadline: Deadline) -> str:
    """The exact epsilon to eight digits, as text; or a text that says that the time left was too short."""
    try:
        return Account(_history(phases), deadline.left() / 2).epsilon(delta, 10).hi_str(8)
    except SgmError as error:
        return f"not known here ({type(error).__name__})"


def _order(
    curve: RenyiCurve, best: RdpEpsilon, epsilon: Fraction, delta: Fraction
) -> tuple[Fraction, Fraction]:
    """An order of few digits that leaves at least half of the room there is, or else the most."""
    middle = (Fraction(best.order.lo) + Fraction(best.order.hi)) / 2
    most = epsilon - Fraction(best.epsilon.lo)
    found = (middle, Fraction(0))
    for order in _candidates(middle):
        with precision(curve.bits, curve.deadline):
            value = CONVERSIONS[CONVERSION](ball(order), curve.at(order), -ball(delta).log())
            room = epsilon - fraction(value.upper())
        if room > found[1]:
            found = order, room
        if room >= most / 2:
            break
    if found[1] <= 0:
        raise Undecided(
            f"undecided: epsilon = {shown(epsilon)} is too near to the least that RDP shows, "
            f"{best.epsilon.text(_DIGITS)}"
        )
    return found


def _candidates(middle: Fraction) -> Iterator[Fraction]:
    for denominator in _DENOMINATORS:
        near = math.floor(middle * denominator)
        for n in (near, near + 1):
            if n > denominator and (denominator > 1 or n <= MOST_TERMS):
                yield Fraction(n, denominator)
    yield middle


def certificate_proof(
    made: Certificate, deadline: Deadline, *, fast: bool = False
) -> tuple[str, float]:
    """The proof, and its cost in the units of :class:`~proofs_checks.verdicts.plan.ProofPlan`."""
    o = "OverBigInt" if fast else "OverZ"
    question, alpha = made.question, made.order
    # The rates 0 and 1 have closed forms; every other phase its share of the room.
    share = made.room / (2 * len(question.phases))
    terms = [
        _phase_term(p, alpha, share / p.steps, o, deadline, f"panels{i}")
        for i, p in enumerate(question.phases)
    ]
    spare = math.ceil(math.log2(question.steps * max(alpha, 1 / (alpha - 1)) + 1)) + 8
    bits = max(t.bits for t in terms) + spare
    arithmetic = f"({o}.bits {bits}) {o}.enc ({o}.bits_sound {bits})"
    numbers = [literal(v) for v in (alpha, question.epsilon, question.delta)]
    pairs = " ".join(pair(v) for v in (alpha, question.epsilon, question.delta))
    if len(terms) == 1:
        (p,), (term,) = question.phases, terms
        opening = (
            f"  apply (constant_run {literal(p.q)} {literal(p.sigma)} {' '.join(numbers)} {p.steps}%Z);\n"
            "    [lra|lra|lra|lra|reflexivity|].\n"
        )
        total = f"(mul ({o}.bits {bits}) (ofZ ({o}.bits {bits}) {p.steps}%Z) ({term.term}))"
        enclosed = f"  apply (total_steps {arithmetic}).\n  {term.enclosed}\n"
    else:
        opening = (
            f"  apply (run_of_phases {question.list_of_phases()} {' '.join(numbers)});\n"
            "    [repeat (split; [reflexivity|split; [lra|split; [lra|]]]); exact I|lra|lra|].\n"
        )
        total = f"(ofZ ({o}.bits {bits}) 0)"
        for p, term in zip(reversed(question.phases), reversed(terms), strict=True):
            total = (
                f"(add ({o}.bits {bits}) (mul ({o}.bits {bits}) (ofZ ({o}.bits {bits}) {p.steps}%Z)"
                f"\n      ({term.term})) {total})"
            )
        steps = [
            f"  apply (total_phase {arithmetic});\n    [{t.enclosed.rstrip('.')}|].\n"
            for t in terms
        ]
        enclosed = "".join(steps) + f"  apply (total_none {arithmetic}).\n"
    text = (
        _HEAD.format(arithmetic=o)
        + "".join(t.definitions for t in terms)
        + f"\nTheorem verdict :\n  {question.statement()}.\nProof.\n{opening}"
        + f"  apply (within_sound {arithmetic} {pairs} {numbers[0]} _ {numbers[1]} {numbers[2]}\n"
        + f"    {total});\n"
        + "    [rational|rational|rational| |vm_cast_no_check (eq_refl true)].\n"
        + f"{enclosed}Qed.\n"
    )
    return text, sum(t.cost for t in terms)


def _phase_term(
    p: Phase, alpha: Fraction, gap: Fraction, o: str, deadline: Deadline, panels: str
) -> DivergenceTerm:
    """The divergence of a step of a phase, to within a quarter of ``gap``."""
    if p.q in (0, 1):
        exact = f"({o}.bits 64)"
        closed = f"{exact} {o}.enc ({o}.bits_sound 64)"
        if p.q == 0:
            return DivergenceTerm("", f"ofZ {exact} 0", f"apply (never {closed}); lra.", 64, 0.0)
        bits = 64 + max(0, math.ceil(-math.log2(gap)))
        exact = f"({o}.bits {bits})"
        closed = f"{exact} {o}.enc ({o}.bits_sound {bits})"
        sigma, order = pair(p.sigma), pair(alpha)
        term = (
            f"div {exact} (rat {exact} {order}) (mul {exact} (ofZ {exact} 2) "
            f"(mul {exact} (rat {exact} {sigma}) (rat {exact} {sigma})))"
        )
        return DivergenceTerm(
            "", term, f"apply (always {closed}); [rational|rational|lra|lra].", bits, 0.0
        )
    asked = VerdictQuestion(Point.of(p.q, p.sigma, alpha), VerdictKind.VALID, Fraction(0))
    value = before(deadline, "rdp", asked.point, 15)
    return divergence_term(Decided(asked, value, 15, gap), o, deadline, panels)
