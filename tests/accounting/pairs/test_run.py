"""A run of any sampling: what is accepted, joined, counted and refused."""

from __future__ import annotations

from fractions import Fraction

import pytest

from verify.accounting.pairs.notions import Standing
from verify.accounting.pairs.run import Run, of_loader, stage
from verify.numbers.errors import OutOfDomain


def test_equal_stages_are_joined():
    run = Run.of_rows([("0.01", 1, 100), ("0.01", 1, 50)])
    assert [s.steps for s in run.stages] == [150]


def test_epochs_of_equal_stages_are_joined():
    row = {"sigma": 1, "steps": 10, "epochs": 3, "sampling": "allocation"}
    assert [s.epochs for s in Run.of_rows([row, row]).stages] == [6]


def test_two_shuffles_that_are_kept_stay_apart():
    row = {"sigma": 1, "steps": 10, "epochs": 3, "sampling": "shuffle-once"}
    assert len(Run.of_rows([row, row], "replace-one").stages) == 2


def test_a_stage_that_samples_nobody_is_dropped():
    assert Run.of_rows([(0, 1, 100)]).stages == ()


def test_a_loader_makes_a_last_small_batch():
    one = of_loader(records=50_000, batch=512, epochs=20, sigma=1, sampling="poisson")
    assert (one.q, one.steps) == (Fraction(512, 50_000), 98 * 20)


def test_a_loader_may_drop_the_last_batch():
    one = of_loader(
        records=50_000, batch=512, epochs=20, sigma=1, sampling="poisson", drop_last=True
    )
    assert one.steps == 97 * 20


def test_records_of_the_small_batch_are_idle_in_the_others():
    one = of_loader(records=50_000, batch=512, epochs=20, sigma=1, sampling="shuffle")
    assert (one.steps, one.idle, one.small) == (97, Fraction(336, 50_000), True)


def test_batches_that_divide_the_records_leave_nobody_idle():
    one = of_loader(records=1000, batch=10, epochs=2, sigma=1, sampling="shuffle")
    assert (one.steps, one.epochs, one.idle) == (100, 2, 0)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"sigma": 1, "steps": 10}, "needs a rate q"),
        ({"q": "0.1", "sigma": 1, "steps": 10, "sampling": "shuffle"}, "has no rate"),
        ({"q": "0.1", "sigma": 1, "steps": 10, "epochs": 2}, "epochs must be 1"),
        ({"q": "0.1", "steps": 10}, "sigma = None"),
        ({"q": "0.1", "sigma": 1, "steps": 10, "rate": 2}, "a phase has no rate"),
        ({"q": "0.1", "sigma": 1, "steps": 10, "limit": 2}, "belong to truncated-poisson"),
        ({"q": "0.1", "sigma": 1, "steps": 10, "sampling": "truncated-poisson"}, "needs records"),
        ({"sigma": 1, "steps": 10, "epochs": 0, "sampling": "allocation"}, "epochs = 0"),
        ({"sigma": 1, "steps": 2.5, "sampling": "allocation"}, "steps = 2.5"),
        (("0.1", 1), "three numbers"),
        ("0.1", "three numbers"),
    ],
)
def test_a_bad_row_is_one_clear_error(row, words):
    with pytest.raises(OutOfDomain, match=words):
        Run.of_rows([row])


def test_no_sampling_is_not_taken_for_poisson():
    with pytest.raises(OutOfDomain, match="sampling = None: must be one of"):
        Run.of(q="0.1", sigma=1, steps=10, sampling=None)


def test_the_bad_one_of_several_phases_is_named():
    with pytest.raises(OutOfDomain, match="phase 2: q = 2"):
        Run.of_rows([("0.1", 1, 10), (2, 1, 10)])


@pytest.mark.parametrize("group", [0, -1, 65, "1.5", "many"])
def test_a_group_is_a_small_whole_number(group):
    with pytest.raises(OutOfDomain, match="group"):
        Run.of(q="0.1", sigma=1, steps=1, group=group)


def test_groups_are_refused_beyond_poisson():
    with pytest.raises(OutOfDomain, match="poisson sampling only"):
        Run.of(sigma=1, steps=10, sampling="allocation", group=2)


def test_a_batch_of_all_records_cannot_lose_one():
    with pytest.raises(OutOfDomain, match="cannot be drawn from n - 1"):
        Run.of(q=1, sigma=1, steps=10, sampling="fixed-size")


@pytest.mark.parametrize(
    ("sampling", "relation", "steps", "standing"),
    [
        ("fixed-size", "add/remove", 10, Standing.EXACT),
        ("fixed-size", "replace-one", 1, Standing.EXACT),
        ("fixed-size", "replace-one", 10, Standing.BRACKET),
        ("fixed-size", "zero-out", 1, Standing.EXACT),
        ("poisson", "zero-out", 10, Standing.EXACT),
    ],
)
def test_what_an_answer_is(sampling, relation, steps, standing):
    run = Run.of(q="0.1", sigma=1, steps=steps, sampling=sampling, relation=relation)
    assert run.standing is standing
    assert bool(run.why) == (standing is Standing.BRACKET)


def test_a_limit_is_not_above_the_records():
    with pytest.raises(OutOfDomain, match="limit = 20"):
        stage(1, 10, "0.1", "truncated-poisson", records=10, limit=20)
