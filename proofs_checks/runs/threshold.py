"""Refutations by the simplest event: some output of the run lies above a threshold a.

On the data set with the record its probability is at least T t/(1 + T t) with t = q (m(a - 1) - m(b)), where
m(z) = (s^2/z - s^4/z^3) mu0(z) is Mills' lower bound; without the record it is at most T s^2/a mu0(a). The run is not
(epsilon, delta)-DP if exp(epsilon) times the latter plus delta is below the former. This is near the truth where a
single large output gives the record away: small rates, small noise, small delta.

In a history each phase has its own threshold, where the loss of an output reaches one value that all phases share, and
the sums run over all steps.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from proofs_checks.runs.question import RunStatement
from proofs_checks.verdicts.question import literal
from verify.accounting.history import Phase

_STEPS, _FEWEST = 400, 8  # thresholds tried; of each phase at least
_WIDE, _NEAREST = (
    14,
    2,
)  # standard deviations from 1 of the thresholds tried, and of those that follow another phase's
_SPARE = 60  # bits beyond those that the event's probability needs

_HEAD = """\
From Coq Require Import Reals Lra ZArith List.
From SGM Require Import Statements StatementsRun.
From SGMV Require Import Arithmetic RunThreshold{phases}.
From SGMV Require OverZ.
Open Scope R_scope.
"""
_DECIDES = "vm_cast_no_check (eq_refl true)"


@dataclass(frozen=True, slots=True)
class ThresholdPlan:
    """The event "some output is above a", by phase with the end b of the tail that is counted, and the
    epsilon it reaches.
    """

    ends: tuple[tuple[Fraction, Fraction], ...]
    epsilon: float
    bits: int


def best_threshold(phases: Sequence[Phase], delta: Fraction) -> ThresholdPlan | None:
    """The thresholds that refute the largest epsilon, in doubles; None if none refutes any."""
    best: ThresholdPlan | None = None
    for thresholds in _thresholds(phases):
        ends = tuple(
            (a, a + max(1, math.ceil(4 * p.sigma))) for p, a in zip(phases, thresholds, strict=True)
        )
        found = _plan_of(phases, delta, ends)
        if found is not None and (best is None or found.epsilon > best.epsilon):
            best = found
    return best


def _thresholds(phases: Sequence[Phase]) -> Iterator[tuple[Fraction, ...]]:
    """One threshold on a grid, and for the other phases those of the same loss."""
    active = [p for p in phases if p.q > 0]
    steps = max(_FEWEST, _STEPS // len(active))
    for p, i in itertools.product(active, range(1, steps)):
        a = 1 + float(p.sigma) * _WIDE * i / steps
        if len(phases) == 1:
            yield (_round_to_128ths(a),)
        elif (loss := _loss(p, a)) > 0:
            yield tuple(_round_to_128ths(_place(other, loss)) for other in phases)


def _plan_of(
    phases: Sequence[Phase], delta: Fraction, ends: tuple[tuple[Fraction, Fraction], ...]
) -> ThresholdPlan | None:
    seen, logs = 0.0, []
    for p, (a, b) in zip(phases, ends, strict=True):
        q, s = float(p.q), float(p.sigma)
        low = q * (_mills(float(a) - 1, s) - _mills(float(b), s))
        if low < 0 or (low == 0 and q > 0):
            return None
        seen += p.steps * low
        logs.append(math.log(p.steps * s * s / float(a)) + _log_density(float(a), s))
    shown = seen / (1 + seen) - float(delta)
    if shown <= 0:
        return None
    log_false = max(logs) + math.log(sum(math.exp(x - max(logs)) for x in logs))
    bits = _SPARE + math.ceil(max(0.0, -log_false) / math.log(2))
    return ThresholdPlan(ends, math.log(shown) - log_false, bits)


def threshold_proof(question: RunStatement, plan: ThresholdPlan) -> str:
    """The proof of a refutation of one phase, or of several."""
    several = len(question.phases) > 1
    return (
        _HEAD.format(phases=" RunCertificate RunPhases" if several else "")
        + f"\nTheorem verdict :\n  {question.statement()}.\nProof.\n"
        + (_of_phases if several else _of_one_phase)(question, plan)
        + "Qed.\n"
    )


def _of_one_phase(question: RunStatement, plan: ThresholdPlan) -> str:
    (p,), ((a, b),) = question.phases, plan.ends
    numbers = " ".join(literal(v) for v in (p.q, p.sigma, a, b, question.epsilon, question.delta))
    o = f"(OverZ.bits {plan.bits}) OverZ.enc"
    return (
        f"  apply (not_dp_by_threshold {numbers} {p.steps}%Z); [lra|lra|lra|lra|reflexivity| |];\n"
        f"    assert (H := OverZ.bits_sound {plan.bits}); cbv zeta.\n"
        f"  - eapply (positive {o} H); [enclosed|{_DECIDES}].\n"
        f"  - eapply (s_less H); [enclosed|enclosed|{_DECIDES}].\n"
    )


def _of_phases(question: RunStatement, plan: ThresholdPlan) -> str:
    ends = " :: ".join(f"({literal(a)}, {literal(b)})" for a, b in plan.ends)
    proper = "repeat (split; [reflexivity|split; [lra|split; [lra|]]]); exact I"
    fits = f"split; [lra|split; [lra|split; [eapply (s_at_most H); [exact (s_ofZ H 0)|enclosed|{_DECIDES}]|]]]"
    return (
        f"  apply (not_dp_by_thresholds {question.list_of_phases()}\n    ({ends} :: nil)); [{proper}| |];\n"
        f"    assert (H := OverZ.bits_sound {plan.bits}).\n"
        "  - cbn [thresholds_fit]. unfold above_with.\n"
        f"    repeat ({fits}). exact I.\n"
        "  - cbn [total_with total_without]. unfold above_with, above_without.\n"
        f"    eapply (s_less H); [enclosed|enclosed|{_DECIDES}].\n"
    )


def _round_to_128ths(a: float) -> Fraction:
    return Fraction(round(a * 128), 128)


def _loss(p: Phase, a: float) -> float:
    """ln(1 - q + q exp((2a-1)/(2 sigma^2))), of an active phase."""
    grown = math.log(p.q) + (2 * a - 1) / (2 * float(p.sigma) ** 2)
    return grown + math.log1p(float(1 - p.q) * math.exp(-grown)) if grown > 0 else 0.0


def _place(p: Phase, loss: float) -> float:
    """Where the loss is reached, but not nearer than Mills' bound is good for; far off where there is none."""
    s = float(p.sigma)
    if p.q == 0:
        return 1 + _WIDE * s
    ratio = loss + math.log1p(-float(1 - p.q) * math.exp(-loss)) - math.log(p.q)
    return min(max(s * s * ratio + 0.5, 1 + _NEAREST * s), 1 + _WIDE * s)


def _log_density(z: float, s: float) -> float:
    return -z * z / (2 * s * s) - math.log(s * math.sqrt(2 * math.pi))


def _mills(z: float, s: float) -> float:
    if z <= s:  # where the bound is not positive
        return 0.0
    return (s * s / z - s**4 / z**3) * math.exp(_log_density(z, s))
