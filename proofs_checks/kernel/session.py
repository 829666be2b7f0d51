"""An outside Coq file: it loads the development by full name, opens nothing of it, and asks.

Every answer is redirected into a file of its own, so that no answer can be taken for another.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from proofs_checks.kernel import commands, project
from proofs_checks.kernel.build import run
from proofs_checks.kernel.model import FormalError

_VISIBLE = re.compile(r"^\w+ \S+(?: \(alias of \S+\))?$", re.MULTILINE)
_HIDDEN = re.compile(r"^\w+ \S+ \(shorter name .*\)$", re.MULTILINE)


def opening(folder: Path) -> list[str]:
    """What the outside file begins with: the libraries opened, the Statements files only loaded."""
    finals = project.final_files(folder)
    opened: dict[tuple[str, str], None] = {}
    for path in finals:
        opened |= dict.fromkeys(commands.opened_modules(project.read(path)))
    lines = [f"From {lib} Require Import {name}." for lib, name in opened if lib != "SGM"]
    return [*lines, *(f"From SGM Require {path.stem}." for path in finals)]


def ask(
    folder: Path,
    questions: Sequence[str],
    *,
    width: int = 100,
    given: Sequence[str] = (),
    paths: Sequence[str] = (),
) -> list[str]:
    """The answers to questions like ``Check @SGM.Statements.lemma_6``, everything written out.

    Coq reads the sentences ``given`` first; an error in them is an error here. ``paths`` are options
    that make further libraries known.
    """
    settings = f"Set Printing All. Set Printing Width {width}. Set Printing Depth 1000000."
    lines = [f'Redirect "answer{i}" {question}.' for i, question in enumerate(questions)]
    with TemporaryDirectory() as name:
        scratch = Path(name)
        script = scratch / "Outside.v"
        script.write_text("\n".join([*opening(folder), settings, *given, *lines]) + "\n")
        known = ["-Q", str(folder), "SGM", *paths]
        run(["coqc", "-q", "-w", "none", *known, script.name], scratch)
        answers = [(scratch / f"answer{i}.out").read_text() for i in range(len(lines))]
    if cut := [q for q, a in zip(questions, answers, strict=True) if "..." in a or not a.strip()]:
        raise FormalError(f"no whole answer to: {cut[0]}")
    return answers


def full_names(
    folder: Path, names: Sequence[str], given: Sequence[str] = (), paths: Sequence[str] = ()
) -> dict[str, str]:
    """What each printed name stands for, by kind and full name; bound variables stand for nothing."""
    if not names and not given:
        return {}
    questions = [f"Locate Term {name}" for name in names]
    answers = ask(folder, questions, width=10000, given=given, paths=paths)
    found = {}
    for name, answer in zip(names, answers, strict=True):
        visible = _VISIBLE.findall(answer)
        if len(visible) == 1:
            found[name] = visible[0]
        elif visible or "." in name:
            raise FormalError(f"no single meaning of {name}")
        elif not answer.startswith("No term of basename") and not _HIDDEN.match(answer):
            raise FormalError(f"Locate {name}: {answer[:100]}")
    return found
