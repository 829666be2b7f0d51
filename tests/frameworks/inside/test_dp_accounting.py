"""dp-accounting's own suite for accountants, its tests' numbers, and its calibration. Run by
tests/frameworks/test_real.py."""

from __future__ import annotations

import copy
import functools
import itertools
import math
import pickle
from fractions import Fraction

import pytest

dp = pytest.importorskip("dp_accounting", reason="run by tests/frameworks/test_real.py")
from dp_accounting import dp_event as e  # noqa: E402
from dp_accounting import privacy_accountant_test  # noqa: E402
from dp_accounting.pld import PLDAccountant  # noqa: E402
from dp_accounting.rdp import RdpAccountant  # noqa: E402

import verify  # noqa: E402
from verify.frameworks.asking import refusal  # noqa: E402
from verify.frameworks.dp_accounting import ExactAccountant  # noqa: E402
from verify.frameworks.events import REFUSED  # noqa: E402

R = dp.NeighboringRelation
GAUSSIAN = e.GaussianDpEvent(1.0)
SAMPLED = e.PoissonSampledDpEvent(0.01, GAUSSIAN)


class TestItsOwnSuite(privacy_accountant_test.PrivacyAccountantTest):
    """The suite that dp-accounting ships for accountants."""

    def _make_test_accountants(self):
        return [ExactAccountant(), *(ExactAccountant(relation) for relation in R)]


def composed(event, count=1, make=ExactAccountant):
    return make().compose(event, count)


def test_it_is_one_of_its_accountants():
    assert issubclass(ExactAccountant, dp.PrivacyAccountant)
    assert ExactAccountant().neighboring_relation is R.ADD_OR_REMOVE_ONE
    assert pickle.loads(pickle.dumps(ExactAccountant)) is ExactAccountant


def test_an_accountant_that_has_answered_is_copied_and_pickled():
    """jax-privacy copies the accountant that it is given."""
    made = composed(SAMPLED, 30)
    found = [made.get_epsilon(1e-5), made.compose(SAMPLED).get_epsilon(1e-5)]
    for twin in (copy.deepcopy(made), pickle.loads(pickle.dumps(made))):
        assert twin.get_epsilon(1e-5) == found[1]
        assert twin.compose(SAMPLED).get_epsilon(1e-5) > made.get_epsilon(1e-5) == found[1]


def test_a_run_composed_step_by_step_has_one_phase():
    """Else asking after every step would become slower with every step."""
    made = ExactAccountant()
    for _ in range(20):
        made.compose(SAMPLED).compose(GAUSSIAN)
    assert [phase.steps for phase in made.run.phases] == [20, 20]


def test_epsilon_and_delta_are_the_exact_ones_rounded_up():
    made = composed(SAMPLED, 1000)
    assert made.get_epsilon(1e-5) == verify.epsilon(0.01, 1.0, 1000, 1e-5).to_double_up()
    assert made.get_delta(2.0) == verify.delta(0.01, 1.0, 1000, 2.0).to_double_up()
    assert made.run.epsilon(1e-5).text() == verify.epsilon(0.01, 1.0, 1000, 1e-5).text()


NESTED = [
    e.SelfComposedDpEvent(SAMPLED, 12),
    e.ComposedDpEvent([SAMPLED] * 12),
    e.ComposedDpEvent([e.SelfComposedDpEvent(SAMPLED, 5), e.NoOpDpEvent(), e.SelfComposedDpEvent(SAMPLED, 7)]),
    e.SelfComposedDpEvent(e.ComposedDpEvent([SAMPLED, e.SelfComposedDpEvent(SAMPLED, 3)]), 3),
    e.SelfComposedDpEvent(e.PoissonSampledDpEvent(0.01, e.SelfComposedDpEvent(e.GaussianDpEvent(2.0), 4)), 12),
    e.SelfComposedDpEvent(e.PoissonSampledDpEvent(0.01, e.ComposedDpEvent([GAUSSIAN, e.NoOpDpEvent()])), 12),
]  # fmt: skip


@pytest.mark.parametrize("event", NESTED)
def test_nesting_does_not_change_the_number(event):
    assert composed(event).get_epsilon(1e-5) == composed(SAMPLED, 12).get_epsilon(1e-5)


def test_samples_of_samples_have_the_product_of_the_rates():
    twice = e.PoissonSampledDpEvent(0.5, e.PoissonSampledDpEvent(0.25, GAUSSIAN))
    once = e.PoissonSampledDpEvent(0.125, GAUSSIAN)
    assert composed(twice, 9).get_epsilon(1e-5) == composed(once, 9).get_epsilon(1e-5)


