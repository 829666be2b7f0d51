"""Theorems about runs that are kept in ``kept.json``, and proved again from the numbers alone.

Certificates by RDP for the runs whose exact epsilon the documents show: RDP shows somewhat more
than the exact epsilon, and the certificate is of that. Refutations of library answers that
``reports/accountants.json`` calls UNSAFE, all numbers as the doubles they were; an answer that is a
noise multiplier is refuted by the run with that noise. And exact epsilons of runs, enclosed: one
epsilon is valid by the exact pair, a smaller one is not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path

import msgspec

from proofs_checks.kernel.build import coq_version
from proofs_checks.runs.prove import ProvedRun, prove_run
from proofs_checks.verdicts.kept import Changed
from verify.accounting.history import Phase, phase
from verify.numbers.point import Number
from verify.results import document
from verify.results.verdicts import KernelRun, KernelRuns

PATH = Path(__file__).parent / "kept.json"
DIGITS = 4


@dataclass(frozen=True, slots=True)
class ShownRun:
    """A run that a document shows: its phases and its delta, as they are written there."""

    name: str
    phases: tuple[tuple[Number, Number, int], ...]
    delta: Number


@dataclass(frozen=True, slots=True)
class UnsafeAnswer:
    """What an accountant answered for a run, all numbers as the doubles they were."""

    accountant: str
    phases: tuple[tuple[float, float, int], ...]
    delta: float
    epsilon: float


@dataclass(frozen=True, slots=True)
class EnclosedEpsilon:
    """A run whose exact epsilon lies between two decimals: ``fails`` is not valid, ``holds`` is."""

    name: str
    q: Number
    sigma: Number
    steps: int
    delta: Number
    fails: Number
    holds: Number


SHOWN = (
    ShownRun("MNIST tutorial of TF Privacy", (("256/60000", "1.1", 14062),), "1e-5"),
    ShownRun("MNIST, batches of 64", (("64/60000", 1, 9380),), "1e-5"),
    ShownRun("50000 records, batches of 512", (("512/50000", "0.9", 1960),), "1e-5"),
    ShownRun("tutorial", (("0.01", "1.1", 1000),), "1e-5"),
    ShownRun("numbers that are integers", (("0.01", 1, 1000),), "1e-5"),
    ShownRun("a hundred steps", (("0.01", 1, 100),), "1e-6"),
    ShownRun("a million steps", (("0.0001", 1, 10**6),), "1e-8"),
    ShownRun("two phases", (("0.01", 1, 500), ("0.02", "1.5", 700)), "1e-5"),
    ShownRun("a tiny delta", (("0.01", "1.1", 1000),), "1e-30"),
)

ANSWERS = (
    UnsafeAnswer("dp-accounting 0.6.0, PLD, fresh 0", ((0.00033267027309619277, 0.9634212463348358, 2687),),
                 4.486695333436754e-12, 0.40137605246720787),
    UnsafeAnswer("dp-accounting 0.6.0, PLD, fresh 22", ((0.0001907133361922011, 0.6545324247541915, 5569),),
                 1.1844064460007575e-13, 3.0826151665871024),
    UnsafeAnswer("dp-accounting 0.6.0, RDP nested, numbers as int", ((0.01, 1.0, 1000),),
                 1e-5, 0.6861853363943164),
    UnsafeAnswer("dp-accounting 0.6.0, RDP nested, numbers as float32", ((0.009999999776482582, 1.0, 1000),),
                 1e-5, 0.6861853193906473),
    UnsafeAnswer("opacus 1.6.0, PRV, fresh 22", ((0.0001312892435112214, 0.670558551371398, 2766),),
                 1.212588016598572e-13, 2.352437179872157),
    UnsafeAnswer("opacus 1.6.0, GDP, noise for (2, 1e-05)", ((0.01, 0.8935546875, 1000),),
                 1e-5, 2.0),
    UnsafeAnswer("opacus 1.6.0, GDP, noise for (3, 1e-05)", ((0.004266666666666667, 0.9521484375, 14062),),
                 1e-5, 3.0),
    UnsafeAnswer("opacus 1.6.0, GDP, noise for (0.5, 1e-06)", ((0.001, 1.044921875, 10000),),
                 1e-6, 0.5),
    UnsafeAnswer("dp-accounting 0.6.0, RDP nested, fresh 16",
                 ((0.03966914862394333, 2.830327033996582, 215), (0.021084818989038467, 2.8404805660247803, 334),
                  (0.023123275488615036, 2.7509243488311768, 261), (0.03266122192144394, 2.9392004013061523, 198)),
                 1.1451297870282483e-20, 1.5207561123219606),
    UnsafeAnswer("dp-accounting 0.6.0, RDP nested, fresh 25", ((0.058633382237209306, 1.0, 3),),
                 1.1324818441195535e-74, 7.557259203766455),
    UnsafeAnswer("dp-accounting 0.6.0, RDP nested, fresh 31", ((0.29, 15.0, 57), (0.29, 14.0, 69), (0.34, 14.0, 107)),
                 5.536755612142584e-43, 2.4),
    UnsafeAnswer("dp-accounting 0.6.0, RDP nested, fresh 51",
                 ((0.028999999165534973, 4.5, 34), (0.032999999821186066, 4.5, 42),
                  (0.03200000151991844, 4.099999904632568, 39), (0.02800000086426735, 3.700000047683716, 29),
                  (0.024000000208616257, 3.700000047683716, 41), (0.032999999821186066, 4.5, 32),
                  (0.01899999938905239, 4.400000095367432, 41)),
                 0.00032989852309263514, 0.14),
    UnsafeAnswer("dp-accounting 0.6.0, RDP nested, fresh 59", ((0.003464605426415801, 6.667097091674805, 2659),),
                 7.065414922295841e-15, 0.09615034465406659),
    UnsafeAnswer("pld-accounting 2.0, subsampled, fresh twin-9", ((0.01, 1.006177849380516, 1000),),
                 1e-14, 4.293607855596573),
)  # fmt: skip
"""Every answer of ``reports/accountants.json`` that is UNSAFE, but those below (a test compares); the first eight are of
the recording of 2026-11-18, whose drawn runs were others; the noises by GDP are estimates."""

OUT_OF_REACH = (
    UnsafeAnswer("dp-accounting 0.6.0, RDP nested, fresh 28",
                 ((0.8402249438270475, 1.0, 30), (0.7820224757694269, 1.0, 29), (0.7907481801134093, 1.0, 29),
                  (0.6912141008674755, 1.0, 32), (0.9174578342706566, 1.0, 40), (0.7301746910430033, 1.0, 38),
                  (0.7412517372258706, 1.0, 38), (1.0, 1.0, 23), (0.7365962861330774, 1.0, 16),
                  (0.9553488632782916, 1.0, 17)),
                 3.9384314452813395e-60, 144.7465269073843),
    UnsafeAnswer("dp-accounting 0.6.0, RDP nested, fresh 48",
                 ((0.0023514521308243275, 1.1621297597885132, 29), (1.0, 0.5632966160774231, 1),
                  (0.0029404794331640005, 0.4917570650577545, 3), (0.04732123762369156, 0.9096572995185852, 30),
                  (0.06071968004107475, 0.655771017074585, 23), (1.0, 0.7294246554374695, 6),
                  (0.004707484971731901, 0.7188727259635925, 2)),
                 7.823691303393147e-88, 41.39729512988566),
)  # fmt: skip
"""UNSAFE answers that no theorem refutes: at 500 to 700 bits the integrals of a lattice have no panels."""


ENCLOSED = (
    EnclosedEpsilon("a hundred steps", "0.01", 1, 100, "1e-6", "0.95", "0.96"),
    EnclosedEpsilon("tutorial", "0.01", "1.1", 1000, "1e-5", "1.51", "1.52"),
    EnclosedEpsilon("MNIST tutorial of TF Privacy", "256/60000", "1.1", 14062, "1e-5", "2.31", "2.49"),
)  # fmt: skip


def proofs(max_seconds: float) -> Iterator[tuple[str, Callable[[], ProvedRun]]]:
    """Each kept theorem's name, and how to prove it again."""
    for run in SHOWN:
        phases = tuple(phase(*p) for p in run.phases)
        yield (
            f"run {run.name}",
            partial(prove_run, phases, _number(run.delta), digits=DIGITS, max_seconds=max_seconds),
        )
    for a in ANSWERS:
        asked = tuple(phase(*p) for p in a.phases)
        yield (
            f"answer of {a.accountant}",
            partial(
                prove_run,
                asked,
                Fraction(a.delta),
                not_valid=Fraction(a.epsilon),
                max_seconds=max_seconds,
            ),
        )
    for e in ENCLOSED:
        whole: tuple[Phase, ...] = (phase(e.q, e.sigma, e.steps),)
        prove = partial(prove_run, whole, _number(e.delta), max_seconds=max_seconds)
        yield (
            f"exact epsilon of {e.name}, from above",
            partial(prove, epsilon=_number(e.holds), tight=True),
        )
        yield (
            f"exact epsilon of {e.name}, from below",
            partial(prove, not_valid=_number(e.fails)),
        )


