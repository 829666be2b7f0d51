"""Which points the vectors stand at: one function a group, every point an exact double.

A point that several groups want is published once, in the first of them, with the flags of all.
The order of groups and points is fixed; ids are made of the numbers themselves, so adding a point
never renames another.
"""

from __future__ import annotations

import hashlib
import itertools
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

Triple = tuple[float, float, float]
"""q, sigma, alpha (math.inf for the infinite order)."""


@dataclass(frozen=True, slots=True)
class Group:
    """A family of points with a purpose."""

    name: str
    title: str
    points: Callable[[], Iterable[Triple]]
    flags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Site:
    """A point to be published: where, and as what."""

    group: str
    q: float
    sigma: float
    alpha: float
    flags: tuple[str, ...]

    @property
    def id(self) -> str:
        """Stable: made of the group and the shortest decimals that read back as the doubles.

        >>> Site("dp-sgd", 0.01, 1.1, 8.5, ()).id
        'dp-sgd/q=0.01,sigma=1.1,alpha=8.5'
        """
        return f"{self.group}/q={self.q!r},sigma={self.sigma!r},alpha={self.alpha!r}"


def sites(groups: Iterable[Group] | None = None) -> list[Site]:
    """Every point once, in canonical order; those of the main set, unless groups are given."""
    first: dict[Triple, str] = {}
    flags: dict[Triple, set[str]] = {}
    for group in GROUPS if groups is None else groups:
        for triple in group.points():
            first.setdefault(triple, group.name)
            flags.setdefault(triple, set()).update(group.flags)
    return [
        Site(name, *triple, flags=tuple(sorted(flags[triple] | set(intrinsic(*triple)))))
        for triple, name in first.items()
    ]


def intrinsic(q: float, sigma: float, alpha: float) -> Iterator[str]:
    """Flags that follow from the point itself, whichever group it came from.

    >>> sorted(intrinsic(0.01, 1.1, 8.5))
    ['FractionalOrder']
    """
    if math.isinf(alpha):
        yield "InfiniteOrder"
    elif alpha == 1:
        yield "OrderOne"
    elif alpha == math.floor(alpha):
        yield "IntegerOrder"
    else:
        yield "FractionalOrder"
    if 1 < alpha < 1.05:
        yield "NearOne"
    if q in (0.0, 1.0):
        yield "NoSampling"
    elif q < 1e-8:
        yield "TinyQ"
    elif q > 0.99:
        yield "QNearOne"
    if sigma <= 0.2:
        yield "SmallSigma"
    if sigma >= 100:
        yield "LargeSigma"
    if 1000 <= alpha < math.inf:
        yield "LargeOrder"


# -- the groups --------------------------------------------------------------------------

TENTHS = tuple(1 + x / 10.0 for x in range(1, 100))
DEFAULT_ORDERS: tuple[float, ...] = tuple(
    sorted(
        {
            *TENTHS,  # dp-accounting, Opacus, prv-accountant, deepee
            *map(float, range(11, 65)),
            128.0, 256.0, 512.0, 1024.0,
            *(1.01 + k * ((8 - 1.01) / 49) for k in range(50)),  # jax-privacy
            *(float(int(65 + k * (512 - 65) / 9)) for k in range(10)),
            1.25, 1.75, 2.25,  # TensorFlow Privacy, objax
            1.005, 1.02, 1.08, 80.0,  # MindArmour
        }
    )
)  # fmt: skip

JAX_ORDERS = (*(1.01 + k * ((8 - 1.01) / 49) for k in range(49)), *map(float, range(8, 64)))
RUN_ORDERS: tuple[float, ...] = tuple(
    sorted(
        {
            *TENTHS, *map(float, range(11, 64)), 128.0, 256.0, 512.0, 1024.0,  # dp-accounting, Opacus
            *JAX_ORDERS, *(float(int(65 + k * (512 - 65) / 9)) for k in range(10)),  # jax-privacy
        }
    )
)  # fmt: skip
"""Every order that dp-accounting, Opacus or jax-privacy tries by default, to the last bit."""

RUNS = (
    (64 / 60000, 1.0), (256 / 60000, 0.7), (256 / 60000, 1.1), (256 / 60000, 1.3),  # MNIST
    (600 / 60000, 4.0), (2000 / 50000, 6.0),  # MNIST and CIFAR-10, in the first paper on DP-SGD
    (256 / 29305, 0.55), (512 / 25000, 0.56),  # Adult and IMDb
)  # fmt: skip
"""Batch over data set, and noise, of runs that were published; with those of default-orders, twelve settings."""


