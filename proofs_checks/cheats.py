"""Developments that deceive on purpose, and which part of the audit finds each deception.

``python -m proofs_checks.cheats`` changes a copy of the development, once for every known cheat, and asks
each part of the audit that should object. One that does not is a hole, and the command exits with 1.
Needs a finished ``make formal``; ``--small`` takes a development of two files instead, and seconds.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from proofs_checks.cheats_known import (
    AXIOMS,
    BUILD,
    CHEATS,
    COMMANDS,
    COQCHK,
    FRESH,
    RESULT,
    STATEMENTS,
    Cheat,
    CheatPlace,
)
from proofs_checks.kernel import (
    FOLDER,
    FormalError,
    axioms,
    checked_here,
    project,
    read_result,
    statements,
)
from proofs_checks.kernel import result as results
from proofs_checks.kernel.audit import audit, with_axioms
from proofs_checks.kernel.build import compiled_scratch, ensure_coq
from verify.numbers.errors import SgmError

SMALL = {
    "_CoqProject": "-Q . SGM\nBase.v\nStatements.v\n",
    "Base.v": """\
Definition twice (n : nat) : nat := n + n.
Lemma base : forall n : nat, 0 < n -> pred (twice n) = pred (n + n).
Proof. reflexivity. Qed.
""",
    "Statements.v": """\
From SGM Require Base.

Definition twice (n : nat) : nat := n + n.

Theorem pred_twice : forall n : nat, 0 < n -> pred (twice n) = pred (n + n).
Proof. exact Base.base. Qed.
""",
}
"""A development of two files, as small as can be."""


def small(folder: Path) -> CheatPlace:
    """The small development, audited and accepted."""
    folder.mkdir()
    for name, text in SMALL.items():
        (folder / name).write_text(text, encoding="utf-8")
    audit(folder, accept=True, jobs=1)
    shadow = ("Statements.v", "pred_twice", "Definition pred (n : nat) : nat := 0.", "reflexivity.")
    return CheatPlace(folder, "Base.v", "Statements.v", "pred_twice", shadow)


def real(folder: Path = FOLDER) -> CheatPlace:
    """The development itself, which has to be audited."""
    if not checked_here(folder):
        raise FormalError("the development is not audited here (make formal)")
    shadow = ("Definition ln (x : R) : R := 0.", "intros x Hx. unfold ln. lra.")
    return CheatPlace(
        folder,
        "SampledGaussianRDP.v",
        "StatementsBeyond.v",
        "mechanism_rdp_large_q",
        ("StatementsSteps.v", "ln_bound", *shadow),
    )


HONEST = Cheat(
    "no cheat at all", (COMMANDS, BUILD, STATEMENTS, AXIOMS, COQCHK, RESULT), lambda _: None
)
"""To this nothing may object: a part that always objects catches everything and proves nothing."""


def objections(
    place: CheatPlace, cheat: Cheat, parts: Sequence[str] | None = None
) -> dict[str, str]:
    """What the parts of the audit say that should object to the cheat, each asked by itself."""
    with TemporaryDirectory() as name:
        folder = Path(name) / "formal"
        shutil.copytree(place.folder, folder)
        copy = replace(place, folder=folder)
        cheat.apply(copy)
        asked = cheat.caught_by if parts is None else parts
        return {part: said for part in asked if (said := _ask(part, copy))}


def _ask(part: str, place: CheatPlace) -> str:
    """Why a part of the audit objects; empty if it does not."""
    planted, compiles = _compiled_file(place, place.folder), False
    try:
        if part == COMMANDS:
            project.allowed_commands(place.folder)
            return ""
        with compiled_scratch(place.folder, jobs=1) as scratch:
            compiles = True
            if part == FRESH:
                return "" if _compiled_file(place, scratch) == planted else "compiled again"
            _ask_compiled(part, place, scratch)
    except FormalError as error:
        # A cheat that the compiler refuses shows nothing about what comes after it.
        return str(error) if compiles or part in (COMMANDS, BUILD) else ""
    return ""


def _ask_compiled(part: str, place: CheatPlace, scratch: Path) -> None:
    if part == STATEMENTS:
        statements.compare(statements.elaborated_text(scratch), place.folder)
    elif part == AXIOMS:
        axioms.of_all(scratch, project.theorems(scratch))
    elif part == COQCHK:
        axioms.checked_again(scratch, [p.stem for p in project.sources(scratch)])
    elif part == RESULT:
        try:
            recorded = read_result(place.folder)
        except SgmError as error:
            raise FormalError(str(error)) from error
        if recorded is None:
            raise FormalError("not a result of these sources")
        found = with_axioms(place.folder, scratch, full=False, jobs=1)
        results.compare(
            results.render(found, statements.elaborated_text(scratch), place.folder), place.folder
        )


def _compiled_file(place: CheatPlace, folder: Path) -> bytes:
    path = (folder / place.final).with_suffix(".vo")
    return path.read_bytes() if path.exists() else b""


def main(arguments: Sequence[str]) -> int:
    """Try all; 1 if a part of the audit that should object does not, or objects to the honest
    development."""
    parser = argparse.ArgumentParser(
        prog="python -m proofs_checks.cheats", description="Try to deceive the audit of the proofs."
    )
    parser.add_argument("--small", action="store_true", help="with a development of two files")
    parser.add_argument("--words", action="store_true", help="print what each part says")
    parser.add_argument(
        "--coqchk",
        action="store_true",
        help="ask coqchk about the large development, a minute each",
    )
    parser.add_argument("--jobs", type=int, default=2, help="cheats at a time")
    options = parser.parse_args(arguments)
    if options.jobs < 1:
        parser.error("--jobs must be at least 1")
    left_out = () if options.small or options.coqchk else (COQCHK,)
    try:
        ensure_coq()
        with TemporaryDirectory() as name:
            place = small(Path(name) / "small") if options.small else real()
            return try_all(place, CHEATS, left_out, options.jobs, options.words)
    except FormalError as error:
        print(f"cheats: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


def try_all(
    place: CheatPlace,
    cheats: Sequence[Cheat],
    left_out: Sequence[str] = (),
    jobs: int = 1,
    words: bool = False,
) -> int:
    """Try these, and the honest development: 1 if a part that should object to one does not, or if
    any part objects to the honest one."""

    def attempt(cheat: Cheat) -> tuple[list[str], dict[str, str], float]:
        start = time.monotonic()
        asked = [part for part in cheat.caught_by if part not in left_out]
        return asked, objections(place, cheat, asked), time.monotonic() - start

    failures = 0
    with ThreadPoolExecutor(jobs) as pool:
        tried = (HONEST, *cheats)
        for cheat, (asked, found, taken) in zip(tried, pool.map(attempt, tried), strict=True):
            wrong = (
                list(found) if cheat is HONEST else [part for part in asked if part not in found]
            )
            failures += bool(wrong)
            verdict = "caught by " + ", ".join(found) if found else "not caught"
            alarm = f"; WRONG: {', '.join(wrong)}" if wrong else ""
            print(f"{cheat.name:52} {verdict}{alarm} ({taken:.1f} s)", flush=True)
            for part, said in found.items() if words else ():
                print(f"    {part}: {said}", flush=True)
    print(f"{len(cheats)} cheats tried, {failures} wrong verdicts")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
