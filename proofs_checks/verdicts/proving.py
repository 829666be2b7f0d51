"""From numbers to a theorem that the kernel has accepted, or to one line that says why there is none."""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from proofs_checks.kernel import FormalError
from proofs_checks.kernel.build import coq_version
from proofs_checks.verdicts import library
from proofs_checks.verdicts.check import CHECK, accept
from proofs_checks.verdicts.decide import Decided, decide
from proofs_checks.verdicts.generate import MODULE, check_file, proof_file
from proofs_checks.verdicts.question import VerdictQuestion
from verify.numbers.budget import Deadline
from verify.numbers.errors import OutOfDomain, SgmError
from verify.numbers.point import Point, exact_text
from verify.results.verdicts import KernelVerdict

SECONDS = 600.0
"""Allowed for one verdict unless told."""

SECONDS_PER_COST = {False: 2.5e-4, True: 6e-5}
"""Measured on a machine of 2026, over Z and over machine integers: good for an estimate, no more."""


class NotProved(SgmError):
    """There is no accepted proof: Coq is missing, or refused it."""


@dataclass(frozen=True, slots=True)
class ProvedVerdict:
    """A theorem that the kernel accepted, and all that is needed to see that it did."""

    question: VerdictQuestion
    axioms: tuple[str, ...]
    proof: str
    check: str
    seconds: float
    coq: str

    @property
    def lines(self) -> int:
        return self.proof.count("\n")

    def as_part(self, of: str = "") -> KernelVerdict:
        """As it is written into files; nothing in it depends on when, where or how fast it was found."""
        point, asked = self.question.point, self.question
        return KernelVerdict(
            of=of,
            kind=str(asked.kind),
            q=exact_text(point.q),
            sigma=exact_text(point.sigma),
            alpha=exact_text(point.alpha),
            reverse=asked.reverse,
            x=exact_text(asked.x),
            upper=None if asked.upper is None else exact_text(asked.upper),
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
                f"axioms     {', '.join(short_axioms(self.axioms))}",
                f"{MODULE}.v    {self.lines} lines, sha256 {sha256(self.proof)}",
                f"{CHECK}.v    {self.check.count(chr(10))} lines, sha256 {sha256(self.check)}",
                f"Coq {self.coq}, {self.seconds:.1f} s",
            ]
        )


def prove(
    point: Point,
    *,
    not_valid: Fraction | None = None,
    valid: Fraction | None = None,
    digits: int | None = None,
    reverse: bool = False,
    fast: bool = False,
    proof: str | None = None,
    out: Path | None = None,
    max_seconds: float = SECONDS,
    say: Callable[[str], None] = lambda _: None,
) -> ProvedVerdict:
    """Decide, generate (or take the ``proof`` given), compile, check; ``out`` keeps both files.

    Raises WrongSide or Undecided if there is nothing to prove, NotProved if there is no proof,
    BudgetExceeded if time runs out. No process of Coq outlives the call.
    """
    start, deadline = time.monotonic(), Deadline(max_seconds)
    if out is not None:  # found out before the work, not after it
        writable(out)
    decided = decide(
        point, deadline, not_valid=not_valid, valid=valid, digits=digits, reverse=reverse
    )
    try:
        library.ready(say)
    except (FormalError, OSError) as error:
        raise NotProved(str(error)) from error
    if proof is None:
        proof = _generate(decided, deadline, fast, say)
    with TemporaryDirectory() as scratch:
        try:
            check = check_file(decided.question)
            axioms = accept(check, proof, Path(scratch), deadline, fast=fast)
        except FormalError as error:
            raise NotProved(str(error)) from error
    taken = time.monotonic() - start
    verdict = ProvedVerdict(decided.question, axioms, proof, check, taken, coq_version())
    if out is not None:
        write_both(proof, check, out)
    return verdict


def write_both(proof: str, check: str, out: Path) -> None:
    """Proof and check file into a folder, which is made if need be."""
    writable(out)
    try:
        (out / f"{MODULE}.v").write_text(proof, encoding="utf-8")
        (out / f"{CHECK}.v").write_text(check, encoding="utf-8")
    except OSError as error:
        raise OutOfDomain(f"{out}: cannot be written ({error.strerror})") from error


def writable(out: Path) -> None:
    """Make the folder, or one clear error."""
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutOfDomain(f"{out}: cannot be made ({error.strerror})") from error


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _generate(decided: Decided, deadline: Deadline, fast: bool, say: Callable[[str], None]) -> str:
    try:
        text, cost = proof_file(decided, deadline, fast=fast)
    except OverflowError as error:
        raise NotProved("these numbers are too extreme for a proof to be planned") from error
    estimate = math.ceil(7 + cost * SECONDS_PER_COST[fast])
    say(f"compiling a proof of {text.count(chr(10))} lines, about {estimate} s on an idle machine")
    if estimate > 2 * deadline.left():
        raise NotProved(
            f"the proof would take about {estimate} s; allow more time (--max-seconds), "
            "fewer digits, or --fast"
        )
    return text


def short_axioms(names: tuple[str, ...]) -> list[str]:
    """The axioms of real numbers by name, those of machine integers as one."""
    machine = [n for n in names if ".Int63." in n]
    rest = [n.rsplit(".", 1)[1] for n in names if n not in machine]
    more = [f"and {len(machine)} about machine integers"] if machine else []
    return [*rest, *more]
