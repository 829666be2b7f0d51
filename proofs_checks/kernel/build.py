"""Compile the development in a place of its own, where nothing lies but its listed sources.

A compiled file is taken over only if its record says that it was made from this very text, on these very
dependencies, by this Coq, and if it still has the recorded digest. Time stamps decide nothing. The
full run takes nothing over.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from proofs_checks.kernel import commands, project
from proofs_checks.kernel.model import FOLDER, PACKAGES, FormalError

RECORD = ".checked"
SECONDS = 1800.0
"""Allowed for one program of Coq: one file, or coqchk over everything, which takes some minutes at most."""
_COQC = ("coqc", "-q", "-w", "-ambiguous-paths", "-Q", ".", "SGM")


def run(command: list[str], folder: Path) -> str:
    """What a tool of Coq prints; an error in one line if it fails, or does not end in SECONDS.

    No variable of the caller reaches it: COQPATH and the like could put other libraries in place.
    """
    environment = {"PATH": os.environ.get("PATH", ""), "HOME": str(folder), "LC_ALL": "C.UTF-8"}
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=SECONDS,
        )
    except subprocess.TimeoutExpired:
        raise FormalError(f"{' '.join(command)}: no answer in {SECONDS:g} s") from None
    if done.returncode:
        lines = (done.stderr or done.stdout).strip().splitlines()
        raise FormalError(f"{command[0]}: " + " ".join(lines[-4:])[:600])
    return done.stdout or done.stderr  # coqchk's summary is on the latter


def coq_version() -> str:
    return _version_of(shutil.which("coqc") or "coqc")


@cache
def _version_of(program: str) -> str:
    with TemporaryDirectory() as scratch:
        return run([program, "--version"], Path(scratch)).split("version", 1)[1].split()[0]


@contextmanager
def compiled_scratch(folder: Path = FOLDER, *, full: bool = False, jobs: int = 2) -> Iterator[Path]:
    """A scratch folder with the sources and their compiled files, which are copied back as well."""
    needs, made_from = dependencies(folder), keys(folder)
    with TemporaryDirectory() as name:
        scratch = Path(name)
        for path in (folder / "_CoqProject", *project.sources(folder)):
            shutil.copyfile(path, scratch / path.name)
        kept = set() if full else _take_over(folder, scratch, made_from)
        try:
            _compile(scratch, needs, kept, jobs)
        finally:
            _give_back(folder, scratch, made_from)
        yield scratch


def dependencies(folder: Path = FOLDER) -> dict[str, list[str]]:
    """For every module the modules of the development that it requires."""
    modules = [p.stem for p in project.sources(folder)]
    needs = {
        p.stem: commands.required_modules(project.read(p), "SGM") for p in project.sources(folder)
    }
    for module, required in needs.items():
        if unknown := sorted(set(required) - set(modules)):
            raise FormalError(f"{module}.v requires {unknown[0]}, which is not listed")
    return needs


def keys(folder: Path = FOLDER) -> dict[str, str]:
    """What a compiled file is made from: Coq, options, text, and the same of all it requires."""
    needs = dependencies(folder)
    found: dict[str, str] = {}
    common = f"{coq_version()} {_COQC}".encode()
    try:
        order = list(TopologicalSorter(needs).static_order())
    except CycleError as error:
        raise FormalError("modules that require each other") from error
    for module in order:
        key = hashlib.sha256(common)
        key.update((folder / f"{module}.v").read_bytes())
        for required in needs[module]:
            key.update(found[required].encode())
        found[module] = key.hexdigest()
    return found


def _compile(scratch: Path, needs: dict[str, list[str]], kept: set[str], jobs: int) -> None:
    order = TopologicalSorter(needs)
    order.prepare()
    running: dict[Future[str], str] = {}
    with ThreadPoolExecutor(jobs) as pool:
        try:
            while order.is_active():
                for module in order.get_ready():
                    if module in kept:
                        order.done(module)
                    else:
                        running[pool.submit(run, [*_COQC, f"{module}.v"], scratch)] = module
                for done in wait(running, return_when=FIRST_COMPLETED).done if running else ():
                    done.result()
                    order.done(running.pop(done))
        finally:
            pool.shutdown(cancel_futures=True)


def record(folder: Path = FOLDER) -> dict[str, Any]:
    """What was compiled and audited on this machine; empty if nothing readable says so."""
    try:
        content = json.loads((folder / RECORD).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}


def write_record(folder: Path, **changes: Any) -> None:
    content = record(folder) | changes
    (folder / RECORD).write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def _take_over(folder: Path, scratch: Path, made_from: dict[str, str]) -> set[str]:
    recorded, kept = record(folder).get("compiled", {}), set()
    for module, key in made_from.items():
        compiled = folder / f"{module}.vo"
        if compiled.is_file() and recorded.get(module) == [key, _hash(compiled)]:
            shutil.copyfile(compiled, scratch / compiled.name)
            kept.add(module)
    return kept


def _give_back(folder: Path, scratch: Path, made_from: dict[str, str]) -> None:
    compiled = {}
    for module, key in made_from.items():
        made = scratch / f"{module}.vo"
        if made.is_file():
            partial = folder / f".{made.name}.partial.aux"
            shutil.copyfile(made, partial)
            partial.replace(folder / made.name)
            compiled[module] = [key, _hash(made)]
    write_record(folder, compiled=compiled)


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def ensure_coq() -> None:
    """Install Coq where that is possible without asking, else say in one line what is needed."""
    if shutil.which("coqc") and _has_coquelicot():
        return
    advice = f"Coq is needed: apt-get install {' '.join(PACKAGES)}"
    if os.name != "posix" or os.geteuid() != 0 or not shutil.which("apt-get"):
        raise FormalError(advice)
    install = ["apt-get", "install", "-y", "--no-install-recommends", *PACKAGES]
    for command in (["apt-get", "update"], install):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode and command is install:
            raise FormalError(advice)


def _has_coquelicot() -> bool:
    return (Path(run(["coqc", "-where"], FOLDER).strip()) / "user-contrib" / "Coquelicot").is_dir()
