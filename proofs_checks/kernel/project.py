"""The files of the development: which they are, what they say, one digest of them all."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from proofs_checks.kernel import commands
from proofs_checks.kernel.lexer import Sentence, sentences
from proofs_checks.kernel.model import FOLDER, FormalError, Theorem

OPTIONS = ("-Q . SGM", "-arg -w -arg -ambiguous-paths")
"""The only lines of ``_CoqProject`` that are not files; the warning silenced is Coquelicot's own."""

_FILE = re.compile(r"[A-Z]\w*\.v", re.ASCII)


def sources(folder: Path = FOLDER) -> list[Path]:
    """The files of the development, in order of compilation."""
    listed = []
    for line in (folder / "_CoqProject").read_text(encoding="utf-8").splitlines():
        if _FILE.fullmatch(line):
            listed.append(folder / line)
        elif line not in OPTIONS:
            raise FormalError(f"_CoqProject: not an allowed line: {line[:60]}")
    if len(set(listed)) != len(listed):
        raise FormalError("_CoqProject: a file is listed twice")
    return listed


def all_listed(folder: Path = FOLDER) -> None:
    """Every ``.v`` file below the folder is listed, and every listed one is there."""
    there, listed = set(folder.rglob("*.v")), set(sources(folder))
    if odd := sorted(str(p.relative_to(folder)) for p in there ^ listed):
        raise FormalError(f"in the folder or in _CoqProject, not in both: {', '.join(odd)}")


def digest(folder: Path = FOLDER) -> str:
    """One hash of everything the kernel reads."""
    total = hashlib.sha256((folder / "_CoqProject").read_bytes())
    for path in sources(folder):
        total.update(path.name.encode() + b"\0" + path.read_bytes())
    return total.hexdigest()


def read(path: Path) -> list[Sentence]:
    """The sentences of one file."""
    return sentences(path.read_text(encoding="utf-8", errors="replace"), path.name)


def final_files(folder: Path = FOLDER) -> list[Path]:
    """The Statements files, in order."""
    return [p for p in sources(folder) if commands.is_final(p.name)]


def theorems(folder: Path = FOLDER) -> list[Theorem]:
    """Every theorem of the Statements files, in order."""
    found = []
    for path in final_files(folder):
        for sentence in read(path):
            if match := commands.THEOREM.fullmatch(sentence.text):
                found.append(Theorem(match[1], path.name, sentence.line, match[2]))
    names = [t.name for t in found]
    if twice := sorted({n for n in names if names.count(n) > 1}):
        raise FormalError(f"stated twice: {', '.join(twice)}")
    return found


def definitions(folder: Path = FOLDER) -> list[str]:
    """Full names of the definitions in the Statements files, in order."""
    return [
        f"SGM.{path.stem}.{match[1]}"
        for path in final_files(folder)
        for sentence in read(path)
        if (match := commands.DEFINITION.fullmatch(sentence.text))
    ]


def allowed_commands(folder: Path = FOLDER) -> None:
    """Only commands from the list, in files that are all listed."""
    all_listed(folder)
    for path in sources(folder):
        commands.allow(read(path), path.name)
