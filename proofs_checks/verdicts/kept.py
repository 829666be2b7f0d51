"""Verdicts that are kept in ``kept.json``, and proved again from the numbers alone.

Ten vectors of the region that training runs use carry enclosures checked by the kernel; and for each family
of libraries that understates epsilon in training runs stands the theorem that says so of an answer it gave.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path

import msgspec

from proofs_checks.kernel.build import coq_version
from proofs_checks.verdicts.proving import ProvedVerdict, prove
from verify.numbers.errors import SgmError
from verify.numbers.point import Point
from verify.results import document
from verify.results.verdicts import KernelVerdict, KernelVerdicts
from verify.vectors.store import load

PATH = Path(__file__).parent / "kept.json"

DIGITS = 10
VECTORS = (
    "dp-sgd/q=0.004266666666666667,sigma=1.0,alpha=32.0",
    "dp-sgd/q=0.004266666666666667,sigma=6.0,alpha=17.5",
    "dp-sgd/q=0.004166666666666667,sigma=1.0,alpha=8.0",
    "dp-sgd/q=0.004166666666666667,sigma=6.0,alpha=4.0",
    "dp-sgd/q=0.01024,sigma=1.0,alpha=2.5",
    "dp-sgd/q=0.01024,sigma=6.0,alpha=1.5",
    "dp-sgd/q=0.04096,sigma=2.0,alpha=17.5",
    "dp-sgd/q=0.0005,sigma=0.8,alpha=8.0",
    "dp-sgd/q=0.0005,sigma=2.0,alpha=4.0",
    "dp-sgd/q=0.02,sigma=0.8,alpha=2.5",
)


@dataclass(frozen=True, slots=True)
class LibraryAnswer:
    """What a library answered at a point, all four numbers as the doubles they were."""

    library: str
    q: float
    sigma: float
    alpha: float
    answer: float


ANSWERS = (
    LibraryAnswer("dp-accelerator 0.1.0", 0.02, 0.5, 4.0, 0.0032),
    LibraryAnswer("opacus 1.6.0 (and deepee, objax, prv-accountant, pyvacy, tensorflow-privacy)",
                  0.3, 10.0, 100.5, -0.3602596167421368),
    LibraryAnswer("mindarmour 2.0.0", 0.5, 30.0, 60.5, -0.6704325294865185),
    LibraryAnswer("dp-accounting 0.6.0", 0.01, 1.1, 1.0000000000009095, 4.6121233026497066e-05),
)  # fmt: skip
"""For each family that understates, an answer that is recorded in ``reports/conformance``: in training
runs if one is, and of those one that matters, at ordinary rates and noise.
"""


class Changed(SgmError):
    """What was proved is not what is kept."""


def proofs(max_seconds: float) -> Iterator[tuple[str, Callable[[], ProvedVerdict]]]:
    """Each kept verdict's name, and how to prove it again."""
    by_id = {vector.id: vector for vector in load()}
    for name in VECTORS:
        v = by_id[name]
        point = Point.of(v.q, v.sigma, v.alpha)
        yield f"vector {name}", partial(prove, point, digits=DIGITS, max_seconds=max_seconds)
    for a in ANSWERS:
        point, x = Point.of(a.q, a.sigma, a.alpha), Fraction(a.answer)
        yield f"answer of {a.library}", partial(prove, point, not_valid=x, max_seconds=max_seconds)


def read(path: Path = PATH) -> KernelVerdicts:
    """The kept verdicts."""
    return document.read(path, KernelVerdicts)


def record(found: list[KernelVerdict], path: Path = PATH) -> None:
    document.write(path, document.as_text(KernelVerdicts(coq=coq_version(), verdicts=tuple(found))))


def compare(found: KernelVerdict, kept: KernelVerdicts) -> None:
    """Raise Changed if a verdict is not the one kept under its name. The proofs may differ.

    The panels of a window are chosen in floating point, and need not be the same on every machine.
    """
    if [_theorem(v) for v in kept.verdicts if v.of == found.of] != [_theorem(found)]:
        raise Changed(f"{found.of}: not the verdict that is kept")


def _theorem(verdict: KernelVerdict) -> KernelVerdict:
    return msgspec.structs.replace(verdict, proof_lines=0, proof_sha256="")
