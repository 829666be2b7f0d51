"""The audit of the privacy curve sees broken versions of it, gross ones and small ones."""

from __future__ import annotations

import dataclasses

import pytest
from flint import acb_mat, arb

from verify.accounting import contour, convolution, line, nodes, plan
from verify.accounting.audit import KINDS, draw
from verify.accounting.audit import test as audited
from verify.accounting.audit_bend import BENT

USUAL = [kind for kind in KINDS if kind not in (*BENT, "jump", "brute")]
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
    healthy = contour.Bounds.at

    def without(self, eps, period):
        tail, _, _ = healthy(self, eps, period)
        return tail, arb(0), arb(0)

    monkeypatch.setattr(contour.Bounds, "at", without)
    assert "coarse" in caught("coarse")


def test_an_aliasing_term_that_is_a_thousand_times_too_small_is_caught(monkeypatch):
    healthy = contour.Bounds.at

    def less(self, eps, period):
        tail, right, left = healthy(self, eps, period)
        return tail, right / 1000, left / 1000

    monkeypatch.setattr(contour.Bounds, "at", less)
    assert "coarse" in caught("coarse")


def test_losses_below_the_cut_that_are_left_out_are_caught(monkeypatch):
    """The bound for rare jumps has only its jumps."""
    monkeypatch.setattr(contour, "below", lambda *_: arb(10) ** -9)
    assert audited(draw(3, "jumps")).ok is False


@pytest.mark.parametrize("share", [0, 1e-9])
def test_jumps_that_are_left_out_are_caught(monkeypatch, share):
    """One step, and a cut below all losses that alias: only the part beyond it can carry them."""
    healthy = contour.beyond
    monkeypatch.setattr(contour, "beyond", lambda *given: healthy(*given) * share)
    assert [audited(draw(seed, "jump")).ok for seed in (0, 1, 2)] == [False] * 3


def test_jumps_that_are_there_pass():
    assert [audited(draw(seed, "jump")).ok for seed in (0, 1, 2)] == [True] * 3


def test_a_wrong_conjugation_is_caught(monkeypatch):
    healthy = contour.Table._row

    def unconjugated(self, history, deadline):
        row = healthy(self, history, deadline)
        if self.remove:
            return row
        z = [contour.acb(self.c, self.h * k) for k in range(row.ncols())]
        fixed = [
            (row[0, k] * z[k] * (z[k] - 1)).conjugate() / (z[k] * (z[k] - 1))
            for k in range(row.ncols())
        ]
        return acb_mat(1, len(fixed), fixed)

    monkeypatch.setattr(contour.Table, "_row", unconjugated)
    kinds = {"single", "pair", "convolution", "brute"}
    assert caught(*kinds) == kinds


def test_half_a_tail_left_out_is_caught(monkeypatch):
    """The bound is that of K terms, but only half of them are summed."""
    healthy = contour.Table._row

    def halved(self, history, deadline):
        row = healthy(self, history, deadline)
        half = row.ncols() // 2
        values = [row[0, k] if k <= half else 0 * row[0, k] for k in range(row.ncols())]
        return acb_mat(1, len(values), values)

    monkeypatch.setattr(contour.Table, "_row", halved)
    assert "digits" in caught("digits", "single")


def test_a_missing_tail_bound_is_caught(monkeypatch):
    healthy = contour.Bounds.at

    def without(self, eps, period):
        _, right, left = healthy(self, eps, period)
        return arb(0), right, left

    monkeypatch.setattr(contour.Bounds, "at", without)
    assert "short" in caught("short")


@pytest.mark.parametrize("off", [1, -1])
def test_one_step_more_or_less_is_caught(monkeypatch, off):
    healthy = contour.power
    monkeypatch.setattr(contour, "power", lambda value, n: healthy(value, n + off))
    assert caught("pair", "full", "convolution", "brute") >= {"pair", "full", "brute"}


def test_a_moment_off_by_a_millionth_of_a_millionth_is_caught(monkeypatch):
    healthy = line.transform

    def shifted(*arguments):
        values, top = healthy(*arguments)
        return [v * (1 + arb(10) ** -12) for v in values], top

    monkeypatch.setattr(contour, "transform", shifted)
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
