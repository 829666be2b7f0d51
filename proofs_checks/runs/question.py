"""What is to be proved of a run, as a function of the numbers alone: once in words, once in Coq.

>>> from verify.accounting.history import phase
>>> asked = RunStatement((phase("0.01", "1.1", 1000),), RunKind.VALID, Fraction("1.72"), Fraction(1, 10**5))
>>> print(asked.words())
1000 steps at q = 0.01, sigma = 1.1 are (1.72, 0.00001)-DP: for every type of records, every dimension and
every choice of functions of sensitivity 1 that depends continuously on the earlier outputs.
>>> print(asked.statement())
forall (U : Type) (d : nat) (f : nat -> point -> list U -> point),
  steps_sensitivity_1 d f -> steps_continuous f ->
  is_DP_space (Z.to_nat 1000 * d) (run (fun _ => (1 / 100)) (fun _ => (11 / 10)) d f (Z.to_nat 1000)) (43 / 25) (1 / 100000)
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from proofs_checks.verdicts.generate import LIBRARY, MODULE
from proofs_checks.verdicts.question import exact_words, literal
from verify.accounting.history import Phase
from verify.numbers.errors import OutOfDomain
from verify.numbers.point import shown


class RunKind(StrEnum):
    """What a theorem says of an epsilon of a run."""

    VALID = "valid"
    NOT_VALID = "not-valid"


@dataclass(frozen=True, slots=True)
class RunStatement:
    """The run is (epsilon, delta)-DP, or it is not; the phases stand in the order in which they are run."""

    phases: tuple[Phase, ...]
    kind: RunKind
    epsilon: Fraction
    delta: Fraction

    def __post_init__(self) -> None:
        if not self.phases:
            raise OutOfDomain("a run needs at least one phase")
        if not 0 < self.delta < 1:
            raise OutOfDomain(f"delta = {shown(self.delta)}: must be a number between 0 and 1")
        if self.epsilon < 0:
            raise OutOfDomain(f"epsilon = {shown(self.epsilon)}: must be at least 0")

    @property
    def steps(self) -> int:
        return sum(p.steps for p in self.phases)

    def list_of_phases(self) -> str:
        """The history in Coq."""
        rows = (f"({p.steps}%Z, {literal(p.q)}, {literal(p.sigma)})" for p in self.phases)
        return f"({' :: '.join(rows)} :: nil)"

    def mechanism(self, dimension: str) -> str:
        """Its dimension and the run in Coq; one phase is written without a list."""
        if len(self.phases) == 1:
            (p,) = self.phases
            count = f"Z.to_nat {p.steps}"
            run = f"run (fun _ => {literal(p.q)}) (fun _ => {literal(p.sigma)}) {dimension} f ({count})"
            return f"({count} * {dimension}) ({run})"
        listed = self.list_of_phases()
        return f"(Z.to_nat (steps_of {listed}) * {dimension}) (run_phases {listed} {dimension} f)"

    def statement(self) -> str:
        """The theorem, with the names of the Statements files."""
        numbers = f"{literal(self.epsilon)} {literal(self.delta)}"
        if self.kind is RunKind.VALID:
            return (
                "forall (U : Type) (d : nat) (f : nat -> point -> list U -> point),\n"
                "  steps_sensitivity_1 d f -> steps_continuous f ->\n"
                f"  is_DP_space {self.mechanism('d')} {numbers}"
            )
        return (
            "forall (U : Type) (u : U) (n : nat), exists f : nat -> point -> list U -> point,\n"
            "  steps_sensitivity_1 (S n) f /\\ steps_continuous f /\\\n"
            f"  ~ is_DP_tests {self.mechanism('(S n)')} {numbers}"
        )

    def run_in_words(self) -> str:
        parts = [
            f"{p.steps} steps at q = {exact_words(p.q)}, sigma = {exact_words(p.sigma)}"
            for p in self.phases
        ]
        return ", then ".join(parts)

    def words(self) -> str:
        """The same for people."""
        pair = f"({exact_words(self.epsilon)}, {exact_words(self.delta)})-DP"
        if self.kind is RunKind.VALID:
            return (
                f"{self.run_in_words()} are {pair}: for every type of records, every dimension and\n"
                "every choice of functions of sensitivity 1 that depends continuously on the earlier outputs."
            )
        return (
            f"{self.run_in_words()} are not {pair}: for every type of records and in every\n"
            "dimension there are functions of sensitivity 1, and a test of all outputs, that break it."
        )


@dataclass(frozen=True, slots=True)
class ProofOfRun:
    """A question, a proof of it that Coq has not seen yet, how it goes, and the seconds that it may take."""

    question: RunStatement
    text: str
    how: str
    seconds: float


def check_file(question: RunStatement) -> str:
    """What a person reads: the theorem again, from the numbers, and what it rests on."""
    return (
        "From Coq Require Import Reals List ZArith.\n"
        "From SGM Require Import Statements StatementsRun.\n"
        f"From {LIBRARY} Require {MODULE}.\n"
        "Open Scope R_scope.\n\n"
        f"Definition verdict :\n  {question.statement()}\n  := {LIBRARY}.{MODULE}.verdict.\n\n"
        "Print Assumptions verdict.\n"
    )
