"""Proofs that claim something false, and which of the looks refuses each. If one were accepted, a
verdict would mean nothing.

Every attempt starts from an honest proof about one point. Those that the list of commands refuses are
compiled nevertheless, to see whether the next look would have caught them by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

from proofs_checks.kernel import FormalError
from proofs_checks.verdicts.check import allowed_commands, check_compiled, compile_proof
from proofs_checks.verdicts.decide import decide
from proofs_checks.verdicts.generate import check_file, proof_file
from proofs_checks.verdicts.question import VerdictQuestion, literal, pair
from verify.numbers.budget import Deadline
from verify.numbers.point import Point

COMMANDS, COMPILER, STATEMENT, ASSUMPTIONS = "commands", "compiler", "statement", "assumptions"

POINT = Point.of("0.01", "1.1", 8)
X = Fraction(584, 10**6)
"""Below the divergence, which is 0.00058407033...; 0.000584071 is above it by a millionth."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A change to the honest proof of ``asked``, and the looks that refuse it."""

    name: str
    change: Callable[[str], str]
    refused_by: tuple[str, ...]


def _move_number(by: Fraction) -> Callable[[str], str]:
    """The same proof of another X, in the statement and in the computation."""

    def change(text: str) -> str:
        moved = X + by
        return text.replace(literal(X), literal(moved)).replace(pair(X), pair(moved))

    return change


def _before_theorem(line: str) -> Callable[[str], str]:
    return lambda text: text.replace("\nTheorem verdict", f"\n{line}\nTheorem verdict")


def _at_the_end(line: str) -> Callable[[str], str]:
    return lambda text: f"{text}{line}\n"


def _by(tactic: str, line: str = "") -> Callable[[str], str]:
    """The theorem with another proof."""

    def change(text: str) -> str:
        head, _, rest = text.partition("\nTheorem verdict")
        statement = rest.partition("Proof.")[0]
        return f"{head}\n{line}\nTheorem verdict{statement}Proof.\n  {tactic}\n"

    return change


_AXIOM = "Axiom cheat : forall P : Prop, P."
_NAMED = "Module Classical_Prop. Axiom classic : forall P : Prop, P. End Classical_Prop."
_EMPTY = """\
Definition is_RDP_space {U : Type} (d : nat) (M : list U -> point -> R) (alpha eps : R) : Prop := False.
Lemma sum_zero (d : nat) : sum_to d (fun i => (0 - 0) ^ 2) = 0.
Proof. induction d as [|d IH]; cbn [sum_to]; [reflexivity|rewrite IH; ring]. Qed.
"""
_NOTATION = _EMPTY.replace(
    _EMPTY.splitlines()[0],
    "Notation is_RDP_space := (fun (_ : nat) (_ : list _ -> point -> R) (_ _ : R) => False).",
)
_TRIVIAL = """\
intros U u n. exists (fun _ _ => 0). split; [|intros H; exact H].
  intros T T' _. change (sum_to (S n) (fun i => (0 - 0) ^ 2) <= 1). rewrite sum_zero. lra.
Qed."""

ATTEMPTS = (
    Attempt("no lie at all", lambda text: text, ()),
    Attempt("the wrong side of the truth, by a millionth", _move_number(Fraction(71, 10**9)), (COMPILER,)),
    Attempt("the wrong side, grossly", _move_number(Fraction(1)), (COMPILER,)),
    Attempt("a proof of a smaller X, by a millionth", _move_number(Fraction(-584, 10**12)), (STATEMENT,)),
    Attempt("a smuggled axiom", _by("apply cheat. Qed.", _AXIOM), (COMMANDS, ASSUMPTIONS)),
    Attempt("an axiom under the name of an allowed one", _by("apply Classical_Prop.classic. Qed.", _NAMED), (COMMANDS, ASSUMPTIONS)),
    Attempt("a proof that is not finished", _by("apply not_rdp; [lra|lra|lra|]. Admitted."), (COMMANDS, ASSUMPTIONS)),
    Attempt("another mechanism of the same name", _by(_TRIVIAL, _EMPTY), (STATEMENT,)),
    Attempt("a notation in the mechanism's place", _by(_TRIVIAL, _NOTATION), (COMMANDS, STATEMENT)),
    Attempt("arguments that are left out where the theorem is stated", _at_the_end("Arguments is_RDP_space {U} d M {alpha} eps."), (COMMANDS, STATEMENT)),
    Attempt("a kernel told not to look", _before_theorem("Unset Guard Checking."), (COMMANDS, ASSUMPTIONS)),
    Attempt("code of its own", _before_theorem('Declare ML Module "ltac_plugin".'), (COMMANDS,)),
)  # fmt: skip


def honest(deadline: Deadline) -> tuple[VerdictQuestion, str]:
    """The question that all attempts pretend to answer, and its proof."""
    decided = decide(POINT, deadline, not_valid=X)
    return decided.question, proof_file(decided, deadline)[0]


def refusals(
    attempt: Attempt, question: VerdictQuestion, proof: str, seconds: float
) -> dict[str, str]:
    """The looks that refuse an attempt, each with what it says."""
    return refusals_of(attempt, check_file(question), proof, seconds)


def refusals_of(attempt: Attempt, check: str, proof: str, seconds: float) -> dict[str, str]:
    """The same for any check file. Nothing is looked at after the compiler has refused it."""
    text, deadline = attempt.change(proof), Deadline(seconds)
    said: dict[str, str] = {}
    try:
        allowed_commands(text)
    except FormalError as error:
        said[COMMANDS] = str(error)
    with TemporaryDirectory() as name:
        folder, look = Path(name), COMPILER
        try:
            compile_proof(text, folder, deadline)
            look = STATEMENT
            check_compiled(check, folder, deadline)
        except FormalError as error:
            assumed = str(error).startswith(("the proof assumes", "Print Assumptions"))
            said[ASSUMPTIONS if assumed else look] = str(error)
    return said


def holes(attempt: Attempt, said: dict[str, str]) -> list[str]:
    """The looks that should have refused an attempt and did not, or the other way round."""
    return sorted(set(attempt.refused_by) ^ set(said))


def outcome(attempt: Attempt, said: dict[str, str]) -> str:
    """A line about an attempt: the looks that refused it, or the holes."""
    odd = holes(attempt, said)
    verdict = f"HOLE: {', '.join(odd)}" if odd else ", ".join(said) or "accepted, as it should be"
    return f"{attempt.name:55} {verdict}"
