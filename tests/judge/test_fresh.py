"""Points that nobody has seen: the same for a seed, others for another, of every kind."""

import math

from verify.judge.check.fresh import NOISES, RATES, draw_points, points
from verify.judge.protocol.question import Question
from verify.judge.verdict.training import region
from verify.results.conformance import Region
from verify.vectors import load
from verify.vectors.grid import DEFAULT_ORDERS


def test_the_seed_decides():
    assert points(5, 100) == points(5, 100)
    assert not set(points(5, 100)) & set(points(6, 100))


def test_there_are_as_many_as_asked_for():
    assert [len(points(1, n)) for n in (0, 1, 7, 900)] == [0, 1, 7, 900]


def test_no_published_vector_is_among_them():
    known = {(v.q, v.sigma, v.alpha) for v in load()}
    assert not known & {(p.q, p.sigma, p.alpha) for p in points(2, 900)}


def test_every_sigma_that_people_write_is_there():
    assert set(NOISES) <= {point.sigma for point in points(3, 900)}


def test_every_order_that_libraries_try_is_there():
    assert set(DEFAULT_ORDERS) <= {p.alpha for p in points(3, 900) if "fresh-noises/" in p.id}


def test_every_rate_that_people_write_is_there():
    assert set(RATES) <= {point.q for point in points(3, 900)}


def test_neighbours_of_vectors_are_there():
    near = [point for point in points(3, 900) if "fresh-neighbours/" in point.id]
    assert len(near) == 75
    for point in near:
        assert any(
            all(
                abs(x / y - 1) < 1.001e-3 for x, y in zip(_numbers(point), _numbers(v), strict=True)
            )
            for v in load()
        )


def _numbers(point):
    return point.q, point.sigma, point.alpha


def test_most_parameters_have_full_mantissas():
    full = [p for p in points(4, 900) if all(len(repr(x)) >= 15 for x in (p.q, p.alpha))]
    assert len(full) > 200


def test_training_runs_and_extremes_are_both_asked():
    where = [region(Question("rdp", p.q, p.sigma, p.alpha)) for p in points(5, 900)]
    assert where.count(Region.TRAINING) > 200
    assert where.count(Region.EXTREMES) > 60


def test_batches_over_data_sets_are_there():
    rates = {point.q for point in points(6, 900) if point.id.startswith("fresh-batches/")}
    assert rates & {b / n for b in (64, 128, 256, 512) for n in (50_000, 60_000)}


def test_points_are_valid():
    for point in points(7, 900):
        assert 0 < point.q < 1
        assert point.sigma > 0
        assert 1 < point.alpha < math.inf


def test_the_truth_is_certified():
    (point,) = draw_points(8, 1).points
    low, high = point.truth.bounds()
    assert 0 < low <= high
    assert high - low <= low / 10**38
