"""The conditions and bounds of paper.py are those that verify.bounds.table decides with balls of its own."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest
import sympy
from flint import arb

from proofs_checks import paper, tools
from proofs_checks.tools.balls import ball, rational
from proofs_checks.tools.formula import evaluated
from verify.bounds import table
from verify.numbers.balls import precision
from verify.numbers.point import Point

MILLIONTH = Fraction(1, 10**6)
BITS = 300


def points() -> Iterator[tuple[Fraction, Fraction, Fraction]]:
    draw = random.Random(5)
    for _ in range(25):
        yield (
            Fraction(draw.randint(1, 400), 1000),
            Fraction(draw.randint(100, 9000), 1000),
            1 + Fraction(draw.randint(1, 30000), 1000),
        )


def seen(row: str, at: tuple[Fraction, ...], monkeypatch: pytest.MonkeyPatch) -> list[arb]:
    """The balls whose signs a row of the table judges its conditions by."""
    found: list[arb] = []

    def noted(difference):
        with precision(BITS):
            found.append(difference())
        return table.Truth.TRUE

    monkeypatch.setattr(table, "nonnegative", noted)
    monkeypatch.setattr(table, "compare", lambda *_: table.Truth.TRUE)
    table.table(Point(*at), [row])
    return found


def same_digits(one: arb, other: arb) -> bool:
    """Overlapping balls, both far narrower than a millionth of what they enclose."""
    narrow = all(x.rel_accuracy_bits() > BITS - 60 for x in (one, other))
    return bool(one.overlaps(other)) and narrow


SLACKS = {
    "this-work": (paper.SLACK_1, paper.SLACK_2),
    "bun": (paper.value(paper.ORDER_BUN) - paper.ALPHA,),
    "abadi-asymptotic": (paper.value(paper.ORDER_ABADI) - paper.ALPHA,),
}


def agree(expressions: tuple[sympy.Expr, ...], balls: list[arb], at: tuple[Fraction, ...]) -> bool:
    with precision(BITS):
        ours = [ball(e, paper.point(*at)) for e in expressions]
        return len(ours) == len(balls) and all(map(same_digits, ours, balls))


@pytest.mark.parametrize("row", list(SLACKS))
def test_conditions_agree_to_the_last_digit(row: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for at in points():
        assert agree(SLACKS[row], seen(row, at, monkeypatch), at)


def constants(expr: sympy.Expr) -> list[sympy.Rational]:
    return sorted(n for n in expr.atoms(sympy.Rational) if n not in (-1, 0))


@pytest.mark.parametrize("row", list(SLACKS))
def test_a_constant_off_by_a_millionth_disagrees(row: str, monkeypatch: pytest.MonkeyPatch) -> None:
    at = (Fraction(1, 7), Fraction(9, 2), Fraction(7, 2))
    balls = seen(row, at, monkeypatch)
    for index, expr in enumerate(SLACKS[row]):
        for number in constants(expr):
            changed = list(SLACKS[row])
            changed[index] = expr.xreplace({number: number * (1 + sympy.Rational(1, 10**6))})
            assert not agree(tuple(changed), balls, at), (row, number)


def test_a_wrong_length_in_verify_disagrees(monkeypatch: pytest.MonkeyPatch) -> None:
    at = (Fraction(1, 7), Fraction(9, 2), Fraction(7, 2))
    right = table._length
    wrong = rational(1 + MILLIONTH)
    monkeypatch.setattr(table, "_length", lambda q, alpha: right(q, alpha) * wrong)
    assert not agree(SLACKS["this-work"], seen("this-work", at, monkeypatch), at)


@pytest.mark.parametrize(("row", "expr"), [("this-work", paper.BOUND), ("bun", paper.BOUND_BUN)])
def test_bounds_are_the_same_rationals(
    row: str, expr: sympy.Expr, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table, "compare", lambda *_: table.Truth.TRUE)
    for at in points():
        numbers = dict(
            zip((paper.q, paper.sigma, paper.alpha), map(sympy.Rational, at), strict=True)
        )
        ours = evaluated(expr, {}).subs(numbers)
        theirs = table.table(Point(*at), [row])[0].epsilon
        assert theirs is not None
        assert Fraction(int(ours.p), int(ours.q)) == theirs.lo == theirs.hi
        assert Fraction(int(ours.p), int(ours.q)) * (1 + MILLIONTH) != theirs.lo


def test_the_region_is_that_of_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "compare", lambda *_: table.Truth.TRUE)
    inside = 0
    for q, sigma, alpha in points():
        theirs = table.table(Point(q, sigma, alpha), ["this-work"])[0].applies
        assert theirs is table.Truth.of(paper.allowed(q, sigma, alpha))
        inside += paper.allowed(q, sigma, alpha)
    corner = (paper.LARGEST_Q, Fraction(paper.LEAST_SIGMA), Fraction(4))
    for at in (
        corner,
        (corner[0] + MILLIONTH, *corner[1:]),
        (corner[0], corner[1] - MILLIONTH, Fraction(4)),
    ):
        theirs = table.table(Point(*at), ["this-work"])[0].applies
        assert theirs is table.Truth.of(paper.allowed(*at))
        inside += paper.allowed(*at)
    assert inside > 0


def test_the_main_theorems_bound_is_that_of_the_table() -> None:
    for q, sigma, alpha in points():
        assert paper.bound(q, sigma, alpha) == 2 * q**2 * alpha / sigma**2


def test_the_tools_know_nothing_of_the_paper() -> None:
    for module in Path(tools.__path__[0]).glob("*.py"):
        text = module.read_text(encoding="utf-8")
        assert "proofs_checks.paper" not in text, module.name
        assert "proofs_checks.quantities" not in text, module.name
