"""Every known cheat, on a development of two files: each part of the audit that should object does.

``python -m proofs_checks.cheats`` does the same end to end on a copy of the real development.
"""

from __future__ import annotations

import shutil

import pytest

from proofs_checks import cheats
from proofs_checks.cheats import HONEST, objections
from proofs_checks.cheats_known import CHEATS, COMMANDS, Cheat

pytestmark = pytest.mark.skipif(not shutil.which("coqc"), reason="Coq is not installed here")

BY_NAME = {cheat.name: cheat for cheat in CHEATS}


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return cheats.small(tmp_path_factory.mktemp("cheats") / "small")


def test_cheats_have_names_of_their_own():
    assert len(BY_NAME) == len(CHEATS)


def test_nothing_objects_to_an_honest_development(place):
    assert objections(place, HONEST) == {}


@pytest.mark.parametrize("name", BY_NAME)
def test_every_part_that_should_object_does(place, name):
    cheat = BY_NAME[name]
    assert set(objections(place, cheat)) == set(cheat.caught_by)


def test_the_objection_names_the_cheat(place):
    said = objections(place, BY_NAME["an axiom whose name ends in a prime"])
    assert said["allowed commands"] == "Base.v:4: not an allowed command: Axiom trust' : False"
    assert said["axioms"] == "the development assumes SGM.Base.trust'"
    assert said["coqchk"] == "coqchk: the development assumes SGM.Base.trust'"


def test_what_the_compiler_refuses_shows_nothing_about_the_other_parts(place):
    broken = Cheat("broken", ("compiler", "statements"), lambda p: p.append(p.final, "Nonsense."))
    assert set(objections(place, broken)) == {"compiler"}


def test_a_hole_fails_the_command(place, capsys):
    harmless = Cheat("a comment", (COMMANDS,), lambda p: p.append(p.working, "(* harmless *)"))
    assert cheats.try_all(place, (harmless,)) == 1
    assert "WRONG: allowed commands" in capsys.readouterr().out
