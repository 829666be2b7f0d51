"""The build and audit of the Coq proofs: what counts as evidence, and what must not."""

from __future__ import annotations

import hashlib
import json
import os
import shutil

import msgspec
import pytest

from proofs_checks import kernel
from proofs_checks.kernel import ALLOWED, FormalError, Theorem, axioms, build, project
from proofs_checks.kernel.__main__ import main
from proofs_checks.kernel.audit import audit
from proofs_checks.kernel.lexer import sentences
from proofs_checks.kernel.statements import PINNED
from verify.numbers.errors import SgmError

needs_coq = pytest.mark.skipif(not shutil.which("coqc"), reason="Coq is not installed here")

BASE = "Lemma base : 1 + 1 = 2.\nProof. reflexivity. Qed.\n"
STATEMENTS = "From SGM Require Base.\n\nTheorem sum : 1 + 1 = 2.\nProof. exact Base.base. Qed.\n"


@pytest.fixture
def folder(tmp_path):
    """A development of two files, as small as can be."""
    (tmp_path / "_CoqProject").write_text("-Q . SGM\nBase.v\nStatements.v\n")
    (tmp_path / "Base.v").write_text(BASE)
    (tmp_path / "Statements.v").write_text(STATEMENTS)
    return tmp_path


def recorded(folder, **changes):
    """A whole result of the present sources, with changes."""
    (folder / PINNED).write_text("pinned\n")
    whole = {
        "format": "sgm-verify kernel 2",
        "coq": "8.16.1",
        "digest": kernel.digest(folder),
        "pinned": hashlib.sha256(b"pinned\n").hexdigest(),
        "allowed": sorted(ALLOWED),
        "theorems": [
            {
                "name": "sum",
                "file": "Statements.v",
                "line": 3,
                "statement": "1 + 1 = 2",
                "axioms": [],
            }
        ],
        "complete": True,
    }
    (folder / "result.json").write_text(json.dumps(whole | changes))


class TestSentences:
    """Coq's sentences, comments and strings."""

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("Check a. Check b.", ["Check a", "Check b"]),
            ("Check a.b.c.\n", ["Check a.b.c"]),
            ("Check 1.5.", ["Check 1.5"]),
            ("(* a. (* b. *) c. *) Check a.", ["Check a"]),
            ('(* "*)" still a comment. *) Check a.', ["Check a"]),
            ('Check "(*". Check "*)".', ['Check "(*"', 'Check "*)"']),
            ('Check "a "" b. c".', ['Check "a "" b. c"']),
            ("Check (* here. *)\n  a.", ["Check a"]),
            ("Check(**)a.", ["Check a"]),
            ("auto... auto.", ["auto..", "auto"]),
        ],
    )
    def test_are_split_where_coq_splits_them(self, text, expected):
        assert [s.text for s in sentences(text)] == expected

    def test_know_their_line(self):
        assert [s.line for s in sentences("(* c\n *)\nCheck a.\n\n  Check\n b.")] == [3, 5]

    @pytest.mark.parametrize(
        "text",
        [
            "(* open",
            'Check "open.',
            "Check a",
            "Check a. *)",
            "Check a.(* glued *)",
            "Check \u0430.",
            "Check\ta.",
            "Check a.\r\n",
            "Check a.\x0bCheck b.",
            "(* \u202e *) Check a.",
            ". Check a.",
        ],
    )
    def test_are_refused_where_they_are_not_understood(self, text):
        with pytest.raises(FormalError):
            sentences(text, "A.v")


def test_sources_come_in_order_of_compilation(folder):
    assert [p.name for p in kernel.sources(folder)] == ["Base.v", "Statements.v"]


@pytest.mark.parametrize("name", ["Base.v", "Statements.v", "_CoqProject"])
def test_every_source_enters_the_digest(folder, name):
    before = kernel.digest(folder)
    text = (folder / name).read_text()
    (folder / name).write_text(
        "-arg -w -arg -ambiguous-paths\n" + text if name[0] == "_" else text + "\n"
    )
    assert kernel.digest(folder) != before


def test_renaming_changes_the_digest(folder):
    before = kernel.digest(folder)
    (folder / "Base.v").rename(folder / "Basis.v")
    (folder / "_CoqProject").write_text("-Q . SGM\nBasis.v\nStatements.v\n")
    assert kernel.digest(folder) != before


