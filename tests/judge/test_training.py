"""The region of training runs: one definition, around what was published."""

import math

import pytest

from verify.accounting.conversions import ORDERS
from verify.judge.protocol.question import Question
from verify.judge.verdict.training import ALPHA, RUNS, SIGMA, Q, region
from verify.results.conformance import Region


def of(q, sigma, alpha):
    return region(Question("rdp", q, sigma, alpha))


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.name)
@pytest.mark.parametrize("orders", ORDERS)
def test_every_published_run_is_inside_with_every_default_order(run, orders):
    for alpha in map(float, ORDERS[orders]):
        assert of(run.q, run.sigma, alpha) is Region.TRAINING


def test_every_edge_is_where_it_is_said_to_be():
    middle = (0.01, 1.1, 8.5)
    for place, (low, high) in enumerate((Q, SIGMA, ALPHA)):
        for edge, beyond in ((low, math.nextafter(low, 0)), (high, math.nextafter(high, math.inf))):
            inside, outside = list(middle), list(middle)
            inside[place], outside[place] = edge, beyond
            assert of(*inside) is Region.TRAINING
            assert of(*outside) is Region.EXTREMES


def test_infinite_orders_are_extreme():
    assert of(0.01, 1.1, math.inf) is Region.EXTREMES


def test_runs_differ_and_say_where_they_are_from():
    assert len({(run.q, run.sigma) for run in RUNS}) == len(RUNS)
    assert all(run.source for run in RUNS)
