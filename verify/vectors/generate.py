"""Compute the vectors: deterministic to the last byte, every value confirmed by other engines.

The published decimals are the two 40-digit neighbours of the true value, found by raising the
precision until both ends of the enclosure round to them. They are therefore properties of the
number, not of the engine or its precision, and a faster engine writes the same file.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from verify.moments import agreement
from verify.moments.divergence import evaluate, moment_and_factor
from verify.moments.engines import Moment
from verify.numbers.budget import Deadline
from verify.numbers.certified import Certified
from verify.numbers.errors import OutOfReach, PrecisionExhausted
from verify.numbers.point import Point
from verify.parallel import each
from verify.results.vectors import (
    DIGITS,
    QUANTITIES,
    Confirmed,
    Entry,
    Expected,
    GroupFile,
    Number,
    Vector,
    VectorsManifest,
    Witnesses,
    as_text,
)
from verify.vectors.flags import FLAGS
from verify.vectors.grid import GROUPS, REAL_RUNS, Site, sites

WITNESS_SECONDS = 10.0
_SECONDS = 120.0
_PRECISIONS = (DIGITS + 5, 2 * DIGITS, 4 * DIGITS, 16 * DIGITS)
_TINY = Fraction(1, 10**16)

Compute = Callable[[Site], tuple[Vector, Witnesses]]


def published_form(certified: Callable[[int], Certified]) -> Expected:
    """The published form of a number that can be had to any number of digits."""
    for digits in _PRECISIONS:
        value = certified(digits)
        low, high = value.lo_str(DIGITS), value.hi_str(DIGITS)
        ends_agree = (
            Certified.exactly(value.hi).lo_str(DIGITS) == low
            and Certified.exactly(value.lo).hi_str(DIGITS) == high
        )
        if ends_agree:
            return Expected.of(low, high, value.to_double(), value.to_double_up())
    raise PrecisionExhausted(f"{low}..{high}: too close to a {DIGITS}-digit decimal")


def certified_vector(site: Site) -> Vector:
    """The vector by the certified engine alone (what ``verify`` compares with)."""
    point = Point.of(site.q, site.sigma, site.alpha)
    values = {
        name: published_form(
            lambda digits, name=name: evaluate(name, point, digits, False, _SECONDS)  # type: ignore[misc]  # the default binds the loop variable
        )
        for name in QUANTITIES
    }
    flags = set(site.flags)
    size = values["rdp"].bounds()[0]
    if 0 < size < _TINY:
        flags.add("Cancellation")
    return Vector(
        id=site.id,
        q_number=Number.of(site.q),
        sigma_number=Number.of(site.sigma),
        alpha_number=Number.of(site.alpha),
        flags=tuple(sorted(flags)),
        log_a=values["log_a"],
        log_b=values["log_b"],
        rdp=values["rdp"],
        rdp_reverse=values["rdp_reverse"],
    )


def alone(site: Site) -> tuple[Vector, Witnesses]:
    """The vector by one engine, without witnesses; such a vector is not published."""
    return certified_vector(site), Witnesses(a=(), b=())


def confirmed_vector(site: Site) -> tuple[Vector, Witnesses]:
    """The vector, its moments recomputed by every other engine that reaches the point.

    EnginesDisagree is not caught: a contested number is not published. Neither is OutOfReach: a number
    that no second engine confirms is not published either.
    """
    return certified_vector(site), witnesses(Point.of(site.q, site.sigma, site.alpha))


def witnesses(point: Point) -> Witnesses:
    """The engines that agree with the reference, by direction ("closed-form" where that is all)."""
    return Witnesses(
        a=_witnesses(point, ("log_a", "rdp")), b=_witnesses(point, ("log_b", "rdp_reverse"))
    )


def _witnesses(point: Point, quantities: tuple[str, ...]) -> tuple[str, ...]:
    needed = (
        {moment_and_factor(name, point)[0] for name in quantities}
        if point.alpha is not None
        else set()
    )
    agreeing = [_agreeing(moment) for moment in needed if agreement.closed_form(moment) is None]
    if not agreeing:
        return ("closed-form",)
    return tuple(name for name in agreement.WITNESSES if all(name in found for found in agreeing))


def _agreeing(moment: Moment) -> set[str]:
    found = agreement.cross_check(
        moment, DIGITS, Deadline.of_work(_SECONDS), patience=WITNESS_SECONDS
    )
    if not found.witnesses:
        raise OutOfReach(f"{moment}: no engine in another arithmetic reaches this point")
    return set(found.witnesses)


@dataclass(frozen=True, slots=True)
class Written:
    """The files that a run of the generator has written."""

    files: int
    vectors: int
    size: int


def generate(
    out: Path,
    jobs: int = 1,
    compute: Compute = confirmed_vector,
    progress: Callable[[int, int], None] = lambda done, total: None,
    chosen: Iterable[Site] | None = None,
) -> Written:
    """Write every group, then the manifest: a directory without one is an unfinished run."""
    todo = list(sites() if chosen is None else chosen)
    by_group: dict[str, list[Vector]] = {}
    attested: dict[str, Witnesses] = {}
    for done, (vector, names) in enumerate(each(compute, todo, jobs), 1):
        by_group.setdefault(vector.group, []).append(vector)
        attested[vector.id] = names
        progress(done, len(todo))
    out.mkdir(parents=True, exist_ok=True)
    entries = []
    for group in (*GROUPS, REAL_RUNS):
        if group.name in by_group:
            data = group_text(group.name, group.title, by_group[group.name]).encode("ascii")
            (out / f"{group.name}.json").write_bytes(data)
            digest, count = hashlib.sha256(data).hexdigest(), len(by_group[group.name])
            entries.append(Entry(f"{group.name}.json", digest, len(data), count))
    (out / "confirmed.json").write_text(confirmed_text(attested), encoding="ascii")
    (out / "manifest.json").write_text(manifest_text(entries), encoding="ascii")
    return Written(len(entries), len(todo), sum(entry.bytes for entry in entries))


def group_text(group: str, title: str, vectors: list[Vector]) -> str:
    """The file of a group."""
    return as_text(GroupFile(2, "CC0-1.0", group, title, len(vectors), tuple(vectors)))


def confirmed_text(attested: dict[str, Witnesses]) -> str:
    """Who confirmed what. Not covered by the manifest: on a slow machine a witness runs out of time.

    All witnesses on both sides is the rule; what differs from it is listed.
    """
    usual = Witnesses(a=agreement.WITNESSES, b=agreement.WITNESSES)
    others = {id_: witnesses for id_, witnesses in attested.items() if witnesses != usual}
    return as_text(Confirmed(2, len(attested), usual, others))


def manifest_text(entries: list[Entry]) -> str:
    """The manifest: checksums, and the note of every flag."""
    return as_text(
        VectorsManifest(2, "CC0-1.0", DIGITS, QUANTITIES, tuple(entries), tuple(FLAGS.values()))
    )
