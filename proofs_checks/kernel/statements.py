"""What the theorems say, asked from outside: the statement as the kernel has it, not as the text reads.

Coq prints every theorem's type and every definition of the Statements files with nothing left implicit
(no notation, coercion, implicit argument or scope), and says which object each name in them is.
This is compared with ``formal/pinned.txt``: a shadowed name, a changed definition, a hypothesis that
a section adds all show up as a difference, which a person accepts or does not. Two more questions
go to Coq: what was printed, read again, must be what the theorem proves and what the definition
is; and the text in the file, read outside of it, must be what the theorem proves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import unified_diff
from pathlib import Path

from proofs_checks.kernel import commands, project, session
from proofs_checks.kernel.model import FOLDER, FormalError, Theorem

PINNED = "pinned.txt"
_NAME = re.compile(r"[A-Za-z_][\w']*(?:\.[A-Za-z_][\w']*)*")
_EXPANDS = re.compile(r"^Expands to:\s+Constant\s+(\S+)$", re.MULTILINE)
_KEYWORDS = frozenset({
    "forall", "fun", "fix", "match", "return", "with", "end", "let", "in", "struct", "as", "if", "then",
    "else", "Type", "Prop", "Set", "_",
})  # fmt: skip


def elaborated_text(folder: Path) -> str:
    """What a compiled development says, as text; raises if Coq reads it in another way."""
    theorems, definitions = project.theorems(folder), project.definitions(folder)
    objects = [*definitions, *(t.full_name for t in theorems)]
    questions = [
        *(f"About {name}" for name in objects),
        *(f"Check @{name}" for name in objects),
        *(f"Print {name}" for name in definitions),
    ]
    answers = iter(session.ask(folder, questions))
    for name in objects:
        _is_itself(name, next(answers))
    types = {name: _type(next(answers)) for name in objects}
    bodies = {name: _body(next(answers), types[name]) for name in definitions}

    printed = [*types.values(), *bodies.values()]
    names = {n for text in printed for n in _NAME.findall(text)} - _KEYWORDS
    checks = [*_read_again(types, bodies), *_as_written(folder, theorems)]
    full = session.full_names(folder, sorted(names), checks)
    _rest_on(full, definitions)
    entries = [
        *(f"{name} :=\n{body}\n  : {types[name]}" for name, body in bodies.items()),
        *(f"{t.full_name} :\n{types[t.full_name]}" for t in theorems),
        "names:\n" + "\n".join(f"{name} = {full[name]}" for name in full),
    ]
    return _HEAD + "\n".join(session.opening(folder)) + "\n\n" + "\n\n".join(entries) + "\n"


_HEAD = """\
The definitions and theorems of the Statements files as the kernel has them, printed by Coq with nothing
left implicit; at the end, what each name in them stands for. Made and compared by the audit; a change is
accepted with: python -m proofs_checks.kernel --accept

"""


def _type(answer: str) -> str:
    """The type in the answer of Check, ``name : type``, laid out as printed."""
    _, _, text = answer.partition("\n     : ")
    if not text:
        raise FormalError(f"Check: {answer[:100]}")
    return _tidy(text)


def _body(answer: str, type_: str) -> str:
    """The body in the answer of Print, ``name = body : type`` and, after an empty line, more."""
    text = answer.partition("\n\n")[0]
    _, equals, rest = text.partition(" = ")
    body, _, shown = rest.rpartition("\n     : ")
    if not equals or shown.split() != type_.split():
        raise FormalError(f"Print: {answer[:100]}")
    return _tidy(body)


def _tidy(text: str) -> str:
    lines = [line.rstrip() for line in text.strip("\n").splitlines()]
    return "\n".join(line for line in lines if line)


def _read_again(types: dict[str, str], bodies: dict[str, str]) -> Iterator[str]:
    """What was printed is what is proved or defined: Coq reads it and compares by conversion."""
    for name, text in types.items():
        yield f"Definition again_{_flat(name)} : {text} := @{name}."
    for name, body in bodies.items():
        yield _defined_as(name, types[name], body)


def _defined_as(name: str, type_: str, body: str) -> str:
    return f"Definition body_{_flat(name)} : @eq ({type_}) ({body}) (@{name}) := @eq_refl _ _."


def _as_written(folder: Path, theorems: Sequence[Theorem]) -> Iterator[str]:
    """The text of each statement, read where only its file's imports and definitions are open."""
    for path in project.final_files(folder):
        found = project.read(path)
        yield f"Module Outside_{path.stem}."
        for library, name in [*commands.opened_modules(found), ("SGM", path.stem)]:
            if library == "SGM":
                yield f"Import SGM.{name}."
        if any(s.text == "Open Scope R_scope" for s in found):
            yield "Open Scope R_scope."
        for theorem in theorems:
            if theorem.file == path.name:
                yield f"Definition said_{theorem.name} : {theorem.statement} := @{theorem.full_name}."
        yield f"End Outside_{path.stem}."


def _flat(name: str) -> str:
    return name.replace(".", "_")


def _is_itself(name: str, about: str) -> None:
    """The full name asked about is the object of that full name."""
    expands = _EXPANDS.search(about)
    if not expands or expands[1] != name:
        raise FormalError(f"{name} is {expands[1] if expands else 'nothing'}")


def _rest_on(full: dict[str, str], definitions: Sequence[str]) -> None:
    """Statements rest on the libraries and on definitions in Statements files, which are pinned."""
    for meaning in full.values():
        name = meaning.split()[1]
        if name.startswith("SGM.") and name not in definitions:
            raise FormalError(f"a statement rests on {name}, which no Statements file defines")


def accepted_definitions(folder: Path = FOLDER) -> list[str]:
    """Sentences for an outside file, in which Coq accepts a compiled development only if its definitions are
    those of the pinned text."""
    found = []
    for entry in (folder / PINNED).read_text(encoding="utf-8").split("\n\n"):
        name, is_definition, rest = entry.partition(" :=\n")
        body, _, type_ = rest.rpartition("\n  : ")
        if is_definition and body:
            found.append(_defined_as(name, type_, body))
    return found


def compare(found: str, folder: Path = FOLDER) -> None:
    """Raises with the difference if the statements are not the accepted ones."""
    path = folder / PINNED
    accepted = path.read_text(encoding="utf-8") if path.exists() else ""
    if found != accepted:
        lines = unified_diff(
            accepted.splitlines(), found.splitlines(), "accepted", "found", "", "", 1, ""
        )
        raise FormalError("the statements are not the accepted ones\n" + "\n".join([*lines][:60]))
