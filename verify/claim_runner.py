"""Finding claims, running them over processes, and keeping the score.

Claim packages are found through the entry-point group ``sgm_verify.claims``: every module of such
a package is imported and its :class:`~verify.claims.Claim` objects are collected. Another paper's
claims are another package with that entry point.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import multiprocessing
import pkgutil
import signal
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

from verify.claims import Claim, Evidence, Level, MisstatedClaim, Outcome, Profile, Role, Verdict

GROUP = "sgm_verify.claims"


@dataclass(frozen=True, slots=True)
class Result:
    """A claim's id, what its check found, and what became of its broken variants."""

    id: str
    outcome: Outcome
    variants: Mapping[str, Outcome]

    @property
    def survivors(self) -> list[str]:
        """Broken variants that the check did not refuse: each is a hole in the check."""
        return [name for name, outcome in self.variants.items() if not outcome.refuses]


def packages() -> Iterator[ModuleType]:
    """The installed claim packages."""
    for entry in sorted(entry_points(group=GROUP), key=lambda e: e.name):
        yield entry.load()


def claims_of(package: ModuleType) -> Iterator[Claim]:
    """The claims that a package's modules define, subpackages included, in order of the source."""
    for info in pkgutil.iter_modules(package.__path__):
        if info.name.startswith("_") or info.name == "tools":
            continue
        module = importlib.import_module(f"{package.__name__}.{info.name}")
        for value in vars(module).values():
            if isinstance(value, Claim) and value.module == module.__name__:
                yield value
        if info.ispkg:
            yield from claims_of(module)


def discover() -> dict[str, Claim]:
    """Every claim of every installed package, by id, in the order of the paper."""
    found: dict[str, Claim] = {}
    for package in packages():
        for claim in claims_of(package):
            if claim.id in found:
                raise MisstatedClaim(f"{claim.id}: defined twice")
            found[claim.id] = claim
    return dict(sorted(found.items(), key=lambda item: (_first_line(item[1]), item[0])))


def _first_line(claim: Claim) -> int:
    head = claim.lines.split(",")[0].split("-")[0]
    return int(head) if head.isdigit() else 10**9


def run_one(claim: Claim, profile: Profile, broken: bool = True) -> Result:
    """Check a claim and, with ``broken``, try every wrong variant on the same check."""
    outcome = claim.check(profile)
    variants = {}
    if broken:
        # A variant is rejected by what the quick profile already looks at.
        variants = {n: claim.check(Profile.QUICK, **p) for n, p in claim.broken.items()}
    return Result(claim.id, outcome, variants)


def run(
    claims: Iterable[Claim],
    profile: Profile = Profile.QUICK,
    *,
    broken: bool = True,
    workers: int = 2,
    done: Callable[[Result], None] = lambda _: None,
) -> dict[str, Result]:
    """Check claims in parallel; ``done`` is called for each, in the order given."""
    todo = list(claims)
    results: dict[str, Result] = {}
    if workers <= 1:
        for claim in todo:
            results[claim.id] = run_one(claim, profile, broken)
            done(results[claim.id])
        return results
    context = multiprocessing.get_context("spawn")  # flint and mpmath keep process-global state
    with ProcessPoolExecutor(workers, context, initializer=_leave_interrupts_to_the_parent) as pool:
        futures = [pool.submit(_run_named, c.module, c.id, profile, broken) for c in todo]
        try:
            for future in futures:
                result = future.result()
                results[result.id] = result
                done(result)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)  # what has not begun is given up
            raise
    return results


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _run_named(module: str, claim_id: str, profile: Profile, broken: bool) -> Result:
    """In a worker: claims hold functions, so they travel by name."""
    found = [
        c
        for c in vars(importlib.import_module(module)).values()
        if isinstance(c, Claim) and c.id == claim_id
    ]
    return run_one(found[0], profile, broken)


def with_kernel(claim: Claim, outcome: Outcome, proved: Mapping[str, str]) -> Outcome:
    """Add the formal development's theorems; ``proved`` maps a theorem's name to its axioms.

    What was not checked is no evidence: all theorems that a claim names have to be there. Nor does
    a theorem save a claim whose own check failed.
    """
    role = Role.STATEMENT if claim.verdict is Verdict.HOLDS else Role.REPAIR
    added = []
    for names, speaks_for in ((claim.kernel, role), (claim.kernel_against, Role.COUNTEREXAMPLE)):
        if names and outcome.confirms and all(name in proved for name in names):
            detail = "; ".join(f"{name} ({proved[name]})" for name in names)
            added.append(Evidence(Level.KERNEL, len(names), 0, detail, speaks_for))
    return replace(outcome, evidence=(*added, *outcome.evidence))


