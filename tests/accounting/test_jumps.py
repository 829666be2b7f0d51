"""Tiny rates and few steps: the bound of the right tail by rare jumps."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

import mpmath
import pytest
from flint import arb

from tests.patience import PATIENCE
from verify.accounting import Bracketed, epsilon
from verify.accounting.contour.jumps import Cells, below, beyond
from verify.accounting.contour.line import BadPlan
from verify.accounting.exact.closed import single
from verify.accounting.history import Phase
from verify.accounting.routes import Contour
from verify.numbers.balls import precision
from verify.numbers.budget import Deadline

PHASE = Phase(Fraction(1, 1000), Fraction(3, 2), 1)
CELLS = Cells(cut=4.0, width=0.0625, below=224, wide=0.125, beyond=160)


def part(a, low, high):
    """E[g^a; low < t < high] by mpmath."""
    q, s = mpmath.mpf(1) / 1000, mpmath.mpf("1.5")

    def integrand(t):
        return mpmath.npdf(t) * (1 - q + q * mpmath.exp(t / s - 1 / (2 * s * s))) ** a

    return mpmath.quad(integrand, mpmath.linspace(low, high, 20))


@pytest.mark.parametrize("a", [2, 30, 400])
def test_the_part_below_the_cut_is_bounded_closely(a):
    with precision(96):
        bound = float(below(PHASE, arb(a), CELLS))
    assert 1 <= bound / part(a, -12, 4) < 1.001


@pytest.mark.parametrize("a", [2, 5, 12])
def test_the_part_beyond_the_cut_is_bounded_closely(a):
    with precision(96):
        bound = float(beyond(PHASE, arb(a), CELLS))
    assert 1 <= bound / part(a, 4, 30) < 1.01


@pytest.mark.parametrize("broken", [{"width": 0.0}, {"wide": -1.0}])
def test_cells_of_no_width_are_refused(broken):
    cells = dataclasses.replace(CELLS, **broken)
    with precision(96), pytest.raises(BadPlan):
        (below if "width" in broken else beyond)(PHASE, arb(2), cells)


@pytest.mark.parametrize(("sigma", "eps"), [(9, "2e-6"), (20, "5e-7")])
def test_a_contour_with_jumps_contains_the_closed_form_of_one_step(sigma, eps):
    phase = Phase(Fraction(1, 10**6), Fraction(sigma), 1)
    exact = single(phase, "remove").at(Fraction(eps), 25.0, 25.0, Deadline())
    contour = Contour((phase,), "remove")
    found = contour.at(
        Fraction(eps), 10.0, 10.0, Deadline(), Fraction(round(exact.lo * 10**60), 10**60)
    )
    assert contour.tables[-1].plan.jumps is not None
    assert max(found.lo, exact.lo) <= min(found.hi, exact.hi)


@pytest.mark.parametrize(
    ("q", "sigma", "steps", "delta"),
    [
        ("1.5e-6", 3, 26, "1e-12"),
        ("1.74e-6", "9.13", 8, "7.1e-26"),
        ("3.59e-5", "2.21", 4, "1.4e-22"),
    ],
)
def test_few_steps_at_tiny_rates_have_all_their_digits(q, sigma, steps, delta):
    found = epsilon(q, sigma, steps, delta, digits=15, direction="remove", max_seconds=PATIENCE)
    assert not isinstance(found, Bracketed)
