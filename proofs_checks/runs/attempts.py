"""Proofs that claim something false about a run, and which of the looks refuses each.

Every attempt starts from an honest certificate of a short run, by RDP or by the exact pair. That
the looks themselves can be trusted is what ``proofs_checks.verdicts.attempts`` tries; here stand
the lies that are about runs.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache

from proofs_checks.runs.certify import certificate, certificate_proof
from proofs_checks.runs.dots import DotsPlan, dots_plan, with_panels
from proofs_checks.runs.dots_proof import dots_proof
from proofs_checks.runs.question import RunKind, RunStatement, check_file
from proofs_checks.verdicts.attempts import (
    ASSUMPTIONS,
    COMMANDS,
    COMPILER,
    STATEMENT,
    Attempt,
    refusals_of,
)
from proofs_checks.verdicts.question import literal, pair
from verify.accounting.history import Phase, phase
from verify.numbers.budget import Deadline

PHASES = (phase("0.01", 2, 100),)
DELTA = Fraction(1, 10**5)
EPSILON = Fraction("0.26")
"""Above the least that RDP shows, 0.2571189...; 0.2571 is below it."""


def _move_epsilon(epsilon: Fraction) -> Callable[[str], str]:
    """The same proof of another epsilon, in the statement and in the computation."""
    return lambda text: text.replace(literal(EPSILON), literal(epsilon)).replace(
        pair(EPSILON), pair(epsilon)
    )


def _more_steps(text: str) -> str:
    return text.replace("Z.to_nat 100", "Z.to_nat 101").replace(" 100%Z", " 101%Z")


_MEANING = """\
Definition is_DP_space {U : Type} (d : nat) (M : list U -> point -> R) (eps delta : R) : Prop := True.
"""
_AXIOM = "Axiom cheat : forall P : Prop, P."


def _by(tactic: str, line: str) -> Callable[[str], str]:
    def change(text: str) -> str:
        head, _, rest = text.partition("\nTheorem verdict")
        statement = rest.partition("Proof.")[0]
        return f"{head}\n{line}\nTheorem verdict{statement}Proof.\n  {tactic}\nQed.\n"

    return change


ATTEMPTS = (
    Attempt("no lie at all", lambda text: text, ()),
    Attempt("an epsilon that the order does not show", _move_epsilon(Fraction("0.2571")), (COMPILER,)),
    Attempt("a proof of a larger epsilon, by a millionth", _move_epsilon(EPSILON * (1 + Fraction(1, 10**6))), (STATEMENT,)),
    Attempt("a proof of one step more", _more_steps, (STATEMENT,)),
    Attempt("another meaning of DP under its name", _by("intros; exact I.", _MEANING), (STATEMENT,)),
    Attempt("a smuggled axiom", _by("apply cheat.", _AXIOM), (COMMANDS, ASSUMPTIONS)),
)  # fmt: skip


TIGHT_RUN = phase("0.2", 2, 3)
TIGHT_DELTA = Fraction(1, 100)
TIGHT_FINENESS = 0.6
TIGHT_EXACT = 0.27288
"""The exact epsilon, about: plans are made near it."""


@cache
def _tight_plan(p: Phase) -> DotsPlan:
    deadline = Deadline()
    plan = dots_plan(p, TIGHT_DELTA, TIGHT_EXACT, TIGHT_FINENESS, deadline)
    return with_panels(plan, deadline)


def _tight_question(p: Phase) -> RunStatement:
    """That the least epsilon which the plan shows is valid, with a hundred-millionth to spare."""
    least = Fraction(_tight_plan(p).epsilon) * (1 + Fraction(1, 10**8))
    epsilon = math.ceil(least * 10**10) / Fraction(10**10)
    return RunStatement((p,), RunKind.VALID, epsilon, TIGHT_DELTA)


def honest_tight(p: Phase = TIGHT_RUN) -> tuple[RunStatement, str]:
    """The question that the attempts at the exact pair pretend to answer, and its proof."""
    return _tight_question(p), dots_proof(_tight_question(p), _tight_plan(p))


def _smaller_epsilon(text: str) -> str:
    honest = _tight_question(TIGHT_RUN).epsilon
    lie = honest * (1 - Fraction(1, 10**6))
    return text.replace(literal(honest), literal(lie)).replace(pair(honest), pair(lie))


def _less_mass(text: str) -> str:
    """Take four units of 2^-k from the point with most mass: the margin has two, and rounding one."""
    most = max(_tight_plan(TIGHT_RUN).step.cells, key=lambda c: c.to_after)
    old = f"{most.to_before} {most.to_after} ::"
    return text.replace(old, f"{most.to_before} {most.to_after - 4} ::")


def _less_spill(text: str) -> str:
    step = _tight_plan(TIGHT_RUN).step
    return text.replace(
        f"({step.lefty}) ({step.righty}) cells", f"({step.lefty - 4}) ({step.righty}) cells"
    )


TIGHT_ATTEMPTS = (
    Attempt("no lie at all, by the exact pair", lambda text: text, ()),
    Attempt("an epsilon below what the lattice shows, by a millionth", _smaller_epsilon, (COMPILER,)),
    Attempt("a mass that is too small by little", _less_mass, (COMPILER,)),
    Attempt("a spill that is too small by little", _less_spill, (COMPILER,)),
    Attempt("a step that is not counted", lambda t: t.replace("ULevel true", "ULevel false", 1), (COMPILER,)),
    Attempt("a proof for more noise", lambda _: honest_tight(phase("0.2", "2.001", 3))[1], (STATEMENT,)),
)  # fmt: skip


def honest() -> tuple[RunStatement, str]:
    """The question that all attempts pretend to answer, and its proof."""
    deadline = Deadline()
    made = certificate(PHASES, DELTA, deadline, epsilon=EPSILON)
    return made.question, certificate_proof(made, deadline)[0]


def refusals(
    attempt: Attempt, question: RunStatement, proof: str, seconds: float
) -> dict[str, str]:
    """The looks that refuse an attempt, each with what it says."""
    return refusals_of(attempt, check_file(question), proof, seconds)
