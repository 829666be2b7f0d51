"""The audit of random allocation sees broken versions of it, gross ones and small ones."""

from __future__ import annotations

import dataclasses

import pytest
from flint import arb

from verify.accounting.pairs.allocation import (
    crude,
    idle,
    laplace,
    mellin,
    outcomes,
    parts,
    spectrum,
)
from verify.audit.pairs.allocation import KINDS, draw
from verify.audit.pairs.allocation import test as audited

_QUICK = 150  # batches or epochs


def cases(kind, count=2, idle_too=False):
    """The first quick cases of a kind, without idle records where they make it slow."""
    found, seed = [], 0
    while len(found) < count:
        case = draw(seed, kind)
        seed += 1
        part = case.parts[0]
        quick = part.batches <= _QUICK and case.digits <= 10 and part.sigma > parts.Fraction(1, 2)
        quick &= part.idle == 0 or idle_too or kind in ("poisson", "fall")
        if quick and not case.poisson and part.epochs < _QUICK:
            found.append(case)
    return found


def caught(*kinds, count=2, idle_too=False):
    """Names of the kinds of case that fail."""
    results = [audited(case) for kind in kinds for case in cases(kind, count, idle_too)]
    return {result.case.kind for result in results if result.ok is False}


def test_the_healthy_engine_passes():
    """No kind fails, and every kind passes somewhere."""
    results = [audited(case) for kind in KINDS for case in cases(kind, 2)]
    assert not [result for result in results if result.ok is False]
    assert {result.case.kind for result in results if result.ok} == set(KINDS)


def change(monkeypatch, where, name, new):
    """Replace a function by new(healthy, ...)."""
    healthy = getattr(where, name)
    monkeypatch.setattr(where, name, lambda *given, **named: new(healthy, *given, **named))


@pytest.mark.parametrize("share", [0, 1e-3])
def test_an_aliasing_bound_that_is_too_small_is_caught(monkeypatch, share):
    def less(healthy, self, x):
        value, slope, rest = healthy(self, x)
        return value, slope, rest * share

    change(monkeypatch, spectrum.Spectrum, "difference", less)
    assert caught("coarse", count=4) == {"coarse"}


@pytest.mark.parametrize("share", [0, 1e-3])
def test_a_bound_of_what_is_cut_off_that_is_too_small_is_caught(monkeypatch, share):
    change(
        monkeypatch,
        spectrum.Spectrum,
        "_cut",
        lambda healthy, *given: healthy(*given) + (arb(share).log() if share else -1000),
    )
    assert caught("short") == {"short"}


def test_moments_said_to_fall_too_fast_are_caught(monkeypatch):
    """The exponent y^2/(2 s^2 T) four times as large."""

    def faster(healthy, outline, a, y, fall, top, deadline):
        return 4 * healthy(outline, a, y, fall, top, deadline) - 3 * top.log()

    change(monkeypatch, spectrum, "fall_below", faster)
    assert caught("short", count=4) == {"short"}


@pytest.mark.parametrize("off", [1, -1])
def test_one_epoch_more_or_less_is_caught(monkeypatch, off):
    change(monkeypatch, spectrum, "power", lambda healthy, value, n: healthy(value, n + off))
    assert caught("gaussian", "poisson", "outcomes") == {"gaussian", "poisson", "outcomes"}


def test_a_moment_off_by_a_millionth_of_a_millionth_is_caught(monkeypatch):
    def shifted(healthy, *given):
        values, top = healthy(*given)
        return [v * (1 + arb(10) ** -12) for v in values], top

    change(monkeypatch, spectrum, "moments", shifted)
    sharp = [dataclasses.replace(case, digits=15) for case in cases("gaussian")]
    assert [audited(case).ok for case in sharp] == [False] * len(sharp)


def test_poles_left_in_the_sum_are_caught(monkeypatch):
    """The explicit parts of the aliases are added instead of taken away, by a millionth."""

    def more(healthy, self, x):
        value, slope, rest = healthy(self, x)
        period = 2 * arb.pi() / self.h
        return value + 1e-6 / (abs(self.a - 1) * period).expm1(), slope, rest

    change(monkeypatch, spectrum.Spectrum, "difference", more)
    assert caught("coarse", "lines", count=4)


