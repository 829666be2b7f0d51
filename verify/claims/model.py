"""What a claim is, and what one run of its check finds.

A claim of a paper is one function: it *checks* the claim and yields evidence. The function must be able
to say no: it raises :class:`Rejected` when the statement fails and :class:`Undecided` when the check
cannot tell. Running it gives a :class:`Finding`, with a verdict that follows from the evidence.
"""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Protocol

import msgspec

from verify.claims.parameters import misfit
from verify.claims.refuting import counterexample
from verify.numbers.errors import SgmError
from verify.results.claims import BEYOND
from verify.results.document import Part
from verify.results.evidence import (
    Erratum,
    Evidence,
    Kind,
    Profile,
    Role,
    Severity,
    Verdict,
)


class Rejected(SgmError):
    """The statement is false: the message names a point of its domain at which its own sides fail.

    Balls or exact arithmetic have decided both, that the point is inside and that the sides fail there. A step
    of an argument that fails is something else: :class:`StepFails`.
    """


class Undecided(SgmError):
    """The check could neither confirm nor refute: unknown, which is never a pass."""


class StepFails(Undecided):
    """A step of the argument is false: this argument does not show the claim, which may be true all the same."""


class MisstatedClaim(SgmError):
    """A claim is declared in a way that cannot be right (bad id, unknown variant, no evidence)."""


class Finding(Part, frozen=True):
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
        """Whether the check refuted the claim or left it undecided. A crash is neither of these."""
        return not self.confirms and not self.crashed


class PrintableFormula(Protocol):
    """A statement that is checked as an expression, and printed from it."""

    def latex(self) -> str: ...


Check = Callable[..., Iterable[Evidence]]


@dataclass
class CheckRun:
    """A check that is being run: which parameters are not the claim's own, and what that leaves open.

    ``within`` are the claims that are being checked, each for the sake of the one before it.

    An argument is for the parameters that it was made with. What rests on premises with *their* own
    parameters says nothing about a variant: that is a doubt, and a doubt makes a pass Undecided.
    """

    moved: tuple[str, ...] = ()
    within: tuple[Claim, ...] = ()
    doubts: list[str] = field(default_factory=list)

    def settle(self) -> None:
        """Undecided if anything was left open."""
        if self.doubts:
            raise Undecided(self.doubts[0])


_RUN: ContextVar[CheckRun | None] = ContextVar("the check that is being run", default=None)


def doubt(reason: str) -> None:
    """Leave the check that is being run undecided, unless it finds a counterexample all the same."""
    run = _RUN.get()
    if run is None:
        raise Undecided(reason)
    run.doubts.append(reason)


def moved() -> tuple[str, ...]:
    """The parameters of the check that is being run that are not the claim's own."""
    run = _RUN.get()
    return run.moved if run else ()


@contextmanager
def running(claim: Claim, parameters: Mapping[str, Any]) -> Iterator[CheckRun]:
    """A run of a check; inside of another one it is a premise with parameters of its own.

    A claim that rests on itself, with any parameters, is not proved; neither is one with parameters
    of a wrong kind.
    """
    if wrong := misfit(claim.function, parameters):
        raise Undecided(wrong)
    outer = _RUN.get()
    within = (*outer.within, claim) if outer else (claim,)
    if any(c.function is claim.function for c in within[:-1]):
        raise MisstatedClaim("a circle: " + " needs ".join(c.id for c in within))
    run = CheckRun(claim.moved(parameters), within)
    token = _RUN.set(run)
    try:
        yield run
    finally:
        _RUN.reset(token)


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
    formula: PrintableFormula | None = None
    erratum: Erratum | None = None
    published: str = ""

    @property
    def place(self) -> str:
        """Theorem and equation as the paper numbers them, and lines of its source."""
        if self.lines == "beyond":
            return BEYOND
        lines = f"line{'s' * (not self.lines.isdigit())} {self.lines}"
        return f"{self.published}, {lines}" if self.published else lines

    @property
    def module(self) -> str:
        return self.function.__module__

    def given(self, **parameters: Any) -> Premise:
        """This claim as a premise with these parameters, in place of its own."""
        for name in parameters:
            if name not in inspect.signature(self.function).parameters:
                raise MisstatedClaim(f"{self.id}: the check has no parameter {name!r}")
        return Premise(self, parameters)

    def moved(self, parameters: Mapping[str, Any]) -> tuple[str, ...]:
        """Which of these parameters differ from the claim's own. The time that a check may take
        does not count as a parameter."""
        own = inspect.signature(self.function).parameters
        return tuple(
            name
            for name, value in parameters.items()
            if name != "profile" and (name not in own or own[name].default != value)
        )

    def _counterexample(self, parameters: Mapping[str, Any]) -> str:
        """Where a changed statement fails, if its formula is all that was changed and the package can look."""
        own = inspect.signature(self.function).parameters
        changed = self.moved(parameters)
        if len(changed) != 1 or changed[0] not in own or self.formula is None:
            return ""
        if own[changed[0]].default != self.formula:
            return ""
        return counterexample(self.module, parameters[changed[0]], self.domain, self.formula)

    def evidence(self, **parameters: Any) -> list[Evidence]:
        """What the check yields; Undecided where a step was made for other parameters."""
        with running(self, parameters) as run:
            found = list(_evidence(self.function(**parameters)))
            run.settle()
        return found

    def check(self, profile: Profile = Profile.QUICK, **parameters: Any) -> Finding:
        """Run the check; with parameters, a variant of it.

        A check that breaks down has found nothing: the finding is unknown and marked as a crash.
        """
        if "profile" in inspect.signature(self.function).parameters:
            parameters["profile"] = profile
        start = time.perf_counter()
        found: list[Evidence] = []
        verdict, rejected, crashed, why = Verdict.UNKNOWN, False, False, ""
        try:
            with running(self, parameters) as run:
                found.extend(_evidence(self.function(**parameters)))
            run.settle()  # first: doubtful evidence is nothing to judge by
            verdict = judge(self.id, found)
            if verdict is Verdict.REPAIRED and self.severity is Severity.TYPOGRAPHY:
                verdict = Verdict.TYPOGRAPHY  # what is corrected is how it is printed
        except Rejected as error:
            rejected, why = True, str(error)
        except Undecided as error:
            why = str(error) or "undecided"
            if where := self._counterexample(parameters):
                rejected, why = True, where
        except MisstatedClaim as error:
            crashed, why = True, str(error)
        except Exception as error:  # noqa: BLE001  # one broken check must not hide the others
            crashed, why = True, f"{type(error).__name__}: {error}"
        found = [e for e in found if _writable(e)]
        seconds = time.perf_counter() - start
        return Finding(verdict, tuple(found), why, rejected, crashed, seconds)


