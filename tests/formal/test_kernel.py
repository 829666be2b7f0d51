"""The build and audit of the Coq proofs: what counts as evidence, and what must not."""

from __future__ import annotations

import json
import shutil

import pytest

from proofs_checks import kernel
from proofs_checks.kernel import ALLOWED, FormalError, Theorem

needs_coq = pytest.mark.skipif(not shutil.which("coqc"), reason="Coq is not installed here")

BASE = "Lemma base : 1 + 1 = 2.\nProof. reflexivity. Qed.\n"
STATEMENTS = "From SGM Require Import Base.\n\nTheorem sum : 1 + 1 = 2.\nProof. exact base. Qed.\n"


@pytest.fixture
def folder(tmp_path):
    """A development of two files, as small as can be."""
    (tmp_path / "_CoqProject").write_text("-Q . SGM\nBase.v\nStatements.v\n")
    (tmp_path / "Base.v").write_text(BASE)
    (tmp_path / "Statements.v").write_text(STATEMENTS)
    return tmp_path


def result(folder, **changes):
    """A whole result of the present sources, with changes."""
    whole = {"complete": True, "digest": kernel.digest(folder), "theorems": []} | changes
    (folder / "result.json").write_text(json.dumps(whole))


def test_sources_come_in_order_of_compilation(folder):
    assert [p.name for p in kernel.sources(folder)] == ["Base.v", "Statements.v"]


@pytest.mark.parametrize("name", ["Base.v", "Statements.v", "_CoqProject"])
def test_every_source_enters_the_digest(folder, name):
    before = kernel.digest(folder)
    (folder / name).write_text((folder / name).read_text() + "\n")
    assert kernel.digest(folder) != before


def test_renaming_changes_the_digest(folder):
    before = kernel.digest(folder)
    (folder / "Base.v").rename(folder / "Basis.v")
    (folder / "_CoqProject").write_text("-Q . SGM\nBasis.v\nStatements.v\n")
    assert kernel.digest(folder) != before


def test_a_whole_result_of_the_present_sources_is_read(folder):
    result(folder)
    assert kernel.read_result(folder) is not None


def test_a_stale_result_counts_for_nothing(folder):
    result(folder)
    (folder / "Base.v").write_text(BASE + "(* changed *)\n")
    assert kernel.read_result(folder) is None


def test_an_incomplete_result_counts_for_nothing(folder):
    result(folder, complete=False)
    assert kernel.read_result(folder) is None


@pytest.mark.parametrize("text", ["", "{", "not json"])
def test_a_damaged_result_counts_for_nothing(folder, text):
    (folder / "result.json").write_text(text)
    assert kernel.read_result(folder) is None


def test_no_result_at_all(folder):
    assert kernel.read_result(folder) is None
    assert not kernel.checked_here(folder)


def test_checked_here_needs_the_present_sources(folder):
    (folder / ".checked").write_text(kernel.digest(folder) + "\n")
    assert kernel.checked_here(folder)
    (folder / "Base.v").write_text(BASE + "\n")
    assert not kernel.checked_here(folder)


@pytest.mark.parametrize(
    "hole",
    [
        "Lemma h : 0 = 1.\nProof. Admitted.",
        "Lemma h : 0 = 1.\nProof. admit. Qed.",
        "Axiom h : 0 = 1.",
        "Parameter h : 0 = 1.",
        "Conjecture h : 0 = 1.",
        "(* harmless *) Axiom h : 0 = 1. (* harmless *)",
        'Check "(*". Axiom h : 0 = 1. Check "*)".',
        "Unset Guard Checking.",
        "#[bypass_check(guard)] Fixpoint f (n : nat) : 0 = 1 := f n.",
        "Set Type In Type.",
        "(* a comment *)\nLemma h : 0 = 1.\nProof.\n(* nothing *) Admitted (* here *).",
    ],
)
def test_holes_are_found(folder, hole):
    (folder / "Base.v").write_text(BASE + hole + "\n")
    with pytest.raises(FormalError, match=r"Base\.v"):
        kernel.forbid_holes(folder)


def test_words_in_comments_are_no_holes(folder):
    (folder / "Base.v").write_text("(* No Axiom, nothing Admitted. *)\n" + BASE)
    kernel.forbid_holes(folder)


def test_the_development_has_no_holes():
    kernel.forbid_holes()


def test_theorems_carry_file_line_and_statement(folder):
    assert kernel.theorems(folder) == [Theorem("sum", "Statements.v", 3, "1 + 1 = 2")]


def test_a_theorem_stated_twice_is_refused(folder):
    (folder / "Statements.v").write_text(STATEMENTS + STATEMENTS)
    with pytest.raises(FormalError, match="stated twice: sum"):
        kernel.theorems(folder)


PRINTED = """marker_one = "one"
     : string
Axioms:
ClassicalDedekindReals.sig_not_dec : forall P : Prop, {~ ~ P} + {~ P}
FunctionalExtensionality.functional_extensionality_dep
  : forall (A : Type) (B : A -> Type) (f g : forall x : A, B x),
    (forall x : A, f x = g x) -> f = g
marker_two = "two"
     : string
Closed under the global context
marker_three = "three"
     : string
Axioms:
Base.trust_me : 0 = 1
"""


def test_assumptions_are_read_from_what_the_kernel_prints():
    found = kernel._parse(PRINTED, ["one", "two", "three"])
    assert found["one"] == {
        "ClassicalDedekindReals.sig_not_dec",
        "FunctionalExtensionality.functional_extensionality_dep",
    }
    assert found["one"] <= ALLOWED
    assert found["two"] == set()
    assert found["three"] == {"Base.trust_me"}


def test_silence_about_a_theorem_is_an_error():
    with pytest.raises(FormalError, match="four"):
        kernel._parse(PRINTED, ["one", "four"])


def test_an_axiom_too_many_is_refused(folder, monkeypatch):
    monkeypatch.setattr(kernel, "_assumptions", lambda _, chunk: {t.name: {"B.x"} for t in chunk})
    with pytest.raises(FormalError, match=r"sum assumes B\.x"):
        kernel.audit(folder)


def test_without_coq_one_line_says_what_to_install(monkeypatch, capsys, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert kernel.main([]) == 1
    out, error = capsys.readouterr()
    assert out == ""
    assert error == "formal: Coq is needed: apt-get install coq libcoq-coquelicot\n"


@needs_coq
def test_a_real_development_passes(folder):
    kernel.compile_all(folder)
    (checked,) = kernel.audit(folder)
    assert (checked.name, checked.axioms) == ("sum", ())
    kernel.write_result([checked], folder)
    read = kernel.read_result(folder)
    assert read is not None
    assert read["theorems"][0]["statement"] == "1 + 1 = 2"
    assert kernel.checked_here(folder)


@needs_coq
def test_a_real_axiom_is_found_by_the_audit(folder):
    (folder / "Base.v").write_text("Axiom base : 1 + 1 = 2.\n")
    kernel.compile_all(folder)
    with pytest.raises(FormalError, match=r"sum assumes .*base"):
        kernel.audit(folder)


@needs_coq
def test_a_real_admitted_lemma_is_found_by_the_audit(folder):
    (folder / "Base.v").write_text("Lemma base : 1 + 1 = 2.\nProof. Admitted.\n")
    kernel.compile_all(folder)
    with pytest.raises(FormalError, match=r"sum assumes .*base"):
        kernel.audit(folder)


@needs_coq
def test_a_false_statement_does_not_compile(folder):
    (folder / "Statements.v").write_text(STATEMENTS.replace("= 2", "= 3"))
    with pytest.raises(FormalError):
        kernel.compile_all(folder)
