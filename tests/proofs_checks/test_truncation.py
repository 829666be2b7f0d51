"""The errors of the paper's series, against what is known of them otherwise."""

from __future__ import annotations

import dataclasses

import pytest
from flint import arb

from proofs_checks.quantities import truncation
from verify.numbers.balls import precision
from verify.numbers.errors import PrecisionExhausted

COUNTS = (2, 6, 10, 20, 30, 60, 100, 1000)


@pytest.fixture(scope="module")
def errors():
    return truncation.errors("0.5", "1", "1.1", COUNTS, 60)


def test_the_accelerated_error_stays_below_its_bound(errors):
    pairs = [(float(e.accelerated), float(e.proved)) for e in errors if e.accelerated]
    assert len(pairs) == 5
    assert all(error <= bound for error, bound in pairs)


def test_the_plain_sum_is_the_slow_one(errors):
    """Known from elsewhere: 1.1e-8 after 100 terms, 8.5e-12 after 1000."""
    plain = {e.terms: float(e.plain) for e in errors}
    assert plain[100] == pytest.approx(1.1e-8, rel=0.02)
    assert plain[1000] == pytest.approx(8.5e-12, rel=0.02)


def test_nothing_is_accelerated_beyond_what_was_asked(errors):
    assert [e.terms for e in errors if e.accelerated is None] == [2, 100, 1000]


def test_another_weight_is_seen(monkeypatch):
    """A millionth in one weight, and the accelerated sum no longer stays below its bound."""
    weights = truncation.acceleration_weights

    def wrong(steps):
        first, *rest = weights(steps)
        return [first * (1 + arb("1e-6")), *rest]

    monkeypatch.setattr(truncation, "acceleration_weights", wrong)
    (found,) = truncation.errors("0.5", "1", "1.1", (30,), 30)
    assert float(found.accelerated) > float(found.proved)


def test_an_error_that_is_not_known_is_not_shown():
    with precision(60), pytest.raises(PrecisionExhausted):
        truncation.error_text(arb("1.0 +/- 0.1"))


def test_an_error_is_plain_data(errors):
    assert dataclasses.astuple(errors[2]) == (10, "1.843e-5", "5.447e-10", "1.432e-8")
