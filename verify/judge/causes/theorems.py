"""A theorem on an UNSAFE answer: that it is no valid parameter of the mechanism, checked by a proof assistant.

The certified interval says so already; this says it without asking anybody to trust the interval.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from verify.claims.proving import verdict_on
from verify.judge.verdict.judged import Case
from verify.results.verdicts import KernelVerdict

SECONDS = 300.0
"""Allowed for one theorem."""
_PROVABLE = ("rdp", "rdp_reverse")

Prove = Callable[[Case], KernelVerdict | str]
"""The theorem that an answer is too small, or in one line why there is none."""


def proving(of: str, say: Callable[[str], None]) -> Prove:
    """Proves answers of one program, and says which before it begins: each takes its time."""

    def prove(case: Case) -> KernelVerdict | str:
        asked, answer = case.question, case.answer.value
        if asked.quantity not in _PROVABLE or answer is None:
            return f"there are theorems on epsilon only, not on {asked.quantity}"
        say(
            f"proving that {answer!r} is too small at "
            f"q={asked.q!r} sigma={asked.sigma!r} alpha={asked.alpha!r}"
        )
        point = (asked.q, asked.sigma, asked.alpha)
        reverse = asked.quantity == "rdp_reverse"
        return verdict_on(f"answer of {of}", *point, answer, SECONDS, reverse=reverse)

    return prove


def again(theorem: KernelVerdict) -> str:
    """The command that proves once more that an answer, a double like all numbers here, is too small."""
    q, sigma, alpha, x = (
        float(Fraction(number)) for number in (theorem.q, theorem.sigma, theorem.alpha, theorem.x)
    )
    side = " --reverse" if theorem.reverse else ""
    return (
        f"sgm-verify prove --q {q!r} --sigma {sigma!r} --alpha {alpha!r} "
        f"--not-valid={x!r} --doubles{side}"
    )
