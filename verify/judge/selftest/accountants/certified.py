"""A tight accountant: the certified engine, rounded upwards. Published vectors are looked up, and
answers are kept, which is faster and as true."""

from __future__ import annotations

import math
from contextlib import suppress
from functools import lru_cache

from verify.judge.runs.question import ADD_REMOVE, POISSON
from verify.judge.runs.truth import ExactRun
from verify.judge.selftest.accountants import contour
from verify.numbers.errors import SgmError
from verify.vectors.whole import load_runs

Phases = list[tuple[float, float, int]]
_DIGITS = 10


@lru_cache(maxsize=1)
def known_answers() -> dict[tuple[object, ...], float]:
    """The answers of the published vectors, by what is asked.

    Other samplings and relations are left out: their vectors have the same phases and other answers.
    """
    found: dict[tuple[object, ...], float] = {}
    for v in load_runs():
        if (v.sampling, v.relation) != (POISSON, ADD_REMOVE):
            continue
        rates = tuple((q, None if math.isnan(s) else s, n) for q, s, n in v.phases)
        found[v.quantity, rates, v.delta, v.epsilon] = v.value.up
    return found


def epsilon(phases: Phases, delta: float) -> float:
    """The least epsilon, rounded upwards; a bound where it is out of reach."""
    told = known_answers().get(("epsilon", tuple(phases), delta, None))
    return _epsilon(tuple(phases), delta) if told is None else told


@lru_cache(maxsize=4096)
def _epsilon(phases: tuple[tuple[float, float, int], ...], delta: float) -> float:
    try:
        return float(ExactRun(phases).epsilon(delta, _DIGITS).hi) * (1 + 1e-15)
    except SgmError:
        return contour.epsilon(list(phases), delta)


def delta(phases: Phases, eps: float) -> float:
    """The least delta, rounded upwards."""
    told = known_answers().get(("delta", tuple(phases), None, eps))
    return _delta(tuple(phases), eps) if told is None else told


@lru_cache(maxsize=4096)
def _delta(phases: tuple[tuple[float, float, int], ...], eps: float) -> float:
    try:
        return float(ExactRun(phases).delta(eps, _DIGITS).hi) * (1 + 1e-15)
    except SgmError:
        return contour.delta(list(phases), eps)


def sigma(q: float, steps: int, eps: float, target: float) -> float:
    """The least noise, raised by a ten-millionth."""
    told = known_answers().get(("sigma", ((q, None, steps),), target, eps))
    return _sigma(q, steps, eps, target) if told is None else told


@lru_cache(maxsize=4096)
def _sigma(q: float, steps: int, eps: float, target: float) -> float:
    """What doubles find, proved where the exact delta is within reach: raised until it meets the target."""
    noise = contour.sigma(q, steps, eps, target)
    with suppress(SgmError):
        while ExactRun(((q, noise, steps),)).delta(eps, _DIGITS).hi > target:
            noise *= 1 + 1e-6
    return noise
