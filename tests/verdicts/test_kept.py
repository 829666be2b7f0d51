"""What is kept says what its numbers say, and is true by everything else the project knows."""

from __future__ import annotations

from fractions import Fraction

import msgspec
import pytest

import verify
from proofs_checks.kernel import ALLOWED
from proofs_checks.verdicts import kept
from proofs_checks.verdicts.generate import check_file
from proofs_checks.verdicts.prove import sha256
from proofs_checks.verdicts.question import VerdictKind, VerdictQuestion
from verify.point import Point
from verify.vectors.store import load

KEPT = kept.read()
EACH = pytest.mark.parametrize("verdict", KEPT.verdicts, ids=lambda v: v.of)


def question(verdict):
    upper = None if verdict.upper is None else Fraction(verdict.upper)
    point = Point.of(verdict.q, verdict.sigma, verdict.alpha)
    return VerdictQuestion(
        point, VerdictKind(verdict.kind), Fraction(verdict.x), upper, verdict.reverse
    )


def test_ten_vectors_of_the_training_region_and_three_families_of_libraries():
    names = [v.of.split()[0] for v in KEPT.verdicts]
    assert (names.count("vector"), names.count("answer")) == (10, 3)
    flags = {v.id: v.flags for v in load()}
    assert all("DpSgd" in flags[name] for name in kept.VECTORS)


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
