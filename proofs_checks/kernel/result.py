"""``formal/result.json``: what was found, in a form that comes out the same whenever it is found again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict
from difflib import unified_diff
from pathlib import Path
from typing import Any

from proofs_checks.kernel import build, project
from proofs_checks.kernel.model import ALLOWED, FOLDER, FormalError, Theorem
from proofs_checks.kernel.statements import PINNED

RESULT = "result.json"
FORMAT = "sgm-verify kernel 2"


def render(checked: Sequence[Theorem], pinned: str, folder: Path = FOLDER) -> str:
    """The result as text; nothing in it depends on when, where or how fast it was found."""
    result = {
        "format": FORMAT,
        "coq": build.coq_version(),
        "digest": project.digest(folder),
        "pinned": hashlib.sha256(pinned.encode()).hexdigest(),
        "allowed": sorted(ALLOWED),
        "theorems": [asdict(t) for t in checked],
        "complete": True,
    }
    return json.dumps(result, indent=1, ensure_ascii=False) + "\n"


def write(text: str, folder: Path = FOLDER) -> None:
    partial = folder / "result.partial"
    partial.write_text(text, encoding="utf-8")
    partial.replace(folder / RESULT)


def compare(found: str, folder: Path = FOLDER) -> None:
    """Raises with the difference if the recorded result is not the one found."""
    path = folder / RESULT
    recorded = path.read_text(encoding="utf-8") if path.exists() else ""
    if found != recorded:
        lines = unified_diff(
            recorded.splitlines(), found.splitlines(), "recorded", "found", "", "", 1, ""
        )
        raise FormalError("the recorded result is not the one found\n" + "\n".join([*lines][:40]))


def read_result(folder: Path = FOLDER) -> dict[str, Any] | None:
    """The recorded result, if it is whole and says what the present sources and pins say.

    Only axioms and proofs are taken on trust here, and the full run compares those.
    """
    try:
        result: dict[str, Any] = json.loads((folder / RESULT).read_text(encoding="utf-8"))
        return result if _fits(result, folder) else None
    except (
        OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError, FormalError,
    ):  # fmt: skip
        return None


def _fits(result: dict[str, Any], folder: Path) -> bool:
    stated = [asdict(t) | {"axioms": []} for t in project.theorems(folder)]
    pinned = hashlib.sha256((folder / PINNED).read_bytes()).hexdigest()
    return (
        result["complete"] is True
        and result["format"] == FORMAT
        and result["digest"] == project.digest(folder)
        and result["pinned"] == pinned
        and result["allowed"] == sorted(ALLOWED)
        and [t | {"axioms": []} for t in result["theorems"]] == stated
        and all(set(t["axioms"]) <= ALLOWED for t in result["theorems"])
    )


def checked_here(folder: Path = FOLDER) -> bool:
    """Whether the present sources were compiled and audited on this machine."""
    try:
        return bool(build.record(folder).get("audited") == project.digest(folder))
    except (OSError, FormalError):
        return False
