"""A sweep's specification: which points, and what to compute there.

>>> spec = parse({"compute": {"what": "epsilon", "digits": 20},
...               "points": [{"q": "0.01", "sigma": [1, 2], "alpha": {"from": 2, "to": 64, "step": 1}}]})
>>> spec.count, spec.at(64).sigma.text, spec.at(64).alpha.text
(126, '2', '3')
"""

from __future__ import annotations

import bisect
import contextlib
import hashlib
import itertools
import json
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from verify.numbers.budget import checked_digits
from verify.numbers.errors import OutOfDomain
from verify.sweeps.computations import COMPUTATIONS, Computation
from verify.sweeps.given import flag, many, only, quote
from verify.sweeps.points import Block, SweepPoint, parse_block

MAX_BYTES = 200_000  # a spec travels with every batch
MANY = 10**7  # more points than this must be meant
BUILT_IN = Path(__file__).parent / "specs"
DIGITS = 30


@dataclass(frozen=True)
class Spec:
    """What a sweep computes. ``text`` is its canonical form: equal texts mean equal sweeps."""

    computation: Computation
    digits: int
    options: dict[str, Any]
    doubles: bool
    blocks: tuple[Block, ...]
    title: str = ""

    @cached_property
    def count(self) -> int:
        return sum(block.count for block in self.blocks)

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *itertools.accumulate(block.count for block in self.blocks)]

    def at(self, index: int) -> SweepPoint:
        """The point with this index."""
        block = bisect.bisect_right(self._starts, index) - 1
        return self.blocks[block].at(index - self._starts[block])

    @cached_property
    def may_repeat(self) -> bool:
        """Whether one point may well have two indices: blocks overlap, values are rounded, few are drawn from."""
        return len(self.blocks) > 1 or any(block.may_repeat for block in self.blocks)

    @cached_property
    def canonical(self) -> dict[str, Any]:
        compute = {"what": self.computation.name, "digits": self.digits, **self.options}
        blocks = [block.canonical() for block in self.blocks]
        return {"compute": compute, "doubles": self.doubles, "points": blocks}

    @cached_property
    def text(self) -> str:
        return json.dumps(self.canonical, sort_keys=True, separators=(",", ":"))

    @cached_property
    def digest(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()


def parse(table: dict[str, Any], library: str | None = None) -> Spec:
    """A spec from the contents of a TOML file (or from its canonical form)."""
    with plainly():
        return _parse(table, library)


@contextlib.contextmanager
def plainly() -> Iterator[None]:
    """Turn any remaining error of a hostile spec into one line about bad input."""
    try:
        yield
    except OutOfDomain:
        raise
    except (ValueError, OverflowError, TypeError, RecursionError) as error:
        raise OutOfDomain(f"spec: {type(error).__name__}: {error!s:.200}") from error


def _parse(table: dict[str, Any], library: str | None) -> Spec:
    only(table, {"title", "compute", "doubles", "points"}, "spec")
    title = table.get("title", "")
    if not isinstance(title, str):
        raise OutOfDomain(f"title = {quote(title)}: must be text")
    compute = table.get("compute")
    if not isinstance(compute, dict) or "what" not in compute:
        raise OutOfDomain("spec: [compute] with what = ... is missing")
    computation = _computation(compute["what"])
    only(compute, {"what", "digits", *computation.options}, "compute")
    digits = checked_digits(compute.get("digits", DIGITS))
    given = {key: compute[key] for key in compute if key not in ("what", "digits")}
    if library is not None:
        if "library" not in computation.options:
            raise OutOfDomain(f"--library: {computation.name} asks no library")
        given["library"] = library
    options = computation.check(given)
    doubles = flag("doubles", table.get("doubles", computation.doubles))
    if computation.doubles and not doubles:
        raise OutOfDomain(f"doubles = false: {computation.name} can ask at doubles only")
    points = table.get("points")
    if not isinstance(points, list) or not points:
        raise OutOfDomain("spec: no points; at least one [[points]] is needed")
    blocks = tuple(
        parse_block(index, block, computation.alpha, doubles) for index, block in enumerate(points)
    )
    for block in blocks:
        for corner in block.corners():
            if not computation.domain(corner):
                raise OutOfDomain(
                    f"points[{block.number}]: {corner}: {computation.name} needs {computation.needs}"
                )
    spec = Spec(computation, digits, options, doubles, blocks, title)
    if spec.count > 2**63 - 1:
        raise OutOfDomain(f"{many(spec.count)} points are more than can be counted")
    return spec


def _computation(name: Any) -> Computation:
    found = COMPUTATIONS.get(name) if isinstance(name, str) else None
    if found is None:
        raise OutOfDomain(f"compute.what = {quote(name)}: must be one of {', '.join(COMPUTATIONS)}")
    return found


def load(name: str, library: str | None = None) -> Spec:
    """A spec by the path of its file, or by the name of a built-in one."""
    path = Path(name)
    if name in built_in() and not path.exists():
        path = BUILT_IN / f"{name}.toml"
    try:
        if path.stat().st_size > MAX_BYTES:
            raise OutOfDomain(f"{name}: a spec has at most {MAX_BYTES} bytes")
        table = read(path.read_text("utf-8"))
    except OSError as error:
        known = "" if path.suffix else f" (built in are {', '.join(built_in())})"
        raise OutOfDomain(f"{name}: cannot be read: {error.strerror}{known}") from error
    except UnicodeDecodeError as error:
        raise OutOfDomain(f"{name}: not UTF-8 text") from error
    except (ValueError, RecursionError) as error:
        if isinstance(error, OutOfDomain):
            raise
        said = "a whole number of more than 4300 digits" if "4300" in str(error) else str(error)
        raise OutOfDomain(f"{name}: not TOML: {said}") from error
    try:
        spec = parse(table, library)
        spec.computation.ready(spec.options)
    except OutOfDomain as error:
        raise OutOfDomain(f"{name}: {error}") from error
    return spec


def read(text: str) -> dict[str, Any]:
    """TOML whose numbers stay as they are written, but for the underscores that TOML allows.

    >>> read("sigma = 1_000.5")
    {'sigma': '1000.5'}
    """
    return tomllib.loads(text, parse_float=lambda number: number.replace("_", ""))


@lru_cache(maxsize=8)
def from_text(text: str) -> Spec:
    """The spec of a canonical text; a worker gets the same one with every batch."""
    with plainly():
        return parse(json.loads(text))


def built_in() -> list[str]:
    return sorted(path.stem for path in BUILT_IN.glob("*.toml"))


def check_size(spec: Spec, yes: bool) -> None:
    """Refuse a number of points that is probably a mistake, such as 10^12."""
    if spec.count > MANY and not yes:
        raise OutOfDomain(
            f"{spec.count:,} points: more than {MANY:,} need --yes "
            f"(at 5,000 points a second this takes {spec.count / 5000 / 3600:,.0f} hours)"
        )
