"""The commands that a file of the development may contain. What is not on the list is refused.

The Statements files, which a person reads and believes, may hold imports, definitions and theorems and
nothing else. The other files may also hold what proofs need: sections, local hypotheses, lemmas.
Inside a proof every tactic is allowed, for the kernel checks what it leaves behind, but no command.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from proofs_checks.kernel.lexer import Sentence
from proofs_checks.kernel.model import FormalError

NAME = r"[A-Za-z_][\w']*"
REQUIRE = re.compile(
    r"From (Coq|Coquelicot|SGM) Require( Import)?((?: (?!(?:Import|Export)\b)[A-Z]\w*)+)"
)
THEOREM = re.compile(rf"Theorem ({NAME}) : (.+)")
DEFINITION = re.compile(rf"(?:Definition|Fixpoint) ({NAME}) (?:.*:=.+|:=.+)")

_TACTIC = re.compile(r"(?:[-+*{}] ?|[0-9]+ ?: ?|all ?: ?)*(?:[a-z(\[][^#]*)")
_BOTH = (REQUIRE, re.compile("Open Scope R_scope"), DEFINITION)
_SECTION = re.compile(rf"Section ({NAME})")
_END = re.compile(rf"End ({NAME})")
_OPENS = re.compile(rf"(?:Lemma|Theorem|Corollary) {NAME} .+")
_LOCAL = re.compile(r"(?:Variable|Variables|Hypothesis|Context) .+")
_LET = re.compile(rf"Let {NAME} .+")
_REST = (
    re.compile(rf"Ltac {NAME} := .+"),
    re.compile(rf"Record {NAME} .*:= .+"),
    re.compile(r"Arguments [\w {}]+"),
    re.compile("Import ListNotations"),
)


@dataclass(slots=True)
class _Reader:
    """Where in a file we are: the open sections, and whether a proof is open."""

    final: bool
    sections: int = 0
    proving: bool = False

    def read(self, text: str) -> bool:
        """Whether the sentence is allowed here."""
        if '"' in text or "#" in text:
            return False
        if self.proving:
            return self._in_proof(text)
        if any(pattern.fullmatch(text) for pattern in _BOTH):
            return True
        if self.final:
            self.proving = bool(THEOREM.fullmatch(text))
            return self.proving
        return self._working(text)

    def _in_proof(self, text: str) -> bool:
        if text == "Qed":
            self.proving = False
        return text in ("Proof", "Qed") or bool(_TACTIC.fullmatch(text))

    def _working(self, text: str) -> bool:
        if _SECTION.fullmatch(text):
            self.sections += 1
            return True
        if _END.fullmatch(text):
            self.sections -= 1
            return self.sections >= 0
        if _OPENS.fullmatch(text):
            self.proving = True
            return True
        if _LET.fullmatch(text):
            self.proving = ":=" not in text
            return self.sections > 0
        if _LOCAL.fullmatch(text):
            return self.sections > 0
        return any(pattern.fullmatch(text) for pattern in _REST)


def allow(found: Sequence[Sentence], file: str) -> None:
    """Refuse the first sentence of the file that is not on the list."""
    reader = _Reader(final=is_final(file))
    for sentence in found:
        if not reader.read(sentence.text):
            raise FormalError(
                f"{file}:{sentence.line}: not an allowed command: {sentence.text[:60]}"
            )
    if reader.proving or reader.sections:
        raise FormalError(f"{file}: a proof or a section is left open")


def is_final(file: str) -> bool:
    """Whether a file holds final theorems: those that claims cite and people read."""
    return file.startswith("Statements")


def required_modules(found: Sequence[Sentence], library: str) -> list[str]:
    """The modules of a library that a file requires, in order."""
    matches = [REQUIRE.fullmatch(s.text) for s in found]
    return [name for m in matches if m and m[1] == library for name in m[3].split()]


def opened_modules(found: Sequence[Sentence]) -> list[tuple[str, str]]:
    """The modules whose names a file opens, as (library, module)."""
    matches = [REQUIRE.fullmatch(s.text) for s in found]
    return [(m[1], name) for m in matches if m and m[2] for name in m[3].split()]
