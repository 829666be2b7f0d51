"""Why points fail: clusters of failing points with one cause each, shown where it can be shown.

An error of ln A of some units in the last place, blown up by the division by alpha - 1, is rounding, which a client
of ours may share by chance: such points go to a suspect only if it explains others too. A suspect explains a point if
its wrong client gives the library's answer there (to 1 % of the error and of the answer, or the same kind of silence)
while its mended client is right; it must be right where the library is, the library must err as it does at more than
a tenth of its errors, and where it has an answer the library may not be silent with the same words more often than
not: who refuses everything refuses no order. The suspect that explains most takes its points; then
the next; points that it reproduces and the one change does not mend come last. What remains is gathered by the
rarest flag. All of it depends on the answers alone, so the same answers give the same text.
"""

from __future__ import annotations

import functools
import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from verify.judge.causes.mistakes import Rdp
from verify.judge.causes.suspects import SUSPECTS, Suspect
from verify.judge.protocol.question import Answer, Question
from verify.judge.verdict.grading import GOOD, Grade, judge
from verify.judge.verdict.judged import Case, Judged
from verify.numbers.errors import SgmError
from verify.results.conformance import Direction, Region
from verify.vectors.flags import FLAGS

_SAMPLE = 24  # points by which hopeless suspects are told
_SHARE = Fraction(1, 100)  # of the error, and of the answer, may be left unexplained
_ENOUGH = 10  # errors of a suspect in a sample: of fewer nothing is concluded
_UNITS = 1024 * 2.0**-53  # about 1e-13


@dataclass(frozen=True, slots=True)
class Cluster:
    """Failing points with one cause."""

    name: str
    cases: tuple[Case, ...]
    mistake: str
    shown: str
    change: str
    notes: tuple[str, ...]

    @property
    def smallest(self) -> Case:
        """The simplest point, one of training runs if there is one."""
        return min(self.cases, key=_simplicity)

    @property
    def smallest_unsafe(self) -> Case | None:
        """The same among answers below the truth; None if there is none."""
        unsafe = (c for c in self.cases if c.judgement.direction is Direction.UNSAFE)
        return min(unsafe, key=_simplicity, default=None)

    def regions(self) -> dict[Region, int]:
        found = Counter(case.judgement.region for case in self.cases)
        return {region: found[region] for region in Region}

    def verdicts(self) -> dict[str, int]:
        found = Counter(_kind(case) for case in self.cases)
        return dict(sorted(found.items()))


def clusters(found: Judged) -> list[Cluster]:
    """All failing points, each in one cluster, the largest first."""
    common = Counter(flag for case in found.cases for flag in case.flags)
    failing = [case for case in found.failures if case.question.quantity == "rdp"]
    rounding = [case for case in failing if _is_rounding(case)]
    failing = [case for case in failing if not _is_rounding(case)]
    explained, left = _assign_to_suspects(
        failing, _fair(SUSPECTS, found), common, _sample_evenly(found.cases, 96)
    )
    rounding = _assign_rounding(explained, rounding)
    made = [_cluster_of(*explained[name], found) for name in explained]
    if rounding:
        made.append(_rounding(rounding, found))
    left += [case for case in found.failures if case.question.quantity != "rdp"]
    made += _by_flag(left, common, found)
    return sorted(made, key=lambda cluster: (-len(cluster.cases), cluster.name))


# -- suspects ------------------------------------------------------------------------------------

Explained = dict[str, tuple[Suspect, list[Case], list[Case]]]
"""By the mistake's name: a suspect, the points that its change mends, and those it does not."""


def _fair(suspects: Iterable[Suspect], found: Judged) -> list[Suspect]:
    """Suspects that are right, for the most part, where the library is: the others are another program."""
    good = [case for case in found.cases if case.judgement.grade in GOOD]
    sample = _sample_evenly(good)
    return [s for s in suspects if 4 * sum(_right(s.wrong, c) for c in sample) >= 3 * len(sample)]


