"""The published schema of a group's file, for readers in other languages, made from its class.

``data/schema.json`` and ``runs/whole/schema.json`` say the same; tests keep it so.
"""

from __future__ import annotations

from typing import Any

import msgspec

from verify.results.run_vectors import RunFile
from verify.results.vectors import Decimal, GroupFile, Hex

_SHARED = {"hex": Hex, "decimal": Decimal}
_SAID = {
    "number": "an exact double, in hexadecimal and as the shortest decimal that reads back",
    "expected": (
        "the true value lies in [lo, hi]; nearest and up are its correctly rounded doubles, in "
        "hexadecimal and as the shortest decimals that read back"
    ),
}
_OF_CLASSES = ("title", "description")


def schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of a group of steps; what is repeated in it has a name."""
    title = "Test vectors of the sampled Gaussian mechanism, format 2"
    return _schema(GroupFile, "urn:sgm-verify:vectors:2", title)


def run_schema() -> dict[str, Any]:
    """The JSON Schema of the file of whole runs."""
    title = "Test vectors of whole runs of the sampled Gaussian mechanism, format 1"
    return _schema(RunFile, "urn:sgm-verify:run-vectors:1", title)


def _schema(file: type, name_of_it: str, title: str) -> dict[str, Any]:
    shared = {name: msgspec.json.schema(kind) for name, kind in _SHARED.items()}
    parts = {}
    for name, part in msgspec.json.schema(file)["$defs"].items():
        words = {key: value for key, value in part.items() if key not in _OF_CLASSES}
        parts[name.lower()] = _plain(words, shared)
    root = parts.pop(file.__name__.lower())
    for name, description in _SAID.items():
        parts[name]["description"] = description
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": name_of_it,
        "title": title,
        **root,
        "$defs": {**shared, **parts},
    }


def _plain(node: Any, shared: dict[str, Any]) -> Any:
    """References by the published names, constants as such."""
    if isinstance(node, list):
        return [_plain(item, shared) for item in node]
    if not isinstance(node, dict):
        return node
    for name, part in shared.items():
        if node == part:
            return {"$ref": f"#/$defs/{name}"}
    if "$ref" in node:
        return {"$ref": node["$ref"].lower()}
    if len(node.get("enum", ())) == 1:
        return {"const": node["enum"][0]}
    return {key: _plain(value, shared) for key, value in node.items()}
