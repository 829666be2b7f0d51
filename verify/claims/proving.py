"""Finding a prover: a claim package with a formal development may hold a module ``verdicts`` that proves.

It offers ``prove`` as declared here, and raises errors of :mod:`verify.errors` only. This
package never imports it by name.
"""

from __future__ import annotations

import importlib
import importlib.util
import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any, Protocol, cast

from verify.claims.discovery import packages
from verify.errors import OutOfReach, SgmError
from verify.point import Number, Point
from verify.results.verdicts import KernelVerdict


class Proved(Protocol):
    """A theorem that the kernel accepted."""

    def as_part(self, of: str = "") -> KernelVerdict: ...
    def as_json(self) -> dict[str, Any]: ...
    def as_text(self) -> str: ...


class Prover(Protocol):
    """What a module ``verdicts`` offers."""

    def prove(
        self,
        point: Point,
        *,
        not_valid: Fraction | None,
        valid: Fraction | None,
        digits: int | None,
        reverse: bool,
        fast: bool,
        proof: str | None,
        out: Path | None,
        max_seconds: float,
        say: Callable[[str], None],
    ) -> Proved: ...


def prover() -> Prover:
    """The first installed package that can prove."""
    for package in packages():
        name = f"{package.__name__}.verdicts"
        if importlib.util.find_spec(name) is not None:
            return cast(Prover, importlib.import_module(name))
    raise OutOfReach("no installed package of claims has a prover")


def verdict_on(
    of: str,
    q: Number,
    sigma: Number,
    alpha: Number,
    answer: float,
    max_seconds: float,
    *,
    reverse: bool = False,
) -> KernelVerdict | str:
    """The theorem that an answer is too small, or in one line why there is none: never an error.

    A judge of libraries attaches it to an UNSAFE answer; floats are the doubles they are.
    """
    if not math.isfinite(answer):
        return f"{answer!r} is no number to prove anything of"
    try:
        proved = prover().prove(
            Point.of(q, sigma, alpha), not_valid=Fraction(answer), valid=None, digits=None,
            reverse=reverse, fast=False, proof=None, out=None, max_seconds=max_seconds,
            say=lambda _: None,
        )  # fmt: skip
        return proved.as_part(of)
    except SgmError as error:
        return f"{type(error).__name__}: {error}"
