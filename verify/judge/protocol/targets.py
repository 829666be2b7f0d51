"""What is to be judged: a release, a checkout, a function or a program, and how it is started.

Whatever it is, it runs as a program of its own. Python code says itself which version it is and where it is from
(``serve.py --about``), loaded in the same way as when it is asked: a version that belongs to other code
than what is judged is an error, not a label.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from verify.judge.protocol.harness import HarnessFailed
from verify.judge.protocol.libraries import ADAPTERS, KnownLibrary, canonical, environment, parse
from verify.judge.protocol.question import printable
from verify.numbers.errors import OutOfDomain
from verify.support.folders import cache_folder

_SERVE = str(ADAPTERS / "serve.py")
_SECONDS = 120


@dataclass(frozen=True, slots=True)
class Target:
    """A program to check: what it is called, which version, how it is started, what it runs on.

    ``commit`` is that of the checkout the code is from, with a plus sign if that is not all of it;
    ``packages`` are the distributions that were loaded, with their versions.
    """

    name: str
    version: str
    command: tuple[str, ...]
    commit: str = ""
    code: str = ""
    python: str = ""
    platform: str = ""
    packages: dict[str, str] = field(default_factory=dict)

    @property
    def title(self) -> str:
        return " ".join(part for part in (self.name, self.version, self.commit[:13]) if part)

    def surroundings(self) -> str:
        """What the answers may depend on besides the code, in one line; empty for a foreign program."""
        named = [f"{name} {version}" for name, version in self.packages.items()]
        return ", ".join(part for part in (self.python, self.platform, *named) if part)


def release_alone(spec: str, beside: tuple[str, ...] = ()) -> Target:
    """The same, one process of a machine at a time: workers must not make one environment all at once."""
    import fcntl

    folder = cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f"{spec}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return release(spec, beside)


def release(spec: str, beside: tuple[str, ...] = ()) -> Target:
    """NAME or NAME==VERSION, installed for the purpose."""
    library, version = parse(spec)
    python, folder = environment(library, version, beside)
    code = ("--code", str(folder)) if folder else ()
    command = (str(python), "-I", "-W", "ignore", _SERVE, str(library.adapter), *code)
    found = _describe_target(library, command)
    if canonical(found.version) != canonical(version):
        raise HarnessFailed(f"{library.name}: asked for {version}, found {found.version}")
    return found


def installed_target(spec: str, python: str) -> Target:
    """A library as an interpreter has it."""
    library, version = parse(spec)
    found = _describe_target(library, (python, "-W", "ignore", _SERVE, str(library.adapter)))
    if "==" in spec and canonical(found.version) != canonical(version):
        raise HarnessFailed(f"{library.name}: asked for {version}, {python} has {found.version}")
    return found


def checkout(name: str, folder: Path, python: str | None = None) -> Target:
    """A library's adapter on the code in a folder; what else the library needs is installed."""
    if not folder.is_dir():
        raise OutOfDomain(f"--checkout {printable(str(folder))}: no such folder")
    library, version = parse(name)
    interpreter = python or str(environment(library, version)[0])
    adapter = library.adapter
    places = (folder, folder / "src", folder / "python")
    names = (adapter.stem, f"{adapter.stem}.py")  # a package, or a library of one module
    home = next((p for p in places if any((p / name).exists() for name in names)), None)
    if home is None:
        raise OutOfDomain(
            f"--checkout {printable(str(folder))}: no {' or '.join(names)} in it, in src or in python"
        )
    command = (interpreter, "-W", "ignore", _SERVE, str(adapter), "--code", str(home.resolve()))
    said = _about(command, library.name)
    if home.resolve() not in Path(str(said["code"])).parents:
        raise HarnessFailed(
            f"{library.name}: the code of {said['code']} would be asked, not {home}"
        )
    return _target(library.name, "checkout", command, said, commit_of(home))


def function(spec: str, python: str | None = None) -> Target:
    """MODULE:FUNCTION or FILE.py:FUNCTION, called with q, sigma and alpha."""
    command = (python or sys.executable, "-W", "ignore", _SERVE, spec)
    said = _about(command, spec.partition(":")[0].partition(".")[0])
    if said["code"] is None:
        raise OutOfDomain(
            f"{printable(spec)}: this module has no file, so nobody could say what was judged"
        )
    return _target(spec, said["version"] or "", command, said, commit_of(Path(said["code"]).parent))


def choose_target(
    spec: str,
    python: str | None = None,
    folder: Path | None = None,
    beside: tuple[str, ...] = (),
) -> Target:
    """A library as a checkout has it, as an interpreter has it, or installed for the purpose."""
    if folder is not None:
        return checkout(spec, folder, python)
    if python is not None:
        if beside:
            raise OutOfDomain("--with goes with an environment made here, not with --python")
        return installed_target(spec, python)
    return release(spec, beside)


def offered_functions(command: tuple[str, ...], name: str) -> tuple[frozenset[str], bool]:
    """The functions that a started adapter or module has, by name; and whether it can be called
    with numpy's numbers."""
    said = _about(command, name)
    return frozenset(said["functions"]), bool(said["numpy"])


def program(text: str) -> Target:
    """Any program that speaks the protocol, with arguments; no shell is involved."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise OutOfDomain(f"--command {printable(text)!r}: {error}") from error
    if not words:
        raise OutOfDomain("--command: empty")
    return Target(Path(words[0]).name, "", tuple(words))


def commit_of(folder: Path) -> str:
    """The commit a folder is at, with a plus sign if there is more in it; empty if it is under no git."""

    def git(*arguments: str) -> str | None:
        try:
            done = subprocess.run(
                ["git", "-C", str(folder), *arguments],
                capture_output=True,
                timeout=_SECONDS,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
        return None if done.returncode else done.stdout.decode("utf-8", "replace").strip()

    commit = git("rev-parse", "HEAD")
    if not commit:
        return ""
    return commit + ("+" if git("status", "--porcelain", "--", ".") else "")


def _describe_target(library: KnownLibrary, command: tuple[str, ...]) -> Target:
    said = _about(command, library.name)
    if said["version"] is None:
        raise HarnessFailed(
            f"{library.name}: the code that would be judged is {printable(str(said['code']))}, which belongs to no "
            "installed version (a checkout is given by --checkout)"
        )
    return _target(library.name, said["version"], command, said)


def _target(
    name: str, version: str, command: tuple[str, ...], said: dict[str, Any], commit: str = ""
) -> Target:
    return Target(
        name, version, command, commit, said["code"], said["python"], said["platform"], said["packages"]
    )  # fmt: skip


def _about(command: tuple[str, ...], name: str) -> dict[str, Any]:
    """What the code says of itself, loaded as it will be when it is asked."""
    shown = printable(command[0])
    try:
        done = subprocess.run(
            [*command, "--about", name], capture_output=True, timeout=_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise HarnessFailed(f"cannot run {shown}: {printable(str(error))}") from error
    if done.returncode:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines() or ["no message"]
        raise HarnessFailed(f"{name} cannot be loaded by {shown}: {printable(lines[-1])}")
    said: dict[str, Any] = json.loads(done.stdout)
    return said
