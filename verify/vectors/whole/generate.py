"""Compute the vectors of whole runs: decimals that belong to the number, not to the precision it
was found with.

As with single steps, the two 20-digit neighbours of the true value are published, found by raising
the precision until both ends of the certified interval round to them. Each direction is computed
for itself; the answer is the larger one. The least noise lies between two neighbouring doubles, one
of which is proved to meet the target and the other proved not to; which of them is nearer is
decided at their middle.
"""

from __future__ import annotations

import functools
import hashlib
import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from pathlib import Path

from verify.accounting.calibration import calibrate
from verify.accounting.history import history
from verify.accounting.pairs.run import Run
from verify.accounting.questions import Account
from verify.numbers.certified import Certified
from verify.numbers.errors import PrecisionExhausted
from verify.parallel import each
from verify.results.run_vectors import DIGITS, RunFile, RunManifest, RunVector, VectorPhase
from verify.results.vectors import Expected, Number, as_text
from verify.vectors.whole.flags import RUN_FLAGS, intrinsic, of_answer
from verify.vectors.whole.grid import RunSite, sites

NAME = "whole-runs.json"
_SECONDS = 1800.0  # of the wall: generous, so that a busy machine writes the same file
_PRECISIONS = (DIGITS + 4, 2 * DIGITS, 4 * DIGITS)


def published_form(certified: Callable[[int], Certified]) -> Expected:
    """The published form of a number that can be had to any number of digits."""
    for digits in _PRECISIONS:
        value = certified(digits)
        low, high = value.lo_str(DIGITS), value.hi_str(DIGITS)
        ends_agree = (
            Certified.exactly(value.hi).lo_str(DIGITS) == low
            and Certified.exactly(value.lo).hi_str(DIGITS) == high
        )
        if ends_agree:
            return Expected.of(low, high, value.to_double(), value.to_double_up())
    raise PrecisionExhausted(f"{low}..{high}: too close to a {DIGITS}-digit decimal, or a bracket")


def answer_site(site: RunSite) -> RunVector:
    """The vector of a question."""
    if site.quantity == "sigma":
        return _vector(site, site.epsilon, *_noise(site))
    usual = (site.sampling, site.relation) == ("poisson", "add/remove")
    run = Account(
        Run.of_rows(site.phases, relation=site.relation, sampling=site.sampling), _SECONDS
    )
    at = site.epsilon
    if site.quantity == "delta" and site.near is not None:
        at = float(f"{float(run.epsilon(site.near, 8)):.4g}")
    ask = (
        functools.partial(run.epsilon, site.delta or 0.0)
        if site.quantity == "epsilon"
        else functools.partial(run.delta, at or 0.0)
    )
    if not usual:  # where a direction has no answer of its own, or nobody asks for it
        value = published_form(lambda digits: ask(digits))
        return _vector(site, at if site.quantity == "delta" else None, value, None, None)
    remove, add = (published_form(lambda digits, d=d: ask(digits, d)) for d in ("remove", "add"))  # type: ignore[misc]  # the default binds the loop variable
    larger = max(remove, add, key=lambda x: x.bounds()[0])
    return _vector(site, at if site.quantity == "delta" else None, larger, remove, add)


def _noise(site: RunSite) -> tuple[Expected, None, None]:
    ((q, _, steps),) = site.phases
    target = {"epsilon": site.epsilon or 0.0, "delta": site.delta or 0.0}
    found = calibrate(q=q, steps=steps, max_seconds=_SECONDS, **target)  # type: ignore[arg-type]  # floats by name
    low, high = Fraction(found.optimum.lo), Fraction(found.optimum.hi)
    middle = (low + high) / 2
    met = Account(history([(q, middle, steps)]), _SECONDS).delta(target["epsilon"], 30)
    goal = Fraction(target["delta"])
    if not (met.hi <= goal or met.lo > goal):
        raise PrecisionExhausted("the least noise is too close to the middle of two doubles")
    low, high = (low, middle) if met.hi <= goal else (middle, high)
    nearest = float(low) if met.hi <= goal else float(high)
    ends = Certified(low, high)
    return (
        Expected.of(ends.lo_str(DIGITS), ends.hi_str(DIGITS), nearest, float(found.value)),
        None,
        None,
    )


def _vector(
    site: RunSite,
    epsilon: float | None,
    value: Expected,
    remove: Expected | None,
    add: Expected | None,
) -> RunVector:
    at = {"delta": site.delta, "epsilon": epsilon}
    told = ",".join(f"{name}={x!r}" for name, x in at.items() if x is not None)
    flags = {*site.flags, *intrinsic(site.quantity, site.phases, site.delta, epsilon)}
    flags |= of_answer(site.quantity, value, remove, add)
    return RunVector(
        id=f"{site.group}/{site.name}/{site.quantity}@{told}",
        quantity=site.quantity,  # type: ignore[arg-type]  # checked when the file is read
        sampling=site.sampling,  # type: ignore[arg-type]  # same
        relation=site.relation,  # type: ignore[arg-type]  # same
        history=tuple(
            VectorPhase(Number.of(q), None if math.isnan(sigma) else Number.of(sigma), steps)
            for q, sigma, steps in site.phases
        ),
        delta_number=None if site.delta is None else Number.of(site.delta),
        epsilon_number=None if epsilon is None else Number.of(epsilon),
        flags=tuple(sorted(flags or {"Random"})),
        value=value,
        remove=remove,
        add=add,
    )


def generate(
    out: Path,
    jobs: int = 1,
    progress: Callable[[int, int], None] = lambda done, total: None,
    chosen: Iterable[RunSite] | None = None,
) -> int:
    """Write the file, then the manifest; how many vectors."""
    todo = list(sites() if chosen is None else chosen)
    vectors = []
    for done, vector in enumerate(each(answer_site, todo, jobs), 1):
        vectors.append(vector)
        progress(done, len(todo))
    title = "whole runs of the sampled Gaussian mechanism: epsilon, delta and the least noise"
    data = as_text(RunFile(1, "CC0-1.0", title, len(vectors), tuple(vectors))).encode("ascii")
    out.mkdir(parents=True, exist_ok=True)
    (out / NAME).write_bytes(data)
    digest = hashlib.sha256(data).hexdigest()
    notes = tuple(RUN_FLAGS.values())
    listed = RunManifest(1, "CC0-1.0", DIGITS, NAME, digest, len(data), len(vectors), notes)
    (out / "manifest.json").write_text(as_text(listed), encoding="ascii")
    return len(vectors)
