"""Hunt beyond the vectors: Hypothesis proposes points, the certified engine judges the answers.

Points are drawn as short decimals, so that what is found can be read and typed in, and as a batch over the size
of a data set, which is of full length. The hunt is steered
towards large errors (``target``), and what fails is shrunk to the simplest point that still fails.
"""

from __future__ import annotations

import contextlib
import math
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from verify.judge.check.fresh import BATCHES, SIZES
from verify.judge.protocol.domain import Domain
from verify.judge.protocol.harness import Harness
from verify.judge.protocol.question import Question
from verify.judge.verdict.grading import GOOD, STRICTLY_GOOD, Direction, Grade, Region, judge
from verify.judge.verdict.judged import Case
from verify.judge.verdict.truth import truth
from verify.numbers.errors import SgmError
from verify.support.folders import cache_folder
from verify.vectors.grid import intrinsic

_MANY = 1_000_000


Kind = Grade | Direction
KINDS: tuple[Kind, ...] = (*Direction, Grade.NO_ANSWER, Grade.ADEQUATE)
"""Ways to fail, gravest first; an adequate answer fails a strict check only."""


def kind_of(case: Case, strict: bool) -> Kind | None:
    """How a case fails, if it does."""
    grade = case.judgement.grade
    if grade in (STRICTLY_GOOD if strict else GOOD):
        return None
    return case.judgement.direction or grade


@dataclass
class Found:
    """The worst that a hunt came across."""

    asked: int = 0
    skipped: int = 0
    cases: list[Case] = field(default_factory=list)
    smallest: dict[Kind, Case] = field(default_factory=dict)

    def worst(self) -> Kind | None:
        """The gravest kind of failure seen."""
        return next((kind for kind in KINDS if kind in self.smallest), None)


def points() -> Any:
    """A strategy for (q, sigma, alpha): short decimals first, extremes rarely.

    Written in whole numbers that shrink towards small ones: 1/10, 1, 1.5.
    """
    from hypothesis import strategies as st

    q = st.one_of(
        st.integers(1, 9).map(lambda k: _decimal(k, 1)),
        st.integers(1, 99).map(lambda k: _decimal(k, 2)),
        st.builds(_decimal, st.integers(1, 99), st.sampled_from((3, 4, 5, 6, 9))),
        st.builds(_batch, st.sampled_from(BATCHES), st.sampled_from(SIZES)),
        st.builds(_batch, st.integers(1, 5_000), st.integers(10_000, 2_000_000)),
    )
    sigma = st.builds(_decimal, st.integers(1, 99), st.sampled_from((1, 0, 2, -1)))
    alpha = st.one_of(
        st.integers(1, 999).map(lambda k: 1 + k / 10),
        st.integers(2, 2000).map(float),
        st.integers(1, 99_999).map(lambda k: 1 + k / 1000),
    )
    return st.tuples(q, sigma.filter(lambda x: x >= 0.05), alpha)


def _decimal(mantissa: int, places: int) -> float:
    return float(f"{mantissa}e{-places}")


def _batch(batch: int, size: int) -> float:
    """What people divide: 256 / 60000."""
    return batch / size


class Hunter:
    """Asks a harness at proposed points and keeps the worst cases."""

    def __init__(
        self, harness: Harness, quantity: str, strict: bool, domain: Domain | None = None
    ) -> None:
        self.harness, self.quantity, self.strict = harness, quantity, strict
        self.domain = domain or Domain()
        self.found = Found()
        self._cases: dict[tuple[float, float, float], Case | None] = {}

    def case(self, point: tuple[float, float, float]) -> Case | None:
        """The judged answer at a point; None if the truth is out of reach there."""
        if point not in self._cases:
            self._cases[point] = self._judge_point(point)
        return self._cases[point]

    def _judge_point(self, point: tuple[float, float, float]) -> Case | None:
        question = Question(self.quantity, *point)
        if not self.domain.holds(*point):
            return None
        try:
            known = truth(question)
        except SgmError:  # no truth, no grade: counted, never guessed
            self.found.skipped += 1
            return None
        answer = self.harness.ask(question)
        self.found.asked += 1
        judgement = judge(question, known, answer)
        name = "search/" + ",".join(
            f"{n}={x!r}" for n, x in zip(("q", "sigma", "alpha"), point, strict=True)
        )
        flags = tuple(sorted({"Search", *intrinsic(*point)}))
        case = Case(name, flags, question, known, answer, judgement)
        self._keep(case)
        return case

    def _keep(self, case: Case) -> None:
        self.found.cases.append(case)
        kind = kind_of(case, self.strict)
        if kind is not None:
            best = self.found.smallest.get(kind)
            if best is None or _size(case) < _size(best):
                self.found.smallest[kind] = case


