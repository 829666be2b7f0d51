"""Theorems about whole training runs: a run is (epsilon, delta)-DP, or a published epsilon of it is
not.

In the order of the work:

1. ``question``: what is to be proved, in words and in Coq: a function of the numbers alone.
2. ``certify``: an order of RDP that shows epsilon, and the proof; ``refute``: an event that breaks it.
3. ``threshold``, ``lattice``: the events; ``vectors``: the whole numbers of a lattice; ``lattice_proof``: the text.
4. ``tight``: an epsilon between the exact one and what RDP shows; ``dots``, ``ladder``, ``uppers``,
   ``dots_proof``: its
   lattice.
5. ``prove``: compiles, checks and compares assumptions with the means of ``proofs_checks.verdicts``; ``enclose``:
   two theorems that enclose the exact epsilon.
6. ``kept``: theorems that are kept and proved again; ``attempts``: lies that must be refused.
"""

from __future__ import annotations

from proofs_checks.runs.enclose import EnclosedRun, enclose_run, run_theorem
from proofs_checks.runs.prove import ProvedRun, prove_run
from proofs_checks.runs.question import RunKind, RunStatement

__all__ = [
    "EnclosedRun",
    "ProvedRun",
    "RunKind",
    "RunStatement",
    "enclose_run",
    "prove_run",
    "run_theorem",
]
