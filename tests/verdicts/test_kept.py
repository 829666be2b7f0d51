"""What is kept says what its numbers say, and is true by everything else the project knows."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import msgspec
import pytest

import verify
from proofs_checks.kernel import ALLOWED
from proofs_checks.verdicts import kept
from proofs_checks.verdicts.generate import check_file
from proofs_checks.verdicts.proving import sha256
from proofs_checks.verdicts.question import VerdictKind, VerdictQuestion
from verify.numbers.point import Point
from verify.results import document
from verify.results.conformance import Conformance, Direction
from verify.vectors.store import load

KEPT = kept.read()
CONFORMANCE = Path(__file__).parents[2] / "reports" / "conformance"
EACH = pytest.mark.parametrize("verdict", KEPT.verdicts, ids=lambda v: v.of)


def question(verdict):
    upper = None if verdict.upper is None else Fraction(verdict.upper)
    point = Point.of(verdict.q, verdict.sigma, verdict.alpha)
    return VerdictQuestion(
        point, VerdictKind(verdict.kind), Fraction(verdict.x), upper, verdict.reverse
    )


def test_ten_vectors_of_the_training_region():
    assert [v.of for v in KEPT.verdicts[:10]] == [f"vector {name}" for name in kept.VECTORS]
    flags = {v.id: v.flags for v in load()}
    assert all("DpSgd" in flags[name] for name in kept.VECTORS)


def unsafe_answers(file):
    rows = document.read(file, Conformance).cases.rows
    return {(r.q, r.sigma, r.alpha, r.answer) for r in rows if r.direction is Direction.UNSAFE}


@pytest.mark.parametrize("file", sorted(CONFORMANCE.glob("*.json")), ids=lambda p: p.stem)
def test_a_library_that_understates_has_a_theorem_on_an_answer_it_gave(file):
    proved = {(a.q, a.sigma, a.alpha, a.answer) for a in kept.ANSWERS}
    unsafe = unsafe_answers(file)
    assert not unsafe or unsafe & proved


def test_an_answer_is_one_that_the_library_named_gave():
    for a in kept.ANSWERS:
        name, version = a.library.split()[:2]
        given = unsafe_answers(CONFORMANCE / f"{name}-{version}.json")
        assert (a.q, a.sigma, a.alpha, a.answer) in given


@EACH
def test_the_words_are_those_of_its_numbers(verdict):
    assert verdict.words == " ".join(question(verdict).words().split())


@EACH
def test_the_theorem_is_the_one_of_its_numbers(verdict):
    assert verdict.theorem == question(verdict).statement()


@EACH
def test_the_check_file_is_the_one_of_its_numbers(verdict):
    assert verdict.check_sha256 == sha256(check_file(question(verdict)))


@EACH
def test_nothing_is_assumed_but_the_axioms_of_the_real_numbers(verdict):
    assert set(verdict.axioms) == ALLOWED


@EACH
def test_the_certified_engine_agrees(verdict):
    truth = verify.rdp(verdict.q, verdict.sigma, verdict.alpha, digits=30)
    assert Fraction(verdict.x) < truth.lo
    if verdict.upper is not None:
        assert truth.hi < Fraction(verdict.upper)


def test_the_published_vectors_lie_inside_their_enclosures():
    by_id = {v.id: v for v in load()}
    for verdict in KEPT.verdicts[:10]:
        published = by_id[verdict.of.split()[1]].rdp
        assert Fraction(verdict.x) <= Fraction(published.lo)
        assert Fraction(published.hi) <= Fraction(verdict.upper)


def test_answers_are_the_doubles_that_were_given():
    assert [Fraction(v.x) for v in KEPT.verdicts[10:]] == [Fraction(a.answer) for a in kept.ANSWERS]


@pytest.mark.parametrize("change", [{"x": "0.1"}, {"axioms": ("cheat",)}, {"of": "nothing"}])
def test_another_verdict_is_not_the_kept_one(change):
    with pytest.raises(kept.Changed):
        kept.compare(msgspec.structs.replace(KEPT.verdicts[0], **change), KEPT)