def test_gaussians_in_one_sample_combine_and_those_in_two_do_not():
    """Noise 3 and 4 on one sample are noise 12/5; as two samples they are another run."""
    both = e.ComposedDpEvent([e.GaussianDpEvent(3), e.GaussianDpEvent(4.0)])
    joint = composed(e.PoissonSampledDpEvent(0.1, both), 50).run
    assert joint.phases[0].sigma == Fraction(12, 5)
    apart = composed(e.ComposedDpEvent([e.PoissonSampledDpEvent(0.1, g) for g in both.events]), 50)
    assert joint.epsilon(1e-5) > apart.run.epsilon(1e-5)


def test_the_type_of_the_noise_does_not_matter():
    as_int = composed(e.PoissonSampledDpEvent(0.01, e.GaussianDpEvent(1)), 100)
    assert as_int.get_epsilon(1e-5) == composed(SAMPLED, 100).get_epsilon(1e-5)


GAUSSIAN_RUNS = [
    e.SelfComposedDpEvent(e.GaussianDpEvent(math.sqrt(3)), 3),
    e.SelfComposedDpEvent(e.PoissonSampledDpEvent(0.2, e.GaussianDpEvent(0.5)), 3),
    e.SelfComposedDpEvent(e.PoissonSampledDpEvent(0.01, e.GaussianDpEvent(10.0)), 1000),
    e.ComposedDpEvent([e.GaussianDpEvent(4.0), e.PoissonSampledDpEvent(0.1, e.GaussianDpEvent(1.0))]),
    *(e.PoissonSampledDpEvent(q, e.GaussianDpEvent(s)) for q in (0.01, 0.1) for s in (1.0, 3.0, 5.0)),
]  # fmt: skip


@pytest.mark.parametrize("event", GAUSSIAN_RUNS)
@pytest.mark.parametrize("delta", [0.126936, 1e-2, 1e-5])
def test_the_numbers_of_its_tests_are_met_or_beaten(event, delta):
    """Events of its RDP and PLD tests: never above their upper bounds; the PLD differs by its grid only."""
    ours = composed(event).get_epsilon(delta)
    assert ours <= composed(event, make=RdpAccountant).get_epsilon(delta)
    pld = composed(event, make=PLDAccountant)
    assert ours <= pld.get_epsilon(delta)
    assert pld.get_epsilon(delta) - ours < 2e-3
    assert composed(event).get_delta(1.0) <= pld.get_delta(1.0)


def test_the_published_values_of_its_tests():
    gaussian = composed(e.GaussianDpEvent(math.sqrt(3)), 3)
    assert gaussian.get_delta(1) == pytest.approx(0.126936, abs=1e-6)
    sampled = composed(e.PoissonSampledDpEvent(0.2, e.GaussianDpEvent(0.5)), 3)
    assert sampled.get_delta(1) == pytest.approx(0.15594, abs=1e-3)


ACCEPTED = [GAUSSIAN, SAMPLED, e.NoOpDpEvent(), e.NonPrivateDpEvent(), e.GaussianDpEvent(0)]
REFUSED_ARGUMENTS = {
    "LaplaceDpEvent": (1.0,),
    "DiscreteLaplaceDpEvent": (0.1, 1),
    "RandomizedResponseDpEvent": (0.3, 15),
    "ZCDpEvent": (1.0,),
    "SampledWithReplacementDpEvent": (1000, 10, GAUSSIAN),
    "SingleEpochTreeAggregationDpEvent": (1.0, 4),
    "RepeatAndSelectDpEvent": (GAUSSIAN, 2.0, 1.0),
    "MixtureOfGaussiansDpEvent": (1.0, [0.0, 1.0], [0.5, 0.5]),
    "UnsupportedDpEvent": (),
}
NEWER = {"DiscreteLaplaceDpEvent", "RandomizedResponseDpEvent", "ZCDpEvent"}
NEWER |= {"MixtureOfGaussiansDpEvent", "TruncatedSubsampledGaussianDpEvent"}
"""Events that older releases of the tested range do not have."""
HAS = {n for n, c in vars(e).items() if isinstance(c, type) and issubclass(c, e.DpEvent)} - {
    "DpEvent"
}


@pytest.mark.parametrize("event", ACCEPTED)
def test_events_that_are_read(event):
    assert ExactAccountant().supports(event)


