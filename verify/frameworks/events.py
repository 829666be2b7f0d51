"""dp-accounting's events as phases of a run, or the reason why not.

What is read:

    Gaussian                      one step without sampling (q = 1)
    Poisson-sampled               of Gaussians, composed in any way; of a Poisson-sampled event (the rates multiply)
    sampled without replacement   of Gaussians: batches of a fixed size
    truncated, Poisson-sampled    of a Gaussian: batches cut to a largest size; the size of the data
                                  set is that of the larger one
    random allocation             of a Gaussian, one of num_steps batches: one epoch
    composed, self-composed       in any nesting
    no-op, non-private            as their names say

Several Gaussians on one sample are one: given the sample, independent noise of sigma_1, ...,
sigma_k on sums of the same records is one Gaussian in the product space, scaled to noise 1; the
shift of a record has the norm sqrt(sum 1/sigma_i^2) at most, so it is the sampled Gaussian with
sigma = (sum 1/sigma_i^2)^(-1/2), also where the queries depend on earlier answers. The root is
rounded down, to 60 digits.

A zero noise multiplier is not private (unless nobody is sampled). The type of a number does not matter: 2 is 2.0.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from verify.frameworks.run import ALLOCATION, FIXED_SIZE, POISSON, TRUNCATED, TrainingPhase
from verify.numbers.errors import OutOfDomain
from verify.numbers.point import exact

_BITS = 200  # of the root of a sum of squares

REFUSED = {
    "LaplaceDpEvent": "Laplace noise: only Gaussian noise is treated here",
    "DiscreteLaplaceDpEvent": "discrete Laplace noise: only Gaussian noise is treated here",
    "RandomizedResponseDpEvent": "randomized response: only Gaussian noise is treated here",
    "ZCDpEvent": "zCDP is a bound on a mechanism, not a mechanism: there is no exact epsilon of it",
    "SampledWithReplacementDpEvent": "sampling with replacement: a record can be in a batch several times",
    "SingleEpochTreeAggregationDpEvent": "tree aggregation: its noise is correlated between steps",
    "RepeatAndSelectDpEvent": "a random number of repetitions: no exact pair of distributions is known",
    "MixtureOfGaussiansDpEvent": "a mixture of any sensitivities: only that of sampling is treated here",
    "UnsupportedDpEvent": "an unsupported event, as its name says",
}


class Refused(Exception):
    """An event that is not treated, inside the one that was given."""

    def __init__(self, event: Any, reason: str) -> None:
        super().__init__(reason)
        self.event, self.reason = event, reason


@dataclass(frozen=True, slots=True)
class Read:
    """What an event releases."""

    phases: tuple[TrainingPhase, ...]
    private: bool = True


def read(event: Any, count: int = 1) -> Read:
    """The phases of an event that takes place so many times; ``Refused`` with the event inside that is not treated."""
    found = list(_read(event, count))
    return Read(tuple(p for p in found if p is not None), None not in found)


def kind(event: Any) -> str:
    """The name of an event's class, if it is one of dp-accounting's."""
    cls = type(event)
    return cls.__name__ if cls.__module__.partition(".")[0] == "dp_accounting" else ""


def _read(event: Any, count: int) -> Iterator[TrainingPhase | None]:
    """Phases; None for something that is not private."""
    match kind(event):
        case "NoOpDpEvent":
            return
        case "NonPrivateDpEvent":
            yield None
        case "SelfComposedDpEvent":
            yield from _read(event.event, count * _count(event.count, "count"))
        case "ComposedDpEvent":
            for one in event.events:
                yield from _read(one, count)
        case "GaussianDpEvent":
            sigma = _sigma(event)
            yield TrainingPhase(Fraction(1), sigma, count) if sigma else None
        case "PoissonSampledDpEvent":
            yield from _poisson_sampled_event(event, _rate(event.sampling_probability), count)
        case "SampledWithoutReplacementDpEvent":
            yield from _without_replacement(event, count)
        case "TruncatedSubsampledGaussianDpEvent":
            yield from _truncated_phases(event, count)
        case "RandomAllocationDpEvent":
            yield from _allocation_event(event, count)
        case name:
            reason = REFUSED.get(name, "an event that is not known here")
            raise Refused(event, reason)


def _poisson_sampled_event(
    event: Any, rate: Fraction, count: int
) -> Iterator[TrainingPhase | None]:
    inner = _only(event.event)
    if kind(inner) == "PoissonSampledDpEvent":
        yield from _poisson_sampled_event(inner, rate * _rate(inner.sampling_probability), count)
        return
    sigma = _joint_sigma(event, inner)
    if rate and sigma is not None:
        yield TrainingPhase(rate, sigma, count) if sigma else None


def _without_replacement(event: Any, count: int) -> Iterator[TrainingPhase | None]:
    size = _count(event.source_dataset_size, "source_dataset_size")
    batch = _count(event.sample_size, "sample_size", least=0)
    if batch > size:
        raise OutOfDomain(f"sample_size = {batch}: must not be above source_dataset_size = {size}")
    sigma = _joint_sigma(event, event.event)
    if batch and sigma is not None:
        yield TrainingPhase(Fraction(batch, size), sigma, count, FIXED_SIZE) if sigma else None


def _truncated_phases(event: Any, count: int) -> Iterator[TrainingPhase | None]:
    names = "dataset_size", "truncated_batch_size"
    size, limit = (_count(getattr(event, name), name, least=0) for name in names)
    rate, sigma = _rate(event.sampling_probability), _sigma(event)
    if not (rate and size and limit):
        return
    if not sigma:
        yield None
    elif limit >= size:  # nothing is ever cut
        yield TrainingPhase(rate, sigma, count)
    else:
        yield TrainingPhase(rate, sigma, count, TRUNCATED, records=size, limit=limit)


def _allocation_event(event: Any, count: int) -> Iterator[TrainingPhase | None]:
    chosen, steps = (_count(getattr(event, name), name) for name in ("num_selected", "num_steps"))
    if chosen > steps:
        raise OutOfDomain(f"num_selected = {chosen}: must not be above num_steps = {steps}")
    if chosen > 1:
        raise Refused(
            event, "allocation to several of the steps: only one batch an epoch is treated"
        )
    sigma = _joint_sigma(event, event.event)
    if sigma is not None:
        yield TrainingPhase(None, sigma, steps, ALLOCATION, count) if sigma else None


def _only(event: Any) -> Any:
    """The one event inside compositions of one."""
    while True:
        if kind(event) == "SelfComposedDpEvent" and event.count == 1:
            event = event.event
        elif kind(event) == "ComposedDpEvent":
            inside = [one for one in event.events if kind(one) != "NoOpDpEvent"]
            if len(inside) != 1:
                return event
            event = inside[0]
        else:
            return event


def _joint_sigma(outer: Any, inner: Any) -> Fraction | None:
    """The noise of all Gaussians inside a sample, as one; 0 if there is none, None if nothing is released."""
    phases = []
    for phase in _read(inner, 1):
        if phase is None:
            return Fraction(0)
        if phase.sampling != POISSON or phase.q != 1:
            raise Refused(outer, "a sample inside which several samples are drawn")
        phases.append((Fraction(phase.sigma), phase.steps))
    if not phases:
        return None
    if len(phases) == 1 and phases[0][1] == 1:
        return phases[0][0]
    return root_below(1 / sum((n / s**2 for s, n in phases), Fraction(0)))


def root_below(x: Fraction) -> Fraction:
    """The square root of a positive number, exactly or 60 digits of it, rounded down.

    >>> root_below(Fraction(9, 4)), root_below(Fraction(2)) ** 2 <= 2
    (Fraction(3, 2), True)
    """
    top, bottom = math.isqrt(x.numerator), math.isqrt(x.denominator)
    if (top**2, bottom**2) == (x.numerator, x.denominator):
        return Fraction(top, bottom)
    shift = max(0, _BITS - (x.numerator.bit_length() - x.denominator.bit_length()) // 2)
    return Fraction(math.isqrt((x.numerator << (2 * shift)) // x.denominator), 1 << shift)


def _sigma(event: Any) -> Fraction:
    sigma = exact("noise_multiplier", event.noise_multiplier, "a number >= 0")
    if sigma is None or sigma < 0:
        raise OutOfDomain(
            f"Noise multiplier = {event.noise_multiplier!s:.40}: must be >= 0, finite"
        )
    return sigma


def _rate(given: Any) -> Fraction:
    rate = exact("sampling_probability", given, "a number in [0, 1]")
    if rate is None or not 0 <= rate <= 1:
        raise OutOfDomain(f"Sampling rate = {given!s:.40}: must be in [0, 1]")
    return rate


def _count(given: Any, name: str, least: int = 1) -> int:
    number = exact(name, given, f"a whole number >= {least}")
    if number is None or number.denominator != 1 or number < least:
        raise OutOfDomain(f"{name} = {given!s:.40}: must be a whole number >= {least}")
    return number.numerator
