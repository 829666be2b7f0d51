"""The accountants of the libraries known by name, of a function, or of a program.

An adapter (``verify.judge.adapters``) that names its library's accountants has a constant
``ACCOUNTANTS``, a promise by name, and a function ``accountants`` that returns their functions:
"NAME epsilon" of (history, delta), "NAME delta" of (history, epsilon) and "NAME sigma" of (q,
steps, epsilon, delta), as far as the library has them. A history is a list of (q, sigma, steps).
These are for Poisson sampling and add/remove; "NAME epsilon SAMPLING RELATION" is for another
sampling or relation. It is also given ``epochs`` for samplings by epochs (q is None, steps are the
batches of one epoch), ``records`` and ``limit`` for truncated-poisson. A name that ends with " of
one rate" or " of one phase" is asked only of such histories. ``DOCUMENTED`` gives for
each promise the sentence of the library's documentation it comes from; an accountant whose
documentation promises no side is judged as an estimate.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from verify.judge.protocol import libraries, targets
from verify.judge.protocol.harness import HarnessFailed
from verify.judge.runs.promises import Promise
from verify.judge.runs.question import ADD_REMOVE, NUMPY, POISSON, RunQuestion

ORDINARY = ("dp-accounting", "opacus", "prv-accountant", "autodp", "tensorflow-privacy")
"""Asked if nobody is named."""


LIMITS: dict[str, Callable[[RunQuestion], bool]] = {
    "": lambda question: True,
    " of one rate": lambda question: len({str(q) for q, _, _ in question.history}) == 1,
    " of one phase": lambda question: len(question.history) == 1,
}
"""Which histories a function has an answer to, by the end of its name."""


@dataclass(frozen=True, slots=True)
class Accountant:
    """One accountant of a library, or a program's only one.

    ``functions`` are those it offers, as "NAME QUANTITY"; empty for a program, which is asked everything.
    """

    target: targets.Target
    name: str
    promise: Promise
    command: tuple[str, ...]
    functions: frozenset[str] = frozenset()
    documented: str = ""
    numpy: bool = True
    notions: tuple[tuple[str, str], ...] = ((POISSON, ADD_REMOVE),)

    @property
    def library(self) -> str:
        return self.target.name

    @property
    def version(self) -> str:
        return self.target.version

    def offers(self, question: RunQuestion) -> bool:
        """Whether the accountant has a function that answers the question."""
        if not self.numpy and question.numbers in NUMPY:
            return False
        function = f"{self.name} {question.quantity}"
        if (question.sampling, question.relation) not in self.notions:
            function += f" {question.sampling} {question.relation}"
        elif not self.functions:
            return True
        return any(
            function + limit in self.functions and holds(question)
            for limit, holds in LIMITS.items()
        )

    def __str__(self) -> str:
        return f"{self.library} {self.name}".rstrip()


@functools.cache
def promises(library: libraries.KnownLibrary) -> dict[str, Promise]:
    """What an adapter says of its accountants; nothing of it is run.

    >>> promises(libraries.known_libraries()["opacus"])["gdp"]
    <Promise.ESTIMATE: 'estimate'>
    """
    said: dict[str, str] = _constant(library, "ACCOUNTANTS")
    return {name: Promise(promise) for name, promise in said.items()}


def documented_promises(library: libraries.KnownLibrary) -> dict[str, str]:
    """The sentence of the documentation that each promise comes from."""
    said: dict[str, str] = _constant(library, "DOCUMENTED")
    return said


def _constant(library: libraries.KnownLibrary, name: str) -> dict[str, Any]:
    for node in ast.parse(library.adapter.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name:
            said: dict[str, Any] = ast.literal_eval(node.value)
            return said
    return {}


def accountants(
    spec: str,
    python: str | None = None,
    checkout: Path | None = None,
    beside: tuple[str, ...] = (),
) -> list[Accountant]:
    """All accountants of a library given as NAME or NAME==VERSION, ready to run."""
    library, _ = libraries.parse(spec)
    said = promises(library)
    if not said:
        raise HarnessFailed(
            f"{library.name}: no accountant of whole runs is known ({', '.join(with_accountants())} have some)"
        )
    target = targets.choose_target(spec, python, checkout, beside)
    command = (*target.command, "--accountants", "yes")
    functions, numpy = targets.offered_functions(command, library.name)
    words = documented_promises(library)
    return [
        Accountant(target, name, promise, command, functions, words.get(name, ""), numpy)
        for name, promise in said.items()
    ]


def with_accountants() -> list[str]:
    """The libraries that have accountants of whole runs."""
    return [name for name, library in libraries.known_libraries().items() if promises(library)]


Notions = tuple[tuple[str, str], ...]
USUAL: Notions = ((POISSON, ADD_REMOVE),)
"""Sampling and relation of what an accountant accounts for."""


def function(
    spec: str, promise: Promise, python: str | None = None, notions: Notions = USUAL
) -> Accountant:
    """MODULE:FUNCTION of (history, delta), or MODULE:OBJECT with methods epsilon, delta and sigma."""
    target = targets.function(spec, python)
    command = (*target.command, "--accountants", "yes")
    functions, numpy = targets.offered_functions(command, spec)
    return Accountant(target, "", promise, command, functions, numpy=numpy, notions=notions)


def program(command: str, promise: Promise, notions: Notions = USUAL) -> Accountant:
    """Any program that speaks the protocol and has one accountant."""
    target = targets.program(command)
    return Accountant(target, "", promise, target.command, notions=notions)
