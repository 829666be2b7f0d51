"""The audit of the mixture pairs sees broken versions of them, gross ones and small ones."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

import pytest
from flint import arb

from verify.accounting.contour.line import BadPlan, Line
from verify.accounting.exact import convolution
from verify.accounting.history import Phase
from verify.accounting.pairs.mixtures import bracket, exact, plan, step, table, transform
from verify.audit.pairs.mixtures import KINDS, draw
from verify.audit.pairs.mixtures import test as audited
from verify.numbers.balls import precision
from verify.numbers.budget import Deadline

SEEDS = {kind: range(6) for kind in KINDS} | {
    "pair": (5001,),
    "convolution": range(3),
    "brute": range(4),
}
SEEDS |= {"coarse": range(8), "inner": range(12), "moment": range(12), "height": range(12)}


def results(*kinds):
    return [audited(draw(seed, kind)) for kind in kinds for seed in SEEDS[kind]]


def caught(*kinds):
    """Names of the kinds of case that fail."""
    return {result.case.kind for result in results(*kinds) if result.ok is False}


def test_the_healthy_pairs_pass():
    found = results(*KINDS)
    assert not [result for result in found if result.ok is False]
    assert {result.case.kind for result in found if result.ok} == set(KINDS)


# -- the outer sum


@pytest.mark.parametrize("share", [0, 1e-3])
def test_aliasing_that_is_left_out_or_shrunk_is_caught(monkeypatch, share):
    healthy = table.MixtureBounds.at

    def less(self, eps, period):
        tail, right, left = healthy(self, eps, period)
        return tail, right * share, left * share

    monkeypatch.setattr(table.MixtureBounds, "at", less)
    assert caught("coarse") == {"coarse"}


@pytest.mark.parametrize("share", [0, 1e-2])
def test_a_tail_that_is_left_out_or_shrunk_is_caught(monkeypatch, share):
    healthy = table.MixtureBounds.at

    def less(self, eps, period):
        tail, right, left = healthy(self, eps, period)
        return tail * share, right, left

    monkeypatch.setattr(table.MixtureBounds, "at", less)
    assert caught("short") == {"short"}


@pytest.mark.parametrize("off", [1, -1])
def test_one_step_more_or_less_is_caught(monkeypatch, off):
    healthy = table.power
    monkeypatch.setattr(table, "power", lambda value, n: healthy(value, n + off))
    assert caught("full", "single", "brute") == {"full", "single", "brute"}


def test_a_moment_off_by_a_millionth_of_a_millionth_is_caught(monkeypatch):
    healthy = transform.transform

    def shifted(*given):
        values, top = healthy(*given)
        return [v * (1 + arb(10) ** -12) for v in values], top

    monkeypatch.setattr(table, "transform", shifted)
    assert caught("full", "single", "known") == {"full", "single", "known"}


def test_a_conjugated_transform_is_caught(monkeypatch):
    healthy = transform.transform

    def turned(*given):
        values, top = healthy(*given)
        return [v.conjugate() for v in values], top

    monkeypatch.setattr(table, "transform", turned)
    assert caught("single", "known") == {"single", "known"}


# -- the inner rules


@pytest.mark.parametrize("share", [0, 1e-2])
def test_an_inner_error_that_is_left_out_or_shrunk_is_caught(monkeypatch, share):
    healthy = transform.inner_error
    monkeypatch.setattr(transform, "inner_error", lambda *given: healthy(*given) * share)
    assert caught("inner") == {"inner"}


def test_the_old_spread_gives_false_intervals(monkeypatch):
    """C = 1 holds where the second density is no mixture; here the healthy rule refuses its step."""
    phase, coarse = Phase(Fraction(1, 2), Fraction(1), 1), Line(1.0, 0.8, -17, 22)
    given = phase, (0, 2), arb(6), arb(0.3), 6
    with precision(300):
        truth, _ = transform.transform(*given, Line(0.5, 0.02, -700, 900), Deadline())
        with pytest.raises(BadPlan, match="coarse"):
            transform.transform(*given, coarse, Deadline())
        monkeypatch.setattr(step.MixtureStep, "spread", lambda self, b, a: arb(1))
        found, _ = transform.transform(*given, coarse, Deadline())
        assert not all(x.contains(y) for x, y in zip(found, truth, strict=True))


@pytest.mark.parametrize("share", [0, 0.5])
def test_a_cut_off_that_is_left_out_or_halved_is_caught(monkeypatch, share):
    healthy = step.MixtureStep.cut_off
    monkeypatch.setattr(
        step.MixtureStep, "cut_off", lambda self, a, line: healthy(self, a, line) * share
    )
    assert caught("moment") == {"moment"}


def test_the_principal_logarithm_of_the_whole_polynomial_is_caught(monkeypatch):
    """Where k b >= pi it is another branch."""
    monkeypatch.setattr(step, "_branch", lambda value, near: value.log())
    assert "inner" in caught("inner")


def test_a_node_that_is_counted_twice_is_caught(monkeypatch):
    healthy = step.MixtureStep.logs

    def twice(self, line):
        up, down = healthy(self, line)
        middle = -line.low
        up[middle + 1], down[middle + 1] = up[middle], down[middle]
        return up, down

    monkeypatch.setattr(step.MixtureStep, "logs", twice)
    assert caught("single", "known") == {"single", "known"}


def test_a_height_without_its_factor_is_caught(monkeypatch):
    """e^{eta^2/2} left out."""
    healthy = transform.height

    def lower(phase, degrees, a, y, line, top=None):
        return healthy(phase, degrees, a, y, line, top) / (arb(line.eta) ** 2 / 2).exp() / 2

    monkeypatch.setattr("verify.audit.pairs.mixtures.height", lower)
    assert caught("height") == {"height"}


def test_lines_that_are_too_coarse_are_refused_or_wide(monkeypatch):
    """Whatever the doubles propose, an interval that is returned holds."""
    healthy = plan.table_line

    def coarse(*given):
        proposal = healthy(*given)
        return dataclasses.replace(proposal, step=3 * proposal.step)

    monkeypatch.setattr(plan, "table_line", coarse)
    assert audited(draw(1, "full")).ok is not False
    assert audited(draw(1, "single")).ok is not False


# -- the pair itself


@pytest.mark.parametrize("by", ["1e-3", "1e-9"])
def test_other_weights_are_caught(monkeypatch, by):
    """The contour's polynomial has a top coefficient that is too small."""
    healthy = step.MixtureStep.__init__

    def changed(self, phase, degrees):
        healthy(self, phase, degrees)
        self.terms[-1] *= 1 - arb(by)
        self.real, self.complex = step.arb_poly(self.terms), step.acb_poly(self.terms)

    class Changed(step.MixtureStep):
        __init__ = changed

    monkeypatch.setattr(transform, "MixtureStep", Changed)
    assert caught("single", "known") == {"single", "known"}


