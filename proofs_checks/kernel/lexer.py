"""Coq text as sentences: comments taken out, strings kept whole, every sentence with its line.

What Coq might read in another way than this module does is refused, not guessed at: characters
outside printable ASCII, a comment glued to a full stop, what is left open at the end of the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from proofs_checks.kernel.model import FormalError

_STRANGE = re.compile(r"[^\n -~]")
_MARK = re.compile(r'\(\*|\*\)|"|\.(?=\(\*)|\.(?=[ \n]|\Z)')


@dataclass(frozen=True, slots=True)
class Sentence:
    """One command or tactic, without its full stop; white space is one blank."""

    text: str
    line: int


def sentences(text: str, file: str = "") -> list[Sentence]:
    """The sentences of a file.

    >>> [s.text for s in sentences('Lemma a : "(*" = x.1 (* no. (* nested *) "*)" *) .')]
    ['Lemma a : "(*" = x.1']
    """
    if strange := _STRANGE.search(text):
        raise FormalError(f"{_place(file, text, strange.start())}: the character {strange[0]!r}")
    return list(_split(text, file))


def _split(text: str, file: str) -> Iterator[Sentence]:
    depth, quoted, start = 0, False, 0  # of comments; within a string; of the present piece
    pieces: list[str] = []
    first: int | None = None  # where the sentence begins

    def take(upto: int) -> None:
        nonlocal first
        piece = text[start:upto]
        if first is None and piece.strip():
            first = start + len(piece) - len(piece.lstrip())
        pieces.append(piece)

    for mark in _MARK.finditer(text):
        token = mark[0]
        if token == '"':  # a doubled quote inside a string closes and opens it again
            quoted = not quoted
        elif quoted:
            continue
        elif token == "(*":
            if not depth:
                take(mark.start())
                pieces.append(" ")
            depth += 1
        elif token == "*)":
            if not depth:
                raise FormalError(
                    f"{_place(file, text, mark.start())}: a comment ends that never began"
                )
            depth -= 1
            start = mark.end()
        elif not depth:  # a full stop
            if text.startswith("(*", mark.end()):
                raise FormalError(
                    f"{_place(file, text, mark.start())}: a comment glued to a full stop"
                )
            take(mark.start())
            if first is None:
                raise FormalError(f"{_place(file, text, mark.start())}: an empty sentence")
            yield Sentence(" ".join("".join(pieces).split()), text.count("\n", 0, first) + 1)
            pieces, first, start = [], None, mark.end()
    if depth or quoted or "".join([*pieces, text[start:]]).strip():
        raise FormalError(f"{file}: the last sentence, comment or string does not end")


def _place(file: str, text: str, position: int) -> str:
    return f"{file}:{text.count(chr(10), 0, position) + 1}"
