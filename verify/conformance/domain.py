"""What an implementation supports: conditions on q, sigma and alpha that a point has to meet to be asked.

alpha>=2, alpha<=256, whole        # integer orders from 2 to 256
q<=0.5, sigma>=0.3
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable
from dataclasses import dataclass

from verify.errors import OutOfDomain

_COMPARE: dict[str, Callable[[float, float], bool]] = {
    "<=": operator.le, ">=": operator.ge, "<": operator.lt, ">": operator.gt,
}  # fmt: skip
_CONDITION = re.compile(r"(q|sigma|alpha)\s*(<=|>=|<|>)\s*([0-9.eE+-]+|inf)")
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
        for condition in self._conditions():
            _meaning(condition)

    def _conditions(self) -> list[str]:
        return [part.strip() for part in self.text.split(",") if part.strip()]

    def holds(self, q: float, sigma: float, alpha: float) -> bool:
        """Whether a point is inside.

        >>> Domain("alpha>=2, whole").holds(0.01, 1.1, 2.5), Domain("sigma<2").holds(0.01, 1.1, 2.5)
        (False, True)
        """
        point = {"q": q, "sigma": sigma, "alpha": alpha}
        return all(_meaning(condition)(point) for condition in self._conditions())


def _meaning(condition: str) -> Callable[[dict[str, float]], bool]:
    if condition in _WORDS:
        word = _WORDS[condition]
        return lambda point: word(point["alpha"])
    match = _CONDITION.fullmatch(condition)
    try:
        name, compare, bound = (
            (match[1], _COMPARE[match[2]], float(match[3])) if match else ("", None, math.nan)
        )
    except ValueError:
        compare = None
    if compare is None:
        raise OutOfDomain(
            f"domain: {condition!r:.60} is no condition; write such as q<=0.5, sigma>=0.3, alpha<=64, "
            "whole, fractional or finite, with commas between them"
        )
    return lambda point: compare(point[name], bound)
