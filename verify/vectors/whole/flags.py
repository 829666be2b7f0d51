"""The flags of the vectors of whole runs: which mistake of an accountant a vector shows, and how it
looks.

Those that follow from the question alone are found by :func:`intrinsic`; the others are given where
the question is chosen, or follow from the answer (:func:`of_answer`).
"""

from __future__ import annotations

import math
from fractions import Fraction

from verify.results.vectors import Expected, Flag

_ALL = (
    Flag("Published", "A wrong formula anywhere: these are runs people have published.",
         "Errors of any size at runs nobody calls extreme."),
    Flag("DropsPhase", "A phase of the history is lost: only the first, the last or the longest counts.",
         "Right for one phase, too small for several."),
    Flag("ManyPhases", "More phases than a loop, a buffer or a key has room for.",
         "Right up to three phases, too small beyond."),
    Flag("ShortPhase", "Phases of few steps are rounded away, or taken for none.",
         "Too small if phases have less than fifty steps."),
    Flag("OneStep", "One step is composed like many, by a limit theorem or a transform that needs many.",
         "Wrong at one step, better with each further one."),
    Flag("LongRun", "Steps are rounded to epochs or thousands, or the square root of steps stands where steps belong.",
         "Errors at steps that are no round number; errors that grow with the run."),
    Flag("SmallDelta", "Rounding of a Fourier transform, which is relative to 1 and not to delta.",
         "Delta 0 or negative, epsilon too small, from a delta of about 1e-12 on."),
    Flag("Window", "The privacy loss is cut off at a fixed window, and what lies outside is dropped.",
         "Epsilon that never exceeds the window, or wraps around it."),
    Flag("LittleNoise", "A grid or a bound made for sigma near 1; exp(1/sigma^2) overflows.",
         "Too small, nan or inf for sigma below about 0.55."),
    Flag("MuchNoise", "A branch for large sigma that returns a limit.", "Epsilon too small for sigma above about 10."),
    Flag("LargeRate", "A bound for small q is used where q is large, or q and 1-q are exchanged.",
         "Too small for q above 1/2."),
    Flag("NoSampling", "q = 1 is the plain Gaussian mechanism.", "log of zero: nan, or an exception."),
    Flag("TinyRate", "q^2 underflows, or 1 - q rounds to 1.", "Epsilon 0, or that of a far larger q."),
    Flag("IntSigma", "The noise multiplier is a whole number: an int takes another path than a float.",
         "Another answer for 2 than for 2.0."),
    Flag("WrongDirection", "Only one of the two directions, adding and removing a record, is computed.",
         "Too small where the other one is larger, by up to a factor."),
    Flag("HalfSensitivity",
         "Sensitivity 2 or 1/2 instead of 1: the convention of replacing a record is mixed up with that of "
         "adding one.",
         "The answer for half or twice the noise."),
    Flag("TinyEpsilon", "An absolute error of the accountant is larger than the answer.",
         "Epsilon 0, or a hundred times the truth."),
    Flag("ZeroEpsilon", "Delta is above the total variation: epsilon is exactly 0.",
         "A negative number, nan, or an exception."),
    Flag("SmallTarget", "The search for noise ends before sigma is large enough.",
         "Noise too small for a target epsilon below 1/2."),
    Flag("LargeTarget", "The search for noise starts above the answer, or trusts a formula for small epsilon.",
         "Noise too small for a target epsilon above 3."),
    Flag("OtherNotion", "The answer for Poisson sampling and add/remove is given for another sampling or relation.",
         "Too small by a factor for replace-one and for batches of a fixed size."),
    Flag("Chain", "Neighbouring runs take different paths.", "Epsilon falls although steps are added or delta falls."),
    Flag("Random", "A mistake at runs nobody thought of.", "Anything."),
)  # fmt: skip

RUN_FLAGS: dict[str, Flag] = {flag.name: flag for flag in _ALL}
_PARTS = (Fraction(9, 10), Fraction(10, 9))


def intrinsic(
    quantity: str,
    phases: tuple[tuple[float, float, int], ...],
    delta: float | None,
    epsilon: float | None,
) -> set[str]:
    """The flags that follow from the question.

    >>> sorted(intrinsic("epsilon", ((0.01, 2.0, 1),), 1e-15, None))
    ['IntSigma', 'OneStep', 'ShortPhase', 'SmallDelta']
    """
    rates, counts = [q for q, _, _ in phases], [n for _, _, n in phases]
    noises = [sigma for _, sigma, _ in phases if not math.isnan(sigma)]
    asked = quantity == "sigma"
    found = {
        "DropsPhase": len(phases) > 1,
        "ManyPhases": len(phases) > 3,
        "ShortPhase": min(counts) < 50,
        "OneStep": sum(counts) == 1,
        "LongRun": sum(counts) > 20_000,
        "SmallDelta": delta is not None and delta < 1e-12,
        "LittleNoise": bool(noises) and min(noises) < 0.55,
        "MuchNoise": bool(noises) and max(noises) > 10,
        "LargeRate": max(rates) > 0.5,
        "NoSampling": max(rates) == 1,
        "TinyRate": min(rates) <= 1e-4,
        "IntSigma": bool(noises) and all(sigma.is_integer() for sigma in noises),
        "SmallTarget": asked and epsilon is not None and epsilon < 0.5,
        "LargeTarget": asked and epsilon is not None and epsilon > 3,
    }
    return {name for name, holds in found.items() if holds}


def of_answer(
    quantity: str, value: Expected, remove: Expected | None, add: Expected | None
) -> set[str]:
    """The flags that follow from the answer."""
    found = set()
    size = value.bounds()[1]
    if quantity == "epsilon":
        found |= (
            {"ZeroEpsilon"} if size == 0 else {"TinyEpsilon"} if size < Fraction(1, 100) else set()
        )
        found |= {"Window"} if size > 20 else set()
    if quantity == "delta" and 0 < size < Fraction(1, 10**12):
        found.add("SmallDelta")
    if remove is not None and add is not None:
        a, b = Fraction(remove.bounds()[0]), Fraction(add.bounds()[0])
        if not _PARTS[0] * b <= a <= _PARTS[1] * b:
            found.add("WrongDirection")
    return found
