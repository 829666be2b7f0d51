"""Libraries that can be checked by name, and the environments they run in.

``sgm-verify check opacus==1.6.0`` installs exactly that release with pip, once, and runs the adapter in a virtual
environment. Where a library's import drags in a framework that its accountant does not need, the library
is installed without dependencies, next to the few packages the accountant imports.

A library is one file in ``adapters/``, found by being there; see the head of that package.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import hashlib
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from verify.judge.protocol.harness import HarnessFailed
from verify.judge.protocol.question import printable
from verify.numbers.errors import SgmError
from verify.support.folders import cache_folder

ADAPTERS = Path(__file__).parents[1] / "adapters"
_BESIDE = ("__init__.py", "serve.py")
_CONSTANTS = ("NAME", "VERSION", "NEEDS")
_SPEC = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*?)(?:==([A-Za-z0-9][A-Za-z0-9.+!_-]*))?")
_ADVICE = " (an interpreter that has it: --python)"
_PIP_SECONDS = 1800
_PYTHON = f"py{sys.version_info[0]}.{sys.version_info[1]}"


@dataclass(frozen=True, slots=True)
class KnownLibrary:
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


def read_adapter(path: Path) -> KnownLibrary:
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
    return KnownLibrary(name, version, needs, about, path)


@functools.cache
def known_libraries(folder: Path = ADAPTERS) -> dict[str, KnownLibrary]:
    """Every library that has an adapter in the folder, by its name."""
    found: dict[str, KnownLibrary] = {}
    for path in sorted(folder.glob("*.py"), key=lambda path: path.name.lower()):
        if path.name not in _BESIDE:
            library = read_adapter(path)
            if library.name in found:
                raise BadAdapter(f"{path.name}: {library.name} has an adapter already")
            found[library.name] = library
    return found


def parse(spec: str) -> tuple[KnownLibrary, str]:
    """A library and a version from NAME or NAME==VERSION.

    >>> library, version = parse("opacus==1.5.2")
    >>> library.name, version
    ('opacus', '1.5.2')
    """
    match = _SPEC.fullmatch(spec)
    name = match[1].lower().replace("_", "-") if match else ""
    if match is None or name not in known_libraries():
        raise HarnessFailed(
            f"{printable(spec)!r} is no library known here; there are {', '.join(known_libraries())} "
            "(or give any program with --command)"
        )
    library = known_libraries()[name]
    return library, match[2] or library.version


def environment(
    library: KnownLibrary, version: str, beside: tuple[str, ...] = ()
) -> tuple[Path, Path | None]:
    """The interpreter to ask a release with, and the folder its code is in if that is not the environment.

    Built on first use. Where an adapter says what its library needs, releases share one environment and
    stand beside it, each in a folder of its own. ``beside`` are requirements to add (numpy==1.26.4).
    """
    wanted = f"{library.name}=={version}"
    if library.needs is None:
        return environment_of((wanted, *beside)), None
    python = environment_of((*library.needs, "setuptools", *beside))
    folder = cache_folder("libraries", f"{library.name}-{canonical(version)}-{_PYTHON}")
    with _build_once(folder) as new:
        if new:
            _pip(python, "--no-deps", "--target", str(folder), wanted)
    return python, folder


def canonical(version: str) -> str:
    """The same text for the same release, as pip sees it.

    >>> canonical("1.6"), canonical("1.6.0"), canonical("0.2.3.1"), canonical("1.0.0rc1")
    ('1.6', '1.6', '0.2.3.1', '1.0.0rc1')
    """
    release = re.fullmatch(r"v?(\d+(?:\.\d+)*?)(?:\.0)*", version.lower())
    return release[1] if release else version.lower()


def environment_of(requirements: tuple[str, ...]) -> Path:
    """The interpreter of an environment that has these, made once."""
    mark = hashlib.sha256("\n".join(sorted(requirements)).encode()).hexdigest()[:12]
    first = re.sub(r"[^a-z0-9.]+", "-", requirements[0].lower())
    root = cache_folder("environments", f"{first}-{mark}-{_PYTHON}")
    python = root / "bin" / "python"
    with _build_once(root) as new:
        if new:
            _run([sys.executable, "-m", "venv", str(root)], "making an environment")
            _pip(python, *requirements)
    return python


@contextlib.contextmanager
def _build_once(folder: Path) -> Iterator[bool]:
    """Whether the folder has to be made; what an interrupted attempt has left is not used."""
    done = folder / ".complete"
    if done.exists():
        yield False
        return
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    yield True
    done.touch()


def _pip(python: Path, *arguments: str) -> None:
    quiet = ("--quiet", "--disable-pip-version-check")
    wanted = " ".join(word for word in arguments if not word.startswith(("-", "/")))
    _run([str(python), "-m", "pip", "install", *quiet, *arguments], f"installing {wanted}")


def _run(command: list[str], purpose: str) -> None:
    try:
        done = subprocess.run(command, capture_output=True, timeout=_PIP_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise HarnessFailed(f"{purpose} failed: {printable(str(error))}") from error
    if done.returncode:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines() or ["no message"]
        errors = [line for line in lines if "ERROR" in line] or lines
        raise HarnessFailed(f"{purpose} failed: {printable(errors[-1])}{_ADVICE}")


def reason(error: HarnessFailed) -> str:
    """The last part of the message: what stands before it names places on this machine, what stands
    behind it is advice.

    >>> reason(HarnessFailed(f"installing it failed: ERROR: No such release{_ADVICE}"))
    'No such release'
    """
    return str(error).removesuffix(_ADVICE).rpartition(": ")[2][:200]