@pytest.mark.parametrize("name", sorted(HAS & set(REFUSED)))
def test_events_that_are_refused_say_why(name):
    event = getattr(e, name)(*REFUSED_ARGUMENTS[name])
    nested = e.ComposedDpEvent([GAUSSIAN, e.SelfComposedDpEvent(event, 3)])
    assert not ExactAccountant().supports(nested)
    with pytest.raises(dp.UnsupportedEventError) as raised:
        ExactAccountant().compose(nested)
    assert REFUSED[name] in str(raised.value)


def test_every_kind_of_event_is_read_or_refused_by_name():
    """An event that dp-accounting adds must be looked at here."""
    read = {"NoOpDpEvent", "NonPrivateDpEvent", "GaussianDpEvent", "PoissonSampledDpEvent"}
    read |= {"SelfComposedDpEvent", "ComposedDpEvent", "SampledWithoutReplacementDpEvent"}
    read |= {"TruncatedSubsampledGaussianDpEvent"}
    known = read | set(REFUSED)
    assert known - NEWER <= HAS - {"RandomAllocationDpEvent"} <= known


RELATIONS = {
    R.ADD_OR_REMOVE_ONE: "add/remove",
    R.REPLACE_ONE: "replace-one",
    R.REPLACE_SPECIAL: "zero-out",
}


@pytest.mark.parametrize(("theirs", "ours"), RELATIONS.items())
def test_other_neighbours_have_their_own_epsilon(theirs, ours):
    made = ExactAccountant(theirs).compose(SAMPLED, 100)
    exact = verify.epsilon(0.01, 1.0, 100, 1e-5, relation=ours)
    assert made.get_epsilon(1e-5) == exact.to_double_up()


def test_batches_of_a_fixed_size_are_not_taken_for_poisson_sampled_ones():
    fixed = e.SampledWithoutReplacementDpEvent(1000, 10, GAUSSIAN)
    made = ExactAccountant()
    reason = refusal(verify.read_run(fixed))
    assert made.supports(fixed) == (not reason)
    if not reason:
        exact = verify.epsilon("0.01", 1.0, 100, 1e-5, sampling="fixed-size")
        assert made.compose(fixed, 100).get_epsilon(1e-5) == exact.to_double_up()
        assert made.get_epsilon(1e-5) > composed(SAMPLED, 100).get_epsilon(1e-5)


# -- truncated batches ---------------------------------------------------------------------

needs_truncated = pytest.mark.skipif(
    "TruncatedSubsampledGaussianDpEvent" not in HAS, reason="dp-accounting has it from 0.6.0 on"
)


def truncated(size, rate, limit, noise):
    return e.TruncatedSubsampledGaussianDpEvent(size, rate, limit, noise)


@needs_truncated
def test_truncated_batches_get_the_upper_end_of_the_bracket():
    """Above what batches without a limit cost, and here tighter than the bound of the PLD accountant."""
    patient = functools.partial(
        ExactAccountant, max_seconds=3600
    )  # else a busy machine gets a wider bracket
    found = composed(truncated(1000, 0.1, 120, 1.0), 50, patient).get_epsilon(1e-5)
    uncut = composed(e.PoissonSampledDpEvent(0.1, GAUSSIAN), 50).get_epsilon(1e-5)
    theirs = composed(truncated(1000, 0.1, 120, 1.0), 50, PLDAccountant).get_epsilon(1e-5)
    assert uncut < found <= theirs
    assert found == pytest.approx(
        8.3465319, rel=1e-6
    )  # sgm-verify epsilon --sampling truncated-poisson


@needs_truncated
@pytest.mark.parametrize("relation", [R.REPLACE_ONE, R.REPLACE_SPECIAL])
def test_truncated_batches_are_refused_for_other_neighbours_with_the_reason(relation):
    made = ExactAccountant(relation)
    assert not made.supports(truncated(1000, 0.1, 120, 1.0))
    assert not made.supports(truncated(1000, 0.1, 120, 0.001))  # whatever the noise
    with pytest.raises(dp.UnsupportedEventError, match="No bound is proved here"):
        made.compose(truncated(1000, 0.1, 120, 1.0))


@needs_truncated
@pytest.mark.parametrize("relation", list(R))
def test_a_limit_that_never_cuts_is_poisson_sampling(relation):
    event = e.PoissonSampledDpEvent(0.1, GAUSSIAN)
    made = ExactAccountant(relation).compose(truncated(1000, 0.1, 1000, 1.0), 9)
    assert made.run == ExactAccountant(relation).compose(event, 9).run


@needs_truncated
@pytest.mark.parametrize("nobody", [(1000, 0, 10), (1000, 0.1, 0), (0, 0.1, 10)])
def test_truncated_batches_of_nobody_release_nothing(nobody):
    assert composed(truncated(*nobody, 1.0)).get_epsilon(0) == 0


