"""A certified number in a notebook: shown, formatted, compared, added, in arrays."""

from __future__ import annotations

import math
import pickle
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import verify
from verify.numbers.certified import Certified
from verify.numbers.errors import OutOfDomain, PrecisionExhausted
from verify.numbers.typeset import format_number

EPSILON = verify.rdp("0.01", "1.1", "8.5")  # 0.00062984010190879231538...
NEAR_A_THIRD = Certified(Fraction(333, 1000), Fraction(3334, 10000))
RATIONALS = st.fractions(min_value=-(10**6), max_value=10**6, max_denominator=10**12)


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (
            EPSILON,
            f"Certified(0.00062984010190879232…, {EPSILON.certain_digits(999)} digits certain)",
        ),
        (NEAR_A_THIRD, "Certified(0.333, 3 digits certain)"),
        (Certified.exactly(Fraction(3, 8)), "Certified(0.375, exact)"),
        (Certified.exactly(Fraction(1, 3)), "Certified(0.33333333333333333…, exact)"),
        (Certified.exactly(math.inf), "Certified(inf)"),
        (Certified(Fraction(-1), Fraction(1)), "Certified([-1.00, 1.00])"),
    ],
)
def test_repr_is_short_and_has_certain_digits(number, shown):
    assert repr(number) == shown


@given(RATIONALS, st.integers(1, 40))
def test_digits_shown_in_short_are_those_of_both_ends(x, power):
    width = abs(x) / 10**power + Fraction(1, 10**50)
    number = Certified(x, x + width)
    text = repr(number).removeprefix("Certified(").partition(",")[0].replace("…", "")
    if "[" not in text and "exact" not in repr(number):
        half = Fraction(10) ** Decimal(text).as_tuple().exponent / 2
        assert abs(Fraction(text) - number.lo) <= half
        assert abs(Fraction(text) - number.hi) <= half


def test_a_notebook_shows_a_formula():
    assert EPSILON._repr_latex_() == r"$0.00062984010190879232\ldots$"
    tiny = EPSILON / 10**9
    assert tiny._repr_latex_() == r"$6.2984010190879232\ldots \times 10^{-13}$"
    assert Certified.exactly(math.inf)._repr_latex_() == r"$\infty$"


@given(
    st.floats(allow_nan=False, allow_infinity=False, min_value=-1e15, max_value=1e15),
    st.sampled_from(["", "+", " ", ">14", "<14", "^14", "014", "=+14", "*^20", ",", "14_"]),
    st.sampled_from(["", ".0", ".1", ".3", ".10", ".25"]),
    st.sampled_from("eEfFgG"),  # of % Python rounds the product with 100 first
)
def test_a_double_is_formatted_as_python_does(x, front, precision, kind):
    spec = f"{front}{precision}{kind}"
    assert format_number(Fraction(x), spec) == format(x or 0.0, spec)  # no exact zero is negative


def test_formatting_gives_digits_of_the_number_not_of_its_double():
    assert f"{EPSILON:.30f}" == "0.000629840101908792315380045549"
    assert f"{EPSILON:.3e}" == "6.298e-04"
    assert f"{EPSILON:>12.2%}" == "       0.06%"


def test_formatting_asks_for_more_digits():
    few = verify.rdp("0.01", "1.1", "8.5", digits=3)
    assert f"{few:.60f}" == f"{verify.rdp('0.01', '1.1', '8.5', digits=80):.60f}"


def test_formatting_what_is_not_known_is_an_error():
    assert f"{NEAR_A_THIRD:.2f}" == "0.33"
    with pytest.raises(PrecisionExhausted):
        f"{NEAR_A_THIRD:.4f}"


def test_a_bad_specification_is_an_error():
    with pytest.raises(ValueError, match="invalid format"):
        f"{EPSILON:abc.3f}"


def test_comparison_is_decided_by_more_digits():
    few = verify.rdp("0.01", "1.1", "8.5", digits=3)
    close = Fraction("0.00062984010190879231538004554912525")
    assert close < few < close + Fraction(1, 10**33)
    assert few > close
    assert few >= close
    assert not few <= close
    assert few != close


@pytest.mark.parametrize("other", [Fraction(1, 3), Certified.exactly(Fraction(1, 3)), NEAR_A_THIRD])
@pytest.mark.parametrize("relation", ["__lt__", "__le__", "__gt__", "__ge__"])
def test_comparison_refuses_when_undecided(relation, other):
    with pytest.raises(PrecisionExhausted, match="told apart"):
        getattr(NEAR_A_THIRD, relation)(other)


def test_a_number_is_never_told_apart_from_itself():
    with pytest.raises(PrecisionExhausted):
        _ = verify.rdp("0.01", "1.1", "8.5") > EPSILON


