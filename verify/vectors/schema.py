"""The published schema of a group's file, for readers in other languages, made from its class.

``data/schema.json`` says the same; a test keeps it so.
"""

from __future__ import annotations

from typing import Any

import msgspec

from verify.results.vectors import Decimal, GroupFile, Hex

_SHARED = {"hex": Hex, "decimal": Decimal}
_SAID = {
    "number": "an exact double, in hexadecimal and as the shortest decimal that reads back",
    "expected": "the true value lies in [lo, hi]; nearest and up are its correctly rounded doubles, in hexadecimal and as the shortest decimals that read back",
}
_OF_CLASSES = ("title", "description")


def schema() -> dict[str, Any]:
    """The JSON Schema (2020-12); what is repeated in it has a name."""
    shared = {name: msgspec.json.schema(kind) for name, kind in _SHARED.items()}
    parts = {}
    for name, part in msgspec.json.schema(GroupFile)["$defs"].items():
        words = {key: value for key, value in part.items() if key not in _OF_CLASSES}
        parts[name.lower()] = _plain(words, shared)
    root = parts.pop("groupfile")
    for name, description in _SAID.items():
        parts[name]["description"] = description
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:sgm-verify:vectors:2",
        "title": "Test vectors of the sampled Gaussian mechanism, format 2",
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