@dataclass(frozen=True)
class Premise:
    """A claim with the parameters that a conclusion needs it for."""

    claim: Claim
    parameters: Mapping[str, Any]

    @property
    def text(self) -> str:
        return self.claim.id + (f" with another {', '.join(self.moved)}" if self.moved else "")

    @property
    def moved(self) -> tuple[str, ...]:
        return self.claim.moved(self.parameters)


def _evidence(yielded: object) -> Iterable[Evidence]:
    """What a check yields; a plain function that was meant to yield gives None instead."""
    if not isinstance(yielded, Iterable):
        raise MisstatedClaim("the check gives nothing: write yield before its evidence")
    return yielded


def judge(claim_id: str, evidence: Iterable[Evidence]) -> Verdict:
    """The verdict that follows from the evidence.

    >>> from verify.results.evidence import Level
    >>> exact = Evidence(Level.SYMBOLIC)
    >>> judge("a/b", [exact, exact.repaired()])
    <Verdict.REPAIRED: 'holds-with-repair'>
    >>> judge("a/b", [exact.against(), exact.repaired()])
    <Verdict.REFUTED: 'refuted'>
    """
    given = list(evidence)
    for e in given:
        if not _writable(e):
            raise MisstatedClaim(f"{claim_id}: {e!r:.200} is no evidence")
    found = [e for e in given if e.effective > 0]
    roles = {e.role for e in found}
    if not found:
        return Verdict.UNKNOWN
    if any(role.against for role in roles) and Role.REPAIR not in roles:
        raise MisstatedClaim(f"{claim_id}: refuted, but no corrected statement was checked")
    if Role.COUNTEREXAMPLE in roles:
        return Verdict.REFUTED
    return Verdict.REPAIRED if Role.REPAIR in roles else Verdict.HOLDS


def _writable(evidence: object) -> bool:
    """Whether it can be written down and read again: a count may be sympy's Integer, which cannot."""
    try:
        return msgspec.convert(msgspec.to_builtins(evidence), Evidence) == evidence
    except (TypeError, ValueError):  # msgspec's ValidationError is one
        return False


class Checked(Part, frozen=True):
    """A claim's id, what its check found, and what became of its broken variants."""

    id: str
    finding: Finding
    variants: dict[str, Finding]

    @property
    def survivors(self) -> list[str]:
        """Broken variants that the check did not refuse: each is a hole in the check."""
        return [name for name, finding in self.variants.items() if not finding.refuses]


def run_one(claim: Claim, profile: Profile, broken: bool = True) -> Checked:
    """Check a claim; with ``broken``, also run the same check on every wrong variant."""
    finding = claim.check(profile)
    variants = {}
    if broken:
        # A variant is rejected by what the quick profile already looks at.
        variants = {n: claim.check(Profile.QUICK, **p) for n, p in claim.broken.items()}
    return Checked(claim.id, finding, variants)
