"""Property tests that count: an example says something (effective) or its condition fails
(vacuous).

A property is a function of drawn values that asserts, and returns VACUOUS where its condition does
not hold. A property that is vacuous on more than 80 % of its draws has a bad strategy, and fails.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

VACUOUS = object()
LEAST_EFFECTIVE = 0.2


@dataclass
class Tally:
    """How many examples of a property said something in its last run."""

    effective: int = 0
    vacuous: int = 0

    @property
    def share(self) -> float:
        return self.effective / max(1, self.effective + self.vacuous)

    def judge(self, name: str) -> None:
        said = f"{name}: {self.effective} effective, {self.vacuous} vacuous examples"
        assert self.share >= LEAST_EFFECTIVE, f"{said}: the strategy misses the condition"


TALLIES: dict[str, Tally] = {}


def holds(
    *, shrink: bool = True, least: int = 0, **strategies: st.SearchStrategy[Any]
) -> Callable[[Callable[..., object]], Callable[[], None]]:
    """Make a test of a property: draw, assert, count, and judge the counts at the end.

    ``least`` is how many examples are drawn at least, whatever the profile says.
    """

    def decorate(check: Callable[..., object]) -> Callable[[], None]:
        tally = Tally()

        @given(**strategies)
        def every(**values: Any) -> None:
            if check(**values) is VACUOUS:
                tally.vacuous += 1
            else:
                tally.effective += 1

        if least > settings.default.max_examples:
            every = settings(max_examples=least)(every)
        if not shrink:  # for wrong properties, whose smallest counterexample nobody wants to know
            every = settings(phases=[Phase.generate], database=None)(every)

        def test() -> None:
            tally.effective = tally.vacuous = 0
            every()
            tally.judge(check.__name__)

        test.__name__, test.__doc__, test.__module__ = (
            check.__name__,
            check.__doc__,
            check.__module__,
        )
        if check.__name__.startswith("test_"):
            TALLIES[check.__name__] = tally
        return test

    return decorate