@pytest.mark.parametrize(
    "line",
    [
        "-arg -type-in-type",
        "-R . SGM",
        "-Q . Coq",
        "-Q .. SGM",
        "-I .",
        "../Other.v",
        "Base.v",
        "a.v",
        "",
        " Base.v",
    ],
)
def test_a_line_of_the_project_that_is_not_known_is_refused(folder, line):
    (folder / "_CoqProject").write_text(f"-Q . SGM\n{line}\nBase.v\nStatements.v\n")
    with pytest.raises(FormalError, match="_CoqProject"):
        kernel.sources(folder)


@pytest.mark.parametrize("name", ["Hidden.v", "hidden.v", "Coquelicot/Coquelicot.v"])
def test_a_file_that_is_not_listed_is_refused(folder, name):
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text("")
    with pytest.raises(FormalError, match="not in both"):
        project.all_listed(folder)


def test_a_listed_file_that_is_not_there_is_refused(folder):
    (folder / "Base.v").unlink()
    with pytest.raises(FormalError, match=r"not in both: Base\.v"):
        project.all_listed(folder)


class TestResult:
    """What of a recorded result is believed without Coq."""

    def test_whole_and_of_the_present_sources_is_read(self, folder):
        recorded(folder)
        assert kernel.read_result(folder) is not None

    @pytest.mark.parametrize("name", ["Base.v", "pinned.txt"])
    def test_of_other_sources_counts_for_nothing(self, folder, name):
        recorded(folder)
        (folder / name).write_text((folder / name).read_text() + "\n")
        assert kernel.read_result(folder) is None

    @pytest.mark.parametrize(
        "changes",
        [
            {"complete": False},
            {"complete": 1},
            {"format": "sgm-verify kernel 1"},
            {"theorems": []},
            {"allowed": [*sorted(ALLOWED), "SGM.Base.trust"]},
            {"theorems": [{"name": "sum", "file": "Statements.v", "line": 3, "statement": "1 = 2", "axioms": []}]},
            {"theorems": [{"name": "sum", "file": "Statements.v", "line": 3, "statement": "1 + 1 = 2", "axioms": ["A.x"]}]},
            {"theorems": [{"name": "sum", "file": "Statements.v", "line": 3, "statement": "1 + 1 = 2", "axioms": ["Classical_Prop.classic"]}]},
            {"theorems": None},
        ],
    )  # fmt: skip
    def test_edited_is_an_error(self, folder, changes):
        recorded(folder, **changes)
        with pytest.raises(SgmError, match=r"result\.json: "):
            kernel.read_result(folder)

    @pytest.mark.parametrize("text", ["", "{", "not json", "[]", "{}"])
    def test_damaged_is_an_error(self, folder, text):
        recorded(folder)
        (folder / "result.json").write_text(text)
        with pytest.raises(SgmError, match=r"result\.json: no whole result"):
            kernel.read_result(folder)

    def test_is_written_by_the_class_that_reads_it(self):
        read = kernel.read_result()
        assert read is not None
        text = (kernel.FOLDER / "result.json").read_text()
        assert json.dumps(msgspec.to_builtins(read), indent=1, ensure_ascii=False) + "\n" == text

    def test_may_be_missing(self, folder):
        assert kernel.read_result(folder) is None
        assert not kernel.checked_here(folder)

    def test_of_the_development_is_whole(self):
        assert kernel.read_result() is not None


def test_checked_here_needs_the_present_sources(folder):
    build.write_record(folder, audited=kernel.digest(folder))
    assert kernel.checked_here(folder)
    (folder / "Base.v").write_text(BASE + "\n")
    assert not kernel.checked_here(folder)


@pytest.mark.parametrize(
    "sentence",
    [
        "Lemma h : 0 = 1.\nProof. Admitted.",
        "Axiom h : 0 = 1.",
        "Variable h : 0 = 1.",
        "Section S. Variable h : nat. End S. Variable h : nat.",
        "End S.",
        "Section S.",
        "Lemma h : True. Proof. exact I.",
        "Unset Guard Checking.",
        "#[bypass_check(guard)] Fixpoint f (n : nat) : 0 = 1 := f n.",
        "Require Import Base.",
        "From Hidden Require Import Base.",
        "From SGM Require Export Base.",
        "From SGM Require Import Export.",
        'Definition h := "a"%string.',
        "Lemma h : True. Proof. Set Printing All. exact I. Qed.",
        "Lemma h : True. Proof. exact I. Defined.",
        "Definition h : True. Proof. exact I. Qed.",
        "Open Scope nat_scope.",
        "Notation h := 0.",
        "Check 0.",
        "Local Definition h := 0.",
    ],
)
def test_a_command_that_is_not_on_the_list_is_refused(folder, sentence):
    (folder / "Base.v").write_text(BASE + sentence + "\n")
    with pytest.raises(FormalError, match=r"Base\.v"):
        project.allowed_commands(folder)


