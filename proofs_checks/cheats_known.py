"""Known ways to make a development lie, each as a change to a copy of it."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from proofs_checks.kernel import ALLOWED, FormalError, build
from proofs_checks.kernel.build import compiled_scratch
from proofs_checks.kernel.result import RESULT as RESULT_FILE

COMMANDS, BUILD, STATEMENTS = "allowed commands", "compiler", "statements"
AXIOMS, COQCHK, RESULT, FRESH = "axioms", "coqchk", "result", "made afresh"
"""The parts of the audit."""


@dataclass(frozen=True, slots=True)
class CheatPlace:
    """Where in a development to cheat."""

    folder: Path
    working: str  # a file of proofs
    final: str  # a Statements file
    theorem: str  # in it: nothing after it depends on it
    shadow: tuple[
        str, str, str, str
    ]  # file, theorem, a definition that makes it trivial, its proof

    @property
    def trust(self) -> str:
        """The full name of what the working file assumes."""
        return f"SGM.{Path(self.working).stem}.trust"

    def append(self, file: str, text: str) -> None:
        path = self.folder / file
        path.write_text(path.read_text(encoding="utf-8") + text + "\n", encoding="utf-8")

    def restate(
        self,
        proof: str,
        *,
        says: Callable[[str], str] = lambda statement: statement,
        around: tuple[str, str] = ("", ""),
        head: str = "Theorem {name} : ",
        where: tuple[str, str] | None = None,
    ) -> None:
        """Put another proof, and if told another statement or surroundings, in the theorem's place.

        ``{old}`` in the proof stands for the honest one.
        """
        file, name = where or (self.final, self.theorem)
        path = self.folder / file
        text = path.read_text(encoding="utf-8")
        old = re.search(rf"Theorem {name} : (.*?)\.\nProof\.(.*?)Qed\.\n", text, re.DOTALL)
        if not old:
            raise FormalError(f"{file}: no theorem {name} to cheat with")
        statement = head.format(name=name) + says(old[1])
        proof = proof.replace("{old}", old[2].strip())
        new = f"{around[0]}\n{statement}.\nProof.\n  {proof}\nQed.\n{around[1]}\n"
        path.write_text(text.replace(old[0], new), encoding="utf-8")

    def assume(self, command: str, name: str = "trust") -> None:
        """Prove the theorem from something false that the working file assumes."""
        self.append(self.working, command)
        self.restate(f"destruct {self.trust.removesuffix('trust')}{name}.")


@dataclass(frozen=True, slots=True)
class Cheat:
    """One way to deceive, and the parts of the audit that must object."""

    name: str
    caught_by: tuple[str, ...]
    apply: Callable[[CheatPlace], None]


def _weaker(statement: str) -> str:
    return f"{statement} \\/ True"


def _add_file(p: CheatPlace, name: str, text: str, listed: bool) -> None:
    path = p.folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    if listed:
        project_file = p.folder / "_CoqProject"
        lines = project_file.read_text(encoding="utf-8").splitlines()
        lines.insert(lines.index(p.working), name)
        project_file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _require(p: CheatPlace, file: str, sentence: str) -> None:
    path = p.folder / file
    path.write_text(sentence + "\n" + path.read_text(encoding="utf-8"), encoding="utf-8")


def _add_unlisted_file(p: CheatPlace) -> None:
    _add_file(p, "Hidden.v", "Axiom trust : False.\n", listed=False)
    _require(p, p.final, "From SGM Require Hidden.")
    p.restate("destruct SGM.Hidden.trust.")


def _load(p: CheatPlace) -> None:
    _add_file(p, "hidden.v", "Axiom trust : False.\n", listed=False)
    p.append(p.working, "Load hidden.")
    p.restate(f"destruct {p.trust}.")


def _short_name_file(p: CheatPlace) -> None:
    _add_file(p, "Classical_Prop.v", "Axiom classic : False.\n", listed=True)
    _require(p, p.final, "From SGM Require Classical_Prop.")
    p.restate("destruct SGM.Classical_Prop.classic.")


def _local_library(p: CheatPlace) -> None:
    _add_file(p, "Coquelicot/Coquelicot.v", "Axiom trust : False.\n", listed=False)


def _only_a_comment(p: CheatPlace) -> None:
    p.restate("exact I.", says=lambda s: "True", head="Lemma {name} : ",
              around=(f"(* Theorem {p.theorem} : False.\nProof. *)", ""))  # fmt: skip


def _shadow(p: CheatPlace) -> None:
    file, theorem, definition, proof = p.shadow
    p.restate(proof, around=(definition, ""), where=(file, theorem))


def _library_axiom(p: CheatPlace) -> None:
    _require(p, p.working, "From Coq Require Eqdep.")
    p.append(p.working, "Definition trust := Eqdep.Eq_rect_eq.eq_rect_eq.")
    p.restate(f"pose proof {p.trust} as unused. {{old}}")


def _universes(p: CheatPlace) -> None:
    p.append(
        p.working, "Unset Universe Checking.\nDefinition trust : Type := let T : Type := Type in T."
    )
    p.restate(f"pose (unused := {p.trust}). {{old}}")


def _elsewhere(p: CheatPlace) -> None:
    p.append(p.working, "Definition holds : Prop := True.")
    p.restate("exact I.", says=lambda s: p.trust.replace("trust", "holds"))


def _old_time_stamp(p: CheatPlace) -> None:
    p.restate("exact I.", says=lambda s: "False")
    os.utime(p.folder / p.final, (0, 0))


def _foreign_vo(p: CheatPlace) -> None:
    """A compiled file that says something else than its source, and is newer."""
    with TemporaryDirectory() as name:
        other = Path(name) / "other"
        shutil.copytree(p.folder, other)
        forged = replace(p, folder=other)
        forged.restate("intros; right; exact I.", says=_weaker)
        with compiled_scratch(other, jobs=1):
            pass
        shutil.copyfile(
            (other / p.final).with_suffix(".vo"), (p.folder / p.final).with_suffix(".vo")
        )


def _forged_record(p: CheatPlace) -> None:
    """Compiled files that rest on an axiom, and a record that says they were made from the honest sources."""
    with TemporaryDirectory() as name:
        other = Path(name) / "other"
        shutil.copytree(p.folder, other)
        replace(p, folder=other).assume("Axiom trust : False.")
        with compiled_scratch(other, jobs=1):
            pass
        recorded = build.record(p.folder)
        for module, (key, _) in recorded["compiled"].items():
            planted = p.folder / f"{module}.vo"
            shutil.copyfile(other / planted.name, planted)
            recorded["compiled"][module] = [key, sha256(planted.read_bytes()).hexdigest()]
        build.write_record(p.folder, **recorded)


def _edit_result(change: Callable[[dict[str, Any]], None]) -> Callable[[CheatPlace], None]:
    def apply(p: CheatPlace) -> None:
        path = p.folder / RESULT_FILE
        content = json.loads(path.read_text(encoding="utf-8"))
        change(content)
        path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")

    return apply


def _add_theorem(content: dict[str, Any]) -> None:
    theorems = content["theorems"]
    theorems.append(theorems[0] | {"name": "everything"})


def _other_statement(content: dict[str, Any]) -> None:
    theorems = content["theorems"]
    theorems[-1]["statement"] = "False"


def _other_axioms(content: dict[str, Any]) -> None:
    theorems = content["theorems"]
    theorems[-1]["axioms"] = [] if theorems[-1]["axioms"] else [sorted(ALLOWED)[0]]


def _option(line: str) -> Callable[[CheatPlace], None]:
    def apply(p: CheatPlace) -> None:
        path = p.folder / "_CoqProject"
        path.write_text(line + "\n" + path.read_text(encoding="utf-8"), encoding="utf-8")

    return apply


_ASSUMED = (COMMANDS, AXIOMS, COQCHK)
_SAID = (COMMANDS, STATEMENTS)
_LOOP = "Fixpoint trust_at (n : nat) {struct n} : False := trust_at n.\n"
_BAD = (
    "Inductive Bad : Type := bad : (Bad -> False) -> Bad.\n"
    "Definition never (b : Bad) : False := match b with bad f => f b end.\n"
    "Definition trust : False := never (bad never).\n"
)

CHEATS = (
    Cheat("an axiom whose name ends in a prime", _ASSUMED, lambda p: p.assume("Axiom trust' : False.", "trust'")),
    Cheat("Parameter", _ASSUMED, lambda p: p.assume("Parameter trust : False.")),
    Cheat("Conjecture", _ASSUMED, lambda p: p.assume("Conjecture trust : False.")),
    Cheat("Variable outside of any section", _ASSUMED, lambda p: p.assume("Variable trust : False.")),
    Cheat("Hypothesis outside of any section", _ASSUMED, lambda p: p.assume("Hypothesis trust : False.")),
    Cheat("Context outside of any section", _ASSUMED, lambda p: p.assume("Context (trust : False).")),
    Cheat("Admitted in a helper", _ASSUMED, lambda p: p.assume("Lemma trust : False.\nProof. Admitted.")),
    Cheat("a command inside a proof", _ASSUMED, lambda p: p.assume("Lemma trust_ : True.\nProof. Axiom trust : False. exact I. Qed.")),
    Cheat("an axiom between strings that look like comments", _ASSUMED, lambda p: p.assume('Fail Check "(*". Axiom trust : False. Fail Check "*)".')),
    Cheat("an allowed axiom's short name, in a module", _ASSUMED, lambda p: p.assume("Module Classical_Prop. Axiom classic : False. End Classical_Prop.", "Classical_Prop.classic")),
    Cheat("an allowed axiom's short name, in a file", _ASSUMED, _short_name_file),
    Cheat("a module declared, not defined", _ASSUMED, lambda p: p.assume("Module Type T. Parameter trust : False. End T.\nDeclare Module M : T.", "M.trust")),
    Cheat("a functor over an axiom", _ASSUMED, lambda p: p.assume("Module Type T. Parameter trust : False. End T.\nModule F (X : T). Definition trust := X.trust. End F.\nDeclare Module M : T. Module G := F M.", "G.trust")),
    Cheat("an axiom of the standard library that is not allowed", (AXIOMS, COQCHK), _library_axiom),
    Cheat("Unset Guard Checking", _ASSUMED, lambda p: p.assume("Unset Guard Checking.\n" + _LOOP, "trust_at; exact 0%nat")),
    Cheat("bypass_check(guard)", _ASSUMED, lambda p: p.assume("#[bypass_check(guard)] " + _LOOP, "trust_at; exact 0%nat")),
    Cheat("Unset Positivity Checking", _ASSUMED, lambda p: p.assume("Unset Positivity Checking.\n" + _BAD)),
    Cheat("Unset Universe Checking", _ASSUMED, _universes),
    Cheat("a primitive type", (COMMANDS, COQCHK), lambda p: p.append(p.working, "Primitive trust := #int63_type.")),
    Cheat("a section hypothesis", _SAID, lambda p: p.restate("destruct trust.", around=("Section S. Hypothesis trust : False.", "End S."))),
    Cheat("Context in a section", _SAID, lambda p: p.restate("destruct trust.", around=("Section S. Context (trust : False).", "End S."))),
    Cheat("Let in a section", _SAID, lambda p: p.restate("exact I.", says=lambda s: "claim", around=("Section S. Let claim : Prop := True.", "End S."))),
    Cheat("a hypothesis before the colon", _SAID, lambda p: p.restate("destruct trust.", head="Theorem {name} (trust : False) : ")),
    Cheat("a weakened statement", (STATEMENTS,), lambda p: p.restate("intros; right; exact I.", says=_weaker)),
    Cheat("a statement with a false hypothesis", (STATEMENTS,), lambda p: p.restate("intros [].", says=lambda s: f"False -> {s}")),
    Cheat("a shadowed function", (STATEMENTS,), _shadow),
    Cheat("a definition outside of the Statements files", (STATEMENTS,), _elsewhere),
    Cheat("an opaque definition", _SAID, lambda p: p.restate("exact (proj2_sig hidden).", says=lambda s: "proj1_sig hidden", around=("Definition hidden : {P : Prop | P}. Proof. exists True. exact I. Qed.", ""))),
    Cheat("a notation for <", _SAID, lambda p: p.restate("intros; exfalso; match goal with H : _ \\/ _ |- _ => destruct H as [H|H]; apply H; reflexivity end.", around=('Notation "x < y" := (x <> x \\/ y <> y) : type_scope.', ""))),
    Cheat("a coercion", _SAID, lambda p: p.restate("exact I.", says=lambda s: "true", around=("Definition holds (b : bool) : Prop := True. Coercion holds : bool >-> Sortclass.", ""))),
    Cheat("look-alike letters", (COMMANDS,), lambda p: p.restate("exact I.", says=lambda s: "\u0422rue", around=("Definition \u0422rue : Prop := True.", ""))),
    Cheat("a theorem in a comment, a Lemma of its name", _SAID, _only_a_comment),
    Cheat("nothing printed in full", _SAID, lambda p: p.restate("intros; right; exact I.", says=_weaker, around=("Global Set Printing Depth 2.", ""))),
    Cheat("the theorem's name in another module", (COMMANDS,), lambda p: p.append(p.working, f"Module {Path(p.final).stem}. Theorem {p.theorem} : True. Proof. exact I. Qed. End {Path(p.final).stem}.")),
    Cheat("Load", (COMMANDS, BUILD), _load),
    Cheat("a file that is not listed", (COMMANDS, BUILD), _add_unlisted_file),
    Cheat("a library of the same name in a subfolder", (COMMANDS,), _local_library),
    Cheat("-type-in-type in _CoqProject", (COMMANDS,), _option("-arg -type-in-type")),
    Cheat("another logical name in _CoqProject", (COMMANDS,), _option("-Q . Coq")),
    Cheat("a file loaded by an option", (COMMANDS,), _option("-arg -load-vernac-source -arg hidden")),
    Cheat("Declare ML Module", (COMMANDS,), lambda p: p.append(p.working, 'Declare ML Module "extraction_plugin".')),
    Cheat("Extraction, which writes files", (COMMANDS,), lambda p: p.append(p.working, 'Require Extraction. Redirect "result.json" Extraction nat.')),
    Cheat("Register", (COMMANDS,), lambda p: p.append(p.working, "Register nat as num.nat.type.")),
    Cheat("an old time stamp on a changed file", (BUILD,), _old_time_stamp),
    Cheat("a compiled file from another source", (FRESH,), _foreign_vo),
    Cheat("compiled files with an axiom, a record that vouches for them", (AXIOMS, COQCHK, RESULT), _forged_record),
    Cheat("result.json: a theorem added", (RESULT,), _edit_result(_add_theorem)),
    Cheat("result.json: another statement", (RESULT,), _edit_result(_other_statement)),
    Cheat("result.json: other axioms", (RESULT,), _edit_result(_other_axioms)),
)  # fmt: skip
