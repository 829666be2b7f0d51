"""The compiled library: ``library/*.v`` on top of the audited development ``formal``.

A compiled file is used only if it was made here from these very texts, by this Coq, and is unchanged.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from proofs_checks.kernel import FOLDER as FORMAL
from proofs_checks.kernel import FormalError, build, checked_here, commands, digest
from proofs_checks.kernel.lexer import Sentence, sentences
from proofs_checks.verdicts.running import coqc
from verify.numbers.budget import Deadline

FOLDER = Path(__file__).parent / "library"
PACKAGES = ("coq", "libcoq-coquelicot", "libcoq-interval")
RECORD = ".checked"
_SECONDS = 600.0  # for the whole library, which takes some ten on an idle machine

_INSTANCES = ("Enclosing.v", "OverZ.v", "OverBigInt.v")
_FUNCTORS = (
    re.compile(r"From (Interval|Flocq) Require Import( [A-Z]\w*(\.[A-Z]\w*)*)+"),
    re.compile(r"Module Make \(F : FloatOps with Definition [\w :=]+\)"),
    re.compile(r"Module [A-Z]\w* := [A-Z]\w*( [A-Z]\w*)?"),
    re.compile("End Make"),
)


def paths(library: Path = FOLDER) -> list[str]:
    """The options that make both libraries known to Coq."""
    return ["-Q", str(FORMAL), "SGM", "-Q", str(library), "SGMV"]


def require_coq() -> None:
    """One error that says what to install if Coq or one of its libraries is missing."""
    advice = f"Coq with Coquelicot and Interval is needed: apt-get install {' '.join(PACKAGES)}"
    if not shutil.which("coqc"):
        raise FormalError(advice)
    contributed = Path(build.run(["coqc", "-where"], FORMAL).strip()) / "user-contrib"
    if not all((contributed / name).is_dir() for name in ("Coquelicot", "Interval", "Flocq")):
        raise FormalError(advice)


def sources(folder: Path = FOLDER) -> list[Path]:
    """The files in order of compilation; every ``.v`` file of the folder is listed."""
    lines = (folder / "_CoqProject").read_text(encoding="utf-8").splitlines()
    listed = [folder / line for line in lines if line.endswith(".v")]
    if odd := sorted(p.name for p in set(folder.glob("*.v")) ^ set(listed)):
        raise FormalError(f"in the folder or in _CoqProject, not in both: {', '.join(odd)}")
    return listed


def text_digest(folder: Path = FOLDER) -> str:
    """One hash of Coq's version, of the development below, and of the library's text."""
    total = hashlib.sha256(f"{build.coq_version()} {digest()}".encode())
    for path in sources(folder):
        total.update(path.name.encode() + b"\0" + path.read_bytes())
    return total.hexdigest()


def ready(say: Callable[[str], None], folder: Path = FOLDER) -> None:
    """Compile what is not compiled; FormalError if the development below is not audited here."""
    require_coq()
    if not checked_here() or not _development_unchanged():
        raise FormalError(
            "the Coq development is not compiled here: run python -m proofs_checks.kernel once "
            "(make formal; some minutes)"
        )
    for place in (FORMAL, folder):
        refuse_shadowing_files(place)
    with _alone(folder):
        if made_here(folder):
            return
        say(f"compiling the library of verdicts ({len(sources(folder))} files), once")
        compile_all(folder)
        record = {"made_from": text_digest(folder), "compiled": _compiled_digests(folder)}
        (folder / RECORD).write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def made_here(folder: Path) -> bool:
    """Whether the compiled files are those that were made here from these texts."""
    return _read_record(folder) == (text_digest(folder), _compiled_digests(folder))


def refuse_shadowing_files(folder: Path) -> None:
    """Refuse what Coq would load in place of a compiled file that was looked at: a newer ``.vio``."""
    if found := sorted(path.name for path in folder.glob("*.vio")):
        raise FormalError(
            f"{folder / found[0]}: may be loaded instead of the checked file; remove it"
        )


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """One process at a time: files of two compilations do not fit together. The system frees the lock."""
    if os.name != "posix":
        yield
        return
    import fcntl

    with (folder / ".alone.aux").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def compile_all(folder: Path = FOLDER) -> None:
    """Compile every file, in a place where nothing else lies, and copy the results back."""
    for path in sources(folder):
        found = sentences(path.read_text(encoding="utf-8", errors="replace"), path.name)
        allow([s for s in found if not _instance(s, path.name)], path.name)
    deadline = Deadline(_SECONDS)
    with TemporaryDirectory() as name:
        scratch = Path(name)
        for path in sources(folder):
            shutil.copyfile(path, scratch / path.name)
            coqc(path.name, scratch, paths(scratch), deadline)
        for path in sources(folder):
            partial = folder / f".{path.stem}.vo.partial.aux"
            shutil.copyfile(scratch / f"{path.stem}.vo", partial)
            partial.replace(folder / f"{path.stem}.vo")


def allow(found: list[Sentence], file: str) -> None:
    """Only commands that the audit of the development allows, and imports from this library."""
    commands.allow([s for s in found if not _imports_library(s)], file)


def _imports_library(sentence: Sentence) -> bool:
    words = sentence.text.split()
    if words[:3] == ["From", "SGMV", "Require"]:
        names = [w for w in words[3:] if w != "Import"]
        return all(name in {p.stem for p in sources()} for name in names)
    return False


def _instance(sentence: Sentence, file: str) -> bool:
    """What makes an arithmetic of CoqInterval's functors, in the three files that do."""
    return file in _INSTANCES and any(p.fullmatch(sentence.text) for p in _FUNCTORS)


def _development_unchanged() -> bool:
    recorded = build.record(FORMAL).get("compiled", {})
    return all(
        (FORMAL / f"{module}.vo").is_file()
        and recorded.get(module) == [key, _hash(FORMAL / f"{module}.vo")]
        for module, key in build.keys(FORMAL).items()
    )


def _read_record(folder: Path) -> tuple[str, dict[str, str]]:
    try:
        content = json.loads((folder / RECORD).read_text(encoding="utf-8"))
        return content["made_from"], content["compiled"]
    except (OSError, ValueError, KeyError, TypeError):
        return "", {}


def _compiled_digests(folder: Path) -> dict[str, str]:
    made = [p.with_suffix(".vo") for p in sources(folder)]
    return {p.stem: _hash(p) for p in made if p.is_file()}


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