def _assign_to_suspects(
    failing: list[Case], suspects: Sequence[Suspect], common: Counter[str], all_over: list[Case]
) -> tuple[Explained, list[Case]]:
    """Greedily: the suspect that explains most of a sample takes its points; then the next."""
    found: Explained = {}
    left, unused = failing, list(suspects)
    while left and unused:
        sample = _of_each_kind(left, common)
        counts = [len(_mended_points(suspect, sample)) for suspect in unused]
        best = unused.pop(counts.index(max(counts)))
        if max(counts) < min(2, len(left)):  # one point may be chance
            break
        took = _telling(best, _mended_points(best, left), all_over)
        if not took:
            continue
        ids = {case.id for case in took}
        left = [case for case in left if case.id not in ids]
        found.setdefault(best.name, (best, [], []))[1].extend(took)
    for name, (_, _, not_mended) in found.items():
        variants = [suspect.wrong for suspect in suspects if suspect.name == name]
        more = [case for case in left if any(_reproduces(wrong, case) for wrong in variants)]
        not_mended.extend(more)
        left = [case for case in left if case not in more]
    return found, left


def _assign_rounding(explained: Explained, rounding: list[Case]) -> list[Case]:
    """Give points of rounding to suspects that make the same error there; what is left."""
    left = []
    for case in rounding:
        same = (e for e in explained.values() if _reproduces(e[0].wrong, case, noise=Fraction(0)))
        if (found := next(same, None)) is None:
            left.append(case)
            continue
        suspect, mended, not_mended = found
        (mended if _right(suspect.mended, case) else not_mended).append(case)
    return left


