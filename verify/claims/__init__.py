"""The claims of a paper: what one is, where they are found, how they are run, what a kernel adds.

    model       a claim, and what one run of its check finds
    parameters  what the parameters of a check can be
    refuting    points at which a changed formula fails
    reasons     evidence by its level, and evidence made of other evidence
    declaring   the decorator
    paper       the object that a claim package hands over
    discovery   the installed claims
    running     many claims over processes, and the score
    proving     finding a prover
    kernel      what a formal development has proved

What an author of claims needs can be imported from here.
"""

from fractions import Fraction

from verify.claims.declaring import claim
from verify.claims.model import (
    Claim,
    Finding,
    MisstatedClaim,
    Premise,
    PrintableFormula,
    Rejected,
    StepFails,
    Undecided,
    doubt,
    judge,
    moved,
)
from verify.claims.paper import Paper
from verify.claims.parameters import Sign
from verify.claims.reasons import (
    all_of,
    certified_points,
    certified_region,
    rests_on,
    sampled,
    shown_by,
    symbolic,
)
from verify.results.evidence import (
    Erratum,
    Evidence,
    Kind,
    Level,
    Profile,
    Role,
    Severity,
    Verdict,
)

__all__ = [
    "Claim",
    "Erratum",
    "Evidence",
    "Finding",
    "Fraction",
    "Kind",
    "Level",
    "MisstatedClaim",
    "Paper",
    "Premise",
    "PrintableFormula",
    "Profile",
    "Rejected",
    "Role",
    "Severity",
    "Sign",
    "StepFails",
    "Undecided",
    "Verdict",
    "all_of",
    "certified_points",
    "certified_region",
    "claim",
    "doubt",
    "judge",
    "moved",
    "rests_on",
    "sampled",
    "shown_by",
    "symbolic",
]
