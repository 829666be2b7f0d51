"""Whether a proof proves what was asked: three looks, none of which trusts the author of the proof.

1. Its commands are those that the audit allows in a proof: no axiom, no module, no flag.
2. A check file made from the question compiles: the theorem is the one asked for, in the words of the
   Statements files, and nothing that the proof defines is in sight where it is stated.
3. What the kernel says it assumes, by full names, is allowed; the compiled definitions are those of ``pinned.txt``.
"""

from __future__ import annotations

from pathlib import Path

from proofs_checks.kernel import ALLOWED, FOLDER, FormalError, axioms, session, statements
from proofs_checks.kernel.lexer import sentences
from proofs_checks.verdicts import library
from proofs_checks.verdicts.generate import LIBRARY, MODULE
from proofs_checks.verdicts.running import coqc
from verify.numbers.budget import Deadline

CHECK = "Check"
MACHINE_INTEGERS = ("Coq.Numbers.Cyclic.Int63.PrimInt63.", "Coq.Numbers.Cyclic.Int63.Uint63.")
"""What the fast arithmetic may assume beside: primitive integers, and their specification in Coq's library."""


def accept(
    check: str, proof: str, folder: Path, deadline: Deadline, *, fast: bool = False
) -> tuple[str, ...]:
    """The axioms that a proof rests on; FormalError if it does not prove what the check file says.

    Both files stay in the folder.
    """
    allowed_commands(proof)
    compile_proof(proof, folder, deadline)
    return check_compiled(check, folder, deadline, fast=fast)


def allowed_commands(proof: str) -> None:
    """Refuse the first command that a proof may not contain.

    Beside those that no file may contain: which arguments are implicit is in force wherever the proof is
    loaded, so in the check file, too.
    """
    found = sentences(proof, f"{MODULE}.v")
    for sentence in found:
        if sentence.text.startswith("Arguments "):
            raise FormalError(
                f"{MODULE}.v:{sentence.line}: not an allowed command: {sentence.text[:60]}"
            )
    library.allow(found, f"{MODULE}.v")


def compile_proof(proof: str, folder: Path, deadline: Deadline) -> None:
    (folder / f"{MODULE}.v").write_text(proof, encoding="utf-8")
    coqc(f"{MODULE}.v", folder, _paths(folder), deadline)


def check_compiled(
    check: str, folder: Path, deadline: Deadline, *, fast: bool = False
) -> tuple[str, ...]:
    """The axioms that a compiled proof rests on; FormalError if it does not prove what the check file says."""
    (folder / f"{CHECK}.v").write_text(check, encoding="utf-8")
    printed = coqc(f"{CHECK}.v", folder, _paths(folder), deadline)
    names = axioms.read_assumptions(printed)
    given = [*statements.accepted_definitions(), f"From {LIBRARY} Require {MODULE}."]
    try:
        full = session.full_names(FOLDER, sorted(names), given, _paths(folder)[3:])
    except FormalError as error:
        raise FormalError(
            f"the compiled definitions, or names, are not those of {statements.PINNED} (make formal): {error}"
        ) from error
    found = {full.get(name, name).removeprefix("Constant ") for name in names}
    extra = {name for name in found - ALLOWED if not (fast and name.startswith(MACHINE_INTEGERS))}
    if extra:
        raise FormalError(f"the proof assumes {', '.join(sorted(extra))}")
    return tuple(sorted(found))


def _paths(folder: Path) -> list[str]:
    return [*library.paths(), "-Q", str(folder), LIBRARY]
