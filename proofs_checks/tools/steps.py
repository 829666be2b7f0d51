"""Claims as steps of other claims: what a step has established, or no conclusion."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from verify.claims import Claim, Evidence, Role, Undecided


def established(*steps: Claim) -> Iterator[Evidence]:
    """The evidence for each step's true form; Undecided if a step does not come out as recorded."""
    for step in steps:
        outcome = step.check()
        if outcome.verdict is not step.verdict:
            raise Undecided(f"step {step.id} is not established: {outcome.why}")
        for found in outcome.evidence:
            if found.role is not Role.COUNTEREXAMPLE:
                detail = f"{step.id}: {found.detail}"
                yield replace(found, role=Role.STATEMENT, detail=detail)
