"""Running claims over processes, and counting the outcomes."""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from verify.claims.model import Checked, Claim, Finding, run_one
from verify.parallel import Processes, WorkerDied, in_order
from verify.results.claims import ClaimResult, Fate, Score
from verify.results.evidence import Profile, Verdict, strongest


def run(
    claims: Iterable[Claim],
    profile: Profile = Profile.QUICK,
    *,
    broken: bool = True,
    workers: int = 2,
    done: Callable[[Checked], None] = lambda _: None,
) -> dict[str, Checked]:
    """Check claims in parallel; ``done`` is called for each, in the order given. An interruption
    ends all workers at once, also in the middle of a check.
    """
    todo = list(claims)
    if workers <= 1:
        found = (run_one(claim, profile, broken) for claim in todo)
        return _report(found, done)
    orders = [_Order(c.module, c.id, profile, broken) for c in todo]
    with Processes(workers) as door:
        return _report((_answer(o, said) for o, said in in_order(door, _obey, orders)), done)


def _report(found: Iterable[Checked], done: Callable[[Checked], None]) -> dict[str, Checked]:
    results = {}
    for checked in found:
        results[checked.id] = checked
        done(checked)
    return results


@dataclass(frozen=True, slots=True)
class _Order:
    """A claim for a worker. A claim holds functions, which cannot be pickled, so it is sent by its
    name."""

    module: str
    id: str
    profile: Profile
    broken: bool


def _obey(order: _Order) -> Checked:
    """Check the claim; runs in a worker process."""
    found = [
        c
        for c in vars(importlib.import_module(order.module)).values()
        if isinstance(c, Claim) and c.id == order.id
    ]
    return run_one(found[0], order.profile, order.broken)


def _answer(order: _Order, said: Checked | WorkerDied) -> Checked:
    """The result of the worker; a check that ends its process counts as unknown."""
    if isinstance(said, Checked):
        return said
    return Checked(order.id, Finding(Verdict.UNKNOWN, why=f"WorkerDied: {said}", crashed=True), {})


def differs(claim: Claim, finding: Finding) -> str:
    """Why a finding is not the recorded verdict; empty if it is."""
    if finding.verdict is claim.verdict:
        return ""
    found = str(finding.verdict)
    if finding.rejected or finding.crashed:
        found = "rejected" if finding.rejected else "the check broke down"
    return f"recorded {claim.verdict}, found {found}" + (f": {finding.why}" if finding.why else "")


def as_result(claim: Claim, checked: Checked) -> ClaimResult:
    """A claim with what was found, as it stands in documents."""
    finding = checked.finding
    return ClaimResult(
        id=claim.id,
        section=claim.id.partition("/")[0],
        place=claim.place,
        kind=claim.kind,
        domain=claim.domain,
        statement=claim.statement,
        words=claim.words,
        repair=claim.repair,
        verdict=finding.verdict,
        recorded=claim.verdict,
        severity=claim.severity,
        strongest=strongest(finding.evidence),
        evidence=finding.evidence,
        broken={name: _fate(variant) for name, variant in checked.variants.items()},
        unbreakable=claim.unbreakable,
        unknown=claim.unknown,
        differs=differs(claim, finding),
        reproduce=f"sgm-verify claims --check {claim.id}",
        erratum=claim.erratum,
    )


def _fate(variant: Finding) -> Fate:
    if variant.rejected:
        return Fate.REFUTED
    return Fate.NOT_PROVED if variant.refuses else Fate.SURVIVED


def hardest(results: Iterable[Checked], count: int = 3) -> list[tuple[Checked, int]]:
    """The claims with the largest interval proofs, and their numbers of boxes."""
    sizes = [(c, max((e.boxes for e in c.finding.evidence), default=0)) for c in results]
    return sorted((pair for pair in sizes if pair[1]), key=lambda pair: -pair[1])[:count]


def score(results: Iterable[Checked]) -> Score:
    """How many wrong variants the checks rejected: this shows that the checks can fail."""
    rows = list(results)
    tried = [finding for row in rows for finding in row.variants.values()]
    return Score(
        claims=len(rows),
        covered=sum(1 for row in rows if row.variants and not row.survivors),
        variants=len(tried),
        refuted=sum(finding.rejected for finding in tried),
        not_proved=sum(finding.refuses and not finding.rejected for finding in tried),
        survivors=tuple(f"{row.id}: {name}" for row in rows for name in row.survivors),
    )


def tally(values: Iterable[str]) -> dict[str, int]:
    """How often each value occurs, most frequent first."""
    return dict(Counter(values).most_common())
