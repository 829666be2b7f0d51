"""The accountants of the libraries known by name.

An adapter (``verify.conformance.adapters``) that names its library's accountants has a constant ``ACCOUNTANTS``, a promise by
name, and a function ``accountants`` that returns their functions: "NAME epsilon" of (history, delta), "NAME delta" of (history,
epsilon) and "NAME sigma" of (q, steps, epsilon, delta), as far as the library has them. A history is a list of
(q, sigma, steps).
"""

from __future__ import annotations

import ast
import functools
from dataclasses import dataclass

from verify.accountants.promises import Promise
from verify.conformance import libraries, targets
from verify.conformance.harness import HarnessFailed

ORDINARY = ("dp-accounting", "opacus", "prv-accountant", "autodp", "tensorflow-privacy")
"""Asked if nobody is named."""


@dataclass(frozen=True, slots=True)
class Accountant:
    """One accountant of a library, or a program's only one."""

    library: str
    version: str
    name: str
    promise: Promise
    command: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.library} {self.name}".rstrip()


@functools.cache
def promises(library: libraries.KnownLibrary) -> dict[str, Promise]:
    """What an adapter says of its accountants; nothing of it is run.

    >>> promises(libraries.known()["opacus"])["gdp"]
    <Promise.ESTIMATE: 'estimate'>
    """
    for node in ast.parse(library.adapter.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "ACCOUNTANTS":
            said: dict[str, str] = ast.literal_eval(node.value)
            return {name: Promise(promise) for name, promise in said.items()}
    return {}


def accountants(spec: str, python: str | None = None) -> list[Accountant]:
    """All accountants of a library given as NAME or NAME==VERSION, ready to run."""
    library, _ = libraries.parse(spec)
    said = promises(library)
    if not said:
        raise HarnessFailed(
            f"{library.name}: no accountant of whole runs is known ({', '.join(ORDINARY)} have some)"
        )
    target = targets.installed(spec, python) if python else targets.release(spec)
    command = (*target.command, "--accountants", "yes")
    return [
        Accountant(target.name, target.version, name, promise, command)
        for name, promise in said.items()
    ]


def program(command: tuple[str, ...], promise: Promise) -> Accountant:
    """Any program that speaks the protocol and has one accountant."""
    return Accountant("program", "", "", promise, command)
