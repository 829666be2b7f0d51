"""Read the published vectors of whole runs, and refuse anything that is not exactly what was published."""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path

from verify.results.document import BadDocument, decode
from verify.results.run_vectors import RunFile, RunManifest, RunVector
from verify.results.vectors import as_text
from verify.vectors.store import RUNS, BadVectors

WHOLE = RUNS / "whole"


def run_manifest(root: Path = WHOLE) -> RunManifest:
    """The manifest; without one the directory is an unfinished or foreign thing."""
    path = root / "manifest.json"
    try:
        return decode(path.read_bytes(), RunManifest)
    except (OSError, BadDocument) as error:
        raise BadVectors(f"{path}: {error}") from error


@functools.cache
def load_runs(root: Path = WHOLE) -> tuple[RunVector, ...]:
    """Every vector of a whole run, checksum verified.

    >>> len(load_runs()) > 400
    True
    """
    return _file(root).vectors


def _file(root: Path) -> RunFile:
    listed = run_manifest(root)
    path = root / listed.name
    try:
        data = path.read_bytes()
        if hashlib.sha256(data).hexdigest() != listed.sha256:
            raise BadVectors(f"{path}: checksum differs from the manifest")
        return decode(data, RunFile)
    except (OSError, BadDocument) as error:
        raise BadVectors(f"{path}: {error}") from error


def check_run_files(root: Path = WHOLE) -> int:
    """Checksum, format, canonical text, unique ids, known flags: everything but the mathematics."""
    listed, found = run_manifest(root), _file(root)
    if as_text(found).encode("ascii") != (root / listed.name).read_bytes():
        raise BadVectors(f"{listed.name}: not in canonical form")
    if not found.count == listed.vectors == len({vector.id for vector in found.vectors}):
        raise BadVectors(f"{listed.name}: another number of vectors, or one published twice")
    known = {flag.name for flag in listed.flags}
    for vector in found.vectors:
        if unknown := set(vector.flags) - known:
            raise BadVectors(f"{vector.id}: flags without a note: {', '.join(sorted(unknown))}")
    return found.count


def select_runs(
    vectors: tuple[RunVector, ...], flags: tuple[str, ...] = (), groups: tuple[str, ...] = ()
) -> tuple[RunVector, ...]:
    """The vectors that carry any of the flags and stand in any of the groups (empty: all)."""
    known = {"flag": {f for v in vectors for f in v.flags}, "group": {v.group for v in vectors}}
    for kind, asked in (("flag", flags), ("group", groups)):
        for name in asked:
            if name not in known[kind]:
                raise BadVectors(
                    f"no vector has the {kind} {name!r}; there are: {', '.join(sorted(known[kind]))}"
                )
    return tuple(
        vector
        for vector in vectors
        if (not flags or set(flags) & set(vector.flags)) and (not groups or vector.group in groups)
    )
