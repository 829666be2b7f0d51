"""What the development assumes, by full name.

The authority is ``coqchk -o``, which reads every compiled file again, down to the standard library, and
lists all axioms in them as well as everything that went round the checks of the kernel. ``Print
Assumptions`` then says which of them each theorem uses.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from proofs_checks.kernel import session
from proofs_checks.kernel.build import run
from proofs_checks.kernel.model import ALLOWED, FormalError, Theorem

SUMMARY = {
    "Theory": "Set is predicative",
    "Constants/Inductives relying on type-in-type": "<none>",
    "Constants/Inductives relying on unsafe (co)fixpoints": "<none>",
    "Inductives whose positivity is assumed": "<none>",
}
"""What coqchk has to say beside the axioms; a summary with other headings is not understood."""

_CLOSED = "Closed under the global context"
_AXIOM = re.compile(r"(\S+)(?: :.*)?")


def checked_again(folder: Path, modules: Sequence[str]) -> set[str]:
    """All axioms that coqchk finds in the modules and below them; raises if one is not allowed.

    Everything below has to be read again as well: told to skip it, coqchk takes what a sealed
    module hides for an axiom.
    """
    names = [f"SGM.{module}" for module in modules]
    found = read_summary(run(["coqchk", "-silent", "-o", "-Q", ".", "SGM", *names], folder))
    if extra := sorted(found - ALLOWED):
        raise FormalError(f"coqchk: the development assumes {', '.join(extra)}")
    return found


def read_summary(printed: str) -> set[str]:
    """The axioms of coqchk's summary; raises if it says anything else that it should not."""
    head, _, body = printed.partition("CONTEXT SUMMARY\n===============\n")
    if head.strip() or not body:
        raise FormalError("coqchk: no summary")
    axioms: set[str] = set()
    said = {}
    for entry in re.split(r"^\* ", body, flags=re.MULTILINE)[1:]:
        heading, _, rest = entry.partition(":")
        if heading == "Axioms":
            axioms = set(rest.split()) - {"<none>"}
        said[heading] = " ".join(rest.split())
    said.pop("Axioms", None)
    if said != SUMMARY:
        odd = {k: v for k, v in said.items() if SUMMARY.get(k) != v} or "a part is missing"
        raise FormalError(f"coqchk: {odd}")
    return axioms


def of_each(folder: Path, theorems: Sequence[Theorem], jobs: int = 2) -> list[Theorem]:
    """The theorems with the axioms below each; raises if one is not allowed."""
    chunks = [theorems[i::jobs] for i in range(jobs) if theorems[i::jobs]]
    with ThreadPoolExecutor(jobs) as pool:
        parts = pool.map(lambda chunk: _of_chunk(folder, chunk), chunks)
        found = {t.full_name: t for part in parts for t in part}
    return [found[t.full_name] for t in theorems]


def _of_chunk(folder: Path, theorems: Sequence[Theorem]) -> list[Theorem]:
    answers = session.ask(folder, [f"Print Assumptions {t.full_name}" for t in theorems])
    used = [read_assumptions(answer) for answer in answers]
    full = session.full_names(folder, sorted(set().union(*used)))
    return [
        replace(t, axioms=tuple(sorted(_check_allowed(t.name, names, full))))
        for t, names in zip(theorems, used, strict=True)
    ]


def of_all(folder: Path, theorems: Sequence[Theorem]) -> set[str]:
    """The axioms below all theorems together, which takes as long as those below one of them."""
    together = ", ".join(f"@{t.full_name}" for t in theorems)
    given = [f"Definition together := ({together})."] if len(theorems) > 1 else []
    name = "together" if given else theorems[0].full_name
    used = read_assumptions(session.ask(folder, [f"Print Assumptions {name}"], given=given)[0])
    return _check_allowed("the development", used, session.full_names(folder, sorted(used)))


def _check_allowed(who: str, used: set[str], full: dict[str, str]) -> set[str]:
    found = {full.get(name, name).removeprefix("Constant ") for name in used}
    if extra := sorted(found - ALLOWED):
        raise FormalError(f"{who} assumes {', '.join(extra)}")
    return found


def read_assumptions(printed: str) -> set[str]:
    """The names in an answer of Print Assumptions: an axiom begins its line, its type is indented."""
    lines = [line for line in printed.splitlines() if line.strip()]
    if lines == [_CLOSED]:
        return set()
    if not lines or lines[0] != "Axioms:":
        raise FormalError(f"Print Assumptions: {' '.join(lines)[:100]}")
    names = set()
    for line in lines[1:]:
        if line[0] == " ":
            continue
        match = _AXIOM.fullmatch(line)
        if not match:  # other headings, and notes such as "f is assumed to be guarded"
            raise FormalError(f"Print Assumptions: {line[:100]}")
        names.add(match[1])
    return names
