"""Kernel verdicts: a Coq theorem about one number, on demand.

"This epsilon is not a valid Rényi parameter of the mechanism here" as a theorem, checked by the kernel
from the definition of the integrals, for every type of records, every dimension and every function of
sensitivity 1. In the order of the work:

1. ``question``: what is to be proved, in words and in Coq: a function of the numbers alone.
2. ``decide``: the certified engine says which side is true, and how many bits a proof needs.
3. ``plan``, ``generate``: the window and its panels; the text of the proof.
4. ``library``: compiles ``library/*.v``, on top of the audited development.
5. ``check``: compiles the proof, then a check file that knows the question only, and compares assumptions.
6. ``proving``: all of this, and the answer.

Nobody has to trust 2 to 4: a wrong proof is no proof, and the check file is made from the question.
"""

from __future__ import annotations

from proofs_checks.verdicts.kept import read as read_kept
from proofs_checks.verdicts.proving import ProvedVerdict, prove
from proofs_checks.verdicts.question import VerdictKind, VerdictQuestion

__all__ = ["ProvedVerdict", "VerdictKind", "VerdictQuestion", "prove", "read_kept"]
