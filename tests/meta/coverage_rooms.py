"""What ``make coverage`` measured, room by room, from coverage's own JSON; and the total as a badge.

``python -m tests.meta.coverage_rooms coverage.json [badge.json]``. A room is a folder of modules. The badge is
the JSON of shields.io's endpoint badges, version 1.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

COUNTED = ("num_statements", "covered_lines", "num_branches", "covered_branches")


def rooms(measured: Mapping[str, Any]) -> dict[str, dict[str, int]]:
    """Statements and branches of each folder, all and reached.

    >>> one = {"num_statements": 3, "covered_lines": 2, "num_branches": 1, "covered_branches": 1}
    >>> rooms({"files": {"a/b.py": {"summary": one}, "a/c.py": {"summary": one}}})["a"]["covered_lines"]
    4
    """
    found: dict[str, dict[str, int]] = defaultdict(lambda: dict.fromkeys(COUNTED, 0))
    for name, file in measured["files"].items():
        room = found[str(PurePosixPath(name.replace("\\", "/")).parent)]
        for key in COUNTED:
            room[key] += file["summary"][key]
    return dict(sorted(found.items()))


def share(room: Mapping[str, int]) -> float:
    """Reached statements and branches of all, in percent, as coverage counts them."""
    whole = room["num_statements"] + room["num_branches"]
    return 100 * (room["covered_lines"] + room["covered_branches"]) / whole if whole else 100.0


def lines(measured: Mapping[str, Any]) -> Iterator[str]:
    """A line for each room, and one for all."""
    found = rooms(measured)
    total = {key: sum(room[key] for room in found.values()) for key in COUNTED}
    yield f"{'room':<44} {'statements':>10} {'branches':>9} {'reached':>8}"
    for name, room in [*found.items(), ("all", total)]:
        yield f"{name:<44} {room['num_statements']:>10} {room['num_branches']:>9} {share(room):>6.1f} %"


def badge(measured: Mapping[str, Any], floor: float) -> dict[str, Any]:
    """The total as the JSON of a badge; red below the floor."""
    reached = measured["totals"]["percent_covered"]
    color = "brightgreen" if reached >= 90 else "green" if reached >= floor else "red"
    return {"schemaVersion": 1, "label": "coverage", "message": f"{reached:.0f} %", "color": color}


if __name__ == "__main__":
    import tomllib

    root = Path(__file__).parents[2]
    settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    given = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    print("\n".join(lines(given)))
    if len(sys.argv) > 2:
        made = badge(given, settings["tool"]["coverage"]["report"]["fail_under"])
        Path(sys.argv[2]).write_text(json.dumps(made) + "\n", encoding="utf-8")
