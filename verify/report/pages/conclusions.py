"""What follows from the parts of a report: the four numbers, what failed, and what nobody should infer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from verify.report.draw.plot import Plot
from verify.report.pages import captions
from verify.results.claims import ClaimResult
from verify.results.evidence import Level, Profile, Verdict
from verify.results.families import Family
from verify.results.report import Numbers, Shown, Unreadable

_PROOFS = (Level.KERNEL, Level.SYMBOLIC)
_SINGLE_POINTS = (Level.POINTS, Level.SAMPLED)


def numbers(claims: Sequence[ClaimResult], families: Iterable[Family]) -> Numbers:
    """The numbers at the top; the paper's claims and the results beyond it are counted apart."""
    papers = [c for c in claims if not c.beyond]
    ours = [c for c in claims if c.beyond]
    return Numbers(
        claims=len(papers),
        proved=_count_proved(papers),
        refuted=sum(c.verdict is Verdict.REFUTED for c in papers),
        beyond=len(ours),
        beyond_proved=_count_proved(ours),
        libraries=len(
            {m.target for family in families for m in family.members}
        ),  # versions count once
    )


def _count_proved(claims: Iterable[ClaimResult]) -> int:
    return sum(c.strongest in _PROOFS for c in claims if c.verdict is not Verdict.UNKNOWN)


def not_covered(
    claims: Sequence[ClaimResult],
    profile: Profile,
    *,
    formal: bool,
    libraries: bool,
    missing: Sequence[Plot] = (),
) -> tuple[str, ...]:
    """What a reader must not take from this report; the parts that depend on the run first."""
    said = []
    unknown = [c.id for c in claims if c.verdict is Verdict.UNKNOWN]
    if unknown:
        said.append(f"Unknown, neither confirmed nor refuted: {', '.join(unknown)}.")
    weak = [c for c in claims if c.strongest in _SINGLE_POINTS]
    if weak:
        said.append(
            f"{len(weak)} claims rest on single points (certified or sampled): between the points they "
            "are not proved."
        )
    if not formal:
        said.append(
            "Formal proofs: there is no result made from the present sources (make formal)."
        )
    if not libraries:
        said.append("Libraries: none was judged in this run (sgm-verify check NAME --out ...).")
    said += [
        f"{plot.title.partition(':')[0]}: none recorded (reports/{plot.file})." for plot in missing
    ]
    if profile is Profile.QUICK:
        said.append("The quick profile tries fewer sampled points than the full one.")
    return (*said, *captions.NOT_COVERED)


def failures(
    truth: Iterable[Shown], claims: Sequence[ClaimResult], unreadable: Iterable[Unreadable]
) -> tuple[str, ...]:
    """What makes the run fail: each in one line."""
    said = [f"ground truth: {check.name}: {check.why}" for check in truth if not check.passed]
    said += [f"claim {c.id}: {c.differs}" for c in claims if c.differs]
    said += [f"claim {c.id}: broken variant survived: {n}" for c in claims for n in c.survivors]
    return (*said, *(f"{row.file}: {row.reason}" for row in unreadable))
