"""Events are proposed in doubles and whole numbers; the program here and the one in Coq do the same."""

from __future__ import annotations

from fractions import Fraction

import pytest

from proofs_checks.runs import vectors
from proofs_checks.runs.lattice import lattice_plan
from proofs_checks.runs.refute import refutation
from proofs_checks.runs.threshold import best_threshold
from proofs_checks.runs.vectors import LatticeLevel
from proofs_checks.verdicts.decide import WrongSide
from tests.patience import patient
from verify.accounting.history import phase
from verify.numbers.errors import OutOfReach

RUN = phase("0.01", "1.1", 1000)
DELTA = Fraction(1, 10**5)
EXACT = 1.5153619166644847


def test_a_valid_epsilon_is_not_refuted():
    with pytest.raises(WrongSide, match="is valid for this run"):
        refutation((RUN,), DELTA, Fraction("1.5154"), patient())


def test_thresholds_never_reach_the_exact_epsilon():
    for p, delta, exact in (
        (RUN, DELTA, EXACT),
        (phase(0.0001907133361922011, 0.6545324247541915, 5569), Fraction(1.1844064460007575e-13), 3.47923562827129),
    ):  # fmt: skip
        found = best_threshold((p,), delta)
        assert found is not None
        assert -1 < found.epsilon < exact


@pytest.fixture(scope="module")
def coarse():
    return lattice_plan((RUN,), DELTA, EXACT, 1.6, patient())


def test_a_coarse_lattice_is_within_four_per_cent_and_below(coarse):
    assert 0.96 * EXACT < coarse.epsilon < EXACT


def test_lower_masses_stay_below_one_and_upper_masses_above(coarse):
    (cells,) = (s.cells for s in coarse.stretches)
    assert sum(c.low for c in cells) < 2**coarse.k < sum(c.high for c in cells)


def test_levels_count_all_steps(coarse):
    (levels,) = (s.levels for s in coarse.stretches)
    assert sum(a.counts << i for i, a in enumerate(levels)) == RUN.steps


def test_a_vector_is_regrouped_as_scores_are_divided_and_clipped():
    level = LatticeLevel(True, 2, 1, -1, 2)
    # scores -3..4 become (s + 1) // 2 kept between -1 and 2
    assert vectors._regroup([1, 2, 3, 4, 5, 6, 7, 8], -3, level) == (-1, [3, 7, 11, 15])


def test_masses_are_rounded_to_either_side():
    v = (0, [3, 1], [3, 1])
    assert vectors.join(v, v, 1) == (0, [4, 3, 0], [5, 3, 1])


HISTORY = (phase("0.01", 1, 500), phase(0, 3, 9), phase("0.02", "1.5", 700))
OF_HISTORY = 2.097223312


@pytest.fixture(scope="module")
def of_history():
    return lattice_plan(HISTORY, DELTA, OF_HISTORY, 1.6, patient())


def test_a_coarse_lattice_of_a_history_is_within_four_per_cent_and_below(of_history):
    assert 0.96 * OF_HISTORY < of_history.epsilon < OF_HISTORY


def test_each_phase_of_a_history_counts_its_own_steps(of_history):
    counted = [sum(a.counts << i for i, a in enumerate(s.levels)) for s in of_history.stretches]
    assert counted == [500, 9, 700]


def test_a_history_in_two_halves_reaches_what_the_run_reaches(coarse):
    half = phase("0.01", "1.1", 500)
    found = lattice_plan((half, half), DELTA, EXACT, 1.6, patient())
    assert found.epsilon == pytest.approx(coarse.epsilon, rel=0.02)


def test_the_order_of_phases_changes_a_threshold_by_nothing():
    run = (phase("0.0002", "0.65", 3000), phase("0.0003", "0.7", 2000))
    there, back = (best_threshold(r, Fraction(1, 10**13)) for r in (run, run[::-1]))
    assert there is not None
    assert back is not None
    assert there.epsilon == pytest.approx(back.epsilon, rel=1e-9)


def test_what_no_event_reaches_is_refused_with_how_far_they_get():
    with pytest.raises(
        OutOfReach, match=r"those tried reach 1\.5\d+, and the exact epsilon is 1\.51536"
    ):
        refutation((RUN,), DELTA, Fraction("1.51536"), patient())
