"""Finds a prover among the installed papers, and asks it for the theorems that a judge of libraries shows."""

from __future__ import annotations

import math
from fractions import Fraction

from verify.accounting.history import Phase
from verify.claims.paper import Prove, ProveRun, papers
from verify.numbers.errors import OutOfReach, SgmError
from verify.numbers.point import Number, Point
from verify.results.verdicts import KernelRun, KernelVerdict


def prover() -> Prove:
    """The function that proves theorems about one number, from the first installed paper that has one."""
    for paper in papers():
        if paper.prover is not None:
            return paper.prover()
    raise OutOfReach("no installed package of claims has a prover")


def run_prover() -> ProveRun:
    """The function that proves theorems about a run, from the first installed paper that has one."""
    for paper in papers():
        if paper.run_prover is not None:
            return paper.run_prover()
    raise OutOfReach("no installed package of claims has a prover of runs")


def kept_certificate(phases: tuple[Phase, ...], delta: Fraction) -> KernelRun | None:
    """Of the kept theorems that this very run is (epsilon, delta)-DP the one with the least epsilon."""
    asked = [(p.q, p.sigma, p.steps) for p in phases]
    found = (
        one
        for paper in papers()
        for one in getattr(paper.read_runs(), "runs", ())
        if one.kind == "valid"
        and Fraction(one.delta) == delta
        and [(Fraction(p.q), Fraction(p.sigma), p.steps) for p in one.history] == asked
    )
    return min(found, key=lambda one: Fraction(one.epsilon), default=None)


def verdict_on(
    of: str,
    q: Number,
    sigma: Number,
    alpha: Number,
    answer: float,
    max_seconds: float,
    *,
    reverse: bool = False,
) -> KernelVerdict | str:
    """The theorem that an answer is too small, or in one line why there is none: never an error.

    A judge of libraries attaches it to an UNSAFE answer; floats are the doubles they are.
    """
    if not math.isfinite(answer):
        return f"{answer!r} is no number to prove anything of"
    try:
        proved = prover()(
            Point.of(q, sigma, alpha), not_valid=Fraction(answer), valid=None, digits=None,
            reverse=reverse, fast=False, proof=None, out=None, max_seconds=max_seconds,
            say=lambda _: None,
        )  # fmt: skip
        return proved.as_part(of)
    except SgmError as error:
        return f"{type(error).__name__}: {error}"


def refutation_of_run(
    phases: tuple[Phase, ...], delta: float, epsilon: float, max_seconds: float
) -> str:
    """The theorem that a run is not (epsilon, delta)-DP, in words, or in one line why there is none: never an error."""
    try:
        proved = run_prover()(
            phases, Fraction(delta), epsilon=None, not_valid=Fraction(epsilon), digits=None, tight=False,
            fast=False, proof=None, out=None, max_seconds=max_seconds, say=lambda _: None,
        )  # fmt: skip
        return proved.as_text()
    except SgmError as error:
        return f"no theorem: {type(error).__name__}: {error}"
