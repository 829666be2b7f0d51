"""What changed between two reports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from verify.report import model

Change = dict[str, str]
_CLAIM = ("verdict", "severity", "strongest", "statement", "domain", "repair", "differs")
_LIBRARY = ("version", "summary", "conforms")


def with_changes(new: model.Results, old: Mapping[str, Any]) -> model.Results:
    """The new results with a list of what is different from the old ones."""
    body = {key: value for key, value in new.items() if key not in ("format", "closing")}
    record = {"against": old["closing"]["sha256"], "rows": list(changes(old, new))}
    return model.closed({**body, "changes": record})


def changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Change]:
    """Claims, checks, theorems, libraries and figures that came, went or say something else."""
    for name, before in old["numbers"].items():
        yield from _change(f"number of {name}", before, new["numbers"][name])
    yield from _keyed(
        "check", old["ground_truth"], new["ground_truth"], "name", ("passed", "failure")
    )
    yield from _keyed("claim", old["claims"], new["claims"], "id", _CLAIM)
    theorems = [(r["kernel"] or {"theorems": []})["theorems"] for r in (old, new)]
    yield from _keyed("theorem", theorems[0], theorems[1], "name", ("statement", "axioms"))
    yield from _keyed("library", old["libraries"], new["libraries"], "file", _LIBRARY)
    yield from _keyed("figure", old["figures"], new["figures"], "id", ("rows",))
    provenance = old["provenance"], new["provenance"]
    for name in ("sgm_verify", "python", "profile"):
        yield from _change(name, provenance[0][name], provenance[1][name])
    libraries = provenance[0]["libraries"], provenance[1]["libraries"]
    for name in sorted({*libraries[0], *libraries[1]}):
        yield from _change(f"version of {name}", *(side.get(name, "absent") for side in libraries))


def _keyed(
    what: str, old: list[Any], new: list[Any], key: str, fields: tuple[str, ...]
) -> Iterator[Change]:
    before, after = ({row[key]: row for row in side} for side in (old, new))
    for name in [*before, *(n for n in after if n not in before)]:
        if name not in after or name not in before:
            here = "present" if name in before else "absent"
            yield _row(f"{what} {name}", here, "present" if name in after else "absent")
            continue
        for field in fields:
            yield from _change(f"{what} {name}: {field}", before[name][field], after[name][field])


def _change(what: str, before: object, after: object) -> Iterator[Change]:
    if before != after:
        yield _row(what, _short(before), _short(after))


def _row(what: str, before: str, after: str) -> Change:
    return {"what": what, "before": before, "after": after}


def _short(value: object) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= 200 else f"{text[:200]}…"