@pytest.mark.parametrize("share", [0, 1e-3])
def test_errors_of_the_step_on_a_ray_that_are_too_small_are_caught(monkeypatch, share):
    def less(healthy, self):
        high, low = healthy(self)
        return high * share, low * share

    change(monkeypatch, mellin.RayHeights, "aliases", less)
    assert caught("ray step", count=6) == {"ray step"}


@pytest.mark.parametrize("share", [0, 1e-3, 0.1])
def test_ends_of_a_ray_that_are_left_out_are_caught(monkeypatch, share):
    change(monkeypatch, mellin.RayHeights, "beyond", lambda healthy, self: healthy(self) * share)
    assert caught("ray ends", count=4) == {"ray ends"}


@pytest.mark.parametrize("share", [0, 1e-3])
def test_errors_of_the_inner_rule_that_are_too_small_are_caught(monkeypatch, share):
    change(monkeypatch, laplace, "box", lambda healthy, radius: healthy(radius * share))
    assert caught("inner cut", count=3) == {"inner cut"}


def test_a_wrong_tilt_is_caught(monkeypatch):
    """F at e^{1/s^2} replaced by F at e^{2/s^2}, and the coefficient of S^2 off by a millionth."""
    wrong = {0: 0, 1: 2, 2: 2}
    healthy = laplace.on_ray
    change(
        monkeypatch,
        laplace,
        "on_ray",
        lambda _, part, ray, k, end: healthy(part, ray, wrong[k], end),
    )
    assert caught("lines", "whole") == {"lines", "whole"}


def test_a_coefficient_off_by_a_millionth_is_caught(monkeypatch):
    def off(healthy, part, n):
        return [
            dataclasses.replace(term, coefficient=term.coefficient * (1 + arb(n) / 10**6))
            for term in healthy(part, n)
        ]

    change(monkeypatch, laplace, "tilted_terms", off)
    assert caught("whole", "lines") == {"whole", "lines"}


def test_idle_records_left_out_are_caught(monkeypatch):
    """The pair without the idle part."""
    healthy = mellin.mixed_on_ray
    change(
        monkeypatch,
        mellin,
        "mixed_on_ray",
        lambda _, part, n, ray, end: healthy(
            dataclasses.replace(part, idle=part.idle * (1 - arb_free(10**-6))), n, ray, end
        ),
    )
    assert caught("poisson") == {"poisson"}


def arb_free(x):
    return parts.Fraction(x)


def test_the_part_below_the_level_left_out_is_caught(monkeypatch):
    """With idle records: the moment is said to fall as if S were never below the level."""
    change(monkeypatch, idle, "moment_above", lambda healthy, *given: healthy(*given) * 1e-30)
    assert caught("fall", idle_too=True) == {"fall"}


def test_a_top_that_is_not_above_is_caught(monkeypatch):
    def less(healthy, self, *given):
        values, top = healthy(self, *given)
        return values, top * 0.99

    change(monkeypatch, mellin.RayHeights, "values", less)
    assert "ray step" in caught("ray step")


@pytest.mark.parametrize("bound", ["above", "below"])
def test_a_bracket_that_is_off_is_caught(monkeypatch, bound):
    """Directions exchanged: events of the other pair, Chernoff of the other pair."""

    def other(healthy, self, epsilon):
        value = healthy(self, epsilon)
        return value / 50 if bound == "above" else min(value * 3 + parts.Fraction(1, 1000), 1)

    change(monkeypatch, crude.Crude, bound, other)
    assert caught("crude", count=4) == {"crude"}


def test_sums_over_outcomes_see_a_thousandth(monkeypatch):
    """Two batches: delta is known to a few hundred-thousandths."""
    healthy = spectrum.Spectrum.delta

    def off(self, epsilon):
        value = healthy(self, epsilon)
        factor = 1 + parts.Fraction(1, 1000)
        return dataclasses.replace(value, lo=value.lo * factor, hi=value.hi * factor)

    two = [case for case in cases("outcomes", 4) if case.parts[0].batches == 2]
    assert outcomes.by_outcomes(two[0].parts[0], two[0].direction, two[0].epsilon)
    monkeypatch.setattr(spectrum.Spectrum, "delta", off)
    assert {audited(case).ok for case in two} <= {False, None}
    assert False in {audited(case).ok for case in two}
