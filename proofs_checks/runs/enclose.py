"""Two theorems about one run: an epsilon is valid and a smaller one is not, so that the exact epsilon is enclosed."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from threading import Event
from typing import Any

from proofs_checks.runs.prove import (
    ProvedRun,
    announce,
    compile_and_check,
    compiled_library,
    planning,
    prove_run,
)
from proofs_checks.runs.question import ProofOfRun
from proofs_checks.runs.tight import enclosure
from proofs_checks.verdicts.proving import SECONDS, writable
from proofs_checks.verdicts.question import exact_words
from verify.accounting.history import Phase
from verify.numbers.budget import Deadline
from verify.numbers.errors import OutOfDomain
from verify.numbers.point import exact_text

HOLDS, FAILS = "holds", "fails"
"""The folders of the two proofs."""


@dataclass(frozen=True, slots=True)
class EnclosedRun:
    """A theorem that an epsilon is valid, and one that a smaller epsilon is not, of the same run and delta."""

    holds: ProvedRun
    fails: ProvedRun
    seconds: float

    @property
    def difference(self) -> Fraction:
        return self.holds.question.epsilon - self.fails.question.epsilon

    def as_json(self) -> dict[str, Any]:
        return {
            "verdict": "enclosed",
            "valid": exact_text(self.holds.question.epsilon),
            "not_valid": exact_text(self.fails.question.epsilon),
            "difference": exact_text(self.difference),
            "delta": exact_text(self.holds.question.delta),
            "theorems": [self.holds.as_json(), self.fails.as_json()],
            "seconds": round(self.seconds, 1),
        }

    def as_text(self) -> str:
        asked, other = self.holds.question, self.fails.question
        delta = exact_words(asked.delta)
        return (
            f"ENCLOSED. Of {asked.run_in_words()}: ({exact_words(asked.epsilon)}, {delta})-DP holds, and "
            f"({exact_words(other.epsilon)}, {delta})-DP does not.\n"
            f"The two epsilons differ by {exact_words(self.difference)}. {self.seconds:.1f} s for both theorems.\n\n"
            f"{self.holds.as_text()}\n\n{self.fails.as_text()}"
        )


def enclose_run(
    phases: tuple[Phase, ...],
    delta: Fraction,
    *,
    digits: int | None = None,
    fast: bool = False,
    out: Path | None = None,
    max_seconds: float = SECONDS,
    say: Callable[[str], None] = lambda _: None,
) -> EnclosedRun:
    """Both theorems, checked by two processes of Coq at the same time."""
    start, deadline = time.monotonic(), Deadline(max_seconds)
    if out is not None:
        writable(out)
    with planning():
        both = enclosure(phases, delta, digits, deadline, fast=fast)
    compiled_library(say)
    for made in both:
        announce(made, deadline, say)
    holds, fails = _at_once(both, out, start, deadline, fast)
    return EnclosedRun(holds, fails, time.monotonic() - start)


def _at_once(
    both: tuple[ProofOfRun, ProofOfRun],
    out: Path | None,
    start: float,
    deadline: Deadline,
    fast: bool,
) -> tuple[ProvedRun, ProvedRun]:
    """Both proofs, checked at the same time; if one is refused, or the user interrupts, the other ends at once."""
    ended = Event()
    common = Deadline(
        deadline.left(), clock=lambda: math.inf if ended.is_set() else time.monotonic()
    )

    def check(made: ProofOfRun, name: str) -> ProvedRun:
        try:
            folder = None if out is None else out / name
            return compile_and_check(made, made.text, folder, start, common, fast=fast)
        except BaseException:
            ended.set()
            raise

    with ThreadPoolExecutor(2) as pool:
        waiting = [
            pool.submit(check, made, name) for made, name in zip(both, (HOLDS, FAILS), strict=True)
        ]
        try:
            done, _ = wait(waiting, return_when=FIRST_EXCEPTION)
            for found in done:  # the one that failed first, not the one that was ended for it
                found.result()
            return waiting[0].result(), waiting[1].result()
        except BaseException:
            ended.set()
            raise


def run_theorem(
    phases: tuple[Phase, ...],
    delta: Fraction,
    *,
    epsilon: Fraction | None,
    not_valid: Fraction | None,
    digits: int | None,
    tight: bool,
    fast: bool,
    proof: str | None,
    out: Path | None,
    max_seconds: float,
    say: Callable[[str], None],
) -> ProvedRun | EnclosedRun:
    """What ``sgm-verify prove --run`` asks for."""
    if tight and not_valid is not None:
        raise OutOfDomain("--not-valid needs no --tight: refutations are by the exact pair anyway")
    if tight and epsilon is None:
        if proof is not None:
            raise OutOfDomain("--proof is of one theorem: give --epsilon E or --not-valid E")
        return enclose_run(
            phases, delta, digits=digits, fast=fast, out=out, max_seconds=max_seconds, say=say
        )
    return prove_run(
        phases, delta, epsilon=epsilon, not_valid=not_valid, digits=digits, tight=tight,
        fast=fast, proof=proof, out=out, max_seconds=max_seconds, say=say,
    )  # fmt: skip
