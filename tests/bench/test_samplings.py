"""Times of replaced records and of random allocation: what is told of them."""

from __future__ import annotations

from fractions import Fraction

from verify.bench import epochs, mixtures


def test_a_row_of_allocation_has_a_certified_answer():
    (row,) = epochs.measure_allocations(("4",), (1,), batches=100, seconds=600.0)
    assert not row.bracket
    assert row.seconds > 0
    assert row.epsilon in epochs.text([row])


def test_the_whole_ratio_is_that_of_the_sums():
    run = (Fraction(1, 100), 1.0, 1000, 1e-5)
    rows = [
        mixtures.ReplacedRow(run, 1.0, 2.0, 2.8, 2.9),
        mixtures.ReplacedRow(run, 1.0, 8.0, 2.8, 2.9),
    ]
    assert mixtures.text(rows).endswith("all together: 0.20 of the time")
