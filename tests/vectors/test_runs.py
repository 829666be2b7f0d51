"""Real runs at all default orders: published beside the main set, in the same format."""

import pytest

from verify.vectors.grid import _SETTINGS, DEFAULT_ORDERS, REAL_RUNS, RUN_ORDERS, RUNS, sites
from verify.vectors.recompute import compare, sample
from verify.vectors.store import RUNS as FOLDER
from verify.vectors.store import check_files, choose_vectors, confirmed_by, load

VECTORS = load(FOLDER)


def test_files_are_in_order():
    assert check_files(FOLDER) == len(VECTORS)


def test_every_site_is_published_and_nothing_else():
    assert [v.id for v in VECTORS] == [site.id for site in sites([REAL_RUNS])]


def test_no_point_is_published_twice():
    points = [(v.q, v.sigma, v.alpha) for v in (*load(), *VECTORS)]
    assert len(set(points)) == len(points)


def test_twelve_settings_have_all_default_orders():
    """Eight here, and four in the main set's default-orders, which has more orders."""
    assert len({*RUNS, *_SETTINGS}) >= 12
    assert set(RUN_ORDERS) - set(DEFAULT_ORDERS) <= {8.0}
    assert {(v.q, v.sigma) for v in VECTORS} == set(RUNS)


def test_the_orders_are_those_of_the_libraries():
    numpy = pytest.importorskip("numpy")
    tenths, whole = [1 + x / 10.0 for x in range(1, 100)], list(range(11, 64))
    dp_accounting = [*tenths, *whole, 128, 256, 512, 1024]
    opacus = [*tenths, *range(12, 64)]
    jax = [*numpy.linspace(1.01, 8, 50), *range(8, 64), *numpy.linspace(65, 512, 10, dtype=int)]
    assert set(map(float, (*dp_accounting, *opacus, *jax))) == set(RUN_ORDERS)


def test_a_sample_is_reproduced_to_the_last_digit():
    assert [d for vector in sample(VECTORS, 25, seed=3) for d in compare(vector)] == []


def test_every_number_was_confirmed_by_a_second_engine():
    assert confirmed_by(FOLDER).vectors == len(VECTORS)


def test_they_are_asked_by_name_only():
    assert choose_vectors(groups=("real-runs",)) == VECTORS
    assert choose_vectors() == load()
