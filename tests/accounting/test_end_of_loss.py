"""Next to the end of the loss, which a record that is added cannot exceed: the end itself bounds epsilon."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

import verify
from tests.patience import PATIENCE
from verify.accounting.history import history
from verify.accounting.root import solve
from verify.accounting.routes import route
from verify.accounting.tight import Bracketed, Curve
from verify.numbers.budget import Deadline

DIGITS = (1, 3, 6, 10, 15, 20)


class Counted:
    """A route that counts its evaluations."""

    def __init__(self, inner):
        self.inner, self.count = inner, 0

    def at(self, *given):
        self.count += 1
        return self.inner.at(*given)


def test_fewer_digits_where_the_end_is_nearer_than_they_tell():
    found = verify.epsilon("0.10518", "0.33898", 1, "2.82e-28", 10, direction="add")
    assert not isinstance(found, Bracketed)
    assert found.certain_digits() >= 10
    exact = verify.epsilon("0.10518", "0.33898", 1, "2.82e-28", 25, direction="add")
    assert found.lo <= exact.lo <= exact.hi <= found.hi


def runs():
    """One or two steps, whose delta costs next to nothing, at tiny deltas."""
    rng = random.Random(23)
    for _ in range(12):
        q, sigma = f"{10 ** rng.uniform(-4, -0.05):.4g}", f"{10 ** rng.uniform(-0.9, 0.5):.4g}"
        yield q, sigma, rng.choice((1, 1, 2)), f"{10 ** rng.uniform(-40, -4):.3g}"


@pytest.mark.parametrize("run", list(runs()), ids=str)
def test_fewer_digits_are_never_fewer_than_asked_and_take_no_more_evaluations(run):
    *phase, delta = run
    counts = []
    for digits in DIGITS:
        curve = Curve(history([tuple(phase)]), "add", Deadline(PATIENCE))
        counted = curve._route = Counted(route(curve.history, "add"))
        found = curve.epsilon(Fraction(delta), digits)
        assert not isinstance(found, Bracketed)
        assert found.certain_digits() >= digits or found.lo == found.hi
        counts.append(counted.count)
    assert max(counts) <= 3 * counts[-1] + 6


def test_the_end_is_never_evaluated():
    """delta is asked for strictly below the end only."""
    curve = Curve(history([("0.10518", "0.33898", 1)]), "add", Deadline(PATIENCE))
    end = Fraction(curve.end(40).hi)
    asked = []

    class Seen:
        def at(self, epsilon, *rest):
            asked.append(epsilon)
            return route(curve.history, "add").at(epsilon, *rest)

    lo, hi = solve(Seen(), Fraction("2.82e-28"), 10, 0.1111, end, Deadline(PATIENCE))
    assert hi == end
    assert max(asked) < end
    assert (hi - lo) * 10**10 <= hi


def test_three_steps_next_to_the_end_are_not_a_bracket():
    """The hyperbola is planned once for few digits and once for all."""
    found = verify.epsilon(
        "0.00076964", "0.4609", 3, "4.97e-22", direction="add", max_seconds=PATIENCE
    )
    assert not isinstance(found, Bracketed)
    assert found.text(20).startswith("0.002309776381218632978")
