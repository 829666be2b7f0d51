"""What a claim, an evidence and a verdict are.

A claim of a paper is one function: it *checks* the claim and yields evidence. The decorator carries
where the claim stands; the docstring is the text the report prints. The function must be able to
say no: it raises :class:`Rejected` when the statement fails and :class:`Undecided` when the check
cannot tell. Every claim also names variants of itself that are wrong (inequality reversed,
constant nudged, hypothesis dropped, sign flipped): they are the same function with other values
of its keyword parameters, and running them must not confirm anything.

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

import functools
import inspect
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from typing import Any, Protocol

from verify.errors import SgmError

__all__ = [
    "Claim",
    "Evidence",
    "Formula",
    "Fraction",
    "Kind",
    "Level",
    "Outcome",
    "Profile",
    "Rejected",
    "Role",
    "Severity",
    "Undecided",
    "Verdict",
    "all_of",
    "certified_points",
    "certified_region",
    "claim",
    "rests_on",
    "sampled",
    "symbolic",
]


class Rejected(SgmError):
    """The check found the statement false; the message holds the counterexample."""


class Undecided(SgmError):
    """The check could neither confirm nor refute: unknown, which is never a pass."""


class MisstatedClaim(SgmError):
    """A claim is declared in a way that cannot be right (bad id, unknown variant, no evidence)."""


class Level(StrEnum):
    """How strong an evidence is, strongest first."""

    KERNEL = "kernel"
    SYMBOLIC = "symbolic"
    REGION = "certified-region"
    POINTS = "certified-points"
    SAMPLED = "sampled"

    @property
    def rank(self) -> int:
        return list(Level).index(self)


class Role(StrEnum):
    """What an evidence speaks for: the text as written, against it, or for the corrected text."""

    STATEMENT = "statement"
    COUNTEREXAMPLE = "counterexample"
    REPAIR = "repair"


class Verdict(StrEnum):
    HOLDS = "holds"
    REPAIRED = "holds-with-repair"
    REFUTED = "refuted"
    UNKNOWN = "unknown"


class Severity(StrEnum):
    """How much is wrong with the claim as written."""

    THEOREM = "theorem false"
    STATEMENT = "statement false"
    GAP = "gap"
    SLIP = "slip"
    NONE = "none"


class Kind(StrEnum):
    DEFINITION = "definition"
    IDENTITY = "identity"
    INEQUALITY = "inequality"
    LIMIT = "limit"
    ASSERTION = "assertion"
    TABLE = "table"
    FIGURE = "figure"
    NOT_MATHEMATICAL = "not-mathematical"


class Profile(StrEnum):
    """How long a check may take: ``quick`` for every change, ``full`` for a release."""

    QUICK = "quick"
    FULL = "full"


@dataclass(frozen=True, slots=True)
class Evidence:
    """One reason to believe, with the number of cases that said something and that did not."""

    level: Level
    effective: int = 1
    vacuous: int = 0
    detail: str = ""
    role: Role = Role.STATEMENT

    def against(self) -> Evidence:
        """The same finding, as a counterexample to the text as written."""
        return replace(self, role=Role.COUNTEREXAMPLE)

    def repaired(self) -> Evidence:
        """The same finding, for the corrected statement."""
        return replace(self, role=Role.REPAIR)


symbolic = functools.partial(Evidence, Level.SYMBOLIC)
certified_region = functools.partial(Evidence, Level.REGION)
certified_points = functools.partial(Evidence, Level.POINTS)
sampled = functools.partial(Evidence, Level.SAMPLED)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one run of a check found; ``why`` says what stood in the way of a pass."""

    verdict: Verdict
    evidence: tuple[Evidence, ...] = ()
    why: str = ""
    rejected: bool = False
    crashed: bool = False
    seconds: float = 0.0

    @property
    def confirms(self) -> bool:
        return self.verdict is not Verdict.UNKNOWN

    @property
    def refuses(self) -> bool:
        """Said no, or could not tell. A crash is neither."""
        return not self.confirms and not self.crashed


class Formula(Protocol):
    """A statement that is checked as an expression, and printed from it."""

    def latex(self) -> str: ...


Check = Callable[..., Iterable[Evidence]]
_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*(/[a-z0-9]+(-[a-z0-9]+)*)+")
_LINES = re.compile(r"\d+(-\d+)?(, ?\d+(-\d+)?)*|beyond")


