"""epsilon and delta for every sampling and relation: values known from elsewhere, limits, order, refusals."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest

import verify
from verify.accounting.pairs.notions import BY_EPOCHS, TABLE, TRUNCATED, Standing
from verify.accounting.pairs.run import Run
from verify.accounting.tight import Bracketed
from verify.numbers.errors import OutOfDomain, PrecisionExhausted


def near(found, expected, relative=1e-9):
    """Whether an interval lies within that distance of a number that was computed elsewhere."""
    expected = Fraction(expected)
    return max(abs(found.lo - expected), abs(found.hi - expected)) <= Fraction(relative) * expected


@pytest.mark.parametrize(
    ("run", "epsilon", "expected"),
    [
        # sums over outcomes and nested quadrature, without transforms
        (
            {"q": "0.01", "sigma": 1, "steps": 3, "relation": "replace-one"},
            "0.5",
            "7.871083078741e-7",
        ),
        ({"q": "0.2", "sigma": 1, "steps": 2, "relation": "replace-one"}, 1, ".01629834733975"),
        ({"sigma": 2, "steps": 2, "epochs": 2, "sampling": "allocation"}, "0.5", ".05716522975637"),
    ],
)
def test_values_of_another_method(run, epsilon, expected):
    assert near(Run.of(**run).delta(epsilon, 12), expected, 1e-10)


def test_zero_out_under_poisson_is_the_pair_of_add_remove():
    one = verify.epsilon("0.01", 1, 100, "1e-5", 12)
    other = verify.epsilon("0.01", 1, 100, "1e-5", 12, relation="zero-out")
    assert (one.lo, one.hi) == (other.lo, other.hi)


def test_fixed_size_add_remove_is_poisson_with_half_the_noise():
    one = verify.epsilon("0.01", 2, 100, "1e-5", 12, sampling="fixed-size")
    other = verify.epsilon("0.01", 1, 100, "1e-5", 12)
    assert (one.lo, one.hi) == (other.lo, other.hi)


def test_one_batch_an_epoch_is_the_gaussian():
    one = verify.epsilon(None, 3, 1, "1e-5", 12, sampling="allocation", epochs=7)
    other = verify.epsilon(1, 3, 7, "1e-5", 12)
    assert one.lo <= other.hi
    assert other.lo <= one.hi


def test_a_known_batch_that_is_replaced_moves_by_two():
    one = verify.epsilon(
        None, 4, 50, "1e-5", 12, sampling="sequential", relation="replace-one", epochs=3
    )
    other = verify.epsilon(1, 2, 3, "1e-5", 12)
    assert one.lo <= other.hi
    assert other.lo <= one.hi


def test_the_issue_of_a_shuffled_loader():
    """20 epochs of batches of 512 from 50,000, noise 0.9: the Poisson number 3.28 is not valid."""
    run = Run.of_loader(records=50_000, batch=512, epochs=20, sigma="0.9", sampling="shuffle")
    found = run.epsilon("1e-5", 6)
    assert isinstance(found, Bracketed)
    assert "shuffled epochs" in found.why
    poisson = Run.of_loader(records=50_000, batch=512, epochs=20, sigma="0.9", sampling="poisson")
    assert found.lo > 7 * poisson.epsilon("1e-5", 6).hi


def test_a_fixed_size_run_that_a_library_understates():
    """dp-accounting 0.6.0 by RDP reports 1.4825 for this run."""
    found = verify.epsilon("0.01", 1, 100, "1e-5", 6, sampling="fixed-size", relation="replace-one")
    assert found.lo > Fraction("6.4762")


@pytest.mark.parametrize("relation", ["add/remove", "replace-one"])
def test_groups_grow(relation):
    found = [
        verify.epsilon("0.01", 2, 50, "1e-5", 8, relation=relation, group=k) for k in (1, 2, 5)
    ]
    assert found[0].hi < found[1].lo
    assert found[1].hi < found[2].lo


def test_replacing_costs_more_than_removing():
    for steps in (1, 2, 50):
        one = verify.delta("0.1", 2, steps, "0.1", 8, relation="replace-one")
        assert one.lo > verify.delta("0.1", 2, steps, "0.1", 8).hi


def test_phases_of_different_samplings_compose():
    """More than either alone, less than both deltas and epsilons added up."""
    poisson = {"q": "0.01", "sigma": 1, "steps": 300}
    allocated = {"sigma": 1, "steps": 100, "epochs": 3, "sampling": "allocation"}
    both = verify.history_epsilon([poisson, allocated], "1e-5", 8)
    alone = [verify.history_epsilon([row], "1e-5", 8) for row in (poisson, allocated)]
    halves = [verify.history_epsilon([row], "5e-6", 8) for row in (poisson, allocated)]
    assert both.lo > max(x.hi for x in alone)
    assert both.hi < sum(x.lo for x in halves)


def test_phases_that_nobody_can_compose_are_refused():
    rows = [
        {"q": "0.01", "sigma": 1, "steps": 300},
        {"sigma": 1, "steps": 100, "sampling": "shuffle"},
    ]
    with pytest.raises(OutOfDomain, match="do not compose for replace-one"):
        verify.history_epsilon(rows, "1e-5", relation="replace-one")


def test_a_single_direction_of_a_replacement_is_refused():
    with pytest.raises(OutOfDomain, match="direction = remove"):
        verify.epsilon("0.01", 1, 10, "1e-5", relation="replace-one", direction="remove")


def small(sampling):
    """A small run of any sampling."""
    if sampling in BY_EPOCHS:
        return {"sigma": 2, "steps": 10, "epochs": 2}
    cut = {"records": 100, "limit": 20} if sampling == TRUNCATED else {}
    return {"q": "0.1", "sigma": 2, "steps": 20, **cut}


@pytest.mark.parametrize("pair", TABLE, ids=lambda pair: " ".join(pair))
def test_every_pair_of_words_is_answered_or_refused(pair):
    """An exact answer has its digits, a bracket has both ends and a reason, a refusal its sentence."""
    sampling, relation = pair
    standing = TABLE[pair].standing

    def ask():
        return Run.of(**small(sampling), sampling=sampling, relation=relation).epsilon("1e-5", 6)

    if standing is Standing.REFUSED:
        with pytest.raises(OutOfDomain):
            ask()
        return
    found = ask()
    assert 0 < found.lo <= found.hi < 1000
    if standing is Standing.EXACT:
        assert found.certain_digits() >= 6
    else:
        assert found.why == TABLE[pair].why


@pytest.mark.parametrize(
    "pair",
    [p for p in TABLE if TABLE[p].standing is not Standing.REFUSED],
    ids=lambda pair: " ".join(pair),
)
def test_epsilon_and_delta_are_one_curve(pair):
    """delta at the lower end of epsilon is at least, at the upper end at most, the delta that was asked for."""
    sampling, relation = pair
    run = Run.of(**small(sampling), sampling=sampling, relation=relation)
    found = run.epsilon("1e-5", 6)
    assert run.delta(found.lo, 6).hi >= Fraction("1e-5") * Fraction("0.9999")
    assert run.delta(found.hi, 6).lo <= Fraction("1e-5") * Fraction("1.0001")


@pytest.mark.parametrize(
    "pair",
    [p for p in TABLE if TABLE[p].standing is Standing.EXACT],
    ids=lambda pair: " ".join(pair),
)
def test_no_epsilon_by_way_of_renyi_is_below_the_exact_one(pair):
    """Else the divergences are those of another pair: a new sampling needs a line of its own in ``renyi``."""
    sampling, relation = pair
    given = {**small(sampling), "sampling": sampling, "relation": relation}
    q, sigma, steps = given.pop("q", None), given.pop("sigma"), given.pop("steps")
    converted = [
        float(verify.rdp(q, sigma, order, steps=steps, digits=10, **given))
        + math.log(1e5) / (order - 1)
        for order in (2, 3, 4, 5, 6, 8, 10, 12, 16, 20)
    ]
    exact = Run.of(q=q, sigma=sigma, steps=steps, **given).epsilon("1e-5", 6)
    assert exact.lo < min(converted) < 3 * exact.hi


def test_more_noise_is_less_epsilon_at_both_ends():
    for sampling, relation in (("shuffle", "replace-one"), ("fixed-size", "zero-out")):
        runs = [
            Run.of(**{**small(sampling), "sigma": sigma}, sampling=sampling, relation=relation)
            for sigma in (1, 2)
        ]
        much, little = (run.epsilon("1e-5", 6) for run in runs)
        assert little.lo < much.lo
        assert little.hi < much.hi


def test_lists_and_arrays_go_where_numbers_go():
    found = verify.epsilon("0.01", [1, 2], 100, "1e-5", 6)
    assert [str(x) for x in found] == [
        str(verify.epsilon("0.01", sigma, 100, "1e-5", 6)) for sigma in (1, 2)
    ]


def test_lists_of_different_lengths_are_refused():
    with pytest.raises(OutOfDomain, match="do not go together"):
        verify.epsilon(["0.01"], [1, 2], 100, "1e-5", 6)


def test_less_noise_an_epoch_than_allocation_is_computed_for_has_an_answer():
    """886 epochs of one shuffle: the noise of the mean is 0.042 of the step; the event of the largest output serves."""
    given = {"sampling": "shuffle-once", "relation": "replace-one", "epochs": 886}
    found = verify.epsilon(None, "2.5", 79, "8e-7", 8, **given)
    assert 392.5 < found.lo < found.hi < 396.87


def test_zero_out_with_shuffled_batches_is_not_below_allocation():
    """All others zero: both loops have the same outputs. With much noise the event of the largest output is weaker."""
    given = {"relation": "zero-out", "epochs": 200}
    shuffled = verify.epsilon(None, "2.5", 78, "8e-7", 8, sampling="shuffle", **given)
    allocated = verify.epsilon(None, "2.5", 78, "8e-7", 8, sampling="allocation", **given)
    assert shuffled.lo > allocated.lo * (1 - Fraction(1, 10**6))


@pytest.mark.parametrize("what", ["epsilon", "delta"])
@pytest.mark.parametrize("wrong", [{"batch": 512}, {"drop_last": True}])
def test_a_loader_given_to_a_function_of_a_rate_is_shown_the_way(
    what: str, wrong: dict[str, Any]
) -> None:
    """Also beside q and steps: one or the other."""
    asked: dict[str, Any] = {"q": "0.01", "sigma": 1, "steps": 10, "delta": "1e-5", "epsilon": 1}
    del asked[what]
    for given in (asked, {"records": 50_000, "epochs": 20, "sigma": 1}):
        with pytest.raises(
            TypeError, match=rf"no {next(iter(wrong))}: .*verify.Run.of_loader\(.*\).{what}\("
        ):
            getattr(verify, what)(**given, **wrong)


SHUFFLED = {"sampling": "shuffle", "epochs": 2}


def test_without_a_relation_a_shuffled_record_is_replaced():
    said = verify.epsilon(None, 2, 10, "1e-5", relation="replace-one", **SHUFFLED)
    assert str(verify.epsilon(None, 2, 10, "1e-5", **SHUFFLED)) == str(said)


def test_without_a_relation_a_history_has_one_that_all_its_phases_define():
    rows = [{"sigma": 2, "steps": 10, "sampling": name} for name in ("allocation", "shuffle")]
    assert Run.of_rows(rows[:1]).relation == "add/remove"
    assert Run.of_rows(rows).relation == "replace-one"


def test_a_bracket_is_published_by_its_upper_end():
    found = verify.epsilon(None, 2, 10, "1e-5", **SHUFFLED)
    assert repr(found).startswith("Bracketed([")
    assert Fraction(found.to_double_up()) >= found.hi > found.lo
    assert found.to_double_up().hex() == found.as_json()["double_up"]


@pytest.mark.parametrize("rounding", [float, round, "{:.3f}".format])
def test_a_bracket_is_no_number_to_be_rounded(rounding):
    found = verify.epsilon(None, 2, 10, "1e-5", **SHUFFLED)
    with pytest.raises(PrecisionExhausted, match=r"a bracket from .* is not one number"):
        rounding(found)
