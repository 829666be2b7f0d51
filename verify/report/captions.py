"""Words of the report that no computation produces: captions, and what is not covered."""

from __future__ import annotations

from verify.moments import WITNESSES

SECTIONS = {
    "a-geq-b": "A ≥ B",
    "beyond": "Beyond the paper",
    "closed-form": "The closed form: lemmas 8 to 10",
    "main-theorem": "The main theorem",
    "numerical": "Numerical procedure",
    "one-dimensional": "The mechanism on a line",
    "reduction": "Reduction to the line: Theorem 4",
}
"""Names of sections of claims, where the first part of their ids does not read well."""

NOT_COVERED = (
    "Composition over many steps and conversion to (ε, δ): the report treats one step of the mechanism "
    "(sgm-verify epsilon and delta answer for whole runs).",
    "Sampling other than Poisson (fixed-size batches, shuffling), clipping, and any code that draws noise "
    "in floating point.",
    "The history and attribution of earlier work, apart from the formulas quoted from it.",
    "Libraries are judged at the points of the test vectors and of a search, not everywhere: a clean sheet "
    "is no proof.",
    "Correctness of CPython, FLINT/Arb, sympy and (for the formal part) Coq's kernel and the axioms of its "
    "real numbers is assumed.",
)

METHOD = (
    "Every published number comes from ball arithmetic: a trapezoidal rule whose truncation, tail and rounding "
    "errors are all bounded by proved formulas, so the true value lies in the interval given.",
    f"Independent engines in another arithmetic ({', '.join(WITNESSES)}) share nothing with the first and must "
    "agree with it; a disagreement is an error with all values shown.",
    "A claim is one function that tries to confirm it. The same function is run on deliberately wrong variants of "
    "the claim and has to refuse them: a check that cannot fail proves nothing.",
    "Kernel evidence means: Coq's kernel accepted the proof, no proof is admitted, and the axioms below each theorem "
    "were printed and compared with the short list shown here.",
    "What a check could not decide is reported as unknown and counts as nothing.",
)
