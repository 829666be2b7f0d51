"""The audit of the privacy curve sees broken versions of it, gross ones and small ones."""

from __future__ import annotations

import dataclasses
import math
from fractions import Fraction

import pytest
from flint import arb

from verify.accounting import questions, tight
from verify.accounting.contour import line, nodes, plan, vertical
from verify.accounting.exact import convolution
from verify.accounting.pairs import sides
from verify.audit import runs_calls
from verify.audit.runs import KINDS, draw
from verify.audit.runs import test as audited
from verify.audit.runs_bend import BENT
from verify.audit.runs_calls import CALLS
from verify.numbers.certified import Certified

USUAL = [
    kind
    for kind in KINDS
    if kind not in (*BENT, *CALLS, "jump", "brute", "inner short", "inner coarse")
]
CASES = [
    case
    for case in (draw(seed, USUAL[seed % len(USUAL)]) for seed in range(40))
    if case.history[0].steps < 20_000  # the quick ones
    and (case.history[0].q > 0.001 or case.kind == "jumps")
]
CASES += [draw(seed, "brute") for seed in range(0, 6 * len(KINDS), len(KINDS))]


def caught(*kinds):
    """Names of the kinds of case that fail."""
    results = [audited(case) for case in CASES if not kinds or case.kind in kinds]
    return {result.case.kind for result in results if result.ok is False}


def test_the_healthy_curve_passes():
    results = [audited(case) for case in CASES]
    assert not [result for result in results if result.ok is False]
    assert {result.case.kind for result in results if result.ok} == {*USUAL, "brute"}


def test_a_dropped_aliasing_term_is_caught(monkeypatch):
    healthy = vertical.Bounds.at

    def without(self, eps, period):
        tail, _, _ = healthy(self, eps, period)
        return tail, arb(0), arb(0)

    monkeypatch.setattr(vertical.Bounds, "at", without)
    assert "coarse" in caught("coarse")


def test_an_aliasing_term_that_is_a_thousand_times_too_small_is_caught(monkeypatch):
    healthy = vertical.Bounds.at

    def less(self, eps, period):
        tail, right, left = healthy(self, eps, period)
        return tail, right / 1000, left / 1000

    monkeypatch.setattr(vertical.Bounds, "at", less)
    assert "coarse" in caught("coarse")


def test_losses_below_the_cut_that_are_left_out_are_caught(monkeypatch):
    """The bound for rare jumps has only its jumps."""
    monkeypatch.setattr(vertical, "below", lambda *_: arb(10) ** -9)
    case = dataclasses.replace(draw(3, "jumps"), epsilon=Fraction(1, 10**9), digits=20)
    assert audited(case).ok is False


@pytest.mark.parametrize("share", [0, 1e-9])
def test_jumps_that_are_left_out_are_caught(monkeypatch, share):
    """One step, and a cut below all losses that alias: only the part beyond it can carry them."""
    healthy = vertical.beyond
    monkeypatch.setattr(vertical, "beyond", lambda *given: healthy(*given) * share)
    assert [audited(draw(seed, "jump")).ok for seed in (0, 1, 2)] == [False] * 3


def test_jumps_that_are_there_pass():
    assert [audited(draw(seed, "jump")).ok for seed in (0, 1, 2)] == [True] * 3


def test_a_wrong_conjugation_is_caught(monkeypatch):
    healthy = vertical.Table._row

    def unconjugated(self, history, deadline):
        row = healthy(self, history, deadline)
        if self.remove:
            return row
        z = [vertical.acb(self.c, self.h * k) for k in range(len(row))]
        return [(f * w * (w - 1)).conjugate() / (w * (w - 1)) for f, w in zip(row, z, strict=True)]

    monkeypatch.setattr(vertical.Table, "_row", unconjugated)
    kinds = {"single", "pair", "convolution", "brute"}
    assert caught(*kinds) == kinds


