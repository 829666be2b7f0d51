"""Exact algebra, calculus, counterexamples and draws: each says no to what is wrong."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy
from flint import arb

from proofs_checks.quantities.halves import lower_half, upper_half
from proofs_checks.tools.algebra import antiderivative, factored, identity, integral, positive
from proofs_checks.tools.counterexample import (
    certified_counterexample,
    exact_counterexample,
    surely,
)
from proofs_checks.tools.draws import at_many, ordered_at_points, surely_below
from proofs_checks.tools.signs import gap, positive_terms, rises, slack
from verify.claims import Level, Rejected, Role, StepFails, Undecided
from verify.moments.functions import log_a
from verify.numbers.balls import precision

x, y = sympy.symbols("x y", positive=True)


def test_an_identity_is_symbolic() -> None:
    assert identity((x + y) ** 2, x**2 + 2 * x * y + y**2).level is Level.SYMBOLIC


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ((x + y) ** 2, x**2 + y**2),
        (sympy.log(x * y), sympy.log(x) - sympy.log(y)),
        (sympy.exp(x), sympy.exp(x) + sympy.Rational(1, 10**30)),
    ],
)
def test_a_false_identity_is_rejected(left: sympy.Expr, right: sympy.Expr) -> None:
    with pytest.raises(StepFails, match="sides differ"):
        identity(left, right)


real, other = sympy.symbols("r s", real=True)
(least,) = slack("p")
bare = sympy.Symbol("z")
whole = sympy.Symbol("n", integer=True)
index = sympy.Symbol("k", integer=True, positive=True)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (sympy.log(real**2), 2 * sympy.log(real)),
        (sympy.log(bare**2), 2 * sympy.log(bare)),
        (sympy.log(real * other), sympy.log(real) + sympy.log(other)),
        (sympy.log(real / other), sympy.log(real) - sympy.log(other)),
        (sympy.sqrt(real**2), real),
        (sympy.sqrt(bare**2), bare),
        (sympy.sqrt(real * other), sympy.sqrt(real) * sympy.sqrt(other)),
        ((real**2) ** sympy.Rational(3, 2), real**3),
        ((real**6) ** sympy.Rational(1, 6), real),
        ((real * other) ** x, real**x * other**x),
        ((real**2) ** x, real ** (2 * x)),
        (sympy.exp(x * sympy.log(real)) * sympy.exp(-x * sympy.log(-real)), sympy.Integer(1)),
        (sympy.Abs(real), real),
        (sympy.Abs(x - y), x - y),
        (sympy.Abs(real) ** 3, real**3),
        (sympy.Max(real, 0), real),
        (sympy.Integer(0) ** least, sympy.Integer(0)),
        (least**least, sympy.exp(least * sympy.log(least))),
        ((real**2 - 1) / (real - 1), real + 1),
        ((real**2 - real) / real, real - 1),
        ((bare**2 - bare) / bare, bare - 1),
        (real * other / (real**2 * other + real * other), 1 / (real + 1)),
        ((x**2 - y**2) / (x - y), x + y),
        (least**2 / (least**2 + least), least / (least + 1)),
        (sympy.sin(real) / sympy.tan(real), sympy.cos(real)),
        (sympy.atan(sympy.tan(real)), real),
        (sympy.acos(sympy.cos(real)), real),
        (sympy.sqrt((x - y) ** 2), x - y),
        (sympy.tan(real) * sympy.cos(real), sympy.sin(real)),
        (sympy.coth(real) * sympy.sinh(real), sympy.cosh(real)),
        (sympy.gamma(real + 1), real * sympy.gamma(real)),
        (sympy.factorial(whole + 1), (whole + 1) * sympy.factorial(whole)),
        (sympy.binomial(whole, index), sympy.binomial(whole, whole - index)),
        (sympy.log(sympy.exp(sympy.I * real)), sympy.I * real),
        (sympy.log(x - y) + sympy.log(x + y), sympy.log(x**2 - y**2)),
        (sympy.log((x - y) ** 2), 2 * sympy.log(x - y)),
        ((real**3) ** sympy.Rational(1, 3), real),
        (sympy.sign(real) ** 2, sympy.Integer(1)),
        (sympy.Max(x, 20), sympy.Integer(20)),
        (sympy.Abs(x - 1000), 1000 - x),
        (sympy.floor(x / 1000), sympy.Integer(0)),
        (sympy.floor(real) + sympy.floor(other), sympy.floor(real + other)),
        (sympy.ceiling(x), sympy.floor(x) + 1),
        (sympy.cos(sympy.pi * real), (-1) ** real),
        ((-1) ** (2 * real), sympy.Integer(1)),
        (sympy.exp(2 * sympy.pi * sympy.I * real), sympy.Integer(1)),
        (sympy.Piecewise((real, real > 0), (0, True)), real),
        (sympy.Sum(real**index, (index, 1, sympy.oo)), real / (1 - real)),
        (x + sympy.Rational(1, 10**50), x),
    ],
)  # fmt: skip
def test_an_identity_of_other_branches_or_domains_is_not_accepted(
    left: sympy.Expr, right: sympy.Expr
) -> None:
    with pytest.raises((StepFails, Undecided)):
        identity(left, right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (sympy.log(x**2), 2 * sympy.log(x)),
        (sympy.log(x * real**2), sympy.log(x) + sympy.log(real**2)),
        (sympy.sqrt(x**2), x),
        (sympy.sqrt(real**2), sympy.Abs(real)),
        (sympy.Abs(real) ** 2, real**2),
        ((x * y) ** real, x**real * y**real),
        (sympy.log(sympy.exp(real)), real),
        ((x**2 - y**2) / (x + y), x - y),
        (1 / (real - 1) - 1 / real, 1 / (real * (real - 1))),
        ((sympy.exp(2 * x) - 1) / (sympy.exp(x) - 1), sympy.exp(x) + 1),
        ((real**3 + real) / (real**2 + 1), real),
    ],
)
def test_what_the_signs_of_the_symbols_allow_is_accepted(
    left: sympy.Expr, right: sympy.Expr
) -> None:
    assert identity(left, right).level is Level.SYMBOLIC


def test_a_denominator_may_be_kept_from_zero_by_the_domain() -> None:
    quotient = (real**2 - 1) / (real - 1)
    assert identity(quotient, real + 1, nonzero=[2 * (1 - real)]).level is Level.SYMBOLIC
    with pytest.raises(Undecided, match="not defined on both sides where"):
        identity(quotient, real + 1, nonzero=[real])


def test_a_false_identity_of_real_symbols_is_refuted_at_a_negative_point() -> None:
    with pytest.raises(StepFails, match="sides differ at r = -"):
        identity(sympy.Abs(real), real)


def test_what_neither_algebra_nor_balls_settle_is_undecided() -> None:
    f = sympy.Function("f")
    with pytest.raises(Undecided):
        identity(f(x), f(y))


def test_an_integral_is_checked_two_ways() -> None:
    both = integral(sympy.exp(-x), x, sympy.Integer(0), sympy.oo, sympy.Integer(1), -sympy.exp(-x))
    assert len(both) == 2


@pytest.mark.parametrize(
    ("value", "primitive"), [(2, -sympy.exp(-x)), (1, sympy.exp(-x)), (1, -sympy.exp(-2 * x))]
)
def test_a_wrong_integral_or_primitive_is_rejected(value: int, primitive: sympy.Expr) -> None:
    with pytest.raises(StepFails):
        integral(sympy.exp(-x), x, sympy.Integer(0), sympy.oo, sympy.Integer(value), primitive)


def test_a_wrong_antiderivative_is_rejected() -> None:
    with pytest.raises(StepFails):
        antiderivative(x, x, x**2)


def test_a_sign_follows_from_the_signs_of_the_symbols() -> None:
    assert positive((x + y) ** 2 - x**2).level is Level.SYMBOLIC
    with pytest.raises(StepFails):
        positive(x - y)


def test_a_sum_is_factored_unless_its_exponents_are_strange() -> None:
    x = sympy.Symbol("x", positive=True)
    strange = x ** sympy.Rational(1_000_001, 10**6) - x
    assert factored(x**2 - x) == x * (x - 1)
    assert factored(strange) == strange


def test_positive_is_strict_unless_asked() -> None:
    (p,) = slack("p")
    positive(p, strict=False)
    with pytest.raises(Undecided):
        positive(p)


def test_calculus_finds_the_exponential_above_its_parabola() -> None:
    (p,) = slack("p")
    rises(sympy.exp(p) - 1 - p - p**2 / 2, p, 3)
    with pytest.raises(StepFails):
        rises(1 + p + p**2 / 2 - sympy.exp(p), p, 3)


def test_positive_terms_wants_every_coefficient_and_a_constant() -> None:
    p, m = slack("p m")
    positive_terms((sympy.log(6) - 1 + p) * (1 + m), "terms")
    with pytest.raises(StepFails):
        positive_terms(sympy.log(2) - 1 + p, "negative constant")
    with pytest.raises(Undecided):
        positive_terms(1 - p * m, "negative coefficient")
    with pytest.raises(Undecided):
        positive_terms(p + m, "no constant")


def test_symbols_of_a_gap_are_positive_and_of_a_slack_nonnegative() -> None:
    assert gap("a")[0].is_positive
    assert slack("a")[0].is_positive is None


def test_an_exact_counterexample_must_be_one() -> None:
    assert exact_counterexample(Fraction(2), "<", Fraction(1), "").role is Role.COUNTEREXAMPLE
    with pytest.raises(StepFails, match="no counterexample"):
        exact_counterexample(Fraction(1), "<", Fraction(2), "")


def test_a_certified_counterexample_must_be_certain() -> None:
    wide = arb(1, 1)
    assert certified_counterexample(arb(2), "<=", arb(1), "").level is Level.POINTS
    with pytest.raises(StepFails):
        certified_counterexample(arb(1), "<=", arb(2), "")
    with pytest.raises(Undecided):
        certified_counterexample(wide, "<=", arb(1), "")


def test_surely_tells_yes_no_and_unknown_apart() -> None:
    surely(arb(1), "<", arb(2), "")
    with pytest.raises(StepFails):
        surely(arb(2), "<", arb(1), "")
    with pytest.raises(Undecided):
        surely(arb(1, 1), "<", arb(1), "")
    with pytest.raises(Undecided):
        surely_below(arb(1, 1), arb(1))


def test_draws_count_effective_and_vacuous_cases() -> None:
    evidence = at_many({"v": (1, 100)}, 200, lambda v: v > 10, lambda v: v > 9, "large")
    assert evidence.effective + evidence.vacuous == 200
    assert 60 < evidence.effective < 140


def test_draws_that_hardly_ever_apply_are_a_mistake() -> None:
    with pytest.raises(Undecided, match="say anything"):
        at_many({"v": (1, 100)}, 200, lambda v: v > 99, lambda v: True, "rare")


def test_draws_name_the_point_that_fails() -> None:
    with pytest.raises(Rejected, match="v = 100"):
        at_many({"v": (1, 100)}, 200, lambda v: True, lambda v: v < 100, "below the end")


def test_ordered_at_points_rejects_the_reverse() -> None:
    ranges = {x: (Fraction(1, 100), 50)}
    assert ordered_at_points(sympy.log(1 + x), x, ranges, "log").effective == 200
    with pytest.raises(Rejected):
        ordered_at_points(x, sympy.log(1 + x), ranges, "log")


@pytest.mark.parametrize(
    ("q", "sigma", "alpha"), [("1/10", "4", "3"), ("1/100", "1/3", "61"), ("1", "2", "5/2")]
)
def test_the_halves_add_up_to_the_moment(q: str, sigma: str, alpha: str) -> None:
    point = Fraction(q), Fraction(sigma), Fraction(alpha)
    whole = log_a(*point, digits=20)
    with precision(160):
        total = (lower_half(*point) + upper_half(*point)).log()
        assert total.overlaps(arb(whole.lo_str(18)).union(arb(whole.hi_str(18))))
        assert total.rel_accuracy_bits() > 60
