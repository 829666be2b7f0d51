"""The Coq development: compile it, ask the kernel what each theorem rests on, write that down.

``python -m proofs_checks.kernel`` (``make formal``) compiles ``formal/``, runs ``Print Assumptions`` on
every theorem of the Statements files, compares the axioms with the allow-list below and writes
``formal/result.json``. The result names the sources it was made from by their digest: evidence whose
sources have changed since is stale and counts for nothing.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "formal"
RESULT = FOLDER / "result.json"
CHECKED_HERE = FOLDER / ".checked"
PACKAGES = ("coq", "libcoq-coquelicot")

ALLOWED = frozenset(
    {
        "ClassicalDedekindReals.sig_forall_dec",
        "ClassicalDedekindReals.sig_not_dec",
        "FunctionalExtensionality.functional_extensionality_dep",
        "Classical_Prop.classic",
    }
)
"""What the standard library's real numbers and Coquelicot assume; nothing else may be."""

_FORBIDDEN = re.compile(
    r"\b(Admitted|admit|Axiom|Axioms|Parameter|Parameters|Conjecture|Abort"
    r"|Unset\s+(Guard|Positivity|Universe)\s+Checking|bypass_check|Type\s+In\s+Type)\b"
    r'|"'  # a string could begin what looks like a comment, and hide all of these
)
_THEOREM = re.compile(r"^Theorem\s+(\w+)\s*:(.*?)\.\s*\n\s*Proof", re.MULTILINE | re.DOTALL)
_COMMENT = re.compile(r"\(\*.*?\*\)", re.DOTALL)


class FormalError(Exception):
    """The development does not stand: it does not compile, or assumes more than it may."""


@dataclass(frozen=True, slots=True)
class Theorem:
    """A final theorem: where it stands, what it says, what the kernel says it assumes."""

    name: str
    file: str
    line: int
    statement: str
    axioms: tuple[str, ...] = ()


def sources(folder: Path = FOLDER) -> list[Path]:
    """The files of the development, in order of compilation."""
    project = (folder / "_CoqProject").read_text(encoding="utf-8").split()
    return [folder / name for name in project if name.endswith(".v")]


def digest(folder: Path = FOLDER) -> str:
    """One hash of everything the kernel reads."""
    total = hashlib.sha256((folder / "_CoqProject").read_bytes())
    for path in sources(folder):
        total.update(path.name.encode() + b"\0" + path.read_bytes())
    return total.hexdigest()


def theorems(folder: Path = FOLDER) -> list[Theorem]:
    """Every theorem of the Statements files, in order."""
    found = []
    for path in sources(folder):
        if path.stem.startswith("Statements"):
            text = path.read_text(encoding="utf-8")
            for match in _THEOREM.finditer(text):
                line = text.count("\n", 0, match.start()) + 1
                statement = " ".join(match[2].split())
                found.append(Theorem(match[1], path.name, line, statement))
    names = [t.name for t in found]
    twice = sorted({n for n in names if names.count(n) > 1})
    if twice:
        raise FormalError(f"stated twice: {', '.join(twice)}")
    return found


def forbid_holes(folder: Path = FOLDER) -> None:
    """No admitted proof and no axiom of our own, whatever the kernel might print."""
    for path in sources(folder):
        code = _COMMENT.sub("", path.read_text(encoding="utf-8"))
        if hole := _FORBIDDEN.search(code):
            raise FormalError(f"{path.name}: {hole[0]}")


def compile_all(folder: Path = FOLDER, jobs: int = 2) -> None:
    """Compile what has changed, in parallel."""
    _run(["coq_makefile", "-f", "_CoqProject", "-o", "Makefile.coq"], folder)
    _run(["make", "-s", "-f", "Makefile.coq", f"-j{jobs}"], folder)


def audit(folder: Path = FOLDER, jobs: int = 2) -> list[Theorem]:
    """The theorems with the axioms the kernel finds below each; raises if one is not allowed."""
    stated = theorems(folder)
    chunks = [stated[i::jobs] for i in range(jobs)]
    with ThreadPoolExecutor(jobs) as pool:
        axioms = {
            k: v
            for part in pool.map(lambda c: _assumptions(folder, c), chunks)
            for k, v in part.items()
        }
    checked = [
        Theorem(t.name, t.file, t.line, t.statement, tuple(sorted(axioms[t.name]))) for t in stated
    ]
    for theorem in checked:
        extra = set(theorem.axioms) - ALLOWED
        if extra:
            raise FormalError(f"{theorem.name} assumes {', '.join(sorted(extra))}")
    return checked