@pytest.mark.parametrize("other", [Fraction(1, 3), 0.3331])
def test_equality_with_a_number_refuses_when_undecided(other):
    with pytest.raises(PrecisionExhausted):
        _ = other == NEAR_A_THIRD


def test_ends_that_touch_decide_what_they_can():
    half = Certified(Fraction(1, 4), Fraction(1, 2))
    assert half <= 0.5
    with pytest.raises(PrecisionExhausted):
        _ = half < 0.5
    assert not half > 0.5


def test_exact_numbers_are_equal_to_themselves_and_hash_alike():
    half = Certified.exactly(Fraction(1, 2))
    assert half == 0.5 == half
    assert hash(half) == hash(0.5)
    assert {half: 1}[0.5] == 1


def test_it_is_no_text_and_no_truth_value():
    assert EPSILON != "0.000629"
    assert EPSILON is not None
    for wrong in ("1", True, None, math.nan):
        with pytest.raises(TypeError):
            _ = EPSILON + wrong
        with pytest.raises(TypeError):
            _ = wrong > EPSILON


@given(RATIONALS, RATIONALS.filter(bool))
def test_arithmetic_is_that_of_the_ends(x, y):
    interval = Certified(x, x + Fraction(1, 7))
    for made, end in [
        (interval + y, x + y), (y + interval, x + y), (interval - y, x - y),
        (y - interval, y - x), (interval * y, x * y), (y * interval, x * y), (interval / y, x / y),
        (-interval, -x),
    ]:  # fmt: skip
        assert end in (made.lo, made.hi)
        assert made.hi - made.lo in (
            Fraction(1, 7),
            Fraction(1, 7) * abs(y),
            Fraction(1, 7) / abs(y),
        )


def test_a_float_is_the_binary_number_it_is():
    assert (Certified.exactly(Fraction(1)) * 0.1).lo == Fraction(0.1) != Fraction(1, 10)
    assert (Certified.exactly(Fraction(1)) * Decimal("0.1")).lo == Fraction(1, 10)


def test_a_sum_of_steps_is_rounded_correctly():
    total = 1000 * EPSILON + verify.rdp("0.02", 2, "8.5")
    more = 1000 * verify.rdp("0.01", "1.1", "8.5", digits=90) + verify.rdp(
        "0.02", 2, "8.5", digits=90
    )
    assert total.to_double() == more.to_double()
    assert total.refine(90, verify.numbers.budget.Deadline()).lo_str(80) == more.lo_str(80)


def test_products_of_two_intervals_are_not_meant():
    with pytest.raises(TypeError):
        EPSILON * EPSILON
    with pytest.raises(TypeError):
        1 / EPSILON


def test_infinity_keeps_its_rules():
    infinite = Certified.exactly(math.inf)
    assert infinite + 1 == math.inf == 2 * infinite
    assert infinite > 10**400
    with pytest.raises(OutOfDomain):
        infinite - infinite
    with pytest.raises(TypeError):
        0 * infinite


def test_what_was_computed_can_be_pickled():
    total = pickle.loads(pickle.dumps(3 * EPSILON + 1))
    assert f"{total:.70f}" == f"{3 * EPSILON + 1:.70f}"


def test_arrays_in_and_out():
    found = verify.rdp(np.array([0.01, 0.02]), 1.1, np.array([[2.0], [4.0]]))
    assert found.shape == (2, 2)
    doubles = found.astype(float)
    assert doubles.dtype == np.float64
    assert doubles[1, 0] == verify.rdp(0.01, 1.1, 4).to_double()
    assert np.array([EPSILON, 2 * EPSILON], dtype=float).tolist() == [
        float(EPSILON),
        float(2 * EPSILON),
    ]
    assert float((found * 1000)[0, 0]) == float(1000 * found[0, 0])
    assert (found < 1).all()
    assert float(np.float64(2) * EPSILON) == float(2 * EPSILON)


def test_help_teaches():
    for thing in (verify, Certified, verify.rdp, verify.epsilon, verify.calibrate):
        assert ">>>" in thing.__doc__


@pytest.mark.parametrize(
    ("value", "places", "expected"),
    [(Fraction(15678, 10000), 2, 1.57), (Fraction(15678, 10), -2, 1600.0), (math.inf, 2, math.inf)],
)
def test_round_is_that_of_the_number(value, places, expected):
    assert round(Certified.exactly(value), places) == expected
    assert type(round(Certified.exactly(Fraction(7, 4)))) is int


def test_abs_is_certain_of_its_sign():
    assert abs(Certified.exactly(Fraction(-2, 3))) == abs(Certified.exactly(Fraction(2, 3)))