@pytest.mark.parametrize(
    "sentence",
    ["Lemma h : True.\nProof. exact I. Qed.", "Section S. End S.", "Ltac t := auto.", "Theorem h (n : nat) : n = n.\nProof. reflexivity. Qed."],
)  # fmt: skip
def test_a_statements_file_may_hold_less(folder, sentence):
    (folder / "Base.v").write_text(BASE + sentence + "\n")
    project.allowed_commands(folder)
    (folder / "Statements.v").write_text(STATEMENTS + sentence + "\n")
    with pytest.raises(FormalError, match=r"Statements\.v"):
        project.allowed_commands(folder)


def test_words_in_comments_are_no_commands(folder):
    (folder / "Base.v").write_text("(* No Axiom. Nothing Admitted. *)\n" + BASE)
    project.allowed_commands(folder)


def test_the_development_holds_allowed_commands_only():
    project.allowed_commands()


def test_theorems_carry_file_line_and_statement(folder):
    assert kernel.theorems(folder) == [Theorem("sum", "Statements.v", 3, "1 + 1 = 2")]


def test_a_theorem_in_a_comment_is_none(folder):
    (folder / "Statements.v").write_text("(*\n" + STATEMENTS + "*)\n" + STATEMENTS)
    assert [t.line for t in kernel.theorems(folder)] == [9]


def test_a_theorem_stated_twice_is_refused(folder):
    (folder / "Statements.v").write_text(STATEMENTS + STATEMENTS)
    with pytest.raises(FormalError, match="stated twice: sum"):
        kernel.theorems(folder)


PRINTED = """Axioms:
ClassicalDedekindReals.sig_not_dec : forall P : Prop, {~ ~ P} + {~ P}
FunctionalExtensionality.functional_extensionality_dep
  : forall (A : Type) (B : A -> Type) (f g : forall x : A, B x),
    (forall x : A, f x = g x) -> f = g
Base.trust_me' : 0 = 1
"""


def test_assumptions_are_read_from_what_the_kernel_prints():
    assert axioms.read_assumptions(PRINTED) == {
        "ClassicalDedekindReals.sig_not_dec",
        "FunctionalExtensionality.functional_extensionality_dep",
        "Base.trust_me'",
    }
    assert axioms.read_assumptions("Closed under the global context\n") == set()


@pytest.mark.parametrize(
    "printed",
    [
        "",
        "Section Variables:\nh : False\n",
        "Axioms:\nBase.f is assumed to be guarded.\n",
        "Axioms:\nBase.x relies on an unsafe hierarchy.\n",
        "Axioms:\na : nat\nOpaque constants:\nb : nat\n",
    ],
)
def test_other_assumptions_are_not_passed_over(printed):
    with pytest.raises(FormalError):
        axioms.read_assumptions(printed)


SUMMARY = """
CONTEXT SUMMARY
===============

* Theory: Set is predicative
  
* Axioms:
    Coq.Logic.Classical_Prop.classic
    SGM.Base.trust'
  
* Constants/Inductives relying on type-in-type: <none>
  
* Constants/Inductives relying on unsafe (co)fixpoints: <none>
  
* Inductives whose positivity is assumed: <none>
  
"""  # noqa: W293 - as coqchk prints it


def test_the_summary_of_coqchk_is_read():
    assert axioms.read_summary(SUMMARY) == {"Coq.Logic.Classical_Prop.classic", "SGM.Base.trust'"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("CONTEXT", "KONTEXT"),
        ("predicative", "impredicative"),
        ("type-in-type: <none>", "type-in-type: SGM.Base.u"),
        ("(co)fixpoints: <none>", "(co)fixpoints: SGM.Base.f"),
        ("assumed: <none>", "assumed: SGM.Base.Bad"),
        ("* Inductives whose positivity is assumed: <none>", ""),
        ("* Axioms", "* Rewrite rules: SGM.Base.r\n\n* Axioms"),
    ],
)
def test_a_summary_that_says_anything_else_is_refused(old, new):
    assert old in SUMMARY
    with pytest.raises(FormalError, match="coqchk"):
        axioms.read_summary(SUMMARY.replace(old, new))


