"""Whatever is asked, an answer comes in time; where digits are out of reach it is a certified bracket."""

from __future__ import annotations

import random
import time
from fractions import Fraction as Q

import pytest

from verify.accounting.history import Phase
from verify.accounting.pairs.allocation import Allocation, Allotted
from verify.accounting.pairs.allocation.crude import Crude
from verify.accounting.pairs.allocation.forecast import Epochs, Forecast
from verify.accounting.tight import Bracketed
from verify.numbers.budget import Deadline

_SECONDS = 1.0
_OVER = (
    2.0  # a product of polynomials that has begun is not interrupted, and the bracket comes after
)


def hard(seed):
    rng = random.Random(seed)
    sigma = Q(rng.choice(("0.05", "0.07", "0.15", "0.3", "1", "100")))
    idle = Q(rng.choice(("0", "0", "0.001", "0.3")))
    part = Allotted(rng.choice((2, 7, 300, 10_000)), sigma, rng.choice((1, 3, 100, 1000)), idle)
    poisson = (Phase(Q(1, 1000), Q(1, 2), 1000),) if rng.random() < 0.3 else ()
    return Allocation((part,), poisson, rng.choice(("add", "remove")), Deadline.of_work(_SECONDS))


@pytest.mark.parametrize("seed", range(12))
def test_hard_corners_are_answered_in_time(seed):
    """A second of work each, measured by the work clock, for epsilon and for delta."""
    for ask in (lambda run: run.epsilon(Q(1, 10**12), 12), lambda run: run.delta(Q(3), 12)):
        run = hard(seed)
        began = time.thread_time()
        run.deadline = Deadline.of_work(_SECONDS)
        found = ask(run)
        assert time.thread_time() - began < _SECONDS + _OVER
        assert 0 <= found.lo <= found.hi


@pytest.mark.parametrize("direction", ["remove", "add"])
def test_without_time_there_is_a_bracket(direction):
    """No line can be computed: both ends still hold."""
    part = Allotted(100, Q(1), 1)
    known = Allocation((part,), (), direction, Deadline()).delta(Q(1, 2), 8)
    run = Allocation((part,), (), direction, Deadline(1e-9))
    found = run.delta(Q(1, 2), 8)
    assert isinstance(found, Bracketed)
    assert found.lo <= known.lo <= known.hi <= found.hi < 1
    epsilon = run.epsilon(known.lo, 8)
    assert isinstance(epsilon, Bracketed)
    assert epsilon.lo <= Q(1, 2) <= epsilon.hi


@pytest.mark.parametrize("sigma", ["0.05", "0.1", "0.3"])
def test_little_noise_has_a_lower_end_that_says_something(sigma):
    """Events alone show that delta is large."""
    forecast = Forecast([Epochs(Allotted(1000, Q(sigma), 1))], (), "remove")
    crude = Crude(forecast, (), Deadline())
    assert crude.below(Q(1)) > Q(1, 20)
    assert crude.below(Q(1)) < crude.above(Q(1)) <= 1
