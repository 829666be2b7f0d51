"""What a result depends on, as digests: the key under which it may be used again.

A claim depends on its module and all that imports, directly or not, from its own package and from
``verify``; a figure's numbers and drawings on the functions that make them, and what those use.
"""

from __future__ import annotations

import functools
import hashlib
import platform
import subprocess
from collections.abc import Callable, Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import verify
from verify.report.collect import imports

LIBRARIES = (
    "python-flint", "mpmath", "gmpy2", "sympy", "click", "rich", "hypothesis",
    "jinja2", "matplotlib", "numpy", "latex2mathml", "msgspec", "platformdirs",
    "junitparser",
)  # fmt: skip
ARITHMETIC = ("python-flint", "mpmath", "gmpy2", "sympy")
NUMBERS = ("verify.moments.functions", "verify.bounds.table")
"""Where certified numbers come from; what they rest on is found by following imports."""
_ROOT = Path(verify.__file__).parent


def digest(parts: Iterable[bytes | str]) -> str:
    """One hash of several byte strings; where one ends and the next begins counts.

    >>> digest(["ab", "c"]) == digest(["a", "bc"])
    False
    """
    total = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        total.update(len(data).to_bytes(8, "big") + data)
    return total.hexdigest()


def file_digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def versions(names: Iterable[str] = LIBRARIES) -> dict[str, str]:
    """Installed versions; a library that is not there is left out."""
    found = {}
    for name in names:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


@functools.cache
def arithmetic() -> str:
    """Digest of all that certified numbers rest on: sources, and the libraries that compute."""
    return _computed_by(NUMBERS, {"verify"})


@functools.cache
def of_module(*names: str) -> str:
    """Digest of modules and of all they import, directly or not, from their packages and ``verify``."""
    return _computed_by(names, {name.partition(".")[0] for name in names})


def of_function(function: Callable[..., Any]) -> str:
    """Digest of a function of a module, of what it uses there, and of all that imports."""
    module = function.__module__
    found = imports.slice_of(module, function.__qualname__)
    package = module.partition(".")[0]
    return digest([*found.text, _computed_by(found.modules, {package})])


def _computed_by(modules: Iterable[str], packages: set[str]) -> str:
    files = imports.reachable_modules(modules, packages | {"verify"})
    used = [f"{k} {v}" for k, v in versions(ARITHMETIC).items()]
    parts = [part for name in sorted(files) for part in (name.encode(), files[name].read_bytes())]
    return digest([platform.python_version(), *used, *parts])


def commit() -> tuple[str | None, bool | None]:
    """The commit of the sources and whether they are exactly that; None outside a checkout.

    It is the last one that touched anything but ``reports``: committing a report must not make it out of date.
    """
    return commit_in(_ROOT.parent)


def commit_in(folder: Path) -> tuple[str | None, bool | None]:
    """The same for a checkout in some folder."""
    last = _git(folder, "rev-list", "-1", "HEAD", "--", ".", ":!reports")
    if not last:
        return None, None
    changed = _git(folder, "status", "--porcelain", "--", ".", ":!reports")
    return last, changed == ""


def _git(folder: Path, *arguments: str) -> str | None:
    if not (folder / ".git").exists():  # an installed copy may lie inside somebody else's checkout
        return None
    try:
        done = subprocess.run(
            ["git", *arguments], cwd=folder, capture_output=True, text=True, check=False, timeout=60
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None
