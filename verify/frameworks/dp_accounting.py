"""dp-accounting's interface: an accountant whose epsilon and delta are exact, rounded up.

    from verify.frameworks.dp_accounting import ExactAccountant

    accountant = ExactAccountant()
    accountant.compose(dp_accounting.PoissonSampledDpEvent(0.01, dp_accounting.GaussianDpEvent(1.0)), 1000)
    accountant.get_epsilon(1e-5)
    dp_accounting.calibrate_dp_mechanism(ExactAccountant, make_event, 2.0, 1e-5)

``ExactAccountant`` is a ``dp_accounting.PrivacyAccountant``. It is made when it is first asked for,
so that importing this module needs nothing; :class:`Exact` is what it does. Which events are read:
``verify.frameworks.events``.
"""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import Any

from verify.frameworks.asking import Asker, refusal
from verify.frameworks.events import Refused, read
from verify.frameworks.run import ADD_REMOVE, REPLACE_ONE, ZERO_OUT, TrainingRun
from verify.numbers.budget import DEFAULT_SECONDS
from verify.numbers.errors import OutOfDomain

_RELATIONS = {
    "ADD_OR_REMOVE_ONE": ADD_REMOVE,
    "REPLACE_ONE": REPLACE_ONE,
    "REPLACE_SPECIAL": ZERO_OUT,
}


class Exact:
    """What ``ExactAccountant`` does as a ``PrivacyAccountant``."""

    def __init__(
        self, neighboring_relation: Any = None, max_seconds: float = DEFAULT_SECONDS
    ) -> None:
        import dp_accounting

        if neighboring_relation is None:
            neighboring_relation = dp_accounting.NeighboringRelation.ADD_OR_REMOVE_ONE
        if getattr(neighboring_relation, "name", None) not in _RELATIONS:
            raise OutOfDomain(f"neighboring_relation = {neighboring_relation!s:.60}: not known")
        super().__init__(neighboring_relation)  # type: ignore[call-arg]  # PrivacyAccountant comes next
        self._run = TrainingRun((), _RELATIONS[neighboring_relation.name])
        self._asker = Asker(max_seconds)

    @property
    def run(self) -> TrainingRun:
        """What was composed so far; ``run.epsilon(delta)`` has all digits."""
        return self._run

    def get_epsilon(self, target_delta: float) -> float:
        """The least double that is not below the exact epsilon."""
        return self._asker.epsilon(self.run, target_delta)

    def get_delta(self, target_epsilon: float) -> float:
        """The least double that is not below the exact delta."""
        return self._asker.delta(self.run, target_epsilon)

    def _maybe_compose(self, event: Any, count: int, do_compose: bool) -> Any:
        import dp_accounting

        details = dp_accounting.PrivacyAccountant.CompositionErrorDetails
        if do_compose and count < 1:
            raise OutOfDomain(f"count = {count}: must be a whole number >= 1")
        try:
            found = read(event, max(count, 1))
        except Refused as refused:
            return details(invalid_event=refused.event, error_message=refused.reason)
        now = self._run
        run = replace(
            now, phases=(*now.phases, *found.phases), private=now.private and found.private
        )
        run = replace(
            run, phases=run.joined()
        )  # else a run composed step by step would have as many phases
        if reason := refusal(run):
            return details(invalid_event=event, error_message=reason)
        if do_compose:
            self._run = run
        return None


@functools.cache
def _accountant() -> type[Exact]:
    import dp_accounting

    made: type[Exact] = type(dp_accounting.PrivacyAccountant)(
        "ExactAccountant",
        (Exact, dp_accounting.PrivacyAccountant),
        {"__doc__": "The exact accountant, a PrivacyAccountant.", "__module__": __name__},
    )
    return made


def __getattr__(name: str) -> Any:
    if name == "ExactAccountant":
        return _accountant()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
