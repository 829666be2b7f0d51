"""Read the published vectors, and refuse anything that is not exactly what was published."""

from __future__ import annotations

import functools
import hashlib
from importlib import resources
from pathlib import Path
from typing import TypeVar

from verify.numbers.errors import SgmError
from verify.results.document import BadDocument, decode
from verify.results.vectors import (
    Confirmed,
    Entry,
    GroupFile,
    Vector,
    VectorsManifest,
    as_text,
)

DATA = Path(str(resources.files("verify.vectors") / "data"))
RUNS = DATA.with_name("runs")
"""Real runs at all default orders: the same format, asked only by name."""
_BESIDE = {"manifest.json", "schema.json", "confirmed.json"}

P = TypeVar("P", GroupFile, VectorsManifest, Confirmed)


class BadVectors(SgmError):
    """The vector files are incomplete, altered, or not in the format they claim."""


def manifest(root: Path = DATA) -> VectorsManifest:
    """The manifest; without one the directory is an unfinished or foreign thing."""
    return _parse(root / "manifest.json", _bytes(root / "manifest.json"), VectorsManifest)


@functools.cache
def load(root: Path = DATA) -> tuple[Vector, ...]:
    """Every vector, checksums verified.

    >>> len(load()) > 2000
    True
    """
    return tuple(vector for entry in manifest(root).files for vector in _group(root, entry).vectors)


def _group(root: Path, entry: Entry) -> GroupFile:
    path = root / entry.name
    data = _bytes(path)
    if hashlib.sha256(data).hexdigest() != entry.sha256:
        raise BadVectors(f"{path}: checksum differs from the manifest")
    return _parse(path, data, GroupFile)


def select(
    vectors: tuple[Vector, ...], flags: tuple[str, ...] = (), groups: tuple[str, ...] = ()
) -> tuple[Vector, ...]:
    """The vectors that carry any of the flags and stand in any of the groups (empty: all)."""
    known_flags = {flag for vector in vectors for flag in vector.flags}
    known_groups = {vector.group for vector in vectors}
    for kind, asked, known in (("flag", flags, known_flags), ("group", groups, known_groups)):
        for name in asked:
            if name not in known:
                raise BadVectors(
                    f"no vector has the {kind} {name!r}; there are: {', '.join(sorted(known))}"
                )
    return tuple(
        vector
        for vector in vectors
        if (not flags or set(flags) & set(vector.flags)) and (not groups or vector.group in groups)
    )


def choose_vectors(flags: tuple[str, ...] = (), groups: tuple[str, ...] = ()) -> tuple[Vector, ...]:
    """What a check asks: the main set, and real runs only if that group is named."""
    vectors = load()
    return select((*vectors, *load(RUNS)) if "real-runs" in groups else vectors, flags, groups)


def check_files(root: Path = DATA) -> int:
    """Checksums, format, canonical text, unique ids, known flags: everything but the mathematics.

    Returns the number of vectors; raises BadVectors at the first thing that is wrong.
    """
    listed = manifest(root)
    names = {entry.name for entry in listed.files}
    strangers = {path.name for path in root.glob("*.json")} - names - _BESIDE
    if strangers:
        raise BadVectors(f"{root}: not in the manifest: {', '.join(sorted(strangers))}")
    flags = {note.name for note in listed.flags}
    seen: set[str] = set()
    for entry in listed.files:
        for vector in _check_file(root, entry).vectors:
            if vector.id in seen:
                raise BadVectors(f"{vector.id}: published twice")
            if unknown := set(vector.flags) - flags:
                raise BadVectors(f"{vector.id}: flags without a note: {', '.join(sorted(unknown))}")
            seen.add(vector.id)
    _check_confirmed(root, seen)
    return len(seen)


def _check_file(root: Path, entry: Entry) -> GroupFile:
    found = _group(root, entry)
    if as_text(found).encode("ascii") != _bytes(root / entry.name):
        raise BadVectors(f"{entry.name}: not in canonical form")
    if found.count != entry.vectors:
        raise BadVectors(f"{entry.name}: {found.count} vectors, the manifest says {entry.vectors}")
    return found


def confirmed_by(root: Path = DATA) -> Confirmed:
    """Which engines confirmed the vectors: the usual ones, and the ids where it was others."""
    return _parse(root / "confirmed.json", _bytes(root / "confirmed.json"), Confirmed)


def _check_confirmed(root: Path, ids: set[str]) -> None:
    attested = confirmed_by(root)
    if attested.vectors != len(ids) or not set(attested.others) <= ids:
        raise BadVectors(f"{root / 'confirmed.json'}: speaks of other vectors")
    for id_, witnesses in {"usual": attested.usual, **attested.others}.items():
        if not (witnesses.a and witnesses.b):
            raise BadVectors(f"{id_}: confirmed by no second engine")


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise BadVectors(f"{path}: cannot be read ({error.strerror})") from error


def _parse(path: Path, data: bytes, kind: type[P]) -> P:
    try:
        return decode(data, kind)
    except BadDocument as error:
        raise BadVectors(f"{path}: not in format 2 ({error})") from error