def test_half_a_tail_left_out_is_caught(monkeypatch):
    """The bound is that of K terms, but only half of them are summed."""
    healthy = vertical.Table._row

    def halved(self, history, deadline):
        row = healthy(self, history, deadline)
        return [f if k <= len(row) // 2 else 0 * f for k, f in enumerate(row)]

    monkeypatch.setattr(vertical.Table, "_row", halved)
    assert "digits" in caught("digits", "single")


def test_a_missing_tail_bound_is_caught(monkeypatch):
    healthy = vertical.Bounds.at

    def without(self, eps, period):
        _, right, left = healthy(self, eps, period)
        return arb(0), right, left

    monkeypatch.setattr(vertical.Bounds, "at", without)
    assert "short" in caught("short")


@pytest.mark.parametrize("off", [1, -1])
def test_one_step_more_or_less_is_caught(monkeypatch, off):
    healthy = vertical.power
    monkeypatch.setattr(vertical, "power", lambda value, n: healthy(value, n + off))
    assert caught("pair", "full", "convolution", "brute") >= {"pair", "full", "brute"}


def test_a_moment_off_by_a_millionth_of_a_millionth_is_caught(monkeypatch):
    healthy = line.transform

    def shifted(*arguments):
        values, top = healthy(*arguments)
        return [v * (1 + arb(10) ** -12) for v in values], top

    monkeypatch.setattr(vertical, "transform", shifted)
    assert caught("full", "pair")


def test_a_step_of_the_inner_rule_that_is_too_long_is_refused_or_wide(monkeypatch):
    """Whatever the doubles propose, an interval that is returned holds."""
    healthy = nodes.table_line

    def coarse(*arguments):
        proposal = healthy(*arguments)
        return dataclasses.replace(proposal, step=3 * proposal.step)

    monkeypatch.setattr(plan, "table_line", coarse)
    assert not caught("digits", "full", "pair", "elsewhere")


def test_weights_rounded_the_wrong_way_are_caught(monkeypatch):
    monkeypatch.setattr(convolution, "_up", convolution._down)
    healthy = convolution.from_above
    monkeypatch.setattr(
        convolution,
        "from_above",
        lambda *given: dataclasses.replace(
            healthy(*given),
            values=[v * (10**6 - 100) // 10**6 for v in healthy(*given).values],
        ),
    )
    assert "convolution" in caught("convolution")


# -- kinds that go through what people call


def verdicts(kind, *numbers):
    return [audited(draw(number, kind)).ok for number in numbers]


NEW = ("inner short", "inner coarse", *CALLS)


@pytest.mark.parametrize("kind", NEW)
def test_the_healthy_curve_passes_what_people_call(kind):
    assert verdicts(kind, 0, 1, 2) == [True] * 3


def test_ends_of_inner_lines_that_are_left_out_are_caught(monkeypatch):
    """All other kinds pass without them."""
    monkeypatch.setattr(line.Step, "cut_off", lambda *_: arb(0))
    assert verdicts("inner short", 0, 1, 2) == [False] * 3


def test_a_hundredth_of_the_ends_of_inner_lines_is_caught(monkeypatch):
    healthy = line.Step.cut_off
    monkeypatch.setattr(line.Step, "cut_off", lambda *given: healthy(*given) / 100)
    assert False in verdicts("inner short", *range(6))


def test_one_phase_with_a_step_more_is_caught(monkeypatch):
    """The last phase only: a history of one phase would not be asked."""
    healthy = vertical.Table._row

    def longer(self, history, deadline):
        last = dataclasses.replace(history[-1], steps=history[-1].steps + 1)
        return healthy(self, (*history[:-1], last), deadline)

    short = [
        number
        for number in range(12)
        if sum(p.steps for p in draw(number, "phases").history) <= 500
    ]
    monkeypatch.setattr(vertical.Table, "_row", longer)
    assert False in verdicts("phases", *short[:2])


def test_the_smaller_direction_instead_of_the_larger_is_caught(monkeypatch):
    def smaller(x, y):
        return Certified(min(x.lo, y.lo), min(x.hi, y.hi))

    monkeypatch.setattr(questions, "larger", smaller)
    monkeypatch.setattr(tight.Curve, "surely_below", lambda *_: False)
    assert False in verdicts("directions", *range(3))


def test_a_direction_skipped_without_proof_is_caught(monkeypatch):
    monkeypatch.setattr(sides, "DIRECTIONS", ("add", "remove"))
    monkeypatch.setattr(tight.Curve, "surely_below", lambda *_: True)
    assert False in verdicts("directions", *range(3))


def test_an_epsilon_off_by_its_own_width_is_caught(monkeypatch):
    healthy = tight.solve

    def shifted(*given):
        lo, hi = healthy(*given)
        return lo + 2 * (hi - lo), hi + 2 * (hi - lo)

    monkeypatch.setattr(tight, "solve", shifted)
    assert verdicts("account", 0, 1, 2) == [False] * 3


@pytest.mark.parametrize("off", [1e-2, 1e-3])
def test_ends_of_a_bracket_of_epsilon_that_are_off_are_caught(monkeypatch, off):
    healthy = convolution.Bracket.epsilon

    def shifted(self, delta):
        low, high = healthy(self, delta)
        return low * (1 + Fraction(off)), high * (1 + Fraction(off))

    monkeypatch.setattr(convolution.Bracket, "epsilon", shifted)
    assert False in verdicts("bracket", *range(6))


@pytest.mark.parametrize("steps", [1, -1])
def test_a_calibration_that_is_off_by_one_neighbour_is_caught(monkeypatch, steps):
    healthy = runs_calls.calibrate

    def beside(**given):
        found = healthy(**given)
        if found.parameter == "steps":
            return dataclasses.replace(found, value=found.value + steps)
        return dataclasses.replace(found, value=math.nextafter(found.value, math.inf * steps))

    monkeypatch.setattr(runs_calls, "calibrate", beside)
    assert verdicts("calibrate", 0, 1, 2) == [False] * 3


@pytest.mark.parametrize("off", [Fraction(1, 10), Fraction(1, 10**6)])
def test_an_epsilon_by_rdp_that_is_too_large_or_too_small_is_caught(monkeypatch, off):
    healthy = runs_calls.over_all
    for sign in (1, -1):

        def shifted(*given, sign=sign):
            found = healthy(*given)
            lo, hi = (x * (1 + sign * off) for x in (found.epsilon.lo, found.epsilon.hi))
            return dataclasses.replace(found, epsilon=Certified(lo, hi))

        monkeypatch.setattr(runs_calls, "over_all", shifted)
        assert verdicts("best order", 0, 1, 2) == [False] * 3


def test_moments_off_by_a_millionth_are_caught_where_steps_are_many(monkeypatch):
    healthy = line.transform

    def shifted(*arguments):
        values, top = healthy(*arguments)
        return [v * (1 + arb(10) ** -6) for v in values], top

    monkeypatch.setattr(vertical, "transform", shifted)
    assert False in verdicts("tiny rate", *range(4))
