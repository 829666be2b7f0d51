"""Opacus's interface: an accountant whose epsilon is exact, rounded up.

    import verify.frameworks.opacus
    verify.frameworks.opacus.register()

    engine = opacus.PrivacyEngine(accountant="exact")
    opacus.accountants.utils.get_noise_multiplier(..., accountant="exact")

**Which batches.** Opacus's accountants assume Poisson sampling.
``make_private(poisson_sampling=False)`` keeps the loader as it is, and tells its accountant nothing
of it; the accountant therefore looks at that argument of the caller, when ``make_private`` asks it
for the optimizer's hook, and when ``make_private_with_epsilon`` searches for the noise (Opacus's
own accountants search there as if batches were Poisson-sampled, and miss the target). Without
Poisson sampling there is no amplification that can be proved, and with one record fewer the batches
of a shuffled epoch are not even defined. What holds, for neighbours of which one has a record
zeroed out: couple the permutations of both runs; given them, a record is in one batch of each pass
over the data, and the run is the Gaussian mechanism with as many steps as passes (q = 1). That is
the upper end of the bracket that is known, it is what :meth:`ExactAccountant.get_epsilon` returns,
with a warning, or refuses to (``shuffled="refuse"``; then ``make_private`` is the error, before
anything is trained).

The passes are counted from the steps of a phase and its rate, 1 over the number of batches a pass;
every pass must have been run to its end. If accumulation makes steps that straddle two passes (the
number of steps a pass is no whole number), a record can be twice in one step; two passes that share
a step count mu^2 = 4/sigma^2 instead of 2/sigma^2, so twice as many steps are an upper end.
"""

from __future__ import annotations

import inspect
import math
import operator
import warnings
from collections import OrderedDict
from collections.abc import Callable, Mapping
from copy import deepcopy
from fractions import Fraction
from types import FrameType
from typing import Any

from verify.frameworks.asking import Asker, to_safe_side
from verify.frameworks.run import DIGITS, NOT_POISSON, POISSON, TrainingPhase, TrainingRun
from verify.numbers.budget import DEFAULT_SECONDS
from verify.numbers.certified import Certified
from verify.numbers.errors import OutOfDomain

NAME = "exact"
Triple = tuple[float, float, int]
"""Noise multiplier, sample rate, steps: Opacus's order."""

UPPER_END = (
    "batches were not drawn by Poisson sampling (poisson_sampling=False): epsilon is an upper end, for neighbours of "
    "which one has a record zeroed out, without amplification by sampling, if every pass over the "
    "data was run to its end"
)
NO_EXACT = (
    "batches were not drawn by Poisson sampling (poisson_sampling=False): no exact epsilon is known"
)
_ANSWERS = ("upper-end", "refuse")
_MAKERS = ("make_private", "make_private_with_epsilon")


class ExactAccountant:
    """The exact epsilon of the steps taken so far; an ``opacus.accountants.IAccountant``.

    >>> accountant = ExactAccountant()
    >>> for _ in range(1000):
    ...     accountant.step(noise_multiplier=1.0, sample_rate=0.01)
    >>> accountant.get_epsilon(delta=1e-5)
    1.828236666516577
    """

    shuffled = "upper-end"
    max_seconds = DEFAULT_SECONDS

    def __init__(self) -> None:
        if self.shuffled not in _ANSWERS:
            raise OutOfDomain(f"shuffled = {self.shuffled!s:.40}: must be {' or '.join(_ANSWERS)}")
        self._asker = Asker(self.max_seconds)
        self.history = []

    @property
    def history(self) -> list[Triple]:
        """(noise multiplier, sample rate, steps) of each phase, as in Opacus's other accountants."""
        return self._history

    @history.setter
    def history(self, history: list[Triple]) -> None:
        """A history that somebody else has recorded counts as Poisson-sampled, as it does there.

        Opacus's search for noise sets one, too: that is of the batches that the search is for.
        """
        frame = inspect.currentframe()
        sampling = told_by(frame.f_back if frame else None)
        self._history, self._samplings = history, [sampling] * len(history)

    def step(self, *, noise_multiplier: float, sample_rate: float, sampling: str = POISSON) -> None:
        """One optimization step."""
        if self._history and self._samplings[-1] == sampling:
            noise, rate, steps = self._history[-1]
            if (noise, rate) == (noise_multiplier, sample_rate):
                self._history[-1] = (noise, rate, steps + 1)
                return
        self._history.append((noise_multiplier, sample_rate, 1))
        self._samplings.append(sampling)

    def get_epsilon(self, delta: float, **kwargs: Any) -> float:
        """The least double that is not below the exact epsilon of the steps so far.

        Options of other accountants (``alphas``, ``eps_error``) are taken and have nothing to decide here.
        """
        return self._asker.epsilon(self._answerable_run(), delta)

    def certified(self, delta: float, digits: int = DIGITS) -> Certified:
        """The same number with all its digits."""
        return to_safe_side(self._answerable_run()).epsilon(delta, digits, self.max_seconds)

    def run(self) -> TrainingRun:
        """The steps so far."""
        return read_history(self._history, self._samplings)

    def _answerable_run(self) -> TrainingRun:
        run = self.run()
        if run.only_poisson():
            return run
        if self.shuffled == "refuse":
            raise OutOfDomain(NO_EXACT)
        warnings.warn(UPPER_END, stacklevel=3)
        return upper_end(run)

    @property
    def from_nothing(self) -> int:
        """How many of its answers used nothing of an earlier one."""
        return self._asker.from_nothing

    def __len__(self) -> int:
        return sum(steps for _, _, steps in self._history)

    @classmethod
    def mechanism(cls) -> str:
        return NAME

    def get_optimizer_hook_fn(self, sample_rate: float) -> Callable[[Any], None]:
        """A function for the optimizer to call at each step."""
        frame = inspect.currentframe()
        sampling = told_by(frame.f_back if frame else None)
        if sampling == NOT_POISSON and self.shuffled == "refuse":
            raise OutOfDomain(NO_EXACT)

        def hook(optimizer: Any) -> None:
            self.step(
                noise_multiplier=optimizer.noise_multiplier,
                sample_rate=sample_rate * optimizer.accumulated_iterations,
                sampling=sampling,
            )

        return hook

    def state_dict(self, destination: Any = None) -> Any:
        """The history, and how its batches were drawn."""
        state = OrderedDict() if destination is None else destination
        state["history"] = deepcopy(self._history)
        state["mechanism"] = self.mechanism()
        state["samplings"] = list(self._samplings)
        return state

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """The state of this accountant, or of any other of Opacus's: all record the same triples."""
        if not state_dict or not {"history", "mechanism"} <= set(state_dict):
            raise ValueError("a state of an accountant has the keys history and mechanism")
        try:
            history = [(s, q, operator.index(n)) for s, q, n in state_dict["history"]]
        except (TypeError, ValueError):
            raise OutOfDomain(
                "a history has (noise multiplier, sample rate, steps) in every phase, steps a whole number"
            ) from None
        samplings = list(state_dict.get("samplings", [POISSON] * len(history)))
        read_history(history, samplings)
        self._history, self._samplings = history, samplings


