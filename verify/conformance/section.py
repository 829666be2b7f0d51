"""The section of the report on other implementations: committed outcomes as one table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from verify.errors import SgmError

_HEAD = (
    "library",
    "good",
    "overstated",
    "UNSAFE",
    "no answer",
    "broken properties",
    "worst understatement",
)


class BadOutcome(SgmError):
    """A file that is not the complete outcome of a check."""


def outcomes(root: Path) -> list[dict[str, Any]]:
    """The committed outcomes, by library and version; a file without its closing record is refused."""
    found = []
    for path in sorted(root.glob("*.json")):
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
        except ValueError as error:
            raise BadOutcome(f"{path}: not JSON") from error
        if not isinstance(data, dict) or data.get("complete") is not True:
            raise BadOutcome(f"{path}: not the complete outcome of a check")
        found.append(data)
    return found


def markdown(found: list[dict[str, Any]]) -> str:
    """One row a library; every row can be reproduced with the command of its file."""
    lines = ["| " + " | ".join(_HEAD) + " |", "|" + "---|" * len(_HEAD)]
    lines += ["| " + " | ".join(_row(data)) + " |" for data in found]
    return "\n".join(lines) + "\n"


def _row(data: dict[str, Any]) -> list[str]:
    verdicts = data["verdicts"]
    good = sum(verdicts[name] for name in ("correctly rounded", "within 1 ulp", "accurate"))
    silent = ", ".join(f"{n} {kind}" for kind, n in data["no_answer"].items())
    broken = ", ".join(f"{n} not {name}" for name, n in data["properties"].items() if n)
    return [
        f"{data['target']} {data['version']}",
        f"{good} of {data['points']}",
        str(verdicts["overstated"]),
        str(verdicts["UNSAFE"]),
        f"{verdicts['no answer']}" + (f" ({silent})" if silent else ""),
        broken or "none",
        _point(data["worst"].get("UNSAFE")),
    ]


def _point(case: dict[str, Any] | None) -> str:
    if case is None:
        return "none"
    answer = case["answer"] if isinstance(case["answer"], str) else f"{case['answer']:.6g}"
    truth = case["truth"] if isinstance(case["truth"], str) else f"{case['truth']:.6g}"
    return f"q={case['q']}, sigma={case['sigma']}, alpha={case['alpha']}: {answer} for {truth}"
