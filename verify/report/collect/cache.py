"""Results that may be used again, in one file each, named by the digest of what they depend on.

A damaged or cut-off entry counts as absent. Only results that passed are kept, so that a failure caused
by a busy machine is tried again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

FORMAT = "sgm-verify cache 1"


class Cache:
    """A folder of results; with ``folder`` None it remembers nothing."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self.reused = 0
        self.computed = 0

    def get(self, key: str) -> Any | None:
        if self.folder is None:
            return None
        try:
            entry = json.loads((self.folder / f"{key}.json").read_text(encoding="utf-8"))
            body = entry["body"]
            whole = entry["format"] == FORMAT and entry["sha256"] == _digest(body)
        except (OSError, ValueError, KeyError, TypeError):
            return None
        if not whole:
            return None
        self.reused += 1
        return body

    def get_or_make(self, key: str, make: Callable[[], Any]) -> Any:
        """What is known under a key; made, and kept, if nothing is."""
        body = self.get(key)
        if body is None:
            body = make()
            self.put(key, body)
        return body

    def put(self, key: str, body: Any) -> None:
        self.computed += 1
        if self.folder is None:
            return
        entry = {"format": FORMAT, "sha256": _digest(body), "body": body}
        path = self.folder / f"{key}.json"
        partial = path.with_suffix(f".{os.getpid()}.partial")
        with contextlib.suppress(
            OSError
        ):  # a cache that cannot be written costs time, nothing else
            self.folder.mkdir(parents=True, exist_ok=True)
            partial.write_text(json.dumps(entry), encoding="utf-8")
            partial.replace(path)


def _digest(body: Any) -> str:
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
