"""Read the published vectors, and refuse anything that is not exactly what was published."""

from __future__ import annotations

import functools
import hashlib
import json
from importlib import resources
from pathlib import Path
from typing import Any

from verify.errors import SgmError
from verify.vectors.model import Vector, file_text, from_json

DATA = Path(str(resources.files("verify.vectors") / "data"))


_BESIDE = {"manifest.json", "schema.json", "confirmed.json"}


class BadVectors(SgmError):
    """The vector files are incomplete, altered, or not in the format they claim."""


def manifest(root: Path = DATA) -> dict[str, Any]:
    """The manifest as data; without one the directory is an unfinished or foreign thing."""
    data = _json(root / "manifest.json")
    if not isinstance(data, dict) or data.get("format") != 1 or "files" not in data:
        raise BadVectors(f"{root / 'manifest.json'}: not a manifest of format 1")
    return data


@functools.cache
def load(root: Path = DATA) -> tuple[Vector, ...]:
    """Every vector, checksums verified.

    >>> len(load()) > 2000
    True
    """
    return tuple(vector for entry in manifest(root)["files"] for vector in _group(root, entry))


def _group(root: Path, entry: dict[str, Any]) -> list[Vector]:
    path = root / entry["name"]
    data = _bytes(path)
    if hashlib.sha256(data).hexdigest() != entry["sha256"]:
        raise BadVectors(f"{path}: checksum differs from the manifest")
    content = json.loads(data)
    return [from_json(content["group"], item) for item in content["vectors"]]


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


def schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of a vector file."""
    data: dict[str, Any] = _json(DATA / "schema.json")
    return data


def check_files(root: Path = DATA) -> int:
    """Checksums, schema, canonical text, unique ids, known flags: everything but the mathematics.

    Returns the number of vectors; raises BadVectors at the first thing that is wrong.
    """
    import jsonschema

    validator = jsonschema.Draft202012Validator(schema())
    listed = manifest(root)
    names = {entry["name"] for entry in listed["files"]}
    strangers = {path.name for path in root.glob("*.json")} - names - _BESIDE
    if strangers:
        raise BadVectors(f"{root}: not in the manifest: {', '.join(sorted(strangers))}")
    flags = {note["name"] for note in listed["flags"]}
    seen: set[str] = set()
    for entry in listed["files"]:
        data = _bytes(root / entry["name"])
        content = _json(root / entry["name"])
        for error in validator.iter_errors(content):
            where = "/".join(map(str, error.absolute_path))
            raise BadVectors(f"{entry['name']}: {where}: {error.message[:200]}")
        vectors = _group(root, entry)
        text = file_text(content["group"], content["title"], vectors)
        if text.encode("ascii") != data:
            raise BadVectors(f"{entry['name']}: not in canonical form")
        if len(vectors) != entry["vectors"] or content["count"] != entry["vectors"]:
            raise BadVectors(
                f"{entry['name']}: {len(vectors)} vectors, the manifest says {entry['vectors']}"
            )
        for vector in vectors:
            if vector.id in seen:
                raise BadVectors(f"{vector.id}: published twice")
            if unknown := set(vector.flags) - flags:
                raise BadVectors(f"{vector.id}: flags without a note: {', '.join(sorted(unknown))}")
            seen.add(vector.id)
    _check_confirmed(root, seen)
    return len(seen)


def confirmed_by(root: Path = DATA) -> dict[str, Any]:
    """Which engines confirmed the vectors: the usual ones, and the ids where it was others."""
    data: dict[str, Any] = _json(root / "confirmed.json")
    return data


def _check_confirmed(root: Path, ids: set[str]) -> None:
    attested = confirmed_by(root)
    if attested["vectors"] != len(ids) or not set(attested["others"]) <= ids:
        raise BadVectors(f"{root / 'confirmed.json'}: speaks of other vectors")
    for id_, sides in {"usual": attested["usual"], **attested["others"]}.items():
        if not all(sides.get(side) for side in ("a", "b")):
            raise BadVectors(f"{id_}: confirmed by no second engine")


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise BadVectors(f"{path}: cannot be read ({error.strerror})") from error


def _json(path: Path) -> Any:
    try:
        return json.loads(_bytes(path))
    except (ValueError, RecursionError) as error:
        raise BadVectors(f"{path}: not JSON") from error
