"""Parameters are exact, or refused with one clear error."""

from __future__ import annotations

import contextlib
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import verify
from verify.numbers.errors import OutOfDomain
from verify.numbers.point import Point, exact, exact_text, shown


@pytest.mark.parametrize(
    ("given_as", "means"),
    [
        (0.1, Fraction(*(0.1).as_integer_ratio())),
        ("0.1", Fraction(1, 10)),
        (".5", Fraction(1, 2)),
        ("5.e-1", Fraction(1, 2)),
        ("1/3", Fraction(1, 3)),
        (" 1e-12 ", Fraction(1, 10**12)),
        ("0x1.8p-3", Fraction(3, 16)),
        ("0xA", Fraction(10)),
        (Decimal("0.1"), Fraction(1, 10)),
        (Fraction(2, 7), Fraction(2, 7)),
        (3, Fraction(3)),
        (np.float32(0.1), Fraction(float(np.float32(0.1)))),
        (np.float64(0.1), Fraction(0.1)),
        (np.int64(3), Fraction(3)),
        (np.longdouble("0.5"), Fraction(1, 2)),
    ],
)
def test_number_means_exactly_what_is_written(given_as, means):
    assert Point.of(0, given_as, 2).sigma == means


@pytest.mark.parametrize(
    "infinite", [float("inf"), "inf", "Infinity", Decimal("inf"), np.float64("inf")]
)
def test_order_may_be_infinite(infinite):
    assert Point.of(0.5, 1, infinite).alpha is None


class Hostile:
    def __str__(self):
        raise RuntimeError("no")

    __repr__ = __str__


NONSENSE = [
    float("nan"), "nan", True, False, None, "", " ", ".", "e5", "1e", "0x", "1_000", "١", "1/0", "--1",
    "1e999999999", "1e-999999999", "9" * 5000, 10**6000, 1j, complex(0.5), [0.5], (1,), {"q": 1}, b"1",
    np.array([0.5, 0.5]), np.bool_(True), np.complex128(1), Decimal("nan"), Decimal("1e999999"),
    Hostile(), object(), "0.5; rm", "\x00", "1e+9999", "sNaN",
]  # fmt: skip


@pytest.mark.parametrize("name", ["q", "sigma", "alpha"])
@pytest.mark.parametrize("value", NONSENSE, ids=lambda v: type(v).__name__)
def test_nonsense_is_refused_with_the_parameters_name(name, value):
    arguments = {"q": 0.5, "sigma": 1, "alpha": 2, name: value}
    with pytest.raises(OutOfDomain, match=f"^{name} = .*must be") as caught:
        Point.of(**arguments)
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize(
    ("q", "sigma", "alpha", "name"),
    [(-0.1, 1, 2, "q"), (1.1, 1, 2, "q"), ("inf", 1, 2, "q"), (0.5, 0, 2, "sigma"), (0.5, -1, 2, "sigma"),
     (0.5, "inf", 2, "sigma"), (0.5, 1, 0.999, "alpha"), (0.5, 1, "-inf", "alpha"), (0.5, 1, -3, "alpha")],
)  # fmt: skip
def test_outside_the_domain_is_refused(q, sigma, alpha, name):
    with pytest.raises(OutOfDomain, match=f"^{name} = "):
        verify.rdp(q, sigma, alpha)


@given(st.text(max_size=30))
def test_any_text_is_a_number_or_out_of_domain(text):
    with contextlib.suppress(OutOfDomain):
        Point.of(text, text, text)


@given(st.floats(min_value=1, allow_nan=False, allow_infinity=False))
def test_float_keeps_its_binary_value(x):
    assert Point.of(0, x, x).alpha == Fraction(x)


def test_decimal_and_float_differ():
    assert Point.of("0.1", 1, 2) != Point.of(0.1, 1, 2)


@given(st.fractions(Fraction(1, 10**6), Fraction(10**6)))
def test_shown_is_near(x):
    text = shown(x)
    assert abs(Fraction(text) - x) <= x / 10**10


@pytest.mark.parametrize("text", ["1e-999999999", "0x1p-99999", "0." + "1" * 5000])
def test_a_number_out_of_proportion_is_not_called_none(text):
    with pytest.raises(
        OutOfDomain, match="of at most 4000 characters, with an exponent up to 4000"
    ):
        Point.of(text, 1, 2)


def test_the_text_of_a_negative_fraction_reads_back():
    assert exact_text(Fraction(-1, 20)) == "-0.05"
    assert exact("x", exact_text(Fraction(-3, 2**20)), "a number") == Fraction(-3, 2**20)
