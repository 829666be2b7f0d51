"""The errors of a paper, gravest first: claims that name the same erratum are one error."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from verify.results.claims import ClaimResult, RecordedErratum
from verify.results.evidence import Erratum, Level, Severity


@dataclass(frozen=True)
class FoundErratum:
    """An error with the claims that it was found in."""

    erratum: Erratum
    claims: tuple[ClaimResult, ...]

    @property
    def severity(self) -> Severity:
        """That of the gravest of its claims."""
        return min((c.severity for c in self.claims), key=lambda severity: severity.rank)

    @property
    def counterexample(self) -> str:
        found = (_sentence(counterexample(c)) for c in self.claims if counterexample(c))
        return " ".join(dict.fromkeys(found))

    def told(self) -> Iterator[tuple[str, str]]:
        """What a reader is told, in order; only what there is to tell."""
        e = self.erratum
        yield "the paper says", e.says
        yield "read charitably", e.charitable
        if self.counterexample:
            yield "counterexample", self.counterexample
        yield "repair", e.repair
        yield "for a user", e.user

    def as_part(self) -> RecordedErratum:
        """As it is recorded."""
        e = self.erratum
        places = tuple((c.id, c.place) for c in self.claims)
        return RecordedErratum(e.number, e.date, e.title, self.severity, tuple(self.told()), places)


def errata(claims: Iterable[ClaimResult]) -> list[FoundErratum]:
    """The distinct errors; the order of the paper within a severity."""
    groups: dict[Erratum, list[ClaimResult]] = {}
    for claim in claims:
        if claim.erratum:
            groups.setdefault(claim.erratum, []).append(claim)
    found = (FoundErratum(erratum, tuple(those)) for erratum, those in groups.items())
    return sorted(found, key=lambda error: (error.severity.rank, error.erratum.number))


def counterexample(claim: ClaimResult) -> str:
    """A claim's counterexample in the fewest words; all of them stand with the claim itself."""
    against = [e for e in claim.evidence if e.role.against]
    computed = [e.detail for e in against if e.level is not Level.KERNEL]
    said = [min(computed, key=len)] if computed else []
    if said:  # steps of a proof in formulas of sympy are for the claim's own page
        steps = said[0].split("; ")
        said = ["; ".join([step for step in steps if "**" not in step] or steps)]
    proved = [e.theorems[0].name for e in against if e.level is Level.KERNEL]
    return "; ".join([*said, *(f"proved by the kernel as {name}" for name in proved)])


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")
