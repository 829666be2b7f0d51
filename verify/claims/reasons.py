"""Evidence by its level, and evidence made of other evidence: what the bodies of checks yield."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any

import msgspec

from verify.claims.model import (
    Check,
    Claim,
    Finding,
    Premise,
    Rejected,
    Undecided,
    doubt,
    judge,
    moved,
)
from verify.results.evidence import Evidence, Level, Verdict

symbolic = functools.partial(Evidence, Level.SYMBOLIC)
certified_region = functools.partial(Evidence, Level.REGION)
certified_points = functools.partial(Evidence, Level.POINTS)
sampled = functools.partial(Evidence, Level.SAMPLED)

_KNOWN: dict[Check, Finding] = {}


def _check_premise(premise: Premise) -> Finding:
    """A premise with its own parameters is checked once in a process."""
    claim = premise.claim
    if premise.moved or claim.function not in _KNOWN:
        found = claim.evidence(**premise.parameters)
        finding = Finding(judge(claim.id, found), tuple(found))
        if premise.moved:
            return finding
        _KNOWN[claim.function] = finding
    return _KNOWN[claim.function]


def _support(premise: Premise) -> Level:
    """The level of what speaks for a premise; Undecided if nothing does."""
    try:
        finding = _check_premise(premise)
    except Rejected as error:  # the conclusion may be true all the same
        raise Undecided(f"the premise {premise.text} is false: {error}") from error
    except Undecided as error:
        raise Undecided(f"the premise {premise.text} is not shown: {error}") from error
    supporting = [e.level for e in finding.evidence if not e.role.against]
    if finding.verdict is Verdict.UNKNOWN or not supporting:
        raise Undecided(f"nothing supports the premise {premise.text}")
    return min(supporting, key=lambda level: level.rank)


def rests_on(*premises: Claim | Premise) -> Evidence:
    """The conclusion follows from other claims, which are checked here and now.

    The evidence is as strong as the weakest premise. A premise carries the parameters it was proved
    with: a plain claim stands for its own, ``claim.given(constant=c)`` for others. In a variant of a
    check, which has other parameters, a plain claim is no premise, because nobody has said that the
    conclusion still follows from it: the variant is undecided. ``claim.given()`` says just that.
    A premise that fails leaves the conclusion undecided too.
    """
    weakest = Level.SYMBOLIC  # premises are checked by computation
    given = [p if isinstance(p, Premise) else p.given() for p in premises]
    ids = _each_once(premise.claim.id for premise in given)
    changed = moved()
    if changed and any(isinstance(p, Claim) for p in premises):
        plain = ", ".join(p.id for p in premises if isinstance(p, Claim))
        doubt(f"another {', '.join(changed)} than the one that {plain} gives")
    for premise in given:
        try:
            weakest = max(weakest, _support(premise), key=lambda level: level.rank)
        except Undecided as error:
            doubt(str(error))
            return Evidence(Level.SAMPLED, 0, detail=str(error), premises=ids)
    names = ", ".join(premise.text for premise in given)
    return Evidence(weakest, len(premises), 0, f"follows from {names}", premises=ids)


def shown_by(claim: Claim, **parameters: Any) -> list[Evidence]:
    """What another claim's check yields with these parameters, as evidence for this one too."""
    return [
        msgspec.structs.replace(e, premises=_each_once((claim.id, *e.premises)))
        for e in claim.evidence(**parameters)
    ]


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
        premises=_each_once(name for step in steps for name in step.premises),
    )


def _each_once(ids: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(ids))
