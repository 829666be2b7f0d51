"""What was found, as the document that is written and as text that is read."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from verify.accountants.judged import BAD, JudgedRun, smallest
from verify.accountants.panel import Accountant
from verify.accountants.promises import Ruling
from verify.accountants.question import Quantity, RunQuestion
from verify.accounting.best_order import over_all
from verify.accounting.history import history
from verify.accounting.renyi import RenyiCurve
from verify.budget import Deadline
from verify.certified import Certified
from verify.errors import SgmError
from verify.results.accountants import JudgedAccountant, Number, RunAnswer, RunPhase

_DIGITS = 15
_RDP_DIGITS, _RDP_SECONDS = 10, 20.0
_SIGNS = {Ruling.UNSAFE: " UNSAFE", Ruling.MISSES: " misses", Ruling.UNDECIDED: " ?"}


@dataclass(frozen=True, slots=True)
class AskedAccountant:
    """An accountant with all that it was asked."""

    accountant: Accountant
    cases: tuple[JudgedRun, ...]

    def as_result(self) -> JudgedAccountant:
        a = self.accountant
        return JudgedAccountant(
            a.library, a.version, a.name, a.promise.value, tuple(map(_asked, self.cases))
        )


def _asked(case: JudgedRun) -> RunAnswer:
    q, truth, judgement = case.question, case.truth, case.judgement
    return RunAnswer(
        run=case.name,
        quantity=q.quantity.value,
        numbers=q.numbers.value,
        history=tuple(RunPhase(rate, None if math.isnan(s) else s, n) for rate, s, n in q.history),
        delta=q.delta,
        epsilon=q.epsilon,
        answer=None if case.answer.value is None else _number(case.answer.value),
        reason=case.answer.detail,
        truth_lo=None if truth is None else truth.lo_str(_DIGITS),
        truth_hi=None if truth is None else truth.hi_str(_DIGITS),
        error=judgement.error,
        ruling=judgement.ruling.value,
        seconds=round(case.answer.seconds, 6),
    )


def _number(x: float) -> Number:
    if math.isfinite(x):
        return float(x)
    return "nan" if math.isnan(x) else "inf" if x > 0 else "-inf"


def lines(verdicts: Sequence[AskedAccountant]) -> Iterator[str]:
    """Side by side: each run with its exact value and every answer; then what each accountant amounts to."""
    for position, case in enumerate(verdicts[0].cases):
        exact = "out of reach" if case.truth is None else f"{float(case.truth.hi):.9g}"
        what = (
            "least noise"
            if case.question.quantity is Quantity.SIGMA
            else f"exact {case.question.quantity}"
        )
        yield f"{case.name}: {what} {exact}"
        if case.question.quantity is Quantity.EPSILON and case.truth is not None:
            yield f"    {'RDP, all orders, certified':<28} {_by_rdp(case.question, case.truth)}"
        for verdict in verdicts:
            yield f"    {verdict.accountant!s:<28} {_told(verdict.cases[position])}"
    yield ""
    yield from (summary(verdict) for verdict in verdicts)
    for verdict in verdicts:
        worst = smallest(verdict.cases)
        if worst is not None:
            yield f"{verdict.accountant}: simplest bad answer: {worst.question}"
            yield f"    {_told(worst)}"


def _by_rdp(question: RunQuestion, truth: Certified) -> str:
    """The least epsilon by way of RDP over all real orders, with the conversion of Canonne, Kamath and Steinke."""
    if not question.delta or question.delta >= 1:
        return "none at this delta"
    try:
        curve = RenyiCurve(history(question.history), 2 * _RDP_DIGITS + 12, Deadline(_RDP_SECONDS))
        best = over_all(curve, Fraction(question.delta), "cks", _RDP_DIGITS).epsilon
    except SgmError as error:
        return f"no answer ({error})"[:76]
    excess = f"  {_percent(float(best.hi / truth.hi) - 1)}" if truth.hi > 0 else ""
    return f"{float(best.hi):<14.9g}{excess}"


def _told(case: JudgedRun) -> str:
    if case.judgement.ruling is Ruling.NO_ANSWER:
        return f"no answer ({case.answer.detail or case.answer.value or case.answer.kind})"[:76]
    error = case.judgement.error
    shown = "" if error is None else f"  {_percent(error)}"
    return f"{case.answer.value:<14.9g}{shown}{_SIGNS.get(case.judgement.ruling, '')}"


def _percent(error: float) -> str:
    return f"{error:+.1e}" if abs(error) < 1e-4 else f"{100 * error:+.2f} %"


def summary(verdict: AskedAccountant) -> str:
    """One line: promise, counts, the range of errors."""
    counts = Counter(case.judgement.ruling for case in verdict.cases)
    errors = [e for case in verdict.cases if (e := case.judgement.error) is not None]
    told = ", ".join(f"{counts[ruling]} {ruling}" for ruling in Ruling if counts[ruling])
    span = f"; {_percent(min(errors))} to {_percent(max(errors))}" if errors else ""
    return f"{verdict.accountant!s:<28} {verdict.accountant.promise}: {told}{span}"


def bad(verdicts: Sequence[AskedAccountant]) -> bool:
    """Whether any promise was broken."""
    return any(case.judgement.ruling in BAD for verdict in verdicts for case in verdict.cases)
