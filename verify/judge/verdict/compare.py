"""Two checks of the same questions, side by side: what got better, what got worse."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from verify.judge.show.render import case_lines
from verify.judge.verdict.grading import GOOD, Direction
from verify.judge.verdict.judged import Case, Judged

_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Compared:
    """The points at which only one of the two is good, and how many answers are not the same.

    ``unsafe`` are those that are UNSAFE now and were bad in another way before.
    """

    worse: tuple[Case, ...]
    better: tuple[Case, ...]
    unsafe: tuple[Case, ...]
    other: int
    common: int

    def lines(self, name: str, against: str) -> list[str]:
        """For people; cases are those of the first."""
        lines = [
            f"{name} against {against}: {self.common} points in common, {self.other} answered otherwise; "
            f"{len(self.better)} good now, {len(self.worse)} not good any more, "
            f"{len(self.unsafe)} not good and now UNSAFE"
        ]
        told = (("better", self.better), ("worse", self.worse), ("now UNSAFE", self.unsafe))
        for title, cases in told:
            flags = Counter(flag for case in cases for flag in case.flags)
            if flags:
                most = ", ".join(f"{n} {flag}" for flag, n in flags.most_common(4))
                lines.append(f"{title}: {most}")
        for title, cases in told[1:]:
            for case in cases[:_SHOWN]:
                lines += case_lines(title, case)
        return lines


def compare(found: Judged, before: Judged) -> Compared:
    """The first beside the second."""
    old = {case.question: case for case in before.cases}
    pairs = [(case, old[case.question]) for case in found.cases if case.question in old]
    return Compared(
        worse=tuple(new for new, was in pairs if _good(was) and not _good(new)),
        better=tuple(new for new, was in pairs if _good(new) and not _good(was)),
        unsafe=tuple(new for new, was in pairs if _became_unsafe(new, was)),
        other=sum(repr(new.answer.value) != repr(was.answer.value) for new, was in pairs),
        common=len(pairs),
    )


def _good(case: Case) -> bool:
    return case.judgement.grade in GOOD


def _became_unsafe(new: Case, was: Case) -> bool:
    unsafe = Direction.UNSAFE
    return (
        not _good(was)
        and new.judgement.direction is unsafe
        and was.judgement.direction is not unsafe
    )
