"""From a run to a theorem that the kernel has accepted, or to one line that says why there is none."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from proofs_checks.kernel import FormalError
from proofs_checks.kernel.build import coq_version
from proofs_checks.runs.certify import certificate, certificate_proof, exact_epsilon
from proofs_checks.runs.question import ProofOfRun, RunStatement, check_file
from proofs_checks.runs.refute import refutation
from proofs_checks.runs.tight import exact_certificate
from proofs_checks.verdicts import library
from proofs_checks.verdicts.check import CHECK, accept
from proofs_checks.verdicts.generate import MODULE
from proofs_checks.verdicts.proving import (
    SECONDS,
    SECONDS_PER_COST,
    NotProved,
    sha256,
    short_axioms,
    writable,
    write_both,
)
from verify.accounting.history import Phase
from verify.numbers.budget import Deadline
from verify.numbers.errors import OutOfDomain
from verify.numbers.point import exact_text
from verify.results.verdicts import KernelRun, ProvedPhase


@dataclass(frozen=True, slots=True)
class ProvedRun:
    """A theorem about a run that the kernel accepted, and all that is needed to see that it did."""

    question: RunStatement
    how: str
    axioms: tuple[str, ...]
    proof: str
    check: str
    seconds: float
    coq: str

    @property
    def lines(self) -> int:
        return self.proof.count("\n")

    def as_part(self, of: str = "") -> KernelRun:
        """The theorem as it is written into files: without date, place or time, so that it never varies."""
        asked = self.question
        return KernelRun(
            of=of,
            kind=str(asked.kind),
            history=tuple(
                ProvedPhase(q=exact_text(p.q), sigma=exact_text(p.sigma), steps=p.steps)
                for p in asked.phases
            ),
            delta=exact_text(asked.delta),
            epsilon=exact_text(asked.epsilon),
            how=self.how,
            words=" ".join(asked.words().split()),
            theorem=asked.statement(),
            axioms=self.axioms,
            proof_lines=self.lines,
            proof_sha256=sha256(self.proof),
            check_sha256=sha256(self.check),
        )

    def as_json(self) -> dict[str, Any]:
        found: dict[str, Any] = msgspec.to_builtins(self.as_part())
        del found["of"]
        return {"verdict": "proved", **found, "coq": self.coq, "seconds": round(self.seconds, 1)}

    def as_text(self) -> str:
        return "\n".join(
            [
                f"PROVED. {self.question.words()}",
                "",
                f"Theorem verdict :\n  {self.question.statement()}.",
                "",
                f"by         {self.how}",
                f"axioms     {', '.join(short_axioms(self.axioms))}",
                f"{MODULE}.v    {self.lines} lines, sha256 {sha256(self.proof)}",
                f"{CHECK}.v    {self.check.count(chr(10))} lines, sha256 {sha256(self.check)}",
                f"Coq {self.coq}, {self.seconds:.1f} s",
            ]
        )


def prove_run(
    phases: tuple[Phase, ...],
    delta: Fraction,
    *,
    epsilon: Fraction | None = None,
    not_valid: Fraction | None = None,
    digits: int | None = None,
    tight: bool = False,
    fast: bool = False,
    proof: str | None = None,
    out: Path | None = None,
    max_seconds: float = SECONDS,
    say: Callable[[str], None] = lambda _: None,
) -> ProvedRun:
    """Decide, generate (or take the ``proof`` given), compile, check; ``out`` keeps both files.

    With ``tight``, ``epsilon`` is proved by the exact pair on a lattice instead of by RDP.

    Raises WrongSide, NotByRdp, NotByTight or Undecided if there is nothing to prove, OutOfReach if no event was
    found that refutes, NotProved if there is no proof, BudgetExceeded if time runs out.
    """
    if sum(v is not None for v in (epsilon, not_valid, digits)) != 1:
        raise OutOfDomain("give one of --epsilon E, --not-valid E and --digits N")
    if tight and epsilon is None:
        raise OutOfDomain("tight is about a given epsilon")
    start, deadline = time.monotonic(), Deadline(max_seconds)
    if out is not None:
        writable(out)
    with planning():
        if not_valid is not None:
            made = refutation(phases, delta, not_valid, deadline, fast=fast)
        elif tight and epsilon is not None:
            made = exact_certificate(phases, delta, epsilon, deadline, fast=fast)
        else:
            made = _certificate(phases, delta, epsilon, digits, deadline, fast)
    compiled_library(say)
    if proof is None:
        announce(made, deadline, say)
    return compile_and_check(made, proof or made.text, out, start, deadline, fast=fast)


@contextmanager
def planning() -> Iterator[None]:
    """Numbers beyond the range of doubles are one clear error."""
    try:
        yield
    except OverflowError as error:
        raise NotProved("these numbers are too extreme for a proof to be planned") from error


def compiled_library(say: Callable[[str], None]) -> None:
    try:
        library.ready(say)
    except (FormalError, OSError) as error:
        raise NotProved(str(error)) from error


def compile_and_check(
    made: ProofOfRun,
    proof: str,
    out: Path | None,
    start: float,
    deadline: Deadline,
    *,
    fast: bool,
) -> ProvedRun:
    """Compile a proof, check it against what was asked, and keep both files if told where."""
    check = check_file(made.question)
    with TemporaryDirectory() as scratch:
        try:
            axioms = accept(check, proof, Path(scratch), deadline, fast=fast)
        except FormalError as error:
            raise NotProved(str(error)) from error
    taken = time.monotonic() - start
    if out is not None:
        write_both(proof, check, out)
    return ProvedRun(made.question, made.how, axioms, proof, check, taken, coq_version())


def _certificate(
    phases: tuple[Phase, ...],
    delta: Fraction,
    epsilon: Fraction | None,
    digits: int | None,
    deadline: Deadline,
    fast: bool,
) -> ProofOfRun:
    made = certificate(phases, delta, deadline, epsilon=epsilon, digits=digits)
    text, cost = certificate_proof(made, deadline, fast=fast)
    how = (
        f"RDP of order {exact_text(made.order)}; the least epsilon that RDP shows is {made.least.hi_str(8)}, "
        f"the exact one is {exact_epsilon(phases, delta, deadline)}"
    )
    return ProofOfRun(made.question, text, how, cost * SECONDS_PER_COST[fast])


def announce(made: ProofOfRun, deadline: Deadline, say: Callable[[str], None]) -> None:
    estimate = math.ceil(7 + made.seconds)
    say(
        f"compiling a proof of {made.text.count(chr(10))} lines, about {estimate} s on an idle machine"
    )
    if estimate > 2 * deadline.left():
        raise NotProved(
            f"the proof would take about {estimate} s; allow more time (--max-seconds), or fewer digits"
        )
