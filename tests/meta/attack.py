"""Every number of every check moved past the truth, and what becomes of it.

    python -m tests.meta.attack [--json] [--steps 1e-6] [--jobs 2] [--resume FILE] [ID ...]

A number is a numeric parameter of a check, or one in a formula that a check takes. It is moved by a
tenth, a thousandth and a millionth both ways; and where a formula becomes false only further on,
past that point: certified counterexamples (:mod:`tests.meta.truth`) say where that is. A variant
is *refuted* (the check names a point of the domain where its sides fail), *not proved*,
or *confirmed*; then it has to be true. What is known to be false and confirmed all the same is a
hole, and so is what is refuted and holds at every point of a dense grid of its domain, refined
where it is closest to failing (:mod:`tests.meta.dense`), also where the number says where the
domain ends (:mod:`tests.meta.readings`). What is refuted and cannot be decided without its check is
counted apart. A check that has no answer in time has proved nothing.

With ``--resume`` every claim that is done is a line of the file, and is not done again.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from proofs_checks.tools.formula import Formula, Several
from tests.meta.attack_known import false_number, follows, weaker
from tests.meta.dense import holds_densely
from tests.meta.moves import STEPS, Variant, numbers, variants
from tests.meta.readings import reading
from tests.meta.truth import certified_true, known_false
from verify.claims import Claim
from verify.claims.discovery import discover

PATIENCE = 20  # seconds of computing for one variant
FALSE = "confirmed false"
REFUTED = "refuted"
ALONE = "refuted, by its check alone"
ALTHOUGH = "refuted although true"
LATE = "out of time"


@dataclass
class Outcome:
    """What became of the numbers of one claim; what is listed is what is not plain."""

    claim: str
    steps: list[str]
    numbers: int = 0
    seconds: float = 0.0
    counts: Counter[str] = field(default_factory=Counter)
    holes: list[str] = field(default_factory=list)
    unexplained: list[str] = field(default_factory=list)
    late: list[str] = field(default_factory=list)

    def record(self, variant: Variant, fared: str, why: str) -> None:
        number = variant.number
        self.counts[fared] += 1
        text = f"{number.parameter} {number.place} {number.value} -> {float(variant.new):.12g} ({variant.label})"
        if fared in (FALSE, ALTHOUGH):
            self.holes.append(text)
        elif fared == LATE:
            self.late.append(text)
        elif fared in ("unexplained", "crashed"):
            self.unexplained.append(f"{fared}: {text}{why and '; '}{why}")

    def line(self) -> str:
        return json.dumps(asdict(self) | {"counts": dict(self.counts)})


def read(line: str) -> Outcome | None:
    """What :meth:`Outcome.line` wrote, if it wrote the whole of it."""
    try:
        told = json.loads(line)
        return Outcome(**told | {"counts": Counter(told["counts"])})
    except (ValueError, TypeError):
        return None


def fate(claim: Claim, variant: Variant) -> tuple[str, str]:
    """What becomes of a variant, and why if it broke the check down: refuted, not proved, out of time,
    crashed, true, unexplained or confirmed false.

    In a process of its own: a power with a strange exponent can end one, and must not end the attack.
    Its time is what it computes, so that a busy machine changes no fate.
    """
    context = multiprocessing.get_context("fork")  # with what the parent has checked already
    here, there = context.Pipe(duplex=False)
    child = context.Process(target=_tell, args=(there, claim, variant))
    child.start()
    there.close()
    try:
        fared, why = here.recv()
        return str(fared), str(why)
    except EOFError:
        child.join()
        late = child.exitcode == -signal.SIGXCPU
        return (LATE, "") if late else ("crashed", f"ended by {child.exitcode}")
    finally:
        child.kill()
        child.join()
        here.close()


def _tell(there: Connection, claim: Claim, variant: Variant) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, 2 * PATIENCE))
    there.send(_fate(claim, variant))


def _fate(claim: Claim, variant: Variant) -> tuple[str, str]:
    value = variant.number.moved(variant.new)
    finding = claim.check(**{variant.number.parameter: value})
    if finding.rejected:
        return _refuted(claim, variant, value), finding.why
    if finding.crashed:
        return "crashed", finding.why
    if finding.refuses:
        return "not proved", ""
    return _judged(claim, variant, value), ""


def _refuted(claim: Claim, variant: Variant, value: Any) -> str:
    """Of a refuted variant: whether it is false, as far as that can be told without its check."""
    number = variant.number
    if isinstance(number.whole, Formula | Several):
        if known_false(number.whole, value):
            return REFUTED
        if number.whole != claim.formula:
            return ALONE
    elif false_number(claim.id, number.parameter, variant.new):
        return REFUTED
    elif weaker(claim.id, number.parameter, number.place, variant.new > number.value):
        return ALTHOUGH
    return {True: ALTHOUGH, False: REFUTED, None: ALONE}[_densely(claim, variant, value)]


def _densely(claim: Claim, variant: Variant, value: Any) -> bool | None:
    """Whether what the variant says holds on a dense grid; None if that cannot be told."""
    whole = variant.number.whole
    changed = value if isinstance(whole, Formula | Several) else variant.new
    said = reading(claim, variant.number.parameter, changed)
    return holds_densely(*said) if said else None


def _judged(claim: Claim, variant: Variant, value: Any) -> str:
    """Of a confirmed variant: whether it is true."""
    number = variant.number
    larger = variant.new > number.value
    explained = follows(claim.id, number.parameter, number.place, larger)
    if isinstance(number.whole, Formula | Several):
        if known_false(number.whole, value):
            return FALSE
        explained = explained or certified_true(number.whole, value)
    elif false_number(claim.id, number.parameter, variant.new):
        return FALSE
    if not explained and _densely(claim, variant, value) is False:
        return FALSE
    return "true" if explained else "unexplained"


def attack(claim: Claim, steps: tuple[Fraction, ...] = STEPS) -> Outcome:
    """Move every number of a claim's check."""
    start = time.perf_counter()
    outcome = Outcome(claim.id, list(map(str, steps)))
    found = list(numbers(claim))
    if found:
        claim.check()  # so that its premises are checked once
    for number in found:
        outcome.numbers += 1
        for variant in variants(claim, number, steps):
            outcome.record(variant, *fate(claim, variant))
    outcome.seconds = round(time.perf_counter() - start, 1)
    return outcome


