"""How long a call takes on a machine with other work: the least of a few measured times."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any


def least(call: Callable[[], Any], repetitions: int = 3) -> float:
    """The least of so many timings, in seconds.

    >>> calls = []
    >>> least(lambda: calls.append("called"), 2) > 0, len(calls)
    (True, 2)
    """
    best = math.inf
    for _ in range(repetitions):
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
    return best