def _sample_evenly(cases: Sequence[Case], count: int = _SAMPLE) -> list[Case]:
    return list(cases[:: max(1, len(cases) // count)])


def _telling(suspect: Suspect, took: list[Case], all_over: Sequence[Case]) -> list[Case]:
    """None if the library seldom errs so where the suspect errs: then they agree by chance.

    And without those where the library says what it says, as often as not, where the suspect has an answer.
    """
    errs = [case for case in all_over if not _right(suspect.wrong, case)]
    agreed = sum(_reproduces(suspect.wrong, case) for case in errs)
    if len(errs) >= _ENOUGH and 10 * agreed < len(errs):
        return []
    if all(_silence(case) == "" for case in took):
        return took
    elsewhere = [case for case in all_over if _answers(suspect.wrong, case)]
    said = Counter(map(_silence, elsewhere))
    usual = {words for words, n in said.items() if words and 2 * n > len(elsewhere)}
    return [case for case in took if _silence(case) not in usual]


def _answers(client: Rdp, case: Case) -> bool:
    said = _value_for_case(client, case)
    return said is not None and math.isfinite(said)


def _silence(case: Case) -> str:
    """How an answer is missing, in the library's words without their numbers; empty if there is one."""
    if case.judgement.grade is not Grade.NO_ANSWER:
        return ""
    return _said_why(case) or case.judgement.reason


def _of_each_kind(cases: Sequence[Case], common: Counter[str]) -> list[Case]:
    """A sample spread evenly, and one point of each verdict and flag."""
    kinds = {(_kind(case), _rarest(case, common)): case for case in reversed(cases)}
    return [*_sample_evenly(cases), *kinds.values()]


def _mended_points(suspect: Suspect, cases: Iterable[Case]) -> list[Case]:
    """Points where the library's answer is that of the mistake, and the change makes it right."""
    return [c for c in cases if _reproduces(suspect.wrong, c) and _right(suspect.mended, c)]


def _reproduces(wrong: Rdp, case: Case, noise: Fraction | None = None) -> bool:
    """Whether a client says what the library says, but for the noise that rounding makes."""
    mine = _value_for_case(wrong, case)
    if case.answer.kind != "value" or case.answer.value is None:
        return mine is None and case.answer.kind == "error"
    theirs = case.answer.value
    if not math.isfinite(theirs) or mine is None or not math.isfinite(mine):
        return mine is not None and repr(mine) == repr(theirs)
    error = abs(Fraction(theirs) - _truth(case))
    if noise is None:
        noise = Fraction(_noise(case)) if math.isfinite(_noise(case)) else Fraction(0)
    share = _SHARE * min(
        error, abs(Fraction(theirs))
    )  # of the answer: zero is not nearly everything
    return abs(Fraction(mine) - Fraction(theirs)) <= max(share, min(noise, error / 4))


def _right(client: Rdp, case: Case) -> bool:
    said = _value_for_case(client, case)
    answer = Answer("error") if said is None else Answer("value", said)
    try:
        return judge(case.question, case.truth, answer).grade in GOOD
    except SgmError:  # not graded, not shown
        return False


def _value_for_case(client: Rdp, case: Case) -> float | None:
    """What a client of ours says; None for any error."""
    return _client_value(client, case.question)


@functools.lru_cache(maxsize=1 << 18)
def _client_value(client: Rdp, question: Question) -> float | None:
    try:
        return client(question.q, question.sigma, question.alpha)
    except (ArithmeticError, ValueError):
        return None


def _cluster_of(
    suspect: Suspect, mended: list[Case], not_mended: list[Case], found: Judged
) -> Cluster:
    cases = (*mended, *not_mended)
    how_many = f"at {len(mended)} of them" if not_mended else "at all of them"
    shown = (
        f"a client of ours with this mistake gives the same answers at these {len(cases)} points; "
        f"with the change alone it is right {how_many}"
    )
    return Cluster(
        suspect.name, cases, suspect.mistake, shown, suspect.change, _notes(cases, found)
    )


# -- rounding ------------------------------------------------------------------------------------


def _noise(case: Case) -> float:
    """What rounding costs a plain sum for A, as an error of epsilon: units of alpha ln alpha + ln A + 1."""
    alpha = case.question.alpha
    if not 1 < alpha < math.inf:
        return math.inf
    log_a = abs(case.truth.nearest) * (alpha - 1)
    return _UNITS * (alpha * math.log(alpha) + log_a + 1) / (alpha - 1)


def _is_rounding(case: Case) -> bool:
    value = case.answer.value
    known = (case.truth.nearest, _noise(case))
    if value is None or not all(map(math.isfinite, (value, *known))):
        return False
    return abs(Fraction(value) - _truth(case)) <= Fraction(_noise(case))


def _rounding(cases: Sequence[Case], found: Judged) -> Cluster:
    return Cluster(
        "digits-lost-near-one",
        tuple(cases),
        "ln A carries the rounding of a sum near 1, and the division by alpha - 1 blows it up",
        f"the error of ln A is below 1e-13 (alpha ln alpha + ln A + 1) at all {len(cases)} points",
        "sum A - 1 without the 1, E[g (g^(alpha-1) - 1)], and use log1p",
        _notes(cases, found),
    )


# -- what remains --------------------------------------------------------------------------------


def _rarest(case: Case, common: Counter[str]) -> str:
    return min(case.flags, key=lambda flag: (common[flag], flag), default="none")


def _by_flag(cases: Sequence[Case], common: Counter[str], found: Judged) -> list[Cluster]:
    groups: dict[tuple[str, str], list[Case]] = {}
    for case in cases:
        place = _said_why(case) or f"at {_rarest(case, common)}"
        groups.setdefault((_kind(case), place), []).append(case)
    return [
        Cluster(
            f"{kind} {place}".replace(" ", "-") if place.startswith("at ") else kind,
            tuple(those),
            f"the program says: {place}" if not place.startswith("at ") else _UNKNOWN,
            f"gathered by verdict ({kind}), {place}",
            "",
            _notes(those, found),
        )
        for (kind, place), those in groups.items()
    ]


_UNKNOWN = "none of the known mistakes"
_ANY_ORDER = ("FractionalOrder", "IntegerOrder")


def _said_why(case: Case) -> str:
    """The text of an error, without its numbers: they differ from point to point."""
    kind, _, detail = case.judgement.reason.partition(": ")
    return re.sub(r"-?[0-9][0-9.e+-]*", "#", detail) if kind == "error" else ""


def _notes(cases: Sequence[Case], found: Judged) -> tuple[str, ...]:
    """What the flags say that are at least twice as common here as among all points: at most two.

    Every point is at an integer or between two: that says nothing if another flag says something.
    """
    everywhere = Counter(flag for case in found.cases for flag in case.flags)
    here = Counter(flag for case in cases for flag in case.flags)

    def weight(flag: str) -> tuple[float, str]:
        return -here[flag] / everywhere[flag] * math.sqrt(here[flag]), flag

    common = [
        flag
        for flag in sorted(here, key=weight)
        if flag in FLAGS and here[flag] * len(found.cases) >= 2 * everywhere[flag] * len(cases)
    ]
    telling = [flag for flag in common if flag not in _ANY_ORDER] or common
    return tuple(f"{flag}: {FLAGS[flag].mistake}" for flag in telling[:2])


def _kind(case: Case) -> str:
    judgement = case.judgement
    return str(judgement.direction or judgement.reason.partition(":")[0] or judgement.grade)


def _truth(case: Case) -> Fraction:
    return Fraction(case.truth.lo) if case.truth.lo != "inf" else Fraction(10) ** 400


def _simplicity(case: Case) -> tuple[bool, int, float, str]:
    q = case.question
    letters = sum(len(repr(x)) for x in (q.q, q.sigma, q.alpha))
    return case.judgement.region is not Region.TRAINING, letters, q.alpha, case.id