def _assumptions(folder: Path, chunk: list[Theorem]) -> dict[str, set[str]]:
    if not chunk:
        return {}
    with tempfile.TemporaryDirectory() as scratch:
        script = Path(scratch) / "Audit.v"
        lines = [f"From SGM Require {Path(f).stem}." for f in sorted({t.file for t in chunk})]
        for t in chunk:
            lines.append(f'Definition marker_{t.name} := "{t.name}"%string.')
            lines.append(f"Print marker_{t.name}.")
            lines.append(f"Print Assumptions {Path(t.file).stem}.{t.name}.")
        script.write_text("From Coq Require Import String.\n" + "\n".join(lines) + "\n")
        printed = _run(
            ["coqc", "-q", "-w", "none", "-Q", str(folder), "SGM", str(script)], Path(scratch)
        )
    return _parse(printed, [t.name for t in chunk])


def _parse(printed: str, names: list[str]) -> dict[str, set[str]]:
    """Split the output at the markers; an axiom starts a line, its type is indented."""
    found: dict[str, set[str]] = {}
    current: set[str] | None = None
    closed = False
    for line in printed.splitlines():
        if match := re.match(r"marker_(\w+) = ", line):
            current = found.setdefault(match[1], set())
            closed = False
        elif current is not None and line.startswith(("Axioms:", "Closed under")):
            closed = True
        elif current is not None and closed and (match := re.match(r"([\w.]+)\s*(:|$)", line)):
            current.add(match[1])
    missing = [name for name in names if name not in found]
    if missing:
        raise FormalError(f"no assumptions printed for {missing[0]}")
    return found


def recheck(folder: Path = FOLDER) -> None:
    """Have the independent checker coqchk read the compiled files again."""
    modules = [f"SGM.{p.stem}" for p in sources(folder) if p.stem.startswith("Statements")]
    _run(["coqchk", "-silent", "-Q", ".", "SGM", *modules], folder)


def read_result(folder: Path = FOLDER) -> dict[str, Any] | None:
    """The recorded result, if it is whole and made from the present sources."""
    try:
        result: dict[str, Any] = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    if not result.get("complete") or result.get("digest") != digest(folder):
        return None
    return result


def checked_here(folder: Path = FOLDER) -> bool:
    """Whether the present sources were compiled and audited on this machine."""
    try:
        return (folder / ".checked").read_text(encoding="utf-8").strip() == digest(folder)
    except OSError:
        return False


def write_result(checked: list[Theorem], folder: Path = FOLDER) -> None:
    version = _run(["coqc", "--version"], folder).split("version", 1)[1].split()[0]
    result = {
        "format": "sgm-verify kernel 1",
        "coq": version,
        "digest": digest(folder),
        "allowed": sorted(ALLOWED),
        "theorems": [asdict(t) for t in checked],
        "complete": True,
    }
    partial = folder / "result.partial"
    partial.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    partial.replace(folder / "result.json")
    (folder / ".checked").write_text(digest(folder) + "\n", encoding="utf-8")


def _run(command: list[str], folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = (done.stderr or done.stdout).strip().splitlines()
        raise FormalError(f"{command[0]}: " + " ".join(lines[-4:])[:600])
    return done.stdout


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
    where = subprocess.run(["coqc", "-where"], capture_output=True, text=True, check=False)
    return (Path(where.stdout.strip()) / "user-contrib" / "Coquelicot").is_dir()


def main(arguments: list[str]) -> int:
    """Build, audit, write the result; ``--full`` adds coqchk."""
    try:
        ensure_coq()
        forbid_holes()
        jobs = min(os.cpu_count() or 1, 4)
        print(f"compiling {len(sources())} files with {jobs} jobs", flush=True)
        compile_all(jobs=jobs)
        print(f"asking the kernel about {len(theorems())} theorems", flush=True)
        checked = audit(jobs=jobs)
        if "--full" in arguments:
            print("coqchk reads everything again", flush=True)
            recheck()
        write_result(checked)
    except FormalError as error:
        print(f"formal: {error}", file=sys.stderr)
        return 1
    used = sorted({axiom for t in checked for axiom in t.axioms})
    print(f"{len(checked)} theorems proved; axioms: {', '.join(used)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