def _size(case: Case) -> tuple[bool, int, float]:
    """Points of training runs first, then simple ones: few characters, small order."""
    q, extreme = case.question, case.judgement.region is not Region.TRAINING
    return extreme, sum(len(f"{x:g}") for x in (q.q, q.sigma, q.alpha)), q.alpha


def search(
    harness: Harness,
    quantity: str,
    seconds: float,
    seed: int,
    strict: bool = False,
    clock: Callable[[], float] = time.monotonic,
    domain: Domain | None = None,
) -> Found:
    """Propose points until the time is over, then shrink what failed.

    The same seed proposes the same points; how many of them fit into the time depends on the machine,
    but for the first, which is asked in any case.
    """
    hunter = Hunter(harness, quantity, strict, domain)
    _hunt(hunter, _Time(seconds, clock), seed)
    grave = hunter.found.worst()
    if grave is not None:
        _shrink(hunter, grave, _Time(max(2.0, seconds / 4), clock), seed)
    return hunter.found


def _settings(**more: Any) -> Any:
    from hypothesis import HealthCheck, Phase, configuration, settings

    # What Hypothesis keeps from run to run belongs into no folder of whoever is judged.
    configuration.set_hypothesis_home_dir(cache_folder("hypothesis"))

    return settings(
        max_examples=_MANY,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=more.pop("phases", [Phase.generate, Phase.target, Phase.shrink]),
        **more,
    )


class _TimeOver(BaseException):
    """Ends the hunt. Not an Exception, which Hypothesis would take for a failure and try to shrink."""


class _Time:
    """So many seconds, counted from the first look at the clock: imports do not eat them up."""

    def __init__(self, seconds: float, clock: Callable[[], float]) -> None:
        self._seconds, self._clock = seconds, clock
        self._start: float | None = None

    def check(self) -> None:
        if self._start is None:
            self._start = self._clock()
        elif self._clock() - self._start >= self._seconds:
            raise _TimeOver


def _hunt(hunter: Hunter, time_left: _Time, seed: int) -> None:
    import hypothesis

    def propose(point: tuple[float, float, float]) -> None:
        time_left.check()
        case = hunter.case(point)
        if case is not None:
            error = case.judgement.relative
            score = math.log1p(1e12 * abs(error)) if math.isfinite(error) else 1e3
            hypothesis.target(score, label="below" if error < 0 else "above")

    phases = [hypothesis.Phase.generate, hypothesis.Phase.target]
    given: Any = hypothesis.given(points())
    test: Callable[[], None] = hypothesis.seed(seed)(_settings(phases=phases)(given(propose)))
    with contextlib.suppress(_TimeOver):
        test()


def _shrink(hunter: Hunter, kind: Kind, time_left: _Time, seed: int) -> None:
    """Let Hypothesis find and simplify a point that fails so; ``Found.smallest`` remembers it."""
    import hypothesis

    def fails(point: tuple[float, float, float]) -> bool:
        time_left.check()
        case = hunter.case(point)
        return case is not None and kind_of(case, hunter.strict) is kind

    with contextlib.suppress(hypothesis.errors.NoSuchExample, _TimeOver):
        # Over before the first, or in the middle: what was seen is kept all the same.
        hypothesis.find(points(), fails, settings=_settings(), random=random.Random(seed))
