"""What may be read off an interval."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import verify
from verify.numbers.budget import Deadline
from verify.numbers.certified import Certified, Enclosure, double_above, nearest_double
from verify.numbers.errors import BudgetExceeded, PrecisionExhausted

rationals = st.builds(
    lambda n, d, e: Fraction(n, d) * Fraction(10) ** e,
    st.integers(-(10**30), 10**30), st.integers(1, 10**30), st.integers(-330, 330),
)  # fmt: skip


@given(rationals)
def test_double_above_is_the_least_double_not_below(x):
    up = double_above(x)
    assert up == math.inf or Fraction(up) >= x
    below = math.nextafter(up, -math.inf)
    assert below == -math.inf or (math.isfinite(below) and Fraction(below) < x)


@given(rationals)
def test_nearest_double_is_nearest(x):
    near = nearest_double(x)
    if math.isfinite(near):
        for other in (math.nextafter(near, -math.inf), math.nextafter(near, math.inf)):
            assert math.isinf(other) or abs(Fraction(near) - x) <= abs(Fraction(other) - x)


def test_str_shows_only_what_is_certain():
    assert str(Certified(Fraction(12341, 10000), Fraction(12343, 10000))) == "1.234"


def test_str_of_an_interval_around_zero_claims_no_digit():
    assert str(Certified(Fraction(-1, 10), Fraction(1, 10))) == "[-0.100, 0.100]"


def test_rounding_across_a_boundary_asks_for_more_digits():
    tie = 1 + Fraction(1, 2**53)
    asked = []

    def refine(digits, deadline):
        asked.append(digits)
        return Certified(tie + Fraction(1, 10**40), tie + Fraction(2, 10**40))

    straddling = Certified(tie - Fraction(1, 10**20), tie + Fraction(1, 10**20), refine)
    assert straddling.to_double() == math.nextafter(1.0, 2.0)
    assert asked


def closing_in(point, bend, asked):
    """A number 10^-500 above (bend = 1) or below (-1) a point, known ever better."""

    def refine(digits, deadline):
        asked.append(digits)
        radius = Fraction(1, 10**digits)
        value = point + bend * Fraction(1, 10**500)
        return Certified(value - radius, value + radius, refine)

    return refine


TIE = 1 + Fraction(1, 2**53)


@pytest.mark.parametrize(
    ("point", "bend", "nearest", "up"),
    [
        (Fraction(1), 1, 1.0, 1 + 2.0**-52),
        (Fraction(1), -1, 1.0, 1.0),
        (TIE, 1, 1 + 2.0**-52, 1 + 2.0**-52),
        (TIE, -1, 1.0, 1 + 2.0**-52),
        (-TIE, 1, -1.0, -1.0),
        (-TIE, -1, -1 - 2.0**-52, -1.0),
        (Fraction(0), 1, 0.0, 5e-324),
        (Fraction(1, 2**1075), 1, 5e-324, 5e-324),
        (Fraction(1, 2**1075), -1, 0.0, 5e-324),
        (Fraction(2**1024 - 2**970), 1, math.inf, math.inf),
        (Fraction(2**1024 - 2**970), -1, math.nextafter(math.inf, 0), math.inf),
    ],
)
@pytest.mark.parametrize("known", [3, 50, 90])
def test_numbers_next_to_a_boundary_are_rounded_by_the_digits_they_need(
    point, bend, nearest, up, known
):
    asked = []
    number = closing_in(point, bend, asked)(known, None)
    assert (number.to_double(), number.to_double_up()) == (nearest, up)


def test_refinement_starts_from_what_is_known_and_grows():
    asked = []
    number = closing_in(TIE, 1, asked)(90, None)
    number.to_double()
    assert asked[1] > 90
    assert all(later >= 2 * earlier for earlier, later in itertools.pairwise(asked[1:]))
    assert asked[-1] < 2200


def test_the_last_refinement_is_looked_at():
    """What 10,000 digits decide is decided; nothing beyond them is tried."""
    asked = []

    def refine(digits, deadline):
        asked.append(digits)
        width = Fraction(1, 10**digits)
        return Certified(TIE + Fraction(1, 10**9999) - width, TIE + Fraction(1, 10**9999), refine)

    assert refine(20, None).to_double() == 1 + 2.0**-52
    assert asked[-1] == max(asked) == 10_000


@pytest.mark.parametrize("end", ["lo", "hi"])
def test_an_end_on_a_boundary_decides_nothing_by_itself(end):
    """The true value may be that end: between the tie and what lies beside it stands a refinement."""
    beside = TIE + Fraction(1 if end == "lo" else -1, 10**30)
    number = Certified(min(TIE, beside), max(TIE, beside))
    if end == "lo":
        with pytest.raises(PrecisionExhausted):
            number.to_double()  # the tie goes to the even neighbour, all else to the other
    else:
        assert number.to_double() == 1.0  # tie to even, and all below: the same


def test_an_exact_tie_goes_to_even_and_an_exact_double_is_itself():
    assert [Certified.exactly(x).to_double() for x in (TIE, TIE + Fraction(1, 2**52))] == [
        1.0,
        1 + 2.0**-51,
    ]
    assert Certified.exactly(Fraction(3, 8)).to_double_up() == 0.375
    assert Certified.exactly(TIE).to_double_up() == 1 + 2.0**-52


def test_an_upper_end_on_a_double_is_that_double_rounded_up():
    assert Certified(1 - Fraction(1, 10**30), Fraction(1)).to_double_up() == 1.0


def test_a_lower_end_on_a_double_is_undecided_upwards():
    with pytest.raises(PrecisionExhausted):
        Certified(Fraction(1), 1 + Fraction(1, 10**30)).to_double_up()


def test_a_number_that_stays_on_a_boundary_is_an_error_in_the_end():
    def refine(digits, deadline):
        radius = Fraction(1, 10**digits)
        return Certified(TIE - radius, TIE + radius, refine)

    with pytest.raises(PrecisionExhausted, match="10000 digits"):
        refine(20, None).to_double()


def test_all_refinements_of_one_rounding_share_its_time():
    seen = []

    def refine(digits, deadline):
        seen.append(deadline)
        radius = Fraction(1, 10**digits)
        return Certified(TIE - radius, TIE + radius, refine)

    with pytest.raises(PrecisionExhausted):
        replace(refine(20, Deadline()), max_seconds=7.5).to_double()
    assert {id(deadline) for deadline in seen[1:]} == {id(seen[1])}
    assert seen[1].seconds == 7.5


def test_a_rounding_out_of_time_is_an_error():
    number = verify.rdp(1 - Fraction(1, 10**200), 1, "2.5")
    with pytest.raises(BudgetExceeded):
        replace(number, max_seconds=1e-9).to_double_up()


@pytest.mark.parametrize("zeros", [60, 200, 1000, 3000])
def test_epsilon_next_to_a_double_is_rounded(zeros):
    """q = 1 - 10^-zeros at sigma = 1, alpha = 2: epsilon is 1 less about 10^-zeros."""
    number = verify.rdp(1 - Fraction(1, 10**zeros), 1, 2)
    assert (number.to_double(), number.to_double_up()) == (1.0, 1.0)
    above = number.scaled(Fraction(-1))
    assert (above.to_double(), above.to_double_up()) == (-1.0, math.nextafter(-1.0, 0))


def test_rounding_never_guesses():
    tie = 1 + Fraction(1, 2**53)
    with pytest.raises(PrecisionExhausted):
        Certified(tie - Fraction(1, 10**20), tie + Fraction(1, 10**20)).to_double()


@pytest.mark.parametrize("digits", [1, 2, 5])
def test_few_digits_still_round_correctly(digits):
    assert (
        verify.rdp(0.01, 1.1, 8.5, digits=digits).to_double()
        == verify.rdp(0.01, 1.1, 8.5).to_double()
    )


@pytest.mark.parametrize("digits", [60, 300, 1000])
def test_an_exact_number_that_ends_is_printed_in_full(digits):
    assert Fraction(str(Certified.exactly(1 + Fraction(1, 10 ** (digits - 1))))) == 1 + Fraction(
        1, 10 ** (digits - 1)
    )


@pytest.mark.parametrize("x", [Fraction(1, 3), 1 + Fraction(1, 10**1000), Fraction(1, 2**4000)])
def test_an_exact_number_without_end_keeps_its_digits(x):
    """50 of them with their zeros: never shortened to look exact."""
    text = str(Certified.exactly(x))
    assert sum(c.isdigit() for c in text.partition("e")[0].lstrip("0.")) == 50
    assert abs(Fraction(text) - x) <= x / 10**49


@pytest.mark.parametrize(
    ("x", "text"),
    [("0", "0"), ("12", "12"), ("0.75", "0.75"), ("-0.5", "-0.5"), ("1e20", "1" + "0" * 20), ("1e60", "1e+60"),
     ("1.25e-9", "1.25e-09")],
)  # fmt: skip
def test_short_exact_numbers_are_printed_short(x, text):
    assert str(Certified.exactly(Fraction(x))) == text


def test_more_digits_of_an_exact_number_can_be_asked_for():
    assert Certified.exactly(Fraction(1, 3)).text(80) == "0." + "3" * 80


def test_a_scaled_number_refines_scaled():
    number = verify.rdp("0.1", 2, 3, digits=3).scaled(Fraction(7, 3))
    exact = verify.rdp("0.1", 2, 3, digits=40)
    assert number.to_double() == nearest_double((exact.lo + exact.hi) / 2 * Fraction(7, 3))


def test_relative_width_is_infinite_around_zero():
    assert Enclosure(Fraction(-1), Fraction(1), proved=True).relative_width() == math.inf


def test_below_the_least_double_rounds_to_zero_and_up_to_the_least():
    tiny = verify.rdp("1e-300", 1, 2, digits=20)
    assert (tiny.to_double(), tiny.to_double_up()) == (0.0, 5e-324)


def test_thousands_of_digits_can_be_printed():
    text = verify.rdp("0.3", 2, 2, digits=5000)
    assert len(str(text)) > 5000


def test_a_certified_number_is_a_float_where_one_is_asked_for():
    third = Certified.exactly(Fraction(1, 3))
    assert float(third) == 1 / 3
    assert f"{third:.3f} {third:>12.4}" == "0.333         0.33"


def test_minus_infinity_is_printed_as_such():
    assert str(Certified.exactly(math.inf).scaled(Fraction(-2))) == "-inf"
