"""Which questions about whole runs are published: histories, what is asked, and where it is asked.

Numbers that are drawn are drawn once, from the seed below, with full mantissas.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator
from dataclasses import dataclass

from verify.accounting.published import RUNS

Phases = tuple[tuple[float, float, int], ...]
_SEED = 20_261_118
NOISE = math.nan
"""Where the noise is what is asked for."""


@dataclass(frozen=True, slots=True)
class RunSite:
    """One question, before it is answered.

    ``delta`` and ``epsilon`` are what is asked at. A question for delta may give the ``near`` delta
    instead: its epsilon is then the exact one at that delta, rounded to four digits.
    """

    group: str
    name: str
    quantity: str
    phases: Phases
    delta: float | None = None
    epsilon: float | None = None
    near: float | None = None
    flags: tuple[str, ...] = ()
    sampling: str = "poisson"
    relation: str = "add/remove"


def sites() -> list[RunSite]:
    """Every question, in the order of the file."""
    made = (_published_runs(), _histories(), _deltas(), _noises(), _rates(), _steps(), _whole(),
            _targets(), _draw_runs(), _notions())  # fmt: skip
    return list(itertools.chain.from_iterable(made))


def _name(text: str) -> str:
    return "".join(c if c.isalnum() else "-" for c in text.lower()).strip("-").replace("--", "-")


def _published_runs() -> Iterator[RunSite]:
    for title, q, sigma, steps, delta in RUNS:
        run: Phases = ((float(q), sigma, steps),)
        asked: Phases = ((float(q), NOISE, steps),)
        name, flags = _name(title), ("Published",)
        for at in (delta, 1e-3, 1e-9, 1e-15, 1e-30):
            yield RunSite("published", name, "epsilon", run, at, flags=flags)
        for near in (1e-4, 1e-8, 1e-18):
            yield RunSite("published", name, "delta", run, near=near, flags=flags)
        for epsilon in (1.0, 8.0):
            yield RunSite("published", name, "sigma", asked, delta, epsilon, flags=flags)


def _histories() -> Iterator[RunSite]:
    """Phases that all matter: none has less than a tenth of the steps' weight of the others."""
    rng = random.Random(f"{_SEED} histories")
    for count in (2, 3, 4, 5, 6, 8, 10, 12, 16, 20):
        q, sigma = _log(rng, 0.002, 0.05), _log(rng, 0.7, 2.0)
        each = max(60, round(2000 / count))
        alike: Phases = tuple(
            (
                q * _log(rng, 0.7, 1.4),
                sigma * _log(rng, 0.85, 1.2),
                round(each * _log(rng, 0.7, 1.5)),
            )
            for _ in range(count)
        )
        falling: Phases = tuple(
            (0.01 * (1 + k % 3), round(1.6 - 0.8 * k / count, 3), each) for k in range(count)
        )
        short: Phases = tuple(
            (_log(rng, 0.05, 0.3), _log(rng, 0.9, 1.6), 1 + k % 4) for k in range(count)
        )
        for kind, phases in (("alike", alike), ("falling-noise", falling), ("short", short)):
            name = f"{count}-{kind}"
            yield RunSite("histories", name, "epsilon", phases, 1e-5)
            yield RunSite("histories", name, "epsilon", phases, 1e-10)
            yield RunSite("histories", name, "delta", phases, near=1e-6)


def _deltas() -> Iterator[RunSite]:
    runs: tuple[tuple[str, Phases], ...] = (
        ("quick", ((0.01, 1.0, 1000),)),
        ("long", ((0.002, 0.9, 30_500),)),
        ("large-batches", ((0.2, 4.0, 300),)),
        ("little-noise", ((0.004, 0.6, 700),)),
        ("two-phases", ((0.01, 1.1, 900), (0.03, 1.7, 400))),
    )
    powers = (3, 4, 6, 8, 10, 11, 12, 13, 14, 16, 20, 25, 30)
    for (name, phases), power in itertools.product(runs, powers):
        yield RunSite("deltas", name, "epsilon", phases, float(f"1e-{power}"), flags=("Chain",))
    for (name, phases), power in itertools.product(runs, (3, 9, 13, 14, 16, 22, 29)):
        yield RunSite("deltas", name, "delta", phases, near=float(f"1e-{power}"), flags=("Chain",))


