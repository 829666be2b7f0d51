"""A_n - 1 without cancellation: positive terms, counted by graphs without isolated vertices.

E[(mu1/mu0 - 1)^k] = N_k(t), t = e^{1/sigma^2} - 1, where N_k counts the graphs on k labelled vertices
without isolated vertices by their edges; binomial inversion of (1+t)^(j choose 2).

>>> edges(2), edges(3)
([0, 1], [0, 0, 3, 1])
"""

from __future__ import annotations

import functools
import math


@functools.cache
def edges(k: int) -> list[int]:
    """The number of graphs on k labelled vertices without isolated ones, by number of edges."""
    counts = [0] * (math.comb(k, 2) + 1)
    for j in range(k + 1):
        pairs = math.comb(j, 2)
        for m in range(pairs + 1):
            counts[m] += (-1) ** (k - j) * math.comb(k, j) * math.comb(pairs, m)
    return counts


def excess(order: int, q: float, sigma: float) -> float:
    """A_order - 1 at an integer order, in doubles, all terms positive."""
    t = math.expm1(1 / sigma**2)
    terms = (
        math.comb(order, k) * q**k * math.fsum(c * t**m for m, c in enumerate(edges(k)))
        for k in range(2, order + 1)
    )
    return math.fsum(terms)