@dataclass(frozen=True)
class Claim:
    """One claim: where it stands, what it says, how it is checked, what must be rejected."""

    id: str
    lines: str
    kind: Kind
    domain: str
    statement: str
    words: str
    verdict: Verdict
    severity: Severity
    function: Check
    repair: str = ""
    kernel: tuple[str, ...] = ()
    kernel_against: tuple[str, ...] = ()
    broken: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    unbreakable: str = ""
    unknown: str = ""
    formula: Formula | None = None

    @property
    def place(self) -> str:
        return "beyond the paper" if self.lines == "beyond" else f"lines {self.lines}"

    @property
    def module(self) -> str:
        return self.function.__module__

    def check(self, profile: Profile = Profile.QUICK, **parameters: Any) -> Outcome:
        """Run the check; with parameters, a variant of it.

        A check that breaks down has found nothing: the outcome is unknown and marked as a crash.
        """
        if "profile" in inspect.signature(self.function).parameters:
            parameters["profile"] = profile
        start = time.perf_counter()
        found: list[Evidence] = []
        rejected, crashed, why = False, False, ""
        try:
            found.extend(self.function(**parameters))
        except Rejected as error:
            rejected, why = True, str(error)
        except Undecided as error:
            why = str(error)
        except Exception as error:  # noqa: BLE001  # one broken check must not hide the others
            crashed, why = True, f"{type(error).__name__}: {error}"
        try:
            verdict = Verdict.UNKNOWN if rejected or why else judge(self.id, found)
        except MisstatedClaim as error:
            verdict, crashed, why = Verdict.UNKNOWN, True, str(error)
        seconds = time.perf_counter() - start
        return Outcome(verdict, tuple(found), why, rejected, crashed, seconds)


def judge(claim_id: str, evidence: Iterable[Evidence]) -> Verdict:
    """The verdict that evidence amounts to.

    >>> judge("a/b", [symbolic(), symbolic().repaired()])
    <Verdict.REPAIRED: 'holds-with-repair'>
    >>> judge("a/b", [symbolic().against(), symbolic().repaired()])
    <Verdict.REFUTED: 'refuted'>
    """
    found = [e for e in evidence if e.effective > 0]
    roles = {e.role for e in found}
    if not found:
        return Verdict.UNKNOWN
    if Role.COUNTEREXAMPLE in roles and Role.REPAIR not in roles:
        raise MisstatedClaim(f"{claim_id}: refuted, but no corrected statement was checked")
    if Role.COUNTEREXAMPLE in roles:
        return Verdict.REFUTED
    return Verdict.REPAIRED if Role.REPAIR in roles else Verdict.HOLDS


@functools.cache
def _checked(function: Check) -> Outcome:
    """A premise is checked once in a process."""
    found = list(function())
    return Outcome(judge(function.__name__, found), tuple(found))


def rests_on(*premises: Claim) -> Evidence:
    """The conclusion follows from other claims, which are checked here and now.

    The evidence is as strong as the weakest premise; a premise that fails stops the check.
    """
    weakest = Level.KERNEL
    for premise in premises:
        outcome = _checked(premise.function)
        supporting = [e.level for e in outcome.evidence if e.role is not Role.COUNTEREXAMPLE]
        if outcome.verdict is Verdict.UNKNOWN or not supporting:
            raise Undecided(f"nothing supports the premise {premise.id}")
        best = min(supporting, key=lambda level: level.rank)
        weakest = max(weakest, best, key=lambda level: level.rank)
    names = ", ".join(premise.id for premise in premises)
    return Evidence(weakest, len(premises), 0, f"follows from {names}")


def all_of(*steps: Evidence) -> Evidence:
    """Steps that prove something only together: one evidence, as strong as the weakest of them.

    >>> all_of(symbolic(detail="algebra"), certified_region(12, detail="boxes"))
    Evidence(level=<Level.REGION: 'certified-region'>, effective=13, vacuous=0, \
detail='algebra; boxes', role=<Role.STATEMENT: 'statement'>)
    """
    weakest = max((step.level for step in steps), key=lambda level: level.rank)
    effective, vacuous = sum(s.effective for s in steps), sum(s.vacuous for s in steps)
    return Evidence(weakest, effective, vacuous, "; ".join(s.detail for s in steps))


def claim(
    claim_id: str,
    *,
    lines: str,
    kind: str,
    domain: str,
    statement: str | Formula,
    verdict: str = "holds",
    severity: str = "none",
    repair: str = "",
    kernel: str | tuple[str, ...] = (),
    kernel_against: str | tuple[str, ...] = (),
    broken: Mapping[str, Mapping[str, Any]] | None = None,
    unbreakable: str = "",
    unknown: str = "",
) -> Callable[[Check], Claim]:
    """Make a claim of a function that yields evidence.

    ``lines`` are lines of the paper ("319", "321-326", or "beyond" for a result that is not in it),
    ``statement`` and ``domain`` are LaTeX (a statement may be a :class:`Formula`, which the check uses
    and the report prints), ``verdict`` is what the project has established and the
    check has to find again, ``repair`` the corrected statement. ``kernel`` names the theorems of the
    formal development that together prove it (of a refuted claim: the corrected statement),
    ``kernel_against`` those that refute it.
    ``broken`` maps the name of a wrong variant to the parameters that make it; ``unbreakable`` says
    why there is none.
    """

    def decorate(function: Check) -> Claim:
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
    needs_repair = c.verdict in (Verdict.REPAIRED, Verdict.REFUTED)
    if needs_repair != bool(c.repair) or needs_repair != (c.severity is not Severity.NONE):
        yield "repair and severity go with holds-with-repair and refuted, and only with them"
    if bool(c.broken) == bool(c.unbreakable):
        yield "give broken variants, or the reason why there are none"
    known = inspect.signature(c.function).parameters
    for name, parameters in c.broken.items():
        for key in set(parameters) - set(known):
            yield f"variant {name!r}: the check has no parameter {key!r}"
        if not parameters:
            yield f"variant {name!r} changes nothing"
