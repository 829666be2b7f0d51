"""``formal/result.json``: what was found, in a form that comes out the same whenever it is found again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict
from difflib import unified_diff
from pathlib import Path

import msgspec

from proofs_checks.kernel import build, project
from proofs_checks.kernel.model import ALLOWED, FOLDER, FormalError, Theorem
from proofs_checks.kernel.statements import PINNED
from verify.numbers.errors import OutOfDomain
from verify.results import evidence, kernel
from verify.results.kernel import Formal

RESULT = "result.json"


def render(checked: Sequence[Theorem], pinned: str, folder: Path = FOLDER) -> str:
    """The result as text; nothing in it depends on when, where or how fast it was found."""
    result = Formal(
        coq=build.coq_version(),
        digest=project.digest(folder),
        pinned=hashlib.sha256(pinned.encode()).hexdigest(),
        allowed=tuple(sorted(ALLOWED)),
        theorems=tuple(evidence.Theorem(**asdict(t)) for t in checked),
        complete=True,
    )
    return json.dumps(msgspec.to_builtins(result), indent=1, ensure_ascii=False) + "\n"


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


def read_result(folder: Path = FOLDER) -> Formal | None:
    """The recorded result; None if there is none, or one of other sources or pinned statements.

    One that is cut short, or does not say what the present sources say, is an error: a damaged file must
    not look like a development that proves nothing. Only axioms and proofs are taken on trust here, and
    the full run compares those.
    """
    path = folder / RESULT
    if not path.exists():
        return None
    result = kernel.read(path)
    if not _current(result, folder):
        return None
    stated = [evidence.Theorem(**asdict(t)) for t in project.theorems(folder)]
    said = [msgspec.structs.replace(t, axioms=()) for t in result.theorems]
    if result.allowed != tuple(sorted(ALLOWED)) or said != stated:
        raise OutOfDomain(f"{path}: edited, it does not say what the sources say (make formal)")
    return result


def _current(result: Formal, folder: Path) -> bool:
    """Whether it is about the present sources and pinned statements."""
    try:
        pinned = hashlib.sha256((folder / PINNED).read_bytes()).hexdigest()
        return (result.digest, result.pinned) == (project.digest(folder), pinned)
    except (OSError, FormalError):
        return False


def checked_here(folder: Path = FOLDER) -> bool:
    """Whether the present sources were compiled and audited on this machine."""
    try:
        return bool(build.record(folder).get("audited") == project.digest(folder))
    except (OSError, FormalError):
        return False
