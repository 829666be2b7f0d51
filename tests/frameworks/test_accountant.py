"""The accountant for Opacus, without Opacus: what it records, answers and refuses."""

from __future__ import annotations

import copy
import math
import pickle
import re
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

import verify
from verify.frameworks import asking, events
from verify.frameworks.asking import Asker, refusal, reveal_batches, to_safe_side
from verify.frameworks.opacus import ExactAccountant, told_by, upper_end
from verify.frameworks.run import NOT_POISSON, TrainingPhase, TrainingRun


def stepped(*phases):
    made = ExactAccountant()
    for noise, rate, steps in phases:
        for _ in range(steps):
            made.step(noise_multiplier=noise, sample_rate=rate)
    return made


def test_importing_needs_none_of_the_frameworks():
    code = (
        "import sys\nfor name in ('torch', 'opacus', 'dp_accounting', 'numpy', 'sympy'):\n"
        "    sys.modules[name] = None\n"
        "import verify.frameworks.opacus, verify.frameworks.dp_accounting, sgm_verify\n"
        "sgm_verify.frameworks.opacus.ExactAccountant(); sgm_verify.read_run"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_equal_steps_are_one_phase():
    made = stepped((1.0, 0.01, 3), (2.0, 0.01, 1), (1.0, 0.01, 1))
    assert made.history == [(1.0, 0.01, 3), (2.0, 0.01, 1), (1.0, 0.01, 1)]
    assert len(made) == 5


def test_epsilon_is_that_of_all_phases_together():
    made = stepped((1.0, 0.01, 300), (2.0, 0.02, 100))
    phases = [(0.01, 1.0, 300), (0.02, 2.0, 100)]
    assert made.get_epsilon(1e-5) == verify.history_epsilon(phases, 1e-5).to_double_up()


def test_epsilon_after_every_step_is_the_exact_one():
    made = stepped((1.0, 0.02, 20))
    for _ in range(12):
        made.step(noise_multiplier=1.0, sample_rate=0.02)
        exact = verify.epsilon(0.02, 1.0, len(made), 1e-5)
        assert made.get_epsilon(1e-5) == exact.to_double_up()


def test_no_step_costs_nothing():
    assert ExactAccountant().get_epsilon(1e-5) == 0.0


def test_options_of_other_accountants_are_taken():
    assert stepped((1.0, 0.1, 1)).get_epsilon(1e-5, alphas=[2], eps_error=0.1) > 0


def test_a_state_is_loaded_as_it_was_saved():
    before = stepped((1.0, 0.01, 3))
    before.step(noise_multiplier=1.0, sample_rate=0.01, sampling=NOT_POISSON)
    after = ExactAccountant()
    after.load_state_dict(before.state_dict())
    assert after.run() == before.run()
    after.step(noise_multiplier=1.0, sample_rate=0.01, sampling=NOT_POISSON)
    assert len(before) == 4  # its history is its own


@pytest.mark.parametrize(
    "state",
    [
        {},
        {"history": []},
        {"history": [(1.0, 0.1)], "mechanism": "rdp"},
        {"history": [(1.0, 0.1, 0)], "mechanism": "rdp"},
        {"history": [(1.0, 0.1, 2.7)], "mechanism": "rdp"},
        {"history": 5, "mechanism": "rdp"},
        {"history": [(1.0, 0.1, 1)], "mechanism": "exact", "samplings": ["by-lot"]},
        {"history": [(1.0, 0.1, 1)], "mechanism": "exact", "samplings": []},
    ],
)
def test_a_state_that_is_none_is_an_error(state):
    with pytest.raises(ValueError):  # noqa: PT011  # each has words of its own
        ExactAccountant().load_state_dict(state)


def test_a_history_from_outside_counts_as_poisson_sampled():
    made = ExactAccountant()
    made.step(noise_multiplier=1.0, sample_rate=0.1, sampling=NOT_POISSON)
    made.history = [(1.0, 0.1, 1)]
    assert made.run().only_poisson()


# -- batches that are not Poisson-sampled --------------------------------------------------


class Optimizer:
    noise_multiplier = 1.0
    accumulated_iterations = 1


def make_private(accountant, poisson_sampling):
    return accountant.get_optimizer_hook_fn(sample_rate=0.25)


@pytest.mark.parametrize("poisson", [True, False])
def test_the_hook_knows_what_make_private_was_asked_for(poisson):
    made = ExactAccountant()
    hook = make_private(made, poisson)
    hook(Optimizer())
    assert made.run().only_poisson() == poisson


def test_where_it_is_refused_nothing_is_trained():
    class Refusing(ExactAccountant):
        shuffled = "refuse"

    make_private(Refusing(), poisson_sampling=True)
    with pytest.raises(verify.OutOfDomain, match="no exact epsilon is known"):
        make_private(Refusing(), poisson_sampling=False)


def get_noise_multiplier(accountant):
    accountant.history = [(1.0, 0.25, 8)]


def make_private_with_epsilon(accountant, poisson_sampling):
    get_noise_multiplier(accountant)


@pytest.mark.parametrize("poisson", [True, False])
def test_a_search_for_noise_is_for_the_batches_that_were_asked_for(poisson):
    made = ExactAccountant()
    make_private_with_epsilon(made, poisson)
    assert made.run().only_poisson() == poisson
    get_noise_multiplier(made)  # by itself it says nothing of batches
    assert made.run().only_poisson()


def test_a_run_whose_batches_are_not_known_has_no_exact_epsilon():
    run = TrainingRun((TrainingPhase(0.25, 1.0, 9, NOT_POISSON),))
    for ask in (run.epsilon, run.delta):
        with pytest.raises(verify.OutOfDomain, match="upper_end"):
            ask(1e-5)


def test_any_other_caller_means_poisson_sampling():
    poisson_sampling = False
    assert told_by(None) == "poisson"
    hook = ExactAccountant().get_optimizer_hook_fn(sample_rate=0.25)
    hook(Optimizer())
    assert not poisson_sampling


@pytest.mark.parametrize(
    ("steps", "rate", "passes"),
    [
        (1, 0.25, 1),
        (4, 0.25, 1),
        (5, 0.25, 2),
        (938 * 3, 1 / 938, 3),
        (938 * 3 + 1, 1 / 938, 4),
        (
            10,
            0.3,
            8,
        ),  # a step that straddles two passes counts twice, and one pass more may have begun
    ],
)
def test_passes_over_the_data_are_counted(steps, rate, passes):
    run = upper_end(TrainingRun((TrainingPhase(rate, 1.0, steps, NOT_POISSON),)))
    assert run.phases == (TrainingPhase(1, 1.0, passes),)


def test_a_phase_that_begins_in_the_middle_of_a_pass_sees_more_of_them():
    """Two steps of the first pass, then four with other noise: the end of it and the beginning of the next."""
    both = [TrainingPhase(0.25, noise, n, NOT_POISSON) for noise, n in ((1.0, 2), (2.0, 4))]
    assert [p.steps for p in upper_end(TrainingRun(tuple(both))).phases] == [1, 2]


def test_the_upper_end_is_not_below_what_poisson_sampling_would_cost():
    made = ExactAccountant()
    for _ in range(40):
        made.step(noise_multiplier=1.0, sample_rate=0.05, sampling=NOT_POISSON)
    with pytest.warns(UserWarning, match="upper end"):
        found = made.get_epsilon(1e-5)
    assert found == verify.epsilon(1, 1, 2, 1e-5).to_double_up()
    assert found > stepped((1.0, 0.05, 40)).get_epsilon(1e-5)


def test_an_accountant_that_has_answered_is_copied_and_pickled():
    made = stepped((1.0, 0.02, 5))
    found = made.get_epsilon(1e-5)
    for twin in (copy.deepcopy(made), pickle.loads(pickle.dumps(made))):
        assert twin.get_epsilon(1e-5) == found
        twin.step(noise_multiplier=1.0, sample_rate=0.02)
        assert len(made) == 5  # its history is its own


# -- asking --------------------------------------------------------------------------------


def asked(q, sigma, steps, delta=1e-5):
    return Asker(PATIENT).epsilon(TrainingRun((TrainingPhase(q, sigma, steps),)), delta)


PATIENT = 3600.0  # seconds: a busy machine must not change an answer


def exact_double(q, sigma, steps, delta):
    return verify.epsilon(q, sigma, steps, delta, max_seconds=PATIENT).to_double_up()


def test_a_parameter_that_is_moved_is_moved_to_the_safe_side():
    """Each answer is not below that of the parameter it was moved to the safe side of."""
    assert asked(1e-13, 0.5, 1, 1e-14) == exact_double("1e-12", 0.5, 1, 1e-14)
    assert asked(1, 1e7, 10, 1e-9) == exact_double(1, 10**6, 10, 1e-9)
    assert asked(0.5, 0.04, 2) >= verify.epsilon(0.5, 0.05, 2, 1e-5, max_seconds=PATIENT).hi
    assert asked(1, Fraction(1, 40), 1) == exact_double(1, "1/20", 4, 1e-5)


def test_moving_the_wrong_way_would_be_noticed(monkeypatch):
    """With the steps rounded down instead of up, less noise would cost less than more noise."""
    just = Fraction(1, 20) / 2 * (1 - Fraction(1, 10**9))
    right = asked(1, just, 1)
    monkeypatch.setattr(asking.math, "ceil", math.floor)
    assert asked(1, just, 1) < right == asked(1, Fraction(1, 20), 5)


@pytest.mark.parametrize(("q", "sigma"), [(-0.1, 1), (1.1, 1), (0.5, -1), (math.nan, 1), ("x", 1)])
def test_bad_numbers_are_errors(q, sigma):
    with pytest.raises(verify.OutOfDomain):
        asked(q, sigma, 1)


def test_phases_with_no_noise_or_nobody():
    assert asked(0.5, 0, 1) == math.inf
    assert asked(0, 1, 1) == 0.0
    assert to_safe_side(TrainingRun((TrainingPhase(0, 0, 1),))).private


def test_where_no_route_reaches_the_answer_is_that_of_rdp():
    found = asked(0.01, 0.06, 1000)
    assert 0 < found < verify.epsilon(1, 0.06, 1000, 1e-5).lo


FIXED = TrainingPhase(Fraction(1, 10), Fraction(1, 50), 8, "fixed-size")
ALLOTTED = TrainingPhase(None, Fraction(1, 50), 8, "allocation", 3)


@pytest.mark.parametrize(
    ("phase", "relation", "sigma", "steps"),
    [
        (FIXED, "add/remove", "1/100", 8),  # a record takes another's place: twice the norm
        (FIXED, "zero-out", "1/50", 8),
        (ALLOTTED, "add/remove", "1/50", 3),  # one batch an epoch
        (ALLOTTED, "zero-out", "1/50", 3),
    ],
)
def test_too_little_noise_is_that_of_known_batches(phase, relation, sigma, steps):
    found = Asker().epsilon(TrainingRun((phase,), relation), 1e-5)
    known = TrainingRun((TrainingPhase(1, Fraction(sigma), steps),), relation)
    assert found == Asker().epsilon(known, 1e-5)


def test_known_batches_are_an_upper_end():
    """The same phases with enough noise to be answered: never above what known batches cost."""
    for phase in (FIXED, ALLOTTED):
        run = TrainingRun((replace(phase, sigma=Fraction(2)),))
        assert run.epsilon(1e-5, 5).hi < reveal_batches(run).epsilon(1e-5, 5).lo


def test_a_refusal_does_not_depend_on_the_noise():
    for sigma in (1, Fraction(1, 100)):
        phase = TrainingPhase(None, sigma, 3, "shuffle")
        assert "not defined" in refusal(TrainingRun((phase,)))


def test_what_is_not_answered_is_refused_with_the_reason_of_the_library():
    assert refusal(TrainingRun((TrainingPhase(0.1, 1, 3),))) == ""
    assert "by-lot" in refusal(TrainingRun((TrainingPhase(0.1, 1, 3, "by-lot"),)))
    assert refusal(TrainingRun((TrainingPhase(None, 1, 3, "shuffle"),), "add/remove"))


# -- what the documentation says of events -------------------------------------------------


def told_rows():
    page = Path(__file__).parents[2] / "docs" / "frameworks.md"
    lines = page.read_text(encoding="utf-8").splitlines()
    rows = [line.strip("| ").split(" | ") for line in lines if "DpEvent`" in line]
    return {name: row[1] for row in rows if len(row) == 2 for name in re.findall(r"\w+DpEvent", row[0])}  # fmt: skip


def read_names():
    """The events that ``events.read`` has a case for."""
    code = Path(events.__file__).read_text(encoding="utf-8")
    return set(re.findall(r'case "(\w+DpEvent)"', code))


def test_the_table_of_events_says_what_is_read_and_what_is_refused():
    told = told_rows()
    assert {n for n, text in told.items() if text.startswith("refused")} == set(events.REFUSED)
    assert {n for n, text in told.items() if text.startswith("read")} == read_names()
