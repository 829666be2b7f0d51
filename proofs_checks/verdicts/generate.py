"""The text of a proof, and of the check file, which knows the question only."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from proofs_checks.verdicts.decide import Decided, log2
from proofs_checks.verdicts.plan import Panel, plan
from proofs_checks.verdicts.question import VerdictKind, VerdictQuestion, literal, pair
from verify.moments.divergence import before
from verify.numbers.budget import Deadline

MODULE = "Proof"
LIBRARY = "Given"
"""The proof is Given.Proof to the check file."""

MOST_TERMS = 512
"""Whole orders above are treated like all others."""

_CRUDE = 10**6
"""A bound in closed form serves if it leaves so large a part of its terms to spare."""

_HEAD = """\
From Coq Require Import Reals Lra ZArith List.
From SGM Require Import Statements StatementsBeyond.
From SGMV Require Import Verdict Integrator Answers.
From SGMV Require Whole AnyOrder Crude {arithmetic}.
Open Scope R_scope.
"""
_NUMBERS = "{o}.bits {o}.enc {o}.bits_sound"


def check_file(question: VerdictQuestion) -> str:
    """Ten lines that a person reads: the theorem again, from the numbers, and what it rests on."""
    return (
        "From Coq Require Import Reals.\n"
        "From SGM Require Import Statements StatementsBeyond.\n"
        f"From {LIBRARY} Require {MODULE}.\n"
        "Open Scope R_scope.\n\n"
        f"Definition verdict :\n  {question.statement()}\n  := {LIBRARY}.{MODULE}.verdict.\n\n"
        "Print Assumptions verdict.\n"
    )


def proof_file(decided: Decided, deadline: Deadline, *, fast: bool = False) -> tuple[str, float]:
    """The proof, and its cost in the units of :class:`~proofs_checks.verdicts.plan.ProofPlan`."""
    stated, decided = decided.question, _by_a_geq_b(decided, deadline)
    question = decided.question
    arithmetic = "OverBigInt" if fast else "OverZ"
    if decided.exact:
        definitions, body, cost = "", _closed_form(question), 0.0
    elif crude := _crude(question, arithmetic):
        definitions, body, cost = "", crude, 0.0
    else:
        made = divergence_term(decided, arithmetic, deadline)
        definitions, body, cost = made.definitions, _answer(question, arithmetic, made), made.cost
    text = (
        _HEAD.format(arithmetic=arithmetic)
        + definitions
        + f"\nTheorem verdict :\n  {stated.statement()}.\nProof.\n"
        + f"{_opening(stated, question)}{body}Qed.\n"
    )
    return text, cost


def _by_a_geq_b(decided: Decided, deadline: Deadline) -> Decided:
    """The same question about the forward divergence, if its bound is enough: A >= B bounds the reverse one."""
    question = decided.question
    if not question.reverse or question.kind is not VerdictKind.VALID:
        return decided
    forward = before(deadline, "rdp", question.point, decided.digits)
    room = question.x - Fraction(forward.hi)
    if room <= 0:
        return decided
    return Decided(replace(question, reverse=False), forward, decided.digits, room)


def _opening(stated: VerdictQuestion, question: VerdictQuestion) -> str:
    """From the mechanism to the divergence of the pair, or from one divergence to the other."""
    if stated.reverse and not question.reverse:
        return "  apply reverse_at_most; [lra|lra|lra|].\n"
    if question.kind is VerdictKind.ENCLOSURE or question.reverse:
        return ""
    lemma = "not_rdp" if question.kind is VerdictKind.NOT_VALID else "is_rdp"
    return f"  apply {lemma}; [lra|lra|lra|].\n"


def _closed_form(question: VerdictQuestion) -> str:
    lemma = "renyi_never" if question.point.q == 0 else "renyi_always"
    side = "proj2" if question.reverse else "proj1"
    sigma, alpha = (literal(v) for v in (question.point.sigma, question.alpha))
    return f"  rewrite ({side} ({lemma} {sigma} {alpha} ltac:(lra) ltac:(lra))). lra.\n"


def _crude(question: VerdictQuestion, o: str) -> str:
    """The proof by a bound in closed form, where one is enough; empty if none is."""
    x, sigma, alpha = question.x, question.point.sigma, question.alpha
    if question.kind is VerdictKind.NOT_VALID and x < 0:
        lemma = "above_negative_reverse" if question.reverse else "above_negative"
        return f"  apply Crude.{lemma}; lra.\n"
    if question.kind is VerdictKind.VALID and not question.reverse and x >= alpha / (2 * sigma**2):
        return "  apply Crude.unsampled; lra.\n"
    if question.kind is not VerdictKind.NOT_VALID or question.reverse:
        return ""
    if x < question.point.q**2 * alpha / (2 * sigma**2):
        return "  apply Crude.above_leading; lra.\n"
    shifted = float(alpha) * log2(question.point.q) * math.log(2) / float(alpha - 1)
    room = float(alpha / (2 * sigma**2)) + shifted - float(x)
    size = float(alpha / (2 * sigma**2)) - shifted + float(x)
    if room < size / _CRUDE:
        return ""
    bits = 2 * _CRUDE.bit_length() + max(0, math.ceil(log2(1 / (alpha - 1))))
    numbers = " ".join(pair(v) for v in (x, question.point.q, sigma, alpha))
    sides = "rational|rational|rational|rational|lra|lra|lra|vm_cast_no_check (eq_refl true)"
    return (
        f"  apply (Crude.shifted_sound ({o}.bits {bits}) {o}.enc ({o}.bits_sound {bits})\n"
        f"    {numbers});\n    [{sides}].\n"
    )


def _is_whole(question: VerdictQuestion) -> bool:
    """Whether the binomial sum serves: for forward divergences, and by A >= B for bounds of the reverse ones."""
    return question.alpha.denominator == 1 and question.alpha <= MOST_TERMS and not question.reverse


@dataclass(frozen=True, slots=True)
class DivergenceTerm:
    """A number in Coq that encloses a divergence: its definitions, the proof that it encloses it, its
    bits and its cost."""

    definitions: str
    term: str
    enclosed: str
    bits: int
    cost: float


def divergence_term(
    decided: Decided, o: str, deadline: Deadline, panels: str = "panels"
) -> DivergenceTerm:
    """The divergence that the question is about, to the bits that the decision asks for."""
    if _is_whole(decided.question):
        return _whole(decided, o)
    return _any_order(decided, o, deadline, panels)


def _whole(decided: Decided, o: str) -> DivergenceTerm:
    question, n = decided.question, int(decided.question.alpha)
    size = Fraction(decided.value.hi) * n + 1 + 1 / question.point.sigma**2
    bits = decided.bits + math.ceil(max(0.0, log2(size))) + 2 * n.bit_length() + 12
    term = f"Whole.divergence ({o}.bits {bits}) {pair(question.point.q)} {pair(question.point.sigma)} {n}"
    numbers = _NUMBERS.format(o=o)
    enclosed = f"apply (whole {numbers}); [rational|rational|rational|lra|lra]."
    # Sums of numbers whose exponents differ by so many bits are formed exactly before they are rounded.
    exponents = float(n * n / (2 * question.point.sigma**2)) / math.log(2)
    cost = n * (1 + math.pow(bits / 60, 1.5) + 8e-4 * exponents)
    return DivergenceTerm("", term, enclosed, bits, cost)


def _any_order(decided: Decided, o: str, deadline: Deadline, panels: str) -> DivergenceTerm:
    question = decided.question
    point, alpha = question.point, question.alpha
    s = 1 - alpha if question.reverse else alpha
    quantity = "log_b" if question.reverse else "log_a"
    log_moment = float(before(deadline, quantity, point, 10))
    made = plan(point.q, point.sigma, s, log_moment, decided.bits + 2, deadline)
    exponents = f"{pair(s)} {pair(alpha)}"
    term = (
        f"AnyOrder.divergence_in {o}.bits {made.bits} {made.unit} ({made.left}) {panels} "
        f"{pair(point.q)} {pair(point.sigma)} {exponents}"
    )
    numbers = _NUMBERS.format(o=o)
    lemma, equations = ("reverse", 4) if question.reverse else ("forward", 3)
    sides = "|".join(["rational"] * equations + ["lra"] * 3 + ["vm_cast_no_check (eq_refl true)"])
    enclosed = f"apply ({lemma} {numbers}); [{sides}]."
    return DivergenceTerm(panel_list(panels, made.panels), term, enclosed, made.bits, made.cost)


def _answer(question: VerdictQuestion, o: str, made: DivergenceTerm) -> str:
    """The three answers of ``library/Answers.v``: a bound below, above, or both."""
    if question.kind is VerdictKind.ENCLOSURE:
        ends = f"{pair(question.x)} {pair(question.upper or Fraction(0))}"
        lemma, given, equations = "both", f"{ends} _ _ _", "rational|rational"
    else:
        lemma = "lower" if question.kind is VerdictKind.NOT_VALID else "upper"
        given, equations = f"{pair(question.x)} _ _", "rational"
    return (
        f"  apply ({lemma} {_NUMBERS.format(o=o)} {made.bits} {given}\n    ({made.term}));\n"
        f"    [{equations}| |vm_cast_no_check (eq_refl true)].\n  {made.enclosed}\n"
    )


def panel_list(name: str, panels: Sequence[Panel]) -> str:
    """The definition of a list of panels."""
    lines = (f"Panel {p.half} {p.pairs} {p.fine} {p.coarse} ::" for p in panels)
    return f"Definition {name} : list panel :=\n  " + "\n  ".join(lines) + "\n  nil.\n"