def told_by(caller: FrameType | None) -> str:
    """How batches are drawn, if the caller is Opacus's ``make_private`` or its search for noise;
    else Poisson, which is its accountants' rule."""
    if caller is not None and caller.f_code.co_name == "get_noise_multiplier":
        caller = caller.f_back
    if caller is None or caller.f_code.co_name not in _MAKERS:
        return POISSON
    return POISSON if caller.f_locals.get("poisson_sampling", True) else NOT_POISSON


def read_history(history: list[Triple], samplings: list[str] | None = None) -> TrainingRun:
    """Opacus's triples as a run.

    >>> read_history([(1.0, 0.5, 3)]).phases
    (TrainingPhase(q=0.5, sigma=1.0, steps=3, ...),)
    """
    ways = [POISSON] * len(history) if samplings is None else samplings
    if len(ways) != len(history) or not set(ways) <= {POISSON, NOT_POISSON}:
        raise OutOfDomain("a history and the ways its batches were drawn do not fit together")
    phases = []
    for i, one in enumerate(history):
        try:
            noise, rate, steps = one
        except (TypeError, ValueError):
            raise OutOfDomain(f"phase {i + 1}: (noise multiplier, sample rate, steps)") from None
        if not isinstance(steps, int) or isinstance(steps, bool) or steps < 1:
            raise OutOfDomain(f"phase {i + 1}: steps = {steps!s:.40}: must be a whole number >= 1")
        phases.append(TrainingPhase(rate, noise, steps, ways[i]))
    return TrainingRun(tuple(phases))


def upper_end(run: TrainingRun) -> TrainingRun:
    """The Poisson-sampled run that is an upper end of this one: a pass over the data in other
    batches is a step with q = 1.

    Zeroing a record out of Poisson-sampled batches and leaving it out are the same pair of distributions, so it is
    asked for by the name of the latter.

    >>> upper_end(TrainingRun((TrainingPhase(0.25, 1.0, 9, NOT_POISSON),))).phases
    (TrainingPhase(q=1, sigma=1.0, steps=3, ...),)
    """
    phases, before = [], 0
    for phase in run.phases:
        if phase.sampling == POISSON:
            phases.append(phase)
            before = 0
            continue
        rate = Fraction(phase.q or 0)
        if not 0 < rate <= 1:
            raise OutOfDomain(f"sample rate = {phase.q!s:.40}: must be in (0, 1]")
        batches = round(1 / rate)
        if abs(batches * rate - 1) < Fraction(1, 10**12):  # 1/len(loader), in doubles
            passes = (before + phase.steps - 1) // batches - before // batches + 1
        else:
            passes = 2 * (math.ceil(phase.steps * rate) + 1)
        before += phase.steps
        phases.append(TrainingPhase(1, phase.sigma, passes))
    return TrainingRun(tuple(phases))


def register(shuffled: str = "upper-end", max_seconds: float = DEFAULT_SECONDS) -> type[Any]:
    """Make "exact" one of Opacus's accountants; registering again replaces it.

    Args:
        shuffled: What to answer where batches were not drawn by Poisson sampling: "upper-end" (with
            a warning) or "refuse".
        max_seconds: Time allowed for each answer, in seconds.

    Returns:
        The class that was registered.
    """
    from opacus.accountants import IAccountant, register_accountant

    if shuffled not in _ANSWERS:
        raise OutOfDomain(f"shuffled = {shuffled!s:.40}: must be {' or '.join(_ANSWERS)}")
    options = {"shuffled": shuffled, "max_seconds": max_seconds, "__module__": __name__}
    made: type[Any] = (
        ExactAccountant  # itself where nothing is changed: pickle finds it by its name
    )
    if (shuffled, max_seconds) != (ExactAccountant.shuffled, ExactAccountant.max_seconds):
        made = type("ExactAccountant", (ExactAccountant,), options)
    IAccountant.register(made)
    register_accountant(NAME, made, force=True)
    return made