def _noises() -> Iterator[RunSite]:
    for sigma, (q, steps) in itertools.product(
        (0.3, 0.35, 0.4, 0.45, 0.5, 0.54), ((0.001, 400), (0.02, 60), (0.3, 40))
    ):
        name = f"sigma-{sigma}-q-{q}"
        yield RunSite("noises", name, "epsilon", ((q, sigma, steps),), 1e-5)
        yield RunSite("noises", name, "delta", ((q, sigma, steps),), near=1e-7)
    for sigma, q in itertools.product((12.0, 20.5, 50.0, 200.0), (0.02, 0.5)):
        name = f"sigma-{sigma}-q-{q}"
        yield RunSite("noises", name, "epsilon", ((q, sigma, 5000),), 1e-6)


def _rates() -> Iterator[RunSite]:
    for q, sigma in itertools.product((0.4, 0.51, 0.6, 0.75, 0.9, 0.99, 1.0), (1.0, 3.0, 10.0)):
        yield RunSite(
            "rates",
            f"q-{q}-sigma-{sigma}",
            "epsilon",
            ((q, sigma, 30),),
            1e-5,
            flags=("HalfSensitivity",),
        )
    for q in (0.51, 0.75, 1.0):
        yield RunSite(
            "rates", f"q-{q}", "delta", ((q, 6.0, 100),), near=1e-6, flags=("HalfSensitivity",)
        )
    for q in (1e-5, 3e-5, 1e-4):
        yield RunSite("rates", f"q-{q}", "epsilon", ((q, 0.7, 100_000),), 1e-6)
    yield RunSite("rates", "above-the-variation", "epsilon", ((1e-5, 1.0, 10),), 1e-3)


def _steps() -> Iterator[RunSite]:
    counts = (1, 2, 3, 5, 10, 20, 49, 50, 51, 100, 999, 1001, 5000, 19_999, 20_001, 20_499, 20_501, 33_333, 123_457, 999_999)  # fmt: skip
    for (q, sigma), steps in itertools.product(((0.01, 1.0), (0.02, 1.9)), counts):
        yield RunSite(
            "steps",
            f"q-{q}-sigma-{sigma}-steps-{steps}",
            "epsilon",
            ((q, sigma, steps),),
            1e-5,
            flags=("Chain",),
        )


def _whole() -> Iterator[RunSite]:
    for sigma, q in itertools.product((1.0, 2.0, 3.0, 5.0, 8.0, 16.0), (0.01, 0.1)):
        yield RunSite(
            "whole-noise",
            f"sigma-{sigma}-q-{q}",
            "epsilon",
            ((q, sigma, 1500),),
            1e-6,
            flags=("HalfSensitivity",),
        )


def _targets() -> Iterator[RunSite]:
    epsilons = (0.1, 0.2, 0.4, 0.5, 0.7, 1.0, 2.0, 3.0, 3.1, 5.0, 8.0, 10.0, 15.0, 20.0)
    runs = ((0.01, 1000, 1e-5), (0.1, 300, 1e-8), (0.6, 50, 1e-13))
    for (q, steps, delta), epsilon in itertools.product(runs, epsilons):
        yield RunSite(
            "targets", f"q-{q}-steps-{steps}", "sigma", ((q, NOISE, steps),), delta, epsilon
        )


def _draw_runs() -> Iterator[RunSite]:
    rng = random.Random(f"{_SEED} drawn")
    for number in range(40):
        phases = ((_log(rng, 3e-4, 0.9), _log(rng, 0.5, 8.0), round(_log(rng, 30, 60_000))),)
        delta = _log(rng, 1e-18, 1e-3)
        yield RunSite("drawn", str(number), "epsilon", phases, delta, flags=("Random",))
        if number % 2:
            yield RunSite("drawn", str(number), "delta", phases, near=delta, flags=("Random",))


def _notions() -> Iterator[RunSite]:
    """Other samplings and relations, where the exact value is known."""
    runs: tuple[tuple[str, Phases], ...] = (
        ("quick", ((0.01, 1.0, 1000),)),
        ("one-step", ((0.1, 2.0, 1),)),
        ("large-batches", ((0.2, 8.0, 300),)),
        ("two-phases", ((0.01, 1.1, 900), (0.03, 1.7, 400))),
    )
    notions = (("poisson", "replace-one"), ("poisson", "zero-out"), ("fixed-size", "add/remove"))
    for (sampling, relation), (run, phases) in itertools.product(notions, runs):
        name = f"{sampling}-{relation}-{run}".replace("/", "-")
        given = {"sampling": sampling, "relation": relation, "flags": ("OtherNotion",)}
        for delta in (1e-5, 1e-9, 1e-14):
            yield RunSite("notions", name, "epsilon", phases, delta, **given)  # type: ignore[arg-type]  # by name
        yield RunSite("notions", name, "delta", phases, near=1e-6, **given)  # type: ignore[arg-type]  # by name


def _log(rng: random.Random, low: float, high: float) -> float:
    return low * math.exp(rng.random() * math.log(high / low))
