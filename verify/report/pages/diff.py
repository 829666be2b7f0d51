"""What changed between two reports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from verify.results.document import Part, digest
from verify.results.report import Change, Changes, Results

_CLAIM = ("verdict", "severity", "strongest", "statement", "domain", "repair", "differs")
_LIBRARY = ("version", "summary", "conforms")
_FAMILY = ("name", "effect", "theorem")


def with_changes(new: Results, old: Results) -> Results:
    """The new results with a list of what is different from the old ones."""
    record = Changes(against=digest(old), rows=tuple(changes(old, new)))
    return msgspec.structs.replace(new, changes=record)


def changes(old: Results, new: Results) -> Iterator[Change]:
    """Claims, checks, theorems, libraries and figures that came, went or say something else."""
    for name in old.numbers.__struct_fields__:
        yield from _field(f"number of {name}", name, old.numbers, new.numbers)
    yield from _changes_by_key(
        "check", old.ground_truth, new.ground_truth, "name", ("passed", "failure")
    )
    yield from _changes_by_key("claim", old.claims, new.claims, "id", _CLAIM)
    before, after = (r.kernel.theorems if r.kernel else () for r in (old, new))
    yield from _changes_by_key("theorem", before, after, "name", ("statement", "axioms"))
    judged, judged_now = ([m for f in r.families for m in f.members] for r in (old, new))
    yield from _changes_by_key("library", judged, judged_now, "file", _LIBRARY)
    yield from _changes_by_key("family", old.families, new.families, "slug", _FAMILY)
    yield from _changes_by_key("figure", old.figures, new.figures, "id", ("rows",))
    for name in ("sgm_verify", "python", "profile"):
        yield from _field(name, name, old.provenance, new.provenance)
    libraries = old.provenance.libraries, new.provenance.libraries
    for name in sorted({*libraries[0], *libraries[1]}):
        yield from _change(f"version of {name}", *(side.get(name, "absent") for side in libraries))


def _changes_by_key(
    what: str, old: Iterable[Part], new: Iterable[Part], key: str, fields: tuple[str, ...]
) -> Iterator[Change]:
    before, after = ({str(getattr(row, key)): row for row in side} for side in (old, new))
    for name in [*before, *(n for n in after if n not in before)]:
        if name not in after or name not in before:
            here, there = ("present" if name in side else "absent" for side in (before, after))
            yield Change(f"{what} {name}", here, there)
            continue
        for field in fields:
            yield from _field(f"{what} {name}: {field}", field, before[name], after[name])


def _field(what: str, field: str, old: Part, new: Part) -> Iterator[Change]:
    yield from _change(what, getattr(old, field), getattr(new, field))


def _change(what: str, before: object, after: object) -> Iterator[Change]:
    if before != after:
        yield Change(what, _short(before), _short(after))


def _short(value: object) -> str:
    """Words as they are; the rest as in the file."""
    text = str(value) if isinstance(value, str) else msgspec.json.encode(value).decode()
    return text if len(text) <= 200 else f"{text[:200]}…"
