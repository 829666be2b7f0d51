"""The closed form for runs: where it applies, what it says at the end of its region, and the command that prints it."""

from __future__ import annotations

import json
import math
from fractions import Fraction

import pytest
from click.testing import CliRunner, Result

from verify.accounting import epsilon
from verify.bounds.closed_form import closed_forms, for_run
from verify.bounds.table import Truth
from verify.cli import cli
from verify.numbers.errors import OutOfDomain
from verify.numbers.point import Point

DELTA = Fraction(1, 10**5)


def asked(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["bounds", *arguments])


def test_where_the_best_order_is_not_reached_the_end_of_the_region_is_an_upper_bound() -> None:
    run = for_run(Fraction(1, 100), Fraction(1), 1000, DELTA)
    assert run.applies is Truth.FALSE
    assert run.at_the_end is not None
    assert epsilon("1/100", 1, 1000, DELTA, digits=6).hi < run.at_the_end.lo


def test_the_best_order_is_never_worse_than_the_end() -> None:
    run = for_run(Fraction(256, 60000), Fraction(11, 10), 14062, DELTA)
    assert run.applies is Truth.TRUE
    assert run.at_the_end is not None
    assert run.epsilon.hi < run.at_the_end.lo


def test_the_condition_decides_by_a_billionth() -> None:
    """sigma = 1, q = 1/10, T = 100: rho = e - 1, and ln(1/delta) may be (e - 1) (ln 10)^2."""
    edge = Fraction(math.exp(-(math.e - 1) * math.log(10) ** 2))
    found = [
        for_run(Fraction(1, 10), Fraction(1), 100, edge * (1 + Fraction(sign, 10**9))).applies
        for sign in (1, -1)
    ]
    assert found == [Truth.TRUE, Truth.FALSE]


@pytest.mark.parametrize(("sigma", "share"), [("1/2", 1), ("499999/1000000", Fraction(2, 3))])
def test_less_noise_than_a_half_reaches_two_thirds_as_far(
    sigma: str, share: Fraction | int
) -> None:
    """q = 1/100, T = 2000: the edge of delta is e^{-rho e^2}, e = c sigma^2 ln(1/q)."""
    q, noise, steps = Fraction(1, 100), Fraction(sigma), 2000
    rho = steps * float(q) ** 2 * math.expm1(1 / float(noise) ** 2)
    edge = Fraction(math.exp(-rho * (float(share * noise**2) * math.log(100)) ** 2))
    found = [
        for_run(q, noise, steps, edge * (1 + Fraction(sign, 10**6))).applies for sign in (1, -1)
    ]
    assert found == [Truth.TRUE, Truth.FALSE]


def test_the_bound_with_little_noise_is_above_the_exact_epsilon() -> None:
    run = for_run(Fraction(1, 100), Fraction(2, 5), 2000, DELTA)
    assert run.applies is Truth.TRUE
    assert epsilon("1/100", "2/5", 2000, DELTA, digits=6).hi < run.epsilon.lo


def test_without_sampling_the_region_is_empty() -> None:
    assert for_run(Fraction(1), Fraction(1), 10, DELTA).at_the_end is None


def test_a_rate_of_zero_is_refused() -> None:
    with pytest.raises(OutOfDomain, match="0 < q"):
        for_run(Fraction(0), Fraction(1), 10, DELTA)


def test_the_command_gives_no_epsilon_where_the_formula_says_nothing() -> None:
    result = asked("--q", "1", "--sigma", "1", "--steps", "10", "--delta", "1e-5", "--json")
    told = json.loads(result.stdout)
    assert (told["applies"], told["epsilon"], told["at_the_end"]) == ("false", None, None)


def test_the_command_tells_the_end_of_the_region() -> None:
    result = asked("--q", "0.01", "--sigma", "1", "--steps", "1000", "--delta", "1e-5")
    assert "rho (1 + e) + ln(1/delta)/e = 3.46" in result.stdout
    assert "the closed form is 1.89" in result.stdout


def test_without_time_for_the_exact_epsilon_the_closed_form_is_told_all_the_same() -> None:
    question = ("--q", "0.01", "--sigma", "1", "--steps", "1000", "--delta", "1e-5")
    result = asked(*question, "--max-seconds", "0.000001")
    assert result.exit_code == 0
    assert "rho (1 + e) + ln(1/delta)/e" in result.stdout
    assert "times it" not in result.stdout


def test_a_rate_that_the_exact_curve_refuses_has_its_closed_form() -> None:
    result = asked("--q", "1e-20", "--sigma", "1", "--steps", "10", "--delta", "1e-5")
    assert result.exit_code == 0
    assert "rho (1 + e) + ln(1/delta)/e" in result.stdout
    assert "tight epsilon: q = '1e-20'" in result.stdout


@pytest.mark.parametrize(
    ("q", "alpha"),
    [("1e-30", Fraction(3, 2)), ("1e-300", Fraction(3, 2)), ("1/10", 2 - Fraction(1, 10**40))],
)
def test_a_form_next_to_equality_is_not_told_to_fail(q: str, alpha: Fraction) -> None:
    row = closed_forms(Point.of(q, 1, alpha))[0]
    assert row.applies is Truth.TRUE
    assert row.holds is not Truth.FALSE


def test_a_form_next_to_equality_holds_where_more_digits_show_it() -> None:
    assert closed_forms(Point.of("1e-40", 1, Fraction(3, 2)))[0].holds is Truth.TRUE


def test_a_form_that_fails_by_little_beyond_order_two_is_told_to_fail() -> None:
    beyond = 2 + Fraction(1, 10**12)
    assert closed_forms(Point.of("1/10", 1, beyond))[0].holds is Truth.FALSE


def test_the_command_tells_small_and_large_numbers_with_their_exponents() -> None:
    small = asked("--q", "1e-6", "--sigma", "4", "--steps", "100", "--delta", "1e-5").stdout
    assert "= 6.4494459e-12" in small
    large = asked("--q", "0.9", "--sigma", "0.05", "--steps", "3", "--delta", "1e-5").stdout
    assert "rho + 2 sqrt(rho ln(1/delta)) = 1.2688172e+174" in large


def test_the_command_rounds_the_closed_form_up() -> None:
    told = asked("--q", "0.01", "--sigma", "0.5", "--steps", "100", "--delta", "1e-5").stdout
    run = for_run(Fraction(1, 100), Fraction(1, 2), 100, DELTA)
    assert run.at_the_end is not None
    printed = Fraction(told.split("ln(1/delta)/e = ")[1].split()[0])
    assert run.at_the_end.hi <= printed < run.at_the_end.hi + Fraction(1, 10**5)


def test_a_tight_epsilon_of_zero_is_told_without_a_quotient() -> None:
    result = asked("--q", "0.01", "--sigma", "4", "--steps", "100", "--delta", "0.999")
    assert (result.exit_code, "tight epsilon 0\n" in result.stdout) == (0, True)
