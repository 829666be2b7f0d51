"""The decorator that makes a claim of a function, and what it refuses.

The decorator carries where the claim stands; the docstring is the text the report prints. Every claim
also names variants of itself that are wrong (inequality reversed, constant nudged, hypothesis dropped,
sign flipped): they are the same function with other values of its keyword parameters, and running them
must not confirm anything.

>>> from fractions import Fraction
>>> from verify.claims.model import Rejected
>>> from verify.claims.reasons import sampled
>>> from verify.results.evidence import Evidence
>>> @claim("example/square", lines="1", kind="inequality", domain=r"x \\ge 1",
...        statement=r"x^2 \\ge x", broken={"x from 0": {"start": 0}})
... def square(start: int = 1) -> Iterator[Evidence]:
...     '''A square is not below its root, from 1 on.'''
...     for x in (Fraction(start) + Fraction(k, 7) for k in range(1, 50)):
...         if x * x < x:
...             raise Rejected(f"x = {x}")
...     yield sampled(49, detail="x in (1, 8]")
>>> square.check().verdict, square.check(**square.broken["x from 0"]).why
(<Verdict.HOLDS: 'holds'>, 'x = 1/7')
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from verify.claims.model import Check, Claim, MisstatedClaim, PrintableFormula
from verify.results.evidence import Erratum, Kind, Severity, Verdict

_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*(/[a-z0-9]+(-[a-z0-9]+)*)+")
_LINES = re.compile(r"\d+(-\d+)?(, ?\d+(-\d+)?)*|beyond")


def claim(
    claim_id: str,
    *,
    lines: str,
    kind: str,
    domain: str,
    statement: str | PrintableFormula,
    verdict: str = "holds",
    severity: str = "none",
    repair: str = "",
    kernel: str | tuple[str, ...] = (),
    kernel_against: str | tuple[str, ...] = (),
    broken: Mapping[str, Mapping[str, Any]] | None = None,
    unbreakable: str = "",
    unknown: str = "",
    erratum: Erratum | None = None,
) -> Callable[[Check], Claim]:
    """Make a claim of a function that yields evidence.

    ``lines`` are lines of the paper ("319", "321-326", or "beyond" for a result that is not in it),
    ``statement`` and ``domain`` are LaTeX (a statement may be a :class:`PrintableFormula`, which the check uses
    and the report prints), ``verdict`` is what the project has established and the
    check has to find again, ``repair`` the corrected statement. ``kernel`` names the theorems of the
    formal development that together prove it (of a refuted claim: the corrected statement),
    ``kernel_against`` those that refute it.
    ``broken`` maps the name of a wrong variant to the parameters that make it; ``unbreakable`` says
    why there is none. ``erratum`` tells the error to the reader; claims that name the same one are one
    error.
    """

    def decorate(function: Check) -> Claim:
        for given, words in ((kind, Kind), (verdict, Verdict), (severity, Severity)):
            if given not in list(words):
                known = ", ".join(words)
                raise MisstatedClaim(f"{claim_id}: {given!r} is none of {known}")
        made = Claim(
            id=claim_id,
            lines=lines,
            kind=Kind(kind),
            domain=domain,
            statement=statement if isinstance(statement, str) else statement.latex(),
            words=inspect.cleandoc(function.__doc__ or ""),
            verdict=Verdict(verdict),
            severity=Severity(severity),
            function=function,
            repair=repair,
            kernel=_names(kernel),
            kernel_against=_names(kernel_against),
            broken=dict(broken or {}),
            unbreakable=unbreakable,
            unknown=unknown,
            formula=None if isinstance(statement, str) else statement,
            erratum=erratum,
        )
        for problem in problems(made):
            raise MisstatedClaim(f"{claim_id}: {problem}")
        return made

    return decorate


def _names(given: str | tuple[str, ...]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)


def problems(c: Claim) -> Iterator[str]:
    """What is wrong with the declaration of a claim."""
    if not _ID.fullmatch(c.id):
        yield "an id looks like section/place/what, in lower case"
    if not _LINES.fullmatch(c.lines):
        yield f"lines {c.lines!r}: give numbers such as 319 or 321-326, or beyond"
    if not c.words or not c.statement or not c.domain:
        yield "docstring, statement and domain are needed"
    if bool(c.unknown) != (c.verdict is Verdict.UNKNOWN):
        yield "an unknown verdict, and only that, needs a reason (unknown=...)"
    needs_repair = c.verdict in (Verdict.TYPOGRAPHY, Verdict.REPAIRED, Verdict.REFUTED)
    if (c.verdict is Verdict.TYPOGRAPHY) != (c.severity is Severity.TYPOGRAPHY):
        yield "typography is a verdict and a severity, both or neither"
    if needs_repair != bool(c.repair) or needs_repair != (c.severity is not Severity.NONE):
        yield "repair and severity go with typography, holds-with-repair and refuted, and only with them"
    if c.erratum and not needs_repair:
        yield "an erratum goes with a repair"
    if bool(c.broken) == bool(c.unbreakable):
        yield "give broken variants, or the reason why there are none"
    known = inspect.signature(c.function).parameters
    for name, parameters in c.broken.items():
        for key in set(parameters) - set(known):
            yield f"variant {name!r}: the check has no parameter {key!r}"
        if not parameters:
            yield f"variant {name!r} changes nothing"
