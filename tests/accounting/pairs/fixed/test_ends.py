"""What the two ends of a bracket say when a bound has no answer."""

from __future__ import annotations

from fractions import Fraction

import pytest

from verify.accounting.pairs.fixed.ends import Attained, Between
from verify.accounting.pairs.run import Run
from verify.accounting.questions import Account, larger
from verify.accounting.tight import Bracketed
from verify.numbers.budget import Deadline
from verify.numbers.certified import Certified
from verify.numbers.errors import BudgetExceeded, OutOfReach, SgmError


class Known:
    """A bound that is known."""

    def __init__(self, value: int) -> None:
        self.value = Fraction(value)

    def delta(self, epsilon: Fraction, digits: int, deadline: Deadline) -> Fraction:
        return self.value

    def epsilon(self, delta: Fraction, digits: int, deadline: Deadline) -> Fraction:
        return self.value


class Missing:
    """A bound that has no answer."""

    def __init__(self, error: type[SgmError]) -> None:
        self.error = error

    def delta(self, epsilon: Fraction, digits: int, deadline: Deadline) -> Fraction:
        raise self.error("no")

    def epsilon(self, delta: Fraction, digits: int, deadline: Deadline) -> Fraction:
        raise self.error("no")


DELTA = Fraction(1, 100_000)


@pytest.mark.parametrize(("error", "late"), [(BudgetExceeded, True), (OutOfReach, False)])
@pytest.mark.parametrize("which", ["lower", "upper"])
def test_a_bound_without_time_is_told_apart_from_one_without_answer(error, late, which):
    lower = [
        Attained(Known(1), "a"),
        *([Attained(Missing(error), "b")] if which == "lower" else []),
    ]
    upper = [Known(3), *([Missing(error)] if which == "upper" else [])]
    found = Between(lower, upper, Deadline()).epsilon(DELTA, 8)
    assert isinstance(found, Bracketed)
    assert (found.lo, found.hi, found.attained, found.out_of_time) == (1, 3, "a", late)


def test_what_one_question_lacked_is_not_said_of_the_next():
    run = Between([Attained(Known(1), "a")], [Known(3)], Deadline(0.0))
    assert run.epsilon(DELTA, 8).out_of_time
    run.deadline = Deadline()
    assert not run.epsilon(DELTA, 8).out_of_time


def test_the_larger_bracket_keeps_the_data_sets_of_the_larger_lower_end():
    one = Bracketed(Fraction(1), Fraction(5), attained="a", out_of_time=True)
    two = Bracketed(Fraction(2), Fraction(4), attained="b")
    for found in (larger(one, two), larger(two, one)):
        assert (found.lo, found.hi, found.attained, found.out_of_time) == (2, 5, "b", True)
    plain = larger(Certified.exactly(Fraction(1)), Certified.exactly(Fraction(2)))
    assert type(plain) is Certified


LOOP = {"records": 50_000, "batch": 512, "epochs": 20, "sigma": "0.9"}


@pytest.mark.parametrize(("sampling", "seconds"), [("shuffle", 0.1), ("allocation", 0.1)])
def test_a_pair_that_answers_crudely_for_want_of_time_says_so(sampling, seconds):
    """It raises nothing: a bracket by crude bounds comes in the place of the digits asked for."""
    found = Run.of_loader(**LOOP, sampling=sampling).epsilon(DELTA, 8, max_seconds=seconds)
    assert isinstance(found, Bracketed)
    assert found.out_of_time


def test_a_crude_answer_that_was_kept_still_says_so():
    run = Run.of_loader(**LOOP, sampling="allocation")
    account = Account(run, 0.1)
    assert account.epsilon(DELTA, 8).out_of_time
    account.max_seconds = 60.0
    again = account.epsilon(DELTA, 8)
    assert not isinstance(again, Bracketed) or again.out_of_time


def test_a_run_with_little_time_says_so_and_one_with_enough_does_not():
    truncated = Run.of(
        q="0.02", sigma=1, steps=100, sampling="truncated-poisson", records=1000, limit=20
    )
    assert Account(truncated, 60.0).epsilon(DELTA, 8).out_of_time is False
    hurried = Account(truncated, 60.0)
    hurried.max_seconds = 0.01
    found = hurried.epsilon(DELTA, 8)
    assert found.out_of_time
    assert found.lo <= Account(truncated, 60.0).epsilon(DELTA, 8).lo
