"""Central moments of the density ratio count graphs: the edge polynomials N_k.

Under mu0, E[(mu1/mu0)^j] = (1+t)^{j(j-1)/2} with t = e^{1/sigma^2} - 1: the sum of t^edges over all
graphs on j labelled vertices. Central moments drop the graphs with an isolated vertex,

E[(mu1/mu0 - 1)^k] = N_k(t) = sum over graphs on k vertices without isolated vertices of t^edges,

because a graph is a set of non-isolated vertices and such a graph on them:
(1+t)^{k(k-1)/2} = sum_j C(k,j) N_j(t), inverted.

>>> by_inversion(3), by_enumeration(3)
((0, 0, 3, 1), (0, 0, 3, 1))
"""

from __future__ import annotations

import functools
import itertools
import math
from math import comb


def pairs(k: int) -> int:
    return k * (k - 1) // 2


@functools.cache
def by_inversion(k: int) -> tuple[int, ...]:
    """N_k as coefficients of t^0, t^1, ...: sum_j (-1)^{k-j} C(k,j) (1+t)^{j(j-1)/2}."""
    coefficients = [0] * (pairs(k) + 1)
    for j in range(k + 1):
        weight = (-1) ** (k - j) * comb(k, j)
        for m in range(pairs(j) + 1):
            coefficients[m] += weight * comb(pairs(j), m)
    return tuple(coefficients)


def by_enumeration(k: int, *, isolated_allowed: bool = False) -> tuple[int, ...]:
    """N_k by looking at every graph on k labelled vertices."""
    edges = list(itertools.combinations(range(k), 2))
    coefficients = [0] * (len(edges) + 1)
    masks = [(1 << a) | (1 << b) for a, b in edges]
    everyone = (1 << k) - 1
    for chosen in range(1 << len(edges)):
        touched = 0
        for i, mask in enumerate(masks):
            if chosen >> i & 1:
                touched |= mask
        if touched == everyone or isolated_allowed:
            coefficients[chosen.bit_count()] += 1
    return tuple(coefficients)


def polynomial_sum(n: int) -> dict[tuple[int, int], int]:
    """sum_{k>=2} C(n,k) q^k N_k(t), as {(power of q, power of t): coefficient}."""
    return {
        (k, m): comb(n, k) * c for k in range(2, n + 1) for m, c in enumerate(by_inversion(k)) if c
    }


def excess(order: int, q: float, sigma: float) -> float:
    """A_order - 1 at an integer order, in doubles, all terms positive: no cancellation."""
    t = math.expm1(1 / sigma**2)
    terms = (
        comb(order, k) * q**k * math.fsum(c * t**m for m, c in enumerate(by_inversion(k)))
        for k in range(2, order + 1)
    )
    return math.fsum(terms)
