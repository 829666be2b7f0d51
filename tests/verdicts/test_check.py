"""Real proofs, real coqc: what is accepted, what is refused, and that nothing is left running."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path

import pytest

from proofs_checks.kernel import ALLOWED, FormalError, statements
from proofs_checks.verdicts import attempts, library
from proofs_checks.verdicts.attempts import ATTEMPTS
from proofs_checks.verdicts.check import check_compiled, compile_proof
from proofs_checks.verdicts.generate import check_file
from proofs_checks.verdicts.proving import NotProved, prove
from proofs_checks.verdicts.running import coqc
from tests.patience import PATIENCE, hears_interrupts, patient
from verify.numbers.budget import Deadline
from verify.numbers.errors import BudgetExceeded
from verify.numbers.point import Point

SLOW = """\
Fixpoint f (n : nat) : nat := match n with O => 1 | S m => f m + f m end.
Definition slow := Eval vm_compute in f 60.
"""


needs_program = pytest.mark.skipif(not shutil.which("coqc"), reason="Coq is not installed")


@pytest.fixture(scope="module")
def honest(coq):
    return attempts.honest(patient())


def proved(*point, **asked):
    return prove(Point.of(*point), **asked, max_seconds=PATIENCE)


BY_NAME = {a.name: a for a in ATTEMPTS}
QUICK = (
    "the wrong side of the truth, by a millionth",
    "a proof of a smaller X, by a millionth",
    "an axiom under the name of an allowed one",
    "arguments that are left out where the theorem is stated",
)


@pytest.mark.parametrize("name", QUICK)
def test_each_look_refuses_what_it_should_and_nothing_else(name, honest):
    question, proof = honest
    attempt = BY_NAME[name]
    said = attempts.refusals(attempt, question, proof, PATIENCE)
    assert attempts.holes(attempt, said) == [], said


@pytest.mark.parametrize("other", ["eps", "(exp (Rplus eps (Rinv (IZR 1000000))))"])
def test_compiled_definitions_are_those_that_a_person_accepted(
    honest, monkeypatch, tmp_path, other
):
    """Also where planted files and an edited record agree."""
    question, proof = honest
    accepted = statements.accepted_definitions()
    changed = [text.replace("(exp eps)", other) for text in accepted]
    assert sum(a != b for a, b in zip(accepted, changed, strict=True)) >= 1
    compile_proof(proof, tmp_path, patient())
    assert check_compiled(check_file(question), tmp_path, patient())
    monkeypatch.setattr(statements, "accepted_definitions", lambda: changed)
    with pytest.raises(FormalError, match=r"not those of pinned\.txt"):
        check_compiled(check_file(question), tmp_path, patient())


def test_a_fractional_order_with_four_axioms_kept_where_told(coq, tmp_path):
    verdict = proved("0.1", 4, "2.5", not_valid=Fraction("0.0008"), out=tmp_path / "new")
    assert set(verdict.axioms) == ALLOWED
    assert "is_RDP_space" in verdict.question.statement()
    assert (tmp_path / "new" / "Proof.v").read_text() == verdict.proof
    assert (tmp_path / "new" / "Check.v").read_text() == verdict.check


def test_the_reverse_divergence_directly(coq):
    verdict = proved("0.1", 4, "2.5", digits=3, reverse=True)
    assert "AnyOrder.divergence_in" in verdict.proof
    assert "apply (reverse" in verdict.proof


def test_the_reverse_divergence_through_the_forward_one(coq):
    assert "reverse_at_most" in proved("0.1", 4, 3, valid=Fraction(1, 10), reverse=True).proof


def test_extreme_points_by_bounds_in_closed_form(coq):
    verdict = proved(0.001, 0.02, 300, not_valid=Fraction(0.375))
    assert "Crude.shifted_sound" in verdict.proof


def test_an_end_point_of_q_at_a_fractional_order(coq):
    assert proved(1, "1.1", "2.5", digits=4).question.x == Fraction(125, 121)


def test_machine_integers_are_labelled_and_refused_where_they_were_not_asked_for(coq):
    asked = {"valid": Fraction(1, 100)}
    fast = proved("0.01", "1.1", 4, **asked, fast=True)
    assert set(fast.axioms) > ALLOWED
    assert "about machine integers" in fast.as_text()
    with pytest.raises(NotProved, match="assumes"):
        proved("0.01", "1.1", 4, **asked, proof=fast.proof)


def test_without_coq_one_line_says_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NotProved, match=r"apt-get install coq libcoq-coquelicot libcoq-interval$"):
        proved("0.01", "1.1", 4, valid=Fraction(1, 100))


@needs_program
def test_a_variable_of_the_caller_does_not_hide_coq(monkeypatch):
    library.require_coq()
    monkeypatch.setenv("COQLIB", "/nonexistent")
    library.require_coq()


def test_a_proof_that_would_take_too_long_is_not_begun(coq):
    with pytest.raises(NotProved, match="would take about"):
        prove(Point.of("0.01", "0.5", "63.5"), digits=25, max_seconds=8)


@pytest.mark.parametrize("file", ["Arithmetic.v", "Enclosing.v"])
def test_a_library_with_an_axiom_is_not_compiled(file, tmp_path):
    shutil.copytree(library.FOLDER, tmp_path / "library")
    with (tmp_path / "library" / file).open("a") as stream:
        stream.write("Axiom cheat : False.\n")
    with pytest.raises(FormalError, match="not an allowed command: Axiom cheat"):
        library.compile_all(tmp_path / "library")


def test_a_compiled_file_that_was_changed_is_not_used(coq, tmp_path):
    shutil.copytree(library.FOLDER, tmp_path / "library")
    assert library.made_here(tmp_path / "library")
    with (tmp_path / "library" / "Arithmetic.vo").open("ab") as stream:
        stream.write(b" ")
    assert not library.made_here(tmp_path / "library")


def test_what_coq_would_load_instead_of_a_checked_file_is_refused(tmp_path):
    library.refuse_shadowing_files(tmp_path)
    (tmp_path / "Statements.vio").touch()
    with pytest.raises(FormalError, match=r"Statements\.vio: may be loaded instead"):
        library.refuse_shadowing_files(tmp_path)


def test_a_file_that_is_not_listed_is_refused(tmp_path):
    shutil.copytree(library.FOLDER, tmp_path / "library")
    (tmp_path / "library" / "More.v").touch()
    with pytest.raises(FormalError, match=r"not in both: More\.v"):
        library.sources(tmp_path / "library")


def running_in(folder: Path) -> list[str]:
    """The programs whose working directory is in a folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            where, command = (process / "cwd").resolve(), (process / "comm").read_text().strip()
        except OSError:
            continue
        if where.is_relative_to(folder.resolve()) and not command.startswith("python"):
            found.append(command)
    return found


needs_proc = pytest.mark.skipif(not Path("/proc/self/cwd").exists(), reason="no /proc here")


@needs_program
@needs_proc
def test_at_the_deadline_coq_is_gone(tmp_path):
    (tmp_path / "Slow.v").write_text(SLOW)
    with pytest.raises(BudgetExceeded):
        coqc("Slow.v", tmp_path, [], Deadline(2.0))
    assert running_in(tmp_path) == []


@needs_program
@needs_proc
@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_when_the_caller_is_ended_coq_is_gone(ending, tmp_path):
    (tmp_path / "Slow.v").write_text(SLOW)
    program = (
        "from pathlib import Path; from verify.numbers.budget import Deadline;"
        "from proofs_checks.verdicts.running import coqc;"
        f"coqc('Slow.v', Path({str(tmp_path)!r}), [], Deadline(3600))"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", program], stderr=subprocess.DEVNULL, preexec_fn=hears_interrupts
    )
    patience = patient()
    while not running_in(tmp_path):
        patience.check()
        time.sleep(0.05)
    os.kill(child.pid, ending)
    assert child.wait(PATIENCE) != 0
    while running_in(tmp_path):
        patience.check()
        time.sleep(0.05)
