"""The interval prover: it proves what is true, and refuses everything else."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy
from flint import arb
from hypothesis import given
from hypothesis import strategies as st

from proofs_checks.tools.balls import ball, interval, rational
from proofs_checks.tools.prover import prove
from verify.claims import Level, StepFails, Undecided
from verify.numbers.balls import precision

x, y = sympy.symbols("x y")
QUARTER = sympy.Rational(1, 4)


def test_a_true_inequality_is_proved_on_the_whole_box() -> None:
    proof = prove(x * (1 - x) < QUARTER + sympy.Rational(1, 100), {x: (0, 1)})
    assert proof.boxes > 1
    assert proof.depth > 1


def test_a_proof_is_evidence_for_the_region() -> None:
    evidence = prove(x > -1, {x: (0, 1)}).evidence("x")
    assert evidence.level is Level.REGION
    assert "undecided volume 0" in evidence.detail


@pytest.mark.parametrize(
    "inequality",
    [
        x * (1 - x) > QUARTER + sympy.Rational(1, 100),  # reversed
        x * (1 - x) < QUARTER - sympy.Rational(1, 100),  # constant nudged
        x * (1 + x) < QUARTER + sympy.Rational(1, 100),  # sign flipped
        sympy.exp(x) < 1 + x,
        sympy.log(1 + x) > x,
    ],
)
def test_a_false_inequality_is_rejected(inequality: sympy.Expr) -> None:
    with pytest.raises(StepFails, match="false at x = "):
        prove(inequality, {x: (0, 1)})


def test_a_false_inequality_in_a_far_corner_is_rejected() -> None:
    with pytest.raises(StepFails):
        prove(x**2 + y**2 < sympy.Rational(199, 100), {x: (0, 1), y: (0, 1)})


def test_equality_at_a_point_stays_undecided() -> None:
    with pytest.raises(Undecided, match="undecided volume"):
        prove(x * (1 - x) <= QUARTER, {x: (0, sympy.Rational(2, 3))}, max_boxes=500)


def test_strict_and_weak_differ_where_both_sides_are_equal() -> None:
    assert prove(x - x + y >= y, {x: (0, 1), y: (0, 1)}).boxes == 1
    with pytest.raises(StepFails):
        prove(sympy.Gt(0, 0, evaluate=False), {})


def test_the_budget_is_kept() -> None:
    nearly_zero = x**2 - 2 * x * y + y**2 + sympy.Rational(1, 10**9)
    with pytest.raises(Undecided, match="after 40 boxes"):
        prove(nearly_zero > 0, {x: (0, 1), y: (0, 1)}, max_boxes=40)


def test_a_pole_in_the_box_is_undecided() -> None:
    with pytest.raises(Undecided):
        prove(1 / x > 0, {x: (0, 1)}, max_boxes=100)


def test_an_unbounded_domain_is_reached_through_the_inverse() -> None:
    # e^{1/s^2} - 1 <= 1.1/s^2 for s >= 4, by the slope in v = 1/s^2 on [0, 1/16]
    slope = sympy.diff(sympy.Rational(11, 10) * x - sympy.exp(x) + 1, x)
    assert prove(slope > 0, {x: (0, sympy.Rational(1, 16))}).boxes >= 1


@pytest.mark.parametrize("nonsense", [sympy.Eq(x, 1), x + 1, sympy.Ne(x, 1)])
def test_only_inequalities_are_proved(nonsense: sympy.Expr) -> None:
    with pytest.raises(TypeError):
        prove(nonsense, {x: (0, 1)})


def test_an_unknown_function_is_an_error_not_a_value() -> None:
    with pytest.raises(TypeError):
        prove(sympy.zeta(x) > 0, {x: (2, 3)})


ends = st.fractions(min_value=-3, max_value=3, max_denominator=50)
shares = st.fractions(min_value=0, max_value=1, max_denominator=50)
EXPRESSIONS = (
    x * y,
    x**2 - y**3,
    (x - y) ** 2 * (x + 1),
    sympy.exp(x) * y,
    1 / (x**2 + 1) - y,
    sympy.sqrt(x**2 + 1) * y,
)


@given(st.sampled_from(EXPRESSIONS), ends, ends, ends, ends, shares, shares)
def test_an_enclosure_on_a_box_contains_the_value_at_every_point_of_it(
    expr: sympy.Expr,
    a: Fraction,
    b: Fraction,
    c: Fraction,
    d: Fraction,
    s: Fraction,
    t: Fraction,
) -> None:
    at = a + s * (b - a), c + t * (d - c)
    with precision(100):
        box = ball(expr, {x: interval(min(a, b), max(a, b)), y: interval(min(c, d), max(c, d))})
        value: arb = ball(expr, {x: rational(at[0]), y: rational(at[1])})
        assert box.overlaps(value)


def test_a_point_that_balls_cannot_settle_is_undecided() -> None:
    with pytest.raises(Undecided):
        prove(sympy.exp(x) > sympy.E, {x: (1, 1)})


def test_a_gradient_without_balls_only_costs_sharpness() -> None:
    assert prove(abs(x) + 1 > 0, {x: (-1, 1)}).boxes >= 1


def test_sub_boxes_that_break_a_condition_are_vacuous() -> None:
    proof = prove(x > sympy.Rational(1, 2), {x: (0, 1)}, given=[x - sympy.Rational(3, 4)])
    assert proof.vacuous > 0
    assert proof.evidence("x").vacuous == proof.vacuous


def test_a_point_that_breaks_a_condition_is_no_counterexample() -> None:
    with pytest.raises(StepFails, match="false at x = "):
        prove(x > sympy.Rational(9, 10), {x: (0, 1)}, given=[x - sympy.Rational(3, 4)])
    prove(x > sympy.Rational(7, 10), {x: (0, 1)}, given=[x - sympy.Rational(3, 4)])


def test_a_condition_that_never_holds_proves_nothing_effective() -> None:
    proof = prove(x > 2, {x: (0, 1)}, given=[x - 3])
    assert (proof.boxes, proof.vacuous) == (0, 1)
