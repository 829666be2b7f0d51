"""The claims, checked in parallel or taken from the cache, as rows of results.json."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from verify import claim_runner as runner
from verify.claims import Claim, Evidence, Level, Outcome, Profile, Role, Verdict
from verify.report import model, sources
from verify.report.cache import Cache


@dataclass(frozen=True, slots=True)
class Checked:
    """A claim and what its check found, formal proofs included."""

    claim: Claim
    result: runner.Result


def key(claim: Claim, profile: Profile) -> str:
    """What the result of a check depends on."""
    made_by = sources.of_module(claim.module, runner.__name__)
    return sources.digest(["claim 2", claim.id, str(profile), made_by])


def check(
    claims: list[Claim],
    profile: Profile,
    cache: Cache,
    workers: int,
    proved: Mapping[str, str],
    done: Callable[[str], None] = lambda _: None,
) -> list[Checked]:
    """Every claim with its result; only what the cache does not know is run."""
    known: dict[str, runner.Result] = {}
    for claim in claims:
        stored = cache.get(key(claim, profile))
        if stored is not None:
            known[claim.id] = thawed(claim, stored)
            done(claim.id)
    by_id = {claim.id: claim for claim in claims}

    def keep(result: runner.Result) -> None:
        claim = by_id[result.id]
        if not runner.differs(claim, result.outcome) and not result.survivors:
            cache.put(key(claim, profile), frozen(result))
        done(result.id)

    todo = [claim for claim in claims if claim.id not in known]
    if todo:
        known |= runner.run(todo, profile, workers=min(workers, len(todo)), done=keep)
    checked = []
    for claim in claims:
        result = known[claim.id]
        outcome = runner.with_kernel(claim, result.outcome, proved)
        checked.append(Checked(claim, runner.Result(claim.id, outcome, result.variants)))
    return checked


def frozen(result: runner.Result) -> dict[str, Any]:
    """A result as plain data."""
    return {
        "outcome": asdict(result.outcome),
        "variants": {name: asdict(outcome) for name, outcome in result.variants.items()},
    }


def thawed(claim: Claim, stored: Mapping[str, Any]) -> runner.Result:
    """A result from plain data."""
    variants = {name: _outcome(outcome) for name, outcome in stored["variants"].items()}
    return runner.Result(claim.id, _outcome(stored["outcome"]), variants)


def _outcome(stored: Mapping[str, Any]) -> Outcome:
    evidence = tuple(
        Evidence(Level(e["level"]), e["effective"], e["vacuous"], e["detail"], Role(e["role"]))
        for e in stored["evidence"]
    )
    return Outcome(
        Verdict(stored["verdict"]), evidence, stored["why"], stored["rejected"], stored["crashed"],
        stored["seconds"],
    )  # fmt: skip


def row(checked: Checked) -> dict[str, Any]:
    """A claim in results.json. Times are left out: the same inputs give the same bytes."""
    claim, outcome = checked.claim, checked.result.outcome
    made = {
        "id": claim.id,
        "section": claim.id.partition("/")[0],
        "place": claim.place,
        "kind": str(claim.kind),
        "domain": claim.domain,
        "statement": claim.statement,
        "words": claim.words,
        "repair": claim.repair,
        "verdict": str(outcome.verdict),
        "recorded": str(claim.verdict),
        "severity": str(claim.severity),
        "evidence": [
            {
                "role": str(e.role),
                "level": str(e.level),
                "effective": e.effective,
                "vacuous": e.vacuous,
                "detail": e.detail,
            }
            for e in outcome.evidence
        ],
        "broken": {name: _fate(o) for name, o in checked.result.variants.items()},
        "unbreakable": claim.unbreakable,
        "unknown": claim.unknown,
        "differs": runner.differs(claim, outcome),
        "reproduce": f"sgm-verify claims --check {claim.id}",
    }
    return {**made, "strongest": model.strongest(made)}


def _fate(outcome: Outcome) -> str:
    if outcome.rejected:
        return "refuted"
    return "not proved" if outcome.refuses else "survived"
