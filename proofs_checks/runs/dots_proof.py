"""The Coq text of a certificate by the exact pair, on a lattice."""

from __future__ import annotations

from fractions import Fraction

from proofs_checks.runs.dots import Dots, DotsPlan
from proofs_checks.runs.question import RunStatement
from proofs_checks.runs.uppers import UpperLevel
from proofs_checks.verdicts.question import literal, pair

_HEAD = """\
From Coq Require Import Reals Lra ZArith List.
From SGM Require Import Statements StatementsRun.
From SGMV Require Import Arithmetic Integrator Answers TightLattice TightCells.
From SGMV Require {arithmetic}.
Open Scope R_scope.
"""


def dots_proof(
    question: RunStatement, plan: DotsPlan, smaller: Fraction | None = None, *, fast: bool = False
) -> str:
    """The proof that the run of the plan is (epsilon, delta)-DP; by a ``smaller`` epsilon if one is given."""
    o = "OverBigInt" if fast else "OverZ"
    p, step = plan.phase, plan.step
    numbers = " ".join(pair(v) for v in (p.q, p.sigma, plan.width))
    ends = (step.base, step.left, step.low_end, step.high_end, step.lefty, step.righty)
    shown = question.epsilon if smaller is None else smaller
    pairs = " ".join(pair(v) for v in (shown, question.delta))
    return (
        _HEAD.format(arithmetic=o)
        + "Definition cells : list dots :=\n  "
        + "\n  ".join(f"{_cell(c)} ::" for c in step.cells)
        + "\n  nil.\nDefinition levels : list ulevel :=\n  "
        + "\n  ".join(f"{_level(a)} ::" for a in plan.levels)
        + f"\n  nil.\n\nTheorem verdict :\n  {question.statement()}.\nProof.\n"
        + ("" if smaller is None else _by_a_smaller_epsilon(question, smaller))
        + f"  apply (tight_certificate {o}.bits {o}.enc {o}.bits_sound {plan.bits} {plan.k} {step.unit} {numbers}\n"
        + f"    {' '.join(f'({v})' for v in ends)} cells levels {pairs} {p.steps}%Z);\n"
        + "    [rational|rational|rational|rational|lra|lra|unfold ratio_of; simpl; lra\n"
        + "    |reflexivity|reflexivity|reflexivity|vm_cast_no_check (eq_refl true)].\nQed.\n"
    )


def _by_a_smaller_epsilon(question: RunStatement, smaller: Fraction) -> str:
    (p,) = question.phases
    numbers = [literal(v) for v in (p.q, p.sigma, smaller, question.epsilon, question.delta)]
    return f"  apply (larger_epsilon {p.steps}%Z {' '.join(numbers)}); [lra|lra|lra|].\n"


def _cell(c: Dots) -> str:
    panels = " :: ".join(f"Panel {p.half} {p.pairs} {p.fine} {p.coarse}" for p in c.panels)
    return f"Dots ({panels} :: nil) ({c.before}) ({c.after}) {c.to_before} {c.to_after}"


def _level(a: UpperLevel) -> str:
    flags = " ".join(str(v).lower() for v in (a.counts, a.halves))
    return f"ULevel {flags} ({a.below}, {a.above})%Z ({a.bottom}) ({a.top}) {a.growth}"
