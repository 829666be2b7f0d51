"""The hunt finds what is wrong, shrinks it, and accuses nobody healthy."""

import itertools
import math
import sys

from tests.patience import PATIENCE
from verify.judge.check.search import points, search
from verify.judge.protocol.domain import Domain
from verify.judge.protocol.harness import Harness, Limits
from verify.judge.protocol.question import Question
from verify.judge.verdict.grading import Direction
from verify.judge.verdict.truth import truth


def hunt(module, *arguments, looks=150, strict=False, domain=None):
    """A hunt by a clock that ticks whenever it is looked at: as far on a slow machine as on a fast one."""
    command = [sys.executable, "-m", module, *arguments]
    tick = itertools.count().__next__
    with Harness(command, Limits(PATIENCE, PATIENCE)) as harness:
        return search(harness, "rdp", looks, seed=1, strict=strict, clock=tick, domain=domain)


def test_nothing_is_found_in_a_healthy_implementation():
    found = hunt("verify.judge.selftest.healthy", strict=True)
    assert found.asked > 50
    assert found.worst() is None


def test_a_dropped_sign_is_found_and_shrunk():
    found = hunt("verify.judge.causes.known_wrong", "dropped-sign")
    case = found.smallest[Direction.OVERSTATED]
    assert not case.question.alpha.is_integer()
    shortest = sum(
        len(f"{x:g}") for x in (case.question.q, case.question.sigma, case.question.alpha)
    )
    assert shortest <= 10


def test_unsafe_values_are_found():
    found = hunt("verify.judge.causes.known_wrong", "truncated-order")
    assert found.worst() is Direction.UNSAFE
    case = found.smallest[Direction.UNSAFE]
    assert case.answer.value < case.truth.nearest


def test_proposed_points_are_valid_and_short():
    from hypothesis import given, settings

    @settings(max_examples=200, database=None)
    @given(points())
    def check(point):
        q, sigma, alpha = point
        assert 0 < q < 1
        assert sigma > 0
        assert 1 < alpha < math.inf
        assert all(len(repr(x)) <= 22 for x in point)

    check()


def test_batches_over_data_sets_are_proposed():
    from hypothesis import find, settings

    found = find(
        points(),
        lambda point: point[0] == 256 / 60000,
        settings=settings(max_examples=100_000, database=None),
    )
    assert found[0] == 256 / 60000


def test_every_point_asked_is_kept_to_be_judged_like_the_others():
    found = hunt("verify.judge.selftest.healthy", looks=20)
    assert len(found.cases) == found.asked
    assert all("Search" in case.flags for case in found.cases)


def test_a_hunt_keeps_to_the_domain():
    found = hunt("verify.judge.selftest.healthy", looks=40, domain=Domain("whole"))
    assert found.cases
    assert all(case.question.alpha.is_integer() for case in found.cases)


def test_truth_is_the_published_one():
    assert truth(Question("rdp", 0.01, 1.1, 8.5)).nearest == 0.0006298401019087922


def test_a_hunt_keeps_to_its_time():
    """Also when what failed is too rare to be found again for shrinking."""
    found = hunt("verify.judge.causes.known_wrong", "inf-at-large-orders", looks=40)
    assert 1 <= found.asked + found.skipped <= 40 + 40 / 4


def test_the_first_point_is_asked_however_short_the_time():
    assert hunt("verify.judge.selftest.healthy", looks=0).asked == 1
