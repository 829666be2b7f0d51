"""Upper bounds on a lattice stay above the exact epsilon, come near it, and break when a rule of theirs is broken."""

from __future__ import annotations

import itertools
import math
import time
from dataclasses import replace
from fractions import Fraction

import pytest

from proofs_checks.kernel import ALLOWED
from proofs_checks.runs import attempts, enclose, tight, uppers, vectors
from proofs_checks.runs.attempts import TIGHT_ATTEMPTS
from proofs_checks.runs.dots import dots_plan
from proofs_checks.runs.enclose import enclose_run, run_theorem
from proofs_checks.runs.prove import prove_run
from proofs_checks.runs.question import RunKind
from proofs_checks.runs.tight import NotByTight, enclosure, exact_certificate
from proofs_checks.runs.uppers import UpperLevel, Uppers
from proofs_checks.verdicts.attempts import holes
from proofs_checks.verdicts.decide import WrongSide
from proofs_checks.verdicts.proving import NotProved
from tests.patience import PATIENCE, patient
from verify.accounting.history import phase
from verify.numbers.errors import OutOfDomain, OutOfReach

RUN = phase("0.01", "1.1", 1000)
DELTA = Fraction(1, 10**5)
EXACT = 1.5153619166644847
BY_NAME = {a.name: a for a in TIGHT_ATTEMPTS}
QUICK = (
    "an epsilon below what the lattice shows, by a millionth",
    "a mass that is too small by little",
)

EXAMPLES = [
    (phase("0.2", 2, 3), Fraction(1, 100), 0.27288244451),
    (phase("0.01", 1, 100), Fraction(1, 10**6), 0.9542170736),
]


@pytest.mark.parametrize(("p", "delta", "exact"), EXAMPLES)
@pytest.mark.parametrize("fineness", [0.6, 0.35])
def test_a_lattice_is_above_the_exact_epsilon_and_near_it(p, delta, exact, fineness):
    plan = dots_plan(p, delta, exact, fineness, patient())
    assert exact < plan.epsilon < (1 + 0.1 * fineness) * exact


@pytest.fixture(scope="module")
def coarse():
    return dots_plan(RUN, DELTA, EXACT, 0.6, patient())


LARGE = [
    (phase("0.02", "0.8", 1000), Fraction(1, 10**5), 6.418751547661),
    (phase("0.1", 1, 100), Fraction(1, 10**5), 7.04660261698),
    (phase("0.02", "0.7", 1000), Fraction(1, 10**5), 9.07912288152),
]


@pytest.mark.parametrize(("p", "delta", "exact"), LARGE)
def test_a_large_epsilon_is_reached(p, delta, exact):
    """What is spilt counts exp(epsilon) times; a lattice that forgets it shows nothing here."""
    plan = dots_plan(p, delta, exact, 0.6, patient())
    assert exact < plan.epsilon < 1.08 * exact < plan.greatest


def test_levels_count_all_steps(coarse):
    assert sum(a.counts << i for i, a in enumerate(coarse.levels)) == RUN.steps


def test_the_levels_reach_what_the_plan_says(coarse):
    """The program that Coq runs, from the levels alone."""
    total = uppers.climb(coarse.levels, coarse.step.block(), coarse.k)
    width = coarse.width * 2 ** sum(a.halves for a in coarse.levels[:-1])
    found, greatest = uppers.shown_epsilons(total, width, DELTA, coarse.k, EXACT)
    assert (found, greatest) == (coarse.epsilon, coarse.greatest)
    assert EXACT < found < 1.05 * EXACT


def test_the_cells_have_at_least_all_the_mass(coarse):
    total = sum(coarse.step.block().masses)
    assert 2**coarse.k < total < 2**coarse.k * (1 + 1e-6)


