"""Words of the report that no computation produces: captions, and what is not covered."""

from __future__ import annotations

from verify.moments.agreement import WITNESSES

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
    "Whole runs of Poisson sampling are covered where an exact ε stands: by certified contour integrals, checked "
    "above. Of shuffled epochs only a bracket is known (sgm-verify epsilon --sampling shuffle); the paper's claims "
    "are about one step with Poisson sampling.",
    "Whether a training loop clips, adds noise and draws batches as it says, and any code that draws noise in "
    "floating point.",
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

SYMBOLS = (
    "Symbols: q is the sampling rate, σ the noise multiplier, α the order. μ₀ and μ₁ are the "
    "densities of N(0, σ²) and N(1, σ²), μ = (1-q)μ₀ + qμ₁; A = E over μ₀ of (μ/μ₀)^α, B = E over "
    "μ of (μ₀/μ)^α, ε = ln A/(α-1). L = ln(1 + 1/(q(α-1))), z₀ = 1/2 + σ²L, r₀ = 1 + 1/(q(α-1)), "
    "z₁ = 1/2 + σ² ln(1/q - 1); A⁽¹⁾ and A⁽²⁾ are the parts of A left and right of z₀. The two "
    "conditions on α of Theorem 11 are (4) α ≤ σ²L/2 - 2 ln σ and (5) α ≤ (σ²L²/2 - ln 5 - 2 "
    "ln σ)/(L + ln(qα) + 1/(2σ²)). A domain says for which values the statement is meant."
)
"""What the letters in statements and domains stand for."""
