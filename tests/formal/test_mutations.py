"""Mutated proofs break: four cheap ones here, all of them by python -m proofs_checks.mutations."""

from __future__ import annotations

import pytest

from proofs_checks import mutations
from proofs_checks.kernel import FOLDER, FormalError
from proofs_checks.mutations import MUTATIONS, QUICK, Mutation

BY_NAME = {m.name: m for m in MUTATIONS}
needs_compiled = pytest.mark.skipif(bool(mutations.ready()), reason=mutations.ready() or "ready")


def test_there_are_enough_mutations_with_names_of_their_own():
    assert len(BY_NAME) == len(MUTATIONS) >= 36
    assert set(QUICK) <= set(BY_NAME)


@pytest.mark.parametrize("name", BY_NAME)
def test_every_mutation_has_its_place(name):
    mutation = BY_NAME[name]
    text = (mutation.folder / mutation.file).read_text(encoding="utf-8")
    assert mutations.mutate(text, mutation) != text


def test_a_mutation_without_a_place_is_an_error():
    with pytest.raises(FormalError, match="no single place"):
        mutations.mutate("nothing", Mutation("lost", "A.v", "something", ""))


def test_without_coq_one_line(monkeypatch, capsys, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert mutations.main() == 2
    assert capsys.readouterr().err == "mutations: Coq is not installed here\n"


@needs_compiled
@pytest.mark.parametrize("name", QUICK)
def test_the_mutated_proof_breaks(name):
    assert mutations.attempt(BY_NAME[name]).broke


@needs_compiled
def test_the_unchanged_file_does_not_break():
    text = (FOLDER / "LogBounds.v").read_text(encoding="utf-8")
    broke, where, _ = mutations.compile_text(text, "LogBounds.v")
    assert (broke, where) == (False, "")


@needs_compiled
def test_a_surviving_mutation_fails_the_command(capsys):
    harmless = Mutation(
        "weaker constant", "LogBounds.v", "- 1 <= 1.1 / sigma", "- 1 <= 1.1 / (sigma)"
    )
    assert mutations.main(mutations=(harmless,)) == 1
    assert "SURVIVES" in capsys.readouterr().out
