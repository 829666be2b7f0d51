"""Libraries that can be checked by name, and the environments they run in.

``sgm-verify check opacus==1.6.0`` makes a virtual environment for exactly that release with pip, once,
and runs the adapter in it. Where a library's import drags in a framework that its accountant does not
need, the library is installed without dependencies, next to the few packages the accountant imports.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from verify.conformance.harness import HarnessFailed
from verify.conformance.question import printable
from verify.folders import cache_folder

ADAPTERS = Path(__file__).parent / "adapters"
_SPEC = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*?)(?:==([A-Za-z0-9][A-Za-z0-9.+!_-]*))?")
_PIP_SECONDS = 1800


@dataclass(frozen=True, slots=True)
class Library:
    """How to install a library and which adapter speaks for it.

    ``needs`` is None if pip shall resolve the library's own dependencies, else what to install beside it.
    """

    name: str
    version: str
    adapter: str
    needs: tuple[str, ...] | None = None


_NUMERIC = ("numpy", "scipy")

LIBRARIES: dict[str, Library] = {
    library.name: library
    for library in (
        Library("dp-accounting", "0.6.0", "dp_accounting"),
        Library("opacus", "1.6.0", "opacus", _NUMERIC),
        Library("autodp", "0.2.3.1", "autodp", (*_NUMERIC, "absl-py", "matplotlib")),
        Library("prv-accountant", "0.2.0", "prv_accountant"),
        Library("tensorflow-privacy", "0.8.0", "tensorflow_privacy", (*_NUMERIC, "six")),
        Library("pyvacy", "0.0.32", "pyvacy", (*_NUMERIC, "six")),
        Library("objax", "1.8.0", "objax", (*_NUMERIC, "six")),
        Library("deepee", "0.1.9", "deepee", _NUMERIC),
        Library("fedml", "0.9.6", "fedml", _NUMERIC),
        Library("mindarmour", "2.0.0", "mindarmour", _NUMERIC),
        Library("dp-accelerator", "0.1.0", "dp_accelerator"),
    )
}


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
    if match is None or name not in LIBRARIES:
        raise HarnessFailed(
            f"{printable(spec)!r} is no library known here; there are {', '.join(LIBRARIES)} "
            "(or give any program with --command)"
        )
    library = LIBRARIES[name]
    return library, match[2] or library.version


def target(spec: str, python: str | None = None) -> Target:
    """The library ready to run: in a cached environment, or in the one of the given interpreter."""
    library, version = parse(spec)
    interpreter = python if python is not None else str(_environment(library, version))
    found = _installed(interpreter, library.name)
    if python is None and found != version:
        raise HarnessFailed(f"{library.name}: asked for {version}, the environment has {found}")
    adapter = str(ADAPTERS / f"{library.adapter}_adapter.py")
    return Target(library.name, found, (interpreter, "-W", "ignore", adapter))


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
        raise HarnessFailed(f"{purpose} failed: {printable(errors[-1])}")


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
