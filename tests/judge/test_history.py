"""Many releases, the same questions: what came, what went, and what could not be asked."""

import json
import re
from pathlib import Path

import msgspec
import pytest

from verify.judge.causes.known_wrong import REGISTRY
from verify.judge.check import history
from verify.judge.protocol.harness import HarnessFailed
from verify.judge.protocol.inprocess import ask
from verify.judge.selftest import healthy
from verify.judge.show.badge import badge
from verify.judge.verdict.compare import compare
from verify.judge.verdict.exceptions import Known, excuse
from verify.judge.verdict.judged import judge_answers
from verify.report.draw.history_figure import counts, read_histories, svg
from verify.results.history import History
from verify.vectors import load, select

ROOT = Path(__file__).parents[2]
VECTORS = select(load(), groups=("two-modes",))
GOOD = judge_answers(VECTORS, "rdp", ask(healthy.rdp, VECTORS))
BAD = judge_answers(VECTORS, "rdp", ask(REGISTRY["truncated-order"].rdp, VECTORS))


def off(relative):
    """Answers with a relative error."""

    def rdp(q, sigma, alpha):
        return healthy.rdp(q, sigma, alpha) * (1 + relative)

    return judge_answers(VECTORS, "rdp", ask(rdp, VECTORS))


def test_an_overstatement_that_becomes_unsafe_is_told():
    high, low, unsafe = map(off, (1.1e-6, -0.99e-4, -1.01e-4))
    assert len(compare(unsafe, high).unsafe) == len(compare(unsafe, low).unsafe) == len(VECTORS)
    assert not compare(high, unsafe).unsafe
    assert not compare(low, high).unsafe
    assert not compare(unsafe, unsafe).unsafe


def test_a_fault_that_comes_is_worse_and_one_that_goes_is_better():
    came, went = compare(BAD, GOOD), compare(GOOD, BAD)
    assert len(came.worse) == len(went.better) == len(BAD.failures) > 0
    assert not came.better
    assert not went.worse
    assert came.common == len(VECTORS)


def test_the_same_answers_have_the_same_digest():
    one, other = (history.release(v, GOOD, BAD) for v in ("1", "2"))
    assert one.answers_sha256 == other.answers_sha256
    assert one.answers_sha256 != history.release("3", BAD, GOOD).answers_sha256


def test_a_release_that_cannot_be_asked_is_listed_with_the_reason(monkeypatch):
    def asked(spec, request):
        if spec.endswith("==2"):
            raise HarnessFailed("no such release")
        return BAD if spec.endswith("==1") else GOOD

    monkeypatch.setattr(history, "_check_release", asked)
    found = history.history("opacus", ["1", "2", "3"], "2026-11-16", groups=("two-modes",))
    first, second, third = found.releases
    assert second.problem == "no such release"
    assert third.better == len(BAD.failures) == sum(counts(first))
    assert "cannot be asked" in history.line(second)
    assert svg([found]) == svg([found])


def test_counts_that_are_not_those_of_the_points_are_refused():
    made = history.release("1", GOOD, None)
    with pytest.raises(ValueError, match="not every point"):
        History(target="x", date="", sgm_verify="", vectors_sha256="", points=7, releases=(made,))


def test_what_is_recorded_is_whole_and_drawn():
    """At least twelve releases of three libraries, and the drawing is of these records."""
    found = read_histories(ROOT / "reports" / "history")
    asked = [release for h in found for release in h.releases if not release.problem]
    assert len(found) >= 3
    assert len(asked) >= 12
    drawing = (ROOT / "docs" / "history.svg").read_text()
    shown = re.findall(r">([0-9.]+)</text>", drawing)
    assert {release.version for release in asked} <= set(shown)


def test_a_badge_says_what_matters_first():
    messages = {
        name: json.loads(badge(found))
        for name, found in {
            "good": GOOD,
            "bad": BAD,
            "known": excuse(BAD, [Known("ada", "fractions", flag="TwoModes")]),
        }.items()
    }
    assert messages["good"] == {
        "schemaVersion": 1, "label": "sgm-verify", "message": "conforms", "color": "brightgreen",
    }  # fmt: skip
    assert messages["bad"]["color"] == "red"
    assert messages["bad"]["message"].endswith("UNSAFE")
    assert messages["known"]["message"] == f"conforms, {len(BAD.failures)} known failures"


def test_nothing_else_is_read_as_a_history():
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'{"format": "sgm-verify history 2"}', type=History)
