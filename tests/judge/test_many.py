"""Fresh points through many copies of a program: the same, however many copies there are."""

from __future__ import annotations

import sys

import pytest

from verify.judge.check import many
from verify.judge.check.checking import Request, check
from verify.judge.protocol.domain import Domain
from verify.judge.protocol.harness import Harness, HarnessFailed, Limits
from verify.judge.protocol.session import Extent
from verify.judge.verdict.grading import Direction
from verify.parallel import Here, Processes, WorkerDied

CLIENT = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    q, sigma, alpha = asked["q"], asked["sigma"], float(asked["alpha"])
    print(json.dumps({"id": asked["id"], "value": q * q * alpha / (2 * sigma * sigma)}), flush=True)
"""


@pytest.fixture
def copies(tmp_path):
    (tmp_path / "client.py").write_text(CLIENT)
    return many.Copies((sys.executable, str(tmp_path / "client.py")), "", (), Limits())


def heard(door, copies, count=60, domain=""):
    todo = many.batches(copies, "rdp", Domain(domain), 7, count)
    return many.gather_answers(door, todo, count, lambda _: None)


def test_the_points_do_not_depend_on_the_workers(copies, monkeypatch):
    monkeypatch.setattr(many, "BATCH", 20)
    with Here() as door:
        alone = heard(door, copies)
    with Processes(2) as door:
        together = heard(door, copies)
    assert [(c.id, c.answer.value) for c in alone.cases] == [
        (c.id, c.answer.value) for c in together.cases
    ]


def test_so_many_points_and_no_more(copies):
    todo = list(many.batches(copies, "rdp", Domain(""), 7, 120))
    assert [batch.count for batch in todo] == [50, 50, 20]
    assert len({batch.seed for batch in todo}) == 3


def test_a_domain_holds_for_copies_as_well(copies):
    with Here() as door:
        found = heard(door, copies, domain="whole").cases
    assert found
    assert all(case.question.alpha.is_integer() for case in found)


def test_what_copies_say_counts(copies):
    with Here() as door:
        further = heard(door, copies)
    plan = Extent(fresh=0, calls=0, age=0.0, busy=0.0)
    request = Request(vectors=(), training=False, plan=plan)
    with Harness(list(copies.command)) as harness:
        checked = check(harness, request, further)
    assert checked.found.directions[Direction.UNSAFE] > 30
    assert "and 60 fresh points asked of copies of the program" in checked.course


def test_a_worker_that_dies_is_no_verdict(copies, monkeypatch):
    died = WorkerDied("out of memory")
    monkeypatch.setattr(many, "run_batches", lambda *_: iter([(next(iter(todo)), died)]))
    todo = many.batches(copies, "rdp", Domain(""), 7, 50)
    with Here() as door, pytest.raises(HarnessFailed, match="out of memory"):
        many.gather_answers(door, todo, 50, lambda _: None)
