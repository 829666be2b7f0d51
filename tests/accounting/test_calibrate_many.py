"""Calibration of many runs at once: the lists and arrays of ``verify.epsilon``, row by row."""

from __future__ import annotations

import numpy as np
import pytest

import verify
from verify.numbers.errors import OutOfDomain

FULL = {"delta": "1e-5", "q": 1}  # the Gaussian mechanism: quick


def sigma(epsilon, steps):
    return verify.calibrate(epsilon=epsilon, steps=steps, **FULL).value


def test_a_list_gives_a_list_of_what_each_number_gives():
    found = verify.calibrate(epsilon=[1, 2], steps=10, **FULL)
    assert type(found) is list
    assert [one.value for one in found] == [sigma(1, 10), sigma(2, 10)]


def test_two_lists_go_together_row_by_row():
    found = verify.calibrate(epsilon=(1, 2), steps=[10, 20], **FULL)
    assert [one.value for one in found] == [sigma(1, 10), sigma(2, 20)]


def test_arrays_are_broadcast():
    found = verify.calibrate(epsilon=np.array([[1.0], [2.0]]), steps=np.array([10, 20]), **FULL)
    assert isinstance(found, np.ndarray)
    assert [[one.value for one in row] for row in found] == [
        [sigma(1, 10), sigma(1, 20)],
        [sigma(2, 10), sigma(2, 20)],
    ]


def test_every_number_of_a_list_meets_its_own_target_and_its_neighbour_does_not():
    for epsilon, one in zip(
        [1, 2], verify.calibrate(epsilon=[1, 2], steps=10, **FULL), strict=True
    ):
        assert verify.delta(1, one.value, 10, epsilon) <= 1e-5
        assert verify.delta(1, np.nextafter(one.value, 0), 10, epsilon) > 1e-5


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("epsilon", {"epsilon": [2, 2], "delta": "1e-5", "q": 1, "sigma": 9}),
        ("delta", {"epsilon": 2, "delta": ["1e-5"] * 2, "q": 1, "sigma": 9}),
        ("q", {"epsilon": 2, "delta": "1e-5", "q": [1, 1], "sigma": 9}),
        ("sigma", {"epsilon": 2, "delta": "1e-5", "q": 1, "sigma": [9, 9]}),
        ("steps", {"epsilon": 2, "delta": "1e-5", "q": 1, "steps": [9, 9]}),
    ],
)
def test_each_parameter_may_be_a_list(name, given):
    alone = verify.calibrate(**{**given, name: given[name][0]})
    assert [one.value for one in verify.calibrate(**given)] == [alone.value] * 2


def test_epochs_may_be_a_list():
    given = {"epsilon": 8, "delta": "1e-5", "steps": 100, "sampling": "sequential"}
    found = verify.calibrate(**given, epochs=[1, 2])
    assert [one.value for one in found] == [
        verify.calibrate(**given, epochs=epochs).value for epochs in (1, 2)
    ]


def test_a_list_beside_an_array_keeps_its_numbers():
    """numpy would make texts or doubles of them, and the float32 next to 0.1 is another number than "0.1"."""
    short = np.float32(0.1)
    found = verify.calibrate(epsilon=["0.1", short], steps=np.array([10, 10]), **FULL)
    assert [one.value for one in found] == [sigma("0.1", 10), sigma(short, 10)]
    assert found[0].value != found[1].value


def test_no_numbers_give_no_numbers():
    assert verify.calibrate(epsilon=[], steps=10, **FULL) == []


@pytest.mark.parametrize(
    ("kind", "said"), [(list, r"lists of \[2, 3\] numbers do not go"), (np.array, "shape mismatch")]
)
def test_lengths_that_do_not_fit_are_refused_as_those_of_epsilon_are(kind, said):
    two, three = kind([1, 2]), kind([10, 20, 30])
    with pytest.raises(OutOfDomain, match=f"^q, sigma, steps, delta: {said}"):
        verify.epsilon(1, two, three, "1e-5")
    with pytest.raises(
        OutOfDomain, match=f"^epsilon, delta, q, sigma, steps, epochs, records, batch: {said}"
    ):
        verify.calibrate(epsilon=two, steps=three, **FULL)


def test_a_bad_number_in_a_list_is_named():
    with pytest.raises(OutOfDomain, match=r"^epsilon = "):
        verify.calibrate(epsilon=[1, "x"], steps=10, **FULL)


def test_nothing_left_out_is_refused_for_lists_too():
    with pytest.raises(OutOfDomain, match="leave out one of"):
        verify.calibrate(epsilon=[1, 2], steps=10, sigma=1, **FULL)


def test_a_loader_is_counted_as_the_command_line_counts_it():
    loader = {"records": 1000, "batch": 300, "epsilon": 2, "delta": "1e-5"}
    steps = [4 * 3, 3 * 3]  # with the smaller last batch, and without it
    for drop_last, count in zip((False, True), steps, strict=True):
        found = verify.calibrate(epochs=3, drop_last=drop_last, **loader)
        assert found.value == verify.calibrate(epsilon=2, delta="1e-5", q="0.3", steps=count).value
    by_epochs = verify.calibrate(
        sigma=[4, 5],
        batch=250,
        sampling="shuffle",
        **{k: v for k, v in loader.items() if k != "batch"},
    )
    same = verify.calibrate(epsilon=2, delta="1e-5", sigma=[4, 5], steps=4, sampling="shuffle")
    assert [one.value for one in by_epochs] == [one.value for one in same]


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"records": 100, "epochs": 1}, "go together"),
        ({"drop_last": True, "epochs": 1}, "go together"),
        ({"records": 100, "batch": 10}, "leave out sigma or epochs"),
        ({"records": 100, "batch": 10, "epochs": 1, "q": "0.1"}, "exclude q and steps"),
        ({"records": 100, "batch": 30, "epochs": 1, "sampling": "shuffle"}, "smaller last batch"),
    ],
)
def test_a_loader_that_is_not_whole_is_an_error(given, says):
    with pytest.raises(OutOfDomain, match=says):
        verify.calibrate(epsilon=2, delta="1e-5", **given)