def _real_runs() -> Iterator[Triple]:
    for (q, sigma), alpha in itertools.product(RUNS, RUN_ORDERS):
        yield q, sigma, alpha


_SETTINGS = ((0.01, 1.1), (0.001, 0.7), (0.004267, 1.3), (0.1, 4.0))


def _default_orders() -> Iterator[Triple]:
    for (q, sigma), alpha in itertools.product(_SETTINGS, DEFAULT_ORDERS):
        yield q, sigma, alpha


def _dp_sgd() -> Iterator[Triple]:
    rates = (256 / 60000, 250 / 60000, 512 / 50000, 2048 / 50000, 0.0005, 0.02)
    yield from itertools.product(
        rates, (0.5, 0.8, 1.0, 1.5, 2.0, 6.0), (1.5, 2.5, 4.0, 8.0, 17.5, 32.0)
    )


def _near_integers() -> Iterator[Triple]:
    for (q, sigma), n, k in itertools.product(
        ((0.01, 1.1), (0.3, 2.0), (0.6, 0.6)), (2, 3, 5, 16, 64), (8, 16, 26, 40)
    ):
        for sign in (-1, 1):
            yield q, sigma, n + sign * 2.0**-k
        yield q, sigma, float(n)
        yield q, sigma, n + 0.5
    for n in (2, 3, 16):
        yield 0.3, 2.0, math.nextafter(n, 0)
        yield 0.3, 2.0, math.nextafter(n, math.inf)


def _near_one() -> Iterator[Triple]:
    steps = (0.0, 2.0**-52, 2.0**-40, 1e-9, 1e-6, 1e-4, 1e-3, 1e-2, 0.04)
    settings = (
        (0.01, 1.1), (0.3, 2.0), (0.9, 0.5), (1e-6, 1.0), (0.5, 20.0), (0.05, 0.3), (1.0, 1.0),
    )  # fmt: skip
    for (q, sigma), step in itertools.product(settings, steps):
        yield q, sigma, 1.0 + step


def _q_edges() -> Iterator[Triple]:
    rates = (
        0.0, 1e-160, 1e-100, 2.0**-100, 1e-16, 1e-12, 1e-9, 0.5, 0.95, 0.999, 1 - 2.0**-20,
        1 - 2.0**-40, 1 - 2.0**-53, 1.0,
    )  # fmt: skip
    for q, sigma, alpha in itertools.product(rates, (0.5, 1.0, 4.0), (1.5, 2.0, 7.25, 40.0)):
        if q >= 1e-100 or q == 0 or sigma == 1.0:
            yield q, sigma, alpha


def _sigma_edges() -> Iterator[Triple]:
    yield from itertools.product(
        (0.001, 0.05, 0.5),
        (0.02, 0.05, 0.1, 0.2, 0.35, 50.0, 300.0, 1e4, 1e6),
        (1.5, 2.0, 8.5, 32.0, 300.0),
    )


def _large_orders() -> Iterator[Triple]:
    orders = (500.5, 1000.0, 1029.0, 1029.5, 1030.0, 1030.5, 1031.0, 2048.0, 5000.5, 1e4, 1e5)
    yield from itertools.product((1e-6, 0.001, 0.1), (0.7, 3.0, 40.0), orders)
    yield 0.01, 1.0, 1e6
    yield 0.5, 0.1, 1e6


def _cancellation() -> Iterator[Triple]:
    for q, sigma, alpha in itertools.product(
        (1e-12, 1e-10, 3e-9), (1.0, 7.0, 60.0), (1.3, 2.0, 3.7, 6.0, 10.5, 20.0)
    ):
        yield q, sigma, alpha
    for q, sigma, alpha in itertools.product((1e-5, 1e-3), (1e4, 1e5), (1.3, 2.0, 3.7, 10.5)):
        yield q, sigma, alpha


def _slow_series() -> Iterator[Triple]:
    yield from itertools.product(
        (0.2, 0.45, 0.55, 0.8), (0.3, 0.8, 2.0, 9.0), (1.1, 1.3, 1.7, 2.2, 2.9)
    )


def _two_modes() -> Iterator[Triple]:
    # At q = exp(-(alpha-1)/(2 sigma^2)) the peak near alpha/sigma weighs as much as the one near 0.
    for sigma, alpha in itertools.product(
        (0.5, 0.6, 0.7, 1.0, 1.5), (5.0, 6.0, 9.5, 14.0, 22.5, 33.0)
    ):
        balance = (alpha - 1) / (2 * sigma**2)
        if balance > 8 * math.log(alpha):
            # Beyond, rounding alpha ln q once costs as much as the whole noise floor of a fair judge.
            continue
        for shift in (-2.0, 0.0, 2.0):
            # Seven digits, so that the point does not depend on a libm.
            yield _seven_digits(math.exp(shift / alpha - balance)), sigma, alpha


