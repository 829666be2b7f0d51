"""JSON in which no object has the same key twice.

RFC 8259 leaves it open which of two equal keys counts, and readers differ: one reader may see
another verdict than the next. So text with such an object is refused here, whatever its values are.
"""

from __future__ import annotations

import json
from typing import Any


class GivenTwice(ValueError):
    """A key stands twice in one object."""


def loads(text: str | bytes) -> Any:
    """The value; ValueError for what is no JSON, and for a key that stands twice in one object.

    >>> loads('{"a": {"a": 1}}')
    {'a': {'a': 1}}
    >>> loads('{"q": 0.01, "sigma": 1, "q": 0.02}')
    Traceback (most recent call last):
    ...
    verify.support.strict_json.GivenTwice: the key 'q' stands twice in one object
    """
    return json.loads(text, object_pairs_hook=unique)


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object from its pairs (``object_pairs_hook`` of the standard library's reader)."""
    made = dict(pairs)
    if len(made) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise GivenTwice(f"the key {twice!r:.60} stands twice in one object")
    return made
