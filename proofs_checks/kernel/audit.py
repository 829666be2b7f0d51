"""The audit, step by step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from proofs_checks.kernel import axioms, build, project, result, statements
from proofs_checks.kernel.model import ALLOWED, FOLDER, FormalError, Theorem


def audit(
    folder: Path = FOLDER,
    *,
    full: bool = False,
    accept: bool = False,
    jobs: int = 2,
    say: Callable[[str], None] = lambda _: None,
) -> list[Theorem]:
    """The theorems with their axioms; raises FormalError if anything is not as it should be.

    ``full`` compiles from clean, has coqchk read everything again and compares with the recorded
    result; otherwise the result is written. ``accept`` makes what the theorems say now the
    accepted meaning, and writes the result.
    """
    project.allowed_commands(folder)
    files = project.sources(folder)
    say(f"compiling {'all' if full else 'what is new'} of {len(files)} files with {jobs} jobs")
    with build.compiled_scratch(folder, full=full, jobs=jobs) as scratch:
        say(f"asking the kernel about {len(project.theorems(folder))} theorems")
        said = statements.elaborated_text(scratch)
        if not accept:
            statements.compare(said, folder)
        found = with_axioms(folder, scratch, full, jobs)
        if full:
            say("coqchk reads everything again")
            axioms.checked_again(scratch, [p.stem for p in files])
    if accept:
        (folder / statements.PINNED).write_text(said, encoding="utf-8")
    text = result.render(found, said, folder)
    if full and not accept:
        result.compare(text, folder)
    else:
        result.write(text, folder)
    build.write_record(folder, audited=project.digest(folder))
    return found


def with_axioms(folder: Path, scratch: Path, full: bool, jobs: int) -> list[Theorem]:
    """The theorems with their axioms, which Coq is asked for on every run.

    The question about all theorems together is quick, and none of them can rest on an axiom that its answer
    does not name. Which theorem uses which of these takes longer, and is remembered for unchanged
    files, without ``full``; what is remembered must add up to the answer.
    """
    together = axioms.of_all(scratch, project.theorems(folder))
    remembered = {} if full else build.record(folder).get("axioms", {})
    keys = build.keys(folder)
    known, unknown = {}, []
    for theorem in project.theorems(folder):
        key, *names = remembered.get(theorem.full_name, [""])
        if key == keys[Path(theorem.file).stem] and set(names) <= ALLOWED:
            known[theorem.full_name] = replace(theorem, axioms=tuple(names))
        else:
            unknown.append(theorem)
    known |= {t.full_name: t for t in axioms.of_each(scratch, unknown, jobs)}
    found = [known[t.full_name] for t in project.theorems(folder)]
    if together != {name for t in found for name in t.axioms}:
        raise FormalError("the remembered axioms are not those that Coq names (--full)")
    build.write_record(
        folder, axioms={t.full_name: [keys[Path(t.file).stem], *t.axioms] for t in found}
    )
    return found
