"""Accountants that must pass and accountants that must be found out; the whole table is
``sgm-verify accountants --cheats``."""

from __future__ import annotations

import dataclasses

import pytest

from verify.judge.protocol.session import Extent
from verify.judge.runs import runs
from verify.judge.runs.checking import RunRequest
from verify.judge.runs.draws import DrawnQuestion
from verify.judge.runs.question import Quantity, RunQuestion
from verify.judge.runs.truth import truth
from verify.judge.selftest.accountants import certified, contour, renyi
from verify.judge.selftest.accountants.found_out import examine
from verify.judge.selftest.accountants.own import REGISTRY
from verify.vectors.whole import load_runs

FEW = tuple(point for k, point in enumerate(runs.published_questions()) if k % 4 == 0)
ONCE = RunRequest(points=FEW, plan=Extent(0, 0, 0.0, 0.0))
TWICE = dataclasses.replace(
    ONCE, points=tuple(runs.published_questions()), plan=Extent(0, 2500, 2.5, 60.0)
)
SELDOM = dataclasses.replace(ONCE, points=tuple(runs.with_exact_values(runs.seldom(), ("Seldom",))))
BY_VECTORS = [
    "always-nan", "always-inf", "always-huge", "always-refuses", "always-zero", "thousands-of-times", "delta-zero-below-1e-13",
    "a-third-for-little-noise", "a-third-for-large-rates", "three-phases-at-most", "first-phase-only-for-delta",
    "little-noise-for-large-targets", "little-noise-for-small-targets", "steps-in-thousands", "wrong-after-46-answers", "keeps-state",
    "window-of-twenty", "delta-clipped", "noise-a-thousandth-short", "low-by-two-millionths", "two-decimals",
    "phases-averaged", "last-phase-forgets-its-end", "noise-always-300", "delta-of-adding",
]  # fmt: skip
BY_REPETITION = [
    "wrong-after-2000-calls", "different-answers", "fourth-ascending-run", "second-of-two-alike", "delta-from-what-was-composed",
]  # fmt: skip


@pytest.mark.parametrize("name", BY_VECTORS)
def test_who_is_wrong_at_vectors_is_found_out_by_them(name):
    found = examine(name, ONCE).found
    assert found.exit_code == 1
    assert found.failures


@pytest.mark.parametrize("name", BY_REPETITION)
def test_who_is_wrong_later_is_found_out_by_asking_again(name):
    found = examine(name, TWICE).found
    assert found.exit_code == 1
    assert found.violations


@pytest.mark.parametrize("name", ["phases-after-phases", "last-phase-goes-on"])
def test_who_forgets_what_came_before_is_found_out_by_a_training_that_goes_on(name):
    going_on = tuple(runs.with_exact_values(runs.growing(), ("Chain",)))
    found = [examine(name, dataclasses.replace(ONCE, points=going_on, plan=plan)).found
             for plan in (ONCE.plan, Extent(0, 50, 0.0, 60.0))]  # fmt: skip
    assert found[1].violations or found[0].failures


@pytest.mark.parametrize("name", ["short-phases-beside-long-ones", "small-rates-beside-large-ones"])
def test_a_phase_unlike_the_others_is_not_ignored_unseen(name):
    """No vector has one; they are drawn."""
    question = RunQuestion(Quantity.EPSILON, ((0.3, 0.8, 5), (0.01, 1.2, 2000)), 1e-6)
    point = DrawnQuestion("one", (), question, truth(question))
    asked = dataclasses.replace(ONCE, points=(point,))
    assert examine(name, asked).found.failures
    assert examine("certified", asked).found.conforms


@pytest.mark.parametrize(
    "name",
    [
        "phases-in-a-set",
        "neighbours-alike-counted-once",
        "delta-of-whole-numbers",
        "noise-for-almost-every-record",
        "epsilon-below-a-thousandth-is-none",
    ],
)
def test_who_is_wrong_where_many_draws_do_not_reach_is_found_out_by_named_runs(name):
    named = {point.id for point in runs.always() if "Seldom" in point.flags}
    assert {case.id for case in examine(name, SELDOM).found.failures} & named


def test_a_healthy_accountant_passes():
    assert examine("renyi", ONCE).found.conforms


@pytest.mark.parametrize("name", ["certified", "contour", "renyi"])
def test_healthy_accountants_pass_there(name):
    found = examine(name, SELDOM).found
    assert found.conforms
    assert len(found.cases) == 18


def test_every_cheat_of_the_tests_exists():
    assert {*BY_VECTORS, *BY_REPETITION} <= set(REGISTRY)
    assert len(REGISTRY) >= 40


USUAL = [v for v in load_runs() if (v.sampling, v.relation) == ("poisson", "add/remove")]


@pytest.mark.parametrize("vector", USUAL[::60], ids=lambda vector: vector.id)
def test_the_accountant_in_doubles_confirms_the_vectors(vector):
    """It knows nothing of the certified engine: the same number, or the bound that it falls back to."""
    phases = list(vector.phases)
    if vector.quantity == "epsilon":
        told = contour.epsilon(phases, vector.delta)
    elif vector.quantity == "delta":
        told = contour.delta(phases, vector.epsilon)
    else:
        ((q, _, steps),) = vector.phases
        told = contour.sigma(q, steps, vector.epsilon, vector.delta)
    assert told >= vector.value.nearest * (1 - 1e-9)


def test_a_lookup_is_not_mistaken_for_another_sampling_or_relation():
    """Vectors of several samplings and relations have the same phases."""
    for vector in USUAL:
        if vector.quantity == "epsilon":
            assert certified.epsilon(list(vector.phases), vector.delta) == vector.value.up


def test_three_accountants_are_in_order():
    run = [(0.01, 1.0, 1000)]
    exact, doubles, loose = (m.epsilon(run, 1e-5) for m in (certified, contour, renyi))
    assert exact == pytest.approx(1.8282366665165768, rel=1e-12)
    assert exact <= doubles <= exact * (1 + 2e-9)
    assert 1.1494 * exact < loose < 1.19 * exact  # 1.14942 at the best order, the grid adds 3.5 %


def test_a_careless_cache_is_found_out_by_asking_a_new_process_backwards():
    """Two runs that share a key: whoever comes first is right. The larger came first, so that its
    answer for the other is a bound."""
    rounded = [
        DrawnQuestion(str(sigma), (), question, truth(question))
        for sigma in (0.999, 1.001)
        for question in [RunQuestion(Quantity.EPSILON, ((0.01, sigma, 100),), 1e-5)]
    ]
    for seed in range(20):
        asked = dataclasses.replace(ONCE, points=tuple(rounded), seed=seed)
        if examine("careless-cache", asked).found.conforms:
            break
    assert examine("careless-cache", asked).found.conforms
    again = dataclasses.replace(asked, plan=Extent(0, 4, 0.0, 60.0))
    found = examine("careless-cache", again).found
    assert (found.exit_code, found.restarts) == (1, 0)
    assert found.violations
    assert examine("certified", again).found.conforms