def test_one_record_less_is_caught(monkeypatch):
    healthy = transform.MixtureStep

    def less(phase, degrees):
        return healthy(phase, tuple(max(0, k - 1) if k > 1 else k for k in degrees))

    monkeypatch.setattr(transform, "MixtureStep", less)
    assert "single" in caught("single")


def test_a_root_off_by_a_millionth_is_caught(monkeypatch):
    healthy = exact.OneStep.root
    monkeypatch.setattr(
        exact.OneStep, "root", lambda self, level: healthy(self, level) * (1 + arb(10) ** -6)
    )
    assert "single" in caught("single")


def test_weights_rounded_the_wrong_way_are_caught(monkeypatch):
    monkeypatch.setattr(convolution, "_up", convolution._down)
    healthy = bracket.from_above
    monkeypatch.setattr(
        bracket,
        "from_above",
        lambda *given: dataclasses.replace(
            healthy(*given), values=[v * 9 // 10 for v in healthy(*given).values]
        ),
    )
    assert "convolution" in caught("convolution")


def test_the_other_density_is_caught(monkeypatch):
    """Swapped degrees: adding answered as removing."""
    healthy = table.transform

    def swapped(phase, degrees, *rest):
        return healthy(phase, degrees[::-1], *rest)

    monkeypatch.setattr(table, "transform", swapped)
    assert "known" in caught("known")