def test_without_coq_one_line_says_what_to_install(monkeypatch, capsys, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main([]) == 1
    out, error = capsys.readouterr()
    assert out == ""
    assert error == "formal: Coq is needed: apt-get install coq libcoq-coquelicot\n"


@needs_coq
class TestAudit:
    """The whole way, with a real Coq."""

    def test_what_was_never_accepted_does_not_pass(self, folder):
        with pytest.raises(FormalError, match="not the accepted ones"):
            audit(folder)

    def test_what_was_accepted_passes_in_full(self, folder):
        audit(folder, accept=True)
        (checked,) = audit(folder, full=True)
        assert (checked.name, checked.axioms) == ("sum", ())
        read = kernel.read_result(folder)
        assert read is not None
        assert read.theorems[0].statement == "1 + 1 = 2"
        assert kernel.checked_here(folder)

    def test_what_assumes_too_much_cannot_be_accepted(self, folder):
        (folder / "Base.v").write_text(
            "From Coq Require Eqdep.\nDefinition trust := Eqdep.Eq_rect_eq.eq_rect_eq.\n" + BASE
        )
        proof = "pose proof Base.trust as unused. exact Base.base."
        (folder / "Statements.v").write_text(STATEMENTS.replace("exact Base.base.", proof))
        with pytest.raises(
            FormalError, match=r"the development assumes Coq\.Logic\.Eqdep\.Eq_rect_eq\.eq_rect_eq"
        ):
            audit(folder, accept=True)
        assert not (folder / PINNED).exists()

    def test_the_full_run_finds_an_edited_result_and_leaves_it(self, folder):
        audit(folder, accept=True)
        path = folder / "result.json"
        path.write_text(path.read_text().replace('"8.', '"9.'))
        edited = path.read_bytes()
        with pytest.raises(FormalError, match="not the one found"):
            audit(folder, full=True)
        assert path.read_bytes() == edited

    def test_the_result_is_the_same_every_time(self, folder):
        audit(folder, accept=True)
        before = (folder / "result.json").read_bytes()
        (folder / "result.json").unlink()
        (folder / ".checked").unlink()
        audit(folder)
        assert (folder / "result.json").read_bytes() == before

    def test_nothing_is_compiled_twice(self, folder, monkeypatch):
        audit(folder, accept=True)
        version, ran = build.coq_version(), []
        monkeypatch.setattr(build, "coq_version", lambda: version)
        monkeypatch.setattr(build, "run", lambda command, place: ran.append(command))
        with build.compiled_scratch(folder):
            assert ran == []

    def test_a_changed_dependency_is_compiled_again_whatever_its_time(self, folder):
        audit(folder, accept=True)
        (folder / "Base.v").write_text(BASE.replace("= 2", "= 3"))
        os.utime(folder / "Base.v", (0, 0))
        with pytest.raises(FormalError, match=r"Base\.v"):
            audit(folder)

    def test_variables_of_the_caller_do_not_reach_coq(self, folder, monkeypatch):
        monkeypatch.setenv("COQLIB", str(folder))
        monkeypatch.setenv("COQPATH", str(folder))
        audit(folder, accept=True)

    def test_a_false_statement_does_not_compile(self, folder):
        (folder / "Statements.v").write_text(STATEMENTS.replace("= 2", "= 3"))
        with pytest.raises(FormalError, match=r"Statements\.v"):
            audit(folder, accept=True)

    def test_modules_that_require_each_other_are_refused(self, folder):
        (folder / "Base.v").write_text("From SGM Require Statements.\n" + BASE)
        with pytest.raises(FormalError, match="require each other"):
            audit(folder, accept=True)


@needs_coq
def test_a_proof_that_does_not_end_is_an_error(folder, monkeypatch):
    """A tactic that loops is stopped, and the error names the file."""
    monkeypatch.setattr(build, "SECONDS", 2.0)
    (folder / "Base.v").write_text(BASE.replace("reflexivity", "repeat (try idtac; pose 1)"))
    with pytest.raises(FormalError, match=r"Base\.v: no answer in 2 s"):
        audit(folder, jobs=1)


@needs_coq
def test_axioms_are_asked_for_when_nothing_is_compiled(folder, monkeypatch):
    """The second run compiles nothing and still asks Coq for the axioms of all theorems."""
    audit(folder, accept=True, jobs=1)
    asked = []
    of_all = axioms.of_all
    monkeypatch.setattr(axioms, "of_all", lambda *a: asked.append(len(a[1])) or of_all(*a))
    audit(folder, jobs=1)
    assert asked == [1]


@needs_coq
def test_remembered_axioms_that_coq_does_not_name_are_refused(folder):
    """An axiom added to the record, an allowed one, is not believed."""
    audit(folder, accept=True, jobs=1)
    remembered = build.record(folder)["axioms"]
    remembered["SGM.Statements.sum"].append(min(ALLOWED))
    build.write_record(folder, axioms=remembered)
    with pytest.raises(FormalError, match="not those that Coq names"):
        audit(folder, jobs=1)
