"""What is saved by accounting exactly is measured, and RDP's noise is the least that RDP allows."""

from __future__ import annotations

from decimal import Decimal

from verify.judge.show.gain import TARGETS, GainTarget, _enough, gain, noise_by_rdp

SHORT = GainTarget("", "0.01", 100, "2", "1e-5")


def test_the_noise_by_rdp_is_enough_and_a_unit_less_is_not() -> None:
    noise = noise_by_rdp(SHORT)
    assert _enough(SHORT, noise)
    assert not _enough(SHORT, noise - Decimal("0.00001"))


def test_the_run_with_rdps_noise_has_an_exact_epsilon_below_the_target() -> None:
    found = gain(SHORT)
    assert found.exact < float(found.rdp)
    assert found.spent < 2
    assert 0 < found.saved < 1


def test_the_targets_have_names_of_their_own() -> None:
    assert len({target.run for target in TARGETS}) == len(TARGETS)