def installed_kernel_results() -> dict[str, str]:
    """What the claim packages' own formal developments have proved, as far as that is not stale.

    A package that has one holds a module ``kernel`` whose ``read_result()`` gives the result, or None.
    """
    proved: dict[str, str] = {}
    for package in packages():
        name = f"{package.__name__}.kernel"
        if importlib.util.find_spec(name) is not None:
            result = importlib.import_module(name).read_result()
            proved |= _theorems(result) if result else {}
    return proved


def kernel_results(path: Path) -> dict[str, str]:
    """Theorems and their axioms from the formal development's result file.

    The file says ``{"theorems": [{"name": ..., "axioms": [...]}, ...], "complete": true}``; without
    the closing record it is the torso of a run and proves nothing.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if content.get("complete") is not True:
            raise MisstatedClaim(f"{path}: not a complete result file")
        return _theorems(content)
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise MisstatedClaim(f"{path}: not a result file of the formal development") from error


def _theorems(result: Mapping[str, Any]) -> dict[str, str]:
    """The text shown for each theorem: where it stands, what it says there, what it assumes."""
    shown = {}
    for theorem in result["theorems"]:
        axioms = _axioms(theorem["axioms"])
        where = f"{theorem['file']}: {theorem['statement']}; " if "statement" in theorem else ""
        shown[str(theorem["name"])] = where + axioms
    return shown


def _axioms(names: list[str]) -> str:
    short = (str(name).rpartition(".")[2] for name in names)
    return f"axioms: {', '.join(short)}" if names else "no axioms"


def differs(claim: Claim, outcome: Outcome) -> str:
    """Why an outcome is not the recorded verdict; empty if it is."""
    if outcome.verdict is claim.verdict:
        return ""
    found = str(outcome.verdict)
    if outcome.rejected or outcome.crashed:
        found = "rejected" if outcome.rejected else "the check broke down"
    return f"recorded {claim.verdict}, found {found}" + (f": {outcome.why}" if outcome.why else "")


def strongest(outcome: Outcome) -> Level | None:
    """The strongest evidence of an outcome."""
    return min((e.level for e in outcome.evidence), key=lambda level: level.rank, default=None)


def hardest(results: Iterable[Result], count: int = 3) -> list[tuple[Result, int]]:
    """The claims with the largest interval proofs, and their numbers of boxes."""
    sizes = []
    for result in results:
        boxes = [e.effective for e in result.outcome.evidence if "interval proof" in e.detail]
        if boxes:
            sizes.append((result, max(boxes)))
    return sorted(sizes, key=lambda pair: -pair[1])[:count]


@dataclass(frozen=True, slots=True)
class Score:
    """How many claims' broken variants were all rejected, and by what."""

    claims: int
    covered: int
    variants: int
    refuted: int
    not_proved: int
    survivors: tuple[str, ...]

    @property
    def share(self) -> float:
        return self.covered / self.claims if self.claims else 0.0

    def __str__(self) -> str:
        text = (
            f"broken variants: {self.covered} of {self.claims} claims ({self.share:.1%}) reject "
            f"theirs; {self.refuted} of {self.variants} variants refuted, "
            f"{self.not_proved} not proved"
        )
        return text + "".join(f"\n  survived: {name}" for name in self.survivors)


def score(results: Iterable[Result]) -> Score:
    """The proof that the checks can fail."""
    rows = list(results)
    tried = [outcome for row in rows for outcome in row.variants.values()]
    return Score(
        claims=len(rows),
        covered=sum(1 for row in rows if row.variants and not row.survivors),
        variants=len(tried),
        refuted=sum(outcome.rejected for outcome in tried),
        not_proved=sum(outcome.refuses and not outcome.rejected for outcome in tried),
        survivors=tuple(f"{row.id}: {name}" for row in rows for name in row.survivors),
    )


def tally(values: Iterable[str]) -> dict[str, int]:
    """How often each value occurs, most frequent first."""
    return dict(Counter(values).most_common())
