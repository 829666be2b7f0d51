"""What was found about accountants, as the document that is written, as JUnit XML, and as text that is read."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction

from verify.accounting.best_order import over_all
from verify.accounting.history import history
from verify.accounting.renyi import RenyiCurve
from verify.judge.runs.checking import RunExamination, simplest
from verify.judge.runs.judged import JudgedRuns, RunCase
from verify.judge.runs.promises import Ruling
from verify.judge.runs.question import Quantity, RunQuestion
from verify.numbers.budget import Deadline
from verify.numbers.certified import Certified
from verify.numbers.errors import SgmError
from verify.results.accountants import JudgedAccountant, Number, RunAnswer, RunPhase
from verify.results.conformance import ProtocolViolations, Region, Surroundings
from verify.support import junit

_DIGITS = 15
_RDP_DIGITS, _RDP_SECONDS = 10, 20.0
_NAMED = 6  # failures named for each accountant
_QUIET = (Ruling.KEPT, Ruling.ESTIMATED)


def as_result(examined: RunExamination, reproduce: str = "") -> JudgedAccountant:
    """One accountant as it is written."""
    a, found = examined.accountant, examined.found
    target = a.target
    return JudgedAccountant(
        a.library,
        a.version,
        a.name,
        a.promise.value,
        tuple(map(_run_answer, found.cases)),
        documented=a.documented,
        conforms=found.conforms,
        summary=summary(examined),
        reproduce=reproduce,
        surroundings=Surroundings(target.python, target.platform, target.packages, target.commit),
        course=examined.course,
        not_repeatable=len(found.violations),
        protocol_violations=ProtocolViolations(len(found.protocol), tuple(found.protocol[:3])),
        restarts=found.restarts,
        excused=len(found.excused),
        stale=found.stale,
        first_failure=None if examined.first is None else round(examined.first, 3),
    )


def _run_answer(case: RunCase) -> RunAnswer:
    q, truth, judgement = case.question, case.truth, case.judgement
    return RunAnswer(
        run=case.id,
        quantity=q.quantity.value,
        numbers=q.numbers.value,
        history=tuple(
            RunPhase(_none_if_nan(rate), _none_if_nan(s), n, **dict(q.beside))
            for rate, s, n in q.history
        ),
        delta=q.delta,
        epsilon=q.epsilon,
        answer=None if case.answer.value is None else number(case.answer.value),
        reason=case.answer.detail or judgement.reason,
        truth_lo=truth.lo_str(_DIGITS),
        truth_hi=truth.hi_str(_DIGITS),
        error=judgement.error,
        ruling=judgement.ruling.value,
        seconds=round(case.answer.seconds, 6),
        sampling=q.sampling,
        relation=q.relation,
        flags=case.flags,
    )


def _none_if_nan(x: float) -> float | None:
    return None if math.isnan(x) else x


def number(x: float) -> Number:
    """A double as JSON can spell it."""
    if math.isfinite(x):
        return float(x)
    return "nan" if math.isnan(x) else "inf" if x > 0 else "-inf"


def lines(examined: Sequence[RunExamination]) -> Iterator[str]:
    """The ordinary runs side by side; then the summary of each accountant, and every kind of failure by name."""
    yield from _side_by_side(examined)
    for one in examined:
        yield summary(one)
        yield from (f"    {line}" for line in _failing(one.found))
        yield from (f"    {line}" for line in one.course)
        yield from (f"    stale exception, {line}" for line in one.found.stale)


def _side_by_side(examined: Sequence[RunExamination]) -> Iterator[str]:
    answers = [{case.id: case for case in one.found.cases} for one in examined]
    shown = [case for case in examined[0].found.cases if "Ordinary" in case.flags]
    for case in sorted(shown, key=lambda case: case.id):
        yield f"{case.id}: exact {case.question.quantity} {float(case.truth.hi):.9g}"
        if case.question.quantity is Quantity.EPSILON:
            yield f"    {'RDP, all orders, certified':<28} {_by_rdp(case.question, case.truth)}"
        for one, by_id in zip(examined, answers, strict=True):
            if case.id in by_id:
                yield f"    {one.accountant!s:<28} {answer_text(by_id[case.id])}"
    if shown:
        yield ""


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


def answer_text(case: RunCase) -> str:
    """An answer with its error."""
    if case.judgement.ruling is Ruling.NO_ANSWER:
        return f"no answer ({case.judgement.reason})"[:76]
    error = case.judgement.error
    shown = "" if error is None else f"  {_percent(error)}"
    ruling = case.judgement.ruling
    return f"{case.answer.value:<14.9g}{shown}{'' if ruling in _QUIET else f' {ruling}'}"


def _percent(error: float) -> str:
    if error >= 99:
        return f"{error + 1:.3g} times"
    return f"{error:+.1e}" if abs(error) < 1e-4 else f"{100 * error:+.2f} %"


def summary(one: RunExamination) -> str:
    """One line: promise, verdict, counts, the range of errors."""
    found = one.found
    word = (
        "conforms"
        if found.conforms
        else "does not conform"
        if found.answered
        else "does not conform, no answer at all"
        if found.cases
        else "has no function for what is asked"
    )
    counts = ", ".join(f"{n} {ruling}" for ruling, n in found.counts.items() if n)
    errors = [e for case in found.cases if (e := case.judgement.error) is not None]
    span = f"; {_percent(min(errors))} to {_percent(max(errors))}" if errors else ""
    more = {
        "not repeatable": len(found.violations),
        "protocol violations": len(found.protocol),
        "known failures": len(found.excused),
    }
    beside = "".join(f"; {n} {what}" for what, n in more.items() if n)
    return f"{one.accountant!s:<28} {one.accountant.promise}: {word}: {counts}{span}{beside}"


def _failing(found: JudgedRuns) -> Iterator[str]:
    """Each kind of failure with its count and its simplest question, the gravest first."""
    failures = found.failures
    by_ruling = Counter(case.judgement.ruling for case in failures)
    for ruling in (r for r in Ruling if by_ruling[r]):
        those = [case for case in failures if case.judgement.ruling is ruling]
        where = Counter(case.judgement.region for case in those)[Region.TRAINING]
        example = min(those, key=lambda case: (len(str(case.question)), case.id))
        yield f"{ruling}: {len(those)} ({where} in training runs), the simplest: {example.question}"
        yield f"    {answer_text(example)}"
        flags = Counter(flag for case in those for flag in case.flags).most_common(_NAMED)
        yield f"    flags: {', '.join(f'{flag} {n}' for flag, n in flags)}"
    if found.violations:
        first = found.violations[0]
        yield f"not repeatable: {len(found.violations)} times: {first.values[0]!r}, then {first.values[1]!r}: {first.questions[0]}"
    for line in found.protocol[:2]:
        yield f"protocol violation: {line}"


def junit_text(examined: Sequence[RunExamination]) -> str:
    """One test case a question of each accountant, and one for repetition."""
    return junit.junit("sgm-verify accountants", _junit_cases(examined))


def _junit_cases(examined: Sequence[RunExamination]) -> Iterator[junit.JUnitCase]:
    for one in examined:
        name, failing = str(one.accountant), {case.id for case in one.found.failures}
        for case in one.found.cases:
            seconds = case.answer.seconds
            if case.id in failing:
                detail = f"{case.question}\n{answer_text(case)}\nexact: {case.truth}"
                yield junit.JUnitCase(name, case.id, case.judgement.label, detail, seconds)
            elif case.id in one.found.excused:
                known = f"known failure: {case.judgement.label}"
                yield junit.JUnitCase(name, case.id, seconds=seconds, skipped=known)
            else:
                yield junit.JUnitCase(name, case.id, seconds=seconds)
        counts = {
            "repeatable": len(one.found.violations),
            "protocol": len(one.found.protocol),
            "stale": len(one.found.stale),
        }
        for what, n in counts.items():
            yield junit.JUnitCase(f"{name} properties", what, f"{n} violations" if n else "")


def exit_code(examined: Sequence[RunExamination]) -> int:
    """The largest of all who were asked something: 0 all conform, 1 one does not."""
    return max((one.found.exit_code for one in examined if one.found.cases), default=1)


__all__ = ["answer_text", "as_result", "exit_code", "junit_text", "lines", "simplest", "summary"]
