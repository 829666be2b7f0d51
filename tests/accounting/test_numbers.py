"""The types of numbers that people pass: each is the number it holds, or refused in one sentence."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import verify
from verify.numbers.errors import OutOfDomain

HELD = Fraction(float(np.float32(0.01)))  # 0.00999999977648258
AS_FLOAT32 = verify.epsilon(HELD, 1, 1000, "1e-5", 10)


def same(a, b):
    return (a.lo, a.hi) == (b.lo, b.hi)


@pytest.mark.parametrize("sigma", [1, np.float32(1), np.int8(1), np.uint64(1), np.array(1.0)])
@pytest.mark.parametrize("steps", [1000, 1000.0, np.int64(1000), np.float32(1000), np.array(1000)])
def test_scalars_of_numpy_are_the_numbers_they_hold(sigma, steps):
    assert same(verify.epsilon(np.float32(0.01), sigma, steps, "1e-5", 10), AS_FLOAT32)


def test_a_float32_is_not_the_decimal_it_was_written_as():
    assert AS_FLOAT32.hi < verify.epsilon("0.01", 1, 1000, "1e-5", 10).lo


def test_delta_and_epsilon_may_be_float32():
    delta, epsilon = np.float32(1e-5), np.float32(1.1)
    exact = Fraction(float(delta)), Fraction(float(epsilon))
    run = "0.01", 1, 1000
    assert same(verify.epsilon(*run, delta, 10), verify.epsilon(*run, exact[0], 10))
    assert same(verify.delta(*run, epsilon, 10), verify.delta(*run, exact[1], 10))


def test_calibration_takes_them_too():
    target = {"epsilon": np.float32(2), "delta": np.float32(1e-5)}
    found = verify.calibrate(**target, q=np.float32(0.01), steps=np.int64(1000))
    exact = verify.calibrate(epsilon=2, delta=Fraction(float(np.float32(1e-5))), q=HELD, steps=1000)
    assert type(found.value) is float
    assert found.value == exact.value


def test_a_whole_number_of_steps_that_was_found_is_an_int():
    found = verify.calibrate(epsilon=np.float64(2), delta=1e-5, q=np.array(0.01), sigma=np.int64(1))
    assert type(found.value) is int


@pytest.mark.parametrize("name", ["epsilons", "deltas"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_curve_takes_arrays(name, dtype):
    given = np.array([0.5, 0.25], dtype=dtype)
    points = verify.privacy_curve("0.01", 1, 1000, digits=8, **{name: given})
    listed = verify.privacy_curve("0.01", 1, 1000, digits=8, **{name: [0.5, 0.25]})
    assert [str(point) for point in points] == [str(point) for point in listed]


def test_a_curve_of_an_empty_array_is_refused():
    with pytest.raises(OutOfDomain, match="either epsilons or deltas"):
        verify.privacy_curve("0.01", 1, 1000, epsilons=np.array([]))


@pytest.mark.parametrize("given", [1, 1.0, np.array(1.0), "1 2", None, {1: 2}, b"1"])
def test_a_curve_of_what_is_no_list_is_refused(given):
    with pytest.raises(OutOfDomain, match="epsilons: must be a list"):
        verify.privacy_curve("0.01", 1, 1000, epsilons=given)


def test_a_matrix_of_epsilons_is_refused():
    with pytest.raises(OutOfDomain, match="epsilon ="):
        verify.privacy_curve("0.01", 1, 1000, epsilons=np.ones((2, 2)))


def test_a_history_may_be_an_array():
    phases = [(0.01, 1, 500), (0.02, 2, 500)]
    found = verify.history_epsilon(np.array(phases), 1e-5, 10)
    assert same(found, verify.history_epsilon(phases, 1e-5, 10))


@pytest.mark.parametrize(
    "phases",
    [
        (0.01, 1, 500),
        [(0.01, 1)],
        [(0.01, 1, 5, 6)],
        ["abc"],
        [5],
    ],
)
def test_a_phase_that_is_no_triple_is_refused(phases):
    with pytest.raises(OutOfDomain, match="a phase has three numbers"):
        verify.history_epsilon(phases, 1e-5)


@pytest.mark.parametrize("phases", [None, 5, "abc", np.array(1.0)])
def test_a_history_that_is_no_list_is_refused(phases):
    with pytest.raises(OutOfDomain, match="phases: must be a list"):
        verify.history_epsilon(phases, 1e-5)


@pytest.mark.parametrize(
    "bad",
    [True, np.bool_(1), 1j, np.complex64(1), np.float32("nan"), np.datetime64("2020"), b"1", None,
     object()],
)  # fmt: skip
@pytest.mark.parametrize("name", ["q", "sigma", "steps", "delta"])
def test_what_is_no_number_is_refused_by_name(name, bad):
    given = {"q": "0.01", "sigma": 1, "steps": 10, "delta": "1e-5", name: bad}
    with pytest.raises(OutOfDomain, match=f"^{name} = "):
        verify.epsilon(**given)
