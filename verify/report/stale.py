"""Whether a report still says what the sources say: claims, theorems, libraries, times."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from verify import claim_runner as runner
from verify.report import libraries_part
from verify.report.collect import CONFORMANCE, formal
from verify.report.figures import times as times_part

_FIELDS = ("statement", "domain", "words", "repair", "severity")


def reasons(results: Mapping[str, Any], folder: Path) -> Iterator[str]:
    """Every way in which a report is behind; none if it is current."""
    declared = runner.discover()
    shown = {row["id"]: row for row in results["claims"]}
    for name in sorted({*declared, *shown}):
        if name not in shown or name not in declared:
            yield f"claim {name} is " + ("not in the report" if name in declared else "gone")
            continue
        claim, row = declared[name], shown[name]
        if str(claim.verdict) != row["recorded"]:
            yield f"claim {name}: verdict"
        for field in _FIELDS:
            if str(getattr(claim, field)) != row[field]:
                yield f"claim {name}: {field}"
    kernel, before = formal(), results["kernel"]
    if (kernel and kernel["digest"]) != (before and before["digest"]):
        yield "the formal development has another digest"
    files = {row["file"]: row["sha256"] for row in libraries_part.read_all(folder / CONFORMANCE)[0]}
    if files != {row["file"]: row["sha256"] for row in results["libraries"]}:
        yield "the results on libraries are others"
    times = times_part.read(folder / times_part.FILE)
    if (times and times["sha256"]) != results["provenance"]["inputs"].get(times_part.FILE):
        yield "the recorded times are others"
    if times and not times["current"]:
        yield "the recorded times are of other engines (sgm-verify bench --json > reports/bench.json)"
