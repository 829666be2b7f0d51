"""The Coq text of a refutation by scores on a lattice."""

from __future__ import annotations

from proofs_checks.runs.lattice import LatticeCell, LatticePlan, LatticeStretch
from proofs_checks.runs.question import RunStatement
from proofs_checks.runs.vectors import LatticeLevel
from proofs_checks.verdicts.question import pair

_HEAD = """\
From Coq Require Import Reals Lra ZArith List.
From SGM Require Import Statements StatementsRun.
From SGMV Require Import Arithmetic Integrator Answers Lattice LatticeCells{phases}.
From SGMV Require {arithmetic}.
Open Scope R_scope.
"""
_DECIDES = "vm_cast_no_check (eq_refl true)"


def lattice_proof(question: RunStatement, plan: LatticePlan, *, fast: bool = False) -> str:
    """The proof of a refutation of one phase, or of several."""
    o = "OverBigInt" if fast else "OverZ"
    several = len(plan.stretches) > 1
    make = _of_phases if several else _of_one_phase
    definitions, lines = make(question, plan, o)
    return (
        _HEAD.format(arithmetic=o, phases=" LatticePhases" if several else "")
        + definitions
        + f"\nTheorem verdict :\n  {question.statement()}.\nProof.\n{lines}Qed.\n"
    )


def _of_one_phase(question: RunStatement, plan: LatticePlan, o: str) -> tuple[str, str]:
    (s,) = plan.stretches
    numbers = " ".join(pair(v) for v in (s.phase.q, s.phase.sigma))
    pairs = " ".join(pair(v) for v in (question.epsilon, question.delta))
    return _cells_and_levels(s, ""), (
        f"  apply (lattice_refutation {o}.bits {o}.enc {o}.bits_sound {plan.bits} {plan.k} {s.unit} {numbers}\n"
        f"    ({s.left}) ({s.base}) ({plan.cut}) first cells levels {pairs} {s.phase.steps}%Z);\n"
        f"    [rational|rational|rational|rational|lra|lra|reflexivity|reflexivity|reflexivity|{_DECIDES}].\n"
    )


def _of_phases(question: RunStatement, plan: LatticePlan, o: str) -> tuple[str, str]:
    definitions = "".join(_cells_and_levels(s, str(i)) for i, s in enumerate(plan.stretches))
    rows = [_stretch(s, str(i), plan.kept) for i, s in enumerate(plan.stretches)]
    definitions += "Definition stretches : list stretch :=\n  " + "\n  ".join(rows) + "\n  nil.\n"
    pairs = " ".join(pair(v) for v in (question.epsilon, question.delta))
    one = "split; [reflexivity|split; [rational|split; [rational|split; [lra|split; [lra|]]]]]"
    return definitions, (
        f"  apply (history_refutation {o}.bits {o}.enc {o}.bits_sound {plan.bits} {plan.k} ltac:(discriminate)\n"
        f"    ({plan.cut}) stretches {pairs}); [ |rational|rational|{_DECIDES}].\n"
        f"  cbn [described stretches rate noise]. repeat ({one}). exact I.\n"
    )


def _stretch(s: LatticeStretch, name: str, kept: LatticeLevel) -> str:
    return (
        f"Stretch {pair(s.phase.q)} {pair(s.phase.sigma)} {s.unit} ({s.left}) ({s.base}) "
        f"first{name} cells{name} levels{name}\n    ({_level(s.common)}) ({_level(kept)}) ::"
    )


def _cells_and_levels(s: LatticeStretch, name: str) -> str:
    first, *rest = [_cell(c) for c in s.cells] or ["Cell nil 1 0 0"]
    return (
        f"Definition first{name} : cell := {first}.\n"
        + f"Definition cells{name} : list cell :=\n  "
        + "\n  ".join(f"{c} ::" for c in rest)
        + "\n  nil.\n"
        + f"Definition levels{name} : list level :=\n  "
        + "\n  ".join(f"{_level(a)} ::" for a in s.levels)
        + "\n  nil.\n"
    )


def _level(a: LatticeLevel) -> str:
    return f"Level {str(a.counts).lower()} {a.divisor} {a.offset} ({a.least}) ({a.most})"


def _cell(c: LatticeCell) -> str:
    panels = " :: ".join(f"Panel {p.half} {p.pairs} {p.fine} {p.coarse}" for p in c.panels)
    return f"Cell ({panels} :: nil) {c.rise} {c.low} {c.high}"
