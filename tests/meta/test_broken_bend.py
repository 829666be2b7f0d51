"""The audit of the bent contour sees each of its errors left out, and small faults of its parts."""

from __future__ import annotations

import pytest
from flint import arb

from verify.accounting.hyperbola import bent, sector
from verify.audit.runs import draw
from verify.audit.runs import test as audited
from verify.audit.runs_bend import BENT

LEFT, RIGHT, CUT = range(3)  # as Hyperbola.errors returns them


def verdicts(kind, *seeds):
    return [audited(draw(seed, kind)).ok for seed in seeds]


@pytest.mark.parametrize("kind", BENT)
def test_the_healthy_contour_passes(kind):
    assert set(verdicts(kind, *range(4))) == {True}


@pytest.mark.parametrize(
    ("error", "share", "kind", "seeds"),
    [
        (LEFT, 0, "hyperbola left", (0, 1, 2)),
        (LEFT, 0.05, "hyperbola left", (1, 2)),
        (RIGHT, 0, "hyperbola right", (0, 1, 2)),
        (RIGHT, 0.001, "hyperbola right", (0, 1, 2)),
        (CUT, 0, "hyperbola cut", (0, 1, 2)),
        (CUT, 0.001, "hyperbola cut", (0, 1, 2)),
    ],
)
def test_one_error_that_is_dropped_or_too_small_is_caught(monkeypatch, error, share, kind, seeds):
    healthy = bent.Hyperbola.errors

    def less(self, eps):
        return tuple(e * share if i == error else e for i, e in enumerate(healthy(self, eps)))

    monkeypatch.setattr(bent.Hyperbola, "errors", less)
    assert verdicts(kind, *seeds) == [False] * len(seeds)


def test_neighbouring_lines_that_are_left_out_are_caught(monkeypatch):
    healthy = sector.Moments.__init__

    def undamped(self, *given):
        healthy(self, *given)
        self.damping = arb(0)

    monkeypatch.setattr(sector.Moments, "__init__", undamped)
    assert verdicts("hyperbola step", 0, 2, 5) == [False] * 3


def test_ends_of_lines_that_are_left_out_are_caught(monkeypatch):
    """All of them: what is cut off at an end has two bounds of about the same size, and one hides
    the lack of the other."""

    monkeypatch.setattr(sector.Moments, "_ends", lambda *_: arb(0))
    monkeypatch.setattr(sector.WallCells, "beyond", lambda *given: [arb(0)] * (len(given) - 1))
    assert verdicts("hyperbola moments", 8, 9, 15) == [False] * 3


@pytest.mark.parametrize("off", [1, -1])
def test_one_step_more_or_less_is_caught(monkeypatch, off):
    healthy = bent.power
    monkeypatch.setattr(bent, "power", lambda value, n: healthy(value, n + off))
    assert False in verdicts("hyperbola", *range(4))


def test_a_moment_off_by_a_millionth_of_a_millionth_is_caught(monkeypatch):
    healthy = sector.Moments.at

    def shifted(*given):
        return [v * (1 + arb(10) ** -12) for v in healthy(*given)]

    monkeypatch.setattr(sector.Moments, "at", shifted)
    assert False in verdicts("hyperbola cut", *range(4)) + verdicts("hyperbola", *range(4))


def test_the_end_of_the_loss_forgotten_is_caught(monkeypatch):
    """rho without its end: H taken for M."""

    def without(self, eps):
        return (eps, eps) if self.remove else (self.end - eps + self.end / 10**6, arb(0))

    monkeypatch.setattr(bent.Hyperbola, "_drift", without)
    assert False in verdicts("hyperbola", *range(4))


def test_bounds_of_a_narrower_strip_are_caught(monkeypatch):
    """The errors of a step a third as long."""
    healthy = bent.Hyperbola.errors

    def finer(self, eps):
        h, self.h = self.h, self.h / 3
        found = healthy(self, eps)
        self.h = h
        return found

    monkeypatch.setattr(bent.Hyperbola, "errors", finer)
    assert verdicts("hyperbola right", 0, 1, 2) == [False] * 3