def _alternating() -> Iterator[Triple]:
    yield from itertools.product(
        (0.1, 0.25, 0.4, 0.5, 0.65), (1.0, 2.5, 6.0, 15.0), (1.5, 2.5, 3.3, 4.5, 7.7)
    )


def _early_stop() -> Iterator[Triple]:
    yield from itertools.product(
        (0.3, 0.5, 0.7, 0.9), (10.0, 30.0, 80.0, 200.0), (60.5, 100.5, 200.3, 256.0, 350.5)
    )


CHAIN_SETTINGS = ((0.01, 1.1), (0.2, 3.0), (0.5, 0.8), (0.7, 12.0), (0.0003, 0.6))


def _alpha_chain() -> Iterator[Triple]:
    for (q, sigma), k in itertools.product(CHAIN_SETTINGS, range(1, 49)):
        yield q, sigma, 1 + k * k / 64


def _q_chain() -> Iterator[Triple]:
    for (sigma, alpha), k in itertools.product(((1.1, 5.5), (4.0, 20.25)), range(1, 25)):
        yield k / 32, sigma, alpha


def _sigma_chain() -> Iterator[Triple]:
    for (q, alpha), k in itertools.product(((0.02, 5.5), (0.4, 20.25)), range(1, 25)):
        yield q, k * k / 32, alpha


def _infinite() -> Iterator[Triple]:
    for q, sigma in itertools.product((0.0, 0.01, 0.5, 1 - 2.0**-20, 1.0), (0.5, 4.0)):
        yield q, sigma, math.inf


def _random() -> Iterator[Triple]:
    """Log-uniform over the useful box; from a hash, so that no library's generator matters."""
    for n in range(500):
        u = [_uniform(f"{n}/{name}") for name in ("q", "sigma", "alpha", "whole")]
        q = _seven_digits(10 ** (-6 * u[0]))
        sigma = _seven_digits(0.25 * 160 ** u[1])
        alpha = _seven_digits(1 + 10 ** (-2 + 4.7 * u[2]))
        yield q, sigma, float(max(2, round(alpha))) if u[3] < 0.3 else alpha


def _uniform(seed: str) -> float:
    digest = hashlib.sha256(f"sgm-verify vectors 1/{seed}".encode()).digest()
    return int.from_bytes(digest[:6], "big") / 2.0**48


def _seven_digits(x: float) -> float:
    return float(f"{x:.7g}")


GROUPS: tuple[Group, ...] = (
    Group("default-orders", "orders that libraries try by default", _default_orders,
          ("DpSgd", "DefaultOrder")),
    Group("dp-sgd", "ordinary training settings", _dp_sgd, ("DpSgd",)),
    Group("near-integers", "orders near and between integers", _near_integers, ("NearInteger",)),
    Group("near-one", "orders near 1 and exactly 1", _near_one, ()),
    Group("q-edges", "sampling rates near 0 and 1", _q_edges, ()),
    Group("sigma-edges", "small and large noise", _sigma_edges, ()),
    Group("large-orders", "past where binomials overflow a double", _large_orders, ()),
    Group("cancellation", "epsilon far below the rounding error of 1", _cancellation, ()),
    Group("slow-series", "slowly converging half-line series", _slow_series, ("SlowSeries",)),
    Group("two-modes", "integrands with two peaks of equal weight", _two_modes, ("TwoModes",)),
    Group("alternating", "signs of the generalised binomial matter", _alternating,
          ("Alternating",)),
    Group("early-stop", "large alpha q with large sigma", _early_stop, ("EarlyStop",)),
    Group("alpha-chain", "monotone and convex in the order", _alpha_chain, ("ChainAlpha",)),
    Group("q-chain", "monotone in the sampling rate", _q_chain, ("ChainQ",)),
    Group("sigma-chain", "monotone in the noise", _sigma_chain, ("ChainSigma",)),
    Group("infinite-order", "the limit of infinite order", _infinite, ()),
    Group("random", "log-uniform random points", _random, ("Random",)),
)  # fmt: skip

REAL_RUNS = Group(
    "real-runs",
    "settings of real runs at all default orders",
    _real_runs,
    ("DpSgd", "DefaultOrder"),
)
"""Published beside the others, in a folder of its own: asked if it is named (``--group real-runs``)."""
