"""No way to pass without being right: programs that try, and what gives them away.

Here they lose patience sooner than in life, so that the tests are fast. ``SGM_VERIFY_FAULTS=1`` runs them as they
are, with the default check (minutes); ``sgm-verify check --cheats`` prints the table.
"""

import os
import sys

import pytest

from tests.patience import PATIENCE
from verify.judge.check.checking import Request, check
from verify.judge.protocol.harness import Harness, Limits
from verify.judge.protocol.session import Extent
from verify.judge.selftest.cheats import REGISTRY
from verify.judge.selftest.found_out import lines
from verify.vectors import load, select

FEW = select(load(), groups=("dp-sgd", "random"))
MUCH = Extent(fresh=900, calls=2000, age=0.0, busy=PATIENCE)
WAYS = {
    "table-of-vectors": ((), "fresh"),
    "short-decimals-only": ((), "fresh"),
    "wrong-at-one-sigma": ((), "fresh"),
    "wrong-at-one-order": ((), "fresh"),
    "wrong-at-one-rate": ((), "fresh"),
    "wrong-in-a-band": ((), "fresh"),
    "nearest-vector": ((), "fresh"),
    "slow-drift": ((), "repeatable"),
    "different-answers": ((), "repeatable"),
    "wrong-after-many-calls": (("1700",), "repeatable"),
}


def judge(plan, *command):
    with Harness([sys.executable, "-m", *command], Limits(PATIENCE, PATIENCE)) as harness:
        return check(harness, Request(FEW, seed=11, plan=plan, training=False))


@pytest.mark.parametrize("name", WAYS)
def test_each_is_found_out(name):
    more, way = WAYS[name]
    found = judge(MUCH, "verify.judge.selftest.cheats", name, *more).found
    assert not found.conforms
    if way == "fresh":
        assert found.failures
        assert all("Fresh" in case.flags for case in found.failures)
    else:
        assert found.by_property()[way] > 0


@pytest.mark.parametrize(
    ("name", "seconds"), [("wrong-after-a-while", "1"), ("wrong-after-idling", "")]
)
def test_each_that_waits_is_found_out(name, seconds):
    plan = Extent(fresh=40, calls=800, age=3.0, busy=PATIENCE)
    found = judge(plan, "verify.judge.selftest.cheats", name, *seconds.split()).found
    assert found.by_property()["repeatable"] > 0


def test_who_is_wrong_in_ascending_orders_is_found_out_by_a_curve():
    """Every order that libraries try by default, at one setting."""
    curve = [v for v in select(load(), groups=("default-orders",)) if v.q == 0.01]
    plan = Extent(fresh=0, calls=len(curve) + 10, age=0.0, busy=PATIENCE)
    request = Request(tuple(curve), seed=11, plan=plan, training=False)
    for name, broken in (("selftest.cheats", True), ("selftest.healthy", False)):
        command = [sys.executable, "-m", f"verify.judge.{name}"]
        command += ["wrong-in-ascending-orders"] if broken else []
        with Harness(command, Limits(PATIENCE, PATIENCE)) as harness:
            found = check(harness, request).found
        assert bool(found.by_property()["repeatable"]) is broken


def test_the_same_check_accepts_a_healthy_program():
    checked = judge(MUCH, "verify.judge.selftest.healthy")
    assert checked.found.conforms
    assert "(900 fresh)" in checked.course[0]


@pytest.mark.parametrize("name", WAYS)
def test_vectors_alone_would_not_have_found_it(name):
    """Or else the cheat shows nothing about what is asked beside them."""
    with Harness([sys.executable, "-m", "verify.judge.selftest.cheats", name]) as harness:
        plan = Extent(fresh=0, calls=0, age=0.0)
        assert check(harness, Request(FEW, seed=11, plan=plan, training=False)).found.conforms


@pytest.mark.skipif("SGM_VERIFY_FAULTS" not in os.environ, reason="minutes: SGM_VERIFY_FAULTS=1")
def test_the_default_check_finds_out_every_one_within_two_minutes():
    table = list(lines(Request(load(), seed=3)))
    assert [line.name for line in table] == list(REGISTRY)
    assert all(line.found_out and line.seconds < 120 for line in table)