def _number(x: Number) -> Fraction:
    return Fraction(str(x))


def read(path: Path = PATH) -> KernelRuns:
    """The kept theorems."""
    return document.read(path, KernelRuns)


def record(found: list[KernelRun], path: Path = PATH) -> None:
    document.write(path, document.as_text(KernelRuns(coq=coq_version(), runs=tuple(found))))


def compare(found: KernelRun, kept: KernelRuns) -> None:
    """Raise Changed if a theorem is not the one kept under its name. The proofs may differ."""
    if [_theorem(v) for v in kept.runs if v.of == found.of] != [_theorem(found)]:
        raise Changed(f"{found.of}: not the theorem that is kept")


def _theorem(run: KernelRun) -> KernelRun:
    return msgspec.structs.replace(run, how="", proof_lines=0, proof_sha256="")


def as_table(kept: KernelRuns) -> str:
    """The kept theorems for a page."""
    lines = ["| of | theorem, checked by Coq's kernel | by | lines |", "|---|---|---|---|"]
    for run in kept.runs:
        steps = ", then ".join(
            f"{p.steps} steps at q = {_short(p.q)}, σ = {_short(p.sigma)}" for p in run.history
        )
        verb = "are" if run.kind == "valid" else "are **not**"
        pair = f"({_short(run.epsilon)}, {_short(run.delta)})-DP"
        lines.append(f"| {run.of} | {steps} {verb} {pair} | {run.how} | {run.proof_lines} |")
    return "\n".join(lines) + "\n"


def _short(x: str) -> str:
    """As people write it: a fraction, or the shortest decimal that is it, or that is the same double.

    >>> _short("8/1875"), _short("11/10"), _short("2459565876494607/576460752303423488")
    ('8/1875', '1.1', '0.004266666666666667')
    """
    exact, near = Fraction(x), float(Fraction(x))
    if exact not in (Fraction(near), Fraction(repr(near))):
        return str(exact)
    return repr(near).removesuffix(".0")
