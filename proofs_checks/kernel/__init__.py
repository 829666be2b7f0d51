"""The audit of the Coq development: compile it, ask the kernel what its theorems say and rest on.

``python -m proofs_checks.kernel`` (``make formal``) goes through these steps, and stops at the first that
finds something:

1. ``project``, ``lexer``, ``commands``: every file is listed, every command is on a list of allowed ones.
2. ``build``: compile in a place of its own; content decides what is compiled again, never time.
3. ``statements``, ``session``: what the theorems say, asked from outside, is what was accepted
   (``formal/pinned.txt``).
4. ``axioms``: Coq is asked for the axioms on every run; with ``--full``, coqchk reads everything
   again; its summary has the allowed axioms by their full names and nothing else.
5. ``result``: ``formal/result.json`` is written, or with ``--full`` compared with what was found.
"""

from __future__ import annotations

from proofs_checks.kernel.model import ALLOWED, FOLDER, FormalError, Theorem
from proofs_checks.kernel.project import digest, sources, theorems
from proofs_checks.kernel.result import checked_here, read_result

__all__ = [
    "ALLOWED",
    "FOLDER",
    "FormalError",
    "Theorem",
    "checked_here",
    "digest",
    "read_result",
    "sources",
    "theorems",
]
