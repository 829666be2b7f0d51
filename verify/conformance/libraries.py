"""Libraries that can be checked by name, and the environments they run in.

``sgm-verify check opacus==1.6.0`` makes a virtual environment for exactly that release with pip, once,
and runs the adapter in it. Where a library's import drags in a framework that its accountant does not
need, the library is installed without dependencies, next to the few packages the accountant imports.

A library is one file in ``adapters/``, found by being there; see the head of that package.
"""

from __future__ import annotations

import ast
import functools
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from verify.conformance.harness import HarnessFailed
from verify.conformance.question import printable
from verify.errors import SgmError
from verify.folders import cache_folder

ADAPTERS = Path(__file__).parent / "adapters"
_BESIDE = ("__init__.py", "serve.py")
_CONSTANTS = ("NAME", "VERSION", "NEEDS")
_SPEC = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*?)(?:==([A-Za-z0-9][A-Za-z0-9.+!_-]*))?")
_PIP_SECONDS = 1800


@dataclass(frozen=True, slots=True)
class Library:
    """What an adapter says of its library.

    ``needs`` is None if pip shall resolve the library's own dependencies, else what to install beside it.
    """

    name: str
    version: str
    needs: tuple[str, ...] | None
    about: str
    adapter: Path


class BadAdapter(SgmError):
    """A file among the adapters that does not say what an adapter has to say."""


def read_adapter(path: Path) -> Library:
    """The constants and the docstring of an adapter, from its text: nothing of it is run.

    >>> read_adapter(ADAPTERS / "opacus.py").name
    'opacus'
    """
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        said = {
            node.targets[0].id: ast.literal_eval(node.value)
            for node in tree.body
            if isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Name)
            and node.targets[0].id in _CONSTANTS
        }
    except (OSError, SyntaxError, ValueError) as error:
        raise BadAdapter(f"{path.name}: {printable(str(error))}") from error
    about = (ast.get_docstring(tree) or "").partition("\n")[0]
    name, version, needs = (said.get(key, "") for key in _CONSTANTS)
    beside = () if needs is None else needs
    whole = isinstance(beside, tuple) and all(
        isinstance(text, str) and text for text in (name, version, about, *beside)
    )
    if not whole:
        raise BadAdapter(f"{path.name}: needs a docstring, NAME, VERSION, and NEEDS: names or None")
    if not any(isinstance(node, ast.FunctionDef) and node.name == "load" for node in tree.body):
        raise BadAdapter(f"{path.name}: has no function load")
    return Library(name, version, needs, about, path)


@functools.cache
def known(folder: Path = ADAPTERS) -> dict[str, Library]:
    """Every library that has an adapter in the folder, by its name."""
    found: dict[str, Library] = {}
    for path in sorted(folder.glob("*.py")):
        if path.name not in _BESIDE:
            library = read_adapter(path)
            if library.name in found:
                raise BadAdapter(f"{path.name}: {library.name} has an adapter already")
            found[library.name] = library
    return found


@dataclass(frozen=True, slots=True)
class Target:
    """A program to check: what it is called, which version, how it is started."""

    name: str
    version: str
    command: tuple[str, ...]


def parse(spec: str) -> tuple[Library, str]:
    """A library and a version from NAME or NAME==VERSION.

    >>> library, version = parse("opacus==1.5.2")
    >>> library.name, version
    ('opacus', '1.5.2')
    """
    match = _SPEC.fullmatch(spec)
    name = match[1].lower().replace("_", "-") if match else ""
    if match is None or name not in known():
        raise HarnessFailed(
            f"{printable(spec)!r} is no library known here; there are {', '.join(known())} "
            "(or give any program with --command)"
        )
    library = known()[name]
    return library, match[2] or library.version


def target(spec: str, python: str | None = None) -> Target:
    """The library ready to run: in a cached environment, or in the one of the given interpreter."""
    library, version = parse(spec)
    interpreter = python if python is not None else str(_environment(library, version))
    found = _installed(interpreter, library.name)
    if python is None and found != version:
        raise HarnessFailed(f"{library.name}: asked for {version}, the environment has {found}")
    program = (str(ADAPTERS / "serve.py"), str(library.adapter))
    return Target(library.name, found, (interpreter, "-W", "ignore", *program))


def _environment(library: Library, version: str) -> Path:
    """The interpreter of the library's environment, built on first use."""
    tag = f"{library.name}-{version}-py{sys.version_info[0]}.{sys.version_info[1]}"
    root = cache_folder("environments", tag)
    python, done = root / "bin" / "python", root / ".complete"
    if done.exists() and python.exists():
        return python
    shutil.rmtree(root, ignore_errors=True)  # what is left of an interrupted attempt
    root.parent.mkdir(parents=True, exist_ok=True)
    _run([sys.executable, "-m", "venv", str(root)], f"making an environment for {library.name}")
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    wanted = f"{library.name}=={version}"
    if library.needs is None:
        _run([*pip, wanted], f"installing {wanted}")
    else:
        _run([*pip, *library.needs, "setuptools"], f"installing what {wanted} needs")
        _run([*pip, "--no-deps", wanted], f"installing {wanted}")
    done.touch()
    return python


def _run(command: list[str], purpose: str) -> None:
    try:
        done = subprocess.run(command, capture_output=True, timeout=_PIP_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise HarnessFailed(f"{purpose} failed: {printable(str(error))}") from error
    if done.returncode:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines() or ["no message"]
        errors = [line for line in lines if "ERROR" in line] or lines
        raise HarnessFailed(
            f"{purpose} failed: {printable(errors[-1])} (an interpreter that has it: --python)"
        )


def _installed(python: str, name: str) -> str:
    """The installed version, asked of the interpreter that will run the adapter."""
    code = "import importlib.metadata, sys; print(importlib.metadata.version(sys.argv[1]))"
    try:
        done = subprocess.run(
            [python, "-c", code, name], capture_output=True, timeout=60, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise HarnessFailed(f"cannot run {printable(python)}: {printable(str(error))}") from error
    if done.returncode:
        raise HarnessFailed(f"{name} is not installed for {printable(python)}")
    return printable(done.stdout.decode("utf-8", "replace").strip())
