"""Evidence by its level, and evidence made of other evidence: what the bodies of checks yield."""

from __future__ import annotations

import functools

from verify.claims.model import Check, Claim, Finding, Undecided, judge
from verify.results.evidence import Evidence, Level, Verdict

symbolic = functools.partial(Evidence, Level.SYMBOLIC)
certified_region = functools.partial(Evidence, Level.REGION)
certified_points = functools.partial(Evidence, Level.POINTS)
sampled = functools.partial(Evidence, Level.SAMPLED)


@functools.cache
def _checked(function: Check) -> Finding:
    """A premise is checked once in a process."""
    found = list(function())
    return Finding(judge(function.__name__, found), tuple(found))


def rests_on(*premises: Claim) -> Evidence:
    """The conclusion follows from other claims, which are checked here and now.

    The evidence is as strong as the weakest premise; a premise that fails stops the check.
    """
    weakest = Level.SYMBOLIC  # premises are checked by computation
    for premise in premises:
        finding = _checked(premise.function)
        supporting = [e.level for e in finding.evidence if not e.role.against]
        if finding.verdict is Verdict.UNKNOWN or not supporting:
            raise Undecided(f"nothing supports the premise {premise.id}")
        best = min(supporting, key=lambda level: level.rank)
        weakest = max(weakest, best, key=lambda level: level.rank)
    names = ", ".join(premise.id for premise in premises)
    return Evidence(weakest, len(premises), 0, f"follows from {names}")


def all_of(*steps: Evidence) -> Evidence:
    """Steps that prove something only together: one evidence, as strong as the weakest of them.

    >>> both = all_of(symbolic(detail="algebra"), certified_region(12, detail="boxes", boxes=12))
    >>> str(both.level), both.effective, both.detail, both.boxes
    ('certified-region', 13, 'algebra; boxes', 12)
    """
    return Evidence(
        max((step.level for step in steps), key=lambda level: level.rank),
        sum(step.effective for step in steps),
        sum(step.vacuous for step in steps),
        "; ".join(step.detail for step in steps),
        boxes=sum(step.boxes for step in steps),
        theorems=tuple(theorem for step in steps for theorem in step.theorems),
    )
