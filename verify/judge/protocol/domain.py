"""What an implementation supports: conditions that a question has to meet to be asked.

alpha>=2, alpha<=256, whole        # integer orders from 2 to 256
q<=0.5, sigma>=0.3
phases<=1, delta>=1e-12            # of whole runs: also steps, epsilon; a condition on q or sigma holds for every phase
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from verify.numbers.errors import OutOfDomain

_COMPARE: dict[str, Callable[[float, float], bool]] = {
    "<=": operator.le, ">=": operator.ge, "<": operator.lt, ">": operator.gt,
}  # fmt: skip
_CONDITION = re.compile(r"([a-z]+)\s*(<=|>=|<|>)\s*([0-9.eE+-]+|inf)")
_OF_A_STEP = ("q", "sigma", "alpha")
_OF_A_RUN = ("q", "sigma", "steps", "phases", "delta", "epsilon")
_WORDS: dict[str, Callable[[float], bool]] = {
    "whole": float.is_integer,
    "fractional": lambda alpha: math.isfinite(alpha) and not alpha.is_integer(),
    "finite": math.isfinite,
}


@dataclass(frozen=True, slots=True)
class Domain:
    """Where questions are asked: all conditions hold there; everywhere, if there are none."""

    text: str = ""

    def __post_init__(self) -> None:
        for condition in _conditions(self.text):
            if condition not in _WORDS:
                _parse_condition(condition, _OF_A_STEP)

    def holds(self, q: float, sigma: float, alpha: float) -> bool:
        """Whether a point is inside.

        >>> Domain("alpha>=2, whole").holds(0.01, 1.1, 2.5), Domain("sigma<2").holds(0.01, 1.1, 2.5)
        (False, True)
        """
        point = {"q": q, "sigma": sigma, "alpha": alpha}
        for condition in _conditions(self.text):
            if condition in _WORDS:
                if not _WORDS[condition](alpha):
                    return False
                continue
            name, compare, bound = _parse_condition(condition, _OF_A_STEP)
            if not compare(point[name], bound):
                return False
        return True


@dataclass(frozen=True, slots=True)
class RunDomain:
    """Where questions about whole runs are asked."""

    text: str = ""

    def __post_init__(self) -> None:
        for condition in _conditions(self.text):
            _parse_condition(condition, _OF_A_RUN)

    def holds_for(self, numbers: Mapping[str, tuple[float, ...]]) -> bool:
        """Whether every number of a name meets the conditions on that name; what is not given meets all.

        >>> RunDomain("q<=0.5, delta>=1e-12").holds_for({"q": (0.1, 0.6), "delta": (1e-5,)})
        False
        """
        return all(
            compare(x, bound)
            for name, compare, bound in (
                _parse_condition(c, _OF_A_RUN) for c in _conditions(self.text)
            )
            for x in numbers.get(name, ())
        )


def _conditions(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _parse_condition(
    condition: str, names: tuple[str, ...]
) -> tuple[str, Callable[[float, float], bool], float]:
    match = _CONDITION.fullmatch(condition)
    try:
        if match is not None and match[1] in names:
            return match[1], _COMPARE[match[2]], float(match[3])
    except ValueError:
        pass
    words = ", whole, fractional or finite" if names is _OF_A_STEP else ""
    example = (
        "q<=0.5, sigma>=0.3, alpha<=64" if words else "q<=0.5, sigma>=0.3, delta>=1e-12, phases<=1"
    )
    raise OutOfDomain(
        f"domain: {condition!r:.60} is no condition; write such as {example}{words}, with commas between them"
    )
