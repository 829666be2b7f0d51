"""Words of the report that no computation produces: captions, and what is not covered."""

from __future__ import annotations

from typing import Any

_LEFT_COLUMNS = ["q", "by (14)", "by (15)", "minimum", "exact"]
_LEFT = (
    "How to read it: up to the solid line the bound 2q²α/σ² is true; the theorem promises it "
    "up to the dotted line, the lower of its two conditions. The gap between them is what the proof gives away."
    " Every point is a certified change of sign, to the digits in the table."
)
_RIGHT_COLUMNS = ["α", "exact ε", "bound 2q²α/σ²", "ε/bound"]


def _left(sigma: str) -> dict[str, Any]:
    return {
        "kind": "conditions",
        "title": f"Figure 1, left, re-computed: largest order α against q, σ = {sigma}",
        "caption": _LEFT,
        "parameters": {"sigma": sigma},
        "columns": _LEFT_COLUMNS,
    }


def _right(q: str, sigma: str) -> dict[str, Any]:
    return {
        "kind": "epsilon",
        "title": f"Figure 1, right, re-computed: exact ε against the bound, q = {q}, σ = {sigma}",
        "caption": (
            "How to read it: the exact ε (solid) against the closed-form bound (dashed). Where the solid "
            "line is below the dashed one the bound is true; they meet at the exact order of the left "
            "panel. The paper does not state the parameters of its panel; these are ours."
        ),
        "parameters": {"q": q, "sigma": sigma},
        "columns": _RIGHT_COLUMNS,
    }


FIGURES: dict[str, dict[str, Any]] = {
    "figure-1-left-sigma-4": _left("4"),
    "figure-1-left-sigma-10": _left("10"),
    "figure-1-right-sigma-4": _right("0.01", "4"),
    "figure-1-right-sigma-10": _right("0.001", "10"),
    "ratio": {
        "kind": "ratio",
        "title": "How tight the bound is: ε divided by 2q²α/σ², σ = 4",
        "caption": (
            "How to read it: each cell is one certified value; dark cells have a small ratio. Dots mark the "
            "points where the theorem's conditions hold: there the ratio stays near 1/4, so the bound "
            "overstates ε about four times. Hatched cells have a ratio above 1: the formula is false there "
            "(and the theorem does not claim it)."
        ),
        "parameters": {"sigma": "4"},
        "columns": ["q", "α", "ε/bound", "theorem applies"],
    },
    "frontier": {
        "kind": "frontier",
        "title": "Where the bound is true: the largest order α over q and σ",
        "caption": (
            "How to read it: each cell gives, by its brightness, the order up to which ε ≤ 2q²α/σ² is true "
            "(certified change of sign). Hatched cells: false already at α = 1.001. The theorem asks for "
            "q ≤ 1/5 and σ ≥ 4, the part framed by the dashed lines; the formula is true far outside."
        ),
        "parameters": {},
        "columns": ["q", "σ", "largest α"],
    },
    "series": {
        "kind": "series",
        "title": "Fractional orders: the series summed as it stands, and accelerated",
        "caption": (
            "How to read it: error of A after so many terms (q = 1/2, σ = 1, α = 1.1). The plain sum "
            "(dashed) gains digits only with powers of the number of terms; the accelerated one (solid) "
            "gains 0.77 digits with every term and stays below its proved bound (dotted)."
        ),
        "parameters": {"q": "0.5", "sigma": "1", "alpha": "1.1"},
        "columns": ["terms", "plain error", "accelerated error", "proved bound"],
    },
    "times": {
        "kind": "times",
        "title": "What digits cost: time of the three engines against the number of digits",
        "caption": (
            "How to read it: time for one number (ln A at q = 1/100, σ = 11/10, α = 17/2) as a multiple of what the "
            "certified trapezoidal rule (solid) takes for the fewest digits; the paper's series (dashed) and quadrature "
            "(dash-dotted) are the independent engines it is checked with. A missing point took too long. Taken from "
            "a recorded run of sgm-verify bench; other machines and runs differ."
        ),
        "parameters": {"q": "1/100", "sigma": "11/10", "alpha": "17/2"},
        "columns": ["digits", "trapezoidal rule", "series", "quadrature"],
    },
}

OLD_TIMES = " The engines have changed since the run."

MAP = (
    "How to read it: each cell gathers the test points in a range of q, α and σ; labels say where a cell "
    "begins. The brighter it is, the more of the 53 bits of a double were wrong at the worst of its points. "
    "! marks cells with an UNSAFE answer, + with an overstated one but no unsafe one, ? with a refusal only. "
    "Bright cells without a mark lost their digits to cancellation that the noise floor forgives: ln A itself is "
    "that small there. Cells without colour have no test point, or no answer."
)

NOT_COVERED = (
    "Composition over many steps and conversion to (ε, δ): only one step of the mechanism is treated.",
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
    "Two independent engines (the paper's own series with a proved remainder, and adaptive quadrature) share no "
    "arithmetic with the first and must agree with it; a disagreement is an error with all values shown.",
    "A claim is one function that tries to confirm it. The same function is run on deliberately wrong variants of "
    "the claim and has to refuse them: a check that cannot fail proves nothing.",
    "Kernel evidence means: Coq's kernel accepted the proof, no proof is admitted, and the axioms below each theorem "
    "were printed and compared with the short list shown here.",
    "What a check could not decide is reported as unknown and counts as nothing.",
)