def test_a_spill_that_is_forgotten_is_seen(coarse):
    """Windows that are too narrow: with the spill nothing is shown, without it more than the lattice can show."""
    levels = tuple(replace(a, top=min(a.top, a.bottom // 4 + 8)) for a in coarse.levels)
    total = uppers.climb(levels, coarse.step.block(), coarse.k)
    width = coarse.width * 2 ** sum(a.halves for a in coarse.levels[:-1])
    assert uppers.shown_epsilons(total, width, DELTA, coarse.k, EXACT)[0] == math.inf
    forgotten = replace(total, spill=0)
    assert uppers.shown_epsilons(forgotten, width, DELTA, coarse.k, EXACT)[0] < coarse.epsilon


def weigh(v, h, test):
    """What a test of the ratio is on the points, for each unit of mass with the record; spill at the constant 1."""
    points = enumerate(v.masses, v.origin)
    return math.fsum(m * test(math.exp(h * s)) / math.exp(h * s) for s, m in points) + v.spill


TESTS = [lambda y, c=c: max(0.0, y - c) for c in (0.5, 0.9, 1.0, 1.1, 2.0)]
K, H = 30, 0.25
VECTOR = Uppers(-3, [10**6, 5 * 10**7, 2 * 10**8, 4 * 10**8, 3 * 10**8, 10**8, 10**7], 5)


def level(**changed):
    e = math.exp(H)
    below, above = math.ceil(2**K / (1 + e)) + 1, math.ceil(2**K * e / (1 + e)) + 1
    growth = math.ceil(math.exp(2 * H if changed.get("halves", True) else H) * 2**K) + 1
    return replace(UpperLevel(True, True, below, above, -9, 9, growth), **changed)


@pytest.mark.parametrize("test", TESTS)
def test_half_as_many_points_weigh_no_less(test):
    coarser = uppers.coarser(level(), VECTOR, K)
    assert weigh(coarser, 2 * H, test) >= weigh(VECTOR, H, test)


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize(("bottom", "top"), [(-2, 9), (-9, 1), (-1, 0), (-9, -3)])
def test_a_window_weighs_no_less(test, bottom, top):
    narrow = uppers.cut(level(halves=False, bottom=bottom, top=top), VECTOR, K)
    assert narrow.origin >= max(bottom, VECTOR.origin)
    assert weigh(narrow, H, test) >= weigh(VECTOR, H, test)


def test_shares_that_are_too_small_are_seen():
    fair = level()
    lie = uppers.coarser(replace(fair, above=fair.above - 2**K // 1000), VECTOR, K)
    assert weigh(lie, 2 * H, TESTS[2]) < weigh(VECTOR, H, TESTS[2])


def test_a_window_is_the_narrowest_that_spills_no_more_than_allowed():
    growth, allowed = level(halves=False).growth, 2 * 10**7
    bottom, top = uppers.window(VECTOR, growth, allowed, K)
    assert (bottom, top) == (-2, 2)
    for cut, more in (((bottom, top), False), ((bottom + 1, top), True), ((bottom, top - 1), True)):
        shape = level(halves=False, bottom=cut[0], top=cut[1])
        spilt = uppers.cut(shape, VECTOR, K).spill - VECTOR.spill
        assert (spilt > 2 * allowed) == more


def test_a_product_of_vectors_is_the_sum_of_all_products():
    a, b = [3, 0, 2**60, 1], [7, 2**70, 0, 0, 5]
    found = [0] * 8
    for (i, x), (j, y) in itertools.product(enumerate(a), enumerate(b)):
        found[i + j] += x * y
    assert vectors.times(a, b) == found


def test_an_epsilon_below_the_exact_one_is_the_wrong_side():
    with pytest.raises(WrongSide, match="is not valid for this run"):
        exact_certificate((RUN,), DELTA, Fraction("1.5153"), patient())


def test_what_no_lattice_shows_is_refused_with_how_far_they_get(monkeypatch):
    monkeypatch.setattr(tight, "FINENESS", (0.6,))
    with pytest.raises(NotByTight, match=r"those tried reach 1\.5[67]\d+"):
        exact_certificate((RUN,), DELTA, Fraction("1.5154"), patient())


def test_where_the_exact_epsilon_is_0_the_way_by_rdp_is_named():
    with pytest.raises(OutOfReach, match="without --tight, --epsilon goes by RDP"):
        exact_certificate((RUN,), Fraction(1, 2), Fraction(1, 100), patient())


def test_several_phases_are_out_of_reach():
    with pytest.raises(OutOfReach, match="for one phase only"):
        enclosure((RUN, RUN), DELTA, 2, patient())


@pytest.mark.parametrize("digits", [0, 7])
def test_digits_have_their_range(digits):
    with pytest.raises(OutOfDomain, match="from 1 to 6"):
        enclosure((RUN,), DELTA, digits, patient())


def test_an_enclosure_has_the_digits_asked_for():
    holds, fails = enclosure((phase("0.2", 2, 3),), Fraction(1, 100), 2, patient())
    assert (holds.question.kind, holds.question.epsilon) == (RunKind.VALID, Fraction("0.28"))
    assert (fails.question.kind, fails.question.epsilon) == (RunKind.NOT_VALID, Fraction("0.27"))


@pytest.mark.parametrize("changed", [{"not_valid": Fraction(1)}, {"proof": "Theorem."}])
def test_what_does_not_go_with_tight(changed):
    asked = {"epsilon": None, "not_valid": None, "digits": None, "proof": None, "out": None}
    with pytest.raises(OutOfDomain):
        run_theorem(
            (RUN,), DELTA, **(asked | changed), tight=True, fast=False, max_seconds=PATIENCE, say=print
        )  # fmt: skip


def test_if_one_proof_is_refused_the_other_is_ended(monkeypatch):
    def accepted(made, proof, out, start, deadline, *, fast):
        if made.question.kind is RunKind.NOT_VALID:
            raise NotProved("refused")
        while deadline.left() > 0:
            time.sleep(0.01)
        raise deadline.exceeded()

    monkeypatch.setattr(enclose, "compile_and_check", accepted)
    monkeypatch.setattr(enclose, "compiled_library", lambda say: None)
    with pytest.raises(NotProved, match="refused"):
        enclose_run((phase("0.2", 2, 3),), Fraction(1, 100), digits=2, max_seconds=PATIENCE)


def test_the_exact_epsilon_is_enclosed(coq, tmp_path):
    found = enclose_run(
        (phase("0.2", 2, 3),), Fraction(1, 100), digits=2, out=tmp_path, max_seconds=PATIENCE
    )
    assert set(found.holds.axioms) == set(found.fails.axioms) == ALLOWED
    assert found.difference == Fraction(1, 100)
    assert "(0.28, 0.01)-DP holds, and (0.27, 0.01)-DP does not" in found.as_text()
    assert found.as_json()["difference"] == "0.01"
    assert (tmp_path / "holds" / "Proof.v").read_text() == found.holds.proof
    assert (tmp_path / "fails" / "Check.v").read_text() == found.fails.check


def test_an_epsilon_far_above_the_exact_one_is_proved_by_a_smaller_one(coq):
    """Of it the lattice itself shows nothing."""
    run, delta, far = (phase("0.2", 2, 3),), Fraction(1, 100), Fraction(20)
    proved = prove_run(run, delta, epsilon=far, tight=True, max_seconds=PATIENCE)
    assert "larger_epsilon" in proved.proof
    assert proved.question.epsilon == far
    assert set(proved.axioms) == ALLOWED
    lie = proved.proof.replace("(larger_epsilon 3%Z", "(larger_epsilon 4%Z")
    with pytest.raises(NotProved):
        prove_run(run, delta, epsilon=far, tight=True, proof=lie, max_seconds=PATIENCE)


@pytest.mark.parametrize("name", QUICK)
def test_each_look_refuses_what_it_should_and_nothing_else(coq, name):
    question, proof = attempts.honest_tight()
    said = attempts.refusals(BY_NAME[name], question, proof, PATIENCE)
    assert holes(BY_NAME[name], said) == [], said
