"""The audit can fail: the engine broken one way at a time, by little, and each break is found."""

from __future__ import annotations

import pytest

from tests.meta.audit_breaks import BREAKS, Break, hunt, missed_by
from verify.audit.campaign import batch
from verify.audit.containment import fails
from verify.moments import agreement
from verify.numbers.certified import Enclosure

SOUND = Break("nothing", lambda patch: None, ())


@pytest.mark.parametrize("broken", BREAKS, ids=lambda b: b.name)
def test_the_audit_finds_the_break_where_the_sound_engine_passes(broken):
    found = hunt(broken)
    assert found.case is not None
    assert missed_by(broken, found.case) > 0
    assert not fails(found.case)


def test_the_sound_engine_passes_all_kinds_the_breaks_need():
    kinds = tuple({kind: None for broken in BREAKS for kind in broken.kinds})
    assert hunt(SOUND, kinds, 1500).case is None


@pytest.mark.parametrize("name", ["whole", "rigorous"])
def test_a_second_route_that_is_off_by_a_millionth_of_the_width_is_found(monkeypatch, name):
    """Whichever certificate is false, the audit says that one is."""
    original = agreement.engine

    def beside(moment, digits, deadline):
        """The digits are right, and more of them than asked; the number is another."""
        found = original(name)(moment, digits, deadline)
        wide = original(agreement.REFERENCE)(moment, digits - 10, deadline)
        above = wide.hi + (wide.hi - wide.lo) / 1_000_000
        return Enclosure(above, above + (found.hi - found.lo), proved=True)

    monkeypatch.setattr(agreement, "engine", lambda n: beside if n == name else original(n))
    kind = "plain whole orders" if name == "whole" else "order one"
    assert batch("0", kind, 3).total().outside == 3