@needs_truncated
def test_truncated_batches_with_little_noise_have_an_upper_end():
    """So that a search may begin at noise 0; known batches, in which a record can take another's
    place, are the bound."""
    assert composed(truncated(1000, 0.1, 120, 0), 3).get_epsilon(1e-5) == math.inf
    found = composed(truncated(1000, 0.1, 120, 0.04), 4).get_epsilon(1e-5)
    assert found == composed(e.GaussianDpEvent(0.02), 4).get_epsilon(1e-5)


@needs_truncated
def test_truncated_batches_and_others_do_not_compose():
    with pytest.raises(dp.UnsupportedEventError):
        composed(truncated(1000, 0.1, 120, 1.0)).compose(SAMPLED)


@pytest.mark.parametrize(
    ("event", "message"),
    [
        (e.PoissonSampledDpEvent(1.5, GAUSSIAN), "Sampling rate"),
        (e.PoissonSampledDpEvent(-0.1, GAUSSIAN), "Sampling rate"),
        (e.GaussianDpEvent(-1), "Noise multiplier"),
        (e.GaussianDpEvent(math.nan), "noise_multiplier"),
        (e.SelfComposedDpEvent(GAUSSIAN, 0), "count"),
        (e.SelfComposedDpEvent(GAUSSIAN, 1.5), "count"),
        (e.SampledWithoutReplacementDpEvent(10, 11, GAUSSIAN), "sample_size"),
    ],
)
def test_bad_numbers_are_errors(event, message):
    with pytest.raises(ValueError, match=message):
        ExactAccountant().compose(event)


@pytest.mark.parametrize("count", [0, -1])
def test_a_count_below_one_is_an_error(count):
    with pytest.raises(ValueError, match="count"):
        ExactAccountant().compose(GAUSSIAN, count)


@pytest.mark.parametrize(
    "event",
    [
        e.PoissonSampledDpEvent(0, GAUSSIAN),
        e.PoissonSampledDpEvent(0, e.GaussianDpEvent(0)),
        e.PoissonSampledDpEvent(0.5, e.NoOpDpEvent()),
    ],
)
def test_a_sample_of_nobody_releases_nothing(event):
    made = composed(event)
    assert (made.get_epsilon(0), made.get_delta(0)) == (0, 0)


def event_of(noise):
    return e.SelfComposedDpEvent(e.PoissonSampledDpEvent(0.01, e.GaussianDpEvent(noise)), 1000)


def test_its_calibration_finds_the_noise_of_ours_from_no_noise_on():
    exact = verify.calibrate(epsilon=2, delta=1e-5, q=0.01, steps=1000).value
    found = dp.calibrate_dp_mechanism(ExactAccountant, event_of, 2.0, 1e-5, tol=1e-7)
    assert exact <= found <= exact + 1e-6
    assert composed(event_of(found)).get_epsilon(1e-5) <= 2.0
    assert found < dp.calibrate_dp_mechanism(RdpAccountant, event_of, 2.0, 1e-5)


def test_its_calibration_finds_the_number_of_steps():
    most = verify.calibrate(epsilon=2, delta=1e-5, q=0.01, sigma=1).value
    found = dp.calibrate_dp_mechanism(
        ExactAccountant,
        lambda n: e.SelfComposedDpEvent(SAMPLED, n),
        2.0,
        1e-5,
        dp.ExplicitBracketInterval(1, 5000),
        discrete=True,
    )
    assert found in (most - 1, most)


def test_more_noise_is_never_a_larger_epsilon_below_what_is_treated_exactly():
    """Where noise is too small for the exact routes the answer is an upper end, so the order is kept."""
    found = [composed(event_of(s)).get_epsilon(1e-5) for s in (0, 1e-9, 0.001, 0.04, 0.06, 0.5)]
    assert all(a >= b for a, b in itertools.pairwise(found))
    assert found[:2] == [math.inf, math.inf]
    assert found[2] < math.inf


def test_a_ledger_and_an_event_are_runs():
    made = composed(SAMPLED, 100)
    assert verify.read_run(made) == verify.read_run(made.ledger) == made.run
    theirs = composed(SAMPLED, 100, PLDAccountant)
    assert verify.read_run(theirs).epsilon(1e-5).to_double_up() == made.get_epsilon(1e-5)
    with pytest.raises(verify.OutOfDomain, match="Laplace"):
        verify.read_run(e.LaplaceDpEvent(1.0))
