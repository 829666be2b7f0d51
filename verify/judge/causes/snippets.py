"""A failing point as a few lines that run: for the library's own users, ready to paste into an issue.

An adapter says in ``SNIPPET`` how its library is called by hand, given q, sigma and alpha; it is read as text.
A function is imported and called. A program that speaks the protocol is asked by a shell line.
"""

from __future__ import annotations

import ast
import functools
import json
import math
import shlex

from verify.judge.protocol import libraries
from verify.judge.protocol.question import Question
from verify.judge.verdict.judged import Case


def snippet(target: str, version: str, reproduce: str, case: Case) -> str:
    """Code that asks the point, with what it printed and what is true."""
    body = _call(target, reproduce, case.question)
    said = case.judgement.reason if case.answer.value is None else repr(case.answer.value)
    about = [f"# {target} {version}".rstrip(), *body, f"# said: {said}", f"# true: {case.truth.lo}"]
    return "\n".join(about) + "\n"


def _call(target: str, reproduce: str, question: Question) -> list[str]:
    words = shlex.split(reproduce)
    if "--command" in words:
        return [_shell(words[words.index("--command") + 1], question)]
    given = f"q, sigma, alpha = {question.q!r}, {question.sigma!r}, {_order(question.alpha)}"
    if ":" in target:
        return [given, *_function(target)]
    return [given, *known_snippets().get(target, "").splitlines()]


def _function(spec: str) -> list[str]:
    """MODULE:FUNCTION or FILE.py:FUNCTION, called."""
    place, _, name = spec.rpartition(":")
    first, dot, rest = name.partition(".")
    if place.endswith(".py"):
        found = ["import runpy", f"{first} = runpy.run_path({place!r})[{first!r}]"]
    else:
        found = [f"from {place} import {first}"]
    return [*found, f"print({first}{dot}{rest}(q, sigma, alpha))"]


def _order(alpha: float) -> str:
    return 'float("inf")' if math.isinf(alpha) else repr(alpha)


def _shell(program: str, question: Question) -> str:
    asked = {
        "id": "1", "quantity": question.quantity, "q": question.q, "sigma": question.sigma,
        "alpha": "inf" if math.isinf(question.alpha) else question.alpha,
    }  # fmt: skip
    return f"echo {shlex.quote(json.dumps(asked))} | {program}"


@functools.cache
def known_snippets() -> dict[str, str]:
    """The snippet of every adapter that has one, by the library's name."""
    found = {}
    for library in libraries.known_libraries().values():
        for node in ast.parse(library.adapter.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "SNIPPET":
                found[library.name] = str(ast.literal_eval(node.value))
    return found