def _by_id(order: tuple[str, tuple[Fraction, ...]]) -> Outcome:
    return attack(discover()[order[0]], order[1])


FATES = (REFUTED, ALONE, ALTHOUGH, "not proved", LATE, "crashed", "true", "unexplained", FALSE)


def summary(outcomes: list[Outcome]) -> dict[str, int]:
    total = sum((o.counts for o in outcomes), Counter())
    return {
        "claims": len(outcomes),
        "parameters": sum(o.numbers for o in outcomes),
        "variants": sum(total.values()),
        **{name: total[name] for name in FATES},
    }


def run(
    chosen: list[str], steps: tuple[Fraction, ...], jobs: int, done: dict[str, Outcome]
) -> Iterator[Outcome]:
    """The outcomes of these claims as they come, those that are done already first."""
    yield from (done[i] for i in chosen if i in done)
    orders = [(i, steps) for i in chosen if i not in done]
    if jobs <= 1:
        yield from map(_by_id, orders)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(_by_id, orders)


def kept(path: Path | None, steps: tuple[Fraction, ...]) -> dict[str, Outcome]:
    """What an earlier run wrote, of the same steps; a line that was cut short is not counted."""
    lines = path.read_text(encoding="utf-8").splitlines() if path and path.exists() else []
    found = [o for o in map(read, lines) if o and o.steps == list(map(str, steps))]
    return {o.claim: o for o in found}


def tell(outcome: Outcome, count: int, of: int) -> None:
    """One line of progress."""
    told = ", ".join(f"{name} {n}" for name, n in outcome.counts.items())
    print(
        f"{count:>3}/{of} {outcome.claim:<52} {outcome.seconds:>6} s {told}",
        file=sys.stderr,
        flush=True,
    )


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("ids", nargs="*", help="claims, or what stands above them; all by default")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--steps", type=Fraction, nargs="*", default=list(STEPS))
    parser.add_argument("--resume", type=Path, help="a file of what is done, written as it goes")
    given = parser.parse_args()
    chosen = [
        i
        for i in discover()
        if not given.ids or any(f"{i}/".startswith(f"{g}/") for g in given.ids)
    ]
    if not chosen:
        parser.error(f"no claim {', '.join(given.ids)}")
    steps = tuple(given.steps)
    done = kept(given.resume, steps)
    outcomes: list[Outcome] = []
    for outcome in run(chosen, steps, given.jobs, done):
        outcomes.append(outcome)
        tell(outcome, len(outcomes), len(chosen))
        if given.resume and outcome.claim not in done:
            with given.resume.open("a", encoding="utf-8") as lines:
                lines.write(outcome.line() + "\n")
    if given.json:
        rows = [json.loads(o.line()) for o in outcomes]
        print(json.dumps({"summary": summary(outcomes), "claims": rows}, indent=1))
    else:
        for outcome in outcomes:
            late = [f"{LATE}: {text}" for text in outcome.late]
            for text in (*outcome.holes, *outcome.unexplained, *late):
                print(f"{outcome.claim}: {text}")
        print("\n".join(f"{name:<28} {count:>6}" for name, count in summary(outcomes).items()))
    return 1 if any(o.holes or o.unexplained for o in outcomes) else 0


if __name__ == "__main__":
    raise SystemExit(main())
