"""Another implementation, asked through the harness protocol, beside the truth."""

from __future__ import annotations

import atexit
import math
import shlex
import shutil
from fractions import Fraction
from typing import Any

from verify.moments.divergence import QUANTITIES, evaluate
from verify.numbers.certified import Certified, nearest_double
from verify.numbers.errors import OutOfDomain
from verify.sweeps.computations.model import (
    DOUBLE,
    TEXT,
    Computation,
    Outcome,
    Run,
    Status,
    Where,
    certified_columns,
    certified_values,
)
from verify.sweeps.given import quote

_OPTIONS = ("library", "command", "quantity")
_SECONDS = 30.0


def _check_options(given: dict[str, Any]) -> dict[str, Any]:
    from verify.judge.protocol import libraries
    from verify.judge.protocol.harness import HarnessFailed

    if ("library" in given) == ("command" in given):
        raise OutOfDomain("compute: library (such as 'opacus==1.6.0') or command, one of them")
    for key in ("library", "command"):
        if not isinstance(given.get(key, ""), str):
            raise OutOfDomain(f"compute.{key} = {quote(given[key])}: must be text")
    quantity = given.get("quantity", "rdp")
    if not isinstance(quantity, str) or quantity not in QUANTITIES:
        raise OutOfDomain(
            f"compute.quantity = {quote(quantity)}: must be one of {', '.join(QUANTITIES)}"
        )
    if "library" in given:
        try:
            library, version = libraries.parse(given["library"])
        except HarnessFailed as error:
            raise OutOfDomain(str(error)) from error
        return {"library": f"{library.name}=={version}", "quantity": quantity}
    try:
        words = shlex.split(given["command"])
    except ValueError as error:
        raise OutOfDomain(f"compute.command: {error}") from error
    if not words:
        raise OutOfDomain("compute.command: empty")
    return {"command": given["command"], "quantity": quantity}


def _check_program(options: dict[str, Any]) -> None:
    """A program that is not there would be an error at each of a million points."""
    if "command" in options and shutil.which(shlex.split(options["command"])[0]) is None:
        raise OutOfDomain(f"compute.command = {quote(options['command'])}: no such program")


def command_of(options: dict[str, Any]) -> list[str]:
    """How the program is started; makes a library's environment on first use, one process at a time."""
    from verify.judge.protocol import targets

    if "command" in options:
        _check_program(options)
        return shlex.split(options["command"])
    return list(targets.release_alone(options["library"]).command)


def _prepare(digits: int, options: dict[str, Any]) -> Run:
    from verify.judge.protocol.harness import Harness, Limits
    from verify.judge.protocol.question import Question
    from verify.judge.verdict.grading import GOOD, judge
    from verify.results.vectors import Expected

    # However often it fails, it is started again: what is asked of it must not depend on its past.
    harness = Harness(
        command_of(options),
        Limits(_SECONDS, restarts=2**62, silent_starts=2**62, lost_seconds=math.inf),
    )
    atexit.register(harness.stop)
    quantity = options["quantity"]

    def run(where: Where, max_seconds: float) -> Outcome:
        point = where.point()
        truth = evaluate(quantity, point, digits, False, max_seconds)
        values = certified_values(truth, digits)
        alpha = math.inf if where.alpha is None else where.alpha.double
        question = Question(quantity, where.q.double, where.sigma.double, alpha)
        answer = harness.ask(question)
        judgement = judge(question, Expected.of(values[2], values[3], values[0], values[1]), answer)
        said = answer.value if answer.kind == "value" else None
        kind = answer.kind if said is None else _kind(said)
        status = Status.VALUE if judgement.grade in GOOD else Status.FAILED
        error = None if said is None else relative_error(said, truth)
        number = None if said is None or math.isnan(said) else said
        return Outcome(
            status, judgement.reason, (*values, number, kind, error, judgement.label)
        )  # fmt: skip

    return run


def _kind(said: float) -> str:
    """What SQLite cannot tell: it has no NaN, and no sign of zero.

    >>> _kind(1.5), _kind(-0.0), _kind(float("nan"))
    ('value', '-0', 'nan')
    """
    if math.isnan(said):
        return "nan"
    return "-0" if said == 0 and math.copysign(1, said) < 0 else "value"


def relative_error(answer: float, truth: Certified) -> float | None:
    """The signed relative error that is certain (negative understates); None where there is none to tell.

    >>> relative_error(1.5, Certified.exactly(Fraction(1)))
    0.5
    """
    if not math.isfinite(answer) or isinstance(truth.lo, float) or isinstance(truth.hi, float):
        return 0.0 if answer == truth.lo else None
    x = Fraction(answer)
    error = x - truth.hi if x > truth.hi else min(x - truth.lo, Fraction(0))
    return None if truth.lo == 0 and error else nearest_double(error / (truth.lo or 1))


LIBRARY = Computation(
    "library",
    "another implementation through the harness protocol: its answer, its error and the verdict",
    (
        *certified_columns("truth"),
        ("answer", DOUBLE),
        ("kind", TEXT),
        ("relative_error", DOUBLE),
        ("verdict", TEXT),
    ),
    _prepare,
    options=_OPTIONS,
    check=_check_options,
    doubles=True,
    ready=_check_program,
)
