"""What a result depends on, as digests: the key under which it may be used again.

A claim depends on the modules it imports from its own package, followed through their imports, and on
all of the arithmetic of ``verify`` (whose engines are loaded by name, so imports would not tell).
"""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib.util
import platform
import subprocess
from collections.abc import Iterable, Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import verify

LIBRARIES = (
    "python-flint", "mpmath", "gmpy2", "sympy", "click", "rich", "hypothesis",
    "jinja2", "matplotlib", "numpy", "latex2mathml", "jsonschema", "msgspec", "platformdirs",
)  # fmt: skip
ARITHMETIC = ("python-flint", "mpmath", "gmpy2", "sympy")
_ROOT = Path(verify.__file__).parent
_NOT_NUMBERS = ("cli.py",)


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
    """Digest of everything below the report in ``verify``, and of the libraries that compute."""
    files = [p for p in sorted(_ROOT.glob("*.py")) if p.name not in _NOT_NUMBERS]
    files += sorted((_ROOT / "engines").rglob("*.py"))
    names = [str(p.relative_to(_ROOT)) for p in files]
    used = [f"{k} {v}" for k, v in versions(ARITHMETIC).items()]
    return digest([platform.python_version(), *used, *names, *(p.read_bytes() for p in files)])


@functools.cache
def of_module(name: str) -> str:
    """Digest of a module and of all it imports, directly or not, from its own package."""
    package = name.partition(".")[0]
    files: dict[str, Path] = {}
    todo = [name]
    while todo:
        current = todo.pop()
        path = _source(current)
        if current in files or path is None:
            continue
        files[current] = path
        todo += [m for m in _imports(path) if m.partition(".")[0] == package]
    parts = [part for key in sorted(files) for part in (key.encode(), files[key].read_bytes())]
    return digest([arithmetic(), *parts])


def _source(name: str) -> Path | None:
    """The file of a module; None for a name that is no module (an imported function, say)."""
    try:
        spec = importlib.util.find_spec(name)
    except ModuleNotFoundError:
        return None
    return Path(spec.origin) if spec is not None and spec.origin else None


def _imports(path: Path) -> Iterator[str]:
    """Every dotted name that an import of the file could mean, wherever it stands."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def commit() -> tuple[str | None, bool | None]:
    """The commit of the sources and whether they are exactly that; None outside a checkout."""
    head = _git("rev-parse", "HEAD")
    if head is None:
        return None, None
    changed = _git("status", "--porcelain", "--", ".", ":!reports")
    return head, changed == ""


def _git(*arguments: str) -> str | None:
    folder = _ROOT.parent
    if not (folder / ".git").exists():  # an installed copy may lie inside somebody else's checkout
        return None
    try:
        done = subprocess.run(
            ["git", *arguments], cwd=folder, capture_output=True, text=True, check=False, timeout=60
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None
